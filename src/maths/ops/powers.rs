//! Whole powers of matrices.

use super::linalg::{inverse, square};
use super::matmul::matmul;
use crate::maths::complaint::Outcome;
use crate::maths::shape;
use crate::maths::tensor::Tensor;
use crate::maths::variable::Variable;

/// `torch.linalg.matrix_power(x, n)`, by repeated squaring.
///
/// # Errors
/// Not square; singular where `n` is negative.
pub fn power(x: &Variable, n: i64) -> Outcome<Variable> {
    let (batch, size) = square(&x.shape(), "linalg.matrix_power")?;
    if n == 0 {
        let mut to = batch;
        to.extend([size, size]);
        let all: usize = shape::count(&to)?;
        let one = |k: usize| f64::from(u8::from(k / size % size == k % size));
        let eye = Tensor::typed(&to, (0..all).map(one).collect(), x.dtype());
        return Ok(Variable::constant(eye));
    }
    let base = if n < 0 { inverse(x)? } else { x.clone() };
    let mut square = base.clone();
    let (mut rest, mut result) = (n.unsigned_abs(), None::<Variable>);
    while rest > 0 {
        if rest & 1 == 1 {
            result = Some(match result {
                Some(r) => matmul(&r, &square)?,
                None => square.clone(),
            });
        }
        rest >>= 1;
        if rest > 0 {
            square = matmul(&square, &square)?;
        }
    }
    Ok(result.unwrap_or(base))
}
