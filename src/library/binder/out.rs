//! `out=`: the tensor that a function of torch writes its result into.

use crate::results::named;
use vjp_eval::display::python::repr;
use vjp_eval::values::value::TupleKind;
use vjp_eval::{Args, At, Builtin, Machine, Tried, Value, name_of, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::{is_grad_enabled, with_grad};
use vjp_ops::batched::{Apart, is_batched};
use vjp_tensor::torch_messages::{cannot_cast, sizes, uninitialized, uninitialized_in};
use vjp_tensor::{Kind, Outcome, Tensor};
use vjp_text::Symbol;

/// What reads the numbers of its arguments.
const OF_NUMBERS: [&str; 5] =
    ["Tensor", "torch", "torch.linalg", "torch.nn.functional", "torch.nn.init"];

/// # Errors
/// One of the arguments has no shape yet.
fn initialized(machine: &mut Machine, b: &'static Builtin, args: &Args) -> Tried<()> {
    let lazy = |v: &Value| matches!(v, Value::Tensor(t) if t.is_uninitialized());
    // Every call comes by here: the cheap question first.
    if !args.positional.iter().any(lazy) || !OF_NUMBERS.contains(&b.module) {
        return Ok(());
    }
    Err(match b.module {
        "Tensor" => uninitialized_in(b.name),
        _ => uninitialized(&repr(machine, &Value::Builtin(b))?),
    }
    .into())
}

/// Calls `b`, whose result may be written into `out`.
///
/// # Errors
/// What the call raises, or that the result does not fit.
pub fn call(machine: &mut Machine, b: &'static Builtin, mut args: Args) -> Tried<Value> {
    initialized(machine, b, &args)?;
    if let Some(made) = machine.by_protocol(b, &args)? {
        return Ok(made);
    }
    match taken(b, &mut args) {
        Some(out) => {
            if given(&args).any(|t| is_batched(&t)) {
                raise!(
                    "Batching rule not implemented for aten::{}.out; the fallback path doesn't work on out= or view ops.",
                    b.name
                );
            }
            run(machine, b, args, out)
        }
        None => {
            // A function that is called may know samples that it is not given.
            let calls = args.positional.iter().any(Value::may_be_called);
            let all = (!calls && OF_NUMBERS.contains(&b.module)).then(|| given(&args));
            let apart = all.and_then(Apart::of);
            let made = (b.run)(machine, args)?;
            if let (Some(apart), Value::Tensor(t)) = (apart, &made) {
                apart.made(t);
            }
            Ok(made)
        }
    }
}

/// Takes `out` out of a call of a function of torch; None where nothing is to be written.
fn taken(b: &Builtin, args: &mut Args) -> Option<Value> {
    if args.named.is_empty() || !b.module.starts_with("torch") {
        return None;
    }
    args.take("out").filter(|v| !v.is_none())
}

/// The tensors that a call is given, in lists too.
fn given(args: &Args) -> impl Iterator<Item = Variable> {
    let named = args.named.iter().map(|(_, v)| v);
    args.positional.iter().chain(named).flat_map(|v| tensors(v).unwrap_or_default())
}

fn tensors(value: &Value) -> Option<Vec<Variable>> {
    let one = |v: &Value| match v {
        Value::Tensor(t) => Some(t.clone()),
        _ => None,
    };
    match value {
        Value::Tensor(t) => Some(vec![t.clone()]),
        Value::Tuple(t) => t.items.iter().map(one).collect(),
        Value::List(l) => l.items.borrow().iter().map(one).collect(),
        _ => None,
    }
}

/// Calls `b` and writes what it gives into `out`, which is the result.
///
/// # Errors
/// What the call raises, or that the result does not fit.
fn run(machine: &mut Machine, b: &'static Builtin, mut args: Args, out: Value) -> Tried<Value> {
    let (span, name) = (args.site.span, b.name);
    let Some(targets) = tensors(&out) else {
        raise!(Kind::Type, "{name}(): argument 'out' must be Tensor, not {}", name_of(&out));
    };
    let given: Vec<Variable> = args.positional.iter().filter_map(tensors).flatten().collect();
    if is_grad_enabled() && given.iter().chain(&targets).any(|t| t.requires_grad() && t.shows()) {
        raise!(
            "{name}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad."
        );
    }
    // What makes numbers of nothing makes them of the type that is there.
    let makes = given.is_empty();
    if let (true, [one]) = (makes, targets.as_slice())
        && b.signature.contains("dtype dtype")
        && !args.named.iter().any(|(n, _)| n.as_str() == "dtype")
    {
        args.named.push((Symbol::new("dtype"), Value::Dtype(one.dtype())));
    }
    let done = (b.run)(machine, args)?;
    let parts = tensors(&done).unwrap_or_default();
    if parts.len() != targets.len() {
        raise!(
            Kind::Type,
            "{name}(): argument 'out' must be tuple of {} Tensors, not {}",
            parts.len(),
            name_of(&out)
        );
    }
    for (target, part) in targets.iter().zip(&parts) {
        let keeps = KEEPS_SHAPE.contains(&name) && target.numel() == part.numel();
        write(target, part, makes, keeps).at(span)?;
    }
    match &done {
        Value::Tuple(t) if let TupleKind::Named(_, fields) = t.kind => {
            let name = Symbol::new(&format!("{name}_out")).as_str();
            let all = fields.iter().copied().zip(targets.into_iter().map(Value::Tensor));
            Ok(named(name, all.collect()))
        }
        _ => Ok(out),
    }
}

/// What these make has the shape that is there, if that has as many elements.
const KEEPS_SHAPE: [&str; 3] = ["arange", "linspace", "logspace"];

fn write(target: &Variable, part: &Variable, makes: bool, keeps: bool) -> Outcome<()> {
    if !makes && !part.dtype().can_cast(target.dtype()) {
        return Err(cannot_cast(part.dtype().scalar_type(), target.dtype().scalar_type()));
    }
    let value = part.value().to_dtype(target.dtype()).with_weak(false);
    let value = match keeps {
        true => Tensor::typed(&target.shape(), value.data().to_vec(), value.dtype()),
        false => value,
    };
    let (own, wanted) = (target.shape(), value.shape().to_vec());
    if own != wanted {
        if target.numel() > 0 {
            vjp_tensor::warnings::warn(format!(
                "An output with one or more elements was resized since it had shape {}, which does not match the required output shape {}. This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).",
                sizes(&own),
                sizes(&wanted)
            ));
        }
        target.set_data(&Variable::constant(Tensor::filled(&wanted, 0.0, target.dtype())?));
    }
    with_grad(false, || target.update(&Variable::constant(value)))
}
