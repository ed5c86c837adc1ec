//! Views of the same memory: reshape, transpose, squeeze, expand, slices; plain copies; and `view(dtype)`, the
//! bytes of a tensor read as another type.

use crate::entry::USUAL;
use crate::{Forms, Out, index};
use std::rc::Rc;
use vjp_maths::apply;
use vjp_maths::autodiff::variable::view;
pub use vjp_maths::inplace::view::{in_shape, reshape, strided};
pub use vjp_maths::primitives::moves::clone;
use vjp_maths::primitives::moves::{converted, expanded, permuted, reshaped};
use vjp_maths::{Fixed, Variable};
use vjp_tensor::exact_integers::exact;
use vjp_tensor::matrix::{Manner, manner};
use vjp_tensor::{Complaint, Dtype, Outcome, Tensor, complain};
use vjp_tensor::{Kind, Layout, shape, torch_messages};

/// `x.view(shape)`.
///
/// # Errors
/// A shape of another size, or one that memory cannot show.
pub fn view_as(x: &Variable, wanted: &[i64]) -> Outcome<Variable> {
    let to = shape::infer(wanted, x.numel())?;
    match x.layout().viewed(&to) {
        Some(l) => in_shape(x, to, l.strides, "view", "ViewBackward0"),
        None => Err(torch_messages::view_incompatible()),
    }
}

/// `x.flatten(start, end)`.
///
/// # Errors
/// Dimensions out of range.
pub fn flatten(x: &Variable, start: i64, end: i64) -> Outcome<Variable> {
    let own = x.shape();
    let (a, b) = (shape::axis(start, own.len())?, shape::axis(end, own.len())?);
    if a > b {
        complain!("flatten() has invalid args: start_dim cannot come after end_dim");
    }
    if own.is_empty() {
        return reshape(x, &[1]);
    }
    if a == b {
        return Ok(x.clone());
    }
    let mut to: Vec<i64> = own.iter().map(|d| *d as i64).collect();
    let joined = own[a..=b].iter().product::<usize>() as i64;
    to.splice(a..=b, [joined]);
    reshape(x, &to)
}

/// `x.permute(dims)`; `x.T` reverses them.
///
/// # Errors
/// Dimensions out of range or repeated.
pub fn permute(x: &Variable, dims: &[i64]) -> Outcome<Variable> {
    let rank = x.rank();
    if dims.len() != rank {
        complain!(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = {rank} is not equal to len(dims) = {}",
            dims.len()
        );
    }
    let order = if rank == 0 {
        Vec::new()
    } else {
        shape::axes(dims, rank).map_err(|c| match c.kind {
            Kind::Runtime => vjp_tensor::Complaint::new(
                Kind::Runtime,
                "permute(): duplicate dims are not allowed.",
            ),
            _ => c,
        })?
    };
    strided(x, permuted(&x.layout(), &order), "permute", "PermuteBackward0")
}

/// `x.T`.
pub fn reversed(x: &Variable) -> Outcome<Variable> {
    let dims: Vec<i64> = (0..x.rank() as i64).rev().collect();
    permute(x, &dims)
}

/// `x.transpose(a, b)`.
///
/// # Errors
/// Dimensions out of range.
pub fn transpose(x: &Variable, a: i64, b: i64) -> Outcome<Variable> {
    exchanged(x, a, b, "transpose", "TransposeBackward0")
}

fn exchanged(
    x: &Variable,
    a: i64,
    b: i64,
    name: &'static str,
    grad_fn: &'static str,
) -> Outcome<Variable> {
    let rank = x.rank();
    let (a, b) = (shape::axis(a, rank)?, shape::axis(b, rank)?);
    let mut dims: Vec<usize> = (0..rank).collect();
    if rank > 0 {
        dims.swap(a, b);
    }
    strided(x, permuted(&x.layout(), &dims), name, grad_fn)
}

