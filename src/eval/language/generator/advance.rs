//! What a generator has under way, and how one step follows from how the last one ended.

use crate::language::exception::finally_allowance::Allowance;
use crate::language::exception::give_context;
use crate::language::generator::compile::{Step, Steps};
use crate::language::generator::frames::{Input, Layer, Next, Signal};
use crate::values::value::Iteration;
use crate::{At, Machine, Tried, Value};
use std::rc::Rc;
use vjp_tensor::Kind;
use vjp_text::Span;

/// Sends to, or throws into, what `yield from` goes through.
pub(crate) fn forward(m: &mut Machine, to: &Value, input: Input) -> Tried<Option<Value>> {
    let Value::Iterator(inner) = to else {
        return Ok(None);
    };
    let Ok(mut inner) = inner.try_borrow_mut() else {
        crate::raise!(Kind::Value, "generator already executing");
    };
    match input {
        Input::Send(Value::None) => inner.next(m),
        Input::Send(v) => inner.send(m, v),
        Input::Throw(h) => inner.throw(m, h),
    }
}

/// What a generator returned, after its end.
pub(crate) fn result_of(generator: &Value) -> Value {
    match generator {
        Value::Iterator(i) => i.try_borrow_mut().map_or(Value::None, |mut i| i.result()),
        _ => Value::None,
    }
}

/// Goes one step on: `layer` was taken off `layers`, and `signal` is how what it had under way ended.
pub(crate) fn unwind(
    layers: &mut Vec<Layer>,
    m: &mut Machine,
    layer: Layer,
    signal: Signal,
) -> Next {
    match layer {
        Layer::Block { steps, next } => match signal {
            Signal::Go if next < steps.len() => {
                layers.push(Layer::Block { steps: Rc::clone(&steps), next: next + 1 });
                step(layers, m, &steps, next).unwrap_or_else(|h| Signal::Raise(h).into())
            }
            other => other.into(),
        },
        Layer::For { steps, at, elements } => match signal {
            Signal::Go | Signal::Continue => turn(layers, m, steps, at, elements),
            Signal::Break => Signal::Go,
            other => other,
        }
        .into(),
        Layer::While { steps, at, ready } => match signal {
            Signal::Go | Signal::Continue => again(layers, m, steps, at, ready),
            Signal::Break => Signal::Go,
            other => other,
        }
        .into(),
        Layer::With { manager, context } => close(m, &manager, context, signal).into(),
        Layer::Try { steps, at, in_body } => {
            after_try(layers, m, steps, at, in_body, signal).into()
        }
        Layer::Handler { steps, at, which, exception } => {
            m.handled.pop();
            if let Step::Try { handlers, .. } = &steps[at]
                && let Some(name) = &handlers[which].0.name
            {
                m.unbind(name.symbol);
            }
            if let Signal::Raise(h) = &signal {
                give_context(&h.raised().exception, &exception);
            }
            signal.into()
        }
        Layer::Finally(pending, allowance) => match signal {
            // Nothing wins over a stop.
            other if allowance.is_none() && !matches!(other, Signal::Go) => other,
            _ => pending,
        }
        .into(),
        Layer::From(inner) => match signal {
            Signal::Go => match forward(m, &inner, Input::Send(Value::None)) {
                Ok(Some(v)) => {
                    layers.push(Layer::From(inner));
                    Next::Yield(v)
                }
                Ok(None) => {
                    m.sent.push_back(result_of(&inner));
                    Signal::Go.into()
                }
                Err(h) => Signal::Raise(h).into(),
            },
            other => other.into(),
        },
    }
}

fn block(steps: &Steps) -> Layer {
    Layer::Block { steps: Rc::clone(steps), next: 0 }
}

/// Begins a step.
fn step(layers: &mut Vec<Layer>, m: &mut Machine, steps: &Steps, at: usize) -> Tried<Next> {
    match &steps[at] {
        Step::Plain(s) => return Ok(Signal::from(m.exec(s)).into()),
        Step::Yield(value) => {
            return Ok(Next::Yield(match value {
                Some(e) => m.eval(e)?,
                None => Value::None,
            }));
        }
        Step::From(e) => {
            let inner = match m.eval(e)? {
                Value::Iterator(i) => Value::Iterator(i),
                other => {
                    let elements = m.iterate(&other).at(e.span)?;
                    Value::Iterator(Rc::new(std::cell::RefCell::new(elements)))
                }
            };
            layers.push(Layer::From(inner));
        }
        Step::If { arms, orelse } => {
            for (test, body) in arms {
                if m.test(test)? {
                    layers.push(block(body));
                    return Ok(Signal::Go.into());
                }
            }
            layers.push(block(orelse));
        }
        Step::For { iter, .. } => {
            let sequence = m.eval(iter)?;
            let elements = m.iterate(&sequence).at(iter.span)?;
            layers.push(Layer::For { steps: Rc::clone(steps), at, elements });
        }
        Step::While { .. } => {
            layers.push(Layer::While { steps: Rc::clone(steps), at, ready: false })
        }
        Step::With { context, target, body } => {
            let manager = m.eval(context)?;
            let entered = m.enter(&manager).at(context.span)?;
            layers.push(Layer::With { manager, context: context.span });
            if let Some(t) = target {
                m.assign(t, entered)?;
            }
            layers.push(block(body));
        }
        Step::Try { body, .. } => {
            layers.push(Layer::Try { steps: Rc::clone(steps), at, in_body: true });
            layers.push(block(body));
        }
    }
    Ok(Signal::Go.into())
}

