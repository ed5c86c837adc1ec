//! The roads to a derivative against each other, for every operation, at every smooth case: reverse
//! against differences, forward against reverse, structured Jacobians against sweeps of unit vectors,
//! backward of backward against differences of backward.

use super::cases::{self, Case, Point};
use super::exceptions::no_road;
use super::run::{self, PANIC, Ran, gradients, present, weights};
use vjp::eval::language::machine::Machine;
use vjp::jacobian::central_differences;
use vjp::jacobian::walk::numeric_many;
use vjp::jacobian::{Entry, Jacobian};
use vjp::maths::autodiff::forward::push;
use vjp::maths::autodiff::reverse::{SweepOptions, sweep};
use vjp::maths::autodiff::torch_node::UNDERIVED;
use vjp::maths::autodiff::variable::Variable;
use vjp::tensor::tensor::Tensor;

/// Runs `check` on every smooth case that runs and has a gradient; how many there were.
fn every(check: fn(&mut Machine, &Case, &Ran) -> Result<(), String>, road: &'static str) {
    let (count, operations, failing) = run::deep(move || {
        let mut machine = run::machine();
        let (mut count, mut failing) = (0, Vec::new());
        let mut operations = std::collections::HashSet::new();
        let smooth = |c: &&Case| c.point == Point::Smooth && !no_road(c);
        for case in cases::all().iter().filter(smooth) {
            let ran = match run::run(&mut machine, &case.program, None) {
                Ok(ran) if ran.outputs.iter().any(run::derived) => ran,
                Err(e) if e.starts_with(PANIC) => {
                    failing.push(format!("{}\n    {e}", case.program));
                    continue;
                }
                _ => continue,
            };
            count += 1;
            operations.insert(case.entry.name);
            if let Err(what) = run::caught(|| check(&mut machine, case, &ran)) {
                failing.push(format!("{}: {}\n    {what}", case.entry.name, case.program));
            }
        }
        (count, operations.len(), failing)
    });
    let n = failing.len();
    assert!(failing.is_empty(), "{n} fail:\n{}", failing.join("\n"));
    println!("{road}: {operations} operations, {count} cases");
    assert!(operations > 200, "only {operations} operations");
}

pub fn close(a: f64, b: f64, tolerance: f64) -> bool {
    let scale = a.abs().max(b.abs()).max(1.0);
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance * scale
}

fn dot(a: &Tensor, b: &Tensor) -> f64 {
    a.data().iter().zip(b.data()).map(|(a, b)| a * b).sum()
}

fn said<T>(outcome: vjp::tensor::complaint::Outcome<T>) -> Result<T, String> {
    outcome.map_err(|e| e.message.clone())
}

/// Directions in which the leaves move.
fn directions(ran: &Ran) -> Vec<Tensor> {
    let shift = |k: usize| weights(&ran.leaves[k].1.shape(), 3 + 2 * k);
    (0..ran.leaves.len()).map(shift).collect()
}

/// The case with its leaves moved by h in those directions.
fn moved(
    machine: &mut Machine,
    case: &Case,
    ran: &Ran,
    by: &[Tensor],
    h: f64,
) -> Result<Ran, String> {
    let place = |((_, leaf), u): (&(String, Variable), &Tensor)| {
        let mut value = leaf.value();
        let slots = value.data_mut().iter_mut().zip(u.data());
        slots.for_each(|(x, u)| *x += h * u);
        value
    };
    let values: Vec<Tensor> = ran.leaves.iter().zip(by).map(place).collect();
    run::run(machine, &case.program, Some(&values))
}

/// The slope of `f` in a direction by differences: four points, exact to the fourth order.
fn slope(f: &mut dyn FnMut(f64) -> Result<Vec<f64>, String>) -> Result<Vec<f64>, String> {
    const H: f64 = 1e-4;
    let (a, b, c, d) = (f(-2.0 * H)?, f(-H)?, f(H)?, f(2.0 * H)?);
    let at = |k: usize| (a[k] - 8.0 * b[k] + 8.0 * c[k] - d[k]) / (12.0 * H);
    Ok((0..a.len()).map(at).collect())
}

/// Σ weights·outputs, from the graph or from what ran anew.
fn total(outputs: &[Variable], like: &[Variable]) -> f64 {
    outputs
        .iter()
        .zip(like)
        .enumerate()
        .filter(|(_, (_, y))| y.requires_grad())
        .map(|(k, (y, _))| dot(&y.value(), &weights(&y.shape(), k)))
        .sum()
}

#[test]
fn reverse_agrees_with_differences() {
    every(
        |machine, case, ran| {
            let found = gradients(&ran.outputs, &ran.inputs())?;
            let by = directions(ran);
            let swept: f64 =
                found.iter().zip(&by).filter_map(|(g, u)| Some(dot(&g.as_ref()?.value(), u))).sum();
            let slope = slope(&mut |h| {
                let there = moved(machine, case, ran, &by, h)?;
                Ok(vec![total(&there.outputs, &ran.outputs)])
            })?[0];
            match close(swept, slope, 1e-6) {
                true => Ok(()),
                false => Err(format!("{swept} by the sweep, {slope} by differences")),
            }
        },
        "differences",
    );
}

