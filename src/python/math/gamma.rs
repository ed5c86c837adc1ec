//! The gamma function and its logarithm as CPython computes them: Lanczos' sum of 13 terms.

use std::f64::consts::PI;

const G: f64 = 6.024_680_040_776_73;
const G_MINUS_HALF: f64 = 5.524_680_040_776_73;
const LOG_PI: f64 = 1.144_729_885_849_400_2;

const ABOVE: [f64; 13] = [
    23_531_376_880.410_76,
    42_919_803_642.649_1,
    35_711_959_237.355_67,
    17_921_034_426.037_21,
    6_039_542_586.352_028,
    1_439_720_407.311_721_6,
    248_874_557.862_054_17,
    31_426_415.585_400_194,
    2_876_370.628_935_372_5,
    186_056.265_395_223_48,
    8_071.672_002_365_816,
    210.824_277_751_579_36,
    2.506_628_274_631_000_2,
];

const BELOW: [f64; 13] = [
    0.0,
    39_916_800.0,
    120_543_840.0,
    150_917_976.0,
    105_258_076.0,
    45_995_730.0,
    13_339_535.0,
    2_637_558.0,
    357_423.0,
    32_670.0,
    1_925.0,
    66.0,
    1.0,
];

fn sum(x: f64) -> f64 {
    let rising = |all: [f64; 13]| all.iter().rev().fold(0.0, |sum, c| sum * x + c);
    let falling = |all: [f64; 13]| all.iter().fold(0.0, |sum, c| sum / x + c);
    if x < 5.0 { rising(ABOVE) / rising(BELOW) } else { falling(ABOVE) / falling(BELOW) }
}

/// sin(πx), exact at multiples of a half.
fn sin_pi(x: f64) -> f64 {
    let y = x.abs() % 2.0;
    let sine = match (2.0 * y).round() as u8 {
        0 => (PI * y).sin(),
        1 => (PI * (y - 0.5)).cos(),
        2 => (PI * (1.0 - y)).sin(),
        3 => -(PI * (y - 1.5)).cos(),
        _ => (PI * (y - 2.0)).sin(),
    };
    sine * 1f64.copysign(x)
}

/// `math.gamma`; NaN where it is not defined.
pub fn gamma(x: f64) -> f64 {
    if x == 0.0 || x == f64::NEG_INFINITY {
        return f64::NAN;
    }
    if !x.is_finite() {
        return x;
    }
    if x == x.floor() {
        if x < 0.0 {
            return f64::NAN;
        }
        if x <= 23.0 {
            return (1..x as u64).map(|k| k as f64).product();
        }
    }
    let size = x.abs();
    if size < 1e-20 {
        return 1.0 / x;
    }
    if size > 200.0 {
        return if x < 0.0 { 0.0 / sin_pi(x) } else { f64::INFINITY };
    }
    let y = size + G_MINUS_HALF;
    // What y lost in rounding.
    let lost = match size > G_MINUS_HALF {
        true => (y - size) - G_MINUS_HALF,
        false => (y - G_MINUS_HALF) - size,
    };
    let z = lost * G / y;
    let root = y.powf(size / 2.0 - 0.25);
    if x < 0.0 {
        let mut r = -PI / sin_pi(size) / size * y.exp() / sum(size);
        r -= z * r;
        if size < 140.0 { r / y.powf(size - 0.5) } else { r / root / root }
    } else {
        let mut r = sum(size) / y.exp();
        r += z * r;
        if size < 140.0 { r * y.powf(size - 0.5) } else { r * root * root }
    }
}

/// `math.lgamma`; NaN where it is not defined.
pub fn log_gamma(x: f64) -> f64 {
    if !x.is_finite() {
        return x.abs();
    }
    if x == x.floor() && x <= 2.0 {
        return if x <= 0.0 { f64::NAN } else { 0.0 };
    }
    let size = x.abs();
    if size < 1e-20 {
        return -size.ln();
    }
    let r = sum(size).ln() - G + (size - 0.5) * ((size + G - 0.5).ln() - 1.0);
    if x < 0.0 { LOG_PI - sin_pi(size).abs().ln() - size.ln() - r } else { r }
}

/// `math.cbrt`, with glibc's polynomial: its last digit is seen.
pub fn cube_root(x: f64) -> f64 {
    const ROOT: f64 = 1.259_921_049_894_873_2;
    const SQUARE: f64 = 1.587_401_051_968_199_6;
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let (m, exponent) = libm::frexp(x.abs());
    let terms = [
        -0.145_263_899_385_486_37,
        0.784_932_344_976_639_2,
        -1.834_692_774_836_130_8,
        2.446_931_225_635_344_4,
        -2.114_994_941_673_713,
        1.508_191_937_815_849,
        0.354_895_765_043_919_84,
    ];
    let u = terms.iter().fold(0.0, |sum: f64, c| sum * m + c);
    let cube = u * u * u;
    let factor = [1.0 / SQUARE, 1.0 / ROOT, 1.0, ROOT, SQUARE][(2 + exponent % 3) as usize];
    let root = u * (cube + 2.0 * m) / (2.0 * cube + m) * factor;
    libm::ldexp(root, exponent / 3).copysign(x)
}
