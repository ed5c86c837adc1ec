//! Which nodes of the graph lie above an output, and which of them lead to given inputs.

use super::ids::IdSet;
use super::node::{Node, Origin};
use super::variable::{State, Variable};
use std::collections::HashSet;

/// A moment of a graph: what sweeps and hooks change in its nodes, and the leaves it ends in,
/// also those that no name stands for any more.
pub struct Moment {
    nodes: Vec<(Node, super::node::Flags)>,
    leaves: Vec<(Variable, State)>,
}

/// Larger graphs are not copied.
const LARGEST: usize = 10_000;

impl Moment {
    /// The graph above some tensors; None where it is large.
    pub fn above<'a>(tensors: impl Iterator<Item = &'a Variable>) -> Option<Moment> {
        let mut seen = IdSet::default();
        let mut known = HashSet::new();
        let mut moment = Moment {
            nodes: Vec::new(),
            leaves: Vec::new(),
        };
        let mut pending: Vec<Node> = tensors.filter_map(Variable::node).collect();
        while let Some(n) = pending.pop() {
            if !seen.insert(n.id()) {
                continue;
            }
            for edge in n.inputs() {
                match &edge.origin {
                    Origin::Node(p) => pending.push(p.clone()),
                    Origin::Leaf(v) if known.insert(v.id()) => {
                        moment
                            .leaves
                            .extend(v.grad().map(|g| (g.clone(), g.state())));
                        moment.leaves.push((v.clone(), v.state()));
                    }
                    _ => {}
                }
            }
            let flags = n.flags();
            moment.nodes.push((n, flags));
            if moment.nodes.len() > LARGEST {
                return None;
            }
        }
        Some(moment)
    }

    pub fn restore(self) {
        for (node, flags) in self.nodes {
            node.set_flags(flags);
        }
        for (leaf, state) in self.leaves {
            leaf.restore(state);
        }
    }
}

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
