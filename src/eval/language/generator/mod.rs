//! Generators of functions that yield: a body left at each `yield` and taken up again.

pub(crate) mod advance;
pub(crate) mod compile;
pub(crate) mod frames;

use super::env::Scope;
use super::machine::Machine;
use crate::language::generator::compile::Skipped;
use crate::language::generator::frames::{Input, Layer, Next, Signal};
use crate::{Halt, Tried};

use crate::Value;
use crate::language::generator::advance::{forward, result_of, unwind};
use crate::values::value::{Exception, Function, Iteration};
use std::collections::VecDeque;
use std::rc::Rc;
use vjp_tensor::{Kind, budget};

/// A generator: where in its body it stands.
pub struct Generator {
    function: Rc<Function>,
    scope: Scope,
    state: State,
    /// What is under way, outermost first.
    layers: Vec<Layer>,
    /// What the yields passed so far gave, until the statement around them is evaluated.
    sent: VecDeque<Value>,
    /// Exceptions being handled where it stopped.
    handled: Vec<Rc<Exception>>,
    /// What it returned.
    result: Value,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Fresh,
    Stopped,
    Running,
    Done,
}

impl Machine {
    /// What a call of a generator function gives.
    pub(crate) fn make_generator(&mut self, function: &Rc<Function>, scope: Scope) -> Tried<Value> {
        scope.iter().for_each(crate::values::collector::watch);
        let key = Rc::as_ptr(&function.code) as usize;
        let steps = match self.plans.get(&key) {
            Some((_, steps)) => Rc::clone(steps),
            None => {
                let steps = compile::of_function(&function.code).map_err(|Skipped(place)| {
                    let says = "a 'yield' that may be skipped must be a separate statement";
                    Halt::new(Kind::Syntax, says).place(place)
                })?;
                let plan = (Rc::clone(&function.code), Rc::clone(&steps));
                self.plans.insert(key, plan);
                steps
            }
        };
        Ok(Value::iterator(Generator {
            function: Rc::clone(function),
            scope,
            state: State::Fresh,
            layers: vec![Layer::Block { steps, next: 0 }],
            sent: VecDeque::new(),
            handled: Vec::new(),
            result: Value::None,
        }))
    }
}

impl Iteration for Generator {
    fn next(&mut self, machine: &mut Machine) -> Tried<Option<Value>> {
        self.resume(machine, Input::Send(Value::None))
    }

    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration> {
        reached.push(Value::Function(Rc::clone(&self.function)));
        reached.extend(self.sent.iter().cloned());
        reached.extend(self.handled.iter().map(|e| Value::Exception(Rc::clone(e))));
        reached.push(self.result.clone());
        Box::new(Generator {
            function: Rc::clone(&self.function),
            scope: self.scope.clone(),
            state: self.state,
            layers: self.layers.iter().map(|layer| layer.copied(reached)).collect(),
            sent: self.sent.clone(),
            handled: self.handled.clone(),
            result: self.result.clone(),
        })
    }

    fn scope(&self) -> Scope {
        self.scope.clone()
    }

    fn type_name(&self) -> &'static str {
        "generator"
    }

    fn title(&self) -> Option<Rc<str>> {
        Some(Rc::clone(&self.function.qualified))
    }

    fn send(&mut self, machine: &mut Machine, value: Value) -> Tried<Option<Value>> {
        self.resume(machine, Input::Send(value))
    }

    fn throw(&mut self, machine: &mut Machine, halt: Halt) -> Tried<Option<Value>> {
        self.resume(machine, Input::Throw(halt))
    }

    fn result(&mut self) -> Value {
        std::mem::replace(&mut self.result, Value::None)
    }
}

