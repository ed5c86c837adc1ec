//! log and log1p without branches: x = 2ᵏ(1 + f), and fdlibm's series in s = f/(2 + f).
//! What is not a normal positive number gives NaN: the caller asks the C library's functions there.

use std::f64::consts::SQRT_2;

const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// 2⁵²: its last digit counts ones.
const TWO_52: f64 = 4_503_599_627_370_496.0;
const SERIES: [f64; 7] = [
    6.666_666_666_666_735e-1,
    3.999_999_999_940_942e-1,
    2.857_142_874_366_239e-1,
    2.222_219_843_214_978_4e-1,
    1.818_357_216_161_805e-1,
    1.531_383_769_920_937_3e-1,
    1.479_819_860_511_658_6e-1,
];

/// `u = 2ᵏ(1 + f)` with 1 + f between √½ and √2, for a normal positive u.
#[inline(always)]
fn split(u: f64) -> (f64, f64) {
    const LOW: u64 = (SQRT_2 / 2.0).to_bits() & 0xffff_ffff_0000_0000;
    let bits = u.to_bits().wrapping_add(1.0f64.to_bits() - LOW);
    // The exponent as a float, by the digits of 2⁵² + e.
    let k = f64::from_bits(TWO_52.to_bits() | bits >> 52) - (TWO_52 + 1023.0);
    let m = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) + LOW);
    (k, m - 1.0)
}

/// k·log 2 + log(1 + f) + c.
#[inline(always)]
fn joined(k: f64, f: f64, c: f64) -> f64 {
    let half = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let [a, b, c3, d, e, g, h] = SERIES;
    let odd = z * w.mul_add(w.mul_add(w.mul_add(h, e), c3), a);
    let even = w * w.mul_add(w.mul_add(g, d), b);
    let r = odd + even;
    let low = s.mul_add(half + r, k.mul_add(LN2_LOW, c));
    k.mul_add(LN2_HIGH, f - (half - low))
}

#[inline(always)]
pub fn log(x: f64) -> f64 {
    let (k, f) = split(x);
    let y = joined(k, f, 0.0);
    let normal = (f64::MIN_POSITIVE..=f64::MAX).contains(&x);
    if normal { y } else { f64::NAN }
}

#[inline(always)]
pub fn log1p(x: f64) -> f64 {
    let u = 1.0 + x;
    let (k, f) = split(u);
    // What the sum lost.
    let lost = if x > 1.0 { x - u + 1.0 } else { x - (u - 1.0) };
    let near = x > -0.29 && x < 0.41;
    let (k, f, c) = if near { (0.0, x, 0.0) } else { (k, f, lost / u) };
    let y = joined(k, f, c);
    let y = if x == 0.0 { x } else { y };
    let normal = (f64::MIN_POSITIVE..=f64::MAX).contains(&u);
    if normal { y } else { f64::NAN }
}
