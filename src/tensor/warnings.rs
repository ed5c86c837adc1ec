//! What PyTorch warns of, in its words, until the evaluator asks.

use std::cell::{Cell, RefCell};

thread_local! {
    static ANY: Cell<bool> = const { Cell::new(false) };
    static WARNED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Warns once more.
pub fn warn(text: String) {
    ANY.set(true);
    WARNED.with_borrow_mut(|w| w.push(text));
}

/// Whether there was a warning since last asked.
#[inline]
pub fn any() -> bool {
    ANY.get()
}

/// What was warned of since last asked.
#[inline]
pub fn take() -> Vec<String> {
    match ANY.replace(false) {
        true => WARNED.take(),
        false => Vec::new(),
    }
}
