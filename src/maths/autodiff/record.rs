//! Carrying out operations, and writing them down where a gradient may be wanted.

use super::grad_mode::is_grad_enabled;
use super::node::{self, Edge, Node};
use super::rule::Operation;
use super::variable::Variable;
use crate::runs::late;
use crate::saved::packing;
use smallvec::SmallVec;
use std::rc::Rc;
use vjp_tensor::exact_integers::all_read;
use vjp_tensor::{Outcome, Tensor, budget, torch_messages};

/// What an operation is applied to.
pub(crate) trait Operand {
    fn edge(&self) -> Edge;
    /// The variable; None: a Python number, which nothing else can look at or write to.
    fn variable(&self) -> Option<&Variable>;
}

impl Operand for Variable {
    #[inline]
    fn edge(&self) -> Edge {
        Edge::of(self)
    }
    fn variable(&self) -> Option<&Variable> {
        Some(self)
    }
}

impl Operand for &Variable {
    #[inline]
    fn edge(&self) -> Edge {
        Edge::of(self)
    }
    fn variable(&self) -> Option<&Variable> {
        Some(self)
    }
}

/// A variable or a Python number.
pub(crate) enum Either<'a> {
    Variable(&'a Variable),
    Number(Tensor),
}

impl Operand for Either<'_> {
    #[inline]
    fn edge(&self) -> Edge {
        match self {
            Either::Variable(v) => Edge::of(v),
            Either::Number(n) => Edge::number(n.clone()),
        }
    }
    fn variable(&self) -> Option<&Variable> {
        match self {
            Either::Variable(v) => Some(v),
            Either::Number(_) => None,
        }
    }
}

/// Runs an operation, and records it where a gradient may be wanted.
pub fn apply(op: Rc<dyn Operation>, inputs: &[Variable]) -> Outcome<Variable> {
    apply_to(op, inputs)
}

/// [`apply`], of whatever represents a variable.
pub(crate) fn apply_to<V: Operand>(op: Rc<dyn Operation>, inputs: &[V]) -> Outcome<Variable> {
    let variables = inputs.iter().filter_map(Operand::variable);
    // What is filled in place of some elements is copied first, row-major.
    let lies =
        variables.clone().any(Variable::is_part) && op.broadcasts() && op.written().is_none();
    let result = computed(op, inputs)?;
    Ok(if lies { result.lying_as(variables) } else { result })
}

#[inline]
fn computed<V: Operand>(op: Rc<dyn Operation>, inputs: &[V]) -> Outcome<Variable> {
    let edges = edges(inputs);
    let keeps = || is_grad_enabled() && edges.iter().any(Edge::tracked);
    let value = match late::value(&op, &edges, keeps) {
        Some(late) => late,
        None => node::with_values(&edges, |values| op.value(values))?,
    };
    all_read()?;
    budget::tick()?;
    let weak = value.rank() == 0 && !edges.is_empty() && edges.iter().all(|e| e.value.is_weak());
    let value = if weak { value.with_weak(true) } else { value };
    if !is_grad_enabled() {
        let result = Variable::fresh(value, None);
        let mut variables = inputs.iter().filter_map(Operand::variable);
        if let Some(from) = variables.find(|v| v.requires_grad()) {
            result.0.cell.borrow_mut().extra_mut().cut = Some(from.cut_here());
        }
        return Ok(result);
    }
    if !edges.iter().any(Edge::depends) {
        return Ok(Variable::fresh(value, None));
    }
    for v in inputs.iter().filter_map(Operand::variable) {
        v.check_history()?;
    }
    let node = recorded(op, edges, inputs, &value)?;
    let unrecorded = node.is_none();
    let result = Variable::fresh(value, node);
    Ok(match inputs.iter().filter_map(Operand::variable).find(|v| v.depends()) {
        Some(from) if unrecorded => result.stepped_from(from),
        _ => result,
    })
}

#[inline]
fn edges<V: Operand>(inputs: &[V]) -> SmallVec<[Edge; 2]> {
    match inputs {
        [a] => {
            let mut edges = SmallVec::new();
            edges.push(a.edge());
            edges
        }
        [a, b] => SmallVec::from_buf([a.edge(), b.edge()]),
        _ => inputs.iter().map(Operand::edge).collect(),
    }
}

/// The node of an operation that gave `value` of these inputs; None where no gradient flows.
/// Inlined, so that the node is written where it stays.
#[inline(always)]
fn recorded<V: Operand>(
    op: Rc<dyn Operation>,
    mut edges: SmallVec<[Edge; 2]>,
    inputs: &[V],
    value: &Tensor,
) -> Outcome<Option<Node>> {
    if !value.dtype().is_float() || !edges.iter().any(Edge::tracked) {
        return Ok(None);
    }
    let saves = node::saved(&*op, &edges);
    if saves.0 != 0 {
        for (k, (edge, v)) in edges.iter_mut().zip(inputs).enumerate().take(8) {
            if saves.0 & (1 << k) != 0
                && let Some(v) = v.variable()
            {
                if v.is_inference() {
                    return Err(torch_messages::inference_saved());
                }
                edge.watch(v);
            }
        }
    }
    Ok(Some(noted(Node::new(op, edges, saves, value.clone()))))
}

/// The node, which packs what it keeps where the program asks for that.
#[inline(always)]
fn noted(node: Node) -> Node {
    if packing::is_active() {
        packing::note(&node);
    }
    node
}

/// A node for an operation already carried out; None where nothing is recorded.
pub(crate) fn record(op: Rc<dyn Operation>, inputs: &[Variable], value: &Tensor) -> Option<Node> {
    if !is_grad_enabled() {
        return None;
    }
    recorded(op, edges(inputs), inputs, value).ok().flatten()
}

/// The inputs of an operation as they are before it runs: it may write to one of them.
pub(crate) struct Before {
    edges: SmallVec<[Edge; 2]>,
}

impl Before {
    /// None where nothing would be recorded.
    pub fn of(inputs: &[Variable]) -> Option<Before> {
        if !is_grad_enabled() || !inputs.iter().any(Variable::requires_grad) {
            return None;
        }
        let edge = |v: &Variable| {
            let mut edge = v.edge();
            edge.watch(v);
            edge
        };
        Some(Before { edges: inputs.iter().map(edge).collect() })
    }

    /// The node of the operation, now that its value is known.
    pub fn node(self, op: Rc<dyn Operation>, value: &Tensor) -> Option<Node> {
        let saves = node::saved(&*op, &self.edges);
        value.dtype().is_float().then(|| noted(Node::new(op, self.edges, saves, value.clone())))
    }
}

impl Variable {
    /// Computed from `x` by `op`, which gives the same.
    pub fn recorded_as(&self, op: Rc<dyn Operation>, x: &Variable) {
        let node = record(op, std::slice::from_ref(x), &self.value());
        self.0.cell.borrow_mut().node = node;
    }
}
