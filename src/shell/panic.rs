//! An internal error never reaches a person as a Rust panic: it is caught and reported as an error.

use std::cell::RefCell;
use std::panic::{self, PanicHookInfo};

thread_local! {
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Silences panics on this process's threads; [`taken`] has what they said.
pub fn quiet() {
    panic::set_hook(Box::new(keep));
}

fn keep(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let said = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown cause");
    let place =
        info.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
    let _ = LAST.try_with(|last| *last.borrow_mut() = Some(format!("{said}{place}")));
}

/// What the last panic of this thread said, once.
pub fn taken() -> Option<String> {
    LAST.with_borrow_mut(Option::take)
}