#[test]
fn forward_and_reverse_are_dual() {
    every(
        |_, _, ran| {
            let by = directions(ran);
            for y in ran.outputs.iter().filter(|y| y.requires_grad()) {
                let v = weights(&y.shape(), 1);
                let moves: Vec<(Variable, Tensor)> =
                    ran.inputs().into_iter().zip(by.clone()).collect();
                let forward = said(push(y, &moves))?.map_or(0.0, |ju| dot(&v, &ju));
                let rows = rows(y, &ran.inputs(), &v)?;
                let back: f64 = rows.iter().zip(&by).map(|(g, u)| dot(g, u)).sum();
                if !close(forward, back, 1e-12) {
                    return Err(format!("⟨v, Ju⟩ = {forward:?}, ⟨Jᵀv, u⟩ = {back:?}"));
                }
            }
            Ok(())
        },
        "forward",
    );
}

/// vᵀJ with respect to each input, zeros where there is none.
fn rows(y: &Variable, inputs: &[Variable], v: &Tensor) -> Result<Vec<Tensor>, String> {
    let options = SweepOptions {
        create_graph: false,
        retain_graph: true,
        inputs: Some(inputs),
        ..SweepOptions::default()
    };
    let root = (y.clone(), Variable::constant(v.clone()));
    let found = said(sweep(&[root], options))?.inputs;
    let each = found.iter().zip(inputs);
    Ok(each
        .map(|(g, x)| match g {
            Some(g) => g.value(),
            None => Tensor::new(&x.shape(), vec![0.0; x.numel()]),
        })
        .collect())
}

fn entry(j: &Jacobian<f64>, i: usize, k: usize) -> f64 {
    match j.get(i, k) {
        Entry::Value(x) => x,
        Entry::Absent | Entry::Unchosen => 0.0,
    }
}

#[test]
fn structured_jacobians_are_what_unit_sweeps_find() {
    every(
        |_, _, ran| {
            let inputs = ran.inputs();
            for y in ran.outputs.iter().filter(|y| y.requires_grad()) {
                let all = said(numeric_many(y, &inputs))?;
                for i in 0..y.numel() {
                    let mut unit = Tensor::new(&y.shape(), vec![0.0; y.numel()]);
                    unit.data_mut()[i] = 1.0;
                    for (g, j) in rows(y, &inputs, &unit)?.iter().zip(&all) {
                        for k in 0..j.columns {
                            let (dense, own) = (g.data()[k], entry(j, i, k));
                            if !close(dense, own, 1e-12) {
                                return Err(format!(
                                    "J[{i}, {k}] is {own:?}, the sweep's {dense:?}"
                                ));
                            }
                        }
                    }
                }
            }
            Ok(())
        },
        "structure",
    );
}

#[test]
fn every_entry_of_the_jacobian_agrees_with_differences() {
    every(
        |_, _, ran| {
            for y in ran.outputs.iter().filter(|y| y.requires_grad()) {
                for x in ran.inputs().iter().filter(|x| x.numel() <= 6) {
                    let report = said(central_differences::gradcheck(y, x, 1e-6))?;
                    if !report.agrees {
                        return Err(format!("{:?}", report.worst));
                    }
                }
            }
            Ok(())
        },
        "entries",
    );
}

#[test]
fn second_order_agrees_with_differences_of_the_first() {
    every(
        |machine, case, ran| {
            let inputs = ran.inputs();
            let first = gradients(&ran.outputs, &inputs)?;
            // PyTorch has a first derivative of some, and no second.
            if present(&first).iter().any(|g| g.node().is_some_and(|n| n.grad_fn() == UNDERIVED)) {
                return Ok(());
            }
            let by = directions(ran);
            // Hᵀw from the second sweep along u; (wᵀg) by differences along u.
            let second = gradients(&present(&first), &inputs)?;
            let swept: f64 = second
                .iter()
                .zip(&by)
                .filter_map(|(g, u)| Some(dot(&g.as_ref()?.value(), u)))
                .sum();
            let slope = slope(&mut |h| {
                let there = moved(machine, case, ran, &by, h)?;
                let found = gradients(&there.outputs, &there.inputs())?;
                let mixed = present(&found);
                let sum = mixed.iter().enumerate();
                Ok(vec![sum.map(|(k, g)| dot(&g.value(), &weights(&g.shape(), k))).sum()])
            })?[0];
            match close(swept, slope, 1e-5) {
                true => Ok(()),
                false => Err(format!("{swept} by the sweep, {slope} by differences")),
            }
        },
        "second order",
    );
}

#[test]
fn what_is_blocked_is_0_also_where_it_is_infinite() {
    run::deep(|| {
        let mut machine = run::machine();
        for inner in ["torch.relu(a)", "a.clamp(min=0.)", "torch.maximum(a, torch.tensor(0.))"] {
            let program = format!("a = [-1.0, 4.0]; torch.sqrt({inner})");
            let ran = run::run(&mut machine, &program, None).unwrap();
            let (y, x) = (&ran.outputs[0], ran.inputs());
            let v = Tensor::new(&[2], vec![1.0, 1.0]);
            assert_eq!(rows(y, &x, &v).unwrap()[0].data(), [0.0, 0.25], "{inner}");
            let recorded = gradients(&ran.outputs, &x).unwrap().swap_remove(0).unwrap();
            assert_eq!(recorded.value().data()[0], 0.0, "{inner}");
            let j = numeric_many(y, &x).unwrap().swap_remove(0);
            assert_eq!((entry(&j, 0, 0), entry(&j, 1, 1)), (0.0, 0.25), "{inner}");
        }
    });
}
