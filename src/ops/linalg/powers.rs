//! Whole powers of matrices.

use crate::{inverse, square};
use std::rc::Rc;
use vjp_maths::{Fixed, LinearMap, Variable, apply, table};
use vjp_ops::arrange::layout;
pub use vjp_ops::compose::named;
use vjp_ops::product::matmul::matmul;
use vjp_tensor::{Outcome, Tensor, shape};

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
        if !x.requires_grad() {
            return Ok(Variable::constant(eye));
        }
        // Of no power nothing flows back but zeros.
        let own = x.shape();
        let none = LinearMap::Zero { from: own.clone(), to: own };
        let zeros = Fixed::new("matrix_power", "CopyBackwards", none);
        let zeros = apply(Rc::new(zeros), std::slice::from_ref(x))?;
        let sum = table::add(&zeros, &Variable::constant(eye))?;
        return named(&sum, "matrix_power", "CopyBackwards");
    }
    if n == 1 {
        return layout::clone(x);
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
