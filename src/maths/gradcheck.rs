//! Central differences with step control (Ridders' extrapolation), the third road to a derivative:
//! it knows only values, and names the entry of J that is off.

use super::budget;
use super::complaint::Outcome;
use super::jacobian::Jacobian;
use super::jacobian_walk::{Source, Walk, numeric};
use super::tensor::Tensor;
use super::variable::Variable;

/// Steps of the extrapolation, each smaller by [`SHRINK`].
const STEPS: usize = 7;
const SHRINK: f64 = 1.8;

/// One entry of J by the rules and by differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    pub row: usize,
    pub column: usize,
    pub rule: f64,
    pub difference: f64,
    /// How far apart they are, beyond what the differences themselves leave open.
    pub off: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Gradcheck {
    pub agrees: bool,
    pub entries: usize,
    /// The entry that is furthest off.
    pub worst: Option<Difference>,
}

/// J of a function at `x` by differences, row-major, with an estimate of each entry's error.
///
/// # Errors
/// What the function says, memory, or a wish to stop.
pub fn central(
    f: &mut dyn FnMut(&Tensor) -> Outcome<Tensor>,
    x: &Tensor,
) -> Outcome<(Vec<f64>, Vec<f64>)> {
    let (rows, columns) = (f(x)?.numel(), x.numel());
    budget::reserve(rows.saturating_mul(columns).saturating_mul(16))?;
    let mut slopes = vec![0.0; rows * columns];
    let mut errors = vec![f64::INFINITY; rows * columns];
    for j in 0..columns {
        let mut moved = |by: f64| {
            let mut at = x.clone();
            at.data_mut()[j] += by;
            f(&at)
        };
        let mut h = 0.02 * x.data()[j].abs().max(0.5);
        // For each row of J the last step's slopes, after 0, 1, 2 … extrapolations.
        let mut previous: Vec<Vec<f64>> = vec![Vec::new(); rows];
        for step in 0..STEPS {
            budget::tick()?;
            let (above, below) = (moved(h)?, moved(-h)?);
            for (i, previous) in previous.iter_mut().enumerate() {
                let slope = (above.data()[i] - below.data()[i]) / (2.0 * h);
                let mut row = vec![slope];
                let mut factor = SHRINK * SHRINK;
                for k in 0..step {
                    let better = (row[k] * factor - previous[k]) / (factor - 1.0);
                    let error = (better - row[k]).abs().max((better - previous[k]).abs());
                    factor *= SHRINK * SHRINK;
                    row.push(better);
                    let at = i * columns + j;
                    if error <= errors[at] {
                        (errors[at], slopes[at]) = (error, better);
                    }
                }
                *previous = row;
            }
            h /= SHRINK;
        }
    }
    Ok((slopes, errors))
}

/// The value that y would have, were `leaf` to hold `value`.
///
/// # Errors
/// What the operations say.
pub fn replay(y: &Variable, leaf: &Variable, value: &Tensor) -> Outcome<Tensor> {
    let leaves = std::slice::from_ref(leaf);
    let walk = Walk::new(y, leaves);
    let mut values: Vec<Tensor> = Vec::with_capacity(walk.nodes.len());
    for node in &walk.nodes {
        let inputs: Vec<&Tensor> = node
            .inputs()
            .iter()
            .map(|e| match walk.source(e) {
                Source::Leaf(_) => value,
                Source::Node(k) => &values[k],
                Source::Elsewhere => &e.value,
            })
            .collect();
        values.push(node.operation().value(&inputs)?);
    }
    Ok(match walk.output(y) {
        Source::Node(k) => values.swap_remove(k),
        Source::Leaf(_) => value.clone(),
        Source::Elsewhere => y.value(),
    })
}

/// ∂y/∂leaf by differences, for what no rule describes.
///
/// # Errors
/// As [`central`].
pub fn differences(y: &Variable, leaf: &Variable) -> Outcome<Jacobian<f64>> {
    let (slopes, _) = central(&mut |x| replay(y, leaf, x), &leaf.value())?;
    Ok(Jacobian::dense(y.numel(), leaf.numel(), slopes))
}

/// Compares the rules with differences, entry by entry.
///
/// # Errors
/// As [`central`].
pub fn gradcheck(y: &Variable, leaf: &Variable, tolerance: f64) -> Outcome<Gradcheck> {
    let j = numeric(y, leaf)?;
    let (slopes, errors) = central(&mut |x| replay(y, leaf, x), &leaf.value())?;
    Ok(compare(&j, &slopes, &errors, tolerance))
}

/// Compares J with differences and the errors these may have.
pub fn compare(j: &Jacobian<f64>, slopes: &[f64], errors: &[f64], tolerance: f64) -> Gradcheck {
    use super::jacobian::Entry;
    let mut worst: Option<Difference> = None;
    let mut agrees = true;
    for row in 0..j.rows {
        for column in 0..j.columns {
            let at = row * j.columns + column;
            let rule = match j.get(row, column) {
                Entry::Value(x) => x,
                Entry::Absent | Entry::Unchosen => 0.0,
            };
            let (difference, error) = (slopes[at], errors[at]);
            let scale = rule.abs().max(difference.abs()).max(1.0);
            let apart = (rule - difference).abs();
            // NaN and infinities: a difference cannot tell them apart.
            let off = if rule.is_finite() && difference.is_finite() {
                (apart - error.min(1e-3 * scale)).max(0.0) / scale
            } else if rule.is_finite() {
                f64::INFINITY
            } else {
                0.0
            };
            agrees &= off <= tolerance;
            if worst.is_none_or(|w| off > w.off) {
                worst = Some(Difference {
                    row,
                    column,
                    rule,
                    difference,
                    off,
                });
            }
        }
    }
    Gradcheck {
        agrees,
        entries: j.rows * j.columns,
        worst,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::maths::table::{SIN, call, mul};

    #[test]
    fn rules_agree_with_differences() {
        let x = Variable::leaf(Tensor::new(&[2], vec![0.3, 1.7]));
        let y = mul(&x, &call(&SIN, std::slice::from_ref(&x)).unwrap()).unwrap();
        let report = gradcheck(&y, &x, 1e-9).unwrap();
        assert!(report.agrees, "{report:?}");
        assert_eq!(report.entries, 4);
    }

    #[test]
    fn the_entry_that_is_off_is_named() {
        let wrong = Jacobian::dense(1, 2, vec![1.0, 5.0]);
        let report = compare(&wrong, &[1.0, 4.0], &[1e-12, 1e-12], 1e-6);
        let worst = report.worst.unwrap();
        assert!(!report.agrees);
        assert_eq!((worst.row, worst.column, worst.difference), (0, 1, 4.0));
    }
}
