//! Functions that make tensors from numbers: `torch.tensor`, `zeros`, `arange` …

use vjp_binder::Given;
use vjp_binder::readers::as_number;
use vjp_eval::library::builtins;
use vjp_eval::values::tensor_operators::nested::{Reader, tensor_of, unrounded};
use vjp_eval::{Args, At, Machine, Tried, Value, leaf, raise};
use vjp_maths::Variable;
use vjp_python::convert::warn_of_history;
use vjp_tensor::tensor::default_dtype;
use vjp_tensor::{Complaint, Dtype, Kind, Outcome, Tensor, budget, complain, exact_integers};
use vjp_text::Symbol;

builtins! {
    /// `torch.tensor` and its like; under the same names at the prompt.
    pub static BUILTINS in "torch";
    "tensor" "(data, *, dtype dtype=None, bool requires_grad=False)" tensor, "Makes a tensor from nested lists of numbers." jax "jnp.array({data}, dtype={dtype})";
    "as_tensor" "(data, *, dtype dtype=None)" as_tensor, "Makes a tensor; does not copy a tensor or an array." jax "jnp.asarray({data}, dtype={dtype})";
    "asarray" "(data, *, dtype dtype=None, bool copy=None, bool requires_grad=None)" asarray, "Makes a tensor; does not copy a tensor or an array." jax "jnp.asarray({data}, dtype={dtype})";
    "from_numpy" "(ndarray)" from_numpy, "Makes a tensor that shares an array's memory." jax "jnp.asarray({ndarray})";
    "zeros" "(int[] size, *, dtype dtype=None, bool requires_grad=False)" zeros, "Makes a tensor filled with zeros." jax "jnp.zeros({size}, dtype={dtype})";
    "ones" "(int[] size, *, dtype dtype=None, bool requires_grad=False)" ones, "Makes a tensor filled with ones." jax "jnp.ones({size}, dtype={dtype})";
    "empty" "(int[] size, *, dtype dtype=None, bool requires_grad=False)" zeros, "Makes a tensor to fill later; it starts with zeros here." jax "jnp.zeros({size}, dtype={dtype})";
    "full" "(tuple of ints size, Number fill_value, *, dtype dtype=None, bool requires_grad=False)" full, "Makes a tensor filled with one number." jax "jnp.full({size}, {fill_value}, dtype={dtype})";
    "eye" "(int n, int m=None, *, dtype dtype=None, bool requires_grad=False)" eye, "Makes an identity matrix." jax "jnp.eye({n}, {m}, dtype={dtype})";
    "arange" "(Number start, Number end=None, Number step=None, *, dtype dtype=None, bool requires_grad=False)" arange, "Returns start, start + step, …, stopping before end." jax "jnp.arange({start}, {end}, {step}, dtype={dtype})";
    "linspace" "(Number start, Number end, int steps, *, dtype dtype=None, bool requires_grad=False)" linspace, "Makes evenly spaced numbers, including both ends." jax "jnp.linspace({start}, {end}, {steps}, dtype={dtype})";
    "logspace" "(Number start, Number end, int steps, float base=10.0, *, dtype dtype=None, bool requires_grad=False)" logspace, "Makes powers of base with evenly spaced exponents." jax "jnp.logspace({start}, {end}, {steps}, base={base}, dtype={dtype})";
    "zeros_like" "(Tensor input, *, dtype dtype=None, bool requires_grad=False)" zeros_like, "Makes a tensor of zeros with the same shape and type." jax "jnp.zeros_like({input}, dtype={dtype})";
    "ones_like" "(Tensor input, *, dtype dtype=None, bool requires_grad=False)" ones_like, "Makes a tensor of ones with the same shape and type." jax "jnp.ones_like({input}, dtype={dtype})";
    "empty_like" "(Tensor input, *, dtype dtype=None, bool requires_grad=False)" zeros_like, "Makes a tensor with the same shape and type, to fill later." jax "jnp.zeros_like({input}, dtype={dtype})";
    "full_like" "(Tensor input, Number fill_value, *, dtype dtype=None, bool requires_grad=False)" full_like, "Makes a tensor with the same shape and type, filled with one number." jax "jnp.full_like({input}, {fill_value}, dtype={dtype})";
}

