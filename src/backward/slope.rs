//! Slopes of operations: as a formula, and whether they are the same whatever the leaves are.

use vjp_maths::autodiff::ancestors::{ancestors, leaves_of};
use vjp_maths::autodiff::cotangent::at_values;
use vjp_maths::observe::value_reads;
use vjp_maths::symbol::formula::Style;
use vjp_maths::symbol::{Leaf, formula};
use vjp_maths::{Array, Edge, Expr, LinearMap, Node, Origin, Point, Symbols, Variable};
use vjp_tensor::Tensor;
use vjp_tensor::ids::IdSet;

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

/// Whether y is linear in the leaves, so that every slope is the same whatever they are: no operation
/// keeps a value that depends on them, none was chosen by value, and no constant came from them.
pub(crate) fn is_linear(nodes: &[Node], leaves: &[Variable]) -> bool {
    let keeps = |n: &Node| {
        let (inputs, output) = n.saved();
        output || (0..8).any(|k| inputs & (1 << k) != 0 && depends(n, k))
    };
    !nodes.iter().any(keeps) && !is_chosen(nodes, leaves)
}

/// Whether a slope on the way to y was chosen by a leaf's value, as those of max and where are, or a leaf's value
/// was read: at other values the formula may be another.
pub fn is_chosen_by_value(y: &Variable) -> bool {
    let leaves = leaves_of(y);
    let nodes = ancestors(y.node());
    // The mask of a gradient's own choice is a number that does not say where it came from.
    let masked = nodes.iter().any(|n| n.operation().name() == "where");
    let compares = |n: &Node| (0..n.inputs().len()).any(|k| depends(n, k) && compares(n, k));
    masked
        || nodes.iter().any(compares)
        || is_chosen(&nodes, &leaves)
        || leaves.iter().any(value_reads::has)
}

fn is_chosen(nodes: &[Node], leaves: &[Variable]) -> bool {
    let came = |e: &Edge| {
        let Some(cut) = e.cut().filter(|_| !e.tracked()) else {
            return false;
        };
        let from = cut.from.upgrade().map(|from| leaves_of(&from));
        from.is_none_or(|from| from.iter().any(|x| leaves.iter().any(|leaf| leaf.same(x))))
    };
    nodes.iter().any(|n| {
        // The forward code of a Function is not run for this question.
        let bends = |k: usize| n.operation().steps(k) || local(n, k).chose();
        let known = !n.operation().has_own_backward();
        let choice = || known && (0..n.inputs().len()).any(|k| depends(n, k) && bends(k));
        n.inputs().iter().any(came) || choice()
    })
}

/// Whether the slope is written with a comparison: other numbers may take another branch.
fn compares(n: &Node, k: usize) -> bool {
    const NAMES: [&str; 4] = ["a", "b", "c", "d"];
    let names = NAMES.get(..n.inputs().len());
    let formula = names.and_then(|names| partial(n, names, Some("y"), k));
    formula.is_some_and(|text| text.contains(['<', '>', '≠']) || text.contains("where"))
}

fn depends(n: &Node, k: usize) -> bool {
    n.inputs().get(k).is_some_and(Edge::tracked)
}

/// Whether every path from a leaf passes through an operation whose slope is 0 whatever its input is.
pub(crate) fn is_flat(nodes: &[Node], leaf: &Variable) -> bool {
    let mut reached = IdSet::default();
    for n in nodes {
        let from = |e: &Edge| match &e.origin {
            Origin::Leaf(x) => x.same(leaf),
            Origin::Node(p) => reached.contains(&p.id()),
            Origin::Constant(_) | Origin::LostView(_) => false,
        };
        let passes = |(k, e): (usize, &Edge)| {
            from(e)
                && !(n.operation().steps(k) && matches!(local(n, k), LinearMap::Unchosen { .. }))
        };
        if n.inputs().iter().enumerate().any(passes) {
            reached.insert(n.id());
        }
    }
    nodes.last().is_some_and(|y| !reached.contains(&y.id()))
}

/// The local Jacobian of a node with respect to an input.
pub(crate) fn local(node: &Node, wrt: usize) -> LinearMap<Tensor> {
    at_values(node, |at| node.operation().linear_tensor(at, wrt))
}
