//! The first function since an input began that was taken where it has no value: log of a negative number.

use std::cell::Cell;

thread_local! {
    static FIRST: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Forgets what came before.
pub fn begin() {
    FIRST.set(None);
}

/// What is nan, in words.
pub fn met(what: &'static str) {
    FIRST.set(FIRST.get().or(Some(what)));
}

/// What was met first.
pub fn first() -> Option<&'static str> {
    FIRST.get()
}
