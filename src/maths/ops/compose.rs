//! Operations composed of others by their names in the catalogue.

use super::{Arg, Bound, Out, Scalar, lookup};
use crate::autodiff::algebra::Fun;
use crate::autodiff::variable::{Variable, apply};
use crate::inplace::node_names::Renamed;
use vjp_tensor::complain;
use vjp_tensor::complaint::{Complaint, Kind, Outcome};

impl From<&Variable> for Arg {
    fn from(v: &Variable) -> Arg {
        Arg::Tensor(v.clone())
    }
}

impl From<f64> for Arg {
    fn from(v: f64) -> Arg {
        Arg::Scalar(Scalar::Float(v))
    }
}

impl From<i64> for Arg {
    fn from(v: i64) -> Arg {
        Arg::Scalar(Scalar::Int(v))
    }
}

impl From<bool> for Arg {
    fn from(v: bool) -> Arg {
        Arg::Scalar(Scalar::Bool(v))
    }
}

impl From<&[i64]> for Arg {
    fn from(v: &[i64]) -> Arg {
        Arg::Ints(v.to_vec())
    }
}

/// An operation of the catalogue, its arguments by position.
///
/// # Errors
/// Its own.
pub fn call(name: &'static str, args: Vec<Arg>) -> Outcome<Out> {
    let Some(entry) = lookup(name) else {
        return Err(Complaint::absent(name));
    };
    (entry.call)(&mut Bound::new(entry.name, args))
}

/// [`call`] of an operation with one result, or the first of several.
///
/// # Errors
/// Its own.
pub fn one(name: &'static str, args: Vec<Arg>) -> Outcome<Variable> {
    Ok(match call(name, args)? {
        Out::One(v) => v,
        Out::Many(mut v) if !v.is_empty() => v.swap_remove(0),
        Out::Named(_, mut v) if !v.is_empty() => v.swap_remove(0).1,
        _ => complain!(Kind::NotImplemented, "{name} does not return a tensor"),
    })
}

/// A Python number, weak in type promotion.
pub fn number(v: f64) -> Variable {
    Variable::constant(Scalar::Float(v).tensor())
}

/// `x fun number`, as PyTorch's own code has it: the node takes the number as it is.
///
/// # Errors
/// The budget.
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

/// `torch.name(x)`.
///
/// # Errors
/// Its own.
pub fn unary(name: &'static str, x: &Variable) -> Outcome<Variable> {
    one(name, vec![x.into()])
}

/// Sizes as the program would write them.
pub fn ints(shape: &[usize]) -> Vec<i64> {
    shape.iter().map(|d| *d as i64).collect()
}
