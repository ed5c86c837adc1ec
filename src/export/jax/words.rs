//! PyTorch's words as JAX has them: one table for functions and methods.

use crate::eval::library::catalogue;
use crate::maths::ops::Forms;

/// What has no counterpart, and what would work.
#[derive(Clone, Debug)]
pub struct Problem {
    pub what: String,
    pub hint: String,
    /// It only asks about the graph: a statement that prints it can be left out.
    pub asks_graph: bool,
}

impl Problem {
    pub fn new(what: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem { what: what.into(), hint: hint.into(), asks_graph: false }
    }

    /// `x.grad_fn` and its like.
    pub fn graph(word: &str) -> Problem {
        Problem {
            what: format!("JAX records no graph: there is no .{word}"),
            hint: "leave the line out".into(),
            asks_graph: true,
        }
    }
}

/// An argument: its keyword and its text.
pub type Given = (Option<String>, String);

/// The same name in `jax.numpy`, with the same arguments in the same order.
const SAME: &[&str] = &[
    "abs",
    "all",
    "allclose",
    "any",
    "arange",
    "argmax",
    "argmin",
    "argsort",
    "array_equal",
    "ceil",
    "cos",
    "cosh",
    "cross",
    "cumprod",
    "cumsum",
    "deg2rad",
    "diag",
    "diagonal",
    "dot",
    "einsum",
    "exp",
    "exp2",
    "expm1",
    "eye",
    "flip",
    "floor",
    "full",
    "full_like",
    "hstack",
    "hypot",
    "isfinite",
    "isinf",
    "isnan",
    "kron",
    "linspace",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "matmul",
    "maximum",
    "mean",
    "meshgrid",
    "minimum",
    "nan_to_num",
    "ones_like",
    "outer",
    "prod",
    "rad2deg",
    "reciprocal",
    "reshape",
    "roll",
    "round",
    "sign",
    "sin",
    "sinh",
    "sort",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "sum",
    "tan",
    "tanh",
    "tensordot",
    "tile",
    "trace",
    "tril",
    "triu",
    "trunc",
    "vstack",
    "where",
    "zeros_like",
];

