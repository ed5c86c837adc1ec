//! Several tensors into one, one into several.

use super::layout;
use crate::{Bound, Forms, Out, refusals};
use std::rc::Rc;
use vjp_maths::composite::Group;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::primitives::put::Put;
use vjp_maths::{Fixed, LinearMap, Variable, apply};
use vjp_tensor::element_map::Index;
use vjp_tensor::{
    Dtype, ElementMap, Kind, Layout, Outcome, Tensor, budget, complain, shape, torch_messages,
};

/// `torch.cat(tensors, dim)`.
///
/// # Errors
/// No tensors, or shapes that do not fit.
pub fn cat(parts: &[Variable], dim: i64) -> Outcome<Variable> {
    let Some(first) = parts.first() else {
        complain!(Kind::Value, "torch.cat(): expected a non-empty list of Tensors");
    };
    if let Some(k) = parts.iter().position(|p| p.rank() == 0) {
        complain!("zero-dimensional tensor (at position {k}) cannot be concatenated");
    }
    // A legacy of PyTorch: empty vectors fit anything.
    let real: Vec<Variable> = parts.iter().filter(|p| p.shape() != [0]).cloned().collect();
    let parts = if real.is_empty() { std::slice::from_ref(first) } else { &real };
    let own = parts[0].shape();
    let at = shape::axis(dim, own.len())?;
    let mut to = own.clone();
    to[at] = 0;
    for (k, p) in parts.iter().enumerate() {
        let s = p.shape();
        if s.len() != own.len() {
            complain!(
                "Tensors must have same number of dimensions: got {} and {}",
                own.len(),
                s.len()
            );
        }
        for d in (0..own.len()).filter(|d| *d != at) {
            if s[d] != own[d] {
                complain!(
                    "Sizes of tensors must match except in dimension {at}. Expected size {} but got size {} for tensor number {k} in the list.",
                    own[d],
                    s[d]
                );
            }
        }
        to[at] += s[at];
    }
    let mut start = 0;
    let mut maps = smallvec::SmallVec::new();
    for p in parts {
        budget::tick()?;
        let s = p.shape();
        maps.push(LinearMap::Scatter(block(&to, &s, at, start)));
        start += s[at];
    }
    joined("cat", "CatBackward0", maps, parts)
}

/// Where a block of shape `s` lies in an array of shape `to`, from `start` along a dimension.
fn block(to: &[usize], s: &[usize], at: usize, start: usize) -> ElementMap {
    let strides = shape::strides(to);
    let part = Layout { shape: s.to_vec(), offset: start * strides[at], strides: strides.to_vec() };
    ElementMap { from: to.to_vec(), to: s.to_vec(), index: Index::strided(part) }
}

fn joined(
    name: &'static str,
    grad_fn: &'static str,
    maps: smallvec::SmallVec<[vjp_maths::primitives::fixed::Plain; 1]>,
    parts: &[Variable],
) -> Outcome<Variable> {
    apply(Rc::new(Fixed::sum(name, grad_fn, maps)), parts)
}

/// `torch.stack(tensors, dim)`.
///
/// # Errors
/// No tensors, or of different shapes.
pub fn stack(parts: &[Variable], dim: i64) -> Outcome<Variable> {
    stack_as(parts, dim, "StackBackward0")
}

/// [`stack`] under another name of its node.
pub fn stack_as(parts: &[Variable], dim: i64, grad_fn: &'static str) -> Outcome<Variable> {
    let Some(first) = parts.first() else {
        complain!("stack expects a non-empty TensorList");
    };
    let own = first.shape();
    for (k, p) in parts.iter().enumerate() {
        let s = p.shape();
        if s != own {
            complain!(
                "stack expects each tensor to be equal size, but got {} at entry 0 and {} at entry {k}",
                torch_messages::sizes(&own),
                torch_messages::sizes(&s)
            );
        }
    }
    let at = shape::axis(dim, own.len() + 1)?;
    let mut to = own.clone();
    to.insert(at, parts.len());
    let mut ones = own.clone();
    ones.insert(at, 1);
    let maps = budget::each(parts.len(), |k| {
        let placed = block(&to, &ones, at, k);
        Ok(LinearMap::Scatter(ElementMap { to: own.clone(), ..placed }))
    })?;
    joined("stack", grad_fn, maps.into(), parts)
}

/// `x.split(sizes)`, named after the node of the pieces.
///
/// # Errors
/// Sizes that do not add up.
pub fn split(
    x: &Variable,
    sizes: &[usize],
    dim: i64,
    grad_fn: &'static str,
) -> Outcome<Vec<Variable>> {
    let at = shape::axis(dim, x.rank())?;
    let mut start = 0;
    let group = Group::new("split", grad_fn, 0, &[Some(x.clone())])?;
    let mut out = budget::vec(sizes.len())?;
    for (k, n) in sizes.iter().enumerate() {
        let mut l = x.layout();
        l.advance(at, start);
        l.shape[at] = *n;
        out.push(group.view_at(k, x, l)?);
        start += n;
    }
    Ok(out)
}

