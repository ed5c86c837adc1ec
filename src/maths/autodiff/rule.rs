//! What an operation must state: its value, and its derivative once.

use super::algebra::Formula;
use super::node::{Edge, Node};
use super::variable::Variable;
use crate::autodiff::algebra::{Input, Tile};
use crate::autodiff::linear_map::{Array, LinearMap};
use crate::keeping::attribute::Attributes;
use crate::matrix::Matrix;
use crate::second_order::names::{in_place_name, second_name};
use crate::symbol::Symbols;
use crate::table::{Kinks, Reads, Repeated, Row};
use std::fmt::Debug;
use vjp_tensor::complaint::Outcome;
use vjp_tensor::element_map::ElementMap;
use vjp_tensor::exact_integers::Exact;
use vjp_tensor::kernels::Cpu;
use vjp_tensor::kernels::blocks::{Slot, Slots};
use vjp_tensor::tensor::{Dtype, Tensor};

/// The output's tangent for the inputs', None for those that stand still.
pub type OwnJvp = dyn Fn(&[Option<&Tensor>]) -> Outcome<Tensor>;

/// Where the inputs of PyTorch's node are found.
pub enum Behind {
    /// They are the node's own.
    Inputs,
    /// The node itself is only where one enters.
    Entry,
    /// They enter here.
    Entries(Vec<Option<Node>>),
    /// They are those of the node before.
    Before,
    /// The first is its own, the others are those of the node that computed what is written.
    Written,
}

/// A point at which a derivative is asked: inputs and output in the coefficients wanted, and
/// their numbers, by which positions are chosen (max, where, index).
pub struct Point<'a, A> {
    pub inputs: &'a [&'a A],
    pub output: &'a A,
    pub values: &'a [&'a Tensor],
    pub value: &'a Tensor,
}

/// What backward needs of the forward pass, and so what may not be written in place between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saves {
    Nothing,
    /// Bit i: input i.
    Inputs(u8),
    Output,
    InputsAndOutput(u8),
    /// Something else: an index, a mask.
    Aside,
}

/// How an element of the output moves with the inputs that make a corner of it together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bend {
    /// Each by itself: its slope from the left or from the right, as it moves.
    Alone,
    /// Equals, of which the one that then stands at this place from below is the output.
    Ranked(usize),
    /// Equal sizes, of which the largest is the output.
    Largest,
    /// As the p-norm of what they move by.
    Length(f64),
    /// As their standard deviation, of so many degrees of freedom.
    Spread(f64),
}

/// A place where the slope jumps and which slope was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Corner {
    /// Which input of the operation, and which of its elements.
    pub input: usize,
    pub element: usize,
    /// The element of the output that it makes.
    pub output: usize,
    pub left: f64,
    pub right: f64,
    pub taken: f64,
    pub bend: Bend,
}

/// An operation of which each output element depends on the elements of the operands in its own place: a
/// row of the table, for loops that are compiled once for all rows.
pub trait Elementwise: Sync {
    fn row(&self) -> &'static Row;
    fn params(&self) -> Vec<f64>;
    /// The value of single numbers.
    fn at(&self, x: &[f64]) -> f64;
    /// The value of whole numbers over a tile; see [`Row::whole`].
    fn whole(&self, x: &[Input], exact: &Exact, out: &mut [Slot]);
    /// The same of single numbers.
    fn whole_at(&self, x: &[i64]) -> i64;
    /// The value in 16-bit floats over a tile; see [`Row::rounded`].
    fn rounded(&self, dtype: Dtype, x: &[Input], out: &mut [Slot]);
    /// The value over a tile of the operands, which lie in the type of `out`.
    fn tile(&self, cpu: Cpu, dtype: Dtype, x: &[Input], out: Slots);
    /// Whether the slope with respect to operand `wrt` is a constant, or which operands it reads.
    fn reads(&self, wrt: usize) -> Formula<Reads>;
    /// The slopes with respect to operand `wrt` over a tile of the operands `x` and of the output `y`.
    fn slope<'a>(&self, wrt: usize, x: &[Tile<'a>], y: &Tile<'a>) -> Formula<Tile<'a>>;
    /// vᵀJ over a tile, where the row says in which order; see [`crate::table::Pointwise::LED`].
    fn led<'a>(
        &self,
        wrt: usize,
        x: &[Tile<'a>],
        y: &Tile<'a>,
        v: &Tile<'a>,
    ) -> Option<Formula<Tile<'a>>>;
    /// The same of arrays.
    fn led_arrays(
        &self,
        wrt: usize,
        x: &[&Tensor],
        y: &Tensor,
        v: &Tensor,
    ) -> Option<Formula<Tensor>>;
    /// The cotangent `v` of single numbers times the slope.
    fn pass(&self, wrt: usize, x: &[f64], y: f64, v: f64) -> f64;
    /// [`Elementwise::pass`] of few numbers each.
    fn pass_few(&self, wrt: usize, x: &[Repeated], y: &[f64], v: &[f64]) -> Vec<f64>;
    /// Whether the function has no value at these finite numbers, as log has none at -1.
    fn undefined(&self, x: &[f64]) -> bool;
    /// Slopes beside this point, where it is a corner.
    fn kink(&self, x: &[f64]) -> Kinks;
}

