//! Jacobians in symbols against Jacobians in numbers: at the point where they were made and, since a
//! formula must not hold that point's numbers, at another.

use super::cases::{self, Case, Point};
use super::exceptions::{no_road, unwritten};
use super::routes::close;
use super::run::{self, Ran};
use std::collections::{BTreeMap, HashMap};
use vjp::eval::language::machine::Machine;
use vjp::jacobian::walk::{Limits, numeric_many, symbolic_many};
use vjp::jacobian::{Entry, Jacobian};
use vjp::maths::autodiff::variable::Variable;
use vjp::maths::symbol::Expr;
use vjp::tensor::tensor::Tensor;

/// Whether each entry has, at these leaves, the number it should.
fn compare(symbols: &Jacobian<Expr>, numbers: &Jacobian<f64>, ran: &Ran) -> Result<(), String> {
    let values: HashMap<&str, Tensor> =
        ran.leaves.iter().map(|(name, leaf)| (name.as_str(), leaf.value())).collect();
    for i in 0..numbers.rows {
        for k in 0..numbers.columns {
            let number = match numbers.get(i, k) {
                Entry::Value(x) => x,
                Entry::Absent | Entry::Unchosen => 0.0,
            };
            let formula = match symbols.get(i, k) {
                Entry::Value(e) => e.evaluate(&|leaf, at| values[&*leaf.name].data()[at]),
                Entry::Absent | Entry::Unchosen => 0.0,
            };
            if !close(formula, number, 1e-10) {
                return Err(format!("J[{i}, {k}]: formula {formula:?}, number {number:?}"));
            }
        }
    }
    Ok(())
}

/// Ok(false) where the operation has no formula.
fn check(machine: &mut Machine, case: &Case, ran: &Ran) -> Result<bool, String> {
    let inputs = ran.inputs();
    let names = |v: &Variable| v.name().map(|n| n.to_string());
    let values: Vec<Tensor> = inputs
        .iter()
        .map(|x| {
            let mut value = x.value();
            let slots = value.data_mut().iter_mut().enumerate();
            slots.for_each(|(k, x)| *x += 1e-3 * (k as f64 * 1.3 + 0.4).sin());
            value
        })
        .collect();
    let there = run::run(machine, &case.program, Some(&values))?;
    for (k, y) in ran.outputs.iter().enumerate() {
        if !y.requires_grad() {
            continue;
        }
        let found =
            symbolic_many(y, &inputs, &names, Limits::default()).map_err(|e| e.message.clone())?;
        let Some(symbols) = found else {
            return Ok(false);
        };
        let here = numeric_many(y, &inputs).map_err(|e| e.message.clone())?;
        let other =
            numeric_many(&there.outputs[k], &there.inputs()).map_err(|e| e.message.clone())?;
        for n in 0..inputs.len() {
            compare(&symbols[n], &here[n], ran)?;
            compare(&symbols[n], &other[n], &there).map_err(|e| format!("elsewhere, {e}"))?;
        }
    }
    Ok(true)
}

#[test]
fn symbolic_jacobians_are_the_numeric_ones() {
    let (mut failing, silent, count) = run::deep(|| {
        let mut machine = run::machine();
        let mut failing = Vec::new();
        let (mut silent, mut count) = (BTreeMap::new(), 0);
        let smooth = |c: &&Case| c.point == Point::Smooth && !no_road(c);
        for case in cases::all().iter().filter(smooth) {
            let Ok(ran) = run::run(&mut machine, &case.program, None) else {
                continue;
            };
            if !ran.outputs.iter().any(run::derived) {
                continue;
            }
            let name = case.entry.name;
            match run::caught(|| check(&mut machine, case, &ran)) {
                Ok(true) => count += 1,
                Ok(false) => drop(silent.entry(name).or_insert(case.program.clone())),
                Err(what) => failing.push(format!("{name}: {}\n    {what}", case.program)),
            }
        }
        (failing, silent, count)
    });
    println!("symbols: {count} cases");
    let names = silent.keys().copied().collect();
    failing.extend(super::exceptions::written_after_all(&names));
    let missing = silent.iter().filter(|(name, _)| !unwritten(name));
    failing.extend(missing.map(|(name, program)| format!("{name} has no formula: {program}")));
    let n = failing.len();
    assert!(failing.is_empty(), "{n} fail:\n{}", failing.join("\n"));
}
