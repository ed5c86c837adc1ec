//! Edges of a program: a comparison that just holds, a rounding that just turns. There y may jump, or have a
//! kink that no operation of its graph knows of; the program, run again a little to each side, tells.

use crate::finite_differences;
use crate::finite_differences::Rerun;
use vjp_eval::record::event::{CornerReport, EdgeReport};
use vjp_eval::{LeafReport, Machine};
use vjp_jacobian::Jacobian;
use vjp_maths::observe::value_reads;
use vjp_maths::{Node, Variable};
use vjp_tensor::{Dtype, Tensor};

/// Edges that are told, and elements of a leaf that are moved one by one.
const TOLD: usize = 16;
const ELEMENTS: usize = 16;

/// What the runs may take where an edge was seen.
const STEPS: u64 = 1_000_000;

/// The second step to each side is so much smaller.
const NEARER: f64 = 8.0;

/// How far to move, relative to a number, and what counts as alike: in 64 bits and in 32.
struct Scale {
    step: f64,
    alike: f64,
    digits: usize,
}

const DOUBLE: Scale = Scale { step: 1e-12, alike: 1e-7, digits: 8 };
const SINGLE: Scale = Scale { step: 2e-5, alike: 2e-3, digits: 3 };

/// y a step away, and its J.
type Moved = (Tensor, Vec<Jacobian<f64>>);

/// What y goes to from a side, and its slope there.
#[derive(Clone, Copy)]
struct Side {
    limit: f64,
    slope: f64,
}

struct Looking<'a> {
    rerun: Rerun,
    y: Tensor,
    values: Vec<Tensor>,
    reports: &'a [LeafReport],
    scale: Scale,
}

/// The edges that a backward met, where that costs little to see.
pub(crate) fn of(
    m: &mut Machine,
    y: &Variable,
    nodes: &[Node],
    leaves: &[Variable],
    reports: &[LeafReport],
    corners: &[CornerReport],
) -> Vec<EdgeReport> {
    let turns = |n: &Node| (0..n.inputs().len()).any(|k| n.operation().steps(k));
    let own = |n: &Node| n.operation().method().is_some() || n.operation().has_own_backward();
    let decided = leaves.iter().any(value_reads::has) || nodes.iter().any(turns);
    // Of a Function only where its backward does not agree with its forward, which may have a kink there.
    let differing: Option<Vec<(usize, usize)>> = nodes.iter().any(own).then(|| {
        let places = reports.iter().enumerate();
        places.flat_map(|(k, r)| r.differing.iter().map(move |j| (k, *j))).take(ELEMENTS).collect()
    });
    let asked = differing.as_ref().map_or(decided, |d| !d.is_empty());
    if !asked || !finite_differences::is_small(y, leaves) {
        return Vec::new();
    }
    let Ok(rerun) =
        finite_differences::rerun(m, m.past.asked, y, leaves, Some(finite_differences::STEPS))
    else {
        return Vec::new();
    };
    let single = std::iter::once(y).chain(leaves).any(|x| x.dtype() != Dtype::Float64);
    let mut looking = Looking {
        rerun,
        y: y.value(),
        values: leaves.iter().map(Variable::value).collect(),
        reports,
        scale: if single { SINGLE } else { DOUBLE },
    };
    let candidates = match differing {
        Some(differing) => differing,
        None => looking.candidates(m),
    };
    if !candidates.is_empty() {
        looking.rerun.allow(STEPS);
    }
    let known = |place: (usize, usize, usize)| corners.iter().any(|c| c.entries.contains(&place));
    let mut found = Vec::new();
    for (leaf, column) in candidates {
        found.extend(looking.edges(m, leaf, column).into_iter().filter(|e| !known(e.place())));
        if found.len() >= TOLD {
            found.truncate(TOLD);
            break;
        }
    }
    found
}

