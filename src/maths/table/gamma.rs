//! Numerical methods behind the special functions: inverse error function, digamma, polygamma.

use std::f64::consts::PI;

/// The inverse of erf: a rational start, then two Newton steps.
pub(super) fn erfinv(y: f64) -> f64 {
    let size = y.abs();
    if size.is_nan() || size > 1.0 {
        return f64::NAN;
    }
    if size == 1.0 {
        return f64::INFINITY.copysign(y);
    }
    let mut x = if size <= 0.7 {
        let z = y * y;
        let top = ((-0.140543331 * z + 0.914624893) * z - 1.645349621) * z + 0.886226899;
        let bottom =
            (((0.012229801 * z - 0.329097515) * z + 1.442710462) * z - 2.118377725) * z + 1.0;
        y * top / bottom
    } else {
        let z = (-((1.0 - size) / 2.0).ln()).sqrt();
        let top = ((1.641345311 * z + 3.429567803) * z - 1.624906493) * z - 1.970840454;
        let bottom = (1.637067800 * z + 3.543889200) * z + 1.0;
        top.copysign(y) / bottom
    };
    for _ in 0..2 {
        x -= (libm::erf(x) - y) / (2.0 / PI.sqrt() * (-x * x).exp());
    }
    x
}

/// ψ, the derivative of log Γ: reflected to the right, pushed beyond 10, then the asymptotic series.
pub(super) fn digamma(x: f64) -> f64 {
    if x == 0.0 {
        return f64::INFINITY.copysign(-x);
    }
    if x < 0.0 {
        if x == x.trunc() {
            return f64::NAN;
        }
        return digamma(1.0 - x) - PI / (PI * (x - x.trunc())).tan();
    }
    let (mut x, mut sum) = (x, 0.0);
    while x < 10.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    // Bernoulli numbers B₂ₖ/(2k).
    const SERIES: [f64; 7] = [
        1.0 / 12.0,
        -1.0 / 120.0,
        1.0 / 252.0,
        -1.0 / 240.0,
        1.0 / 132.0,
        -691.0 / 32760.0,
        1.0 / 12.0,
    ];
    let z = 1.0 / (x * x);
    let tail = SERIES.iter().rev().fold(0.0, |sum, c| sum * z + c) * z;
    sum + x.ln() - 0.5 / x - tail
}

/// The n-th derivative of ψ.
pub(super) fn polygamma(n: f64, x: f64) -> f64 {
    if n == 0.0 {
        return digamma(x);
    }
    if n == 1.0 {
        return trigamma(x);
    }
    let sign = if n % 2.0 == 0.0 { -1.0 } else { 1.0 };
    // A small factorial is a whole number.
    let factorial = match libm::tgamma(n + 1.0) {
        f if n <= 18.0 => f.round(),
        f => f,
    };
    sign * factorial * zeta(n + 1.0, x)
}

/// [`polygamma`] in float32.
pub(super) fn polygamma_single(n: f64, x: f32) -> f32 {
    match n {
        1.0 => trigamma_single(x),
        _ => polygamma(n, f64::from(x)) as f32,
    }
}

/// As PyTorch, in the type that it works in: six steps up, then the series to its fourth term.
macro_rules! trigamma {
    ($name:ident, $Float:ident) => {
        fn $name(x: $Float) -> $Float {
            let pi = PI as $Float;
            let (mut x, mut sum, left) = (x, 0.0, x < 0.5);
            if left {
                let s = (pi * x).sin();
                sum -= pi * pi / (s * s);
                x = 1.0 - x;
            }
            for _ in 0..6 {
                sum += 1.0 / (x * x);
                x += 1.0;
            }
            let i = 1.0 / (x * x);
            let tail = 1.0 / 6.0 - i * (1.0 / 30.0 - i * (1.0 / 42.0));
            sum += (1.0 + 1.0 / (2.0 * x) + i * tail) / x;
            if left { -sum } else { sum }
        }
    };
}

trigamma!(trigamma, f64);
trigamma!(trigamma_single, f32);

