//! What flows downwards in a sweep, and how it passes one node.

use super::edge::Edge;
use super::node::{Node, with_values};
use super::rule::{Point, Saves, UNDERIVED};
use super::variable::{Variable, apply};
use crate::autodiff::linear_map::{Array, LinearMap};
use crate::primitives::moves::cloned;
use crate::primitives::select::select_where;
use smallvec::SmallVec;
use std::rc::Rc;
use vjp_tensor::budget::refuse;
use vjp_tensor::complaint::Outcome;
use vjp_tensor::kernels::strided;
use vjp_tensor::kernels::{TILE, blocks};
use vjp_tensor::tensor::{Dtype, Tensor};

/// Asks a question about the point at which a node was computed.
pub fn at_values<T>(node: &Node, ask: impl FnOnce(&Point<Tensor>) -> T) -> T {
    with_values(node.inputs(), |values| {
        ask(&Point { inputs: values, output: node.value(), values, value: node.value() })
    })
}

/// What flows downwards: numbers, or variables that record what is done to them.
pub(crate) trait Flow: Array {
    fn of(v: &Variable) -> Self;
    fn into_variable(self) -> Variable;
    /// This cotangent sent through a node to one of its inputs.
    fn pull(&self, node: &Node, wrt: usize) -> Self;
    fn cast(self, dtype: Dtype) -> Self;
    /// The number that this is, where it is a double without dimensions and nothing is recorded.
    fn number(&self) -> Option<f64> {
        None
    }
    /// The number as what flows.
    fn of_number(number: f64) -> Self;
    /// The sum of what arrived and what arrives, in the memory of the first where that is free.
    fn plus(self, more: &Self) -> Self {
        self.add(more)
    }
    /// 0 for -0, where that makes a difference to what is printed; and whether there is a NaN.
    fn unsigned_zeros(self) -> (Self, bool);
    /// This cotangent where `mask` is not 0, else 0.
    fn where_open(&self, mask: Tensor) -> Self;
    /// [`Flow::pull`] through a node that chooses between the cotangent and 0, as PyTorch has it:
    /// what is blocked is 0, never -0, and also where ∞ is blocked.
    fn choose(&self, node: &Node, wrt: usize) -> Self {
        let passed = self.pull(node, wrt);
        // A zero that comes keeps its sign where it passes.
        if self.has_zero()
            && let Some(mask) = open(node, wrt).filter(|m| passed.is_shaped(m.shape()))
        {
            return passed.closed(&mask);
        }
        let (passed, unknown) = passed.unsigned_zeros();
        match unknown.then(|| open(node, wrt)).flatten() {
            Some(mask) => self.where_open(mask).pull(node, wrt).unsigned_zeros().0,
            None => passed,
        }
    }
    /// Whether it has a -0.
    fn has_zero(&self) -> bool;
    fn is_shaped(&self, shape: &[usize]) -> bool;
    /// 0 where `mask` is, in place.
    fn closed(self, mask: &Tensor) -> Self;
}

/// What was passed by elements of the same shape as the output, 0 where the node blocks.
fn blocked(
    mut passed: Tensor,
    at: &Point<Tensor>,
    blocks: impl Fn(&[f64], f64) -> bool,
    v: &Tensor,
) -> Tensor {
    let to = at.value.shape();
    let Ok(x) = at
        .values
        .iter()
        .map(|x| strided::expand(x, to))
        .collect::<Outcome<SmallVec<[Tensor; 3]>>>()
    else {
        return passed;
    };
    if passed.shape() != to || v.shape() != to {
        return passed;
    }
    for (k, slot) in passed.data_mut().iter_mut().enumerate() {
        let own: SmallVec<[f64; 3]> = x.iter().map(|x| x.data()[k]).collect();
        if blocks(&own, v.data()[k]) {
            *slot = 0.0;
        }
    }
    passed
}

/// Where an elementwise node passes anything on: its slopes, one for each output.
fn open(node: &Node, wrt: usize) -> Option<Tensor> {
    let map = at_values(node, |at| node.operation().linear_tensor(at, wrt));
    let last = match map {
        LinearMap::Then(mut maps) => maps.pop()?,
        map => map,
    };
    match last {
        LinearMap::Diagonal { by, shape } => strided::expand(&by, &shape).ok(),
        _ => None,
    }
}

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

