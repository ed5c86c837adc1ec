//! Builtins and methods of numbers.

use super::builtins;
use super::types::{full_name, name_of};
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::number;
use crate::eval::raise::Halt;
use crate::eval::value::Value;
use crate::maths::complaint::Kind;
use crate::raise;
use crate::syntax::ast::BinaryOp;
use crate::text::spec;

type Made = Result<Value, Halt>;

builtins! {
    pub static METHODS;
    "int" "bit_length" "()" |_, a| Ok(Value::Int(match receiver(&a).as_int() {
        Some(i) => i64::from(64 - i.unsigned_abs().leading_zeros()),
        None => 0,
    })), "How many bits the number takes.";
    "int" "conjugate" "()" |_, a| Ok(receiver(&a)), "The number itself.";
    "int" "as_integer_ratio" "()" |_, a| Ok(Value::tuple(vec![receiver(&a), Value::Int(1)])), "The number over 1.";
    "float" "is_integer" "()" |_, a| Ok(Value::Bool(receiver(&a).as_float().is_some_and(|x| x.is_finite() && x.fract() == 0.0))), "Whether there is no fraction.";
    "float" "conjugate" "()" |_, a| Ok(receiver(&a)), "The number itself.";
    "float" "hex" "()" |_, a| Ok(Value::from(hex(receiver(&a).as_float().unwrap_or(0.0)))), "The number in hexadecimal.";
}

fn receiver(args: &Args) -> Value {
    args.positional.first().map_or(Value::Int(0), Value::plain)
}

fn hex(x: f64) -> String {
    if !x.is_finite() {
        return crate::text::number::repr(x);
    }
    let bits = x.to_bits();
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    match (exponent, fraction) {
        (0, 0) => format!("{sign}0x0.0p+0"),
        (0, f) => format!("{sign}0x0.{f:013x}p-1022"),
        (e, f) => format!("{sign}0x1.{f:013x}p{:+}", e as i64 - 1023),
    }
}

/// Plain attributes of numbers.
pub fn attribute(owner: &Value, name: &str) -> Option<Value> {
    if !owner.is_number() {
        return None;
    }
    let plain = owner.plain();
    match (&plain, name) {
        (Value::Int(_) | Value::Bool(_), "real" | "numerator") => plain.as_int().map(Value::Int),
        (Value::Int(_) | Value::Bool(_), "imag") => Some(Value::Int(0)),
        (Value::Int(_) | Value::Bool(_), "denominator") => Some(Value::Int(1)),
        (Value::Float(_), "real") => Some(plain),
        (Value::Float(_), "imag") => Some(Value::Float(0.0)),
        _ => None,
    }
}

/// Rounds half to even at a decimal place, by the exact decimal expansion as CPython does.
pub fn round_float(x: f64, digits: i64) -> f64 {
    if !x.is_finite() || digits > 323 {
        return x;
    }
    if digits < -308 {
        return 0.0f64.copysign(x);
    }
    if digits >= 0 {
        // Formatting is exact and breaks exact ties to even.
        return format!("{x:.*}", digits as usize).parse().unwrap_or(x);
    }
    let scale = 10f64.powi(-digits as i32);
    let scaled = x / scale;
    let rounded = scaled.round_ties_even();
    rounded * scale
}

pub fn round(m: &mut Machine, mut args: Args) -> Made {
    if args.positional.len() > 2 {
        let n = args.positional.len();
        raise!(Kind::Type, "round() takes at most 2 arguments ({n} given)");
    }
    let digits = args.take_at(1, "ndigits").filter(|d| !d.is_none());
    let Some(v) = args.take_at(0, "number").map(|v| v.base().plain()) else {
        raise!(Kind::Type, "round() missing required argument 'number' (pos 1)");
    };
    if !matches!(
        v,
        Value::Int(_) | Value::Bool(_) | Value::Float(_) | Value::NpScalar(..) | Value::Instance(_)
    ) {
        return Err(no_round(&v));
    }
    let digits = match digits {
        Some(d) => Some(m.as_index(&d)?),
        None => None,
    };
    Ok(match (&v, digits) {
        (Value::Int(_) | Value::Bool(_), None) => Value::Int(v.as_int().unwrap_or(0)),
        (Value::Int(_) | Value::Bool(_), Some(d)) => {
            let i = v.as_int().unwrap_or(0);
            if d >= 0 {
                Value::Int(i)
            } else if d < -18 {
                Value::Int(0)
            } else {
                let unit = 10i128.pow((-d) as u32);
                let i = i as i128;
                let (q, r) = (i.div_euclid(unit), i.rem_euclid(unit));
                let up = 2 * r > unit || (2 * r == unit && q % 2 != 0);
                match i64::try_from((q + i128::from(up)) * unit) {
                    Ok(n) => Value::Int(n),
                    Err(_) => return Err(number::too_large().into()),
                }
            }
        }
        (Value::Float(x), None) => Value::Int(super::convert::whole(x.round_ties_even())?),
        (Value::Float(x), Some(d)) => Value::Float(round_float(*x, d)),
        (Value::NpScalar(x, t), d) if t.is_float() => match d {
            None => Value::Int(super::convert::whole(x.round_ties_even())?),
            Some(d) => Value::NpScalar(round_float(*x, d), *t),
        },
        (Value::NpScalar(..), _) => v,
        (Value::Instance(_), _) => match m.special(&v, "__round__") {
            Some(method) => return m.call_with(&method, args.positional.split_off(1), &args.site),
            None => return Err(no_round(&v)),
        },
        _ => return Err(no_round(&v)),
    })
}

