//! The gradients of the last backward by three routes: the reverse sweep, vᵀJ, and differences of y
//! computed again from its leaves.

use std::collections::HashSet;
use vjp_backward::agreement;
use vjp_backward::finite_differences::{jumps, rerun, smooth};
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::record::event::{EdgeReport, LeafRoutes, Routes, Untold};
use vjp_eval::{Latest, LeafReport, Machine, Tried};
use vjp_jacobian::Entry;
use vjp_jacobian::central_differences::{self, Difference};
use vjp_maths::Variable;
use vjp_tensor::{Complaint, Kind, Outcome, Tensor};

/// About so many elements are computed for a leaf: positions are left out where it would be more.
const WORK: usize = 1 << 24;
const FEWEST: usize = 8;

/// Evaluations of y for one position.
const EVALUATIONS: usize = 14;

/// Compares the three routes of a backward. Differences are those of the program's text where that can
/// be run again, else those of the operations in its graph.
pub fn routes(m: &mut Machine, latest: &Latest) -> Tried<Routes> {
    crate::explain::unchanged(latest)?;
    let text = rerun(m, latest.asked, &latest.y, &latest.leaves, None);
    let mut untold = text.as_ref().err().copied();
    let mut leaves = Vec::with_capacity(latest.leaves.len());
    for (k, (leaf, report)) in latest.leaves.iter().zip(&latest.event.leaves).enumerate() {
        if let Some(text) = text.as_ref().ok().filter(|t| t.tells(k)) {
            let again = &mut |x: &Tensor| text.value(m, k, x);
            let found = by_routes(latest, k, leaf, report, again);
            // Numbers that were taken out of the graph on purpose are not path.
            if let Ok(mut found) = found
                && (!text.taken || found.off.is_empty())
                && found.off.iter().all(|&j| text.is_smooth(m, k, &report.value, j))
            {
                found.of_text = true;
                leaves.push(found);
                continue;
            }
        }
        let again = &mut |x: &Tensor| central_differences::replay(&latest.y, leaf, x);
        let now = lend(m, || again(&report.value))?;
        let (now, then) = (now, latest.y.value());
        let tolerance = agreement::tolerance(&latest.y, &latest.leaves);
        if !agreement::compare(now.data(), then.data(), &vec![0.0; now.numel()], tolerance).agrees()
        {
            let name = &latest.event.output;
            let message = format!(
                "a value changed without a record, so {name} is no longer what its graph computes: compute {name} again"
            );
            return Err(Complaint::new(Kind::Value, message).into());
        }
        // The code of a Function may have to run again.
        leaves.push(lend(m, || by_routes(latest, k, leaf, report, again))?);
    }
    if text.is_ok_and(|t| (0..leaves.len()).any(|k| !t.tells(k))) {
        untold = Some(Untold::Other);
    }
    let output = latest.event.output.clone();
    let hooked = crate::explain::hooked(latest);
    Ok(Routes { output, shape: latest.y.shape(), leaves, untold, hooked })
}

