//! What NumPy's functions take and operations do not: an `out` by position, the `dtype` of a calculation.

use crate::numpy_call::{array_or_scalar, as_array};
use crate::readers::as_dtype;
use vjp_eval::display::torch::tuple;
use vjp_eval::language::call::Args;
use vjp_eval::language::exception::raise::Halt;
use vjp_eval::language::machine::Machine;
use vjp_eval::raise;
use vjp_eval::values::tensor_operators::numpy_messages::{cannot_cast, ufunc};
use vjp_eval::values::value::Value;
use vjp_maths::autodiff::variable::Variable;
use vjp_ops::{Arg, Bound, Entry};
use vjp_tensor::complaint::{Complaint, Kind, Outcome};
use vjp_tensor::shape::broadcast;
use vjp_tensor::tensor::{Dtype, Tensor};
use vjp_text::names::Symbol;

/// How many arrays an operation takes that NumPy carries out element by element.
pub fn elementwise(name: &str) -> Option<usize> {
    match name {
        "abs" | "acos" | "acosh" | "asin" | "asinh" | "atan" | "atanh" | "bitwise_not" | "ceil"
        | "cos" | "cosh" | "deg2rad" | "exp" | "exp2" | "expm1" | "floor" | "isfinite"
        | "isinf" | "isnan" | "log" | "log10" | "log1p" | "log2" | "logical_not" | "neg"
        | "rad2deg" | "round" | "sign" | "signbit" | "sin" | "sinh" | "sqrt" | "square" | "tan"
        | "tanh" | "trunc" => Some(1),
        "add" | "atan2" | "bitwise_and" | "bitwise_or" | "bitwise_xor" | "copysign" | "div"
        | "eq" | "floor_divide" | "fmax" | "fmin" | "fmod" | "ge" | "gt" | "hypot" | "le"
        | "logaddexp" | "logaddexp2" | "logical_and" | "logical_or" | "logical_xor" | "lt"
        | "matmul" | "maximum" | "minimum" | "mul" | "ne" | "pow" | "remainder" | "sub" => Some(2),
        _ => None,
    }
}

/// What stands by position behind the array, in reductions of NumPy's.
fn behind(name: &str) -> &'static [&'static str] {
    match name {
        "sum" | "prod" | "mean" => &["axis", "dtype", "out", "keepdims"],
        "max" | "min" | "amax" | "amin" | "all" | "any" => &["axis", "out", "keepdims"],
        "argmax" | "argmin" => &["axis", "out"],
        _ => &[],
    }
}

/// Gives arguments by position their names where PyTorch has another order.
///
/// # Errors
/// Too many of them.
pub fn name(entry: &'static Entry, args: &mut Args, method: bool) -> Outcome<()> {
    let most = if entry.name == "clamp" { Some(3) } else { elementwise(entry.name) };
    let count = args.positional.len();
    if entry.name == "clamp" && count == 2 && args.named.is_empty() && !method {
        let text = "clip() missing 1 required positional argument: 'a_max'";
        return Err(Complaint::new(Kind::Type, text));
    }
    if let Some(most) = most.filter(|most| count != *most) {
        let few = count < most && entry.name != "clamp";
        if (count > most + 1 || few) && !method {
            let verb = if count == 1 { "was" } else { "were" };
            let text = format!(
                "{}() takes from {most} to {} positional arguments but {count} {verb} given",
                args.name(),
                most + 1
            );
            return Err(Complaint::new(Kind::Type, text));
        }
        if count == most + 1 {
            let out = args.positional.pop();
            args.named.extend(out.map(|out| (Symbol::new("out"), out)));
        }
    }
    let names = behind(entry.name);
    let several = matches!(args.positional.get(1), Some(Value::Tuple(_)));
    if (count > 2 || several) && !names.is_empty() && count <= names.len() + 1 {
        let rest = args.positional.split_off(1);
        let named = names.iter().zip(rest).filter(|(n, v)| **n == "axis" || !v.is_none());
        args.named.extend(named.map(|(n, v)| (Symbol::new(n), v)));
    }
    Ok(())
}

/// The rank of an array that is reduced whole and keeps its dimensions.
pub fn keeps_all(args: &mut Args) -> Option<usize> {
    if args.named.is_empty() {
        return None;
    }
    let named = |name: &str| args.named.iter().find(|(n, _)| n.as_str() == name).map(|(_, v)| v);
    let whole = args.positional.len() == 1 && named("axis").is_none_or(Value::is_none);
    if !whole || !matches!(named("keepdims"), Some(Value::Bool(true))) {
        return None;
    }
    let mut first = args.positional.first()?.clone();
    as_array(&mut first).ok()?;
    args.take("keepdims");
    args.take("axis");
    match first {
        Value::Tensor(t) => Some(t.rank()),
        _ => None,
    }
}

