//! What an expression is in the exported program, where leaves are tensors.

use super::Writer;
use crate::session_run::Bound;
use vjp_eval::Value;
use vjp_eval::leaf::existing;
use vjp_eval::record::watched_values::{Seen, Sight};
use vjp_maths::Variable;
use vjp_maths::autodiff::ancestors::leaves_of;
use vjp_syntax::ast::*;
use vjp_text::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Tensor,
    /// A Python number.
    Number,
    /// A number at one time, a tensor at another.
    Either,
    List,
    Other,
}

impl Kind {
    fn or(self, other: Kind) -> Kind {
        match (self, other) {
            (a, b) if a == b => a,
            (
                Kind::Tensor | Kind::Number | Kind::Either,
                Kind::Tensor | Kind::Number | Kind::Either,
            ) => Kind::Either,
            (Kind::List, _) | (_, Kind::List) => Kind::List,
            _ => Kind::Other,
        }
    }
}

impl Writer<'_> {
    /// What was seen at a place of the statement.
    pub(super) fn seen(&self, span: Span) -> Option<&Sight> {
        self.session.watch.at((self.ran.source.id(), span))
    }

    /// The one value that was seen there, if it is none of a tensor.
    pub(super) fn value(&self, span: Span) -> Option<&Value> {
        match self.seen(span)?.kinds.as_slice() {
            [Seen::Value(value)] => Some(value),
            _ => None,
        }
    }

    pub(super) fn kind(&self, e: &Expr) -> Kind {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::True | ExprKind::False => {
                Kind::Number
            }
            ExprKind::List(_) | ExprKind::ListComp { .. } => Kind::List,
            // Python's own, of lists: `[a]*2 + [b]`.
            ExprKind::Chain { .. } if matches!(self.value(e.span), Some(Value::List(_))) => {
                Kind::List
            }
            ExprKind::Unary { operand, .. } => self.operand_kind(operand),
            ExprKind::Chain { first, rest } => {
                let one = |k: Kind, l: &Link| joined(k, self.operand_kind(&l.operand));
                rest.iter().fold(self.operand_kind(first), one)
            }
            ExprKind::Power { base, exponents } => {
                let one = |k: Kind, x: &Exponent| joined(k, self.operand_kind(&x.operand));
                exponents.iter().fold(self.operand_kind(base), one)
            }
            ExprKind::Compare { first, rest } => {
                let one = |k: Kind, r: &(CompareOp, Span, Expr)| joined(k, self.operand_kind(&r.2));
                rest.iter().fold(self.operand_kind(first), one)
            }
            ExprKind::IfElse { arms, otherwise } => {
                arms.iter().fold(self.kind(otherwise), |k, (v, _)| k.or(self.kind(v)))
            }
            ExprKind::Trailers { base, trailers } => self.kind_of_trailers(e, base, trailers),
            _ => self.kind_seen(e.span),
        }
    }

    /// As an operand of arithmetic: a list is a vector there.
    fn operand_kind(&self, e: &Expr) -> Kind {
        match self.kind(e) {
            Kind::List => Kind::Tensor,
            kind => kind,
        }
    }

    fn kind_of_trailers(&self, e: &Expr, base: &Expr, trailers: &[Trailer]) -> Kind {
        match trailers.last().map(|t| &t.kind) {
            // An element of a vector is a tensor, also where the list's was a plain number.
            Some(TrailerKind::Index(_))
                if trailers.len() == 1 && self.kind(base) == Kind::Tensor =>
            {
                Kind::Tensor
            }
            // `x.copy()`, which becomes `x.clone()`.
            Some(TrailerKind::Call(_))
                if matches!(&trailers[0].kind, TrailerKind::Attr(n) if n.as_str() == "copy")
                    && trailers.len() == 2
                    && self.kind(base) == Kind::Tensor =>
            {
                Kind::Tensor
            }
            Some(TrailerKind::Call(_)) => {
                let end =
                    trailers.len().checked_sub(2).map_or(base.span.end, |k| trailers[k].span.end);
                let called = Span { start: e.span.start.min(base.span.start), end };
                match self.value(called) {
                    Some(Value::Builtin(b)) if b.module.starts_with("torch") => {
                        self.computed(e.span)
                    }
                    _ => self.kind_seen(e.span),
                }
            }
            _ => self.kind_seen(e.span),
        }
    }

    /// What a function of PyTorch gives: a tensor also where the prompt shows a number.
    fn computed(&self, span: Span) -> Kind {
        match self.kind_seen(span) {
            Kind::Number | Kind::Either => Kind::Tensor,
            kind => kind,
        }
    }

    /// By the values that were seen.
    pub(super) fn kind_seen(&self, span: Span) -> Kind {
        let Some(sight) = self.seen(span) else {
            return Kind::Other;
        };
        let mut kinds = sight.kinds.iter().map(|seen| match seen {
            Seen::Tensor(_) | Seen::Array(_) => Kind::Tensor,
            Seen::Value(value) => self.kind_of(value, span),
        });
        kinds.next().map_or(Kind::Other, |first| kinds.fold(first, Kind::or))
    }

    fn kind_of(&self, value: &Value, span: Span) -> Kind {
        match value {
            Value::Number(n) if self.begins_at_tensors(&n.variable) => Kind::Tensor,
            Value::Number(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) => Kind::Number,
            Value::List(_) => {
                let text = self.ran.source.slice(span);
                match existing(value) {
                    _ if self.session.grows(text) => Kind::List,
                    Some(v) if v.is_leaf() && self.begins_at_tensors(&v) => Kind::Tensor,
                    // A name that was bound to it holds the tensor; a part of one is a tensor too.
                    Some(v) if !v.is_leaf() && !text.starts_with('[') && !text.ends_with(')') => {
                        Kind::Tensor
                    }
                    _ if self.used_as_vector(text) => Kind::Tensor,
                    _ => Kind::List,
                }
            }
            _ => Kind::Other,
        }
    }

    /// Whether what a number or a list remembers begins at a leaf that is exported as a tensor.
    fn begins_at_tensors(&self, v: &Variable) -> bool {
        leaves_of(v).iter().any(|x| {
            self.is_tensor_leaf(&Bound::Leaf(x.id()))
                || x.rank() > 0 && x.name().is_some_and(|n| self.used_as_vector(&n))
        })
    }
}

/// Of an operation: a tensor if either is one.
fn joined(a: Kind, b: Kind) -> Kind {
    match (a, b) {
        (Kind::Tensor, _) | (_, Kind::Tensor) => Kind::Tensor,
        (a, b) => a.or(b),
    }
}
