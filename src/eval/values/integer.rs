//! Python's ints beyond 64 bits. Long work is cut into pieces, so that it asks for memory before it takes
//! it, and answers a wish to stop.

use super::number::{self, zero};
use super::value::Value;
use crate::{Halt, Tried};
use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{FromPrimitive, One, Signed, ToPrimitive, Zero};
use vjp_syntax::ast::BinaryOp;
use vjp_tensor::{Complaint, Kind, Outcome, budget};
use vjp_text::number::decimal;

/// Bits of numbers that are multiplied in one go, which takes a millisecond.
const PIECE: u64 = 1 << 18;
/// Bits of a quotient times bits of its divisor that are divided in one go.
const DIVISION: u64 = 1 << 34;

impl From<BigInt> for Value {
    fn from(n: BigInt) -> Value {
        match i64::try_from(&n) {
            Ok(i) => Value::Int(i),
            Err(_) => Value::Long(std::rc::Rc::new(n)),
        }
    }
}

/// The whole part of a float.
pub fn of_float(x: f64) -> Outcome<BigInt> {
    match BigInt::from_f64(x) {
        Some(n) => Ok(n),
        None if x.is_nan() => {
            Err(Complaint::new(Kind::Value, "cannot convert float NaN to integer"))
        }
        None => Err(Complaint::new(Kind::Overflow, "cannot convert float infinity to integer")),
    }
}

/// `a op b`; None where ints have no such operator.
pub(crate) fn binary(
    op: BinaryOp,
    a: &BigInt,
    b: &BigInt,
    torch_powers: bool,
) -> Option<Outcome<Value>> {
    let whole = |n: BigInt| Ok(Value::from(n));
    // What adds, subtracts or compares bits is no longer than the longer one.
    if let Err(c) = budget::reserve(bytes(a.bits().max(b.bits()))) {
        return Some(Err(c));
    }
    Some(match op {
        BinaryOp::Add => whole(a + b),
        BinaryOp::Sub => whole(a - b),
        BinaryOp::Mul => times(a, b).map(Value::from),
        BinaryOp::Div if b.is_zero() => Err(zero("division by zero")),
        BinaryOp::Div => ratio(a, b).map(Value::Float),
        BinaryOp::FloorDiv if b.is_zero() => Err(zero("integer division or modulo by zero")),
        BinaryOp::FloorDiv => floor_divided(a, b).map(|(q, _)| q.into()),
        BinaryOp::Mod if b.is_zero() => Err(zero("integer modulo by zero")),
        BinaryOp::Mod => floor_divided(a, b).map(|(_, r)| r.into()),
        BinaryOp::Pow if b.is_negative() => {
            return match (number::float(&a.clone().into()), number::float(&b.clone().into())) {
                (Ok(x), Ok(y)) => number::floats(op, x, y, torch_powers),
                (Err(c), _) | (_, Err(c)) => Some(Err(c)),
            };
        }
        BinaryOp::Pow => power(a, b).map(Value::from),
        BinaryOp::BitAnd => whole(a & b),
        BinaryOp::BitOr => whole(a | b),
        BinaryOp::BitXor => whole(a ^ b),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight if b.is_negative() => {
            Err(Complaint::new(Kind::Value, "negative shift count"))
        }
        BinaryOp::ShiftLeft => shifted(a, b).map(Value::from),
        BinaryOp::ShiftRight => whole(match b.to_u64() {
            Some(n) => a >> n,
            None if a.is_negative() => -BigInt::one(),
            None => BigInt::ZERO,
        }),
        BinaryOp::MatMul => return None,
    })
}

fn bytes(bits: u64) -> usize {
    usize::try_from(bits / 8).unwrap_or(usize::MAX)
}

fn signed(negative: bool, n: BigUint) -> BigInt {
    BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, n)
}

/// `a * b`.
pub fn times(a: &BigInt, b: &BigInt) -> Outcome<BigInt> {
    let negative = a.is_negative() != b.is_negative();
    Ok(signed(negative, product(a.magnitude(), b.magnitude())?))
}

/// The upper part of a number, and its lowest `bits`.
fn split(n: &BigUint, bits: u64) -> (BigUint, BigUint) {
    let high = n >> bits;
    let low = n - (&high << bits);
    (high, low)
}