/// Takes the argument `dtype` of a function that goes from element to element, and whether numbers may lose what they
/// are.
///
/// # Errors
/// What the type's name raises.
pub fn dtype(
    machine: &mut Machine,
    entry: &'static Entry,
    args: &mut Args,
) -> Result<Option<(Dtype, bool)>, Halt> {
    if args.named.is_empty() {
        return Ok(None);
    }
    if let Some((_, value)) = args.named.iter_mut().find(|(n, _)| n.as_str() == "dtype")
        && let Value::Object(object) = value.clone()
        && let Some(known) = object.get(value, Symbol::new("name"), machine)?
    {
        // `a.dtype` by its name.
        *value = known;
    }
    if elementwise(entry.name).is_none() {
        return Ok(None);
    }
    args.take("order");
    let unsafely = args.take("casting").is_some_and(|rule| rule.as_str() == Some("unsafe"));
    Ok(args.take("dtype").as_ref().and_then(as_dtype).map(|dtype| (dtype, unsafely)))
}

/// The arrays of a calculation in the type asked for.
///
/// # Errors
/// One that would lose its kind.
pub fn in_type(name: &str, bound: &mut Bound, (dtype, unsafely): (Dtype, bool)) -> Outcome<()> {
    let several = elementwise(bound.name) == Some(2);
    for (place, arg) in bound.args.iter_mut().enumerate() {
        let Arg::Tensor(t) = arg else { continue };
        if !unsafely && !t.dtype().can_cast(dtype) {
            let place = if several { format!(" {place}") } else { String::new() };
            let (from, to) = (t.dtype().name(), dtype.name());
            return Err(Complaint::new(
                Kind::Ufunc,
                format!(
                    "Cannot cast ufunc '{}' input{place} from dtype('{from}') to dtype('{to}') with casting rule 'same_kind'",
                    ufunc(name)
                ),
            ));
        }
        *t = Variable::constant(t.value().to_dtype(dtype));
    }
    Ok(())
}

/// What functions of numbers make of bools: they stay, or are whole numbers, or are refused.
///
/// # Errors
/// NumPy's refusal.
pub fn of_bools(name: &str, bound: &mut Bound) -> Outcome<Option<Value>> {
    let [Arg::Tensor(t), ..] = bound.args.as_mut_slice() else { return Ok(None) };
    if t.dtype() != Dtype::Bool {
        return Ok(None);
    }
    let refused = match bound.name {
        "abs" if name != "fabs" => return Ok(Some(array_or_scalar(t.clone()))),
        "square" => {
            *t = Variable::constant(t.value().to_dtype(Dtype::Int8));
            return Ok(None);
        }
        "neg" => Complaint::new(
            Kind::Type,
            "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not function instead.",
        ),
        "sign" => Complaint::new(
            Kind::Ufunc,
            "ufunc 'sign' did not contain a loop with signature matching types <class 'numpy.dtypes.BoolDType'> -> None",
        ),
        _ => return Ok(None),
    };
    Err(refused)
}

/// Writes a result into the array given for it.
///
/// # Errors
/// Another shape or kind of numbers.
pub fn write(name: &str, out: &Value, result: Value, of: &[&Variable]) -> Result<Value, Halt> {
    let out = match out {
        Value::Tuple(one) if one.items.len() == 1 => &one.items[0],
        other => other,
    };
    let Value::Array(target) = out else { return Ok(result) };
    let new = match &result {
        Value::Array(new) => new.clone(),
        Value::NpScalar(v, dtype) => Variable::constant(Tensor::number(*v, *dtype)),
        Value::Int(v) => Variable::constant(Tensor::from_whole(&[], vec![*v], Dtype::Int64)),
        Value::Bool(v) => Variable::constant(Tensor::number(f64::from(u8::from(*v)), Dtype::Bool)),
        _ => return Ok(result),
    };
    if !new.dtype().can_cast(target.dtype()) {
        return Err(cannot_cast(name, new.dtype(), target.dtype()).into());
    }
    let (own, whole) = (target.shape(), new.shape());
    if !broadcast(&whole, &own).is_ok_and(|shape| shape == own) {
        let written = |shape: &[usize]| tuple(shape).replace(' ', "");
        if broadcast(&whole, &own).is_ok() {
            raise!(
                Kind::Value,
                "non-broadcastable output operand with shape {} doesn't match the broadcast shape {}",
                written(&own),
                written(&whole)
            );
        }
        let shapes: Vec<String> = of.iter().map(|t| written(&t.shape())).collect();
        raise!(
            Kind::Value,
            "operands could not be broadcast together with shapes {} {} ",
            shapes.join(" "),
            written(&own)
        );
    }
    target.copy(&new)?;
    Ok(out.clone())
}
