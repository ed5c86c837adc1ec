//! How programs call the rows: names, forms and signatures. What has parameters of its own kind
//! (`clamp`'s bounds, `gelu`'s approximation) or is composed of several rows has a function here.

use super::calls::*;
use crate::arguments::{Bound, Out};
use crate::entry::{Entry, Forms};

use smallvec::SmallVec;
use vjp_maths::autodiff::variable::{Variable, apply};
use vjp_maths::inplace::node_names::Renamed;
use vjp_maths::table::*;
use vjp_tensor::complaint::Outcome;

const T: Forms = Forms::TORCH;
const M: Forms = Forms::METHOD.and(Forms::INPLACE);
/// torch function, method, in-place method and short name.
const USUAL: Forms = T.and(M).and(Forms::SHORT);
/// Also a NumPy function.
const NUMPY: Forms = USUAL.and(Forms::NP);
/// PyTorch has no in-place form of it.
const OUT_OF_PLACE: Forms = T.and(Forms::METHOD).and(Forms::SHORT).and(Forms::NP);
const SPECIAL: Forms = USUAL.and(Forms::SPECIAL);
/// Only `torch.special.name`, and the short name.
const SPECIAL_ONLY: Forms = Forms::SPECIAL.and(Forms::SHORT);
const OPERATOR: Forms = NUMPY.and(Forms::OPERATOR);
/// Only `F.name`, and the short name.
const NN: Forms = Forms::F.and(Forms::SHORT);

const UNARY: &str = "(Tensor input)";
const BINARY: &str = "(Tensor|Scalar input, Tensor|Scalar other)";

/// Calls a row: its operands first, then its parameters as numbers.
fn plain(row: &'static Row, b: &Bound) -> Outcome<Out> {
    let (fun, defaults) = (row.fun, row.params);
    let operands: SmallVec<[Variable; 2]> =
        (0..fun.operands).map(|k| b.tensor(k)).collect::<Outcome<_>>()?;
    has_kernel(fun.name, &operands)?;
    let params: SmallVec<[f64; 2]> = defaults
        .iter()
        .enumerate()
        .map(|(k, (_, default))| b.float_or(fun.operands + k, *default))
        .collect();
    let operation = (fun.operation)(&taken(fun, &params, &operands));
    let named =
        operands.iter().zip(row.numbers).find(|(x, name)| x.is_number() && !name.is_empty());
    Ok(Out::One(match named {
        Some((_, grad_fn)) => apply(Renamed::of(operation, grad_fn), &operands)?,
        None => apply(operation, &operands)?,
    }))
}

macro_rules! entries {
    ($($Type:ident $name:literal $aliases:expr, $forms:expr, $signature:expr, $see:expr $(=> $jax:literal)?;)*) => {
        /// The rows as programs call them.
        pub static ENTRIES: &[Entry] = &[$(Entry {
            name: $name,
            aliases: &$aliases,
            forms: $forms,
            signature: $signature,
            formula: $Type::ROW.formula,
            example: $Type::ROW.example,
            samples: &[],
            see_also: &$see,
            jax: concat!($($jax)?),
            call: |b| plain($Type::ROW, b),
        }),*];
    };
}

