//! Rows: activations of neural networks.

use super::elementary::ERF;
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI, PI};
use vjp_tensor::kernels::gelu::gelu;
use vjp_tensor::kernels::lane::Lane;
imports!();

const SELU_ALPHA: f64 = 1.673_263_242_354_377_2;
const SELU_SCALE: f64 = 1.050_700_987_355_480_5;

rows! {
    /// The logistic function.
    Sigmoid SIGMOID sigmoid(x) = y {
        value: 1.0 / (1.0 + (-x).exp()),
        partials: |v| [v * (1.0 - y) * y],
        saves: Saves::Output,
        vector: Lane,
        steps: Single,
        domain: [(-3.0, 3.0)],
        form: Form::Sigmoid,
        formula: "1/(1 + e⁻ˣ)",
        example: "sigmoid([0, 1])",
        called: POINTWISE.and(Forms::F).and(Forms::SPECIAL),
        aliases: ["expit"],
        see: ["tanh", "logsigmoid"],
        jax: "jax.nn.sigmoid({input})",
        second: ["SigmoidBackwardBackward0"],
    }
    /// Logarithm of the logistic function.
    LogSigmoid LOGSIGMOID logsigmoid(x) = y {
        value: x.min(0.0) - (-x.abs()).exp().ln_1p(),
        partials: [(-x).sigmoid()],
        saves: Saves::Inputs(0b1),
        vector: Lane,
        steps: Single,
        domain: [(-3.0, 3.0)],
        formula: "log(1/(1 + e⁻ˣ))",
        example: "logsigmoid([0, 1])",
        called: NN,
        see: ["sigmoid", "softplus"],
        jax: "jax.nn.log_sigmoid({input})",
        second: ["LogSigmoidBackwardBackward0"],
    }
    /// A smooth relu.
    Softplus SOFTPLUS softplus(x; beta = 1.0, threshold = 20.0) = y {
        value: if x * beta > threshold { x } else { (x * beta).exp().ln_1p() / beta },
        partials: [(beta * x - threshold).step().choose(1.0, (beta * x).sigmoid())],
        saves: Saves::Inputs(0b1),
        vector: Lane,
        steps: Single,
        domain: [(-3.0, 3.0)],
        formula: "log(1 + eᵝˣ)/β",
        example: "softplus([0, 1])",
        called: NN,
        signature: "(Tensor input, Number beta=1, Number threshold=20)",
        see: ["relu", "sigmoid"],
        jax: "jax.nn.softplus({input}) or [beta] jax.nn.softplus({beta} * {input}) / {beta} or softplus({*})",
        second: ["SoftplusBackwardBackward0"],
    }
    /// The positive part.
    Relu RELU relu(x) = y {
        value: if x < 0.0 { 0.0 } else { x },
        partials: [x.pass()],
        saves: Saves::Output,
        chooses: true,
        result: Same,
        whole: x.max(0),
        domain: [(-3.0, 3.0)],
        kinks: x == 0.0 => (0.0, 1.0),
        formula: "max(0, x)",
        example: "relu([-1, 2])",
        called: POINTWISE.and(Forms::F),
        signature: "(Tensor input, bool inplace=False)",
        see: ["leaky_relu", "step", "clamp"],
        jax: "jax.nn.relu({input})",
        second: ["ThresholdBackwardBackward0"],
    }
    /// relu with a small slope below 0.
    LeakyRelu LEAKY_RELU leaky_relu(x; negative_slope = 0.01) = y {
        value: if x > 0.0 { x } else { x * negative_slope },
        partials: [x.step().choose(1.0, negative_slope)],
        saves: Saves::Inputs(0b1),
        steps: Single,
        domain: [(-3.0, 3.0)],
        kinks: x == 0.0 => (negative_slope, 1.0),
        example: "leaky_relu([-1, 2])",
        called: NN,
        signature: "(Tensor input, Number negative_slope=0.01, bool inplace=False)",
        see: ["relu", "elu"],
        jax: "jnp.where({input} > 0, {input}, {negative_slope!} * {input})",
        second: ["LeakyReluBackwardBackward0"],
    }
    /// Exponential below 0, linear above.
    Elu ELU elu(x; alpha = 1.0) = y {
        value: if x < 0.0 { alpha * x.exp_m1() } else { x },
        // At 0 itself PyTorch has no second slope.
        partials: |v| [x.equals(0.0).choose(v * alpha, x.pass().choose(v, v * alpha * x.below().exp()))],
        saves: Saves::Inputs(0b1),
        vector: Lane,
        steps: Single,
        domain: [(-3.0, 3.0)],
        kinks: x == 0.0 && alpha != 1.0 => (alpha, 1.0),
        formula: "x > 0: x, else α(eˣ − 1)",
        example: "elu([-1, 2])",
        called: NN,
        signature: "(Tensor input, Number alpha=1.0, bool inplace=False)",
        see: ["relu", "selu", "celu"],
        jax: "jax.nn.elu({input}, {alpha})",
        second: ["EluBackwardBackward0"],
    }
    /// Elu, scaled to keep mean and variance.
    Selu SELU selu(x) = y {
        value: if x < 0.0 { x.exp_m1() * (SELU_SCALE * SELU_ALPHA) } else { x * SELU_SCALE },
        partials: |v| [{
            let below = v * (SELU_SCALE * SELU_ALPHA);
            x.equals(0.0).choose(&below, x.pass().choose(v * SELU_SCALE, &below * x.below().exp()))
        }],
        saves: Saves::Inputs(0b1),
        grad_fn: "EluBackward0",
        vector: Lane,
        steps: Single,
        domain: [(-3.0, 3.0)],
        kinks: x == 0.0 => (SELU_SCALE * SELU_ALPHA, SELU_SCALE),
        example: "selu([-1, 2])",
        called: NN.and(Forms::TORCH),
        signature: "(Tensor input, bool inplace=False)",
        see: ["elu"],
        jax: "jax.nn.selu({input})",
        second: ["EluBackwardBackward0"],
    }
    /// Elu with a continuous slope.
    Celu CELU celu(x; alpha = 1.0) = y {
        value: if x < 0.0 { alpha * (x * (1.0 / alpha)).exp_m1() } else { x },
        // PyTorch's slope takes alpha as a float32.
        partials: |v| [{
            let inverse = 1.0 / f64::from(alpha as f32);
            let below = v * (inverse * alpha);
            x.equals(0.0).choose(&below, x.pass().choose(v, &below * (x.below() * inverse).exp()))
        }],
        saves: Saves::Inputs(0b1),
        vector: Lane,
        steps: Single,
        domain: [(-3.0, 3.0)],
        formula: "x > 0: x, else α(e^(x/α) − 1)",
        example: "celu([-1, 2])",
        called: NN.and(Forms::TORCH),
        signature: "(Tensor input, Number alpha=1.0, bool inplace=False)",
        see: ["elu"],
        jax: "jax.nn.celu({input}, {alpha})",
        second: ["EluBackwardBackward0"],
    }
    /// x times the normal distribution function.
    Gelu GELU gelu(x) = y {
        value: 0.5 * x * (1.0 + Number::erf(x * FRAC_1_SQRT_2)),
        partials: [
            0.5 * (1.0 + Formula::call(&ERF, &[&(x * FRAC_1_SQRT_2)]))
                + x * (-0.5 * x.square()).exp() * (1.0 / (2.0 * PI).sqrt())
        ],
        saves: Saves::Inputs(0b1),
        steps: Single,
        library: gelu,
        domain: [(-3.0, 3.0)],
        formula: "x/2 (1 + erf(x/√2))",
        example: "gelu([-1, 1])",
        second: ["GeluBackwardBackward0"],
    }
    /// The approximation of gelu by tanh.
    GeluTanh GELU_TANH gelu_tanh(x) = y {
        value: 0.5 * x * (1.0 + (FRAC_2_PI.sqrt() * (x * x * x).mul_add(0.044715, x)).tanh()),
        partials: [gelu_tanh_slope(x)],
        saves: Saves::Inputs(0b1),
        grad_fn: "GeluBackward0",
        vector: Lane,
        steps: Single,
        domain: [(-3.0, 3.0)],
        spelled: ("gelu", "approximate='tanh'"),
        example: "gelu([-1, 1], approximate='tanh')",
        second: ["GeluBackwardBackward0"],
    }
    /// x times its logistic function.
    Silu SILU silu(x) = y {
        value: x / (1.0 + (-x).exp()),
        partials: |v| [v * x.sigmoid() * Formula::fused(x, &(1.0 - x.sigmoid()), 1.0)],
        saves: Saves::Inputs(0b1),
        vector: Lane,
        steps: Single,
        domain: [(-3.0, 3.0)],
        formula: "x σ(x)",
        example: "silu([-1, 1])",
        called: NN,
        signature: "(Tensor input, bool inplace=False)",
        see: ["sigmoid", "gelu", "mish"],
        jax: "jax.nn.silu({input})",
    }
    /// x times tanh of its softplus.
    Mish MISH mish(x) = y {
        value: x * (if x > 20.0 { x } else { x.exp().ln_1p() }).tanh(),
        partials: [mish_slope(x)],
        saves: Saves::Inputs(0b1),
        steps: Single,
        domain: [(-3.0, 3.0)],
        formula: "x tanh(softplus(x))",
        example: "mish([-1, 1])",
        called: NN,
        signature: "(Tensor input, bool inplace=False)",
        see: ["silu"],
        jax: "jax.nn.mish({input})",
    }
}

fn gelu_tanh_slope<A: Algebra>(x: &Formula<A>) -> Formula<A> {
    let k = FRAC_2_PI.sqrt();
    let t = (k * Formula::fused(0.044715, &(x.square() * x), x)).tanh();
    let inner = k * Formula::fused(3.0 * 0.044715, &x.square(), 1.0);
    0.5 * (1.0 + &t) + 0.5 * x * Formula::fused(-&t, &t, 1.0) * inner
}

fn mish_slope<A: Algebra>(x: &Formula<A>) -> Formula<A> {
    let t = Formula::call(&SOFTPLUS, &[x, &1.0.into(), &20.0.into()]).tanh();
    Formula::fused(x * x.sigmoid(), &Formula::fused(-&t, &t, 1.0), t)
}
