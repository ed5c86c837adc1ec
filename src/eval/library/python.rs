//! Python's builtins.
use crate::eval::value::Value;

/// Names that are there from the start.
pub fn contents() -> Vec<(&'static str, Value)> {
    super::types::ALL
        .iter()
        .chain(super::exceptions::ALL)
        .map(|t| (t.name, Value::Type(t)))
        .collect()
}

/// A method of one of Python's classes, unbound.
pub fn method_of(_class: &str, _name: &str) -> Option<Value> {
    None
}
