//! Householder reflections with LAPACK's signs (dlarfg), and what is made of them: QR.

use super::Matrix;
use crate::{Outcome, budget};

/// `H = I − τ v vᵀ`, `v` being 1 at `start` and zero before.
#[derive(Clone, Debug)]
pub struct Reflection {
    pub start: usize,
    pub tau: f64,
    /// From `start` on.
    pub v: Vec<f64>,
}

impl Reflection {
    /// The reflection that takes `x` to (β, 0, 0 …), and β, of the opposite sign to x₀.
    pub fn of(start: usize, x: &[f64]) -> (Reflection, f64) {
        let alpha = x.first().copied().unwrap_or(0.0);
        let rest = norm(x.get(1..).unwrap_or(&[]));
        let mut v = x.to_vec();
        if let Some(first) = v.first_mut() {
            *first = 1.0;
        }
        if rest == 0.0 {
            let tau = 0.0;
            return (Reflection { start, tau, v }, alpha);
        }
        // Of -0 as of 0.
        let beta = -alpha.hypot(rest).copysign(alpha + 0.0);
        for e in v.iter_mut().skip(1) {
            *e *= 1.0 / (alpha - beta);
        }
        let tau = (beta - alpha) / beta;
        (Reflection { start, tau, v }, beta)
    }

    /// `M ← H M`, the columns from `first` on.
    pub fn left(&self, m: &mut Matrix, first: usize) {
        if self.tau == 0.0 {
            return;
        }
        for j in budget::unless_stopped(first..m.columns) {
            let mut dot = 0.0;
            for (k, v) in self.v.iter().enumerate() {
                dot += v * m.at(self.start + k, j);
            }
            for (k, v) in self.v.iter().enumerate() {
                let i = self.start + k;
                m.set(i, j, m.at(i, j) - self.tau * dot * v);
            }
        }
    }

    /// `M ← M H`, the rows from `first` on.
    pub fn right(&self, m: &mut Matrix, first: usize) {
        if self.tau == 0.0 {
            return;
        }
        for i in budget::unless_stopped(first..m.rows) {
            let mut dot = 0.0;
            for (k, v) in self.v.iter().enumerate() {
                dot += v * m.at(i, self.start + k);
            }
            for (k, v) in self.v.iter().enumerate() {
                let j = self.start + k;
                m.set(i, j, m.at(i, j) - self.tau * dot * v);
            }
        }
    }
}

/// The Euclidean norm, without overflow.
pub fn norm(x: &[f64]) -> f64 {
    let top = x.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    if top == 0.0 || !top.is_finite() {
        return if x.iter().any(|v| v.is_nan()) { f64::NAN } else { top };
    }
    if (1e-140..1e140).contains(&top) {
        return x.iter().map(|v| v * v).sum::<f64>().sqrt();
    }
    top * x.iter().map(|v| (v / top) * (v / top)).sum::<f64>().sqrt()
}

/// `H₁ H₂ … M` with the columns of `m`.
pub fn product(reflections: &[Reflection], mut m: Matrix) -> Outcome<Matrix> {
    for h in reflections.iter().rev() {
        h.left(&mut m, 0);
        budget::tick()?;
    }
    Ok(m)
}

/// Reflections and R (of the rows and columns of `a`) with `H₁ H₂ … R = a`: dgeqrf.
pub fn triangularised(a: &Matrix) -> Outcome<(Vec<Reflection>, Matrix)> {
    let mut r = a.clone();
    let mut all = Vec::new();
    for k in 0..a.rows.min(a.columns) {
        let column: Vec<f64> = (k..a.rows).map(|i| r.at(i, k)).collect();
        let (h, beta) = Reflection::of(k, &column);
        r.set(k, k, beta);
        for i in k + 1..a.rows {
            r.set(i, k, 0.0);
        }
        h.left(&mut r, k + 1);
        all.push(h);
        budget::tick()?;
    }
    Ok((all, r))
}

/// Q of `columns` columns, and R of as many rows: `a = Q R`.
pub fn qr(a: &Matrix, columns: usize) -> Outcome<(Matrix, Matrix)> {
    let (reflections, r) = triangularised(a)?;
    let q = product(&reflections, Matrix::identity(a.rows, columns))?;
    let mut upper = Matrix::identity(columns, a.columns);
    for i in 0..columns {
        for j in 0..a.columns {
            upper.set(i, j, if i < a.rows { r.at(i, j) } else { 0.0 });
        }
    }
    Ok((q, upper))
}
