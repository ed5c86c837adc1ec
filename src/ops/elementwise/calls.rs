//! What the entries of the table call that have parameters of their own kind or are composed of rows.

use super::glu::Glu;
use crate::arrange::layout;
use crate::compose::grouped;
use crate::{Arg, Bound, Out};
use std::rc::Rc;
use vjp_maths::inplace::node_names::Renamed;
use vjp_maths::table::*;
use vjp_maths::{Fun, Saves, Variable, apply};
use vjp_tensor::exact_integers::is_exact;
use vjp_tensor::matrix::{Manner, manner};
use vjp_tensor::tensor::promote;
use vjp_tensor::{Dtype, Kind, Outcome, Scalar, Tensor, complain, shape, torch_messages};

/// A row, with its parameters, applied.
fn row(fun: &'static Fun, params: &[f64], operands: &[Variable]) -> Outcome<Out> {
    Ok(Out::One(with_params(fun, params, operands)?))
}

/// A tensor in the type it has together with numbers that are not operands.
fn beside(x: Variable, numbers: &[Scalar]) -> Outcome<Variable> {
    let tensors: Vec<_> = numbers.iter().map(|s| s.tensor()).collect();
    let value = x.value();
    let all: Vec<_> = std::iter::once(&value).chain(&tensors).collect();
    layout::to_dtype(&x, promote(&all))
}

/// One row for a second argument that is a number, another for a tensor.
fn by_second(b: &Bound, number: &'static Fun, tensor: &'static Fun) -> Outcome<Out> {
    match b.arg(1) {
        Arg::Scalar(s) => row(number, &[s.value()], &[beside(b.tensor(0)?, &[*s])?]),
        _ => row(tensor, &[], &[b.tensor(0)?, b.tensor(1)?]),
    }
}

pub(super) fn copysign(b: &mut Bound) -> Outcome<Out> {
    by_second(b, &COPYSIGN_BY, &COPYSIGN)
}

pub(super) fn fmod(b: &mut Bound) -> Outcome<Out> {
    nonzero(&b.tensor(0)?, &b.tensor(1)?)?;
    by_second(b, &FMOD_BY, &FMOD)
}

/// Bounds that no double is equal to as tensors, which hold them.
fn long_bounds(b: &mut Bound) {
    let is_long = |a: &Arg| matches!(a, Arg::Scalar(Scalar::Int(i)) if !is_exact(*i));
    if b.args.iter().any(is_long) {
        for arg in &mut b.args {
            if let Arg::Scalar(Scalar::Int(i)) = *arg {
                let bound = Tensor::from_whole(&[], vec![i], Dtype::Int64).with_weak(true);
                *arg = Arg::Tensor(Variable::constant(bound));
            }
        }
    }
}

pub(super) fn clamp_min(b: &mut Bound) -> Outcome<Out> {
    long_bounds(b);
    by_second(b, &CLAMP_MIN_BY, &CLAMP_MIN)
}

pub(super) fn clamp_max(b: &mut Bound) -> Outcome<Out> {
    long_bounds(b);
    by_second(b, &CLAMP_MAX_BY, &CLAMP_MAX)
}

pub(super) fn lerp(b: &mut Bound) -> Outcome<Out> {
    let ends = [b.tensor(0)?, b.tensor(1)?];
    let weight = if matches!(b.arg(2), Arg::Tensor(_)) { Some(b.tensor(2)?) } else { None };
    for (name, other) in [("end", Some(&ends[1])), ("weight", weight.as_ref())] {
        if let Some(other) =
            other.filter(|v| v.dtype() != ends[0].dtype() && (name == "end" || v.rank() > 0))
        {
            complain!(
                "expected dtype {} for `{name}` but got dtype {}",
                ends[0].dtype().c_name(),
                other.dtype().c_name()
            );
        }
    }
    if !ends[0].dtype().is_float() {
        complain!(
            Kind::NotImplemented,
            "\"lerp_kernel_{}\" not implemented for '{}'",
            if weight.is_some() { "tensor" } else { "scalar" },
            ends[0].dtype().scalar_type()
        );
    }
    match b.arg(2) {
        Arg::Scalar(s) => row(&LERP_BY, &[s.value()], &ends),
        _ => {
            let [from, to] = ends;
            row(&LERP, &[], &[from, to, b.tensor(2)?])
        }
    }
}

