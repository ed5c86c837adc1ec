//! Calls that speak of derivatives, types and random numbers rather than compute.

use crate::code::{Code, Subject};
use crate::expr::upto;
use crate::problem::{Done, Problem};
use crate::steps::{Ask, How};
use crate::words;
use crate::words::dtypes;
use crate::writer::Writer;
use vjp_eval::{Builtin, Value};
use vjp_export_torch::literal;
use vjp_syntax::ast::*;
use vjp_tensor::{Dtype, Tensor};
use vjp_text::Span;

/// Functions that make arrays of numbers without a type.
const MADE: [&str; 11] = [
    "tensor",
    "as_tensor",
    "asarray",
    "zeros",
    "ones",
    "empty",
    "full",
    "eye",
    "arange",
    "linspace",
    "logspace",
];

/// What a tensor says about memory and history.
pub(crate) const META: [&str; 16] = [
    "stride",
    "is_contiguous",
    "storage_offset",
    "data_ptr",
    "element_size",
    "get_device",
    "type",
    "is_inference",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "untyped_storage",
    "storage",
    "is_shared",
    "is_pinned",
    "result_type",
    "promote_types",
];

/// No more drawn numbers than this are written out.
pub(crate) const MANY: usize = 5000;

/// The place of an [`Ask`] in a text.
pub(crate) fn mark(n: usize) -> String {
    format!("\u{1}{n}\u{1}")
}

impl<'a> Writer<'a> {
    /// `torch.autograd.grad(y, x)` and what follows it; None where it is something else.
    pub(crate) fn derivative(
        &mut self,
        e: &'a Expr,
        base: &'a Expr,
        trailers: &'a [Trailer],
    ) -> Done<Option<Code>> {
        let place = trailers.iter().position(|t| matches!(t.kind, TrailerKind::Call(_)));
        let Some(k) = place else { return Ok(None) };
        let is_grad = matches!(self.known(e, base, trailers, k), Some(Value::Builtin(b)) if b.module == "torch.autograd" && b.name == "grad");
        let (true, TrailerKind::Call(args)) = (is_grad, &trailers[k].kind) else {
            return Ok(None);
        };
        let whole = upto(e, base, trailers, k + 1);
        let first = matches!(trailers.get(k + 1).map(|t| &t.kind), Some(TrailerKind::Index(i)) if matches!(i.kind, ExprKind::Int(0)));
        let ends = trailers.len() == k + 1 || (first && trailers.len() == k + 2);
        if !ends {
            return Err(Problem::new(
                "the result of torch.autograd.grad is used directly",
                "assign it to a name first",
            ));
        }
        let found = match self.value(whole) {
            Some(Value::Tuple(t)) => t.items.iter().map(Value::is_none).collect(),
            _ => vec![false],
        };
        if found.iter().all(|none| *none) {
            if !self.hooks.is_empty() {
                return Err(Problem::new(
                    "there are hooks, and a gradient is None",
                    "remove the hooks, or export --to torch",
                ));
            }
            let text = match first {
                true => "None".to_owned(),
                false => format!("({},)", vec!["None"; found.len()].join(", ")),
            };
            return Ok(Some(text.into()));
        }
        if found.iter().any(|none| *none) {
            return Err(Problem::new(
                "some of these gradients are None",
                "request only those that exist",
            ));
        }
        let named = |word: &str, place: usize| {
            let by_name =
                args.iter().find(|a| matches!(a.kind, ArgKind::Named(n) if n.as_str() == word));
            by_name.or(args.get(place).filter(|a| a.kind == ArgKind::Positional)).map(|a| &a.value)
        };
        let (Some(y), Some(x)) = (named("outputs", 0), named("inputs", 1)) else {
            return Err(Problem::new(
                "the arguments of torch.autograd.grad are not written out",
                "write torch.autograd.grad(y, x)",
            ));
        };
        if named("is_grads_batched", 7).is_some() {
            return Err(Problem::lacks("is_grads_batched"));
        }
        let whole_net = self.parameters_of(x)?;
        let leaves = match &whole_net {
            Some(params) => vec![params.clone()],
            None => self.asked_leaves(x)?,
        };
        let how = match (first, leaves.len()) {
            _ if whole_net.is_some() => How::Gradient,
            (true, 1) => How::Gradient,
            _ => How::Gradients,
        };
        let weight = match named("grad_outputs", 2).map(|v| (v, &v.kind)) {
            None | Some((_, ExprKind::None)) => None,
            Some((_, ExprKind::List(items) | ExprKind::Tuple(items))) if items.len() == 1 => {
                Some(self.expr(&items[0])?.text)
            }
            Some((v, _)) => Some(self.expr(v)?.text),
        };
        let code = self.ask(y, leaves, weight, how)?;
        if let Some(params) = whole_net {
            // A dict's keys would come in another order.
            let by_name = self.helper("in_order");
            let all = format!("{by_name}({}, {params})", code.text);
            return Ok(Some(if first { format!("{all}[0]").into() } else { all.into() }));
        }
        Ok(Some(match (first, how) {
            (true, How::Gradients) => format!("{}[0]", code.text).into(),
            _ => code,
        }))
    }

