//! Which nodes of the graph lie above an output, and which of them lead to given inputs.

use super::node::{Edge, Node, Origin};
use super::variable::{State, Variable};
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};
use vjp_tensor::ids::{IdList, IdSet};

/// A moment of a graph: what sweeps and hooks change in its nodes, and the leaves it ends in,
/// also those that no name refers to.
pub struct Moment {
    nodes: Vec<(Node, super::node::Flags)>,
    leaves: Vec<(Variable, State)>,
}

/// Larger graphs are not copied.
const LARGEST: usize = 10_000;

/// The nodes above some tensors and the leaves they end in; None where they are many.
fn above<'a>(tensors: impl Iterator<Item = &'a Variable>) -> Option<(Vec<Node>, Vec<Variable>)> {
    let (mut seen, mut known) = (IdSet::default(), HashSet::new());
    let (mut nodes, mut leaves) = (Vec::new(), Vec::new());
    let mut pending: Vec<Node> = tensors.filter_map(Variable::node).collect();
    while let Some(n) = pending.pop() {
        if !seen.insert(n.id()) {
            continue;
        }
        for edge in n.inputs() {
            match &edge.origin {
                Origin::Node(p) => pending.push(p.clone()),
                Origin::Leaf(v) if known.insert(v.id()) => leaves.push(v.clone()),
                _ => {}
            }
        }
        nodes.push(n);
        if nodes.len() > LARGEST {
            return None;
        }
    }
    Some((nodes, leaves))
}

/// The leaves that some tensors were computed from, also those that no name refers to; none of a large graph.
pub fn leaves_above<'a>(tensors: impl Iterator<Item = &'a Variable>) -> Vec<Variable> {
    above(tensors).map_or_else(Vec::new, |(_, leaves)| leaves)
}

impl Moment {
    /// The graph above some tensors; None where it is large.
    pub fn above<'a>(tensors: impl Iterator<Item = &'a Variable>) -> Option<Moment> {
        let (nodes, all) = above(tensors)?;
        let mut leaves = Vec::new();
        for v in all {
            leaves.extend(v.grad().map(|g| (g.clone(), g.state())));
            leaves.push((v.clone(), v.state()));
        }
        let flags = nodes.iter().map(Node::flags).collect::<Vec<_>>();
        Some(Moment { nodes: nodes.into_iter().zip(flags).collect(), leaves })
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

/// Up to so many nodes are found faster by looking at each than in a set.
const FEW: usize = 16;

/// All nodes above `roots`, parents first.
pub fn ancestors(roots: impl IntoIterator<Item = Node>) -> Vec<Node> {
    let mut seen = IdSet::default();
    let mut found: Vec<Node> = Vec::new();
    let mut pending: SmallVec<[Node; 4]> = roots.into_iter().collect();
    while let Some(n) = pending.pop() {
        let new = match found.len() <= FEW {
            true => !found.iter().any(|f| f.same(&n)),
            false => seen.insert(n.id()),
        };
        if !new {
            continue;
        }
        pending.extend(n.inputs().iter().filter_map(|e| e.node().cloned()));
        found.push(n);
        if found.len() == FEW + 1 {
            seen.extend(found.iter().map(Node::id));
        }
    }
    found.sort_unstable_by_key(Node::id);
    found
}

/// Some inputs, and the nodes from which one of them can be reached.
#[derive(Default)]
pub(crate) struct Needed {
    leaves: IdList,
    /// Of the inputs that are not leaves.
    middles: IdList,
    nodes: IdList,
}

impl Needed {
    /// What lies between `roots` and `inputs`.
    pub fn between(roots: &[(Variable, Variable)], inputs: &[Variable]) -> Needed {
        let middles = inputs.iter().filter_map(|x| Some(x.node()?.id()));
        let mut needed = Needed {
            leaves: inputs.iter().map(|x| x.id() as u64).collect(),
            middles: middles.collect(),
            nodes: IdList::default(),
        };
        for n in ancestors(roots.iter().filter_map(|(y, _)| y.node())) {
            let leads = |e: &Edge| needed.leads(&e.origin);
            if needed.is_input(&n) || n.inputs().iter().any(leads) {
                needed.nodes.push(n.id());
            }
        }
        needed
    }

    /// Whether one of the inputs can be reached from there.
    pub fn leads(&self, origin: &Origin) -> bool {
        match origin {
            Origin::Constant(_) | Origin::LostView(_) => false,
            Origin::Leaf(v) => self.leaves.contains(v.id() as u64),
            Origin::Node(n) => self.nodes.contains(n.id()),
        }
    }

    /// Whether it made one of the inputs.
    pub fn is_input(&self, n: &Node) -> bool {
        self.middles.contains(n.id())
    }
}

/// The leaves that lead to a value, or itself.
pub fn leaves_of(v: &Variable) -> Vec<Variable> {
    let Some(node) = v.node() else {
        return vec![v.clone()];
    };
    let mut found: HashMap<usize, Variable> = HashMap::new();
    for n in ancestors([node]) {
        for e in n.inputs() {
            if let Origin::Leaf(x) = &e.origin {
                found.insert(x.id(), x.clone());
            }
        }
    }
    let mut leaves: Vec<Variable> = found.into_values().collect();
    leaves.sort_by_key(Variable::id);
    leaves
}