/// Whether PyTorch's backward gives 0 for operand `wrt`, whatever the slope is: asked with the operands and the
/// cotangent of one element.
pub type Blocks = fn(wrt: usize, x: &[f64], v: f64) -> bool;

/// An operation with its derivative, stated once for numbers, symbols and recorded variables.
/// [`Operation`] follows from it for every type that implements this.
pub trait Rule: Debug + 'static {
    /// As the catalogue calls it: `sum`.
    fn name(&self) -> &'static str;
    /// As PyTorch prints it: `SumBackward0`.
    fn grad_fn(&self) -> &'static str;
    fn saves(&self) -> Saves;
    /// [`Rule::saves`], knowing which inputs want a gradient (bit i: input i): a product keeps a
    /// factor only for the sake of the other.
    fn saves_for(&self, _tracked: u8) -> Saves {
        self.saves()
    }
    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor>;
    /// The value in symbols; None where the operation has no formula (then neither has J).
    fn symbols(&self, inputs: &[&Symbols], values: &[&Tensor], value: &Tensor) -> Option<Symbols>;
    /// The value made of operations on whole arrays, where it is no more than that.
    fn composed<A: Array>(&self, _inputs: &[&A]) -> Option<A> {
        None
    }
    /// The operation as PyTorch code of its inputs' codes, where neither the table nor [`Rule::composed`]
    /// says it.
    fn code(&self, _inputs: &[String]) -> Option<String> {
        None
    }
    /// The part of the first input that the second is written into, or added to.
    fn written(&self) -> Option<&ElementMap> {
        None
    }
    /// vᵀJ with respect to input `wrt` as PyTorch code, where PyTorch has a function of it.
    fn pull_code(&self, _wrt: usize, _inputs: &[String], _v: &str) -> Option<String> {
        None
    }
    /// The local Jacobian with respect to input `wrt`.
    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A>;
    /// vᵀJ with respect to input `wrt` in numbers, where that can be had without the map; else None.
    fn pull(&self, _at: &Point<Tensor>, _wrt: usize, _v: &Tensor) -> Option<Outcome<Tensor>> {
        None
    }
    /// The elements of input `wrt` that vᵀJ puts v in, as it is, where it does no more than that.
    fn places(&self, _wrt: usize) -> Option<&ElementMap> {
        None
    }
    /// Whether nothing else comes to its [`Rule::places`]: it is one of the pieces that PyTorch's node puts together.
    fn is_piece(&self) -> bool {
        false
    }
    /// [`Rule::pull`] of doubles without dimensions, the inputs being `x` and the output `y`.
    fn pass(&self, _x: &[f64], _y: f64, _wrt: usize, _v: f64) -> Option<f64> {
        None
    }
    fn corners(&self, _inputs: &[&Tensor], _output: &Tensor) -> Vec<Corner> {
        Vec::new()
    }
    /// Whether PyTorch's backward chooses between the cotangent and 0 instead of multiplying by a slope
    /// of 0: what it blocks is 0, never -0, and also where ∞ is blocked.
    fn chooses(&self) -> bool {
        false
    }
    /// Whether the slope with respect to input `wrt` is a number, and the value no straight line all the
    /// same: a sign, a rounding, a remainder.
    fn steps(&self, _wrt: usize) -> bool {
        false
    }
    /// See [`Blocks`].
    fn blocks(&self) -> Option<Blocks> {
        None
    }
    /// The inputs, one bit each, with respect to which PyTorch has no derivative and raises an error;
    /// all bits: its node is called [`UNDERIVED`].
    fn underived(&self) -> u8 {
        0
    }
    /// Whether PyTorch's backward passes no gradient on, not even zeros.
    fn passes_nothing(&self) -> bool {
        false
    }
    /// Whether PyTorch's backward multiplies by a mask that remembers nothing: the slope has no history.
    fn masks(&self) -> bool {
        false
    }
    /// Whether PyTorch's backward is a function of the input, though no slope depends on it.
    fn remembers(&self) -> bool {
        false
    }
    /// What PyTorch's node saved beside this one's inputs.
    fn beside(&self) -> &[Edge] {
        &[]
    }
    /// What PyTorch's node keeps that is neither input nor output.
    fn attributes(&self, _inputs: &[&Tensor]) -> Attributes {
        Attributes::new()
    }
    /// Whether operands of other shapes are broadcast.
    fn broadcasts(&self) -> bool {
        self.elementwise().is_some()
    }
    /// What PyTorch calls the backward, where that has no derivative.
    fn last(&self) -> Option<&'static str> {
        None
    }
    /// What PyTorch calls the node that the recorded backward leaves, where not after its arithmetic.
    fn second(&self, wrt: usize) -> Option<&'static str> {
        second_name(self.grad_fn(), wrt)
    }
    /// Its node where it is written in place, if that is another.
    fn in_place(&self) -> Option<InPlace> {
        InPlace::of(self.grad_fn())
    }
    /// Which of several outputs of PyTorch's node it gives.
    fn place(&self) -> usize {
        0
    }
    /// Where the inputs of PyTorch's node are found.
    fn behind(&self) -> Behind {
        Behind::Inputs
    }
    /// Which input each edge of PyTorch's node comes from; None: nothing. A number has none.
    fn arguments(&self, inputs: &[Edge]) -> Vec<Option<usize>> {
        (0..inputs.len()).filter(|k| !inputs[*k].is_number()).map(Some).collect()
    }
    /// Itself, where slopes can be had tile by tile.
    fn elementwise(&self) -> Option<&dyn Elementwise> {
        None
    }
}

