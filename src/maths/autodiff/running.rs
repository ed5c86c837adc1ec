//! The sweeps that run now: a hook may ask what else its sweep will come to.

use super::ancestors::{Needed, ancestors};
use super::node::Origin;
use super::variable::Variable;
use std::cell::{Cell, RefCell};
use vjp_tensor::ids::IdSet;

thread_local! {
    static NUMBER: Cell<u32> = const { Cell::new(0) };
    /// The innermost comes last.
    static RUNNING: RefCell<Vec<Sweep>> = const { RefCell::new(Vec::new()) };
}

#[derive(Clone)]
struct Sweep {
    number: u32,
    /// Where it began.
    roots: Vec<(Variable, Variable)>,
    /// The tensors whose gradients it is asked for, where that is not all leaves.
    inputs: Option<Vec<Variable>>,
}

/// One that runs until this is dropped.
pub(super) struct Running;

impl Running {
    pub fn from(roots: &[(Variable, Variable)], inputs: Option<&[Variable]>) -> Running {
        NUMBER.set(NUMBER.get().wrapping_add(1));
        let (roots, inputs) = (roots.to_vec(), inputs.map(<[_]>::to_vec));
        RUNNING.with_borrow_mut(|all| all.push(Sweep { number: NUMBER.get(), roots, inputs }));
        Running
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.with_borrow_mut(Vec::pop);
    }
}

/// Whether the innermost sweep is asked for the gradients of named tensors.
pub fn is_asked() -> bool {
    RUNNING.with_borrow(|all| all.last().is_some_and(|sweep| sweep.inputs.is_some()))
}

/// The number of the innermost sweep, and which of these it comes to; 0 and none where none runs.
pub fn coming(tensors: &[Variable]) -> (u32, Vec<bool>) {
    let Some(Sweep { number, roots, inputs, .. }) = RUNNING.with_borrow(|all| all.last().cloned())
    else {
        return (0, vec![false; tensors.len()]);
    };
    let nodes = ancestors(roots.iter().filter_map(|(y, _)| y.node()));
    let mut leaves: IdSet = roots.iter().map(|(y, _)| y.id() as u64).collect();
    for edge in nodes.iter().flat_map(|n| n.inputs()) {
        if let Origin::Leaf(v) = &edge.origin {
            leaves.insert(v.id() as u64);
        }
    }
    let needed = inputs.map(|inputs| Needed::between(&roots, &inputs));
    let ids: IdSet = nodes.iter().map(super::node::Node::id).collect();
    let asked = |origin: &Origin| needed.as_ref().is_none_or(|all| all.leads(origin));
    let comes = |t: &Variable| match t.node() {
        Some(n) => ids.contains(&n.id()) && asked(&Origin::Node(n)),
        None => leaves.contains(&(t.id() as u64)) && asked(&Origin::Leaf(t.clone())),
    };
    (number, tensors.iter().map(comes).collect())
}
