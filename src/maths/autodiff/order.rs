//! In which order PyTorch's engine takes nodes and leaves: of those that wait for nothing more the
//! youngest node first, and before any node the leaves. Kept where a program looks on.

use super::edge::Origin;
use super::node::Node;
use super::reverse::ancestors;
use super::variable::Variable;
use crate::autodiff::cotangent::{Coming, Flow, Sum};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use vjp_tensor::ids::IdMap;

/// Whose turn it is.
pub(crate) enum Turn {
    Node(Node),
    Leaf(Variable),
}

impl Turn {
    /// A node's id, or more than any for a leaf.
    fn rank(&self) -> u64 {
        match self {
            Turn::Node(n) => n.id(),
            Turn::Leaf(_) => u64::MAX,
        }
    }
}

impl Ord for Turn {
    fn cmp(&self, other: &Turn) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Turn {
    fn partial_cmp(&self, other: &Turn) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Turn {
    fn eq(&self, other: &Turn) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Turn {}

/// What has arrived somewhere, and from how many places more may come.
struct Waiting<C> {
    sum: Option<Sum<C>>,
    more: u32,
}

/// Everything that a sweep will visit.
pub(crate) struct Turns<C> {
    nodes: IdMap<Waiting<C>>,
    leaves: IdMap<Waiting<C>>,
    /// Leaves of equal rank leave the heap as they do in the engine, whose heap works alike.
    ready: BinaryHeap<Turn>,
    /// Whether some leaf is not a bare number or list.
    pub explicit: bool,
}

impl<C: Flow> Turns<C> {
    /// Of a sweep that starts at these, along the edges that lead somewhere.
    pub fn from(roots: &[Variable], leads: impl Fn(&Origin) -> bool) -> Turns<C> {
        let mut turns = Turns {
            nodes: IdMap::default(),
            leaves: IdMap::default(),
            ready: BinaryHeap::new(),
            explicit: false,
        };
        for y in roots {
            turns.expect(&y.origin());
        }
        for node in ancestors(roots.iter().filter_map(Variable::node)) {
            let origins = node.inputs().iter().map(|e| &e.origin);
            origins.filter(|o| leads(o)).for_each(|o| turns.expect(o));
        }
        turns
    }

    fn at(&mut self, origin: &Origin) -> Option<&mut Waiting<C>> {
        let none = || Waiting { sum: None, more: 0 };
        match origin {
            Origin::Constant(_) | Origin::LostView(_) => None,
            Origin::Node(n) => Some(self.nodes.entry(n.id()).or_insert_with(none)),
            Origin::Leaf(v) => Some(self.leaves.entry(v.id() as u64).or_insert_with(none)),
        }
    }

    fn expect(&mut self, origin: &Origin) {
        self.explicit |= matches!(origin, Origin::Leaf(v) if !v.is_implicit());
        if let Some(waiting) = self.at(origin) {
            waiting.more += 1;
        }
    }

    /// Adds what comes along one edge, which may be nothing.
    pub fn arrive(&mut self, origin: &Origin, c: Option<Coming<C>>) {
        let Some(waiting) = self.at(origin) else { return };
        waiting.sum = match (waiting.sum.take(), c) {
            (Some(before), Some(c)) => Some(before.plus(c)),
            (before, c) => before.or(c.map(Sum::of)),
        };
        waiting.more = waiting.more.saturating_sub(1);
        if waiting.more == 0 {
            match origin {
                Origin::Constant(_) | Origin::LostView(_) => {}
                Origin::Node(n) => self.ready.push(Turn::Node(n.clone())),
                Origin::Leaf(v) => self.ready.push(Turn::Leaf(v.clone())),
            }
        }
    }

    /// What comes next, and what arrived there.
    pub fn next(&mut self) -> Option<(Turn, Option<C>)> {
        let turn = self.ready.pop()?;
        let waiting = match &turn {
            Turn::Node(n) => self.nodes.remove(&n.id()),
            Turn::Leaf(v) => self.leaves.remove(&(v.id() as u64)),
        };
        Some((turn, waiting?.sum.map(|sum| sum.all)))
    }
}
