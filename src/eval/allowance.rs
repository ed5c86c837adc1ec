//! What `finally` may still use after a stop: a little time and memory.

use crate::maths::budget;
use std::time::Duration;

/// While it lives, the limits are a little wider.
pub(super) struct Allowance {
    memory: usize,
}

const BYTES: usize = 16 << 20;
const TIME: Duration = Duration::from_millis(500);

impl Allowance {
    pub fn grant() -> Allowance {
        let memory = budget::memory_limit();
        budget::set_memory_limit(memory.max(budget::in_use()).saturating_add(BYTES));
        budget::set_time_limit(Some(TIME));
        Allowance { memory }
    }
}

impl Drop for Allowance {
    fn drop(&mut self) {
        budget::set_memory_limit(self.memory);
        // The limit that was over, if it was one, is still over: the stop goes on to the top.
        budget::set_time_limit(None);
    }
}
