//! sin and cos without branches for |x| < 10⁶: x = k·π/2 + r, r in two parts (π/2 in three, with
//! fused products), and fdlibm's polynomials. Beyond, NaN: the caller asks the C library there.

use super::ROUND;
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// π/2 beyond its 53 digits, and beyond 106.
const MIDDLE: f64 = 6.123_233_995_736_766e-17;
const LOW: f64 = -1.497_384_904_859_169_8e-33;
const LIMIT: f64 = 1e6;

const SIN: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];
const COS: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// The quadrant's digits (the lowest two count) and what is left of x, in two parts.
#[inline(always)]
fn split(x: f64) -> (u64, f64, f64) {
    let shifted = x.mul_add(FRAC_2_PI, ROUND);
    let k = shifted - ROUND;
    // Exact: a multiple of 2⁻⁵² below 1.
    let a = k.mul_add(-FRAC_PI_2, x);
    let b = k * -MIDDLE;
    let b_low = k.mul_add(-MIDDLE, -b);
    let r = a + b;
    let v = r - a;
    let error = (a - (r - v)) + (b - v);
    (shifted.to_bits(), r, error + k.mul_add(-LOW, b_low))
}

/// sin of the quadrant's angle, or cos one quadrant on.
#[inline(always)]
fn turned(quadrant: u64, x: f64, y: f64) -> f64 {
    let z = x * x;
    let w = z * z;
    let [s1, s2, s3, s4, s5, s6] = SIN;
    let v = z * x;
    let p = w.mul_add(w.mul_add(s6, z.mul_add(s5, s4)), z.mul_add(s3, s2));
    let sin = x - (z.mul_add(0.5 * y - v * p, -y) - v * s1);
    let [c1, c2, c3, c4, c5, c6] = COS;
    let p = w.mul_add(w.mul_add(z.mul_add(c6, c5), z.mul_add(c4, c3)), z.mul_add(c2, c1));
    let half = 0.5 * z;
    let rest = 1.0 - half;
    let cos = rest + (((1.0 - rest) - half) + w.mul_add(p, -(x * y)));
    let value = if quadrant & 1 == 0 { sin } else { cos };
    f64::from_bits(value.to_bits() ^ (quadrant & 2) << 62)
}

#[inline(always)]
pub fn sin(x: f64) -> f64 {
    let (quadrant, high, low) = split(x);
    let y = turned(quadrant, high, low);
    if x.abs() < LIMIT { y } else { f64::NAN }
}

#[inline(always)]
pub fn cos(x: f64) -> f64 {
    let (quadrant, high, low) = split(x);
    let y = turned(quadrant.wrapping_add(1), high, low);
    if x.abs() < LIMIT { y } else { f64::NAN }
}