/// A new tensor with its flag.
///
/// # Errors
/// Only floating point can require gradients.
pub fn finished(tensor: Tensor, requires_grad: bool) -> Outcome<Value> {
    if requires_grad && !tensor.dtype().is_float() {
        return Err(Complaint::new(
            Kind::Runtime,
            "Only Tensors of floating point and complex dtype can require gradients",
        )
        .hint("gradients need floating-point numbers: write 1. for 1, or dtype=torch.float64"));
    }
    Ok(Value::Tensor(if requires_grad {
        Variable::leaf(tensor)
    } else {
        Variable::constant(tensor)
    }))
}

/// [`finished`], lying in memory as another tensor; its numbers come in the order of memory.
pub fn finished_as(of: &Variable, tensor: Tensor, requires_grad: bool) -> Outcome<Value> {
    Ok(match finished(tensor, requires_grad)? {
        Value::Tensor(t) => Value::Tensor(t.filled_as(of)),
        other => other,
    })
}

fn made(g: &Given, tensor: Tensor) -> Tried<Value> {
    finished(tensor, g.bool("requires_grad")?).at(g.site.span)
}

/// PyTorch recommends other ways of copying a tensor.
pub(super) fn warn_of_copying(data: &Value, name: &str) {
    match data {
        Value::List(items) => items.items.borrow().iter().for_each(warn_of_history),
        Value::Tuple(t) => t.items.iter().for_each(warn_of_history),
        Value::Tensor(_) => vjp_tensor::warnings::warn(format!(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or sourceTensor.detach().clone().requires_grad_(True), rather than {name}(sourceTensor)."
        )),
        _ => {}
    }
}

fn tensor(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let data = g.raw(0).unwrap_or(Value::None);
    warn_of_copying(&data, "torch.tensor");
    forwards(&data).at(g.site.arg(0))?;
    let tensor = match g.dtype("dtype")? {
        Some(dtype) => {
            let read = unrounded(&data, Reader::Torch, dtype).at(g.site.arg(0))?;
            let whole = !read.dtype().is_float();
            let takes = match read.long() {
                Some(_) => dtype.is_float() || matches!(dtype, Dtype::Int64 | Dtype::Bool),
                None => read.data().iter().all(|v| dtype.takes(*v, whole)),
            };
            if !takes {
                raise!("value cannot be converted to type {} without overflow", dtype.name());
            }
            read.to_dtype(dtype)
        }
        None => tensor_of(&data, Reader::Torch).at(g.site.arg(0))?,
    };
    let copy = made(&g, tensor.with_weak(false))?;
    if let (Value::Tensor(t), Some(from)) = (&copy, leaf::memory(&[data])) {
        t.cut_from(&from);
    }
    Ok(copy)
}

fn as_tensor(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let dtype = g.dtype("dtype")?;
    forwards(&g.raw(0).unwrap_or(Value::None)).at(g.site.arg(0))?;
    match g.raw(0) {
        Some(Value::Tensor(t)) if dtype.is_none_or(|d| d == t.dtype()) => Ok(Value::Tensor(t)),
        Some(Value::Array(t)) if dtype.is_none_or(|d| d == t.dtype()) => {
            Ok(Value::Tensor(t.data()))
        }
        Some(Value::Tensor(t)) => {
            let dtype = dtype.unwrap_or_else(|| t.dtype());
            vjp_binder::results::converted(&t, dtype).at(g.site.span)
        }
        data => {
            let data = data.unwrap_or(Value::None);
            let read = match dtype {
                Some(dtype) => unrounded(&data, Reader::Torch, dtype).map(|t| t.to_dtype(dtype)),
                None => tensor_of(&data, Reader::Torch),
            };
            let read = read.at(g.site.arg(0))?;
            Ok(Value::Tensor(Variable::constant(read.with_weak(false))))
        }
    }
}

