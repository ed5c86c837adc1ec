//! Products of matrices and vectors.

use super::{Entry, Forms, Out, USUAL};
use crate::complain;
use crate::maths::complaint::{Kind, Outcome};
use crate::maths::linear::{Array, LinearMap};
use crate::maths::rule::{Point, Rule, Saves};
use crate::maths::symbol::Symbols;
use crate::maths::tensor::Tensor;
use crate::maths::tensor_kernels as kernels;
use crate::maths::torch_says;
use crate::maths::variable::{Variable, apply};
use std::rc::Rc;

/// The product of two matrices, or of batches of them with equal batch dimensions.
#[derive(Debug)]
pub struct Matmul {
    name: &'static str,
    grad_fn: &'static str,
}

impl Matmul {
    /// Of operands of this rank.
    pub fn of(rank: usize) -> Matmul {
        if rank == 2 {
            Matmul {
                name: "mm",
                grad_fn: "MmBackward0",
            }
        } else {
            Matmul {
                name: "bmm",
                grad_fn: "BmmBackward0",
            }
        }
    }
}

impl Rule for Matmul {
    fn name(&self) -> &'static str {
        self.name
    }

    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        Saves::Inputs(0b11)
    }

    fn saves_for(&self, tracked: u8) -> Saves {
        Saves::Inputs((tracked >> 1 & 1) | (tracked & 1) << 1)
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        kernels::matmul(inputs[0], inputs[1])
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(inputs[0].matmul(inputs[1]))
    }

    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        let from = at.values[wrt].shape().to_vec();
        let to = at.value.shape().to_vec();
        let by = at.inputs[1 - wrt].clone();
        if wrt == 0 {
            LinearMap::Right { by, from, to }
        } else {
            LinearMap::Left { by, from, to }
        }
    }
}

/// `torch.mm(a, b)`.
///
/// # Errors
/// Not matrices, or sizes that do not fit.
pub fn mm(a: &Variable, b: &Variable) -> Outcome<Variable> {
    let (p, q) = (a.shape(), b.shape());
    for (name, s) in [("self", &p), ("mat2", &q)] {
        if s.len() != 2 {
            complain!(
                Kind::Runtime,
                "mm: {name} must be a matrix, got {}-D tensor",
                s.len()
            );
        }
    }
    if p[1] != q[0] {
        return Err(torch_says::mm_shapes(&p, &q));
    }
    apply(Rc::new(Matmul::of(2)), &[a.clone(), b.clone()])
}

pub static ENTRIES: &[Entry] = &[Entry {
    name: "mm",
    aliases: &[],
    forms: USUAL,
    signature: "(Tensor input, Tensor mat2)",
    formula: "Y = A B; vᵀJ with respect to A is V Bᵀ",
    example: "mm([[1, 2], [3, 4]], [[1, 0], [0, 1]])",
    see_also: &["matmul", "mv"],
    call: |b| Ok(Out::One(mm(&b.tensor(0)?, &b.tensor(1)?)?)),
}];
const _: Forms = USUAL;
