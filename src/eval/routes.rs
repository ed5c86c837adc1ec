//! The gradients of the last backward by three routes: the reverse sweep, vᵀJ, and differences of y
//! computed again from its leaves.

use super::agree;
use super::event::{Backward, LeafReport, LeafRoutes, Routes};
use crate::maths::complaint::Outcome;
use crate::maths::gradcheck::{self, Difference};
use crate::maths::jacobian::Entry;
use crate::maths::tensor::Tensor;
use crate::maths::variable::Variable;
use std::collections::HashSet;
use std::rc::Rc;

/// How far a rule may be from a difference, beyond the difference's own error.
const TOLERANCE: f64 = 1e-6;
const SINGLE: f64 = 1e-2;

/// About so many elements are computed for a leaf: positions are left out where it would be more.
const WORK: usize = 1 << 24;
const FEWEST: usize = 8;

/// Evaluations of y for one position.
const EVALUATIONS: usize = 14;

/// A backward with the graph that it went through.
pub struct Latest {
    pub y: Variable,
    /// In the shape of y.
    pub v: Tensor,
    pub leaves: Vec<Variable>,
    pub event: Rc<Backward>,
}

impl Latest {
    /// Compares the three routes.
    ///
    /// # Errors
    /// What the operations say, memory, or a wish to stop.
    pub fn routes(&self) -> Outcome<Routes> {
        let mut leaves = Vec::with_capacity(self.leaves.len());
        for (k, (leaf, report)) in self.leaves.iter().zip(&self.event.leaves).enumerate() {
            leaves.push(self.leaf(k, leaf, report)?);
        }
        Ok(Routes { output: self.event.output.clone(), shape: self.y.shape(), leaves })
    }

    fn leaf(&self, k: usize, leaf: &Variable, report: &LeafReport) -> Outcome<LeafRoutes> {
        let rows = self.y.numel();
        let kinked: HashSet<(usize, usize)> = self
            .event
            .corners
            .iter()
            .flat_map(|c| &c.entries)
            .filter(|(at, _, _)| *at == k)
            .map(|(_, row, column)| (*row, *column))
            .collect();
        let single = agree::tolerance(&self.y, std::slice::from_ref(leaf)) > 1e-6;
        let tolerance = if single { SINGLE } else { TOLERANCE };
        let mut found = LeafRoutes {
            name: report.name.clone(),
            sweep: report.contribution.clone(),
            vjp: report.vjp.clone(),
            differing: report.differing.clone(),
            differences: Vec::new(),
            entries: 0,
            worst: None,
            off: Vec::new(),
            kinks: Vec::new(),
        };
        let mut again = |x: &Tensor| gradcheck::replay(&self.y, leaf, x);
        let size = rows.max(gradcheck::size(&self.y, leaf)).max(1);
        for j in positions(report.value.numel(), WORK / (EVALUATIONS * size)) {
            let column = gradcheck::column(&mut again, &report.value, j, rows)?;
            let (mut total, mut unsure, mut all_agree) = (0.0, 0.0, true);
            for (i, (&difference, &error)) in column.slopes.iter().zip(&column.errors).enumerate() {
                let weight = self.v.data().get(i).copied().unwrap_or(1.0);
                if weight != 0.0 {
                    total += weight * difference;
                    unsure += (weight * error).abs();
                }
                if kinked.contains(&(i, j)) {
                    found.kinks.push((i, j));
                    continue;
                }
                found.entries += 1;
                let rule = match report.jacobian.get(i, j) {
                    Entry::Value(x) => x,
                    Entry::Absent | Entry::Unchosen => 0.0,
                };
                let off = gradcheck::off(rule, difference, error);
                all_agree &= off <= tolerance;
                if found.worst.is_none_or(|w| off > w.off) {
                    found.worst = Some(Difference { row: i, column: j, rule, difference, off });
                }
            }
            if !all_agree {
                found.off.push(j);
            }
            // Within its own error of zero: what rounding leaves of it says nothing.
            let zero = total.abs() <= unsure.min(1e-9) || total.abs() < 1e-12;
            found.differences.push((j, if zero { 0.0 } else { total }));
        }
        Ok(found)
    }
}

/// All positions of n, or about `most` of them: the first three, the last, and evenly between.
fn positions(n: usize, most: usize) -> Vec<usize> {
    let most = most.max(FEWEST);
    if n <= most {
        return (0..n).collect();
    }
    let step = n.div_ceil(most);
    let mut some: Vec<usize> = (0..3).chain((3..n).step_by(step)).collect();
    if some.last() != Some(&(n - 1)) {
        some.push(n - 1);
    }
    some
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::eval::machine::{Machine, Manner, Options};
    use crate::maths::jacobian::Jacobian;
    use crate::text::source::Source;

    fn latest(program: &str) -> Latest {
        let mut machine = Machine::new(Options::default());
        machine.run(&Source::new(program), Manner::Program, &mut |_| {}).unwrap();
        std::rc::Rc::into_inner(machine.latest.take().unwrap()).unwrap()
    }

    #[test]
    fn three_routes_agree_for_every_leaf() {
        let latest = latest(
            "W = [[1, 2], [3, 4]]; x = [0.5, 2]; y = tanh(W @ x)*log(x); y.backward([1, 10])",
        );
        let routes = latest.routes().unwrap();
        assert_eq!(routes.leaves.len(), 2);
        for leaf in &routes.leaves {
            assert!(leaf.agrees(), "{leaf:?}");
            let total = leaf.sweep.numel();
            assert_eq!((leaf.entries, leaf.differences.len()), (2 * total, total));
            for (at, difference) in &leaf.differences {
                assert!((leaf.sweep.data()[*at] - difference).abs() < 1e-8);
            }
        }
    }

    #[test]
    fn the_entry_that_is_off_is_named() {
        let mut latest = latest("x = [1, 2]; y = 3*x^2; y.backward([1, 10])");
        Rc::make_mut(&mut latest.event).leaves[0].jacobian =
            Jacobian::dense(2, 2, vec![6.0, 0.0, 0.0, 13.0]);
        let leaf = latest.routes().unwrap().leaves.remove(0);
        let worst = leaf.worst.unwrap();
        assert!(!leaf.agrees());
        assert_eq!((worst.row, worst.column, worst.rule), (1, 1, 13.0));
        assert!((worst.difference - 12.0).abs() < 1e-8);
        assert_eq!(leaf.off, [1]);
    }

    #[test]
    fn a_kink_is_no_disagreement() {
        let latest = latest("x = [-1, 0, 2]; y = relu(x); y.backward([1, 10, 100])");
        let leaf = latest.routes().unwrap().leaves.remove(0);
        assert!(leaf.agrees(), "{leaf:?}");
        assert_eq!((leaf.kinks.as_slice(), leaf.entries), (&[(1, 1)][..], 8));
    }

    #[test]
    fn positions_are_left_out_where_y_is_costly() {
        assert_eq!(positions(5, 0), [0, 1, 2, 3, 4]);
        let some = positions(1_000_000, 100);
        assert!(some.len() <= 105 && some.windows(2).all(|w| w[0] < w[1]));
        assert_eq!((some[0], some[some.len() - 1]), (0, 999_999));
    }
}
