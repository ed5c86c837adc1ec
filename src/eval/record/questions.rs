//! Answers to what a person asks of the session between two inputs: numbers, names and formulas, nothing
//! rounded or padded.

use super::drawn_graph::Drawn;
use super::event::{Fault, Note, Shown, ValueEvent};
use super::network::{Cost, Heat, Network};
use super::stepped::Stepped;
use std::collections::HashMap;
use vjp_maths::matrix::Matrix;
use vjp_tensor::Tensor;

/// What a command was asked.
#[derive(Clone, Debug)]
pub enum Answer {
    WhatIf(WhatIf),
    Worked(Worked),
    Followed(Followed),
    Why(Reasons),
    Network(Network),
    Cost(Cost),
    Heat(Heat),
    Step(Stepped),
    Graph(Drawn),
    Equations(Equations),
}

/// `:why`
#[derive(Clone, Debug)]
pub struct Reasons {
    pub notes: Vec<Note>,
    /// An error that they are about.
    pub failed: Option<Box<Fault>>,
    /// What the names in the statement that failed stand for.
    pub names: Vec<ValueEvent>,
}

impl Reasons {
    pub fn of(notes: Vec<Note>) -> Reasons {
        Reasons { notes, failed: None, names: Vec::new() }
    }
}

/// `:what-if x = [1, 3]`: what would be otherwise.
#[derive(Clone, Debug)]
pub struct WhatIf {
    /// `x = [1, 3]`
    pub code: String,
    /// Names in the order they were bound, each followed by its gradient.
    pub changes: Vec<Change>,
    /// Names that stay as they are.
    pub same: usize,
}

/// What a name, or its `.grad`, is now and would be then; None where it does not exist.
#[derive(Clone, Debug)]
pub struct Change {
    pub name: String,
    pub now: Option<Shown>,
    pub then: Option<Shown>,
}

/// `:explain`: the last backward as a worked example.
#[derive(Clone, Debug)]
pub struct Worked {
    pub output: String,
    /// As it was used, in the shape of y.
    pub v: Tensor,
    pub leaves: Vec<Place>,
    /// Operations in the order they ran; in the middle of many, some are left out.
    pub steps: Vec<Step>,
    /// What was held fixed, as it is written.
    pub held: Vec<String>,
    /// How many are left out, and before which of `steps`.
    pub left_out: Option<(usize, usize)>,
    /// What arrived at each leaf.
    pub sums: Vec<Sum>,
    /// The value that is asked about, where it is not all of them.
    pub from: Option<String>,
    /// How the way ends at such a value that is no leaf.
    pub ended: Option<Ended>,
}

/// The end of a way back that stops at a value between.
#[derive(Clone, Debug)]
pub struct Ended {
    /// What arrived there is what a sweep gives that asks for it.
    pub agrees: bool,
    /// The tensor whose hook changed a gradient on the way.
    pub hooked: Option<String>,
}

/// A value on the way, by its name or its text.
#[derive(Clone, Debug)]
pub struct Place {
    pub name: String,
    pub value: Tensor,
}

/// One operation: its value, what it receives, and what it hands on.
#[derive(Clone, Debug)]
pub struct Step {
    /// Number, from 1.
    pub number: usize,
    pub place: Place,
    /// What computed it, as written; empty where that is the name already.
    pub text: String,
    /// Cotangents that arrived, which are added.
    pub received: Vec<Tensor>,
    pub shares: Vec<Share>,
}

/// What one input of an operation is handed.
#[derive(Clone, Debug)]
pub struct Share {
    pub to: String,
    /// Which of several inputs of this name it is, from 1; 0: the only one.
    pub turn: usize,
    pub local: Local,
    pub given: Tensor,
}

/// A local Jacobian.
#[derive(Clone, Debug)]
pub enum Local {
    /// Each output element from its own input element: the slopes, and their formula; `one`: a single number for
    /// all of them.
    Slopes { slopes: Tensor, formula: Option<String>, one: bool },
    /// Few rows and columns.
    Matrix(Tensor),
    /// In words, of so many rows and columns.
    Words(String, [usize; 2]),
}

