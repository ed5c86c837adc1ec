//! Steps after a primary, `base.attr(args)[key]`: attributes, calls, methods.

use super::code::{Code, Subject};
use super::expr::upto;
use super::problem::{Done, Problem};
use super::words::{self, Word};
use super::writer::{HELPERS, Writer};
use crate::words::dtypes::keeps_type;
use crate::words::template::{Bound, Given};
use vjp_binder::signature;
use vjp_binder::signature::{Accepts, Param};
use vjp_eval::{Builtin, Value};
use vjp_export_torch::page::names;
use vjp_library::methods;
use vjp_syntax::ast::*;
use vjp_tensor::Dtype;
use vjp_text::{Span, Symbol};

/// Methods of Python's containers and texts.
const PYTHON: &[&str] = &[
    "append",
    "extend",
    "insert",
    "remove",
    "pop",
    "index",
    "count",
    "sort",
    "reverse",
    "copy",
    "clear",
    "keys",
    "values",
    "items",
    "get",
    "update",
    "join",
    "split",
    "strip",
    "format",
    "startswith",
    "endswith",
    "replace",
    "upper",
    "lower",
    "add",
    "is_integer",
];

impl<'a> Writer<'a> {
    pub(super) fn trailers(
        &mut self,
        e: &'a Expr,
        base: &'a Expr,
        trailers: &'a [Trailer],
    ) -> Done<Code> {
        if let Some(code) = self.context_value(base, trailers)? {
            return self.stepped_on(code, e, base, trailers, 1);
        }
        if let Some((code, k)) = self.applied(base, trailers)? {
            return self.stepped_on(code, e, base, trailers, k);
        }
        if let Some(code) = self.derivative(e, base, trailers)? {
            return Ok(code);
        }
        if let Some(code) = self.of_module(e, base, trailers)? {
            return Ok(code);
        }
        let mut k = 0;
        let mut known = self.known(e, base, trailers, 0);
        // Through modules of the library to what is meant.
        while let (Some(Value::Module(module)), Some(TrailerKind::Attr(name))) =
            (&known, trailers.get(k).map(|t| &t.kind))
        {
            if !module.name.starts_with("torch") {
                break;
            }
            let inner = self.known(e, base, trailers, k + 1).or_else(|| module.get(name.symbol));
            if inner.is_none() {
                return Err(Problem::lacks(&format!("{}.{}", module.name, name.symbol)));
            }
            known = inner;
            k += 1;
        }
        let this = match (&known, k) {
            (Some(value), _) if k > 0 || self.is_library(value) => {
                let value = value.clone();
                match trailers.get(k).map(|t| &t.kind) {
                    Some(TrailerKind::Call(args)) => {
                        k += 1;
                        self.library_call(&value, args, upto(e, base, trailers, k))?
                    }
                    _ => match self.library_value(&value)? {
                        Some(code) => code,
                        None => self.source.slice(upto(e, base, trailers, k)).into(),
                    },
                }
            }
            _ => match (&base.kind, trailers.first().map(|t| &t.kind)) {
                (ExprKind::Name(name), Some(TrailerKind::Call(args))) => {
                    k = 1;
                    self.named_call(e, name.as_str(), base.span, args)?
                }
                _ => {
                    let start = Span { start: e.span.start, end: trailers[0].span.start };
                    let code = self.spliced(start, &[base], true)?;
                    Code::of(code)
                }
            },
        };
        self.stepped_on(this, e, base, trailers, k)
    }

