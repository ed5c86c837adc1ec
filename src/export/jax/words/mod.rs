//! Which words of JAX an operation has: those that its entry states, else a function of its own
//! name that the program brings along, else JAX's function of the same name.

pub(crate) mod dtypes;
pub(crate) mod index;
mod signs;
pub(crate) mod template;

use super::code::{Code, Subject};
use super::problem::Problem;
use super::writer::{HELPERS, Writer};
use crate::words::template::Bound;
use vjp_binder::catalogue::Origin;
use vjp_binder::signature::{Param, Usual};
use vjp_binder::{catalogue, signature};
use vjp_eval::record::watched_values::Form;
use vjp_eval::{Builtin, Class};
use vjp_ops::Forms;
use vjp_syntax::ast::*;
use vjp_tensor::Dtype;
use vjp_text::Span;

/// What JAX says.
pub(super) struct Word {
    pub template: String,
    /// A method of JAX's arrays has the same name.
    method: Option<String>,
}

/// Methods that JAX's arrays have as well.
const METHODS: &[&str] = &[
    "all", "any", "argmax", "argmin", "cumsum", "cumprod", "dot", "max", "mean", "min", "prod",
    "ravel", "reshape", "round", "squeeze", "sum", "trace",
];

/// Operations along a dimension that a number without dimensions has in PyTorch.
pub(super) const RUNNING: &[&str] = &[
    "cumsum",
    "cumprod",
    "softmax",
    "log_softmax",
    "flip",
    "argsort",
    "logcumsumexp",
    "transpose",
    "swapaxes",
    "swapdims",
    "movedim",
    "moveaxis",
    "softmin",
    "msort",
];

impl Word {
    pub fn of(b: &'static Builtin) -> Option<Word> {
        let origin = catalogue::origin(b);
        let stated = origin.map_or(b.jax, |o| o.entry.jax);
        let name = b.name;
        let template = match stated {
            "-" => return None,
            "" if HELPERS.has(name) => format!("{name}({{*}})"),
            "" => {
                let Origin { entry, .. } = origin?;
                if HELPERS.has(entry.name) {
                    return Some(Word { template: format!("{}({{*}})", entry.name), method: None });
                }
                let home = home(entry.forms);
                // By the name that NumPy knows it by.
                format!("{home}.{}", twin(entry.name, entry.signature.lines().next()?))
            }
            stated => stated.to_owned(),
        };
        let own = format!("jnp.{name}(");
        let method = template.starts_with(&own).then(|| name.to_owned());
        let method = method.filter(|m| METHODS.contains(&m.as_str()));
        Some(Word { template, method })
    }

    /// The words with these arguments; as a method of JAX's where PyTorch's was one.
    pub fn filled(&self, bound: &Bound, of_array: bool) -> Option<Code> {
        let code = bound.fill(&self.template)?;
        if !takes(&code.text, bound) {
            return None;
        }
        let (Some(method), true) = (&self.method, of_array) else {
            return Some(code);
        };
        let subject = bound.given.first()?.as_ref()?;
        let rest = code.text.strip_prefix(&format!("jnp.{method}({}", subject.code.text))?;
        let rest = rest.strip_prefix(", ").unwrap_or(rest);
        Some(format!("{}.{method}({rest}", subject.code.tight()).into())
    }
}

/// Whether a function that the program brings along takes these options.
fn takes(code: &str, bound: &Bound) -> bool {
    let is = |name: &str, all: &[&str]| match bound.param(name) {
        Some((_, Some(given))) => given.literal.as_deref().is_some_and(|t| all.contains(&t)),
        _ => true,
    };
    if code.starts_with("max_pool(") {
        return is("return_indices", &["False"]) && is("dilation", &["1", "(1, 1)", "(1, 1, 1)"]);
    }
    if code.starts_with("interpolate(") {
        // Sizes that a factor does not divide are read at other places.
        let whole = bound.get("scale_factor").and_then(|g| g.literal.as_deref()).is_none_or(|t| {
            let numbers = t.split(|c: char| !(c.is_ascii_digit() || c == '.'));
            let numbers = numbers.filter_map(|n| n.parse::<f64>().ok());
            t == "None" || numbers.map(f64::fract).all(|part| part == 0.0)
        });
        let modes = ["'nearest'", "'linear'", "'bilinear'", "'trilinear'"];
        return whole && is("mode", &modes) && is("align_corners", &["None", "False"]);
    }
    true
}

/// Operations whose words in JAX take arrays of these numbers of dimensions only.
const RANKS: &[(&str, usize, usize)] = &[
    ("adjoint", 2, usize::MAX),
    ("avg_pool2d", 4, 4),
    ("avg_pool3d", 5, 5),
    ("cosine_similarity", 1, usize::MAX),
    ("gather", 1, usize::MAX),
    ("index_add", 1, usize::MAX),
    ("index_copy", 1, usize::MAX),
    ("index_fill", 1, usize::MAX),
    ("index_select", 1, usize::MAX),
    ("lp_pool2d", 4, 4),
    ("lp_pool3d", 5, 5),
    ("max_pool2d", 4, 4),
    ("max_pool3d", 5, 5),
    ("meshgrid", 1, 1),
    ("multi_margin_loss", 2, 2),
    ("scatter", 1, usize::MAX),
    ("scatter_add", 1, usize::MAX),
    ("scatter_reduce", 1, usize::MAX),
    ("searchsorted", 1, 1),
    ("vander", 1, 1),
    ("vecdot", 1, usize::MAX),
];

