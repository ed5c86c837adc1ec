//! The product of vectors, matrices and batches of equal rank: the rule, and PyTorch's four names.

pub mod composed;
pub mod einsum;
pub mod matmul;
pub mod powers;

use crate::autodiff::create_graph;
use crate::autodiff::linear_map::{Array, LinearMap};
use crate::autodiff::rule::{Point, Rule, Saves};
use crate::autodiff::variable::{Variable, apply};
use crate::ops::constant_map::reshaping;
use crate::symbol::Symbols;
use std::rc::Rc;
use vjp_tensor::complain;
use vjp_tensor::complaint::{Kind, Outcome};
use vjp_tensor::kernels::strided as kernels;
use vjp_tensor::matrix::{Manner, manner};
use vjp_tensor::mixing;
use vjp_tensor::tensor::{Dtype, Tensor};
use vjp_tensor::torch_messages;
use vjp_tensor::wires::Wires;

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
    if from == to { a.clone() } else { a.gather(&Wires::reshape(&from, &to)) }
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

    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        Saves::Inputs(0b11)
    }

    fn saves_for(&self, tracked: u8) -> Saves {
        Saves::Inputs((tracked >> 1 & 1) | (tracked & 1) << 1)
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

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], value: &Tensor) -> Option<Symbols> {
        let product = matrix(inputs[0], 0).matmul(&matrix(inputs[1], 1));
        Some(Symbols { shape: value.shape().to_vec(), data: product.data })
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

/// Both operands of one type.
///
/// # Errors
/// Whole numbers beside floats, as in PyTorch.
pub fn same_types(a: &Variable, b: &Variable, one: &str) -> Outcome<()> {
    let (p, q) = (a.dtype(), b.dtype());
    if p == q || mixing::permitted() {
        return Ok(());
    }
    match one {
        "dot" => complain!(
            Kind::Runtime,
            "dot : expected both vectors to have same dtype, but found {} and {}",
            p.scalar_type(),
            q.scalar_type()
        ),
        "bmm" => complain!(
            Kind::Runtime,
            "expected scalar type {} but found {}",
            p.scalar_type(),
            q.scalar_type()
        ),
        "mv" => complain!(
            Kind::Runtime,
            "addmv input tensors must have the same dtype, but got {}, {}, and {}",
            q.scalar_type(),
            p.scalar_type(),
            q.scalar_type()
        ),
        "addmm" => complain!(
            Kind::Runtime,
            "self and mat2 must have the same dtype, but got {} and {}",
            p.scalar_type(),
            q.scalar_type()
        ),
        _ => complain!(
            Kind::Runtime,
            "expected m1 and m2 to have the same dtype, but got: {} != {}",
            p.c_name(),
            q.c_name()
        ),
    }
}

/// Whether PyTorch has a product of such numbers.
///
/// # Errors
/// None of bools.
pub fn has_kernel(a: &Variable, b: &Variable, kernel: &str) -> Outcome<()> {
    if a.dtype().join(b.dtype()) == Dtype::Bool && manner() == Manner::Torch {
        complain!(Kind::NotImplemented, "\"{kernel}\" not implemented for 'Bool'");
    }
    Ok(())
}

fn run(op: Matmul, a: &Variable, b: &Variable) -> Outcome<Variable> {
    has_kernel(a, b, op.kernel())?;
    let dtype = a.dtype().join(b.dtype());
    let alike = |v: &Variable| match v.dtype() == dtype {
        true => v.clone(),
        false => create_graph::cast(v, dtype),
    };
    apply(Rc::new(op), &[alike(a), alike(b)])
}

/// `torch.dot(a, b)`.
///
/// # Errors
/// Not vectors, or of different lengths.
pub fn dot(a: &Variable, b: &Variable) -> Outcome<Variable> {
    let (p, q) = (a.shape(), b.shape());
    if p.len() != 1 || q.len() != 1 {
        complain!(
            Kind::Runtime,
            "1D tensors expected, but got {}D and {}D tensors",
            p.len(),
            q.len()
        );
    }
    same_types(a, b, "dot")?;
    if p != q {
        return Err(torch_messages::dot_shapes(p[0], q[0]));
    }
    run(Matmul::DOT, a, b)
}

/// `torch.mv(m, x)`.
///
/// # Errors
/// Not a matrix and a vector, or sizes that do not fit.
pub fn mv(m: &Variable, x: &Variable) -> Outcome<Variable> {
    let (p, q) = (m.shape(), x.shape());
    vjp_tensor::shape::size(&p, 0)?;
    if p.len() != 2 || q.len() != 1 {
        complain!(
            Kind::Runtime,
            "vector + matrix @ vector expected, got {}, {}, {}",
            1,
            p.len(),
            q.len()
        );
    }
    if p[1] != q[0] {
        return Err(torch_messages::mv_shapes(p[0], &p, q[0]));
    }
    same_types(m, x, "mv")?;
    run(Matmul::MV, m, x)
}

/// `torch.mm(a, b)`.
///
/// # Errors
/// Not matrices, or sizes that do not fit.
pub fn mm(a: &Variable, b: &Variable) -> Outcome<Variable> {
    let (p, q) = (a.shape(), b.shape());
    for (name, s) in [("self", &p), ("mat2", &q)] {
        if s.len() != 2 {
            complain!(Kind::Runtime, "mm: {name} must be a matrix, got {}-D tensor", s.len());
        }
    }
    if p[1] != q[0] {
        return Err(torch_messages::mm_shapes("mm", &p, &q));
    }
    same_types(a, b, "mm")?;
    run(Matmul::of(2), a, b)
}

/// `torch.bmm(a, b)`.
///
/// # Errors
/// Not batches of matrices, or sizes that do not fit.
pub fn bmm(a: &Variable, b: &Variable) -> Outcome<Variable> {
    batches(&a.shape(), &b.shape())?;
    same_types(a, b, "bmm")?;
    run(Matmul::of(3), a, b)
}

/// Batches of matrices that go together.
///
/// # Errors
/// They do not.
pub fn batches(p: &[usize], q: &[usize]) -> Outcome<()> {
    for (name, s) in [("batch1", p), ("batch2", q)] {
        if s.len() != 3 {
            complain!(Kind::Runtime, "{name} must be a 3D tensor");
        }
    }
    if p[0] != q[0] || p[2] != q[1] {
        complain!(
            Kind::Runtime,
            "Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: [{}, {}].",
            p[0],
            p[2],
            q[0],
            q[1]
        );
    }
    Ok(())
}
