//! Whether products take whole numbers beside floats: PyTorch refuses, the prompt promotes and
//! says so, NumPy promotes.

use std::cell::Cell;

thread_local! {
    static ALLOWED: Cell<bool> = const { Cell::new(false) };
    static HAPPENED: Cell<bool> = const { Cell::new(false) };
}

/// Allows it or not from now on, and gives what held before.
pub fn allow(allowed: bool) -> bool {
    ALLOWED.with(|a| a.replace(allowed))
}

/// Whether it is allowed.
pub fn is_allowed() -> bool {
    ALLOWED.with(Cell::get)
}

/// Asked where types differ: whether to go on, which is then remembered.
pub fn permitted() -> bool {
    let allowed = ALLOWED.with(Cell::get);
    HAPPENED.with(|h| h.set(h.get() | allowed));
    allowed
}

/// Whether it happened since last asked.
pub fn take_happened() -> bool {
    HAPPENED.with(|h| h.replace(false))
}
