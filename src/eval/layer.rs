//! What a generator has under way, and how a statement in it ended.

use super::allowance::Allowance;
use super::raise::Halt;
use super::statement::Flow;
use super::steps::Steps;
use super::value::{Exception, Iteration, Value};
use std::rc::Rc;
use vjp_text::source::Span;

/// A statement that goes on after a `yield` in it; `at` is its place among the steps.
pub(super) enum Layer {
    Block {
        steps: Steps,
        next: usize,
    },
    For {
        steps: Steps,
        at: usize,
        elements: Box<dyn Iteration>,
    },
    /// The test comes next; `ready` where the yields in it have been gone through.
    While {
        steps: Steps,
        at: usize,
        ready: bool,
    },
    With {
        manager: Value,
        context: Span,
    },
    /// `in_body`: not yet in a handler or the `else`.
    Try {
        steps: Steps,
        at: usize,
        in_body: bool,
    },
    /// In handler `which`, with the exception that it handles.
    Handler {
        steps: Steps,
        at: usize,
        which: usize,
        exception: Rc<Exception>,
    },
    /// In `finally`, with how the statement will end.
    Finally(Signal, Option<Allowance>),
    /// `yield from`.
    From(Value),
}

/// How the innermost statement ended.
pub(super) enum Signal {
    Go,
    Break,
    Continue,
    Return(Value),
    Raise(Halt),
}

/// What comes of it.
pub(super) enum Next {
    Signal(Signal),
    Yield(Value),
}

/// What the program does to a generator.
pub(super) enum Input {
    Send(Value),
    Throw(Halt),
}

impl From<Signal> for Next {
    fn from(signal: Signal) -> Next {
        Next::Signal(signal)
    }
}

impl From<Result<Flow, Halt>> for Signal {
    fn from(outcome: Result<Flow, Halt>) -> Signal {
        match outcome {
            Ok(Flow::Next) => Signal::Go,
            Ok(Flow::Break) => Signal::Break,
            Ok(Flow::Continue) => Signal::Continue,
            Ok(Flow::Return(v)) => Signal::Return(v),
            Err(h) => Signal::Raise(h),
        }
    }
}
