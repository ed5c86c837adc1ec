//! The gamma function and its logarithm as CPython computes them: Lanczos' sum of 13 terms.

use std::f64::consts::PI;

const G: f64 = 6.024_680_040_776_729_6;
const G_MINUS_HALF: f64 = 5.524_680_040_776_729_6;
const LOG_PI: f64 = 1.144_729_885_849_400_2;

const ABOVE: [f64; 13] = [
    23531376880.41076,
    42919803642.6491,
    35711959237.35567,
    17921034426.03721,
    6039542586.352028,
    1439720407.3117216,
    248874557.86205417,
    31426415.585400194,
    2876370.6289353725,
    186056.26539522348,
    8071.672002365816,
    210.82427775157936,
    2.5066282746310002,
];

const BELOW: [f64; 13] = [
    0.0,
    39916800.0,
    120543840.0,
    150917976.0,
    105258076.0,
    45995730.0,
    13339535.0,
    2637558.0,
    357423.0,
    32670.0,
    1925.0,
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
    const SQUARE: f64 = 1.587_401_051_968_199_5;
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let (m, exponent) = libm::frexp(x.abs());
    let terms = [
        -0.145263899385486367,
        0.784932344976639262,
        -1.83469277483613086,
        2.4469312256353443,
        -2.11499494167371287,
        1.50819193781584896,
        0.354895765043919860,
    ];
    let u = terms.iter().fold(0.0, |sum: f64, c| sum * m + c);
    let cube = u * u * u;
    let factor = [1.0 / SQUARE, 1.0 / ROOT, 1.0, ROOT, SQUARE][(2 + exponent % 3) as usize];
    let root = u * (cube + 2.0 * m) / (2.0 * cube + m) * factor;
    libm::ldexp(root, exponent / 3).copysign(x)
}