/// Pieces of one size, the last one smaller.
fn even(n: usize, size: usize) -> Outcome<Vec<usize>> {
    if n == 0 {
        return Ok(vec![0]);
    }
    let size = size.max(1);
    budget::listed(n.div_ceil(size), |k| size.min(n - k * size))
}

/// `x.unbind(dim)`.
///
/// # Errors
/// The dimension out of range.
pub fn unbind(x: &Variable, dim: i64) -> Outcome<Vec<Variable>> {
    let at = shape::axis(dim, x.rank())?;
    let own = x.layout();
    let Some(n) = own.shape.get(at) else {
        complain!(Kind::Index, "Dimension specified as 0 but tensor has no dimensions");
    };
    let group = Group::new("unbind", "UnbindBackward0", 0, &[Some(x.clone())])?;
    budget::each(*n, |k| {
        let mut l = own.clone();
        l.advance(at, k);
        l.shape.remove(at);
        l.strides.remove(at);
        group.view_at(k, x, l)
    })
}

fn all_at_least(parts: &[Variable], rank: usize) -> Outcome<Vec<Variable>> {
    parts.iter().map(|p| crate::arrange::rotate_and_unfold::at_least(p, rank)).collect()
}

const JOIN: Forms = Forms::TORCH.and(Forms::SHORT);

/// For a grid.
pub(super) fn one_type(parts: &[Variable]) -> Outcome<()> {
    if parts.windows(2).any(|w| w[0].dtype() != w[1].dtype()) {
        complain!("meshgrid expects all tensors to have the same dtype");
    }
    Ok(())
}

