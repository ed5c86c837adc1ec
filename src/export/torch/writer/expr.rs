//! Expressions: names, calls, powers, and `backward` with what it needs.

use super::kinds::Kind;
use super::{GRAPH, HELPERS, Writer, called};
use crate::names::{home, spelled};
use crate::session_run::Bound;
use vjp_eval::Value;
use vjp_eval::library::builtin;
use vjp_eval::record::watched_values::Seen;
use vjp_syntax::ast::*;
use vjp_syntax::visit;
use vjp_text::{Span, Symbol};
use vjp_transforms::func::transforms::Transform;

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

    /// Operands of the operation `whole`.
    fn operands<'a>(&mut self, whole: &Expr, all: impl Iterator<Item = &'a Expr>) {
        let tensor = |seen: &Seen| matches!(seen, Seen::Tensor(_));
        let vectors = self.seen(whole.span).is_some_and(|s| s.kinds.iter().any(tensor));
        for e in all {
            match (&e.kind, self.kind(e)) {
                (ExprKind::List(_), _) => self.vector(e),
                // A list that was built is a vector where a tensor comes of it.
                (_, Kind::List) if vectors => self.tensor(e),
                _ => self.expr(e),
            }
        }
    }

    /// Numbers alone, maybe nested.
    pub(super) fn literal(&self, e: &Expr) -> bool {
        e.is_literal(&|name, span| {
            self.free(name, span) && matches!(builtin(name, false), Some(Value::Float(_)))
        })
    }

    /// Names of leaves and tensors.
    fn are_inputs(&self, all: &[Expr]) -> bool {
        let is = |x: &Expr| match &x.kind {
            ExprKind::Name(name) => {
                matches!(self.ran.before.get(name.as_str()), Some(Bound::Leaf(_) | Bound::Tensor))
            }
            _ => false,
        };
        !all.is_empty() && all.iter().all(is)
    }

    /// Not hidden by a name of the program or of a function in it.
    pub(super) fn free(&self, name: Symbol, span: Span) -> bool {
        if self.ran.before.contains_key(name.as_str()) {
            return false;
        }
        match (self.seen(span), builtin(name, false)) {
            (Some(sight), Some(own)) => {
                sight.kinds.iter().all(|k| matches!(k, Seen::Value(v) if v.same(&own)))
            }
            // Where nothing ran, nothing that is bound there is taken for another.
            _ => !self.own.contains(&name),
        }
    }

    pub(super) fn expr(&mut self, e: &Expr) {
        self.draws(e);
        match &e.kind {
            ExprKind::Name(name) => return self.name(*name, e.span),
            ExprKind::Power { base, exponents } => {
                self.powers(exponents);
                let exponents = exponents.iter().map(|x| &x.operand);
                return self.operands(e, std::iter::once(&**base).chain(exponents));
            }
            ExprKind::Unary { operand, .. } => return self.operand(operand),
            ExprKind::Chain { first, rest } => {
                let one = |e: &Expr| matches!(&e.kind, ExprKind::List(items) if items.len() == 1);
                // `[c]*n` and lists of tensors: Python's repetition.
                let repeats = rest.len() == 1
                    && rest[0].op == BinaryOp::Mul
                    && one(first)
                    && matches!(rest[0].operand.kind, ExprKind::Int(_));
                let list = matches!(self.value(e.span), Some(Value::List(_)));
                if list && !repeats {
                    // Lists one behind the other: a tensor becomes the list of its parts.
                    let rest = rest.iter().map(|l| &l.operand);
                    for operand in std::iter::once(&**first).chain(rest) {
                        if self.kind(operand) == Kind::Tensor && !self.stays_list(operand) {
                            self.edits.around(operand.span, "list(", ")");
                        }
                        self.expr(operand);
                    }
                    return;
                }
                if !repeats {
                    let rest = rest.iter().map(|l| &l.operand);
                    return self.operands(e, std::iter::once(&**first).chain(rest));
                }
            }
            ExprKind::Compare { first, rest } if self.kind_seen(e.span) == Kind::Tensor => {
                let rest = rest.iter().map(|(_, _, operand)| operand);
                return self.operands(e, std::iter::once(&**first).chain(rest));
            }
            ExprKind::Trailers { base, trailers } => return self.trailers(e, base, trailers),
            // An argument of a function that uses it as a vector.
            ExprKind::List(_) if self.becomes_vector(e) => return self.vector(e),
            _ => {}
        }
        self.parts_of(e);
    }

    /// The name of a list that was built and that no tensor was made of.
    fn stays_list(&self, e: &Expr) -> bool {
        let ExprKind::Name(name) = e.kind else { return false };
        let name = name.as_str();
        let items = 0..self.session.items.len();
        !self.ran.before.get(name).is_some_and(|b| self.is_tensor_leaf(b))
            && !items.into_iter().any(|item| self.session.stacked(item, name))
    }

    /// The parts of an expression that stays as it is.
    pub(super) fn parts_of(&mut self, e: &Expr) {
        let mut parts = Vec::new();
        visit::parts(e, &mut |part| parts.push(part));
        parts.into_iter().for_each(|part| self.expr(part));
    }

    pub(super) fn name(&mut self, name: Symbol, span: Span) {
        let word = name.as_str();
        if self.free(name, span) {
            if let Some(home) = home(name) {
                return self.edits.replace(span, home);
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
        let first = trailers.first().map(|t| &t.kind);
        let mut from = 0;
        if let Some((name, args)) = called(e)
            && GRAPH.contains(&name.as_str())
            && self.free(name, base.span)
        {
            // Of a function alone they make a function.
            let makes = args.iter().filter(|a| a.kind == ArgKind::Positional).count() == 1;
            let own = match makes {
                true => format!("torch.func.{}", name.as_str()),
                false => self.helper(name.as_str()),
            };
            if own != name.as_str() {
                self.edits.replace(base.span, own);
            }
            let of_function = args.first().is_some_and(|f| self.is_function(&f.value));
            for (k, arg) in args.iter().enumerate() {
                match &arg.value.kind {
                    ExprKind::Tuple(items) if k > 0 && of_function => {
                        items.iter().for_each(|x| self.tensor(x));
                    }
                    _ if k > 0 && of_function => self.tensor(&arg.value),
                    // Each of these inputs is meant, not the vector that they are together.
                    ExprKind::List(inputs) if k == 1 && self.are_inputs(inputs) => {
                        inputs.iter().for_each(|x| self.expr(x));
                    }
                    _ => self.operand(&arg.value),
                }
            }
            from = 1;
        } else if let Some((name, args)) = called(e)
            && let Some(call) = trailers.first()
            && self.twin(ends(e, base, call.span.end), name, base.span, args)
        {
            from = 1;
        } else if let Some((name, args)) = called(e)
            && HELPERS.has(name.as_str())
            && self.free(name, base.span)
            && let Some(Value::Builtin(own)) = builtin(name, false)
        {
            let helper = self.helper(name.as_str());
            self.edits.replace(base.span, helper);
            self.arguments(own, false, args);
            from = 1;
        } else if let Some((name, args)) = called(e)
            && let Some(home) = self.home_of_call(name, base.span, args)
        {
            let dim = trailers.first().and_then(|call| self.implied_dim(&home, call.span, args));
            let home = dim.unwrap_or(home);
            self.edits.replace(base.span, home);
        } else if let Some(TrailerKind::Attr(name)) = first {
            self.receiver(base, name.symbol);
        } else {
            match &base.kind {
                ExprKind::List(_) => self.vector(base),
                _ => self.expr(base),
            }
        }
        for (n, trailer) in trailers.iter().enumerate().skip(from) {
            match &trailer.kind {
                TrailerKind::Attr(name) => self.of_list(name.symbol, e, base, trailers, n),
                // PyTorch has no steps backward.
                TrailerKind::Index(index)
                    if is_reversal(index) && !self.is_list(e, base, trailers, n) =>
                {
                    self.edits.replace(trailer.span, ".flip(0)");
                }
                TrailerKind::Index(index) => self.expr(index),
                TrailerKind::Call(args) => {
                    let attr = n.checked_sub(1).and_then(|k| match &trailers[k].kind {
                        TrailerKind::Attr(name) => Some(name.symbol),
                        _ => None,
                    });
                    let end = n.checked_sub(1).map_or(base.span.end, |k| trailers[k].span.end);
                    let of = n.checked_sub(2).map_or(base.span.end, |k| trailers[k].span.end);
                    let module = matches!(self.value(ends(e, base, of)), Some(Value::Module(_)));
                    if attr.is_some_and(|a| a.as_str() == "backward") && !module {
                        self.backward(trailer.span, args);
                        continue;
                    }
                    match self.builtin(ends(e, base, end), attr) {
                        Some((b, method)) if b.module.starts_with("torch") || method => {
                            self.arguments(b, method, args);
                            if b.module == "torch.autograd"
                                && ["grad", "backward"].contains(&b.name)
                            {
                                self.retained(trailer.span, args);
                            }
                        }
                        _ if self.is_derivative(ends(e, base, end)) => {
                            args.iter().for_each(|a| self.tensor(&a.value));
                        }
                        _ => args.iter().for_each(|a| self.expr(&a.value)),
                    }
                }
            }
        }
    }

    fn is_function(&self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Lambda { .. })
            || matches!(
                self.value(e.span),
                Some(Value::Function(_) | Value::Builtin(_) | Value::Object(_))
            )
    }

    /// Whether a function made of another stands there, as `grad(f)`: it takes tensors.
    fn is_derivative(&self, span: Span) -> bool {
        matches!(self.value(span), Some(Value::Object(o)) if o.as_any().is::<Transform>())
    }

    /// A method of lists, where the list is a tensor in the exported program.
    fn of_list(&mut self, word: Symbol, e: &Expr, base: &Expr, trailers: &[Trailer], n: usize) {
        let kind = match n.checked_sub(1) {
            None => self.kind(base),
            Some(k) => self.kind_seen(ends(e, base, trailers[k].span.end)),
        };
        match word.as_str() {
            _ if kind != Kind::Tensor => {}
            "copy" => self.edits.replace(trailers[n].span, ".clone"),
            "index" | "count" => self.edits.before(trailers[n].span.start, ".tolist()"),
            _ => {}
        }
    }

    /// Whether what step `n` is taken of is a list in the exported program.
    fn is_list(&self, e: &Expr, base: &Expr, trailers: &[Trailer], n: usize) -> bool {
        match n.checked_sub(1) {
            None => self.kind(base) == Kind::List,
            Some(k) => matches!(
                self.value(ends(e, base, trailers[k].span.end)),
                Some(Value::List(_) | Value::Tuple(_) | Value::Str(_))
            ),
        }
    }

    /// The arguments of `backward(…)`, whose call ends at `span`.
    pub(super) fn backward(&mut self, span: Span, args: &[Arg]) {
        let weights = args.iter().find(|a| match a.kind {
            ArgKind::Positional => true,
            ArgKind::Named(name) => name.as_str() == "gradient",
            _ => false,
        });
        let repeated = self.session.watch.sweeps.iter().any(|s| {
            let (source, at) = s.place;
            s.repeated
                && source == self.ran.source.id()
                && at.start <= span.start
                && span.end <= at.end
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
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Unary { .. }
                    if self.literal(v) =>
                {
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
                ExprKind::Trailers { .. } | ExprKind::Chain { .. }
                    if self.kind(v) == Kind::Tensor =>
                {
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
        self.retained(span, args);
    }

    /// The graph is kept, where it is used again.
    fn retained(&mut self, span: Span, args: &[Arg]) {
        let retains = args.iter().any(
            |a| matches!(a.kind, ArgKind::Named(n) if ["retain_graph", "create_graph"].contains(&n.as_str())),
        );
        if self.kept && !retains {
            let comma = if args.is_empty() { "" } else { ", " };
            self.edits.before(span.end - 1, format!("{comma}retain_graph=True"));
        }
    }
}

/// `[::-1]`.
fn is_reversal(index: &Expr) -> bool {
    let minus_one = |e: &Expr| match &e.kind {
        ExprKind::Int(-1) => true,
        ExprKind::Unary { signs, operand } => {
            matches!(signs.as_slice(), [(UnaryOp::Minus, _)])
                && matches!(operand.kind, ExprKind::Int(1))
        }
        _ => false,
    };
    matches!(&index.kind, ExprKind::Slice { start: None, stop: None, step: Some(step) } if minus_one(step))
}

/// The part of a chain of steps that ends at `end`, as it is seen.
pub(super) fn ends(e: &Expr, base: &Expr, end: u32) -> Span {
    match end == base.span.end {
        true => base.span,
        false => Span { start: e.span.start.min(base.span.start), end },
    }
}
