//! Assignments and definitions: what a name is bound to, in PyTorch's own words.

use super::kinds::Kind;
use super::{OF_LISTS, Writer, every};
use crate::names::spelled;
use crate::session_run::{Bound, Item};
use vjp_eval::Value;
use vjp_eval::leaf::existing;
use vjp_eval::record::watched_values::Seen;
use vjp_syntax::ast::*;
use vjp_text::Span;

impl Writer<'_> {
    pub(super) fn assigned(&mut self, s: &Stmt, targets: &[Expr], value: &Expr, top: bool) {
        if let [Expr { kind: ExprKind::Trailers { base, trailers }, .. }] = targets
            && let (ExprKind::Name(name), [Trailer { kind: TrailerKind::Index(_), .. }]) =
                (&base.kind, trailers.as_slice())
            && (self.ran.before.get(name.as_str()).is_some_and(|b| self.is_tensor_leaf(b))
                || self.is_list_of_leaf(name.as_str()))
        {
            // Writing into a list that is a leaf makes a new leaf of it.
            let x = spelled(name.as_str()).unwrap_or_else(|| name.as_str().to_owned());
            let between = if s.span == self.ran.tree.span { "\n" } else { "; " };
            self.edits.before(s.span.start, format!("{x} = {x}.detach().clone(){between}"));
            self.expr(value);
            self.edits.after(s.span.end, format!("{between}{x}.requires_grad_()"));
            return;
        }
        let names: Vec<&Expr> = targets.iter().collect();
        match (&value.kind, names.as_slice()) {
            (ExprKind::Tuple(values), [Expr { kind: ExprKind::Tuple(names), .. }])
                if values.len() == names.len() =>
            {
                for (name, value) in names.iter().zip(values) {
                    self.bound(name, value, top);
                }
            }
            (_, [first, ..]) => self.bound(first, value, top),
            _ => self.expr(value),
        }
    }

    /// Whether a name is that of a list of numbers that is a leaf where it is used next, with what was
    /// written into it.
    fn is_list_of_leaf(&self, name: &str) -> bool {
        let later = self.session.items[self.item..].iter().filter_map(|item| match item {
            Item::Statement(ran) => ran.after.get(name),
            _ => None,
        });
        let mut leaves = later.filter(|bound| matches!(bound, Bound::Leaf(_)));
        let list = |bound: &Bound| matches!(bound, Bound::Leaf(_) | Bound::Other);
        !self.session.grows(name)
            && self.ran.before.get(name).is_some_and(list)
            && leaves.next().is_some_and(|bound| self.is_tensor_leaf(bound))
    }

    /// What a name is bound to: a leaf, a vector, or whatever stands there.
    pub(super) fn bound(&mut self, target: &Expr, value: &Expr, top: bool) {
        let ExprKind::Name(name) = &target.kind else {
            return self.expr(value);
        };
        let name = name.as_str();
        if self.session.grows(name) && matches!(value.kind, ExprKind::List(_)) {
            return self.parts_of(value);
        }
        let list = matches!(value.kind, ExprKind::List(_));
        if self.literal(value) && top {
            let now = self.ran.after.get(name);
            let leaf = now.is_some_and(|b| self.is_tensor_leaf(b));
            if leaf || (list && self.used_as_vector(name)) {
                let constant =
                    matches!(now, Some(Bound::Leaf(id)) if self.session.constants.contains(id));
                let grad = if leaf && !constant { ", requires_grad=True" } else { "" };
                self.edits.around(value.span, "torch.tensor(", format!("{grad})"));
                return self.floats(value);
            }
            if list {
                return self.parts_of(value);
            }
        } else if (top && self.session.stacked(self.item, name)) || self.becomes_vector(value) {
            return match list {
                true => self.vector(value),
                false => self.built(value),
            };
        }
        self.expr(value);
    }

    /// Whether the list that an expression gave was used as a vector later.
    pub(super) fn becomes_vector(&self, e: &Expr) -> bool {
        let list = matches!(e.kind, ExprKind::List(_) | ExprKind::ListComp { .. });
        list && matches!(self.value(e.span), Some(v @ Value::List(_)) if existing(v).is_some())
    }

    /// A list that is not written out as a tensor.
    pub(super) fn built(&mut self, e: &Expr) {
        if self.kind(e) == Kind::List {
            let stacked = self.helper("stacked");
            self.edits.around(e.span, format!("{stacked}("), ")");
        }
        self.expr(e);
    }

    /// Whether the session uses a list as a vector: in arithmetic, or asking it for what lists lack.
    pub(super) fn used_as_vector(&self, name: &str) -> bool {
        // The list itself or a part of it.
        let is = |e: &Expr| {
            match &e.kind {
            ExprKind::Name(n) => n.as_str() == name,
            ExprKind::Trailers { base, trailers } => {
                matches!(&base.kind, ExprKind::Name(n) if n.as_str() == name)
                    && trailers.iter().all(|t| {
                        matches!(&t.kind, TrailerKind::Index(i) if matches!(i.kind, ExprKind::Slice { .. }))
                    })
            }
            _ => false,
        }
        };
        let mut used = false;
        for item in &self.session.items {
            let Item::Statement(ran) = item else { continue };
            every(&ran.tree, &mut |e| match &e.kind {
                ExprKind::Chain { first, rest } => {
                    used |= is(first) || rest.iter().any(|l| is(&l.operand));
                }
                ExprKind::Power { base, .. } => used |= is(base),
                ExprKind::Compare { first, rest } => {
                    used |= is(first) || rest.iter().any(|(_, _, operand)| is(operand));
                }
                ExprKind::Unary { operand, .. } => used |= is(operand),
                ExprKind::Trailers { base, trailers } => {
                    // Only vectors have `x[[1, 0]]`, `x[0, 1]`.
                    let index = |t: &TrailerKind| matches!(t, TrailerKind::Index(i) if matches!(i.kind, ExprKind::List(_) | ExprKind::Tuple(_) | ExprKind::Compare { .. }));
                    used |= is(base) && index(&trailers[0].kind);
                    used |= is(base)
                        && matches!(&trailers[0].kind, TrailerKind::Attr(n) if !OF_LISTS.contains(&n.as_str()));
                    for t in trailers {
                        if let TrailerKind::Call(args) = &t.kind
                            && !matches!(&base.kind, ExprKind::Name(n) if ["len", "print", "range", "sum", "list", "sorted", "zip", "enumerate", "min", "max"].contains(&n.as_str()))
                        {
                            used |= args.iter().any(|a| is(&a.value));
                        }
                    }
                }
                _ => {}
            });
        }
        used
    }

    /// A list display as a tensor.
    pub(super) fn vector(&mut self, e: &Expr) {
        if self.literal(e) {
            self.edits.around(e.span, "torch.tensor(", ")");
            return self.floats(e);
        }
        if self.are_truths(e.span) {
            self.edits.around(e.span, "torch.tensor(", ")");
            return self.parts_of(e);
        }
        let stacked = self.helper("stacked");
        self.edits.around(e.span, format!("{stacked}("), ")");
        self.parts_of(e);
    }

    pub(super) fn powers(&mut self, exponents: &[Exponent]) {
        for exponent in exponents {
            self.edits.replace(exponent.op_span, "**");
        }
    }

    /// Only tensors of the program's own are changed in place; numbers and leaves are bound anew.
    pub(super) fn augment(&mut self, target: &Expr, op: BinaryOp, value: &Expr) {
        let operator = match op {
            BinaryOp::BitXor | BinaryOp::Pow => "**",
            op => op.text(),
        };
        if let ExprKind::Name(name) = &target.kind
            && self.rebinds(name.as_str(), target.span)
        {
            let written = spelled(name.as_str()).unwrap_or_else(|| name.as_str().to_owned());
            let between = Span { start: target.span.end, end: value.span.start };
            let sign = self.ran.source.slice(between);
            // Brackets around the whole stand before it.
            let bracket = sign.contains('(');
            let end = between.start + sign.find('=').map_or(0, |at| at as u32 + 1);
            let space = if sign.ends_with('=') { " " } else { "" };
            self.target(target);
            let simple = bracket
                || matches!(
                    value.kind,
                    ExprKind::Name(_)
                        | ExprKind::Int(_)
                        | ExprKind::Float(_)
                        | ExprKind::Trailers { .. }
                );
            let sign = Span { start: between.start, end };
            self.edits.replace(sign, format!(" = {written} {operator}{space}"));
            if !simple {
                self.edits.around(value.span, "(", ")");
            }
        } else {
            self.target(target);
        }
        self.operand(value);
    }

    pub(super) fn rebinds(&self, name: &str, span: Span) -> bool {
        let number = |seen: &Seen| matches!(seen, Seen::Value(v) if v.is_number());
        if self.seen(span).is_some_and(|s| !s.kinds.is_empty() && s.kinds.iter().all(number)) {
            // A leaf inside no_grad keeps its identity.
            let leaf = self.ran.before.get(name).is_some_and(|b| self.is_tensor_leaf(b));
            return !(leaf && self.quiet);
        }
        match self.ran.before.get(name).or_else(|| self.ran.after.get(name)) {
            Some(Bound::Leaf(id)) => self.session.reached.contains(id) && !self.quiet,
            Some(Bound::Number | Bound::Stacked) => !self.quiet,
            _ => false,
        }
    }

    /// `f(x) = …` as a `def`.
    pub(super) fn short_def(&mut self, s: &Stmt, function: &Function) {
        if let [Stmt { kind: StmtKind::Return(Some(value)), .. }] = function.body.as_slice() {
            let head = self.ran.source.slice(Span { start: s.span.start, end: value.span.start });
            // What is in brackets as a whole keeps them.
            let sign = head.rfind('=').unwrap_or(head.len());
            let end = s.span.start + sign as u32 + 1;
            let head = spelled(head[..sign].trim_end())
                .unwrap_or_else(|| head[..sign].trim_end().to_owned());
            let gap = self.ran.source.slice(Span { start: end, end: value.span.start });
            let end = end + (gap.len() - gap.trim_start().len()) as u32;
            let span = Span { start: s.span.start, end };
            self.edits.replace(span, format!("def {head}:\n    return "));
            self.expr(value);
        }
    }
}
