//! More ways to arrange elements: quarter turns, sliding windows, places named by masks and indices.

use super::layout;
use crate::compose::grouped;
use crate::index::{self, Index};
use crate::reduce::sum;
use crate::{Bound, Forms, Out};
use std::rc::Rc;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::primitives::put::Put;
use vjp_maths::{Fixed, Variable, apply};
use vjp_tensor::shape::ints;
use vjp_tensor::{Dtype, Kind, Outcome, Tensor, budget, complain, shape};

pub fn gathered(
    x: &Variable,
    to: &[usize],
    index: Vec<usize>,
    name: &'static str,
    grad_fn: &'static str,
) -> Outcome<Variable> {
    let op = Fixed::gather(name, grad_fn, element_map(&x.shape(), to, index));
    apply(Rc::new(op), std::slice::from_ref(x))
}

/// A quarter turn in the plane of two dimensions, `k` times.
fn rot90(b: &mut Bound) -> Outcome<Out> {
    let (x, k) = (b.tensor(0)?, b.int_or(1, 1).rem_euclid(4));
    let own = x.shape();
    let dims = b.ints(2).unwrap_or_else(|| vec![0, 1]);
    let [p, q] = dims[..] else {
        complain!("expected total rotation dims == 2, but got dims = {}", dims.len());
    };
    if own.len() < 2 {
        complain!("expected total dims >= 2, but got total dims = {}", own.len());
    }
    let (p, q) = (shape::axis(p, own.len())?, shape::axis(q, own.len())?);
    if p == q {
        complain!(
            "expected rotation dims to be different, but got dim0 = {} and dim1 = {}",
            dims[0],
            dims[1]
        );
    }
    let mut to = own.clone();
    if k % 2 == 1 {
        to.swap(p, q);
    }
    let (strides, steps) = (shape::strides(&own), shape::strides(&to));
    let index = (0..shape::count(&to)?).map(|at| {
        let c = |d: usize| at / steps[d] % to[d];
        (0..to.len())
            .map(|d| {
                let c = match (k, d == p, d == q) {
                    (1, true, _) => c(q),
                    (1, _, true) => own[q] - 1 - c(p),
                    (2, true, _) | (2, _, true) => own[d] - 1 - c(d),
                    (3, true, _) => own[p] - 1 - c(q),
                    (3, _, true) => c(p),
                    _ => c(d),
                };
                c * strides[d]
            })
            .sum()
    });
    let index = budget::collected(index)?;
    Ok(Out::One(gathered(&x, &to, index, "rot90", "Rot90Backward0")?))
}

fn movedim(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let n = x.rank();
    let (from, to) = (b.ints(1).unwrap_or_default(), b.ints(2).unwrap_or_default());
    if from.len() != to.len() {
        complain!(
            "movedim: Invalid source or destination dims: source ({} dims) should contain the same number of dims as destination ({} dims)",
            vjp_tensor::torch_messages::sizes(&from),
            vjp_tensor::torch_messages::sizes(&to)
        );
    }
    let places = |dims: &[i64], name: &str| -> Outcome<Vec<usize>> {
        let places: Vec<usize> = dims.iter().map(|d| shape::axis(*d, n)).collect::<Outcome<_>>()?;
        if (1..places.len()).any(|k| places[..k].contains(&places[k])) {
            complain!(
                "movedim: repeated dim in `{name}` ({})",
                vjp_tensor::torch_messages::sizes(dims)
            );
        }
        Ok(if n == 0 { Vec::new() } else { places })
    };
    let (from, to) = (places(&from, "source")?, places(&to, "destination")?);
    let mut order = vec![None; n];
    for (f, t) in from.iter().zip(&to) {
        order[*t] = Some(*f as i64);
    }
    let mut rest = (0..n).filter(|d| !from.contains(d)).map(|d| d as i64);
    let dims: Vec<i64> = order.into_iter().filter_map(|d| d.or_else(|| rest.next())).collect();
    if n == 0 {
        return Ok(Out::One(layout::strided(&x, x.layout(), "alias", "AliasBackward0")?));
    }
    Ok(Out::One(layout::permute(&x, &dims)?))
}

