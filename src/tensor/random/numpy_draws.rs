//! Draws of NumPy's other distributions, each from the words that NumPy takes for it.

use super::numpy_stream::Stream;
use std::sync::LazyLock;

/// A draw of the distribution of that name with up to two parameters; None: there is none of the name.
pub fn draw(name: &str) -> Option<fn(&mut Stream, f64, f64) -> f64> {
    Some(match name {
        "exponential" => |s, _, _| exponential(s),
        "gamma" => |s, shape, _| gamma(s, shape),
        "beta" => beta,
        "laplace" => laplace,
        "logistic" => logistic,
        "poisson" => |s, rate, _| poisson(s, rate),
        "binomial" => binomial,
        _ => return None,
    })
}

fn legacy(s: &Stream) -> bool {
    matches!(s, Stream::Legacy { .. })
}

const LAYERS: usize = 256;
const SCALE: f64 = (1u64 << 53) as f64;

/// The widths of the layers under e⁻ˣ, by 2⁵³.
static WIDTHS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let bits = include_str!("ziggurat_exponential.txt").split_whitespace();
    bits.map(|b| f64::from_bits(u64::from_str_radix(b, 16).unwrap_or(0))).collect()
});

/// A standard exponential: by the inverse, or by Marsaglia and Tsang's ziggurat.
fn exponential(s: &mut Stream) -> f64 {
    if legacy(s) {
        return -(1.0 - s.double()).ln();
    }
    let width = &*WIDTHS;
    let end = width[LAYERS - 1] * SCALE;
    let height = |k: usize| if k == 0 { 1.0 } else { (-width[k] * SCALE).exp() };
    loop {
        let r = s.long() >> 3;
        let (layer, r) = ((r & 0xff) as usize, r >> 8);
        let x = r as f64 * width[layer];
        let inside = match layer {
            0 => width[LAYERS - 1] / width[0],
            1 => 0.0,
            k => width[k - 1] / width[k],
        };
        if (r as f64) < inside * SCALE {
            return x;
        }
        if layer == 0 {
            return end - (-s.double()).ln_1p();
        }
        let (low, high) = (height(layer), height(layer - 1));
        if (high - low) * s.double() + low < (-x).exp() {
            return x;
        }
    }
}

/// A standard gamma, after Marsaglia and Tsang; below 1 after Ahrens and Dieter.
fn gamma(s: &mut Stream, shape: f64) -> f64 {
    if shape == 1.0 {
        return exponential(s);
    }
    if shape == 0.0 {
        return 0.0;
    }
    if shape < 1.0 {
        loop {
            let (u, v) = (s.double(), exponential(s));
            let (x, most) = if u <= 1.0 - shape {
                (u.powf(1.0 / shape), v)
            } else {
                let y = -((1.0 - u) / shape).ln();
                ((1.0 - shape + shape * y).powf(1.0 / shape), v + y)
            };
            if x <= most {
                return x;
            }
        }
    }
    let b = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * b).sqrt();
    loop {
        let (x, v) = loop {
            let x = s.normal();
            let v = 1.0 + c * x;
            if v > 0.0 || v.is_nan() {
                break (x, v);
            }
        };
        let v = v * v * v;
        let u = s.double();
        if u < 1.0 - 0.0331 * (x * x) * (x * x) || u.ln() < 0.5 * x * x + b * (1.0 - v + v.ln()) {
            return b * v;
        }
    }
}

fn beta(s: &mut Stream, a: f64, b: f64) -> f64 {
    if a > 1.0 || b > 1.0 {
        let (one, other) = (gamma(s, a), gamma(s, b));
        return one / (one + other);
    }
    // Jöhnk's way.
    loop {
        let (u, v) = (s.double(), s.double());
        let (x, y) = (u.powf(1.0 / a), v.powf(1.0 / b));
        let both = x + y;
        if both > 1.0 || u + v <= 0.0 {
            continue;
        }
        if both > 0.0 {
            return x / both;
        }
        let (x, y) = (u.ln() / a, v.ln() / b);
        let most = x.max(y);
        let (x, y) = (x - most, y - most);
        return (x - (x.exp() + y.exp()).ln()).exp();
    }
}

/// An end of the interval is drawn again.
fn inside(s: &mut Stream) -> f64 {
    loop {
        let u = s.double();
        if u > 0.0 {
            return u;
        }
    }
}

fn laplace(s: &mut Stream, middle: f64, scale: f64) -> f64 {
    match inside(s) {
        u if u >= 0.5 => middle - scale * (2.0 - u - u).ln(),
        u => middle + scale * (u + u).ln(),
    }
}

fn logistic(s: &mut Stream, middle: f64, scale: f64) -> f64 {
    let u = inside(s);
    middle + scale * (u / (1.0 - u)).ln()
}

/// ln Γ as NumPy's draws compute it.
fn log_gamma(x: f64) -> f64 {
    const TERMS: [f64; 10] = [
        8.333333333333333e-02,
        -2.777777777777778e-03,
        7.936507936507937e-04,
        -5.952380952380952e-04,
        8.417508417508418e-04,
        -1.917526917526918e-03,
        6.410_256_410_256_41e-3,
        -2.955065359477124e-02,
        1.796443723688307e-01,
        -1.392_432_216_905_9,
    ];
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    let steps = if x < 7.0 { (7.0 - x).trunc() } else { 0.0 };
    let mut at = x + steps;
    let square = (1.0 / at) * (1.0 / at);
    let sum = TERMS[..9].iter().rev().fold(TERMS[9], |sum, term| sum * square + term);
    let mut log = sum / at + 0.5 * 1.837_877_066_409_345_3 + (at - 0.5) * at.ln() - at;
    for _ in 0..steps as usize {
        log -= (at - 1.0).ln();
        at -= 1.0;
    }
    log
}