    /// The dict of a net's parameters, where `net.parameters()` or a list of it stands.
    pub(crate) fn parameters_of(&mut self, x: &'a Expr) -> Done<Option<String>> {
        if let Some(("list" | "tuple", [only])) = name_call(x) {
            return self.parameters_of(&only.value);
        }
        let ExprKind::Trailers { base, trailers } = &x.kind else { return Ok(None) };
        let Some(([], "parameters", [])) = method_call(trailers) else { return Ok(None) };
        let Some((module, 0)) = self.module_at(base, trailers) else { return Ok(None) };
        let (net, params) = self.net_of(&module)?;
        self.reads_params(net, &params);
        Ok(Some(params))
    }

    /// Names that a call differentiates by.
    fn asked_leaves(&mut self, x: &'a Expr) -> Done<Vec<String>> {
        let items = match &x.kind {
            ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().collect(),
            _ => vec![x],
        };
        let mut leaves = Vec::new();
        for item in items {
            let code = self.expr(item)?;
            if !code.is_name() {
                return Err(Problem::new(
                    format!("{} has no variable name", self.source.slice(item.span)),
                    "assign the leaf to a name",
                ));
            }
            leaves.push(code.text);
        }
        Ok(leaves)
    }

    fn ask(
        &mut self,
        y: &'a Expr,
        leaves: Vec<String>,
        weight: Option<String>,
        how: How,
    ) -> Done<Code> {
        let items = match &y.kind {
            ExprKind::List(items) | ExprKind::Tuple(items) if items.len() == 1 => &items[0],
            ExprKind::List(_) | ExprKind::Tuple(_) => {
                return Err(Problem::new(
                    "JAX has no gradient of several outputs at once",
                    "compute it for each, or for their sum",
                ));
            }
            _ => y,
        };
        // What it reads counts for the step that asks.
        self.expr(items)?;
        let scalar = self.is_scalar(items.span);
        let n = self.asks.len();
        let mut read = std::collections::HashSet::new();
        crate::names::bindings::read_in(items, &mut read);
        let given = self.comprehended.iter().flatten().filter(|n| read.contains(*n));
        let mut given: Vec<String> = given.cloned().collect();
        given.sort();
        given.dedup();
        self.asks.push(Ask { y: items, leaves, weight, how, scalar, given });
        Ok(mark(n).into())
    }