pub(super) fn round(b: &mut Bound) -> Outcome<Out> {
    let dtype = b.tensor(0)?.dtype();
    match b.float(1) {
        Some(_) if !dtype.is_float() => Err(torch_messages::no_kernel("round_cpu", dtype)),
        Some(decimals) => row(&ROUND_TO, &[decimals], &[b.tensor(0)?]),
        None => row(&ROUND, &[], &[b.tensor(0)?]),
    }
}

/// What represents the infinities is, unless said, the type's largest number.
pub(super) fn nan_to_num(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let largest = if x.dtype() == Dtype::Float32 { f64::from(f32::MAX) } else { f64::MAX };
    let params = [b.float_or(1, 0.0), b.float_or(2, largest), b.float_or(3, -largest)];
    row(&NAN_TO_NUM, &params, &[x])
}

/// The neighbour in the operands' own type.
pub(super) fn nextafter(b: &mut Bound) -> Outcome<Out> {
    let operands = [b.tensor(0)?, b.tensor(1)?];
    has_kernel("nextafter", &operands)?;
    let digits = match promote(&[&operands[0].value(), &operands[1].value()]) {
        Dtype::Float16 => 11.0,
        Dtype::Bfloat16 => 8.0,
        Dtype::Float32 => 24.0,
        _ => 53.0,
    };
    row(&NEXTAFTER, &[digits], &operands)
}

pub(super) fn polygamma(b: &mut Bound) -> Outcome<Out> {
    polygamma_of(b.tensor(1)?, b.float_or(0, 0.0))
}

pub(super) fn polygamma_of(x: Variable, n: f64) -> Outcome<Out> {
    if n < 0.0 {
        complain!("polygamma(n, x) does not support negative n.");
    }
    row(&POLYGAMMA, &[n], &[x])
}

/// One weight for all, or one for each element of dimension 1 (of a vector: of dimension 0).
pub(super) fn prelu(b: &mut Bound) -> Outcome<Out> {
    let (x, mut w) = (b.tensor(0)?, b.tensor(1)?);
    let own = x.shape();
    if x.dtype() != w.dtype() {
        complain!(
            "prelu: Type promoting not supported. Got {} and {}",
            x.dtype().scalar_type(),
            w.dtype().scalar_type()
        );
    }
    if own.is_empty() && w.numel() != 1 {
        complain!("Not allow zero-dim input tensor.");
    }
    if w.numel() != 1 {
        let channels = own.get(1).copied().unwrap_or(1);
        if channels != w.numel() {
            complain!(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = {} and channel size = {}.",
                w.numel(),
                channels
            );
        }
    }
    if w.rank() > 1 {
        complain!(
            "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {}",
            w.rank()
        );
    }
    let wanted: Vec<i64> =
        (0..own.len()).map(|d| if d == 1 { w.numel() as i64 } else { 1 }).collect();
    if w.shape().len() != own.len() || own.len() > 1 {
        w = layout::reshape(&w, &wanted)?;
    }
    row(&PRELU, &[], &[x, w])
}

pub(super) fn glu(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let own = x.shape();
    if own.is_empty() {
        complain!("glu does not support scalars because halving size must be even");
    }
    let dim = shape::axis(b.int_or(1, -1), own.len())?;
    if own[dim] % 2 != 0 {
        complain!("Halving dimension must be even, but dimension {} is size {}", dim, own[dim]);
    }
    Ok(Out::One(apply(Rc::new(Glu { dim }), &[x])?))
}

const INTEGER_DIVISION: &str = "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes.";

/// A row of three operands whose parameter is named only.
pub(super) fn scaled_third(fun: &'static Fun, b: &Bound) -> Outcome<Out> {
    let operands = [b.tensor(0)?, b.tensor(1)?, b.tensor(2)?];
    let whole = operands[1..].iter().all(|v| !v.dtype().is_float());
    if std::ptr::eq(fun, &ADDCDIV) && whole {
        complain!("{INTEGER_DIVISION}");
    }
    row(fun, &[b.float_or(3, 1.0)], &operands)
}

