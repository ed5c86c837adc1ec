//! Values, gradients and gradients of gradients against the numbers that PyTorch gave
//! (tests/data/catalogue.txt, made by tests/data/catalogue.py): what is computed, in which type and
//! shape, and what is refused.

use super::cases::{self, Case};
use super::exceptions::{Part, accuracy, excuse, unneeded};
use super::run::{self, PANIC, gradients, present};
use std::collections::{HashMap, HashSet};
use vjp::eval::machine::Machine;
use vjp::maths::tensor::Dtype;
use vjp::maths::variable::Variable;

const STORED: &str = include_str!("../data/catalogue.txt");

/// How the numbers are made.
const COMMAND: &str = "python tests/data/catalogue.py   (a Python that has torch 2.15)";

#[derive(Debug, PartialEq)]
struct Array {
    kind: char,
    shape: Vec<usize>,
    data: Vec<f64>,
}

/// The arrays of a field; None for what has no gradient.
fn read(field: &str) -> Vec<Option<Array>> {
    let array = |text: &str| {
        let (head, numbers) = text.split_once(':')?;
        let mut head = head.split(' ');
        Some(Array {
            kind: head.next()?.chars().next()?,
            shape: head.map(|n| n.parse().unwrap()).collect(),
            data: numbers.split_whitespace().map(|n| n.parse().unwrap()).collect(),
        })
    };
    match field {
        "" => Vec::new(),
        field => field.split(';').map(array).collect(),
    }
}

fn array(v: &Variable) -> Array {
    Array {
        kind: match v.dtype() {
            Dtype::Bool => 'b',
            Dtype::Float64 => 'f',
            Dtype::Float32 => 's',
            _ => 'i',
        },
        shape: v.shape(),
        data: v.value().data().to_vec(),
    }
}

/// Where two arrays differ by more than `tolerance`, relative to the larger of the element and
/// (where sums cancel) the array's largest.
fn apart(got: &Array, want: &Array, tolerance: f64) -> Option<String> {
    if (got.kind, &got.shape) != (want.kind, &want.shape) {
        return Some(format!(
            "{} {:?} instead of {} {:?}",
            got.kind, got.shape, want.kind, want.shape
        ));
    }
    let finite = want.data.iter().filter(|v| v.is_finite());
    let scale = finite.fold(1.0, |m: f64, v| m.max(v.abs()));
    let off = got.data.iter().zip(&want.data).position(|(a, b)| {
        let same = a == b || (a.is_nan() && b.is_nan());
        let close = (a - b).abs() <= tolerance * scale;
        !same && !close
    })?;
    Some(format!("{:?} instead of {:?} at {off}", got.data[off], want.data[off]))
}

/// No gradient in one is zeros in the other, as an operation is composed.
fn gradients_apart(
    got: &[Option<Variable>],
    want: &[Option<Array>],
    tolerance: f64,
) -> Option<String> {
    if got.len() != want.len() {
        return Some(format!("{} instead of {}", got.len(), want.len()));
    }
    let zero = |a: &Array| a.data.iter().all(|x| *x == 0.0);
    got.iter().zip(want).find_map(|(got, want)| match (got.as_ref().map(array), want.as_ref()) {
        (Some(got), Some(want)) => apart(&got, want, tolerance),
        (Some(a), None) if !zero(&a) => Some(format!("{:?} instead of none", a.data)),
        (None, Some(a)) if !zero(a) => Some(format!("none instead of {:?}", a.data)),
        _ => None,
    })
}

/// What is wrong with a case, and in which part.
fn check(machine: &mut Machine, case: &Case, stored: &[&str]) -> Option<(Part, String)> {
    let name = case.entry.name;
    let ran = match (run::run(machine, &case.program, None), stored[0]) {
        (Err(e), _) if e.starts_with(PANIC) => return Some((Part::Value, e)),
        (Err(_), said) if said.starts_with('!') => return None,
        (Err(e), _) => return Some((Part::Value, e)),
        (Ok(_), said) if said.starts_with('!') => {
            return Some((Part::Refusal, format!("PyTorch refuses it: {said}")));
        }
        (Ok(ran), _) => ran,
    };
    let want = read(stored[0]);
    let wrong = if want.len() == ran.outputs.len() {
        let mut both = ran.outputs.iter().zip(want.iter().flatten());
        both.find_map(|(got, want)| apart(&array(got), want, accuracy(name, Part::Value)))
    } else {
        Some(format!("{} results instead of {}", ran.outputs.len(), want.len()))
    };
    if let Some(what) = wrong {
        return Some((Part::Value, what));
    }
    let inputs = ran.inputs();
    let mut roots = ran.outputs;
    for (part, said) in [Part::First, Part::Second].into_iter().zip(&stored[1..]) {
        let found = gradients(&roots, &inputs);
        // What PyTorch cannot differentiate may have a derivative here.
        if said.starts_with('!') && !matches!(&found, Err(e) if e.starts_with(PANIC)) {
            return None;
        }
        match found {
            Err(e) => return Some((part, e)),
            Ok(found) => {
                // Without inputs there is one empty field.
                if !inputs.is_empty()
                    && let Some(what) = gradients_apart(&found, &read(said), accuracy(name, part))
                {
                    return Some((part, what));
                }
                roots = present(&found);
            }
        }
    }
    None
}

#[test]
fn every_operation_agrees_with_pytorch() {
    let failing = run::deep(|| {
        let stored: HashMap<&str, Vec<&str>> = STORED
            .lines()
            .map(|line| {
                let mut fields = line.split('\t').skip(1);
                (fields.next().unwrap(), fields.collect())
            })
            .collect();
        let mut machine = run::machine();
        let (mut failing, mut used) = (Vec::new(), HashSet::new());
        for case in cases::all() {
            let wrong = match stored.get(case.program.as_str()) {
                None => Some((Part::Missing, format!("no stored numbers: {COMMAND}"))),
                Some(stored) => check(&mut machine, case, stored),
            };
            let Some((part, what)) = wrong else { continue };
            match excuse(case, part) {
                // A panic has no excuse.
                Some(k) if !what.starts_with(PANIC) => drop(used.insert(k)),
                _ => {
                    let name = case.entry.name;
                    failing.push(format!("{name} {part:?}: {}\n    {what}", case.program));
                }
            }
        }
        failing.extend(unneeded(&used));
        failing
    });
    let n = failing.len();
    assert!(failing.is_empty(), "{n} fail:\n{}", failing.join("\n"));
}

#[test]
fn every_operation_of_pytorch_has_numbers() {
    let named: HashSet<&str> = STORED.lines().filter_map(|l| l.split('\t').next()).collect();
    let missing: Vec<&str> = vjp::maths::ops::catalogue()
        .filter(|e| super::call::home(e).is_some() && !named.contains(e.name))
        .map(|e| e.name)
        .collect();
    assert!(missing.is_empty(), "{missing:?}: {COMMAND}");
}
