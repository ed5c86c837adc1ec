//! Modules that have parameters.

use crate::eval::value::Value;

pub fn classes() -> Vec<(&'static str, Value)> {
    Vec::new()
}
