//! Reductions: sum, mean, prod, max, min …

use super::{Entry, Forms, Out, USUAL};
use crate::maths::complaint::Outcome;
use crate::maths::linear::{Array, LinearMap, Wires};
use crate::maths::rule::{Point, Rule, Saves};
use crate::maths::shape;
use crate::maths::symbol::Symbols;
use crate::maths::tensor::{Dtype, Tensor};
use crate::maths::tensor_kernels as kernels;
use crate::maths::variable::{Variable, apply};
use std::rc::Rc;

/// The sum over some dimensions, or over all.
#[derive(Debug)]
pub struct Sum {
    /// None: all of them, and PyTorch's other overload.
    dims: Option<Vec<usize>>,
    keepdim: bool,
}

impl Sum {
    pub fn all() -> Sum {
        Sum {
            dims: None,
            keepdim: false,
        }
    }

    pub fn over(dims: Vec<usize>, keepdim: bool) -> Sum {
        Sum {
            dims: Some(dims),
            keepdim,
        }
    }

    /// The shape with ones, and the result's shape.
    fn shapes(&self, from: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let all: Vec<usize> = (0..from.len()).collect();
        let dims = self.dims.as_ref().unwrap_or(&all);
        (
            shape::reduced(from, dims, true),
            shape::reduced(from, dims, self.keepdim),
        )
    }
}

impl Rule for Sum {
    fn name(&self) -> &'static str {
        "sum"
    }

    fn grad_fn(&self) -> &'static str {
        match self.dims {
            None => "SumBackward0",
            Some(_) => "SumBackward1",
        }
    }

    fn saves(&self) -> Saves {
        Saves::Nothing
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let x = inputs[0];
        let dtype = match x.dtype() {
            d if d.is_float() => d,
            _ => Dtype::Int64,
        };
        let (ones, to) = self.shapes(x.shape());
        let x = x.to_dtype(dtype);
        Ok(kernels::collapse(&x, &ones)?.reshaped(&to))
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        let (ones, to) = self.shapes(&inputs[0].shape);
        let sums = inputs[0].collapse(&ones);
        Some(Symbols {
            shape: to,
            data: sums.data,
        })
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let from = at.values[0].shape().to_vec();
        let (ones, to) = self.shapes(&from);
        let collapse = LinearMap::Collapse {
            from,
            to: ones.clone(),
        };
        if ones == to {
            collapse
        } else {
            LinearMap::Then(vec![
                collapse,
                LinearMap::Gather(Wires::reshape(&ones, &to)),
            ])
        }
    }
}

/// `x.sum()`, `x.sum(dim, keepdim)`.
///
/// # Errors
/// Dimensions out of range.
pub fn sum(x: &Variable, dims: Option<&[i64]>, keepdim: bool) -> Outcome<Variable> {
    let op = match dims {
        None => Sum::all(),
        Some(d) => Sum::over(shape::axes(d, x.rank())?, keepdim),
    };
    apply(Rc::new(op), std::slice::from_ref(x))
}

pub static ENTRIES: &[Entry] = &[Entry {
    name: "sum",
    aliases: &[],
    forms: USUAL.and(Forms::NP),
    signature: "(Tensor input, int[] dim=None, bool keepdim=False, *, Dtype dtype=None)",
    formula: "y = Σ xᵢ; ∂y/∂xᵢ = 1",
    example: "sum([1, 2, 3])",
    see_also: &["mean", "cumsum"],
    call: |b| {
        let x = b.tensor(0)?;
        let x = match b.dtype(3) {
            Some(d) => crate::maths::recording::cast(&x, d),
            None => x,
        };
        let dims = b.ints(1);
        Ok(Out::One(sum(&x, dims.as_deref(), b.bool_or(2, false))?))
    },
}];
