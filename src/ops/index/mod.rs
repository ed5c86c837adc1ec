//! `x[…]` and `x[…] = v`, step by step as PyTorch does: whole numbers and slices are views, one
//! after the other; tensors and lists of indices pick or put copies.

pub mod scatter;
pub mod scatter_views;
pub mod select;

use crate::arrange::layout::{self, strided};
use std::rc::Rc;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::primitives::put::Put;
use vjp_maths::saved::attribute::Attribute;
use vjp_maths::{Fixed, LinearMap, Saves, Variable, apply};
use vjp_tensor::complaint::Complaint;
use vjp_tensor::element_map::{ElementMap, Index as Places};
use vjp_tensor::{
    Dtype, Fact, Kind, Layout, Outcome, Tensor, budget, complain, mixed_dtypes, shape,
    torch_messages, with_numbers,
};

/// Places that were not chosen are told up to so many.
const MOST_CHOSEN: usize = 1 << 14;

/// One part of an index.
#[derive(Clone, Debug)]
pub enum Index {
    Int(i64),
    Slice {
        start: Option<i64>,
        stop: Option<i64>,
        step: Option<i64>,
    },
    /// From `start` back to `stop`, every `step`th: NumPy's alone.
    Backward {
        start: Option<i64>,
        stop: Option<i64>,
        step: usize,
    },
    None,
    Ellipsis,
    Bool(bool),
    /// Whole numbers, or a mask of bools.
    Tensor(Tensor),
}

/// `x.select(dim, i)`.
///
/// # Errors
/// Out of bounds.
pub fn select(x: &Variable, dim: usize, i: i64, said_dim: usize) -> Outcome<Variable> {
    let mut l = x.layout();
    let n = l.shape[dim];
    if i < -(n as i64) || i >= n as i64 {
        return Err(torch_messages::index_out_of_bounds(i, said_dim, n));
    }
    let at = if i < 0 { i + n as i64 } else { i } as usize;
    l.advance(dim, at);
    l.shape.remove(dim);
    l.strides.remove(dim);
    strided(x, l, "select", "SelectBackward0")
}

/// What `torch.select` says where `x[i]` has another sentence.
///
/// # Errors
/// Out of bounds.
pub fn selectable(own: &[usize], dim: usize, i: i64, given: i64) -> Outcome<()> {
    let n = own[dim] as i64;
    if i < -n || i >= n {
        complain!(
            Kind::Index,
            "select(): index {i} out of range for tensor of size {} at dimension {given}",
            torch_messages::sizes(own)
        );
    }
    Ok(())
}

/// The bounds of a slice as Python clamps them: start, count, step.
///
/// # Errors
/// A step that is not positive.
pub fn slice_bounds(
    n: usize,
    start: Option<i64>,
    stop: Option<i64>,
    step: Option<i64>,
) -> Outcome<(usize, usize, usize)> {
    let step = step.unwrap_or(1);
    if step <= 0 {
        complain!(Kind::Value, "step must be greater than zero");
    }
    let clamp = |v: i64| (if v < 0 { v + n as i64 } else { v }).clamp(0, n as i64) as usize;
    let start = start.map_or(0, clamp);
    let stop = stop.map_or(n, clamp).max(start);
    let step = step as usize;
    Ok((start, (stop - start).div_ceil(step), step))
}

/// Where a backward slice begins, and how many elements it has.
fn backward(n: usize, start: Option<i64>, stop: Option<i64>, step: usize) -> (usize, usize) {
    let n = n as i64;
    let clamp = |v: i64| (if v < 0 { v.saturating_add(n) } else { v }).clamp(-1, n - 1);
    let (from, to) = (start.map_or(n - 1, clamp), stop.map_or(-1, clamp));
    let count = if from > to { (from - to - 1) as usize / step + 1 } else { 0 };
    (from.max(0) as usize, count)
}