pub static ENTRIES: &[crate::Entry] = entries! {
    "cat" as "concat" as "concatenate" JOIN.and(Forms::NP), "(Tensors tensors, int dim=0)", "joined end to end: each output is one of the inputs; vᵀJ splits v among the inputs", "cat([[1, 2], [3]])", ["stack"] jax "jnp.concatenate({tensors}, axis={dim})"
        => |b| Ok(Out::One(cat(&b.tensors(0), b.int_or(1, 0))?));
    "stack" JOIN.and(Forms::NP), "(Tensors tensors, int dim=0)", "side by side along a new dimension; vᵀJ splits v among the inputs", "stack([tensor([1, 2]), tensor([3, 4])])", ["cat"]
        => |b| Ok(Out::One(stack(&b.tensors(0), b.int_or(1, 0))?));
    "hstack" JOIN.and(Forms::NP), "(Tensors tensors)", "side by side; vᵀJ splits v among the inputs", "hstack([tensor([1]), tensor([2])])", ["vstack"] jax "jnp.hstack({tensors})"
        => |b| {
            let parts = all_at_least(&b.tensors(0), 1)?;
            let dim = i64::from(parts.first().is_some_and(|p| p.rank() > 1));
            Ok(Out::One(cat(&parts, dim)?))
        };
    "vstack" as "row_stack" JOIN.and(Forms::NP), "(Tensors tensors)", "one below the other; vᵀJ splits v among the inputs", "vstack([tensor([1, 2]), tensor([3, 4])])", ["hstack"] jax "jnp.vstack({tensors})"
        => |b| Ok(Out::One(cat(&all_at_least(&b.tensors(0), 2)?, 0)?));
    "split" Forms::TORCH.and(Forms::METHOD), "(Tensor input, int[] split_size, int dim=0)", "pieces along a dimension", "tensor([1, 2, 3]).split(2)", ["chunk", "unbind"] jax "split({*})"
        => |b| {
            let (x, dim) = (b.tensor(0)?, b.int_or(2, 0));
            refusals::divisible("split", x.rank())?;
            let sizes = b.ints(1).unwrap_or_default();
            if let [size @ ..0] = sizes[..] {
                complain!("split expects split_size be non-negative, but got split_size={size}");
            }
            let at = shape::axis(dim, x.rank())?;
            let n = x.shape().get(at).copied().unwrap_or(0);
            // A number, not a list of one, is the size of every piece.
            if let ([size], crate::Arg::Scalar(_)) = (&sizes[..], b.arg(1)) {
                let size = *size;
                if size == 0 && n != 0 {
                    complain!("split_size can only be 0 if dimension size is 0, but got dimension size of {n}");
                }
                return Ok(Out::Many(split(&x, &even(n, size.max(0) as usize)?, dim, "SplitBackward0")?));
            }
            if sizes.iter().fold(0i64, |all, s| all.saturating_add(*s)) != n as i64 {
                complain!(
                    "split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at dimension {at}), but got split_sizes={}",
                    torch_messages::sizes(&sizes)
                );
            }
            let sizes: Vec<usize> = sizes.iter().map(|s| *s as usize).collect();
            Ok(Out::Many(split(&x, &sizes, dim, "SplitWithSizesBackward0")?))
        };
    "chunk" Forms::TORCH.and(Forms::METHOD), "(Tensor input, int chunks, int dim=0)", "a given number of pieces along a dimension", "tensor([1, 2, 3]).chunk(2)", ["split"] jax "chunk({*})"
        => |b| {
            let (x, dim) = (b.tensor(0)?, b.int_or(2, 0));
            refusals::divisible("chunk", x.rank())?;
            let chunks = b.int_or(1, 1);
            if chunks < 1 {
                complain!("chunk expects `chunks` to be greater than 0, got: {chunks}");
            }
            let at = shape::axis(dim, x.rank())?;
            let n = x.shape().get(at).copied().unwrap_or(0);
            if n == 0 {
                let pieces = budget::listed(chunks as usize, |_| 0)?;
                return Ok(Out::Many(split(&x, &pieces, dim, "SplitWithSizesBackward0")?));
            }
            let size = n.div_ceil(chunks as usize);
            Ok(Out::Many(split(&x, &even(n, size)?, dim, "SplitBackward0")?))
        };
    "unbind" Forms::TORCH.and(Forms::METHOD), "(Tensor input, int dim=0)", "the slices along a dimension", "tensor([[1, 2], [3, 4]]).unbind()", ["split"] jax "tuple(jnp.moveaxis({input}, {dim!}, 0))"
        => |b| Ok(Out::Many(unbind(&b.tensor(0)?, b.int_or(1, 0))?));
    "meshgrid" Forms::TORCH, "(Tensors *tensors, *, str indexing='ij')", "coordinates of a grid; vᵀJ adds v along the other dimensions", "torch.meshgrid(tensor([1., 2.]), tensor([3., 4.]), indexing='ij')", ["outer"] jax "jnp.meshgrid(*{tensors}, indexing={indexing!})"
        => |b| {
            let mut parts = b.tensors(0);
            one_type(&parts)?;
            if let Some(p) = parts.iter().find(|p| p.rank() > 1) {
                let sizes: Vec<String> = p.shape().iter().map(usize::to_string).collect();
                complain!(
                    "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: [ {}{{{}}} ]",
                    p.dtype().type_name(),
                    sizes.join(",")
                );
            }
            if let other = b.str_or(1, "ij")
                && !matches!(other, "ij" | "xy")
            {
                complain!(
                    "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: {other}"
                );
            }
            if !b.has(1) {
                vjp_tensor::warnings::warn_once("torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.");
            }
            let xy = b.str_or(1, "ij") == "xy" && parts.len() > 1;
            if xy {
                parts.swap(0, 1);
            }
            let to: Vec<i64> = parts.iter().map(|p| p.numel() as i64).collect();
            let mut out = Vec::new();
            for (k, p) in parts.iter().enumerate() {
                let mut ones = vec![1; to.len()];
                ones[k] = to[k];
                out.push(layout::expand(&layout::view_as(p, &ones)?, &to)?);
            }
            if xy {
                out.swap(0, 1);
            }
            Ok(Out::Many(out))
        };
    "index_select" Forms::TORCH.and(Forms::METHOD), "(Tensor input, int dim, Tensor index)", "slices selected by index", "tensor([1, 2, 3]).index_select(0, tensor([0, 2]))", ["gather"] jax "jnp.take({input}, {index}, axis={dim})"
        => |b| {
            let (x, i) = (b.tensor(0)?, b.tensor(2)?.value());
            refusals::selected(&i)?;
            let at = shape::axis(b.int_or(1, 0), x.rank())?;
            let own = x.shape();
            if own.is_empty() && i.numel() != 1 {
                complain!(
                    "index_select(): Index to scalar can have only 1 value, got {} value(s)",
                    i.numel()
                );
            }
            let n = own.get(at).copied().unwrap_or(1);
            for v in i.data() {
                if *v < 0.0 || *v >= n as f64 {
                    if at == 1 {
                        complain!("INDICES element is out of DATA bounds, id={v} axis_dim={n}");
                    }
                    complain!(Kind::Index, "index out of range in self");
                }
            }
            let mut to = own.clone();
            if let Some(slot) = to.get_mut(at) {
                *slot = i.numel();
            }
            let inner: usize = own.iter().skip(at + 1).product();
            let outer: usize = own.iter().take(at).product();
            let mut starts = budget::vec(outer * i.numel())?;
            for o in 0..outer {
                starts.extend(i.data().iter().map(|v| (o * n + *v as usize) * inner));
                budget::tick()?;
            }
            let rows = ElementMap { from: own, to, index: Index::rows(starts, inner) };
            let op = Fixed::gather("index_select", "IndexSelectBackward0", rows).saving().adding();
            Ok(Out::One(apply(Rc::new(op), &[x])?.keeping("index", &i)))
        };
    "unflatten" Forms::METHOD.and(Forms::TORCH), "(Tensor input, int dim, ints sizes)", "a dimension split into several", "tensor([1, 2, 3, 4]).unflatten(0, (2, 2))", ["reshape"] jax "unflatten({*})"
        => |b| {
            let x = b.tensor(0)?;
            if x.rank() == 0 {
                complain!("unflatten got an unexpected error:\nDimension specified as 0 but tensor has no dimensions");
            }
            let at = shape::axis(b.int_or(1, 0), x.rank())?;
            let mut to: Vec<i64> = x.shape().iter().map(|d| *d as i64).collect();
            let sizes = b.ints(2).unwrap_or_default();
            let n = to[at];
            let product = sizes.iter().fold(1i64, |all, size| all.saturating_mul(*size));
            if !sizes.contains(&-1) && product != n {
                complain!("unflatten: Provided sizes {} don't multiply up to the size of dim {at} ({n}) in the input tensor", torch_messages::sizes(&sizes));
            }
            to.splice(at..=at, sizes);
            Ok(Out::One(layout::view_as(&x, &to)?))
        };
    "take" Forms::TORCH.and(Forms::METHOD), "(Tensor input, Tensor index)", "elements selected by row-major index", "torch.take(tensor([1, 2, 3]), tensor([0, 2]))", ["gather"] jax "jnp.take({input}, {index})"
        => |b| {
            let (x, i) = (b.tensor(0)?, b.tensor(1)?.value());
            let at = flat_places(&x, &i, "take()")?;
            let op = Fixed::gather("take", "TakeBackward0", element_map(&x.shape(), i.shape(), at)).saving().adding();
            Ok(Out::One(apply(Rc::new(op), &[x])?.keeping("index", &i)))
        };
    "put" Forms::TORCH.and(Forms::METHOD).and(Forms::INPLACE), "(Tensor input, Tensor index, Tensor source, bool accumulate=False)", "elements replaced by row-major index; the derivative is 1 for the one chosen, 0 for the other", "torch.put(tensor([1., 2., 3.]), tensor([0, 2]), tensor([5., 6.]))", ["take", "index_put"] jax "{input}.reshape(-1).at[{index}.reshape(-1)].set({source}.reshape(-1)).reshape({input}.shape) or [accumulate=True] {input}.reshape(-1).at[{index}.reshape(-1)].add({source}.reshape(-1)).reshape({input}.shape)"
        => put;
};

