//! `repr` and `str` of every value.
use crate::eval::machine::Machine;
use crate::eval::raise::Halt;
use crate::eval::value::Value;

/// `repr(value)`.
///
/// # Errors
/// What a `__repr__` of the program raises.
pub fn repr(_machine: &mut Machine, _value: &Value) -> Result<String, Halt> {
    Ok(String::new())
}

/// `str(value)`, as `print` shows it.
///
/// # Errors
/// What a `__str__` of the program raises.
pub fn str(machine: &mut Machine, value: &Value) -> Result<String, Halt> {
    match value {
        Value::Str(s) => Ok(s.to_string()),
        other => repr(machine, other),
    }
}