/// `x.unfold(dim, size, step)`: the windows along a dimension.
fn windows(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let own = x.shape();
    let dim = shape::axis(b.int_or(1, 0), own.len())?;
    let (size, step) = (b.int_or(2, 1), b.int_or(3, 1));
    let n = own.get(dim).copied().unwrap_or(1) as i64;
    if size > n {
        complain!("maximum size for tensor at dimension {dim} is {n} but size is {size}");
    }
    if size < 0 {
        complain!("size is {size} but must be >= 0");
    }
    if step <= 0 {
        complain!("step is {step} but must be > 0");
    }
    if own.is_empty() {
        let y = layout::unsqueeze(&x, 0)?;
        return Ok(Out::One(y));
    }
    let mut l = x.layout();
    l.shape[dim] = ((n - size) / step + 1) as usize;
    l.shape.push(size as usize);
    l.strides.push(l.strides[dim]);
    l.strides[dim] = l.strides[dim].wrapping_mul(step as usize);
    Ok(Out::One(layout::strided(&x, l, "unfold", "UnfoldBackward0")?))
}

/// At least `n` dimensions.
pub(crate) fn at_least(x: &Variable, n: usize) -> Outcome<Variable> {
    match (x.rank(), n) {
        (r, n) if r >= n => Ok(x.clone()),
        (0, n) => layout::view_as(x, &vec![1; n]),
        (1, 2) => layout::unsqueeze(x, 0),
        (1, _) => layout::unsqueeze(&layout::unsqueeze(x, 0)?, 2),
        _ => layout::unsqueeze(x, 2),
    }
}

fn each(b: &Bound, f: impl Fn(&Variable) -> Outcome<Variable>) -> Outcome<Out> {
    match b.arg(0) {
        crate::Arg::Tensors(all) => Ok(Out::Many(all.iter().map(f).collect::<Outcome<_>>()?)),
        _ => Ok(Out::One(f(&b.tensor(0)?)?)),
    }
}

/// Where to cut n elements into k pieces of nearly equal size.
fn sections(n: i64, k: i64) -> Outcome<Vec<i64>> {
    budget::collected((1..k).map(|j| j * (n / k) + j.min(n % k)))
}

/// Sections of nearly equal size, or between indices.
fn tensor_split(x: &Variable, by: &crate::Arg, dim: i64) -> Outcome<Out> {
    if x.rank() == 0 {
        complain!(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        );
    }
    let at = shape::axis(dim, x.rank())?;
    let n = x.shape().get(at).copied().unwrap_or(1) as i64;
    let cuts: Vec<i64> = match by {
        crate::Arg::Ints(cuts) => cuts.clone(),
        crate::Arg::Scalar(s) if s.value() >= 1.0 => sections(n, s.value() as i64)?,
        crate::Arg::Tensor(t) if t.rank() == 0 && t.value().data()[0] >= 1.0 => {
            sections(n, t.value().data()[0] as i64)?
        }
        crate::Arg::Tensor(t) if t.rank() > 0 => {
            t.value().data().iter().map(|v| *v as i64).collect()
        }
        crate::Arg::Tensor(t) => {
            complain!("number of sections must be larger than 0, got {}", t.value().data()[0])
        }
        crate::Arg::Scalar(s) => {
            complain!("number of sections must be larger than 0, got {}", s.value())
        }
        _ => complain!("number of sections must be larger than 0, got 0"),
    };
    let mut parts = budget::vec(cuts.len())?;
    let mut start = 0;
    for stop in cuts.into_iter().chain([n]) {
        let bounds = index::slice_bounds(n as usize, Some(start), Some(stop), None)?;
        parts.push(index::slice(x, at, bounds)?);
        start = stop;
    }
    Ok(Out::Many(parts))
}

/// Sections of exactly equal size along a dimension that must be there.
fn even_split(b: &Bound, dim: i64, least: usize) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let name = ["hsplit", "vsplit", "dsplit"][least - 1];
    if x.rank() < least {
        complain!(
            "torch.{name} requires a tensor with at least {least} dimension, but got a tensor with {} dimensions!",
            x.rank()
        );
    }
    let n = x.shape()[dim as usize];
    if let crate::Arg::Scalar(s) = b.arg(1)
        && (s.value() < 1.0 || !n.is_multiple_of(s.value() as usize))
    {
        complain!(
            "torch.{name} attempted to split along dimension {dim}, but the size of the dimension {n} is not divisible by the split_size {}!",
            s.value()
        );
    }
    tensor_split(&x, b.arg(1), dim)
}

