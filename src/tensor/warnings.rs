//! What PyTorch warns of, in its words, until the evaluator asks.

use std::cell::{Cell, RefCell};

/// A warning; those of once are told once in a program, the others once for each line.
#[derive(Debug)]
pub struct Warning {
    pub text: String,
    pub once: bool,
}

thread_local! {
    static ANY: Cell<bool> = const { Cell::new(false) };
    static WARNED: RefCell<Vec<Warning>> = const { RefCell::new(Vec::new()) };
}

fn push(text: String, once: bool) {
    ANY.set(true);
    WARNED.with_borrow_mut(|w| w.push(Warning { text, once }));
}

/// Warns.
pub fn warn(text: impl Into<String>) {
    push(text.into(), false);
}

/// Warns once in a program.
pub fn warn_once(text: impl Into<String>) {
    push(text.into(), true);
}

/// Whether there was a warning since last asked.
#[inline]
pub fn any() -> bool {
    ANY.get()
}

/// What was warned of since last asked.
#[inline]
pub fn take() -> Vec<Warning> {
    match ANY.replace(false) {
        true => WARNED.take(),
        false => Vec::new(),
    }
}
