//! Choosing elements: indexing, gather, where, masks.

use super::Entry;
use crate::maths::complaint::Outcome;
use crate::maths::linear::{Array, LinearMap, Wires};
use crate::maths::rule::{Point, Rule, Saves};
use crate::maths::symbol::Symbols;
use crate::maths::tensor::Tensor;
use crate::maths::tensor_kernels as kernels;

/// Elements by position: the transposed of [`Scatter`].
#[derive(Debug)]
pub struct Gather {
    pub wires: Wires,
}

/// Elements added up at positions: the transposed of [`Gather`].
#[derive(Debug)]
pub struct Scatter {
    pub wires: Wires,
}

macro_rules! positions {
    ($Type:ident, $name:literal, $grad_fn:literal, $method:ident) => {
        impl Rule for $Type {
            fn name(&self) -> &'static str {
                $name
            }

            fn grad_fn(&self) -> &'static str {
                $grad_fn
            }

            fn saves(&self) -> Saves {
                Saves::Nothing
            }

            fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
                kernels::$method(inputs[0], &self.wires)
            }

            fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
                Some(inputs[0].$method(&self.wires))
            }

            fn linear<A: Array>(&self, _: &Point<A>, _: usize) -> LinearMap<A> {
                LinearMap::$Type(self.wires.clone())
            }
        }
    };
}

positions!(Gather, "gather", "GatherBackward0", gather);
positions!(Scatter, "scatter", "ScatterBackward0", scatter);

pub static ENTRIES: &[Entry] = &[];
