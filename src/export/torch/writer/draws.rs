//! Random numbers. At float64 the prompt shows those that PyTorch draws by default, at float32; a
//! program whose default is float64 draws others, so it is asked for those of float32.

use super::Writer;
use super::expr::ends;
use super::kinds::Kind;
use crate::literal;
use vjp_eval::{Class, Value};
use vjp_syntax::ast::*;
use vjp_tensor::Dtype;
use vjp_text::Span;

/// Functions that make tensors and take a `dtype`.
const MADE: [&str; 5] = ["rand", "randn", "rand_like", "randn_like", "normal"];
/// Methods that fill a tensor.
const FILLED: [&str; 3] = ["normal_", "uniform_", "bernoulli_"];

/// Whether the numbers of a value were drawn at float32 into something wider.
fn is_widened(value: &Value) -> bool {
    let single = |v: &f64| f64::from(*v as f32) == *v || v.is_nan();
    match value {
        Value::Tensor(t) => t.dtype() == Dtype::Float64 && t.value().data().iter().all(single),
        Value::Tuple(t) => !t.items.is_empty() && t.items.iter().all(is_widened),
        _ => false,
    }
}

/// Whether a class is PyTorch's, not the program's.
fn is_layer(class: &Class) -> bool {
    class.module().as_str().is_some_and(|m| m.starts_with("torch"))
}

/// Whether a function gives parameters their first values: `nn.init.xavier_uniform_`.
fn is_first_value(f: &Value) -> bool {
    match f {
        Value::Builtin(b) => b.module == "torch.nn.init",
        Value::Function(f) => f.source.is_own() && f.code.name.as_str().ends_with('_'),
        _ => false,
    }
}

impl Writer<'_> {
    /// Changes the calls of an expression that drew at float32; its parts are not looked at.
    pub(super) fn draws(&mut self, e: &Expr) {
        let ExprKind::Trailers { base, trailers } = &e.kind else {
            return;
        };
        for (k, trailer) in trailers.iter().enumerate() {
            let TrailerKind::Call(args) = &trailer.kind else {
                continue;
            };
            let whole = ends(e, base, trailer.span.end);
            let called =
                ends(e, base, k.checked_sub(1).map_or(base.span.end, |j| trailers[j].span.end));
            let drawn = self.seen(whole).map(|s| s.drawn.as_slice()).unwrap_or_default();
            if !drawn.iter().any(is_widened) {
                self.computed_of_draws(whole, called, args, drawn.len());
                continue;
            }
            let attr = k.checked_sub(1).and_then(|j| match &trailers[j].kind {
                TrailerKind::Attr(name) => Some((j, *name)),
                _ => None,
            });
            match self.value(called) {
                // PyTorch draws in the type of these tensors.
                Some(Value::Builtin(b))
                    if b.name == "normal"
                        && b.module == "torch"
                        && args.iter().any(|a| self.kind(&a.value) == Kind::Tensor) =>
                {
                    for a in args {
                        if self.kind(&a.value) == Kind::Tensor {
                            self.narrowed(&a.value);
                        }
                    }
                    self.edits.after(whole.end, ".double()");
                }
                Some(Value::Builtin(b)) if MADE.contains(&b.name) && b.module == "torch" => {
                    self.made_at_float32(whole, trailer.span, args);
                }
                Some(Value::Builtin(b)) if b.name == "bernoulli" && b.module == "torch" => {
                    if let Some(p) = args.first() {
                        self.narrowed(&p.value);
                        self.edits.after(whole.end, ".double()");
                    }
                }
                Some(f) if is_first_value(f) && !args.is_empty() => {
                    let drawn = self.helper("drawn");
                    let open = Span { start: trailer.span.start, end: trailer.span.start + 1 };
                    self.edits.before(whole.start, format!("{drawn}("));
                    self.edits.replace(open, ", ");
                }
                Some(Value::Class(c)) if is_layer(c) => {
                    self.made_at_float32(whole, trailer.span, args);
                }
                _ => {
                    if let Some((j, name)) = attr
                        && FILLED.contains(&name.as_str())
                    {
                        let comma = if args.is_empty() { "" } else { ", " };
                        let drawn = self.helper("drawn");
                        let start = whole.start;
                        self.edits.before(start, format!("{drawn}(torch.Tensor.{}, ", name.symbol));
                        let open =
                            Span { start: trailers[j].span.start, end: trailer.span.start + 1 };
                        self.edits.replace(open, comma);
                    }
                }
            }
        }
    }

    /// A tensor at float32.
    fn narrowed(&mut self, e: &Expr) {
        match e.kind {
            ExprKind::Name(_) | ExprKind::Trailers { .. } => {
                self.edits.after(e.span.end, ".float()");
            }
            _ => self.edits.around(e.span, "(", ").float()"),
        }
    }

    /// Values computed of what was drawn at float32, as `nn.init.orthogonal_` does: as numbers.
    fn computed_of_draws(&mut self, whole: Span, called: Span, args: &[Arg], times: usize) {
        let [first, ..] = args else { return };
        if times != 1 || !self.value(called).is_some_and(is_first_value) {
            return;
        }
        let Some(Value::Tensor(t)) = self.seen(whole).and_then(|s| s.drawn.first()) else {
            return;
        };
        if t.dtype() == Dtype::Float64 {
            // Drawn all the same, so that the next numbers are the next.
            let numbers = format!(".data.copy_(torch.tensor({}))", literal::tensor(&t.value()));
            let drawn = self.helper("drawn");
            self.edits.before(whole.start, format!("{drawn}("));
            self.edits.replace(Span { start: called.end, end: first.value.span.start }, ", ");
            self.edits.after(whole.end, numbers);
        }
    }

    /// `torch.rand(3)` as `torch.rand(3, dtype=torch.float32).double()`, and a layer likewise.
    fn made_at_float32(&mut self, whole: Span, call: Span, args: &[Arg]) {
        let named = |word: &str| {
            args.iter().find(|a| matches!(a.kind, ArgKind::Named(n) if n.as_str() == word))
        };
        if named("dtype").is_some() {
            return;
        }
        let mut after = ".double()".to_owned();
        let mut dtype = "dtype=torch.float32".to_owned();
        match named("requires_grad") {
            // A leaf is what was widened.
            Some(flag) => {
                self.edits.replace(flag.span, dtype);
                after += ".requires_grad_()";
            }
            None => {
                if !args.is_empty() {
                    dtype.insert_str(0, ", ");
                }
                self.edits.after(call.end - 1, dtype);
            }
        }
        self.edits.after(whole.end, after);
    }
}
