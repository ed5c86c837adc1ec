//! Builtins and methods of numbers.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use std::borrow::Cow;
use vjp_eval::library::{builtins, prelude};
use vjp_eval::values::integer;
use vjp_eval::{Args, Halt, Machine, Tried, Value, name_of, raise, tp_name};
use vjp_syntax::ast::BinaryOp;
use vjp_tensor::Kind;
use vjp_text::format_spec;

type Made = Tried<Value>;

builtins! {
    pub static METHODS;
    "int" "bit_length" "()" |_, a| Ok(Value::Int(of_int(&a).bits() as i64)), "Returns the number of bits needed to write the number.";
    "int" "bit_count" "()" |_, a| Ok(Value::Int(of_int(&a).magnitude().count_ones() as i64)), "Counts the bits that are 1.";
    "int" "to_bytes" "(length=1, byteorder='big', *, signed=False)" |m, a| prelude::call(m, "builtins", a), "Returns the bytes of the number.";
    "int" "from_bytes" "(bytes, byteorder='big', *, signed=False)" |m, a| prelude::call(m, "builtins", a), "Returns the number that bytes are.";
    "int" "conjugate" "()" |_, a| Ok(of_int(&a).into()), "Returns the number itself.";
    "int" "as_integer_ratio" "()" |_, a| Ok(Value::tuple(vec![of_int(&a).into(), Value::Int(1)])), "Returns the pair (number, 1).";
    "float" "is_integer" "()" |_, a| Ok(Value::Bool(of_float(&a).is_finite() && of_float(&a).fract() == 0.0)), "Returns whether the number is an integer.";
    "float" "as_integer_ratio" "()" |_, a| fraction(of_float(&a)), "Returns the number as a fraction in lowest terms.";
    "float" "conjugate" "()" |_, a| Ok(Value::Float(of_float(&a))), "Returns the number itself.";
    "float" "hex" "()" |_, a| Ok(Value::from(hex(of_float(&a)))), "Returns the number in hexadecimal.";
}

fn receiver(args: &Args) -> Value {
    args.positional.first().map_or(Value::Int(0), Value::plain)
}

fn of_int(args: &Args) -> BigInt {
    receiver(args).whole().map(Cow::into_owned).unwrap_or_default()
}

fn of_float(args: &Args) -> f64 {
    receiver(args).as_float().unwrap_or(0.0)
}

/// Numerator and denominator: the digits of a float over a power of two.
fn fraction(x: f64) -> Made {
    if !x.is_finite() {
        let (kind, what) = match x.is_nan() {
            true => (Kind::Value, "NaN"),
            false => (Kind::Overflow, "Infinity"),
        };
        raise!(kind, "cannot convert {what} to integer ratio");
    }
    let (mut top, mut twos) = (x, 0);
    while top.fract() != 0.0 {
        (top, twos) = (top * 2.0, twos + 1);
    }
    let bottom: BigInt = BigInt::from(1) << twos;
    Ok(Value::tuple(vec![integer::of_float(top)?.into(), bottom.into()]))
}

fn hex(x: f64) -> String {
    if !x.is_finite() {
        return vjp_text::number::repr(x);
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
    match (plain.whole(), name) {
        (Some(n), "real" | "numerator") => Some(n.into_owned().into()),
        (Some(_), "imag") => Some(Value::Int(0)),
        (Some(_), "denominator") => Some(Value::Int(1)),
        (None, "real") => Some(plain),
        (None, "imag") => Some(Value::Float(0.0)),
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
    let digits = match digits {
        Some(d) => Some(m.as_whole(&d)?),
        None => None,
    };
    // More digits than a float has change nothing, and fewer leave nothing.
    let places = |d: &BigInt| d.to_i64().unwrap_or(if d.is_negative() { -400 } else { 400 });
    Ok(match (&v, digits) {
        (Value::Int(_) | Value::Long(_) | Value::Bool(_), digits) => {
            let n = v.whole().unwrap_or_default();
            match digits.filter(Signed::is_negative) {
                Some(d) => integer::rounded(&n, &-d)?.into(),
                None => n.into_owned().into(),
            }
        }
        (Value::Float(x), None) => integer::of_float(x.round_ties_even())?.into(),
        (Value::Float(x), Some(d)) => Value::Float(round_float(*x, places(&d))),
        (Value::NpScalar(x, t), d) if t.is_float() => match d {
            None => integer::of_float(x.round_ties_even())?.into(),
            Some(d) => Value::NpScalar(round_float(*x, places(&d)), *t),
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
    Halt::new(Kind::Type, format!("type {} doesn't define __round__ method", tp_name(v)))
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
    if matches!(&a, Value::Array(_))
        || matches!((&a, &b), (Value::Tensor(_) | Value::NpScalar(..), Value::Array(_)))
    {
        let both = [BinaryOp::FloorDiv, BinaryOp::Mod].map(|op| m.binary(op, &a, &b));
        let [Ok(quotient), Ok(rest)] = both else {
            raise!(
                Kind::Type,
                "unsupported operand type(s) for divmod(): '{}' and '{}'",
                tp_name(&a),
                tp_name(&b)
            );
        };
        return Ok(Value::tuple(vec![quotient, rest]));
    }
    if !(a.is_number() && b.is_number()) {
        raise!(
            Kind::Type,
            "unsupported operand type(s) for divmod(): '{}' and '{}'",
            tp_name(&a),
            tp_name(&b)
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
    let (Some(b), Some(e), Some(n)) = (base.whole(), exponent.whole(), modulus.whole()) else {
        raise!(Kind::Type, "pow() 3rd argument not allowed unless all arguments are integers");
    };
    Ok(integer::power_modulo(&b, &e, &n)?.into())
}

pub fn chr(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let Some(i) = m.as_whole(&args.positional[0])?.to_i32() else {
        raise!(Kind::Overflow, "Python int too large to convert to C int");
    };
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
    let n = m.as_whole(&args.positional[0])?;
    format_spec::int(&n, written, integer::digits).map(Value::from)
}
