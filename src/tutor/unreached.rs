//! Where a gradient did not come, and why: a path that was cut, a backward that never ran.

use std::rc::Rc;
use vjp_backward::unreached::{leads_from, text_of};
use vjp_eval::leaf::naming::Places;
use vjp_eval::record::notes::non_leaf;
use vjp_eval::{Help, Machine, Note, Value};
use vjp_maths::Variable;
use vjp_maths::autodiff::ancestors::leaves_of;
use vjp_maths::autodiff::variable::Cut;
use vjp_text::Symbol;

/// Why a `.grad` is None; `name` is the tensor as written.
pub fn why_none(m: &Machine, object: &Value, name: &str) -> Option<Note> {
    let x = vjp_eval::leaf::existing(object)?;
    let note = |text: String, help: Vec<Help>| Some(Note { text, at: None, help, source: None });
    if !x.requires_grad() {
        return note(
            format!("{name} does not require a gradient, so backward never sets {name}.grad"),
            vec![Help {
                code: format!("{name}.requires_grad_()"),
                says: "turns gradients on from here".into(),
            }],
        );
    }
    if !x.is_leaf() {
        return Some(match leads_from(&x, name) {
            true => super::notes::no_leaf_any_more(m, name, &x),
            false => non_leaf(name),
        });
    }
    if m.undone.contains(&x.id()) {
        return note(
            format!("the statement that set {name}.grad failed and was undone"),
            Vec::new(),
        );
    }
    if let Some((cut, output)) = m.past.cut.get(&x.id()) {
        return Some(cut_note(m, &x, name, cut, output));
    }
    if m.past.reached.contains(&x.id()) {
        return note(format!("{name}.grad was reset; the next backward sets it again"), Vec::new());
    }
    if let Some(explicit) = m.past.beside.get(&x.id()) {
        return Some(super::notes::constant_beside(name, explicit, &x));
    }
    if let Some(latest) = &m.latest
        && latest.leaves.iter().any(|l| l.name().as_deref() == Some(name) && !l.same(&x))
    {
        let y = &latest.event.output;
        let swept = m.global(Symbol::new(y)).and_then(|v| vjp_eval::leaf::existing(&v));
        let text = match (x.id() > latest.y.id(), swept) {
            (true, Some(now)) if !now.same(&latest.y) => {
                format!("the last backward was of the earlier {y}, and went to the earlier {name}")
            }
            (true, _) => format!(
                "the gradient went to the earlier {name}: this {name} was assigned after {y} was computed"
            ),
            (false, _) => {
                format!("the gradient went to the earlier {name}: {y} was computed from it")
            }
        };
        return note(text, Vec::new());
    }
    if let Some(latest) = &m.latest
        && leaves_of(&latest.y).iter().any(|leaf| leaf.same(&x))
    {
        let y = &latest.event.output;
        return note(format!("the inputs= of {y}'s backward did not include {name}"), Vec::new());
    }
    if m.past.ran {
        return note(
            format!(
                "no backward has reached {name}: the graph has no path from {name} to the differentiated value"
            ),
            Vec::new(),
        );
    }
    note(format!("no backward has run yet, so {name} has no gradient"), Vec::new())
}

/// `the path x → h → y is cut here`, with the line and a fix.
fn cut_note(m: &Machine, x: &Variable, name: &str, cut: &Rc<Cut>, output: &str) -> Note {
    let places = Places::of(m);
    let mut path = vec![name.to_string()];
    if let Some(from) = cut.from.upgrade()
        && !from.same(x)
        && let Some(p) = places.path(&from)
    {
        path.push(p.to_string());
    }
    path.push(output.to_string());
    let source = m.source_of(cut.place.source);
    let cutting = text_of(m, cut);
    let mut help = Vec::new();
    if let (Some(s), Some(stripped)) = (source, cutting.strip_suffix(".detach()"))
        && let Some(statement) = vjp_eval::record::source_lookup::statement(s, cut.place.span)
    {
        help.push(Help {
            code: statement.replacen(&cutting, stripped, 1),
            says: "without .detach()".into(),
        });
    }
    Note {
        text: format!("no gradient reached {name}: the path {} is cut here", path.join(" → ")),
        at: Some((cut.place.span, "the values pass through, the gradient does not".into())),
        help,
        source: source.map(|s| s.text().to_string()),
    }
}
