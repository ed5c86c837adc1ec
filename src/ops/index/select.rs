//! Elements chosen by a condition or a table of positions: where, masks, gather, scatter.

use crate::{Bound, Forms, Out, index, refusals};
use std::rc::Rc;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::primitives::put::Put;
pub use vjp_maths::primitives::select::{Where, select_where};
use vjp_maths::{Fixed, LinearMap, Variable, apply};
use vjp_tensor::kernels::strided as kernels;
use vjp_tensor::{Dtype, ElementMap, Outcome, Tensor, budget, complain, shape, torch_messages};

/// The indices of nonzero elements, a tensor for each dimension; a number counts as one element.
fn by_dimension(x: &Tensor) -> Outcome<Out> {
    let vector = || Tensor::new(&[1], x.data().to_vec()).with_dtype(x.dtype());
    let found = match x.rank() {
        0 => index::nonzero(&vector())?,
        _ => index::nonzero(x)?,
    };
    Ok(Out::Many(found.into_iter().map(Variable::constant).collect()))
}

/// Positions where a condition holds, or the choice by it.
fn chosen(b: &mut Bound) -> Outcome<Out> {
    if !b.has(1) {
        return by_dimension(&b.tensor(0)?.value());
    }
    Ok(Out::One(select_where(&b.tensor(0)?, &b.tensor(1)?, &b.tensor(2)?)?))
}

/// A condition as PyTorch takes it; the formulas of the panel put numbers there.
fn condition(b: &Bound, k: usize) -> Outcome<Variable> {
    let c = b.tensor(k)?;
    if !matches!(c.dtype(), Dtype::Bool | Dtype::Uint8) {
        complain!(
            "where expected condition to be a boolean tensor, but got a tensor with dtype {}",
            c.dtype().scalar_type()
        );
    }
    if c.dtype() == Dtype::Uint8 {
        vjp_tensor::warnings::warn_once(
            "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future version of PyTorch. Use a boolean condition instead.",
        );
    }
    Ok(c)
}

/// For each element of `index`, the element of `own` that it names along a dimension.
pub(crate) fn along(own: &[usize], dim: i64, index: &Tensor, name: &str) -> Outcome<ElementMap> {
    let at = shape::axis(dim, own.len())?;
    if index.dtype() != Dtype::Int64 && index.dtype() != Dtype::Int32 {
        complain!("{name}(): Expected dtype int32/int64 for index");
    }
    let to = index.shape().to_vec();
    if to.len() != own.len().max(to.len().min(1)) {
        complain!("Index tensor must have the same number of dimensions as input tensor");
    }
    let strides = shape::strides(own);
    let own_at = |d: usize| own.get(d).copied().unwrap_or(1);
    for d in (0..to.len()).filter(|d| *d != at) {
        if to[d] > own_at(d) && index.numel() > 0 {
            complain!(
                "Size does not match at dimension {d} expected index {} to be no larger than self {} apart from dimension {at}",
                torch_messages::sizes(&to),
                torch_messages::sizes(own)
            );
        }
    }
    let steps = shape::strides(&to);
    let mut out = budget::vec(index.numel())?;
    for (k, v) in index.data().iter().enumerate() {
        budget::tick()?;
        let n = own_at(at);
        if *v < 0.0 || *v >= n as f64 {
            complain!("index {v} is out of bounds for dimension {at} with size {n}");
        }
        out.push(
            (0..to.len())
                .map(|d| {
                    let c = if d == at { *v as usize } else { k / steps[d] % to[d] };
                    c * strides.get(d).copied().unwrap_or(0)
                })
                .sum(),
        );
    }
    Ok(element_map(own, &to, out))
}

