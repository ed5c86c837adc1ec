//! Random numbers drawn with other numbers as their parameters: recorded, with slope 0, as PyTorch has it.

use crate::autodiff::record::record;
use crate::{Array, LinearMap, Point, Rule, Saves, TorchNode, Variable};
use std::rc::Rc;
use vjp_tensor::{Outcome, Tensor};

/// `y = what was drawn`, whatever its inputs are when it is computed again.
#[derive(Debug)]
struct Drawn {
    name: &'static str,
    grad_fn: &'static str,
    value: Tensor,
    underived: u8,
}

impl Rule for Drawn {
    fn name(&self) -> &'static str {
        self.name
    }

    fn value(&self, _: &[&Tensor]) -> Outcome<Tensor> {
        Ok(self.value.clone())
    }

    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        LinearMap::Zero { from: at.inputs[wrt].shape(), to: self.value.shape().to_vec() }
    }
}

impl TorchNode for Drawn {
    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        Saves::Nothing
    }

    fn underived(&self) -> u8 {
        self.underived
    }
}

/// `value`, drawn with `inputs` as parameters; `derived`: backward gives 0, else PyTorch's error.
pub fn recorded(
    inputs: &[Variable],
    value: Tensor,
    (name, grad_fn): (&'static str, &'static str),
    derived: bool,
) -> Variable {
    let underived = if derived { 0 } else { u8::MAX };
    let op = Drawn { name, grad_fn, value: value.clone(), underived };
    let node = record(Rc::new(op), inputs, &value);
    Variable::fresh(value, node)
}
