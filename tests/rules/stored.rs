//! Values, gradients and gradients of gradients against the numbers that PyTorch gave
//! (tests/data/catalogue.txt, made by tests/data/catalogue.py): what is computed, in which type and
//! shape, and what is refused.

use super::cases::{self, Case};
use super::exceptions::{Part, accuracy, excuse, unneeded};
use super::run::{self, PANIC, gradients, present};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::slice;
use vjp::eval::language::machine::Machine;
use vjp::maths::autodiff::variable::Variable;
use vjp::tensor::tensor::{Dtype, Tensor};

const STORED: &str = include_str!("../data/catalogue.txt");

/// How the numbers are made.
const COMMAND: &str = "python tests/data/catalogue.py   (a Python that has torch 2.15)";

#[derive(Debug, PartialEq)]
struct Array {
    kind: char,
    shape: Vec<usize>,
    data: Vec<f64>,
}

/// What a field has for one result or gradient.
#[derive(Debug)]
enum Stored {
    Array(Array),
    Nothing,
    /// An error.
    Refused,
}

fn read(field: &str) -> Vec<Stored> {
    let stored = |text: &str| {
        if text.starts_with('!') {
            return Stored::Refused;
        }
        let Some((head, numbers)) = text.split_once(':') else {
            return Stored::Nothing;
        };
        let mut head = head.split(' ');
        Stored::Array(Array {
            kind: head.next().unwrap().chars().next().unwrap(),
            shape: head.map(|n| n.parse().unwrap()).collect(),
            data: numbers.split_whitespace().map(|n| n.parse().unwrap()).collect(),
        })
    };
    match field {
        "" => Vec::new(),
        field => field.split(';').map(stored).collect(),
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

/// How far an element may be off: relative to itself, and by what the same operation makes of inputs
/// that are off in their last digits.
struct Allowed<'a> {
    tolerance: f64,
    /// Of gradients, whose cotangents are about 1: terms that cancel leave this much.
    left: f64,
    /// Zeros are equal: of the second order the sign is that of the order of adding.
    unsigned: bool,
    moved: &'a dyn Fn() -> Vec<Option<Array>>,
}

impl Allowed<'_> {
    /// Where the `k`-th array differs.
    fn apart(&self, k: usize, got: &Array, want: &Array) -> Option<String> {
        if (got.kind, &got.shape) != (want.kind, &want.shape) {
            let (is, should) = ((got.kind, &got.shape), (want.kind, &want.shape));
            return Some(format!("{is:?} instead of {should:?}"));
        }
        let pairs = || got.data.iter().zip(&want.data);
        let close = |(a, b): (&f64, &f64)| {
            let same = a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
            same || (*b != 0.0 && (a - b).abs() <= self.tolerance * b.abs())
        };
        if pairs().all(close) {
            return None;
        }
        let moved = (self.moved)();
        let condition = |at: usize| {
            let there = moved.get(k)?.as_ref()?.data.get(at)?;
            Some((there - got.data[at]).abs()).filter(|by| by.is_finite())
        };
        let at = pairs().enumerate().position(|(at, (a, b))| {
            let within = || {
                (a - b).abs() <= self.tolerance * b.abs() + self.left + condition(at).unwrap_or(0.0)
            };
            let zeros = *a == 0.0 && *b == 0.0;
            let within = if zeros { self.unsigned } else { within() };
            !close((a, b)) && !within
        })?;
        Some(format!("{:?} instead of {:?} at {at}", got.data[at], want.data[at]))
    }

    /// No gradient in one is zeros in the other, as an operation is composed.
    fn gradients_apart(&self, got: &[Gradient], want: &[Stored]) -> Option<String> {
        if got.len() != want.len() {
            return Some(format!("{} instead of {}", got.len(), want.len()));
        }
        let zero = |a: &Array| a.data.iter().all(|x| *x == 0.0);
        got.iter().zip(want).enumerate().find_map(|(k, (got, want))| match (got, want) {
            (Err(e), _) if e.starts_with(PANIC) => Some(e.clone()),
            // What PyTorch cannot differentiate may have a derivative here.
            (_, Stored::Refused) => None,
            (Err(e), _) => Some(e.clone()),
            (Ok(Some(got)), Stored::Array(want)) => self.apart(k, &array(got), want),
            (Ok(Some(got)), Stored::Nothing) if !zero(&array(got)) => {
                Some(format!("{:?} instead of none", got.value().data()))
            }
            (Ok(None), Stored::Array(a)) if !zero(a) => {
                Some(format!("none instead of {:?}", a.data))
            }
            _ => None,
        })
    }
}