/// Which elements of `x`, counted row by row, an index names.
fn flat_places(x: &Variable, index: &Tensor, name: &str) -> Outcome<Vec<usize>> {
    if index.dtype() != Dtype::Int64 {
        complain!(
            "{name}: Expected a long tensor for index, but got {}",
            index.dtype().scalar_type()
        );
    }
    let n = x.numel() as i64;
    if n == 0 && index.numel() > 0 {
        let does = if name == "take()" { "take from" } else { "put elements into" };
        complain!(Kind::Index, "{name}: tried to {does} an empty tensor");
    }
    let mut at = budget::vec(index.numel())?;
    for v in index.data() {
        let v = *v as i64;
        if v < -n || v >= n {
            complain!(
                Kind::Index,
                "out of range: tried to access index {v} on a tensor of {n} elements."
            );
        }
        at.push((if v < 0 { v + n } else { v }) as usize);
    }
    Ok(at)
}

fn put(b: &mut Bound) -> Outcome<Out> {
    let (x, i, v) = (b.tensor(0)?, b.tensor(1)?.value(), b.tensor(2)?);
    if x.dtype() != v.dtype() {
        complain!(
            "put_(): self and source expected to have the same dtype, but got self.dtype = {} and source.dtype = {}",
            x.dtype().scalar_type(),
            v.dtype().scalar_type()
        );
    }
    if i.numel() != v.numel() {
        complain!(
            Kind::Index,
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = {}, index.numel() = {}",
            v.numel(),
            i.numel()
        );
    }
    let at = flat_places(&x, &i, "put_()")?;
    let part = element_map(&x.shape(), &[at.len()], at);
    let mut op = Put::new("put", "PutBackward0", part).saving();
    if b.bool_or(3, false) {
        op = op.adding();
    }
    let flat = if v.rank() == 1 { v } else { layout::reshape(&v, &[-1])? };
    Ok(Out::One(apply(Rc::new(op), &[x, flat])?))
}
