//! Every pointwise function of the table against PyTorch's numbers (made by `data/pointwise.py`): values,
//! slopes and slopes of slopes, also at 0, −0, infinities, NaN and ties.

use std::collections::HashSet;
use vjp::maths::autodiff::reverse::{SweepOptions, sweep};
use vjp::maths::autodiff::variable::{Variable, apply};
use vjp::maths::table::{self, Row};
use vjp::tensor::tensor::Tensor;

/// Relative, unless [`own_accuracy`] says otherwise.
const TOLERANCE: f64 = 1e-12;

/// Where PyTorch itself is less exact than the tolerance.
fn own_accuracy(name: &str) -> f64 {
    match name {
        // Its trigamma stops at the fourth term of the series.
        "digamma" | "lgamma" => 1e-8,
        // The slope's 1/6 is a float32.
        "hardsigmoid" => 1e-7,
        _ => TOLERANCE,
    }
}

/// The row of a name and parameters as the data writes them, `softplus@2,1`, with so many operands.
fn row_of(name: &str, operands: usize) -> (&'static Row, Vec<f64>) {
    let (name, params) = name.split_once('@').unwrap_or((name, ""));
    let params: Vec<f64> =
        params.split(',').filter(|p| !p.is_empty()).map(|p| p.parse().unwrap()).collect();
    let fits = |r: &&Row| {
        r.fun.name == name && r.fun.operands == operands && r.params.len() >= params.len()
    };
    (table::rows().find(fits).unwrap(), params)
}

/// How many operands the line has: from the number of its numbers, 1 + 2n + n².
fn operands(numbers: usize) -> usize {
    (1..4).find(|n| numbers == 1 + 2 * n + n * n).unwrap()
}

/// Gradients of `y`, as recorded variables, None where there is none; None: PyTorch has no derivative.
fn slopes(y: &Variable, xs: &[Variable]) -> Option<Vec<Option<Variable>>> {
    if !y.requires_grad() {
        return Some(vec![None; xs.len()]);
    }
    let options = SweepOptions {
        create_graph: true,
        retain_graph: true,
        inputs: Some(xs),
        ..SweepOptions::default()
    };
    let v = Variable::constant(Tensor::new(&[1], vec![1.0]));
    match sweep(&[(y.clone(), v)], options) {
        Ok(swept) => Some(swept.inputs),
        Err(refused) => {
            assert!(refused.message.contains("is not implemented"), "{}", refused.message);
            None
        }
    }
}

fn numbers(slopes: &[Option<Variable>]) -> impl Iterator<Item = f64> {
    slopes.iter().map(|g| g.as_ref().map_or(0.0, |g| g.value().data()[0]))
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b
        || (a.is_nan() && b.is_nan())
        || (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1e-2)
}

/// Points beyond what the second order promises: PyTorch states some second derivatives apart from the first
/// (0 at the joint of two pieces, also where the piece not taken overflows), and some of its formulas, or
/// ours, lose all digits.
fn apart(name: &str, x: &[f64]) -> bool {
    let name = name.split('@').next().unwrap_or(name);
    match name {
        "elu" | "selu" | "celu" => x[0].is_nan() || x[0] > 700.0,
        "gelu" | "mish" | "asin" | "acos" => x[0] == 1e300,
        "softplus" => x[0] == 0.5,
        "hardswish" => x[0] == f64::NEG_INFINITY,
        "sinc" | "i1" | "i1e" => x[0] == 1e-9,
        "erfcx" => x[0] >= 25.0,
        "log_ndtr" => x[0] == 1e300,
        "prelu" => x[0] == 0.0,
        "digamma" | "polygamma" => x[0].is_infinite(),
        "fmod" => x.len() == 2 && !(x[0] / x[1]).is_finite(),
        _ => false,
    }
}

/// Points where the first order differs too, knowingly.
fn open(name: &str, x: &[f64]) -> bool {
    match name {
        // PyTorch: NaN and ∞ of ζ; the limits are 0.
        "polygamma@2" => x[0].is_infinite(),
        // PyTorch: NaN; the slope grows beyond all bounds.
        "log_ndtr" => x[0] == f64::NEG_INFINITY,
        // The slope in the exponent of 0 to a negative power: PyTorch −∞, here 0.
        "pow" => x[0] == 0.0 && x[1] < 0.0,
        _ => false,
    }
}

#[test]
fn values_and_derivatives_are_pytorchs() {
    let mut wrong = Vec::new();
    for line in include_str!("data/pointwise.txt").lines() {
        let mut words = line.split(' ');
        let name = words.next().unwrap();
        let stored: Vec<Option<f64>> = words.map(|w| w.parse().ok()).collect();
        let n = operands(stored.len());
        let (row, params) = row_of(name, n);
        let xs: Vec<Variable> = stored[..n]
            .iter()
            .map(|x| Variable::leaf(Tensor::new(&[1], vec![x.unwrap()])))
            .collect();
        let defaults = row.params.iter().map(|(_, d)| *d).skip(params.len());
        let params: Vec<f64> = params.iter().copied().chain(defaults).collect();
        let y = apply((row.fun.operation)(&params), &xs).unwrap();
        let first = slopes(&y, &xs).unwrap();
        let mut got = vec![Some(y.value().data()[0])];
        got.extend(numbers(&first).map(Some));
        for g in &first {
            match g.as_ref().map(|g| slopes(g, &xs)) {
                Some(Some(second)) => got.extend(numbers(&second).map(Some)),
                Some(None) => got.extend(vec![None; n]),
                None => got.extend(vec![Some(0.0); n]),
            }
        }
        let agrees = |(a, b): (&Option<f64>, &Option<f64>)| {
            b.is_none_or(|b| a.is_some_and(|a| close(a, b, own_accuracy(name))))
        };
        let x: Vec<f64> = stored[..n].iter().map(|x| x.unwrap()).collect();
        if open(name, &x) {
            continue;
        }
        if apart(name, &x) {
            got.truncate(1 + n);
        }
        if !got.iter().zip(&stored[n..]).all(agrees) {
            wrong.push(format!("{line}: {got:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} lines:\n{}", wrong.len(), wrong.join("\n"));
}

/// Helpers of the rules, which are no functions of PyTorch, and rows that share their derivative with a
/// stored one.
const UNSTORED: [&str; 10] = [
    "step",
    "equal",
    "floor_divide",
    "where",
    "pow_by",
    "number_pow",
    // Values only: PyTorch has no derivative of them.
    "heaviside",
    "zeta",
    // PyTorch has the derivative with respect to the second input only.
    "igamma",
    "igammac",
];

#[test]
fn every_row_is_stored() {
    let stored: HashSet<&str> = include_str!("data/pointwise.txt")
        .lines()
        .filter_map(|l| l.split([' ', '@']).next())
        .chain(UNSTORED)
        .collect();
    for row in table::rows() {
        assert!(stored.contains(row.fun.name), "{}", row.fun.name);
    }
}