/// `x[start:stop:step]` along a dimension.
///
/// # Errors
/// A step that is not positive.
pub fn slice(x: &Variable, dim: usize, bounds: (usize, usize, usize)) -> Outcome<Variable> {
    let (start, count, step) = bounds;
    let mut l = x.layout();
    if count > 0 {
        l.advance(dim, start);
    }
    l.shape[dim] = count;
    // Of one element or none it does not matter.
    l.strides[dim] = l.strides[dim].wrapping_mul(step);
    strided(x, l, "slice", "SliceBackward0")
}

/// What is left of an index after its views: tensors for some of the dimensions.
struct Sliced {
    view: Variable,
    /// By dimension of `view`; None for one that is taken whole.
    tensors: Vec<Option<Tensor>>,
    changed: bool,
}

impl Sliced {
    /// One bool at `dim`: a new dimension, of which it takes the one element or none.
    fn mask(&mut self, dim: &mut usize, taken: bool) -> Outcome<()> {
        self.view = layout::unsqueeze(&self.view, *dim as i64)?;
        self.changed = true;
        self.tensors.resize(*dim + 1, None);
        let picked = if taken { vec![0.0] } else { vec![] };
        let t = Tensor::new(&[picked.len()], picked).with_dtype(Dtype::Int64);
        self.tensors[*dim] = Some(t);
        *dim += 1;
        Ok(())
    }
}

fn is_mask(t: &Tensor) -> bool {
    matches!(t.dtype(), Dtype::Bool | Dtype::Uint8)
}

pub(super) fn consumed(part: &Index) -> usize {
    match part {
        Index::None | Index::Ellipsis | Index::Bool(_) => 0,
        Index::Tensor(t) if is_mask(t) => t.rank(),
        _ => 1,
    }
}

/// Whole numbers, slices, None and the ellipsis, as views. `lone`: `x[:]` makes a view of its own.
fn views(x: &Variable, index: &[Index], lone: bool) -> Outcome<Sliced> {
    let rank = x.rank();
    let wanted: usize = index.iter().map(consumed).sum();
    if rank == 0 && index.iter().any(|i| matches!(i, Index::Int(_) | Index::Slice { .. })) {
        if index.len() == 1 && matches!(index[0], Index::Slice { .. }) {
            complain!(Kind::Index, "slice() cannot be applied to a 0-dim tensor.");
        }
        return Err(match index {
            [Index::Int(0)] => torch_messages::index_of_number(),
            [Index::Int(i)] => torch_messages::index_out_of_bounds(*i, 0, 0),
            _ => torch_messages::too_many_indices(rank),
        });
    }
    if wanted > rank {
        return Err(torch_messages::too_many_indices(rank));
    }
    let mut out = Sliced { view: x.clone(), tensors: Vec::new(), changed: false };
    let mut dim = 0;
    for (place, part) in index.iter().enumerate() {
        check_dim(out.view.rank(), dim, part)?;
        match part {
            Index::Int(i) => {
                out.view = select(&out.view, dim, *i, place)?;
                out.changed = true;
            }
            Index::Slice { start, stop, step } => {
                let n = out.view.shape()[dim];
                let bounds = slice_bounds(n, *start, *stop, *step)?;
                if lone || bounds != (0, n, 1) {
                    out.view = slice(&out.view, dim, bounds)?;
                    out.changed = true;
                }
                dim += 1;
            }
            Index::Backward { start, stop, step } => {
                let (start, count) = backward(out.view.shape()[dim], *start, *stop, *step);
                out.view = slice(&out.view, dim, (start, count, step.wrapping_neg()))?;
                out.changed = true;
                dim += 1;
            }
            Index::Ellipsis => {
                dim += rank - wanted;
            }
            Index::None => {
                out.view = layout::unsqueeze(&out.view, dim as i64)?;
                out.changed = true;
                dim += 1;
            }
            Index::Bool(b) => out.mask(&mut dim, *b)?,
            Index::Tensor(t) if t.dtype().is_float() => complain!(
                Kind::Index,
                "tensors used as indices must be long, int, byte or bool tensors"
            ),
            Index::Tensor(t) if t.rank() == 0 && is_mask(t) => {
                out.mask(&mut dim, t.data()[0] != 0.0)?;
            }
            Index::Tensor(t) if is_mask(t) => {
                let own = out.view.shape();
                for (k, d) in t.shape().iter().enumerate() {
                    if own.get(dim + k) != Some(d) {
                        let size = own.get(dim + k).copied().unwrap_or(0);
                        complain!(
                            Kind::Index, Fact::Mask { mask: *d, own: size, axis: dim + k };
                            "The shape of the mask {} at index {k} does not match the shape of the indexed tensor {} at index {}",
                            torch_messages::sizes(t.shape()),
                            torch_messages::sizes(&own),
                            dim + k
                        );
                    }
                }
                out.tensors.resize(dim + t.rank(), None);
                for (k, coordinates) in nonzero(t)?.into_iter().enumerate() {
                    out.tensors[dim + k] = Some(coordinates);
                }
                dim += t.rank();
            }
            Index::Tensor(t) if t.rank() == 0 => {
                out.view = select(&out.view, dim, t.data()[0] as i64, place)?;
                out.changed = true;
            }
            Index::Tensor(t) => {
                out.tensors.resize(dim + 1, None);
                out.tensors[dim] = Some(t.clone());
                dim += 1;
            }
        }
    }
    Ok(out)
}

