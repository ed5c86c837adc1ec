//! Which leaves had their values looked at: a number taken out of the graph, a branch chosen by it. What
//! is computed after that may depend on them in ways that no slope tells.

use crate::observe::leaf_births;
use crate::{Node, Origin, Variable};
use std::cell::RefCell;
use std::collections::VecDeque;
use vjp_tensor::ids::{IdMap, IdSet};
use vjp_tensor::{Place, source_place};

/// Graphs are searched this far; beyond, every leaf counts.
const FAR: usize = 200;
/// So many places are remembered.
const PLACES: usize = 16;
/// So many leaves are told apart.
const MOST: usize = 10_000;

#[derive(Default)]
struct Looked {
    leaves: IdMap<u32>,
    /// All variables older than this one count.
    before: usize,
    /// How often numbers were taken out of the graph.
    taken: u64,
    /// Where that was done last, and the leaves that they came from, with how often each was written before.
    places: VecDeque<(Place, IdMap<u32>)>,
}

thread_local! {
    static LOOKED: RefCell<Looked> = RefCell::default();
}

/// The value of `v` decides what is computed next.
pub fn at(v: &Variable) {
    if !v.requires_grad() && v.cut().is_none() {
        return;
    }
    LOOKED.with_borrow_mut(|looked| {
        // Where every leaf counts already, there is nothing to find.
        if looked.before > Variable::newest_leaf() {
            return;
        }
        if !looked.add(v) || looked.leaves.len() > MOST {
            looked.leaves.clear();
            looked.before = Variable::mark();
        }
    });
}

/// The numbers of `v` go on without their history: `.item()`, `float(v)`, `v.detach()`.
pub fn taken(v: &Variable) {
    if v.requires_grad() || v.cut().is_some() {
        LOOKED.with_borrow_mut(|looked| {
            looked.taken += 1;
            // Of a program that runs again only its numbers are asked.
            if !leaf_births::are_watched() {
                looked.note(v);
            }
        });
        at(v);
    }
}

/// Where numbers that depend on a leaf, as it is since its last write, were taken out of the graph.
pub fn places(leaf: &Variable) -> Vec<Place> {
    let (id, writes) = (leaf.id() as u64, leaf.writes());
    LOOKED.with_borrow(|looked| {
        let all = looked.places.iter().filter(|(_, leaves)| leaves.get(&id) == Some(&writes));
        all.map(|(place, _)| *place).collect()
    })
}

/// Numbers that depend on leaves, and of which no graph tells: gradients that were not recorded.
pub fn lost() {
    LOOKED.with_borrow_mut(|looked| looked.taken += 1);
}

/// How often numbers were taken so far.
pub fn count() -> u64 {
    LOOKED.with_borrow(|looked| looked.taken)
}

/// Whether something may depend on the value of a leaf beside its slopes.
pub fn has(leaf: &Variable) -> bool {
    let id = leaf.id();
    LOOKED.with_borrow(|looked| id < looked.before || looked.leaves.contains_key(&(id as u64)))
}

impl Looked {
    /// Remembers that numbers of `v` are taken here. In a loop the last turn's leaves count.
    fn note(&mut self, v: &Variable) {
        let place = source_place::now();
        let mut of = Looked::default();
        if !of.add(v) {
            return;
        }
        self.places.retain(|(known, _)| *known != place);
        if self.places.len() == PLACES {
            self.places.pop_front();
        }
        self.places.push_back((place, of.leaves));
    }

    /// Adds the leaves that lead to `v`; false where that would take too long.
    fn add(&mut self, v: &Variable) -> bool {
        let mut start = v.clone();
        // Cut off, it still depends on what it came from.
        while let Some(cut) = start.cut().filter(|_| !start.requires_grad()) {
            match cut.from.upgrade() {
                Some(from) => start = from,
                None => return false,
            }
        }
        let Some(node) = start.node() else {
            self.leaves.insert(start.id() as u64, start.writes());
            return true;
        };
        let (mut pending, mut seen) = (vec![node], IdSet::default());
        while let Some(n) = pending.pop() {
            if !seen.insert(n.id()) {
                continue;
            }
            if seen.len() > FAR {
                return false;
            }
            self.inputs(&n, &mut pending);
        }
        true
    }

    fn inputs(&mut self, n: &Node, pending: &mut Vec<Node>) {
        for edge in n.inputs() {
            match &edge.origin {
                Origin::Node(p) => pending.push(p.clone()),
                Origin::Leaf(x) => {
                    self.leaves.insert(x.id() as u64, x.writes());
                }
                Origin::Constant(_) | Origin::LostView(_) => {}
            }
        }
    }
}
