//! Rows: Bessel functions of imaginary argument, and the functions of the normal distribution.

use super::gamma;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, PI, SQRT_2};
imports!();

/// `exp(−|x|) Iₙ(x)` for n of 0 or 1: the power series, all of whose terms have one sign, and far out the
/// asymptotic one (Abramowitz and Stegun 9.6.10 and 9.7.1).
fn scaled_bessel(n: f64, x: f64) -> f64 {
    let size = x.abs();
    let sign = if n == 1.0 && x < 0.0 { -1.0 } else { 1.0 };
    if size.is_infinite() {
        return sign * 0.0;
    }
    if size <= 30.0 {
        let quarter = size * size / 4.0;
        let mut term = if n == 1.0 { size / 2.0 } else { 1.0 };
        let mut sum = term;
        for k in 1..200 {
            let k = f64::from(k);
            term *= quarter / (k * (k + n));
            sum += term;
            if term <= sum * 1e-17 {
                break;
            }
        }
        return sign * sum * (-size).exp();
    }
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..40 {
        let odd = f64::from(2 * k - 1);
        term *= (odd * odd - 4.0 * n * n) / (f64::from(k) * 8.0 * size);
        sum += term;
        if term.abs() <= 1e-17 {
            break;
        }
    }
    let around = 2.0 * PI * size;
    sign * sum / if around.is_finite() { around.sqrt() } else { (2.0 * PI).sqrt() * size.sqrt() }
}

/// Iₙ; at infinity NaN, as PyTorch's `inf · 0` gives it.
fn bessel(n: f64, x: f64) -> f64 {
    x.abs().exp() * scaled_bessel(n, x)
}

/// `exp(x²) erfc(x)`; far out its continued fraction's first terms.
fn erfcx(x: f64) -> f64 {
    if x < -26.0 {
        return f64::INFINITY;
    }
    if x < 12.0 {
        // The square in two parts, so that its rounding is not blown up.
        let high = (x * 128.0).round() / 128.0;
        let low = (x - high) * (x + high);
        return (high * high).exp() * low.exp() * libm::erfc(x);
    }
    if x > 5e7 {
        return FRAC_2_SQRT_PI / 2.0 / x;
    }
    let z = 0.5 / (x * x);
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..20 {
        term *= -f64::from(2 * k - 1) * z;
        sum += term;
        if term.abs() < 1e-17 {
            break;
        }
    }
    sum / (x * PI.sqrt())
}

fn log_ndtr(x: f64) -> f64 {
    if x < -1.0 {
        // Rounded as PyTorch rounds it: far out the slope shows the last bits.
        let t = x * FRAC_1_SQRT_2;
        (erfcx(-t) / 2.0).ln() - t * t
    } else {
        (-libm::erfc(x * FRAC_1_SQRT_2) / 2.0).ln_1p()
    }
}

/// The quantile of the normal distribution, by Newton steps on the tail's logarithm.
fn ndtri(p: f64) -> f64 {
    if p == 0.0 || p == 1.0 {
        return f64::INFINITY.copysign(p - 0.5);
    }
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if (0.02..=0.98).contains(&p) {
        return SQRT_2 * gamma::erfinv(2.0 * p - 1.0);
    }
    let (tail, sign) = if p < 0.5 { (p, -1.0) } else { (1.0 - p, 1.0) };
    let wanted = tail.ln();
    let mut x = -(-2.0 * wanted - (-2.0 * wanted * 2.0 * PI).ln().max(0.0)).sqrt();
    for _ in 0..20 {
        let slope = (2.0 / PI).sqrt() / erfcx(-x * FRAC_1_SQRT_2);
        let step = (log_ndtr(x) - wanted) / slope;
        x -= step;
        if step.abs() <= 1e-16 * x.abs() {
            break;
        }
    }
    -sign * x
}

/// x, but 1 where it is 0: the branch not taken stays finite there, and so do its slopes.
fn nonzero<A: Algebra>(x: &Formula<A>) -> Formula<A> {
    x.equals(0.0).choose(1.0, x)
}

