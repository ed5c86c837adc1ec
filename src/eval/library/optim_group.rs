//! Groups of parameters: dicts with the options of an optimiser in them.

use crate::eval::dict::Key;
use crate::eval::raise::Halt;
use crate::eval::value::{Dict, Value};
use crate::maths::variable::Variable;

/// An entry of a dict with text keys.
pub fn option(group: &Dict, name: &str) -> Option<Value> {
    let key = Key::of(&Value::from(name)).ok()?;
    group.entries.borrow().get(&key).cloned()
}

/// Sets an entry.
///
/// # Errors
/// None: texts can be keys.
pub fn set_option(group: &Dict, name: &str, value: Value) -> Result<(), Halt> {
    let text = Value::from(name);
    let key = Key::of(&text)?;
    group.entries.borrow_mut().insert(key, text, value);
    Ok(())
}

/// The parameters of a group.
pub fn tensors(group: &Dict) -> Vec<Variable> {
    match option(group, "params") {
        Some(Value::List(list)) => {
            let items = list.items.borrow();
            items
                .iter()
                .filter_map(|v| match v {
                    Value::Tensor(t) => Some(t.clone()),
                    _ => None,
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// A numeric option of a group.
pub fn number(group: &Dict, name: &str) -> f64 {
    option(group, name)
        .as_ref()
        .and_then(super::values::as_number)
        .unwrap_or(0.0)
}