/// Operations whose words in JAX take no truths, no uint8, and those that take floats only.
const NO_TRUTHS: &[&str] =
    &["scatter", "scatter_add", "scatter_reduce", "index_add", "index_put", "sgn", "sign"];
const NO_BYTES: &[&str] = &["clamp", "clamp_max", "clamp_min", "clip"];
const FLOATS: &[&str] = &["lp_pool1d", "lp_pool2d", "lp_pool3d"];

/// Operations whose slopes JAX gives otherwise where an infinity or NaN is among the numbers or in
/// the result.
const FINITE_SLOPES: &[&str] = &[
    "abs",
    "celu",
    "clamp",
    "clamp_max",
    "clamp_min",
    "cond",
    "copysign",
    "cumprod",
    "det",
    "digamma",
    "elu",
    "fmax",
    "fmin",
    "hardsigmoid",
    "hardswish",
    "huber_loss",
    "lgamma",
    "logaddexp",
    "logcumsumexp",
    "logdet",
    "logit",
    "max",
    "max_pool3d",
    "maximum",
    "min",
    "minimum",
    "nanquantile",
    "ndtri",
    "prelu",
    "prod",
    "quantile",
    "relu",
    "renorm",
    "selu",
    "softshrink",
    "zeta",
];

/// Operations whose values JAX gives otherwise there.
const FINITE_VALUES: &[&str] = &[
    "angle",
    "bucketize",
    "cholesky",
    "hardshrink",
    "hypot",
    "inverse",
    "nextafter",
    "polygamma",
    "searchsorted",
    "sign",
    "threshold",
    "xlog1py",
];

/// Operations whose slopes JAX gives otherwise where a 0 is in each tensor, and those where the
/// result is 0.
const SLOPES_AT_ZERO: &[&str] = &["vander", "xlogy"];
const SLOPES_OF_ZERO: &[&str] = &["det", "svdvals"];

/// Operations that are flat everywhere: zeros that PyTorch sends back through them become NaN at an
/// infinite slope; JAX sends nothing.
const FLAT: &[&str] = &["ceil", "fix", "floor", "round", "sgn", "sign", "trunc"];

/// Operations that JAX computes otherwise where a number is very large or very small.
const UNLIKE_AT_EXTREMES: &[&str] = &[
    "arctan2",
    "atan2",
    "cosine_similarity",
    "cosine_embedding_loss",
    "fmod",
    "group_norm",
    "i0",
    "instance_norm",
    "layer_norm",
    "logcumsumexp",
    "logsumexp",
    "matrix_norm",
    "polygamma",
    "remainder",
    "std",
    "std_mean",
    "var",
    "var_mean",
];

/// Operations whose words in JAX take no empty array.
const NOT_EMPTY: &[&str] = &["cond", "group_norm", "histc", "lstsq", "matrix_rank", "unfold"];

