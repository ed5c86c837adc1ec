//! Factorisations with several results. Each result is a node of its own; a derivative that needs
//! another of the results asks for it, so that any order of derivative follows.

use crate::maps::{
    Chain, diagonal, each, element, floats, identity, kept, placed, resized, room, scaled, sizes,
    swapped, weighted,
};
use std::cell::RefCell;
use std::rc::Rc;
use vjp_maths::{Array, Formula, LinearMap, Point, Rule, Saves, TorchNode, Variable, apply};
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::matrix::Matrix;
use vjp_tensor::matrix::symmetric::eigen;
use vjp_tensor::{Dtype, Fact, Kind, Outcome, Tensor, budget, complain};

/// How a batch of matrices comes apart.
pub trait Factor: std::fmt::Debug + 'static {
    const NAME: &'static str;
    const GRAD_FN: &'static str;
    /// Result `which` of `a` as PyTorch code, where PyTorch gives it so.
    fn code(&self, which: usize, a: &str) -> Option<String>;
    /// Its results in numbers.
    fn parts(&self, a: &Tensor) -> Outcome<Vec<Tensor>>;
    /// The derivative of result `which`; `part(k)` is result k as a coefficient.
    fn linear<A: Array>(
        &self,
        which: usize,
        own: &[usize],
        part: &dyn Fn(usize) -> A,
    ) -> LinearMap<A>;
}

#[derive(Debug)]
struct Shared<F> {
    factor: F,
    /// The matrices that were last factored, and the results.
    last: RefCell<Option<(Tensor, Vec<Tensor>)>>,
}

impl<F: Factor> Shared<F> {
    fn parts(&self, a: &Tensor) -> Outcome<Vec<Tensor>> {
        if let Some((of, parts)) = &*self.last.borrow()
            && of.shape() == a.shape()
            && of.dtype() == a.dtype()
            && of.data() == a.data()
        {
            return Ok(parts.clone());
        }
        let parts = self.factor.parts(a)?;
        *self.last.borrow_mut() = Some((a.clone(), parts.clone()));
        Ok(parts)
    }
}

/// One result of a factorisation.
#[derive(Debug)]
struct Part<F> {
    shared: Rc<Shared<F>>,
    which: usize,
}

impl<F: Factor> Rule for Part<F> {
    fn code(&self, inputs: &[String]) -> Option<String> {
        self.shared.factor.code(self.which, &inputs[0])
    }

    fn name(&self) -> &'static str {
        F::NAME
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        Ok(self.shared.parts(inputs[0])?.swap_remove(self.which))
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let own = at.values[0].shape();
        let part = |which: usize| {
            if which == self.which {
                return at.output.clone();
            }
            let op = Part { shared: self.shared.clone(), which };
            let to = match self.shared.parts(at.values[0]) {
                Ok(parts) => parts[which].shape().to_vec(),
                Err(_) => own.to_vec(),
            };
            A::run(Rc::new(op), &[at.inputs[0]], &to)
        };
        self.shared.factor.linear(self.which, own, &part)
    }
}

impl<F: Factor> TorchNode for Part<F> {
    fn grad_fn(&self) -> &'static str {
        F::GRAD_FN
    }

    fn saves(&self) -> Saves {
        Saves::Output
    }
}

/// The first `count` results of a factorisation of `x`.
pub fn factored<F: Factor>(factor: F, x: &Variable, which: &[usize]) -> Outcome<Vec<Variable>> {
    let shared = Rc::new(Shared { factor, last: RefCell::default() });
    which
        .iter()
        .map(|which| {
            let op = Part { shared: shared.clone(), which: *which };
            apply(Rc::new(op), std::slice::from_ref(x))
        })
        .collect()
}

/// `A = V diag(λ) Vᵀ` of symmetric matrices; results λ, V.
#[derive(Debug)]
struct Eigh {
    lower: bool,
}

impl Factor for Eigh {
    const NAME: &'static str = "eigh";
    const GRAD_FN: &'static str = "LinalgEighBackward0";

    fn code(&self, which: usize, a: &str) -> Option<String> {
        let half = if self.lower { "" } else { ", UPLO='U'" };
        Some(match which {
            0 => format!("torch.linalg.eigvalsh({a}{half})"),
            _ => format!("torch.linalg.eigh({a}{half})[1]"),
        })
    }