    /// A function that the PyTorch program brought along.
    pub(crate) fn prompt_form(&mut self, e: &'a Expr, name: &str, args: &'a [Arg]) -> Done<Code> {
        let function = args.first().is_some_and(|a| {
            let value = self.value(a.value.span);
            matches!(value, Some(Value::Function(_) | Value::Builtin(_) | Value::Object(_)))
        });
        match (name.trim_end_matches('_'), args) {
            ("stacked", [a]) => {
                let code = self.expr(&a.value)?;
                let to = self.dtype(e.span);
                let dtype = match (self.mixed, to) {
                    (true, Some(to)) => dtypes::name(to, self.double),
                    _ => "float",
                };
                Ok(format!("jnp.array({}, dtype={dtype})", code.text).into())
            }
            ("step", [x]) => {
                let x = self.expr(&x.value)?;
                Ok(format!("jnp.sign(jnp.maximum({}, 0))", x.text).into())
            }
            ("vander", _) => Ok(format!("jnp.vander({})", self.plain_args(args)?).into()),
            ("gradcheck", _) => Err(Problem::meta("gradcheck")),
            ("drawn", _) => self.drawn(e.span)?.ok_or_else(|| Problem::lacks(name)),
            (word @ ("jacobian" | "hessian" | "grad"), [f, x]) if function => {
                self.traceable(&f.value)?;
                let (f, x) = (self.expr(&f.value)?, self.expr(&x.value)?);
                Ok(format!("jax.{word}({})({})", f.text, x.text).into())
            }
            (word @ ("vjp" | "jvp"), [f, ..]) if function => {
                self.traceable(&f.value)?;
                let helper = self.helper(&format!("functional_{word}"));
                let args = self.plain_args(args)?;
                Ok(format!("{helper}({args})").into())
            }
            ("grad", [f, ..]) if function => {
                self.traceable(&f.value)?;
                let helper = self.helper("functional_vjp");
                let args = self.plain_args(args)?;
                Ok(format!("{helper}({args})[1]").into())
            }
            ("jacobian", [y, x]) => self.asked(&y.value, &x.value, None, How::Jacobian),
            ("hessian", [y, x]) => self.asked(&y.value, &x.value, None, How::Hessian),
            ("grad", [y, x]) => self.asked(&y.value, &x.value, None, How::Gradient),
            ("grad" | "vjp", [y, x, v]) => {
                self.asked(&y.value, &x.value, Some(&v.value), How::Gradient)
            }
            ("jvp", [y, x, u]) => self.asked(&y.value, &x.value, Some(&u.value), How::Push),
            _ => Err(Problem::lacks(name)),
        }
    }

    fn asked(&mut self, y: &'a Expr, x: &'a Expr, v: Option<&'a Expr>, how: How) -> Done<Code> {
        let leaves = self.asked_leaves(x)?;
        let weight = match v {
            // A tangent for each input.
            Some(Expr { kind: ExprKind::Tuple(items) | ExprKind::List(items), .. })
                if leaves.len() > 1 && items.len() == leaves.len() && matches!(how, How::Push) =>
            {
                let each = items
                    .iter()
                    .map(|u| Ok(format!("jnp.asarray({}, dtype=float)", self.expr(u)?.text)));
                Some(each.collect::<Done<Vec<String>>>()?.join(", "))
            }
            Some(v) if self.is_tensor(v.span) => Some(self.expr(v)?.text),
            Some(v) => Some(format!("jnp.asarray({}, dtype=float)", self.expr(v)?.text)),
            None => None,
        };
        self.ask(y, leaves, weight, how)
    }

    /// What a call drew at random, as numbers.
    pub(crate) fn drawn(&mut self, whole: Span) -> Done<Option<Code>> {
        let Some(sight) = self.sight(whole).filter(|s| !s.drawn.is_empty()) else {
            return Ok(None);
        };
        let again = || {
            Problem::new(
                "random numbers are drawn repeatedly here; JAX draws different ones",
                "draw them once before the loop, or export --to torch",
            )
        };
        match sight.drawn.as_slice() {
            [Value::Tensor(t)] if !self.asks_gradient(whole) || t.is_leaf() => {
                let t = t.value();
                if t.numel() > MANY {
                    return Err(Problem::new(
                        format!("{} random numbers are drawn here", t.numel()),
                        "export --to torch, which draws the same numbers",
                    ));
                }
                Ok(Some(self.array(&t)))
            }
            [_] => Err(Problem::new(
                "the random values drawn here cannot be written as numbers",
                "export --to torch",
            )),
            _ => Err(again()),
        }
    }

    /// An array with its numbers.
    pub(crate) fn array(&self, t: &Tensor) -> Code {
        let numbers = literal::tensor(t);
        let usual = match t.dtype() {
            Dtype::Bool | Dtype::Int64 => true,
            d => d == self.default_float() && !(self.mixed && t.shape().is_empty()),
        };
        match usual && t.numel() > 0 {
            true => format!("jnp.array({numbers})").into(),
            false if t.numel() == 0 => {
                let shape = literal::shape(t.shape());
                format!("jnp.zeros({shape}, dtype={})", dtypes::name(t.dtype(), self.double)).into()
            }
            false => {
                format!("jnp.array({numbers}, dtype={})", dtypes::name(t.dtype(), self.double))
                    .into()
            }
        }
    }

