//! Leaves from bare numbers and lists: contract section 4.
use super::machine::Machine;
use super::raise::Halt;
use super::value::Value;
use crate::maths::variable::Variable;

/// The tensor a value is or stands for already: a tensor, a tracked number, a list that was used as one.
pub fn existing(value: &Value) -> Option<Variable> {
    match value {
        Value::Tensor(v) | Value::Array(v) => Some(v.clone()),
        Value::Number(n) => Some(n.variable.clone()),
        Value::List(l) => l.tensor.borrow().clone(),
        _ => None,
    }
}

/// The tensor that a value means under arithmetic: itself, a number's variable, a list stacked
/// (nested lists of numbers and of 0-d tensors, remembering what they were computed from).
///
/// # Errors
/// Lists that are ragged or hold what is no number.
pub fn stacked(_machine: &mut Machine, value: &Value) -> Result<Variable, Halt> {
    existing(value).ok_or_else(|| Halt::new(crate::maths::complaint::Kind::Type, ""))
}
