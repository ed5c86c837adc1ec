//! Powers as PyTorch's loops compute them.

use crate::matrix::{Manner, manner};
use std::ops::{Div, Mul};

/// `aᵉ`, with the short cuts that PyTorch takes, so that the last digits agree.
#[inline(always)]
pub fn power(a: f64, e: f64) -> f64 {
    short_cut(a, e, 1.0, f64::sqrt).unwrap_or_else(|| a.powf(e))
}

/// [`power`] in float32.
#[inline(always)]
pub fn power_single(a: f32, e: f32) -> f32 {
    let long = || f64::from(a).powf(f64::from(e)) as f32;
    short_cut(a, f64::from(e), 1.0, f32::sqrt).unwrap_or_else(long)
}

#[inline(always)]
fn short_cut<T: Copy + Mul<Output = T> + Div<Output = T>>(
    a: T,
    e: f64,
    one: T,
    sqrt: impl Fn(T) -> T,
) -> Option<T> {
    Some(match e {
        0.5 => sqrt(a),
        1.0 => a,
        2.0 => a * a,
        3.0 if manner() == Manner::Torch => a * a * a,
        -1.0 => one / a,
        -2.0 => one / (a * a),
        -0.5 => one / sqrt(a),
        _ => return None,
    })
}
