//! The functions of `math` that concern whole numbers.

use crate::math::real;
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use vjp_eval::values::integer;
use vjp_eval::values::number::look;
use vjp_eval::{Args, Halt, Machine, Tried, Value};
use vjp_tensor::{Complaint, Kind, Outcome};

type Made = Tried<Value>;

pub fn whole(m: &mut Machine, args: Args, f: impl Fn(f64) -> f64) -> Made {
    args.count(1, 1)?;
    look(&args.positional[0]);
    if let Some(n) = args.positional[0].whole() {
        return Ok(n.into_owned().into());
    }
    let x = real(m, &args.positional[0])?;
    Ok(integer::of_float(f(x))?.into())
}

fn natural(m: &mut Machine, v: &Value, says: &str) -> Tried<BigInt> {
    let n = m.as_whole(v)?;
    if n.is_negative() {
        return Err(Halt::new(Kind::Value, says));
    }
    Ok(n)
}

/// A count, which CPython wants to have 64 bits.
fn count(n: &BigInt, what: &str) -> Outcome<u64> {
    let too_large =
        || Complaint::new(Kind::Overflow, format!("{what} not exceed 9223372036854775807"));
    n.to_i64().and_then(|n| u64::try_from(n).ok()).ok_or_else(too_large)
}

pub fn factorial(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let n = natural(m, &args.positional[0], "factorial() not defined for negative values")?;
    Ok(integer::falling(&n, count(&n, "factorial() argument should")?)?.into())
}

pub fn perm(m: &mut Machine, args: Args) -> Made {
    args.count(1, 2)?;
    let n = natural(m, &args.positional[0], "n must be a non-negative integer")?;
    let k = match args.positional.get(1).filter(|v| !v.is_none()) {
        Some(v) => natural(m, v, "k must be a non-negative integer")?,
        None => return factorial(m, args),
    };
    if k > n {
        return Ok(Value::Int(0));
    }
    Ok(integer::falling(&n, count(&k, "k must")?)?.into())
}

pub fn comb(m: &mut Machine, args: Args) -> Made {
    args.count(2, 2)?;
    let n = natural(m, &args.positional[0], "n must be a non-negative integer")?;
    let k = natural(m, &args.positional[1], "k must be a non-negative integer")?;
    if k > n {
        return Ok(Value::Int(0));
    }
    let few = k.clone().min(&n - k);
    Ok(integer::ways(&n, count(&few, "min(n - k, k) must")?)?.into())
}

pub fn gcd(m: &mut Machine, args: Args) -> Made {
    let mut divisor = BigInt::ZERO;
    for v in &args.positional {
        divisor = integer::common_divisor(&divisor, &m.as_whole(v)?)?;
    }
    Ok(divisor.into())
}

pub fn lcm(m: &mut Machine, args: Args) -> Made {
    let mut multiple = BigInt::one();
    for v in &args.positional {
        let n = m.as_whole(v)?.abs();
        if n.is_zero() {
            return Ok(Value::Int(0));
        }
        let shared = integer::common_divisor(&multiple, &n)?;
        multiple = integer::times(&multiple, &integer::floor_divided(&n, &shared)?.0)?;
    }
    Ok(multiple.into())
}

pub fn isqrt(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let n = natural(m, &args.positional[0], "isqrt() argument must be nonnegative")?;
    Ok(integer::square_root(&n)?.into())
}

pub fn prod(m: &mut Machine, mut args: Args) -> Made {
    let mut product = args.take("start").unwrap_or(Value::Int(1));
    args.count(1, 1)?;
    for v in m.collect(&args.positional[0])? {
        product = m.binary(vjp_syntax::ast::BinaryOp::Mul, &product, &v)?;
    }
    Ok(product)
}