/// The product of natural numbers, in pieces (Karatsuba).
fn product(a: &BigUint, b: &BigUint) -> Outcome<BigUint> {
    let (long, short) = if a.bits() < b.bits() { (b, a) } else { (a, b) };
    if long.bits() <= PIECE {
        return Ok(long * short);
    }
    budget::tick()?;
    budget::reserve(bytes(long.bits() + short.bits()).saturating_mul(3))?;
    let half = long.bits().div_ceil(2).next_multiple_of(64);
    let (high, low) = split(long, half);
    if short.bits() <= half {
        return Ok((product(&high, short)? << half) + product(&low, short)?);
    }
    let (top, rest) = split(short, half);
    let (above, below) = (product(&high, &top)?, product(&low, &rest)?);
    let middle = product(&(high + low), &(top + rest))? - &above - &below;
    Ok((((above << half) + middle) << half) + below)
}

/// Quotient and remainder of natural numbers, in pieces; `b` is not 0.
fn divided(a: &BigUint, b: &BigUint) -> Outcome<(BigUint, BigUint)> {
    use num_integer::Integer;
    let wanted = a.bits().saturating_sub(b.bits()) + 1;
    if wanted <= 64 || wanted.saturating_mul(b.bits()) <= DIVISION {
        return Ok(a.div_rem(b));
    }
    budget::tick()?;
    budget::reserve(bytes(a.bits()).saturating_mul(2))?;
    let half = (wanted / 2).next_multiple_of(64);
    let (high, low) = split(a, half);
    let (first, rest) = divided(&high, b)?;
    let (second, rest) = divided(&((rest << half) + low), b)?;
    Ok(((first << half) + second, rest))
}

/// Python's `divmod`: the remainder has the sign of `b`, which is not 0.
pub fn floor_divided(a: &BigInt, b: &BigInt) -> Outcome<(BigInt, BigInt)> {
    let (q, r) = divided(a.magnitude(), b.magnitude())?;
    let opposite = a.is_negative() != b.is_negative();
    let (q, r) = (signed(opposite, q), signed(a.is_negative(), r));
    Ok(if opposite && !r.is_zero() { (q - 1, r + b) } else { (q, r) })
}

/// `a / b` rounded once, halves to even.
fn ratio(a: &BigInt, b: &BigInt) -> Outcome<f64> {
    /// Bits of a float's fraction, and the exponent of the smallest normal one.
    const DIGITS: i64 = 53;
    const LEAST: i64 = -1021;
    let too_large =
        || Complaint::new(Kind::Overflow, "integer division result too large for a float");
    let negative = a.is_negative() != b.is_negative();
    let (a, b) = (a.magnitude(), b.magnitude());
    let apart = a.bits() as i64 - b.bits() as i64;
    if apart > 1024 {
        return Err(too_large());
    }
    if a.is_zero() || apart < LEAST - DIGITS - 2 {
        return Ok(if negative { -0.0 } else { 0.0 });
    }
    // Two bits more than the fraction has, and whether anything follows them.
    let shift = apart.max(LEAST) - DIGITS - 2;
    let (q, r) = match shift {
        ..=0 => divided(&(a << -shift), b)?,
        _ => divided(a, &(b << shift))?,
    };
    let q = q.to_u64().unwrap_or(u64::MAX) | u64::from(!r.is_zero());
    let bits = 64 - i64::from(q.leading_zeros());
    let unit = 1u64 << (bits.max(LEAST - shift) - DIGITS);
    let (whole, rest) = (q - q % unit, q % unit);
    let up = rest > unit / 2 || rest == unit / 2 && whole & unit != 0;
    let x = (if up { whole + unit } else { whole }) as f64;
    // In two steps, so that neither factor leaves the floats.
    let x = x * 2f64.powi((shift / 2) as i32) * 2f64.powi((shift - shift / 2) as i32);
    match x.is_finite() {
        true => Ok(if negative { -x } else { x }),
        false => Err(too_large()),
    }
}

