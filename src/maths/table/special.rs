//! Rows: special functions.

use super::gamma;
use std::f64::consts::{LOG2_E, PI};
imports!();

/// 1 where `x ≤ bound`, else 0, also for NaN.
fn at_most<A: Algebra>(x: &Formula<A>, bound: f64) -> Formula<A> {
    1.0 - (x - bound).pass()
}

/// ∂/∂x of `x log(b)` (or of `x log(1 + b)`): 0 where x is and the logarithm does not exist.
fn logarithm_beside<A: Algebra>(x: &Formula<A>, b: &Formula<A>, bound: f64) -> Formula<A> {
    let log = match bound {
        0.0 => b.log(),
        _ => Formula::call(&super::LOG1P, &[b]),
    };
    (x.equals(0.0) * at_most(b, bound)).choose(0.0, log)
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) }
}

fn xlogy(a: f64, log: f64, b: f64) -> f64 {
    if b.is_nan() {
        b
    } else if a == 0.0 {
        0.0
    } else {
        a * log
    }
}

/// The log of a sum of powers, of which the smaller is so many times the larger; `per` brings natural
/// logarithms to the base.
fn logaddexp(a: f64, b: f64, smaller: f64, per: f64) -> f64 {
    if a.is_infinite() && a == b {
        return a;
    }
    let larger = if a >= b || a.is_nan() { a } else { b };
    smaller.ln_1p().mul_add(per, larger)
}