impl Flow for Tensor {
    fn of(v: &Variable) -> Tensor {
        v.value()
    }

    fn into_variable(self) -> Variable {
        Variable::constant(self.with_weak(false))
    }

    fn pull(&self, node: &Node, wrt: usize) -> Tensor {
        at_values(node, |at| {
            let operation = node.operation();
            let passed = match operation.pull(at, wrt, self) {
                Some(Ok(passed)) => passed,
                Some(Err(complaint)) => {
                    refuse(complaint);
                    self.clone()
                }
                None => operation.linear_tensor(at, wrt).pull(self),
            };
            match operation.blocks() {
                Some(blocks) => blocked(passed, at, |x, v| blocks(wrt, x, v), self),
                None => passed,
            }
        })
    }

    fn cast(self, dtype: Dtype) -> Tensor {
        if self.dtype() == dtype {
            return self.with_weak(false);
        }
        self.to_dtype(dtype)
    }

    fn number(&self) -> Option<f64> {
        self.as_double()
    }

    fn of_number(number: f64) -> Tensor {
        Tensor::scalar(number)
    }

    fn plus(mut self, more: &Tensor) -> Tensor {
        if self.shape() != more.shape() || self.dtype() != more.dtype() || self.rank() == 0 {
            return self.add(more);
        }
        let (dtype, more_data) = (self.dtype(), more.data());
        let Some(data) = self.data_own().filter(|_| dtype == Dtype::Float64) else {
            return self.add(more);
        };
        if data.len() <= TILE {
            for (slot, v) in data.iter_mut().zip(more_data) {
                *slot += v;
            }
            return self;
        }
        let added = blocks::change(data, &|at, tile: &mut [f64]| {
            for (slot, v) in tile.iter_mut().zip(&more_data[at..]) {
                *slot += v;
            }
        });
        if let Err(stop) = added {
            refuse(stop);
        }
        self
    }

    fn unsigned_zeros(mut self) -> (Tensor, bool) {
        let mut unknown = false;
        self.data_mut().iter_mut().for_each(|v| {
            *v += 0.0;
            unknown |= v.is_nan();
        });
        (self, unknown)
    }

    fn has_zero(&self) -> bool {
        self.data().iter().any(|v| *v == 0.0 && v.is_sign_negative())
    }

    fn is_shaped(&self, shape: &[usize]) -> bool {
        self.shape() == shape
    }

    fn closed(mut self, mask: &Tensor) -> Tensor {
        let slots = self.data_mut().iter_mut().zip(mask.data());
        slots.filter(|(_, m)| **m == 0.0).for_each(|(v, _)| *v = 0.0);
        self
    }

    fn where_open(&self, mask: Tensor) -> Tensor {
        let mut open = self.clone();
        let slots = open.data_mut().iter_mut().zip(mask.data());
        slots.filter(|(_, m)| **m == 0.0).for_each(|(v, _)| *v = 0.0);
        open
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
fn remembered(node: &Node, name: &str, inputs: &[&Variable]) -> Vec<Variable> {
    let operation = node.operation();
    let own = name.ends_with("BackwardBackward0") || name == UNDERIVED;
    if !own && !operation.remembers() {
        return Vec::new();
    }
    let mask = match operation.saves() {
        Saves::Inputs(mask) | Saves::InputsAndOutput(mask) => mask,
        Saves::Output => u8::MAX,
        Saves::Nothing | Saves::Aside => 0,
    };
    let saved = inputs
        .iter()
        .enumerate()
        .filter(|(k, _)| mask & 1u8.checked_shl(*k as u32).unwrap_or(0) != 0);
    let saved = saved.map(|(_, x)| (*x).clone());
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
        let known = passed.requires_grad() && !operation.remembers();
        let kept = match name {
            Some(name) if !known => remembered(node, name, &inputs),
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
        crate::autodiff::create_graph::cast(&self, dtype)
    }
}

/// The type of a cotangent: whole numbers have none.
pub(crate) fn float(dtype: Dtype) -> Dtype {
    if dtype.is_float() { dtype } else { Dtype::Float64 }
}