/// A second ellipsis takes all dimensions once more: PyTorch has none left then for what follows.
fn check_dim(rank: usize, dim: usize, part: &Index) -> Outcome<()> {
    let rank = rank + usize::from(consumed(part) == 0);
    if dim + consumed(part).max(1) <= rank {
        return Ok(());
    }
    Err(match part {
        Index::Ellipsis => return Ok(()),
        Index::Int(i) => torch_messages::index_out_of_bounds(*i, dim, 0),
        Index::Tensor(_) => torch_messages::too_many_indices(rank),
        _ => torch_messages::dimension_out_of_range(dim as i64, rank as i64),
    })
}

/// The coordinates of what is not zero, a 1-D tensor for each dimension.
pub fn nonzero(t: &Tensor) -> Outcome<Vec<Tensor>> {
    let strides = shape::strides(t.shape());
    let hits = with_numbers!(t, all => budget::collected((0..all.len()).filter(|k| all[*k] != Default::default())))?;
    let column = |d: usize| {
        let at = budget::listed(hits.len(), |k| (hits[k] / strides[d] % t.shape()[d]) as f64)?;
        Ok(Tensor::new(&[hits.len()], at).with_dtype(Dtype::Int64))
    };
    (0..t.rank()).map(column).collect()
}

/// Which elements of an array of this shape index tensors name.
fn picked(own: &[usize], tensors: &[Option<Tensor>], filled: bool) -> Outcome<ElementMap> {
    let given: Vec<usize> = (0..tensors.len()).filter(|d| tensors[*d].is_some()).collect();
    let shapes = given.iter().filter_map(|d| tensors[*d].as_ref()).map(Tensor::shape);
    let shapes: Vec<&[usize]> = shapes.collect();
    let common = match shape::broadcast_all(shapes.iter().copied()) {
        Ok(s) => s,
        Err(_) => {
            let all: Vec<String> = shapes.iter().map(|s| torch_messages::sizes(s)).collect();
            let text = format!(
                "shape mismatch: indexing tensors could not be broadcast together with shapes {}",
                all.join(", ")
            );
            let shapes = shapes.iter().map(|s| s.to_vec()).collect();
            return Err(Complaint::new(Kind::Index, text).about(Fact::Indices(shapes)));
        }
    };
    // The tensors' dimensions stand where they stood if adjacent, else first.
    let adjacent = given.windows(2).all(|w| w[1] == w[0] + 1);
    let first = if adjacent { given.first().copied().unwrap_or(0) } else { 0 };
    let whole: Vec<usize> = (0..own.len()).filter(|d| !given.contains(d)).collect();
    let mut to: Vec<usize> = whole.iter().map(|d| own[*d]).collect();
    to.splice(first..first, common.iter().copied());
    let own_strides = shape::strides(own);
    let mut offset = vec![0usize; common.iter().product()];
    if !offset.is_empty() && given.iter().any(|d| own[*d] == 0) {
        complain!(Kind::Index, "index is out of bounds for dimension with size 0");
    }
    for (place, d) in given.iter().enumerate() {
        let Some(t) = &tensors[*d] else { continue };
        let t = vjp_tensor::kernels::strided::expand(t, &common)?;
        for (o, v) in offset.iter_mut().zip(t.data()) {
            let (i, n) = (*v as i64, own[*d] as i64);
            if i < -n || i >= n {
                // PyTorch counts the index tensors, but where one number is written at one of them.
                let said = if filled && given.len() == 1 { *d } else { place };
                return Err(torch_messages::index_out_of_bounds(i, said, own[*d])
                    .about(Fact::OutOfBounds { index: i, axis: *d, size: own[*d] }));
            }
            *o += (if i < 0 { i + n } else { i }) as usize * own_strides[*d];
        }
    }
    let places = |whole: &[usize]| {
        let [shape, strides] =
            [own, &own_strides[..]].map(|all| whole.iter().map(|d| all[*d]).collect());
        Layout { shape, strides, offset: 0 }.positions()
    };
    let (before, behind) = (places(&whole[..first]), places(&whole[first..]));
    let count = shape::count(&to)?;
    if behind.iter().enumerate().all(|(k, at)| k == *at) {
        let mut starts = budget::vec(before.len() * offset.len())?;
        for lead in &before {
            starts.extend(offset.iter().map(|o| lead + o));
            budget::tick()?;
        }
        let index = Places::rows(starts, behind.len());
        return Ok(ElementMap { from: own.to_vec(), to, index });
    }
    let mut index = budget::vec(count)?;
    for lead in &before {
        for o in &offset {
            index.extend(behind.iter().map(|at| lead + o + at));
            budget::tick()?;
        }
    }
    Ok(element_map(own, &to, index))
}