fn by_routes(
    latest: &Latest,
    k: usize,
    leaf: &Variable,
    report: &LeafReport,
    again: &mut dyn FnMut(&Tensor) -> Outcome<Tensor>,
) -> Outcome<LeafRoutes> {
    let rows = latest.y.numel();
    let mut kinked: HashSet<(usize, usize)> = latest
        .event
        .corners
        .iter()
        .flat_map(|c| &c.entries)
        .filter(|(at, _, _)| *at == k)
        .map(|(_, row, column)| (*row, *column))
        .collect();
    let edges = latest.event.edges.iter().filter(|e| e.leaf == k);
    let (jumping, bent): (Vec<&EdgeReport>, Vec<&EdgeReport>) =
        edges.partition(|e| e.values.is_some());
    let entries = |all: Vec<&EdgeReport>| all.iter().map(|e| (e.row, e.column)).collect();
    let jumping: HashSet<(usize, usize)> = entries(jumping);
    kinked.extend(entries(bent));
    let tolerance = agreement::of_differences(&latest.y, std::slice::from_ref(leaf));
    let mut found = LeafRoutes {
        name: report.name.clone(),
        sweep: report.contribution.clone(),
        vjp: report.vjp.clone(),
        differing: match report.unlike_text {
            true => Vec::new(),
            false => report.differing.clone(),
        },
        sweep_off: Vec::new(),
        of_text: false,
        differences: Vec::new(),
        entries: 0,
        unknown: Vec::new(),
        worst: None,
        off: Vec::new(),
        kinks: Vec::new(),
        breaks: Vec::new(),
        jumps: Vec::new(),
    };
    let base = latest.y.value();
    let size = rows.max(central_differences::size(&latest.y, leaf)).max(1);
    for j in positions(report.value.numel(), WORK / (EVALUATIONS * size)) {
        let column = central_differences::column(again, &report.value, j, rows)?;
        let (mut even, mut jumped) = (None, None);
        let (mut total, mut unsure, mut all_agree) = (0.0, 0.0, true);
        for (i, (&difference, &error)) in column.slopes.iter().zip(&column.errors).enumerate() {
            let weight = latest.v.data().get(i).copied().unwrap_or(1.0);
            // Without a path an infinite output stays as it is.
            let absent = matches!(report.jacobian.get(i, j), Entry::Absent);
            if absent && !base.data()[i].is_finite() {
                continue;
            }
            if weight != 0.0 {
                total += weight * difference;
                unsure += (weight * error).abs();
            }
            if kinked.contains(&(i, j)) {
                found.kinks.push((i, j));
                continue;
            }
            if jumping.contains(&(i, j)) {
                found.jumps.push((i, j));
                if weight != 0.0 {
                    total = f64::NAN;
                }
                continue;
            }
            let rule = report.jacobian.number(i, j);
            if !rule.is_finite() || difference.is_nan() {
                found.unknown.push((i, j));
                if weight != 0.0 {
                    total = f64::NAN;
                }
                continue;
            }
            let off = central_differences::off(rule, difference, error);
            if off > tolerance {
                // A jump has no slope to compare with.
                let even = even.get_or_insert_with(|| smooth(again, &report.value, j, &base));
                if even.as_ref().is_some_and(|even| !even[i]) {
                    let jumps = jumped.get_or_insert_with(|| jumps(again, &report.value, j, &base));
                    match jumps[i] {
                        true => found.jumps.push((i, j)),
                        false => found.breaks.push((i, j)),
                    }
                    if weight != 0.0 {
                        total = f64::NAN;
                    }
                    continue;
                }
                // Neither the difference nor the rule is known so well that one gainsays the other.
                if error >= 0.1 * difference.abs() && error >= 1e-5 * rule.abs() {
                    found.breaks.push((i, j));
                    if weight != 0.0 {
                        total = f64::NAN;
                    }
                    continue;
                }
            }
            found.entries += 1;
            all_agree &= off <= tolerance;
            if found.worst.is_none_or(|w| off > w.off) {
                found.worst = Some(Difference { row: i, column: j, rule, difference, off });
            }
        }
        if !all_agree {
            found.off.push(j);
        }
        // Within its own error of zero: what rounding leaves of it says nothing.
        let swept = central_differences::off(report.contribution.data()[j], total, unsure);
        if swept > tolerance && !found.unsmooth(j) {
            found.sweep_off.push(j);
        }
        let zero = total.abs() <= unsure.min(1e-9) || total.abs() < 1e-12;
        found.differences.push((j, if zero { 0.0 } else { total }));
    }
    Ok(found)
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
    use std::rc::Rc;
    use vjp_eval::{Machine, Manner, Options};
    use vjp_jacobian::Jacobian;
    use vjp_tensor::Dtype;
    use vjp_text::Source;

    fn ran(program: &str) -> (Machine, Rc<Latest>) {
        let mut machine = crate::machine(Options::default());
        machine.run(&Source::new(program), Manner::Program, &mut |_| {}).unwrap();
        let latest = machine.latest.clone().unwrap();
        (machine, latest)
    }

    fn routes((mut machine, latest): (Machine, Rc<Latest>)) -> Routes {
        super::routes(&mut machine, &latest).map_err(|h| h.message()).unwrap()
    }

    #[test]
    fn three_routes_agree_for_every_leaf() {
        let ran =
            ran("W = [[1, 2], [3, 4]]; x = [0.5, 2]; y = tanh(W @ x)*log(x); y.backward([1, 10])");
        let routes = routes(ran);
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
        let (mut machine, latest) = ran("x = [1, 2]; y = 3*x^2; y.backward([1, 10])");
        machine.latest = None;
        let mut latest = Rc::into_inner(latest).unwrap();
        Rc::make_mut(&mut latest.event).leaves[0].jacobian =
            Jacobian::dense(2, 2, vec![6.0, 0.0, 0.0, 13.0]);
        let leaf = routes((machine, Rc::new(latest))).leaves.remove(0);
        let worst = leaf.worst.unwrap();
        assert!(!leaf.agrees());
        assert_eq!((worst.row, worst.column, worst.rule), (1, 1, 13.0));
        assert!((worst.difference - 12.0).abs() < 1e-8);
        assert_eq!(leaf.off, [1]);
    }

    #[test]
    fn a_kink_is_no_disagreement() {
        let ran = ran("x = [-1, 0, 2]; y = relu(x); y.backward([1, 10, 100])");
        let leaf = routes(ran).leaves.remove(0);
        assert!(leaf.agrees(), "{leaf:?}");
        assert_eq!((leaf.kinks.as_slice(), leaf.entries), (&[(1, 1)][..], 8));
    }

    /// A path that never came into the graph is seen by the text alone, be the leaf written to in a loop, of
    /// 32 bits or long.
    #[test]
    fn a_lost_path_is_found() {
        let lost = "x*float('%r' % x[1])";
        let once = format!("x = [2.5, 3]; y = {lost}; y.backward([1, 10])");
        let long = format!("x = [2.5, 3]; y = sum({lost})*linspace(0, 1, 900); y.sum().backward()");
        let trained = format!(
            "w = torch.ones(2, requires_grad=True)\nfor i in range(3):\n    x = [2.5, 3]; y = w*{lost}\n    \
             y.backward([1, 10])\n    with torch.no_grad(): w -= 0.1*w.grad\n"
        );
        for (program, dtype) in [
            (&once, Dtype::Float64),
            (&once, Dtype::Float32),
            (&long, Dtype::Float64),
            (&trained, Dtype::Float64),
        ] {
            let mut machine = crate::machine(Options { strict: false, dtype });
            machine.run(&Source::new(program.as_str()), Manner::Program, &mut |_| {}).unwrap();
            let latest = machine.latest.clone().unwrap();
            let routes = routes((machine, latest));
            assert!(
                routes.untold.is_none() && routes.leaves.iter().all(|l| l.of_text),
                "{program}"
            );
            let off: Vec<&[usize]> = routes.leaves.iter().map(|l| l.off.as_slice()).collect();
            // Beside a tensor that requires grad a list is no leaf.
            let want: &[usize] = if program == &trained { &[] } else { &[1] };
            assert_eq!(off, [want], "{program}");
        }
    }

    /// However flat it is to both sides.
    #[test]
    fn a_jump_is_no_lost_path() {
        let ran = ran("t = [2, -0.4]; y = (floor(t)*sigmoid(-4*t))^2; y.backward([1, 1])");
        let leaf = routes(ran).leaves.remove(0);
        assert!(leaf.agrees(), "{leaf:?}");
    }

    #[test]
    fn what_cannot_be_told_is_said() {
        let other = "import time; x = [1., 2]; y = sum(x)*time.perf_counter(); y.backward()";
        assert_eq!(routes(ran(other)).untold, Some(Untold::Other));
    }

    #[test]
    fn positions_are_left_out_where_y_is_costly() {
        assert_eq!(positions(5, 0), [0, 1, 2, 3, 4]);
        let some = positions(1_000_000, 100);
        assert!(some.len() <= 105 && some.windows(2).all(|w| w[0] < w[1]));
        assert_eq!((some[0], some[some.len() - 1]), (0, 999_999));
    }
}