/// Another name, or a text with places: `{0}`, `{1}` … for arguments, `{*}` for all, `{+}` for all but the first.
const OTHER: &[(&str, &str)] = &[
    ("absolute", "jnp.abs({*})"),
    ("acos", "jnp.arccos({*})"),
    ("acosh", "jnp.arccosh({*})"),
    ("add", "({0} + {1})"),
    ("amax", "jnp.max({*})"),
    ("amin", "jnp.min({*})"),
    ("as_tensor", "jnp.asarray({*})"),
    ("asin", "jnp.arcsin({*})"),
    ("asinh", "jnp.arcsinh({*})"),
    ("atan", "jnp.arctan({*})"),
    ("atan2", "jnp.arctan2({*})"),
    ("atanh", "jnp.arctanh({*})"),
    ("autograd.functional.hessian", "jax.hessian({0})({1})"),
    ("autograd.functional.jacobian", "jax.jacobian({0})({1})"),
    ("autograd.functional.jvp", "jax.jvp({0}, ({1},), ({2},))"),
    ("autograd.functional.vjp", "({0}({1}), jax.vjp({0}, {1})[1]({2})[0])"),
    ("bmm", "jnp.matmul({*})"),
    ("broadcast_to", "jnp.broadcast_to({*})"),
    ("cat", "jnp.concatenate({*})"),
    ("celu", "jax.nn.celu({*})"),
    ("clamp", "jnp.clip({*})"),
    ("clip", "jnp.clip({*})"),
    ("clone", "{0}"),
    ("concat", "jnp.concatenate({*})"),
    ("contiguous", "{0}"),
    ("det", "jnp.linalg.det({*})"),
    ("detach", "jax.lax.stop_gradient({0})"),
    ("div", "({0} / {1})"),
    ("divide", "({0} / {1})"),
    ("double", "{0}.astype(jnp.float64)"),
    ("elu", "jax.nn.elu({*})"),
    ("equal", "jnp.array_equal({*})"),
    ("erf", "jax.scipy.special.erf({*})"),
    ("erfc", "jax.scipy.special.erfc({*})"),
    ("flatten", "jnp.ravel({*})"),
    ("float", "{0}.astype(jnp.float32)"),
    ("get_default_dtype", "float"),
    ("func.grad", "jax.grad({*})"),
    ("func.hessian", "jax.hessian({*})"),
    ("func.jacfwd", "jax.jacfwd({*})"),
    ("func.jacrev", "jax.jacrev({*})"),
    ("func.jvp", "jax.jvp({*})"),
    ("func.vjp", "jax.vjp({*})"),
    ("func.vmap", "jax.vmap({*})"),
    ("gelu", "jax.nn.gelu({0}, approximate=False)"),
    ("hardtanh", "jnp.clip({0}, -1, 1)"),
    ("inverse", "jnp.linalg.inv({*})"),
    ("l1_loss", "jnp.mean(jnp.abs({0} - {1}))"),
    ("leaky_relu", "jax.nn.leaky_relu({*})"),
    ("lgamma", "jax.scipy.special.gammaln({*})"),
    ("linalg.det", "jnp.linalg.det({*})"),
    ("linalg.inv", "jnp.linalg.inv({*})"),
    ("linalg.norm", "jnp.linalg.norm({*})"),
    ("linalg.solve", "jnp.linalg.solve({*})"),
    ("linalg.vector_norm", "jnp.linalg.vector_norm({*})"),
    ("log_softmax", "jax.nn.log_softmax({*})"),
    ("logsigmoid", "jax.nn.log_sigmoid({*})"),
    ("logsumexp", "jax.scipy.special.logsumexp({*})"),
    ("mm", "jnp.matmul({*})"),
    ("mse_loss", "jnp.mean(({0} - {1}) ** 2)"),
    ("mul", "({0} * {1})"),
    ("multiply", "({0} * {1})"),
    ("mv", "jnp.matmul({*})"),
    ("neg", "(-{0})"),
    ("negative", "(-{0})"),
    ("nn.GELU", "(lambda x: jax.nn.gelu(x, approximate=False))"),
    ("nn.L1Loss", "(lambda y, to: jnp.mean(jnp.abs(y - to)))"),
    ("nn.MSELoss", "(lambda y, to: jnp.mean((y - to) ** 2))"),
    ("nn.ReLU", "jax.nn.relu"),
    ("nn.SiLU", "jax.nn.silu"),
    ("nn.Sigmoid", "jax.nn.sigmoid"),
    ("nn.Softplus", "jax.nn.softplus"),
    ("nn.Tanh", "jnp.tanh"),
    ("norm", "jnp.linalg.norm({*})"),
    ("numel", "{0}.size"),
    ("permute", "jnp.transpose({0}, ({+}))"),
    ("pow", "({0} ** {1})"),
    ("ravel", "jnp.ravel({*})"),
    ("relu", "jax.nn.relu({*})"),
    ("rsqrt", "jax.lax.rsqrt({*})"),
    ("selu", "jax.nn.selu({*})"),
    ("sigmoid", "jax.nn.sigmoid({*})"),
    ("silu", "jax.nn.silu({*})"),
    ("softmax", "jax.nn.softmax({*})"),
    ("softplus", "jax.nn.softplus({*})"),
    ("softsign", "jax.nn.soft_sign({*})"),
    ("solve", "jnp.linalg.solve({*})"),
    ("std", "jnp.std({*}, ddof=1)"),
    ("sub", "({0} - {1})"),
    ("subtract", "({0} - {1})"),
    ("swapaxes", "jnp.swapaxes({*})"),
    ("t", "{0}.T"),
    ("transpose", "jnp.swapaxes({*})"),
    ("unsqueeze", "jnp.expand_dims({*})"),
    ("var", "jnp.var({*}, ddof=1)"),
];

/// Sizes one by one, which JAX takes as a tuple.
const BY_SHAPE: &[(&str, &str)] = &[
    ("empty", "jnp.zeros"),
    ("expand", "jnp.broadcast_to"),
    ("ones", "jnp.ones"),
    ("repeat", "jnp.tile"),
    ("reshape", "jnp.reshape"),
    ("view", "jnp.reshape"),
    ("zeros", "jnp.zeros"),
];

/// Methods that JAX's arrays have as well.
const METHODS: &[&str] = &[
    "all", "any", "argmax", "argmin", "cumsum", "cumprod", "dot", "item", "mean", "prod", "round",
    "squeeze", "sum", "tolist", "trace",
];

/// Arguments whose keyword is another one, and those that JAX has no use for.
fn argument((keyword, text): &Given) -> Option<Given> {
    let keyword = match keyword.as_deref() {
        Some("dim") => Some("axis"),
        Some("keepdim") => Some("keepdims"),
        Some("input") => None,
        Some("steps") => Some("num"),
        Some("requires_grad" | "device" | "retain_graph" | "create_graph" | "inplace") => {
            return None;
        }
        other => other,
    };
    Some((keyword.map(str::to_owned), text.clone()))
}

fn joined(args: &[Given]) -> String {
    let one = |(keyword, text): &Given| match keyword {
        Some(keyword) => format!("{keyword}={text}"),
        None => text.clone(),
    };
    args.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn filled(template: &str, args: &[Given]) -> Option<String> {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        out += &rest[..at];
        let end = at + rest[at..].find('}')?;
        out += &match &rest[at + 1..end] {
            "*" => joined(args),
            "+" => joined(args.get(1..)?),
            place => args.get(place.parse::<usize>().ok()?)?.1.clone(),
        };
        rest = &rest[end + 1..];
    }
    Some(out + rest)
}

