//! Central differences with step control (Ridders' extrapolation), the third road to a derivative:
//! it knows only values, and names the entry of J that is off.

use crate::Jacobian;
use crate::walk::{Source, Walk, numeric};
use vjp_maths::{Variable, apply};
use vjp_tensor::{Dtype, Outcome, Tensor, budget};

/// Steps of the extrapolation, each smaller by [`SHRINK`].
const STEPS: usize = 7;
const SHRINK: f64 = 1.8;

/// How often the steps begin again smaller, while an entry is not known as well as this.
const ATTEMPTS: usize = 5;
const SETTLED: f64 = 1e-7;

/// What the steps of a computation with such numbers may leave, relative to its result.
fn unit(dtype: Dtype) -> f64 {
    match dtype {
        Dtype::Float32 => 64.0 * f64::from(f32::EPSILON),
        Dtype::Float16 => 64.0 / f64::from(1 << 10),
        Dtype::Bfloat16 => 64.0 / f64::from(1 << 7),
        _ => f64::EPSILON,
    }
}

/// From here on a function may turn many times within a step that is small beside x.
const FAR: f64 = 50.0;

/// What shorter steps know as well as this counts where longer ones know it no better than that.
const KNOWN: f64 = 1e-4;
const DOUBTED: f64 = 1e-6;

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

/// One column of J by differences, with an estimate of each entry's error; an entry is NaN where
/// no step told anything.
#[derive(Clone, Debug)]
pub struct Column {
    pub slopes: Vec<f64>,
    pub errors: Vec<f64>,
}

/// Column `j` of a function's J at `x`, of `rows` rows. Steps begin large, where rounding is small, and
/// begin again smaller while the function is not defined or bends too much so far away.
pub fn column(
    f: &mut dyn FnMut(&Tensor) -> Outcome<Tensor>,
    x: &Tensor,
    j: usize,
    rows: usize,
) -> Outcome<Column> {
    let mut best = Column { slopes: vec![f64::NAN; rows], errors: vec![f64::INFINITY; rows] };
    let scale = x.data()[j].abs();
    let mut starts = vec![(scale.max(0.5), ATTEMPTS)];
    if scale > FAR {
        starts.push((1.0, ATTEMPTS));
    }
    for (scale, attempts) in starts {
        let mut h = 0.02 * scale;
        for _ in 0..attempts {
            let (next, found) = extrapolate(f, x, j, h, rows)?;
            best.learn(found);
            h = next;
            if best.is_settled() {
                break;
            }
        }
    }
    Ok(best)
}

impl Column {
    fn is_settled(&self) -> bool {
        let settled = |(s, e): (&f64, &f64)| *e <= SETTLED * s.abs().max(1.0);
        self.slopes.iter().zip(&self.errors).all(settled)
    }

    /// Takes over what shorter steps know better, or know well where longer ones say something else.
    fn learn(&mut self, near: Column) {
        for (i, (slope, error)) in near.slopes.into_iter().zip(near.errors).enumerate() {
            let apart = (slope - self.slopes[i]).abs() > error + self.errors[i];
            let doubted = self.errors[i] > DOUBTED * self.slopes[i].abs();
            let known = slope.is_finite() && error <= KNOWN * slope.abs();
            if error <= self.errors[i] || (apart && doubted && known) {
                (self.slopes[i], self.errors[i]) = (slope, error);
            }
        }
    }
}

