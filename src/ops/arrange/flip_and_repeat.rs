//! Elements in another order, repeated, or left out: flip, roll, repeat, diag, triu …

use super::layout::{self, strided};
use crate::compose::one;
use crate::entry::USUAL;
use crate::{Forms, Out};
use std::rc::Rc;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::primitives::moves;
use vjp_maths::{Fixed, LinearMap, Variable, apply};
use vjp_tensor::{
    Dtype, ElementMap, Layout, Outcome, Tensor, budget, complain, shape, torch_messages,
};

fn run(op: Fixed, x: &Variable) -> Outcome<Variable> {
    apply(Rc::new(op), std::slice::from_ref(x))
}

/// An index for every element of `to`, from its coordinates.
fn placed(to: &[usize], f: impl Fn(&[usize]) -> usize) -> Outcome<Vec<usize>> {
    let count = shape::count(to)?;
    let strides = shape::strides(to);
    let mut at = vec![0; to.len()];
    budget::listed(count, |k| {
        for (d, c) in at.iter_mut().enumerate() {
            *c = k / strides[d] % to[d];
        }
        f(&at)
    })
}

fn flat(at: &[usize], strides: &[usize]) -> usize {
    at.iter().zip(strides).map(|(a, s)| a * s).sum()
}

/// `x.flip(dims)`.
///
/// # Errors
/// Dimensions out of range.
pub fn flip(x: &Variable, dims: &[i64]) -> Outcome<Variable> {
    let own = x.shape();
    let axes = if dims.is_empty() { Vec::new() } else { shape::axes(dims, own.len())? };
    let strides = shape::strides(&own);
    let index = placed(&own, |at| {
        (0..at.len())
            .map(|d| if axes.contains(&d) { own[d] - 1 - at[d] } else { at[d] } * strides[d])
            .sum()
    })?;
    run(Fixed::gather("flip", "FlipBackward0", element_map(&own, &own, index)), x)
}

/// `x.roll(shifts, dims)`; without dims over the flattened elements.
///
/// # Errors
/// Dimensions out of range.
pub fn roll(x: &Variable, shifts: &[i64], dims: &[i64]) -> Outcome<Variable> {
    if shifts.is_empty() {
        complain!("`shifts` required");
    }
    let own = x.shape();
    if dims.is_empty() && shifts.len() == 1 {
        let n = x.numel().max(1) as i64;
        let shift = shifts.first().map_or(0, |s| s.rem_euclid(n));
        let turned = |k| (k as i64 - shift).rem_euclid(n) as usize;
        let index = budget::listed(x.numel(), turned)?;
        return run(Fixed::gather("roll", "RollBackward0", element_map(&own, &own, index)), x);
    }
    if dims.len() != shifts.len() {
        complain!(
            "shifts and dimensions must align. shifts: {}, dims:{}",
            shifts.len(),
            dims.len()
        );
    }
    let axes = shape::axes(dims, own.len())?;
    let strides = shape::strides(&own);
    let index = placed(&own, |at| {
        let moved = at.iter().enumerate().map(|(d, c)| match axes.iter().position(|a| *a == d) {
            Some(k) => {
                let n = own[d] as i64;
                (*c as i64 - shifts[k].rem_euclid(n)).rem_euclid(n) as usize
            }
            None => *c,
        });
        moved.zip(&strides).map(|(c, s)| c * s).sum()
    })?;
    run(Fixed::gather("roll", "RollBackward0", element_map(&own, &own, index)), x)
}

/// `x.repeat(sizes)`.
pub fn repeat(x: &Variable, sizes: &[i64]) -> Outcome<Variable> {
    let own = x.shape();
    if sizes.len() < own.len() {
        complain!(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
        );
    }
    let lead = sizes.len() - own.len();
    let old = |d: usize| if d < lead { 1 } else { own[d - lead] };
    let to: Vec<i64> = (0..sizes.len()).map(|d| sizes[d].saturating_mul(old(d) as i64)).collect();
    let to = shape::of_lengths(&to)?;
    let strides = shape::strides(&own);
    let index = placed(&to, |at| {
        (lead..at.len()).map(|d| at[d] % own[d - lead] * strides[d - lead]).sum()
    })?;
    run(Fixed::gather("repeat", "RepeatBackward0", element_map(&own, &to, index)), x)
}

