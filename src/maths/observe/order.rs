//! Whether a program may see in which order a sweep goes.

use std::cell::Cell;

thread_local! {
    static WATCHED: Cell<bool> = const { Cell::new(false) };
}

/// From now on a program may see in which order a sweep goes: it has a hook, or wrote a backward.
pub fn watch() {
    WATCHED.set(true);
}

/// Whether that is so.
pub fn is_watched() -> bool {
    WATCHED.get()
}