fn asarray(machine: &mut Machine, mut args: Args) -> Tried<Value> {
    let mut flag = |name: &str| match args.take(name) {
        None | Some(Value::None) => Ok(None),
        Some(v) => machine.truth(&v).map(Some),
    };
    let (copy, requires) = (flag("copy")?, flag("requires_grad")?);
    let site = args.site.clone();
    let given = args.positional.first().cloned();
    let Value::Tensor(mut t) = as_tensor(machine, args)? else {
        return Ok(Value::None);
    };
    let same = matches!(&given, Some(Value::Tensor(g)) if g.id() == t.id());
    let shared = same || matches!(&given, Some(Value::Array(g)) if g.dtype() == t.dtype());
    match (copy, given) {
        (Some(false), Some(Value::Tensor(g) | Value::Array(g))) if !shared => raise!(
            Kind::Value,
            "can't alias tensor with dtype '{}' into dtype '{}'.",
            g.dtype().scalar_type(),
            t.dtype().scalar_type()
        ),
        (Some(false), _) if !shared => {
            raise!(Kind::Value, "can't alias arbitrary sequence into a tensor.")
        }
        (Some(true), _) if shared => {
            let clone = machine.get_attr(&Value::Tensor(t), Symbol::new("clone"))?;
            match machine.call_with(&clone, Vec::new(), &site)? {
                Value::Tensor(copy) => t = copy,
                other => return Ok(other),
            }
        }
        _ => {}
    }
    // As there, a leaf is changed itself.
    match requires {
        Some(requires) if t.is_leaf() => t.set_requires_grad(requires).at(site.span)?,
        Some(false) => t = t.detach(),
        _ => {}
    }
    Ok(Value::Tensor(t))
}

/// Tensors have no negative strides.
fn forwards(data: &Value) -> Outcome<()> {
    match data {
        Value::Array(a) if a.layout().goes_back() => complain!(
            Kind::Value,
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently supported. (You can probably work around this by making a copy of your array  with array.copy().) "
        ),
        _ => Ok(()),
    }
}

fn from_numpy(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    match g.raw(0) {
        Some(Value::Array(a)) => {
            forwards(&Value::Array(a.clone())).at(g.site.span)?;
            Ok(Value::Tensor(a.data()))
        }
        other => raise!(
            Kind::Type,
            "expected np.ndarray (got {})",
            vjp_eval::tp_name(&other.unwrap_or(Value::None))
        ),
    }
}

fn filled(args: Args, value: f64) -> Tried<Value> {
    let g = Given::of(args)?;
    let dtype = g.dtype("dtype")?.unwrap_or_else(default_dtype);
    let tensor = Tensor::filled(&g.size("size")?, value, dtype).at(g.site.span)?;
    made(&g, tensor)
}

fn zeros(_: &mut Machine, args: Args) -> Tried<Value> {
    filled(args, 0.0)
}

fn ones(_: &mut Machine, args: Args) -> Tried<Value> {
    filled(args, 1.0)
}

/// The type of a Python number: floats take the default.
pub fn dtype_of_number(value: &Value) -> Dtype {
    match value.plain() {
        Value::Bool(_) => Dtype::Bool,
        Value::Int(_) => Dtype::Int64,
        Value::NpScalar(_, d) if !d.is_float() && d != Dtype::Bool => Dtype::Int64,
        Value::Tensor(t) | Value::Array(t) => t.dtype(),
        _ => default_dtype(),
    }
}

fn full(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    if let Some(size @ (Value::Int(_) | Value::Number(_))) = g.raw(0)
        && machine.strict()
    {
        return Err(g.mismatch(0, &size));
    }
    let value = g.raw(1).unwrap_or(Value::None);
    let number = g.float("fill_value")?.unwrap_or(0.0);
    let dtype = g.dtype("dtype")?.unwrap_or_else(|| dtype_of_number(&value));
    let size = g.size("size")?;
    let number = filling(&value, number, dtype).at(g.site.arg(1))?;
    made(&g, filled_with(&size, &number).at(g.site.span)?)
}

/// Whether elements of a type hold a number as it is, or round it as floats do.
///
/// # Errors
/// An int that they would change.
pub fn held(value: &Value, dtype: Dtype) -> Outcome<()> {
    match value {
        Value::Int(i) if !dtype.is_float() => exact_integers::exact(*i).map(|_| ()),
        _ => Ok(()),
    }
}

/// The element of a type that a number becomes.
pub fn filling(value: &Value, number: f64, dtype: Dtype) -> Outcome<Tensor> {
    let plain = value.plain();
    if let Value::Int(i) = plain
        && dtype == Dtype::Int64
    {
        return Ok(Tensor::from_whole(&[], vec![i], dtype));
    }
    let whole = matches!(plain, Value::Int(_) | Value::Bool(_));
    Ok(Tensor::number(exact_integers::scalar(number, whole, dtype)?, dtype).with_weak(false))
}

