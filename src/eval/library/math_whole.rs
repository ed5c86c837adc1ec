//! The functions of `math` that concern whole numbers.

use super::math::real;
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::number::too_large;
use crate::eval::raise::Halt;
use crate::eval::value::Value;
use crate::maths::complaint::Kind;

type Made = Result<Value, Halt>;

pub fn whole(m: &mut Machine, args: Args, f: impl Fn(f64) -> f64) -> Made {
    args.count(1, 1)?;
    if let Some(i) = args.positional[0].as_int() {
        return Ok(Value::Int(i));
    }
    let x = real(m, &args.positional[0])?;
    Ok(Value::Int(super::convert::whole(f(x))?))
}

fn natural(m: &mut Machine, v: &Value, says: &str) -> Result<i64, Halt> {
    let i = m.as_index(v)?;
    if i < 0 {
        return Err(Halt::new(Kind::Value, says));
    }
    Ok(i)
}

pub fn factorial(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let n = natural(m, &args.positional[0], "factorial() not defined for negative values")?;
    let product = (1..=n).try_fold(1i64, i64::checked_mul);
    product.map(Value::Int).ok_or_else(|| too_large().into())
}

fn falling(n: i64, k: i64) -> Option<i64> {
    (0..k).try_fold(1i64, |p, i| p.checked_mul(n - i))
}

pub fn perm(m: &mut Machine, args: Args) -> Made {
    args.count(1, 2)?;
    let n = natural(m, &args.positional[0], "n must be a non-negative integer")?;
    let k = match args.positional.get(1).filter(|v| !v.is_none()) {
        Some(v) => natural(m, v, "k must be a non-negative integer")?,
        None => n,
    };
    if k > n {
        return Ok(Value::Int(0));
    }
    falling(n, k).map(Value::Int).ok_or_else(|| too_large().into())
}

pub fn comb(m: &mut Machine, args: Args) -> Made {
    args.count(2, 2)?;
    let n = natural(m, &args.positional[0], "n must be a non-negative integer")?;
    let k = natural(m, &args.positional[1], "k must be a non-negative integer")?;
    if k > n {
        return Ok(Value::Int(0));
    }
    let mut ways: i128 = 1;
    for i in 0..k.min(n - k) {
        ways = match ways.checked_mul((n - i) as i128) {
            Some(w) if w / ((i + 1) as i128) <= i64::MAX as i128 => w / (i + 1) as i128,
            _ => return Err(too_large().into()),
        };
    }
    Ok(Value::Int(ways as i64))
}

fn divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

pub fn gcd(m: &mut Machine, args: Args) -> Made {
    let mut d = 0;
    for v in &args.positional {
        d = divisor(d, m.as_index(v)?.unsigned_abs());
    }
    Ok(Value::Int(d as i64))
}

pub fn lcm(m: &mut Machine, args: Args) -> Made {
    let mut l: u64 = 1;
    for v in &args.positional {
        let n = m.as_index(v)?.unsigned_abs();
        if n == 0 {
            return Ok(Value::Int(0));
        }
        l = match (l / divisor(l, n)).checked_mul(n) {
            Some(l) => l,
            None => return Err(too_large().into()),
        };
    }
    i64::try_from(l).map(Value::Int).map_err(|_| too_large().into())
}

pub fn isqrt(m: &mut Machine, args: Args) -> Made {
    args.count(1, 1)?;
    let n = natural(m, &args.positional[0], "isqrt() argument must be nonnegative")?;
    let mut r = (n as f64).sqrt() as i64;
    while r.checked_mul(r).is_none_or(|s| s > n) {
        r -= 1;
    }
    while (r + 1).checked_mul(r + 1).is_some_and(|s| s <= n) {
        r += 1;
    }
    Ok(Value::Int(r))
}

pub fn prod(m: &mut Machine, mut args: Args) -> Made {
    let mut product = args.take("start").unwrap_or(Value::Int(1));
    args.count(1, 1)?;
    for v in m.collect(&args.positional[0])? {
        product = m.binary(crate::syntax::ast::BinaryOp::Mul, &product, &v)?;
    }
    Ok(product)
}