/// `x.t()`: of a matrix or a vector.
///
/// # Errors
/// More than two dimensions.
pub fn t(x: &Variable) -> Outcome<Variable> {
    let rank = x.rank();
    if rank > 2 {
        complain!("t() expects a tensor with <= 2 dimensions, but self is {rank}D");
    }
    exchanged(x, 0, if rank < 2 { 0 } else { 1 }, "t", "TBackward0")
}

/// `x.squeeze()`, `x.squeeze(dim)`, `x.squeeze((0, 1))`.
///
/// # Errors
/// Dimensions out of range.
pub fn squeeze(x: &Variable, dims: Option<&[i64]>) -> Outcome<Variable> {
    let grad_fn = match dims {
        None => "SqueezeBackward0",
        Some([_]) => "SqueezeBackward1",
        Some(_) => "SqueezeBackward2",
    };
    squeezed(x, dims, grad_fn)
}

/// [`squeeze`] under another node's name.
///
/// # Errors
/// Dimensions out of range.
pub fn squeezed(x: &Variable, dims: Option<&[i64]>, grad_fn: &'static str) -> Outcome<Variable> {
    let l = x.layout();
    let named = match dims {
        Some(d) if !d.is_empty() => shape::axes(d, l.shape.len())?,
        Some(_) => Vec::new(),
        None => (0..l.shape.len()).collect(),
    };
    let keep = |k: &usize| !(named.contains(k) && l.shape[*k] == 1);
    let kept: Vec<usize> = (0..l.shape.len()).filter(keep).collect();
    let to: Vec<usize> = kept.iter().map(|k| l.shape[*k]).collect();
    let strides = kept.iter().map(|k| l.strides[*k]).collect();
    let passes = to == l.shape;
    let op = Fixed { passes, ..reshaped(&l.shape, &to, "squeeze", grad_fn) };
    view(Rc::new(op), x, Layout { shape: to, strides, offset: l.offset })
}

/// `x.unsqueeze(dim)`.
///
/// # Errors
/// The dimension out of range.
pub fn unsqueeze(x: &Variable, dim: i64) -> Outcome<Variable> {
    let l = x.layout();
    let at = shape::axis(dim, l.shape.len() + 1)?;
    let (mut to, mut strides) = (l.shape, l.strides);
    let stride = to.get(at).map_or(1, |d| strides[at].wrapping_mul(*d));
    to.insert(at, 1);
    strides.insert(at, stride);
    in_shape(x, to, strides, "unsqueeze", "UnsqueezeBackward0")
}

/// `x.expand(sizes)`; -1 keeps a size.
///
/// # Errors
/// Sizes that do not fit.
pub fn expand(x: &Variable, sizes: &[i64]) -> Outcome<Variable> {
    let l = x.layout();
    let (own, rank) = (l.shape.clone(), sizes.len());
    if rank < own.len() {
        return Err(torch_messages::expand_too_few(&x.dtype().type_name(), &own, sizes));
    }
    let lead = rank - own.len();
    let (mut to, mut strides) = (vec![0; rank], vec![0; rank]);
    // From the last dimension on, as PyTorch finds what does not fit.
    for (k, wanted) in sizes.iter().enumerate().rev() {
        let old = if k < lead { None } else { Some(own[k - lead]) };
        match (old, *wanted) {
            (Some(d), -1) => to[k] = d,
            (Some(d), w) if w == d as i64 => to[k] = d,
            (Some(1) | None, w) if w >= 0 => to[k] = w as usize,
            (Some(d), w) => {
                return Err(torch_messages::cannot_expand(w, d, k, sizes, &own));
            }
            (None, w) => complain!(
                "The expanded size of the tensor ({w}) isn't allowed in a leading, non-existing dimension {k}"
            ),
        }
        if old == Some(to[k]) {
            strides[k] = l.strides[k - lead];
        }
    }
    shape::numel(&to)?;
    let op = expanded(&own, &to);
    let layout = Layout { shape: to, strides, offset: l.offset };
    view(Rc::new(op), x, layout)
}