type Gradient = Result<Option<Variable>, String>;

/// Gradients of all inputs; where they are refused together, each alone.
fn slopes(roots: &[Variable], inputs: &[Variable]) -> Vec<Gradient> {
    match gradients(roots, inputs) {
        Ok(found) => found.into_iter().map(Ok).collect(),
        Err(_) => {
            let alone =
                |x: &Variable| gradients(roots, slice::from_ref(x)).map(|mut g| g.remove(0));
            inputs.iter().map(alone).collect()
        }
    }
}

/// The results and two orders of gradients, as arrays, at inputs off by some units in the last place.
fn moved(machine: &mut Machine, case: &Case, order: usize) -> Vec<Option<Array>> {
    let Ok(here) = run::run(machine, &case.program, None) else {
        return Vec::new();
    };
    let off = |v: &Variable| {
        let by = |(k, x): (usize, &f64)| x * (1.0 + if k % 2 == 0 { 4e-16 } else { -4e-16 });
        let data = v.value().data().iter().enumerate().map(by).collect();
        Tensor::new(&v.shape(), data).to_dtype(v.dtype())
    };
    let inputs: Vec<Tensor> = here.leaves.iter().map(|(_, v)| off(v)).collect();
    let Ok(there) = run::run(machine, &case.program, Some(&inputs)) else {
        return Vec::new();
    };
    let inputs = there.inputs();
    let mut found: Vec<Option<Variable>> = there.outputs.into_iter().map(Some).collect();
    for _ in 0..order {
        let next = slopes(&present(&found), &inputs);
        found = next.into_iter().map(|g| g.ok().flatten()).collect();
    }
    found.iter().map(|v| v.as_ref().map(array)).collect()
}

/// What is wrong with a case, and in which part.
fn check(machine: &mut Machine, case: &Case, stored: &[&str]) -> Option<(Part, String)> {
    let name = case.entry.name;
    let ran = match (run::run(machine, &case.program, None), stored[0].strip_prefix('!')) {
        (Err(e), _) if e.starts_with(PANIC) => return Some((Part::Value, e)),
        (Err(said), Some(theirs)) => {
            let said = said.lines().next().unwrap_or_default();
            let (said, theirs) = (said.trim_end(), theirs.trim_end());
            return (said.replace(';', ",") != theirs)
                .then(|| (Part::Text, format!("{said}\n    instead of {theirs}")));
        }
        (Err(e), None) => return Some((Part::Value, e)),
        (Ok(_), Some(said)) => return Some((Part::Refusal, format!("PyTorch refuses it: {said}"))),
        (Ok(ran), None) => ran,
    };
    let inputs = ran.inputs();
    let mut roots = ran.outputs;
    for (order, (part, said)) in
        [Part::Value, Part::First, Part::Second].into_iter().zip(stored).enumerate()
    {
        let at = RefCell::new(&mut *machine);
        let moved = || moved(&mut at.borrow_mut(), case, order);
        let allowed = Allowed {
            tolerance: accuracy(name, part),
            left: if part == Part::Value { 0.0 } else { 4e-15 },
            unsigned: part == Part::Second,
            moved: &moved,
        };
        let want = read(said);
        let got = match part {
            Part::Value => roots.iter().cloned().map(Some).map(Ok).collect(),
            _ => slopes(&roots, &inputs),
        };
        // Without inputs there is one empty field.
        let compared = part == Part::Value || !inputs.is_empty();
        if compared && let Some(what) = allowed.gradients_apart(&got, &want) {
            return Some((part, what));
        }
        if part != Part::Value {
            roots = got.into_iter().filter_map(|g| g.ok().flatten()).collect();
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
    let missing: Vec<&str> = vjp::catalogue::catalogue()
        .filter(|e| super::call::home(e).is_some() && !named.contains(e.name))
        .map(|e| e.name)
        .collect();
    assert!(missing.is_empty(), "{missing:?}: {COMMAND}");
}
