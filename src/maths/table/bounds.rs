//! Rows: bounds that are tensors, comparisons that pass over NaN, and signs taken from elsewhere.

imports!();

/// 1 for NaN, else 0.
fn missing<A: Algebra>(x: &Formula<A>) -> Formula<A> {
    1.0 - x.equals(x)
}

/// The slope of the larger of `a` and `b` with respect to `a`, half at a tie; NaN never wins.
fn larger<A: Algebra>(a: &Formula<A>, b: &Formula<A>, a_wins: Formula<A>) -> Formula<A> {
    let known = a.equals(b).choose(0.5, a_wins);
    missing(b).choose(1.0, missing(a).choose(0.0, known))
}

/// As [`larger`], with respect to `b`.
fn other<A: Algebra>(a: &Formula<A>, b: &Formula<A>, b_wins: Formula<A>) -> Formula<A> {
    let known = a.equals(b).choose(0.5, b_wins);
    missing(b).choose(0.0, missing(a).choose(1.0, known))
}

/// `min(max(x, low), high)`; NaN if any is.
fn clamp(x: f64, low: f64, high: f64) -> f64 {
    if x.is_nan() || low.is_nan() || high.is_nan() { f64::NAN } else { x.max(low).min(high) }
}

/// The slopes of a clamp with respect to x and both bounds. At a bound x and the bound share; bounds
/// that are equal leave x its slope; if they are the wrong way round the upper one has all.
fn clamp_slope<A: Algebra>(
    wrt: usize,
    x: &Formula<A>,
    low: &Formula<A>,
    high: &Formula<A>,
) -> Formula<A> {
    let (below, above, crossed) = ((low - x).step(), (x - high).step(), (low - high).step());
    let ordered = (high - low).step();
    let (at_low, at_high, same) = (x.equals(low), x.equals(high), low.equals(high));
    let at_bound = |at: Formula<A>, beyond: Formula<A>| at.choose(same.choose(0.0, 0.5), beyond);
    match wrt {
        0 => {
            let shared = at_low.choose(0.5, at_high.choose(0.5, 1.0));
            below.choose(0.0, above.choose(0.0, same.choose(1.0, shared)))
        }
        1 => same.choose(below.choose(1.0, 0.0), ordered.choose(at_low.choose(0.5, below), 0.0)),
        _ => crossed.choose(1.0, at_bound(at_high, above)),
    }
}

/// The slope with respect to `x` of the larger (or smaller) of `x` and `bound`: half at a tie, both at NaN.
fn bounded<A: Algebra>(x: &Formula<A>, bound: &Formula<A>, larger: bool) -> Formula<A> {
    let ahead = if larger { x - bound } else { bound - x };
    x.equals(bound).choose(0.5, ahead.pass())
}

/// 1 where finite, else 0; in symbols everything is.
fn finite<A: Algebra>(x: &Formula<A>) -> Formula<A> {
    let itself = x.clone();
    (x - &itself).equals(0.0)
}

/// Rounded to so many decimals, halves to the even one.
fn round_to(x: f64, decimals: f64) -> f64 {
    if decimals == 0.0 {
        x.round_ties_even()
    } else if decimals > 0.0 {
        let ten = 10f64.powi(decimals as i32);
        (x * ten).round_ties_even() / ten
    } else {
        let ten = 10f64.powi(-decimals as i32);
        (x / ten).round_ties_even() * ten
    }
}

