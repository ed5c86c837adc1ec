//! The slope of an elementwise operation as a formula.

use vjp_maths::symbol::formula::Style;
use vjp_maths::symbol::{Leaf, formula};
use vjp_maths::{Array, Expr, LinearMap, Node, Point, Symbols};
use vjp_tensor::Tensor;

/// The slope of a one-input elementwise operation, in `x`.
pub fn slope(node: &Node) -> Option<String> {
    match node.inputs() {
        [_] => partial(node, &["x"], None, 0),
        _ => None,
    }
}

/// The slope of an elementwise operation with respect to an input, in the names of its inputs; where
/// `output` is given, that is what the operation's value is called.
pub fn slope_in(node: &Node, names: &[String], output: Option<&str>, wrt: usize) -> Option<String> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    partial(node, &names, output, wrt)
}

/// Elements that are compared to see whether a formula holds.
const ELEMENTS: usize = 256;

/// Whether the formula gives the slopes where they are: `log(x) x^x` has no value at 0.
pub fn holds(node: &Node, wrt: usize, slopes: &Tensor) -> bool {
    let names: Vec<String> = (0..node.inputs().len()).map(|k| k.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let Some(formula) = formula_of(node, &names, None, wrt) else {
        return true;
    };
    let values: Vec<Tensor> =
        node.inputs().iter().map(|e| e.value.expand(node.value().shape())).collect();
    let (count, given) = (slopes.numel().min(ELEMENTS), slopes.data());
    if slopes.numel() != node.value().numel() {
        return true;
    }
    (0..count).all(|at| {
        let value = |leaf: &Leaf, _: usize| {
            let input = leaf.name.parse::<usize>().ok().and_then(|k| values.get(k));
            input.and_then(|v| v.data().get(at).copied()).unwrap_or(f64::NAN)
        };
        let (found, rule) = (formula.evaluate(&value), given[at]);
        found == rule || (found - rule).abs() <= 1e-3 * rule.abs().max(1.0) || rule.is_nan()
    })
}

/// The same.
pub fn partial(node: &Node, names: &[&str], output: Option<&str>, wrt: usize) -> Option<String> {
    let formula = formula_of(node, names, output, wrt)?;
    match formula.as_const() {
        Some(number) => Some(format!("{number}")),
        None => formula::write(&formula, Style::Pretty),
    }
}

fn formula_of(node: &Node, names: &[&str], output: Option<&str>, wrt: usize) -> Option<Expr> {
    // One number for each operand stands for all elements.
    node.operation().elementwise()?;
    let operands: Vec<Symbols> = names.iter().map(|n| Symbols::leaf(n, &[])).collect();
    let operands: Vec<&Symbols> = operands.iter().collect();
    let one = Tensor::scalar(1.0);
    let ones = vec![&one; names.len()];
    let y = match output {
        Some(name) => Symbols::leaf(name, &[]),
        None => node.operation().symbols(&operands, &ones, &one)?,
    };
    let at = Point { inputs: &operands, output: &y, values: &ones, value: &one };
    match node.operation().linear_symbols(&at, wrt) {
        LinearMap::Diagonal { by, .. } => by.data.first().cloned(),
        LinearMap::Scale { by, .. } => Some(Expr::constant(by)),
        LinearMap::Zero { .. } | LinearMap::Unchosen { .. } => Some(Expr::constant(0.0)),
        _ => None,
    }
}
