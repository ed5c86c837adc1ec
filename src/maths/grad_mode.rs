//! Whether operations are recorded: `torch.no_grad()` and its like.

use std::cell::Cell;

thread_local! {
    static ENABLED: Cell<bool> = const { Cell::new(true) };
}

pub fn is_grad_enabled() -> bool {
    ENABLED.with(Cell::get)
}

/// Switches recording on or off and gives what it was before.
pub fn set_grad_enabled(enabled: bool) -> bool {
    ENABLED.with(|e| e.replace(enabled))
}

/// Runs `body` with recording on or off, and puts it back.
pub fn with_grad<T>(enabled: bool, body: impl FnOnce() -> T) -> T {
    let before = set_grad_enabled(enabled);
    let out = body();
    set_grad_enabled(before);
    out
}
