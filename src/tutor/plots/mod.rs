//! Pictures of how a value changes: with one variable (`:plot`), with one entry of a leaf (`:sweep`), and
//! along gradient descent (`:descend`). Each point is the program run again; then all is as it was.

pub mod descent;
pub mod function;
mod point;
pub mod sweep;

use vjp_eval::Machine;
use vjp_tensor::Tensor;

pub use point::{Asked, Failed};

/// The numbers that code gives; then all is as it was.
pub fn numbers(m: &mut Machine, code: &str) -> Result<Tensor, Failed> {
    m.tried(|m, _| Ok(point::evaluated(m, code)?.value()))
}

/// Points along an axis: two for each column of Braille dots.
const POINTS: usize = 129;

/// Evenly spaced numbers from `low` to `high`.
fn spaced(low: f64, high: f64, count: usize) -> Vec<f64> {
    let step = (high - low) / (count - 1) as f64;
    (0..count).map(|k| low + step * k as f64).collect()
}

/// Where most of the numbers lie: a pole does not flatten the rest. None where all of them may be drawn.
fn bulk(numbers: &[f64]) -> Option<(f64, f64)> {
    /// As many widths of the middle are drawn on each side.
    const BEYOND: f64 = 3.0;
    let mut sorted: Vec<f64> = numbers.iter().copied().filter(|y| y.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let (least, most) = (*sorted.first()?, *sorted.last()?);
    let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize];
    let (low, high) = (at(0.1), at(0.9));
    let room = BEYOND * (high - low);
    let limits = ((low - room).max(least), (high + room).min(most));
    (room > 0.0 && limits != (least, most)).then_some(limits)
}