impl Generator {
    fn resume(&mut self, m: &mut Machine, input: Input) -> Tried<Option<Value>> {
        let signal = match (self.state, input) {
            (State::Running, _) => crate::raise!(Kind::Value, "generator already executing"),
            (State::Done, Input::Send(_)) => return Ok(None),
            (State::Fresh, Input::Send(v)) if !v.is_none() => {
                crate::raise!(Kind::Type, "can't send non-None value to a just-started generator")
            }
            (State::Fresh, Input::Send(_)) => Signal::Go,
            (State::Fresh | State::Done, Input::Throw(h)) => {
                self.finish();
                return Err(h);
            }
            (State::Stopped, Input::Send(v)) => {
                if let Some(Layer::From(inner)) = self.layers.last()
                    && !v.is_none()
                {
                    let inner = inner.clone();
                    return self.within(m, |this, m| match forward(m, &inner, Input::Send(v)) {
                        Ok(Some(v)) => Ok(Some(v)),
                        Ok(None) => this.delegated(m),
                        Err(h) => this.run(m, Signal::Raise(h)),
                    });
                }
                if !matches!(self.layers.last(), Some(Layer::From(_))) {
                    self.sent.push_back(v);
                }
                Signal::Go
            }
            (State::Stopped, Input::Throw(h)) => {
                if let Some(Layer::From(inner)) = self.layers.last()
                    && matches!(inner, Value::Iterator(_))
                {
                    let inner = inner.clone();
                    return self.within(m, |this, m| match forward(m, &inner, Input::Throw(h)) {
                        Ok(Some(v)) => Ok(Some(v)),
                        Ok(None) => this.delegated(m),
                        Err(h) => this.run(m, Signal::Raise(h)),
                    });
                }
                Signal::Raise(h)
            }
        };
        self.within(m, |this, m| this.run(m, signal))
    }

    /// Runs in the generator's own surroundings.
    fn within(
        &mut self,
        m: &mut Machine,
        body: impl FnOnce(&mut Generator, &mut Machine) -> Tried<Option<Value>>,
    ) -> Tried<Option<Value>> {
        m.enter_call()?;
        self.state = State::Running;
        let call = m.place;
        let depth = m.handled.len();
        m.handled.append(&mut self.handled);
        m.repeating += 1;
        let sent = std::mem::replace(&mut m.sent, std::mem::take(&mut self.sent));
        let outer = std::mem::replace(&mut m.source, self.function.source.clone());
        let scope = self.scope.clone();
        let result = m.with_scope(scope, |m| body(self, m));
        let inner = std::mem::replace(&mut m.source, outer);
        self.sent = std::mem::replace(&mut m.sent, sent);
        m.repeating = m.repeating.saturating_sub(1);
        self.handled = m.handled.split_off(depth.min(m.handled.len()));
        m.leave_call();
        match result {
            Ok(Some(v)) => {
                self.state = State::Stopped;
                Ok(Some(v))
            }
            Ok(None) => {
                self.finish();
                Ok(None)
            }
            Err(mut h) => {
                self.finish();
                if h.kind() == Kind::StopIteration {
                    h = Halt::new(Kind::Runtime, "generator raised StopIteration").place(call);
                }
                let raised = h.raised_mut();
                if inner.is_own() {
                    if raised.source.is_none() {
                        raised.span = Some(call);
                        raised.told = None;
                    }
                } else if raised.span.is_some() && raised.source.is_none() {
                    raised.source = Some(inner);
                }
                Err(h)
            }
        }
    }

    fn finish(&mut self) {
        self.state = State::Done;
        self.layers.clear();
        self.sent.clear();
        self.handled.clear();
    }

    /// After the end of what `yield from` went through.
    fn delegated(&mut self, m: &mut Machine) -> Tried<Option<Value>> {
        if let Some(Layer::From(inner)) = self.layers.pop() {
            m.sent.push_back(result_of(&inner));
        }
        self.run(m, Signal::Go)
    }

    /// The stop that led to the `finally` that is under way: no `yield` holds it up.
    fn stopped(&mut self) -> Option<Signal> {
        let stopped = |layer: &Layer| matches!(layer, Layer::Finally(_, Some(_)));
        let at = self.layers.iter().rposition(stopped)?;
        match self.layers.drain(at..).next() {
            Some(Layer::Finally(signal, _)) => Some(signal),
            _ => None,
        }
    }

    /// Goes on up to the next `yield`; None at the end.
    fn run(&mut self, m: &mut Machine, mut signal: Signal) -> Tried<Option<Value>> {
        loop {
            if let (false, Err(stop)) = (matches!(signal, Signal::Raise(_)), budget::tick()) {
                signal = Signal::Raise(stop.into());
            }
            match self.layers.pop() {
                Some(layer) => match unwind(&mut self.layers, m, layer, signal) {
                    Next::Signal(next) => signal = next,
                    Next::Yield(v) => match self.stopped() {
                        Some(stop) => signal = stop,
                        None => return Ok(Some(v)),
                    },
                },
                None => {
                    return match signal {
                        Signal::Raise(h) => Err(h),
                        Signal::Return(v) => {
                            self.result = v;
                            Ok(None)
                        }
                        _ => Ok(None),
                    };
                }
            }
        }
    }
}