/// `x.gather(dim, index)`.
///
/// # Errors
/// An index out of bounds or of another type.
pub fn gather(x: &Variable, dim: i64, i: &Variable) -> Outcome<Variable> {
    let w = along(&x.shape(), dim, &i.value(), "gather")?;
    let op = Fixed::gather("gather", "GatherBackward0", w).saving().adding();
    Ok(apply(Rc::new(op), std::slice::from_ref(x))?.keeping("index", &i.value()))
}

fn mask_positions(own: &[usize], mask: &Tensor) -> Outcome<Vec<usize>> {
    if mask.dtype() != Dtype::Bool {
        complain!(
            "masked_fill_ only supports boolean masks, but got mask with dtype {}",
            mask.dtype().c_name()
        );
    }
    let mask = kernels::expand(mask, own)?;
    let data = mask.data();
    let mut at = budget::vec(data.iter().filter(|v| **v != 0.0).count())?;
    for (block, data) in data.chunks(kernels::CHUNK).enumerate() {
        let chosen = data.iter().enumerate().filter(|(_, v)| **v != 0.0);
        at.extend(chosen.map(|(k, _)| block * kernels::CHUNK + k));
        budget::tick()?;
    }
    Ok(at)
}

/// `x.masked_fill(mask, value)`.
///
/// # Errors
/// A mask that is none, or of a shape that does not fit.
pub fn masked_fill(x: &Variable, mask: &Tensor, v: &Variable) -> Outcome<Variable> {
    if v.rank() > 0 {
        complain!(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {} dimension(s).",
            v.rank()
        );
    }
    let to = shape::broadcast(mask.shape(), &x.shape())?;
    let x = if to == x.shape() {
        x.clone()
    } else {
        let sizes: Vec<i64> = to.iter().map(|d| *d as i64).collect();
        crate::arrange::layout::expand(x, &sizes)?
    };
    let at = mask_positions(&to, mask)?;
    let w = element_map(&to, &[at.len()], at);
    let grad_fn = if v.is_number() { "MaskedFillBackward0" } else { "MaskedFillBackward1" };
    let op = Put::new("masked_fill", grad_fn, w).saving();
    Ok(apply(Rc::new(op), &[x, v.clone()])?.keeping("mask", mask))
}

fn masked_select(b: &mut Bound) -> Outcome<Out> {
    let (x, mask) = (b.tensor(0)?, b.tensor(1)?.value());
    if mask.dtype() != Dtype::Bool {
        complain!("masked_select: expected BoolTensor for mask");
    }
    let own = x.shape();
    let to = shape::broadcast(mask.shape(), &own)?;
    let strides = shape::broadcast_strides(&own, &to).to_vec();
    let source = vjp_tensor::Layout { shape: to.clone(), strides, offset: 0 }.positions();
    let at: Vec<usize> = mask_positions(&to, &mask)?.into_iter().map(|k| source[k]).collect();
    let w = element_map(&own, &[at.len()], at);
    let op = Fixed::gather("masked_select", "MaskedSelectBackward0", w).saving();
    Ok(Out::One(apply(Rc::new(op), &[x])?.keeping("mask", &mask)))
}

const WHERE: &str =
    "(Tensor condition)\n(Tensor condition, Tensor|Scalar input, Tensor|Scalar other)";
const METHOD: Forms = Forms::METHOD.and(Forms::TORCH);
const BOTH: Forms = METHOD.and(Forms::INPLACE);