/// `a << b`, where `b` is not negative.
fn shifted(a: &BigInt, b: &BigInt) -> Outcome<BigInt> {
    if a.is_zero() {
        return Ok(BigInt::ZERO);
    }
    let by = b.to_u64().unwrap_or(u64::MAX);
    budget::reserve(bytes(by.saturating_add(a.bits())).saturating_mul(2))?;
    Ok(a << by)
}

/// `a ** b`, where `b` is not negative.
fn power(a: &BigInt, b: &BigInt) -> Outcome<BigInt> {
    let negative = a.is_negative() && b.bit(0);
    if a.is_zero() || a.magnitude().is_one() {
        let one = b.is_zero() || !a.is_zero();
        return Ok(signed(negative, BigUint::from(u8::from(one))));
    }
    let size = bits_of(a.magnitude()) * b.to_f64().unwrap_or(f64::MAX);
    // As a float it ends at the largest size, which no memory has.
    budget::reserve(bytes(size as u64).saturating_mul(4))?;
    let exponent = b.to_u64().unwrap_or(u64::MAX);
    let twos = a.trailing_zeros().unwrap_or(0);
    let odd = a.magnitude() >> twos;
    let mut result = BigUint::one();
    for bit in (0..b.bits()).rev() {
        result = product(&result, &result)?;
        if exponent >> bit & 1 == 1 {
            result = product(&result, &odd)?;
        }
    }
    Ok(signed(negative, result << (twos * exponent)))
}

/// `pow(a, b, n)`.
pub fn power_modulo(a: &BigInt, b: &BigInt, n: &BigInt) -> Outcome<BigInt> {
    if n.is_zero() {
        return Err(Complaint::new(Kind::Value, "pow() 3rd argument cannot be 0"));
    }
    let modulus = n.magnitude();
    let mut square = floor_divided(a, &signed(false, modulus.clone()))?.1.magnitude().clone();
    if b.is_negative() {
        square = inverse(&square, modulus)?.ok_or_else(|| {
            Complaint::new(Kind::Value, "base is not invertible for the given modulus")
        })?;
    }
    let mut result = divided(&BigUint::one(), modulus)?.1;
    for bit in (0..b.bits()).rev() {
        budget::tick()?;
        result = divided(&product(&result, &result)?, modulus)?.1;
        if b.magnitude().bit(bit) {
            result = divided(&product(&result, &square)?, modulus)?.1;
        }
    }
    let result = signed(false, result);
    Ok(if n.is_negative() && !result.is_zero() { result + n } else { result })
}

/// The number whose product with `b` leaves 1 modulo `n` (Euclid); None where there is none.
fn inverse(b: &BigUint, n: &BigUint) -> Outcome<Option<BigUint>> {
    let (mut r, mut next) = (n.clone(), b.clone());
    let (mut x, mut y) = (BigInt::ZERO, BigInt::one());
    while !next.is_zero() {
        budget::tick()?;
        let (q, rest) = divided(&r, &next)?;
        (r, next) = (next, rest);
        let further = x - times(&signed(false, q), &y)?;
        (x, y) = (y, further);
    }
    if !r.is_one() {
        return Ok(None);
    }
    Ok(Some(floor_divided(&x, &signed(false, n.clone()))?.1.magnitude().clone()))
}

/// The greatest common divisor, not negative.
pub fn common_divisor(a: &BigInt, b: &BigInt) -> Outcome<BigInt> {
    let (mut a, mut b) = (a.magnitude().clone(), b.magnitude().clone());
    while !b.is_zero() {
        budget::tick()?;
        let rest = divided(&a, &b)?.1;
        (a, b) = (b, rest);
    }
    Ok(signed(false, a))
}

/// The whole part of a square root of what is not negative, each step doubling the digits, as CPython.
pub fn square_root(n: &BigInt) -> Outcome<BigInt> {
    let n = n.magnitude();
    if n.is_zero() {
        return Ok(BigInt::ZERO);
    }
    let c = (n.bits() - 1) / 2;
    let (mut root, mut d) = (BigUint::one(), 0);
    for s in (0..64 - c.leading_zeros()).rev() {
        let before = d;
        d = c >> s;
        let quotient = divided(&(n >> (2 * c - before - d + 1)), &root)?.0;
        root = (root << (d - before - 1)) + quotient;
    }
    let above = product(&root, &root)? > *n;
    Ok(signed(false, if above { root - 1u8 } else { root }))
}

