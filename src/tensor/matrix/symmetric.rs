//! Eigenvalues and vectors of symmetric matrices: reduced to a tridiagonal one (dsytd2), then
//! implicit QL or QR steps (dsteqr).

use super::Matrix;
use super::householder::{Reflection, product};
use super::rotation::{former_rotation, rotate_columns, rotation as present_rotation, symmetric};
use super::{Manner, manner};
use crate::{Outcome, budget};

/// LAPACK's relative machine precision.
const EPS: f64 = f64::EPSILON / 2.0;
const STEPS: usize = 30;

/// Eigenvalues, ascending, and vectors in columns, from the lower triangle (or the upper one).
/// None where the steps did not come to an end.
pub fn eigen(a: &Matrix, lower: bool) -> Outcome<Option<(Vec<f64>, Matrix)>> {
    let n = a.rows;
    if a.data.iter().any(|v| !v.is_finite()) {
        return Ok(None);
    }
    let (mut d, mut e, reflections) = if lower { reduced_lower(a)? } else { reduced_upper(a)? };
    let mut z = Matrix::identity(n, n);
    if !diagonalised(&mut d, &mut e, &mut z)? {
        return Ok(None);
    }
    Ok(Some((d, product(&reflections, z)?)))
}

type Reduced = (Vec<f64>, Vec<f64>, Vec<Reflection>);

/// `A = Q T Qᵀ` from the lower triangle, Q = H₁ H₂ …
fn reduced_lower(a: &Matrix) -> Outcome<Reduced> {
    let n = a.rows;
    let mut a = a.clone();
    for i in 0..n {
        for j in i + 1..n {
            a.set(i, j, a.at(j, i));
        }
    }
    let (mut e, mut all) = (Vec::new(), Vec::new());
    for k in 0..n.saturating_sub(1) {
        let column: Vec<f64> = (k + 1..n).map(|i| a.at(i, k)).collect();
        let (h, beta) = Reflection::of(k + 1, &column);
        e.push(beta);
        both_sides(&mut a, &h);
        all.push(h);
        budget::tick()?;
    }
    Ok(((0..n).map(|k| a.at(k, k)).collect(), e, all))
}

/// The same from the upper triangle, from the last column on.
fn reduced_upper(a: &Matrix) -> Outcome<Reduced> {
    let n = a.rows;
    let mut a = a.clone();
    for i in 0..n {
        for j in 0..i {
            a.set(i, j, a.at(j, i));
        }
    }
    let (mut e, mut all) = (Vec::new(), Vec::new());
    for k in (0..n.saturating_sub(1)).rev() {
        // The column above the diagonal, its last element becoming e: turned round for the reflection.
        let column: Vec<f64> = (0..=k).rev().map(|i| a.at(i, k + 1)).collect();
        let (h, beta) = Reflection::of(0, &column);
        e.push(beta);
        let h = Reflection { v: h.v.into_iter().rev().collect(), ..h };
        both_sides(&mut a, &h);
        all.push(h);
        budget::tick()?;
    }
    e.reverse();
    Ok(((0..n).map(|k| a.at(k, k)).collect(), e, all))
}

/// `A ← H A H` on the block that `h` acts on, as dsytd2 updates it.
fn both_sides(a: &mut Matrix, h: &Reflection) {
    let (s, n) = (h.start, h.v.len());
    if h.tau == 0.0 {
        return;
    }
    let row = |i: usize| h.tau * (0..n).map(|j| a.at(s + i, s + j) * h.v[j]).sum::<f64>();
    let mut w: Vec<f64> = budget::unless_stopped(0..n).map(row).collect();
    w.resize(n, 0.0);
    let alpha = -0.5 * h.tau * w.iter().zip(&h.v).map(|(w, v)| w * v).sum::<f64>();
    for (w, v) in w.iter_mut().zip(&h.v) {
        *w += alpha * v;
    }
    for i in budget::unless_stopped(0..n) {
        for j in 0..n {
            let v = a.at(s + i, s + j) - h.v[i] * w[j] - w[i] * h.v[j];
            a.set(s + i, s + j, v);
        }
    }
}

