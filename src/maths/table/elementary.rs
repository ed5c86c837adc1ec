//! Rows: exponentials, logarithms, trigonometric and hyperbolic functions.

use std::f64::consts::{LN_2, LN_10, PI};
use vjp_tensor::kernels::lane::Lane;
use vjp_tensor::kernels::sleef;
imports!();

/// 1/(a² + b²), 0 at the origin.
fn nearness<A: Algebra>(a: &Formula<A>, b: &Formula<A>) -> Formula<A> {
    let square = a.square() + b.square();
    square.equals(0.0).choose(0.0, square.reciprocal())
}

rows! {
    /// Exponential.
    Exp EXP exp(x) = y {
        value: x.exp(),
        partials: [y],
        saves: Saves::Output,
        vector: Lane,
        domain: [(-2.0, 2.0)],
        form: Form::Exp,
        example: "exp([0, 1])",
        called: NUMPY,
        see: ["log", "expm1"],
    }
    /// Power of 2.
    Exp2 EXP2 exp2(x) = y {
        value: x.exp2(),
        partials: |v| [v * y * LN_2],
        saves: Saves::Output,
        domain: [(-2.0, 2.0)],
        formula: "2ˣ",
        example: "exp2([0, 3])",
        called: NUMPY.and(Forms::SPECIAL),
        see: ["exp"],
        second: ["MulBackward1"],
    }
    /// `eˣ − 1`, exact for small x.
    Expm1 EXPM1 expm1(x) = y {
        value: x.exp_m1(),
        partials: [y + 1.0],
        saves: Saves::Output,
        vector: Lane,
        single: sleef::expm1(x),
        domain: [(-2.0, 2.0)],
        formula: "eˣ − 1",
        example: "expm1([0, 1])",
        called: NUMPY.and(Forms::SPECIAL),
        see: ["exp", "log1p"],
    }
    /// Natural logarithm.
    Log LOG log(x) = y {
        value: x.ln(),
        partials: |v| [v / x],
        saves: Saves::Inputs(0b1),
        vector: Lane,
        domain: [(0.2, 4.0)],
        undefined: x < 0.0 => "log of a negative number",
        example: "log([1, 2])",
        called: NUMPY,
        see: ["exp", "log1p"],
        latex: r"\log",
    }
    /// Logarithm to base 2.
    Log2 LOG2 log2(x) = y {
        value: x.log2(),
        partials: |v| [v / (x * LN_2)],
        saves: Saves::Inputs(0b1),
        domain: [(0.2, 4.0)],
        undefined: x < 0.0 => "log2 of a negative number",
        example: "log2([1, 8])",
        called: NUMPY,
        see: ["log"],
        latex: r"\log_{2}",
    }
    /// Logarithm to base 10.
    Log10 LOG10 log10(x) = y {
        value: x.log10(),
        partials: |v| [v / (x * LN_10)],
        saves: Saves::Inputs(0b1),
        domain: [(0.2, 4.0)],
        undefined: x < 0.0 => "log10 of a negative number",
        example: "log10([1, 100])",
        called: NUMPY,
        see: ["log"],
        latex: r"\log_{10}",
    }
    /// `log(1 + x)`, exact for small x.
    Log1p LOG1P log1p(x) = y {
        value: x.ln_1p(),
        partials: |v| [v / (x + 1.0)],
        saves: Saves::Inputs(0b1),
        grad_fn: "Log1PBackward0",
        vector: Lane,
        single: sleef::log1p(x),
        domain: [(-0.7, 3.0)],
        undefined: x < -1.0 => "log1p of a number below -1",
        formula: "log(1 + x)",
        example: "log1p([0, 1])",
        called: NUMPY.and(Forms::SPECIAL),
        see: ["log", "expm1"],
    }
    /// Sine.
    Sin SIN sin(x) = y {
        value: x.sin(),
        partials: [x.cos()],
        saves: Saves::Inputs(0b1),
        vector: Lane,
        domain: [(-3.0, 3.0)],
        example: "sin([0, 1])",
        called: NUMPY,
        see: ["cos", "asin"],
        latex: r"\sin",
    }
    /// Cosine.
    Cos COS cos(x) = y {
        value: x.cos(),
        partials: [-x.sin()],
        saves: Saves::Inputs(0b1),
        vector: Lane,
        domain: [(-3.0, 3.0)],
        example: "cos([0, 1])",
        called: NUMPY,
        see: ["sin", "acos"],
        latex: r"\cos",
    }
    /// Tangent.
    Tan TAN tan(x) = y {
        value: x.tan(),
        partials: [1.0 + y.square()],
        saves: Saves::Output,
        domain: [(-1.2, 1.2)],
        example: "tan([0, 1])",
        called: NUMPY,
        see: ["sin", "cos", "atan"],
        latex: r"\tan",
    }
    /// Arc sine.
    Asin ASIN asin(x) = y {
        value: x.asin(),
        partials: [(1.0 - x.square()).rsqrt()],
        saves: Saves::Inputs(0b1),
        domain: [(-0.9, 0.9)],
        undefined: x.abs() > 1.0 => "asin of a number outside -1 to 1",
        example: "asin([0, 0.5])",
        called: NUMPY,
        aliases: ["arcsin"],
        see: ["sin"],
        jax: "jnp.arcsin({input})",
        latex: r"\arcsin",
    }
    /// Arc cosine.
    Acos ACOS acos(x) = y {
        value: x.acos(),
        partials: [-(1.0 - x.square()).rsqrt()],
        saves: Saves::Inputs(0b1),
        domain: [(-0.9, 0.9)],
        undefined: x.abs() > 1.0 => "acos of a number outside -1 to 1",
        example: "acos([0, 0.5])",
        called: NUMPY,
        aliases: ["arccos"],
        see: ["cos"],
        jax: "jnp.arccos({input})",
        latex: r"\arccos",
    }
    /// Arc tangent.
    Atan ATAN atan(x) = y {
        value: x.atan(),
        partials: |v| [v / (x.square() + 1.0)],
        saves: Saves::Inputs(0b1),
        domain: [(-3.0, 3.0)],
        example: "atan([0, 1])",
        called: NUMPY,
        aliases: ["arctan"],
        see: ["tan", "atan2"],
        jax: "jnp.arctan({input})",
        latex: r"\arctan",
    }
    /// The angle of the point (b, a).
    Atan2 ATAN2 atan2(a, b) = y {
        value: a.atan2(b),
        partials: |v| [v * b * nearness(a, b), v * -a * nearness(a, b)],
        saves: Saves::Inputs(0b11),
        domain: [(0.2, 3.0), (-3.0, 3.0)],
        example: "atan2([1, -1], [1, 2])",
        called: NUMPY,
        aliases: ["arctan2"],
        see: ["atan"],
        jax: "atan2({input}, {other})",
    }
    /// Hyperbolic sine.
    Sinh SINH sinh(x) = y {
        value: x.sinh(),
        partials: [x.cosh()],
        saves: Saves::Inputs(0b1),
        domain: [(-2.0, 2.0)],
        example: "sinh([0, 1])",
        called: NUMPY,
        see: ["cosh", "tanh"],
        latex: r"\sinh",
    }
    /// Hyperbolic cosine.
    Cosh COSH cosh(x) = y {
        value: x.cosh(),
        partials: [x.sinh()],
        saves: Saves::Inputs(0b1),
        domain: [(-2.0, 2.0)],
        example: "cosh([0, 1])",
        called: NUMPY,
        see: ["sinh", "tanh"],
        latex: r"\cosh",
    }
    /// Hyperbolic tangent.
    Tanh TANH tanh(x) = y {
        value: x.tanh(),
        partials: [Formula::fused(-y, y, 1.0)],
        saves: Saves::Output,
        vector: Lane,
        domain: [(-2.0, 2.0)],
        example: "tanh([0, 1])",
        called: NUMPY.and(Forms::F),
        see: ["sigmoid", "sinh"],
        latex: r"\tanh",
        second: ["TanhBackwardBackward0"],
    }
    /// Inverse of sinh.
    Asinh ASINH asinh(x) = y {
        value: libm::asinh(x),
        partials: [(x.square() + 1.0).rsqrt()],
        saves: Saves::Inputs(0b1),
        in_place: ("AsinhBackward1", "inplace version of asinh", 1),
        domain: [(-3.0, 3.0)],
        example: "asinh([0, 1])",
        called: NUMPY,
        aliases: ["arcsinh"],
        see: ["sinh"],
        jax: "jnp.arcsinh({input})",
    }
    /// Inverse of cosh.
    Acosh ACOSH acosh(x) = y {
        value: libm::acosh(x),
        partials: [(x.square() - 1.0).rsqrt()],
        saves: Saves::Inputs(0b1),
        in_place: ("AcoshBackward1", "inplace version of acosh", 1),
        domain: [(1.3, 4.0)],
        undefined: x < 1.0 => "acosh of a number below 1",
        example: "acosh([1.5, 2])",
        called: NUMPY,
        aliases: ["arccosh"],
        see: ["cosh"],
        jax: "jnp.arccosh({input})",
    }
    /// Inverse of tanh.
    Atanh ATANH atanh(x) = y {
        value: libm::atanh(x),
        partials: |v| [v / (1.0 - x.square())],
        saves: Saves::Inputs(0b1),
        in_place: ("AtanhBackward1", "inplace version of atanh", 1),
        domain: [(-0.8, 0.8)],
        undefined: x.abs() > 1.0 => "atanh of a number outside -1 to 1",
        example: "atanh([0, 0.5])",
        called: NUMPY,
        aliases: ["arctanh"],
        see: ["tanh"],
        jax: "jnp.arctanh({input})",
    }
    /// The error function.
    Erf ERF erf(x) = y {
        value: Number::erf(x),
        partials: [2.0 / PI.sqrt() * (-x.square()).exp()],
        saves: Saves::Inputs(0b1),
        steps: Single,
        domain: [(-2.0, 2.0)],
        example: "erf([0, 1])",
        called: SPECIAL,
        see: ["gelu"],
        jax: "jax.scipy.special.erf({input})",
    }
}
