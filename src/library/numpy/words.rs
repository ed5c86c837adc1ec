//! Arrays of strings and of other objects: the page `numpy/words` has them; here is what tells them from numbers.

use vjp_eval::library::prelude;
use vjp_eval::{Args, Machine, Tried, Value};

/// Nested lists are looked into so deep.
const DEPTH: usize = 32;

/// Whether it is an array of such elements.
pub fn is_array(value: &Value) -> bool {
    matches!(value, Value::Instance(i) if &*i.class().qualified == "ndarray")
}

/// Whether a type of elements is that of strings or of objects.
pub fn is_type(dtype: &Value) -> bool {
    match dtype {
        Value::Type(t) => matches!(t.name, "str" | "object"),
        Value::Class(c) => matches!(c.name.as_str(), "str_" | "object_"),
        Value::Instance(i) => i.class().name.as_str() == "_Type",
        Value::Str(text) => {
            let text = text.trim_start_matches(['<', '>', '=', '|']);
            matches!(text, "O" | "object" | "str") || text.starts_with(['U', 'S'])
        }
        _ => false,
    }
}

/// Whether an element of nested lists is no number.
pub fn holds(value: &Value) -> bool {
    fn inside(value: &Value, depth: usize) -> bool {
        match value {
            Value::Str(_) | Value::None | Value::Dict(_) => true,
            Value::Instance(_) => matches!(value.base(), Value::Str(_)),
            Value::List(l) => {
                depth > 0
                    && !l.numeric.get()
                    && l.items.borrow().iter().any(|v| inside(v, depth - 1))
            }
            Value::Tuple(t) => depth > 0 && t.items.iter().any(|v| inside(v, depth - 1)),
            _ => false,
        }
    }
    !value.is_none() && inside(value, DEPTH)
}

/// The type of elements that a call asks for, at this place or by name.
fn asked(args: &Args, at: usize) -> Option<Value> {
    let named = args.named.iter().find(|(name, _)| name.as_str() == "dtype").map(|(_, v)| v);
    named.or(args.positional.get(at)).filter(|v| !v.is_none()).cloned()
}

fn page(machine: &mut Machine, name: &str, given: Vec<Value>, args: Args) -> Tried<Value> {
    let function = prelude::get("numpy", vjp_text::Symbol::new(name));
    machine.call_with(&function.unwrap_or(Value::None), given, &args.site)
}

/// `np.array` of what is no number; None: of numbers.
pub fn array(machine: &mut Machine, args: &Args) -> Tried<Option<Value>> {
    let Some(object) = args.positional.first().cloned() else { return Ok(None) };
    let dtype = asked(args, 1);
    let wanted = dtype.as_ref().is_some_and(is_type);
    if !wanted && (dtype.is_some() || !holds(&object)) {
        return Ok(None);
    }
    let given = vec![object, dtype.unwrap_or(Value::None)];
    page(machine, "_array_of", given, args.clone()).map(Some)
}

/// `np.full` and its like, of what is no number; `at`: where the type stands.
pub fn filled(
    machine: &mut Machine,
    args: &Args,
    value: Option<Value>,
    at: usize,
) -> Tried<Option<Value>> {
    let dtype = asked(args, at);
    let words = matches!(value, Some(Value::Str(_) | Value::None));
    let meant = dtype.as_ref().map_or(words, is_type);
    if !meant {
        return Ok(None);
    }
    let Some(shape) = args.positional.first().cloned() else { return Ok(None) };
    let objects = dtype.as_ref().is_some_and(|d| match d {
        Value::Type(t) => t.name == "object",
        Value::Class(c) => c.name.as_str() == "object_",
        Value::Str(text) => text.contains('O') || &**text == "object",
        _ => false,
    });
    let usual = if objects { Value::None } else { Value::str("") };
    let given = vec![shape, value.unwrap_or(usual), dtype.unwrap_or(Value::None)];
    page(machine, "_filled_with", given, args.clone()).map(Some)
}