/// Ridders' table from step `h` on, and the next step.
fn extrapolate(
    f: &mut dyn FnMut(&Tensor) -> Outcome<Tensor>,
    x: &Tensor,
    j: usize,
    mut h: f64,
    rows: usize,
) -> Outcome<(f64, Column)> {
    let mut best = Column { slopes: vec![f64::NAN; rows], errors: vec![f64::INFINITY; rows] };
    // Where x was moved to, and what comes out.
    let mut moved = |by: f64| -> Outcome<(f64, Tensor)> {
        let mut at = x.clone();
        at.data_mut()[j] += by;
        Ok((at.data()[j], f(&at)?))
    };
    // For each row of J the last step's slopes, after 0, 1, 2 … extrapolations.
    let mut previous: Vec<Vec<f64>> = vec![Vec::new(); best.slopes.len()];
    for step in 0..STEPS {
        budget::tick()?;
        let ((right, above), (left, below)) = (moved(h)?, moved(-h)?);
        // What was computed with is the nearest number of the type.
        let coarse =
            [above.dtype(), x.dtype()].into_iter().max_by(|a, b| unit(*a).total_cmp(&unit(*b)));
        let coarse = coarse.unwrap_or(Dtype::Float64);
        let width = coarse.cast(right) - coarse.cast(left);
        let unit = unit(coarse);
        for (i, previous) in previous.iter_mut().enumerate() {
            let (a, b) = (above.data()[i], below.data()[i]);
            let slope = (a - b) / width;
            let rounding = unit * a.abs().max(b.abs()) / width;
            let mut row = vec![slope];
            let mut factor = SHRINK * SHRINK;
            for k in 0..step {
                let better = (row[k] * factor - previous[k]) / (factor - 1.0);
                let error = (better - row[k]).abs().max((better - previous[k]).abs());
                let error = if error < rounding { rounding } else { error };
                factor *= SHRINK * SHRINK;
                row.push(better);
                if error <= best.errors[i] {
                    (best.errors[i], best.slopes[i]) = (error, better);
                }
            }
            *previous = row;
        }
        h /= SHRINK;
    }
    Ok((h, best))
}

/// J of a function at `x` by differences, row-major, with an estimate of each entry's error.
pub fn central(
    f: &mut dyn FnMut(&Tensor) -> Outcome<Tensor>,
    x: &Tensor,
) -> Outcome<(Vec<f64>, Vec<f64>)> {
    let (rows, columns) = (f(x)?.numel(), x.numel());
    budget::reserve(rows.saturating_mul(columns).saturating_mul(16))?;
    let mut slopes = vec![0.0; rows * columns];
    let mut errors = vec![f64::INFINITY; rows * columns];
    for j in 0..columns {
        let column = column(f, x, j, rows)?;
        for i in 0..rows {
            slopes[i * columns + j] = column.slopes[i];
            errors[i * columns + j] = column.errors[i];
        }
    }
    Ok((slopes, errors))
}

