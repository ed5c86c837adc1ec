//! `:v 1 0`: another v on the J of the last backward, by the same two routes, and no `.grad` touched.

use vjp_backward::agreement;
use vjp_backward::gradient_argument::{Weights, weights};
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::leaf::naming::Places;
use vjp_eval::{Backward, Latest, LeafReport, Machine, Tried};
use vjp_maths::Variable;
use vjp_maths::autodiff::reverse::{SweepOptions, sweep};
use vjp_tensor::{Complaint, Kind, Tensor};
use vjp_text::words::count;

/// The panel that the last backward would have had with this v, flattened; of any length where y is a
/// scalar.
///
/// # Errors
/// A v that does not fit y; what the sweep says.
pub fn weighed(m: &mut Machine, latest: &Latest, v: &Tensor) -> Tried<Backward> {
    let (y, old) = (&latest.y, &latest.event);
    let (have, want) = (v.numel(), y.numel());
    let repeated = want == 1 && have > 1 && y.shape().is_empty() && !m.strict();
    if have != want && !repeated {
        let weights = weights(have);
        let message = format!("v has {weights}, {} has {}", old.output, count(want, "element"));
        let ones = vec!["1"; want.min(8)].join(" ");
        let hint = format!(":v {ones}  gives one weight per row of J");
        return Err(Complaint::new(Kind::Value, message).hint(hint).into());
    }
    let tensor = if repeated { v.clone() } else { v.reshaped(&y.shape()) };
    let weights = Weights { tensor, implicit: false, repeated };
    let root = weights.for_sweep(y);
    let options = SweepOptions {
        retain_graph: true,
        unasked: true,
        inputs: Some(&latest.leaves),
        ..SweepOptions::default()
    };
    let swept = lend(m, || sweep(&[(y.clone(), Variable::constant(root.clone()))], options))?;
    let tolerance = agreement::tolerance(y, &latest.leaves);
    // Names may have got new values since.
    let mut names = Places::of(m).leaves(latest.leaves.iter());
    let reports: Vec<LeafReport> = old
        .leaves
        .iter()
        .zip(&latest.leaves)
        .zip(swept.inputs)
        .map(|((report, leaf), found)| {
            let name = names.remove(&leaf.id()).unwrap_or_default();
            let shape = report.value.shape();
            let contribution = match found {
                Some(g) => g.value(),
                None => Tensor::new(shape, vec![0.0; report.value.numel()]),
            };
            let product = report.jacobian.left_multiply(root.data());
            let scale = report.jacobian.left_magnitude(root.data());
            let verdict = agreement::compare(contribution.data(), &product, &scale, tolerance);
            LeafReport {
                unlike_text: false,
                name: name.name,
                earlier: name.earlier,
                deleted: name.deleted,
                turn: name.turn,
                vjp: Tensor::new(shape, product),
                grad: contribution.clone(),
                contribution,
                grad_before: None,
                agrees: verdict.agrees(),
                max_difference: verdict.largest,
                differing: verdict.differing,
                ..report.clone()
            }
        })
        .collect();
    let causes = vjp_backward::disagreement::of(m, y, &weights, &latest.leaves, &reports);
    let again = vjp_backward::again(m, y, &old.output, &reports);
    let held = latest.leaves.iter().map(|x| Some(x.grad()?.value()));
    Ok(Backward {
        echoed: true,
        v: weights.tensor,
        implicit: false,
        repeated,
        leaves: reports,
        unreached: Vec::new(),
        corners: if repeated { Vec::new() } else { old.corners.clone() },
        choices: old.choices.clone(),
        held: old.held.clone(),
        edges: if repeated { Vec::new() } else { old.edges.clone() },
        causes,
        explain_indices: false,
        again,
        repeats: false,
        trial: Some(held.collect()),
        ..(**old).clone()
    })
}
