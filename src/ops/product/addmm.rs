//! What is added to a product with PyTorch's single node: addmm, addmv, baddbmm, linear.

use super::matmul::{Matmul, batches, has_kernel, matmul, result_shape, same_types, unsafe_view};
use crate::arrange::layout;
use crate::{Forms, Out};
use std::rc::Rc;
use vjp_maths::{Array, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable, apply, table};
use vjp_tensor::kernels::strided as kernels;
use vjp_tensor::shape::ints;
use vjp_tensor::storage::numbers::shortened;
use vjp_tensor::{
    Complaint, Dtype, Kind, Outcome, Tensor, budget, complain, mixed_dtypes, shape, torch_messages,
};

/// `c + p` of a product p, with PyTorch's single node.
#[derive(Debug)]
struct Added {
    product: Matmul,
    grad_fn: &'static str,
}

impl Rule for Added {
    fn name(&self) -> &'static str {
        "addmm"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        // Of short floats the sum is rounded once.
        if let Dtype::Float16 | Dtype::Bfloat16 = inputs[0].dtype() {
            let long: Vec<Tensor> = inputs.iter().map(|t| t.to_dtype(Dtype::Float32)).collect();
            let sum = self.value(&long.iter().collect::<Vec<_>>())?;
            return Ok(sum.to_dtype(inputs[0].dtype()));
        }
        let mut product = Rule::value(&self.product, &inputs[1..])?;
        let (c, dtype) = (inputs[0], inputs[0].dtype().join(product.dtype()));
        if !dtype.is_float() {
            return kernels::zip_whole(c, &product, dtype, i64::wrapping_add);
        }
        // The same in each row: added where the product is.
        if product.dtype() == dtype && c.rank() == 1 && product.shape().last() == c.shape().last() {
            let n = c.numel().max(1);
            if let Some(all) = product.single_mut() {
                let c = shortened(c)?;
                for row in all.chunks_mut(n) {
                    row.iter_mut().zip(c.iter()).for_each(|(p, c)| *p += c);
                    budget::tick()?;
                }
                return Ok(product);
            }
            for row in product.data_mut().chunks_mut(n) {
                row.iter_mut().zip(c.data()).for_each(|(p, c)| *p += c);
                dtype.cast_all(row);
                budget::tick()?;
            }
            return Ok(product);
        }
        kernels::zip(c, &product, dtype, |c, p| c + p)
    }

    fn symbols(&self, inputs: &[&Symbols], values: &[&Tensor], value: &Tensor) -> Option<Symbols> {
        let product = Rule::symbols(&self.product, &inputs[1..], &values[1..], value)?;
        Some(inputs[0].expand(value.shape()).add(&product))
    }

    fn composed<A: Array>(&self, inputs: &[&A]) -> Option<A> {
        let product = self.product.composed(&inputs[1..])?;
        let to = product.shape();
        Some(product.add(&inputs[0].expand(&to)))
    }

    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        if wrt == 0 {
            return LinearMap::Expand {
                from: at.values[0].shape().to_vec(),
                to: at.value.shape().to_vec(),
            };
        }
        let inner = Point {
            inputs: &at.inputs[1..],
            output: at.output,
            values: &at.values[1..],
            value: at.value,
        };
        Rule::linear(&self.product, &inner, wrt - 1)
    }
}

impl TorchNode for Added {
    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        Saves::Inputs(0b110)
    }

    fn saves_for(&self, tracked: u8) -> Saves {
        Saves::Inputs((tracked >> 1 & 2) | (tracked << 1 & 4))
    }
}

/// `torch.addmm`: `c + a @ b` of matrices.
///
/// # Errors
/// Sizes that do not fit.
pub fn addmm(c: &Variable, a: &Variable, b: &Variable) -> Outcome<Variable> {
    let (p, q) = (a.shape(), b.shape());
    for (name, s) in [("self", &p), ("mat2", &q)] {
        if s.len() != 2 {
            complain!("addmm: {name} must be a matrix, got {}-D tensor", s.len());
        }
    }
    if p[1] != q[0] {
        return Err(torch_messages::mm_shapes("addmm", &p, &q));
    }
    added_to(c, a, b, Matmul::of(2), "AddmmBackward0")
}

