//! `try`, `raise`, and exceptions as values.

pub mod classes;
pub(crate) mod finally_allowance;
pub mod raise;
mod traceback;
pub mod uncaught;

use crate::language::exception::finally_allowance::Allowance;
use crate::language::flow::Flow;
use crate::language::import::{awaits_import, stand_in};
use crate::values::value::Exception;
use crate::{At, Halt, Machine, Tried, Value};
use std::cell::RefCell;
use std::rc::Rc;
use vjp_syntax::ast::{Block, Expr, Handler};
use vjp_tensor::Kind;
use vjp_text::{Span, Symbol};

/// An exception of one of Python's classes with arguments.
pub fn halt(kind: Kind, args: Vec<Value>) -> Halt {
    Halt::of(Rc::new(Exception {
        own: None,
        kind,
        args: RefCell::new(args),
        hint: None,
        attributes: RefCell::default(),
    }))
}

/// `str(e)`.
pub(crate) fn text(machine: &mut Machine, exception: &Rc<Exception>) -> String {
    if exception.own.is_some()
        && let Some(method) = machine.special(&Value::Exception(exception.clone()), "__str__")
    {
        let site = machine.here();
        if let Ok(Value::Str(s)) = machine.call_with(&method, Vec::new(), &site) {
            return s.to_string();
        }
    }
    let args = exception.args.borrow().clone();
    let shown = match args.as_slice() {
        [] => Ok(String::new()),
        [key] if exception.kind == Kind::Key => crate::display::python::repr(machine, key),
        [one] => crate::display::python::str(machine, one),
        [code, text] if exception.kind.is_a(Kind::Os) => {
            let code = crate::display::python::str(machine, code);
            let text = crate::display::python::str(machine, text);
            code.and_then(|c| Ok(format!("[Errno {c}] {}", text?)))
        }
        [code, text, file] if exception.kind.is_a(Kind::Os) => {
            let code = crate::display::python::str(machine, code);
            let text = crate::display::python::str(machine, text);
            let file = crate::display::python::repr(machine, file);
            code.and_then(|c| Ok(format!("[Errno {c}] {}: {}", text?, file?)))
        }
        _ => crate::display::python::repr(machine, &Value::tuple(args)),
    };
    shown.unwrap_or_default()
}

/// `raised.__context__`: the exception that was being handled meanwhile.
pub(crate) fn give_context(raised: &Rc<Exception>, handled: &Rc<Exception>) {
    let name = Symbol::new("__context__");
    let mut attributes = raised.attributes.borrow_mut();
    if !Rc::ptr_eq(raised, handled) && !attributes.iter().any(|(n, _)| *n == name) {
        attributes.push((name, Value::Exception(Rc::clone(handled))));
    }
}

impl Machine {
    pub(crate) fn exec_try(
        &mut self,
        body: &Block,
        handlers: &[Handler],
        orelse: &Block,
        finally: &Block,
    ) -> Tried<Flow> {
        let (scope, calls, repeating) = (self.scope.clone(), self.calls, self.repeating);
        let awaited = self.awaits_imports;
        self.awaits_imports |= handlers.iter().any(awaits_import);
        let done = self.exec_block(body);
        self.awaits_imports = awaited;
        let mut outcome = match done {
            Ok(Flow::Next) => self.exec_block(orelse),
            Err(halt) if !halt.kind().is_stop() => {
                // Whatever was under way inside is left.
                self.scope = scope.clone();
                (self.calls, self.repeating) = (calls, repeating);
                self.handle(halt, handlers)
            }
            other => other,
        };
        if finally.is_empty() {
            return outcome;
        }
        self.scope = scope;
        (self.calls, self.repeating) = (calls, repeating);
        let stopped = matches!(&outcome, Err(h) if h.kind().is_stop());
        let allowance = stopped.then(Allowance::grant);
        match self.exec_block(finally) {
            Ok(Flow::Next) => {}
            // A `return` or an error in `finally` wins, but nothing wins over a stop.
            other if !stopped => outcome = other,
            _ => {}
        }
        drop(allowance);
        outcome
    }

