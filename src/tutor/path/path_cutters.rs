//! What ends the way of a gradient, as it is written: methods, functions and blocks.

use vjp_syntax::Mode;
use vjp_syntax::ast::{ArgKind, BinaryOp, Expr, ExprKind, Stmt, StmtKind, TrailerKind};
use vjp_syntax::visit::blocks;
use vjp_text::{Source, Span};

/// How a gradient is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cutter {
    /// `.item()`, `float(…)`, `.tolist()`: a plain number.
    Number,
    /// `.detach()`, `.data`.
    Detach,
    /// `torch.tensor(…)` of what has a gradient.
    Copy,
    /// `.numpy()`, `np.array(…)`.
    Numpy,
    /// `.argmax()`, `.long()`: whole numbers.
    Whole,
    /// `x // 2`.
    Floor,
    /// `x > 1`, `x.gt(1)`.
    Comparison,
    /// `.bool()`
    Bool,
    /// `x.grad`, `grad(y, x)`: itself a gradient.
    Gradient,
    /// `with torch.no_grad():`, `@torch.no_grad()`
    NoGrad,
    /// `torch.set_grad_enabled(False)`
    Disabled,
    /// `x.requires_grad = False`
    Off,
    /// Nothing asked for a gradient.
    Flag,
}

impl Cutter {
    pub fn says(self) -> &'static str {
        match self {
            Cutter::Number => "a plain number, with no record of how it was computed",
            Cutter::Detach => "the values pass through, the gradient does not",
            Cutter::Copy => "a new tensor with the same numbers and no history",
            Cutter::Numpy => "a result of NumPy, with no history",
            Cutter::Whole => "integers, which have no gradient",
            Cutter::Floor => "rounded down to a whole number, which keeps no gradient",
            Cutter::Comparison => "a comparison gives True or False, which has no gradient",
            Cutter::Bool => "True or False, which has no gradient",
            Cutter::Gradient => "a gradient, computed without a graph",
            Cutter::NoGrad => "nothing computed in this block is recorded",
            Cutter::Disabled => "nothing computed after this is recorded",
            Cutter::Off => "no gradient is computed for it from here on",
            Cutter::Flag => "made without requires_grad=True",
        }
    }
}

const METHODS: &[(&str, Cutter)] = &[
    ("item", Cutter::Number),
    ("tolist", Cutter::Number),
    ("detach", Cutter::Detach),
    ("data", Cutter::Detach),
    ("detach_", Cutter::Detach),
    ("numpy", Cutter::Numpy),
    ("argmax", Cutter::Whole),
    ("argmin", Cutter::Whole),
    ("argsort", Cutter::Whole),
    ("long", Cutter::Whole),
    ("int", Cutter::Whole),
    ("bool", Cutter::Bool),
    ("gt", Cutter::Comparison),
    ("ge", Cutter::Comparison),
    ("lt", Cutter::Comparison),
    ("le", Cutter::Comparison),
    ("eq", Cutter::Comparison),
    ("ne", Cutter::Comparison),
];

const FUNCTIONS: &[(&str, Cutter)] = &[
    ("float", Cutter::Number),
    ("int", Cutter::Number),
    ("torch.tensor", Cutter::Copy),
    ("tensor", Cutter::Copy),
    ("torch.as_tensor", Cutter::Copy),
    ("torch.Tensor", Cutter::Copy),
    ("np.array", Cutter::Numpy),
    ("np.asarray", Cutter::Numpy),
    ("argmax", Cutter::Whole),
];

/// Methods that give values and their places.
const PAIRS: [&str; 5] = ["max", "min", "sort", "topk", "median"];

/// What gives a gradient; with `create_graph=True` it keeps its own graph.
const GRADIENTS: &[&str] = &["grad", "torch.autograd.grad", "autograd.grad"];

/// Functions of the library that make a tensor which does not require a gradient.
const MAKERS: &[&str] = &[
    "tensor",
    "ones",
    "zeros",
    "rand",
    "randn",
    "full",
    "eye",
    "arange",
    "linspace",
    "empty",
    "Tensor",
    "ones_like",
    "zeros_like",
    "rand_like",
    "randn_like",
    "from_numpy",
    "FloatTensor",
];

