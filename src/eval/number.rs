//! Python's numbers: operators on ints (64 bits) and floats, with CPython's errors.

use super::value::Value;
use crate::maths::complaint::{Complaint, Kind, Outcome};
use crate::syntax::ast::BinaryOp;

/// What a number beyond 64 bits is told.
pub(super) fn too_large() -> Box<Complaint> {
    Complaint::new(Kind::Overflow, "integer beyond 64 bits")
        .hint("write it as a float, such as 1e20: integers here have 64 bits")
}

fn zero(message: &str) -> Box<Complaint> {
    Complaint::new(Kind::ZeroDivision, message)
}

/// Two plain numbers (int, float, bool) under an operator; None where numbers have no such one.
/// `torch_powers`: powers as PyTorch computes them (inf and nan, never an error).
///
/// # Errors
/// ZeroDivisionError, OverflowError, ValueError as CPython.
pub(super) fn binary(
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
    match (a, b) {
        (Value::Float(_), _) | (_, Value::Float(_)) => {
            floats(op, a.as_float()?, b.as_float()?, torch_powers)
        }
        _ => Some(ints(op, a.as_int()?, b.as_int()?, torch_powers)?),
    }
}

fn ints(op: BinaryOp, a: i64, b: i64, torch_powers: bool) -> Option<Outcome<Value>> {
    let whole = |r: Option<i64>| r.map(Value::Int).ok_or_else(too_large);
    Some(match op {
        BinaryOp::Add => whole(a.checked_add(b)),
        BinaryOp::Sub => whole(a.checked_sub(b)),
        BinaryOp::Mul => whole(a.checked_mul(b)),
        BinaryOp::Div if b == 0 => Err(zero("division by zero")),
        BinaryOp::Div => Ok(Value::Float(a as f64 / b as f64)),
        BinaryOp::FloorDiv if b == 0 => Err(zero("integer division or modulo by zero")),
        BinaryOp::FloorDiv => whole(floor_div(a, b)),
        BinaryOp::Mod if b == 0 => Err(zero("integer modulo by zero")),
        BinaryOp::Mod => Ok(Value::Int(a.wrapping_rem(b).wrapping_add(b).wrapping_rem(b))),
        BinaryOp::Pow if b >= 0 => match u32::try_from(b) {
            Ok(n) => whole(a.checked_pow(n)),
            Err(_) if matches!(a, 0 | 1) => Ok(Value::Int(a)),
            Err(_) if a == -1 => Ok(Value::Int(if b % 2 == 0 { 1 } else { -1 })),
            Err(_) => Err(too_large()),
        },
        BinaryOp::Pow => return floats(op, a as f64, b as f64, torch_powers),
        BinaryOp::BitAnd => Ok(Value::Int(a & b)),
        BinaryOp::BitOr => Ok(Value::Int(a | b)),
        BinaryOp::BitXor => Ok(Value::Int(a ^ b)),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight if b < 0 => {
            Err(Complaint::new(Kind::Value, "negative shift count"))
        }
        BinaryOp::ShiftLeft if a == 0 => Ok(Value::Int(0)),
        BinaryOp::ShiftLeft => match u32::try_from(b) {
            Ok(n) if n < 64 && (a << n) >> n == a => Ok(Value::Int(a << n)),
            _ => Err(too_large()),
        },
        BinaryOp::ShiftRight => Ok(Value::Int(a >> b.min(63))),
        BinaryOp::MatMul => return None,
    })
}

fn floor_div(a: i64, b: i64) -> Option<i64> {
    let q = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { q - 1 } else { q })
}

/// Python's float modulo and floor division, in one.
pub(super) fn float_divmod(a: f64, b: f64) -> (f64, f64) {
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

fn floats(op: BinaryOp, a: f64, b: f64, torch_powers: bool) -> Option<Outcome<Value>> {
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
            BinaryOp::Pow if torch_powers => Ok(a.powf(b)),
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
                        "a power of a negative number with a fraction is complex",
                    )
                    .hint("complex numbers are not provided"))
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
pub(super) fn order(a: &Value, b: &Value) -> Option<std::cmp::Ordering> {
    match (a.as_int(), b.as_int()) {
        (Some(x), Some(y)) => Some(x.cmp(&y)),
        (Some(x), None) => int_float(x, b.as_float()?),
        (None, Some(y)) => int_float(y, a.as_float()?).map(std::cmp::Ordering::reverse),
        (None, None) => a.as_float()?.partial_cmp(&b.as_float()?),
    }
}

fn int_float(i: i64, f: f64) -> Option<std::cmp::Ordering> {
    use std::cmp::Ordering;
    if f.is_nan() {
        return None;
    }
    if f >= 9.3e18 {
        return Some(Ordering::Less);
    }
    if f <= -9.3e18 {
        return Some(Ordering::Greater);
    }
    let whole = f.floor();
    Some((i as i128).cmp(&(whole as i128)).then(if f > whole {
        Ordering::Less
    } else {
        Ordering::Equal
    }))
}
