//! Where PyTorch is not followed to the last digit, operation by operation, with the reason.

use super::cases::Case;

/// What of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// There are no stored numbers.
    Missing,
    /// PyTorch raises an error where there is a result here.
    Refusal,
    Value,
    First,
    Second,
}

/// Relative, unless PyTorch itself is less exact.
const TOLERANCE: f64 = 1e-12;

/// Operation, from which part on, how close, why.
type Accuracy = (&'static str, Part, f64, &'static str);

const ACCURACY: &[Accuracy] = &[];

pub fn accuracy(name: &str, part: Part) -> f64 {
    let order = |p: Part| p as u8;
    ACCURACY
        .iter()
        .find(|(op, from, _, _)| *op == name && order(part) >= order(*from))
        .map_or(TOLERANCE, |(_, _, tolerance, _)| *tolerance)
}

/// Operation, part, which of its cases (a piece of the program), why.
type Exception = (&'static str, Part, &'static str, &'static str);

const EXCEPTIONS: &[Exception] = &[];

pub fn excused(case: &Case, part: Part) -> bool {
    EXCEPTIONS.iter().any(|(op, of, piece, _)| {
        *op == case.entry.name && *of == part && case.program.contains(piece)
    })
}

/// Arguments with respect to which PyTorch has no derivative: operation, parameter.
const CONSTANT: &[(&str, &str)] = &[("soft_margin_loss", "target"), ("poisson_nll_loss", "target")];

pub fn is_constant(op: &str, param: &str) -> bool {
    CONSTANT.contains(&(op, param))
}

/// Roads that do not lead everywhere: operation, road (`""`: all), piece of the program, why.
const ROADS: &[(&str, &str, &str, &str)] = &[];

pub fn no_road(case: &Case, road: &str) -> bool {
    // Beside a NaN there is no difference to take.
    if case.program.contains("nan") {
        return true;
    }
    ROADS.iter().any(|(op, which, piece, _)| {
        *op == case.entry.name
            && (which.is_empty() || *which == road)
            && case.program.contains(piece)
    })
}

/// Operations without a Jacobian in symbols, and why.
const NO_FORMULA: &[(&str, &str)] = &[];

pub fn no_formula(op: &str) -> bool {
    NO_FORMULA.iter().any(|(name, _)| *name == op)
}
