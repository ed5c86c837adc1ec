//! Cotangents that record what is done to them: the sweep under `create_graph`, its nodes named as
//! PyTorch names them.

use super::create_graph;
use super::names::forgets_nothing;
use crate::autodiff::cotangent::{Flow, at_values, blocked};
use crate::autodiff::edge::Edge;
use crate::autodiff::torch_node::UNDERIVED;
use crate::primitives::moves::cloned;
use crate::primitives::select::select_where;
use crate::{LinearMap, Node, Point, Saves, Variable, apply};
use smallvec::SmallVec;
use std::rc::Rc;
use vjp_tensor::budget::refuse;
use vjp_tensor::{Dtype, Tensor};

/// A map without the paths that were not chosen, of slope 0.
fn without_unchosen<C>(map: LinearMap<C>) -> LinearMap<C> {
    let LinearMap::Plus(mut maps) = map else { return map };
    if maps.iter().any(|m| !matches!(m, LinearMap::Unchosen { .. })) {
        maps.retain(|m| !matches!(m, LinearMap::Unchosen { .. }));
    }
    match maps.len() {
        1 => maps.remove(0),
        _ => LinearMap::Plus(maps),
    }
}

impl Variable {
    /// The numbers of what a node passed, computed as they are where nothing is recorded.
    fn numbered_as(&self, cotangent: &Variable, node: &Node, wrt: usize) {
        let (own, v) = (self.value(), cotangent.value());
        let plain = at_values(node, |at| {
            let operation = node.operation();
            let passed = operation.pull(at, wrt, &v);
            match (passed, operation.blocks()) {
                (Some(Ok(passed)), None) => Some(passed),
                (Some(Ok(passed)), Some(blocks)) => {
                    Some(blocked(passed, at, |x, v| blocks(wrt, x, v), &v))
                }
                (None, Some(blocks)) => {
                    Some(blocked(own.clone(), at, |x, v| blocks(wrt, x, v), &v))
                }
                _ => None,
            }
        });
        if let Some(plain) = plain.filter(|p| p.shape() == own.shape()) {
            self.revalue(plain.to_dtype(own.dtype()));
        }
    }
}

/// What PyTorch's backward of this node, named so, is a function of though no slope depends on it: what
/// the node saved, where that backward is a function of its own.
fn remembered(node: &Node, name: &str) -> Vec<Variable> {
    let operation = node.operation();
    let own = name.ends_with("BackwardBackward0") || name == UNDERIVED;
    if !own && !operation.remembers() {
        return Vec::new();
    }
    let mask = match operation.saves() {
        Saves::Inputs(mask) | Saves::InputsAndOutput(mask) => mask,
        Saves::Output => return vec![Variable::saved(node.clone(), node.value().clone())],
        Saves::Nothing | Saves::Aside => 0,
    };
    let saved = node
        .inputs()
        .iter()
        .enumerate()
        .filter(|(k, _)| mask & 1u8.checked_shl(*k as u32).unwrap_or(0) != 0);
    let saved = saved.map(|(_, x)| x.variable());
    let beside = operation.beside().iter().map(Edge::variable);
    saved.chain(beside).filter(Variable::requires_grad).collect()
}

impl Flow for Variable {
    fn of(v: &Variable) -> Variable {
        v.clone()
    }

    fn into_variable(self) -> Variable {
        self
    }

    fn pull(&self, node: &Node, wrt: usize) -> Variable {
        let values: SmallVec<[&Tensor; 4]> = node.inputs().iter().map(|e| &e.value).collect();
        let operation = node.operation();
        let masks = operation.masks();
        let of = |e: &Edge| match masks {
            true => Variable::constant(e.value.clone()),
            false => e.variable(),
        };
        let inputs: Vec<Variable> = node.inputs().iter().map(of).collect();
        let inputs: Vec<&Variable> = inputs.iter().collect();
        let output = match masks {
            true => Variable::constant(node.value().clone()),
            false => Variable::saved(node.clone(), node.value().clone()),
        };
        let at = Point { inputs: &inputs, output: &output, values: &values, value: node.value() };
        let passed = without_unchosen(operation.linear_variable(&at, wrt)).pull(self);
        if !passed.same(self) && !passed.same(&output) {
            passed.numbered_as(self, node, wrt);
        }
        // Where an operand was broadcast, the sum over its copies comes last and has its own name.
        let spread = operation.broadcasts() && values[wrt].shape() != node.value().shape();
        let name = operation.second(wrt).filter(|_| !spread);
        let known =
            |name| passed.requires_grad() && !operation.remembers() && !forgets_nothing(name);
        let kept = match name {
            Some(name) if !known(name) => remembered(node, name),
            _ => Vec::new(),
        };
        let Some(name) = name.filter(|_| passed.requires_grad() || !kept.is_empty()) else {
            return passed;
        };
        let mut op = cloned(&passed.shape()).saving();
        op.grad_fn = name;
        op.name = operation.last().unwrap_or("derivative");
        op.underived = match (operation.last(), name) {
            (None, _) => 0,
            (Some(_), UNDERIVED) => u8::MAX,
            (Some(_), _) => 1,
        };
        let to = passed.shape();
        op.maps.extend(kept.iter().map(|x| LinearMap::Zero { from: x.shape(), to: to.clone() }));
        let mut parts = vec![passed];
        parts.extend(kept);
        apply(Rc::new(op), &parts).unwrap_or_else(|stop| {
            refuse(stop);
            parts.swap_remove(0)
        })
    }

    fn unsigned_zeros(self) -> (Variable, bool) {
        let signed = Flow::has_zero(&self);
        let (value, unknown) = self.value().unsigned_zeros();
        if signed {
            self.revalue(value);
        }
        (self, unknown)
    }

    fn has_zero(&self) -> bool {
        self.value().has_zero()
    }

    fn is_shaped(&self, shape: &[usize]) -> bool {
        Variable::shape(self) == shape
    }

    fn closed(self, mask: &Tensor) -> Variable {
        let closed = self.value().closed(mask);
        self.revalue(closed);
        self
    }

    fn where_open(&self, mask: Tensor) -> Variable {
        let slots = mask.data().iter().map(|m| f64::from(u8::from(*m != 0.0)));
        let mask = Tensor::typed(mask.shape(), slots.collect(), Dtype::Bool);
        let zero = Variable::constant(Tensor::scalar(0.0).with_dtype(self.dtype()));
        match select_where(&Variable::constant(mask), self, &zero) {
            Ok(open) => open,
            Err(complaint) => {
                refuse(complaint);
                self.clone()
            }
        }
    }

    fn of_number(number: f64) -> Variable {
        Variable::constant(Tensor::scalar(number))
    }

    fn cast(self, dtype: Dtype) -> Variable {
        create_graph::cast(&self, dtype)
    }
}