fn take_along_dim(b: &mut Bound) -> Outcome<Out> {
    let (x, i) = (b.tensor(0)?, b.tensor(1)?);
    let Some(dim) = b.int(2) else {
        let flat = layout::reshape(&x, &[-1])?;
        let i = layout::reshape(&i, &[-1])?;
        return Ok(Out::One(crate::index::select::gather(&flat, 0, &i)?));
    };
    if i.dtype() != Dtype::Int64 {
        complain!(
            "torch.take_along_dim(): dtype of indices should be Long but got {}",
            i.dtype().scalar_type()
        );
    }
    if x.rank() != i.rank() {
        complain!(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, but got {} dimensions for input, and {} dimensions for indices",
            x.rank(),
            i.rank()
        );
    }
    let at = shape::axis(dim, x.rank())?;
    // An index beyond the end begins again.
    let n = x.shape().get(at).copied().unwrap_or(1) as f64;
    if n == 0.0 && i.numel() > 0 {
        complain!("ZeroDivisionError");
    }
    let i = Variable::constant(i.value().map(Dtype::Int64, |v| v.rem_euclid(n))?);
    let fit = |v: &Variable, other: &Variable| -> Outcome<Variable> {
        let (mut p, mut q) = (v.shape(), other.shape());
        let own = p.get(at).copied().unwrap_or(1);
        if let (Some(a), Some(b)) = (p.get_mut(at), q.get_mut(at)) {
            *a = 1;
            *b = 1;
        }
        let mut to = shape::broadcast(&p, &q)?;
        to[at] = own;
        layout::expand(v, &ints(&to))
    };
    let (wide, index) = (fit(&x, &i)?, fit(&i, &x)?);
    Ok(Out::One(crate::index::select::gather(&wide, dim, &index)?))
}

fn masked_scatter(b: &mut Bound) -> Outcome<Out> {
    let (x, mask, src) = (b.tensor(0)?, b.tensor(1)?, b.tensor(2)?);
    if mask.dtype() != Dtype::Bool {
        complain!(
            "masked_scatter_ only supports boolean masks, but got mask with dtype {}",
            mask.dtype().scalar_type()
        );
    }
    if src.dtype() != x.dtype() {
        complain!(
            "masked_scatter: expected self and source to have same dtypes but got{} and {}",
            x.dtype().scalar_type(),
            src.dtype().scalar_type()
        );
    }
    let own = shape::broadcast(&mask.shape(), &x.shape())?;
    let sizes: Vec<i64> = own.iter().map(|d| *d as i64).collect();
    let x = layout::expand(&x, &sizes)?;
    let mask = vjp_tensor::kernels::strided::expand(&mask.value(), &own)?;
    let at = (0..mask.numel()).filter(|k| budget::stopping() || mask.data()[*k] != 0.0);
    let at: Vec<usize> = budget::collected(at)?;
    if src.numel() < at.len() {
        complain!("Number of elements of source < number of ones in mask");
    }
    let count = [at.len()];
    let flat = layout::reshape(&src, &[-1])?;
    let part = index::slice(&flat, 0, (0, at.len(), 1))?;
    let op = Put::new("masked_scatter", "MaskedScatterBackward0", element_map(&own, &count, at));
    Ok(Out::One(apply(Rc::new(op.saving()), &[x, part])?))
}