/// `a` plus or minus `alpha` times `b`, rounded once where they are floats.
pub(super) fn with_alpha(
    b: &Bound,
    scaled: &'static Fun,
    plain: impl Fn(&Variable, &Variable) -> Outcome<Variable>,
) -> Outcome<Out> {
    let (x, y) = (b.tensor(0)?, b.tensor(1)?);
    let alpha = b.scalar(2).map_or(1.0, |a| a.value());
    if [&x, &y].iter().any(|v| v.dtype() == Dtype::Bool) {
        // What refuses truth values refuses them with a factor.
        plain(&x, &y)?;
    }
    let dtype = fits_alpha(b, &x, &y)?;
    let alpha = if dtype.is_short() { dtype.cast(alpha) } else { alpha };
    if alpha != 1.0 && dtype.is_float() {
        return row(scaled, &[alpha], &[x, y]);
    }
    let sum = plain(&x, &times_alpha(b, 1, 2)?)?;
    // The factor's own type does not count.
    Ok(Out::One(if sum.dtype() == dtype { sum } else { layout::to_dtype(&sum, dtype)? }))
}

/// The type of a sum with a factor `alpha`, the third argument.
///
/// # Errors
/// The factor is of a larger kind.
fn fits_alpha(b: &Bound, x: &Variable, y: &Variable) -> Outcome<Dtype> {
    let dtype = promote(&[&x.value(), &y.value()]);
    match b.scalar(2) {
        Some(Scalar::Bool(_)) if dtype != Dtype::Bool => {
            complain!("Boolean alpha only supported for Boolean results.")
        }
        Some(Scalar::Float(_)) if !dtype.is_float() => complain!(
            "For integral input tensors, argument alpha must not be a floating point number."
        ),
        _ => {}
    }
    Ok(dtype)
}

/// An argument times `alpha`, the k-th.
pub(super) fn times_alpha(b: &Bound, which: usize, k: usize) -> Outcome<Variable> {
    let other = b.tensor(which)?;
    match b.scalar(k) {
        Some(alpha) if alpha.value() != 1.0 => mul(&other, &Variable::constant(alpha.tensor())),
        _ => Ok(other),
    }
}

pub(super) fn division(b: &mut Bound) -> Outcome<Out> {
    let (x, y) = (b.tensor(0)?, b.tensor(1)?);
    Ok(Out::One(match b.str_or(2, "") {
        "" if matches!(b.arg(0), Arg::Scalar(_)) => apply((DIV.operation)(&[]), &[x, y])?,
        "" => div(&x, &y)?,
        "floor" => {
            nonzero(&x, &y)?;
            apply((DIV_FLOOR.operation)(&[]), &[x, y])?
        }
        "trunc" => {
            nonzero(&x, &y)?;
            apply((DIV_TRUNC.operation)(&[]), &[x, y])?
        }
        _ => complain!(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{}'",
            b.str_or(2, "")
        ),
    }))
}

pub(super) fn clamp(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    if !b.has(1) && !b.has(2) {
        // NumPy's clip of no bounds changes nothing.
        if manner() == Manner::Numpy {
            return Ok(Out::One(x.detach_copy()));
        }
        complain!("torch.clamp: At least one of 'min' or 'max' must not be None");
    }
    long_bounds(b);
    // Bounds that are tensors have slopes of their own, shared at a tie.
    let tensors = [1, 2].map(|k| matches!(b.arg(k), Arg::Tensor(_)));
    if tensors.contains(&true) {
        // NumPy takes a number beside an array.
        if manner() != Manner::Numpy && (1..3).any(|k| matches!(b.arg(k), Arg::Scalar(_))) {
            complain!(
                Kind::Type,
                "clamp() received an invalid combination of arguments: min and max are both tensors or both numbers"
            );
        }
        let fun = match (b.has(1), b.has(2)) {
            (true, true) => return row(&CLAMP_BETWEEN, &[], &[x, b.tensor(1)?, b.tensor(2)?]),
            (true, false) => &CLAMP_ABOVE,
            _ => &CLAMP_BELOW,
        };
        let bound = b.tensor(if b.has(1) { 1 } else { 2 })?;
        return row(fun, &[], &[x, bound]);
    }
    let bounds = [b.float_or(1, f64::NEG_INFINITY), b.float_or(2, f64::INFINITY)];
    let given: Vec<Scalar> = [1, 2].into_iter().filter_map(|k| b.scalar(k)).collect();
    let x = beside(x, &given)?;
    row(&CLAMP, &bounds, &[x])
}