rows! {
    /// The larger of two, passing over NaN; at a tie both get half.
    Fmax FMAX fmax(a, b) = y {
        value: a.max(b),
        partials: [larger(a, b, (a - b).step()), other(a, b, (b - a).step())],
        saves: Saves::Inputs(0b11),
        chooses: true,
        masks: true,
        result: Same,
        whole: a.max(b),
        domain: [(-3.0, 0.5), (0.6, 3.0)],
        kinks: a == b => (0.0, 1.0),
        formula: "max(a, b), ignoring NaN",
        example: "fmax([1, 5], [3, 2])",
        called: OUT_OF_PLACE,
        see: ["maximum"],
        jax: "fmax({input}, {other})",
        second: ["MaskedFillBackward0"],
    }
    /// The smaller of two, passing over NaN; at a tie both get half.
    Fmin FMIN fmin(a, b) = y {
        value: a.min(b),
        partials: [larger(a, b, (b - a).step()), other(a, b, (a - b).step())],
        saves: Saves::Inputs(0b11),
        chooses: true,
        masks: true,
        result: Same,
        whole: a.min(b),
        domain: [(-3.0, 0.5), (0.6, 3.0)],
        kinks: a == b => (1.0, 0.0),
        formula: "min(a, b), ignoring NaN",
        example: "fmin([1, 5], [3, 2])",
        called: OUT_OF_PLACE,
        see: ["minimum"],
        jax: "fmin({input}, {other})",
        second: ["MaskedFillBackward0"],
    }
    /// Kept between two tensors.
    ClampBetween CLAMP_BETWEEN clamp(x, min, max) = y {
        value: clamp(x, min, max),
        partials: [
            clamp_slope(0, x, min, max),
            clamp_slope(1, x, min, max),
            clamp_slope(2, x, min, max),
        ],
        saves: Saves::Inputs(0b111),
        grad_fn: "ClampBackward0",
        chooses: true,
        masks: true,
        result: Same,
        whole: x.max(min).min(max),
        domain: [(-3.0, 3.0), (-1.1, -0.9), (0.9, 1.1)],
        kinks: x == min || x == max => match min < max {
            true if x == min => (0.0, 1.0),
            true => (1.0, 0.0),
            false => (0.0, 0.0),
        },
        example: "clamp([1, 5], [2, 2], [3, 3])",
        second: ["MaskedFillBackward0"],
    }
    /// Not less than a tensor, by `clamp`.
    ClampAbove CLAMP_ABOVE clamp_min(x, min) = y {
        value: clamp(x, min, f64::INFINITY),
        partials: [bounded(x, min, true), bounded(min, x, true)],
        saves: Saves::Inputs(0b11),
        grad_fn: "ClampBackward0",
        chooses: true,
        masks: true,
        result: Same,
        whole: x.max(min),
        domain: [(-3.0, 3.0), (-0.1, 0.1)],
        kinks: x == min => (0.0, 1.0),
        example: "clamp([1, 5], min=[3, 2])",
        second: ["MaskedFillBackward0"],
    }
    /// Not more than a tensor, by `clamp`.
    ClampBelow CLAMP_BELOW clamp_max(x, max) = y {
        value: clamp(x, f64::NEG_INFINITY, max),
        partials: [bounded(x, max, false), bounded(max, x, false)],
        saves: Saves::Inputs(0b11),
        grad_fn: "ClampBackward0",
        chooses: true,
        masks: true,
        result: Same,
        whole: x.min(max),
        domain: [(-3.0, 3.0), (-0.1, 0.1)],
        kinks: x == max => (1.0, 0.0),
        example: "clamp([1, 5], max=[3, 2])",
        second: ["MaskedFillBackward0"],
    }
    /// Not less than a tensor.
    ClampMin CLAMP_MIN clamp_min(x, min) = y {
        value: clamp(x, min, f64::INFINITY),
        partials: [bounded(x, min, true), bounded(min, x, true)],
        saves: Saves::Inputs(0b11),
        grad_fn: "ClampMinBackward1",
        chooses: true,
        masks: true,
        result: Same,
        whole: x.max(min),
        domain: [(-3.0, 3.0), (-0.1, 0.1)],
        kinks: x == min => (0.0, 1.0),
        example: "clamp_min([1, 5], [3, 2])",
        second: ["MaskedFillBackward0"],
    }
    /// Not more than a tensor.
    ClampMax CLAMP_MAX clamp_max(x, max) = y {
        value: clamp(x, f64::NEG_INFINITY, max),
        partials: [bounded(x, max, false), bounded(max, x, false)],
        saves: Saves::Inputs(0b11),
        grad_fn: "ClampMaxBackward1",
        chooses: true,
        masks: true,
        result: Same,
        whole: x.min(max),
        domain: [(-3.0, 3.0), (-0.1, 0.1)],
        kinks: x == max => (1.0, 0.0),
        example: "clamp_max([1, 5], [3, 2])",
        second: ["MaskedFillBackward0"],
    }
    /// Not less than a number.
    ClampMinBy CLAMP_MIN_BY clamp_min(x; min = 0.0) = y {
        value: clamp(x, min, f64::INFINITY),
        partials: [(x - min).step()],
        saves: Saves::Inputs(0b1),
        grad_fn: "ClampMinBackward0",
        chooses: true,
        masks: true,
        result: Same,
        whole: x.max(min),
        domain: [(-3.0, 3.0)],
        kinks: x == min => (0.0, 1.0),
        example: "clamp_min([1, 5], 3)",
        second: ["WhereBackward0"],
    }
    /// Not more than a number.
    ClampMaxBy CLAMP_MAX_BY clamp_max(x; max = 0.0) = y {
        value: clamp(x, f64::NEG_INFINITY, max),
        partials: [(max - x).step()],
        saves: Saves::Inputs(0b1),
        grad_fn: "ClampMaxBackward0",
        chooses: true,
        masks: true,
        result: Same,
        whole: x.min(max),
        domain: [(-3.0, 3.0)],
        kinks: x == max => (1.0, 0.0),
        example: "clamp_max([1, 5], 3)",
        second: ["WhereBackward0"],
    }
    /// The size of `a` with the sign of `b`.
    Copysign COPYSIGN copysign(a, b) = y {
        value: a.copysign(b),
        partials: [a.equals(0.0).choose(0.0, y / a), 0.0],
        saves: Saves::InputsAndOutput(0b1),
        domain: [(0.2, 3.0), (-3.0, -0.2)],
        formula: "±|a|, the sign of b",
        example: "copysign([1, 5], [-3, 2])",
    }
    /// The size of `a` with the sign of a number.
    CopysignBy COPYSIGN_BY copysign(a; other = 1.0) = y {
        value: a.copysign(other),
        partials: [a.equals(0.0).choose(0.0, y / a)],
        saves: Saves::InputsAndOutput(0b1),
        grad_fn: "CopysignBackward1",
        domain: [(0.2, 3.0)],
        formula: "±|a|, the sign of b",
        example: "copysign([1, 5], -1)",
    }
    /// The sign of a number, or a complex number's direction.
    Sgn SGN sgn(x) = y {
        value: f64::from(u8::from(x > 0.0)) - f64::from(u8::from(x < 0.0)),
        partials: [0.0],
        saves: Saves::Output,
        result: Same,
        domain: [(0.2, 3.0)],
        formula: "sign(x)",
        example: "sgn([-2, 0, 3])",
        called: POINTWISE,
        see: ["sign"],
        jax: "jnp.sign({input})",
    }
    /// Numbers in place of NaN and infinities.
    NanToNum NAN_TO_NUM nan_to_num(x; nan = 0.0, posinf = f64::MAX, neginf = f64::MIN) = y {
        value: if x.is_nan() { nan } else if x == f64::INFINITY { posinf } else if x == f64::NEG_INFINITY { neginf } else { x },
        partials: [finite(x)],
        saves: Saves::Inputs(0b1),
        masks: true,
        result: Same,
        domain: [(-3.0, 3.0)],
        formula: "x where finite",
        example: "nan_to_num(tensor([1.0, float('nan')]))",
    }
    /// Rounded to so many decimals.
    RoundTo ROUND_TO round(x; decimals = 0.0) = y {
        value: round_to(x, decimals),
        partials: [0.0],
        saves: Saves::Nothing,
        grad_fn: "RoundBackward1",
        result: Same,
        domain: [(1.1, 1.4)],
        example: "torch.round(tensor([1.25, 2.375]), decimals=1)",
    }
}
