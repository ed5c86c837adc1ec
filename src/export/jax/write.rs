//! What PyTorch writes in place: JAX's arrays never change, so a name is bound to a new one.

use super::code::{Code, Subject, is_name};
use super::expr::upto;
use super::problem::{Done, Problem};
use super::writer::Writer;
use vjp_eval::{Builtin, Value};
use vjp_export_torch::literal;
use vjp_library::methods;
use vjp_syntax::ast::*;
use vjp_tensor::Dtype;
use vjp_text::{Span, Symbol};

/// A part of a tensor that shares its memory: how it is read, and how it is put back.
enum Part {
    /// `x[i]`.
    At(String),
    /// Another shape of the same numbers.
    Shaped(String),
    /// The same numbers.
    Same,
    /// Turned, and how to turn it back.
    Turned(String, String),
    Diagonal(String),
}

/// A tensor that is written to: a name, or a part of one.
pub(super) struct Target {
    pub name: String,
    parts: Vec<Part>,
}

/// Operations whose results are truths.
const TRUTHS: &[&str] = &[
    "eq",
    "ge",
    "greater",
    "greater_equal",
    "gt",
    "le",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "lt",
    "ne",
    "not_equal",
];

impl<'a> Writer<'a> {
    /// What an in-place method makes of its object.
    pub(super) fn written_over(
        &mut self,
        this: &Subject,
        b: &'static Builtin,
        args: &'a [Arg],
        whole: Span,
    ) -> Done<Code> {
        let word = b.name.trim_end_matches('_');
        let own = this.code.tight();
        let first = match args.first() {
            Some(a) => Some(self.expr(&a.value)?),
            None => None,
        };
        let first = first.as_ref().map(|c| c.text.clone());
        let covers = matches!(word, "zero" | "fill" | "copy");
        // Behind a leaf is nothing that NaN could reach.
        let behind = self.any_is(this.span, |f| f.requires_grad && !f.leaf);
        if covers && self.infinite && behind {
            let what = format!(".{}() over what may have an infinite slope", b.name);
            return Err(Problem::lacks(&what));
        }
        Ok(match (word, first) {
            ("zero", None) => format!("jnp.zeros_like({})", this.code.text).into(),
            ("fill", Some(v)) => format!("jnp.full_like({}, {v})", this.code.text).into(),
            ("copy", Some(v)) => {
                let same = args.first().and_then(|a| self.shape(a.value.span))
                    == self.shape(this.span)
                    && self.shape(this.span).is_some();
                let cast =
                    args.first().and_then(|a| self.dtype(a.value.span)) == self.dtype(this.span);
                match same && cast {
                    true => v.into(),
                    false => format!(
                        "jnp.broadcast_to(jnp.asarray({v}, dtype={own}.dtype), {own}.shape)"
                    )
                    .into(),
                }
            }
            ("detach", None) => format!("jax.lax.stop_gradient({})", this.code.text).into(),
            ("requires_grad" | "retain_grad", _) => this.code.clone(),
            ("t", None) => format!("{own}.T").into(),
            _ => {
                if let Some(code) = self.drawn(whole)? {
                    return Ok(code);
                }
                let plain = methods::of_tensors(Symbol::new(word))
                    .ok_or_else(|| Problem::lacks(&format!(".{}()", b.name)))?;
                let code = self.builtin(plain, Some(this.clone()), args, whole)?;
                // The type stays that of what is written to.
                let to = self.dtype(this.span);
                let truth = TRUTHS.contains(&word);
                if word.starts_with("logical") && self.asks_gradient(this.span) {
                    return Err(Problem::lacks(&format!(".{}() of what has a gradient", b.name)));
                }
                if let Some(to) = to.filter(|to| (*to != Dtype::Bool) == truth) {
                    let name = crate::words::dtypes::name(to, self.double);
                    return Ok(format!("{}.astype({name})", code.tight()).into());
                }
                let from: Vec<_> =
                    args.iter().filter_map(|a| self.dtype(a.value.span)).chain(to).collect();
                self.fitted(code, &from, to)
            }
        })
    }

