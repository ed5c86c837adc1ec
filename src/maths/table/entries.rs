//! How programs call the rows: names, forms and signatures. What has parameters of its own kind
//! (`clamp`'s bounds, `gelu`'s approximation) or is composed of several rows has a function here.

use super::super::algebra::Fun;
use super::super::complaint::{Kind, Outcome};
use super::super::ops::{Bound, Entry, Forms, Out};
use super::super::variable::{Variable, apply};
use super::*;
use crate::complain;

const T: Forms = Forms::TORCH;
const M: Forms = Forms::METHOD.and(Forms::INPLACE);
/// torch function, method, in-place method and short name.
const USUAL: Forms = T.and(M).and(Forms::SHORT);
/// Also a NumPy function.
const NUMPY: Forms = USUAL.and(Forms::NP);
const SPECIAL: Forms = USUAL.and(Forms::SPECIAL);
const OPERATOR: Forms = NUMPY.and(Forms::OPERATOR);
/// Only `F.name`, and the short name.
const NN: Forms = Forms::F.and(Forms::SHORT);

const UNARY: &str = "(Tensor input)";
const BINARY: &str = "(Tensor|Scalar input, Tensor|Scalar other)";

/// Calls a row: its operands first, then its parameters as numbers.
fn plain(fun: &'static Fun, defaults: &[(&str, f64)], b: &Bound) -> Outcome<Out> {
    let operands: Vec<Variable> = (0..fun.operands)
        .map(|k| b.tensor(k))
        .collect::<Outcome<_>>()?;
    let params: Vec<f64> = defaults
        .iter()
        .enumerate()
        .map(|(k, (_, default))| b.float_or(fun.operands + k, *default))
        .collect();
    Ok(Out::One(apply((fun.operation)(&params), &operands)?))
}

macro_rules! entries {
    ($($Type:ident $name:literal $aliases:expr, $forms:expr, $signature:expr, $see:expr;)*) => {
        /// The rows as programs call them.
        pub static ENTRIES: &[Entry] = &[$(Entry {
            name: $name,
            aliases: &$aliases,
            forms: $forms,
            signature: $signature,
            formula: $Type::ROW.formula,
            example: $Type::ROW.example,
            see_also: &$see,
            call: |b| plain($Type::ROW.fun, $Type::ROW.params, b),
        }),*];
    };
}

entries! {
    Square "square" [], NUMPY, UNARY, ["sqrt", "pow"];
    Sqrt "sqrt" [], NUMPY, UNARY, ["square", "rsqrt"];
    Rsqrt "rsqrt" [], USUAL, UNARY, ["sqrt"];
    Reciprocal "reciprocal" [], NUMPY, UNARY, ["div"];
    Hypot "hypot" [], NUMPY, "(Tensor input, Tensor other)", ["norm"];
    Lerp "lerp" [], USUAL, "(Tensor input, Tensor end, Tensor|Scalar weight)", [];
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
    Asin "asin" ["arcsin"], NUMPY, UNARY, ["sin"];
    Acos "acos" ["arccos"], NUMPY, UNARY, ["cos"];
    Atan "atan" ["arctan"], NUMPY, UNARY, ["tan", "atan2"];
    Atan2 "atan2" ["arctan2"], NUMPY, "(Tensor input, Tensor other)", ["atan"];
    Sinh "sinh" [], NUMPY, UNARY, ["cosh", "tanh"];
    Cosh "cosh" [], NUMPY, UNARY, ["sinh", "tanh"];
    Tanh "tanh" [], NUMPY.and(Forms::F), UNARY, ["sigmoid", "sinh"];
    Asinh "asinh" ["arcsinh"], NUMPY, UNARY, ["sinh"];
    Acosh "acosh" ["arccosh"], NUMPY, UNARY, ["cosh"];
    Atanh "atanh" ["arctanh"], NUMPY, UNARY, ["tanh"];
    Erf "erf" [], SPECIAL, UNARY, ["gelu"];
    Abs "abs" ["absolute"], NUMPY, UNARY, ["sign"];
    Sign "sign" [], NUMPY, UNARY, ["abs", "step"];
    Step "step" [], Forms::SHORT, UNARY, ["relu", "sign"];
    Floor "floor" [], NUMPY, UNARY, ["ceil", "round", "trunc"];
    Ceil "ceil" [], NUMPY, UNARY, ["floor", "round"];
    Round "round" [], T.and(M).and(Forms::NP), UNARY, ["floor", "trunc"];
    Trunc "trunc" ["fix"], NUMPY, UNARY, ["floor", "frac"];
    Frac "frac" [], USUAL, UNARY, ["trunc"];
    Maximum "maximum" [], NUMPY, "(Tensor input, Tensor other)", ["minimum", "max", "relu"];
    Minimum "minimum" [], NUMPY, "(Tensor input, Tensor other)", ["maximum", "min"];
    Sigmoid "sigmoid" [], USUAL.and(Forms::F).and(Forms::SPECIAL), UNARY, ["tanh", "logsigmoid"];
    LogSigmoid "logsigmoid" [], NN, UNARY, ["sigmoid", "softplus"];
    Softplus "softplus" [], NN, "(Tensor input, float beta=1, float threshold=20)", ["relu", "sigmoid"];
    Relu "relu" [], USUAL.and(Forms::F), UNARY, ["leaky_relu", "step", "clamp"];
    LeakyRelu "leaky_relu" [], NN, "(Tensor input, float negative_slope=0.01, bool inplace=False)", ["relu", "elu"];
    Elu "elu" [], NN, "(Tensor input, float alpha=1.0, bool inplace=False)", ["relu", "selu", "celu"];
    Selu "selu" [], NN.and(T), "(Tensor input, bool inplace=False)", ["elu"];
    Celu "celu" [], NN.and(T), "(Tensor input, float alpha=1.0, bool inplace=False)", ["elu"];
    Silu "silu" [], NN, "(Tensor input, bool inplace=False)", ["sigmoid", "gelu", "mish"];
    Mish "mish" [], NN, "(Tensor input, bool inplace=False)", ["silu"];
    Hardtanh "hardtanh" [], NN, "(Tensor input, float min_val=-1.0, float max_val=1.0, bool inplace=False)", ["clamp", "relu6"];
    Relu6 "relu6" [], NN, "(Tensor input, bool inplace=False)", ["relu", "hardtanh"];
}