impl Writer<'_> {
    /// What the words of JAX for an operation do not take of the arrays that were seen.
    pub(super) fn unfit(
        &self,
        b: &Builtin,
        subject: Option<&Subject>,
        args: &[Arg],
        whole: Span,
    ) -> Option<String> {
        let mut spans: Vec<Span> = subject.map(|s| s.span).into_iter().collect();
        for a in args {
            match &a.value.kind {
                ExprKind::List(items) | ExprKind::Tuple(items) => {
                    spans.extend(items.iter().map(|i| i.span));
                }
                _ => spans.push(a.value.span),
            }
        }
        let has = |names: &[&str]| names.contains(&b.name);
        let any =
            |so: &dyn Fn(&Form) -> bool| spans.iter().chain([&whole]).any(|s| self.any_is(*s, so));
        let sloped = spans.iter().any(|s| self.asks_gradient(*s));
        if (has(FINITE_VALUES) || (has(FINITE_SLOPES) && sloped))
            && any(&|f| f.dtype.is_float() && !f.finite)
        {
            return Some("infinities and NaN".into());
        }
        if has(UNLIKE_AT_EXTREMES) && any(&|f| f.extreme) {
            return Some("very large or very small numbers".into());
        }
        // PyTorch's choice among equal elements follows no rule.
        if b.name == "kthvalue" && sloped {
            return Some("what has a gradient".into());
        }
        // PyTorch sends zeros through what is flat, and a hook behind it runs.
        if has(FLAT) && sloped && self.hooks.iter().any(|h| h.code.contains("print")) {
            return Some("a value before a hook that prints".into());
        }
        if has(FLAT) && sloped && self.infinite {
            return Some("what may have an infinite slope".into());
        }
        let zero = |s: &Span| self.any_is(*s, |f| f.zero);
        // JAX's float32 misses the zeros of the function.
        if b.name == "lgamma" && zero(&whole) && self.dtype(whole) == Some(Dtype::Float32) {
            return Some("1 or 2 in float32".into());
        }
        // Where it is a 0 beside what has no logarithm too.
        let beside = || spans.first().is_some_and(zero) && any(&|f| !f.finite);
        if sloped
            && ((has(SLOPES_AT_ZERO) && (spans.iter().all(zero) || beside()))
                || (has(SLOPES_OF_ZERO) && zero(&whole)))
        {
            return Some("zeros, where its slopes differ".into());
        }
        // PyTorch repeats it where the other has another size.
        let single = |s: &Span| self.shape(*s).is_some_and(|shape| shape.contains(&1));
        if b.name == "tensordot" && spans.iter().take(2).any(single) {
            return Some("a dimension of size 1".into());
        }
        if has(NOT_EMPTY) && any(&|f| f.shape.contains(&0)) {
            return Some("an empty tensor".into());
        }
        if b.name == "cholesky_solve" && spans.get(1).is_some_and(|s| self.asks_gradient(*s)) {
            return Some("a factor that has a gradient".into());
        }
        // The others of a list are as the first; further arguments have shapes of their own.
        let several = b.name == "meshgrid";
        let first = if several { spans.as_slice() } else { spans.get(..1)? };
        let (least, most) = match RANKS.iter().find(|(name, ..)| *name == b.name) {
            Some((_, least, most)) => (*least, *most),
            None => (0, usize::MAX),
        };
        let shapes = first.iter().filter_map(|s| self.shape(*s)).map(|s| s.len());
        let wrong = shapes.into_iter().find(|n| !(least..=most).contains(n));
        let dtype = self.dtype(*spans.first()?);
        match wrong {
            Some(0) => Some("a number without dimensions".into()),
            Some(n) => Some(format!("an array with {n} dimensions")),
            None if dtype == Some(Dtype::Bool) && NO_TRUTHS.contains(&b.name) => {
                Some("a bool tensor".into())
            }
            None if dtype == Some(Dtype::Uint8) && NO_BYTES.contains(&b.name) => {
                Some("a uint8 tensor".into())
            }
            None if dtype.is_some_and(|d| !d.is_float()) && FLOATS.contains(&b.name) => {
                Some("integers".into())
            }
            None => None,
        }
    }
}

/// Where JAX has the functions of a module.
fn home(forms: Forms) -> &'static str {
    let only = |own: Forms| Forms(forms.0 & !Forms::SHORT.0) == own;
    if only(Forms::F) {
        "jax.nn"
    } else if forms.has(Forms::LINALG) && !forms.has(Forms::TORCH) {
        "jnp.linalg"
    } else if only(Forms::SPECIAL) {
        "jax.scipy.special"
    } else {
        "jnp"
    }
}

/// A call with all parameters, dimensions under NumPy's names.
fn twin(name: &str, text: &'static str) -> String {
    let one = |p: &Param| {
        let name = p.name;
        let keyword = match name {
            "dim" | "dims" => "axis",
            "keepdim" => "keepdims",
            other => other,
        };
        match p.usual == Usual::Required && !p.keyword_only {
            true => format!("{{{name}}}"),
            false => format!("{keyword}={{{name}}}"),
        }
    };
    let params: Vec<String> = signature(text).params.iter().map(one).collect();
    format!("{name}({})", params.join(", "))
}

/// An operation as a sentence names it: `torch.fft`, `.sort()`.
pub(super) fn spoken(b: &Builtin) -> String {
    match b.module {
        "Tensor" => format!(".{}()", b.name),
        "torch.nn.functional" => format!("F.{}", b.name),
        module => format!("{module}.{}", b.name),
    }
}

/// What JAX's words for an operation do not take.
pub(super) fn options(b: &Builtin, args: &[Arg]) -> Problem {
    let named: Vec<&str> = args
        .iter()
        .filter_map(|a| match a.kind {
            ArgKind::Named(n) => Some(n.as_str()),
            _ => None,
        })
        .collect();
    let with = match named.as_slice() {
        [] => "these arguments".to_owned(),
        several => several.join(", "),
    };
    Problem::new(
        format!("the JAX export has no form for {} with {with}", spoken(b)),
        "write it with sums, products and elementary functions, or export --to torch",
    )
}

/// Whether a class is PyTorch's, not the program's.
pub(super) fn is_pytorch(class: &Class) -> bool {
    class.module().as_str().is_some_and(|m| m.starts_with("torch"))
}

/// What a tensor has without a call, where nothing was seen.
pub(super) fn is_attribute(word: &str) -> bool {
    [
        "grad",
        "data",
        "T",
        "mT",
        "H",
        "shape",
        "dtype",
        "ndim",
        "requires_grad",
        "grad_fn",
        "is_leaf",
    ]
    .contains(&word)
}