    fn parts(&self, a: &Tensor) -> Outcome<Vec<Tensor>> {
        let own = a.shape();
        let flat = &own[..own.len() - 1];
        let (mut values, mut vectors) = (room(flat)?, room(own)?);
        for (k, matrix) in each(a)? {
            let Some((l, v)) = eigen(&matrix, self.lower)? else {
                complain!(
                    Kind::LinAlg, Fact::NoEigenvalues;
                    "linalg.eigh: {}The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated eigenvalues (error code: {}).",
                    element(a, k),
                    sizes(own).0.saturating_sub(1)
                );
            };
            values.extend(l);
            vectors.extend(v.data);
        }
        Ok(vec![Tensor::typed(flat, values, a.dtype()), Tensor::typed(own, vectors, a.dtype())])
    }

    /// With dA symmetric: dλ = diag(Vᵀ dA V), dV = V (E ∘ Vᵀ dA V) with Eᵢⱼ = 1/(λⱼ − λᵢ), 0 on the diagonal
    /// (Giles 2008, 3.1).
    fn linear<A: Array>(
        &self,
        which: usize,
        own: &[usize],
        part: &dyn Fn(usize) -> A,
    ) -> LinearMap<A> {
        let v = part(1);
        let turned = Chain::from(own).then(symmetric).left(v.swap()).right(v.clone());
        if which == 0 {
            return turned.then(diagonal).done();
        }
        let e = inverse_gaps(&part(0), own);
        turned.then(|s| weighted(e, s)).left(v).done()
    }
}

/// `X ↦ (X + Xᵀ)/2`.
fn symmetric<A>(own: &[usize]) -> LinearMap<A> {
    LinearMap::Plus(vec![scaled(0.5, own), LinearMap::Then(vec![swapped(own), scaled(0.5, own)])])
}

/// `1/(xⱼ − xᵢ)` off the diagonal, 0 on it.
pub(crate) fn inverse_gaps<A: Array>(x: &A, own: &[usize]) -> A {
    use vjp_tensor::ElementMap;
    let n = sizes(own).1;
    let (row, column) = (resized(own, 1, n), resized(own, n, 1));
    let flat = x.shape();
    let along = x.gather(&ElementMap::reshape(&flat, &row)).expand(own);
    let down = x.gather(&ElementMap::reshape(&flat, &column)).expand(own);
    let gaps = along.add(&down.scale(-1.0)).add(&identity(x, own));
    let inverse = match Formula::In(gaps).reciprocal() {
        Formula::In(a) => a,
        Formula::Const(c) => x.full(own, c),
    };
    kept::<A>(own, |i, j| i != j).apply(&inverse)
}

/// `A = L Lᵀ`, or `UᵀU`; the one result is L or U.
#[derive(Debug)]
struct Cholesky {
    upper: bool,
    name: &'static str,
    /// What there is of L counts where there is no L.
    partial: bool,
}

impl Cholesky {
    /// L, and 0; or what there is of it where the matrix is not positive-definite, and the order of
    /// the leading minor that is not.
    fn of(&self, matrix: &Matrix) -> Outcome<(Vec<f64>, usize)> {
        let n = matrix.rows;
        let given = |i: usize, j: usize| match self.upper {
            true => matrix.at(j, i),
            false => matrix.at(i, j),
        };
        let mut l = vec![0.0; n * n];
        for j in 0..n {
            for i in budget::unless_stopped(j..n) {
                let s = (0..j).fold(given(i, j), |s, p| s - l[i * n + p] * l[j * n + p]);
                if i > j {
                    l[i * n + j] = s / l[j * n + j];
                } else if s > 0.0 {
                    l[j * n + j] = s.sqrt();
                } else {
                    // What follows is as it was given.
                    for (p, q) in (j..n).flat_map(|q| (q..n).map(move |p| (p, q))) {
                        l[p * n + q] = given(p, q);
                    }
                    l[j * n + j] = s;
                    return Ok((l, j + 1));
                }
            }
            budget::tick()?;
        }
        Ok((l, 0))
    }

    /// See [`Cholesky::of`].
    fn info(&self, a: &Tensor) -> Outcome<Tensor> {
        let order = |(_, m)| Ok(self.of(&m)?.1 as f64);
        let orders = each(a)?.map(order).collect::<Outcome<_>>()?;
        let to = crate::maps::batch(a.shape());
        Ok(Tensor::typed(to, orders, Dtype::Int32))
    }
}

impl Factor for Cholesky {
    const NAME: &'static str = "cholesky";
    const GRAD_FN: &'static str = "LinalgCholeskyExBackward0";

    fn code(&self, _: usize, a: &str) -> Option<String> {
        Some(format!("torch.linalg.cholesky({a}{})", if self.upper { ", upper=True" } else { "" }))
    }

