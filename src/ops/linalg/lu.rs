//! LU with row exchanges, and solving with it.

use super::determinant::factor;
use crate::factor::{Factor, factored, leading};
use crate::maps::{Chain, batch, each, floats, identity, kept, resized, room, scaled, sizes};
use crate::triangular::{Triangular, fitting};
use std::rc::Rc;
use vjp_maths::{Array, LinearMap, Variable, apply};
use vjp_ops::arrange::layout;
use vjp_ops::product::matmul::matmul;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::matrix::Matrix;
use vjp_tensor::{Dtype, Outcome, Tensor, budget, complain, torch_messages};

/// `A = P L U`; results P, L, U, and L and U in one.
#[derive(Debug)]
struct Lu;

const P: usize = 0;
const L: usize = 1;
const U: usize = 2;

/// One matrix in place: the order of its rows.
fn decomposed(a: &mut Matrix) -> Outcome<Vec<usize>> {
    let (m, n) = (a.rows, a.columns);
    if m == n {
        return Ok(factor(&mut a.data, n)?.0);
    }
    let mut rows: Vec<usize> = (0..m).collect();
    for k in 0..m.min(n) {
        let top = (k..m).fold(k, |t, i| if a.at(i, k).abs() > a.at(t, k).abs() { i } else { t });
        if a.at(top, k) == 0.0 {
            continue;
        }
        a.swap_rows(k, top);
        rows.swap(k, top);
        for i in budget::unless_stopped(k + 1..m) {
            let f = a.at(i, k) / a.at(k, k);
            a.set(i, k, f);
            for j in k + 1..n {
                a.set(i, j, a.at(i, j) - f * a.at(k, j));
            }
        }
        budget::tick()?;
    }
    Ok(rows)
}

impl Factor for Lu {
    const NAME: &'static str = "lu";
    const GRAD_FN: &'static str = "LinalgLuBackward0";

    fn code(&self, which: usize, a: &str) -> Option<String> {
        (which <= U).then(|| format!("torch.linalg.lu({a})[{which}]"))
    }

    fn parts(&self, a: &Tensor) -> Outcome<Vec<Tensor>> {
        let own = a.shape();
        let (m, n) = sizes(own);
        let k = m.min(n);
        let shapes = [resized(own, m, m), resized(own, m, k), resized(own, k, n), own.to_vec()];
        let mut data = [room(&shapes[0])?, room(&shapes[1])?, room(&shapes[2])?, room(own)?];
        for (_, mut matrix) in each(a)? {
            let rows = decomposed(&mut matrix)?;
            let mut p = vec![0.0; m * m];
            for (to, from) in rows.iter().enumerate() {
                p[from * m + to] = 1.0;
            }
            data[P].extend(p);
            for i in 0..m {
                data[L].extend((0..k).map(|j| match i.cmp(&j) {
                    std::cmp::Ordering::Less => 0.0,
                    std::cmp::Ordering::Equal => 1.0,
                    std::cmp::Ordering::Greater => matrix.at(i, j),
                }));
            }
            for i in 0..k {
                data[U].extend((0..n).map(|j| if i <= j { matrix.at(i, j) } else { 0.0 }));
            }
            data[3].extend(matrix.data);
        }
        Ok(shapes.iter().zip(data).map(|(to, data)| Tensor::typed(to, data, a.dtype())).collect())
    }

    /// With C = L₁⁻¹ (Pᵀ dA)₁ U₁⁻¹ of the leading square: dL = L tril(C, −1), dU = triu(C) U, and
    /// what lies beyond the square from d(L U) = Pᵀ dA.
    fn linear<A: Array>(
        &self,
        which: usize,
        own: &[usize],
        part: &dyn Fn(usize) -> A,
    ) -> LinearMap<A> {
        let (m, n) = sizes(own);
        let k = m.min(n);
        if which == P {
            return LinearMap::Zero { from: own.to_vec(), to: resized(own, m, m) };
        }
        let (p, l, u) = (part(P), part(L), part(U));
        let square = resized(own, k, k);
        let eye = identity(&u, &square);
        let first = |x: &A| leading::<A>(&x.shape(), k, k).apply(x);
        let under = A::run(Rc::new(Triangular::lower()), &[&first(&l), &eye], &square);
        let over = A::run(Rc::new(Triangular::upper()), &[&first(&u), &eye], &square);
        let turned = || Chain::from(own).left(p.swap());
        let inner = || turned().then(|x| leading(x, k, k)).left(under.clone()).right(over.clone());
        let below = |i: usize, j: usize| i > j;
        let lower = || inner().then(|x| kept(x, below));
        let upper = || inner().then(|x| kept(x, |i, j| i <= j)).right(u.clone());
        match which {
            L if m <= n => lower().left(l).done(),
            L => {
                let rest = upper().left(l).then(|x| scaled(-1.0, x)).done();
                let whole = LinearMap::Plus(vec![turned().done(), rest]);
                LinearMap::Then(vec![
                    whole,
                    leading(own, m, k),
                    crate::maps::right(over, &resized(own, m, k)),
                ])
            }
            _ if m >= n => upper().done(),
            _ => {
                let rest = lower().left(l).right(u).then(|x| scaled(-1.0, x)).done();
                let whole = LinearMap::Plus(vec![turned().done(), rest]);
                LinearMap::Then(vec![whole, crate::maps::left(under, own)])
            }
        }
    }
}