/// How often each element is repeated, as a tensor says.
fn counts(x: &Variable, times: &Tensor, dim: Option<i64>) -> Outcome<Vec<i64>> {
    if times.rank() > 1 {
        complain!("repeats must be 0-dim or 1-dim tensor");
    }
    let own = if dim.is_none() { vec![x.numel()] } else { x.shape() };
    let at = shape::axis(dim.unwrap_or(0), own.len())?;
    let n = own.get(at).copied().unwrap_or(1);
    if times.numel() != 1 && times.numel() != n {
        complain!(
            "repeats must have the same size as input along dim, but got repeats.size(0) = {} and input.size({at}) = {n}",
            times.numel()
        );
    }
    if !matches!(times.dtype(), Dtype::Int64 | Dtype::Int32) {
        return Err(torch_messages::no_kernel("repeat_interleave_cpu", times.dtype()));
    }
    if times.data().iter().any(|n| *n < 0.0) {
        complain!("repeats can not be negative");
    }
    Ok(times.data().iter().map(|n| *n as i64).collect())
}

/// `x.repeat_interleave(n, dim)`.
///
/// # Errors
/// The dimension out of range.
pub fn repeat_interleave(x: &Variable, times: &[i64], dim: Option<i64>) -> Outcome<Variable> {
    let x = if dim.is_none() { layout::reshape(x, &[-1])? } else { x.clone() };
    let own = x.shape();
    let at = shape::axis(dim.unwrap_or(0), own.len())?;
    let n = own.get(at).copied().unwrap_or(1);
    let counts: Vec<usize> = match times {
        [_] => Vec::new(),
        many if many.len() == n => many.iter().map(|t| usize::try_from(*t).unwrap_or(0)).collect(),
        _ => complain!(
            "repeats must have the same size as input along dim, but got repeats.size(0) = {} and input.size({at}) = {n}",
            times.len()
        ),
    };
    if let [count] = times {
        // As PyTorch: a dimension of copies, joined to the one before.
        let copies = layout::unsqueeze(&x, at as i64 + 1)?;
        let mut to = vec![-1; own.len().max(1) + 1];
        to[at + 1] = (*count).max(0);
        let copies = layout::clone(&layout::expand(&copies, &to)?)?;
        return layout::flatten(&copies, at as i64, at as i64 + 1);
    }
    let mut to = own.clone();
    to[at] = counts.iter().fold(0, |all, n| n.saturating_add(all));
    shape::count(&to)?;
    let source = (0..n).flat_map(|k| std::iter::repeat_n(k, counts[k]));
    let source: Vec<usize> = budget::collected(source)?;
    let strides = shape::strides(&own);
    let index = placed(&to, |c| {
        (0..c.len()).map(|d| if d == at { source[c[d]] } else { c[d] } * strides[d]).sum()
    })?;
    run(
        Fixed::gather("repeat_interleave", "IndexSelectBackward0", element_map(&own, &to, index)),
        &x,
    )
}

/// `torch.triu`, `torch.tril`: what is below or above a diagonal is no input's.
fn triangle(x: &Variable, diagonal: i64, upper: bool) -> Outcome<Variable> {
    let own = x.shape();
    let rank = own.len();
    let (name, grad_fn) = if upper { ("triu", "TriuBackward0") } else { ("tril", "TrilBackward0") };
    if rank < 2 {
        complain!("{name}: input tensor must have at least 2 dimensions");
    }
    let strides = shape::strides(&own);
    let index = placed(&own, |at| {
        let off = at[rank - 1] as i64 - at[rank - 2] as i64;
        let keep = if upper { off >= diagonal } else { off <= diagonal };
        if keep { flat(at, &strides) } else { ElementMap::NONE }
    })?;
    run(Fixed::gather(name, grad_fn, element_map(&own, &own, index)), x)
}

/// The layout of a diagonal over two dimensions, which becomes the last dimension.
fn diagonal_layout(of: &Layout, offset: i64, a: usize, b: usize) -> Layout {
    let (m, n) = (of.shape[a] as i64, of.shape[b] as i64);
    let left = |n: i64, by: i64| n.saturating_sub(by.max(0));
    let count = left(m, offset.saturating_neg()).min(left(n, offset)).max(0) as usize;
    let kept: Vec<usize> = (0..of.shape.len()).filter(|d| *d != a && *d != b).collect();
    let mut out = moves::permuted(of, &kept);
    out.shape.push(count);
    out.strides.push(of.strides[a].wrapping_add(of.strides[b]));
    if count > 0 {
        let mut first = of.clone();
        first.advance(if offset >= 0 { b } else { a }, offset.unsigned_abs() as usize);
        out.offset = first.offset;
    }
    out
}