/// `torch.addmv`: `c + m @ x` of vectors.
fn addmv(c: &Variable, m: &Variable, x: &Variable) -> Outcome<Variable> {
    let (own, p, q) = (c.shape(), m.shape(), x.shape());
    if own.len() > 1 || p.len() != 2 || q.len() != 1 {
        complain!("vector + matrix @ vector expected, got {}, {}, {}", own.len(), p.len(), q.len());
    }
    if p[1] != q[0] || (c.numel() != 1 && own != [p[0]]) {
        return Err(match own.first() {
            Some(n) => torch_messages::mv_shapes(*n, &p, q[0]),
            None => {
                Complaint::new(Kind::Index, "Dimension specified as 0 but tensor has no dimensions")
            }
        });
    }
    added_to(c, m, x, Matmul::MV, "AddmvBackward0")
}

/// `torch.baddbmm`: `c + a @ b` of batches of matrices.
fn baddbmm(c: &Variable, a: &Variable, b: &Variable) -> Outcome<Variable> {
    let (p, q) = (a.shape(), b.shape());
    let to = [shape::size(&p, 0)?, shape::size(&p, 1)?, shape::size(&q, 2)?];
    layout::expand(c, &ints(&to))?;
    batches(&p, &q)?;
    added_to(c, a, b, Matmul::of(3), "BaddbmmBackward0")
}

fn added_to(
    c: &Variable,
    a: &Variable,
    b: &Variable,
    product: Matmul,
    grad_fn: &'static str,
) -> Outcome<Variable> {
    let to = result_shape(&a.shape(), &b.shape());
    if c.shape() != to && c.shape() != to[1..] {
        layout::expand(c, &ints(&to))?;
    }
    types_of_three(c, a, b, &product)?;
    has_kernel(a, b, product.sum_kernel())?;
    apply(Rc::new(Added { product, grad_fn }), &[c.clone(), a.clone(), b.clone()])
}

/// All three of one type: each sum has its own sentence.
pub fn types_of_three(c: &Variable, a: &Variable, b: &Variable, product: &Matmul) -> Outcome<()> {
    let (own, p, q) = (c.dtype(), a.dtype(), b.dtype());
    if (own == p && p == q) || mixed_dtypes::permitted() {
        return Ok(());
    }
    match product.sum_kernel() {
        "addmv_impl_cpu" => complain!(
            "addmv input tensors must have the same dtype, but got {}, {}, and {}",
            own.scalar_type(),
            p.scalar_type(),
            q.scalar_type()
        ),
        "baddbmm" if own == p => same_types(a, b, "bmm"),
        "baddbmm" => complain!(
            "Input dtypes must be the same, got: input {}, batch1: {}, batch2: {}",
            own.c_name(),
            p.c_name(),
            q.c_name()
        ),
        _ => {
            let (name, one) = if own == q { ("mat1", p) } else { ("self", own) };
            complain!(
                "{name} and mat2 must have the same dtype, but got {} and {}",
                one.scalar_type(),
                q.scalar_type()
            )
        }
    }
}