fn index_put(b: &mut Bound) -> Outcome<Out> {
    let (x, v, add) = (b.tensor(0)?, b.tensor(2)?, b.bool_or(3, false));
    let own = x.shape();
    let parts: Vec<Index> = b.tensors(1).iter().map(|t| Index::Tensor(t.value())).collect();
    let places: usize = parts.iter().map(index::consumed).sum();
    if places > own.len() {
        complain!(
            Kind::Index,
            "too many indices for tensor of dimension {} (got {places})",
            own.len()
        );
    }
    if v.dtype() != x.dtype() {
        complain!(
            "Index put requires the source and destination dtypes match, got {} for the destination and {} for the source.",
            x.dtype().scalar_type(),
            v.dtype().scalar_type()
        );
    }
    // Which elements the index names: itself, applied to their numbers.
    let numbers = budget::listed(shape::numel(&own)?, |k| k as f64)?;
    let numbers = Variable::constant(Tensor::new(&own, numbers));
    let named = index::get(&numbers, &parts)?.value();
    crate::refusals::put(&v.shape(), named.shape())?;
    let at = budget::collected(named.data().iter().map(|k| *k as usize))?;
    let mut op =
        Put::new("index_put", "IndexPutBackward0", element_map(&own, named.shape(), at)).saving();
    if add {
        op = op.adding();
    }
    Ok(Out::One(apply(Rc::new(op), &[x, v])?))
}

fn sum_to_size(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let (own, to) = (x.shape(), b.ints(1).unwrap_or_default());
    let wanted: Vec<usize> = to.iter().map(|d| (*d).max(0) as usize).collect();
    if shape::broadcast(&own, &wanted).ok().as_ref() != Some(&own) {
        complain!(
            "size {{{}}} is not expandable to size {{{}}}.",
            vjp_tensor::torch_messages::sizes(&wanted),
            vjp_tensor::torch_messages::sizes(&own)
        );
    }
    let lead = own.len() - wanted.len();
    let dims: Vec<i64> = (0..own.len())
        .filter(|d| *d < lead || (wanted[*d - lead] == 1 && own[*d] != 1))
        .map(|d| d as i64)
        .collect();
    if dims.is_empty() {
        return Ok(Out::One(x));
    }
    let y = sum(&x, Some(&dims), true)?;
    Ok(Out::One(if lead > 0 { layout::view_as(&y, &to)? } else { y }))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);
const SPLIT: &str = "(Tensor input, any indices_or_sections)";