    /// The steps from the `k`th on.
    pub(super) fn stepped_on(
        &mut self,
        mut this: Code,
        e: &'a Expr,
        base: &'a Expr,
        trailers: &'a [Trailer],
        mut k: usize,
    ) -> Done<Code> {
        while let Some(trailer) = trailers.get(k) {
            let span = upto(e, base, trailers, k);
            k += 1;
            match &trailer.kind {
                TrailerKind::Attr(name) => {
                    let word = name.as_str();
                    // A method of an object of the program.
                    if self.sight(span).is_none() || !self.is_tensor(span) {
                        self.calls(word);
                    }
                    if let Some(TrailerKind::Call(args)) = trailers.get(k).map(|t| &t.kind) {
                        let called = upto(e, base, trailers, k);
                        k += 1;
                        let whole = upto(e, base, trailers, k);
                        let subject = Subject { code: this, span };
                        this = self.method(subject, word, args, called, whole)?;
                    } else {
                        this = self.attribute(this, word, span, upto(e, base, trailers, k))?;
                    }
                }
                TrailerKind::Call(args) => {
                    let args = self.plain_args(args)?;
                    this = format!("{}({args})", this.tight()).into();
                }
                TrailerKind::Index(index) => {
                    this = self.indexed(this, span, index, upto(e, base, trailers, k))?;
                }
            }
        }
        Ok(this)
    }

    /// What the first `k` steps give, where that is one value.
    pub(super) fn known(
        &self,
        e: &Expr,
        base: &Expr,
        trailers: &[Trailer],
        k: usize,
    ) -> Option<Value> {
        let span = upto(e, base, trailers, k);
        if let Some(value) = self.value(span) {
            return Some(value.clone());
        }
        match (&base.kind, k) {
            (ExprKind::Name(name), 0) => self.known_name(name.as_str(), base.span),
            _ => None,
        }
    }

    /// Whether a value is the library's, not the program's and not Python's.
    fn is_library(&self, value: &Value) -> bool {
        match value {
            Value::Builtin(b) => b.module.starts_with("torch") || b.module == "Tensor",
            Value::Class(c) => words::is_pytorch(c),
            Value::Type(t) => t.module.starts_with("torch"),
            Value::Dtype(_) => true,
            _ => false,
        }
    }

    /// A function, type or constant of the library that is not called.
    pub(super) fn library_value(&mut self, value: &Value) -> Done<Option<Code>> {
        Ok(Some(match value {
            Value::Dtype(d) => crate::words::dtypes::name(*d, self.double).into(),
            Value::Float(f) => {
                let names = [("jnp.pi", std::f64::consts::PI), ("jnp.e", std::f64::consts::E)];
                match names.iter().find(|(_, v)| v == f) {
                    Some((name, _)) => (*name).into(),
                    None if f.is_infinite() => "jnp.inf".into(),
                    None if f.is_nan() => "jnp.nan".into(),
                    None => return Ok(None),
                }
            }
            Value::Type(t) if t.name == "Tensor" => "jax.Array".into(),
            Value::Builtin(b) if b.module.starts_with("torch") => {
                let Some(word) = Word::of(b) else {
                    return Err(Problem::lacks(&words::spoken(b)));
                };
                // A function of one argument is what is left without its brackets.
                let x = Given { code: "x".into(), tensor: true, literal: None };
                let signature = signature(b.signature.lines().next().unwrap_or_default());
                let given = signature.params.iter().enumerate();
                let given = given.map(|(n, _)| (n == 0).then(|| x.clone())).collect();
                let code = Bound { signature, given }.fill(&word.template);
                let code = code.ok_or_else(|| Problem::lacks(&words::spoken(b)))?;
                self.needs(&code);
                match code.text.strip_suffix("(x)") {
                    Some(name) if super::code::is_name(&name.replace('.', "_")) => name.into(),
                    _ => format!("lambda x: {}", code.text).into(),
                }
            }
            _ => return Ok(None),
        }))
    }

    /// Notes the helpers that a text names.
    pub(super) fn needs(&mut self, code: &Code) {
        for name in HELPERS.all() {
            if names(&code.text, name) {
                self.used.insert(name.to_owned());
            }
        }
    }

