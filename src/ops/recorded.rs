//! Under which node of PyTorch's what is composed of several operations is recorded.

use crate::{Arg, Bound};
use std::rc::Rc;
use vjp_maths::composite::Group;
use vjp_maths::inplace::node_names::Renamed;
use vjp_maths::primitives::fixed::reshaping;
use vjp_maths::{Fixed, Fun, Variable, apply};
use vjp_tensor::{Outcome, Scalar};

/// The same values under the node's name that PyTorch gives the whole.
pub fn named(x: &Variable, name: &'static str, grad_fn: &'static str) -> Outcome<Variable> {
    let own = x.shape();
    let op = Fixed::new(name, grad_fn, reshaping(&own, &own)).saving();
    apply(Rc::new(op), std::slice::from_ref(x))
}

/// A Python number, weak in type promotion.
pub fn number(v: f64) -> Variable {
    Variable::constant(Scalar::Float(v).tensor())
}

/// `x fun number`, as PyTorch's own code has it: the node takes the number as it is.
pub fn with_number(fun: &'static Fun, x: &Variable, c: f64) -> Outcome<Variable> {
    let operation = (fun.operation)(&[]);
    let grad_fn = match operation.name() {
        "add" => "AddBackward1",
        "sub" => "SubBackward1",
        "mul" => "MulBackward1",
        _ => "DivBackward1",
    };
    apply(Renamed::with_number(operation, grad_fn), &[x.clone(), number(c)])
}

/// An operation of the arguments at these places, where what is made of them stands from now on.
/// `saves`: the inputs that PyTorch keeps, one bit each.
pub fn grouped(
    b: &mut Bound,
    name: &'static str,
    grad_fn: &'static str,
    saves: u8,
    places: &[usize],
) -> Outcome<Group> {
    let given = places.iter().map(|k| match b.arg(*k) {
        Arg::Tensor(v) => Some(v.clone()),
        _ => None,
    });
    let given: Vec<Option<Variable>> = given.collect();
    let group = Group::new(name, grad_fn, saves, &given)?;
    for (k, entered) in places.iter().zip(&group.inputs) {
        if let Some(v) = entered {
            b.args[*k] = Arg::Tensor(v.clone());
        }
    }
    Ok(group)
}