fn parts(x: &Variable, name: &str, which: &[usize]) -> Outcome<Vec<Variable>> {
    if x.rank() < 2 {
        let name = if name == "linalg.lu_factor" { "torch.lu_factor" } else { name };
        complain!(
            "{name}: Expected tensor with 2 or more dimensions. Got size: {} instead",
            torch_messages::sizes(&x.shape())
        );
    }
    floats(x, name)?;
    factored(Lu, x, which)
}

/// Without exchanging rows there is none.
fn pivoting(b: &Bound) -> Outcome<()> {
    if !b.bool_or(1, true) {
        complain!("linalg.lu_factor: LU without pivoting is not implemented on the CPU");
    }
    Ok(())
}

fn lu(b: &mut Bound) -> Outcome<Out> {
    pivoting(b)?;
    let mut all = parts(&b.tensor(0)?, "linalg.lu", &[P, L, U])?;
    all[P] = all[P].detach();
    Ok(Out::Named("linalg_lu", ["P", "L", "U"].into_iter().zip(all).collect()))
}

/// LU in one matrix, with LAPACK's pivots.
fn lu_factor(b: &mut Bound, reports: bool) -> Outcome<Out> {
    pivoting(b)?;
    let x = b.tensor(0)?;
    let all = parts(&x, "linalg.lu_factor", &[L, U])?;
    let (own, values) = (x.shape(), x.value());
    let (m, n) = sizes(&own);
    let mut info = Vec::new();
    for (k, u) in each(&all[1].value())? {
        let zero = (0..m.min(n)).find(|i| u.at(*i, *i) == 0.0);
        info.push(zero.map_or(0.0, |at| at as f64 + 1.0));
        if let Some(at) = zero.filter(|_| !reports || b.bool_or(2, false)) {
            complain!(
                "torch.linalg.lu_factor: {}U[{at},{at}] is zero and using it on lu_solve would result in a division by zero. If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)",
                crate::maps::element(&values, k),
                at = at + 1
            );
        }
    }
    let mut pivots = Vec::new();
    for (_, mut matrix) in each(&values)? {
        // Which row was exchanged with which, from the order they ended in.
        let wanted = decomposed(&mut matrix)?;
        let mut rows: Vec<usize> = (0..m).collect();
        for (k, row) in wanted.iter().enumerate().take(m.min(n)) {
            let at = rows.iter().position(|r| r == row).unwrap_or(k);
            rows.swap(k, at);
            pivots.push(at as f64 + 1.0);
        }
    }
    let strict = |v: &Variable, d: i64, name: &'static str| {
        vjp_ops::compose::one(name, vec![v.into(), d.into()])
    };
    // Below the diagonal L, from it on U: each brought to the size of the whole.
    let grown = |v: &Variable| -> Outcome<Variable> {
        let from = v.shape();
        let (p, q) = sizes(&from);
        let op = vjp_maths::Fixed::new(
            "lu_factor",
            "ConstantPadNdBackward0",
            crate::maps::placed(&from, (m, n), |i, j| (i < p && j < q).then_some((i, j))),
        );
        apply(Rc::new(op), std::slice::from_ref(v))
    };
    let packed = vjp_maths::table::add(&grown(&strict(&all[0], -1, "tril")?)?, &grown(&all[1])?)?;
    let packed = vjp_ops::compose::named(&packed, "lu_factor", "LinalgLuFactorExBackward0")?;
    let to = [batch(&own), &[m.min(n)]].concat();
    let pivots = Variable::constant(Tensor::typed(&to, pivots, Dtype::Int32));
    let mut all = vec![("LU", packed), ("pivots", pivots)];
    if !reports {
        return Ok(Out::Named("linalg_lu_factor", all));
    }
    let info = Tensor::typed(batch(&own), info, Dtype::Int32);
    all.push(("info", Variable::constant(info)));
    Ok(Out::Named("linalg_lu_factor_ex", all))
}