/// `x.contiguous()`: the same tensor where its elements lie row after row already.
pub fn contiguous(x: &Variable) -> Outcome<Variable> {
    if x.is_contiguous() { Ok(x.clone()) } else { clone(x) }
}

/// `x.to(dtype)`: the same tensor where it has that type already.
pub fn to_dtype(x: &Variable, dtype: Dtype) -> Outcome<Variable> {
    if x.dtype() == dtype {
        return Ok(x.clone());
    }
    let converted = apply(Rc::new(converted(&x.shape(), dtype)), std::slice::from_ref(x))?;
    Ok(converted.lying_as([x]))
}

fn sizes(v: &Variable) -> Vec<i64> {
    v.shape().iter().map(|d| *d as i64).collect()
}

const VIEW: Forms = Forms::METHOD;

pub static ENTRIES: &[crate::Entry] = entries! {
    "reshape" USUAL.and(Forms::NP), "(Tensor input, ints shape)", "each output is its input, in another shape", "reshape([1, 2, 3, 4], [2, 2])", ["view", "flatten"] jax "{input}.reshape({shape})"
        => |b| Ok(Out::One(reshape(&b.tensor(0)?, &b.ints(1).unwrap_or_default())?));
    "view" VIEW, "(Tensor input, int[] size)\n(Tensor input, Dtype dtype)", "each output is its input, in another shape of the same memory", "tensor([1, 2, 3, 4]).view(2, 2)", ["reshape"] jax "{input}.reshape({size})"
        => |b| {
            let x = b.tensor(0)?;
            Ok(Out::One(match b.dtype(1) {
                Some(dtype) if dtype != x.dtype() => reinterpreted(&x, dtype)?,
                Some(_) => view_as(&x, &sizes(&x))?,
                None => view_as(&x, &b.ints(1).unwrap_or_default())?,
            }))
        };
    "view_as" VIEW, "(Tensor input, Tensor other)", "each output is its input, in the shape of another", "tensor([1, 2]).view_as(tensor([[3], [4]]))", ["view"] jax "{input}.reshape({other}.shape)"
        => |b| Ok(Out::One(view_as(&b.tensor(0)?, &sizes(&b.tensor(1)?))?));
    "reshape_as" VIEW, "(Tensor input, Tensor other)", "each output is its input, in the shape of another", "tensor([1, 2]).reshape_as(tensor([[3], [4]]))", ["reshape"] jax "{input}.reshape({other}.shape)"
        => |b| Ok(Out::One(reshape(&b.tensor(0)?, &sizes(&b.tensor(1)?))?));
    "flatten" USUAL, "(Tensor input, int start_dim=0, int end_dim=-1)", "each output is its input, in one dimension", "flatten([[1, 2], [3, 4]])", ["reshape"] jax "jnp.ravel({input}) or flatten({*})"
        => |b| Ok(Out::One(flatten(&b.tensor(0)?, b.int_or(1, 0), b.int_or(2, -1))?));
    "ravel" USUAL.and(Forms::NP), "(Tensor input)", "each output is its input, in one dimension", "ravel([[1, 2], [3, 4]])", ["flatten"]
        => |b| Ok(Out::One(view_as(&contiguous(&b.tensor(0)?)?, &[-1])?));
    "squeeze" USUAL.and(Forms::NP).and(Forms::INPLACE), "(Tensor input, int[] dim=None)", "dimensions of size 1 dropped", "squeeze([[1, 2]])", ["unsqueeze"] jax "[dim] squeeze({input}, {dim}) or jnp.squeeze({input})"
        => |b| {
            let (x, dims) = (b.tensor(0)?, b.ints(1));
            if let (Manner::Numpy, Some(dims)) = (manner(), &dims) {
                let own = x.shape();
                if shape::axes(dims, own.len())?.iter().any(|d| own[*d] != 1) {
                    complain!(Kind::Value, "cannot select an axis to squeeze out which has size not equal to one");
                }
            }
            Ok(Out::One(squeeze(&x, dims.as_deref())?))
        };
    "unsqueeze" USUAL.and(Forms::INPLACE), "(Tensor input, int dim)", "a dimension of size 1 added", "unsqueeze([1, 2], 0)", ["squeeze"] jax "jnp.expand_dims({input}, {dim})"
        => |b| Ok(Out::One(unsqueeze(&b.tensor(0)?, b.int_or(1, 0))?));
    "transpose" as "swapaxes" as "swapdims" USUAL.and(Forms::INPLACE), "(Tensor input, int dim0, int dim1)", "yⱼᵢ = xᵢⱼ", "transpose([[1, 2], [3, 4]], 0, 1)", ["permute", "T"] jax "jnp.swapaxes({input}, {dim0}, {dim1})"
        => |b| Ok(Out::One(transpose(&b.tensor(0)?, b.int_or(1, 0), b.int_or(2, 1))?));
    "t" Forms::TORCH.and(Forms::METHOD).and(Forms::INPLACE), "(Tensor input)", "yⱼᵢ = xᵢⱼ", "torch.t(tensor([[1, 2], [3, 4]]))", ["T"] jax "{input}.T"
        => |b| Ok(Out::One(t(&b.tensor(0)?)?));
    "T" Forms::ATTRIBUTE, "(Tensor input)", "yⱼᵢ = xᵢⱼ", "tensor([[1, 2], [3, 4]]).T", ["transpose"] jax "{input}.T"
        => |b| Ok(Out::One(reversed(&b.tensor(0)?)?));
    "adjoint" Forms::TORCH.and(Forms::METHOD), "(Tensor input)", "yⱼᵢ = xᵢⱼ in the last two dimensions", "torch.adjoint(tensor([[1, 2], [3, 4]]))", ["mT"] jax "{input}.mT"
        => |b| {
            let x = b.tensor(0)?;
            if x.rank() == 0 {
                vjp_tensor::warnings::warn_once("adjoint() is deprecated on 0-D tensors. Consider using x.conj().");
            }
            crate::arrange::flip_and_repeat::adjoint(&x)
        };
    "permute" USUAL, "(Tensor input, ints dims)", "dimensions in another order", "permute([[1, 2], [3, 4]], [1, 0])", ["transpose"] jax "jnp.transpose({input}, {dims})"
        => |b| Ok(Out::One(permute(&b.tensor(0)?, &b.ints(1).unwrap_or_default())?));
    "expand" VIEW, "(Tensor input, ints size)", "each input copied to several outputs; vᵀJ adds the copies of an input", "tensor([1, 2]).expand(3, 2)", ["repeat"] jax "jnp.broadcast_to({input}, {size})"
        => |b| Ok(Out::One(expand(&b.tensor(0)?, &b.ints(1).unwrap_or_default())?));
    "broadcast_to" Forms::METHOD.and(Forms::TORCH), "(Tensor input, ints size)", "each input copied to several outputs; vᵀJ adds the copies of an input", "torch.broadcast_to(tensor([1, 2]), (3, 2))", ["repeat"] jax "jnp.broadcast_to({input}, {size})"
        => |b| Ok(Out::One(expand(&b.tensor(0)?, &b.ints(1).unwrap_or_default())?));
    "expand_as" VIEW, "(Tensor input, Tensor other)", "each input copied to several outputs; vᵀJ adds the copies of an input", "tensor([1, 2]).expand_as(torch.ones(3, 2))", ["expand"] jax "jnp.broadcast_to({input}, {other}.shape)"
        => |b| Ok(Out::One(expand(&b.tensor(0)?, &sizes(&b.tensor(1)?))?));
    "clone" Forms::TORCH.and(Forms::METHOD), "(Tensor input, *, memory_format=None)", "y = x, in separate memory", "torch.clone(tensor([1, 2]))", ["detach"] jax "{input}"
        => |b| {
            let x = b.tensor(0)?;
            Ok(Out::One(clone(&x)?.lying_as([&x])))
        };
    "contiguous" VIEW, "(Tensor input, *, memory_format=None)", "y = x, row-major in memory", "tensor([[1., 2.], [3., 4.]]).T.contiguous()", ["clone"] jax "{input}"
        => |b| Ok(Out::One(contiguous(&b.tensor(0)?)?));
    "select" Forms::TORCH.and(Forms::METHOD), "(Tensor input, int dim, int index)", "one slice along a dimension", "tensor([[1, 2], [3, 4]]).select(0, 1)", ["narrow"] jax "jnp.take({input}, {index}, axis={dim})"
        => |b| {
            let x = b.tensor(0)?;
            if x.rank() == 0 {
                complain!(Kind::Index, "select() cannot be applied to a 0-dim tensor.");
            }
            let dim = shape::axis(b.int_or(1, 0), x.rank())?;
            crate::index::selectable(&x.shape(), dim, b.int_or(2, 0), b.int_or(1, 0))?;
            Ok(Out::One(index::select(&x, dim, b.int_or(2, 0), dim)?))
        };
};

