//! Python's `eval` and `exec`: a text that the program made, run where it calls them.

use super::{Machine, Manner};
use crate::language::env::{Frame, FrameKind, Scope};
use crate::language::flow::Flow;
use crate::language::machine::run::TREE;
use crate::language::names::Names;
use crate::values::dict::Key;
use crate::{At, Dict, Halt, Tried, Value};
use std::rc::Rc;
use vjp_syntax::ast::{self, StmtKind};
use vjp_tensor::{Kind, budget};
use vjp_text::{Source, Span, Symbol};

impl Machine {
    /// Runs a text, and gives its value where it must be an expression. What it binds goes to the first of
    /// `names`, where there are some, and names are looked for there before those of the program.
    pub fn run_text(
        &mut self,
        text: &str,
        expression: bool,
        names: &[Rc<Dict>],
        call: Span,
    ) -> Tried<Value> {
        budget::reserve(text.len() * TREE)?;
        let text = if expression { text.trim_matches([' ', '\t', '\n']) } else { text };
        let source = Source::new(text);
        let unreadable = |message: &str, line: usize| {
            Halt::new(Kind::Syntax, format!("{message} (<string>, line {})", line + 1))
        };
        let program = vjp_syntax::parse(&source, self.mode())
            .map_err(|f| unreadable(&f.message, source.line_of(f.span.start)))?;
        let value = match program.body.as_slice() {
            [ast::Stmt { kind: StmtKind::Expr(value), .. }] if expression => Some(value),
            _ if expression => return Err(unreadable("invalid syntax", 0)),
            _ => None,
        };
        let scope = match names {
            [] => self.scope.clone(),
            names => names.iter().rev().fold(None, |outer, dict| Some(frame(dict, outer))),
        };
        self.enter_call()?;
        let manner = std::mem::replace(&mut self.echoes.manner, Manner::Program);
        let outer = std::mem::replace(&mut self.source, source);
        let outcome = self.with_scope(scope.clone(), |m| match value {
            Some(value) => m.eval(value),
            None => match m.exec_block(&program.body)? {
                Flow::Next => Ok(Value::None),
                _ => Err(unreadable("'return' outside function", 0)),
            },
        });
        let inner = std::mem::replace(&mut self.source, outer);
        self.echoes.manner = manner;
        self.leave_call();
        if let (Some(dict), Some(frame)) = (names.first(), &scope) {
            for (name, value) in frame.values.borrow().iter() {
                let name = Value::from(name.as_str());
                dict.written().at(call)?.insert(Key::of(&name)?, name, value.clone());
            }
        }
        outcome.map_err(|mut halt| {
            let place = self.source.clone();
            let raised = halt.raised_mut();
            if raised.span.is_some() && raised.source.is_none() {
                raised.source = Some(inner);
            }
            raised.calls.push((Symbol::new("<module>"), call, place));
            halt
        })
    }
}

/// A frame whose names are those of a dict.
fn frame(dict: &Dict, outer: Scope) -> Rc<Frame> {
    let frame = Frame::new(FrameKind::Function, Rc::new(Names::default()), outer);
    for (_, name, value) in dict.entries.borrow().iter() {
        if let Value::Str(name) = name {
            frame.set(Symbol::new(name), value.clone());
        }
    }
    Rc::new(frame)
}