/// `number` in every place.
pub fn filled_with(size: &[usize], number: &Tensor) -> Outcome<Tensor> {
    match number.long() {
        Some(all) => {
            let count = vjp_tensor::shape::count(size)?;
            Ok(Tensor::from_whole(size, budget::listed(count, |_| all[0])?, number.dtype()))
        }
        None => Tensor::filled(size, number.data()[0], number.dtype()),
    }
}

fn eye(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let rows = g.int("n")?.unwrap_or(0);
    let columns = g.int("m")?.unwrap_or(rows);
    let dtype = g.dtype("dtype")?.unwrap_or_else(default_dtype);
    let tensor = identity(rows, columns, dtype).at(g.site.span)?;
    made(&g, tensor)
}

/// Ones on the diagonal.
///
/// # Errors
/// A negative size; the budget.
pub fn identity(rows: i64, columns: i64, dtype: Dtype) -> Outcome<Tensor> {
    for n in [rows, columns] {
        if n < 0 {
            return Err(Complaint::new(
                Kind::Runtime,
                format!("n must be greater or equal to 0, got {n}"),
            ));
        }
    }
    let (rows, columns) = (rows as usize, columns as usize);
    let mut tensor = Tensor::filled(&[rows, columns], 0.0, dtype)?;
    let data = tensor.data_mut();
    for i in 0..rows.min(columns) {
        data[i * columns + i] = 1.0;
    }
    Ok(tensor)
}

fn arange(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let tensor = range_of(&g, default_dtype(), stepped).at(g.site.span)?;
    made(&g, tensor)
}

/// The i-th of so many numbers of a type, from a start and a step.
type Step = fn(usize, usize, f64, f64, Dtype) -> f64;

/// PyTorch's vector loop counts from the first of each vector; what fills no two vectors, from the start.
fn stepped(i: usize, count: usize, start: f64, step: f64, dtype: Dtype) -> f64 {
    let lanes = match dtype {
        Dtype::Float64 => 4,
        Dtype::Float32 => 8,
        _ => return start + i as f64 * step,
    };
    let lane = if i < count - count % (2 * lanes) { i % lanes } else { 0 };
    let first = dtype.cast(step.mul_add((i - lane) as f64, start));
    if lane == 0 { first } else { step.mul_add(lane as f64, first) }
}

/// `arange` as both libraries have it: one number is the end.
///
/// # Errors
/// No step; a step that leads away; arguments that are not numbers.
pub fn range_of(g: &Given, float: Dtype, of: Step) -> Outcome<Tensor> {
    let values: Vec<Value> = ["start", "end", "step"].iter().filter_map(|n| g.value(n)).collect();
    let number = |name: &str| g.value(name).as_ref().and_then(as_number);
    let (start, end) = match (number("start"), number("end")) {
        (Some(end), None) => (0.0, end),
        (start, end) => (start.unwrap_or(0.0), end.unwrap_or(0.0)),
    };
    let step = number("step").unwrap_or(1.0);
    if step == 0.0 {
        return Err(Complaint::new(Kind::Runtime, "step must be nonzero"));
    }
    if (end - start) * step.signum() < 0.0 {
        return Err(Complaint::new(
            Kind::Runtime,
            "upper bound and lower bound inconsistent with step sign",
        ));
    }
    let whole = values.iter().all(|v| !dtype_of_number(v).is_float());
    let dtype = match g.dtype("dtype").ok().flatten() {
        Some(d) => d,
        None if whole => Dtype::Int64,
        None => float,
    };
    if whole && dtype.is_whole() {
        let int = |name: &str, usual: f64| match g.value(name).and_then(|v| v.as_int()) {
            Some(i) => i,
            None => number(name).unwrap_or(usual) as i64,
        };
        let one_number = g.value("end").is_none_or(|v| v.is_none());
        let (first, last) = if one_number { ("", "start") } else { ("start", "end") };
        return counted(int(first, 0.0), int(last, 0.0), int("step", 1.0), dtype);
    }
    let count = ((end - start) / step).ceil();
    if !count.is_finite() {
        return Err(Complaint::new(Kind::Runtime, "unsupported range: bounds must be finite"));
    }
    let count = vjp_tensor::shape::count(&[count as usize])?;
    let data = budget::listed(count, |i| of(i, count, start, step, dtype))?;
    Ok(Tensor::typed(&[count], data, dtype))
}