pub static ENTRIES: &[crate::Entry] = entries! {
    "where" Forms::SHORT.and(Forms::NP), WHERE, "y = a where c, else b; the derivative is 1 for the one chosen, 0 for the other", "where(tensor([1, -1]) > 0, [1, 2], [3, 4])", ["masked_fill", "clamp"] jax "jnp.where({condition}, {input}, {other})"
        => chosen;
    "where" Forms::TORCH, WHERE, "y = a where c, else b", "torch.where(tensor([True, False]), 1., 0.)", ["masked_fill", "clamp"] jax "jnp.where({condition}, {input}, {other})"
        => |b| {
            if b.has(1) {
                condition(b, 0)?;
            }
            chosen(b)
        };
    "where" Forms::METHOD, "(Tensor input, Tensor condition, Tensor|Scalar other)", "y = x where c, else b; the derivative is 1 for the one chosen, 0 for the other", "tensor([1., 2.]).where(tensor([True, False]), 0.)", ["masked_fill"] jax "jnp.where({condition}, {input}, {other})"
        => |b| Ok(Out::One(select_where(&condition(b, 1)?, &b.tensor(0)?, &b.tensor(2)?)?));
    "gather" METHOD, "(Tensor input, int dim, Tensor index)", "elements selected by index along a dimension", "torch.gather(tensor([1, 2, 3]), 0, tensor([2, 0]))", ["scatter", "index_select"] jax "gather({*})"
        => |b| Ok(Out::One(gather(&b.tensor(0)?, b.int_or(1, 0), &b.tensor(2)?)?));
    "masked_fill" BOTH, "(Tensor input, Tensor mask, Tensor|Scalar value)", "filled where a mask is true", "torch.zeros(2).masked_fill(tensor([True, False]), 1.)", ["where"] jax "jnp.where({mask}, {value}, {input})"
        => |b| {
            let x = b.tensor(0)?;
            let v = b.filling(2, x.dtype())?;
            shape::broadcast_all([&*b.tensor(1)?.shape(), &*x.shape()])?;
            refusals::number("masked_fill", &v.shape())?;
            Ok(Out::One(masked_fill(&x, &b.tensor(1)?.value(), &v)?))
        };
    "masked_select" METHOD, "(Tensor input, Tensor mask)", "the elements where a mask is true", "torch.masked_select(tensor([1, 2]), tensor([True, False]))", ["where"] jax "masked_select({*})"
        => masked_select;
    "zero" Forms::INPLACE, "(Tensor input)", "y = 0", "torch.ones(2).zero_()", ["fill"] jax "jnp.zeros_like({input})"
        => |b| {
            let x = b.tensor(0)?;
            let shape = x.shape();
            let map = LinearMap::Zero { from: shape.clone(), to: shape };
            Ok(Out::One(apply(Rc::new(Fixed::new("zero", "ZeroBackward0", map)), &[x])?))
        };
    "fill" Forms::INPLACE, "(Tensor input, Tensor|Scalar value)", "every element set to the value", "torch.ones(2).fill_(3.)", ["zero", "masked_fill"] jax "jnp.full_like({input}, {value})"
        => |b| {
            let x = b.tensor(0)?;
            let v = b.filling(1, x.dtype())?;
            if v.rank() > 0 {
                complain!("fill_ only supports 0-dimension value tensor but got tensor with {} dimensions.", v.rank());
            }
            let shape = x.shape();
            let w = element_map(&shape, &shape, (0..x.numel()).collect());
            let grad_fn = if v.is_number() { "FillBackward2" } else { "FillBackward3" };
            Ok(Out::One(apply(Rc::new(Put::new("fill", grad_fn, w)), &[x, v])?))
        };
    "nonzero" METHOD, "(Tensor input, *, bool as_tuple=False)", "the indices of nonzero elements", "torch.nonzero(tensor([0, 1]))", ["where"] jax "[as_tuple=True] jnp.nonzero({input}) or jnp.argwhere({input})"
        => |b| {
            let x = b.tensor(0)?.value();
            if b.bool_or(1, false) {
                return by_dimension(&x);
            }
            let columns = index::nonzero(&x)?;
            let n = columns.first().map_or(usize::from(x.item() != Some(0.0)), Tensor::numel);
            let rows = (0..n).flat_map(|k| columns.iter().map(move |c| c.data()[k]));
            let t = Tensor::new(&[n, columns.len()], rows.collect()).with_dtype(Dtype::Int64);
            Ok(Out::One(Variable::constant(t)))
        };
};