impl Looking<'_> {
    /// The elements whose slopes are others beside this point, or all where y itself is: one run to each side
    /// with all of them moved at once.
    fn candidates(&self, m: &mut Machine) -> Vec<(usize, usize)> {
        let told: Vec<usize> = (0..self.values.len()).filter(|k| self.rerun.tells(*k)).collect();
        let mut found = Vec::new();
        let mut jumped = false;
        for side in [1.0, -1.0] {
            // Not all by the same: a difference of two is to be seen too.
            let mut turn = 0.0f64;
            let moved = told.iter().map(|&k| {
                let mut value = self.values[k].clone();
                for x in value.data_mut() {
                    turn = (turn + 0.618_033_988_749_895).fract();
                    *x += side * (0.5 + turn) * self.scale.step * x.abs().max(1.0);
                }
                (k, value)
            });
            let Some((y, js)) = self.rerun.beside(m, &moved.collect::<Vec<_>>()) else { continue };
            jumped |= y.data().iter().zip(self.y.data()).any(|(a, b)| !self.alike(*a, *b));
            for (&k, j) in told.iter().zip(&js) {
                let rules = &self.reports[k].jacobian;
                let other = |c: &usize| {
                    (0..j.rows).any(|i| !self.alike(j.number(i, *c), rules.number(i, *c)))
                };
                found.extend((0..j.columns).filter(other).map(|c| (k, c)));
            }
        }
        if jumped {
            let all = told.iter().flat_map(|&k| (0..self.values[k].numel()).map(move |c| (k, c)));
            found.extend(all);
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|(_, c)| *c < ELEMENTS);
        found
    }

    fn alike(&self, a: f64, b: f64) -> bool {
        a == b || !a.is_finite() || !b.is_finite() || {
            (a - b).abs() <= self.scale.alike * a.abs().max(b.abs()).max(1.0)
        }
    }

    /// The edges that y has as one element moves.
    fn edges(&self, m: &mut Machine, leaf: usize, column: usize) -> Vec<EdgeReport> {
        let at = self.values[leaf].data()[column];
        let step = self.scale.step * at.abs().max(1.0);
        let mut run = |by: f64| -> Option<Moved> {
            let mut value = self.values[leaf].clone();
            value.data_mut()[column] += by;
            self.rerun.beside(m, &[(leaf, value)])
        };
        let mut sides = |by: f64| Some([(by, run(by)?), (by / NEARER, run(by / NEARER)?)]);
        let (Some(left), Some(right)) = (sides(-step), sides(step)) else {
            return Vec::new();
        };
        let side = |[far, near]: &[(f64, Moved); 2], row: usize| {
            let one = |(by, (y, js)): &(f64, Moved)| {
                let slope = js[0].number(row, column);
                Side { limit: y.data()[row] - by * slope, slope }
            };
            let (far, near) = (one(far), one(near));
            let settled = self.alike(far.slope, near.slope) && self.alike(far.limit, near.limit);
            let finite = near.slope.is_finite() && near.limit.is_finite();
            (settled && finite).then_some(near)
        };
        let edge = |row: usize| {
            let (left, right) = (side(&left, row)?, side(&right, row)?);
            let (here, taken) =
                (self.y.data()[row], self.reports[leaf].jacobian.number(row, column));
            if !here.is_finite() || !taken.is_finite() {
                return None;
            }
            let jumps = !self.alike(left.limit, here) || !self.alike(right.limit, here);
            let bends = [left, right].iter().any(|side| !self.alike(side.slope, taken));
            (jumps || bends).then(|| EdgeReport {
                leaf,
                row,
                column,
                at,
                slopes: [left.slope, right.slope].map(|x| self.clean(x)),
                taken,
                values: jumps.then(|| [left.limit, here, right.limit].map(|x| self.clean(x))),
            })
        };
        (0..self.y.numel()).filter_map(edge).collect()
    }

    /// To the digits that are known.
    fn clean(&self, x: f64) -> f64 {
        let digits = self.scale.digits;
        match x.abs() < self.scale.alike {
            true => 0.0,
            false => format!("{x:.digits$e}").parse().unwrap_or(x),
        }
    }
}
