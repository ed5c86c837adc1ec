//! How programs call the rows: names, forms and signatures. What has parameters of its own kind
//! (`clamp`'s bounds, `gelu`'s approximation) or is composed of several rows has a function here.

use super::calls::*;
use crate::entry::Call;
use crate::{Bound, Entry, Out};
use smallvec::SmallVec;
use std::sync::LazyLock;
use vjp_maths::inplace::node_names::Renamed;
use vjp_maths::table::called::*;
use vjp_maths::table::*;
use vjp_maths::{Variable, apply};
use vjp_tensor::Outcome;

const T: Forms = Forms::TORCH;
const M: Forms = Forms::METHOD.and(Forms::INPLACE);
const OPERATOR: Forms = NUMPY.and(Forms::OPERATOR);

/// Calls a row: its operands first, then its parameters as numbers.
fn plain(row: &'static Row, b: &mut Bound) -> Outcome<Out> {
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

/// The rows as programs call them.
pub static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| rows().filter_map(entry).collect());

fn entry(row: &'static Row) -> Option<Entry> {
    let called = &row.called;
    (called.forms != Forms::NONE).then_some(Entry {
        name: row.fun.name,
        aliases: called.aliases,
        forms: called.forms,
        signature: called.signature,
        formula: row.formula,
        example: row.example,
        samples: &[],
        see_also: called.see_also,
        jax: called.jax,
        call: Call::Row(row, plain),
    })
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
            call: Call::Own($call),
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
        "min(max(x, min), max); ∂/∂x = 1 between min and max, else 0", Clamp::ROW.example, ["relu", "hardtanh"], clamp => "clamp({*})";
    "gelu" [], NN, "(Tensor input, *, str approximate='none')", "x/2 (1 + erf(x/√2))", Gelu::ROW.example, ["silu", "relu"], gelu => "[approximate='none'] jax.nn.gelu({input}, approximate=False) or [approximate='tanh'] jax.nn.gelu({input})";
    "softsign" [], NN, UNARY, "x/(1 + |x|)", "softsign([-1, 2])", ["tanh"],
        |b| Ok(Out::One(softsign(&b.tensor(0)?)?)) => "jax.nn.soft_sign({input})";
    "tanhshrink" [], NN, UNARY, "x − tanh(x)", "tanhshrink([-1, 2])", ["tanh"],
        |b| Ok(Out::One(tanhshrink(&b.tensor(0)?)?)) => "{input} - jnp.tanh({input})";
    "clamp_min" [], POINTWISE, "(Tensor input, Tensor|Scalar min)", "max(x, min)", ClampMin::ROW.example, ["clamp"], clamp_min => "clamp({input}, {min})";
    "clamp_max" [], POINTWISE, "(Tensor input, Tensor|Scalar max)", "min(x, max)", ClampMax::ROW.example, ["clamp"], clamp_max => "clamp({input}, max={max})";
    "lerp" [], POINTWISE, "(Tensor input, Tensor end, Tensor|Scalar weight)", "a + t(b − a)", Lerp::ROW.example, [], lerp => "{input} + {weight} * ({end} - {input})";
    "round" [], T.and(M).and(Forms::NP).and(Forms::SPECIAL), "(Tensor input, *, int decimals=None)",
        "the nearest integer, halves to the even one", RoundTo::ROW.example, ["floor", "trunc"], round => "jnp.round({input}, {decimals})";
    "copysign" [], NUMPY, "(Tensor input, Tensor|Scalar other)", Copysign::ROW.formula, Copysign::ROW.example, ["abs", "sign"], copysign => "copysign({*})";
    "fmod" [], NUMPY, "(Tensor input, Tensor|Scalar other)", Fmod::ROW.formula, Fmod::ROW.example, ["remainder"], fmod;
    "nan_to_num" [], NUMPY, "(Tensor input, float nan=None, float posinf=None, float neginf=None)",
        NanToNum::ROW.formula, NanToNum::ROW.example, ["where"], nan_to_num;
    "polygamma" [], T.and(Forms::SPECIAL).and(Forms::SHORT), "(int n, Tensor input)",
        Polygamma::ROW.formula, Polygamma::ROW.example, ["digamma"], polygamma => "jax.scipy.special.polygamma({n}, {input})";
    "polygamma" [], M, "(Tensor input, int n)",
        Polygamma::ROW.formula, "tensor([1.]).polygamma(1)", ["digamma"], |b| polygamma_of(b.tensor(0)?, b.float_or(1, 0.0)) => "jax.scipy.special.polygamma({n}, {input})";
    "prelu" [], NN.and(T).and(Forms::METHOD), "(Tensor input, Tensor weight)", Prelu::ROW.formula, Prelu::ROW.example, ["leaky_relu"], prelu => "prelu({*})";
    "glu" [], NN, "(Tensor input, int dim=-1)", "a σ(b), with a and b the halves of x; ∂y/∂a = σ(b), ∂y/∂b = a σ(b)(1 − σ(b))", "glu([1, 2, 3, 4])", ["sigmoid"], glu => "glu({*})";
    "addcmul" [], POINTWISE, "(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)",
        Addcmul::ROW.formula, Addcmul::ROW.example, ["addcdiv"], |b| scaled_third(&ADDCMUL, b) => "{input} + {tensor1} * {tensor2} or {input} + {value} * {tensor1} * {tensor2}";
    "addcdiv" [], POINTWISE, "(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)",
        Addcdiv::ROW.formula, Addcdiv::ROW.example, ["addcmul"], |b| scaled_third(&ADDCDIV, b) => "{input} + {tensor1} / {tensor2} or {input} + {value} * {tensor1} / {tensor2}";
    "heaviside" [], NUMPY, "(Tensor input, Tensor values)", Heaviside::ROW.formula, Heaviside::ROW.example, ["step", "where"], heaviside => "jnp.heaviside({input}, {values})";
    "frexp" [], T.and(Forms::METHOD), "(Tensor input)", "x = m·2ᵉ with ½ ≤ |m| < 1; ∂m/∂x = 2⁻ᵉ", "torch.frexp(tensor([1.0, 10.0]))", ["ldexp"], frexp => "-";
    "ldexp" [], T.and(M), "(Tensor input, Tensor other)", "a·2ᵇ; ∂y/∂a = 2ᵇ, ∂y/∂b = y log 2", "torch.ldexp(tensor([1.0]), tensor([3]))", ["exp2"], ldexp => "{input} * 2.0 ** {other}";
    "float_power" [], T.and(M).and(Forms::NP), "(Tensor|Scalar input, Tensor|Scalar exponent)", "aᵇ in float64", "torch.float_power(tensor([2]), 3)", ["pow"], float_power => "-";
    "mvlgamma" ["multigammaln"], T.and(M).and(Forms::SPECIAL), "(Tensor input, int p)", "log Γₚ(x) = p(p−1)/4·log π + Σⱼ log Γ(x − j/2); ∂y/∂x = Σⱼ digamma(x − j/2)",
        "torch.mvlgamma(tensor([2.5]), 2)", ["lgamma"], mvlgamma => "-";
    "rsub" [], T, ALPHA, "b − a", "torch.rsub(tensor([1.0, 2.0]), 3)", ["sub"],
        reversed => "{other} - {input} or {other} - {alpha} * {input}";
    "nextafter" [], POINTWISE, "(Tensor input, Tensor other)", Nextafter::ROW.formula, Nextafter::ROW.example, ["floor"], nextafter => "nextafter({input}, {other})";
    "positive" [], T.and(Forms::METHOD).and(Forms::NP), UNARY, "x", "tensor([1.0, -2.0]).positive()", ["neg"], |b| Ok(Out::One(b.tensor(0)?)) => "{input}";
}
