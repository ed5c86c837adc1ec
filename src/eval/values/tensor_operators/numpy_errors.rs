//! `np.errstate(divide='raise')`: what arithmetic of floats says where it goes wrong.

use super::{array_operand, name};
use crate::language::exception::raise::Halt;
use crate::values::tensor_operators::numpy_messages::ufunc;
use crate::values::value::Value;
use vjp_maths::autodiff::variable::Variable;
use vjp_syntax::ast::BinaryOp;
use vjp_tensor::complaint::{Complaint, Kind, Outcome};
use vjp_tensor::kernels::strided::expand;
use vjp_tensor::shape::broadcast;

/// What may raise, a bit each.
pub const DIVIDE: u8 = 1;
pub const OVER: u8 = 2;
pub const INVALID: u8 = 4;

/// Functions that are infinite at some number.
const POLES: &[&str] = &[
    "divide",
    "log",
    "log10",
    "log1p",
    "log2",
    "reciprocal",
    "power",
    "atanh",
    "arctanh",
    "floor_divide",
    "remainder",
];

/// [`check`] of an operator.
///
/// # Errors
/// As [`check`].
pub(super) fn of_operator(
    raises: u8,
    op: BinaryOp,
    operands: [&Value; 2],
    found: &Value,
) -> Result<(), Halt> {
    if raises == 0 || op == BinaryOp::MatMul {
        return Ok(());
    }
    let (Some(a), Some(b)) = (array_operand(operands[0], None)?, array_operand(operands[1], None)?)
    else {
        return Ok(());
    };
    let Some(result) = array_operand(found, None)? else { return Ok(()) };
    let text = ufunc(name(op));
    let scalar = if result.rank() == 0 { "scalar " } else { "" };
    Ok(check(raises, &format!("{scalar}{text}"), &[&a, &b], &result)?)
}

/// Looks for numbers that came of others: an infinite or a missing one.
///
/// # Errors
/// FloatingPointError.
pub fn check(raises: u8, called: &str, inputs: &[&Variable], result: &Variable) -> Outcome<()> {
    let shape = result.shape();
    let wide = |t: &&Variable| {
        let whole = broadcast(&t.shape(), &shape).is_ok_and(|s| s == shape);
        if whole { expand(&t.value(), &shape).ok() } else { None }
    };
    let Some(inputs) = inputs.iter().map(wide).collect::<Option<Vec<_>>>() else { return Ok(()) };
    let function = ufunc(called.trim_start_matches("scalar "));
    let poles = POLES.contains(&function);
    let value = result.value();
    for (place, found) in value.data().iter().enumerate() {
        let each = || inputs.iter().map(|t| t.data()[place]);
        let last = each().next_back().unwrap_or(0.0);
        let by_zero = matches!(function, "divide" | "floor_divide" | "remainder") && last == 0.0;
        let (bit, what) = if !value.dtype().is_float() && by_zero {
            (DIVIDE, "divide by zero")
        } else if found.is_nan() && !each().any(f64::is_nan) {
            (INVALID, "invalid value")
        } else if found.is_infinite() && each().all(f64::is_finite) {
            let divided = match function {
                "divide" | "floor_divide" | "remainder" => by_zero,
                "power" => each().next() == Some(0.0),
                _ => poles,
            };
            if divided { (DIVIDE, "divide by zero") } else { (OVER, "overflow") }
        } else {
            continue;
        };
        if raises & bit != 0 {
            let text = format!("{what} encountered in {called}");
            return Err(Complaint::new(Kind::FloatingPoint, text));
        }
    }
    Ok(())
}