    /// A target of a write, where it is a name or a part of one.
    pub(super) fn target(&mut self, e: &'a Expr) -> Done<Target> {
        match &e.kind {
            ExprKind::Name(name) => self.named_target(name.as_str()),
            ExprKind::Trailers { base, trailers } => self.part_target(e, base, trailers),
            _ => Err(Problem::new(
                "this is modified in place; JAX arrays are immutable",
                "assign a name",
            )),
        }
    }

    fn named_target(&mut self, name: &str) -> Done<Target> {
        let name = match self.places.iter().rev().find(|(n, _)| n == name) {
            Some((_, own)) => own.clone(),
            None => name.to_owned(),
        };
        Ok(Target { name, parts: Vec::new() })
    }

    /// The object of a method that writes, or of an index that is assigned.
    pub(super) fn part_target(
        &mut self,
        e: &'a Expr,
        base: &'a Expr,
        trailers: &'a [Trailer],
    ) -> Done<Target> {
        let ExprKind::Name(name) = &base.kind else {
            return Err(Problem::new(
                "part of a value without a name is modified in place; JAX arrays are immutable",
                "give the value a name first",
            ));
        };
        if let Some((module, k)) = self.module_at(base, trailers)
            && let (rest @ [_, ..], true) = (&trailers[k..], k < trailers.len())
        {
            let ahead = trailers.len() - rest.len() + 1;
            let code = self.parameter_of(&module, &rest[0])?;
            let target = Target { name: code, parts: Vec::new() };
            return self.continued(target, e, base, trailers, ahead);
        }
        let target = self.named_target(name.as_str())?;
        self.continued(target, e, base, trailers, 0)
    }

    fn continued(
        &mut self,
        mut target: Target,
        e: &'a Expr,
        base: &'a Expr,
        trailers: &'a [Trailer],
        mut k: usize,
    ) -> Done<Target> {
        while let Some(trailer) = trailers.get(k) {
            let before = upto(e, base, trailers, k);
            k += 1;
            let part = match &trailer.kind {
                TrailerKind::Index(index) => match self.value(before) {
                    // An element of a list of tensors.
                    Some(Value::List(_) | Value::Dict(_)) if target.parts.is_empty() => {
                        let key = self.expr(index)?.text;
                        target.name = format!("{}[{key}]", target.name);
                        continue;
                    }
                    _ => Part::At(self.key(index)?),
                },
                TrailerKind::Attr(name) => {
                    let word = name.as_str();
                    match (word, trailers.get(k).map(|t| &t.kind)) {
                        ("data", _) => Part::Same,
                        ("T", _) => Part::Turned(".T".into(), ".T".into()),
                        ("mT", _) => Part::Turned(".mT".into(), ".mT".into()),
                        ("grad", _) if target.parts.is_empty() => {
                            target.name = self.gradient_name(&target.name)?;
                            continue;
                        }
                        (_, Some(TrailerKind::Call(args))) => {
                            k += 1;
                            self.view(word, args, before, upto(e, base, trailers, k))?
                        }
                        _ => return Err(unwritable(self.source.slice(e.span))),
                    }
                }
                TrailerKind::Call(_) => return Err(unwritable(self.source.slice(e.span))),
            };
            target.parts.push(part);
        }
        Ok(target)
    }

    pub(super) fn gradient_name(&mut self, name: &str) -> Done<String> {
        if is_name(name)
            && !self.is_local(name)
            && matches!(self.machine.lookup(name), Some(Value::Tensor(_)))
        {
            return Ok(format!("{name}_grad"));
        }
        match name.split_once('[') {
            Some((root, key)) => Ok(format!("{}[{key}", self.grads_of(root))),
            None => Err(unwritable(name)),
        }
    }

