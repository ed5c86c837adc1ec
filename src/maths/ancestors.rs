//! Which nodes of the graph lie above an output, and which of them lead to given inputs.

use super::ids::IdSet;
use super::node::{Node, Origin};
use super::variable::Variable;
use std::collections::HashSet;

/// All nodes above `roots`, parents first.
pub fn ancestors(roots: impl IntoIterator<Item = Node>) -> Vec<Node> {
    let mut seen = IdSet::default();
    let mut found = Vec::new();
    let mut pending: Vec<Node> = roots.into_iter().collect();
    while let Some(n) = pending.pop() {
        if seen.insert(n.id()) {
            pending.extend(n.inputs().iter().filter_map(|e| e.node().cloned()));
            found.push(n);
        }
    }
    found.sort_unstable_by_key(Node::id);
    found
}

/// Nodes from which one of `inputs` can be reached.
pub(super) fn towards(roots: &[(Variable, Variable)], inputs: &[Variable]) -> IdSet {
    let leaves: HashSet<usize> = inputs.iter().map(Variable::id).collect();
    let mut out: IdSet = inputs
        .iter()
        .filter_map(|x| x.node().map(|n| n.id()))
        .collect();
    for n in ancestors(roots.iter().filter_map(|(y, _)| y.node())) {
        let leads = n.inputs().iter().any(|e| match &e.origin {
            Origin::Constant(_) => false,
            Origin::Leaf(v) => leaves.contains(&v.id()),
            Origin::Node(p) => out.contains(&p.id()),
        });
        if leads {
            out.insert(n.id());
        }
    }
    out
}
