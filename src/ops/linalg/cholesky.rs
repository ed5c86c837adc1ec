//! Linear equations and inverses from Cholesky's factor.

use crate::maps::{identity, sizes};
use crate::square;
use crate::triangular::{Triangular, solve};
use std::cmp::Ordering;
use std::rc::Rc;
use vjp_maths::{Variable, apply};
use vjp_ops::arrange::layout;
pub use vjp_ops::compose::grouped;
use vjp_ops::product::matmul::matmul;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::{Fact, Kind, Outcome, complain};

/// `torch.cholesky_solve(b, l)`.
fn cholesky_solve(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "cholesky_solve", "CholeskySolveBackward0", 0b11, &[0, 1])?;
    let (y, l, upper) = (b.tensor(0)?, b.tensor(1)?, b.bool_or(2, false));
    for v in [&y, &l] {
        if v.rank() < 2 {
            complain!(
                "{} should have at least 2 dimensions, but has {} dimensions instead",
                if v.same(&y) { "b" } else { "u" },
                v.rank()
            );
        }
    }
    let l = if upper { layout::transpose(&l, -2, -1)? } else { l };
    let (m, n) = sizes(&l.shape());
    if m != n {
        complain!(
            Kind::Runtime, Fact::NotSquare;
            "A must be batches of square matrices, but they are {m} by {n} matrices"
        );
    }
    let (rows, columns) = sizes(&y.shape());
    if rows != n {
        complain!(
            "Incompatible matrix sizes for cholesky_solve: each A matrix is {m} by {n} but each b matrix is {rows} by {columns}"
        );
    }
    let x = if is_lower(&l) {
        // PyTorch's slope is that of (L Lᵀ)⁻¹ B in every element of L, also in those that are 0.
        solve(&matmul(&l, &layout::transpose(&l, -2, -1)?)?, &y, true)?
    } else {
        let half = apply(Rc::new(Triangular::lower()), &[l.clone(), y])?;
        let upper = layout::transpose(&l, -2, -1)?;
        apply(Rc::new(Triangular::upper()), &[upper, half])?
    };
    Ok(Out::One(group.output(&x)?))
}

/// Whether nothing stands above the diagonals, and no 0 on them.
fn is_lower(l: &Variable) -> bool {
    let (n, value) = (sizes(&l.shape()).0, l.value());
    let fits = |(at, v): (usize, &f64)| match (at / n % n).cmp(&(at % n)) {
        Ordering::Less => *v == 0.0,
        Ordering::Equal => *v != 0.0,
        Ordering::Greater => true,
    };
    value.data().iter().enumerate().all(fits)
}

fn cholesky_inverse(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "cholesky_inverse", "CholeskyInverseBackward0", 1, &[0])?;
    let (l, upper) = (b.tensor(0)?, b.bool_or(1, false));
    square(&l.shape(), "cholesky_inverse")?;
    let l = if upper { layout::transpose(&l, -2, -1)? } else { l };
    let own = l.shape();
    let n = sizes(&own).0;
    let values = l.value();
    let zero = |k: &usize| values.data()[*k] == 0.0;
    let mut diagonal = (0..values.numel()).filter(|k| k % n == k / n % n);
    if let Some(k) = diagonal.find(zero) {
        complain!(
            Kind::LinAlg,
            "cholesky_inverse: {}The diagonal element {} is zero, the inversion could not be completed because the input matrix is singular.",
            crate::maps::element(&values, k / n / n),
            k % n + 1
        );
    }
    let eye = Variable::constant(identity(&l.value(), &own));
    if l.requires_grad() && is_lower(&l) {
        // As above: PyTorch's slope is that of (L Lᵀ)⁻¹.
        let whole = matmul(&l, &layout::transpose(&l, -2, -1)?)?;
        return Ok(Out::One(group.output(&solve(&whole, &eye, true)?)?));
    }
    let inverse = apply(Rc::new(Triangular::lower()), &[l, eye])?;
    let x = matmul(&layout::transpose(&inverse, -2, -1)?, &inverse)?;
    Ok(Out::One(group.output(&x)?))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "cholesky_solve" BOTH, "(Tensor B, Tensor L, bool upper=False)", "X with L Lᵀ X = B; with A = L Lᵀ: dX = A⁻¹(dB − dA X)", "torch.cholesky_solve(torch.ones(2, 1), torch.eye(2))", ["cholesky", "solve"] jax "jax.scipy.linalg.cho_solve(({L}, True), {B})"
        => cholesky_solve;
    "cholesky_inverse" BOTH, "(Tensor L, bool upper=False)", "(L Lᵀ)⁻¹; dY = −Y d(L Lᵀ) Y", "torch.cholesky_inverse(tensor([[2., 0.], [1., 1.]]))", ["cholesky"] jax "-"
        => cholesky_inverse;
};