/// `x Wᵀ + b`, as `F.linear` composes it.
///
/// # Errors
/// Sizes that do not fit.
pub fn linear(x: &Variable, w: &Variable, bias: Option<&Variable>) -> Outcome<Variable> {
    let own = x.shape();
    if own.is_empty() || w.rank() == 0 {
        complain!(
            "both arguments to linear need to be at least 1D, but they are {}D and {}D",
            own.len(),
            w.rank()
        );
    }
    let Some(bias) = bias else {
        return matmul(x, &layout::t(w)?);
    };
    if w.rank() == 1 {
        complain!("addmm: mat2 must be a matrix, got 1-D tensor");
    }
    let (batch, last) = own.split_at(own.len() - 1);
    if batch.len() == 1 {
        return addmm(bias, x, &layout::t(w)?);
    }
    // Only what lies in order is flattened, and the sum then is one with the product.
    if batch.len() > 1 && !x.is_contiguous() {
        return table::add(&matmul(x, &layout::t(w)?)?, bias);
    }
    // The older of the two nodes comes later in a sweep.
    let rows: usize = batch.iter().product();
    let tall = layout::reshape(x, &ints(&[rows, last[0]]))?;
    let wt = layout::t(w)?;
    let y = addmm(bias, &tall, &wt)?;
    let to = [batch, &wt.shape()[1..]].concat();
    unsafe_view(&y, &to)
}

/// `c + α…`: the factors of addmm.
pub fn scaled(v: Variable, by: Option<vjp_tensor::Scalar>) -> Outcome<Variable> {
    match by {
        Some(s) if s.value() != 1.0 => {
            // Whole numbers take the factor's whole part.
            let s = match v.dtype() {
                d if d.is_float() || d == Dtype::Bool => s,
                _ => vjp_tensor::Scalar::Int(s.value() as i64),
            };
            table::mul(&v, &Variable::constant(s.tensor()))
        }
        _ => Ok(v),
    }
}

/// A sum of three, `beta·c + alpha·a @ b`.
type Sum = fn(&Variable, &Variable, &Variable) -> Outcome<Variable>;

fn added(b: &crate::Bound, sum: Sum) -> Outcome<Out> {
    let c = scaled(b.tensor(0)?, b.scalar(3))?;
    let m = scaled(b.tensor(1)?, b.scalar(4))?;
    Ok(Out::One(sum(&c, &m, &b.tensor(2)?)?))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);

pub static ENTRIES: &[crate::Entry] = entries! {
    "addmm" BOTH.and(Forms::INPLACE), "(Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)", "Y = C + A B; vᵀJ is V for C, V Bᵀ for A, Aᵀ V for B", "torch.addmm(torch.zeros(2, 2), torch.eye(2), torch.eye(2))", ["mm"] jax "{input} + {mat1} @ {mat2} or {beta!} * {input} + {alpha!} * ({mat1} @ {mat2})"
        => |b| added(b, addmm);
    "addmv" BOTH.and(Forms::INPLACE), "(Tensor input, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1)", "y = c + A x; ∂y/∂c = I, ∂y/∂x = A; vᵀJ with respect to A is v xᵀ", "torch.addmv(torch.zeros(2), torch.eye(2), torch.ones(2))", ["mv"] jax "{input} + {mat} @ {vec} or {beta!} * {input} + {alpha!} * ({mat} @ {vec})"
        => |b| added(b, addmv);
    "baddbmm" BOTH.and(Forms::INPLACE), "(Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)", "Yₖ = Cₖ + Aₖ Bₖ; vᵀJ is Vₖ for Cₖ, Vₖ Bₖᵀ for Aₖ, Aₖᵀ Vₖ for Bₖ", "torch.baddbmm(torch.zeros(1, 1, 1), torch.ones(1, 1, 2), torch.ones(1, 2, 1))", ["bmm"] jax "{input} + {batch1} @ {batch2} or {beta!} * {input} + {alpha!} * ({batch1} @ {batch2})"
        => |b| added(b, baddbmm);
    "linear" Forms::F, "(Tensor input, Tensor weight, Tensor bias=None)", "y = x Wᵀ + b; ∂y/∂x = W; vᵀJ is Vᵀ X for W, the sum of V's rows for b", "F.linear(torch.ones(2), torch.eye(2))", ["matmul"] jax "{input} @ {weight}.T or {input} @ {weight}.T + {bias}"
        => |b| {
            let bias = if b.has(2) { Some(b.tensor(2)?) } else { None };
            Ok(Out::One(linear(&b.tensor(0)?, &b.tensor(1)?, bias.as_ref())?))
        };
};