rows! {
    /// `1 − erf(x)`, exact for large x.
    Erfc ERFC erfc(x) = y {
        value: libm::erfc(x),
        partials: [-2.0 / PI.sqrt() * (-x.square()).exp()],
        saves: Saves::Inputs(0b1),
        domain: [(-2.0, 2.0)],
        formula: "1 − erf(x)",
        example: "erfc([0, 1])",
        called: SPECIAL,
        see: ["erf"],
        jax: "jax.scipy.special.erfc({input})",
    }
    /// Inverse of erf.
    Erfinv ERFINV erfinv(x) = y {
        value: gamma::erfinv(x),
        partials: [0.5 * PI.sqrt() * y.square().exp()],
        saves: Saves::Inputs(0b1),
        domain: [(-0.9, 0.9)],
        undefined: x.abs() > 1.0 => "erfinv of a number outside -1 to 1",
        example: "erfinv([0, 0.5])",
        called: SPECIAL,
        see: ["erf"],
        jax: "jax.scipy.special.erfinv({input})",
    }
    /// `sin(πx)/(πx)`, 1 at 0.
    Sinc SINC sinc(x) = y {
        value: sinc(x),
        partials: [(x.square() * PI).equals(0.0).choose(0.0, (PI * x * (PI * x).cos() - (PI * x).sin()) / (x.square() * PI))],
        saves: Saves::Inputs(0b1),
        chooses: true,
        single: {
            let turned = PI as f32 * x;
            if x == 0.0 { 1.0 } else { f64::from(turned).sin() as f32 / turned }
        },
        domain: [(0.2, 3.0)],
        formula: "sin(πx)/(πx)",
        example: "sinc([0, 0.5])",
        called: NUMPY.and(Forms::SPECIAL),
        see: ["sin"],
        second: ["WhereBackward0"],
    }
    /// Inverse of sigmoid; with `eps`, x is first kept in [eps, 1 − eps].
    Logit LOGIT logit(x; eps = -1.0) = y {
        value: {
            let least = x.max(eps);
            let z = match eps < 0.0 || x.is_nan() {
                true => x,
                false if least == x => x.min(1.0 - eps),
                false => least,
            };
            (z / (1.0 - z)).ln()
        },
        partials: |v| [logit_slope(x, eps, v)],
        saves: Saves::Inputs(0b1),
        chooses: true,
        steps: Single,
        domain: [(0.2, 0.8)],
        undefined: eps < 0.0 && !(0.0..=1.0).contains(&x) => "logit of a number outside 0 to 1",
        formula: "log(x/(1 − x))",
        example: "logit([0.2, 0.5])",
        called: SPECIAL,
        signature: "(Tensor input, float eps=None)",
        see: ["sigmoid"],
        jax: "jax.scipy.special.logit({input})",
        second: ["WhereBackward0"],
    }
    /// `a log(b)`, 0 where a is.
    Xlogy XLOGY xlogy(a, b) = y {
        value: xlogy(a, b.ln(), b),
        partials: [logarithm_beside(a, b, 0.0), a / b],
        saves: Saves::Inputs(0b11),
        // PyTorch takes xlogy of the cotangent.
        blocks: |wrt, x, v| wrt == 0 && ((v == 0.0 && !x[1].is_nan()) || (x[0] == 0.0 && x[1] <= 0.0)),
        numbers: ["XlogyBackward1", "XlogyBackward2"],
        single: xlogy(f64::from(a), f64::from(f64::from(b).ln() as f32), f64::from(b)) as f32,
        rounded: |d, _alone| xlogy(a, d.cast(b.ln()), b),
        domain: [(0.2, 3.0), (0.3, 3.0)],
        undefined: a != 0.0 && b < 0.0 => "xlogy of a negative number",
        formula: "a log(b)",
        example: "xlogy([0, 2], [0, 3])",
        called: SPECIAL,
        signature: BINARY,
        see: ["log", "entr"],
        jax: "jax.scipy.special.xlogy({input}, {other})",
        second: ["MaskedFillBackward0", "DivBackward0"],
    }
    /// `a log(1 + b)`, 0 where a is.
    Xlog1py XLOG1PY xlog1py(a, b) = y {
        value: xlogy(a, b.ln_1p(), b),
        partials: [logarithm_beside(a, b, -1.0), a / (b + 1.0)],
        saves: Saves::Inputs(0b11),
        grad_fn: "SpecialXlog1PyBackward0",
        blocks: |wrt, x, v| wrt == 0 && ((v == 0.0 && !x[1].is_nan()) || (x[0] == 0.0 && x[1] <= -1.0)),
        numbers: ["SpecialXlog1PyBackward1", "SpecialXlog1PyBackward2"],
        single: xlogy(f64::from(a), f64::from(f64::from(b).ln_1p() as f32), f64::from(b)) as f32,
        rounded: |d, _alone| xlogy(a, d.cast(b.ln_1p()), b),
        domain: [(0.2, 3.0), (-0.5, 3.0)],
        undefined: a != 0.0 && b < -1.0 => "xlog1py of a number below -1",
        formula: "a log(1 + b)",
        example: "xlog1py([0, 2], [0, 3])",
        called: SPECIAL_ONLY,
        signature: BINARY,
        see: ["xlogy", "log1p"],
        second: ["MaskedFillBackward0", "DivBackward0"],
    }
    /// A term of the entropy, `−x log(x)`.
    Entr ENTR entr(x) = y {
        value: if x.is_nan() { x } else if x > 0.0 { -x * x.ln() } else if x == 0.0 { 0.0 } else { f64::NEG_INFINITY },
        partials: [-x.log() - 1.0],
        saves: Saves::Inputs(0b1),
        grad_fn: "SpecialEntrBackward0",
        single: if x > 0.0 { -x * f64::from(x).ln() as f32 } else if x == 0.0 || x.is_nan() { x } else { f32::NEG_INFINITY },
        domain: [(0.2, 3.0)],
        formula: "−x log(x)",
        example: "entr([0, 0.5])",
        called: SPECIAL_ONLY,
        see: ["xlogy"],
        jax: "jax.scipy.special.entr({input})",
    }
    /// `log(eᵃ + eᵇ)`, without overflow.
    Logaddexp LOGADDEXP logaddexp(a, b) = y {
        value: logaddexp(a, b, (-(a - b).abs()).exp(), 1.0),
        partials: |v| [v / (1.0 + (b - a).exp()), v / (1.0 + (a - b).exp())],
        saves: Saves::Inputs(0b11),
        domain: [(-2.0, 2.0), (-2.0, 2.0)],
        formula: "log(eᵃ + eᵇ)",
        example: "logaddexp([1, 2], [3, 0])",
        called: OUT_OF_PLACE,
        see: ["logsumexp"],
    }
    /// `log2(2ᵃ + 2ᵇ)`, without overflow.
    Logaddexp2 LOGADDEXP2 logaddexp2(a, b) = y {
        value: logaddexp(a, b, (-(a - b).abs()).exp2(), LOG2_E),
        partials: [
            1.0 / (1.0 + Formula::call(&super::EXP2, &[&(b - a)])),
            1.0 / (1.0 + Formula::call(&super::EXP2, &[&(a - b)])),
        ],
        saves: Saves::Inputs(0b11),
        single: {
            let log = f64::from((-f64::from((a - b).abs())).exp2() as f32).ln_1p() as f32;
            if a.is_infinite() && a == b { a } else { log.mul_add(LOG2_E as f32, if a >= b || a.is_nan() { a } else { b }) }
        },
        domain: [(-2.0, 2.0), (-2.0, 2.0)],
        formula: "log2(2ᵃ + 2ᵇ)",
        example: "logaddexp2([1, 2], [3, 0])",
        called: OUT_OF_PLACE,
        see: ["logaddexp"],
    }
    /// Logarithm of the gamma function.
    Lgamma LGAMMA lgamma(x) = y {
        value: libm::lgamma(x),
        partials: [Formula::call(&DIGAMMA, &[x])],
        saves: Saves::Inputs(0b1),
        domain: [(0.3, 4.0)],
        formula: "log Γ(x)",
        example: "lgamma([1, 4])",
        called: SPECIAL,
        aliases: ["gammaln"],
        see: ["digamma"],
        jax: "jax.scipy.special.gammaln({input})",
        latex: r"\log\Gamma",
    }
    /// Derivative of lgamma.
    Digamma DIGAMMA digamma(x) = y {
        value: gamma::digamma(x),
        partials: [Formula::call(&POLYGAMMA, &[x, &1.0.into()])],
        saves: Saves::Inputs(0b1),
        domain: [(0.3, 4.0)],
        undefined: x < 0.0 && x.fract() == 0.0 => "digamma of a negative whole number",
        formula: "Γ′(x)/Γ(x)",
        example: "digamma([1, 4])",
        called: SPECIAL,
        aliases: ["psi"],
        see: ["lgamma", "polygamma"],
        jax: "digamma({input})",
        latex: r"\psi",
    }
    /// The lower incomplete gamma function, divided by Γ(a).
    Igamma IGAMMA igamma(a, x) = y {
        value: gamma::incomplete(a, x, false),
        partials: [0.0, igamma_slope(a, x)],
        saves: Saves::Inputs(0b11),
        underived: 0b01,
        domain: [(0.5, 4.0), (0.3, 4.0)],
        undefined: a < 0.0 || x < 0.0 || a == 0.0 && x == 0.0 => "igamma of a number below 0, or of 0 and 0",
        formula: "∫₀ˣ tᵃ⁻¹e⁻ᵗ dt / Γ(a)",
        example: "torch.igamma(tensor([1.0, 2.0]), tensor([0.5, 3.0]))",
        called: SPECIAL.without(Forms::SHORT),
        aliases: ["gammainc"],
        see: ["igammac", "lgamma"],
        jax: "jax.scipy.special.gammainc({input}, {other})",
    }
    /// The upper one, which is the rest to 1.
    Igammac IGAMMAC igammac(a, x) = y {
        value: gamma::incomplete(a, x, true),
        partials: [0.0, -igamma_slope(a, x)],
        saves: Saves::Inputs(0b11),
        underived: 0b01,
        domain: [(0.5, 4.0), (0.3, 4.0)],
        undefined: a < 0.0 || x < 0.0 || a == 0.0 && x == 0.0 => "igammac of a number below 0, or of 0 and 0",
        formula: "∫ₓ^∞ tᵃ⁻¹e⁻ᵗ dt / Γ(a)",
        example: "torch.igammac(tensor([1.0, 2.0]), tensor([0.5, 3.0]))",
        called: SPECIAL.without(Forms::SHORT),
        aliases: ["gammaincc"],
        see: ["igamma", "lgamma"],
        jax: "jax.scipy.special.gammaincc({input}, {other})",
    }
    /// The n-th derivative of digamma.
    Polygamma POLYGAMMA polygamma(x; n = 1.0) = y {
        value: gamma::polygamma(n, x),
        partials: [Formula::call(&POLYGAMMA, &[x, &(n + 1.0).into()])],
        saves: Saves::Inputs(0b1),
        single: gamma::polygamma_single(n, x),
        domain: [(0.4, 4.0)],
        form: Form::Swapped,
        formula: "ψ⁽ⁿ⁾(x)",
        example: "polygamma(1, [1, 4])",
    }
}

/// xᵃ⁻¹e⁻ˣ / Γ(a)
fn igamma_slope<A: Algebra>(a: &Formula<A>, x: &Formula<A>) -> Formula<A> {
    ((a - 1.0) * x.log() - x - Formula::call(&LGAMMA, &[a])).exp()
}

/// Outside of where logit exists its slope is NaN; where x was kept in bounds, 0.
fn logit_slope<A: Algebra>(x: &Formula<A>, eps: f64, v: &Formula<A>) -> Formula<A> {
    let slope = v / (x * (1.0 - x));
    let slope = match v {
        Formula::Const(_) => slope.unless(&x.equals(0.0), f64::INFINITY),
        Formula::In(_) => x.equals(0.0).choose(v * f64::INFINITY, slope),
    };
    let (low, outside) = if eps < 0.0 { (0.0, f64::NAN) } else { (eps, 0.0) };
    let inside = at_most(&(low - x), 0.0) * at_most(x, 1.0 - low);
    inside.choose(slope, outside)
}
