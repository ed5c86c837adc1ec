//! The numbers behind inverse and determinant: LU, and cofactors for any kind of coefficient.

use vjp_maths::Array;
use vjp_maths::primitives::fixed::element_map;
use vjp_tensor::{ElementMap, Outcome, budget};

/// LU with row exchanges, in place. Gives the order of the rows, the sign of that order, and the
/// first pivot that is 0, counted from 1.
pub fn factor(a: &mut [f64], n: usize) -> Outcome<(Vec<usize>, f64, Option<usize>)> {
    let mut rows: Vec<usize> = (0..n).collect();
    let (mut sign, mut singular) = (1.0, None);
    for k in 0..n {
        let mut top = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[top * n + k].abs() {
                top = i;
            }
        }
        if a[top * n + k] == 0.0 {
            singular = singular.or(Some(k + 1));
            continue;
        }
        if top != k {
            for j in 0..n {
                a.swap(k * n + j, top * n + j);
            }
            rows.swap(k, top);
            sign = -sign;
        }
        for i in budget::unless_stopped(k + 1..n) {
            let f = a[i * n + k] / a[k * n + k];
            a[i * n + k] = f;
            for j in k + 1..n {
                a[i * n + j] -= f * a[k * n + j];
            }
        }
        budget::tick()?;
    }
    Ok((rows, sign, singular))
}

/// The inverse of one matrix, or the number of the first pivot that is 0, from 1.
pub fn inverse_of(a: &[f64], n: usize) -> Outcome<Result<Vec<f64>, usize>> {
    let mut lu = a.to_vec();
    let (rows, _, singular) = factor(&mut lu, n)?;
    if let Some(k) = singular {
        return Ok(Err(k));
    }
    let unit: Vec<f64> = (0..n * n).map(|k| f64::from(u8::from(k / n == k % n))).collect();
    Ok(Ok(substituted(&lu, &rows, n, &unit, n)?))
}

/// X with A X = B, B of `columns` columns; None where A is singular.
pub fn solution_of(a: &[f64], n: usize, b: &[f64], columns: usize) -> Outcome<Option<Vec<f64>>> {
    let mut lu = a.to_vec();
    let (rows, _, singular) = factor(&mut lu, n)?;
    if singular.is_some() {
        return Ok(None);
    }
    substituted(&lu, &rows, n, b, columns).map(Some)
}

/// Forwards through L, then backwards through U, column by column.
fn substituted(
    lu: &[f64],
    rows: &[usize],
    n: usize,
    b: &[f64],
    columns: usize,
) -> Outcome<Vec<f64>> {
    let mut out = vec![0.0; n * columns];
    let mut x = vec![0.0; n];
    for column in 0..columns {
        for i in budget::unless_stopped(0..n) {
            let start = b[rows[i] * columns + column];
            x[i] = (0..i).fold(start, |s, j| s - lu[i * n + j] * x[j]);
        }
        for i in budget::unless_stopped((0..n).rev()) {
            let s = (i + 1..n).fold(x[i], |s, j| s - lu[i * n + j] * x[j]);
            x[i] = s / lu[i * n + i];
        }
        for i in 0..n {
            out[i * columns + column] = x[i];
        }
        budget::tick()?;
    }
    Ok(out)
}

/// The determinant of one matrix.
pub fn determinant_of(a: &[f64], n: usize) -> Outcome<f64> {
    let mut lu = a.to_vec();
    let (_, sign, _) = factor(&mut lu, n)?;
    Ok((0..n).fold(sign, |d, k| d * lu[k * n + k]))
}

/// The cofactors of each matrix, from sums of products alone, so that they exist of singular
/// matrices, of symbols and of variables too. Minors of up to 4 × 4, Faddeev and LeVerrier beyond.
pub fn cofactors<A: Array>(x: &A, own: &[usize], n: usize) -> A {
    let batch: usize = own[..own.len() - 2].iter().product();
    let element = |f: &dyn Fn(usize, usize) -> (usize, usize)| {
        let index = (0..batch * n * n).map(|k| {
            let (b, i, j) = (k / (n * n), k / n % n, k % n);
            let (p, q) = f(i, j);
            (b * n + p) * n + q
        });
        x.gather(&element_map(own, own, index.collect()))
    };
    match n {
        0 | 1 => x.full(own, 1.0),
        2 => {
            let other = element(&|i, j| (1 - i, 1 - j));
            signed(&other, own, n)
        }
        3 => {
            let at = |a: usize, b: usize| element(&move |i, j| ((i + a) % 3, (j + b) % 3));
            let plus = at(1, 1).mul(&at(2, 2));
            plus.add(&at(1, 2).mul(&at(2, 1)).scale(-1.0))
        }
        4 => {
            // The minor without row i and column j, along its first row.
            let without = |k: usize, p: usize| if p < k { p } else { p + 1 };
            let at = |p: usize, q: usize| element(&move |i, j| (without(i, p), without(j, q)));
            let two = |q: usize, r: usize| {
                let plus = at(1, q).mul(&at(2, r));
                plus.add(&at(1, r).mul(&at(2, q)).scale(-1.0))
            };
            let minor = at(0, 0).mul(&two(1, 2));
            let minor = minor.add(&at(0, 1).mul(&two(0, 2)).scale(-1.0));
            signed(&minor.add(&at(0, 2).mul(&two(0, 1))), own, n)
        }
        _ => {
            let identity = diagonal(&x.full(own, 1.0), own, n);
            let mut m = identity.clone();
            for k in 1..n {
                let product = x.matmul(&m);
                let mut ones = own.to_vec();
                ones[own.len() - 2] = 1;
                ones[own.len() - 1] = 1;
                let trace = diagonal(&product, own, n).collapse(&ones);
                let c = trace.scale(-1.0 / k as f64).expand(own);
                m = product.add(&c.mul(&identity));
            }
            m.swap().scale(if n.is_multiple_of(2) { -1.0 } else { 1.0 })
        }
    }
}

/// Only the diagonal left.
fn diagonal<A: Array>(x: &A, own: &[usize], n: usize) -> A {
    let all: usize = own.iter().product();
    let index = (0..all).map(|k| if k / n % n == k % n { k } else { ElementMap::NONE });
    x.gather(&element_map(own, own, index.collect()))
}

/// Signs as on a chessboard.
fn signed<A: Array>(x: &A, own: &[usize], n: usize) -> A {
    let all: usize = own.iter().product();
    let part = |odd: usize| {
        let index =
            (0..all).map(|k| if (k / n % n + k % n) % 2 == odd { k } else { ElementMap::NONE });
        x.gather(&element_map(own, own, index.collect()))
    };
    part(0).add(&part(1).scale(-1.0))
}
