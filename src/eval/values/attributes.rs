//! Small tables of attributes.

use super::value::Value;
use std::cell::RefCell;
use vjp_text::names::Symbol;

/// Names with values.
pub type Attributes = RefCell<Vec<(Symbol, Value)>>;

/// A value from a small table of attributes.
pub fn find(attributes: &Attributes, name: Symbol) -> Option<Value> {
    let list = attributes.borrow();
    list.iter().find(|(n, _)| *n == name).map(|(_, v)| v.clone())
}

/// Sets in a small table of attributes.
pub fn put(attributes: &Attributes, name: Symbol, value: Value) {
    let mut list = attributes.borrow_mut();
    let old = match list.iter_mut().find(|(n, _)| *n == name) {
        Some(slot) => Some(std::mem::replace(&mut slot.1, value)),
        None => {
            list.push((name, value));
            None
        }
    };
    drop(list);
    drop(old);
}
