//! What a generator has under way, and how a statement in it ended.

use crate::language::exception::finally_allowance::Allowance;
use crate::language::flow::Flow;
use crate::language::generator::compile::Steps;
use crate::values::value::{Exception, Iteration};
use crate::{Halt, Tried, Value};
use std::rc::Rc;
use vjp_text::Span;

/// A statement that goes on after a `yield` in it; `at` is its place among the steps.
pub(crate) enum Layer {
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

impl Layer {
    /// The same, to go on from the same place, and in `reached` the values that it holds.
    pub fn copied(&self, reached: &mut Vec<Value>) -> Layer {
        match self {
            Layer::Block { steps, next } => Layer::Block { steps: Rc::clone(steps), next: *next },
            Layer::For { steps, at, elements } => {
                let (steps, elements) = (Rc::clone(steps), elements.copied(reached));
                Layer::For { steps, at: *at, elements }
            }
            Layer::While { steps, at, ready } => {
                Layer::While { steps: Rc::clone(steps), at: *at, ready: *ready }
            }
            Layer::With { manager, context } => {
                reached.push(manager.clone());
                Layer::With { manager: manager.clone(), context: *context }
            }
            Layer::Try { steps, at, in_body } => {
                Layer::Try { steps: Rc::clone(steps), at: *at, in_body: *in_body }
            }
            Layer::Handler { steps, at, which, exception } => {
                reached.push(Value::Exception(Rc::clone(exception)));
                let (steps, exception) = (Rc::clone(steps), Rc::clone(exception));
                Layer::Handler { steps, at: *at, which: *which, exception }
            }
            // What has an allowance is not left before its end.
            Layer::Finally(signal, _) => {
                match signal {
                    Signal::Return(v) => reached.push(v.clone()),
                    Signal::Raise(h) => {
                        let raised = Rc::clone(&h.raised().exception);
                        reached.push(Value::Exception(raised));
                    }
                    Signal::Go | Signal::Break | Signal::Continue => {}
                }
                Layer::Finally(signal.clone(), None)
            }
            Layer::From(inner) => {
                reached.push(inner.clone());
                Layer::From(inner.clone())
            }
        }
    }
}

/// How the innermost statement ended.
#[derive(Clone)]
pub(crate) enum Signal {
    Go,
    Break,
    Continue,
    Return(Value),
    Raise(Halt),
}

/// What comes of it.
pub(crate) enum Next {
    Signal(Signal),
    Yield(Value),
}

/// What the program does to a generator.
pub(crate) enum Input {
    Send(Value),
    Throw(Halt),
}

impl From<Signal> for Next {
    fn from(signal: Signal) -> Next {
        Next::Signal(signal)
    }
}

impl From<Tried<Flow>> for Signal {
    fn from(outcome: Tried<Flow>) -> Signal {
        match outcome {
            Ok(Flow::Next) => Signal::Go,
            Ok(Flow::Break) => Signal::Break,
            Ok(Flow::Continue) => Signal::Continue,
            Ok(Flow::Return(v)) => Signal::Return(v),
            Err(h) => Signal::Raise(h),
        }
    }
}
