//! What is let go while somebody wishes to stop. To free it may take as long as it took to make, so it
//! waits until the next statement is run.

use super::stop::stopping;
use std::any::Any;
use std::cell::{Cell, RefCell};

thread_local! {
    static REMAINS: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
    static WAITS: Cell<bool> = const { Cell::new(false) };
}

/// Whether what is let go now should wait.
pub fn waits() -> bool {
    stopping() || WAITS.try_with(Cell::get).unwrap_or(true)
}

/// Keeps what was let go.
pub fn keep(remains: impl Any) {
    let remains: Box<dyn Any> = Box::new(remains);
    // Where the thread ends, everything is free.
    let _ = REMAINS.try_with(|all| all.borrow_mut().push(remains));
}

/// What `body` lets go of waits, if so wished.
pub fn waiting<T>(wished: bool, body: impl FnOnce() -> T) -> T {
    let before = WAITS.replace(wished);
    let result = body();
    WAITS.set(before);
    result
}

/// Frees what waits, until somebody wishes to stop.
pub fn free() {
    while !waits()
        && let Some(remains) = REMAINS.with_borrow_mut(Vec::pop)
    {
        drop(remains);
    }
}
