//! Arrays from numbers: `np.array`, `np.zeros`, `np.arange` …

use crate::dtype::wanted;
use vjp_binder::Given;
use vjp_binder::numpy_call::as_array;
use vjp_binder::numpy_call::own_array;
use vjp_binder::readers::as_ints;
use vjp_binder::readers::as_number;
use vjp_eval::values::tensor_operators::nested::{Reader, tensor_of, unrounded};
use vjp_eval::{Args, At, Machine, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_ops::arrange::layout::permute;
use vjp_tensor::{Dtype, Kind, Outcome, Tensor, budget};
use vjp_torch::constructors::{dtype_of_number, filled_with, filling, held, identity, range_of};

/// The dtype argument, in any of NumPy's spellings.
fn dtype(g: &Given) -> Tried<Option<Dtype>> {
    g.value("dtype").map(|v| wanted(&v)).transpose()
}

/// Any argument as an array's variable.
pub fn read(value: &Value) -> Outcome<Variable> {
    let mut value = value.clone();
    as_array(&mut value)?;
    match value {
        Value::Tensor(t) => Ok(t),
        other => Ok(Variable::constant(tensor_of(&other, Reader::Numpy)?)),
    }
}

pub fn first(_: &mut Machine, args: Args) -> Tried<Variable> {
    let span = args.site.span;
    read(args.positional.first().unwrap_or(&Value::None)).at(span)
}

pub fn array(machine: &mut Machine, args: Args) -> Tried<Value> {
    if let Some(made) = crate::words::array(machine, &args)? {
        return Ok(made);
    }
    let g = Given::of(args)?;
    let mut object = g.raw(0).unwrap_or(Value::None);
    own_array(machine, &mut object, &g.site)?;
    if let Value::Tensor(t) = &object {
        vjp_eval::values::tensor_operators::nested::check_detached(t).at(g.site.span)?;
    }
    let mut read = match dtype(&g)? {
        Some(d) => unrounded(&object, Reader::Numpy, d).map(|t| t.to_dtype(d)),
        None => tensor_of(&object, Reader::Numpy),
    }
    .at(g.site.arg(0))?;
    let least = g.value("ndmin").and_then(|v| v.as_int()).unwrap_or(0);
    let missing = usize::try_from(least).unwrap_or(0).saturating_sub(read.rank());
    if missing > 0 {
        let mut shape = vec![1; missing.min(64)];
        shape.extend(read.shape());
        read = read.reshaped(&shape);
    }
    Ok(Value::Array(Variable::constant(read.with_weak(false))))
}

pub fn asarray(machine: &mut Machine, args: Args) -> Tried<Value> {
    match args.positional.first() {
        Some(Value::Array(a)) if args.positional.len() == 1 && args.named.is_empty() => {
            Ok(Value::Array(a.clone()))
        }
        Some(Value::Tensor(t))
            if args.positional.len() == 1 && args.named.is_empty() && machine.strict() =>
        {
            vjp_eval::values::tensor_operators::nested::check_detached(t).at(args.site.span)?;
            Ok(Value::Array(t.data()))
        }
        _ => array(machine, args),
    }
}

/// A shape: a number or several.
pub fn sizes(value: &Value) -> Tried<Vec<usize>> {
    let Some(ints) = as_ints(value) else {
        if value.whole().is_some() {
            raise!(Kind::Value, "Maximum allowed dimension exceeded");
        }
        raise!(
            Kind::Type,
            "expected a sequence of integers or a single integer, got {}",
            match value.as_float() {
                Some(number) =>
                    format!("'{}'", vjp_eval::display::numpy::python_float(number, Dtype::Float64)),
                None => vjp_eval::name_of(value),
            }
        );
    };
    let mut size = Vec::with_capacity(ints.len());
    for n in ints {
        match usize::try_from(n) {
            Ok(n) => size.push(n),
            Err(_) => raise!(Kind::Value, "negative dimensions are not allowed"),
        }
    }
    Ok(size)
}

pub fn filled(machine: &mut Machine, args: Args, number: f64) -> Tried<Value> {
    if let Some(made) = crate::words::filled(machine, &args, None, 1)? {
        return Ok(made);
    }
    let g = Given::of(args)?;
    let dtype = dtype(&g)?.unwrap_or(Dtype::Float64);
    if let Some(v) = g.value("fill_value") {
        held(&v.plain(), dtype).at(g.site.span)?;
    }
    let tensor =
        Tensor::filled(&sizes(&g.raw(0).unwrap_or(Value::None))?, number, dtype).at(g.site.span)?;
    Ok(Value::Array(Variable::constant(tensor)))
}

pub fn full(machine: &mut Machine, args: Args) -> Tried<Value> {
    let value = args.positional.get(1).cloned();
    if value.as_ref().is_some_and(has_elements) {
        return paged(machine, "_full_of", args);
    }
    if let Some(made) = crate::words::filled(machine, &args, value, 2)? {
        return Ok(made);
    }
    let g = Given::of(args)?;
    let number = g.float("fill_value")?.unwrap_or(0.0);
    if let (Some(Value::Long(_)), None) = (g.value("fill_value"), dtype(&g)?) {
        return Err(vjp_eval::values::tensor_operators::nested::too_long_for_numpy().into());
    }
    let own = g.value("fill_value").map_or(Dtype::Float64, |v| match v.plain() {
        Value::Float(_) => Dtype::Float64,
        Value::NpScalar(_, dtype) => dtype,
        other => dtype_of_number(&other),
    });
    let dtype = dtype(&g)?.unwrap_or(own);
    let size = sizes(&g.raw(0).unwrap_or(Value::None))?;
    let tensor = match g.value("fill_value").map(|v| v.plain()) {
        Some(value @ Value::Int(_)) => {
            filled_with(&size, &filling(&value, number, dtype).at(g.site.span)?)
        }
        _ => Tensor::filled(&size, number, dtype),
    };
    let tensor = tensor.at(g.site.span)?;
    Ok(Value::Array(Variable::constant(tensor)))
}

pub fn eye(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let rows = g.int("N")?.unwrap_or(0);
    let columns = g.int("M")?.unwrap_or(rows);
    let above = g.int("k")?.unwrap_or(0);
    let dtype = dtype(&g)?.unwrap_or(Dtype::Float64);
    if rows < 0 || columns < 0 {
        raise!(Kind::Value, "negative dimensions are not allowed");
    }
    let mut tensor = identity(rows, columns, dtype).at(g.site.span)?;
    if above != 0 {
        for (place, v) in tensor.data_mut().iter_mut().enumerate() {
            let (i, j) = (place as i64 / columns, place as i64 % columns);
            *v = f64::from(u8::from(j.checked_sub(i) == Some(above)));
        }
    }
    Ok(Value::Array(Variable::constant(tensor)))
}

pub fn arange(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let number = |name: &str| g.value(name).as_ref().and_then(as_number);
    if number("step") == Some(0.0) {
        raise!(Kind::ZeroDivision, "division by zero");
    }
    let (first, last) = match (number("start"), number("end")) {
        (Some(end), None) => (0.0, end),
        (start, end) => (start.unwrap_or(0.0), end.unwrap_or(0.0)),
    };
    if (last - first) * number("step").unwrap_or(1.0) < 0.0 {
        let floats = ["start", "end", "step"]
            .iter()
            .any(|n| g.value(n).is_some_and(|v| dtype_of_number(&v).is_float()));
        let own = if floats { Dtype::Float64 } else { Dtype::Int64 };
        let empty = Tensor::filled(&[0], 0.0, dtype(&g)?.unwrap_or(own))?;
        return Ok(Value::Array(Variable::constant(empty)));
    }
    let tensor = range_of(&g, Dtype::Float64, |i, _, start, step, dtype| match dtype.is_whole() {
        // NumPy takes the first two numbers as whole ones and goes on by their difference.
        true => start.trunc() + i as f64 * ((start + step).trunc() - start.trunc()),
        false => start + i as f64 * step,
    })
    .at(g.site.span)?;
    Ok(Value::Array(Variable::constant(tensor)))
}

/// Whether it is an array of one dimension or more, or a list.
fn has_elements(value: &Value) -> bool {
    match value {
        Value::Array(a) | Value::Tensor(a) => a.rank() > 0,
        other => matches!(other, Value::List(_) | Value::Tuple(_)),
    }
}

/// Hands a call to a function of the pages.
pub fn paged(machine: &mut Machine, name: &str, args: Args) -> Tried<Value> {
    let page = vjp_eval::library::prelude::get("numpy", vjp_text::names::Symbol::new(name));
    machine.call(&page.unwrap_or(Value::None), args)
}

pub fn linspace(machine: &mut Machine, args: Args) -> Tried<Value> {
    let named = args.named.iter().any(|(name, v)| name.as_str() == "axis" || has_elements(v));
    if named || args.positional.iter().take(2).any(has_elements) {
        return paged(machine, "_linspace", args);
    }
    let g = Given::of(args)?;
    let (start, stop) = (g.float("start")?.unwrap_or(0.0), g.float("stop")?.unwrap_or(0.0));
    let wanted = g.int("num")?.unwrap_or(50);
    let Ok(count) = usize::try_from(wanted) else {
        raise!(Kind::Value, "Number of samples, {wanted}, must be non-negative.");
    };
    let mut flag = |name: &str| match g.value(name) {
        Some(v) => machine.truth(&v).map(Some),
        None => Ok(None),
    };
    let closed = flag("endpoint")?.unwrap_or(true);
    let told = flag("retstep")?.unwrap_or(false);
    vjp_tensor::budget::reserve(count.saturating_mul(8)).at(g.site.span)?;
    // NumPy counts from the start throughout.
    let parts = if closed { count.saturating_sub(1) } else { count };
    let step = if parts > 0 { (stop - start) / parts as f64 } else { f64::NAN };
    let data = budget::listed(count, |i| match i {
        _ if closed && count > 1 && i + 1 == count => stop,
        0 => start,
        _ => i as f64 * step + start,
    })?;
    let dtype = dtype(&g)?.unwrap_or(Dtype::Float64);
    let mut tensor = Tensor::new(&[count], data);
    if !dtype.is_float() {
        tensor = tensor.map(Dtype::Float64, f64::floor).at(g.site.span)?;
    }
    let array = Value::Array(Variable::constant(tensor.to_dtype(dtype)));
    Ok(match told {
        true => Value::tuple(vec![array, Value::NpScalar(step, Dtype::Float64)]),
        false => array,
    })
}

pub fn like(_: &mut Machine, args: Args, number: f64) -> Tried<Value> {
    let g = Given::of(args)?;
    let of = read(&g.raw(0).unwrap_or(Value::None)).at(g.site.span)?;
    let dtype = dtype(&g)?.unwrap_or_else(|| of.dtype());
    let tensor = Tensor::filled(&of.shape(), number, dtype).at(g.site.span)?;
    Ok(Value::Array(Variable::constant(tensor)))
}

/// What a function makes, with columns rather than rows one after the other for `order='F'`.
pub fn ordered(
    machine: &mut Machine,
    mut args: Args,
    make: fn(&mut Machine, Args) -> Tried<Value>,
) -> Tried<Value> {
    let columns = args.take("order").is_some_and(|order| order.as_str() == Some("F"));
    match make(machine, args)? {
        Value::Array(a) if columns => Ok(Value::Array(by_columns(&a)?)),
        made => Ok(made),
    }
}

/// The same numbers with each column in one piece of memory.
pub fn by_columns(a: &Variable) -> Outcome<Variable> {
    let backwards: Vec<i64> = (0..a.rank() as i64).rev().collect();
    let turned = Variable::constant(permute(a, &backwards)?.value());
    permute(&turned, &backwards)
}
