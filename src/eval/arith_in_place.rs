//! Augmented assignment to tensors and arrays: `x += y` written in place.

use super::arith::name;
use super::machine::Machine;
use super::raise::Halt;
use super::value::Value;
use vjp_maths::complaint::Kind;
use vjp_maths::tensor::Tensor;
use vjp_maths::variable::Variable;
use vjp_syntax::ast::BinaryOp;

impl Machine {
    /// `x += y` on a tensor or an array: written in place; None where Python falls back to `x = x + y`.
    pub(super) fn in_place(
        &mut self,
        op: BinaryOp,
        old: &Value,
        operand: &Value,
    ) -> Result<Option<Value>, Halt> {
        let (Value::Tensor(x) | Value::Array(x)) = old else {
            return Ok(None);
        };
        if op == BinaryOp::MatMul {
            return Ok(None);
        }
        let with = matches!(operand, Value::Tensor(v) if v.requires_grad());
        x.check_writable(with)?;
        if matches!(old, Value::Tensor(_)) {
            let beside = if let Value::Tensor(v) = operand { Some(v) } else { None };
            vjp_maths::overlap::check(name(op), x, beside.as_slice())?;
        }
        let result = match self.binary(op, old, operand)? {
            Value::Tensor(r) | Value::Array(r) => r,
            Value::NpScalar(r, d) => Variable::constant(Tensor::scalar(r).to_dtype(d)),
            _ => return Ok(None),
        };
        if matches!(old, Value::Array(_)) && !result.dtype().can_cast(x.dtype()) {
            let ufunc = match name(op) {
                "sub" => "subtract",
                "mul" => "multiply",
                "div" => "divide",
                "pow" => "power",
                other => other,
            };
            crate::raise!(
                Kind::Ufunc,
                "Cannot cast ufunc '{ufunc}' output from dtype('{}') to dtype('{}') with casting rule 'same_kind'",
                result.dtype().name(),
                x.dtype().name()
            );
        }
        x.update(&result)?;
        Ok(Some(old.clone()))
    }
}