/// The next turn of a `for`.
fn turn(
    layers: &mut Vec<Layer>,
    m: &mut Machine,
    steps: Steps,
    at: usize,
    mut elements: Box<dyn Iteration>,
) -> Signal {
    let Step::For { target, iter, body, orelse } = &steps[at] else {
        return Signal::Go;
    };
    let next = match elements.next(m) {
        Ok(Some(v)) => v,
        Ok(None) => {
            layers.push(block(orelse));
            return Signal::Go;
        }
        Err(h) => return Signal::Raise(h.place(iter.span)),
    };
    if let Err(h) = m.assign(target, next) {
        return Signal::Raise(h);
    }
    let body = block(body);
    layers.push(Layer::For { steps, at, elements });
    layers.push(body);
    Signal::Go
}

/// The next turn of a `while`.
fn again(layers: &mut Vec<Layer>, m: &mut Machine, steps: Steps, at: usize, ready: bool) -> Signal {
    let Step::While { test, before, body, orelse } = &steps[at] else {
        return Signal::Go;
    };
    let to_come = !ready && !before.is_empty();
    let inner = if to_come {
        block(before)
    } else {
        match m.test(test) {
            Ok(true) => block(body),
            Ok(false) => {
                layers.push(block(orelse));
                return Signal::Go;
            }
            Err(h) => return Signal::Raise(h),
        }
    };
    layers.push(Layer::While { steps, at, ready: to_come });
    layers.push(inner);
    Signal::Go
}

/// The end of a `with`.
fn close(m: &mut Machine, manager: &Value, context: Span, signal: Signal) -> Signal {
    let halt = match signal {
        Signal::Raise(h) if !h.kind().is_stop() => h.place(context),
        other => {
            let stopped = matches!(&other, Signal::Raise(_));
            let _allowance = stopped.then(Allowance::grant);
            return match m.leave(manager, None) {
                Err(h) if !matches!(other, Signal::Raise(_)) => Signal::Raise(h.place(context)),
                _ => other,
            };
        }
    };
    let exception = Value::Exception(halt.raised().exception.clone());
    match m.leave(manager, Some(exception)) {
        Ok(true) => Signal::Go,
        Ok(false) => Signal::Raise(halt),
        Err(h) => Signal::Raise(h.place(context)),
    }
}

/// The end of a `try`'s body, handler or `else`.
fn after_try(
    layers: &mut Vec<Layer>,
    m: &mut Machine,
    steps: Steps,
    at: usize,
    in_body: bool,
    mut signal: Signal,
) -> Signal {
    let Step::Try { handlers, orelse, finally, .. } = &steps[at] else {
        return signal;
    };
    let further = Layer::Try { steps: Rc::clone(&steps), at, in_body: false };
    match signal {
        Signal::Go if in_body => {
            layers.push(further);
            layers.push(block(orelse));
            return Signal::Go;
        }
        Signal::Raise(h) if in_body && !h.kind().is_stop() => {
            let heads = handlers.iter().map(|(head, _)| head);
            match m.handler_of(heads, &h) {
                Ok(Some(which)) => {
                    let exception = h.raised().exception.clone();
                    m.give_traceback(h.raised());
                    if let Some(name) = &handlers[which].0.name {
                        m.store(name.symbol, Value::Exception(exception.clone()));
                    }
                    m.handled.push(exception.clone());
                    let body = block(&handlers[which].1);
                    layers.push(further);
                    layers.push(Layer::Handler { steps, at, which, exception });
                    layers.push(body);
                    return Signal::Go;
                }
                Ok(None) => signal = Signal::Raise(h),
                Err(other) => signal = Signal::Raise(other),
            }
        }
        other => signal = other,
    }
    if finally.is_empty() {
        return signal;
    }
    let stopped = matches!(&signal, Signal::Raise(h) if h.kind().is_stop());
    layers.push(Layer::Finally(signal, stopped.then(Allowance::grant)));
    layers.push(block(finally));
    Signal::Go
}
