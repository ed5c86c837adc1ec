//! What is composed of other operations: called by their names, and recorded under the node that PyTorch has
//! for the whole.

use crate::{Arg, Bound, Entry, Out};
use std::rc::Rc;
use vjp_maths::composite::Group;
use vjp_maths::inplace::node_names::Renamed;
use vjp_maths::primitives::fixed::reshaping;
use vjp_maths::{Fixed, Fun, Variable, apply};
use vjp_tensor::{Complaint, Kind, Outcome, Scalar, complain};

/// An operation of this crate, its arguments by position: its one result, or the first of several.
pub fn one(name: &'static str, args: Vec<Arg>) -> Outcome<Variable> {
    match crate::operation(name) {
        Some(entry) => first(entry, args),
        None => Err(Complaint::absent(name)),
    }
}

/// [`one`] of a family: of rows of a crate above.
pub fn one_of(family: &[Entry], name: &'static str, args: Vec<Arg>) -> Outcome<Variable> {
    match family.iter().find(|e| e.name == name) {
        Some(entry) => first(entry, args),
        None => Err(Complaint::absent(name)),
    }
}

fn first(entry: &Entry, args: Vec<Arg>) -> Outcome<Variable> {
    Ok(match entry.call.run(&mut Bound::new(entry.name, args))? {
        Out::One(v) => v,
        Out::Many(mut v) if !v.is_empty() => v.swap_remove(0),
        Out::Named(_, mut v) if !v.is_empty() => v.swap_remove(0).1,
        _ => complain!(Kind::NotImplemented, "{} does not return a tensor", entry.name),
    })
}

/// `torch.name(x)`.
pub fn unary(name: &'static str, x: &Variable) -> Outcome<Variable> {
    one(name, vec![x.into()])
}

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