/// `torch.diagonal(x, offset)`.
///
/// # Errors
/// Dimensions out of range.
pub fn diagonal(x: &Variable, offset: i64, a: i64, b: i64) -> Outcome<Variable> {
    let rank = x.rank();
    let (a, b) = (shape::axis(a, rank)?, shape::axis(b, rank)?);
    if a == b {
        complain!("diagonal dimensions cannot be identical {a}, {b}");
    }
    strided(x, diagonal_layout(&x.layout(), offset, a, b), "diagonal", "DiagonalBackward0")
}

/// `torch.diag_embed(x, offset)`: the last dimension becomes the diagonal of two, `a` and `b`.
pub fn diag_embed(x: &Variable, offset: i64, a: i64, b: i64) -> Outcome<Variable> {
    let own = x.shape();
    let rank = own.len() + 1;
    let (a, b) = (shape::axis(a, rank)?, shape::axis(b, rank)?);
    if a == b {
        complain!("diagonal dimensions cannot be identical {a}, {b}");
    }
    let n = shape::size(&own, -1)?;
    let size = n + offset.unsigned_abs() as usize;
    let mut to = own[..own.len() - 1].to_vec();
    for at in [a.min(b), a.max(b)] {
        to.insert(at, size);
    }
    let part = diagonal_layout(&Layout::whole(&to), offset, a, b);
    let mut inverse = budget::filled(shape::numel(&to)?, ElementMap::NONE)?;
    for (k, p) in part.positions().into_iter().enumerate() {
        inverse[p] = k;
    }
    run(Fixed::gather("diag_embed", "DiagEmbedBackward0", element_map(&own, &to, inverse)), x)
}

/// `torch.diag`: a vector's matrix, a matrix's diagonal.
pub fn diag(x: &Variable, offset: i64) -> Outcome<Variable> {
    match x.rank() {
        1 => diag_embed(x, offset, -2, -1),
        2 => {
            let own = x.shape();
            let w = diagonal_layout(&Layout::whole(&own), offset, 0, 1)
                .element_map(&Layout::whole(&own));
            run(Fixed::gather("diag", "DiagonalBackward0_copy", w), x)
        }
        _ => complain!("diag(): Supports 1D or 2D tensors. Got {}D", x.rank()),
    }
}

/// `torch.trace`.
///
/// # Errors
/// Not a matrix.
pub fn trace(x: &Variable) -> Outcome<Variable> {
    let own = x.shape();
    if own.len() != 2 {
        complain!("trace: expected a matrix, but got tensor with dim {}", own.len());
    }
    if x.dtype().is_whole() {
        return one("sum", vec![(&one("diagonal", vec![x.into()])?).into()]);
    }
    let w = diagonal_layout(&Layout::whole(&own), 0, 0, 1).element_map(&Layout::whole(&own));
    let sum = LinearMap::Collapse { from: w.to.clone(), to: vec![1] };
    let map = LinearMap::Then(vec![
        LinearMap::Gather(w),
        sum,
        LinearMap::Gather(ElementMap::reshape(&[1], &[])),
    ]);
    run(Fixed::new("trace", "TraceBackward0", map), x)
}

/// Matrices transposed; of a number itself.
pub(crate) fn adjoint(x: &Variable) -> Outcome<Out> {
    if x.rank() == 1 {
        complain!(
            "tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor."
        );
    }
    Ok(Out::One(match x.rank() {
        0 => x.clone(),
        _ => layout::transpose(x, -2, -1)?,
    }))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);

