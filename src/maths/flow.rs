//! What flows downwards in a sweep, and how it passes one node.

use super::kernels::blocks;
use super::linear::Array;
use super::node::{Node, with_values};
use super::reverse::refuse;
use super::rule::Point;
use super::tensor::{Dtype, Tensor};
use super::variable::Variable;
use smallvec::SmallVec;

/// The point at which a node was computed.
fn at<T>(node: &Node, ask: impl FnOnce(&Point<Tensor>) -> T) -> T {
    with_values(node.inputs(), |values| {
        ask(&Point {
            inputs: values,
            output: node.value(),
            values,
            value: node.value(),
        })
    })
}

/// What flows downwards: numbers, or variables that record what is done to them.
pub(super) trait Flow: Array {
    fn of(v: &Variable) -> Self;
    fn into_variable(self) -> Variable;
    /// This cotangent sent through a node to one of its inputs.
    fn pull(&self, node: &Node, wrt: usize) -> Self;
    fn cast(self, dtype: Dtype) -> Self;
    /// The sum of what arrived and what arrives, in the memory of the first where that is free.
    fn plus(self, more: &Self) -> Self {
        self.add(more)
    }
    /// 0 for -0, where that makes a difference to what is printed.
    fn unsigned_zeros(self) -> Self {
        self
    }
}

impl Flow for Tensor {
    fn of(v: &Variable) -> Tensor {
        v.value()
    }

    fn into_variable(self) -> Variable {
        Variable::constant(self.with_weak(false))
    }

    fn pull(&self, node: &Node, wrt: usize) -> Tensor {
        at(node, |at| {
            let operation = node.operation();
            match operation.pull(at, wrt, self) {
                Some(Ok(passed)) => passed,
                Some(Err(complaint)) => {
                    refuse(complaint);
                    self.clone()
                }
                None => operation.linear_tensor(at, wrt).pull(self),
            }
        })
    }

    fn cast(self, dtype: Dtype) -> Tensor {
        if self.dtype() == dtype {
            return self.with_weak(false);
        }
        self.to_dtype(dtype)
    }

    fn plus(mut self, more: &Tensor) -> Tensor {
        if self.shape() != more.shape() || self.dtype() != more.dtype() || self.rank() == 0 {
            return self.add(more);
        }
        let (dtype, more_data) = (self.dtype(), more.data());
        let Some(data) = self.data_own().filter(|_| dtype == Dtype::Float64) else {
            return self.add(more);
        };
        let added = blocks::change(data, |at, tile| {
            for (slot, v) in tile.iter_mut().zip(&more_data[at..]) {
                *slot += v;
            }
        });
        if let Err(stop) = added {
            refuse(stop);
        }
        self
    }

    fn unsigned_zeros(mut self) -> Tensor {
        self.data_mut().iter_mut().for_each(|v| *v += 0.0);
        self
    }
}

impl Flow for Variable {
    fn of(v: &Variable) -> Variable {
        v.clone()
    }

    fn into_variable(self) -> Variable {
        self
    }

    fn pull(&self, node: &Node, wrt: usize) -> Variable {
        let values: SmallVec<[&Tensor; 4]> = node.inputs().iter().map(|e| &e.value).collect();
        let inputs: Vec<Variable> = node.inputs().iter().map(|e| e.variable()).collect();
        let inputs: Vec<&Variable> = inputs.iter().collect();
        let output = Variable::saved(node.clone(), node.value().clone());
        let at = Point {
            inputs: &inputs,
            output: &output,
            values: &values,
            value: node.value(),
        };
        node.operation().linear_variable(&at, wrt).pull(self)
    }

    fn cast(self, dtype: Dtype) -> Variable {
        super::recording::cast(&self, dtype)
    }
}

/// The type of a cotangent: whole numbers have none.
pub(super) fn float(dtype: Dtype) -> Dtype {
    if dtype.is_float() {
        dtype
    } else {
        Dtype::Float64
    }
}