entries! {
    Square "square" [], NUMPY, UNARY, ["sqrt", "pow"];
    Sqrt "sqrt" [], NUMPY, UNARY, ["square", "rsqrt"];
    Rsqrt "rsqrt" [], USUAL, UNARY, ["sqrt"] => "1 / jnp.sqrt({input})";
    Reciprocal "reciprocal" [], NUMPY, UNARY, ["div"] => "1 / {input}";
    Hypot "hypot" [], NUMPY, "(Tensor input, Tensor other)", ["norm"] => "jnp.sqrt({input} ** 2 + {other} ** 2)";
    Exp "exp" [], NUMPY, UNARY, ["log", "expm1"];
    Exp2 "exp2" [], NUMPY.and(Forms::SPECIAL), UNARY, ["exp"];
    Expm1 "expm1" [], NUMPY.and(Forms::SPECIAL), UNARY, ["exp", "log1p"];
    Log "log" [], NUMPY, UNARY, ["exp", "log1p"];
    Log2 "log2" [], NUMPY, UNARY, ["log"];
    Log10 "log10" [], NUMPY, UNARY, ["log"];
    Log1p "log1p" [], NUMPY.and(Forms::SPECIAL), UNARY, ["log", "expm1"];
    Sin "sin" [], NUMPY, UNARY, ["cos", "asin"];
    Cos "cos" [], NUMPY, UNARY, ["sin", "acos"];
    Tan "tan" [], NUMPY, UNARY, ["sin", "cos", "atan"];
    Asin "asin" ["arcsin"], NUMPY, UNARY, ["sin"] => "jnp.arcsin({input})";
    Acos "acos" ["arccos"], NUMPY, UNARY, ["cos"] => "jnp.arccos({input})";
    Atan "atan" ["arctan"], NUMPY, UNARY, ["tan", "atan2"] => "jnp.arctan({input})";
    Atan2 "atan2" ["arctan2"], NUMPY, "(Tensor input, Tensor other)", ["atan"] => "atan2({input}, {other})";
    Sinh "sinh" [], NUMPY, UNARY, ["cosh", "tanh"];
    Cosh "cosh" [], NUMPY, UNARY, ["sinh", "tanh"];
    Tanh "tanh" [], NUMPY.and(Forms::F), UNARY, ["sigmoid", "sinh"];
    Asinh "asinh" ["arcsinh"], NUMPY, UNARY, ["sinh"] => "jnp.arcsinh({input})";
    Acosh "acosh" ["arccosh"], NUMPY, UNARY, ["cosh"] => "jnp.arccosh({input})";
    Atanh "atanh" ["arctanh"], NUMPY, UNARY, ["tanh"] => "jnp.arctanh({input})";
    Erf "erf" [], SPECIAL, UNARY, ["gelu"] => "jax.scipy.special.erf({input})";
    Abs "abs" ["absolute"], NUMPY, UNARY, ["sign"] => "absolute({input})";
    Angle "angle" [], T.and(Forms::METHOD), UNARY, ["sign", "abs"] => "jax.lax.stop_gradient(jnp.angle({input}))";
    Sign "sign" [], NUMPY, UNARY, ["abs", "step"];
    Step "step" [], Forms::SHORT, UNARY, ["relu", "sign"] => "jnp.heaviside({input}, 0.0)";
    Floor "floor" [], NUMPY, UNARY, ["ceil", "round", "trunc"];
    Ceil "ceil" [], NUMPY, UNARY, ["floor", "round"];
    Trunc "trunc" ["fix"], NUMPY, UNARY, ["floor", "frac"];
    Frac "frac" [], USUAL, UNARY, ["trunc"] => "{input} - jnp.trunc({input})";
    Maximum "maximum" [], OUT_OF_PLACE, "(Tensor input, Tensor other)", ["minimum", "max", "relu"];
    Minimum "minimum" [], OUT_OF_PLACE, "(Tensor input, Tensor other)", ["maximum", "min"];
    Sigmoid "sigmoid" ["expit"], USUAL.and(Forms::F).and(Forms::SPECIAL), UNARY, ["tanh", "logsigmoid"] => "jax.nn.sigmoid({input})";
    LogSigmoid "logsigmoid" [], NN, UNARY, ["sigmoid", "softplus"] => "jax.nn.log_sigmoid({input})";
    Softplus "softplus" [], NN, "(Tensor input, float beta=1, float threshold=20)", ["relu", "sigmoid"] => "jax.nn.softplus({input}) or [beta] jax.nn.softplus({beta} * {input}) / {beta} or softplus({*})";
    Relu "relu" [], USUAL.and(Forms::F), "(Tensor input, bool inplace=False)", ["leaky_relu", "step", "clamp"] => "jax.nn.relu({input})";
    LeakyRelu "leaky_relu" [], NN, "(Tensor input, float negative_slope=0.01, bool inplace=False)", ["relu", "elu"] => "jnp.where({input} > 0, {input}, {negative_slope!} * {input})";
    Elu "elu" [], NN, "(Tensor input, float alpha=1.0, bool inplace=False)", ["relu", "selu", "celu"] => "jax.nn.elu({input}, {alpha})";
    Selu "selu" [], NN.and(T), "(Tensor input, bool inplace=False)", ["elu"] => "jax.nn.selu({input})";
    Celu "celu" [], NN.and(T), "(Tensor input, float alpha=1.0, bool inplace=False)", ["elu"] => "jax.nn.celu({input}, {alpha})";
    Silu "silu" [], NN, "(Tensor input, bool inplace=False)", ["sigmoid", "gelu", "mish"] => "jax.nn.silu({input})";
    Mish "mish" [], NN, "(Tensor input, bool inplace=False)", ["silu"] => "jax.nn.mish({input})";
    Hardtanh "hardtanh" [], NN, "(Tensor input, float min_val=-1.0, float max_val=1.0, bool inplace=False)", ["clamp", "relu6"] => "clamp({input}, {min_val!}, {max_val!})";
    Erfc "erfc" [], SPECIAL, UNARY, ["erf"] => "jax.scipy.special.erfc({input})";
    Erfinv "erfinv" [], SPECIAL, UNARY, ["erf"] => "jax.scipy.special.erfinv({input})";
    Igamma "igamma" ["gammainc"], T.and(M).and(Forms::SPECIAL), "(Tensor input, Tensor other)", ["igammac", "lgamma"] => "jax.scipy.special.gammainc({input}, {other})";
    Igammac "igammac" ["gammaincc"], T.and(M).and(Forms::SPECIAL), "(Tensor input, Tensor other)", ["igamma", "lgamma"] => "jax.scipy.special.gammaincc({input}, {other})";
    Sinc "sinc" [], NUMPY.and(Forms::SPECIAL), UNARY, ["sin"];
    Logit "logit" [], SPECIAL, "(Tensor input, float eps=None)", ["sigmoid"] => "jax.scipy.special.logit({input})";
    Xlogy "xlogy" [], SPECIAL, BINARY, ["log", "entr"] => "jax.scipy.special.xlogy({input}, {other})";
    Xlog1py "xlog1py" [], SPECIAL_ONLY, BINARY, ["xlogy", "log1p"] => "jax.scipy.special.xlog1py({input}, {other})";
    Entr "entr" [], SPECIAL_ONLY, UNARY, ["xlogy"] => "jax.scipy.special.entr({input})";
    Logaddexp "logaddexp" [], OUT_OF_PLACE, "(Tensor input, Tensor other)", ["logsumexp"];
    Logaddexp2 "logaddexp2" [], OUT_OF_PLACE, "(Tensor input, Tensor other)", ["logaddexp"];
    Lgamma "lgamma" ["gammaln"], SPECIAL, UNARY, ["digamma"] => "jax.scipy.special.gammaln({input})";
    Digamma "digamma" ["psi"], SPECIAL, UNARY, ["lgamma", "polygamma"] => "digamma({input})";
    Fmax "fmax" [], OUT_OF_PLACE, "(Tensor input, Tensor other)", ["maximum"] => "fmax({input}, {other})";
    Fmin "fmin" [], OUT_OF_PLACE, "(Tensor input, Tensor other)", ["minimum"] => "fmin({input}, {other})";
    Sgn "sgn" [], USUAL, UNARY, ["sign"] => "jnp.sign({input})";
    Deg2Rad "deg2rad" [], NUMPY, UNARY, ["rad2deg"];
    Rad2Deg "rad2deg" [], NUMPY, UNARY, ["deg2rad"];
    Hardsigmoid "hardsigmoid" [], NN, "(Tensor input, bool inplace=False)", ["sigmoid", "hardswish"] => "hardsigmoid({input})";
    Hardswish "hardswish" [], NN, "(Tensor input, bool inplace=False)", ["silu", "hardsigmoid"] => "hardswish({input})";
    Hardshrink "hardshrink" [], NN.and(T).and(Forms::METHOD), "(Tensor input, float lambd=0.5)", ["softshrink"] => "jnp.where(jnp.abs({input}) > {lambd!}, {input}, 0)";
    Softshrink "softshrink" [], NN, "(Tensor input, float lambd=0.5)", ["hardshrink", "tanhshrink"] => "softshrink({*})";
    Threshold "threshold" [], NN.and(T), "(Tensor input, float threshold, float value, bool inplace=False)", ["relu"] => "jnp.where({input} > {threshold}, {input}, {value})";
    I0 "i0" [], SPECIAL, UNARY, ["i1"] => "i0({input})";
    I1 "i1" [], SPECIAL_ONLY, UNARY, ["i0"] => "-";
    I0e "i0e" [], SPECIAL_ONLY, UNARY, ["i0"] => "jax.scipy.special.i0e({input})";
    I1e "i1e" [], SPECIAL_ONLY, UNARY, ["i1"] => "jax.scipy.special.i1e({input})";
    Erfcx "erfcx" [], SPECIAL_ONLY, UNARY, ["erfc"] => "-";
    Ndtr "ndtr" [], SPECIAL_ONLY, UNARY, ["log_ndtr", "ndtri", "erf"] => "jax.scipy.special.ndtr({input})";
    LogNdtr "log_ndtr" [], SPECIAL_ONLY, UNARY, ["ndtr"] => "jax.scipy.special.log_ndtr({input})";
    Ndtri "ndtri" [], SPECIAL_ONLY, UNARY, ["ndtr"] => "jax.scipy.special.ndtri({input})";
    Zeta "zeta" [], SPECIAL_ONLY, BINARY, ["polygamma"] => "jax.scipy.special.zeta({input}, {other})";
    Relu6 "relu6" [], NN, "(Tensor input, bool inplace=False)", ["relu", "hardtanh"] => "clamp({input}, 0, 6)";
}

