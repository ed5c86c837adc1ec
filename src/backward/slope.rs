//! The slope of an elementwise operation as a formula.

use vjp_maths::autodiff::linear_map::LinearMap;
use vjp_maths::autodiff::node::Node;
use vjp_maths::autodiff::rule::Point;
use vjp_maths::symbol::formula::Style;
use vjp_maths::symbol::{Symbols, formula};
use vjp_tensor::tensor::Tensor;

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

/// The same.
pub fn partial(node: &Node, names: &[&str], output: Option<&str>, wrt: usize) -> Option<String> {
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
        LinearMap::Diagonal { by, .. } => formula::write(by.data.first()?, Style::Pretty),
        LinearMap::Scale { by, .. } => Some(format!("{by}")),
        LinearMap::Zero { .. } | LinearMap::Unchosen { .. } => Some("0".to_string()),
        _ => None,
    }
}
