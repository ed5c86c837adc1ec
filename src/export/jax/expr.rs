//! Expressions: the text as it is, with what JAX says otherwise.

use super::code::{Code, is_name};
use super::names::bindings::targets;
use super::problem::{Done, Problem};
use super::writer::Writer;
use std::collections::HashSet;
use vjp_eval::Value;
use vjp_syntax::ast::*;
use vjp_syntax::visit;
use vjp_text::Span;
use vjp_torch::nn::is_module;

impl<'a> Writer<'a> {
    /// An expression for JAX; what only asks about PyTorch's graph stands as what it was.
    pub(super) fn expr(&mut self, e: &'a Expr) -> Done<Code> {
        if let Some((_, text)) = self.replaced.iter().find(|(span, _)| *span == e.span) {
            return Ok(text.clone().into());
        }
        match self.written(e) {
            Err(problem) if problem.meta => match self.frozen(e.span) {
                // What a call gives is not all that it does: `print(y.grad_fn)`.
                Some(code) if code.text != "None" || !is_call(e) => Ok(code),
                _ => Err(problem.or_at(e.span.start as usize)),
            },
            other => other.map_err(|p| p.or_at(e.span.start as usize)),
        }
    }

    fn written(&mut self, e: &'a Expr) -> Done<Code> {
        match &e.kind {
            ExprKind::Name(name) => self.name(name.as_str(), e.span),
            ExprKind::Trailers { .. } if let Some(rate) = self.rate_of(e) => {
                self.reads.insert(rate.clone());
                Ok(rate.into())
            }
            ExprKind::Trailers { base, trailers } => self.trailers(e, base, trailers),
            ExprKind::Chain { first, rest } => self.chain(e, first, rest),
            ExprKind::Power { base, exponents } => self.power(e, base, exponents),
            ExprKind::Lambda(function) => self.lambda(e, function),
            ExprKind::ListComp { clauses, .. }
            | ExprKind::SetComp { clauses, .. }
            | ExprKind::DictComp { clauses, .. }
            | ExprKind::Generator { clauses, .. } => {
                let mut own = HashSet::new();
                clauses.iter().for_each(|c| targets(&c.target, &mut own));
                let over = self.over_parameters(clauses);
                self.comprehended.push(own.clone());
                self.locals.push(own);
                let text = self.parts(e);
                self.locals.pop();
                self.comprehended.pop();
                if over.is_some() {
                    self.places.pop();
                    self.replaced.clear();
                }
                text
            }
            ExprKind::Walrus { name, .. } => {
                let name = name.as_str();
                if !self.is_local(name) {
                    self.called.insert(name.to_owned(), true);
                }
                self.parts(e)
            }
            _ => self.parts(e),
        }
    }

    fn lambda(&mut self, e: &'a Expr, function: &'a Function) -> Done<Code> {
        let own = function.params.list.iter().map(|p| p.name.as_str().to_owned());
        self.locals.push(own.collect());
        let text = self.parts(e);
        self.locals.pop();
        text
    }

    /// The text with the expressions in it written for JAX.
    fn parts(&mut self, e: &'a Expr) -> Done<Code> {
        let mut parts = Vec::new();
        visit::parts(e, &mut |part| parts.push(part));
        if let ExprKind::ListComp { clauses, .. } | ExprKind::Generator { clauses, .. } = &e.kind
            && let [Clause { target, .. }] = clauses.as_slice()
            && self.replaced.iter().any(|(span, _)| *span == target.span)
        {
            parts.push(target);
        }
        let holds = !matches!(
            e.kind,
            ExprKind::List(_)
                | ExprKind::Tuple(_)
                | ExprKind::Set(_)
                | ExprKind::Dict(_)
                | ExprKind::ListComp { .. }
                | ExprKind::Generator { .. }
                | ExprKind::Slice { .. }
                | ExprKind::FString(_)
        );
        Ok(Code::of(self.spliced(e.span, &parts, holds)?))
    }