/// `x[index]`.
pub fn get(x: &Variable, index: &[Index]) -> Outcome<Variable> {
    let s = views(x, index, index.len() == 1)?;
    if s.tensors.iter().all(Option::is_none) {
        return if s.changed {
            Ok(s.view)
        } else {
            strided(x, x.layout(), "alias", "AliasBackward0")
        };
    }
    let w = picked(&s.view.shape(), &s.tensors, false)?;
    let op = Fixed::gather("index", "IndexBackward0", w).saving().adding();
    let y = apply(Rc::new(op), &[s.view])?;
    y.keeps("indices", Attribute::Tensors(given(index)));
    Ok(y)
}

/// The tensors of an index.
fn given(index: &[Index]) -> Vec<Tensor> {
    let tensor = |i: &Index| match i {
        Index::Tensor(t) => Some(t.clone()),
        _ => None,
    };
    index.iter().filter_map(tensor).collect()
}

/// `x[index]` where values that depend on a leaf chose among the places along the dimensions `free`: the
/// others have paths too, whose slope is 0 here.
pub fn get_chosen(x: &Variable, index: &[Index], free: &[usize]) -> Outcome<Variable> {
    let y = get(x, index)?;
    let Some(node) = y.node() else {
        return Ok(y);
    };
    let (from, to) = (x.shape(), y.shape());
    // For each element taken, all those that could have been taken instead.
    let others: usize =
        free.iter().filter_map(|d| from.get(*d)).product::<usize>().saturating_sub(1);
    if y.numel().saturating_mul(others) > MOST_CHOSEN {
        return Ok(y);
    }
    let n = shape::count(&from)?;
    let places = Tensor::typed(&from, budget::listed(n, |k| k as f64)?, Dtype::Int64);
    let places = get(&Variable::constant(places), index)?.value();
    let picked: Vec<usize> = places.data().iter().map(|p| *p as usize).collect();
    let strides = shape::strides(&from);
    let fixed = |p: usize| {
        let own = (0..from.len()).filter(|d| !free.contains(d));
        own.map(|d| p / strides[d] % from[d] * strides[d]).sum::<usize>()
    };
    let mut pairs = Vec::new();
    for (out, p) in picked.iter().enumerate() {
        pairs.extend((0..n).filter(|q| q != p && fixed(*q) == fixed(*p)).map(|q| (out, q)));
    }
    let chosen = LinearMap::Gather(element_map(&from, &to, picked));
    let others = LinearMap::Unchosen { pairs: pairs.into(), from, to };
    let operation = node.operation();
    let op =
        Fixed::new(operation.name(), operation.grad_fn(), LinearMap::Plus(vec![chosen, others]));
    let op = if operation.saves() == Saves::Aside { op.saving().adding() } else { op };
    y.recorded_as(Rc::new(op), x);
    y.keeps("indices", Attribute::Tensors(given(index)));
    Ok(y)
}