/// A range of whole numbers, computed with whole numbers.
fn counted(start: i64, end: i64, step: i64, dtype: Dtype) -> Outcome<Tensor> {
    let (start, end, step) = (i128::from(start), i128::from(end), i128::from(step));
    let count = (end - start + step - step.signum()) / step;
    let count = vjp_tensor::shape::count(&[count as usize])?;
    let data = budget::listed(count, |i| (start + i as i128 * step) as i64)?;
    Ok(Tensor::from_whole(&[count], data, dtype))
}

fn linspace(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let tensor = spaced(&g).at(g.site.span)?;
    made(&g, tensor)
}

fn spaced(g: &Given) -> Outcome<Tensor> {
    for name in ["start", "end"] {
        if let Some(v) = g.value(name).as_ref().and_then(leaf::existing)
            && v.rank() > 0
        {
            let text = format!(
                "{} only supports 0-dimensional start and end tensors, but got {name} with {} dimension(s).",
                g.name,
                v.rank()
            );
            return Err(Complaint::new(Kind::Runtime, text));
        }
    }
    let number = |name: &str| g.value(name).as_ref().and_then(as_number).unwrap_or(0.0);
    let steps = g.value("steps").and_then(|v| v.as_int()).unwrap_or(0);
    let Ok(steps) = usize::try_from(steps) else {
        return Err(Complaint::new(Kind::Runtime, "number of steps must be non-negative"));
    };
    let dtype = g.dtype("dtype").ok().flatten().unwrap_or_else(default_dtype);
    even(number("start"), number("end"), steps, dtype)
}

/// Evenly spaced numbers, counted from the nearer end and rounded once for each, as PyTorch does.
fn even(start: f64, end: f64, steps: usize, dtype: Dtype) -> Outcome<Tensor> {
    let short = dtype == Dtype::Float32;
    let round = |v: f64| if short { f64::from(v as f32) } else { v };
    let fused = |a: f64, k: usize, by: f64| match short {
        true => f64::from((by as f32).mul_add(k as f32, a as f32)),
        false => by.mul_add(k as f64, a),
    };
    let (start, end) = (round(start), round(end));
    let step = if steps > 1 { round(round(end - start) / (steps - 1) as f64) } else { 0.0 };
    let data = budget::listed(steps, |i| match i < steps / 2 || steps == 1 {
        true => fused(start, i, step),
        false => fused(end, steps - 1 - i, -step),
    })?;
    Ok(Tensor::new(&[steps], data).to_dtype(dtype))
}

fn logspace(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let base = g.float("base")?.unwrap_or(10.0);
    let exponents = spaced(&g).at(g.site.span)?;
    let tensor = exponents.map(exponents.dtype(), |e| base.powf(e)).at(g.site.span)?;
    made(&g, tensor)
}

fn like(machine: &mut Machine, args: Args, value: Option<f64>) -> Tried<Value> {
    let g = Given::of(args)?;
    let of = g.the_tensor(machine, "input")?;
    let dtype = g.dtype("dtype")?.unwrap_or_else(|| of.dtype());
    let value = match value {
        Some(v) => Tensor::number(v, dtype),
        None => {
            let number = g.float("fill_value")?.unwrap_or(0.0);
            filling(&g.raw(1).unwrap_or(Value::None), number, dtype).at(g.site.arg(1))?
        }
    };
    let filled = filled_with(&of.shape(), &value).at(g.site.span)?;
    finished_as(&of, filled, g.bool("requires_grad")?).at(g.site.span)
}

fn zeros_like(machine: &mut Machine, args: Args) -> Tried<Value> {
    like(machine, args, Some(0.0))
}

fn ones_like(machine: &mut Machine, args: Args) -> Tried<Value> {
    like(machine, args, Some(1.0))
}

fn full_like(machine: &mut Machine, args: Args) -> Tried<Value> {
    like(machine, args, None)
}
