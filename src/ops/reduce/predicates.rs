//! Questions with a yes or no for each element, or for all: comparisons, logic, isnan, allclose.
//! None of them has a derivative.

use crate::reduce::Axes;
use crate::{Bound, Forms, Out};
use std::rc::Rc;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::primitives::put::Put;
use vjp_maths::{Variable, apply};
use vjp_tensor::exact_integers::longs;
use vjp_tensor::kernels::strided as kernels;
use vjp_tensor::matrix::{Manner, manner};
use vjp_tensor::tensor::promote;
use vjp_tensor::{
    Dtype, Element, Outcome, Tensor, complain, mixed_dtypes, torch_messages, with_floats,
};

fn plain(t: Tensor) -> Out {
    Out::One(Variable::constant(t))
}

/// What was found element by element, lying as its operands.
fn each_one(b: &Bound, t: Tensor) -> Out {
    Out::One(Variable::constant(t).lying_as(b.all_tensors()))
}

/// Both operands in the type they are compared in.
fn common(b: &Bound) -> Outcome<(Tensor, Tensor)> {
    let (x, y) = (b.tensor(0)?.value(), b.tensor(1)?.value());
    let dtype = promote(&[&x, &y]);
    Ok((x.to_dtype(dtype), y.to_dtype(dtype)))
}

/// A comparison of floats, and of integers that no double need be equal to.
fn compare(
    b: &mut Bound,
    f: impl Fn(f64, f64) -> bool + Sync,
    whole: impl Fn(i64, i64) -> bool + Sync,
) -> Outcome<Out> {
    let (x, y) = common(b)?;
    Ok(each_one(
        b,
        match x.long().is_some() || y.long().is_some() {
            true => kernels::zip_whole(&x, &y, Dtype::Bool, |a, c| i64::from(whole(a, c)))?,
            // The doubles 0 and 1 need not be made legal.
            false => kernels::zip(&x, &y, Dtype::Float64, |a, c| f64::from(u8::from(f(a, c))))?
                .with_dtype(Dtype::Bool),
        },
    ))
}

/// The same sign for both.
macro_rules! compare {
    ($a:ident $sign:tt $c:ident) => {
        |b| compare(b, |$a, $c| $a $sign $c, |$a, $c| $a $sign $c)
    };
}

fn logic(b: &Bound, f: impl Fn(bool, bool) -> bool + Sync) -> Outcome<Out> {
    let (x, y) = (b.tensor(0)?.value(), b.tensor(1)?.value());
    let (x, y) = (x.to_dtype(Dtype::Bool), y.to_dtype(Dtype::Bool));
    let holds = |a, c| f64::from(u8::from(f(a != 0.0, c != 0.0)));
    Ok(each_one(b, kernels::zip(&x, &y, Dtype::Bool, holds)?))
}

/// The comparisons, and as PyTorch calls their nodes where they are written in place.
const COMPARISONS: [(&str, [&str; 2]); 6] = [
    ("lt", ["LtBackward0", "LtBackward1"]),
    ("le", ["LeBackward0", "LeBackward1"]),
    ("gt", ["GtBackward0", "GtBackward1"]),
    ("ge", ["GeBackward0", "GeBackward1"]),
    ("eq", ["EqBackward0", "EqBackward1"]),
    ("ne", ["NeBackward0", "NeBackward1"]),
];

pub fn compares(name: &str) -> bool {
    COMPARISONS.iter().any(|c| c.0 == name)
}

/// The truths of a comparison (with a number, or a tensor) in place of what was compared, recorded: nothing goes
/// back.
///
/// # Errors
/// The other operand has more elements; the budget.
pub fn compared(name: &str, number: bool, x: &Variable, truths: &Variable) -> Outcome<Variable> {
    let Some((name, nodes)) = COMPARISONS.iter().find(|c| c.0 == name) else {
        return Ok(truths.clone());
    };
    let (own, shape) = (x.shape(), truths.shape());
    if own != shape {
        return Err(torch_messages::output_shape(&own, &shape));
    }
    let whole = element_map(&shape, &shape, (0..truths.numel()).collect());
    let op = Put::new(name, nodes[usize::from(!number)], whole);
    apply(Rc::new(op), &[x.clone(), truths.clone()])
}