fn no_round(v: &Value) -> Halt {
    Halt::new(Kind::Type, format!("type {} doesn't define __round__ method", full_name(v)))
}

pub fn divmod(m: &mut Machine, args: Args) -> Made {
    args.count(2, 2)?;
    for (this, name, other) in [(0, "__divmod__", 1), (1, "__rdivmod__", 0)] {
        let own = matches!(&args.positional[this], Value::Instance(_));
        if own && let Some(method) = m.special(&args.positional[this], name) {
            let given = vec![args.positional[other].clone()];
            return m.call_with(&method, given, &args.site);
        }
    }
    let (a, b) = (args.positional[0].plain(), args.positional[1].plain());
    if !(a.is_number() && b.is_number()) {
        raise!(
            Kind::Type,
            "unsupported operand type(s) for divmod(): '{}' and '{}'",
            full_name(&a),
            full_name(&b)
        );
    }
    if matches!((&a, &b), (Value::Float(_), _) | (_, Value::Float(_))) && b.as_float() == Some(0.0)
    {
        raise!(Kind::ZeroDivision, "float divmod()");
    }
    let q = m.binary(BinaryOp::FloorDiv, &a, &b)?;
    let r = m.binary(BinaryOp::Mod, &a, &b)?;
    Ok(Value::tuple(vec![q, r]))
}

pub fn pow(m: &mut Machine, mut args: Args) -> Made {
    let modulus = args.take_at(2, "mod").filter(|v| !v.is_none());
    let exponent = args.take_at(1, "exp");
    let base = args.take_at(0, "base");
    let Some(base) = base else {
        raise!(Kind::Type, "pow() missing required argument 'base' (pos 1)");
    };
    let Some(exponent) = exponent else {
        raise!(Kind::Type, "pow() missing required argument 'exp' (pos 2)");
    };
    let Some(modulus) = modulus else {
        return m.binary(BinaryOp::Pow, &base, &exponent);
    };
    let (Some(b), Some(e), Some(n)) = (base.as_int(), exponent.as_int(), modulus.as_int()) else {
        raise!(Kind::Type, "pow() 3rd argument not allowed unless all arguments are integers");
    };
    if n == 0 {
        raise!(Kind::Value, "pow() 3rd argument cannot be 0");
    }
    let n = i128::from(n);
    let (square, e) = match e {
        0.. => (i128::from(b), e.unsigned_abs()),
        _ => match inverse(i128::from(b), n.abs()) {
            Some(b) => (b, e.unsigned_abs()),
            None => raise!(Kind::Value, "base is not invertible for the given modulus"),
        },
    };
    let (mut square, mut e, mut result) = (square.rem_euclid(n.abs()), e, 1i128);
    while e > 0 {
        if e & 1 == 1 {
            result = (result * square).rem_euclid(n.abs());
        }
        square = (square * square).rem_euclid(n.abs());
        e >>= 1;
    }
    let mut result = result.rem_euclid(n.abs());
    if n < 0 && result != 0 {
        result += n;
    }
    Ok(Value::Int(result as i64))
}

/// The number whose product with `b` leaves 1 modulo `n` (Euclid).
fn inverse(b: i128, n: i128) -> Option<i128> {
    let (mut r, mut next, mut x, mut y) = (n, b.rem_euclid(n), 0i128, 1i128);
    while next != 0 {
        let q = r / next;
        (r, next) = (next, r - q * next);
        (x, y) = (y, x - q * y);
    }
    (r == 1).then(|| x.rem_euclid(n))
}

pub fn chr(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let i = m.as_index(&args.positional[0])?;
    match u32::try_from(i).ok().and_then(char::from_u32) {
        Some(c) => Ok(Value::from(c.to_string())),
        None => raise!(Kind::Value, "chr() arg not in range(0x110000)"),
    }
}

pub fn ord(_: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let Value::Str(s) = &args.positional[0] else {
        raise!(
            Kind::Type,
            "ord() expected string of length 1, but {} found",
            name_of(&args.positional[0])
        );
    };
    let mut chars = s.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => Ok(Value::Int(i64::from(c as u32))),
        _ => raise!(
            Kind::Type,
            "ord() expected a character, but string of length {} found",
            s.chars().count()
        ),
    }
}

/// `bin`, `hex`, `oct`.
pub fn radix(m: &mut Machine, args: Args, written: &str) -> Made {
    args.count(1, 1)?;
    let i = m.as_index(&args.positional[0])?;
    match spec::int(i, written) {
        Ok(s) => Ok(Value::from(s)),
        Err(e) => raise!(Kind::Value, "{e}"),
    }
}
