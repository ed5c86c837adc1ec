//! The singular value decomposition: reduced to a bidiagonal matrix (dgebd2; a tall or wide one
//! first to a triangle), then [`super::bidiagonal`], in the order of dgesdd.

use super::bidiagonal::Bidiagonal;
use super::householder::{Reflection, product, qr, triangularised};
use super::rotation::{rotate_rows, rotation};
use super::{Manner, Matrix, manner};
use crate::{Outcome, budget};

/// U, singular values, Vᵀ.
pub type Svd = (Matrix, Vec<f64>, Matrix);

/// `a = U diag(s) Vᵀ`, s descending; U and Vᵀ square where `full`. None where the steps did not
/// come to an end.
pub fn svd(a: &Matrix, full: bool) -> Outcome<Option<Svd>> {
    let (m, n) = (a.rows, a.columns);
    let least = m.min(n);
    let (left, right) = if full { (m, n) } else { (least, least) };
    if a.data.iter().any(|v| v.is_nan()) {
        return Ok(None);
    }
    // LAPACK's steps go on with infinity, and make NaN of it.
    if a.data.iter().any(|v| v.is_infinite()) {
        let lost = |i: usize, j: usize| {
            let data = vec![if i * j == 1 { 1.0 } else { f64::NAN }; i * j];
            Matrix::new(i, j, &data)
        };
        return Ok(Some((lost(m, left), vec![f64::NAN; least], lost(right, n))));
    }
    // Beyond this ratio the triangle comes first; MKL has ratios of its own.
    let (tall, wide) = match manner() {
        Manner::Numpy => (least * 11 / 6, least * 11 / 6),
        Manner::Torch => (least * 3 / 2, least * 20),
    };
    if least > 0 && m > n && m >= tall {
        let (reflections, r) = triangularised(a)?;
        let Some((u, s, vt)) = direct(&r.resized(n, n), n, n)? else {
            return Ok(None);
        };
        let u = product(&reflections, u.resized(m, left))?;
        return Ok(Some((u, s, vt)));
    }
    if least > 0 && n > m && n >= wide {
        let (q, r) = qr(&a.transposed(), right)?;
        let l = r.resized(m, m).transposed();
        let Some((u, s, vt)) = direct(&l, m, m)? else {
            return Ok(None);
        };
        // Vᵀ of the triangle times Qᵀ, whose rows are the columns of q.
        let vt = vt.resized(right, right);
        let mut out = Matrix::identity(right, n);
        for i in 0..right {
            for j in 0..n {
                out.set(i, j, (0..right).map(|k| vt.at(i, k) * q.at(j, k)).sum());
            }
            budget::tick()?;
        }
        return Ok(Some((u, s, out)));
    }
    direct(a, left, right)
}

/// Without the triangle first; U of `left` columns, Vᵀ of `right` rows.
fn direct(a: &Matrix, left: usize, right: usize) -> Outcome<Option<Svd>> {
    let (m, n) = (a.rows, a.columns);
    let least = m.min(n);
    let (mut d, mut e, rows, columns) = reduced(a)?;
    let lower = m < n;
    let mut turned = Vec::new();
    if lower {
        for i in 0..e.len() {
            let (c, s, r) = rotation(d[i], e[i]);
            d[i] = r;
            e[i] = s * d[i + 1];
            d[i + 1] *= c;
            turned.push((c, -s));
        }
    }
    if let [only] = d.as_mut_slice() {
        // The sign of a single value goes to the left.
        let u = Matrix::new(1, 1, &[1f64.copysign(*only)]);
        let u = product(&rows, u.resized(m, left))?;
        let v = product(&columns, Matrix::identity(n, right))?;
        return Ok(Some((u, vec![only.abs()], v.transposed())));
    }
    budget::reserve(least.saturating_mul(least).saturating_mul(2 * size_of::<f64>()))?;
    let mut b =
        Bidiagonal { d, e, vt: Matrix::identity(least, least), u: Matrix::identity(least, least) };
    if !b.diagonalise()? {
        return Ok(None);
    }
    rotate_rows(&mut b.u, 0, &turned, true);
    let u = product(&rows, b.u.resized(m, left))?;
    let v = product(&columns, b.vt.resized(right, n).transposed())?;
    Ok(Some((u, b.d, v.transposed())))
}

type Reduced = (Vec<f64>, Vec<f64>, Vec<Reflection>, Vec<Reflection>);

/// `A = Q B Pᵀ`: diagonal and what is beside it (above where tall, below where wide), and the
/// reflections of Q and of P.
fn reduced(a: &Matrix) -> Outcome<Reduced> {
    // The rest, and the reflections, which take as much again.
    budget::reserve(a.data.len().saturating_mul(2 * size_of::<f64>()))?;
    let mut a = a.clone();
    let (m, n) = (a.rows, a.columns);
    let (mut d, mut e, mut rows, mut columns) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let below =
        |a: &Matrix, i: usize, j: usize| -> Vec<f64> { (i..m).map(|k| a.at(k, j)).collect() };
    let beside =
        |a: &Matrix, i: usize, j: usize| -> Vec<f64> { (j..n).map(|k| a.at(i, k)).collect() };
    for i in 0..m.min(n) {
        if m >= n {
            let (h, beta) = Reflection::of(i, &below(&a, i, i));
            d.push(beta);
            h.left(&mut a, i + 1);
            rows.push(h);
            if i + 1 < n {
                let (g, beta) = Reflection::of(i + 1, &beside(&a, i, i + 1));
                e.push(beta);
                g.right(&mut a, i + 1);
                columns.push(g);
            }
        } else {
            let (g, beta) = Reflection::of(i, &beside(&a, i, i));
            d.push(beta);
            g.right(&mut a, i + 1);
            columns.push(g);
            if i + 1 < m {
                let (h, beta) = Reflection::of(i + 1, &below(&a, i + 1, i));
                e.push(beta);
                h.left(&mut a, i + 1);
                rows.push(h);
            }
        }
        budget::tick()?;
    }
    Ok((d, e, rows, columns))
}
