//! Expressions: names, calls, powers, and `backward` with what it needs.

use super::super::names::{home, spelled};
use super::super::prelude::TORCH;
use super::super::ran::{Bound, Swept};
use super::{GRAPH, Writer, called, literal};
use crate::syntax::ast::*;
use crate::syntax::visit;
use crate::text::names::Symbol;
use crate::text::source::Span;

impl Writer<'_> {
    pub(super) fn target(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(name) => {
                if let Some(new) = spelled(name.as_str()) {
                    self.edits.replace(e.span, new);
                }
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|t| self.target(t));
            }
            _ => self.expr(e),
        }
    }

    /// An operand of arithmetic, where a list is a vector.
    pub(super) fn operand(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::List(_) => self.vector(e),
            _ => self.expr(e),
        }
    }

    /// Not hidden by a name of the program or of a function in it.
    pub(super) fn free(&self, name: Symbol) -> bool {
        !self.own.contains(&name) && !self.ran.before.contains_key(name.as_str())
    }

    pub(super) fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(name) => return self.name(*name, e.span),
            ExprKind::Lambda(function) => self.owns(function),
            ExprKind::ListComp { clauses, .. } | ExprKind::Generator { clauses, .. } => {
                for clause in clauses {
                    if let ExprKind::Name(name) = &clause.target.kind {
                        self.own.insert(*name);
                    }
                }
            }
            ExprKind::Power { base, exponents } => {
                self.powers(exponents);
                self.operand(base);
                return exponents.iter().for_each(|x| self.operand(&x.operand));
            }
            ExprKind::Unary { operand, .. } => return self.operand(operand),
            ExprKind::Chain { first, rest } => {
                let one = |e: &Expr| matches!(&e.kind, ExprKind::List(items) if items.len() == 1);
                // `[c]*n` is Python's repetition.
                let repeats = rest.len() == 1
                    && rest[0].op == BinaryOp::Mul
                    && one(first)
                    && matches!(rest[0].operand.kind, ExprKind::Int(_));
                if !repeats {
                    self.operand(first);
                    return rest.iter().for_each(|l| self.operand(&l.operand));
                }
            }
            ExprKind::Trailers { base, trailers } => return self.trailers(e, base, trailers),
            _ => {}
        }
        let mut parts = Vec::new();
        visit::parts(e, &mut |part| parts.push(part));
        parts.into_iter().for_each(|part| self.expr(part));
    }

    pub(super) fn name(&mut self, name: Symbol, span: Span) {
        let word = name.as_str();
        if self.free(name) {
            if let Some(home) = home(name) {
                return self.edits.replace(span, format!("{home}.{word}"));
            }
            if let Some(v) = word.strip_suffix('ᵀ') {
                let v = spelled(v).unwrap_or_else(|| v.to_owned());
                return self.edits.replace(span, format!("{v}.T"));
            }
        }
        if let Some(new) = spelled(word) {
            self.edits.replace(span, new);
        }
    }

    pub(super) fn trailers(&mut self, e: &Expr, base: &Expr, trailers: &[Trailer]) {
        if let Some((name, args)) = called(e)
            && GRAPH.contains(&name.as_str())
            && self.free(name)
        {
            self.helpers.extend(TORCH.iter().map(|h| h.name).filter(|n| *n == name.as_str()));
            args.iter().for_each(|a| self.operand(&a.value));
        } else {
            match &base.kind {
                ExprKind::List(_) => self.vector(base),
                _ => self.expr(base),
            }
        }
        let short = matches!(&base.kind, ExprKind::Name(n) if self.free(*n) && home(*n).is_some());
        for (n, trailer) in trailers.iter().enumerate() {
            match &trailer.kind {
                TrailerKind::Attr(_) => {}
                TrailerKind::Index(index) => self.expr(index),
                TrailerKind::Call(args) => {
                    let before = n.checked_sub(1).map(|k| &trailers[k].kind);
                    let backward = matches!(before, Some(TrailerKind::Attr(a)) if a.symbol.as_str() == "backward");
                    if backward {
                        self.backward(trailer.span, args);
                        continue;
                    }
                    let graph = n == 0
                        && matches!(&base.kind, ExprKind::Name(f) if GRAPH.contains(&f.as_str()) && self.free(*f));
                    if graph {
                        continue;
                    }
                    for arg in args {
                        // A short function takes a list as the vector it is.
                        match short && n == 0 && takes_vector(base) {
                            true => self.operand(&arg.value),
                            false => self.expr(&arg.value),
                        }
                    }
                }
            }
        }
    }

    /// The arguments of `backward(…)`, whose call ends at `span`.
    pub(super) fn backward(&mut self, span: Span, args: &[Arg]) {
        let weights = args.iter().find(|a| match a.kind {
            ArgKind::Positional => true,
            ArgKind::Named(name) => name.symbol.as_str() == "gradient",
            _ => false,
        });
        let repeated =
            self.ran.swept.iter().any(|s: &Swept| {
                s.repeated && s.span.start <= span.start && span.end <= s.span.end
            });
        if let Some(arg) = weights {
            let v = &arg.value;
            let sum = if repeated { ".sum()" } else { "" };
            match &v.kind {
                ExprKind::None => {}
                ExprKind::List(_) => {
                    self.edits.after(v.span.end, sum);
                    self.vector(v);
                }
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Unary { .. } if literal(v) => {
                    self.edits.around(v.span, "torch.tensor(", ")");
                    self.floats(v);
                }
                ExprKind::Name(name)
                    if self
                        .ran
                        .before
                        .get(name.as_str())
                        .is_some_and(|b| *b == Bound::Tensor || self.is_tensor_leaf(b)) =>
                {
                    self.edits.after(v.span.end, sum);
                    self.expr(v);
                }
                ExprKind::Trailers { .. } | ExprKind::Chain { .. } => {
                    self.edits.after(v.span.end, sum);
                    self.expr(v);
                }
                _ => {
                    self.edits.after(v.span.end, sum);
                    let close = ", dtype=torch.get_default_dtype())";
                    self.edits.around(v.span, "torch.as_tensor(", close);
                    self.expr(v);
                }
            }
        }
        for arg in args.iter().filter(|a| !weights.is_some_and(|w| std::ptr::eq(*a, w))) {
            self.expr(&arg.value);
        }
        let retains = args.iter().any(
            |a| matches!(a.kind, ArgKind::Named(n) if ["retain_graph", "create_graph"].contains(&n.symbol.as_str())),
        );
        if self.session.kept && !retains {
            let comma = if args.is_empty() { "" } else { ", " };
            self.edits.before(span.end - 1, format!("{comma}retain_graph=True"));
        }
    }
}

/// Whether a short function's list arguments are vectors: constructors and joins take lists.
fn takes_vector(base: &Expr) -> bool {
    use crate::maths::ops;
    let ExprKind::Name(name) = &base.kind else {
        return false;
    };
    ops::lookup(name.as_str()).is_some_and(|e| e.signature.starts_with("(Tensor input"))
}
