//! What an operation must state: its value, and its derivative once.

use super::complaint::Outcome;
use super::linear::{Array, LinearMap};
use super::tensor::Tensor;
use std::fmt::Debug;

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
}

/// A place where the slope jumps and which slope was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Corner {
    /// Which input of the operation, and which of its elements.
    pub input: usize,
    pub element: usize,
    pub left: f64,
    pub right: f64,
    pub taken: f64,
}

/// An operation with its derivative, stated once for numbers, symbols and recorded variables.
/// [`super::rule::Operation`] follows from it for every type that implements this.
pub trait Rule: Debug + 'static {
    /// As the catalogue calls it: `sum`.
    fn name(&self) -> &'static str;
    /// As PyTorch prints it: `SumBackward0`.
    fn grad_fn(&self) -> &'static str;
    fn saves(&self) -> Saves;
    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor>;
    /// The value in symbols; None where the operation has no formula (then neither has J).
    fn symbols(
        &self,
        inputs: &[&super::symbol::Symbols],
        values: &[&Tensor],
        value: &Tensor,
    ) -> Option<super::symbol::Symbols>;
    /// The local Jacobian with respect to input `wrt`.
    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A>;
    fn corners(&self, _inputs: &[&Tensor], _output: &Tensor) -> Vec<Corner> {
        Vec::new()
    }
}