fn each(b: &mut Bound, f: impl Fn(f64) -> bool) -> Outcome<Out> {
    let x = b.tensor(0)?.value();
    Ok(each_one(b, x.map(Dtype::Bool, |v| f64::from(u8::from(f(v))))?))
}

/// Bitwise functions: of whole numbers, or of bools.
fn bits(b: &mut Bound, name: &str, f: impl Fn(i64, i64) -> i64 + Sync) -> Outcome<Out> {
    let (x, y) = common(b)?;
    if x.dtype().is_float() {
        return Err(torch_messages::no_kernel(&format!("{name}_cpu"), x.dtype()));
    }
    Ok(each_one(b, kernels::zip_whole(&x, &y, x.dtype(), f)?))
}

/// A shift; further than the type has bits, or backwards, by all of them.
fn shift(
    b: &mut Bound,
    name: &str,
    f: fn(i64, u32) -> Option<i64>,
    beyond: fn(i64) -> i64,
) -> Outcome<Out> {
    let dtype = common(b)?.0.dtype();
    if dtype == Dtype::Bool {
        return Err(torch_messages::no_kernel(&format!("{name}_cpu"), Dtype::Bool));
    }
    let bits_of = 8 * dtype.size() as i64;
    bits(b, name, |a, by| match (0..bits_of).contains(&by) {
        true => f(a, by as u32).unwrap_or(0),
        false => beyond(a),
    })
}

fn bitwise_not(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?.value();
    match x.dtype() {
        Dtype::Bool => Ok(each_one(b, x.map(Dtype::Bool, |v| 1.0 - v)?)),
        d if d.is_float() => Err(torch_messages::no_kernel("bitwise_not_cpu", d)),
        d => Ok(each_one(b, x.map_whole(d, |v| !v)?)),
    }
}

fn folded(b: &mut Bound, f: impl Fn(&[f64]) -> bool) -> Outcome<Out> {
    let x = b.tensor(0)?.value();
    let axes = Axes::new(x.shape(), b.ints(1).as_deref(), b.bool_or(2, false))?;
    // Of bytes, which were PyTorch's truth values once, it is a byte.
    let byte = x.dtype() == Dtype::Uint8 && manner() == Manner::Torch;
    let dtype = if byte { Dtype::Uint8 } else { Dtype::Bool };
    Ok(plain(axes.fold(&x, dtype, |g| f64::from(u8::from(f(g))))?))
}

fn close(b: &Bound) -> Outcome<Tensor> {
    let (x, y) = (b.tensor(0)?.value(), b.tensor(1)?.value());
    if x.dtype() != y.dtype() && !mixed_dtypes::permitted() {
        complain!("{} did not match {}", x.dtype().scalar_type(), y.dtype().scalar_type());
    }
    let (rtol, atol) = (b.float_or(2, 1e-5), b.float_or(3, 1e-8));
    for (name, given) in [("rtol", rtol), ("atol", atol)] {
        if given < 0.0 {
            complain!(
                "{name} must be greater than or equal to zero, but got {}",
                torch_messages::number(given)
            );
        }
    }
    let nan = b.bool_or(4, false);
    kernels::zip(&x, &y, Dtype::Bool, |a, c| {
        let near =
            a == c || (a.is_finite() && c.is_finite() && (a - c).abs() <= atol + rtol * c.abs());
        f64::from(u8::from(near || (nan && a.is_nan() && c.is_nan())))
    })
}