/// The node of an operation written in place, where it is not that of the operation.
#[derive(Clone, Copy, Debug)]
pub struct InPlace {
    pub grad_fn: &'static str,
    /// See [`Rule::underived`], and what PyTorch then calls it.
    pub underived: Option<(&'static str, u8)>,
}

impl InPlace {
    /// By the name of the operation's own node.
    pub fn of(grad_fn: &str) -> Option<InPlace> {
        in_place_name(grad_fn).map(|grad_fn| InPlace { grad_fn, underived: None })
    }
}

/// As PyTorch calls the node of an operation that has no backward at all.
pub const UNDERIVED: &str = "NotImplemented";

/// A [`Rule`] behind a pointer, as a recorded node holds it: the generic derivative, asked for one
/// kind of coefficient at a time.
pub trait Operation: Debug {
    /// See [`Rule::name`].
    fn name(&self) -> &'static str;
    /// As a person writes it: `pow`, where the table has several rows of that name.
    fn spelled(&self) -> &'static str {
        self.elementwise().map_or_else(|| self.name(), |p| p.row().fun.spelled.0)
    }
    /// See [`Rule::grad_fn`].
    fn grad_fn(&self) -> &'static str;
    /// See [`Rule::saves`].
    fn saves(&self) -> Saves;
    /// See [`Rule::saves_for`].
    fn saves_for(&self, tracked: u8) -> Saves;
    /// See [`Rule::value`].
    ///
    /// # Errors
    /// What PyTorch says of shapes and types that do not fit.
    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor>;
    /// See [`Rule::symbols`].
    fn symbols(&self, inputs: &[&Symbols], values: &[&Tensor], value: &Tensor) -> Option<Symbols>;
    /// See [`Rule::corners`].
    fn corners(&self, inputs: &[&Tensor], output: &Tensor) -> Vec<Corner>;
    /// See [`Rule::pull`].
    fn pull(&self, _at: &Point<Tensor>, _wrt: usize, _v: &Tensor) -> Option<Outcome<Tensor>> {
        None
    }
    /// See [`Rule::places`].
    fn places(&self, _wrt: usize) -> Option<&ElementMap> {
        None
    }
    /// See [`Rule::is_piece`].
    fn is_piece(&self) -> bool {
        false
    }
    /// See [`Rule::pass`].
    fn pass(&self, _x: &[f64], _y: f64, _wrt: usize, _v: f64) -> Option<f64> {
        None
    }
    /// See [`Rule::elementwise`].
    fn elementwise(&self) -> Option<&dyn Elementwise> {
        None
    }
    /// [`Rule::linear`] in numbers.
    fn linear_tensor(&self, at: &Point<Tensor>, wrt: usize) -> LinearMap<Tensor>;
    /// [`Rule::linear`] in symbols.
    fn linear_symbols(&self, at: &Point<Symbols>, wrt: usize) -> LinearMap<Symbols>;
    /// [`Rule::linear`] in variables that record what is done to them.
    fn linear_variable(&self, at: &Point<Variable>, wrt: usize) -> LinearMap<Variable>;
    /// [`Rule::linear`] in formulas of whole arrays.
    fn linear_matrix(&self, at: &Point<Matrix>, wrt: usize) -> LinearMap<Matrix>;
    /// [`Rule::composed`] of formulas of whole arrays.
    fn value_matrix(&self, _inputs: &[&Matrix]) -> Option<Matrix> {
        None
    }
    /// See [`Rule::code`].
    fn code(&self, _inputs: &[String]) -> Option<String> {
        None
    }
    /// See [`Rule::written`].
    fn written(&self) -> Option<&ElementMap> {
        None
    }
    /// See [`Rule::pull_code`].
    fn pull_code(&self, _wrt: usize, _inputs: &[String], _v: &str) -> Option<String> {
        None
    }
    /// Where a program wrote the backward: the inputs' gradients for the output's, which is made when
    /// asked for, None where none came.
    fn backward(
        &self,
        _cotangent: &dyn Fn() -> Option<Variable>,
    ) -> Option<Outcome<Vec<Option<Variable>>>> {
        None
    }
    /// Whether [`Operation::backward`] is one that a program wrote.
    fn has_own_backward(&self) -> bool {
        false
    }
    /// The jvp that a program wrote.
    fn own_jvp(&self) -> Option<&OwnJvp> {
        None
    }
    /// See [`Rule::underived`].
    fn underived(&self) -> u8 {
        0
    }
    /// See [`Rule::chooses`].
    fn chooses(&self) -> bool {
        false
    }
    /// See [`Rule::passes_nothing`].
    fn passes_nothing(&self) -> bool {
        false
    }
    /// See [`Rule::masks`].
    fn masks(&self) -> bool {
        false
    }
    /// See [`Rule::remembers`].
    fn remembers(&self) -> bool {
        false
    }
    /// See [`Rule::beside`].
    fn beside(&self) -> &[Edge] {
        &[]
    }
    /// See [`Rule::attributes`].
    fn attributes(&self, _inputs: &[&Tensor]) -> Attributes {
        Attributes::new()
    }
    /// See [`Rule::broadcasts`].
    fn broadcasts(&self) -> bool {
        false
    }
    /// See [`Rule::last`].
    fn last(&self) -> Option<&'static str> {
        None
    }
    /// See [`Rule::second`].
    fn second(&self, wrt: usize) -> Option<&'static str> {
        second_name(self.grad_fn(), wrt)
    }
    /// See [`Rule::in_place`].
    fn in_place(&self) -> Option<InPlace> {
        None
    }
    /// See [`Rule::place`].
    fn place(&self) -> usize {
        0
    }
    /// See [`Rule::behind`].
    fn behind(&self) -> Behind {
        Behind::Inputs
    }
    /// See [`Rule::arguments`].
    fn arguments(&self, inputs: &[Edge]) -> Vec<Option<usize>> {
        (0..inputs.len()).map(Some).collect()
    }
    /// See [`Blocks`].
    fn blocks(&self) -> Option<Blocks> {
        None
    }
    /// See [`Rule::steps`].
    fn steps(&self, _wrt: usize) -> bool {
        false
    }
    /// How its Jacobian was got, where not by a rule.
    fn method(&self) -> Option<&'static str> {
        None
    }
}

