//! The product of vectors, matrices and batches: the rule, PyTorch's four names for equal ranks, `@` for any.

use crate::arrange::layout;
use crate::entry::USUAL;
use crate::{Forms, Out};
use std::rc::Rc;
pub use vjp_maths::primitives::matmul::{Matmul, result_shape};
use vjp_maths::primitives::moves;
use vjp_maths::second_order::create_graph;
use vjp_maths::{Variable, apply, table};
use vjp_tensor::matrix::{Manner, manner};
use vjp_tensor::shape::ints;
use vjp_tensor::{Dtype, Outcome, complain, mixed_dtypes, shape, torch_messages};

/// Both operands of one type.
///
/// # Errors
/// Whole numbers beside floats, as in PyTorch.
pub fn same_types(a: &Variable, b: &Variable, one: &str) -> Outcome<()> {
    let (p, q) = (a.dtype(), b.dtype());
    if p == q || mixed_dtypes::permitted() {
        return Ok(());
    }
    match one {
        "dot" => complain!(
            "dot : expected both vectors to have same dtype, but found {} and {}",
            p.scalar_type(),
            q.scalar_type()
        ),
        "bmm" => Err(torch_messages::other_type(p, q)),
        "mv" => complain!(
            "addmv input tensors must have the same dtype, but got {}, {}, and {}",
            q.scalar_type(),
            p.scalar_type(),
            q.scalar_type()
        ),
        "addmm" => complain!(
            "self and mat2 must have the same dtype, but got {} and {}",
            p.scalar_type(),
            q.scalar_type()
        ),
        _ => complain!(
            "expected m1 and m2 to have the same dtype, but got: {} != {}",
            p.c_name(),
            q.c_name()
        ),
    }
}