pub(super) fn gelu(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let fun = match b.str_or(1, "none") {
        "tanh" => &GELU_TANH,
        "none" => &GELU,
        _ => complain!("approximate argument must be either none or tanh."),
    };
    Ok(Out::One(apply((fun.operation)(&[]), &[x])?))
}

pub(super) fn softsign(x: &Variable) -> Outcome<Variable> {
    let size = apply((ABS.operation)(&[]), std::slice::from_ref(x))?;
    let one = Variable::constant(vjp_tensor::Scalar::Int(1).tensor());
    div(x, &add(&size, &one)?)
}

pub(super) fn tanhshrink(x: &Variable) -> Outcome<Variable> {
    sub(x, &apply((TANH.operation)(&[]), std::slice::from_ref(x))?)
}

/// `a − alpha·b`; a number in front does not turn the two around, as it does for the operator.
pub(super) fn difference(b: &mut Bound) -> Outcome<Out> {
    with_alpha(b, &SUB_SCALED, |x, y| match b.arg(0) {
        Arg::Scalar(_) => apply((SUB.operation)(&[]), &[x.clone(), y.clone()]),
        _ => sub(x, y),
    })
}

pub(super) fn heaviside(b: &mut Bound) -> Outcome<Out> {
    let (x, values) = (b.tensor(0)?, b.tensor(1)?);
    if x.dtype() != values.dtype() {
        complain!("heaviside is not yet implemented for tensors with different dtypes.");
    }
    row(&HEAVISIDE, &[], &[x, values])
}

pub(super) fn frexp(b: &mut Bound) -> Outcome<Out> {
    if !b.tensor(0)?.dtype().is_float() {
        complain!("torch.frexp() only supports floating-point dtypes");
    }
    let group = grouped(b, "frexp", "FrexpBackward0", 0, &[0])?;
    let x = b.tensor(0)?;
    let value = x.value();
    let exponent = |v: f64| if v.is_finite() { f64::from(libm::frexp(v).1) } else { 0.0 };
    let scale = Variable::constant(value.map(x.dtype(), |v| (-exponent(v)).exp2())?);
    let mantissa = group.output_at(0, &mul(&x, &scale)?)?;
    let exponent = Variable::constant(value.map(Dtype::Int32, exponent)?);
    Ok(Out::Named("frexp", vec![("mantissa", mantissa), ("exponent", exponent)]))
}

pub(super) fn ldexp(b: &mut Bound) -> Outcome<Out> {
    let two = Variable::constant(Scalar::Float(2.0).tensor());
    let mut group = grouped(b, "ldexp", "LdexpBackward0", 0b11, &[0, 1])?;
    group.keeps = Saves::Output;
    let (x, exponent) = (b.tensor(0)?, b.tensor(1)?);
    let shifts = x.dtype().is_float() && !exponent.dtype().is_float();
    if shifts && exponent.dtype() == Dtype::Bool {
        return Err(torch_messages::no_kernel("ldexp_cpu_exp", Dtype::Bool));
    }
    let y = mul(&x, &pow(&two, &exponent)?)?;
    let y = if shifts { layout::to_dtype(&y, x.dtype())? } else { y };
    Ok(Out::One(group.output(&y)?))
}

pub(super) fn float_power(b: &mut Bound) -> Outcome<Out> {
    let double = |k: usize| match b.arg(k) {
        Arg::Scalar(s) => Ok(Variable::constant(Scalar::Float(s.value()).tensor())),
        _ => layout::to_dtype(&b.tensor(k)?, Dtype::Float64),
    };
    Ok(Out::One(pow(&double(0)?, &double(1)?)?))
}