impl<R: Rule> Operation for R {
    fn name(&self) -> &'static str {
        Rule::name(self)
    }
    fn grad_fn(&self) -> &'static str {
        Rule::grad_fn(self)
    }
    fn saves(&self) -> Saves {
        Rule::saves(self)
    }
    fn saves_for(&self, tracked: u8) -> Saves {
        Rule::saves_for(self, tracked)
    }
    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        Rule::value(self, inputs)
    }
    fn symbols(&self, inputs: &[&Symbols], values: &[&Tensor], value: &Tensor) -> Option<Symbols> {
        Rule::symbols(self, inputs, values, value)
    }
    fn corners(&self, inputs: &[&Tensor], output: &Tensor) -> Vec<Corner> {
        Rule::corners(self, inputs, output)
    }
    fn pull(&self, at: &Point<Tensor>, wrt: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        Rule::pull(self, at, wrt, v)
    }
    fn places(&self, wrt: usize) -> Option<&ElementMap> {
        Rule::places(self, wrt)
    }
    fn is_piece(&self) -> bool {
        Rule::is_piece(self)
    }
    fn pass(&self, x: &[f64], y: f64, wrt: usize, v: f64) -> Option<f64> {
        Rule::pass(self, x, y, wrt, v)
    }
    fn underived(&self) -> u8 {
        Rule::underived(self)
    }
    fn chooses(&self) -> bool {
        Rule::chooses(self)
    }
    fn steps(&self, wrt: usize) -> bool {
        Rule::steps(self, wrt)
    }
    fn blocks(&self) -> Option<Blocks> {
        Rule::blocks(self)
    }
    fn passes_nothing(&self) -> bool {
        Rule::passes_nothing(self)
    }
    fn masks(&self) -> bool {
        Rule::masks(self)
    }
    fn remembers(&self) -> bool {
        Rule::remembers(self)
    }
    fn beside(&self) -> &[Edge] {
        Rule::beside(self)
    }
    fn attributes(&self, inputs: &[&Tensor]) -> Attributes {
        Rule::attributes(self, inputs)
    }
    fn broadcasts(&self) -> bool {
        Rule::broadcasts(self)
    }
    fn last(&self) -> Option<&'static str> {
        Rule::last(self)
    }
    fn second(&self, wrt: usize) -> Option<&'static str> {
        Rule::second(self, wrt)
    }
    fn in_place(&self) -> Option<InPlace> {
        Rule::in_place(self)
    }
    fn place(&self) -> usize {
        Rule::place(self)
    }
    fn behind(&self) -> Behind {
        Rule::behind(self)
    }
    fn arguments(&self, inputs: &[Edge]) -> Vec<Option<usize>> {
        Rule::arguments(self, inputs)
    }
    fn elementwise(&self) -> Option<&dyn Elementwise> {
        Rule::elementwise(self)
    }
    fn linear_tensor(&self, at: &Point<Tensor>, wrt: usize) -> LinearMap<Tensor> {
        self.linear(at, wrt)
    }
    fn linear_symbols(&self, at: &Point<Symbols>, wrt: usize) -> LinearMap<Symbols> {
        self.linear(at, wrt)
    }
    fn linear_variable(&self, at: &Point<Variable>, wrt: usize) -> LinearMap<Variable> {
        self.linear(at, wrt)
    }
    fn linear_matrix(&self, at: &Point<Matrix>, wrt: usize) -> LinearMap<Matrix> {
        self.linear(at, wrt)
    }
    fn value_matrix(&self, inputs: &[&Matrix]) -> Option<Matrix> {
        self.composed(inputs)
    }
    fn code(&self, inputs: &[String]) -> Option<String> {
        Rule::code(self, inputs)
    }
    fn written(&self) -> Option<&ElementMap> {
        Rule::written(self)
    }
    fn pull_code(&self, wrt: usize, inputs: &[String], v: &str) -> Option<String> {
        Rule::pull_code(self, wrt, inputs, v)
    }
}
