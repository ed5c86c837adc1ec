//! Leaves that a backward did not reach, and the cut before each.

use std::collections::HashSet;
use std::rc::Rc;
use vjp_eval::Machine;
use vjp_eval::leaf::naming::Places;
use vjp_eval::record::event::Unreached;
use vjp_maths::autodiff::ancestors::leaves_of;
use vjp_maths::autodiff::variable::Cut;
use vjp_maths::{Edge, Node, Variable};

/// Leaves on the far side of a cut in the graph of `nodes`, but for those reached another way.
pub fn unreached(
    m: &mut Machine,
    nodes: &[Node],
    output: &str,
    places: &Places,
    reached: &[Variable],
) -> Vec<Unreached> {
    let cuts = cuts_below(nodes);
    m.past.ran = true;
    m.past.last =
        reached.first().and_then(|x| places.leaf(x)).map(|x| (output.to_string(), x.name));
    m.past.reached.extend(reached.iter().map(Variable::id));
    if let Some(first) = reached.first().filter(|x| !x.is_implicit()) {
        let name = places.leaf(first).unwrap_or_default().name;
        let leaves = nodes.iter().flat_map(|n| n.inputs()).filter_map(Edge::leaf);
        let constants = leaves.filter(|x| x.is_implicit()).map(|x| (x.id(), name.clone()));
        m.past.beside.extend(constants);
    }
    if cuts.is_empty() {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut seen: HashSet<usize> = reached.iter().map(Variable::id).collect();
    for cut in cuts {
        let Some(from) = cut.from.upgrade() else {
            continue;
        };
        for leaf in leaves_of(&from) {
            if !seen.insert(leaf.id())
                || leaf.is_implicit() != reached.first().is_some_and(Variable::is_implicit)
            {
                continue;
            }
            let Some(name) = places.leaf(&leaf).filter(|n| !n.earlier) else {
                continue;
            };
            m.past.cut.insert(leaf.id(), (Rc::clone(&cut), output.to_string()));
            out.push(Unreached { name: name.name, cut: text_of(m, &cut) });
        }
    }
    out
}

/// The cuts that constants of y's graph carry.
fn cuts_below(nodes: &[Node]) -> Vec<Rc<Cut>> {
    let inputs = nodes.iter().flat_map(|n| n.inputs());
    inputs.filter_map(|e| e.cut()).filter(|cut| !cut.stepped).collect()
}

/// What cuts, as it is written.
pub fn text_of(m: &Machine, cut: &Cut) -> String {
    m.source_of(cut.place.source)
        .map(|s| s.slice(cut.place.span).trim().to_string())
        .unwrap_or_default()
}

/// Whether a tensor was computed from the leaf that had its name.
pub fn leads_from(t: &Variable, name: &str) -> bool {
    !t.is_leaf() && leaves_of(t).iter().any(|x| x.name().as_deref() == Some(name))
}