pub static ENTRIES: &[crate::Entry] = entries! {
    "flip" USUAL.and(Forms::NP), "(Tensor input, ints dims)", "the elements in reverse order along dimensions", "flip([1, 2, 3], [0])", ["roll"] jax "jnp.flip({input}, {dims})"
        => |b| Ok(Out::One(flip(&b.tensor(0)?, &b.ints(1).unwrap_or_default())?));
    "fliplr" BOTH, "(Tensor input)", "the columns in reverse order", "torch.fliplr(tensor([[1, 2]]))", ["flip"]
        => |b| {
            let x = b.tensor(0)?;
            if x.rank() < 2 {
                complain!("Input must be >= 2-d.");
            }
            Ok(Out::One(flip(&x, &[1])?))
        };
    "flipud" BOTH, "(Tensor input)", "the rows in reverse order", "torch.flipud(tensor([1, 2]))", ["flip"]
        => |b| {
            let x = b.tensor(0)?;
            if x.rank() == 0 {
                complain!("Input must be >= 1-d.");
            }
            Ok(Out::One(flip(&x, &[0])?))
        };
    "roll" USUAL.and(Forms::NP), "(Tensor input, int[] shifts, int[] dims=None)", "shifted cyclically", "roll([1, 2, 3], 1)", ["flip"]
        => |b| Ok(Out::One(roll(&b.tensor(0)?, &b.ints(1).unwrap_or_default(), &b.ints(2).unwrap_or_default())?));
    "repeat" Forms::METHOD, "(Tensor input, ints repeats)", "repeated copies", "tensor([1, 2]).repeat(2)", ["expand", "tile"] jax "jnp.tile({input}, {repeats})"
        => |b| Ok(Out::One(repeat(&b.tensor(0)?, &b.ints(1).unwrap_or_default())?));
    "tile" BOTH.and(Forms::NP), "(Tensor input, ints dims)", "repeated copies", "torch.tile(tensor([1, 2]), (2,))", ["repeat"] jax "jnp.tile({input}, {dims})"
        => |b| {
            let (x, mut dims) = (b.tensor(0)?, b.ints(1).unwrap_or_default());
            while dims.len() < x.rank() {
                dims.insert(0, 1);
            }
            Ok(Out::One(repeat(&x, &dims)?))
        };
    "repeat_interleave" BOTH, "(Tensor input, Tensor|Scalar repeats=None, int dim=None, *, int output_size=None)", "each element repeated; vᵀJ adds the copies of an input", "tensor([1, 2]).repeat_interleave(2)", ["repeat"] jax "jnp.repeat({input}, {repeats}, axis={dim})"
        => |b| {
            let times = match b.arg(1) {
                // How often each position comes.
                crate::Arg::Missing => {
                    let times = b.tensor(0)?;
                    let n = times.numel();
                    let places = Tensor::new(&[n], (0..n).map(|k| k as f64).collect());
                    let places = Variable::constant(places.with_dtype(times.dtype()));
                    let times = counts(&places, &times.value(), None)?;
                    return Ok(Out::One(repeat_interleave(&places, &times, None)?));
                }
                crate::Arg::Tensor(t) => counts(&b.tensor(0)?, &t.value(), b.int(2))?,
                _ => b.ints(1).unwrap_or_default(),
            };
            if times.iter().any(|n| *n < 0) {
                complain!("Repeats must be non-negative");
            }
            Ok(Out::One(repeat_interleave(&b.tensor(0)?, &times, b.int(2))?))
        };
    "triu" USUAL.and(Forms::NP).and(Forms::INPLACE), "(Tensor input, int diagonal=0)", "the part on and above a diagonal", "triu([[1, 2], [3, 4]])", ["tril"] jax "jnp.triu({input}, {diagonal})"
        => |b| Ok(Out::One(triangle(&b.tensor(0)?, b.int_or(1, 0), true)?));
    "tril" USUAL.and(Forms::NP).and(Forms::INPLACE), "(Tensor input, int diagonal=0)", "the part on and below a diagonal", "tril([[1, 2], [3, 4]])", ["triu"] jax "jnp.tril({input}, {diagonal})"
        => |b| Ok(Out::One(triangle(&b.tensor(0)?, b.int_or(1, 0), false)?));
    "diag" USUAL.and(Forms::NP), "(Tensor input, int diagonal=0)", "a diagonal matrix of a vector, or the diagonal of a matrix", "diag([1, 2])", ["diagonal", "trace"] jax "jnp.diag({input}, {diagonal})"
        => |b| Ok(Out::One(diag(&b.tensor(0)?, b.int_or(1, 0))?));
    "diagonal" BOTH.and(Forms::NP), "(Tensor input, int offset=0, int dim1=0, int dim2=1)", "a matrix's diagonal", "torch.diagonal(tensor([[1, 2], [3, 4]]))", ["diag"] jax "jnp.diagonal({input}, {offset}, axis1={dim1}, axis2={dim2})"
        => |b| Ok(Out::One(diagonal(&b.tensor(0)?, b.int_or(1, 0), b.int_or(2, 0), b.int_or(3, 1))?));
    "diag_embed" BOTH, "(Tensor input, int offset=0, int dim1=-2, int dim2=-1)", "a vector on the diagonal of a matrix", "torch.diag_embed(tensor([1, 2]))", ["diag"] jax "diag_embed({*})"
        => |b| Ok(Out::One(diag_embed(&b.tensor(0)?, b.int_or(1, 0), b.int_or(2, -2), b.int_or(3, -1))?));
    "trace" USUAL.and(Forms::NP), "(Tensor input)", "y = Σ xᵢᵢ; ∂y/∂X = I", "trace([[1, 2], [3, 4]])", ["diag"]
        => |b| Ok(Out::One(trace(&b.tensor(0)?)?));
};