    /// The text of `span` with its `parts` written for JAX; beside operators what falls apart gets
    /// brackets.
    pub(super) fn spliced(
        &mut self,
        span: Span,
        parts: &[&'a Expr],
        operands: bool,
    ) -> Done<String> {
        let mut out = String::new();
        let mut at = span.start;
        let mut parts = parts.to_vec();
        parts.sort_by_key(|p| p.span.start);
        for part in parts {
            if part.span.start < at || part.span.end > span.end {
                continue;
            }
            out += self.source.slice(Span { start: at, end: part.span.start });
            let was = Code::of(self.source.slice(part.span).to_owned());
            let code = self.expr(part)?;
            // What stood there without brackets needs none only where it holds together as well.
            let tight = operands && was.tight() == was.text;
            out += &if tight { code.tight() } else { code.text };
            at = part.span.end;
        }
        out += self.source.slice(Span { start: at, end: span.end });
        Ok(out)
    }

    /// Whether a name is one of a function's own.
    pub(super) fn is_local(&self, name: &str) -> bool {
        self.locals.iter().any(|own| own.contains(name))
    }

    /// Notes that the step reads a name.
    pub(super) fn read(&mut self, name: &str, span: Span) {
        if self.is_local(name) {
            return;
        }
        self.reads.insert(name.to_owned());
        self.calls(name);
        if self.asks_gradient(span) {
            self.recorded.insert(name.to_owned());
        }
    }

    pub(super) fn name(&mut self, name: &str, span: Span) -> Done<Code> {
        if self.unwritten.iter().any(|n| n == name) {
            let what =
                format!("{name} is the error that PyTorch raised; JAX's program leaves it out");
            let hint = "print a text of your own, or export --to torch";
            return Err(Problem { meta: true, ..Problem::new(what, hint) });
        }
        if let Some((_, own)) = self.places.iter().rev().find(|(n, _)| n == name) {
            let own = own.clone();
            let root = own.split('[').next().unwrap_or(&own).to_owned();
            if is_name(&root) {
                self.reads.insert(root.clone());
                self.recorded.insert(root);
            }
            return Ok(own.into());
        }
        if self.gone.iter().any(|n| n == name) {
            return Err(Problem::new(
                format!("the JAX export has no form for {name} here"),
                "leave the line out, or export --to torch",
            ));
        }
        if let Some(known) = self.known_name(name, span) {
            match known {
                Value::Instance(i)
                    if i.class()
                        .module()
                        .as_str()
                        .is_some_and(|m| m.starts_with("torch.optim")) =>
                {
                    return Err(Problem::new(
                        format!("{name} is an optimiser, and JAX works with pure functions"),
                        "use only zero_grad() and step(), or export --to torch",
                    ));
                }
                Value::Instance(_) if is_module(&known) => {
                    return Err(Problem::new(
                        format!("{name} is a module, and JAX works with pure functions"),
                        "call it, or export --to torch",
                    ));
                }
                Value::Module(_) | Value::Builtin(_) | Value::Dtype(_) | Value::Type(_) => {
                    if let Some(code) = self.library_value(&known)? {
                        return Ok(code);
                    }
                    if !self.bound.contains(name) {
                        return Ok(name.into());
                    }
                }
                _ => {}
            }
        }
        self.read(name, span);
        Ok(name.into())
    }

    /// What a name is bound to in the library or by the program, where that is one value.
    pub(super) fn known_name(&self, name: &str, span: Span) -> Option<Value> {
        if let Some(value) = self.value(span) {
            return Some(value.clone());
        }
        if self.is_local(name) || self.sight(span).is_some() {
            return None;
        }
        self.machine.lookup(name)
    }

    fn chain(&mut self, e: &'a Expr, first: &'a Expr, rest: &'a [Link]) -> Done<Code> {
        let mut parts = vec![first];
        parts.extend(rest.iter().map(|l| &l.operand));
        // `"%.3f" % y` is Python's formatting.
        let text = matches!(self.value(first.span), Some(Value::Str(_)))
            || matches!(first.kind, ExprKind::Str(_));
        let sloped =
            |l: &&Link| !text && l.op == BinaryOp::Mod && self.asks_gradient(l.operand.span);
        let text = match rest.iter().find(sloped) {
            None => self.spliced(e.span, &parts, true)?,
            // From the left, as `*` and `/` beside it are.
            Some(_) => {
                let mut code = self.expr(first)?;
                for link in rest {
                    let operand = self.expr(&link.operand)?;
                    code = match link.op {
                        BinaryOp::Mod => {
                            let remainder = self.helper("remainder");
                            format!("{remainder}({}, {})", code.text, operand.text).into()
                        }
                        _ => {
                            let sign = self.source.slice(link.op_span);
                            format!("{} {sign} {}", code.text, operand.tight()).into()
                        }
                    };
                }
                code.text
            }
        };
        let from = parts.iter().filter_map(|p| self.dtype(p.span)).collect::<Vec<_>>();
        let to = self.dtype(e.span);
        Ok(self.fitted(Code::of(text), &from, to))
    }

    /// Powers. A tensor as exponent has a slope at a base of 0 in PyTorch, where JAX has none.
    fn power(&mut self, e: &'a Expr, base: &'a Expr, exponents: &'a [Exponent]) -> Done<Code> {
        let last = exponents.last();
        let varying = last.is_some_and(|x| self.is_tensor(x.operand.span))
            || last.is_some_and(|x| matches!(x.operand.kind, ExprKind::Float(f) if f == 0.0));
        if let ([exponent], true) = (exponents, varying) {
            let power = self.helper("power");
            let base = self.expr(base)?;
            let signs = self
                .source
                .slice(Span { start: exponent.op_span.end, end: exponent.operand.span.start });
            let sign = signs.trim().trim_matches('(').to_owned();
            let exponent = self.expr(&exponent.operand)?;
            return Ok(format!("{power}({}, {sign}{})", base.text, exponent.text).into());
        }
        let mut parts = vec![base];
        parts.extend(exponents.iter().map(|x| &x.operand));
        let text = self.spliced(e.span, &parts, true)?;
        let from = parts.iter().filter_map(|p| self.dtype(p.span)).collect::<Vec<_>>();
        let to = self.dtype(e.span);
        Ok(self.fitted(Code::of(text), &from, to))
    }
}

/// The part of a chain of steps that ends at `end`, as it is seen.
pub(super) fn upto(e: &Expr, base: &Expr, trailers: &[Trailer], count: usize) -> Span {
    match count.checked_sub(1) {
        None => base.span,
        Some(k) => Span { start: e.span.start.min(base.span.start), end: trailers[k].span.end },
    }
}

impl Problem {
    /// What an expression of the language has no words for.
    pub fn shape(word: &str) -> Problem {
        Problem::new(
            format!("the shape of {word} changes from call to call"),
            "write the sizes out, or export --to torch",
        )
    }
}

fn is_call(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Trailers { trailers, .. }
        if matches!(trailers.last().map(|t| &t.kind), Some(TrailerKind::Call(_))))
}
