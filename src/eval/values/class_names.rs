//! What the class of a value is called.

use super::value::{TupleKind, Value};
use crate::language::class::tensor_class;

/// What C calls a value's type, with its module where Python's class has one.
pub fn tp_name(value: &Value) -> String {
    let module = match value {
        Value::Dtype(_) => "torch.",
        Value::Tuple(t) => match &t.kind {
            TupleKind::Size => "torch.",
            TupleKind::Named(name, _) => return name.to_string(),
            TupleKind::Plain => "",
        },
        Value::Array(_) | Value::NpScalar(..) => "numpy.",
        _ => "",
    };
    module.to_owned() + &name_of(value)
}

/// `type(value).__name__`.
pub fn name_of(value: &Value) -> String {
    match value {
        Value::None => "NoneType",
        Value::Ellipsis => "ellipsis",
        Value::NotImplemented => "NotImplementedType",
        Value::Bool(_) => "bool",
        Value::Int(_) | Value::Long(_) => "int",
        Value::Float(_) => "float",
        Value::Number(n) => return name_of(&n.number()),
        Value::Str(_) => "str",
        Value::List(_) => "list",
        Value::Tuple(t) => match &t.kind {
            TupleKind::Plain => "tuple",
            TupleKind::Size => "Size",
            TupleKind::Named(name, _) => name.rsplit('.').next().unwrap_or(name),
        },
        Value::Dict(_) => "dict",
        Value::Set(s) if s.frozen => "frozenset",
        Value::Set(_) => "set",
        Value::Range(_) => "range",
        Value::Slice(_) => "slice",
        Value::Tensor(_) if let Some(class) = tensor_class::class_of(value) => class.name.as_str(),
        Value::Tensor(t) if t.is_parameter() => "Parameter",
        Value::Tensor(_) => "Tensor",
        Value::Array(_) => "ndarray",
        Value::NpScalar(_, d) => d.name(),
        Value::Dtype(_) => "dtype",
        Value::Function(_) => "function",
        Value::Builtin(_) => "builtin_function_or_method",
        // Modules and optimisers are written in Python.
        Value::Method(m) if matches!(m.0, Value::Instance(_)) => "method",
        Value::Method(_) => "builtin_function_or_method",
        Value::BoundFunction(_) => "method",
        Value::Module(_) => "module",
        Value::Type(_) | Value::Class(_) => "type",
        Value::Instance(i) => i.class().name.as_str(),
        Value::Exception(e) => match &e.own {
            Some(c) => c.name.as_str(),
            None => e.kind.name(),
        },
        Value::Iterator(i) => match i.try_borrow() {
            Ok(i) => i.type_name(),
            Err(_) => "generator",
        },
        Value::Object(o) => return o.type_name(),
    }
    .to_owned()
}
