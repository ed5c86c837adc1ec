//! Statements: control flow is a value, not an error.

use super::flow::Flow;
use crate::language::env::Scope;
use crate::language::exception::finally_allowance::Allowance;
use crate::language::machine::call_back::lend;
use crate::library::table::given;
use crate::record::held::Wonder;
use crate::values::value::Iteration;
use crate::{At, Event, Halt, Machine, Tried, Value};
use vjp_maths::saved::{kept, packing};
use vjp_syntax::ast::{Block, Expr, ExprKind, Stmt, StmtKind, TrailerKind};
use vjp_tensor::Kind;
use vjp_tensor::exact_integers::all_read;
use vjp_text::Span;

impl Machine {
    pub(crate) fn exec_block(&mut self, block: &Block) -> Tried<Flow> {
        for s in block {
            match self.exec(s)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    pub(crate) fn exec(&mut self, s: &Stmt) -> Tried<Flow> {
        self.tick(s.span)?;
        self.counts();
        let flow = match self.assigned(&s.kind) {
            true => Ok(Flow::Next),
            false => self.exec_any(s),
        };
        let read = all_read().at(s.span);
        let flow = flow?;
        read?;
        if packing::waits() {
            self.pack().at(s.span)?;
        }
        Ok(flow)
    }

    /// Calls the program's hooks for what operations have kept since.
    #[cold]
    pub(crate) fn pack(&mut self) -> Tried<()> {
        lend(self, kept::pack)
    }

    #[inline(never)]
    fn exec_any(&mut self, s: &Stmt) -> Tried<Flow> {
        match &s.kind {
            StmtKind::Expr(e) => {
                let value = self.eval(e)?;
                if self.scope.is_none() && !(self.repeats() && is_in_place(e)) {
                    self.show(&value, is_grad(e))?;
                    if value.is_none() {
                        self.tell_why_none(e)?;
                    }
                }
            }
            StmtKind::Assign { targets, value } => self.exec_assign(targets, value)?,
            StmtKind::Augment { target, op, value } => {
                self.augment(target, *op, value, s.span)?;
            }
            StmtKind::Annotate { target, annotation, value } => {
                if let Some(value) = value {
                    self.exec_assign(std::slice::from_ref(target), value)?;
                }
                self.note_annotation(target, annotation)?;
            }
            StmtKind::ShortDef(function) => {
                let f = self.make_function(function)?;
                self.store(function.name.symbol, f);
            }
            StmtKind::Def { function, decorators } => {
                let made = self.decorate(decorators, |m| m.make_function(function))?;
                self.store(function.name.symbol, made);
            }
            StmtKind::Class { name, bases, body, decorators } => {
                let made =
                    self.decorate(decorators, |m| m.make_class(*name, bases, body, s.span))?;
                self.store(name.symbol, made);
            }
            StmtKind::For { target, iter, body, orelse } => {
                return self.exec_for(target, iter, body, orelse);
            }
            StmtKind::While { test, body, orelse } => return self.exec_while(test, body, orelse),
            StmtKind::If { arms, orelse } => {
                for (test, body) in arms {
                    if self.test(test)? {
                        return self.exec_block(body);
                    }
                }
                return self.exec_block(orelse);
            }
            StmtKind::With { items, body } => return self.exec_with(items, body),
            StmtKind::Try { body, handlers, orelse, finally } => {
                return self.exec_try(body, handlers, orelse, finally);
            }
            StmtKind::Raise { exception, cause } => {
                return Err(self.exec_raise(exception.as_ref(), cause.as_ref(), s.span)?);
            }
            StmtKind::Assert { test, message } => {
                if !self.test(test)? {
                    let args = match message {
                        Some(m) => vec![self.eval(m)?],
                        None => Vec::new(),
                    };
                    return Err(super::exception::halt(Kind::Assertion, args).place(test.span));
                }
            }
            StmtKind::Del(targets) => {
                for t in targets {
                    self.delete(t)?;
                }
            }
            StmtKind::Return(value) => {
                let value = match value {
                    Some(e) => self.eval(e)?,
                    None => Value::None,
                };
                return Ok(Flow::Return(value));
            }
            StmtKind::Import(list) => self.import(list)?,
            StmtKind::FromImport { module, names } => self.import_from(module, names)?,
            StmtKind::Global(_) | StmtKind::Nonlocal(_) | StmtKind::Pass => {}
            StmtKind::Break => return Ok(Flow::Break),
            StmtKind::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    pub(crate) fn test(&mut self, e: &Expr) -> Tried<bool> {
        let value = self.eval(e)?;
        self.truth(&value).at(e.span)
    }

    fn decorate(
        &mut self,
        decorators: &[Expr],
        make: impl FnOnce(&mut Machine) -> Tried<Value>,
    ) -> Tried<Value> {
        let mut wrappers = Vec::with_capacity(decorators.len());
        for d in decorators {
            wrappers.push((self.eval(d)?, d.span));
        }
        let mut made = make(self)?;
        for (wrapper, span) in wrappers.iter().rev() {
            let site = self.site(*span);
            made = self.call_with(wrapper, vec![made], &site).at(*span)?;
        }
        Ok(made)
    }

    fn exec_for(
        &mut self,
        target: &Expr,
        iter: &Expr,
        body: &Block,
        orelse: &Block,
    ) -> Tried<Flow> {
        let sequence = self.eval(iter)?;
        // The elements stand where they are named: `t in xs`.
        let head = Span { start: target.span.start, end: iter.span.end };
        self.stand(head);
        let mut elements = self.iterate(&sequence).at(iter.span)?;
        let mut counted = match &sequence {
            Value::Range(range) => range.ints(),
            _ => None,
        };
        self.repeating += 1;
        let flow = loop {
            let bound = match &mut counted {
                Some(numbers) => match numbers.next() {
                    Some(i) => self.count(target, i),
                    None => break None,
                },
                None => match self.next_at(head, &mut *elements) {
                    Ok(Some(v)) => self.assign(target, v),
                    Ok(None) => break None,
                    Err(h) => break Some(Err(h.place(iter.span))),
                },
            };
            match bound.and_then(|()| self.exec_block(body)) {
                Ok(Flow::Next | Flow::Continue) => {}
                Ok(Flow::Break) => break Some(Ok(Flow::Next)),
                other => break Some(other),
            }
        };
        self.repeating -= 1;
        match flow {
            Some(flow) => flow,
            None => self.exec_block(orelse),
        }
    }

    /// The next element, which stands there.
    fn next_at(&mut self, head: Span, elements: &mut dyn Iteration) -> Tried<Option<Value>> {
        self.stand(head);
        elements.next(self)
    }

    fn exec_while(&mut self, test: &Expr, body: &Block, orelse: &Block) -> Tried<Flow> {
        self.repeating += 1;
        let flow = loop {
            match self.test(test) {
                Ok(true) => {}
                Ok(false) => break None,
                Err(h) => break Some(Err(h)),
            }
            match self.exec_block(body) {
                Ok(Flow::Next | Flow::Continue) => {}
                Ok(Flow::Break) => break Some(Ok(Flow::Next)),
                other => break Some(other),
            }
            if let Err(h) = self.tick(test.span) {
                break Some(Err(h));
            }
        };
        self.repeating -= 1;
        match flow {
            Some(flow) => flow,
            None => self.exec_block(orelse),
        }
    }

    fn exec_with(&mut self, items: &[(Expr, Option<Expr>)], body: &Block) -> Tried<Flow> {
        let Some(((context, target), rest)) = items.split_first() else {
            return self.exec_block(body);
        };
        let manager = self.eval(context)?;
        let entered = self.enter(&manager).at(context.span)?;
        let outcome = match target {
            Some(t) => self.assign(t, entered),
            None => Ok(()),
        }
        .and_then(|()| self.exec_with(rest, body));
        match outcome {
            Ok(flow) => {
                self.leave(&manager, None).at(context.span)?;
                Ok(flow)
            }
            Err(halt) => {
                let halt = halt.place(context.span);
                if halt.kind().is_stop() {
                    let _allowance = Allowance::grant();
                    let _ = self.leave(&manager, None);
                    return Err(halt);
                }
                let exception = Value::Exception(halt.raised().exception.clone());
                if self.leave(&manager, Some(exception)).at(context.span)? {
                    Ok(Flow::Next)
                } else {
                    Err(halt)
                }
            }
        }
    }

    pub(crate) fn enter(&mut self, manager: &Value) -> Tried<Value> {
        if let Value::Object(o) = manager
            && let Some(entered) = o.enter(self)
        {
            return entered;
        }
        if let Some(method) = self.special(manager, "__enter__") {
            let site = self.here();
            return self.call_with(&method, Vec::new(), &site);
        }
        let name = crate::name_of(manager);
        Err(Halt::new(
            Kind::Type,
            format!("'{name}' object does not support the context manager protocol"),
        ))
    }

    /// True where the manager swallows the exception.
    pub(crate) fn leave(&mut self, manager: &Value, exception: Option<Value>) -> Tried<bool> {
        if let Value::Object(o) = manager {
            o.exit(self)?;
            return Ok(false);
        }
        let Some(method) = self.special(manager, "__exit__") else {
            return Ok(false);
        };
        let args = match exception {
            Some(e) => vec![(given().python.class_of)(&e), e, Value::None],
            None => vec![Value::None; 3],
        };
        let site = self.here();
        let answer = self.call_with(&method, args, &site)?;
        self.truth(&answer)
    }

    /// Runs `body` with another scope inside.
    pub(crate) fn with_scope<R>(
        &mut self,
        scope: Scope,
        body: impl FnOnce(&mut Machine) -> R,
    ) -> R {
        let outer = std::mem::replace(&mut self.scope, scope);
        self.callers.push(outer);
        let result = body(self);
        self.scope = self.callers.pop().flatten();
        result
    }

    /// Under a `x.grad` that is None: why.
    fn tell_why_none(&mut self, e: &Expr) -> Tried<()> {
        let ExprKind::Trailers { base, trailers } = &e.kind else {
            return Ok(());
        };
        let Some((last, before)) = trailers.split_last() else {
            return Ok(());
        };
        let is_grad = matches!(&last.kind, TrailerKind::Attr(n) if n.as_str() == "grad");
        // Looking the object up again must do nothing else.
        let calls = before.iter().any(|t| matches!(t.kind, TrailerKind::Call(_)));
        if !is_grad || calls || !self.echoes() {
            return Ok(());
        }
        let object = self.eval_trailers(base, before, e.span)?;
        let end = before.last().map_or(base.span, |t| t.span);
        let name = self.source().slice(base.span.to(end)).to_string();
        self.ungraded = None;
        let notes = (self.hints.no_gradient)(self, &name, &object);
        if let Some(note) = notes.first() {
            self.emit(Event::Note(note.clone()));
        }
        self.wonder = Some(Wonder::NoGrad { name, object, notes });
        Ok(())
    }
}

/// `w.grad.zero_()`: called for its effect.
fn is_in_place(e: &Expr) -> bool {
    let ExprKind::Trailers { trailers, .. } = &e.kind else {
        return false;
    };
    let kinds: Vec<&TrailerKind> = trailers.iter().map(|t| &t.kind).collect();
    matches!(kinds[..], [.., TrailerKind::Attr(n), TrailerKind::Call(_)] if n.as_str().ends_with('_'))
}

/// `….grad`, whose None is worth telling.
fn is_grad(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Trailers { trailers, .. }
        if matches!(trailers.last().map(|t| &t.kind), Some(TrailerKind::Attr(n)) if n.as_str() == "grad"))
}
