//! The operators on variables, composed as PyTorch composes them, so that the graph has its names.

use super::{
    ADD, DIV, FLOOR_DIVIDE, MUL, NEG, NUMBER_POW, POW, POW_BY, POW_NUMBER, RECIPROCAL, REMAINDER,
    REMAINDER_OF, RSUB, SUB,
};
use crate::autodiff::record::{Either, apply_to};
use crate::autodiff::torch_node::UNDERIVED;
use crate::inplace::node_names::Renamed;
use crate::table::fast_scalars;
use crate::{Fun, Variable, apply};
use smallvec::SmallVec;
use std::rc::Rc;
use vjp_tensor::kernels::strided::zip;
use vjp_tensor::matrix::{Manner, manner};
use vjp_tensor::tensor::promote;
use vjp_tensor::{Dtype, Fact, Kind, Outcome, Scalar, Tensor, complain};

/// A function of the table, recorded. After the operands come single numbers, its parameters.
///
/// # Errors
/// Shapes that do not match, memory, or a wish to stop.
pub fn call(fun: &'static Fun, args: &[Variable]) -> Outcome<Variable> {
    let (operands, params) = args.split_at(fun.operands.min(args.len()));
    let params: Vec<f64> =
        params.iter().filter_map(|p| p.value().data().first().copied()).collect();
    with_params(fun, &params, operands)
}

/// A function of the table, recorded, its parameters in the type in which its operands are computed with.
pub fn with_params(fun: &'static Fun, params: &[f64], operands: &[Variable]) -> Outcome<Variable> {
    apply((fun.operation)(&taken(fun, params, operands)), operands)
}

/// Parameters in the type in which the operands are computed with: PyTorch's kernels take a scalar so.
pub fn taken(fun: &Fun, params: &[f64], operands: &[Variable]) -> SmallVec<[f64; 3]> {
    let values: SmallVec<[Tensor; 3]> = operands.iter().map(Variable::value).collect();
    let dtype = match values.iter().collect::<SmallVec<[&Tensor; 3]>>().as_slice() {
        _ if params.is_empty() => Dtype::Float64,
        all => promote(all),
    };
    let one = |p: f64| match dtype {
        _ if !p.is_finite() => p,
        Dtype::Bool | Dtype::Float64 => p,
        // Of the 16-bit floats most kernels compute in float32.
        d if d.is_float()
            && !matches!(fun.name, "hardshrink" | "softshrink" | "fmod" | "remainder") =>
        {
            f64::from(p as f32)
        }
        d => d.cast(p),
    };
    params.iter().map(|p| one(*p)).collect()
}

/// A Python number, which PyTorch hands to an operation as a scalar.
fn is_number(v: &Variable) -> bool {
    v.is_number()
}

fn pair(fun: &'static Fun, a: &Variable, b: &Variable) -> Outcome<Variable> {
    if let Some(y) = fast_scalars::pair(fun, a, b) {
        return Ok(y);
    }
    apply_to((fun.operation)(&[]), &[a, b])
}

/// `x op number`, or `number op x` where `swapped`, for those signs that PyTorch carries out on the
/// number as it is; a weak 0-d tensor represents the number. None: the sign's own function knows.
pub fn beside_number(
    fun: &'static Fun,
    x: &Variable,
    number: Scalar,
    swapped: bool,
) -> Option<Outcome<Variable>> {
    let commutes = std::ptr::eq(fun, &ADD) || std::ptr::eq(fun, &MUL);
    let power = std::ptr::eq(fun, &POW);
    if (commutes || !swapped)
        && !power
        && let Some(y) = fast_scalars::beside_number(fun, x, number, swapped)
    {
        return Some(Ok(y));
    }
    let number = number.tensor();
    if number.dtype() == Dtype::Bool || x.dtype() == Dtype::Bool || (swapped && !commutes) {
        return None;
    }
    if power {
        let value = x.value();
        let same = promote(&[&value, &number]) == value.dtype();
        if !value.dtype().is_float() || !same {
            return None;
        }
        let e = number.item().unwrap_or(f64::NAN);
        return Some(with_params(&POW_NUMBER, &[e], std::slice::from_ref(x)));
    }
    let (x, number) = (Either::Variable(x), Either::Number(number));
    let pair = if swapped { [number, x] } else { [x, number] };
    Some(apply_to((fun.operation)(&[]), &pair))
}

fn dtype(a: &Variable, b: &Variable) -> Dtype {
    promote(&[&a.value(), &b.value()])
}

fn integral(a: &Variable, b: &Variable) -> bool {
    !dtype(a, b).is_float()
}

/// `a + b`.
pub fn add(a: &Variable, b: &Variable) -> Outcome<Variable> {
    pair(&ADD, a, b)
}