    /// A call of a function, class or type of the library.
    pub(super) fn library_call(
        &mut self,
        value: &Value,
        args: &'a [Arg],
        whole: Span,
    ) -> Done<Code> {
        match value {
            Value::Builtin(b) => self.builtin(b, None, args, whole),
            Value::Class(c) => self.constructed(c),
            Value::Type(t) => self.typed(t.name, args, whole),
            Value::Function(f)
                if crate::derivatives::calls::META.contains(&f.code.name.as_str()) =>
            {
                Err(Problem::meta(self.source.slice(whole)))
            }
            _ => Err(Problem::lacks(self.source.slice(whole))),
        }
    }

    /// `torch.Tensor([1, 2])`, `torch.Size([2])`, `Variable(x)`.
    fn typed(&mut self, name: &str, args: &'a [Arg], whole: Span) -> Done<Code> {
        let texts = self.plain_args(args)?;
        match name {
            "Size" => Ok(format!("tuple({texts})").into()),
            "Variable" | "Parameter" => match args.first() {
                Some(first) => self.expr(&first.value),
                None => Err(Problem::lacks(name)),
            },
            name if name.ends_with("Tensor") => {
                let dtype = self
                    .dtype(whole)
                    .map_or("float", |d| crate::words::dtypes::name(d, self.double));
                let sizes = args.first().is_some_and(|a| {
                    matches!(self.value(a.value.span), Some(Value::Int(_)))
                        || matches!(a.value.kind, ExprKind::Int(_))
                });
                Ok(match sizes {
                    true => format!("jnp.zeros(({texts},), dtype={dtype})").into(),
                    false => format!("jnp.array({texts}, dtype={dtype})").into(),
                })
            }
            _ => Err(Problem::lacks(&format!("torch.{name}"))),
        }
    }

    /// Arguments as they are, each written for JAX.
    pub(super) fn plain_args(&mut self, args: &'a [Arg]) -> Done<String> {
        let mut texts = Vec::new();
        for a in args {
            let code = self.expr(&a.value)?;
            texts.push(match a.kind {
                ArgKind::Positional => code.text,
                ArgKind::Named(name) => format!("{}={}", name.symbol, code.text),
                ArgKind::Spread => format!("*{}", code.tight()),
                ArgKind::SpreadNamed => format!("**{}", code.tight()),
            });
        }
        Ok(texts.join(", "))
    }

    /// A call of a function of PyTorch, or of a tensor's method on `subject`.
    pub(super) fn builtin(
        &mut self,
        b: &'static Builtin,
        subject: Option<Subject>,
        args: &'a [Arg],
        whole: Span,
    ) -> Done<Code> {
        if let Some(code) = self.special(b, subject.as_ref(), args, whole)? {
            return Ok(code);
        }
        if let Some(code) = self.drawn(whole)? {
            return Ok(code);
        }
        let Some(word) = Word::of(b) else {
            return Err(Problem::lacks(&words::spoken(b)));
        };
        let of_array = subject.is_some();
        if let Some(what) = self.unfit(b, subject.as_ref(), args, whole) {
            return Err(Problem::lacks(&format!("{} of {what}", words::spoken(b))));
        }
        let lift = self.lift(b, subject.as_ref(), args);
        let mut types = Vec::new();
        for line in b.signature.lines() {
            let Some(mut bound) = self.bound(line, subject.as_ref(), args, &mut types)? else {
                continue;
            };
            // A tensor is no dimension: `torch.max(x, y)` is meant for another line.
            let mut pairs = bound.signature.params.iter().zip(&bound.given);
            let whole_number =
                |p: &Param| matches!(p.accepts, Accepts::Int | Accepts::Ints | Accepts::Bool);
            if b.signature.contains('\n')
                && pairs.any(|(p, g)| whole_number(p) && g.as_ref().is_some_and(|g| g.tensor))
            {
                continue;
            }
            let single = lift == Lift::Drop;
            if single {
                for name in ["dim", "dims", "keepdim"] {
                    if let Some(at) = bound.signature.params.iter().position(|p| p.name == name) {
                        bound.given[at] = None;
                    }
                }
            }
            if lift == Lift::Widen
                && let Some(first) = bound.given.first_mut().and_then(Option::as_mut)
            {
                first.code = format!("jnp.atleast_1d({})", first.code.text).into();
            }
            self.widened(&word, &mut bound, &types, whole);
            if let Some(code) = self.with_signs(b, &bound, whole)? {
                return Ok(code);
            }
            let Some(code) = word.filled(&bound, of_array) else {
                continue;
            };
            self.needs(&code);
            let code = match lift {
                Lift::Widen => format!("{}[0]", code.tight()).into(),
                _ => code,
            };
            let to = self.dtype(whole);
            let asked = bound.get("dtype").is_some() && !word.template.contains("{dtype}")
                || (to == Some(Dtype::Uint8) && matches!(b.name, "any" | "all"))
                || to.is_some_and(|to| keeps_type(&bound, &types, to));
            return Ok(match (asked, to) {
                (true, Some(to)) => {
                    let name = crate::words::dtypes::name(to, self.double);
                    format!("{}.astype({name})", code.tight()).into()
                }
                _ if bound.get("dtype").is_some() => code,
                _ => self.fitted(code, &types, to),
            });
        }
        Err(words::options(b, args))
    }