fn equal(b: &mut Bound) -> Outcome<Out> {
    let (x, y) = (b.tensor(0)?.value(), b.tensor(1)?.value());
    let alike = match x.long().is_some() || y.long().is_some() {
        true => longs(&x) == longs(&y),
        false => with_floats!(x, x => with_floats!(y, y => {
            x.iter().zip(y).all(|(a, c)| a.wide() == c.wide())
        })),
    };
    Ok(Out::Bool(x.shape() == y.shape() && alike))
}

const COMPARE: Forms =
    Forms::TORCH.and(Forms::METHOD).and(Forms::INPLACE).and(Forms::OPERATOR).and(Forms::NP);
const BOTH: Forms = Forms::TORCH.and(Forms::METHOD).and(Forms::NP);
const TWO: &str = "(Tensor|Scalar input, Tensor|Scalar other)";
const COMPARED: &str = "(Tensor input, Tensor|Scalar other)";
const TENSORS: &str = "(Tensor input, Tensor other)";
const ONE: &str = "(Tensor input)";
const OVER: &str = "(Tensor input, int[] dim=None, bool keepdim=False)";
const CLOSE: &str =
    "(Tensor input, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False)";

pub static ENTRIES: &[crate::Entry] = entries! {
    "lt" as "less" COMPARE, COMPARED, "a < b", "torch.lt(tensor([1, 2]), 2)", ["le"] jax "{input} < {other}" => compare!(a < c);
    "le" as "less_equal" COMPARE, COMPARED, "a ≤ b", "torch.le(tensor([1, 2]), 1)", ["lt"] jax "{input} <= {other}" => compare!(a <= c);
    "gt" as "greater" COMPARE, COMPARED, "a > b", "torch.gt(tensor([1, 2]), 1)", ["ge"] jax "{input} > {other}" => compare!(a > c);
    "ge" as "greater_equal" COMPARE, COMPARED, "a ≥ b", "torch.ge(tensor([1, 2]), 2)", ["gt"] jax "{input} >= {other}" => compare!(a >= c);
    "eq" COMPARE, COMPARED, "a = b", "torch.eq(tensor([1, 2]), 2)", ["ne", "equal"] jax "{input} == {other}" => compare!(a == c);
    "ne" as "not_equal" COMPARE, COMPARED, "a ≠ b", "torch.ne(tensor([1, 2]), 2)", ["eq"] jax "{input} != {other}" => compare!(a != c);
    "logical_and" BOTH.and(Forms::INPLACE), TENSORS, "both", "torch.logical_and(tensor([True]), tensor([False]))", ["logical_or"]
        => |b| logic(b, |a, c| a && c);
    "logical_or" BOTH.and(Forms::INPLACE), TENSORS, "either", "torch.logical_or(tensor([True]), tensor([False]))", ["logical_and"]
        => |b| logic(b, |a, c| a || c);
    "logical_xor" BOTH.and(Forms::INPLACE), TENSORS, "whether exactly one is true", "torch.logical_xor(tensor([True]), tensor([False]))", ["logical_or"]
        => |b| logic(b, |a, c| a != c);
    "logical_not" BOTH.and(Forms::INPLACE), ONE, "not", "torch.logical_not(tensor([True]))", ["logical_and"] => |b| each(b, |a| a == 0.0);
    "bitwise_and" COMPARE, TWO, "a & b", "torch.bitwise_and(tensor([6]), 3)", ["bitwise_or"] => |b| bits(b, "bitwise_and", |a, c| a & c);
    "bitwise_or" COMPARE, TWO, "a | b", "torch.bitwise_or(tensor([6]), 3)", ["bitwise_and"] => |b| bits(b, "bitwise_or", |a, c| a | c);
    "bitwise_xor" COMPARE, TWO, "a ^ b", "torch.bitwise_xor(tensor([6]), 3)", ["bitwise_or"] => |b| bits(b, "bitwise_xor", |a, c| a ^ c);
    "bitwise_left_shift" COMPARE, TWO, "a·2ᵇ", "torch.bitwise_left_shift(tensor([1]), 3)", ["bitwise_right_shift"] jax "{input} << {other}"
        => |b| shift(b, "lshift", i64::checked_shl, |_| 0);
    "bitwise_right_shift" COMPARE, TWO, "a / 2ᵇ, rounded down", "torch.bitwise_right_shift(tensor([8]), 3)", ["bitwise_left_shift"] jax "{input} >> {other}"
        => |b| shift(b, "rshift", i64::checked_shr, |a| a >> 63);
    "bitwise_not" as "invert" COMPARE, ONE, "~a", "torch.bitwise_not(tensor([True]))", ["logical_not"] jax "~{input}" => bitwise_not;
    "isnan" BOTH, ONE, "not a number", "torch.isnan(tensor([1.]))", ["isfinite"] => |b| each(b, f64::is_nan);
    "isposinf" BOTH, ONE, "+∞", "torch.isposinf(tensor([1.]))", ["isinf"] => |b| each(b, |v| v == f64::INFINITY);
    "isneginf" BOTH, ONE, "−∞", "torch.isneginf(tensor([1.]))", ["isinf"] => |b| each(b, |v| v == f64::NEG_INFINITY);
    "isreal" BOTH, ONE, "whether each is real: always true", "torch.isreal(tensor([1.]))", ["isnan"] jax "jnp.isreal({input})" => |b| each(b, |_| true);
    "signbit" BOTH, ONE, "negative, or −0", "torch.signbit(tensor([-1.]))", ["sign"] => |b| each(b, f64::is_sign_negative);
    "isinf" BOTH, ONE, "infinite", "torch.isinf(tensor([1.]))", ["isfinite"] => |b| each(b, f64::is_infinite);
    "isfinite" BOTH, ONE, "neither infinite nor NaN", "torch.isfinite(tensor([1.]))", ["isnan"] => |b| each(b, f64::is_finite);
    "any" BOTH, OVER, "whether any is true", "torch.any(tensor([True, False]))", ["all"] => |b| folded(b, |g| g.iter().any(|v| *v != 0.0));
    "all" BOTH, OVER, "whether all are true", "torch.all(tensor([True, False]))", ["any"] => |b| folded(b, |g| g.iter().all(|v| *v != 0.0));
    "count_nonzero" BOTH, "(Tensor input, int[] dim=None)", "the number of nonzero elements", "torch.count_nonzero(tensor([0, 1, 2]))", ["nonzero"]
        => |b| {
            let x = b.tensor(0)?.value();
            let axes = Axes::new(x.shape(), b.ints(1).as_deref(), false)?;
            let count = |g: &[f64]| g.iter().filter(|v| **v != 0.0).count() as f64;
            Ok(plain(axes.fold(&x, Dtype::Int64, count)?))
        };
    "isclose" BOTH, CLOSE, "|a − b| ≤ atol + rtol·|b|", "torch.isclose(tensor([1.]), tensor([1.1]))", ["allclose"] => |b| { let t = close(b)?; Ok(each_one(b, t)) };
    "allclose" BOTH, CLOSE, "|a − b| ≤ atol + rtol·|b| for all", "torch.allclose(tensor([1.]), tensor([1.1]))", ["isclose", "equal"]
        => |b| Ok(Out::Bool(close(b)?.data().iter().all(|v| *v != 0.0)));
    "equal" Forms::TORCH.and(Forms::METHOD), "(Tensor input, Tensor other)", "whether shape and elements are equal", "torch.equal(tensor([1]), tensor([1]))", ["allclose"] jax "jnp.array_equal({input}, {other})" => equal;
    "array_equal" Forms::NP, "(Tensor input, Tensor other)", "whether shape and elements are equal", "np.array_equal([1], [1])", ["equal"] jax "jnp.array_equal({input}, {other})" => equal;
};
