//! Linear equations and inverses from Cholesky's factor.

use crate::maps::{identity, sizes};
use crate::square;
use crate::triangular::{Triangular, solve};
use std::rc::Rc;
use vjp_maths::autodiff::variable::{Variable, apply};
use vjp_maths::table;
use vjp_ops::arguments::{Bound, Out};
use vjp_ops::arrange::layout;
use vjp_ops::entries;
use vjp_ops::entry::Forms;
use vjp_ops::product::matmul::matmul;
pub use vjp_ops::recorded::grouped;
use vjp_tensor::complain;
use vjp_tensor::complaint::{Fact, Kind, Outcome};

/// `torch.cholesky_solve(b, l)`.
fn cholesky_solve(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "cholesky_solve", "CholeskySolveBackward0", 0b11, &[0, 1])?;
    let (y, l, upper) = (b.tensor(0)?, b.tensor(1)?, b.bool_or(2, false));
    for v in [&y, &l] {
        if v.rank() < 2 {
            complain!(
                Kind::Runtime,
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
            Kind::Runtime,
            "Incompatible matrix sizes for cholesky_solve: each A matrix is {m} by {n} but each b matrix is {rows} by {columns}"
        );
    }
    let x = if (0..l.numel()).all(|k| k % n != k / n % n || l.value().data()[k] != 0.0) {
        solve(&squared(&l)?, &y, true)?
    } else {
        let half = apply(Rc::new(Triangular::lower()), &[l.clone(), y])?;
        let upper = layout::transpose(&l, -2, -1)?;
        apply(Rc::new(Triangular::upper()), &[upper, half])?
    };
    Ok(Out::One(group.output(&x)?))
}

/// `L Lᵀ` of the lower triangle of `l`. PyTorch's slope is that of all of `l` times its transpose, whatever stands
/// above the diagonal: what that adds is taken off again, as a constant.
fn squared(l: &Variable) -> Outcome<Variable> {
    let whole = matmul(l, &layout::transpose(l, -2, -1)?)?;
    let (n, value) = (sizes(&l.shape()).0, l.value());
    let above = |k: usize| k % n > k / n % n;
    if value.data().iter().enumerate().all(|(k, v)| !above(k) || *v == 0.0) {
        return Ok(whole);
    }
    let mut lower = value.clone();
    let slots = lower.data_mut().iter_mut().enumerate();
    slots.filter(|(k, _)| above(*k)).for_each(|(_, v)| *v = 0.0);
    let lower = Variable::constant(lower);
    let own = matmul(&lower, &layout::transpose(&lower, -2, -1)?)?;
    table::add(&whole, &table::sub(&own, &whole.detach())?)
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
    if l.requires_grad() {
        return Ok(Out::One(group.output(&solve(&squared(&l)?, &eye, true)?)?));
    }
    let inverse = apply(Rc::new(Triangular::lower()), &[l, eye])?;
    let x = matmul(&layout::transpose(&inverse, -2, -1)?, &inverse)?;
    Ok(Out::One(group.output(&x)?))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);

pub static ENTRIES: &[vjp_ops::entry::Entry] = entries! {
    "cholesky_solve" BOTH, "(Tensor B, Tensor L, bool upper=False)", "X with L Lᵀ X = B; with A = L Lᵀ: dX = A⁻¹(dB − dA X)", "torch.cholesky_solve(torch.ones(2, 1), torch.eye(2))", ["cholesky", "solve"] jax "jax.scipy.linalg.cho_solve(({L}, True), {B})"
        => cholesky_solve;
    "cholesky_inverse" BOTH, "(Tensor L, bool upper=False)", "(L Lᵀ)⁻¹; dY = −Y d(L Lᵀ) Y", "torch.cholesky_inverse(tensor([[2., 0.], [1., 1.]]))", ["cholesky"] jax "-"
        => cholesky_inverse;
};