/// X with `A X = B` from LU and pivots.
fn lu_solve(b: &mut Bound) -> Outcome<Out> {
    let (packed, pivots, y) = (b.tensor(0)?, b.tensor(1)?, b.tensor(2)?);
    if pivots.dtype() != Dtype::Int32 {
        complain!("linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32");
    }
    if y.rank() < 2 {
        complain!("linalg.lu_solve: The input tensor B must have at least 2 dimensions.");
    }
    let (left, adjoint) = (b.bool_or(3, true), b.bool_or(4, false));
    let own = packed.shape();
    crate::square(&own, "linalg.lu_solve")?;
    fitting(&packed, &y, left, "linalg.lu_solve")?;
    let n = sizes(&own).0;
    let count: usize = batch(&own).iter().product();
    let swaps = pivots.value();
    let mut order = Vec::with_capacity(count * n * n);
    for k in 0..count {
        let mut rows: Vec<usize> = (0..n).collect();
        for (i, to) in swaps.data().iter().skip(k * n).take(n).enumerate() {
            let to = (*to as usize).clamp(1, n) - 1;
            rows.swap(i, to);
        }
        order.extend(rows.iter().flat_map(|r| (0..n).map(move |j| f64::from(u8::from(j == *r)))));
    }
    let exchange = Variable::constant(Tensor::typed(&own, order, packed.dtype()));
    let solved = |by: Triangular, a: &Variable, y: Variable| apply(Rc::new(by), &[a.clone(), y]);
    // X A = B is Aᵀ Xᵀ = Bᵀ.
    let y = if left { y } else { layout::transpose(&y, -2, -1)? };
    let x = if left == adjoint {
        let turned = layout::transpose(&packed, -2, -1)?;
        let half = solved(Triangular::lower(), &turned, y)?;
        let whole = solved(Triangular::unit_upper(), &turned, half)?;
        matmul(&layout::transpose(&exchange, -2, -1)?, &whole)?
    } else {
        let half = solved(Triangular::unit_lower(), &packed, matmul(&exchange, &y)?)?;
        solved(Triangular::upper(), &packed, half)?
    };
    let x = if left { x } else { layout::transpose(&x, -2, -1)? };
    Ok(Out::One(vjp_ops::compose::named(&x, "lu_solve", "LinalgLuSolveBackward0")?))
}

const LINALG: Forms = Forms::LINALG;

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "lu" LINALG, "(Tensor A, *, bool pivot=True)", "A = P L U; dL = L tril(C, −1), dU = triu(C) U with C = L⁻¹ Pᵀ dA U⁻¹", "torch.linalg.lu(tensor([[1., 2.], [3., 4.]]))", ["lu_factor", "qr", "det"] jax "-"
        => lu;
    "lu_factor" LINALG, "(Tensor A, *, bool pivot=True)", "L and U in one matrix, and LAPACK's pivots; with M = L⁻¹ Pᵀ dA U⁻¹: dL = L tril(M, −1), dU = triu(M) U", "torch.linalg.lu_factor(tensor([[1., 2.], [3., 4.]]))", ["lu", "lu_solve"] jax "lu_factor({A})"
        => |b| lu_factor(b, false);
    "lu_factor_ex" LINALG, "(Tensor A, *, bool pivot=True, bool check_errors=False)", "L and U in one matrix, LAPACK's pivots, and an error code, 0 on success; with M = L⁻¹ Pᵀ dA U⁻¹: dL = L tril(M, −1), dU = triu(M) U", "torch.linalg.lu_factor_ex(tensor([[1., 2.], [3., 4.]]))", ["lu_factor"] jax "-"
        => |b| lu_factor(b, true);
    "lu_solve" LINALG, "(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False)", "X with A X = B from lu_factor(A); dX = A⁻¹(dB − dA X)", "torch.linalg.lu_solve(torch.eye(2), tensor([1, 2], dtype=torch.int32), torch.ones(2, 1))", ["lu_factor", "solve"] jax "-"
        => lu_solve;
};
