//! The singular value decomposition, and QR.

use crate::factor::{Factor, factored, inverse_gaps, leading, removed};
use crate::maps::{
    Chain, batch, diagonal, each, element, floats, identity, kept, left, matrices, placed, resized,
    right, room, scaled, sizes, skew, swapped, weighted,
};
use crate::triangular::Triangular;
use std::rc::Rc;
use vjp_maths::{Array, Formula, LinearMap, Variable};
use vjp_ops::{Forms, Out, entries};
use vjp_tensor::budget::refuse;
use vjp_tensor::matrix::{householder, singular};
use vjp_tensor::{Complaint, ElementMap, Fact, Kind, Outcome, Tensor, complain};

/// `A = U diag(s) Vᵀ`; results U, s, Vᵀ, and the square U and Vᵀ.
#[derive(Debug)]
struct Svd {
    full: bool,
}

const U: usize = 0;
const S: usize = 1;
const VT: usize = 2;
const FULL_U: usize = 3;

impl Factor for Svd {
    const NAME: &'static str = "svd";
    const GRAD_FN: &'static str = "LinalgSvdBackward0";

    fn code(&self, which: usize, a: &str) -> Option<String> {
        Some(match which {
            S => format!("torch.linalg.svdvals({a})"),
            U | VT => format!("torch.linalg.svd({a}, full_matrices=False)[{which}]"),
            _ => format!("torch.linalg.svd({a})[{}]", 2 * (which - FULL_U)),
        })
    }

    fn parts(&self, a: &Tensor) -> Outcome<Vec<Tensor>> {
        let own = a.shape();
        let (m, n) = sizes(own);
        let k = m.min(n);
        let mut parts: Vec<Vec<f64>> = vec![Vec::new(); 5];
        for (at, matrix) in each(a)? {
            let Some((u, s, vt)) = singular::svd(&matrix, self.full)? else {
                complain!(
                    Kind::LinAlg, Fact::NoSingularValues;
                    "linalg.svd: {}The algorithm failed to converge because the input matrix contained non-finite values.",
                    element(a, at)
                );
            };
            parts[U].extend(u.resized(m, k).data);
            parts[S].extend(s);
            parts[VT].extend(vt.resized(k, n).data);
            if self.full {
                parts[FULL_U].extend(u.data);
                parts[FULL_U + 1].extend(vt.data);
            }
        }
        let flat = [batch(own), &[k]].concat();
        let mut shapes = vec![resized(own, m, k), flat, resized(own, k, n)];
        if self.full {
            shapes.extend([resized(own, m, m), resized(own, n, n)]);
        }
        Ok(shapes.iter().zip(parts).map(|(to, data)| Tensor::typed(to, data, a.dtype())).collect())
    }

