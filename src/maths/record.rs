//! Carrying out operations, and writing them down where a gradient may be wanted.

use super::complaint::Outcome;
use super::grad_mode::is_grad_enabled;
use super::node::{Edge, Node};
use super::rule::Operation;
use super::store::Layout;
use super::tensor::Tensor;
use super::variable::Variable;
use smallvec::SmallVec;
use std::rc::Rc;

/// Runs an operation, and records it where a gradient may be wanted.
///
/// # Errors
/// What the operation says of its inputs.
pub fn apply(op: Rc<dyn Operation>, inputs: &[Variable]) -> Outcome<Variable> {
    let values: SmallVec<[Tensor; 2]> = inputs.iter().map(Variable::value).collect();
    let refs: SmallVec<[&Tensor; 2]> = values.iter().collect();
    let weak = !values.is_empty() && values.iter().all(Tensor::is_weak);
    let value = op.value(&refs)?;
    let value = if weak && value.rank() == 0 {
        value.with_weak(true)
    } else {
        value
    };
    let node = record(op, inputs, &value);
    let result = Variable::fresh(value, node);
    if !is_grad_enabled()
        && let Some(from) = inputs.iter().find(|v| v.requires_grad())
    {
        result.0.cell.borrow_mut().cut = Some(from.cut_here());
    }
    Ok(result)
}

/// A node for an operation already carried out; None where nothing is recorded.
pub(super) fn record(op: Rc<dyn Operation>, inputs: &[Variable], value: &Tensor) -> Option<Node> {
    let before = Before::of(inputs)?;
    before.node(op, value)
}

/// The inputs of an operation as they are before it runs: it may write to one of them.
pub(super) struct Before {
    edges: SmallVec<[Edge; 2]>,
    shows: bool,
}

impl Before {
    /// None where nothing would be recorded.
    pub fn of(inputs: &[Variable]) -> Option<Before> {
        if !is_grad_enabled() || !inputs.iter().any(Variable::requires_grad) {
            return None;
        }
        Some(Before {
            shows: inputs.iter().any(Variable::shows),
            edges: inputs.iter().map(|v| Edge::of(v, v.value())).collect(),
        })
    }

    /// The node of the operation, now that its value is known.
    pub fn node(self, op: Rc<dyn Operation>, value: &Tensor) -> Option<Node> {
        value
            .dtype()
            .is_float()
            .then(|| Node::new(op, self.edges, value.clone(), self.shows))
    }
}

/// A view: `op` on `base`, sharing its memory as `layout` says (of the whole store).
///
/// # Errors
/// Too large for the budget.
pub fn view(op: Rc<dyn Operation>, base: &Variable, layout: Layout) -> Outcome<Variable> {
    super::shape::count(&layout.shape)?;
    let v = base.viewed(layout, None);
    let node = record(op, std::slice::from_ref(base), &v.value());
    v.0.cell.borrow_mut().node = node;
    Ok(v)
}

impl Variable {
    /// A view of this memory that no gradient flows through.
    pub(super) fn view_untracked(&self, layout: Layout) -> Variable {
        self.viewed(layout, None)
    }

    /// A view of this memory, recorded as `op`.
    pub(super) fn viewed(&self, layout: Layout, node: Option<Node>) -> Variable {
        let base = self.base().unwrap_or_else(|| self.clone());
        let (store, version) = {
            let c = self.0.cell.borrow();
            (c.store.clone(), c.version.clone())
        };
        let v = Variable::fresh(Tensor::scalar(0.0), None);
        {
            let mut c = v.0.cell.borrow_mut();
            c.seen = version.count();
            c.store = store;
            c.version = version;
            c.layout = Some(Rc::new(layout));
            c.base = Some(base);
            c.unrecorded = !is_grad_enabled();
            c.node = node;
        }
        v
    }
}
