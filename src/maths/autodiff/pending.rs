//! What a sweep has brought so far to each leaf, and to each node that it still has to visit.

use super::node::Node;
use super::variable::Variable;
use crate::autodiff::cotangent::{Coming, Flow, Sum};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use vjp_tensor::ids::IdMap;

/// Up to so many leaves are found faster by looking at each.
const FEW: usize = 8;

/// Leaves with what arrived at them.
pub(crate) struct Arrived<C> {
    list: Vec<(Variable, Option<Sum<C>>)>,
    /// Places in the list by the leaves' ids, once there are more than a few.
    places: IdMap<usize>,
}

impl<C: Flow> Arrived<C> {
    pub fn new() -> Arrived<C> {
        Arrived { list: Vec::new(), places: IdMap::default() }
    }

    /// Adds `c` to what has arrived at a leaf.
    pub fn arrive(&mut self, leaf: &Variable, c: Coming<C>) {
        let place = match self.list.len() <= FEW {
            true => self.list.iter().position(|(v, _)| v.same(leaf)),
            false => self.places.get(&(leaf.id() as u64)).copied(),
        };
        if let Some(k) = place {
            let sum = &mut self.list[k].1;
            *sum = Some(match sum.take() {
                Some(before) => before.plus(c),
                None => Sum::of(c),
            });
            return;
        }
        self.list.push((leaf.clone(), Some(Sum::of(c))));
        let n = self.list.len();
        if n == FEW + 1 {
            let all = self.list.iter().enumerate();
            self.places = all.map(|(k, (v, _))| (v.id() as u64, k)).collect();
        } else if n > FEW {
            self.places.insert(leaf.id() as u64, n - 1);
        }
    }

    /// Whether something has arrived at this leaf.
    pub fn has(&self, leaf: &Variable) -> bool {
        self.list.iter().any(|(v, _)| v.same(leaf))
    }

    /// All of them, in order of creation.
    pub fn take(&mut self) -> Vec<(Variable, C)> {
        self.places.clear();
        let list = std::mem::take(&mut self.list).into_iter();
        let mut all: Vec<(Variable, C)> = list.filter_map(|(v, c)| Some((v, c?.all))).collect();
        all.sort_by_key(|(v, _)| v.id());
        all
    }
}

/// Nodes with their cotangents, the youngest first.
pub(crate) struct Waiting<C> {
    /// The youngest, kept apart: along a chain nothing else waits.
    first: Option<Ticket>,
    order: BinaryHeap<Ticket>,
    /// What arrived, by the places that nodes and tickets name, with the node's id.
    arrived: Vec<(u64, Option<Sum<C>>)>,
    free: Vec<u32>,
}

struct Ticket {
    place: u32,
    node: Node,
}

impl Ord for Ticket {
    fn cmp(&self, other: &Ticket) -> Ordering {
        self.node.id().cmp(&other.node.id())
    }
}

impl PartialOrd for Ticket {
    fn partial_cmp(&self, other: &Ticket) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ticket {
    fn eq(&self, other: &Ticket) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ticket {}

impl<C: Flow> Waiting<C> {
    pub fn new() -> Waiting<C> {
        Waiting { first: None, order: BinaryHeap::new(), arrived: Vec::new(), free: Vec::new() }
    }

    /// Whether no node waits.
    pub fn is_empty(&self) -> bool {
        self.first.is_none() && self.order.is_empty()
    }

    /// Adds `c` to what has arrived at a node.
    pub fn arrive(&mut self, node: &Node, c: Coming<C>) {
        let id = node.id();
        // Another sweep, run by a hook of this one, may have put its own place there.
        if let Some((own, sum)) = self.arrived.get_mut(node.slot() as usize)
            && *own == id
            && let Some(before) = sum.take()
        {
            *sum = Some(before.plus(c));
            return;
        }
        let c = Some(Sum::of(c));
        let place = match self.free.pop() {
            Some(place) => {
                self.arrived[place as usize] = (id, c);
                place
            }
            None => {
                self.arrived.push((id, c));
                (self.arrived.len() - 1) as u32
            }
        };
        node.set_slot(place);
        let node = node.clone();
        self.enqueue(Ticket { place, node });
    }

    fn enqueue(&mut self, ticket: Ticket) {
        match self.first.as_ref().or_else(|| self.order.peek()) {
            Some(youngest) if *youngest >= ticket => self.order.push(ticket),
            _ => {
                if let Some(older) = self.first.replace(ticket) {
                    self.order.push(older);
                }
            }
        }
    }

    /// The youngest node and all that arrived at it: nothing more can, its children being done.
    pub fn next(&mut self) -> Option<(Node, C)> {
        let (node, mut sum) = self.pop()?;
        while self.order.peek().is_some_and(|t| t.node.same(&node)) {
            let (_, more) = self.pop()?;
            sum = sum.plus(&more);
        }
        Some((node, sum))
    }

    fn pop(&mut self) -> Option<(Node, C)> {
        let Ticket { place, node } = self.first.take().or_else(|| self.order.pop())?;
        self.free.push(place);
        let c = self.arrived[place as usize].1.take()?;
        Some((node, c.all))
    }
}
