//! Operations of the catalogue, called by their names: what others are composed of.

use crate::arguments::{Arg, Bound, Out};
use crate::entry::Entry;
use std::sync::OnceLock;
use vjp_maths::autodiff::variable::Variable;
use vjp_tensor::complain;
use vjp_tensor::complaint::{Complaint, Kind, Outcome};

/// Finds an operation by its name.
type Lookup = fn(&str) -> Option<&'static Entry>;

static CATALOGUE: OnceLock<Lookup> = OnceLock::new();

/// The catalogue is given before one of its operations can be called.
pub(crate) fn give(lookup: Lookup) {
    CATALOGUE.get_or_init(|| lookup);
}

/// An operation of the catalogue, its arguments by position.
///
/// # Errors
/// Its own.
pub fn call(name: &'static str, args: Vec<Arg>) -> Outcome<Out> {
    let Some(entry) = CATALOGUE.get().and_then(|lookup| lookup(name)) else {
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

/// `torch.name(x)`.
///
/// # Errors
/// Its own.
pub fn unary(name: &'static str, x: &Variable) -> Outcome<Variable> {
    one(name, vec![x.into()])
}
