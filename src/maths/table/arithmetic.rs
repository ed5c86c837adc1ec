//! Rows: the operators.

use std::f64::consts::PI;
use vjp_tensor::exact_integers;
use vjp_tensor::kernels::power::{power, power_single};
imports!();

/// The remainder with the sign of the divisor, as Python's `%`.
fn modulo(a: f64, b: f64) -> f64 {
    let r = a % b;
    if r != 0.0 && ((r < 0.0) != (b < 0.0)) { r + b } else { r }
}

/// Division rounded down, as Python's `//`: exact where the quotient is.
fn floor_divide(a: f64, b: f64) -> f64 {
    if b == 0.0 {
        return a / b;
    }
    let rest = a % b;
    let mut quotient = (a - rest) / b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) {
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return 0f64.copysign(a / b);
    }
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}

/// ∂aᵇ/∂a; 0 for a zeroth power, even of 0.
fn base_slope<A: Algebra>(a: &Formula<A>, b: &Formula<A>) -> Formula<A> {
    (b * a.pow(&(b - 1.0))).unless(&b.equals(0.0), 0.0)
}

/// ∂y/∂b of y = aᵇ; 0 to a power that is not negative stays 0 when the power moves a little.
fn exponent_slope<A: Algebra>(a: &Formula<A>, b: &Formula<A>, y: &Formula<A>) -> Formula<A> {
    (y * a.log()).unless(&(a.equals(0.0) * (b.step() + b.equals(0.0))), 0.0)
}

