//! Indexing tensors and arrays.

use crate::eval::machine::Machine;
use crate::eval::raise::Halt;
use crate::eval::value::Value;

/// `this[key]` of a `Tensor` or `Array`.
///
/// # Errors
/// IndexError, TypeError as PyTorch or NumPy say.
pub fn get(_m: &mut Machine, _this: &Value, _key: &Value) -> Result<Value, Halt> {
    Ok(Value::None)
}

/// `this[key] = value`.
///
/// # Errors
/// As PyTorch or NumPy say.
pub fn set(_m: &mut Machine, _this: &Value, _key: &Value, _value: Value) -> Result<(), Halt> {
    Ok(())
}