/// `a` plus or minus `alpha` times `b`.
fn scaled(b: &Bound, k: usize) -> Outcome<Variable> {
    let other = b.tensor(1)?;
    match b.scalar(k) {
        Some(alpha) if alpha.value() != 1.0 => mul(&other, &Variable::constant(alpha.tensor())),
        _ => Ok(other),
    }
}

fn division(b: &mut Bound) -> Outcome<Out> {
    let (x, y) = (b.tensor(0)?, b.tensor(1)?);
    Ok(Out::One(match b.str_or(2, "") {
        "" => div(&x, &y)?,
        "floor" => floor_divide(&x, &y)?,
        "trunc" => apply((TRUNC.operation)(&[]), &[div(&x, &y)?])?,
        _ => complain!(
            Kind::Runtime,
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{}'",
            b.str_or(2, "")
        ),
    }))
}

fn clamp(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    if !b.has(1) && !b.has(2) {
        complain!(
            Kind::Runtime,
            "torch.clamp: At least one of 'min' or 'max' must not be None"
        );
    }
    // Bounds that are tensors have slopes of their own, shared at a tie.
    if matches!(b.arg(1), crate::maths::ops::Arg::Tensor(_))
        || matches!(b.arg(2), crate::maths::ops::Arg::Tensor(_))
    {
        let mut y = x;
        if b.has(1) {
            y = apply((MAXIMUM.operation)(&[]), &[y, b.tensor(1)?])?;
        }
        if b.has(2) {
            y = apply((MINIMUM.operation)(&[]), &[y, b.tensor(2)?])?;
        }
        return Ok(Out::One(y));
    }
    let bounds = [
        b.float_or(1, f64::NEG_INFINITY),
        b.float_or(2, f64::INFINITY),
    ];
    Ok(Out::One(apply((CLAMP.operation)(&bounds), &[x])?))
}

fn gelu(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let fun = match b.str_or(1, "none") {
        "tanh" => &GELU_TANH,
        "none" => &GELU,
        _ => complain!(
            Kind::Runtime,
            "approximate argument must be either none or tanh."
        ),
    };
    Ok(Out::One(apply((fun.operation)(&[]), &[x])?))
}

fn softsign(x: &Variable) -> Outcome<Variable> {
    let size = apply((ABS.operation)(&[]), std::slice::from_ref(x))?;
    let one = Variable::constant(crate::maths::ops::Scalar::Int(1).tensor());
    div(x, &add(&size, &one)?)
}

