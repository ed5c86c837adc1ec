//! Python's numbers: operators on ints and floats, with CPython's errors.

use super::integer;
use super::value::Value;
use num_bigint::BigInt;
use std::cmp::Ordering;
use vjp_maths::observe::{undefined, value_reads};
use vjp_syntax::ast::BinaryOp;
use vjp_tensor::{Complaint, Kind, Outcome};

pub(crate) fn zero(message: &str) -> Box<Complaint> {
    Complaint::new(Kind::ZeroDivision, message)
}

/// The float of a number.
pub fn float(number: &Value) -> Outcome<f64> {
    number
        .as_float()
        .ok_or_else(|| Complaint::new(Kind::Overflow, "int too large to convert to float"))
}

/// Two plain numbers (int, float, bool) under an operator; None where numbers have no such one.
/// `torch_powers`: powers as PyTorch computes them (inf and nan, never an error).
pub(crate) fn binary(
    op: BinaryOp,
    a: &Value,
    b: &Value,
    torch_powers: bool,
) -> Option<Outcome<Value>> {
    if let (Value::Bool(a), Value::Bool(b)) = (a, b) {
        match op {
            BinaryOp::BitAnd => return Some(Ok(Value::Bool(a & b))),
            BinaryOp::BitOr => return Some(Ok(Value::Bool(a | b))),
            BinaryOp::BitXor => return Some(Ok(Value::Bool(a ^ b))),
            _ => {}
        }
    }
    if matches!(a, Value::Float(_)) || matches!(b, Value::Float(_)) {
        return match (float(a), float(b)) {
            (Ok(x), Ok(y)) => floats(op, x, y, torch_powers),
            (Err(c), _) | (_, Err(c)) => Some(Err(c)),
        };
    }
    if let (Some(x), Some(y)) = (a.as_int(), b.as_int())
        && let Some(n) = short(op, x, y)
    {
        return Some(Ok(n));
    }
    integer::binary(op, &*a.whole()?, &*b.whole()?, torch_powers)
}

/// What needs no more than 64 bits; None where it needs them, or is an error.
fn short(op: BinaryOp, a: i64, b: i64) -> Option<Value> {
    /// Ints up to here are floats without rounding.
    const EXACT: u64 = 1 << 53;
    Some(Value::Int(match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::Div if b == 0 || a.unsigned_abs().max(b.unsigned_abs()) > EXACT => return None,
        BinaryOp::Div => return Some(Value::Float(a as f64 / b as f64)),
        BinaryOp::FloorDiv => {
            let q = a.checked_div(b)?;
            if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q }
        }
        BinaryOp::Mod => {
            let r = a.checked_rem(b)?;
            if r != 0 && (r < 0) != (b < 0) { r + b } else { r }
        }
        BinaryOp::Pow => a.checked_pow(u32::try_from(b).ok()?)?,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::ShiftLeft => {
            let by = u32::try_from(b).ok().filter(|by| *by < 64)?;
            let shifted = a << by;
            if shifted >> by != a {
                return None;
            }
            shifted
        }
        BinaryOp::ShiftRight if b < 0 => return None,
        BinaryOp::ShiftRight => a >> b.min(63),
        BinaryOp::MatMul => return None,
    }))
}

/// Python's float modulo and floor division, in one.
pub(crate) fn float_divmod(a: f64, b: f64) -> (f64, f64) {
    let mut rest = a % b;
    let mut div = (a - rest) / b;
    if rest != 0.0 {
        if (b < 0.0) != (rest < 0.0) {
            rest += b;
            div -= 1.0;
        }
    } else {
        rest = 0.0f64.copysign(b);
    }
    let floor = if div == 0.0 {
        0.0f64.copysign(a / b)
    } else {
        let f = div.floor();
        if div - f > 0.5 { f + 1.0 } else { f }
    };
    (floor, rest)
}

pub(crate) fn floats(op: BinaryOp, a: f64, b: f64, torch_powers: bool) -> Option<Outcome<Value>> {
    Some(
        match op {
            BinaryOp::Add => Ok(a + b),
            BinaryOp::Sub => Ok(a - b),
            BinaryOp::Mul => Ok(a * b),
            BinaryOp::Div if b == 0.0 => Err(zero("float division by zero")),
            BinaryOp::Div => Ok(a / b),
            BinaryOp::FloorDiv if b == 0.0 => Err(zero("float floor division by zero")),
            BinaryOp::FloorDiv => Ok(float_divmod(a, b).0),
            BinaryOp::Mod if b == 0.0 => Err(zero("float modulo")),
            BinaryOp::Mod => Ok(float_divmod(a, b).1),
            BinaryOp::Pow if torch_powers => {
                let power = a.powf(b);
                if power.is_nan() && a.is_finite() && b.is_finite() {
                    undefined::met(vjp_maths::table::Pow::ROW.undefined);
                }
                Ok(power)
            }
            BinaryOp::Pow if a == 0.0 && b < 0.0 => {
                Err(zero("0.0 cannot be raised to a negative power"))
            }
            BinaryOp::Pow => {
                let r = a.powf(b);
                if r.is_infinite() && a.is_finite() && b.is_finite() {
                    Err(Complaint::new(Kind::Overflow, "(34, 'Numerical result out of range')"))
                } else if r.is_nan() && !a.is_nan() && !b.is_nan() {
                    Err(Complaint::new(
                        Kind::Value,
                        "a fractional power of a negative number is complex",
                    )
                    .hint("complex numbers are not supported"))
                } else {
                    Ok(r)
                }
            }
            _ => return None,
        }
        .map(Value::Float),
    )
}

/// `==`, `<` of two numbers, exact also between ints and floats beyond 2⁵³.
pub(crate) fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a.as_int(), b.as_int()) {
        (Some(x), Some(y)) => Some(x.cmp(&y)),
        _ => match (a.whole(), b.whole()) {
            (Some(x), Some(y)) => Some(x.cmp(&y)),
            (Some(x), None) => beside_float(&x, b.as_float()?),
            (None, Some(y)) => beside_float(&y, a.as_float()?).map(Ordering::reverse),
            (None, None) => a.as_float()?.partial_cmp(&b.as_float()?),
        },
    }
}

fn beside_float(i: &BigInt, f: f64) -> Option<Ordering> {
    if f.is_nan() {
        return None;
    }
    let Ok(whole) = integer::of_float(f.floor()) else {
        return Some(if f > 0.0 { Ordering::Less } else { Ordering::Greater });
    };
    let more = if f.fract() != 0.0 { Ordering::Less } else { Ordering::Equal };
    Some(i.cmp(&whole).then(more))
}

/// The value of a number, a tensor or a list of numbers decides what comes next.
pub fn look(value: &Value) {
    match value {
        Value::Number(n) => value_reads::at(&n.variable),
        Value::Tensor(t) => value_reads::at(t),
        Value::List(l) => l.tensor().iter().for_each(value_reads::at),
        _ => {}
    }
}
