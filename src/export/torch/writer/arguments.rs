//! Arguments: where PyTorch takes a tensor, a number or a list becomes one.

use super::Writer;
use super::kinds::Kind;
use crate::names::{home, homes};
use vjp_binder::signature::{Accepts, Param, Signature, Usual};
use vjp_binder::{overloads, signature};
use vjp_eval::leaf::existing;
use vjp_eval::record::watched_values::Seen;
use vjp_eval::{Builtin, Value};
use vjp_library::methods;
use vjp_syntax::ast::*;
use vjp_syntax::visit;
use vjp_text::{Span, Symbol};

/// Python's functions of numbers and sequences that PyTorch has for tensors under the same name.
const TWINS: [&str; 8] = ["sum", "max", "min", "any", "all", "round", "abs", "sorted"];

impl Writer<'_> {
    /// The function of PyTorch that is called, and whether as a method.
    pub(super) fn builtin(
        &self,
        called: Span,
        attr: Option<Symbol>,
    ) -> Option<(&'static Builtin, bool)> {
        match (self.value(called), attr) {
            (Some(Value::Builtin(b)), _) => Some((*b, false)),
            (Some(Value::Method(m)), _) if m.1.module == "Tensor" => Some((m.1, true)),
            // What a tensor's own method is, nobody looked up.
            (None, Some(name)) => Some((methods::of_tensors(name)?, true)),
            _ => None,
        }
    }

    /// Where PyTorch has the function `name` so that it takes these arguments: `softmax(x)` is one of `F`.
    pub(super) fn home_of_call(&self, name: Symbol, span: Span, args: &[Arg]) -> Option<String> {
        if !self.free(name, span) {
            return None;
        }
        let takes = |home: &String| {
            let lines = home.strip_prefix("torch.").and_then(|word| overloads::of(word, false));
            lines.is_none_or(|lines| lines.iter().any(|l| is_whole(signature(l), args)))
        };
        homes(name).into_iter().find(takes).or_else(|| home(name))
    }

    /// The dimension that `F.softmax(x)` chooses and warns about, written out; the name to call then.
    pub(super) fn implied_dim(&mut self, home: &str, call: Span, args: &[Arg]) -> Option<String> {
        let word = home.strip_prefix("F.")?;
        let [x] = args else { return None };
        let [rank] = self.ranks(x.value.span)[..] else { return None };
        if !["softmax", "log_softmax", "softmin"].contains(&word) {
            return None;
        }
        let dim = if matches!(rank, 0 | 1 | 3) { 0 } else { 1 };
        self.edits.before(call.end - 1, format!(", dim={dim}"));
        Some(if word == "softmin" { home.to_owned() } else { format!("torch.{word}") })
    }

    /// The arguments of a call of a function of PyTorch, those that are no tensors made ones.
    pub(super) fn arguments(&mut self, builtin: &'static Builtin, method: bool, args: &[Arg]) {
        let lines: Vec<&'static Signature> = builtin.signature.lines().map(signature).collect();
        let fitting: Vec<&&Signature> = lines.iter().filter(|s| fits(s, args, method)).collect();
        // Numbers alone: one of them must be a tensor.
        let either = |s: &&&Signature| {
            s.params.first().is_some_and(|p| p.accepts == Accepts::TensorOrNumber)
        };
        let alone = !method
            && fitting.iter().any(either)
            && args.iter().all(|a| matches!(self.kind(&a.value), Kind::Number | Kind::Either));
        if !method
            && let [s] = fitting.as_slice()
            && let Some((first, last)) = listed(s, args)
        {
            self.edits.before(first.start, "[");
            self.edits.after(last.end, "]");
        }
        for (n, arg) in args.iter().enumerate() {
            if n == 0 && alone {
                self.tensor(&arg.value);
                continue;
            }
            // What is called input is a tensor, whatever else the prompt takes.
            let takes = |p: &Param| match p.accepts {
                Accepts::Anything if p.name == "input" => Accepts::Tensor,
                accepts => accepts,
            };
            let param = |s: &Signature| match arg.kind {
                // Tensors one by one: `block_diag(a, b)`, `meshgrid(x, y)`.
                ArgKind::Positional if one_by_one(s, args, n) => Some(Accepts::Tensor),
                ArgKind::Positional => s.params.get(n + usize::from(method)).map(takes),
                ArgKind::Named(name) => s.place(name.as_str()).map(|k| takes(&s.params[k])),
                _ => None,
            };
            let mut accepted: Vec<Accepts> = fitting.iter().filter_map(|s| param(s)).collect();
            if method {
                // `x.flip(0)`: the ints are one argument.
                accepted.retain(|a| *a != Accepts::Size);
            }
            self.argument(&arg.value, &accepted);
        }
    }

    fn argument(&mut self, e: &Expr, accepted: &[Accepts]) {
        let takes = |a: Accepts| accepted.contains(&a);
        let numbers = accepted.iter().any(|a| !matches!(a, Accepts::Tensor | Accepts::Tensors));
        if takes(Accepts::Tensors) {
            return self.parts(e);
        }
        // PyTorch takes no lone int for several: `flip(x, 0)`.
        if takes(Accepts::Size) && !takes(Accepts::Int) && self.is_int(e) {
            self.edits.around(e.span, "(", ",)");
            return self.expr(e);
        }
        if !takes(Accepts::Tensor) || numbers {
            // A list beside tensors is a vector: `mul(x, [1, 2])`.
            return match (&e.kind, takes(Accepts::TensorOrNumber)) {
                (ExprKind::List(_), true) => self.vector(e),
                _ => self.expr(e),
            };
        }
        self.tensor(e);
    }

    fn is_int(&self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Int(_)) || matches!(self.value(e.span), Some(Value::Int(_)))
    }

    /// An expression as a tensor.
    pub(super) fn tensor(&mut self, e: &Expr) {
        match (&e.kind, self.kind(e)) {
            (ExprKind::List(_), _) => self.vector(e),
            (_, Kind::List) if self.are_truths(e.span) => {
                self.edits.around(e.span, "torch.tensor(", ")");
                self.expr(e);
            }
            (_, Kind::List) => {
                let stacked = self.helper("stacked");
                self.edits.around(e.span, format!("{stacked}("), ")");
                self.expr(e);
            }
            (_, Kind::Number) if self.literal(e) => {
                self.edits.around(e.span, "torch.tensor(", ")");
                self.floats(e);
            }
            (ExprKind::True | ExprKind::False | ExprKind::Compare { .. }, Kind::Number) => {
                self.edits.around(e.span, "torch.tensor(", ")");
                self.expr(e);
            }
            (_, Kind::Number) => {
                self.edits.around(e.span, "torch.tensor(float(", "))");
                self.expr(e);
            }
            (_, Kind::Either) => {
                self.edits.around(e.span, "torch.as_tensor(", ", dtype=torch.get_default_dtype())");
                self.expr(e);
            }
            _ => self.expr(e),
        }
    }

    /// A list of True and False is no list of floats.
    pub(super) fn are_truths(&self, span: Span) -> bool {
        match self.value(span) {
            Some(Value::List(l)) => l.items.borrow().iter().all(|v| matches!(v, Value::Bool(_))),
            _ => false,
        }
    }

    /// A list or tuple of tensors: `stack([x, 2])`.
    fn parts(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::List(items) | ExprKind::Tuple(items) => {
                items.iter().for_each(|item| self.tensor(item));
            }
            // Its rows.
            _ if self.kind(e) == Kind::Tensor => {
                self.edits.around(e.span, "list(", ")");
                self.expr(e);
            }
            _ => self.expr(e),
        }
    }

    /// The object of a tensor's method.
    pub(super) fn receiver(&mut self, e: &Expr, method: Symbol) {
        let of_tensors = methods::of_tensors(method).is_some();
        match (&e.kind, self.kind(e)) {
            (ExprKind::List(_), _) => self.vector(e),
            (_, Kind::Number | Kind::Either)
                if of_tensors && !matches!(e.kind, ExprKind::Name(_)) =>
            {
                self.tensor(e);
            }
            (_, Kind::Number | Kind::Either) if of_tensors => self.tensor(e),
            _ => self.expr(e),
        }
    }

    /// Python's `sum(x, dim=0)`, `round(x)` and their like, where they are meant for tensors; false
    /// where they are not.
    pub(super) fn twin(&mut self, call: Span, name: Symbol, span: Span, args: &[Arg]) -> bool {
        let word = name.as_str();
        if !TWINS.contains(&word) || !self.free(name, span) {
            return false;
        }
        let named = args.iter().any(|a| {
            matches!(a.kind, ArgKind::Named(n) if ["dim", "axis", "keepdim", "keepdims"].contains(&n.as_str()))
        });
        let [first, rest @ ..] = args else {
            return false;
        };
        if word == "sorted" {
            // Python's gives a list of a tensor's parts, the prompt's a vector.
            let vector = self.seen(call).is_some_and(|s| {
                !s.kinds.is_empty() && s.kinds.iter().all(|k| matches!(k, Seen::Tensor(_)))
            });
            if vector {
                self.edits.replace(span, "torch.sort");
                self.edits.after(call.end, ".values");
                self.tensor(&first.value);
                for arg in rest {
                    if let ArgKind::Named(name) = arg.kind {
                        self.edits.replace(name.span, "descending");
                    }
                    self.expr(&arg.value);
                }
            }
            return vector;
        }
        let kind = self.kind(&first.value);
        let tensor = kind == Kind::Tensor;
        let without = tensor && rest.is_empty() && self.has_no_dimensions(&first.value);
        // Python's go through the rows.
        let all = rest.is_empty()
            && ["sum", "max", "min"].contains(&word)
            && self.ranks(call) == [0]
            && self.ranks(first.value.span).iter().any(|rank| *rank > 1);
        let elementwise =
            (tensor && word == "round" || kind == Kind::List && word == "abs") && rest.is_empty();
        // `max(a, 0)` of a list, where Python compares the two.
        let pairwise = match (word, rest) {
            ("max" | "min", [second])
                if !named && self.ranks(call).iter().any(|rank| *rank > 0) =>
            {
                Some(second)
            }
            _ => None,
        };
        if pairwise.is_some() {
            self.edits.replace(span, format!("torch.{word}imum"));
            args.iter().for_each(|a| self.tensor(&a.value));
            return true;
        }
        if !(named || without || all || elementwise) {
            return false;
        }
        self.edits.replace(span, format!("torch.{word}"));
        if named && ["max", "min"].contains(&word) && self.kind_seen(call) == Kind::Tensor {
            // PyTorch's give the places too.
            self.edits.after(call.end, ".values");
        }
        self.tensor(&first.value);
        rest.iter().for_each(|a| self.expr(&a.value));
        true
    }

    /// Whether what was seen there are numbers, not vectors.
    fn has_no_dimensions(&self, e: &Expr) -> bool {
        self.ranks(e.span) == [0]
    }

    /// The numbers of dimensions that were seen there, each once; a number has none.
    fn ranks(&self, span: Span) -> Vec<usize> {
        let kinds = self.seen(span).map(|s| s.kinds.as_slice()).unwrap_or_default();
        let mut all: Vec<usize> = kinds
            .iter()
            .filter_map(|k| match k {
                Seen::Tensor(f) | Seen::Array(f) => Some(f.shape.len()),
                Seen::Value(v) if v.is_number() => Some(0),
                Seen::Value(v) => existing(v).map(|v| v.rank()),
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whole numbers with a point, so that a tensor of them has floats.
    pub(super) fn floats(&mut self, e: &Expr) {
        if let ExprKind::List(items) = &e.kind {
            return items.iter().for_each(|item| self.floats(item));
        }
        let whole = !is_float(e);
        self.pointed(e, whole);
    }

    fn pointed(&mut self, e: &Expr, whole: bool) {
        match &e.kind {
            ExprKind::Int(_) if whole => self.edits.after(e.span.end, "."),
            ExprKind::Power { exponents, .. } => self.powers(exponents),
            ExprKind::Name(_) => self.expr(e),
            _ => {}
        }
        let mut parts = Vec::new();
        visit::parts(e, &mut |part| parts.push(part));
        parts.into_iter().for_each(|part| self.pointed(part, whole));
    }
}

/// Whether arithmetic of numbers gives a float as it is.
fn is_float(e: &Expr) -> bool {
    let divides = matches!(&e.kind, ExprKind::Chain { rest, .. } if rest.iter().any(|l| l.op == BinaryOp::Div));
    let mut float = divides || matches!(e.kind, ExprKind::Float(_) | ExprKind::Name(_));
    visit::parts(e, &mut |part| float |= is_float(part));
    float
}

/// Whether a call can be meant for a signature: not too many arguments, no unknown names.
fn fits(s: &Signature, args: &[Arg], method: bool) -> bool {
    let given = args.iter().filter(|a| a.kind == ArgKind::Positional).count();
    let names = args.iter().all(|a| match a.kind {
        ArgKind::Named(n) => s.place(n.as_str()).is_some(),
        _ => true,
    });
    names && given + usize::from(method) <= s.positional().max(1) + 8 * usize::from(spreads(s))
}

/// Whether nothing that a signature requires is missing.
fn is_whole(s: &Signature, args: &[Arg]) -> bool {
    let given = args.iter().filter(|a| a.kind == ArgKind::Positional).count();
    s.params.iter().enumerate().all(|(n, p)| {
        let named = |a: &Arg| matches!(a.kind, ArgKind::Named(w) if s.place(w.as_str()) == Some(n));
        p.usual != Usual::Required || n < given || args.iter().any(named)
    })
}

/// Whether argument `n` is one of the tensors that a signature takes as a list, given one by one.
fn one_by_one(s: &Signature, args: &[Arg], n: usize) -> bool {
    let given = args.iter().filter(|a| a.kind == ArgKind::Positional).count();
    let Some(at) = s.params.iter().position(|p| p.accepts == Accepts::Tensors) else {
        return false;
    };
    // `einsum('ii->', x)`: after the equation a lone tensor is an operand, not a list of its rows.
    let operands = s.params[0].accepts == Accepts::Text;
    n >= at && (s.params[at].starred || operands || given > s.positional())
}

/// Where tensors one by one begin and end that PyTorch takes as a list: `hstack(a, b)`.
fn listed(s: &Signature, args: &[Arg]) -> Option<(Span, Span)> {
    let at = s.params.iter().position(|p| p.accepts == Accepts::Tensors && !p.starred)?;
    let given: Vec<&Arg> = args.iter().filter(|a| a.kind == ArgKind::Positional).collect();
    let only = at == 0 && s.positional() == 1 && given.len() > 1;
    only.then(|| (given[0].value.span, given[given.len() - 1].value.span))
}

/// Whether the last parameter takes several arguments: `x.reshape(2, 3)`.
fn spreads(s: &Signature) -> bool {
    s.params.iter().any(|p| matches!(p.accepts, Accepts::Ints | Accepts::Size | Accepts::Tensors))
}