    /// How an operation over dimensions is written of a number without dimensions.
    fn lift(&self, b: &Builtin, subject: Option<&Subject>, args: &[Arg]) -> Lift {
        let span = subject.map(|s| s.span).or(args.first().map(|a| a.value.span));
        // Values and places come in pairs.
        let paired = ["max", "min", "median", "nanmedian", "mode", "kthvalue"].contains(&b.name);
        if !span.is_some_and(|s| self.is_scalar(s)) || paired {
            return Lift::None;
        }
        let given = args.len() + usize::from(subject.is_some()) > 1;
        let has = |word: &str| b.signature.contains(word);
        if (has("keepdim") || b.name == "count_nonzero") && given {
            Lift::Drop
        } else if words::RUNNING.contains(&b.name) {
            Lift::Widen
        } else {
            Lift::None
        }
    }

    /// Arguments of a function at their places.
    pub(super) fn bound_once(
        &mut self,
        line: &'static str,
        args: &'a [Arg],
        types: &mut Vec<vjp_tensor::Dtype>,
    ) -> Done<Option<Bound<'static>>> {
        self.bound(line, None, args, types)
    }

    /// Arguments at their places; None where they do not fit the signature. `types` become those of
    /// the tensors among them.
    fn bound(
        &mut self,
        line: &'static str,
        subject: Option<&Subject>,
        args: &'a [Arg],
        types: &mut Vec<vjp_tensor::Dtype>,
    ) -> Done<Option<Bound<'static>>> {
        let signature = signature(line);
        let mut given: Vec<Option<Given>> = vec![None; signature.params.len()];
        let offset = usize::from(subject.is_some());
        types.clear();
        if let (Some(subject), Some(slot)) = (subject, given.first_mut()) {
            types.extend(self.dtype(subject.span));
            *slot = Some(Given { code: subject.code.clone(), tensor: true, literal: None });
        }
        let places = signature.positional();
        let positional: Vec<&'a Arg> = args
            .iter()
            .filter(|a| matches!(a.kind, ArgKind::Positional | ArgKind::Spread))
            .collect();
        let last = places.checked_sub(1).map(|k| &signature.params[k]);
        let start = places.saturating_sub(1);
        let spread = positional.iter().any(|a| a.kind == ArgKind::Spread);
        let gathers = last.is_some_and(|p| match p.accepts {
            Accepts::Ints | Accepts::Size => {
                start == offset && (positional.len() + offset > start + 1 || spread)
            }
            Accepts::Tensors => {
                positional.len() + offset > places || p.name.starts_with('*') || spread
            }
            _ => p.name.starts_with('*'),
        });
        for (n, arg) in positional.iter().enumerate() {
            let at = n + offset;
            if gathers && at == start {
                let rest = &positional[n..];
                let mut texts = Vec::new();
                for a in rest {
                    types.extend(self.dtype(a.value.span));
                    let code = self.expr(&a.value)?;
                    texts.push(match a.kind {
                        ArgKind::Spread => format!("*{}", code.tight()),
                        _ => code.text,
                    });
                }
                let code = match (texts.as_slice(), spread) {
                    ([one], true) => one.trim_start_matches('*').to_owned(),
                    (several, _) if signature.params[start].name.starts_with('*') => {
                        several.join(", ")
                    }
                    ([one], _) => format!("({one},)"),
                    (several, _) => format!("({})", several.join(", ")),
                };
                let literal = self.sizes(rest);
                given[start] = Some(Given { code: code.into(), tensor: false, literal });
                break;
            }
            if at >= places || arg.kind == ArgKind::Spread {
                return Ok(None);
            }
            given[at] = Some(self.given(&arg.value, &signature.params[at], types)?);
        }
        for arg in args {
            let ArgKind::Named(name) = arg.kind else {
                if arg.kind == ArgKind::SpreadNamed {
                    return Ok(None);
                }
                continue;
            };
            let word = match name.as_str() {
                "axis" if signature.place("axis").is_none() => "dim",
                word => word,
            };
            match signature.place(word) {
                Some(at) if given[at].is_none() => {
                    given[at] = Some(self.given(&arg.value, &signature.params[at], types)?);
                }
                None if crate::words::template::is_silent(word) => {}
                _ => return Ok(None),
            }
        }
        Ok(Some(Bound { signature, given }))
    }

    fn sizes(&self, args: &[&'a Arg]) -> Option<String> {
        let all: Option<Vec<String>> = args.iter().map(|a| self.literal_of(&a.value)).collect();
        Some(format!("({})", all?.join(", ")))
    }

    fn given(
        &mut self,
        e: &'a Expr,
        param: &Param,
        types: &mut Vec<vjp_tensor::Dtype>,
    ) -> Done<Given> {
        let (accepts, tensor) = (param.accepts, self.is_tensor(e.span));
        if let (Accepts::Tensors, ExprKind::List(items) | ExprKind::Tuple(items)) =
            (accepts, &e.kind)
        {
            types.extend(items.iter().filter_map(|i| self.dtype(i.span)));
        }
        types.extend(self.dtype(e.span));
        let mut code = self.expr(e)?;
        if matches!(accepts, Accepts::Ints | Accepts::Size)
            && param.name == "dims"
            && matches!(self.literal_of(e), Some(t) if t.parse::<i64>().is_ok())
        {
            code = format!("({},)", code.text).into();
        }
        if accepts == Accepts::Tensors && tensor {
            code = format!("({},)", code.text).into();
        }
        if matches!(accepts, Accepts::Ints | Accepts::Size)
            && matches!(e.kind, ExprKind::List(_))
            && let Some(inner) = code.text.strip_prefix('[').and_then(|t| t.strip_suffix(']'))
            && !inner.is_empty()
        {
            code = format!("({inner},)").into();
        }
        // JAX takes no lists for arrays.
        if accepts == Accepts::Tensor && matches!(e.kind, ExprKind::List(_)) {
            code = format!("jnp.array({})", code.text).into();
        }
        Ok(Given { code, tensor, literal: if tensor { None } else { self.literal_of(e) } })
    }

    /// A method: of a tensor, an array of NumPy, a value of Python or of the program.
    pub(super) fn method(
        &mut self,
        this: Subject,
        word: &str,
        args: &'a [Arg],
        called: Span,
        whole: Span,
    ) -> Done<Code> {
        let plain = |w: &mut Writer<'a>| -> Done<Code> {
            let args = w.plain_args(args)?;
            Ok(format!("{}.{word}({args})", this.code.tight()).into())
        };
        let tensor = match self.sight(this.span) {
            Some(_) => self.is_tensor(this.span),
            None => !PYTHON.contains(&word) && methods::of_tensors(Symbol::new(word)).is_some(),
        };
        if !tensor {
            // What a container's method changes; see `changed_by` of a statement of its own.
            let root = this.code.text.split(['[', '.']).next().unwrap_or("").to_owned();
            if crate::derivatives::pure::CHANGES.contains(&word)
                && self.bound.contains(&root)
                && !self.is_local(&root)
                && matches!(
                    self.value(this.span),
                    Some(Value::List(_) | Value::Dict(_) | Value::Set(_))
                )
            {
                self.called.insert(root, true);
            }
            return match self.value(called).cloned() {
                Some(Value::Builtin(b)) if b.module.starts_with("torch") => {
                    self.builtin(b, None, args, whole)
                }
                _ => plain(self),
            };
        }
        match methods::of_tensors(Symbol::new(word)) {
            Some(b) if word.ends_with('_') && !word.ends_with("__") => {
                // Of a value that nothing else holds, as in `x.clone().mul_(2)`.
                self.fresh(&this, b, args, whole)
            }
            Some(b) => self.builtin(b, Some(this), args, whole),
            None => plain(self),
        }
    }

    /// An in-place method whose object is a new value.
    fn fresh(
        &mut self,
        this: &Subject,
        b: &'static Builtin,
        args: &'a [Arg],
        whole: Span,
    ) -> Done<Code> {
        if b.name == "requires_grad_" || b.name == "retain_grad" {
            return Ok(this.code.clone());
        }
        if this.code.is_name() || this.code.text.ends_with(']') {
            return Err(Problem::new(
                format!(
                    "{}.{}(…) writes in place inside an expression; JAX arrays are immutable",
                    this.code.text, b.name
                ),
                "write it as a separate statement",
            ));
        }
        self.written_over(this, b, args, whole)
    }

    fn attribute(&mut self, this: Code, word: &str, of: Span, whole: Span) -> Done<Code> {
        if !self.is_tensor(of) && (self.sight(of).is_some() || !words::is_attribute(word)) {
            return Ok(format!("{}.{word}", this.tight()).into());
        }
        Ok(match word {
            "T" | "mT" | "H" | "mH" if self.is_scalar(of) => this,
            "shape" | "dtype" | "ndim" | "T" | "mT" | "size" => {
                format!("{}.{word}", this.tight()).into()
            }
            "H" | "mH" => format!("{}.mT", this.tight()).into(),
            "real" => this,
            "data" if self.traced => format!("jax.lax.stop_gradient({})", this.text).into(),
            "data" => this,
            "grad" => self.gradient(&this, whole)?,
            _ => return Err(Problem::meta(&format!(".{word}"))),
        })
    }

    /// `x.grad`.
    fn gradient(&mut self, this: &Code, whole: Span) -> Done<Code> {
        let none = matches!(self.value(whole), Some(Value::None));
        if none {
            return Ok("None".into());
        }
        let name = this.text.clone();
        if self.leaves.contains(&name) || self.computed.contains(&name) {
            let grad = format!("{name}_grad");
            let maybe = self.sight(whole).is_none_or(|s| {
                s.kinds.len() > 1 && {
                    use vjp_eval::record::watched_values::Seen;
                    s.kinds.iter().any(|k| matches!(k, Seen::Value(Value::None)))
                }
            });
            if maybe {
                self.unset.insert(name);
            }
            self.reads.remove(&this.text);
            self.recorded.remove(&this.text);
            self.reads.insert(grad.clone());
            return Ok(grad.into());
        }
        if let Some((root, key)) = name.split_once('[')
            && self.containers.contains(root)
        {
            let grads = self.grads_of(root);
            self.reads.insert(grads.clone());
            return Ok(format!("{grads}[{key}").into());
        }
        Err(Problem::new(
            format!("{name}.grad: in JAX only named leaves have gradients"),
            "assign the leaf to a name",
        ))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lift {
    None,
    /// Without its dimension.
    Drop,
    /// As a vector of one.
    Widen,
}
