//! Assignment through lists of positions and masks: `y[mask] = 0`.

use crate::maths::complaint::Outcome;
use crate::maths::inplace::SetView;
use crate::maths::linear::{Array, LinearMap, Wires};
use crate::maths::rule::{Point, Rule, Saves};
use crate::maths::symbol::Symbols;
use crate::maths::tensor::Tensor;

/// A [`SetView`] under the name that PyTorch gives it.
#[derive(Debug)]
pub struct IndexPut {
    set: SetView,
    grad_fn: &'static str,
}

impl IndexPut {
    pub fn new(part: Wires, grad_fn: &'static str) -> IndexPut {
        IndexPut {
            set: SetView { part, whole: false },
            grad_fn,
        }
    }
}

impl Rule for IndexPut {
    fn name(&self) -> &'static str {
        "index_put"
    }

    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        Saves::Nothing
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        Rule::value(&self.set, inputs)
    }

    fn symbols(&self, inputs: &[&Symbols], values: &[&Tensor], value: &Tensor) -> Option<Symbols> {
        Rule::symbols(&self.set, inputs, values, value)
    }

    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        self.set.linear(at, wrt)
    }
}