macro_rules! special {
    ($($name:literal $aliases:expr, $forms:expr, $signature:expr, $formula:expr, $example:expr, $see:expr, $call:expr $(=> $jax:literal)?;)*) => {
        /// Rows with arguments of their own kind, and what is composed of rows.
        pub static SPECIAL_ENTRIES: &[Entry] = &[$(Entry {
            name: $name,
            aliases: &$aliases,
            forms: $forms,
            signature: $signature,
            formula: $formula,
            example: $example,
            samples: &[],
            see_also: &$see,
            jax: concat!($($jax)?),
            call: $call,
        }),*];
    };
}

const ALPHA: &str = "(Tensor|Scalar input, Tensor|Scalar other, *, Scalar alpha=1)";

special! {
    "add" [], OPERATOR, ALPHA, "a + b", Add::ROW.example, ["sub"],
        |b| with_alpha(b, &ADD_SCALED, add) => "{input} + {other} or {input} + {alpha} * {other}";
    "sub" ["subtract"], OPERATOR, ALPHA, "a − b", Sub::ROW.example, ["add", "neg"],
        difference => "{input} - {other} or {input} - {alpha} * {other}";
    "mul" ["multiply"], OPERATOR, BINARY, "a·b", Mul::ROW.example, ["div", "matmul"],
        |b| Ok(Out::One(mul(&b.tensor(0)?, &b.tensor(1)?)?)) => "{input} * {other}";
    "div" ["divide", "true_divide"], OPERATOR, "(Tensor|Scalar input, Tensor|Scalar other, *, str rounding_mode=None)",
        "a/b", Div::ROW.example, ["mul", "reciprocal", "floor_divide"], division => "{input} / {other} or [rounding_mode='floor'] jnp.floor_divide({input}, {other}) or [rounding_mode='trunc'] jnp.trunc({input} / {other})";
    "floor_divide" [], OPERATOR, BINARY, "⌊a/b⌋", FloorDivide::ROW.example, ["div", "remainder"],
        |b| Ok(Out::One(floor_divide(&b.tensor(0)?, &b.tensor(1)?)?)) => "{input} // {other}";
    "remainder" ["mod"], OPERATOR, BINARY, "a − b⌊a/b⌋", Remainder::ROW.example, ["floor_divide"],
        |b| Ok(Out::One(remainder(&b.tensor(0)?, &b.tensor(1)?)?)) => "[other: tensor] remainder({input}, {other}) or {input} % {other}";
    "neg" ["negative"], OPERATOR, UNARY, "−x", Negate::ROW.example, ["sub"],
        |b| Ok(Out::One(neg(&b.tensor(0)?)?)) => "-{input}";
    "pow" ["power"], OPERATOR, "(Tensor|Scalar input, Tensor|Scalar exponent)", "aᵇ", Pow::ROW.example, ["square", "sqrt", "exp"],
        |b| Ok(Out::One(pow(&b.tensor(0)?, &b.tensor(1)?)?)) => "[exponent: tensor] power({input}, {exponent}) or {input} ** {exponent}";
    "clamp" ["clip"], NUMPY, "(Tensor input, Tensor|Scalar min=None, Tensor|Scalar max=None)",
        "min(max(x, min), max)", Clamp::ROW.example, ["relu", "hardtanh"], clamp => "clamp({*})";
    "gelu" [], NN, "(Tensor input, *, str approximate='none')", "x/2 (1 + erf(x/√2))", Gelu::ROW.example, ["silu", "relu"], gelu => "[approximate='none'] jax.nn.gelu({input}, approximate=False) or [approximate='tanh'] jax.nn.gelu({input})";
    "softsign" [], NN, UNARY, "x/(1 + |x|)", "softsign([-1, 2])", ["tanh"],
        |b| Ok(Out::One(softsign(&b.tensor(0)?)?)) => "jax.nn.soft_sign({input})";
    "tanhshrink" [], NN, UNARY, "x − tanh(x)", "tanhshrink([-1, 2])", ["tanh"],
        |b| Ok(Out::One(tanhshrink(&b.tensor(0)?)?)) => "{input} - jnp.tanh({input})";
    "clamp_min" [], USUAL, "(Tensor input, Tensor|Scalar min)", "max(x, min)", ClampMin::ROW.example, ["clamp"], clamp_min => "clamp({input}, {min})";
    "clamp_max" [], USUAL, "(Tensor input, Tensor|Scalar max)", "min(x, max)", ClampMax::ROW.example, ["clamp"], clamp_max => "clamp({input}, max={max})";
    "lerp" [], USUAL, "(Tensor input, Tensor end, Tensor|Scalar weight)", "a + t(b − a)", Lerp::ROW.example, [], lerp => "{input} + {weight} * ({end} - {input})";
    "round" [], T.and(M).and(Forms::NP).and(Forms::SPECIAL), "(Tensor input, *, int decimals=None)",
        "the nearest integer, halves to the even one", RoundTo::ROW.example, ["floor", "trunc"], round => "jnp.round({input}, {decimals})";
    "copysign" [], NUMPY, "(Tensor input, Tensor|Scalar other)", Copysign::ROW.formula, Copysign::ROW.example, ["abs", "sign"], copysign => "copysign({*})";
    "fmod" [], NUMPY, "(Tensor input, Tensor|Scalar other)", Fmod::ROW.formula, Fmod::ROW.example, ["remainder"], fmod;
    "nan_to_num" [], NUMPY, "(Tensor input, float nan=None, float posinf=None, float neginf=None)",
        NanToNum::ROW.formula, NanToNum::ROW.example, ["where"], nan_to_num;
    "polygamma" [], T.and(Forms::SPECIAL).and(Forms::SHORT), "(int n, Tensor input)",
        Polygamma::ROW.formula, Polygamma::ROW.example, ["digamma"], polygamma => "jax.scipy.special.polygamma({n}, {input})";
    "prelu" [], NN.and(T).and(Forms::METHOD), "(Tensor input, Tensor weight)", Prelu::ROW.formula, Prelu::ROW.example, ["leaky_relu"], prelu => "prelu({*})";
    "glu" [], NN, "(Tensor input, int dim=-1)", "a σ(b), with a and b the halves of x; ∂y/∂a = σ(b), ∂y/∂b = a σ(b)(1 − σ(b))", "glu([1, 2, 3, 4])", ["sigmoid"], glu => "glu({*})";
    "addcmul" [], USUAL, "(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)",
        Addcmul::ROW.formula, Addcmul::ROW.example, ["addcdiv"], |b| scaled_third(&ADDCMUL, b) => "{input} + {tensor1} * {tensor2} or {input} + {value} * {tensor1} * {tensor2}";
    "addcdiv" [], USUAL, "(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)",
        Addcdiv::ROW.formula, Addcdiv::ROW.example, ["addcmul"], |b| scaled_third(&ADDCDIV, b) => "{input} + {tensor1} / {tensor2} or {input} + {value} * {tensor1} / {tensor2}";
    "heaviside" [], NUMPY, "(Tensor input, Tensor values)", Heaviside::ROW.formula, Heaviside::ROW.example, ["step", "where"], heaviside => "jnp.heaviside({input}, {values})";
    "frexp" [], T.and(Forms::METHOD), "(Tensor input)", "x = m·2ᵉ with ½ ≤ |m| < 1; ∂m/∂x = 2⁻ᵉ", "torch.frexp(tensor([1.0, 10.0]))", ["ldexp"], frexp => "-";
    "ldexp" [], T.and(M), "(Tensor input, Tensor other)", "a·2ᵇ; ∂y/∂a = 2ᵇ, ∂y/∂b = y log 2", "torch.ldexp(tensor([1.0]), tensor([3]))", ["exp2"], ldexp => "{input} * 2.0 ** {other}";
    "float_power" [], T.and(M).and(Forms::NP), "(Tensor|Scalar input, Tensor|Scalar exponent)", "aᵇ in float64", "torch.float_power(tensor([2]), 3)", ["pow"], float_power => "-";
    "mvlgamma" ["multigammaln"], T.and(M).and(Forms::SPECIAL), "(Tensor input, int p)", "log Γₚ(x) = p(p−1)/4·log π + Σⱼ log Γ(x − j/2); ∂y/∂x = Σⱼ digamma(x − j/2)",
        "torch.mvlgamma(tensor([2.5]), 2)", ["lgamma"], mvlgamma => "-";
    "rsub" [], T, ALPHA, "b − a", "torch.rsub(tensor([1.0, 2.0]), 3)", ["sub"],
        reversed => "{other} - {input} or {other} - {alpha} * {input}";
    "nextafter" [], USUAL, "(Tensor input, Tensor other)", Nextafter::ROW.formula, Nextafter::ROW.example, ["floor"], nextafter => "nextafter({input}, {other})";
    "positive" [], T.and(Forms::METHOD).and(Forms::NP), UNARY, "x", "tensor([1.0, -2.0]).positive()", ["neg"], |b| Ok(Out::One(b.tensor(0)?)) => "{input}";
}