/// `x[index] = v`.
///
/// # Errors
/// PyTorch's sentences on indices, on shapes, on leaves written in place.
pub fn set(x: &Variable, index: &[Index], v: &Variable) -> Outcome<()> {
    let s = views(x, index, false)?;
    if s.tensors.iter().all(Option::is_none) {
        // PyTorch fills with one number, and copies what has the same shape.
        let grad_fn = match v.rank() {
            _ if v.is_number() => "FillBackward2",
            0 if s.view.rank() > 0 => "FillBackward3",
            _ => "CopyBackwards",
        };
        return s.view.copy_as(v, grad_fn);
    }
    let number = v.is_number();
    // A number where a mask is true is filled in, whatever its type.
    let masks = match index {
        [Index::Tensor(t)] => is_mask(t),
        [one] => matches!(one, Index::Bool(_)),
        _ => false,
    };
    let fills = number || masks && v.rank() == 0;
    if !fills && v.dtype() != s.view.dtype() && !mixed_dtypes::is_allowed() {
        complain!(
            "Index put requires the source and destination dtypes match, got {} for the destination and {} for the source.",
            s.view.dtype().scalar_type(),
            v.dtype().scalar_type()
        );
    }
    s.view.check_writable(v.requires_grad())?;
    let w = picked(&s.view.shape(), &s.tensors, number)?;
    let mask = matches!(index, [Index::Tensor(t)] if t.dtype() == Dtype::Bool);
    let (name, grad_fn) = match (number, mask) {
        (true, true) => ("masked_fill", "MaskedFillBackward0"),
        (true, false) if s.tensors.iter().flatten().count() == 1 => {
            ("index_fill", "IndexFillBackward0")
        }
        _ => ("index_put", "IndexPutBackward0"),
    };
    if shape::broadcast(&v.shape(), &w.to).ok().as_ref() != Some(&w.to) {
        let text = format!(
            "shape mismatch: value tensor of shape {} cannot be broadcast to indexing result of shape {}",
            torch_messages::sizes(&v.shape()),
            torch_messages::sizes(&w.to)
        );
        return Err(Complaint::new(Kind::Runtime, text).about(Fact::Named(w.to)));
    }
    if v.rank() > 0 {
        vjp_maths::inplace::overlap::check(name, &s.view, &[v])?;
    }
    let result = apply(Rc::new(Put::new(name, grad_fn, w).saving()), &[s.view.clone(), v.clone()])?;
    match (grad_fn, given(index).as_slice()) {
        ("MaskedFillBackward0", [mask]) => result.keeps("mask", Attribute::Tensor(mask.clone())),
        ("IndexFillBackward0", [one]) => result.keeps("index", Attribute::Tensor(one.clone())),
        (_, all) => result.keeps("indices", Attribute::Tensors(all.to_vec())),
    }
    s.view.update(&result)
}
