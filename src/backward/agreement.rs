//! Whether the sweep and vᵀJ give the same numbers.

use vjp_maths::autodiff::ancestors::ancestors;
use vjp_maths::{Node, Variable};
use vjp_tensor::Dtype;

/// What comparing two gradients found.
pub struct Verdict {
    /// Largest |a − b| where both are numbers.
    pub largest: f64,
    /// Row-major positions that do not agree.
    pub differing: Vec<usize>,
}

impl Verdict {
    pub fn agrees(&self) -> bool {
        self.differing.is_empty()
    }
}

/// 1e-9, or 1e-4 where a float32 took part, on the way too.
pub fn tolerance(y: &Variable, leaves: &[Variable]) -> f64 {
    within(y, leaves, &ancestors(y.node()))
}

/// [`tolerance`], with the nodes between y and the leaves.
pub fn within(y: &Variable, leaves: &[Variable], nodes: &[Node]) -> f64 {
    let ends = std::iter::once(y).chain(leaves).any(|v| v.dtype() == Dtype::Float32);
    if ends || is_coarser(nodes) { 1e-4 } else { 1e-9 }
}

/// Whether numbers were rounded to a type of fewer digits than float64 on the way.
pub fn is_coarser(nodes: &[Node]) -> bool {
    nodes.iter().any(|n| n.value().dtype().is_float() && n.value().dtype() != Dtype::Float64)
}

/// How far a rule may be from a central difference, beyond the difference's own error: 1e-6, or 1e-2 where
/// a float32 took part.
pub fn of_differences(y: &Variable, leaves: &[Variable]) -> f64 {
    if tolerance(y, leaves) > 1e-6 { 1e-2 } else { 1e-6 }
}

/// Compares a sweep's contribution `a` with vᵀJ `b`: |a − b| ≤ t·max(1, |a|, |b|, Σᵢ|vᵢJᵢⱼ|), `scale` being the
/// last of these. NaN agrees with NaN, an infinity with the same one.
pub fn compare(a: &[f64], b: &[f64], scale: &[f64], t: f64) -> Verdict {
    let mut verdict = Verdict { largest: 0.0, differing: Vec::new() };
    for (j, ((&a, &b), &s)) in a.iter().zip(b).zip(scale).enumerate() {
        if a == b || (a.is_nan() && b.is_nan()) {
            continue;
        }
        let difference = (a - b).abs();
        if difference.is_finite() {
            verdict.largest = verdict.largest.max(difference);
        }
        let bound = t * 1f64.max(a.abs()).max(b.abs()).max(s);
        // Written so that a NaN on one side only is a difference.
        let within = difference <= bound && bound.is_finite();
        if !within {
            verdict.differing.push(j);
        }
    }
    verdict
}

#[cfg(test)]
mod tests {
    use super::compare;

    fn differing(a: &[f64], b: &[f64]) -> Vec<usize> {
        compare(a, b, &vec![0.0; a.len()], 1e-9).differing
    }

    #[test]
    fn equal_to_rounding() {
        assert!(differing(&[1.0, 1e6], &[1.0 + 1e-12, 1e6 + 1e-5]).is_empty());
        assert_eq!(differing(&[1.0, 2.0], &[1.0, 2.1]), [1]);
    }

    #[test]
    fn nan_and_infinities_agree_with_their_like_only() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        assert!(differing(&[nan, inf, -inf], &[nan, inf, -inf]).is_empty());
        assert_eq!(differing(&[nan, inf, inf, 1.0], &[0.0, -inf, 1.0, inf]), [0, 1, 2, 3]);
    }

    #[test]
    fn large_terms_that_cancel_widen_the_bound() {
        assert!(compare(&[0.0], &[1e-4], &[1e6], 1e-9).differing.is_empty());
    }
}