    fn handle(&mut self, halt: Halt, handlers: &[Handler]) -> Tried<Flow> {
        if let Some(which) = self.handler_of(handlers.iter(), &halt)? {
            let h = &handlers[which];
            let exception = halt.raised().exception.clone();
            self.give_traceback(halt.raised());
            if let Some(name) = &h.name {
                self.store(name.symbol, Value::Exception(exception.clone()));
            }
            self.handled.push(exception);
            let depth = self.handled.len();
            let outcome = self.exec_block(&h.body);
            self.handled.truncate(depth - 1);
            if let Err(raised) = &outcome {
                give_context(&raised.raised().exception, &halt.raised().exception);
            }
            if let Some(name) = &h.name {
                self.unbind(name.symbol);
            }
            return outcome;
        }
        Err(halt)
    }

    /// The first `except` clause that takes an exception.
    pub(crate) fn handler_of<'h>(
        &mut self,
        handlers: impl Iterator<Item = &'h Handler>,
        halt: &Halt,
    ) -> Tried<Option<usize>> {
        for (which, h) in handlers.enumerate() {
            let Some(e) = &h.class else {
                return Ok(Some(which));
            };
            let class = self.eval(e)?;
            if self.catches(&class, &halt.raised().exception).at(e.span)? {
                return Ok(Some(which));
            }
        }
        Ok(None)
    }

    fn catches(&mut self, class: &Value, exception: &Rc<Exception>) -> Tried<bool> {
        match class {
            Value::Tuple(t) => {
                for c in &t.items {
                    if self.catches(c, exception)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Value::Type(t) if t.exception.is_some() => {
                Ok(t.exception.is_some_and(|k| exception.kind.is_a(k)))
            }
            Value::Class(_) => {
                Ok(super::class::is_instance(&Value::Exception(exception.clone()), class))
            }
            stand_in if stand_in::is(stand_in) => Ok(false),
            _ => Err(Halt::new(
                Kind::Type,
                "catching classes that do not inherit from BaseException is not allowed",
            )),
        }
    }

    /// The halt that a `raise` statement starts.
    pub(crate) fn exec_raise(
        &mut self,
        exception: Option<&Expr>,
        cause: Option<&Expr>,
        span: Span,
    ) -> Tried<Halt> {
        let Some(e) = exception else {
            return Ok(match self.handled.last() {
                Some(e) => Halt::of(e.clone()).place(span),
                None => Halt::new(Kind::Runtime, "No active exception to reraise").place(span),
            });
        };
        let value = self.eval(e)?;
        let raised = self.exception_of(value, span)?;
        if let Some(cause) = cause {
            let cause = self.eval(cause)?;
            let cause = if cause.is_none() {
                cause
            } else {
                Value::Exception(self.exception_of(cause, span)?)
            };
            let mut attributes = raised.attributes.borrow_mut();
            attributes.push((Symbol::new("__cause__"), cause));
            attributes.push((Symbol::new("__suppress_context__"), Value::Bool(true)));
        }
        let mut halt = Halt::of(raised).place(span);
        halt.told().by_raise = true;
        Ok(halt)
    }

    /// The exception that `raise value` raises.
    pub fn exception_of(&mut self, value: Value, span: Span) -> Tried<Rc<Exception>> {
        let made = match &value {
            Value::Type(t) if t.exception.is_some() => {
                let site = self.site(span);
                self.call_with(&value, Vec::new(), &site)?
            }
            Value::Class(_) => {
                let site = self.site(span);
                self.call_with(&value, Vec::new(), &site).at(span)?
            }
            other => other.clone(),
        };
        match made {
            Value::Exception(e) => Ok(e),
            _ => {
                Err(Halt::new(Kind::Type, "exceptions must derive from BaseException").place(span))
            }
        }
    }
}