rows! {
    /// Sum.
    Add ADD add(a, b) = y {
        value: a + b,
        partials: [1.0, 1.0],
        saves: Saves::Nothing,
        wraps: true,
        result: Same,
        whole: a.wrapping_add(b),
        domain: [(-3.0, 3.0), (-3.0, 3.0)],
        form: Form::Add,
        example: "add([1, 2], 3)",
    }
    /// Difference.
    Sub SUB sub(a, b) = y {
        value: a - b,
        partials: [1.0, -1.0],
        saves: Saves::Nothing,
        wraps: true,
        result: Same,
        whole: a.wrapping_sub(b),
        domain: [(-3.0, 3.0), (-3.0, 3.0)],
        form: Form::Sub,
        example: "sub([1, 2], 3)",
    }
    /// A tensor taken from a number, `3 - x`: operands in the order of PyTorch's `rsub(x, 3)`.
    Rsub RSUB rsub(a, b) = y {
        value: b - a,
        partials: [-1.0, 1.0],
        saves: Saves::Nothing,
        grad_fn: "RsubBackward1",
        result: Same,
        whole: b.wrapping_sub(a),
        domain: [(-3.0, 3.0), (-3.0, 3.0)],
        form: Form::ReversedSub,
        example: "3 - [1, 2]",
    }
    /// Product.
    Mul MUL mul(a, b) = y {
        value: a * b,
        partials: [b, a],
        saves: Saves::Inputs(0b11),
        wraps: true,
        result: Same,
        whole: a.wrapping_mul(b),
        domain: [(-3.0, 3.0), (-3.0, 3.0)],
        form: Form::Mul,
        example: "mul([1, 2], [3, 4])",
    }
    /// Quotient.
    Div DIV div(a, b) = y {
        value: a / b,
        partials: |v| [v / b, -v * (a / b / b)],
        saves: Saves::Inputs(0b11),
        wraps: true,
        domain: [(-3.0, 3.0), (0.3, 3.0)],
        undefined: a == 0.0 && b == 0.0 => "0/0",
        form: Form::Div,
        example: "div([1, 2], [3, 4])",
        second: ["DivBackward0", "-"],
    }
    /// Quotient rounded down: no slope in PyTorch.
    FloorDivide FLOOR_DIVIDE floor_divide(a, b) = y {
        value: floor_divide(a, b),
        partials: [0.0, 0.0],
        saves: Saves::Nothing,
        grad_fn: "NotImplemented",
        underived: u8::MAX,
        in_place: ("NotImplemented", "floor_divide_", u8::MAX),
        result: Same,
        whole: exact_integers::floor_divide(a, b),
        domain: [(1.1, 1.9), (0.55, 0.9)],
        undefined: a == 0.0 && b == 0.0 => "0/0",
        form: Form::Infix("//"),
        example: "floor_divide([7, -7], 2)",
    }
    /// Quotient rounded down, as `div` with a rounding mode records it.
    DivFloor DIV_FLOOR floor_divide(a, b) = y {
        value: floor_divide(a, b),
        partials: [0.0, 0.0],
        saves: Saves::Nothing,
        grad_fn: "DivBackward2",
        result: Same,
        whole: exact_integers::floor_divide(a, b),
        domain: [(1.1, 1.9), (0.55, 0.9)],
        undefined: a == 0.0 && b == 0.0 => "0/0",
        form: Form::Infix("//"),
        example: "torch.div(tensor([7.0, -7.0]), 2, rounding_mode='floor')",
    }
    /// Quotient rounded towards 0.
    DivTrunc DIV_TRUNC div_trunc(a, b) = y {
        value: (a / b).trunc(),
        partials: [0.0, 0.0],
        saves: Saves::Nothing,
        grad_fn: "DivBackward2",
        result: Same,
        whole: a.checked_div(b).unwrap_or(a.wrapping_neg()),
        domain: [(1.1, 1.9), (0.55, 0.9)],
        undefined: a == 0.0 && b == 0.0 => "0/0",
        form: Form::Truncated,
        spelled: ("div", "rounding_mode='trunc'"),
        example: "torch.div(tensor([7.0, -7.0]), 2, rounding_mode='trunc')",
    }
    /// Remainder with the sign of the divisor.
    Remainder REMAINDER remainder(a, b) = y {
        value: modulo(a, b),
        partials: [1.0, -Formula::call(&DIV_FLOOR, &[a, b])],
        saves: Saves::Inputs(0b11),
        result: Same,
        whole: exact_integers::modulo(a, b),
        domain: [(2.1, 2.9), (1.0, 1.04)],
        undefined: b == 0.0 => "the remainder of a division by 0",
        form: Form::Infix("%"),
        example: "remainder([7, -7], 3)",
    }
    /// The same of two tensors.
    RemainderOf REMAINDER_OF remainder(a, b) = y {
        value: modulo(a, b),
        partials: [1.0, -Formula::call(&DIV_FLOOR, &[a, b])],
        saves: Saves::Inputs(0b11),
        grad_fn: "RemainderBackward1",
        result: Same,
        whole: exact_integers::modulo(a, b),
        domain: [(2.1, 2.9), (1.0, 1.04)],
        undefined: b == 0.0 => "the remainder of a division by 0",
        form: Form::Infix("%"),
        example: "remainder([7, -7], [3, 5])",
    }
    /// Negation.
    Negate NEG neg(x) = y {
        value: -x,
        partials: [-1.0],
        saves: Saves::Nothing,
        grad_fn: "NegBackward0",
        result: Same,
        whole: x.wrapping_neg(),
        domain: [(-3.0, 3.0)],
        form: Form::Neg,
        example: "neg([1, -2])",
    }
    /// A tensor to a tensor's power.
    Pow POW pow(a, b) = y {
        value: power(a, b),
        partials: [base_slope(a, b), exponent_slope(a, b, y)],
        saves: Saves::InputsAndOutput(0b11),
        grad_fn: "PowBackward1",
        blocks: |wrt, x, _| wrt == 0 && x[1] == 0.0,
        result: Same,
        whole: exact_integers::power(a, b),
        single: power_single(a, b),
        domain: [(0.3, 3.0), (-2.0, 3.0)],
        undefined: a < 0.0 && b.fract() != 0.0 => "a negative number to a power that is not whole",
        form: Form::Pow,
        example: "pow([1, 2], [3, 4])",
        second: ["WhereBackward0", "-"],
    }
    /// A tensor to the power of a number that is itself asked about.
    PowBy POW_BY pow_by(a, e) = y {
        value: power(a, e),
        partials: [base_slope(a, e), exponent_slope(a, e, y)],
        saves: Saves::InputsAndOutput(0b11),
        grad_fn: "PowBackward0",
        result: Same,
        whole: exact_integers::power(a, e),
        single: power_single(a, e),
        domain: [(0.3, 3.0), (-2.0, 3.0)],
        undefined: a < 0.0 && e.fract() != 0.0 => "a negative number to a power that is not whole",
        form: Form::Pow,
        spelled: ("pow", ""),
        example: "n = 2; [1, 2]^n",
        second: ["MulBackward0"],
    }
    /// A tensor to the power of a number.
    PowNumber POW_NUMBER pow_number(x; e = 2.0) = y {
        value: power(x, e),
        partials: [if e == 0.0 { 0.0.into() } else { e * x.pow(&(e - 1.0).into()) }],
        saves: Saves::Inputs(0b1),
        grad_fn: "PowBackward0",
        remembers: e == 1.0,
        result: Same,
        whole: exact_integers::power(x, e),
        single: power_single(x, e as f32),
        rounded: |d, _alone| match e {
            _ if d == Dtype::Float16 => power(x, d.cast(e)),
            3.0 => d.cast(x * x) * x,
            -2.0 => 1.0 / d.cast(x * x),
            _ => power(x, d.cast(e)),
        },
        domain: [(0.3, 3.0)],
        undefined: x < 0.0 && e.fract() != 0.0 => "a negative number to a power that is not whole",
        form: Form::Pow,
        spelled: ("pow", ""),
        formula: "xᵉ",
        example: "[1, 2]^3",
        second: ["MulBackward0"],
    }
    /// A number to the power of a tensor.
    NumberPow NUMBER_POW number_pow(base, e) = y {
        value: power(base, e),
        partials: [base_slope(base, e), exponent_slope(base, e, y)],
        saves: Saves::InputsAndOutput(0b11),
        grad_fn: "PowBackward2",
        result: Same,
        whole: exact_integers::power(base, e),
        single: power_single(base, e),
        domain: [(0.3, 3.0), (-2.0, 3.0)],
        undefined: base < 0.0 && e.fract() != 0.0 => "a negative number to a power that is not whole",
        form: Form::Pow,
        spelled: ("pow", ""),
        example: "2^[1, 2]",
    }
    /// Square.
    Square SQUARE square(x) = y {
        value: x * x,
        partials: [2.0 * x.pow(&1.0.into())],
        saves: Saves::Inputs(0b1),
        grad_fn: "PowBackward0",
        result: Counted,
        whole: x.wrapping_mul(x),
        domain: [(-3.0, 3.0)],
        form: Form::Power(2.0),
        example: "square([1, 2])",
        called: NUMPY,
        see: ["sqrt", "pow"],
        second: ["MulBackward0"],
    }
    /// Square root.
    Sqrt SQRT sqrt(x) = y {
        value: x.sqrt(),
        partials: |v| [v / (2.0 * y)],
        saves: Saves::Output,
        domain: [(0.1, 4.0)],
        undefined: x < 0.0 => "sqrt of a negative number",
        form: Form::Power(0.5),
        example: "sqrt([1, 4])",
        called: NUMPY,
        see: ["square", "rsqrt"],
    }
    /// Reciprocal of the square root.
    Rsqrt RSQRT rsqrt(x) = y {
        value: 1.0 / x.sqrt(),
        partials: [-0.5 * (y * y * y)],
        saves: Saves::Output,
        single: 1.0 / x.sqrt(),
        rounded: |d, _alone| 1.0 / d.cast(x.sqrt()),
        domain: [(0.2, 4.0)],
        undefined: x < 0.0 => "rsqrt of a negative number",
        form: Form::Power(-0.5),
        example: "rsqrt([1, 4])",
        called: POINTWISE,
        see: ["sqrt"],
        jax: "1 / jnp.sqrt({input})",
    }
    /// Reciprocal.
    Reciprocal RECIPROCAL reciprocal(x) = y {
        value: 1.0 / x,
        partials: [-(y * y)],
        saves: Saves::Output,
        domain: [(0.3, 3.0)],
        form: Form::Power(-1.0),
        example: "reciprocal([1, 2])",
        called: NUMPY,
        see: ["div"],
        jax: "1 / {input}",
    }
    /// Length of the hypotenuse.
    Hypot HYPOT hypot(a, b) = y {
        value: a.hypot(b),
        partials: |v| [v * a / y, v * b / y],
        saves: Saves::InputsAndOutput(0b11),
        domain: [(0.2, 3.0), (0.2, 3.0)],
        formula: "√(a² + b²)",
        example: "hypot([3, 5], [4, 12])",
        called: NUMPY,
        see: ["norm"],
        second: ["DivBackward0"],
    }
    /// From `a` towards `b` by the fraction `t`.
    Lerp LERP lerp(a, b, t) = y {
        value: if t.abs() < 0.5 { t.mul_add(b - a, a) } else { (-(b - a)).mul_add(1.0 - t, b) },
        partials: [1.0 - t, t, b - a],
        saves: Saves::Inputs(0b111),
        grad_fn: "LerpBackward1",
        single: if t.abs() < 0.5 { t.mul_add(b - a, a) } else { (t - 1.0).mul_add(b - a, b) },
        domain: [(-3.0, 3.0), (-3.0, 3.0), (0.0, 1.0)],
        formula: "a + t(b − a)",
        example: "lerp([0, 10], [10, 20], 0.5)",
    }
    /// From `a` towards `b` by a fraction that is a number.
    LerpBy LERP_BY lerp(a, b; weight = 0.5) = y {
        value: if weight.abs() < 0.5 { weight.mul_add(b - a, a) } else { (-(b - a)).mul_add(1.0 - weight, b) },
        partials: [1.0 - weight, weight],
        saves: Saves::Nothing,
        grad_fn: "LerpBackward0",
        single: {
            let t = weight as f32;
            if t.abs() < 0.5 { t.mul_add(b - a, a) } else { (t - 1.0).mul_add(b - a, b) }
        },
        domain: [(-3.0, 3.0), (-3.0, 3.0)],
        formula: "a + t(b − a)",
        example: "lerp([0, 10], [10, 20], 0.25)",
    }
    /// The remainder with the sign of the dividend, as C's.
    Fmod FMOD fmod(a, b) = y {
        value: a % b,
        partials: [1.0, -Formula::call(&DIV_TRUNC, &[a, b])],
        saves: Saves::Inputs(0b11),
        grad_fn: "FmodBackward1",
        result: Same,
        whole: a.checked_rem(b).unwrap_or(0),
        domain: [(2.1, 2.9), (1.0, 1.04)],
        undefined: b == 0.0 => "the remainder of a division by 0",
        formula: "a − b trunc(a/b)",
        example: "fmod([7, -7], 3)",
    }
    /// The remainder of a division by a number, with the sign of the dividend.
    FmodBy FMOD_BY fmod(a; other = 1.0) = y {
        value: a % other,
        partials: [1.0],
        saves: Saves::Nothing,
        grad_fn: "FmodBackward0",
        result: Same,
        whole: a.checked_rem(other).unwrap_or(0),
        domain: [(1.1, 1.9)],
        undefined: other == 0.0 => "the remainder of a division by 0",
        formula: "a − b trunc(a/b)",
        example: "fmod([7, -7], 2)",
    }
    /// Degrees as radians.
    Deg2Rad DEG2RAD deg2rad(x) = y {
        value: x * (PI / 180.0),
        partials: [PI / 180.0],
        saves: Saves::Nothing,
        steps: Single,
        domain: [(-3.0, 3.0)],
        formula: "πx/180",
        example: "deg2rad([0, 180])",
        called: NUMPY,
        see: ["rad2deg"],
    }
    /// Radians as degrees.
    Rad2Deg RAD2DEG rad2deg(x) = y {
        value: x * (180.0 / PI),
        partials: [180.0 / PI],
        saves: Saves::Nothing,
        steps: Single,
        domain: [(-3.0, 3.0)],
        formula: "180x/π",
        example: "rad2deg([0, 1])",
        called: NUMPY,
        see: ["deg2rad"],
    }
    /// `a + value·b·c`.
    Addcmul ADDCMUL addcmul(a, b, c; value = 1.0) = y {
        // Rounded once, as PyTorch's kernel does; so are the rows below.
        value: (value * b).mul_add(c, a),
        partials: [1.0, value * c, value * b],
        saves: Saves::Inputs(0b110),
        result: Same,
        whole: a.wrapping_add(value.wrapping_mul(b).wrapping_mul(c)),
        steps: Single,
        domain: [(-3.0, 3.0), (-3.0, 3.0), (-3.0, 3.0)],
        formula: "a + value·b·c",
        example: "addcmul([1, 2], [3, 4], [5, 6], value=0.5)",
    }
    /// `a + alpha·b`.
    AddScaled ADD_SCALED add(a, b; alpha = 1.0) = y {
        value: b.mul_add(alpha, a),
        partials: [1.0, alpha],
        saves: Saves::Nothing,
        grad_fn: "AddBackward0",
        wraps: true,
        result: Same,
        steps: Single,
        rounded: |d, alone| if alone { a + d.cast(alpha * b) } else { b.mul_add(alpha, a) },
        domain: [(-3.0, 3.0), (-3.0, 3.0)],
        formula: "a + alpha·b",
        example: "add([1, 2], [3, 4], alpha=0.5)",
    }
    /// `a − alpha·b`.
    SubScaled SUB_SCALED sub(a, b; alpha = 1.0) = y {
        value: b.mul_add(-alpha, a),
        partials: [1.0, -alpha],
        saves: Saves::Nothing,
        grad_fn: "SubBackward0",
        wraps: true,
        result: Same,
        steps: Single,
        rounded: |d, alone| if alone { a - d.cast(alpha * b) } else { b.mul_add(-alpha, a) },
        domain: [(-3.0, 3.0), (-3.0, 3.0)],
        formula: "a − alpha·b",
        example: "sub([1, 2], [3, 4], alpha=0.5)",
    }
    /// `a + value·b/c`.
    Addcdiv ADDCDIV addcdiv(a, b, c; value = 1.0) = y {
        value: a + value * b / c,
        partials: [1.0, value / c, -value * b / (c * c)],
        saves: Saves::Inputs(0b110),
        steps: Single,
        domain: [(-3.0, 3.0), (-3.0, 3.0), (0.3, 3.0)],
        undefined: value * b == 0.0 && c == 0.0 => "0/0",
        formula: "a + value·b/c",
        example: "addcdiv([1, 2], [3, 4], [5, 6], value=0.5)",
    }
}
