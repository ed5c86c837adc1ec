//! Whole numbers. They are held as doubles where those are equal to them, else as int64 (see
//! [`numbers`](crate::storage::numbers)); all wrap around as in PyTorch. What does not read int64 refuses such numbers.

use super::complaint::{Complaint, Fact, Kind, Outcome};
use super::tensor::{Dtype, Tensor};
use crate::complain;
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::OnceLock;

/// From here on doubles leave whole numbers out: 2⁵³.
const LIMIT: f64 = 9_007_199_254_740_992.0;

fn refused(what: impl std::fmt::Display) -> Box<Complaint> {
    let text =
        format!("an integer beyond 2**53 is more than this operation computes exactly: {what}");
    Complaint::new(Kind::NotImplemented, text)
        .about(Fact::BeyondDoubles)
        .hint("use a float tensor, or numbers below 2**53")
}

/// `v` as a double that is equal to it.
pub fn exact(v: i64) -> Outcome<f64> {
    if is_exact(v) { Ok(v as f64) } else { Err(refused(v)) }
}

/// Whether there is a double that is equal to it.
#[inline]
pub fn is_exact(v: i64) -> bool {
    // As a double the largest int64 is one more, and comes back as itself.
    v as f64 as i64 == v && v != i64::MAX
}

thread_local! {
    /// An integer that was read as a double that is not equal to it.
    static MISREAD: Cell<Option<i64>> = const { Cell::new(None) };
}

/// Somebody reads `v` as a double that is not equal to it.
pub(crate) fn misread(v: i64) {
    MISREAD.set(Some(v));
}

/// `v` for whoever computes integers with doubles.
pub fn double(v: i64) -> f64 {
    if !is_exact(v) {
        misread(v);
    }
    v as f64
}

/// Whether all integers were read as they are, since this was asked last. Every operation and every statement asks.
#[inline]
pub fn all_read() -> Outcome<()> {
    match MISREAD.take() {
        Some(v) => Err(refused(v)),
        None => Ok(()),
    }
}

/// The elements of a tensor of whole numbers.
pub fn longs(t: &Tensor) -> Cow<'_, [i64]> {
    match t.long() {
        Some(all) => Cow::Borrowed(all),
        None => Cow::Owned(t.data().iter().map(|v| *v as i64).collect()),
    }
}

/// An int64 result in its own type.
pub fn wrapped(v: i64, dtype: Dtype) -> i64 {
    match dtype {
        Dtype::Uint8 => i64::from(v as u8),
        Dtype::Int8 => i64::from(v as i8),
        Dtype::Int16 => i64::from(v as i16),
        Dtype::Int32 => i64::from(v as i32),
        _ => v,
    }
}

/// What was computed with whole numbers, made from what computes doubles: `fold` of exact results.
pub struct Exact {
    dtype: Dtype,
    beyond: OnceLock<i64>,
}

impl Exact {
    pub fn new(dtype: Dtype) -> Exact {
        Exact { dtype, beyond: OnceLock::new() }
    }

    /// A result, wrapped around.
    pub fn take(&self, v: i64) -> f64 {
        let v = wrapped(v, self.dtype);
        exact(v).unwrap_or_else(|_| {
            let _ = self.beyond.set(v);
            f64::NAN
        })
    }

    /// `made`, if all results could be held.
    pub fn done<T>(&self, made: Outcome<T>) -> Outcome<T> {
        match self.beyond.get() {
            Some(v) => Err(refused(*v)),
            None => made,
        }
    }
}

/// What `doubles` computes where all of `operands` are doubles and so are the results, else what `whole` does.
pub fn by_doubles_or_longs(
    operands: &[&Tensor],
    dtype: Dtype,
    doubles: impl FnOnce(&Exact) -> Outcome<Tensor>,
    whole: impl FnOnce() -> Outcome<Tensor>,
) -> Outcome<Tensor> {
    if operands.iter().all(|t| t.long().is_none()) {
        let exact = Exact::new(dtype);
        let made = doubles(&exact)?;
        if exact.beyond.get().is_none() {
            return Ok(made);
        }
    }
    whole()
}

/// `aᵉ`, wrapped around; a negative power of anything but 1 and −1 is 0.
pub fn power(a: i64, e: i64) -> i64 {
    if e < 0 {
        return match a {
            1 => 1,
            -1 if e % 2 == 0 => 1,
            -1 => -1,
            _ => 0,
        };
    }
    let (mut base, mut e, mut y) = (a, e, 1i64);
    while e > 0 {
        if e & 1 == 1 {
            y = y.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        e >>= 1;
    }
    y
}

/// `a // b` rounded down; by 0 as the processor would not: an error comes before.
pub fn floor_divide(a: i64, b: i64) -> i64 {
    let quotient = a.checked_div(b).unwrap_or(a.wrapping_neg());
    let exact = b == 0 || b == -1 || a % b == 0;
    if !exact && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

/// `a % b` with the sign of b.
pub fn modulo(a: i64, b: i64) -> i64 {
    let r = a.checked_rem(b).unwrap_or(0);
    if r != 0 && (r < 0) != (b < 0) { r + b } else { r }
}

/// Whether every sum of `terms` products on the way to a product of matrices is a double.
pub fn has_exact_sums(a: &Tensor, b: &Tensor, terms: usize) -> bool {
    let largest = |t: &Tensor| t.data().iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    a.long().is_none() && b.long().is_none() && largest(a) * largest(b) * (terms as f64) < LIMIT
}

/// A float as the processor converts it: what has no such whole number becomes the least.
pub fn of_float(v: f64, to: Dtype) -> f64 {
    // `as` keeps to the ends of the range, where the processor gives the least number.
    let long = if v.abs() < 9.3e18 && v < i64::MAX as f64 { v as i64 } else { i64::MIN };
    let short = i32::try_from(long).unwrap_or(i32::MIN);
    match to {
        Dtype::Int64 => long as f64,
        Dtype::Uint8 => f64::from(long as u8),
        Dtype::Int32 => f64::from(short),
        Dtype::Int16 => f64::from(short as i16),
        Dtype::Int8 => f64::from(short as i8),
        _ => to.cast(v),
    }
}

/// A Python number that a tensor's elements become.
pub fn scalar(v: f64, whole: bool, to: Dtype) -> Outcome<f64> {
    let cast = to.cast(v);
    if to.takes(v, whole) && cast.is_infinite() == v.is_infinite() {
        return Ok(cast);
    }
    complain!("value cannot be converted to type {} without overflow", to.c_type())
}
