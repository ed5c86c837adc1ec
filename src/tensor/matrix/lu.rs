//! LU factors as OpenBLAS makes them, so that determinants have the digits that NumPy prints:
//! column by column, each entry less a fused dot product, multipliers by the pivot's reciprocal.

use crate::{Outcome, budget};

/// Sign and log |det| of an n×n matrix; (0, −∞) where it is singular.
pub fn sign_and_log(matrix: &[f64], n: usize) -> Outcome<(f64, f64)> {
    let mut a = matrix.to_vec();
    let (mut sign, mut log) = (1.0, 0.0);
    for j in 0..n {
        budget::tick()?;
        for i in budget::unless_stopped(0..n) {
            let dot = (0..i.min(j)).fold(0.0, |s, k| a[i * n + k].mul_add(a[k * n + j], s));
            if i.min(j) > 0 {
                a[i * n + j] -= dot;
            }
        }
        let size = |i: usize| a[i * n + j].abs();
        let pivot = (j + 1..n).fold(j, |best, i| if size(i) > size(best) { i } else { best });
        if a[pivot * n + j] == 0.0 {
            return Ok((0.0, f64::NEG_INFINITY));
        }
        if pivot != j {
            sign = -sign;
            for k in 0..n {
                a.swap(pivot * n + k, j * n + k);
            }
        }
        let reciprocal = 1.0 / a[j * n + j];
        for i in j + 1..n {
            a[i * n + j] *= reciprocal;
        }
    }
    for k in 0..n {
        let d = a[k * n + k];
        if d < 0.0 {
            sign = -sign;
        }
        log += d.abs().ln();
    }
    Ok((sign, log))
}
