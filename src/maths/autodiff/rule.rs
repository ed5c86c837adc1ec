//! What an operation must state: its value, and its derivative once.

use super::algebra::Formula;
use super::torch_node::TorchNode;
use super::variable::Variable;
use crate::autodiff::algebra::{Input, Tile};
use crate::matrix::Matrix;
use crate::table::{Kinks, Reads, Repeated, Row};
use crate::{Array, LinearMap, Symbols};
use std::any::Any;
use std::fmt::Debug;
use std::rc::Rc;
use vjp_tensor::exact_integers::Exact;
use vjp_tensor::kernels::Cpu;
use vjp_tensor::kernels::blocks::{Slot, Slots};
use vjp_tensor::{Dtype, ElementMap, Outcome, Tensor};

/// The output's tangent for the inputs', None for those that stand still.
pub type OwnJvp = dyn Fn(&[Option<&Tensor>]) -> Outcome<Tensor>;

/// A point at which a derivative is asked: inputs and output in the coefficients wanted, and
/// their numbers, by which positions are chosen (max, where, index).
pub struct Point<'a, A> {
    pub inputs: &'a [&'a A],
    pub output: &'a A,
    pub values: &'a [&'a Tensor],
    pub value: &'a Tensor,
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

/// An operation with its derivative, stated once for numbers, symbols and recorded variables.
/// [`Operation`] follows from it for every type that implements this.
pub trait Rule: TorchNode {
    /// As the catalogue calls it: `sum`.
    fn name(&self) -> &'static str;
    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor>;
    /// The value in symbols; None where the operation has no formula (then neither has J).
    fn symbols(&self, _: &[&Symbols], _values: &[&Tensor], _value: &Tensor) -> Option<Symbols> {
        None
    }
    /// The value made of operations on whole arrays, where it is no more than that.
    fn composed<A: Array>(&self, _inputs: &[&A]) -> Option<A> {
        None
    }
    /// The operation as PyTorch code of its inputs' codes, where neither the table nor [`Rule::composed`]
    /// says it.
    fn code(&self, _inputs: &[String]) -> Option<String> {
        None
    }
    /// The operation as PyTorch calls it, where [`Rule::code`] composes it.
    fn call(&self, inputs: &[String]) -> Option<String> {
        self.code(inputs)
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
    /// [`Rule::pull`] of doubles without dimensions, the inputs being `x` and the output `y`.
    fn pass(&self, _x: &[f64], _y: f64, _wrt: usize, _v: f64) -> Option<f64> {
        None
    }
    fn corners(&self, _inputs: &[&Tensor], _output: &Tensor) -> Vec<Corner> {
        Vec::new()
    }
    /// Whether operands of other shapes are broadcast.
    fn broadcasts(&self) -> bool {
        self.elementwise().is_some()
    }
    /// Whether the slope with respect to input `wrt` is a number, and the value no straight line all the
    /// same: a sign, a rounding, a remainder.
    fn steps(&self, _wrt: usize) -> bool {
        false
    }
    /// Itself, where slopes can be had tile by tile.
    fn elementwise(&self) -> Option<&dyn Elementwise> {
        None
    }
}

/// A [`Rule`] behind a pointer, as a recorded node holds it: the generic derivative, asked for one
/// kind of coefficient at a time.
pub trait Operation: TorchNode {
    /// See [`Rule::name`].
    fn name(&self) -> &'static str;
    /// As a person writes it: `pow`, where the table has several rows of that name.
    fn spelled(&self) -> &'static str {
        self.elementwise().map_or_else(|| self.name(), |p| p.row().fun.spelled.0)
    }
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
    /// See [`Rule::call`].
    fn call(&self, inputs: &[String]) -> Option<String> {
        self.code(inputs)
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
    /// What the program's own code keeps its attributes in: `ctx`.
    fn context(&self) -> Option<&Rc<dyn Any>> {
        None
    }
    /// The jvp that a program wrote.
    fn own_jvp(&self) -> Option<&OwnJvp> {
        None
    }
    /// See [`Rule::broadcasts`].
    fn broadcasts(&self) -> bool {
        false
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
    fn pass(&self, x: &[f64], y: f64, wrt: usize, v: f64) -> Option<f64> {
        Rule::pass(self, x, y, wrt, v)
    }
    fn broadcasts(&self) -> bool {
        Rule::broadcasts(self)
    }
    fn elementwise(&self) -> Option<&dyn Elementwise> {
        Rule::elementwise(self)
    }
    fn steps(&self, wrt: usize) -> bool {
        Rule::steps(self, wrt)
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
    fn call(&self, inputs: &[String]) -> Option<String> {
        Rule::call(self, inputs)
    }
    fn written(&self) -> Option<&ElementMap> {
        Rule::written(self)
    }
    fn pull_code(&self, wrt: usize, inputs: &[String], v: &str) -> Option<String> {
        Rule::pull_code(self, wrt, inputs, v)
    }
}