fn unknown(name: &str) -> Problem {
    Problem::new(
        format!("JAX has no {name} that this export knows"),
        "write it with sums, products and elementary functions, or export --to torch",
    )
}

/// A call of PyTorch's `name` (`exp`, `linalg.inv`, `nn.ReLU`).
///
/// # Errors
/// No counterpart.
pub fn function(name: &str, given: &[Given]) -> Result<String, Problem> {
    let args: Vec<Given> = given.iter().filter_map(argument).collect();
    let by_dim = args.len() > 1 || args.iter().any(|(k, _)| k.is_some());
    match name {
        "tensor" | "Tensor" | "FloatTensor" | "DoubleTensor" | "autograd.Variable" => {
            let float = name.ends_with("Tensor");
            let dtype = if float { ", dtype=float" } else { "" };
            return Ok(format!("jnp.array({}{dtype})", joined(&args)));
        }
        "max" | "min" if by_dim => {
            return Err(Problem::new(
                format!("torch.{name} of a dimension gives values and places"),
                format!("torch.a{name}(x, dim)"),
            ));
        }
        "max" | "min" => return Ok(format!("jnp.{name}({})", joined(&args))),
        "var" | "std"
            if args
                .iter()
                .any(|(k, _)| k.as_deref().is_some_and(|k| k != "axis" && k != "keepdims")) =>
        {
            return Err(unknown(&format!("{name} with these options")));
        }
        _ => {}
    }
    if let Some((_, jax)) = BY_SHAPE.iter().find(|(own, _)| *own == name) {
        let first = usize::from(matches!(name, "reshape" | "view" | "repeat" | "expand"));
        let (head, rest) = args.split_at(first.min(args.len()));
        let (sizes, named): (Vec<&Given>, Vec<&Given>) =
            rest.iter().partition(|(k, _)| k.is_none());
        let sizes = match sizes.as_slice() {
            [(_, one)] => one.clone(),
            several => {
                let sizes: Vec<&str> = several.iter().map(|(_, s)| s.as_str()).collect();
                format!("({})", sizes.join(", "))
            }
        };
        let mut all = head.to_vec();
        all.push((None, sizes));
        all.extend(named.into_iter().cloned());
        return Ok(format!("{jax}({})", joined(&all)));
    }
    if SAME.contains(&name) {
        return Ok(format!("jnp.{name}({})", joined(&args)));
    }
    let row = OTHER.iter().find(|(own, _)| *own == name);
    row.and_then(|(_, template)| filled(template, &args))
        .ok_or_else(|| unknown(&format!("torch.{name}")))
}

/// A method of a tensor, or of a Python value.
///
/// # Errors
/// A tensor's method without counterpart.
pub fn method(this: &str, name: &str, given: &[Given]) -> Result<String, Problem> {
    let args: Vec<Given> = given.iter().filter_map(argument).collect();
    match name {
        "size" if args.is_empty() => return Ok(format!("{this}.shape")),
        "size" => return Ok(format!("{this}.shape[{}]", joined(&args))),
        "dim" | "ndimension" => return Ok(format!("{this}.ndim")),
        "requires_grad_" => return Ok(this.to_owned()),
        "to" => return Ok(format!("{this}.astype({})", joined(&args))),
        "numpy" => return Ok(format!("np.asarray({this})")),
        "register_hook" | "retain_grad" => {
            return Err(Problem::new(
                format!("JAX has no .{name}(): it differentiates functions"),
                "differentiate by that value in a function of it, or export --to torch",
            ));
        }
        _ if METHODS.contains(&name) => return Ok(format!("{this}.{name}({})", joined(&args))),
        _ => {}
    }
    if catalogue::entry(name, Forms::METHOD).is_none() && !matches!(name, "detach" | "numel") {
        return Ok(format!("{this}.{name}({})", joined(given)));
    }
    let mut all = vec![(None, this.to_owned())];
    all.extend(given.iter().cloned());
    function(name, &all)
}

/// An attribute of `torch`, as `torch.float64` or `torch.pi`.
///
/// # Errors
/// No counterpart.
pub fn constant(name: &str) -> Result<String, Problem> {
    match name {
        "float64" | "double" => Ok("jnp.float64".into()),
        "float32" | "float" => Ok("jnp.float32".into()),
        "int64" | "long" => Ok("jnp.int64".into()),
        "int32" | "int" => Ok("jnp.int32".into()),
        "bool" => Ok("jnp.bool_".into()),
        "pi" | "e" | "inf" | "nan" => Ok(format!("jnp.{name}")),
        _ => match function(name, &[(None, "x".into())]) {
            Ok(call) if call.ends_with("(x)") => Ok(call[..call.len() - 3].to_owned()),
            _ => Err(unknown(&format!("torch.{name}"))),
        },
    }
}