pub(super) fn mvlgamma(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "mvlgamma", "MvlgammaBackward0", 1, &[0])?;
    let (x, p) = (b.tensor(0)?, b.int_or(1, 1));
    if p < 1 {
        complain!("p has to be greater than or equal to 1");
    }
    let constant = p as f64 * (p - 1) as f64 / 4.0 * std::f64::consts::PI.ln();
    let mut y = Variable::constant(Scalar::Float(constant).tensor());
    for j in 0..p {
        let half = Variable::constant(Scalar::Float(0.0 - j as f64 / 2.0).tensor());
        y = add(&y, &apply((LGAMMA.operation)(&[]), &[add(&x, &half)?])?)?;
    }
    Ok(Out::One(group.output(&y)?))
}

/// `b − alpha·a`.
pub(super) fn reversed(b: &mut Bound) -> Outcome<Out> {
    let (x, y) = (b.tensor(0)?, b.tensor(1)?);
    if x.dtype() == Dtype::Bool || y.dtype() == Dtype::Bool {
        return Ok(Out::One(sub(&y, &x)?));
    }
    fits_alpha(b, &x, &y)?;
    let taken = match b.scalar(2) {
        Some(alpha) if alpha.value() != 1.0 => mul(&x, &Variable::constant(alpha.tensor()))?,
        _ => x,
    };
    if y.is_number() {
        return Ok(Out::One(sub(&y, &taken)?));
    }
    let operation = Renamed::of((RSUB.operation)(&[]), "RsubBackward0");
    Ok(Out::One(apply(operation, &[taken, y])?))
}

/// Functions PyTorch has no kernel of for whole numbers and bools, with the kernel its error names.
const FLOATS_ONLY: [(&str, &str); 18] = [
    ("frac", "frac_cpu"),
    ("elu", "elu_cpu"),
    ("selu", "elu_cpu"),
    ("celu", "elu_cpu"),
    ("leaky_relu", "leaky_relu_cpu"),
    ("gelu", "GeluKernelImpl"),
    ("silu", "silu_cpu"),
    ("mish", "mish_cpu"),
    ("logsigmoid", "log_sigmoid_cpu"),
    ("softplus", "softplus_cpu"),
    ("hardsigmoid", "hardsigmoid_cpu"),
    ("hardswish", "hardswish_cpu"),
    ("hardshrink", "hardshrink_cpu"),
    ("softshrink", "softshrink_check"),
    ("hypot", "hypot_cpu"),
    ("logaddexp", "logaddexp_cpu"),
    ("logaddexp2", "logaddexp2_cpu"),
    ("nextafter", "nextafter_cpu"),
];

/// The same for bools only.
const NO_BOOLS: [(&str, &str); 4] = [
    ("abs", "abs_cpu"),
    ("floor", "floor_vml_cpu"),
    ("ceil", "ceil_vml_cpu"),
    ("trunc", "trunc_vml_cpu"),
];

/// What PyTorch says of a bool where it has a sentence of its own.
const BOOLS: [(&str, &str); 1] = [("relu", "Boolean inputs not supported for relu")];

/// Whether PyTorch computes a function of operands of these types.
pub(super) fn has_kernel(name: &str, operands: &[Variable]) -> Outcome<()> {
    // One float among them makes the result float.
    if operands.iter().any(|v| v.dtype().is_float()) {
        return Ok(());
    }
    let values: Vec<_> = operands.iter().map(Variable::value).collect();
    let all: Vec<_> = values.iter().collect();
    let dtype = promote(&all);
    if dtype.is_float() {
        return Ok(());
    }
    if let Some((_, says)) = BOOLS.iter().find(|b| b.0 == name && dtype == Dtype::Bool) {
        complain!(Kind::NotImplemented, "{says}");
    }
    let bools: &[(&str, &str)] = if dtype == Dtype::Bool { &NO_BOOLS } else { &[] };
    let kernel = FLOATS_ONLY.iter().chain(bools).find(|k| k.0 == name);
    if let Some((_, kernel)) = kernel {
        return Err(torch_messages::no_kernel(kernel, dtype));
    }
    Ok(())
}
