//! What a backward has to say beside its panel, or in its place.

use crate::Graph;
use vjp_eval::leaf::naming::Places;
use vjp_eval::{Machine, Note};
use vjp_maths::Variable;
use vjp_maths::autodiff::reverse::Sweep;
use vjp_tensor::Complaint;

/// Where PyTorch would have needed `retain_graph=True` the call before.
pub(crate) fn kept_note() -> Note {
    Note::plain(
        "vjp keeps the graph so you can try another v; PyTorch would need retain_graph=True on the previous backward",
    )
}

/// Which leaves backward passed by, because they were frozen after they were used; or that it came to none.
pub(crate) fn passed_by(m: &Machine, sweep: &Sweep) -> Option<Note> {
    let frozen = &sweep.frozen;
    if frozen.is_empty() && !sweep.leaves.is_empty() {
        return None;
    }
    let places = Places::of(m);
    if frozen.is_empty() && !sweep.retained.is_empty() {
        let names = sweep.retained.iter().filter_map(|r| places.path(&r.leaf));
        let grads: Vec<String> = names.map(|name| format!("{name}.grad")).collect();
        let set = vjp_text::words::list(&grads, "and");
        let text =
            format!("no gradient came to a leaf, only to {set}; a panel shows what leaves get");
        return (!grads.is_empty()).then(|| Note::plain(text));
    }
    let names: Vec<String> =
        frozen.iter().filter_map(|x| places.leaf(x)).map(|named| named.name).collect();
    let text = match names.as_slice() {
        _ if frozen.is_empty() => "no gradient came to a leaf, so no .grad was changed".to_owned(),
        [one] => format!("{one} no longer requires a gradient: backward left {one}.grad as it was"),
        [first, second] => format!(
            "{first} and {second} no longer require gradients: backward left their .grad as it was"
        ),
        _ => format!(
            "{} leaves no longer require gradients: backward left their .grad as it was",
            frozen.len()
        ),
    };
    Some(Note::plain(text))
}

/// Why there is no panel: J is too large to be kept.
pub(crate) fn not_shown(graph: &Graph, y: &Variable, sweep: &Sweep, complaint: &Complaint) -> Note {
    let leaves = sweep.leaves.iter();
    let names = leaves.filter_map(|r| graph.places.leaf(&r.leaf));
    let grads: Vec<String> = names.map(|n| format!("{}.grad", n.name)).collect();
    let columns: usize = sweep.leaves.iter().map(|r| r.leaf.numel()).sum();
    let done = if grads.len() == 1 { "is" } else { "are" };
    Note::plain(format!(
        "{} {done} computed, but J ({} × {columns}) is not shown: {complaint}",
        grads.join(", "),
        y.numel()
    ))
}
