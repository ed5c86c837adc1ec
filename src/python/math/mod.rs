//! Python's `math`: numbers in, numbers out, with Python's errors.

mod gamma;
pub mod integers;

use num_traits::{Signed, ToPrimitive};
use vjp_eval::library::builtins;
use vjp_eval::values::{integer, number};
use vjp_eval::{Args, Halt, Machine, Module, Tried, Value, leaf, raise, tp_name};
use vjp_tensor::{Complaint, Kind, Outcome};

type Made = Tried<Value>;

/// The module.
pub static MATH: Module =
    Module { name: "math", help: "Mathematical functions for Python numbers", contents };

/// The numbers that also torch, NumPy and the prompt have.
pub const CONSTANTS: [(&str, Value); 4] = [
    ("pi", Value::Float(std::f64::consts::PI)),
    ("e", Value::Float(std::f64::consts::E)),
    ("inf", Value::Float(f64::INFINITY)),
    ("nan", Value::Float(f64::NAN)),
];

fn contents() -> Vec<(&'static str, Value)> {
    let mut all: Vec<(&'static str, Value)> =
        FUNCTIONS.iter().map(|b| (b.name, Value::Builtin(b))).collect();
    all.extend(CONSTANTS);
    all.push(("tau", Value::Float(std::f64::consts::TAU)));
    all
}

builtins! {
    static FUNCTIONS in "math";
    "acos" "(x, /)" |m, a| one(m, a, f64::acos), "Arc cosine.";
    "acosh" "(x, /)" |m, a| one(m, a, f64::acosh), "Inverse hyperbolic cosine.";
    "asin" "(x, /)" |m, a| one(m, a, f64::asin), "Arc sine.";
    "asinh" "(x, /)" |m, a| one(m, a, f64::asinh), "Inverse hyperbolic sine.";
    "atan" "(x, /)" |m, a| one(m, a, f64::atan), "Arc tangent.";
    "atan2" "(y, x, /)" |m, a| two(m, a, f64::atan2), "The angle of the point (x, y), in radians.";
    "atanh" "(x, /)" |m, a| one(m, a, |x| if x.abs() >= 1.0 { f64::NAN } else { x.atanh() }), "Inverse hyperbolic tangent.";
    "cbrt" "(x, /)" |m, a| one(m, a, gamma::cube_root), "Cube root.";
    "_cbrt" "(x, /)" |m, a| one(m, a, f64::cbrt), "Cube root, to the last digit as NumPy has it.";
    "ceil" "(x, /)" |m, a| integers::whole(m, a, f64::ceil), "Rounds up to an integer.";
    "comb" "(n, k, /)" integers::comb, "The number of ways to choose k of n items.";
    "copysign" "(x, y, /)" |m, a| two(m, a, f64::copysign), "x with the sign of y.";
    "cos" "(x, /)" |m, a| one(m, a, f64::cos), "Cosine.";
    "cosh" "(x, /)" |m, a| one(m, a, f64::cosh), "Hyperbolic cosine.";
    "degrees" "(x, /)" |m, a| one(m, a, |x| x * (180.0 / std::f64::consts::PI)), "Converts radians to degrees.";
    "dist" "(p, q, /)" dist, "The distance between two points.";
    "erf" "(x, /)" |m, a| one(m, a, libm::erf), "Error function.";
    "erfc" "(x, /)" |m, a| one(m, a, libm::erfc), "Complementary error function.";
    "exp" "(x, /)" |m, a| one(m, a, f64::exp), "e to the power x.";
    "exp2" "(x, /)" |m, a| one(m, a, f64::exp2), "2 to the power x.";
    "expm1" "(x, /)" |m, a| one(m, a, f64::exp_m1), "exp(x) − 1, accurate for small x.";
    "fabs" "(x, /)" |m, a| one(m, a, f64::abs), "The absolute value as a float.";
    "factorial" "(n, /)" integers::factorial, "1·2·…·n.";
    "floor" "(x, /)" |m, a| integers::whole(m, a, f64::floor), "Rounds down to an integer.";
    "fmod" "(x, y, /)" |m, a| two(m, a, |x, y| x % y), "The remainder with the sign of x.";
    "frexp" "(x, /)" frexp, "The mantissa and the exponent of 2.";
    "fsum" "(seq, /)" fsum, "Sums floats without intermediate rounding.";
    "gamma" "(x, /)" |m, a| one(m, a, gamma::gamma), "The gamma function.";
    "gcd" "(*integers)" integers::gcd, "Greatest common divisor.";
    "hypot" "(*coordinates)" hypot, "The length of a vector.";
    "isclose" "(a, b, *, rel_tol=1e-09, abs_tol=0.0)" isclose, "Returns whether two numbers are close to each other.";
    "isfinite" "(x, /)" |m, a| truth(m, a, f64::is_finite), "Returns whether a number is finite.";
    "isinf" "(x, /)" |m, a| truth(m, a, f64::is_infinite), "Returns whether a number is infinite.";
    "isnan" "(x, /)" |m, a| truth(m, a, f64::is_nan), "Returns whether a number is NaN.";
    "isqrt" "(n, /)" integers::isqrt, "The integer part of the square root.";
    "lcm" "(*integers)" integers::lcm, "Least common multiple.";
    "ldexp" "(x, i, /)" ldexp, "x·2ⁱ.";
    "lgamma" "(x, /)" |m, a| one(m, a, gamma::log_gamma), "Natural logarithm of the gamma function.";
    "log" "(x[, base])" log, "Natural logarithm, or logarithm to a base.";
    "log10" "(x, /)" |m, a| { a.count(1, 1)?; Ok(Value::Float(logarithm(m, &a.positional[0], f64::log10)?)) }, "Logarithm to base 10.";
    "log1p" "(x, /)" |m, a| one(m, a, |x| if x <= -1.0 { f64::NAN } else { x.ln_1p() }), "log(1 + x), accurate for small x.";
    "log2" "(x, /)" |m, a| { a.count(1, 1)?; Ok(Value::Float(logarithm(m, &a.positional[0], f64::log2)?)) }, "Logarithm to base 2.";
    "nextafter" "(x, y, /)" |m, a| { a.count(2, 2)?; let (x, y) = (real(m, &a.positional[0])?, real(m, &a.positional[1])?); Ok(Value::Float(libm::nextafter(x, y))) }, "The next float after x, towards y.";
    "ulp" "(x, /)" |m, a| { a.count(1, 1)?; Ok(Value::Float(ulp(real(m, &a.positional[0])?))) }, "The value of a float's last bit.";
    "modf" "(x, /)" modf, "The fractional and integer parts.";
    "perm" "(n, k=None, /)" integers::perm, "The number of ordered ways to choose k of n items.";
    "pow" "(x, y, /)" power, "x to the power y, as floats.";
    "prod" "(iterable, /, *, start=1)" integers::prod, "The product of the elements.";
    "radians" "(x, /)" |m, a| one(m, a, |x| x * (std::f64::consts::PI / 180.0)), "Converts degrees to radians.";
    "remainder" "(x, y, /)" |m, a| two(m, a, ieee_remainder), "The difference from the nearest multiple of y.";
    "sin" "(x, /)" |m, a| one(m, a, f64::sin), "Sine.";
    "sinh" "(x, /)" |m, a| one(m, a, f64::sinh), "Hyperbolic sine.";
    "sqrt" "(x, /)" |m, a| one(m, a, f64::sqrt), "Square root.";
    "tan" "(x, /)" |m, a| one(m, a, f64::tan), "Tangent.";
    "tanh" "(x, /)" |m, a| one(m, a, f64::tanh), "Hyperbolic tangent.";
    "trunc" "(x, /)" |m, a| integers::whole(m, a, f64::trunc), "Drops the fractional part.";
}

/// A real number: numbers, and tensors or arrays with one element.
pub fn real(m: &mut Machine, v: &Value) -> Tried<f64> {
    leaf::taken(v);
    if let Some(x) = v.as_float() {
        return Ok(x);
    }
    match v {
        Value::Long(_) | Value::Number(_) => Ok(number::float(v)?),
        Value::Tensor(t) | Value::Array(t) => match t.value().item() {
            Some(x) if t.numel() == 1 => Ok(x),
            _ => raise!(Kind::Value, "only one element tensors can be converted to Python scalars"),
        },
        Value::Instance(_) => match m.special(v, "__float__") {
            Some(method) => {
                let site = m.here();
                let x = m.call_with(&method, Vec::new(), &site)?;
                real(m, &x)
            }
            None => Err(not_real(v)),
        },
        _ => Err(not_real(v)),
    }
}

fn not_real(v: &Value) -> Halt {
    Halt::new(Kind::Type, format!("must be real number, not {}", tp_name(v)))
}

fn domain() -> Box<Complaint> {
    Complaint::new(Kind::Value, "math domain error")
}

/// A logarithm, also of ints beyond the floats.
fn logarithm(m: &mut Machine, v: &Value, log: impl Fn(f64) -> f64) -> Tried<f64> {
    if let Some(n) = v.whole().filter(|n| n.is_positive() && v.as_float().is_none()) {
        let (x, exponent) = integer::parts(n.magnitude());
        return Ok(log(x) + log(2.0) * exponent as f64);
    }
    let x = match v.whole() {
        Some(n) if !n.is_positive() => 0.0,
        _ => real(m, v)?,
    };
    Ok(checked(if x <= 0.0 { f64::NAN } else { log(x) }, &[x])?)
}

fn ldexp(m: &mut Machine, args: Args) -> Made {
    args.count(2, 2)?;
    let x = real(m, &args.positional[0])?;
    let Some(i) = args.positional[1].whole() else {
        raise!(Kind::Type, "Expected an int as second argument to ldexp.");
    };
    // No float is so large or small that a larger exponent would matter.
    let i = i.to_i32().unwrap_or(if i.is_negative() { i32::MIN } else { i32::MAX });
    Ok(Value::Float(checked(libm::ldexp(x, i), &[x])?))
}

/// NaN out of numbers is a domain error, an infinity out of finite ones a range error.
fn checked(result: f64, inputs: &[f64]) -> Outcome<f64> {
    if result.is_nan() && !inputs.iter().any(|x| x.is_nan()) {
        return Err(domain());
    }
    if result.is_infinite() && inputs.iter().all(|x| x.is_finite()) {
        return Err(Complaint::new(Kind::Overflow, "math range error"));
    }
    Ok(result)
}

fn one(m: &mut Machine, args: Args, f: impl Fn(f64) -> f64) -> Made {
    args.no_names()?;
    args.count(1, 1)?;
    let x = real(m, &args.positional[0])?;
    crate::convert::warn_of_history(&args.positional[0]);
    Ok(Value::Float(checked(f(x), &[x])?))
}

fn two(m: &mut Machine, args: Args, f: impl Fn(f64, f64) -> f64) -> Made {
    args.no_names()?;
    args.count(2, 2)?;
    let (x, y) = (real(m, &args.positional[0])?, real(m, &args.positional[1])?);
    Ok(Value::Float(checked(f(x, y), &[x, y])?))
}

fn truth(m: &mut Machine, args: Args, f: impl Fn(f64) -> bool) -> Made {
    args.count(1, 1)?;
    Ok(Value::Bool(f(real(m, &args.positional[0])?)))
}

fn ulp(x: f64) -> f64 {
    let x = x.abs();
    match x.is_finite() {
        true if x == f64::MAX => x - x.next_down(),
        true => x.next_up() - x,
        false => x,
    }
}

fn ieee_remainder(x: f64, y: f64) -> f64 {
    if y == 0.0 || x.is_infinite() {
        return f64::NAN;
    }
    if y.is_infinite() {
        return x;
    }
    let r = x % y;
    let half = y.abs() / 2.0;
    let q = (x / y).trunc();
    if r.abs() > half || (r.abs() == half && q % 2.0 != 0.0) { r - y.abs().copysign(r) } else { r }
}

fn power(m: &mut Machine, args: Args) -> Made {
    args.count(2, 2)?;
    let (x, y) = (real(m, &args.positional[0])?, real(m, &args.positional[1])?);
    if x == 0.0 && y < 0.0 {
        return Err(domain().into());
    }
    Ok(Value::Float(checked(x.powf(y), &[x, y])?))
}

fn log(m: &mut Machine, args: Args) -> Made {
    args.count(1, 2)?;
    let top = logarithm(m, &args.positional[0], f64::ln)?;
    match args.positional.get(1) {
        None => Ok(Value::Float(top)),
        Some(base) => {
            let bottom = logarithm(m, base, f64::ln)?;
            if bottom == 0.0 {
                raise!(Kind::ZeroDivision, "float division by zero");
            }
            Ok(Value::Float(top / bottom))
        }
    }
}

fn numbers(m: &mut Machine, v: &Value) -> Tried<Vec<f64>> {
    let items = m.collect(v)?;
    items.iter().map(|v| real(m, v)).collect()
}

fn hypot(m: &mut Machine, args: Args) -> Made {
    let mut parts = Vec::new();
    for v in &args.positional {
        parts.push(real(m, v)?);
    }
    Ok(Value::Float(length(&parts)))
}

fn length(parts: &[f64]) -> f64 {
    match parts {
        [a, b] => a.hypot(*b),
        _ => {
            let largest = parts.iter().fold(0.0f64, |a, x| a.max(x.abs()));
            if largest == 0.0 || !largest.is_finite() {
                return largest;
            }
            let sum: f64 = parts.iter().map(|x| (x / largest).powi(2)).sum();
            largest * sum.sqrt()
        }
    }
}

fn dist(m: &mut Machine, args: Args) -> Made {
    args.count(2, 2)?;
    let (p, q) = (numbers(m, &args.positional[0])?, numbers(m, &args.positional[1])?);
    if p.len() != q.len() {
        raise!(Kind::Value, "both points must have the same number of dimensions");
    }
    let parts: Vec<f64> = p.iter().zip(&q).map(|(a, b)| a - b).collect();
    Ok(Value::Float(length(&parts)))
}

/// Shewchuk's sum: exact partial sums, rounded once.
fn fsum(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let mut partials: Vec<f64> = Vec::new();
    for mut x in numbers(m, &args.positional[0])? {
        let mut kept = 0;
        for i in 0..partials.len() {
            let mut y = partials[i];
            if x.abs() < y.abs() {
                std::mem::swap(&mut x, &mut y);
            }
            let high = x + y;
            let low = y - (high - x);
            if low != 0.0 {
                partials[kept] = low;
                kept += 1;
            }
            x = high;
        }
        partials.truncate(kept);
        partials.push(x);
    }
    Ok(Value::Float(partials.iter().rev().sum::<f64>() + 0.0))
}

fn isclose(m: &mut Machine, mut args: Args) -> Made {
    let mut tolerance = |name: &str, usual: f64| match args.take(name) {
        Some(v) => real(m, &v),
        None => Ok(usual),
    };
    let (relative, absolute) = (tolerance("rel_tol", 1e-9)?, tolerance("abs_tol", 0.0)?);
    args.count(2, 2)?;
    let (a, b) = (real(m, &args.positional[0])?, real(m, &args.positional[1])?);
    if relative < 0.0 || absolute < 0.0 {
        raise!(Kind::Value, "tolerances must be non-negative");
    }
    let near = (a - b).abs() <= (relative * a.abs().max(b.abs())).max(absolute);
    Ok(Value::Bool(a == b || (near && a.is_finite() && b.is_finite())))
}

fn frexp(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let x = real(m, &args.positional[0])?;
    if x == 0.0 || !x.is_finite() {
        return Ok(Value::tuple(vec![Value::Float(x), Value::Int(0)]));
    }
    let scaled = if x.abs() < f64::MIN_POSITIVE { x * 2f64.powi(64) } else { x };
    let shift = if scaled == x { 0 } else { 64 };
    let exponent = ((scaled.to_bits() >> 52) & 0x7ff) as i64 - 1022;
    let mantissa = f64::from_bits((scaled.to_bits() & !(0x7ff << 52)) | (1022 << 52));
    Ok(Value::tuple(vec![Value::Float(mantissa), Value::Int(exponent - shift)]))
}

fn modf(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let x = real(m, &args.positional[0])?;
    let fraction = if x.is_infinite() { 0.0f64.copysign(x) } else { x.fract().copysign(x) };
    Ok(Value::tuple(vec![Value::Float(fraction), Value::Float(x.trunc())]))
}
