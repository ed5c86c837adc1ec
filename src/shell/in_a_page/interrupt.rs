//! Stopping in a page: its Stop button ends the worker that evaluates; a time limit asks from inside.

use std::time::Duration;
use vjp_tensor::budget::{self, Limits};

/// While it lives, a time limit asks the evaluation to stop.
pub struct Evaluating {
    limits: Option<Limits>,
}

impl Evaluating {
    pub fn begin(time: Option<Duration>) -> Evaluating {
        budget::stopped();
        Evaluating { limits: Some(Limits::time(time)) }
    }
}

impl Drop for Evaluating {
    fn drop(&mut self) {
        self.limits = None;
        budget::stopped();
    }
}