    /// With P = Uᵀ dA V and Eᵢⱼ = 1/(sⱼ² − sᵢ²): ds = diag P, dU = U skew(E ∘ P S) + (I − UUᵀ) dA V S⁻¹,
    /// dVᵀ = −skew(E ∘ S P) Vᵀ + S⁻¹ Uᵀ dA (I − VVᵀ) (Giles 2008, 3.2, in the form of PyTorch).
    fn linear<A: Array>(
        &self,
        which: usize,
        own: &[usize],
        part: &dyn Fn(usize) -> A,
    ) -> LinearMap<A> {
        let (m, n) = sizes(own);
        let k = m.min(n);
        let (u, s, vt) = (part(U), part(S), part(VT));
        let (ut, v) = (u.swap(), vt.swap());
        let inner = || Chain::from(own).left(ut.clone()).right(v.clone());
        if which == S {
            return inner().then(diagonal).done();
        }
        let square = resized(own, k, k);
        let flat = s.shape();
        let along = |x: &A, rows: usize, columns: usize| {
            x.gather(&ElementMap::reshape(&flat, &resized(own, rows, columns)))
        };
        let e = inverse_gaps(&s.mul(&s), &square);
        let inverse = match Formula::In(s.clone()).reciprocal() {
            Formula::In(a) => a,
            Formula::Const(c) => s.full(&flat, c),
        };
        let minus = |map: LinearMap<A>| {
            let to = map.to().to_vec();
            LinearMap::Then(vec![map, scaled(-1.0, &to)])
        };
        let of_u = which == U || which == FULL_U;
        let turned = |by: A| {
            inner()
                .then(|x| weighted(by.expand(&square), x))
                .then(|x| weighted(e.clone(), x))
                .then(skew)
        };
        let reduced = if of_u {
            let along_columns = turned(along(&s, 1, k)).left(u.clone()).done();
            let mut sum = vec![along_columns];
            if m > k {
                let outside = Chain::from(own)
                    .right(v)
                    .then(|x| weighted(along(&inverse, 1, k).expand(x), x));
                sum.push(
                    outside
                        .then(|x| {
                            let inside = Chain::from(x).left(ut).left(u).done();
                            LinearMap::Plus(vec![scaled(1.0, x), minus(inside)])
                        })
                        .done(),
                );
            }
            LinearMap::Plus(sum)
        } else {
            let along_rows = minus(turned(along(&s, k, 1)).right(vt.clone()).done());
            let mut sum = vec![along_rows];
            if n > k {
                let outside = Chain::from(own)
                    .left(ut)
                    .then(|x| weighted(along(&inverse, k, 1).expand(x), x));
                sum.push(
                    outside
                        .then(|x| {
                            let inside = Chain::from(x).right(v).right(vt).done();
                            LinearMap::Plus(vec![scaled(1.0, x), minus(inside)])
                        })
                        .done(),
                );
            }
            LinearMap::Plus(sum)
        };
        if which <= VT {
            return reduced;
        }
        // Beyond the singular vectors proper nothing is determined, and no slope is given.
        let from = reduced.to().to_vec();
        let to = if of_u { (m, m) } else { (n, n) };
        let inside = placed(&from, to, |i, j| {
            let keep = if of_u { j < k } else { i < k };
            keep.then_some((i, j))
        });
        LinearMap::Then(vec![reduced, inside])
    }
}

/// Results of the decomposition by number: U, s, Vᵀ.
///
/// # Errors
/// Not matrices, or not of floats.
pub fn svd(x: &Variable, full: bool, which: &[usize], name: &str) -> Outcome<Vec<Variable>> {
    matrices(x, name)?;
    floats(x, name)?;
    factored(Svd { full }, x, which)
}

/// Singular values.
///
/// # Errors
/// Not matrices, or not of floats.
pub fn svdvals(x: &Variable) -> Outcome<Variable> {
    Ok(svd(x, false, &[S], "linalg.svd")?.swap_remove(0))
}

/// `A = Q R`.
#[derive(Debug)]
struct Qr {
    complete: bool,
    /// R was asked for alone.
    alone: bool,
}

impl Factor for Qr {
    const NAME: &'static str = "qr";
    const GRAD_FN: &'static str = "LinalgQrBackward0";

    fn code(&self, which: usize, a: &str) -> Option<String> {
        let mode = if self.complete { ", mode='complete'" } else { "" };
        Some(format!("torch.linalg.qr({a}{mode})[{which}]"))
    }

    fn parts(&self, a: &Tensor) -> Outcome<Vec<Tensor>> {
        let own = a.shape();
        let (m, n) = sizes(own);
        let k = if self.complete { m } else { m.min(n) };
        let shapes = [if self.alone { vec![0] } else { resized(own, m, k) }, resized(own, k, n)];
        let (mut qs, mut rs) = (room(&shapes[0])?, room(&shapes[1])?);
        for (_, matrix) in each(a)? {
            let (q, r) = householder::qr(&matrix, k)?;
            if !self.alone {
                qs.extend(q.data);
            }
            rs.extend(r.data);
        }
        Ok(vec![Tensor::typed(&shapes[0], qs, a.dtype()), Tensor::typed(&shapes[1], rs, a.dtype())])
    }