/// The bytes of an element.
fn bytes(v: f64, dtype: Dtype, out: &mut Vec<u8>) {
    match dtype {
        Dtype::Float64 => out.extend(v.to_le_bytes()),
        Dtype::Float32 => out.extend((v as f32).to_le_bytes()),
        other => out.extend_from_slice(&(v as i64).to_le_bytes()[..other.size()]),
    }
}

/// The element that bytes are.
fn element(bytes: &[u8], dtype: Dtype) -> Outcome<f64> {
    let mut whole = [0; 8];
    whole[..bytes.len()].copy_from_slice(bytes);
    let whole = i64::from_le_bytes(whole);
    Ok(match dtype {
        Dtype::Float64 => f64::from_bits(whole as u64),
        Dtype::Float32 => f64::from(f32::from_bits(whole as u32)),
        Dtype::Int64 => exact(whole)?,
        Dtype::Int32 => f64::from(whole as i32),
        Dtype::Int16 => f64::from(whole as i16),
        Dtype::Int8 => f64::from(whole as i8),
        _ => whole as f64,
    })
}

/// # Errors
/// PyTorch's sentences on sizes; floats of 16 bits; integers that no double is equal to.
pub fn reinterpreted(x: &Variable, dtype: Dtype) -> Outcome<Variable> {
    let own = x.dtype();
    if own.is_half() || dtype.is_half() {
        return Err(Complaint::absent(format_args!("view() to or from floats of 16 bits")));
    }
    let pair = format!(
        "to view {} as {} (different element sizes)",
        own.scalar_type(),
        dtype.scalar_type()
    );
    let (from, to) = (own.size(), dtype.size());
    let mut shape = x.shape();
    if from != to {
        let Some(last) = shape.last_mut() else {
            complain!("self.dim() cannot be 0 {pair}");
        };
        if to > from && *last % (to / from) != 0 {
            let (by, n) = (to / from, *last);
            complain!("self.size(-1) must be divisible by {by} {pair}, but got {n}");
        }
        let step = x.layout().strides.last().copied().unwrap_or(1);
        if to > from && step != 1 {
            complain!("self.stride(-1) must be 1 {pair}, but got {step}");
        }
        *last = *last * from / to;
    }
    let mut all = Vec::with_capacity(x.numel() * from);
    x.value().data().iter().for_each(|v| bytes(*v, own, &mut all));
    let data = all.chunks(to).map(|c| element(c, dtype)).collect::<Outcome<_>>()?;
    Ok(Variable::constant(Tensor::typed(&shape, data, dtype)))
}
