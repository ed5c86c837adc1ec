//! What `finally` may still use after a stop: a little time and memory, for all of them together.

use std::cell::Cell;
use std::time::Duration;
use vjp_tensor::budget::{self, Limits};
use vjp_tensor::clock::Instant;

const BYTES: usize = 16 << 20;
const TIME: Duration = Duration::from_millis(50);

thread_local! {
    /// Until when, and how much, since the first was granted.
    static GRANTED: Cell<Option<(Instant, usize)>> = const { Cell::new(None) };
}

/// While it lives, the limits are a little wider.
pub(crate) struct Allowance(#[expect(dead_code, reason = "held")] Limits);

impl Allowance {
    pub fn grant() -> Allowance {
        let (until, memory) = GRANTED.get().unwrap_or_else(|| {
            let memory = budget::memory_limit().max(budget::in_use()).saturating_add(BYTES);
            (Instant::now() + TIME, memory)
        });
        GRANTED.set(Some((until, memory)));
        Allowance(Limits::new(Some(until), memory))
    }
}

/// The statement has ended: the next stop has an allowance of its own.
pub(crate) fn over() {
    GRANTED.set(None);
}