/// The incomplete gamma function divided by Γ(a): its part below x, or above.
pub(super) fn incomplete(a: f64, x: f64, above: bool) -> f64 {
    let below = |part: f64| if above { 1.0 - part } else { part };
    // In PyTorch's order, which decides where one of the two is NaN.
    if a < 0.0 || x < 0.0 {
        return f64::NAN;
    }
    if a == 0.0 {
        return if x > 0.0 { below(1.0) } else { f64::NAN };
    }
    if x == 0.0 {
        return below(0.0);
    }
    if a.is_infinite() {
        return if x.is_infinite() { f64::NAN } else { below(0.0) };
    }
    if x.is_infinite() {
        return below(1.0);
    }
    if a.is_nan() || x.is_nan() {
        return f64::NAN;
    }
    let front = (a * x.ln() - x - libm::lgamma(a)).exp();
    // So many terms or steps that what is left is below the last digit, for a up to some 10⁸.
    let most = 200 + (20.0 * a.max(x).sqrt()) as usize;
    if x < a + 1.0 {
        // Σ xᵏ/(a(a + 1)…(a + k))
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for k in 1..most {
            term *= x / (a + k as f64);
            sum += term;
            if term < sum * f64::EPSILON / 4.0 {
                break;
            }
        }
        return below(front * sum);
    }
    // Legendre's continued fraction, by Lentz.
    let (mut b, mut c) = (x + 1.0 - a, f64::INFINITY);
    let mut d = 1.0 / b;
    let mut h = d;
    for k in 1..most {
        let k = k as f64;
        let top = -k * (k - a);
        b += 2.0;
        d = 1.0 / (top * d + b);
        c = b + top / c;
        h *= d * c;
        if (d * c - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    if above { front * h } else { 1.0 - front * h }
}

/// Terms added one by one at most: further to the left all digits would be lost.
const LEFTMOST: f64 = -1e5;

/// Hurwitz's ζ as PyTorch takes it: infinite at s = 1, nowhere left of it.
pub(super) fn hurwitz(s: f64, q: f64) -> f64 {
    match (s, q) {
        (1.0, _) => f64::INFINITY,
        (s, _) if s < 1.0 => f64::NAN,
        (_, q) if q <= 0.0 && q == q.floor() => f64::INFINITY,
        (f64::INFINITY, 1.0) => 1.0,
        (f64::INFINITY, q) if q > 1.0 => f64::NAN,
        (s, f64::INFINITY) if s > 1.0 => f64::NAN,
        (s, q) => zeta(s, q),
    }
}

/// Hurwitz's ζ(s, q) = Σ 1/(q + k)ˢ for s > 1, by Euler and Maclaurin.
fn zeta(s: f64, q: f64) -> f64 {
    if q.is_nan() || s.is_nan() || q < LEFTMOST {
        return f64::NAN;
    }
    if q == f64::INFINITY {
        return 0.0;
    }
    if q <= 0.0 && q == q.floor() {
        return f64::INFINITY;
    }
    if q <= 0.0 && s != s.floor() {
        return f64::NAN;
    }
    let (mut a, mut sum) = (q, 0.0);
    while a < 10.0 {
        sum += a.powf(-s);
        a += 1.0;
    }
    let last = a.powf(-s);
    sum += a * last / (s - 1.0) + 0.5 * last;
    // B₂ₖ/(2k)! · s(s+1)…(s+2k−2) / aˢ⁺²ᵏ⁻¹
    const SERIES: [f64; 8] = [
        1.0 / 12.0,
        -1.0 / 720.0,
        1.0 / 30240.0,
        -1.0 / 1_209_600.0,
        1.0 / 47_900_160.0,
        -691.0 / 1_307_674_368_000.0,
        1.0 / 74_724_249_600.0,
        -3617.0 / 10_670_622_842_880_000.0,
    ];
    let (mut factor, mut power) = (s, last / a);
    for (k, c) in SERIES.iter().enumerate() {
        sum += c * factor * power;
        let k = 2.0 * k as f64;
        factor *= (s + k + 1.0) * (s + k + 2.0);
        power /= a * a;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-14 * b.abs(), "{a} {b}");
        near(digamma(1.0), -0.577_215_664_901_532_9);
        near(polygamma(1.0, 1.0), 1.644_934_067_638_337_5);
        near(polygamma(1.0, -0.5), 8.934_802_200_117_687);
        near(polygamma(3.0, 1.0), PI.powi(4) / 15.0);
        near(libm::erf(erfinv(0.9)), 0.9);
    }
}
