//! What was seen at each place of the PyTorch program as it ran.

use super::code::Code;
use super::writer::Writer;
use std::collections::HashSet;
use vjp_eval::Value;
use vjp_eval::leaf::existing;
use vjp_eval::record::watched_values::{Form, Seen, Sight};
use vjp_export_torch::literal::{self, quoted};
use vjp_syntax::ast::*;
use vjp_tensor::Dtype;
use vjp_text::Span;

impl Writer<'_> {
    pub(super) fn sight(&self, span: Span) -> Option<&Sight> {
        self.watch.at((self.source.id(), span))
    }

    /// The tensors that were seen there, if nothing else was.
    fn forms(&self, span: Span) -> Option<Vec<&Form>> {
        let sight = self.sight(span)?;
        let form = |seen: &Seen| match seen {
            Seen::Tensor(f) | Seen::Array(f) => Some(f.clone()),
            Seen::Value(_) => None,
        };
        if sight.kinds.is_empty() || !sight.kinds.iter().all(|k| form(k).is_some()) {
            return None;
        }
        Some(
            sight
                .kinds
                .iter()
                .filter_map(|k| match k {
                    Seen::Tensor(f) | Seen::Array(f) => Some(f),
                    Seen::Value(_) => None,
                })
                .collect(),
        )
    }

    pub(super) fn is_tensor(&self, span: Span) -> bool {
        self.sight(span).is_some_and(|s| {
            !s.kinds.is_empty() && s.kinds.iter().all(|k| matches!(k, Seen::Tensor(_)))
        })
    }

    /// Its one type.
    pub(super) fn dtype(&self, span: Span) -> Option<Dtype> {
        let forms = self.forms(span)?;
        let first = forms.first()?.dtype;
        forms.iter().all(|f| f.dtype == first).then_some(first)
    }

    /// Its one shape.
    pub(super) fn shape(&self, span: Span) -> Option<Vec<usize>> {
        let forms = self.forms(span)?;
        let first = &forms.first()?.shape;
        forms.iter().all(|f| f.shape == *first).then(|| first.clone())
    }

    /// Whether some tensor that was seen there is so.
    pub(super) fn any_is(&self, span: Span, so: impl Fn(&Form) -> bool) -> bool {
        self.forms(span).is_some_and(|all| all.iter().any(|f| so(f)))
    }

    /// Whether it is a number without dimensions, each time.
    pub(super) fn is_scalar(&self, span: Span) -> bool {
        self.forms(span).is_some_and(|all| all.iter().all(|f| f.shape.is_empty()))
    }

    /// The one value that was seen there, where it is none of a tensor.
    pub(super) fn value(&self, span: Span) -> Option<&Value> {
        match self.sight(span)?.kinds.as_slice() {
            [Seen::Value(value)] => Some(value),
            _ => None,
        }
    }

    /// Whether gradients flow to what was seen there.
    pub(super) fn asks_gradient(&self, span: Span) -> bool {
        self.sight(span).is_some_and(|s| {
            s.kinds.iter().any(|k| match k {
                Seen::Tensor(f) => f.requires_grad,
                Seen::Value(v) => holds_gradient(v),
                Seen::Array(_) => false,
            })
        })
    }

    /// What was seen, written as Python writes it: numbers, texts, and containers of such.
    pub(super) fn frozen(&self, span: Span) -> Option<Code> {
        let sight = self.sight(span)?;
        if sight.many {
            return None;
        }
        match sight.kinds.as_slice() {
            [Seen::Value(Value::Dtype(d))] => {
                Some(crate::words::dtypes::name(*d, self.double).into())
            }
            [Seen::Value(value)] => literal::value(value).map(Code::of),
            _ => None,
        }
    }

    /// What an argument is, where that is one text, number or truth.
    pub(super) fn literal_of(&self, e: &Expr) -> Option<String> {
        match &e.kind {
            ExprKind::None => Some("None".into()),
            ExprKind::True => Some("True".into()),
            ExprKind::False => Some("False".into()),
            ExprKind::Str(s) => Some(quoted(s)),
            ExprKind::Int(_) | ExprKind::Float(_) => Some(self.source.slice(e.span).to_owned()),
            _ => Some(self.frozen(e.span)?.text),
        }
    }
}

/// Whether a container holds what gradients flow to; it may hold itself.
fn holds_gradient(value: &Value) -> bool {
    let (mut seen, mut rest) = (HashSet::new(), vec![value.clone()]);
    while let Some(value) = rest.pop() {
        if existing(&value).is_some_and(|v| v.requires_grad()) {
            return true;
        }
        let container = matches!(value, Value::List(_) | Value::Tuple(_) | Value::Dict(_));
        if !container || !seen.insert(value.address()) {
            continue;
        }
        match &value {
            Value::List(l) => rest.extend(l.items.borrow().iter().cloned()),
            Value::Tuple(t) => rest.extend(t.items.iter().cloned()),
            Value::Dict(d) => rest.extend(d.entries.borrow().iter().map(|(_, _, v)| v.clone())),
            _ => {}
        }
    }
    false
}