    /// With C = Qᵀ dA R⁻¹ (of the first columns) and Ω = C's strict lower triangle minus its transpose:
    /// dQ = Q Ω + (I − QQᵀ) dA R⁻¹, dR = Qᵀ dA − Ω R (Walter and Lehmann 2018).
    fn linear<A: Array>(
        &self,
        which: usize,
        own: &[usize],
        part: &dyn Fn(usize) -> A,
    ) -> LinearMap<A> {
        let (m, n) = sizes(own);
        let k = m.min(n);
        let to = if which == 0 {
            resized(own, m, if self.complete { m } else { k })
        } else {
            resized(own, if self.complete { m } else { k }, n)
        };
        let complaint = if self.alone {
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr."
        } else if self.complete && m > n {
            "The QR decomposition is not differentiable when mode='complete' and nrows > ncols."
        } else {
            ""
        };
        if !complaint.is_empty() {
            refuse(Complaint::new(Kind::Runtime, complaint));
            let from = own.to_vec();
            return LinearMap::Zero { from, to };
        }
        let (q, r) = (part(0), part(1));
        let first = leading::<A>(r.shape().as_slice(), k, k).apply(&r);
        let square = resized(own, k, k);
        let eye = identity(&r, &square);
        let inverse = A::run(Rc::new(Triangular::upper()), &[&first, &eye], &square);
        let columns = || Chain::from(own).then(|x| leading(x, m, k));
        let omega = columns()
            .left(q.swap())
            .right(inverse.clone())
            .then(|x| kept(x, |i, j| i > j))
            .then(skew);
        if which == 1 {
            let minus = omega.right(r).then(|x| scaled(-1.0, x)).done();
            return LinearMap::Plus(vec![left(q.swap(), own), minus]);
        }
        let turned = omega.left(q.clone()).done();
        if m <= k {
            return turned;
        }
        let outside = columns().right(inverse).then(|x| {
            let inside = Chain::from(x).left(q.swap()).left(q).then(|x| scaled(-1.0, x)).done();
            LinearMap::Plus(vec![scaled(1.0, x), inside])
        });
        LinearMap::Plus(vec![turned, outside.done()])
    }
}

fn qr(x: &Variable, mode: &str) -> Outcome<Out> {
    matrices(x, "linalg.qr")?;
    floats(x, "linalg.qr")?;
    let complete = match mode {
        "reduced" | "r" => false,
        "complete" => true,
        other => complain!(
            "qr received unrecognized mode '{other}' but expected one of 'reduced' (default), 'r', or 'complete'"
        ),
    };
    let alone = mode == "r";
    let parts = factored(Qr { complete, alone }, x, &[0, 1])?;
    Ok(Out::Named("linalg_qr", ["Q", "R"].into_iter().zip(parts).collect()))
}