/// Whether this very expression cuts: how, what cuts, all of it, and what goes in.
pub(crate) fn cut(source: &Source, e: &Expr) -> Option<(Cutter, Span, Span, Span)> {
    match &e.kind {
        ExprKind::Trailers { base, trailers } => {
            let base = bracketed(source, base.span);
            for (k, t) in trailers.iter().enumerate() {
                let before = match k {
                    0 => base,
                    k => base.to(trailers[k - 1].span),
                };
                if let TrailerKind::Attr(name) = &t.kind
                    && source.slice(before) != "torch"
                    && let Some((_, cutter)) = METHODS.iter().find(|(n, _)| *n == name.as_str())
                {
                    let called =
                        trailers.get(k + 1).filter(|t| matches!(t.kind, TrailerKind::Call(_)));
                    let is_data = name.as_str() == "data";
                    if is_data || called.is_some() {
                        let end = called.filter(|_| !is_data).map_or(t.span, |c| c.span);
                        return Some((*cutter, t.span.to(end), base.to(end), before));
                    }
                }
                // `.max(1)[1]`: the places, not the values.
                if matches!(&t.kind, TrailerKind::Attr(name) if PAIRS.contains(&name.as_str()))
                    && let Some(second) = trailers.get(k + 2)
                    && ["[1]", ".indices"].contains(&source.slice(second.span).trim())
                {
                    let (span, whole) = (t.span.to(second.span), base.to(second.span));
                    return Some((Cutter::Whole, span, whole, before));
                }
                let call = trailers.get(k + 1).map(|t| &t.kind);
                if matches!(&t.kind, TrailerKind::Attr(name) if name.as_str() == "grad")
                    && !matches!(call, Some(TrailerKind::Call(_)))
                {
                    return Some((Cutter::Gradient, base.to(t.span), base.to(t.span), before));
                }
                if let TrailerKind::Call(args) = &t.kind
                    && GRADIENTS.contains(&source.slice(before))
                    && let [y, ..] = args.as_slice()
                    && !args.iter().any(|a| source.slice(a.span).starts_with("create_graph"))
                {
                    let whole = base.to(t.span);
                    return Some((Cutter::Gradient, whole, whole, y.value.span));
                }
                if let TrailerKind::Call(args) = &t.kind
                    && let Some(cutter) = of_function(source.slice(before))
                    && let given = args.iter().filter(|a| a.kind == ArgKind::Positional)
                    // `np.maximum(0, x)`: the first that is no number.
                    && let Some(first) = given
                        .clone()
                        .find(|a| source.slice(a.span).parse::<f64>().is_err())
                        .or(given.clone().next())
                    && (given.count() == 1
                        || matches!(cutter, Cutter::Whole | Cutter::Comparison | Cutter::Numpy))
                {
                    return Some((cutter, base.to(t.span), base.to(t.span), first.value.span));
                }
            }
            None
        }
        ExprKind::Compare { .. } => Some((Cutter::Comparison, e.span, e.span, e.span)),
        ExprKind::Chain { rest, .. } if rest.iter().any(|l| l.op == BinaryOp::FloorDiv) => {
            Some((Cutter::Floor, e.span, e.span, e.span))
        }
        _ => None,
    }
}

/// What a function of this name makes of what it is given.
fn of_function(name: &str) -> Option<Cutter> {
    let known = FUNCTIONS.iter().find(|(n, _)| *n == name).map(|(_, cutter)| *cutter);
    let of_module = match name.split_once('.').map_or("", |(module, _)| module) {
        "math" => Some(Cutter::Number),
        "np" | "numpy" => Some(Cutter::Numpy),
        _ => None,
    };
    // Its method does the same.
    let method = name.strip_prefix("torch.").and_then(|name| METHODS.iter().find(|m| m.0 == name));
    known.or(of_module).or(method.map(|(_, cutter)| *cutter))
}

/// A base with the parentheses it stands in.
fn bracketed(source: &Source, mut base: Span) -> Span {
    while let (Some(before), Some(after)) = (
        source.text()[..base.start as usize].trim_end().strip_suffix('('),
        source.text()[base.end as usize..].trim_start().strip_prefix(')'),
    ) {
        base = Span::new(before.len(), source.text().len() - after.len());
    }
    base
}

/// The call that made a tensor which does not require a gradient, where the expression is one.
pub(crate) fn maker(source: &Source, e: &Expr) -> Option<Span> {
    let ExprKind::Trailers { base, trailers } = &e.kind else {
        return None;
    };
    let at = trailers.iter().position(|t| matches!(t.kind, TrailerKind::Call(_)))?;
    let end = match at {
        0 => base.span,
        k => base.span.to(trailers[k - 1].span),
    };
    let callee = source.slice(end);
    let last = callee.rsplit('.').next().unwrap_or(callee);
    let home = callee.strip_suffix(last)?;
    (matches!(home, "" | "torch." | "np.") && MAKERS.contains(&last)).then_some(e.span)
}

/// Whether a statement turns the recording off (Some(true)) or on again.
pub(crate) fn disables(statement: &str) -> Option<bool> {
    let (_, flag) = statement.split_once("set_grad_enabled(")?;
    let alone = !statement.starts_with("with ") && !statement.starts_with('@');
    alone.then(|| flag.starts_with("False"))
}

/// Whether a statement says that a tensor needs no gradient.
pub(crate) fn turns_off(statement: &str, name: &str) -> bool {
    let text: String = statement.chars().filter(|c| !c.is_whitespace()).collect();
    // `for p in net.parameters(): p.requires_grad = False`
    let looped = || {
        let (head, body) = text.strip_prefix("for")?.split_once(':')?;
        let p = head.strip_suffix(".parameters()")?.strip_suffix(name)?.strip_suffix("in")?;
        body.strip_prefix(p)
    };
    let rest = text.strip_prefix(name).or_else(looped);
    let rest = rest.and_then(|rest| rest.strip_prefix(".requires_grad"));
    rest.is_some_and(|rest| rest == "=False" || rest == "_(False)")
}

/// The `no_grad` of the block or function that a place stands in.
pub(crate) fn block_around(source: &Source, at: Span) -> Option<Span> {
    let parsed = |strict: &bool| vjp_syntax::parse(source, Mode { strict: *strict }).ok();
    let program = [false, true].iter().find_map(parsed)?;
    let around = |s: &&Stmt| s.span.start <= at.start && at.end <= s.span.end;
    let (mut body, mut found): (&[Stmt], _) = (&program.body, None);
    while let Some(s) = body.iter().find(around) {
        let contexts: Vec<&Expr> = match &s.kind {
            StmtKind::With { items, .. } => items.iter().map(|(context, _)| context).collect(),
            StmtKind::Def { decorators, .. } => decorators.iter().collect(),
            _ => Vec::new(),
        };
        found = contexts.iter().find(|e| is_no_grad(source, e)).map(|e| e.span).or(found);
        match blocks(s).into_iter().find(|block| block.iter().any(|s| around(&s))) {
            Some(inner) => body = inner,
            None => break,
        }
    }
    found
}

pub(crate) fn is_no_grad(source: &Source, e: &Expr) -> bool {
    let text = source.slice(e.span);
    ["no_grad", "inference_mode", "set_grad_enabled(False)"].iter().any(|w| text.contains(w))
}