    fn parts(&self, a: &Tensor) -> Outcome<Vec<Tensor>> {
        let own = a.shape();
        let mut out = room(own)?;
        for (k, matrix) in each(a)? {
            let n = matrix.rows;
            let (l, order) = self.of(&matrix)?;
            if order > 0 && !self.partial {
                complain!(
                    Kind::LinAlg, Fact::NotPositiveDefinite;
                    "{}: {}The factorization could not be completed because the input is not positive-definite (the leading minor of order {order} is not positive-definite).",
                    self.name,
                    element(a, k),
                );
            }
            out.extend((0..n * n).map(|k| {
                let (i, j) = if self.upper { (k % n, k / n) } else { (k / n, k % n) };
                l[i * n + j]
            }));
        }
        Ok(vec![Tensor::typed(own, out, a.dtype())])
    }

    /// dL = L Φ(L⁻¹ dA L⁻ᵀ), dA symmetric, Φ the lower triangle with half the diagonal (Giles 2008).
    fn linear<A: Array>(&self, _: usize, own: &[usize], part: &dyn Fn(usize) -> A) -> LinearMap<A> {
        let l = if self.upper { part(0).swap() } else { part(0) };
        let eye = identity(&l, own);
        let op = crate::triangular::Triangular::lower();
        let inverse = A::run(Rc::new(op), &[&l, &eye], own);
        let lower = LinearMap::Plus(vec![
            kept(own, |i, j| i > j),
            LinearMap::Then(vec![kept(own, |i, j| i == j), scaled(0.5, own)]),
        ]);
        let chain = Chain::from(own)
            .then(symmetric)
            .left(inverse.clone())
            .right(inverse.swap())
            .then(|_| lower)
            .left(l);
        if self.upper { chain.then(swapped).done() } else { chain.done() }
    }
}

fn uplo(b: &Bound, k: usize) -> Outcome<bool> {
    match b.str_or(k, "L") {
        "L" | "l" => Ok(true),
        "U" | "u" => Ok(false),
        other => {
            complain!("Expected UPLO argument to be 'L' or 'U', but got {other}")
        }
    }
}

/// Eigenvalues and, in columns, vectors of symmetric matrices.
///
/// # Errors
/// Not square, or not of floats.
pub fn eigh(x: &Variable, lower: bool, which: &[usize], name: &str) -> Outcome<Vec<Variable>> {
    crate::square(&x.shape(), name)?;
    floats(x, name)?;
    factored(Eigh { lower }, x, which)
}

fn cholesky(b: &mut Bound, name: &'static str, partial: bool) -> Outcome<(Variable, Variable)> {
    let x = b.tensor(0)?;
    crate::square(&x.shape(), name)?;
    floats(&x, name)?;
    let op = Cholesky { upper: b.bool_or(1, false), name, partial };
    let info = Variable::constant(op.info(&x.value())?);
    Ok((factored(op, &x, &[0])?.swap_remove(0), info))
}

/// What has complex results is not provided.
fn complex(name: &str) -> Outcome<Out> {
    complain!(
        Kind::NotImplemented,
        "{name}: eigenvalues of a general matrix are complex, which is not supported; for a symmetric matrix use torch.linalg.eigh or eigvalsh"
    );
}

/// What PyTorch had once.
pub(crate) fn removed(text: &str) -> Outcome<Out> {
    complain!("This function was deprecated since version 1.9 and is now removed. {text}")
}