    /// A value that the program must not be differentiated through.
    pub(crate) fn stopped(&self, code: &Code, span: Span) -> Code {
        let inside = self.traced || !self.locals.is_empty();
        match inside && (self.asks_gradient(span) || self.sight(span).is_none()) {
            true => format!("jax.lax.stop_gradient({})", code.text).into(),
            false => code.clone(),
        }
    }

    /// Calls that are more than their words.
    pub(crate) fn special(
        &mut self,
        b: &'static Builtin,
        subject: Option<&Subject>,
        args: &'a [Arg],
        whole: Span,
    ) -> Done<Option<Code>> {
        let first = args.first().map(|a| &a.value);
        if let Some(this) = subject {
            return self.special_method(b, this, args, whole);
        }
        Ok(Some(match (b.module, b.name) {
            (_, name) if META.contains(&name) => match self.value(whole) {
                Some(Value::Dtype(d)) => dtypes::name(*d, self.double).into(),
                _ => return Err(Problem::meta(&words::spoken(b))),
            },
            ("torch", "get_default_dtype") => match self.value(whole) {
                Some(Value::Dtype(d)) => dtypes::name(*d, self.double).into(),
                _ => return Err(Problem::lacks("torch.get_default_dtype")),
            },
            ("torch", "is_tensor") => {
                let Some(x) = first else { return Ok(None) };
                format!("isinstance({}, jax.Array)", self.expr(x)?.text).into()
            }
            ("torch", name) if MADE.contains(&name) => return self.made(b, args, whole),
            ("torch.nn.functional" | "torch", name) if name.contains("dropout") => {
                return self.dropout(b, args, whole);
            }
            ("torch.autograd.functional", _) => return self.functional(b, args).map(Some),
            ("torch.func" | "torch", "vmap") | ("torch.func", _) => {
                return self.transform(b, args).map(Some);
            }
            _ => return Ok(None),
        }))
    }

    fn special_method(
        &mut self,
        b: &'static Builtin,
        this: &Subject,
        args: &'a [Arg],
        whole: Span,
    ) -> Done<Option<Code>> {
        let own = this.code.tight();
        let rank = self.shape(this.span).map(|s| s.len());
        Ok(Some(match b.name {
            "type" if args.is_empty() => return Err(Problem::meta(".type()")),
            "to" | "type" | "type_as" | "float" | "double" | "half" | "bfloat16" | "long"
            | "int" | "short" | "char" | "byte" | "bool" | "cpu" => {
                let (from, to) = (self.dtype(this.span), self.dtype(whole));
                match (from, to) {
                    (Some(from), Some(to)) if from == to => this.code.clone(),
                    (from, Some(to)) => {
                        let name = dtypes::name(to, self.double);
                        let whole = from.is_some_and(Dtype::is_float)
                            && !to.is_float()
                            && to != Dtype::Bool;
                        // Below 0 PyTorch counts on from the other end.
                        let short =
                            whole && matches!(to, Dtype::Uint8 | Dtype::Int8 | Dtype::Int16);
                        let first = if short { "jnp.int32" } else { name };
                        let mut code = match whole && self.any_is(this.span, |f| !f.finite) {
                            true => {
                                format!("{}({}, {first})", self.helper("whole"), this.code.text)
                            }
                            false => format!("{own}.astype({first})"),
                        };
                        if short {
                            code += &format!(".astype({name})");
                        }
                        code.into()
                    }
                    _ => {
                        return Err(Problem::new(
                            format!("this .{}() never ran, so its dtype is unknown", b.name),
                            "leave it out, or export --to torch",
                        ));
                    }
                }
            }
            name if META.contains(&name) => return Err(Problem::meta(&format!(".{name}()"))),
            "item" | "tolist" => {
                let stopped = self.stopped(&this.code, this.span);
                format!("{}.{}()", stopped.tight(), b.name).into()
            }
            "numpy" => {
                let stopped = self.stopped(&this.code, this.span);
                format!("np.asarray({})", stopped.text).into()
            }
            "detach" => self.stopped(&this.code, this.span),
            "requires_grad_" | "retain_grad" | "contiguous" | "clone" => this.code.clone(),
            "size" if args.is_empty() => format!("{own}.shape").into(),
            "size" => format!("{own}.shape[{}]", self.plain_args(args)?).into(),
            "dim" | "ndimension" => format!("{own}.ndim").into(),
            "numel" | "nelement" => format!("{own}.size").into(),
            "is_floating_point" => format!("jnp.issubdtype({own}.dtype, jnp.floating)").into(),
            "expand" | "broadcast_to" | "view" | "reshape" | "unflatten" | "flatten"
                if self.has_minus_one(args)
                    || b.name == "unflatten"
                    || (b.name == "flatten" && !args.is_empty()) =>
            {
                // Sizes that are left open are known by now.
                let keeps = matches!(b.name, "view" | "reshape");
                if keeps {
                    return Ok(None);
                }
                let shape =
                    self.shape(whole).ok_or_else(|| Problem::shape(self.source.slice(whole)))?;
                let shape = literal::shape(&shape);
                match b.name {
                    "expand" | "broadcast_to" => {
                        format!("jnp.broadcast_to({}, {shape})", this.code.text).into()
                    }
                    _ => format!("{own}.reshape({shape})").into(),
                }
            }
            "squeeze"
                if !args.is_empty()
                    && self.shape(this.span) == self.shape(whole)
                    && rank.is_some() =>
            {
                // A dimension that is not 1 stays.
                this.code.clone()
            }
            "backward" | "register_hook" | "register_post_accumulate_grad_hook" => {
                return Err(Problem::new(
                    format!(".{}() inside an expression", b.name),
                    "write it as a separate statement",
                ));
            }
            _ => return Ok(None),
        }))
    }