/// The product of `n`, `n - 1`, … down to `n - count + 1`, by halves.
pub fn falling(n: &BigInt, count: u64) -> Outcome<BigInt> {
    let size = count as f64 * (n.bits() as f64 - 1.0);
    budget::reserve(bytes(size as u64))?;
    descending(n, count)
}

fn descending(n: &BigInt, count: u64) -> Outcome<BigInt> {
    budget::tick()?;
    if count <= 16 {
        return Ok((0..count).fold(BigInt::one(), |p, i| p * (n - i)));
    }
    let half = count / 2;
    times(&descending(n, half)?, &descending(&(n - half), count - half)?)
}

/// How many ways there are to choose `k` of `n`.
pub fn ways(n: &BigInt, k: u64) -> Outcome<BigInt> {
    let all = falling(n, k)?;
    Ok(floor_divided(&all, &descending(&BigInt::from(k), k)?)?.0)
}

/// Rounded to `digits` places before the point, halves to even: `round(n, -digits)`.
pub fn rounded(n: &BigInt, digits: &BigInt) -> Outcome<BigInt> {
    // A power of ten that is far larger leaves nothing.
    if *digits > BigInt::from(n.bits()) {
        return Ok(BigInt::ZERO);
    }
    let unit = power(&BigInt::from(10), digits)?;
    let (q, r) = floor_divided(n, &unit)?;
    let twice: BigInt = r * 2;
    let up = twice > unit || twice == unit && q.bit(0);
    times(&(if up { q + 1 } else { q }), &unit)
}

/// The logarithm to base 2 of a number above 0.
fn bits_of(n: &BigUint) -> f64 {
    let (mantissa, exponent) = parts(n);
    mantissa.log2() + exponent as f64
}

/// `n` as a number from [0.5, 1] times a power of two, as `frexp` of C.
pub fn parts(n: &BigUint) -> (f64, u64) {
    let bits = n.bits();
    let top = if bits > 64 { n >> (bits - 64) } else { n << (64 - bits) };
    // What is cut off decides no more than a half does: it is kept as one bit.
    let more = bits > 64 && n.trailing_zeros().is_some_and(|zeros| zeros < bits - 64);
    let top = top.to_u64().unwrap_or(0) | u64::from(more);
    (top as f64 / 2f64.powi(64), bits)
}

/// A natural number in base 10, 2, 8 or 16.
pub fn digits(n: &BigUint, radix: u32) -> Tried<String> {
    if radix == 10 {
        let way = "here the limit stays: x.bit_length() counts the bits, hex(x) has no limit";
        return decimal(n).map_err(|says| Halt::new(Kind::Value, says).helped(way));
    }
    let each = u64::from(radix.trailing_zeros().max(1));
    let mut out = String::new();
    budget::reserve((n.bits() / each) as usize)?;
    spell(n, radix, 0, &mut out)?;
    Ok(out)
}

/// Appends the digits in a base that is a power of two, at least `width`, in pieces.
fn spell(n: &BigUint, radix: u32, width: usize, out: &mut String) -> Outcome<()> {
    if n.bits() <= PIECE {
        let digits = n.to_str_radix(radix);
        out.push_str(&"0".repeat(width.saturating_sub(digits.len())));
        out.push_str(&digits);
        return Ok(());
    }
    budget::tick()?;
    // A whole number of digits in each of these bases.
    let half = (n.bits() / 2).next_multiple_of(192);
    let below = (half / u64::from(radix.trailing_zeros().max(1))) as usize;
    let (high, low) = split(n, half);
    spell(&high, radix, width.saturating_sub(below), out)?;
    spell(&low, radix, below, out)
}

/// CPython's hash: the number modulo 2⁶¹ − 1, with its sign.
pub fn hash(n: &BigInt) -> i64 {
    const MODULUS: u64 = (1 << 61) - 1;
    let h = (n.magnitude() % MODULUS).to_i64().unwrap_or(0);
    match if n.is_negative() { -h } else { h } {
        -1 => -2,
        h => h,
    }
}