    /// A method that gives a view, as a part that can be put back.
    fn view(&mut self, word: &str, args: &'a [Arg], before: Span, whole: Span) -> Done<Part> {
        let texts = self.plain_args(args)?;
        Ok(match word {
            "detach" | "requires_grad_" | "contiguous" | "numpy" => Part::Same,
            "view" | "reshape" | "flatten" | "ravel" | "squeeze" | "unsqueeze" | "view_as" => {
                let shape =
                    self.shape(whole).ok_or_else(|| Problem::shape(self.source.slice(whole)))?;
                Part::Shaped(literal::shape(&shape))
            }
            "t" => Part::Turned(".T".into(), ".T".into()),
            "transpose" | "swapaxes" => {
                let turn = format!(".swapaxes({texts})");
                Part::Turned(turn.clone(), turn)
            }
            "diagonal" if args.is_empty() => match self.shape(before).as_deref() {
                Some([n, m]) => Part::Diagonal(format!("jnp.diag_indices({})", n.min(m))),
                _ => return Err(unwritable(word)),
            },
            "select" => {
                let (dim, at) = texts.split_once(", ").ok_or_else(|| unwritable(word))?;
                let dim: i64 = dim.parse().map_err(|_| unwritable(word))?;
                let rank = self.shape(before).map_or(0, |s| s.len()) as i64;
                let dim = if dim < 0 { dim + rank } else { dim };
                let ahead = ":, ".repeat(dim.max(0) as usize);
                Part::At(format!("{ahead}{at}"))
            }
            "narrow" => {
                let parts: Vec<&str> = texts.split(", ").collect();
                let [dim, start, length] = parts.as_slice() else {
                    return Err(unwritable(word));
                };
                let dim: usize = dim.parse().map_err(|_| unwritable(word))?;
                let ahead = ":, ".repeat(dim);
                Part::At(format!("{ahead}{start}:{start} + {length}"))
            }
            _ => return Err(unwritable(word)),
        })
    }

    /// `name = …` with `value` in the place of the target.
    pub(super) fn put(&mut self, target: &Target, value: &str) -> String {
        self.over = Some(target.name.clone());
        format!("{} = {}", target.name, inner(&target.name, &target.parts, value))
    }

    /// The target as it is read.
    pub(super) fn current(&self, target: &Target) -> Code {
        let mut text = target.name.clone();
        for part in &target.parts {
            text = read(&text, part);
        }
        Code::of(text)
    }

    /// `target op= value` with JAX's own words for it where there are some.
    pub(super) fn combined(&mut self, target: &Target, op: BinaryOp, value: &Code) -> String {
        self.over = Some(target.name.clone());
        let words = |op: BinaryOp| match op {
            BinaryOp::Add => Some(format!("add({})", value.text)),
            BinaryOp::Sub => Some(format!("subtract({})", value.text)),
            BinaryOp::Mul => Some(format!("multiply({})", value.text)),
            BinaryOp::Div => Some(format!("divide({})", value.text)),
            _ => None,
        };
        match (target.parts.as_slice(), words(op)) {
            ([Part::At(index)], Some(word)) => {
                format!("{0} = {0}.at[{index}].{word}", target.name)
            }
            ([], _) => format!("{} {}= {}", target.name, op.text(), value.text),
            _ => {
                let now = self.current(target);
                let new = format!("{} {} {}", now.tight(), op.text(), value.tight());
                self.put(target, &new)
            }
        }
    }
}

fn read(text: &str, part: &Part) -> String {
    match part {
        Part::At(index) => format!("{text}[{index}]"),
        Part::Shaped(shape) => format!("{text}.reshape({shape})"),
        Part::Same => text.to_owned(),
        Part::Turned(turn, _) => format!("{text}{turn}"),
        Part::Diagonal(index) => format!("{text}[{index}]"),
    }
}

/// The value of `text` with `value` put into its parts.
fn inner(text: &str, parts: &[Part], value: &str) -> String {
    let Some((first, rest)) = parts.split_first() else {
        return value.to_owned();
    };
    let below = inner(&read(text, first), rest, value);
    match first {
        Part::At(index) | Part::Diagonal(index) => format!("{text}.at[{index}].set({below})"),
        Part::Shaped(_) => format!("{}.reshape({text}.shape)", Code::of(below).tight()),
        Part::Same => below,
        Part::Turned(_, back) => format!("{}{back}", Code::of(below).tight()),
    }
}

fn unwritable(word: &str) -> Problem {
    Problem::new(
        format!("{word} is modified through a view; JAX arrays are immutable"),
        "assign to the tensor itself: x[…] = …",
    )
}
