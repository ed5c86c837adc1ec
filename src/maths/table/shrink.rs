//! Rows: activations in straight pieces.

imports!();

/// 1 strictly between −bound and bound, else 0.
fn within<A: Algebra>(x: &Formula<A>, bound: f64) -> Formula<A> {
    (x + bound).step() * (bound - x).step()
}

/// 1 outside of [−bound, bound], also for NaN.
fn outside<A: Algebra>(x: &Formula<A>, bound: f64) -> Formula<A> {
    (x.abs() - bound).pass()
}

rows! {
    /// A sigmoid of straight pieces.
    Hardsigmoid HARDSIGMOID hardsigmoid(x) = y {
        value: if x.is_nan() { x } else { (x + 3.0).clamp(0.0, 6.0) / 6.0 },
        // PyTorch has it as a float32.
        partials: [within(x, 3.0) * f64::from(1.0f32 / 6.0)],
        saves: Saves::Inputs(0b1),
        chooses: true,
        last: "hardsigmoid_backward",
        steps: Single,
        domain: [(-2.9, 2.9)],
        kinks: x.abs() == 3.0 => if x < 0.0 { (0.0, 1.0 / 6.0) } else { (1.0 / 6.0, 0.0) },
        formula: "clamp(x + 3, 0, 6)/6",
        example: "hardsigmoid([-4, 0, 1])",
        called: NN,
        signature: "(Tensor input, bool inplace=False)",
        see: ["sigmoid", "hardswish"],
        jax: "hardsigmoid({input})",
        second: ["NotImplemented"],
    }
    /// x times its hardsigmoid.
    Hardswish HARDSWISH hardswish(x) = y {
        value: if x.is_nan() { x } else { x * (x + 3.0).clamp(0.0, 6.0) / 6.0 },
        partials: [(x + 3.0).pass().choose((3.0 - x).step().choose(x / 3.0 + 0.5, 1.0), 0.0)],
        saves: Saves::Inputs(0b1),
        blocks: |_, x, _| x[0] <= -3.0,
        steps: Single,
        domain: [(-2.9, 2.9)],
        kinks: x.abs() == 3.0 => if x < 0.0 { (0.0, -0.5) } else { (1.5, 1.0) },
        formula: "x clamp(x + 3, 0, 6)/6",
        example: "hardswish([-4, 0, 1])",
        called: NN,
        signature: "(Tensor input, bool inplace=False)",
        see: ["silu", "hardsigmoid"],
        jax: "hardswish({input})",
        second: ["HardswishBackwardBackward0"],
    }
    /// 0 between −λ and λ, else x.
    Hardshrink HARDSHRINK hardshrink(x; lambd = 0.5) = y {
        value: if x.abs() <= lambd { 0.0 } else { x },
        partials: [outside(x, lambd)],
        saves: Saves::Inputs(0b1),
        chooses: true,
        result: Same,
        domain: [(0.6, 3.0)],
        formula: "|x| > λ: x, else 0",
        example: "hardshrink([-1, 0.2, 1])",
        called: NN.and(Forms::TORCH).and(Forms::METHOD),
        signature: "(Tensor input, Number lambd=0.5)",
        see: ["softshrink"],
        jax: "jnp.where(jnp.abs({input}) > {lambd!}, {input}, 0)",
        second: ["HardshrinkBackwardBackward0"],
    }
    /// Moved towards 0 by λ.
    Softshrink SOFTSHRINK softshrink(x; lambd = 0.5) = y {
        value: if x > lambd { x - lambd } else if x < -lambd { x + lambd } else { x * 0.0 },
        partials: [outside(x, lambd)],
        saves: Saves::Inputs(0b1),
        chooses: true,
        result: Same,
        steps: Single,
        domain: [(-3.0, 3.0)],
        kinks: x.abs() == lambd => if x < 0.0 { (1.0, 0.0) } else { (0.0, 1.0) },
        formula: "sign(x) max(|x| − λ, 0)",
        example: "softshrink([-1, 0.2, 1])",
        called: NN,
        signature: "(Tensor input, Number lambd=0.5)",
        see: ["hardshrink", "tanhshrink"],
        jax: "softshrink({*})",
        second: ["SoftshrinkBackwardBackward0"],
    }
    /// x above a threshold, else a value.
    Threshold THRESHOLD threshold(x; threshold = 0.0, value = 0.0) = y {
        value: if x <= threshold { value } else { x },
        partials: [(x - threshold).pass()],
        saves: Saves::Inputs(0b1),
        chooses: true,
        result: Same,
        domain: [(0.1, 3.0)],
        formula: "x > threshold: x, else value",
        example: "threshold([-1, 2], 0.5, 7)",
        called: NN.and(Forms::TORCH),
        signature: "(Tensor input, Number threshold, Number value, bool inplace=False)",
        see: ["relu"],
        jax: "jnp.where({input} > {threshold}, {input}, {value})",
        second: ["ThresholdBackwardBackward0"],
    }
    /// relu whose slope `w` below 0 is learnt.
    Prelu PRELU prelu(x, w) = y {
        value: if x > 0.0 { x } else { w * x },
        partials: [x.step().choose(1.0, w), x.step().choose(0.0, x)],
        saves: Saves::Inputs(0b11),
        grad_fn: "PreluKernelBackward0",
        steps: Single,
        domain: [(-3.0, 3.0), (0.1, 0.9)],
        kinks: x == 0.0 => (w, 1.0),
        formula: "x > 0: x, else w x",
        example: "prelu([-1, 2], 0.25)",
        second: ["PreluKernelBackwardBackward0"],
    }
}
