//! A moment from which on the work is asked to stop, in a page: no other thread watches the clock, so the
//! work itself glances at it now and then.

use crate::budget::own_flag;
use crate::budget::stop::TIME;
use crate::clock::Instant;
use std::cell::Cell;
use std::sync::atomic::Ordering;

thread_local! {
    static END: Cell<Option<Instant>> = const { Cell::new(None) };
    /// The moment has not come yet.
    static AHEAD: Cell<bool> = const { Cell::new(false) };
    /// The step from which on to glance again.
    static NEXT: Cell<u64> = const { Cell::new(0) };
}

/// Steps between two glances at the clock, which costs more than a step.
const STEPS: u64 = 1 << 8;

/// The moment that was set last.
pub fn end() -> Option<Instant> {
    END.get()
}

/// From `end` on the work is asked to stop.
pub fn set(end: Option<Instant>) {
    END.set(end);
    AHEAD.set(end.is_some());
    own_flag().fetch_and(!TIME, Ordering::Relaxed);
    look();
}

/// Called with every step: `done` are the steps so far.
pub(super) fn glance(done: u64) {
    if AHEAD.get() && done >= NEXT.get() {
        NEXT.set(done + STEPS);
        look();
    }
}

fn look() {
    if AHEAD.get() && END.get().is_some_and(|end| end <= Instant::now()) {
        AHEAD.set(false);
        own_flag().fetch_or(TIME, Ordering::Relaxed);
    }
}