fn tanhshrink(x: &Variable) -> Outcome<Variable> {
    sub(x, &apply((TANH.operation)(&[]), std::slice::from_ref(x))?)
}

macro_rules! special {
    ($($name:literal $aliases:expr, $forms:expr, $signature:expr, $formula:literal, $example:expr, $see:expr, $call:expr;)*) => {
        /// Rows with arguments of their own kind, and what is composed of rows.
        pub static SPECIAL_ENTRIES: &[Entry] = &[$(Entry {
            name: $name,
            aliases: &$aliases,
            forms: $forms,
            signature: $signature,
            formula: $formula,
            example: $example,
            see_also: &$see,
            call: $call,
        }),*];
    };
}

const ALPHA: &str = "(Tensor|Scalar input, Tensor|Scalar other, *, Scalar alpha=1)";

special! {
    "add" [], OPERATOR, ALPHA, "a + b", Add::ROW.example, ["sub"],
        |b| Ok(Out::One(add(&b.tensor(0)?, &scaled(b, 2)?)?));
    "sub" ["subtract"], OPERATOR, ALPHA, "a − b", Sub::ROW.example, ["add", "neg"],
        |b| Ok(Out::One(sub(&b.tensor(0)?, &scaled(b, 2)?)?));
    "mul" ["multiply"], OPERATOR, BINARY, "a·b", Mul::ROW.example, ["div", "matmul"],
        |b| Ok(Out::One(mul(&b.tensor(0)?, &b.tensor(1)?)?));
    "div" ["divide", "true_divide"], OPERATOR, "(Tensor|Scalar input, Tensor|Scalar other, *, str rounding_mode=None)",
        "a/b", Div::ROW.example, ["mul", "reciprocal", "floor_divide"], division;
    "floor_divide" [], OPERATOR, BINARY, "⌊a/b⌋", FloorDivide::ROW.example, ["div", "remainder"],
        |b| Ok(Out::One(floor_divide(&b.tensor(0)?, &b.tensor(1)?)?));
    "remainder" ["mod"], OPERATOR, BINARY, "a − b⌊a/b⌋", Remainder::ROW.example, ["floor_divide"],
        |b| Ok(Out::One(remainder(&b.tensor(0)?, &b.tensor(1)?)?));
    "neg" ["negative"], OPERATOR, UNARY, "−x", Negate::ROW.example, ["sub"],
        |b| Ok(Out::One(neg(&b.tensor(0)?)?));
    "pow" ["power"], OPERATOR, "(Tensor|Scalar input, Tensor|Scalar exponent)", "aᵇ", Pow::ROW.example, ["square", "sqrt", "exp"],
        |b| Ok(Out::One(pow(&b.tensor(0)?, &b.tensor(1)?)?));
    "clamp" ["clip"], NUMPY, "(Tensor input, Tensor|Scalar min=None, Tensor|Scalar max=None)",
        "min(max(x, min), max)", Clamp::ROW.example, ["relu", "hardtanh"], clamp;
    "gelu" [], NN, "(Tensor input, *, str approximate='none')", "x/2 (1 + erf(x/√2))", Gelu::ROW.example, ["silu", "relu"], gelu;
    "softsign" [], NN, UNARY, "x/(1 + |x|)", "softsign([-1, 2])", ["tanh"],
        |b| Ok(Out::One(softsign(&b.tensor(0)?)?));
    "tanhshrink" [], NN, UNARY, "x − tanh(x)", "tanhshrink([-1, 2])", ["tanh"],
        |b| Ok(Out::One(tanhshrink(&b.tensor(0)?)?));
    "clamp_min" [], T.and(M), "(Tensor input, Scalar min)", "max(x, min)", "clamp([-1, 2], min=0)", ["clamp"],
        |b| Ok(Out::One(apply((CLAMP.operation)(&[b.float_or(1, f64::NEG_INFINITY)]), &[b.tensor(0)?])?));
    "clamp_max" [], T.and(M), "(Tensor input, Scalar max)", "min(x, max)", "clamp([-1, 2], max=0)", ["clamp"],
        |b| Ok(Out::One(apply((CLAMP.operation)(&[f64::NEG_INFINITY, b.float_or(1, f64::INFINITY)]), &[b.tensor(0)?])?));
}