/// By products of uniform numbers; from 10 on Hörmann's PTRS.
fn poisson(s: &mut Stream, rate: f64) -> f64 {
    if rate == 0.0 {
        return 0.0;
    }
    if rate < 10.0 {
        let (least, mut product, mut count) = ((-rate).exp(), 1.0, 0.0);
        loop {
            product *= s.double();
            if product <= least {
                return count;
            }
            count += 1.0;
        }
    }
    let b = 0.931 + 2.53 * rate.sqrt();
    let a = -0.059 + 0.02483 * b;
    let inverse = 1.1239 + 1.1328 / (b - 3.4);
    let right = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let (u, v) = (s.double() - 0.5, s.double());
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + rate + 0.43).floor();
        if us >= 0.07 && v <= right {
            return k;
        }
        if k < 0.0 || us < 0.013 && v > us {
            continue;
        }
        let log = v.ln() + inverse.ln() - (a / (us * us) + b).ln();
        if log <= -rate + k * rate.ln() - log_gamma(k + 1.0) {
            return k;
        }
    }
}

fn binomial(s: &mut Stream, count: f64, p: f64) -> f64 {
    if count == 0.0 || p == 0.0 {
        return 0.0;
    }
    let rare = if p <= 0.5 { p } else { 1.0 - p };
    let drawn = match rare * count <= 30.0 {
        true => by_inversion(s, count, rare),
        false => by_regions(s, count, rare),
    };
    if p <= 0.5 { drawn } else { count - drawn }
}

fn by_inversion(s: &mut Stream, n: f64, p: f64) -> f64 {
    let q = 1.0 - p;
    let none = (n * (-p).ln_1p()).exp();
    let mean = n * p;
    let most = n.min(mean + 10.0 * (mean * q + 1.0).sqrt()).trunc();
    let (mut x, mut px, mut u) = (0.0, none, s.double());
    while u > px {
        x += 1.0;
        if x > most {
            (x, px, u) = (0.0, none, s.double());
        } else {
            u -= px;
            px = ((n - x + 1.0) * p * px) / (x * q);
        }
    }
    x
}

/// Kachitvichyanukul and Schmeiser's BTPE.
fn by_regions(s: &mut Stream, n: f64, r: f64) -> f64 {
    let q = 1.0 - r;
    let middle = n * r + r;
    let m = middle.floor();
    let p1 = (2.195 * (n * r * q).sqrt() - 4.6 * q).floor() + 0.5;
    let xm = m + 0.5;
    let (xl, xr) = (xm - p1, xm + p1);
    let c = 0.134 + 20.5 / (15.3 + m);
    let rate = |a: f64| a * (1.0 + a / 2.0);
    let left = rate((middle - xl) / (middle - xl * r));
    let right = rate((xr - middle) / (xr * q));
    let p2 = p1 * (1.0 + 2.0 * c);
    let p3 = p2 + c / left;
    let p4 = p3 + c / right;
    let nrq = n * r * q;
    loop {
        let (u, v) = (s.double() * p4, s.double());
        if u <= p1 {
            return (xm - p1 * v + u).floor();
        }
        let (y, v) = if u <= p2 {
            let x = xl + (u - p1) / c;
            let v = v * c + 1.0 - (m - x + 0.5).abs() / p1;
            if v > 1.0 {
                continue;
            }
            (x.floor(), v)
        } else if u <= p3 {
            let y = (xl + v.ln() / left).floor();
            if y < 0.0 || v == 0.0 {
                continue;
            }
            (y, v * (u - p2) * left)
        } else {
            let y = (xr - v.ln() / right).floor();
            if y > n || v == 0.0 {
                continue;
            }
            (y, v * (u - p3) * right)
        };
        let k = (y - m).abs();
        if k <= 20.0 || k >= nrq / 2.0 - 1.0 {
            let odds = r / q;
            let a = odds * (n + 1.0);
            let steps = |from: f64, to: f64| {
                (from as u64 + 1..=to as u64).map(move |i| a / i as f64 - odds)
            };
            let likely = match m < y {
                true => steps(m, y).fold(1.0, |f, step| f * step),
                false => steps(y, m).fold(1.0, |f, step| f / step),
            };
            if v > likely {
                continue;
            }
            return y;
        }
        let rho = (k / nrq) * ((k * (k / 3.0 + 0.625) + 1.0 / 6.0) / nrq + 0.5);
        let t = -k * k / (2.0 * nrq);
        let log = v.ln();
        if log < t - rho {
            return y;
        }
        if log > t + rho {
            continue;
        }
        let (x1, f1, z, w) = (y + 1.0, m + 1.0, n + 1.0 - m, n - y + 1.0);
        let stirling = |x: f64| {
            let x2 = x * x;
            (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / x2) / x2) / x2) / x2) / x / 166_320.0
        };
        let most = xm * (f1 / x1).ln()
            + (n - m + 0.5) * (z / w).ln()
            + (y - m) * (w * r / (x1 * q)).ln()
            + stirling(f1)
            + stirling(z)
            + stirling(x1)
            + stirling(w);
        if log <= most {
            return y;
        }
    }
}
