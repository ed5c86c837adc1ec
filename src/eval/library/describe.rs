//! What help can tell of an operation from the operation itself: its slope as a formula, the shape
//! of its Jacobian, its grad_fn, and its example carried to the gradient.

use crate::eval::machine::{Machine, Manner, Options, Telling};
use crate::eval::{leaf, written};
use crate::maths::formula::{self, Style};
use crate::maths::linear::LinearMap;
use crate::maths::node::Node;
use crate::maths::ops::Entry;
use crate::maths::rule::Point;
use crate::maths::symbol::Symbols;
use crate::maths::tensor::Tensor;
use crate::maths::variable::Variable;
use crate::text::source::Source;

pub struct Description {
    /// `1 − tanh(x)²`, where the slope is a formula of each element.
    pub slope: Option<String>,
    /// `diagonal: each output from its own input`
    pub structure: &'static str,
    pub grad_fn: String,
    /// A line that runs, up to the backward.
    pub code: String,
    /// What it leaves in x.grad.
    pub grad: Tensor,
}

/// None where the example is no call with a leaf in front.
pub fn describe(entry: &Entry) -> Option<Description> {
    let (callee, _) = entry.example.split_once('(')?;
    let arguments = written::arguments(entry.example)?;
    let (first, rest) = arguments.split_first()?;
    let rest: String = rest.iter().map(|a| format!(", {a}")).collect();
    let mut machine = Machine::new(Options::default());
    machine.telling = Telling::Nothing;
    // `sum`, `max` … alone are Python's.
    let python = super::python::contents().iter().any(|(n, _)| *n == callee);
    let home = if python { "torch." } else { "" };
    let code = format!("x = {first}; y = {home}{callee}(x{rest})");
    run(&mut machine, &code)?;
    let y = variable(&mut machine, "y")?;
    let node = y.node()?;
    let v = match y.shape().as_slice() {
        [] => String::new(),
        shape => ones(shape),
    };
    let code = format!("{code}; y.backward({v})");
    run(&mut machine, &format!("y.backward({v})"))?;
    let x = variable(&mut machine, "x")?;
    Some(Description {
        slope: slope(&node),
        structure: local(&node).describe(),
        grad_fn: node.grad_fn().to_string(),
        code,
        grad: x.grad()?.value(),
    })
}

fn run(machine: &mut Machine, code: &str) -> Option<()> {
    machine
        .run(&Source::new(code), Manner::Program, &mut |_| {})
        .ok()
}

fn variable(machine: &mut Machine, name: &str) -> Option<Variable> {
    let value = machine.lookup(name)?;
    leaf::stacked(machine, &value).ok()
}

fn ones(shape: &[usize]) -> String {
    match shape.split_first() {
        None => "1".to_string(),
        Some((n, rest)) => format!("[{}]", vec![ones(rest); *n].join(", ")),
    }
}

fn local(node: &Node) -> LinearMap<Tensor> {
    let values: Vec<&Tensor> = node.inputs().iter().map(|e| &e.value).collect();
    let at = Point {
        inputs: &values,
        output: node.value(),
        values: &values,
        value: node.value(),
    };
    node.operation().linear_tensor(&at, 0)
}

/// The slope of a one-input elementwise operation, in `x`.
pub fn slope(node: &Node) -> Option<String> {
    let [_] = node.inputs() else { return None };
    let x = Symbols::leaf("x", &[]);
    let one = Tensor::scalar(1.0);
    let y = node.operation().symbols(&[&x], &[&one], &one)?;
    let at = Point {
        inputs: &[&x],
        output: &y,
        values: &[&one],
        value: &one,
    };
    match node.operation().linear_symbols(&at, 0) {
        LinearMap::Diagonal { by, .. } => formula::write(by.data.first()?, Style::Pretty),
        LinearMap::Scale { by, .. } => Some(format!("{by}")),
        _ => None,
    }
}
