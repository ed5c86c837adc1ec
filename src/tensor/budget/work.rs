//! Work in steps, which a clock does not know: how often [`tick`](super::tick) was asked. The same program
//! takes the same steps on every machine, so what depends on them is the same everywhere.

use super::stop::{FLAG, WORK};
use std::cell::Cell;
use std::sync::atomic::Ordering;

thread_local! {
    static DONE: Cell<u64> = const { Cell::new(0) };
    static END: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// The steps that this thread has taken.
pub fn done() -> u64 {
    DONE.get()
}

/// One step; after the last that is allowed, the wish to stop.
#[inline]
pub(super) fn step() {
    steps(1);
}

/// Work that no question to the budget divides: so many steps of it.
#[inline]
pub fn steps(count: u64) {
    let done = DONE.get().wrapping_add(count);
    DONE.set(done);
    if done >= END.get() {
        FLAG.get().fetch_or(WORK, Ordering::Relaxed);
    }
    #[cfg(target_arch = "wasm32")]
    super::alarm::glance(done);
}

/// The step from which on this thread is asked to stop.
pub(super) fn end() -> u64 {
    END.get()
}

pub(super) fn set(end: u64) {
    END.set(end);
}

#[cfg(test)]
mod tests {
    use crate::budget::{Limits, stopping, tick};

    #[test]
    fn a_limit_of_one_thread_stops_no_other() {
        let limits = Limits::work(1);
        assert!(tick().is_err());
        let other = std::thread::spawn(stopping);
        assert!(!other.join().expect("it ends"));
        drop(limits);
        assert!(tick().is_ok());
    }
}
