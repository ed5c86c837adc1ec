//! Attributes and methods of tensors, arrays and NumPy scalars.

use crate::eval::machine::Machine;
use crate::eval::raise::Halt;
use crate::eval::value::Value;
use crate::text::names::Symbol;

/// Attribute `name` of a `Tensor`, `Array`, `NpScalar` or `Dtype`; None where it has none.
///
/// # Errors
/// What computing it raises.
pub fn attribute(_m: &mut Machine, _this: &Value, _name: Symbol) -> Result<Option<Value>, Halt> {
    Ok(None)
}

/// `this.name = value`; false where it has no such attribute.
///
/// # Errors
/// A value that does not fit.
pub fn set_attribute(
    _m: &mut Machine,
    _this: &Value,
    _name: Symbol,
    _value: Value,
) -> Result<bool, Halt> {
    Ok(false)
}
