//! Operations other than pointwise ones against numbers that real PyTorch gave (tests/data/families.py):
//! value, gradient and, where it was stored, a Hessian-vector product.

use serde_json::Value;
use vjp::eval::language::machine::{Manner, Options};
use vjp::eval::record::event::Event;
use vjp::tensor::tensor::Dtype;
use vjp::text::source::Source;

/// Relative to the largest number of its row; a case may name its own.
const TOLERANCE: f64 = 1e-12;

/// What the program printed, line by line.
fn run(program: &str) -> Result<Vec<String>, String> {
    let mut machine = vjp::tutor::machine(Options { strict: true, dtype: Dtype::Float64 });
    let (mut printed, mut error) = (String::new(), None);
    let _ = machine.run(&Source::new(program), Manner::Program, &mut |event| match event {
        Event::Print(text) => printed.push_str(&text),
        Event::Error(fault) => error = Some(format!("{}: {}", fault.class, fault.message)),
        _ => {}
    });
    match error {
        Some(e) => Err(e),
        None => Ok(printed.lines().map(str::to_owned).collect()),
    }
}

fn numbers(line: &str) -> Vec<f64> {
    line.split(|c: char| "[](), ".contains(c))
        .filter(|t| !t.is_empty())
        .map(|t| match t {
            "True" => 1.0,
            "False" => 0.0,
            t => t.parse().unwrap(),
        })
        .collect()
}

fn difference(case: &Value, got: &str, want: &str) -> Option<String> {
    let (a, b) = (numbers(got), numbers(want));
    // No path is no gradient in one, zeros in the other, as an operation is composed.
    let none = |v: &[f64], other: &[f64]| v.is_empty() && other.iter().all(|x| *x == 0.0);
    if none(&a, &b) || none(&b, &a) {
        return None;
    }
    if a.len() != b.len() {
        return Some(format!("{} numbers instead of {}", a.len(), b.len()));
    }
    let tolerance = case["tolerance"].as_f64().unwrap_or(TOLERANCE);
    let scale = b.iter().filter(|v| v.is_finite()).fold(1.0, |m: f64, v| m.max(v.abs()));
    let off = a.iter().zip(&b).position(|(a, b)| {
        let same = a == b || (a.is_nan() && b.is_nan());
        let near = (a - b).abs() <= tolerance * scale;
        !same && !near
    })?;
    Some(format!("{:?} instead of {:?} at {off}", a[off], b[off]))
}

fn check(case: &Value) -> Option<String> {
    let program = case["program"].as_str().unwrap();
    let wanted = case["printed"].as_array().unwrap();
    let got = match run(program) {
        Ok(lines) => lines,
        Err(e) => return Some(e),
    };
    if got.len() != wanted.len() {
        return Some(format!("{} lines instead of {}", got.len(), wanted.len()));
    }
    let rows = case["rows"].as_array().unwrap();
    got.iter()
        .zip(wanted)
        .zip(rows)
        .find_map(|((g, w), row)| Some(format!("{row}: {}", difference(case, g, w.as_str()?)?)))
}

#[test]
fn agree_with_pytorch() {
    let cases: Vec<Value> = include_str!("data/families.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let worker = std::thread::Builder::new().stack_size(256 << 20);
    let failing = worker
        .spawn(move || {
            assert!(cases.len() > 100, "the data are missing");
            let failing = cases.iter().filter_map(|case| {
                let what = check(case)?;
                Some(format!("{}\n    {what}", case["expression"].as_str()?))
            });
            failing.collect::<Vec<_>>()
        })
        .unwrap()
        .join()
        .unwrap();
    assert!(failing.is_empty(), "{} fail:\n{}", failing.len(), failing.join("\n"));
}