const L: Forms = Forms::LINALG;

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "eigh" L.and(Forms::SHORT), "(Tensor A, str UPLO='L')", "A = V diag(λ) Vᵀ of a symmetric A; dλ = diag(Vᵀ dA V)", "torch.linalg.eigh(tensor([[2., 1.], [1., 2.]]))"
        & "a = [[2.05, 1.0798], [1.0103, 3.9731]]; torch.linalg.eigh(a + a.T)" & "a = [[2.05, 1.0798], [1.0103, 3.9731]]; torch.linalg.eigh(a + a.T, UPLO='U')" & "a = [[[1.05, 0.3, 0.2], [0.5, 2.6, 0.1], [0.4, 0.7, 4.8]], [[2.0, 0.3, 0.4], [0.5, 3.6, 0.1], [0.2, 0.7, 1.8]]]; torch.linalg.eigh(a @ a.mT)", ["eigvalsh", "svd"] jax "jnp.linalg.eigh(mirrored({A}))"
        => |b| {
            let lower = uplo(b, 1)?;
            let mut parts = eigh(&b.tensor(0)?, lower, &[0, 1], "linalg.eigh")?;
            let vectors = parts.swap_remove(1);
            Ok(Out::Named("linalg_eigh", vec![("eigenvalues", parts.swap_remove(0)), ("eigenvectors", vectors)]))
        };
    "eigvalsh" L.and(Forms::SHORT), "(Tensor A, str UPLO='L')", "λ of a symmetric A; dλ = diag(Vᵀ dA V)", "torch.linalg.eigvalsh(tensor([[2., 1.], [1., 2.]]))"
        & "a = [[2.05, 1.0798], [1.0103, 3.9731]]; torch.linalg.eigvalsh(a + a.T)" & "a = [[2.05, 1.0798], [1.0103, 3.9731]]; torch.linalg.eigvalsh(a + a.T, UPLO='U')"
        & "a = [[[1.05, 0.3, 0.2], [0.5, 2.6, 0.1], [0.4, 0.7, 4.8]], [[2.0, 0.3, 0.4], [0.5, 3.6, 0.1], [0.2, 0.7, 1.8]]]; torch.linalg.eigvalsh(a @ a.mT)", ["eigh", "svdvals"] jax "jnp.linalg.eigvalsh(mirrored({A}))"
        => |b| {
            let lower = uplo(b, 1)?;
            Ok(Out::One(eigh(&b.tensor(0)?, lower, &[0], "linalg.eigh")?.swap_remove(0)))
        };
    "eig" L, "(Tensor input)", "not available: the results are complex; see eigh", "torch.linalg.eigh(torch.eye(2))", ["eigh"] jax "-"
        => |_| complex("linalg.eig");
    "eigvals" L, "(Tensor input)", "not available: the results are complex; see eigvalsh", "torch.linalg.eigvalsh(torch.eye(2))", ["eigvalsh"] jax "jnp.linalg.eigvals({A})"
        => |_| complex("linalg.eigvals");
    "cholesky" L.and(Forms::SHORT), "(Tensor A, *, bool upper=False)", "A = L Lᵀ; dL = L Φ(L⁻¹ dA L⁻ᵀ)", "torch.linalg.cholesky(tensor([[4., 2.], [2., 3.]]))"
        & "a = [[2.05, 0.1], [0.3, 1.5]]; torch.linalg.cholesky(a @ a.T)" & "a = [[2.05, 0.1], [0.3, 1.5]]; torch.linalg.cholesky(a @ a.T, upper=True)" & "a = [[[1.05, 0.3, 0.2], [0.5, 2.6, 0.1], [0.4, 0.7, 4.8]], [[2.0, 0.3, 0.4], [0.5, 3.6, 0.1], [0.2, 0.7, 1.8]]]; torch.linalg.cholesky(a @ a.mT)", ["cholesky_solve", "eigh"] jax "jnp.linalg.cholesky(mirrored({A})) or [upper=True] jnp.linalg.cholesky(mirrored({A}.mT)).mT"
        => |b| Ok(Out::One(cholesky(b, "linalg.cholesky", false)?.0));
    "cholesky" Forms::TORCH.and(Forms::METHOD), "(Tensor input, bool upper=False)", "removed: torch.linalg.cholesky", "torch.linalg.cholesky(torch.eye(2))", ["cholesky_solve"] jax "-"
        => |_| removed("`torch.cholesky` is deprecated in favor of `torch.linalg.cholesky`.\nL = torch.cholesky(A) should be replaced with:\nL = torch.linalg.cholesky(A)\nU = torch.cholesky(A, upper=True) should be replaced with:\nU = torch.linalg.cholesky(A).mH");
    "cholesky_ex" L, "(Tensor A, *, bool upper=False, bool check_errors=False)", "L of A = L Lᵀ, and an error code, 0 on success; dL = L Φ(L⁻¹ dA L⁻ᵀ)", "torch.linalg.cholesky_ex(tensor([[4., 2.], [2., 3.]]))"
        & "a = [[2.05, 0.1], [0.3, 1.5]]; torch.linalg.cholesky_ex(a @ a.T)" & "a = [[2.05, 0.1], [0.3, 1.5]]; torch.linalg.cholesky_ex(a @ a.T, upper=True, check_errors=True)", ["cholesky"] jax "-"
        => |b| {
            let partial = !b.bool_or(2, false);
            let (l, info) = cholesky(b, "linalg.cholesky", partial)?;
            Ok(Out::Named("linalg_cholesky_ex", vec![("L", l), ("info", info)]))
        };
};

/// The first rows and columns of each matrix.
pub(crate) fn leading<A>(own: &[usize], m: usize, n: usize) -> LinearMap<A> {
    placed(own, (m, n), |i, j| Some((i, j)))
}