/// What arrived at a leaf, from which steps, and whether the sum is what backward added.
#[derive(Clone, Debug)]
pub struct Sum {
    pub leaf: String,
    pub parts: Vec<Tensor>,
    pub total: Tensor,
    pub agrees: bool,
    /// What `.grad` held before, where that is not nothing.
    pub before: Option<Tensor>,
    /// What backward added.
    pub added: Tensor,
    /// The tensor whose hook changed a gradient on the way.
    pub hooked: Option<String>,
    /// vᵀJ of the forward, where a Function's own backward gives something else.
    pub unlike: Option<Tensor>,
}

/// `:explain x[1]`: one entry of a gradient as the sum over the paths that lead from it to y.
#[derive(Clone, Debug)]
pub struct Followed {
    pub name: String,
    pub shape: Vec<usize>,
    pub element: usize,
    /// What is told of: `x.grad[1]`, or `u[1]` on the way.
    pub code: String,
    /// It is on the way from the leaves to y.
    pub within: bool,
    pub paths: Vec<Path>,
    /// Paths that are not told.
    pub more: usize,
    /// There may be still more than that.
    pub endless: bool,
    /// The sum over all paths, where all were walked.
    pub sum: Option<f64>,
    /// What the sweep gave.
    pub swept: f64,
    /// Whether a path leads from it to y, where that is known.
    pub leads: Option<bool>,
    pub agrees: bool,
    /// A value with a hook that changed the gradient.
    pub hooked: Option<String>,
    /// Stations without a name of the program, and what computed them.
    pub computed: Vec<(String, String)>,
}

/// A way through the graph, element by element.
#[derive(Clone, Debug)]
pub struct Path {
    /// Name, shape and element of each station, the leaf's first.
    pub stations: Vec<(String, Vec<usize>, usize)>,
    /// The slope of each part of the way.
    pub factors: Vec<f64>,
    /// The weight of the element of y where it ends.
    pub weight: f64,
    pub product: f64,
}

/// How equations are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    Board,
    /// With the arrays, or their corners, beside them.
    Numbers,
    Latex,
    /// As lines of PyTorch that run after the program.
    Code,
}

/// `:equations`: a sweep in formulas of whole arrays.
#[derive(Clone, Debug)]
pub struct Equations {
    pub written: Written,
    pub output: String,
    /// The values on the way, in the order they were computed.
    pub forward: Vec<Equation>,
    /// Cotangents and gradients, from y down.
    pub backward: Vec<Equation>,
    /// The first cotangent and what it is called, where it is not 1.
    pub v: Option<(String, Tensor)>,
    /// Lists of whole numbers by their names.
    pub lists: Vec<(String, Vec<usize>)>,
    /// Constants that no name leads to: their symbol, how they were written, and what they are.
    pub constants: Vec<(String, String, Tensor)>,
    /// Constants that were taken out of the graph: their symbol, and how they were written.
    pub held: Vec<(String, String)>,
    /// Symbols of values whose names have others by now, and these names.
    pub earlier: Vec<(String, String)>,
    /// Leaves that no name of the program leads to, by their names in code.
    pub numbers: Vec<(String, Tensor)>,
    /// A value with a hook that changed the gradient.
    pub hooked: Option<String>,
    /// An operation at a kink or tie, where a formula is not what the sweep gave.
    pub tied: Option<String>,
    /// Whether the program took a mean, where a sum is divided by how much it adds.
    pub means: bool,
    /// What the names in the formulas were, by their keys.
    pub known: HashMap<usize, Tensor>,
}

/// What an equation is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Left {
    /// A value: `h`.
    Value(String),
    /// A cotangent: ∂ of this value.
    Cotangent(String),
    /// The gradient of a leaf.
    Gradient(String),
    /// The derivative of y with respect to a leaf, times what weighs y's elements.
    Derivative { output: String, leaf: String, weights: Option<String> },
}

/// One line of a derivation.
#[derive(Clone, Debug)]
pub struct Equation {
    pub left: Left,
    /// Its name in code.
    pub code: String,
    /// None: only `words` are known.
    pub right: Option<Matrix>,
    pub words: String,
    /// What the sweep gave.
    pub value: Tensor,
    /// Whether the right side, evaluated, is that.
    pub agrees: bool,
    /// It is added to what `.grad` held.
    pub adds: bool,
}
