//! An operation whose forward and backward code a program wrote. Its gradient is what that backward
//! says; its Jacobian is of the forward code, by the rules if it can run on recording variables,
//! else by central differences.

use crate::walk::numeric_many;
use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use vjp_maths::autodiff::grad_mode::with_grad;
use vjp_maths::autodiff::rule::{Corner, OwnJvp};
use vjp_maths::autodiff::torch_node::InPlace;
use vjp_maths::matrix::Matrix;
use vjp_maths::{Edge, LinearMap, Operation, Point, Saves, Symbols, TorchNode, Variable};
use vjp_tensor::budget::refuse;
use vjp_tensor::{Outcome, Tensor};

/// Runs the forward code again on other inputs.
pub type Forward = Rc<dyn Fn(&[Variable]) -> Outcome<Variable>>;

/// Gradients of the inputs for a gradient of the output; None where there is none.
pub type Backward = Rc<dyn Fn(Option<&Variable>) -> Outcome<Vec<Option<Variable>>>>;

/// How J was got.
pub const BY_CODE: &str = "the forward code";
pub const BY_DIFFERENCES: &str = "central differences";

pub struct Written {
    /// `SquareBackward`.
    pub grad_fn: &'static str,
    pub forward: Forward,
    pub backward: Backward,
    /// What forward mode asks rather than the forward code.
    pub jvp: Option<Rc<OwnJvp>>,
    /// `ctx`.
    pub context: Rc<dyn Any>,
    /// What the forward code was given, and gave.
    pub inputs: Vec<Tensor>,
    pub value: Tensor,
    pub saves: Saves,
    pub method: Cell<Option<&'static str>>,
}

impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Written({})", self.grad_fn)
    }
}

impl Written {
    /// size(output) × size(input), row-major.
    fn local(&self, values: &[&Tensor], wrt: usize) -> Outcome<Tensor> {
        match self.by_code(values, wrt)? {
            Some(map) => {
                self.method.set(Some(BY_CODE));
                Ok(map)
            }
            None => {
                self.method.set(Some(BY_DIFFERENCES));
                self.by_differences(values, wrt)
            }
        }
    }

    /// None where the forward code cannot be recorded.
    fn by_code(&self, values: &[&Tensor], wrt: usize) -> Outcome<Option<Tensor>> {
        let inputs: Vec<Variable> = values
            .iter()
            .enumerate()
            .map(|(k, t)| match k == wrt {
                true => Variable::leaf((*t).clone()),
                false => Variable::constant((*t).clone()),
            })
            .collect();
        let y = match with_grad(true, || (self.forward)(&inputs)) {
            Ok(y) => y,
            Err(c) if c.kind.is_stop() => return Err(c),
            Err(_) => return Ok(None),
        };
        if !y.requires_grad() || y.numel() != self.value.numel() {
            return Ok(None);
        }
        let j = numeric_many(&y, std::slice::from_ref(&inputs[wrt]))?.swap_remove(0);
        let (rows, columns) = (y.numel(), values[wrt].numel());
        let mut data = vec![0.0; vjp_tensor::shape::count(&[rows, columns])?];
        for (i, k, entry) in j.present() {
            if let crate::Entry::Value(v) = entry {
                data[i * columns + k] = v;
            }
        }
        Ok(Some(Tensor::new(&[rows, columns], data)))
    }

    fn by_differences(&self, values: &[&Tensor], wrt: usize) -> Outcome<Tensor> {
        let (rows, columns) = (self.value.numel(), values[wrt].numel());
        let mut data = vec![0.0; vjp_tensor::shape::count(&[rows, columns])?];
        for k in 0..columns {
            let at = values[wrt].data()[k];
            // ∛ε: where rounding and curvature cost alike.
            let h = f64::EPSILON.cbrt() * at.abs().max(1.0);
            let moved = |by: f64| -> Outcome<Tensor> {
                let mut inputs: Vec<Variable> =
                    values.iter().map(|t| Variable::constant((*t).clone())).collect();
                let mut t = values[wrt].clone();
                t.data_mut()[k] = at + by;
                inputs[wrt] = Variable::constant(t);
                Ok(with_grad(false, || (self.forward)(&inputs))?.value())
            };
            let (above, below) = (moved(h)?, moved(-h)?);
            for (i, (a, b)) in above.data().iter().zip(below.data()).enumerate().take(rows) {
                data[i * columns + k] = (a - b) / (2.0 * h);
            }
        }
        Ok(Tensor::new(&[rows, columns], data))
    }
}

impl Operation for Written {
    fn name(&self) -> &'static str {
        self.grad_fn.strip_suffix("Backward").unwrap_or(self.grad_fn)
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let equal = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
        let same = |(a, b): (&Tensor, &&Tensor)| a.data().iter().zip(b.data()).all(equal);
        if self.inputs.iter().zip(inputs).all(same) {
            return Ok(self.value.clone());
        }
        let inputs: Vec<Variable> =
            inputs.iter().map(|t| Variable::constant((*t).clone())).collect();
        Ok(with_grad(false, || (self.forward)(&inputs))?.value())
    }

    fn symbols(&self, _: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        None
    }

    fn corners(&self, _: &[&Tensor], _: &Tensor) -> Vec<Corner> {
        Vec::new()
    }

    fn linear_tensor(&self, at: &Point<Tensor>, wrt: usize) -> LinearMap<Tensor> {
        let (from, to) = (at.values[wrt].shape().to_vec(), at.value.shape().to_vec());
        match self.local(at.values, wrt) {
            Ok(by) => LinearMap::Dense { by, from, to },
            Err(complaint) => {
                refuse(complaint);
                LinearMap::Zero { from, to }
            }
        }
    }

    // Without a formula no symbols are asked for, and a sweep asks `backward`.
    fn linear_symbols(&self, at: &Point<Symbols>, wrt: usize) -> LinearMap<Symbols> {
        let (from, to) = (at.values[wrt].shape().to_vec(), at.value.shape().to_vec());
        LinearMap::Zero { from, to }
    }

    fn linear_variable(&self, at: &Point<Variable>, wrt: usize) -> LinearMap<Variable> {
        let (from, to) = (at.values[wrt].shape().to_vec(), at.value.shape().to_vec());
        LinearMap::Zero { from, to }
    }

    fn linear_matrix(&self, at: &Point<Matrix>, wrt: usize) -> LinearMap<Matrix> {
        let (from, to) = (at.values[wrt].shape().to_vec(), at.value.shape().to_vec());
        LinearMap::Zero { from, to }
    }

    fn backward(
        &self,
        cotangent: &dyn Fn() -> Option<Variable>,
    ) -> Option<Outcome<Vec<Option<Variable>>>> {
        Some((self.backward)(cotangent().as_ref()))
    }

    fn has_own_backward(&self) -> bool {
        true
    }

    fn context(&self) -> Option<&Rc<dyn Any>> {
        Some(&self.context)
    }

    fn own_jvp(&self) -> Option<&OwnJvp> {
        self.jvp.as_deref()
    }

    fn method(&self) -> Option<&'static str> {
        self.method.get()
    }
}

impl TorchNode for Written {
    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        self.saves
    }

    fn in_place(&self) -> Option<InPlace> {
        None
    }

    fn arguments(&self, inputs: &[Edge]) -> Vec<Option<usize>> {
        (0..inputs.len()).map(Some).collect()
    }
}