    fn has_minus_one(&self, args: &[Arg]) -> bool {
        args.iter().any(|a| self.source.slice(a.value.span).contains('-'))
    }

    /// `torch.tensor([1., 2.])` and its like, in the type that PyTorch gives.
    fn made(&mut self, b: &'static Builtin, args: &'a [Arg], whole: Span) -> Done<Option<Code>> {
        let array = args.first().is_some_and(|a| {
            self.is_tensor(a.value.span)
                || matches!(
                    self.sight(a.value.span).map(|s| s.kinds.as_slice()),
                    Some([vjp_eval::record::watched_values::Seen::Array(_)])
                )
        });
        let copies = matches!(b.name, "tensor" | "as_tensor" | "asarray" | "from_numpy");
        let typed =
            args.iter().any(|a| matches!(a.kind, ArgKind::Named(n) if n.as_str() == "dtype"));
        // JAX takes no number that is out of a type's range; PyTorch wraps around.
        if let (Some(to @ (Dtype::Uint8 | Dtype::Int8)), true, Some(first)) =
            (self.dtype(whole), copies && !array, args.first())
        {
            let code = self.expr(&first.value)?.text;
            let name = dtypes::name(to, self.double);
            return Ok(Some(format!("jnp.array({code}).astype({name})").into()));
        }
        let (Some(to), true) = (self.dtype(whole), self.mixed) else {
            return Ok(None);
        };
        let usual = to == self.default_float() && !self.is_scalar(whole);
        if typed || usual || !to.is_float() || (array && copies) {
            return Ok(None);
        }
        let Some(word) = crate::words::Word::of(b) else { return Ok(None) };
        let mut types = Vec::new();
        let line = b.signature.lines().next().unwrap_or_default();
        let Some(bound) = self.bound_once(line, args, &mut types)? else { return Ok(None) };
        let Some(code) = word.filled(&bound, false) else { return Ok(None) };
        let text = code.text.strip_suffix(')').unwrap_or(&code.text).to_owned();
        Ok(Some(format!("{text}, dtype={})", dtypes::name(to, self.double)).into()))
    }

