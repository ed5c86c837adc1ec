//! What operations give, as values.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use vjp_eval::values::value::{Tracked, Tuple, TupleKind};
use vjp_eval::{Builtin, Machine, Tried, Value};
use vjp_maths::Variable;
use vjp_ops::Out;
use vjp_tensor::Dtype;

/// What an operation gave, as a value.
pub fn result(machine: &Machine, out: Out) -> Value {
    match out {
        Out::One(v) => one(machine, v),
        Out::Many(all) => Value::tuple(all.into_iter().map(Value::Tensor).collect()),
        Out::Named(name, parts) => {
            named(name, parts.into_iter().map(|(n, v)| (n, Value::Tensor(v))).collect())
        }
        Out::Bool(b) => Value::Bool(b),
        Out::Int(i) => Value::Int(i),
    }
}

/// A tensor; what was computed from Python numbers alone stays a number.
pub fn one(machine: &Machine, v: Variable) -> Value {
    if machine.strict() || !v.is_number() {
        return Value::Tensor(v);
    }
    number_value(v)
}

/// The Python number that a 0-d variable represents, with its memory if it has one.
pub fn number_value(v: Variable) -> Value {
    let number = v.value().item_scalar().map_or(Value::Float(f64::NAN), Value::from);
    if v.requires_grad() { Value::Number(Rc::new(Tracked::new(number, v))) } else { number }
}

/// A named tuple such as `torch.return_types.max`.
pub fn named(name: &'static str, parts: Vec<(&'static str, Value)>) -> Value {
    type Class = (&'static str, &'static [&'static str]);
    thread_local! {
        static KNOWN: RefCell<HashMap<&'static str, Class>> = RefCell::default();
    }
    let (full, fields) = KNOWN.with_borrow_mut(|known| {
        *known.entry(name).or_insert_with(|| {
            let fields: Vec<&'static str> = parts.iter().map(|(n, _)| *n).collect();
            // A class with a name of its own, or a function whose results PyTorch names after it.
            let own = name.contains('.') || name.starts_with(char::is_uppercase);
            let full = if own { name.to_owned() } else { format!("torch.return_types.{name}") };
            (Box::leak(full.into_boxed_str()), Box::leak(fields.into_boxed_slice()))
        })
    });
    Value::Tuple(Rc::new(Tuple {
        items: parts.into_iter().map(|(_, v)| v).collect(),
        kind: TupleKind::Named(full, fields),
    }))
}

/// A method as a value, remembering its object.
pub fn bound(this: &Value, method: &'static Builtin) -> Value {
    Value::Method(Rc::new((this.clone(), method)))
}

/// The tensor in another type, recorded; the tensor itself where the type is the same.
pub fn converted(t: &Variable, dtype: Dtype) -> Tried<Value> {
    if t.dtype() == dtype && !t.is_number() {
        return Ok(Value::Tensor(t.clone()));
    }
    Ok(Value::Tensor(vjp_ops::arrange::layout::to_dtype(t, dtype)?))
}