pub static ENTRIES: &[crate::Entry] = entries! {
    "rot90" BOTH.and(Forms::NP), "(Tensor input, int k=1, ints dims=[0, 1])", "rotated by multiples of 90°", "torch.rot90(tensor([[1, 2], [3, 4]]))", ["flip", "transpose"] jax "jnp.rot90({input}, {k}, {dims})"
        => rot90;
    "movedim" as "moveaxis" BOTH, "(Tensor input, int[] source, int[] destination)", "dimensions moved to other positions", "torch.movedim(torch.ones(2, 3), 0, 1)", ["permute", "transpose"] jax "jnp.moveaxis({input}, {source}, {destination})"
        => movedim;
    "unfold" Forms::METHOD, "(Tensor input, int dimension, int size, int step)", "sliding windows along a dimension", "tensor([1, 2, 3]).unfold(0, 2, 1)", ["narrow"] jax "windows({*})"
        => windows;
    "atleast_1d" Forms::TORCH, "(any *input)", "at least one dimension; vᵀJ is v in the shape of x", "torch.atleast_1d(tensor(1.))", ["unsqueeze"]
        => |b| each(b, |x| at_least(x, 1));
    "atleast_2d" Forms::TORCH, "(any *input)", "at least two dimensions; vᵀJ is v in the shape of x", "torch.atleast_2d(tensor([1.]))", ["unsqueeze"]
        => |b| each(b, |x| at_least(x, 2));
    "tensor_split" BOTH, "(Tensor input, any indices_or_sections, int dim=0)", "pieces of nearly equal size", "torch.tensor_split(tensor([1, 2, 3]), 2)", ["split", "chunk"] jax "[indices_or_sections: int] jnp.array_split({input}, {indices_or_sections}, axis={dim}) or tensor_split({input}, {indices_or_sections}, {dim})"
        => |b| tensor_split(&b.tensor(0)?, b.arg(1), b.int_or(2, 0));
    "atleast_3d" Forms::TORCH, "(any *input)", "at least three dimensions; vᵀJ is v in the shape of x", "torch.atleast_3d(tensor([1.]))", ["unsqueeze"]
        => |b| each(b, |x| at_least(x, 3));
    "dsplit" BOTH, SPLIT, "pieces along the third dimension", "torch.dsplit(torch.ones(1, 1, 2), 2)", ["split", "dstack"] jax "[indices_or_sections: int] jnp.dsplit({input}, {indices_or_sections}) or tensor_split({input}, {indices_or_sections}, 2)"
        => |b| even_split(b, 2, 3);
    "hsplit" BOTH, SPLIT, "pieces side by side", "torch.hsplit(tensor([1, 2]), 2)", ["split", "hstack"] jax "[indices_or_sections: int] jnp.hsplit({input}, {indices_or_sections}) or tensor_split({input}, {indices_or_sections}, min({input}.ndim - 1, 1))"
        => |b| {
            let x = b.tensor(0)?;
            even_split(b, i64::from(x.rank() > 1), 1)
        };
    "vsplit" BOTH, SPLIT, "pieces one below the other", "torch.vsplit(torch.eye(2), 2)", ["split", "vstack"] jax "[indices_or_sections: int] jnp.vsplit({input}, {indices_or_sections}) or tensor_split({input}, {indices_or_sections}, 0)"
        => |b| even_split(b, 0, 2);
    "take_along_dim" BOTH, "(Tensor input, Tensor indices, int dim=None)", "elements selected by index, broadcast; ∂y/∂x = 1 at the selected element, else 0", "torch.take_along_dim(tensor([3, 1]), tensor([1]), 0)", ["gather"] jax "[dim=None] jnp.take_along_axis({input}.ravel(), {indices}.ravel(), axis=0) or jnp.take_along_axis({input}, {indices}, axis={dim})"
        => take_along_dim;
    "masked_scatter" BOTH.and(Forms::INPLACE), "(Tensor input, Tensor mask, Tensor source)", "masked elements replaced in order; the derivative is 1 for the one chosen, 0 for the other", "torch.masked_scatter(torch.zeros(2), tensor([True, False]), tensor([5.]))", ["masked_fill"] jax "-"
        => masked_scatter;
    "index_put" BOTH.and(Forms::INPLACE), "(Tensor input, Tensors indices, Tensor values, bool accumulate=False)", "elements replaced at indices", "torch.zeros(2).index_put((tensor([1]),), tensor(5.))", ["scatter"] jax "{input}.at[tuple({indices})].set({values}) or [accumulate=True] {input}.at[tuple({indices})].add({values})"
        => index_put;
    "sum_to_size" Forms::METHOD, "(Tensor input, int[] size)", "summed to a smaller shape; ∂y/∂xᵢ = 1 for each summand", "torch.ones(2, 3).sum_to_size(1, 3)", ["sum", "expand"] jax "-"
        => sum_to_size;
    "addr" BOTH.and(Forms::INPLACE), "(Tensor input, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1)", "C + a bᵀ; vᵀJ is V for C, V b for a, Vᵀ a for b", "torch.addr(torch.zeros(2, 2), tensor([1., 2.]), tensor([1., 0.]))", ["outer", "addmm"] jax "{input} + jnp.outer({vec1}, {vec2}) or {beta!} * {input} + {alpha!} * jnp.outer({vec1}, {vec2})"
        => |b| {
            for (k, name) in [(1, "vec1"), (2, "vec2")] {
                let rank = b.tensor(k)?.rank();
                if rank != 1 {
                    complain!("addr: Expected 1-D argument {name}, but got {rank}-D");
                }
            }
            let group = grouped(b, "addr", "AddrBackward0", 0b110, &[0, 1, 2])?;
            let product = crate::product::matmul::outer(&b.tensor(1)?, &b.tensor(2)?)?;
            layout::expand(&b.tensor(0)?, &vjp_tensor::shape::ints(&product.shape()))?;
            let whole = !b.tensor(0)?.dtype().join(product.dtype()).is_float();
            for (k, name) in [(3, "beta"), (4, "alpha")] {
                if whole && matches!(b.scalar(k), Some(vjp_tensor::Scalar::Float(_))) {
                    complain!("For integral input tensors, argument {name} must not be a floating point number.");
                }
            }
            let product = crate::product::addmm::scaled(product, b.scalar(4))?;
            let c = crate::product::addmm::scaled(b.tensor(0)?, b.scalar(3))?;
            let y = vjp_maths::table::add(&c, &product)?;
            Ok(Out::One(group.output(&y)?))
        };
};