/// The value that y would have, were `leaf` to hold `value`.
pub fn replay(y: &Variable, leaf: &Variable, value: &Tensor) -> Outcome<Tensor> {
    let leaves = std::slice::from_ref(leaf);
    let walk = Walk::new(y, leaves)?;
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

/// y computed again and recorded, from a new leaf that holds `value` in place of `leaf`: that y and that
/// leaf.
pub fn record(y: &Variable, leaf: &Variable, value: &Tensor) -> Outcome<(Variable, Variable)> {
    let moved = Variable::leaf(value.clone());
    let walk = Walk::new(y, std::slice::from_ref(leaf))?;
    let mut values: Vec<Variable> = Vec::with_capacity(walk.nodes.len());
    for node in &walk.nodes {
        let inputs = node.inputs().iter().map(|e| match walk.source(e) {
            Source::Leaf(_) => moved.clone(),
            Source::Node(k) => values[k].clone(),
            Source::Elsewhere => Variable::constant(e.value.clone()),
        });
        let inputs: Vec<Variable> = inputs.collect();
        values.push(apply(node.shared_operation(), &inputs)?);
    }
    let y = match walk.output(y) {
        Source::Node(k) => values.swap_remove(k),
        Source::Leaf(_) => moved.clone(),
        Source::Elsewhere => y.clone(),
    };
    Ok((y, moved))
}

/// How many elements computing y again from a leaf computes.
pub fn size(y: &Variable, leaf: &Variable) -> usize {
    let walk = Walk::new(y, std::slice::from_ref(leaf));
    walk.map_or(0, |walk| walk.nodes.iter().map(|n| n.value().numel()).sum())
}

/// ∂y/∂leaf by differences, for what no rule describes.
pub fn differences(y: &Variable, leaf: &Variable) -> Outcome<Jacobian<f64>> {
    let (slopes, _) = central(&mut |x| replay(y, leaf, x), &leaf.value())?;
    Ok(Jacobian::dense(y.numel(), leaf.numel(), slopes))
}

/// Compares the rules with differences, entry by entry.
pub fn gradcheck(y: &Variable, leaf: &Variable, tolerance: f64) -> Outcome<Gradcheck> {
    let j = numeric(y, leaf)?;
    let (slopes, errors) = central(&mut |x| replay(y, leaf, x), &leaf.value())?;
    Ok(compare(&j, &slopes, &errors, tolerance))
}

/// Compares J with differences and the errors these may have.
pub fn compare(j: &Jacobian<f64>, slopes: &[f64], errors: &[f64], tolerance: f64) -> Gradcheck {
    let mut worst: Option<Difference> = None;
    let mut agrees = true;
    for row in 0..j.rows {
        for column in 0..j.columns {
            let at = row * j.columns + column;
            let rule = j.number(row, column);
            let (difference, error) = (slopes[at], errors[at]);
            let off = off(rule, difference, error);
            agrees &= off <= tolerance;
            if worst.is_none_or(|w| off > w.off) {
                worst = Some(Difference { row, column, rule, difference, off });
            }
        }
    }
    Gradcheck { agrees, entries: j.rows * j.columns, worst }
}

/// How far a rule and a difference are apart, beyond the difference's own error, relative to them.
/// NaN and infinities of a rule, and a difference that told nothing, say nothing.
pub fn off(rule: f64, difference: f64, error: f64) -> f64 {
    if !rule.is_finite() || difference.is_nan() {
        return 0.0;
    }
    if !difference.is_finite() {
        return f64::INFINITY;
    }
    let scale = rule.abs().max(difference.abs()).max(1.0);
    ((rule - difference).abs() - error.min(1e-3 * scale)).max(0.0) / scale
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use vjp_maths::table::{SIN, call, mul};

    #[test]
    fn rules_agree_with_differences() {
        let x = Variable::leaf(Tensor::new(&[2], vec![0.3, 1.7]));
        let y = mul(&x, &call(&SIN, std::slice::from_ref(&x)).unwrap()).unwrap();
        let report = gradcheck(&y, &x, 1e-9).unwrap();
        assert!(report.agrees, "{report:?}");
        assert_eq!(report.entries, 4);
    }

    /// Waves that are fast beside x, and what only long steps know.
    #[test]
    fn steps_fit_the_function() {
        type Case = (f64, fn(f64) -> f64, f64);
        let cases: [Case; 6] = [
            (1e7, f64::sin, 1e7f64.cos()),
            (1e5, |x| (x * x).sin(), 2e5 * 1e10f64.cos()),
            (1.0, |x| (1e7 * x).sin(), 1e7 * 1e7f64.cos()),
            (1e9, |x| x * x, 2e9),
            (1e-3, f64::ln, 1e3),
            (1e7, |x| (50.0 * x / (1.0 + x)).exp(), 2_592_339_284.095_532_5),
        ];
        for (k, (x, f, slope)) in cases.into_iter().enumerate() {
            let at = Tensor::new(&[1], vec![x]);
            let mut f = |x: &Tensor| Ok(Tensor::new(&[1], vec![f(x.data()[0])]));
            let found = column(&mut f, &at, 0, 1).unwrap();
            let off = off(slope, found.slopes[0], found.errors[0]);
            assert!(off < 1e-6, "case {k}: {found:?} for {slope}");
        }
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
