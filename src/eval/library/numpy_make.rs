//! Arrays from numbers: `np.array`, `np.zeros`, `np.arange` …

use super::arrays::ArrayType;
use super::bind::Given;
use super::constructors::{dtype_of_number, even, identity, range_of};
use super::nested::{Reader, tensor_of};
use super::numpy_call::as_array;
use super::values::{as_dtype, as_ints};
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::Value;
use crate::maths::complaint::{Kind, Outcome};
use crate::maths::kernels::blocks::listed;
use crate::maths::tensor::{Dtype, Tensor};
use crate::maths::variable::Variable;
use crate::raise;

pub fn given(args: Args) -> Result<Given, Halt> {
    let span = args.site.span;
    let signature = args.callee.map_or("()", |b| b.signature);
    Given::read(args, signature, false).at(span)
}

/// The dtype argument, in any of NumPy's spellings.
fn dtype(g: &Given) -> Result<Option<Dtype>, Halt> {
    match g.value("dtype") {
        None => Ok(None),
        Some(Value::Object(o)) => Ok(o.as_any().downcast_ref::<ArrayType>().map(|t| t.0)),
        Some(other) => match as_dtype(&other) {
            Some(d) => Ok(Some(d)),
            None => raise!(
                Kind::Type,
                "Cannot interpret '{}' as a data type",
                super::types::name_of(&other)
            ),
        },
    }
}

/// Any argument as an array's variable.
///
/// # Errors
/// What is no array of numbers.
pub fn read(value: &Value) -> Outcome<Variable> {
    let mut value = value.clone();
    as_array(&mut value)?;
    match value {
        Value::Tensor(t) => Ok(t),
        other => Ok(Variable::constant(tensor_of(&other, Reader::Numpy)?)),
    }
}

pub fn first(_: &mut Machine, args: Args) -> Result<Variable, Halt> {
    let span = args.site.span;
    read(args.positional.first().unwrap_or(&Value::None)).at(span)
}

pub fn array(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let object = g.raw(0).unwrap_or(Value::None);
    if let Value::Tensor(t) = &object
        && t.requires_grad()
        && t.shows()
    {
        return Err(super::nested::numpy_of_tracked()).at(g.site.span);
    }
    let read = tensor_of(&object, Reader::Numpy).at(g.site.arg(0))?;
    let read = match dtype(&g)? {
        Some(d) => read.to_dtype(d),
        None => read,
    };
    Ok(Value::Array(Variable::constant(read.with_weak(false))))
}

pub fn asarray(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    match args.positional.first() {
        Some(Value::Array(a)) if args.positional.len() == 1 && args.named.is_empty() => {
            Ok(Value::Array(a.clone()))
        }
        _ => array(machine, args),
    }
}

fn sized(g: &Given) -> Result<Vec<usize>, Halt> {
    let value = g.raw(0).unwrap_or(Value::None);
    let Some(ints) = as_ints(&value) else {
        raise!(
            Kind::Type,
            "expected a sequence of integers or a single integer, got {}",
            match value.as_float() {
                Some(number) => format!(
                    "'{}'",
                    crate::eval::display::numpy::python_float(number, Dtype::Float64)
                ),
                None => super::types::name_of(&value),
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

pub fn filled(args: Args, number: f64) -> Result<Value, Halt> {
    let g = given(args)?;
    let dtype = dtype(&g)?.unwrap_or(Dtype::Float64);
    let tensor = Tensor::filled(&sized(&g)?, number, dtype).at(g.site.span)?;
    Ok(Value::Array(Variable::constant(tensor)))
}

pub fn full(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let number = g.float("fill_value")?.unwrap_or(0.0);
    let own = g
        .value("fill_value")
        .map_or(Dtype::Float64, |v| match v.plain() {
            Value::Float(_) => Dtype::Float64,
            other => dtype_of_number(&other),
        });
    let dtype = dtype(&g)?.unwrap_or(own);
    let tensor = Tensor::filled(&sized(&g)?, number, dtype).at(g.site.span)?;
    Ok(Value::Array(Variable::constant(tensor)))
}

pub fn eye(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let rows = g.int("N")?.unwrap_or(0);
    let columns = g.int("M")?.unwrap_or(rows);
    let dtype = dtype(&g)?.unwrap_or(Dtype::Float64);
    let tensor = identity(rows, columns, dtype).at(g.site.span)?;
    Ok(Value::Array(Variable::constant(tensor)))
}

pub fn arange(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let tensor = range_of(&g, Dtype::Float64).at(g.site.span)?;
    Ok(Value::Array(Variable::constant(tensor)))
}

pub fn linspace(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let (start, stop) = (
        g.float("start")?.unwrap_or(0.0),
        g.float("stop")?.unwrap_or(0.0),
    );
    let Ok(count) = usize::try_from(g.int("num")?.unwrap_or(50)) else {
        raise!(Kind::Value, "Number of samples must be non-negative.");
    };
    let tensor = even(start, stop, count).at(g.site.span)?;
    // NumPy counts from the start throughout.
    let step = if count > 1 {
        (stop - start) / (count - 1) as f64
    } else {
        0.0
    };
    let data = listed(count, |i| {
        if i + 1 == count && count > 1 {
            stop
        } else {
            i as f64 * step + start
        }
    });
    Ok(Value::Array(Variable::constant(Tensor::new(
        tensor.shape(),
        data,
    ))))
}

pub fn like(_: &mut Machine, args: Args, number: Option<f64>) -> Result<Value, Halt> {
    let g = given(args)?;
    let of = read(&g.raw(0).unwrap_or(Value::None)).at(g.site.span)?;
    let number = match number {
        Some(v) => v,
        None => g.float("fill_value")?.unwrap_or(0.0),
    };
    let dtype = dtype(&g)?.unwrap_or_else(|| of.dtype());
    let tensor = Tensor::filled(&of.shape(), number, dtype).at(g.site.span)?;
    Ok(Value::Array(Variable::constant(tensor)))
}
