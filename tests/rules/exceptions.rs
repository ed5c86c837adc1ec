//! Where PyTorch is not followed to the last digit, operation by operation, with the reason.

use super::cases::{Case, Point};
use std::collections::HashSet;

/// What of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// There are no stored numbers.
    Missing,
    /// PyTorch raises an error where there is a result here.
    Refusal,
    /// The error is worded otherwise.
    Text,
    Value,
    First,
    Second,
}

/// Relative to each element, unless PyTorch itself is less exact.
const TOLERANCE: f64 = 1e-14;

/// Operation, from which part on, how close, why.
type Accuracy = (&'static str, Part, f64, &'static str);

const ACCURACY: &[Accuracy] = &[
    ("digamma", Part::First, 1e-8, TRIGAMMA),
    ("lgamma", Part::Second, 1e-8, TRIGAMMA),
    ("polygamma", Part::Value, 1e-8, TRIGAMMA),
    ("mvlgamma", Part::Second, 1e-8, TRIGAMMA),
    ("hardsigmoid", Part::First, 1e-7, "its slope 1/6 is a float32"),
    ("celu", Part::First, 1e-7, "its 1/alpha is a float32"),
    ("sinc", Part::Second, 1e-12, CANCELS),
    ("i1e", Part::Second, 1e-12, CANCELS),
    ("pinverse", Part::First, 1e-12, CANCELS),
    (
        "binary_cross_entropy",
        Part::Second,
        1e-8,
        "its first derivative rounds 1e-12 to float32, its second adds it to a denominator",
    ),
];

const CANCELS: &str = "terms that cancel, in another order of adding";
const TRIGAMMA: &str = "PyTorch's trigamma stops at the fourth term of the series";

pub fn accuracy(name: &str, part: Part) -> f64 {
    let order = |p: Part| p as u8;
    ACCURACY
        .iter()
        .find(|(op, from, _, _)| *op == name && order(part) >= order(*from))
        .map_or(TOLERANCE, |(_, _, tolerance, _)| *tolerance)
}

// What PyTorch does otherwise than here, where the derivative or the value is not of the usual kind.
const KINK: &str = "at the kink, and beyond numbers, PyTorch's slope of the slope is 0; here that of the branch whose slope was taken";
const ZERO_TIMES: &str = "0·∞ among the factors: one of the two multiplies, the other passes over";
const UNKNOWN: &str =
    "NaN among the inputs: in one it spreads to what it did not reach in the other";
const INFINITE: &str = "∞ among the inputs: ∞ − ∞ is met in another order of computing";
const POLES: &str = "PyTorch has NaN at infinity";
const DEGENERATE: &str = "0/0: no spread, no distance, one element";
const EMPTY: &str = "what PyTorch makes of no elements";
const BROADCASTS: &str = "shapes are broadcast here that PyTorch refuses";
const LAPACK: &str =
    "what LAPACK makes of ∞, NaN and singular matrices, where here there is an error or NaN";
const UNREAD: &str = "PyTorch's slope is not 0 in the triangle that the operation does not read";
const WRONG: &str = "PyTorch's slope is 1 where the input was replaced, 0 where it was kept";
const BY_PLACE: &str = "called with a position for the option, PyTorch leaves the positions out";
const CRASHES: &str = "PyTorch's process dies of it";
const VECTORS: &str =
    "of 0 and -0 PyTorch's vector loop takes the second, its other loop the first";
const SIGN: &str = "a sum of products with 0: the sign of the 0 is that of another order of adding";
const ROUNDING: &str = "a singular matrix: what is left of its inverse is rounding";
const GRAPHLESS: &str = "PyTorch keeps no graph of the slope";
const FIRST_CHECK: &str = "several things are wrong, and another of them is said first";