const L: Forms = Forms::LINALG;

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "svd" L, "(Tensor A, bool full_matrices=True, *, str driver=None)", "A = U diag(s) Vᵀ; ds = diag(Uᵀ dA V)", "torch.linalg.svd(tensor([[3., 0.], [4., 5.]]))", ["svdvals", "eigh", "pinv"] jax "jnp.linalg.svd({A}, full_matrices={full_matrices})"
        => |b| {
            if b.has(2) {
                complain!("torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.");
            }
            let full = b.bool_or(1, true);
            let which: &[usize] = if full { &[FULL_U, S, FULL_U + 1] } else { &[U, S, VT] };
            let parts = svd(&b.tensor(0)?, full, which, "linalg.svd")?;
            Ok(Out::Named("linalg_svd", ["U", "S", "Vh"].into_iter().zip(parts).collect()))
        };
    "svd" Forms::TORCH.and(Forms::METHOD), "(Tensor input, bool some=True, bool compute_uv=True)", "A = U diag(s) Vᵀ; ds = diag(Uᵀ dA V)", "torch.svd(tensor([[3., 0.], [4., 5.]]))", ["svdvals"] jax "-"
        => |b| {
            let rank = b.tensor(0)?.rank();
            if rank < 2 {
                complain!(
                    Kind::Runtime, Fact::NoMatrix;
                    "linalg.svd: input should have at least 2 dimensions, but has {rank} dimensions instead"
                );
            }
            let full = !b.bool_or(1, true);
            let which: &[usize] = if full { &[FULL_U, S, FULL_U + 1] } else { &[U, S, VT] };
            let mut parts = svd(&b.tensor(0)?, full, which, "linalg.svd")?;
            let vt = parts.swap_remove(2);
            parts.push(vjp_ops::arrange::layout::transpose(&vt, -2, -1)?);
            if !b.bool_or(2, true) {
                // As PyTorch: matrices of zeros instead.
                for k in [0, 2] {
                    let zeros = Tensor::filled(&parts[k].shape(), 0.0, parts[k].dtype())?;
                    parts[k] = Variable::constant(zeros);
                }
            }
            Ok(Out::Named("svd", ["U", "S", "V"].into_iter().zip(parts).collect()))
        };
    "svdvals" L.and(Forms::SHORT), "(Tensor A, *, str driver=None)", "singular values; ds = diag(Uᵀ dA V)", "torch.linalg.svdvals(tensor([[3., 0.], [4., 5.]]))", ["svd", "matrix_norm"] jax "jnp.linalg.svdvals({A})"
        => |b| Ok(Out::One(svdvals(&b.tensor(0)?)?));
    "qr" L, "(Tensor A, str mode='reduced')", "A = Q R, Q with orthonormal columns, R upper triangular; with M = Qᵀ dA R⁻¹, Ω = tril(M, −1) − tril(M, −1)ᵀ: dQ = Q(Ω − M) + dA R⁻¹, dR = (M − Ω) R", "torch.linalg.qr(tensor([[3., 1.], [4., 2.]]))", ["svd", "solve_triangular"] jax "jnp.linalg.qr({A})"
        => |b| {
            let mode = b.str_or(1, "reduced").to_owned();
            qr(&b.tensor(0)?, &mode)
        };
    "qr" Forms::TORCH.and(Forms::METHOD), "(Tensor input, bool some=True)", "removed: torch.linalg.qr", "torch.linalg.qr(torch.eye(2))", ["svd"] jax "jnp.linalg.qr({input})"
        => |b| {
            let some = b.bool_or(1, true);
            let (value, mode) = if some { ("True", "reduced") } else { ("False", "complete") };
            removed(&format!("`torch.qr` is deprecated in favor of `torch.linalg.qr` and the boolean parameter `some` has been replaced with a string parameter `mode`.\n\nQ, R = torch.qr(A) should be replaced with:\nQ, R = torch.linalg.qr(A, mode='reduced')\n\nand\n\nQ, R = torch.qr(A, some=False) should be replaced with:\nQ, R = torch.linalg.qr(A, mode='complete')\n\nSince `some` was set to {value}, use mode='{mode}'."))
        };
};

/// `X ↦ a X b`, kept here for the pseudo-inverse.
pub(crate) fn between<A: Array>(a: A, b: A, own: &[usize]) -> LinearMap<A> {
    let first = left(a, own);
    let to = first.to().to_vec();
    LinearMap::Then(vec![first, right(b, &to)])
}

/// `X ↦ Xᵀ` first.
pub(crate) fn transposing<A: Array>(
    own: &[usize],
    map: impl FnOnce(&[usize]) -> LinearMap<A>,
) -> LinearMap<A> {
    let first = swapped(own);
    let to = first.to().to_vec();
    LinearMap::Then(vec![first, map(&to)])
}
