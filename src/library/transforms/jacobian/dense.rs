//! All entries of a Jacobian as a tensor, from the structure of the graph: an elementwise function of a
//! thousand numbers needs three sweeps, not a thousand. What a program sees is what a sweep for each row
//! would give, the sign of a zero and NaN from 0·∞ included.

use vjp_eval::Tried;
use vjp_jacobian::walk::{is_elementwise, numeric};
use vjp_jacobian::{Entry, Jacobian, regular};
use vjp_maths::Variable;
use vjp_maths::autodiff::reverse::ancestors;
use vjp_tensor::sparse::{Run, Scattered};
use vjp_tensor::{Dtype, Tensor};

/// Fewer sweeps than this are quicker than asking for the structure.
const FEW: usize = 4;

/// Whether structure pays and says all: float32 rounds after every step, hooks change what flows, and
/// so may a backward that the program wrote.
pub fn possible(y: &Variable, xs: &[Variable]) -> bool {
    let plain = |v: &Variable| v.dtype() == Dtype::Float64;
    y.requires_grad()
        && y.numel() >= FEW
        && plain(y)
        && xs.iter().all(|x| plain(x) && x.numel() >= FEW && x.hooks().is_empty())
        && ancestors(y.node()).iter().all(|n| {
            n.hooks().is_empty()
                && n.value().dtype() == Dtype::Float64
                && !n.operation().has_own_backward()
        })
}

/// Whether a backward on the way to y is the program's own.
pub fn written_by_hand(y: &Variable) -> bool {
    let nodes = ancestors(y.node());
    nodes.iter().any(|n| n.operation().has_own_backward())
}

/// `sweep(v, x)`: vᵀJ with respect to x.
pub fn jacobians(
    y: &Variable,
    xs: &[Variable],
    mut sweep: impl FnMut(Tensor, &Variable) -> Tried<Tensor>,
) -> Tried<Vec<Variable>> {
    all(y, xs, |j, x| {
        let (rows, columns, shape) = (j.rows, j.columns, y.shape());
        let at = |line, k| line * columns + k;
        written(j, rows, at, |i, _| i, &mut |v| sweep(Tensor::new(&shape, v), x))
    })
}

/// `push(u, x)`: J·u for a tangent of x.
pub fn forward_jacobians(
    y: &Variable,
    xs: &[Variable],
    mut push: impl FnMut(Tensor, &Variable) -> Tried<Tensor>,
) -> Tried<Vec<Variable>> {
    all(y, xs, |j, x| {
        let (columns, shape) = (j.columns, x.shape());
        let at = |line, k| k * columns + line;
        written(j, columns, at, |_, j| j, &mut |u| push(Tensor::new(&shape, u), x))
    })
}

fn all(
    y: &Variable,
    xs: &[Variable],
    mut entries: impl FnMut(&Jacobian<f64>, &Variable) -> Tried<Tensor>,
) -> Tried<Vec<Variable>> {
    let mut out = Vec::with_capacity(xs.len());
    for x in xs {
        let j = match is_elementwise(y, x) {
            // Which entries there are is known; a probe tells what they are.
            true => Jacobian::identity(y.numel()),
            false => numeric(y, x)?,
        };
        let entries = entries(&j, x)?;
        let shape: Vec<usize> = y.shape().into_iter().chain(x.shape()).collect();
        out.push(Variable::constant(entries.reshaped(&shape)));
    }
    Ok(out)
}

/// All entries, row-major. A line is a row or a column: what one `probe` with a unit vector answers.
fn written(
    j: &Jacobian<f64>,
    lines: usize,
    at: impl Fn(usize, usize) -> usize,
    line_of: impl Fn(usize, usize) -> usize,
    probe: &mut dyn FnMut(Vec<f64>) -> Tried<Tensor>,
) -> Tried<Tensor> {
    let mut doubtful = vec![false; lines];
    let mut data;
    if j.is_full() {
        let entries = j.all()?;
        if regular(entries.data()) {
            return Ok(entries);
        }
        for (i, row) in entries.data().chunks(j.columns.max(1)).enumerate() {
            for (k, v) in row.iter().enumerate() {
                doubtful[line_of(i, k)] |= !certain(*v);
            }
        }
        data = entries.into_data();
    } else {
        j.affordable()?;
        // Where no path leads, a line shows what becomes of a zero there.
        let zero = probe(vec![0.0; lines])?;
        let mut out = Scattered::zeros(j.rows * j.columns)?;
        if zero.data().iter().any(|z| z.to_bits() != 0) {
            let data = out.data_mut();
            for line in 0..lines {
                for (k, z) in zero.data().iter().enumerate() {
                    data[at(line, k)] = *z;
                }
            }
        }
        if j.is_diagonal() {
            let diagonal = probe(vec![1.0; lines])?;
            let run = Run { start: 0, step: j.columns + 1, count: lines };
            let places = out.at(run).zip(diagonal.data());
            places.for_each(|(place, d)| *place = *d);
            return Ok(Tensor::scattered(&[j.rows * j.columns], out));
        }
        let mut sure = true;
        let runs = j.runs(&mut |run, along| {
            sure &= along.is_regular();
            along.write(out.at(run));
        });
        if runs && sure {
            return Ok(Tensor::scattered(&[j.rows * j.columns], out));
        }
        data = out.into_data();
        for (row, column, entry) in j.present() {
            match entry {
                Entry::Value(v) if certain(v) => data[row * j.columns + column] = v,
                _ => doubtful[line_of(row, column)] = true,
            }
        }
    }
    for line in (0..lines).filter(|l| doubtful[*l]) {
        let mut unit = vec![0.0; lines];
        unit[line] = 1.0;
        for (k, v) in probe(unit)?.data().iter().enumerate() {
            data[at(line, k)] = *v;
        }
    }
    Ok(Tensor::new(&[data.len()], data))
}

/// Zeros may differ in sign between the ways to compute them, infinities meet zeros on one way only.
fn certain(v: f64) -> bool {
    v.is_finite() && v != 0.0
}
