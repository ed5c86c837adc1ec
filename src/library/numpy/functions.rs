//! Functions of `numpy` that are not the catalogue's: `repeat`, `dot`, `allclose`, `round` …

use crate::create::{first, read};
use std::any::Any;
use std::rc::Rc;
use vjp_binder::Given;
use vjp_binder::numpy_call::array_or_scalar;
use vjp_binder::readers::as_ints;
use vjp_eval::display::numpy::FloatMode;
use vjp_eval::values::tensor_operators::numpy_messages::shapes_differ;
use vjp_eval::{Args, At, Machine, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::{set_grad_enabled, with_grad};
use vjp_ops::{Arg, Bound, Out};
use vjp_tensor::complaint::Outcome;
use vjp_tensor::matrix::as_numpy;
use vjp_tensor::{Complaint, Dtype, Kind, Tensor, mixed_dtypes};
use vjp_text::names::Symbol;

/// Texts in the brackets of an array of their shape.
///
/// # Errors
/// An argument of another kind.
pub fn laid_out(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let texts = machine.collect(&g.raw(0).unwrap_or(Value::None))?;
    let texts = texts.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let sizes = g.raw(1).as_ref().and_then(as_ints).unwrap_or_default();
    let shape: Vec<usize> = sizes.iter().map(|n| *n as usize).collect();
    let number = |k: usize| g.raw(k).and_then(|v| v.as_int()).unwrap_or(0) as usize;
    let separator = g.raw(2).unwrap_or(Value::None);
    let text = vjp_eval::display::numpy::laid_out(
        texts,
        &shape,
        separator.as_str().unwrap_or(" "),
        (number(3), number(4)),
        &machine.library.numpy_print,
    );
    Ok(Value::from(text))
}

/// An axis counted from the front.
///
/// # Errors
/// One beyond the dimensions.
pub fn axis_of(axis: i64, rank: usize) -> Outcome<usize> {
    let rank = rank as i64;
    if !(-rank..rank).contains(&axis) {
        return Err(Complaint::new(
            Kind::Axis,
            format!("axis {axis} is out of bounds for array of dimension {rank}"),
        ));
    }
    Ok(axis.rem_euclid(rank) as usize)
}

/// `np.repeat(a, n, axis)`: each element (or row) n times; without an axis, of the flat array.
///
/// # Errors
/// An axis out of range.
pub fn repeat(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let a = read(&g.raw(0).unwrap_or(Value::None)).at(g.site.span)?.value();
    let counts = g.raw(1).as_ref().and_then(as_ints).unwrap_or_default();
    let (a, axis) = match g.value("axis").and_then(|v| v.as_int()) {
        Some(axis) if a.rank() > 0 => {
            let axis = axis_of(axis, a.rank())?;
            (a, axis)
        }
        _ => (a.reshaped(&[a.numel()]), 0),
    };
    let length = a.shape().get(axis).copied().unwrap_or(1);
    if counts.len() != 1 && counts.len() != length {
        raise!(
            Kind::Value,
            "operands could not be broadcast together with shape ({length},) ({},)",
            counts.len()
        );
    }
    if counts.iter().any(|n| *n < 0) {
        let says = match counts.len() {
            1 => "negative dimensions are not allowed",
            _ => "repeats may not contain negative values.",
        };
        raise!(Kind::Value, "{says}");
    }
    let times = |i: usize| if counts.len() == 1 { counts[0] } else { counts[i] } as usize;
    let inner: usize = a.shape().iter().skip(axis + 1).product();
    let outer: usize = a.shape().iter().take(axis).product();
    let total: usize = (0..length).map(times).sum();
    vjp_tensor::budget::reserve(
        outer.saturating_mul(total).saturating_mul(inner).saturating_mul(8),
    )
    .at(g.site.span)?;
    let mut data = Vec::with_capacity(outer * total * inner);
    for o in 0..outer {
        for i in 0..length {
            let start = (o * length + i) * inner;
            for _ in 0..times(i) {
                data.extend_from_slice(&a.data()[start..start + inner]);
            }
        }
    }
    let mut shape = a.shape().to_vec();
    if let Some(slot) = shape.get_mut(axis) {
        *slot = total;
    }
    Ok(Value::Array(Variable::constant(Tensor::new(&shape, data).with_dtype(a.dtype()))))
}

/// `np.dot`: the product as NumPy's matmul for one and two dimensions, scaling for numbers.
///
/// # Errors
/// Shapes that do not fit.
pub fn dot(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let found = product(machine, &g)?;
    match g.value("out") {
        Some(out) => vjp_binder::numpy_arguments::write("dot", &out, found, &[]),
        None => Ok(found),
    }
}

fn product(machine: &mut Machine, g: &Given) -> Tried<Value> {
    let a = read(&g.raw(0).unwrap_or(Value::None)).at(g.site.span)?;
    let b = read(&g.raw(1).unwrap_or(Value::None)).at(g.site.span)?;
    let op = if a.rank() == 0 || b.rank() == 0 {
        "mul"
    } else {
        let (p, q) = (a.shape(), b.shape());
        let (inner, other) = (p.len() - 1, q.len().saturating_sub(2));
        if p[inner] != q[other] {
            raise!(
                Kind::Value,
                "shapes {} and {} not aligned: {} (dim {inner}) != {} (dim {other})",
                vjp_eval::display::torch::tuple(&p).replace(' ', ""),
                vjp_eval::display::torch::tuple(&q).replace(' ', ""),
                p[inner],
                q[other]
            );
        }
        if other > 0 {
            let page = vjp_eval::library::prelude::get("numpy", Symbol::new("_dot"));
            let arrays = vec![Value::Array(a), Value::Array(b)];
            return machine.call_with(&page.unwrap_or(Value::None), arrays, &g.site);
        }
        "matmul"
    };
    let Some(entry) = vjp_catalogue::lookup(op) else {
        return Err(Complaint::absent("np.dot").into());
    };
    let mut bound = Bound::new(entry.name, vec![Arg::Tensor(a), Arg::Tensor(b)]);
    let mixed = mixed_dtypes::allow(true);
    let out = as_numpy(|| with_grad(false, || entry.call.run(&mut bound)));
    mixed_dtypes::allow(mixed);
    mixed_dtypes::take_happened();
    match out.at(g.site.span)? {
        Out::One(v) => Ok(array_or_scalar(v)),
        _ => Err(Complaint::absent("np.dot").into()),
    }
}

pub fn allclose(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let a = read(&g.raw(0).unwrap_or(Value::None)).at(g.site.span)?;
    let b = read(&g.raw(1).unwrap_or(Value::None)).at(g.site.span)?;
    let (rtol, atol) = (g.float("rtol")?.unwrap_or(1e-5), g.float("atol")?.unwrap_or(1e-8));
    let equal_nan = matches!(g.value("equal_nan"), Some(Value::Bool(true)));
    let close = vjp_torch::functions::close(&a.value(), &b.value(), rtol, atol, equal_nan)
        .map_err(|c| shapes_differ(c, false, &a, &b));
    Ok(Value::Bool(close.at(g.site.span)?))
}

pub fn round(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let a = read(&g.raw(0).unwrap_or(Value::None)).at(g.site.span)?.value();
    let decimals = g.int("decimals")?.unwrap_or(0);
    // As NumPy: scaled, rounded half to even, scaled back.
    let scale = 10f64.powi(decimals.unsigned_abs().min(300) as i32);
    let rounded = a
        .map(a.dtype(), |v| match decimals {
            0 => v.round_ties_even(),
            d if d > 0 => (v * scale).round_ties_even() / scale,
            _ => (v / scale).round_ties_even() * scale,
        })
        .at(g.site.span)?;
    Ok(array_or_scalar(Variable::constant(rounded)))
}

pub fn shape(machine: &mut Machine, args: Args) -> Tried<Value> {
    let a = first(machine, args)?;
    Ok(Value::tuple(a.shape().iter().map(|n| Value::Int(*n as i64)).collect()))
}

pub fn size(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let a = read(&g.raw(0).unwrap_or(Value::None)).at(g.site.span)?;
    Ok(Value::Int(match g.int("axis")? {
        Some(axis) => {
            let axis = axis_of(axis, a.rank())?;
            a.shape().get(axis).copied().unwrap_or(1) as i64
        }
        None => a.numel() as i64,
    }))
}

pub fn scalar(args: Args, dtype: Dtype) -> Tried<Value> {
    let span = args.site.span;
    let a = match args.positional.first() {
        None => return Ok(Value::NpScalar(0.0, dtype)),
        Some(Value::Str(s)) => match s.trim().parse::<f64>() {
            Ok(v) => Variable::constant(Tensor::scalar(v)),
            Err(_) => raise!(Kind::Value, "could not convert string to float: '{s}'"),
        },
        Some(long @ Value::Long(_)) if dtype.is_float() => {
            Variable::constant(Tensor::scalar(vjp_eval::values::number::float(long)?))
        }
        Some(value) => read(value).at(span)?,
    };
    Ok(array_or_scalar(Variable::constant(a.value().to_dtype(dtype))))
}

pub fn set_printoptions(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let mut options = machine.library.numpy_print.clone();
    let size = |name: &str| g.value(name).and_then(|v| v.as_int()).map(|n| n.max(0) as usize);
    options.precision = size("precision").unwrap_or(options.precision);
    options.edgeitems = size("edgeitems").unwrap_or(options.edgeitems);
    options.linewidth = size("linewidth").unwrap_or(options.linewidth);
    options.threshold = g.float("threshold")?.unwrap_or(options.threshold);
    if options.threshold.is_nan() {
        raise!(
            Kind::Value,
            "threshold must be non-NAN, try sys.maxsize for untruncated representation"
        );
    }
    if let Some(flag) = g.value("suppress") {
        options.suppress = machine.truth(&flag)?;
    }
    if let Some(sign) = g.text("sign")? {
        options.sign = match &*sign {
            "-" | "+" | " " => sign.chars().next().unwrap_or('-'),
            _ => raise!(Kind::Value, "sign option must be one of ' ', '+', or '-'"),
        };
    }
    if let Some(mode) = g.text("floatmode")? {
        let found = FloatMode::ALL.iter().find(|(name, _)| *name == &*mode);
        options.floatmode = match found {
            Some((_, mode)) => *mode,
            None => raise!(
                Kind::Value,
                "floatmode option must be one of \"fixed\", \"unique\", \"maxprec\", \"maxprec_equal\""
            ),
        };
    }
    machine.library.numpy_print = options;
    machine.library.numpy_formatter = g.value("formatter").map(|f| Rc::new(f) as Rc<dyn Any>);
    Ok(Value::None)
}

/// What `np.set_printoptions(**options)` would set again.
pub fn get_printoptions(machine: &mut Machine, _: Args) -> Tried<Value> {
    let options = machine.library.numpy_print.clone();
    let dict = vjp_eval::Dict::default();
    let mode = FloatMode::ALL.iter().find(|(_, mode)| *mode == options.floatmode);
    let whole = options.threshold.fract() == 0.0 && options.threshold < 1e15;
    let formatter = machine.library.numpy_formatter.as_deref();
    let formatter = formatter.and_then(|f| f.downcast_ref::<Value>());
    for (name, value) in [
        ("edgeitems", Value::Int(options.edgeitems as i64)),
        (
            "threshold",
            match whole {
                true => Value::Int(options.threshold as i64),
                false => Value::Float(options.threshold),
            },
        ),
        ("floatmode", Value::str(mode.map_or("", |(name, _)| *name))),
        ("precision", Value::Int(options.precision as i64)),
        ("suppress", Value::Bool(options.suppress)),
        ("linewidth", Value::Int(options.linewidth as i64)),
        ("nanstr", Value::str("nan")),
        ("infstr", Value::str("inf")),
        ("sign", Value::str(options.sign.to_string())),
        ("formatter", formatter.cloned().unwrap_or(Value::None)),
        ("legacy", Value::Bool(false)),
        ("override_repr", Value::None),
    ] {
        let key = Value::str(name);
        let place = vjp_eval::values::dict::Key::of(&key)?;
        dict.written()?.insert(place, key, value);
    }
    Ok(Value::Dict(std::rc::Rc::new(dict)))
}

/// Whether two arrays are views of one store.
pub fn shares_memory(_: &mut Machine, args: Args) -> Tried<Value> {
    Ok(Value::Bool(match args.positional.as_slice() {
        [Value::Array(a) | Value::Tensor(a), Value::Array(b) | Value::Tensor(b)] => {
            a.shares_memory(b)
        }
        _ => false,
    }))
}

/// Running sums or products.
///
/// # Errors
/// An axis out of range.
pub fn cumulative(machine: &mut Machine, args: Args, name: &'static str) -> Tried<Value> {
    let g = Given::of(args)?;
    let mut a = read(&g.raw(0).unwrap_or(Value::None)).at(g.site.span)?;
    if let Some(dtype) = g.value("dtype") {
        a = Variable::constant(a.value().to_dtype(crate::dtype::wanted(&dtype)?));
    }
    let (a, axis) = match g.value("axis") {
        Some(axis) => {
            let place = axis.as_int().map(|place| axis_of(place, a.rank().max(1)));
            (a, place.transpose()?.map_or(axis, |place| Value::Int(place as i64)))
        }
        None => {
            let flat = a.value().reshaped(&[a.numel()]);
            (Variable::constant(flat), Value::Int(0))
        }
    };
    let before = set_grad_enabled(false);
    let result = as_numpy(|| {
        vjp_binder::catalogue::call_function(machine, name, vec![Value::Tensor(a), axis], &g.site)
    });
    set_grad_enabled(before);
    let result = match result? {
        Value::Tensor(t) => array_or_scalar(t),
        other => other,
    };
    match g.value("out") {
        Some(out) => vjp_binder::numpy_arguments::write(name, &out, result, &[]),
        None => Ok(result),
    }
}