/// `a - b`; a tensor taken from a number is PyTorch's `rsub`.
pub fn sub(a: &Variable, b: &Variable) -> Outcome<Variable> {
    if a.dtype() == Dtype::Bool && b.dtype() == Dtype::Bool {
        if manner() == Manner::Numpy {
            complain!(
                Kind::Type,
                "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor function instead."
            );
        }
        complain!(
            Kind::NotImplemented,
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
        );
    }
    if manner() == Manner::Torch && (a.dtype() == Dtype::Bool || b.dtype() == Dtype::Bool) {
        complain!(
            Kind::NotImplemented,
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
        );
    }
    if is_number(a) && !is_number(b) { pair(&RSUB, b, a) } else { pair(&SUB, a, b) }
}

/// `a * b`.
pub fn mul(a: &Variable, b: &Variable) -> Outcome<Variable> {
    pair(&MUL, a, b)
}

/// `a / b`; a number divided by a tensor is a multiple of its reciprocal.
pub fn div(a: &Variable, b: &Variable) -> Outcome<Variable> {
    if is_number(a) && !is_number(b) {
        mul(&call(&RECIPROCAL, std::slice::from_ref(b))?, a)
    } else {
        pair(&DIV, a, b)
    }
}

/// `a // b`.
pub fn floor_divide(a: &Variable, b: &Variable) -> Outcome<Variable> {
    if manner() == Manner::Numpy && integral(a, b) {
        return without_zeros(&FLOOR_DIVIDE, a, b);
    }
    nonzero(a, b)?;
    pair(&FLOOR_DIVIDE, a, b)
}

/// `a % b`, with the sign of b.
pub fn remainder(a: &Variable, b: &Variable) -> Outcome<Variable> {
    if manner() == Manner::Numpy && integral(a, b) {
        return without_zeros(&REMAINDER, a, b);
    }
    nonzero(a, b)?;
    if is_number(a) && !is_number(b) {
        let operation = (REMAINDER_OF.operation)(&[]);
        let underived = Some(("remainder", u8::MAX));
        let operation = Rc::new(Renamed { operation, grad_fn: UNDERIVED, underived, keeps: true });
        return apply(operation, &[a.clone(), b.clone()]);
    }
    let row = if is_number(b) { &REMAINDER } else { &REMAINDER_OF };
    let y = pair(row, a, b)?;
    if manner() == Manner::Numpy && y.dtype().is_float() {
        // A zero has the sign of b, too.
        let signed = |y: f64, b: f64| if y == 0.0 { y.copysign(b) } else { y };
        return Ok(Variable::constant(zip(&y.value(), &b.value(), y.dtype(), signed)?));
    }
    Ok(y)
}

/// NumPy's division of integers: by 0 it gives 0.
fn without_zeros(row: &'static Fun, a: &Variable, b: &Variable) -> Outcome<Variable> {
    let whole = b.value();
    if !whole.data().contains(&0.0) {
        return pair(row, a, b);
    }
    let other = whole.map(whole.dtype(), |v| if v == 0.0 { 1.0 } else { v })?;
    let kept = whole.map(whole.dtype(), |v| f64::from(u8::from(v != 0.0)))?;
    let quotient = pair(row, a, &Variable::constant(other))?;
    mul(&quotient, &Variable::constant(kept))
}

/// Integers cannot be divided by 0.
pub fn nonzero(a: &Variable, b: &Variable) -> Outcome<()> {
    if integral(a, b) && b.value().data().contains(&0.0) {
        complain!("ZeroDivisionError");
    }
    Ok(())
}

/// `-a`.
///
/// # Errors
/// As [`call`]; a bool has no negative.
pub fn neg(a: &Variable) -> Outcome<Variable> {
    if a.dtype() == Dtype::Bool {
        complain!(
            Kind::NotImplemented,
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."
        );
    }
    call(&NEG, std::slice::from_ref(a))
}

/// `a ** b`, named after which of the two is a number.
///
/// # Errors
/// As [`call`]; integers have no negative powers.
pub fn pow(a: &Variable, b: &Variable) -> Outcome<Variable> {
    if is_number(b) && integral(a, b) && b.value().data().iter().any(|e| *e < 0.0) {
        complain!(Kind::Runtime, Fact::NegativePower; "Integers to negative integer powers are not allowed.");
    }
    match (is_number(a), is_number(b)) {
        // The exponent is a constant unless something asks for its gradient.
        (_, true) if !b.requires_grad() && !integral(a, b) && same_type(a, b) => {
            let e = b.value().data().first().copied().unwrap_or(f64::NAN);
            let e = if a.dtype().is_short() { a.dtype().cast(e) } else { e };
            with_params(&POW_NUMBER, &[e], std::slice::from_ref(a))
        }
        (false, true) => pair(&POW_BY, a, b),
        (true, false) => pair(&NUMBER_POW, a, b),
        _ => pair(&POW, a, b),
    }
}

/// Whether the power has the base's own type: then the exponent need not be an operand.
fn same_type(a: &Variable, b: &Variable) -> bool {
    dtype(a, b) == a.dtype()
}