/// The neighbour of `a` on the side of `b` among the floats of so many binary digits, shorter than f64.
fn next(a: f64, b: f64, digits: f64) -> f64 {
    let least = if digits == 11.0 { -14 } else { -126 };
    let unit = |exponent: i32| f64::from(exponent + 1 - digits as i32).exp2();
    let most = (2.0 - unit(0)) * f64::from(1 - least).exp2();
    if a.is_nan() || b.is_nan() || a == b {
        return if a.is_nan() { a } else { b };
    }
    if a == 0.0 {
        return unit(least).copysign(b);
    }
    if a.is_infinite() {
        return most.copysign(a);
    }
    let exponent = ((a.abs().to_bits() >> 52) as i32 - 1023).max(least);
    let (away, power) = ((b > a) == (a > 0.0), f64::from(exponent).exp2());
    let step = match away {
        true => unit(exponent),
        false if a.abs() == power && exponent > least => -unit(exponent) / 2.0,
        false => -unit(exponent),
    };
    let size = a.abs() + step;
    if size > most { f64::INFINITY } else { size }.copysign(a)
}

rows! {
    /// Modified Bessel function of order 0.
    I0 I0_OF i0(x) = y {
        value: bessel(0.0, x),
        partials: [Formula::call(&I1_OF, &[x])],
        saves: Saves::Inputs(0b1),
        domain: [(-3.0, 3.0)],
        formula: "I₀(x)",
        example: "torch.special.i0(tensor([0.0, 1.0]))",
        called: SPECIAL,
        see: ["i1"],
        jax: "i0({input})",
    }
    /// Modified Bessel function of order 1.
    I1 I1_OF i1(x) = y {
        value: bessel(1.0, x),
        partials: [x.equals(0.0).choose(0.5, Formula::call(&I0_OF, &[x]) - y / nonzero(x))],
        saves: Saves::InputsAndOutput(0b1),
        grad_fn: "SpecialI1Backward0",
        domain: [(0.2, 3.0)],
        formula: "I₁(x)",
        example: "torch.special.i1(tensor([0.0, 1.0]))",
        called: SPECIAL_ONLY,
        see: ["i0"],
        jax: "-",
    }
    /// `exp(−|x|) I₀(x)`.
    I0e I0E_OF i0e(x) = y {
        value: scaled_bessel(0.0, x),
        partials: [Formula::call(&I1E_OF, &[x]) - x.sign() * y],
        saves: Saves::InputsAndOutput(0b1),
        grad_fn: "SpecialI0EBackward0",
        domain: [(0.2, 3.0)],
        formula: "exp(−|x|) I₀(x)",
        example: "torch.special.i0e(tensor([0.0, 1.0]))",
        called: SPECIAL_ONLY,
        see: ["i0"],
        jax: "jax.scipy.special.i0e({input})",
    }
    /// `exp(−|x|) I₁(x)`.
    I1e I1E_OF i1e(x) = y {
        value: scaled_bessel(1.0, x),
        partials: [x.equals(0.0).choose(0.5, Formula::call(&I0E_OF, &[x]) - y * (x.sign() + 1.0 / nonzero(x)))],
        saves: Saves::InputsAndOutput(0b1),
        grad_fn: "SpecialI1EBackward0",
        domain: [(0.2, 3.0)],
        formula: "exp(−|x|) I₁(x)",
        example: "torch.special.i1e(tensor([0.0, 1.0]))",
        called: SPECIAL_ONLY,
        see: ["i1"],
        jax: "jax.scipy.special.i1e({input})",
    }
    /// `exp(x²) erfc(x)`.
    Erfcx ERFCX erfcx(x) = y {
        value: erfcx(x),
        partials: [2.0 * x * y - 2.0 / PI.sqrt()],
        saves: Saves::InputsAndOutput(0b1),
        grad_fn: "SpecialErfcxBackward0",
        domain: [(-2.0, 3.0)],
        formula: "exp(x²) erfc(x)",
        example: "torch.special.erfcx(tensor([0.0, 1.0]))",
        called: SPECIAL_ONLY,
        see: ["erfc"],
        jax: "-",
    }
    /// Distribution function of the standard normal.
    Ndtr NDTR ndtr(x) = y {
        value: libm::erfc(-x * FRAC_1_SQRT_2) / 2.0,
        partials: [(-0.5 * x.square()).exp() * (1.0 / (2.0 * PI).sqrt())],
        saves: Saves::Inputs(0b1),
        grad_fn: "MulBackward1",
        domain: [(-2.0, 2.0)],
        formula: "Φ(x) = ½ erfc(−x/√2)",
        example: "torch.special.ndtr(tensor([0.0, 1.0]))",
        called: SPECIAL_ONLY,
        see: ["log_ndtr", "ndtri", "erf"],
        jax: "jax.scipy.special.ndtr({input})",
    }
    /// Its logarithm.
    LogNdtr LOG_NDTR log_ndtr(x) = y {
        value: log_ndtr(x),
        partials: [(-(y + x.square() / 2.0)).exp() * (1.0 / (2.0 * PI).sqrt())],
        saves: Saves::InputsAndOutput(0b1),
        grad_fn: "SpecialLogNdtrBackward0",
        domain: [(-3.0, 2.0)],
        formula: "log Φ(x)",
        example: "torch.special.log_ndtr(tensor([0.0, 1.0]))",
        called: SPECIAL_ONLY,
        see: ["ndtr"],
        jax: "jax.scipy.special.log_ndtr({input})",
    }
    /// Its inverse.
    Ndtri NDTRI ndtri(x) = y {
        value: ndtri(x),
        partials: [(2.0 * PI).sqrt() * (0.5 * y.square()).exp()],
        saves: Saves::Output,
        grad_fn: "SpecialNdtriBackward0",
        domain: [(0.1, 0.9)],
        undefined: !(0.0..=1.0).contains(&x) => "ndtri of a number outside 0 to 1",
        formula: "Φ⁻¹(x)",
        example: "torch.special.ndtri(tensor([0.5, 0.9]))",
        called: SPECIAL_ONLY,
        see: ["ndtr"],
        jax: "jax.scipy.special.ndtri({input})",
    }
    /// A step whose value at 0 is given.
    Heaviside HEAVISIDE heaviside(x, values) = y {
        value: if x == 0.0 { values } else { f64::from(u8::from(x > 0.0)) },
        partials: [0.0, 0.0],
        saves: Saves::Nothing,
        grad_fn: "NotImplemented",
        underived: u8::MAX,
        in_place: ("NotImplemented", "heaviside_", u8::MAX),
        result: Same,
        whole: if x == 0 { values } else { i64::from(x > 0) },
        domain: [(0.1, 3.0), (0.1, 3.0)],
        formula: "0 where x < 0, values where x = 0, 1 where x > 0",
        example: "torch.heaviside(tensor([-1.0, 0.0]), tensor([0.5, 0.5]))",
    }
    /// The neighbouring number of b's side.
    Nextafter NEXTAFTER nextafter(a, b; digits = 53.0) = y {
        value: if digits == 53.0 { libm::nextafter(a, b) } else { next(a, b, digits) },
        partials: [1.0 - Formula::call(&super::EQUAL, &[a, b]), 0.0],
        saves: Saves::Inputs(0b11),
        blocks: |wrt, x, _| wrt == 1 || x[0] == x[1],
        masks: true,
        domain: [(1.1, 1.9), (2.1, 3.0)],
        formula: "the next floating-point number after a, towards b",
        example: "torch.nextafter(tensor([1.0]), tensor([2.0]))",
        second: ["WhereBackward0"],
    }
    /// Hurwitz zeta function; PyTorch has no derivative of it with respect to s.
    Zeta ZETA zeta(s, q) = y {
        value: gamma::hurwitz(s, q),
        partials: [0.0, -(s * Formula::call(&ZETA, &[&(s + 1.0), q]))],
        saves: Saves::Inputs(0b11),
        grad_fn: "SpecialZetaBackward0",
        underived: 0b01,
        numbers: ["SpecialZetaBackward1", "SpecialZetaBackward2"],
        domain: [(1.5, 3.0), (1.1, 3.0)],
        undefined: s < 1.0 || q < 0.0 && q.fract() != 0.0 && s.fract() != 0.0 => "zeta of s below 1, or of q below 0 where s is not whole",
        formula: "Σ 1/(q + k)ˢ",
        example: "torch.special.zeta(2, tensor([1.0, 3.0]))",
        called: SPECIAL_ONLY,
        signature: BINARY,
        see: ["polygamma"],
        jax: "jax.scipy.special.zeta({input}, {other})",
    }
}