/// Turns a tridiagonal matrix into its eigenvalues in `d`, ascending; `z` takes the rotations.
/// False where it did not come to an end.
fn diagonalised(d: &mut [f64], e: &mut [f64], z: &mut Matrix) -> Outcome<bool> {
    let n = d.len();
    let mut left = STEPS * n;
    let mut next = 0;
    while next < n {
        if next > 0 {
            e[next - 1] = 0.0;
        }
        let mut end = n - 1;
        for m in next..n - 1 {
            let size = e[m].abs();
            if size <= d[m].abs().sqrt() * d[m + 1].abs().sqrt() * EPS {
                e[m] = 0.0;
                end = m;
                break;
            }
        }
        let (start, stop) = (next, end);
        next = end + 1;
        if start == stop {
            continue;
        }
        let done = if d[stop].abs() < d[start].abs() {
            upwards(d, e, z, stop, start, &mut left)?
        } else {
            downwards(d, e, z, start, stop, &mut left)?
        };
        if !done {
            return Ok(false);
        }
    }
    for i in 0..n.saturating_sub(1) {
        let least = (i..n).fold(i, |k, j| if d[j] < d[k] { j } else { k });
        if least != i {
            d.swap(i, least);
            z.swap_columns(i, least);
        }
    }
    Ok(true)
}

/// MKL's rotations are those of LAPACK before 3.10.
fn rotation(f: f64, g: f64) -> (f64, f64, f64) {
    match manner() {
        Manner::Torch => former_rotation(f, g),
        Manner::Numpy => present_rotation(f, g),
    }
}

fn negligible(e: f64, a: f64, b: f64) -> bool {
    e.abs() * e.abs() <= EPS * EPS * a.abs() * b.abs() + f64::MIN_POSITIVE
}

/// QL steps from `l` towards `end` > `l`.
fn downwards(
    d: &mut [f64],
    e: &mut [f64],
    z: &mut Matrix,
    mut l: usize,
    end: usize,
    left: &mut usize,
) -> Outcome<bool> {
    while l <= end {
        let m = (l..end).find(|m| negligible(e[*m], d[*m], d[*m + 1])).unwrap_or(end);
        if m < end {
            e[m] = 0.0;
        }
        if m == l {
            l += 1;
            continue;
        }
        if m == l + 1 {
            let (first, second, c, s) = symmetric(d[l], e[l], d[l + 1]);
            rotate_columns(z, l, &[(c, s)], true);
            (d[l], d[l + 1], e[l]) = (first, second, 0.0);
            l += 2;
            continue;
        }
        if *left == 0 {
            return Ok(false);
        }
        *left -= 1;
        let mut g = (d[l + 1] - d[l]) / (2.0 * e[l]);
        let r = g.hypot(1.0);
        g = d[m] - d[l] + e[l] / (g + r.copysign(g));
        let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
        let mut pairs = vec![(1.0, 0.0); m - l];
        for i in (l..m).rev() {
            let (f, b) = (s * e[i], c * e[i]);
            let r;
            (c, s, r) = rotation(g, f);
            if i != m - 1 {
                e[i + 1] = r;
            }
            g = d[i + 1] - p;
            let r = (d[i] - g) * s + 2.0 * c * b;
            p = s * r;
            d[i + 1] = g + p;
            g = c * r - b;
            pairs[i - l] = (c, -s);
        }
        rotate_columns(z, l, &pairs, true);
        d[l] -= p;
        e[l] = g;
        budget::tick()?;
    }
    Ok(true)
}

/// QR steps from `l` towards `end` < `l`.
fn upwards(
    d: &mut [f64],
    e: &mut [f64],
    z: &mut Matrix,
    l: usize,
    end: usize,
    left: &mut usize,
) -> Outcome<bool> {
    // One past, so that it may fall below the first.
    let mut above = l + 1;
    while above > end {
        let l = above - 1;
        let m =
            (end + 1..=l).rev().find(|m| negligible(e[*m - 1], d[*m], d[*m - 1])).unwrap_or(end);
        if m > end {
            e[m - 1] = 0.0;
        }
        if m == l {
            above -= 1;
            continue;
        }
        if m + 1 == l {
            let (first, second, c, s) = symmetric(d[l - 1], e[l - 1], d[l]);
            rotate_columns(z, l - 1, &[(c, s)], false);
            (d[l - 1], d[l], e[l - 1]) = (first, second, 0.0);
            above -= 2;
            continue;
        }
        if *left == 0 {
            return Ok(false);
        }
        *left -= 1;
        let mut g = (d[l - 1] - d[l]) / (2.0 * e[l - 1]);
        let r = g.hypot(1.0);
        g = d[m] - d[l] + e[l - 1] / (g + r.copysign(g));
        let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
        let mut pairs = vec![(1.0, 0.0); l - m];
        for i in m..l {
            let (f, b) = (s * e[i], c * e[i]);
            let r;
            (c, s, r) = rotation(g, f);
            if i != m {
                e[i - 1] = r;
            }
            g = d[i] - p;
            let r = (d[i + 1] - g) * s + 2.0 * c * b;
            p = s * r;
            d[i] = g + p;
            g = c * r - b;
            pairs[i - m] = (c, s);
        }
        rotate_columns(z, m, &pairs, false);
        d[l] -= p;
        e[l - 1] = g;
        budget::tick()?;
    }
    Ok(true)
}
