//! Calls of the catalogue's functions and methods with plain positional arguments, which are most
//! calls: bound without what only messages and keywords need.

use crate::bind::gathers;
use crate::catalogue;
use crate::catalogue::{Form, Origin};
use crate::results::result;
use crate::signature::{Accepts, Param, Signature, Usual};
use vjp_eval::{Builtin, Machine, Value};
use vjp_ops::arguments::Args;
use vjp_ops::{Arg, Bound, Scalar};
use vjp_tensor::Outcome;

/// Calls `builtin` with `given`, the receiver of a method first; None where the general way must
/// judge the arguments.
pub fn call(
    machine: &Machine,
    builtin: &'static Builtin,
    method: bool,
    given: &[Value],
) -> Option<Outcome<Value>> {
    let (Origin { entry, form }, first) = catalogue::origin_signed(builtin)?;
    if method != matches!(form, Form::Method | Form::InPlace)
        || matches!(form, Form::Numpy | Form::ArrayMethod)
    {
        return None;
    }
    // Of several signatures the first that fits counts.
    let mut bound = Bound::new(entry.name, bind(first, given, usize::from(method))?);
    bound.name = builtin.name;
    Some(match (form, given) {
        (Form::InPlace, [receiver @ Value::Tensor(this), ..]) => this
            .check_writable(false)
            .and_then(|()| catalogue::write(entry, this, &mut bound))
            .map(|()| receiver.clone()),
        (Form::InPlace, _) => return None,
        _ => entry.carry_out(&mut bound).map(|out| result(machine, out)),
    })
}

/// The arguments by parameter, as [`crate::operation_arguments::bind`] puts them; None where that has more to do.
fn bind(signature: &Signature, given: &[Value], offset: usize) -> Option<Args> {
    let params = &signature.params;
    if given.len() > params.len() {
        return None;
    }
    let (filled, rest) = params.split_at(given.len());
    if rest.iter().any(|p| p.usual == Usual::Required)
        || filled.last().is_some_and(|p| p.keyword_only)
        || gathers(&params[..signature.positional()], given, offset)
    {
        return None;
    }
    // `inplace` says what is written to.
    let known = |p: &Param| p.accepts != Accepts::Bool || p.name != "inplace";
    let each = filled.iter().zip(given);
    each.map(|(p, v)| plain(p.accepts, v).filter(|_| known(p))).collect()
}

/// An argument of exactly the type that its parameter asks for.
fn plain(accepts: Accepts, value: &Value) -> Option<Arg> {
    let number = matches!(accepts, Accepts::TensorOrNumber | Accepts::Number | Accepts::Float);
    Some(match (accepts, value) {
        (Accepts::Tensor | Accepts::TensorOrNumber, Value::Tensor(t)) => Arg::Tensor(t.clone()),
        (_, Value::Float(f)) if number => Arg::Scalar(Scalar::Float(*f)),
        (_, Value::Int(i)) if number || matches!(accepts, Accepts::Int | Accepts::Ints) => {
            Arg::Scalar(Scalar::Int(*i))
        }
        (Accepts::Bool, Value::Bool(b)) => Arg::Scalar(Scalar::Bool(*b)),
        _ => return None,
    })
}
