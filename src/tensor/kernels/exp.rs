//! exp, expm1 and tanh without branches, so that a loop over them becomes vector instructions: x = k·log 2 + r
//! (Cody and Waite, the low part kept where it counts), a polynomial in r, times 2ᵏ.
//! Where eˣ leaves the normal numbers, NaN: the caller asks the C library's functions there.

use super::ROUND;
use std::f64::consts::{LN_2, LOG2_E};

const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fefa_3800);
const LN2_LOW: f64 = f64::from_bits(0x3d2e_f357_93c7_6730);
/// What log 2 has beyond its 53 digits.
const LN2_REST: f64 = f64::from_bits(0x3c7a_bc9e_3b39_803f);

/// Of (eʳ − 1 − r)/r² for |r| ≤ ½ log 2, near the best there are (Chebyshev): 2⁻⁵⁹ of eʳ.
const SERIES: [f64; 11] = [
    0.5,
    0.166_666_666_666_666_7,
    0.041_666_666_666_666_67,
    0.008_333_333_333_326_112,
    0.001_388_888_888_888_373,
    0.000_198_412_698_749_012_6,
    2.480_158_732_560_532_4e-5,
    2.755_725_529_796_964_3e-6,
    2.755_727_357_010_214e-7,
    2.510_525_953_844_844_8e-8,
    2.091_471_734_171_637_8e-9,
];

/// (eʳ − 1 − r)/r², by Estrin's scheme; z = r².
#[inline(always)]
fn series(r: f64, z: f64) -> f64 {
    let [a, b, c, d, e, f, g, h, i, j, l] = SERIES;
    let (p0, p1, p2) = (r.mul_add(b, a), r.mul_add(d, c), r.mul_add(f, e));
    let (p3, p4) = (r.mul_add(h, g), r.mul_add(j, i));
    let low = z.mul_add(p1, p0);
    let middle = z.mul_add(p3, p2);
    let high = z.mul_add(l, p4);
    let w = z * z;
    w.mul_add(w.mul_add(high, middle), low)
}

/// `2ᵏ` from `k + ROUND`, for |k| ≤ 1022.
#[inline(always)]
fn power_of_two(shifted: f64) -> f64 {
    f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52)
}

#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let shifted = x.mul_add(LOG2_E, ROUND);
    let k = shifted - ROUND;
    let r = k.mul_add(-LN2_REST, k.mul_add(-LN_2, x));
    let z = r * r;
    let y = (1.0 + z.mul_add(series(r, z), r)) * power_of_two(shifted);
    if x.abs() < 708.0 { y } else { f64::NAN }
}

/// `eˣ − 1` in two parts, for |x| < 40.
#[inline(always)]
fn expm1_parts(x: f64) -> (f64, f64) {
    let shifted = x.mul_add(LOG2_E, ROUND);
    let k = shifted - ROUND;
    let s = power_of_two(shifted);
    // Exact: the high part of log 2 ends in zeros.
    let high = k.mul_add(-LN2_HIGH, x);
    let r = k.mul_add(-LN2_LOW, high);
    let low = k.mul_add(-LN2_LOW, high - r);
    let z = r * r;
    // s(1 + r) − 1, the rounding error kept: of s − 1 and sr, s − 1 is 0 or the larger.
    let (t, u) = (s - 1.0, s * r);
    let sum = t + u;
    let lost = u - (sum - t);
    (sum, s.mul_add(z.mul_add(series(r, z), low), lost))
}

#[inline(always)]
pub fn expm1(x: f64) -> f64 {
    let (high, low) = expm1_parts(x);
    // -0 stays what it is.
    let y = if x == 0.0 { x } else { high + low };
    if x.abs() < 37.0 { y } else { exp(x) - 1.0 }
}

/// tanh x = e/(e + 2) for e = exp(2|x|) − 1, the quotient corrected by its remainder.
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    // From here on it is 1 to the last digit. (NaN stays.)
    let x2 = if x.abs() > 19.5 { 39.0 } else { 2.0 * x.abs() };
    let (high, low) = expm1_parts(x2);
    let n = high + low;
    let low = low - (n - high);
    let d = n + 2.0;
    // Exact, as d − 2 is.
    let d_low = (n - (d - 2.0)) + low;
    let inverse = 1.0 / d;
    let q = n * inverse;
    let rest = q.mul_add(-d_low, q.mul_add(-d, n) + low);
    rest.mul_add(inverse, q).copysign(x)
}

/// Of erf(x)/x in powers of x²: its series.
const ERF_NEAR: [f64; 10] = [
    std::f64::consts::FRAC_2_SQRT_PI,
    -0.376_126_389_031_837_54,
    0.112_837_916_709_551_26,
    -0.026_866_170_645_131_252,
    0.005_223_977_625_442_188,
    -0.000_854_832_702_345_085_3,
    0.000_120_553_329_817_896_64,
    -1.492_565_035_840_625e-5,
    1.646_211_436_588_924_8e-6,
    -1.636_584_469_123_492_4e-7,
];

/// Of log(erfc(x)/t) + x² in t = 2/(2 + x), near the best for 0.4 ≤ x ≤ 4.3 (Chebyshev): to 10⁻¹².
const ERF_FAR: [f64; 13] = [
    -1.265_482_197_385_166_2,
    0.999_144_858_735_564_5,
    0.386_134_724_287_629_8,
    -0.004_018_419_925_892_263,
    0.373_623_105_735_959_2,
    -1.849_309_039_186_001_9,
    4.472_070_240_798_998,
    -8.785_160_138_931_85,
    12.171_692_464_335_345,
    -10.918_907_903_651_22,
    6.081_206_196_582_738,
    -1.929_661_801_888_687_3,
    0.268_668_435_609_766_44,
];

/// A polynomial, the constant term first.
#[inline(always)]
fn polynomial<const N: usize>(x: f64, terms: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for c in terms.iter().rev() {
        sum = x.mul_add(sum, *c);
    }
    sum
}

/// erf to twelve digits: all that float32 has.
#[inline(always)]
pub fn erf_single(x: f64) -> f64 {
    let z = if x.abs() > 4.2 { 4.2 } else { x.abs() };
    let t = 2.0 / (2.0 + z);
    let far = 1.0 - t * exp(z.mul_add(-z, polynomial(t, &ERF_FAR)));
    let near = z * polynomial(z * z, &ERF_NEAR);
    let y = if z < 0.5 { near } else { far };
    // NaN stays.
    if x.is_nan() { x } else { y.copysign(x) }
}