/// Operation, part, which of its cases (a piece of the program; `""`: those at special points), why.
type Exception = (&'static str, Part, &'static str, &'static str);

const EXCEPTIONS: &[Exception] = &[
    ("prelu", Part::Second, "", KINK),
    ("glu", Part::Second, "", ZERO_TIMES),
    ("pow", Part::First, "inf", ZERO_TIMES),
    ("logdet", Part::First, "inf", ZERO_TIMES),
    ("slogdet", Part::First, "inf", ZERO_TIMES),
    ("matrix_power", Part::First, "inf", ZERO_TIMES),
    ("matrix_power", Part::Value, "inf", ZERO_TIMES),
    ("ldexp", Part::Second, "inf", ZERO_TIMES),
    ("float_power", Part::First, "inf", ZERO_TIMES),
    ("vander", Part::First, "inf", INFINITE),
    ("vander", Part::Second, "nan", UNKNOWN),
    ("as_strided_scatter", Part::First, "(2,), (2,)", WRONG),
    ("unique_consecutive", Part::Value, "(a, True)", BY_PLACE),
    ("pixel_unshuffle", Part::Value, "zeros", EMPTY),
    ("pdist", Part::Refusal, "zeros", CRASHES),
    ("eigh", Part::Value, "", LAPACK),
    ("eigvalsh", Part::Value, "", LAPACK),
    ("svd", Part::Value, "inf", LAPACK),
    ("svdvals", Part::First, "inf", LAPACK),
    ("qr", Part::Value, "", LAPACK),
    ("pinverse", Part::Value, "inf", LAPACK),
    ("lstsq", Part::Value, "inf", LAPACK),
    ("lstsq", Part::Refusal, "nan", LAPACK),
    ("cholesky", Part::First, "inf", INFINITE),
    ("cholesky_ex", Part::First, "", INFINITE),
    ("lu", Part::First, "inf", INFINITE),
    ("lu_factor", Part::First, "inf", INFINITE),
    ("lu_factor_ex", Part::First, "inf", INFINITE),
    ("inv_ex", Part::Value, "", LAPACK),
    ("solve_ex", Part::Value, "", LAPACK),
    ("inv_ex", Part::First, "inf", SIGN),
    ("solve_ex", Part::First, "inf", SIGN),
    ("solve_triangular", Part::First, "", ZERO_TIMES),
    ("qr", Part::First, "", DEGENERATE),
    ("index_reduce", Part::First, "inf", INFINITE),
    ("index_reduce", Part::First, "nan", UNKNOWN),
    ("cholesky_solve", Part::First, "", UNREAD),
    ("cholesky_solve", Part::First, "0.0197", UNREAD),
    ("cholesky_inverse", Part::First, "", UNREAD),
    ("cholesky_inverse", Part::First, "0.0798", UNREAD),
    ("cholesky_inverse", Part::Value, "nan", LAPACK),
    ("clamp", Part::First, "nan", UNKNOWN),
    ("renorm", Part::Second, "", ZERO_TIMES),
    ("quantile", Part::First, "nan", UNKNOWN),
    ("var_mean", Part::Value, "inf", INFINITE),
    ("std_mean", Part::Value, "inf", INFINITE),
    ("scaled_dot_product_attention", Part::Value, "inf", INFINITE),
    ("det", Part::First, "inf", INFINITE),
    ("det", Part::First, "nan", UNKNOWN),
    ("cumprod", Part::First, "inf", INFINITE),
    ("digamma", Part::Second, "inf", POLES),
    ("polygamma", Part::First, "inf", POLES),
    ("det", Part::Second, "0.0, 0.0", DEGENERATE),
    ("soft_margin_loss", Part::Refusal, "", BROADCASTS),
    ("nanquantile", Part::First, "nan", SIGN),
    ("addbmm", Part::Text, "", FIRST_CHECK),
    ("softshrink", Part::Value, "0.0, -0.0", VECTORS),
    ("maximum", Part::Value, "0.0, -0.0", VECTORS),
    ("minimum", Part::Value, "0.0, -0.0", VECTORS),
    ("clamp_min", Part::Value, "0.0, -0.0", VECTORS),
    ("clamp_max", Part::Value, "0.0, -0.0", VECTORS),
    ("vander", Part::Second, "vander", GRAPHLESS),
    ("cross_entropy", Part::Second, "nan", GRAPHLESS),
    ("logdet", Part::Second, "", GRAPHLESS),
    ("slogdet", Part::Second, "", GRAPHLESS),
    ("inner", Part::First, "-0.0", SIGN),
    ("index_reduce", Part::First, "-0.0", SIGN),
    ("inverse", Part::First, "inf", SIGN),
    ("solve", Part::First, "inf", SIGN),
    ("logdet", Part::First, "0.0", SIGN),
    ("slogdet", Part::First, "0.0", SIGN),
    ("prod", Part::First, "-0.0", SIGN),
    ("lu_factor", Part::Value, "inf", SIGN),
    ("lu_factor_ex", Part::Value, "", SIGN),
    ("cholesky_inverse", Part::Value, "inf", SIGN),
    ("pinv", Part::Value, "0.0", ROUNDING),
    ("index_fill", Part::Text, "zeros", FIRST_CHECK),
    ("lstsq", Part::Text, "nan", LAPACK),
];

fn holds((op, of, piece, _): &Exception, case: &Case, part: Part) -> bool {
    let there = match *piece {
        "" => case.point == Point::Special || matches!(part, Part::Refusal | Part::Text),
        piece => case.program.contains(piece),
    };
    *op == case.entry.name && *of == part && there
}

/// The first exception that covers a failing case.
pub fn excuse(case: &Case, part: Part) -> Option<usize> {
    EXCEPTIONS.iter().position(|e| holds(e, case, part))
}

/// Exceptions that nothing needed, given which were used.
pub fn unneeded(used: &HashSet<usize>) -> Vec<String> {
    let idle = EXCEPTIONS.iter().enumerate().filter(|(k, _)| !used.contains(k));
    idle.map(|(_, (op, part, piece, why))| format!("{op} {part:?} {piece:?}: not needed ({why})"))
        .collect()
}

/// Arguments with respect to which PyTorch has no derivative: operation, parameter.
const CONSTANT: &[(&str, &str)] = &[("soft_margin_loss", "target"), ("poisson_nll_loss", "target")];

pub fn is_constant(op: &str, param: &str) -> bool {
    CONSTANT.contains(&(op, param))
}

/// Operations whose result is the end of an iteration, or many formulas long: operation, why.
const UNWRITTEN: &[(&str, &str)] = &[
    ("eigh", ROOTS),
    ("eigvalsh", ROOTS),
    ("svd", ROOTS),
    ("svdvals", ROOTS),
    ("matrix_norm", ROOTS),
    ("cond", ROOTS),
    ("pinv", ROOTS),
    ("pinverse", ROOTS),
    ("lstsq", ROOTS),
    ("matrix_exp", "an infinite series"),
    ("cholesky", LONG),
    ("cholesky_ex", LONG),
    ("cholesky_inverse", LONG),
    ("cholesky_solve", LONG),
    ("solve_triangular", LONG),
    ("qr", LONG),
    ("lu", LONG),
    ("lu_factor", LONG),
    ("lu_factor_ex", LONG),
];

const ROOTS: &str = "roots of polynomials of any degree";
const LONG: &str = "the formulas grow with every row";

/// Whether an operation may have no formula.
pub fn unwritten(op: &str) -> bool {
    UNWRITTEN.iter().any(|(name, _)| *name == op)
}

/// Operations that may have none, and have.
pub fn written_after_all(silent: &HashSet<&str>) -> Vec<String> {
    let idle = UNWRITTEN.iter().filter(|(op, _)| !silent.contains(op));
    idle.map(|(op, why)| format!("{op} has a formula: not needed ({why})")).collect()
}

/// Whether nothing can be compared: beside a NaN there is no difference to take, and no other point.
pub fn no_road(case: &Case) -> bool {
    case.program.contains("nan")
}
