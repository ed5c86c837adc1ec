//! Operations called by their names: what others are composed of.

use crate::{Arg, Bound, Entry, Out};
use vjp_maths::Variable;
use vjp_tensor::{Complaint, Kind, Outcome, complain};

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
