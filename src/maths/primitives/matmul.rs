//! The product of vectors, matrices and batches of them.

use super::fixed::reshaping;
use crate::{Array, LinearMap, Point, Rule, Saves, Symbols, TorchNode};
use vjp_tensor::kernels::strided as kernels;
use vjp_tensor::{ElementMap, Outcome, Tensor};

/// A product of matrices. Vectors take part as a row on the left, as a column on the right.
#[derive(Debug)]
pub struct Matmul {
    name: &'static str,
    grad_fn: &'static str,
}

impl Matmul {
    /// Of matrices, or of batches of them with equal batch dimensions.
    pub fn of(rank: usize) -> Matmul {
        if rank == 2 {
            Matmul { name: "mm", grad_fn: "MmBackward0" }
        } else {
            Matmul { name: "bmm", grad_fn: "BmmBackward0" }
        }
    }

    /// As PyTorch's errors call what computes it.
    pub fn kernel(&self) -> &'static str {
        match self.name {
            "mm" => "addmm_impl_cpu_",
            "mv" => "addmv_impl_cpu",
            name => name,
        }
    }

    /// The same of what adds to it.
    pub fn sum_kernel(&self) -> &'static str {
        if self.name == "bmm" { "baddbmm" } else { self.kernel() }
    }

    pub const DOT: Matmul = Matmul { name: "dot", grad_fn: "DotBackward0" };
    pub const MV: Matmul = Matmul { name: "mv", grad_fn: "MvBackward0" };
}

/// The shape of operand `k` as a matrix.
fn as_matrix(shape: &[usize], k: usize) -> Vec<usize> {
    match (shape, k) {
        ([n], 0) => vec![1, *n],
        ([n], _) => vec![*n, 1],
        _ => shape.to_vec(),
    }
}

fn matrix<A: Array>(a: &A, k: usize) -> A {
    let from = a.shape();
    let to = as_matrix(&from, k);
    if from == to { a.clone() } else { a.gather(&ElementMap::reshape(&from, &to)) }
}

/// Of `a @ b`.
pub fn result_shape(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut to: Vec<usize> = a[..a.len() - 1].to_vec();
    to.extend(b.iter().skip(b.len().max(1) - 1).filter(|_| b.len() > 1));
    to
}

impl Rule for Matmul {
    fn name(&self) -> &'static str {
        self.name
    }

    /// Of two vectors a number times the other vector, of a matrix before a vector each number of v
    /// times the vector; neither is a product of matrices: -0 stays.
    fn pull(&self, at: &Point<Tensor>, wrt: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        match (at.values[0].rank(), at.values[1].rank(), wrt) {
            (1, 1, _) => Some(Ok(v.mul(at.inputs[1 - wrt]))),
            (2, 1, 0) => Some(Ok(v.reshaped(&[v.numel(), 1]).mul(at.inputs[1]))),
            _ => None,
        }
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let to = result_shape(inputs[0].shape(), inputs[1].shape());
        let [a, b] = [0, 1].map(|k| inputs[k].reshaped(&as_matrix(inputs[k].shape(), k)));
        Ok(kernels::matmul(&a, &b)?.reshaped(&to))
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        self.composed(inputs)
    }

    fn composed<A: Array>(&self, inputs: &[&A]) -> Option<A> {
        let product = matrix(inputs[0], 0).matmul(&matrix(inputs[1], 1));
        let (own, to) = (product.shape(), result_shape(&inputs[0].shape(), &inputs[1].shape()));
        Some(match own == to {
            true => product,
            false => product.gather(&ElementMap::reshape(&own, &to)),
        })
    }

    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        let own = at.values[wrt].shape().to_vec();
        let from = as_matrix(&own, wrt);
        let other = matrix(at.inputs[1 - wrt], 1 - wrt);
        let (p, q) = (as_matrix(at.values[0].shape(), 0), as_matrix(at.values[1].shape(), 1));
        let mut full = p[..p.len() - 1].to_vec();
        full.extend(q.last());
        let map = if wrt == 0 {
            LinearMap::Right { by: other, from: from.clone(), to: full.clone() }
        } else {
            LinearMap::Left { by: other, from: from.clone(), to: full.clone() }
        };
        let mut steps = Vec::new();
        if own != from {
            steps.push(reshaping(&own, &from));
        }
        steps.push(map);
        if full != at.value.shape() {
            steps.push(reshaping(&full, at.value.shape()));
        }
        if steps.len() == 1 { steps.remove(0) } else { LinearMap::Then(steps) }
    }
}

impl TorchNode for Matmul {
    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        Saves::Inputs(0b11)
    }

    fn saves_for(&self, tracked: u8) -> Saves {
        Saves::Inputs((tracked >> 1 & 1) | (tracked & 1) << 1)
    }
}
