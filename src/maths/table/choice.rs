//! Rows: signs, roundings, comparisons and choices by value.

imports!();

rows! {
    /// Absolute value.
    Abs ABS abs(x) = y {
        value: x.abs(),
        partials: [x.sign()],
        saves: Saves::Inputs(0b1),
        result: Same,
        whole: x.wrapping_abs(),
        domain: [(-3.0, 3.0)],
        kinks: x == 0.0 => (-1.0, 1.0),
        form: Form::Abs,
        example: "abs([-1, 2])",
        called: NUMPY,
        aliases: ["absolute"],
        see: ["sign"],
        jax: "absolute({input})",
    }
    /// 0 of what is not negative, else π: the angle of a real number in the complex plane.
    Angle ANGLE angle(x) = y {
        value: if x.is_nan() { x } else if x < 0.0 { std::f64::consts::PI } else { 0.0 },
        partials: [0.0],
        saves: Saves::Inputs(0b1),
        domain: [(0.2, 3.0)],
        formula: "0 for x ≥ 0, else π",
        example: "torch.angle(tensor([1.0, -2.0]))",
        called: Forms::TORCH.and(Forms::METHOD),
        see: ["sign", "abs"],
        jax: "jax.lax.stop_gradient(jnp.angle({input}))",
    }
    /// −1, 0 or 1.
    Sign SIGN sign(x) = y {
        value: f64::from(u8::from(x > 0.0)) - f64::from(u8::from(x < 0.0)),
        partials: [0.0],
        saves: Saves::Nothing,
        result: Same,
        whole: x.signum(),
        domain: [(0.2, 3.0)],
        example: "sign([-2, 0, 3])",
        called: NUMPY,
        see: ["abs", "step"],
    }
    /// 1 where positive, else 0.
    Step STEP step(x) = y {
        value: f64::from(u8::from(x > 0.0)),
        partials: [0.0],
        saves: Saves::Nothing,
        result: Same,
        domain: [(0.2, 3.0)],
        form: Form::Step,
        example: "step([-2, 0, 3])",
        called: Forms::SHORT,
        see: ["relu", "sign"],
        jax: "jnp.heaviside({input}, 0.0)",
    }
    /// Step, as activations take it: 1 also for NaN, which passes on what comes.
    Pass PASS step(x) = y {
        value: if x <= 0.0 { 0.0 } else { 1.0 },
        partials: [0.0],
        saves: Saves::Nothing,
        grad_fn: "StepBackward0",
        result: Same,
        domain: [(0.2, 3.0)],
        form: Form::Step,
        example: "step([-1, 4])",
    }
    /// 1 where equal, else 0.
    Equal EQUAL equal(a, b) = y {
        value: f64::from(u8::from(a == b)),
        partials: [0.0, 0.0],
        saves: Saves::Nothing,
        grad_fn: "EqBackward0",
        result: Same,
        domain: [(0.2, 3.0), (4.0, 5.0)],
        form: Form::Equal,
        example: "[1, 2] == [1, 3]",
    }
    /// `a` where `c` is not 0, else `b`.
    Where WHERE where(c, a, b) = y {
        value: if c != 0.0 { a } else { b },
        partials: [0.0, c, 1.0 - c],
        saves: Saves::Inputs(0b1),
        result: Same,
        domain: [(1.0, 1.0), (-3.0, 3.0), (-3.0, 3.0)],
        form: Form::Where,
        example: "where([1, -1] > 0, [1, 2], [3, 4])",
        second: ["WhereBackward0"],
    }
    /// Rounded down.
    Floor FLOOR floor(x) = y {
        value: x.floor(),
        partials: [0.0],
        saves: Saves::Nothing,
        result: Same,
        whole: x,
        domain: [(1.1, 1.9)],
        example: "floor([1.5, -1.5])",
        called: NUMPY,
        see: ["ceil", "round", "trunc"],
    }
    /// Rounded up.
    Ceil CEIL ceil(x) = y {
        value: x.ceil(),
        partials: [0.0],
        saves: Saves::Nothing,
        result: Same,
        whole: x,
        domain: [(1.1, 1.9)],
        example: "ceil([1.5, -1.5])",
        called: NUMPY,
        see: ["floor", "round"],
    }
    /// Rounded to the nearest integer, halves to the even one.
    Round ROUND round(x) = y {
        value: x.round_ties_even(),
        partials: [0.0],
        saves: Saves::Nothing,
        result: Same,
        whole: x,
        domain: [(1.1, 1.4)],
        example: "torch.round(tensor([1.5, 2.5]))",
    }
    /// Rounded towards 0.
    Trunc TRUNC trunc(x) = y {
        value: x.trunc(),
        partials: [0.0],
        saves: Saves::Nothing,
        result: Same,
        whole: x,
        domain: [(1.1, 1.9)],
        example: "trunc([1.5, -1.5])",
        called: NUMPY,
        aliases: ["fix"],
        see: ["floor", "frac"],
    }
    /// What `trunc` takes away.
    Frac FRAC frac(x) = y {
        value: x - x.trunc(),
        partials: [1.0],
        saves: Saves::Nothing,
        domain: [(1.1, 1.9)],
        example: "frac([1.5, -1.25])",
        called: POINTWISE,
        see: ["trunc"],
        jax: "{input} - jnp.trunc({input})",
    }
    /// The larger of two; at a tie both get half.
    Maximum MAXIMUM maximum(a, b) = y {
        value: if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) },
        partials: [
            a.equals(b).choose(0.5, (a - b).pass()),
            a.equals(b).choose(0.5, (b - a).pass()),
        ],
        saves: Saves::Inputs(0b11),
        chooses: true,
        masks: true,
        result: Same,
        whole: a.max(b),
        domain: [(-3.0, 0.5), (0.6, 3.0)],
        kinks: a == b => (0.0, 1.0),
        example: "maximum([1, 5], [3, 2])",
        called: OUT_OF_PLACE,
        see: ["minimum", "max", "relu"],
        latex: r"\max",
        second: ["MaskedFillBackward0"],
    }
    /// The smaller of two; at a tie both get half.
    Minimum MINIMUM minimum(a, b) = y {
        value: if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) },
        partials: [
            a.equals(b).choose(0.5, (b - a).pass()),
            a.equals(b).choose(0.5, (a - b).pass()),
        ],
        saves: Saves::Inputs(0b11),
        chooses: true,
        masks: true,
        result: Same,
        whole: a.min(b),
        domain: [(-3.0, 0.5), (0.6, 3.0)],
        kinks: a == b => (1.0, 0.0),
        example: "minimum([1, 5], [3, 2])",
        called: OUT_OF_PLACE,
        see: ["maximum", "min"],
        latex: r"\min",
        second: ["MaskedFillBackward0"],
    }
    /// Kept between two numbers; 0 slope at a bound.
    Clamp CLAMP clamp(x; min = f64::NEG_INFINITY, max = f64::INFINITY) = y {
        value: if min.is_nan() || max.is_nan() { f64::NAN } else if x.is_nan() { x } else { x.max(min).min(max) },
        partials: [between(x, min, max, Formula::step)],
        saves: Saves::Inputs(0b1),
        grad_fn: "ClampBackward1",
        chooses: true,
        masks: true,
        result: Same,
        whole: x.max(min).min(max),
        domain: [(-3.0, 3.0)],
        kinks: x == min || x == max => if x == min { (0.0, 1.0) } else { (1.0, 0.0) },
        example: "clamp([-1, 0.5, 2], 0, 1)",
        second: ["WhereBackward0"],
    }
    /// Kept between two numbers, −1 and 1 if not said.
    Hardtanh HARDTANH hardtanh(x; min_val = -1.0, max_val = 1.0) = y {
        value: if x.is_nan() { x } else { x.max(min_val).min(max_val) },
        partials: [between(x, min_val, max_val, Formula::pass)],
        saves: Saves::Inputs(0b1),
        chooses: true,
        result: Same,
        domain: [(-3.0, 3.0)],
        kinks: x == min_val || x == max_val => if x == min_val { (0.0, 1.0) } else { (1.0, 0.0) },
        example: "hardtanh([-2, 0.5, 2])",
        called: NN,
        signature: "(Tensor input, Number min_val=-1.0, Number max_val=1.0, bool inplace=False)",
        see: ["clamp", "relu6"],
        jax: "clamp({input}, {min_val!}, {max_val!})",
        second: ["HardtanhBackwardBackward0"],
    }
    /// Kept between 0 and 6.
    Relu6 RELU6 relu6(x) = y {
        value: if x.is_nan() { x } else { x.clamp(0.0, 6.0) },
        partials: [between(x, 0.0, 6.0, Formula::pass)],
        saves: Saves::Inputs(0b1),
        grad_fn: "HardtanhBackward0",
        chooses: true,
        result: Same,
        domain: [(-3.0, 8.0)],
        kinks: x == 0.0 || x == 6.0 => if x == 0.0 { (0.0, 1.0) } else { (1.0, 0.0) },
        example: "relu6([-1, 3, 8])",
        called: NN,
        signature: "(Tensor input, bool inplace=False)",
        see: ["relu", "hardtanh"],
        jax: "clamp({input}, 0, 6)",
        second: ["HardtanhBackwardBackward0"],
    }
}

/// 1 strictly between the bounds, else 0.
fn between<A: Algebra>(
    x: &Formula<A>,
    min: f64,
    max: f64,
    step: fn(&Formula<A>) -> Formula<A>,
) -> Formula<A> {
    let above = || step(&(x - min));
    let below = || step(&(max - x));
    match (min.is_finite(), max.is_finite()) {
        (true, true) => above() * below(),
        (true, false) => above(),
        (false, true) => below(),
        (false, false) => Formula::Const(1.0),
    }
}
