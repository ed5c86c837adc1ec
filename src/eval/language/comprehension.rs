//! Comprehensions and generator expressions.

use super::env::{Frame, FrameKind, Scope};
use super::machine::Machine;
use super::names::Names;
use crate::values::deep_drop::Gathered;
use crate::values::value::{Iteration, Set};
use crate::{At, Dict, Tried, Value};
use std::rc::Rc;
use vjp_syntax::ast::{Clause, Expr, ExprKind};
use vjp_text::Span;

/// The nested loops of a comprehension, one step at a time.
struct Loops {
    scope: Scope,
    /// An iterator for each clause entered so far.
    open: Vec<Box<dyn Iteration>>,
}

/// Where the elements of a clause stand: `r in x`.
fn head(clause: &Clause) -> Span {
    Span { start: clause.target.span.start, end: clause.iter.span.end }
}

impl Loops {
    /// The first clause's sequence is evaluated at once, in the scope around.
    fn start(machine: &mut Machine, clauses: &[Clause]) -> Tried<Loops> {
        let mut open = Vec::new();
        if let Some(first) = clauses.first() {
            let sequence = machine.eval(&first.iter)?;
            machine.stand(head(first));
            open.push(machine.iterate(&sequence).at(first.iter.span)?);
        }
        let names = Rc::new(Names::of_clauses(clauses));
        let frame = Frame::new(FrameKind::Comprehension, names, machine.scope.clone());
        Ok(Loops { scope: Some(Rc::new(frame)), open })
    }

    /// Goes to the next combination for which all tests hold; false at the end.
    fn advance(&mut self, machine: &mut Machine, clauses: &[Clause]) -> Tried<bool> {
        while let Some(depth) = self.open.len().checked_sub(1) {
            let clause = &clauses[depth];
            machine.tick(clause.iter.span)?;
            machine.stand(head(clause));
            let Some(v) = self.open[depth].next(machine).at(clause.iter.span)? else {
                self.open.pop();
                continue;
            };
            machine.assign(&clause.target, v)?;
            let mut holds = true;
            for t in &clause.tests {
                let v = machine.eval(t)?;
                if !machine.truth(&v).at(t.span)? {
                    holds = false;
                    break;
                }
            }
            if !holds {
                continue;
            }
            match clauses.get(depth + 1) {
                None => return Ok(true),
                Some(next) => {
                    let sequence = machine.eval(&next.iter)?;
                    machine.stand(head(next));
                    self.open.push(machine.iterate(&sequence).at(next.iter.span)?);
                }
            }
        }
        Ok(false)
    }
}

impl Machine {
    pub(crate) fn eval_comprehension(&mut self, e: &Expr) -> Tried<Value> {
        match &e.kind {
            ExprKind::ListComp { element, clauses } => {
                let mut items = Gathered::default();
                self.each(clauses, |m| {
                    items.push(m.eval(element)?);
                    Ok(())
                })?;
                Ok(Value::list(items.done()))
            }
            ExprKind::SetComp { element, clauses } => {
                let set = Set::default();
                self.each(clauses, |m| {
                    let v = m.eval(element)?;
                    let key = m.key(&v).at(element.span)?;
                    set.written()?.insert(key, v, Value::None);
                    Ok(())
                })?;
                Ok(Value::Set(Rc::new(set)))
            }
            ExprKind::DictComp { key, value, clauses } => {
                let dict = Dict::default();
                self.each(clauses, |m| {
                    let name = m.eval(key)?;
                    let v = m.eval(value)?;
                    let k = m.key(&name).at(key.span)?;
                    dict.written()?.insert(k, name, v);
                    Ok(())
                })?;
                Ok(Value::dict(dict))
            }
            ExprKind::Generator { element, clauses } => {
                let loops = Loops::start(self, clauses)?;
                self.scope.iter().for_each(crate::values::collector::watch);
                Ok(Value::iterator(Generator {
                    code: Rc::new(((**element).clone(), clauses.clone())),
                    loops,
                    source: self.source.clone(),
                    running: false,
                }))
            }
            _ => self.eval(e),
        }
    }

    fn each(
        &mut self,
        clauses: &[Clause],
        mut body: impl FnMut(&mut Machine) -> Tried<()>,
    ) -> Tried<()> {
        let mut loops = Loops::start(self, clauses)?;
        self.repeating += 1;
        let result = self.with_scope(loops.scope.clone(), |m| {
            while loops.advance(m, clauses)? {
                body(m)?;
            }
            Ok(())
        });
        self.repeating -= 1;
        result
    }
}

/// `(f(x) for x in xs)`.
struct Generator {
    code: Rc<(Expr, Vec<Clause>)>,
    loops: Loops,
    source: vjp_text::Source,
    running: bool,
}

impl Iteration for Generator {
    fn next(&mut self, machine: &mut Machine) -> Tried<Option<Value>> {
        if self.running {
            crate::raise!(vjp_tensor::Kind::Value, "generator already executing");
        }
        self.running = true;
        machine.enter_call()?;
        let outer = std::mem::replace(&mut machine.source, self.source.clone());
        let (loops, (element, clauses)) = (&mut self.loops, &*self.code);
        let scope = loops.scope.clone();
        let result = machine.with_scope(scope, |m| {
            if loops.advance(m, clauses)? { m.eval(element).map(Some) } else { Ok(None) }
        });
        let here = std::mem::replace(&mut machine.source, outer);
        machine.leave_call();
        self.running = false;
        result.map_err(|mut h| {
            self.loops.open.clear();
            let raised = h.raised_mut();
            if raised.span.is_some() && raised.source.is_none() {
                raised.source = Some(here);
            }
            h
        })
    }

    fn copied(&self, reached: &mut Vec<Value>) -> Box<dyn Iteration> {
        let open = self.loops.open.iter().map(|i| i.copied(reached)).collect();
        Box::new(Generator {
            code: Rc::clone(&self.code),
            loops: Loops { scope: self.scope(), open },
            source: self.source.clone(),
            running: false,
        })
    }

    fn scope(&self) -> Scope {
        self.loops.scope.clone()
    }

    fn type_name(&self) -> &'static str {
        "generator"
    }
}