/// Whether PyTorch has a product of such numbers.
pub fn has_kernel(a: &Variable, b: &Variable, kernel: &str) -> Outcome<()> {
    if a.dtype().join(b.dtype()) == Dtype::Bool && manner() == Manner::Torch {
        return Err(torch_messages::no_kernel(kernel, Dtype::Bool));
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
        complain!("1D tensors expected, but got {}D and {}D tensors", p.len(), q.len());
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
        complain!("vector + matrix @ vector expected, got {}, {}, {}", 1, p.len(), q.len());
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
            complain!("mm: {name} must be a matrix, got {}-D tensor", s.len());
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
pub fn batches(p: &[usize], q: &[usize]) -> Outcome<()> {
    for (name, s) in [("batch1", p), ("batch2", q)] {
        if s.len() != 3 {
            complain!("{name} must be a 3D tensor");
        }
    }
    if p[0] != q[0] || p[2] != q[1] {
        complain!(
            "Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: [{}, {}].",
            p[0],
            p[2],
            q[0],
            q[1]
        );
    }
    Ok(())
}

/// Like [`layout::reshape`], the node named as PyTorch names what its own products end in.
pub fn unsafe_view(x: &Variable, to: &[usize]) -> Outcome<Variable> {
    let op = moves::reshaped(&x.shape(), to, "_unsafe_view", "UnsafeViewBackward0");
    apply(Rc::new(op), std::slice::from_ref(x))
}

/// `a @ b` for any ranks.
///
/// # Errors
/// Numbers, or sizes that do not fit.
pub fn matmul(a: &Variable, b: &Variable) -> Outcome<Variable> {
    let (p, q) = (a.shape(), b.shape());
    match (p.len(), q.len()) {
        (0, _) | (_, 0) => complain!(
            "both arguments to matmul need to be at least 1D, but they are {}D and {}D",
            p.len(),
            q.len()
        ),
        (1, 1) => dot(a, b),
        (2, 1) => mv(a, b),
        (1, 2) => {
            let product = mm(&layout::unsqueeze(a, 0)?, b)?;
            // Squeezed in place: it has a node, and is no view.
            let op = moves::reshaped(&product.shape(), &[q[1]], "squeeze_", "SqueezeBackward4");
            apply(Rc::new(op), &[product])
        }
        (2, 2) => mm(a, b),
        (3.., 1 | 2) => folded(a, b),
        // A batch of one that requires grad, beside a larger one, is a matrix.
        (3, 3) if p[0] > 1 && q[0] == 1 && b.requires_grad() => {
            matmul(a, &layout::squeeze(b, Some(&[0]))?)
        }
        (3, 3) if p[0] == 1 && q[0] > 1 && a.requires_grad() => {
            matmul(&layout::squeeze(a, Some(&[0]))?, b)
        }
        // One matrix or vector that requires grad, times a batch: the transposed product.
        (1 | 2, 3..) if a.requires_grad() && p[p.len() - 1] == q[q.len() - 2] => {
            let b = layout::transpose(b, -2, -1)?;
            if p.len() == 1 {
                return folded(&b, a);
            }
            let y = folded(&b, &layout::t(a)?)?;
            layout::contiguous(&layout::transpose(&y, -2, -1)?)
        }
        _ => batched(a, b),
    }
}

/// A batch times one matrix or vector: the batch is one tall matrix.
fn folded(a: &Variable, b: &Variable) -> Outcome<Variable> {
    let (p, q) = (a.shape(), b.shape());
    let rows: usize = p[..p.len() - 1].iter().product();
    let last = p[p.len() - 1];
    let tall = layout::reshape(a, &ints(&[rows, last]))?;
    let mut to = p[..p.len() - 1].to_vec();
    if q.len() == 1 {
        return unsafe_view(&mv(&tall, b)?, &to);
    }
    to.push(q[1]);
    unsafe_view(&mm(&tall, b)?, &to)
}

fn batched(a: &Variable, b: &Variable) -> Outcome<Variable> {
    let vectors = (a.rank() == 1, b.rank() == 1);
    let (a, b) = (
        if a.rank() == 1 { layout::unsqueeze(a, 0)? } else { a.clone() },
        if b.rank() == 1 { layout::unsqueeze(b, 1)? } else { b.clone() },
    );
    let (p, q) = (a.shape(), b.shape());
    let (m, k, n) = (p[p.len() - 2], p[p.len() - 1], q[q.len() - 1]);
    let batch = shape::broadcast(&p[..p.len() - 2], &q[..q.len() - 2])?;
    let count: usize = batch.iter().product();
    let flat = |x: &Variable, rows: usize, columns: usize| -> Outcome<Variable> {
        let mut full = batch.clone();
        full.extend([rows, columns]);
        let spread = layout::expand(x, &ints(&full))?;
        layout::reshape(&spread, &ints(&[count, rows, columns]))
    };
    let product = bmm(&flat(&a, m, k)?, &flat(&b, q[q.len() - 2], n)?)?;
    let mut to = batch.clone();
    if !vectors.0 {
        to.push(m);
    }
    if !vectors.1 {
        to.push(n);
    }
    unsafe_view(&product, &to)
}

/// `torch.outer(a, b)`.
pub fn outer(a: &Variable, b: &Variable) -> Outcome<Variable> {
    for (name, v) in [("self", a), ("vec2", b)] {
        if v.rank() != 1 {
            complain!("outer: Expected 1-D argument {name}, but got {}-D", v.rank());
        }
    }
    let column = layout::view_as(a, &[-1, 1])?;
    table::mul(&column, b)
}

pub static ENTRIES: &[crate::Entry] = entries! {
    "matmul" USUAL.and(Forms::LINALG).and(Forms::NP).and(Forms::OPERATOR), "(Tensor input, Tensor other)", "Y = A B; vᵀJ is V Bᵀ for A, Aᵀ V for B", "matmul([[1, 2], [3, 4]], [1, 1])", ["mm", "dot", "einsum"] jax "{input} @ {other}"
        => |b| Ok(Out::One(matmul(&b.tensor(0)?, &b.tensor(1)?)?));
    "mm" USUAL, "(Tensor input, Tensor mat2)", "Y = A B; vᵀJ is V Bᵀ for A, Aᵀ V for B", "mm([[1, 2], [3, 4]], [[1, 0], [0, 1]])", ["matmul"] jax "{input} @ {mat2}"
        => |b| Ok(Out::One(mm(&b.tensor(0)?, &b.tensor(1)?)?));
    "mv" USUAL, "(Tensor input, Tensor vec)", "y = A x; ∂y/∂x = A; vᵀJ with respect to A is v xᵀ", "mv([[1, 2], [3, 4]], [1, 1])", ["matmul"] jax "{input} @ {vec}"
        => |b| Ok(Out::One(mv(&b.tensor(0)?, &b.tensor(1)?)?));
    "bmm" USUAL, "(Tensor input, Tensor mat2)", "Yₖ = Aₖ Bₖ for every k; vᵀJ is Vₖ Bₖᵀ for Aₖ, Aₖᵀ Vₖ for Bₖ", "bmm(torch.ones(2, 1, 2), torch.ones(2, 2, 1))", ["matmul"] jax "{input} @ {mat2}"
        => |b| Ok(Out::One(bmm(&b.tensor(0)?, &b.tensor(1)?)?));
    "dot" USUAL, "(Tensor input, Tensor tensor)", "y = Σ aᵢbᵢ; ∂y/∂a = b, ∂y/∂b = a", "dot([1, 2], [3, 4])", ["matmul", "outer"] jax "jnp.dot({input}, {tensor})"
        => |b| Ok(Out::One(dot(&b.tensor(0)?, &b.tensor(1)?)?));
    "outer" as "ger" USUAL.and(Forms::NP), "(Tensor input, Tensor vec2)", "yᵢⱼ = aᵢbⱼ; vᵀJ is V b for a, Vᵀ a for b", "outer([1, 2], [3, 4])", ["dot"] jax "jnp.outer({input}, {vec2})"
        => |b| Ok(Out::One(outer(&b.tensor(0)?, &b.tensor(1)?)?));
};
