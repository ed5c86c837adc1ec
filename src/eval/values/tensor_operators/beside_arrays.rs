//! A tensor beside a NumPy array, as PyTorch and NumPy share the work: a tensor leaves an array to NumPy, which
//! reads the tensor's numbers and gives a tensor back; an array knows nothing of tensors.

use super::nested::check_detached;
use super::{array_operand, call, numpy};
use crate::{Tried, Value};
use vjp_maths::Variable;
use vjp_ops::Arg;
use vjp_syntax::ast::{BinaryOp, CompareOp};
use vjp_tensor::{Dtype, Kind, Outcome};

/// Whether one is a tensor and the other an array.
pub(crate) fn are_mixed(a: &Value, b: &Value) -> bool {
    matches!((a, b), (Value::Tensor(_), Value::Array(_)) | (Value::Array(_), Value::Tensor(_)))
}

/// `a op b` of such; None where Python says that they do not go together.
///
/// # Errors
/// A tensor with a history; what NumPy says.
pub(super) fn binary(op: BinaryOp, a: &Value, b: &Value) -> Tried<Option<Value>> {
    match (a, b, op) {
        (Value::Tensor(t), _, _) => by_numpy(op, t, b),
        // `a / t` is the product with the reciprocal.
        (_, Value::Tensor(t), BinaryOp::Div) => {
            let inverse = call("reciprocal", vec![Arg::Tensor(t.clone())])?;
            by_numpy(BinaryOp::Mul, &inverse, a)
        }
        (_, _, BinaryOp::Add) => crate::raise!(
            Kind::Type,
            "Concatenation operation is not implemented for NumPy arrays, use np.concatenate() instead. Please do not rely on this error; it may not be given on all Python implementations."
        ),
        _ => Ok(None),
    }
}

fn by_numpy(op: BinaryOp, t: &Variable, array: &Value) -> Tried<Option<Value>> {
    check_detached(t)?;
    numpy(op, &Value::Array(t.clone()), array)?.map(|v| Ok(to_tensor(&v)?)).transpose()
}

/// What NumPy gave as the tensor that PyTorch makes of it: of bools one of bytes.
pub fn to_tensor(v: &Value) -> Outcome<Value> {
    let Some(x) = array_operand(v, None).ok().flatten() else { return Ok(v.clone()) };
    let x = x.value();
    let x = if x.dtype() == Dtype::Bool { x.to_dtype(Dtype::Uint8) } else { x };
    Ok(Value::Tensor(Variable::constant(x)))
}

/// Whether such are compared by elements, which only `==` does; `!=` asks whether they are one object.
pub(super) fn compare(op: CompareOp) -> Option<Option<Value>> {
    match op {
        CompareOp::Eq => None,
        CompareOp::Ne => Some(Some(Value::Bool(true))),
        _ => Some(None),
    }
}
