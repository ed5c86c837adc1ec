//! What `finally` may still use after a stop: a little time and memory.

use crate::maths::budget;
use std::time::{Duration, Instant};

/// While it lives, the limits are a little wider.
pub(super) struct Allowance {
    memory: usize,
    deadline: Option<Instant>,
}

const BYTES: usize = 16 << 20;
const TIME: Duration = Duration::from_millis(500);

impl Allowance {
    pub fn grant() -> Allowance {
        let memory = budget::memory_limit();
        budget::set_memory_limit(memory.max(budget::in_use()).saturating_add(BYTES));
        let deadline = budget::deadline();
        budget::set_time_limit(Some(TIME));
        budget::stopped();
        Allowance { memory, deadline }
    }
}

impl Drop for Allowance {
    fn drop(&mut self) {
        budget::set_memory_limit(self.memory);
        budget::set_deadline(self.deadline);
    }
}