    /// `torch.autograd.functional.jacobian(f, x)` …
    fn functional(&mut self, b: &'static Builtin, args: &'a [Arg]) -> Done<Code> {
        let named = |word: &str, place: usize| {
            let by_name =
                args.iter().find(|a| matches!(a.kind, ArgKind::Named(n) if n.as_str() == word));
            by_name.or(args.get(place).filter(|a| a.kind == ArgKind::Positional)).map(|a| &a.value)
        };
        let (Some(f), Some(x)) = (named("func", 0), named("inputs", 1)) else {
            return Err(Problem::lacks(&words::spoken(b)));
        };
        let several = match &x.kind {
            ExprKind::Tuple(items) | ExprKind::List(items) => Some(items.len()),
            _ => match self.value(x.span) {
                Some(Value::Tuple(_) | Value::List(_)) => {
                    return Err(Problem::new(
                        "the inputs are a tuple in a variable",
                        "write the tuple in the call",
                    ));
                }
                _ => None,
            },
        };
        self.traceable(f)?;
        let function = self.expr(f)?;
        let inputs = self.expr(x)?;
        if let "jacobian" | "hessian" = b.name {
            let way = self.transformation(b.name)?;
            return Ok(match several {
                None => format!("{way}({})({})", function.text, inputs.text).into(),
                Some(n) => {
                    let all: Vec<String> = (0..n).map(|k| k.to_string()).collect();
                    let bare = &inputs.text[1..inputs.text.len() - 1];
                    let argnums = format!("({})", all.join(", "));
                    format!("{way}({}, argnums={argnums})({bare})", function.text).into()
                }
            });
        }
        if let "jvp" | "hvp" = b.name {
            self.transformation("jvp")?;
        }
        let helper = self.helper(&format!("functional_{}", b.name));
        let mut texts = vec![function.text, inputs.text];
        if let Some(v) = named("v", 2).filter(|v| v.kind != ExprKind::None) {
            texts.push(self.expr(v)?.text);
        }
        Ok(format!("{helper}({})", texts.join(", ")).into())
    }

    /// What JAX calls a derivative of a function. A Function has none in forward mode.
    pub(crate) fn transformation(&mut self, name: &str) -> Done<String> {
        match name {
            _ if self.functions.is_empty() => Ok(format!("jax.{name}")),
            "hessian" => Ok(self.helper("reverse_hessian")),
            "jvp" | "jacfwd" | "linearize" => Err(Problem::new(
                "JAX has no forward-mode derivative of a custom Function",
                "use backward or jacobian, or export --to torch",
            )),
            _ => Ok(format!("jax.{name}")),
        }
    }

    /// `torch.func.grad(f)` …: JAX has the same under nearly the same names.
    fn transform(&mut self, b: &'static Builtin, args: &'a [Arg]) -> Done<Code> {
        let name = match b.name {
            "grad" | "jacrev" | "jacfwd" | "hessian" | "vjp" | "jvp" | "vmap" | "linearize" => {
                self.transformation(b.name)?
            }
            "grad_and_value" => self.helper("grad_and_value"),
            _ => return Err(Problem::lacks(&words::spoken(b))),
        };
        let mut texts = Vec::new();
        for a in args {
            self.traceable(&a.value)?;
            let code = self.expr(&a.value)?.text;
            texts.push(match a.kind {
                ArgKind::Named(n) => match n.as_str() {
                    "in_dims" => format!("in_axes={code}"),
                    "out_dims" => format!("out_axes={code}"),
                    "randomness" | "chunk_size" | "strict" => continue,
                    word => format!("{word}={code}"),
                },
                ArgKind::Spread => format!("*{code}"),
                _ => code,
            });
        }
        Ok(format!("{name}({})", texts.join(", ")).into())
    }

    /// Dropout: nothing outside training.
    fn dropout(&mut self, b: &'static Builtin, args: &'a [Arg], whole: Span) -> Done<Option<Code>> {
        let drew = self.sight(whole).is_some_and(|s| !s.drawn.is_empty());
        let Some(first) = args.first() else { return Ok(None) };
        // With p = 1 nothing is drawn.
        let p = args.iter().enumerate().find(|(n, a)| match a.kind {
            ArgKind::Named(name) => name.as_str() == "p",
            _ => *n == 1,
        });
        let p = p.and_then(|(_, a)| self.literal_of(&a.value)?.parse::<f64>().ok());
        if p == Some(1.0) {
            return Err(Problem::new(
                format!("{} drops every element", words::spoken(b)),
                "write 0 * x, or export --to torch",
            ));
        }
        if drew {
            return Err(Problem::new(
                format!("{} drops random elements; JAX draws different ones", words::spoken(b)),
                "switch it off, with training=False or net.eval(), or export --to torch",
            ));
        }
        self.expr(&first.value).map(Some)
    }
}
