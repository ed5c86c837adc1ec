//! Values read as numbers, sizes, types and tensors, and the names of element types.

use vjp_eval::{Machine, Tried, Value, leaf};
use vjp_maths::Variable;
use vjp_tensor::{Dtype, budget};

pub fn as_bool(value: &Value) -> Option<bool> {
    match value.plain() {
        Value::Bool(b) => Some(b),
        _ => None,
    }
}

/// An int; a 0-d integer tensor serves as one.
pub fn as_int(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(_) => None,
        Value::Tensor(t) | Value::Array(t) if t.numel() == 1 && !t.dtype().is_float() => {
            t.value().item().map(|v| v as i64)
        }
        other => other.as_int(),
    }
}

/// A number; a 0-d tensor serves as one.
pub fn as_number(value: &Value) -> Option<f64> {
    match value {
        Value::Tensor(t) | Value::Array(t) if t.rank() == 0 => t.value().item(),
        other => other.as_float(),
    }
}

pub fn as_dtype(value: &Value) -> Option<Dtype> {
    match value {
        Value::Dtype(d) => Some(*d),
        // NumPy takes Python's types and names.
        Value::Type(t) => match t.name {
            "float" => Some(Dtype::Float64),
            "int" => Some(Dtype::Int64),
            "bool" => Some(Dtype::Bool),
            name => named(name),
        },
        Value::Str(s) => named(s),
        _ => None,
    }
}

/// Ints in a row: one int, a tuple or list of them, a `torch.Size`.
pub fn as_ints(value: &Value) -> Option<Vec<i64>> {
    match value {
        Value::List(list) => list.items.borrow().iter().map(as_int).collect(),
        Value::Tuple(tuple) => match tuple.items.as_slice() {
            [inner @ (Value::Tuple(_) | Value::List(_))] => as_ints(inner),
            items => items.iter().map(as_int).collect(),
        },
        Value::Range(range) => {
            let room = budget::claims(range.len().saturating_mul(size_of::<i64>()));
            let elements = range.ints()?;
            room.then(|| budget::unless_stopped(elements).collect())
        }
        other => as_int(other).map(|i| vec![i]),
    }
}

/// The tensor that a value is; outside strict also the one that a number, a list or an array represents.
///
/// # Errors
/// A list that is not a vector or matrix.
pub fn tensor_like(machine: &mut Machine, value: &Value) -> Tried<Option<Variable>> {
    match value {
        Value::Tensor(t) => Ok(Some(t.clone())),
        Value::Str(_) | Value::None | Value::Dict(_) => Ok(None),
        Value::Object(_) => match (vjp_eval::library::given().matrix.opened)(value)? {
            Value::Tensor(t) => Ok(Some(t)),
            _ => Ok(None),
        },
        _ if machine.strict() => Ok(None),
        Value::Array(t) => Ok(Some(t.clone())),
        Value::Number(n) => Ok(Some(n.variable.clone())),
        Value::List(_) => Ok(Some(leaf::stacked(value)?)),
        Value::Tuple(t) if leaf::memory(&t.items).is_some() => Ok(Some(leaf::stacked(value)?)),
        Value::Tuple(_) | Value::Range(_) => {
            let read = vjp_eval::values::tensor_operators::nested::tensor_of(
                value,
                vjp_eval::values::tensor_operators::nested::Reader::Torch,
            )?;
            Ok(Some(Variable::constant(read)))
        }
        other => Ok(number(other)),
    }
}

/// A Python number as a constant that is weak in type promotion.
pub fn number(value: &Value) -> Option<Variable> {
    use vjp_tensor::Tensor;
    let dtype = match value.plain() {
        Value::Bool(_) => Dtype::Bool,
        Value::Int(_) => Dtype::Int64,
        Value::Long(_) | Value::Float(_) => Dtype::Float64,
        Value::NpScalar(v, dtype) => return Some(Variable::constant(Tensor::number(v, dtype))),
        _ => return None,
    };
    match value {
        Value::Number(n) => Some(n.variable.clone()),
        other => other.as_float().map(|v| Variable::constant(Tensor::number(v, dtype))),
    }
}

/// Every spelling in `torch`, with its type.
pub const NAMES: &[(&str, Dtype)] = &[
    ("float64", Dtype::Float64),
    ("double", Dtype::Float64),
    ("float32", Dtype::Float32),
    ("float", Dtype::Float32),
    ("int64", Dtype::Int64),
    ("long", Dtype::Int64),
    ("int32", Dtype::Int32),
    ("int", Dtype::Int32),
    ("int16", Dtype::Int16),
    ("short", Dtype::Int16),
    ("int8", Dtype::Int8),
    ("uint8", Dtype::Uint8),
    ("float16", Dtype::Float16),
    ("half", Dtype::Float16),
    ("bfloat16", Dtype::Bfloat16),
    ("bool", Dtype::Bool),
];

/// The type that NumPy calls so, by name (`bool_` and the like included) or letter code (`f4`).
pub fn named(name: &str) -> Option<Dtype> {
    match name.trim_start_matches(['<', '=', '|']) {
        "float" => Some(Dtype::Float64),
        "int" | "l" | "q" | "i8" => Some(Dtype::Int64),
        "?" | "b1" => Some(Dtype::Bool),
        "u1" | "B" => Some(Dtype::Uint8),
        "b" | "i1" => Some(Dtype::Int8),
        "h" | "i2" => Some(Dtype::Int16),
        "i" | "i4" => Some(Dtype::Int32),
        "e" | "f2" => Some(Dtype::Float16),
        "f" | "f4" | "single" => Some(Dtype::Float32),
        "d" | "f8" => Some(Dtype::Float64),
        _ => {
            let name = name.trim_end_matches('_');
            NAMES.iter().find(|(n, _)| *n == name).map(|(_, d)| *d)
        }
    }
}
