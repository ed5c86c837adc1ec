//! What is placed into a copy of an array: a slice, a diagonal, a strided part; and several elements
//! brought together at one place by a sum, a product, a mean or an extreme.

use super::{scatter, select};
use crate::arrange::rotate_and_unfold::gathered;
use crate::arrange::{flip_and_repeat, layout};
use crate::compose::{grouped, one};
use crate::reduce::extreme::{Chosen, Rank, Winners};
use crate::{Bound, Forms, Out, index};
use std::rc::Rc;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::primitives::put::Put;
use vjp_maths::{Saves, Variable, apply, table};
use vjp_tensor::shape::ints;
use vjp_tensor::torch_messages::sizes;
use vjp_tensor::{
    Dtype, ElementMap, Kind, Layout, Outcome, Tensor, budget, complain, shape, torch_messages,
};

/// A view of an array's positions, as `f` makes it.
fn positions(own: &[usize], f: impl Fn(&Variable) -> Outcome<Variable>) -> Outcome<ElementMap> {
    let numbers = (0..shape::count(own)?).map(|k| k as f64).collect();
    let part = f(&Variable::constant(Tensor::new(own, numbers)))?.value();
    let at = part.data().iter().map(|k| *k as usize).collect();
    Ok(element_map(own, part.shape(), at))
}

/// `src` written into the part of `x` that `part` views.
fn placed(
    b: &Bound,
    names: (&'static str, &'static str),
    part: impl Fn(&Variable) -> Outcome<Variable>,
) -> Outcome<Out> {
    let (x, src) = (b.tensor(0)?, b.tensor(1)?);
    let w = positions(&x.shape(), part)?;
    if src.shape() != w.to {
        complain!(
            "expected src to have a size equal to the slice of self. src size = {}, slice size = {}",
            sizes(&src.shape()),
            sizes(&w.to)
        );
    }
    Ok(Out::One(apply(Rc::new(Put::new(names.0, names.1, w)), &[x, src])?))
}

/// A number has no dimension to take a part of.
fn sliceable(b: &Bound, view: &str) -> Outcome<()> {
    if b.tensor(0)?.rank() == 0 {
        complain!(Kind::Index, "{view}() cannot be applied to a 0-dim tensor.");
    }
    Ok(())
}

fn select_scatter(b: &mut Bound) -> Outcome<Out> {
    sliceable(b, "select")?;
    let (own, given, at) = (b.tensor(0)?.shape(), b.int_or(2, 0), b.int_or(3, 0));
    let dim = shape::axis(given, own.len())?;
    index::selectable(&own, dim, at, given)?;
    placed(b, ("select_scatter", "SelectScatterBackward0"), |x| index::select(x, dim, at, dim))
}

fn slice_scatter(b: &mut Bound) -> Outcome<Out> {
    sliceable(b, "slice")?;
    let dim = shape::axis(b.int_or(2, 0), b.tensor(0)?.rank())?;
    let (start, stop, step) = (b.int(3), b.int(4), b.int(5));
    placed(b, ("slice_scatter", "SliceScatterBackward0"), |x| {
        let n = x.shape().get(dim).copied().unwrap_or(1);
        index::slice(x, dim, index::slice_bounds(n, start, stop, step)?)
    })
}

fn diagonal_scatter(b: &mut Bound) -> Outcome<Out> {
    let (offset, p, q) = (b.int_or(2, 0), b.int_or(3, 0), b.int_or(4, 1));
    placed(b, ("diagonal_scatter", "DiagonalScatterBackward0"), |x| {
        flip_and_repeat::diagonal(x, offset, p, q)
    })
}

/// A view by sizes and strides over the memory.
fn as_strided(x: &Variable, size: &[i64], stride: &[i64], offset: i64) -> Outcome<Variable> {
    if size.len() != stride.len() {
        complain!("mismatch in length of strides and shape");
    }
    if let Some(bad) = size.iter().chain(stride).find(|v| **v < 0) {
        complain!(
            "as_strided: Negative strides are not supported at the moment, got strides: {bad}"
        );
    }
    let l = Layout {
        shape: size.iter().map(|v| *v as usize).collect(),
        strides: stride.iter().map(|v| *v as usize).collect(),
        offset: offset.max(0) as usize,
    };
    let base = x.base().unwrap_or_else(|| x.clone());
    let (total, item) = (base.numel(), base.dtype().size());
    let farthest = match shape::numel(&l.shape)? {
        0 => None,
        _ => Some(l.farthest().map_or(usize::MAX, |at| at + 1)),
    };
    if let Some(needed) = farthest.filter(|n| *n > total) {
        complain!(
            "setStorage: sizes {}, strides {}, storage offset {offset}, and itemsize {item} requiring a storage size of {} are out of bounds for storage of size {}",
            sizes(size),
            sizes(stride),
            needed.saturating_mul(item),
            total * item
        );
    }
    layout::strided(x, l, "as_strided", "AsStridedBackward0")
}

fn strided_of(x: &Variable, b: &Bound, first: usize) -> Outcome<Variable> {
    let (size, stride) = (b.ints(first).unwrap_or_default(), b.ints(first + 1).unwrap_or_default());
    let offset = b.int(first + 2).unwrap_or(x.layout().offset as i64);
    as_strided(x, &size, &stride, offset)
}

fn fill_diagonal(b: &mut Bound) -> Outcome<Out> {
    let (x, v) = (b.tensor(0)?, b.tensor(1)?);
    let own = x.shape();
    if own.len() < 2 {
        complain!("dimensions must larger than 1");
    }
    if own.len() > 2 && own.iter().any(|d| *d != own[0]) {
        complain!("all dimensions of input must be of equal length");
    }
    let step: usize = shape::strides(&own).iter().sum();
    // Wrapped, the diagonal begins again below a matrix's last square.
    let wraps = b.bool_or(2, false) && own.len() == 2 && own[0] > own[1];
    let n = match wraps {
        true => x.numel().div_ceil(step),
        false => own.iter().copied().min().unwrap_or(0),
    };
    let at: Vec<usize> = (0..n).map(|k| k * step).collect();
    // PyTorch fills a view of the diagonal.
    let op = Put::new("fill_diagonal_", "CopySlices", element_map(&own, &[n], at));
    Ok(Out::One(apply(Rc::new(op), &[x, v])?))
}

/// How elements that meet are made one.
#[derive(Clone, Copy, PartialEq)]
enum Meet {
    Sum,
    Product,
    Mean,
    Largest,
    Smallest,
}

impl Meet {
    fn read(name: &str, index: bool) -> Outcome<Meet> {
        Ok(match name {
            "sum" if !index => Meet::Sum,
            "prod" => Meet::Product,
            "mean" => Meet::Mean,
            "amax" => Meet::Largest,
            "amin" => Meet::Smallest,
            _ if index => complain!(
                "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {name}."
            ),
            _ => complain!(
                "reduce argument must be either sum, prod, mean, amax or amin, got {name}"
            ),
        })
    }
}

/// The elements of `src` brought to the places of `part` in `x`, together with what is there or in its
/// stead.
fn meeting(
    x: &Variable,
    src: &Variable,
    part: &ElementMap,
    how: Meet,
    with_self: bool,
) -> Outcome<Variable> {
    let own = x.shape();
    let n = x.numel();
    let flat = |v: &Variable| layout::reshape(v, &[-1]);
    let src = layout::expand(src, &ints(&part.to))?;
    let all = crate::arrange::join::cat(&[flat(x)?, flat(&src)?], 0)?;
    if matches!(how, Meet::Sum | Meet::Mean) {
        // Added to what is there, or to zeros.
        let base = match with_self {
            true => x.clone(),
            false => {
                let zero = Variable::constant(Tensor::scalar(0.0).with_dtype(x.dtype()));
                apply(
                    Rc::new(Put::new("scatter", "ScatterBackward1", part.clone())),
                    &[x.clone(), zero],
                )?
            }
        };
        let add = Put::new("scatter_add", "ScatterAddBackward0", part.clone()).adding();
        let y = apply(Rc::new(add), &[base, src])?;
        if how == Meet::Sum {
            return Ok(y);
        }
        let mut counts = budget::filled(n, f64::from(u8::from(with_self)))?;
        for at in part.index.iter() {
            budget::tick()?;
            counts[*at] += 1.0;
        }
        counts.iter_mut().for_each(|count| *count = count.max(1.0));
        let counts = Variable::constant(Tensor::typed(&own, counts, x.dtype()));
        return match x.dtype().is_float() {
            true => table::div(&y, &counts),
            false => one("floor_divide", vec![(&y).into(), (&counts).into()]),
        };
    }
    let mut groups: Vec<Vec<usize>> = budget::listed(n, |k| vec![k])?;
    let mut touched = budget::filled(n, false)?;
    for (k, at) in part.index.iter().enumerate() {
        budget::tick()?;
        if !with_self && !touched[*at] {
            groups[*at].clear();
        }
        touched[*at] = true;
        groups[*at].push(n + k);
    }
    if matches!(how, Meet::Largest | Meet::Smallest) {
        return extremes(&all, &own, groups, how);
    }
    let most = groups.iter().map(Vec::len).max().unwrap_or(0);
    shape::count(&[most, n])?;
    let mut y: Option<Variable> = None;
    for k in 0..most {
        let at = groups.iter().map(|g| g.get(k).copied().unwrap_or(ElementMap::NONE));
        let next = gathered(&all, &own, budget::collected(at)?, "gather", "GatherBackward0")?;
        let gone = groups.iter().map(|g| if g.len() <= k { 1.0 } else { -0.0 });
        let ones = Tensor::typed(&own, budget::collected(gone)?, x.dtype());
        let next = table::add(&next, &Variable::constant(ones))?;
        y = Some(match y {
            None => next,
            Some(y) => table::mul(&y, &next)?,
        });
    }
    Ok(y.unwrap_or_else(|| x.clone()))
}

/// The largest or smallest of each group; those that tie share.
fn extremes(
    all: &Variable,
    own: &[usize],
    groups: Vec<Vec<usize>>,
    how: Meet,
) -> Outcome<Variable> {
    let value = all.value();
    let data = value.data();
    let mut losers = Vec::new();
    let mut winners = Vec::new();
    for (k, group) in groups.into_iter().enumerate() {
        budget::tick()?;
        let numbers = group.iter().map(|p| data[*p]);
        let top = if how == Meet::Largest {
            numbers.fold(f64::NEG_INFINITY, |m, v| if v > m || v.is_nan() { v } else { m })
        } else {
            numbers.fold(f64::INFINITY, |m, v| if v < m || v.is_nan() { v } else { m })
        };
        let ties = |p: &usize| data[*p] == top || (top.is_nan() && data[*p].is_nan());
        let (won, lost): (Winners, Winners) = group.into_iter().partition(ties);
        losers.extend(lost.into_iter().map(|p| (k, p)));
        winners.push(won);
    }
    let op = Chosen {
        name: "scatter_reduce",
        grad_fn: "ScatterReduceBackward0",
        saves: Saves::InputsAndOutput(1),
        winners: winners.into(),
        losers: losers.into(),
        rank: if how == Meet::Largest { Rank::Largest } else { Rank::Smallest },
        from: all.shape(),
        to: own.to_vec(),
        told: None,
    };
    apply(Rc::new(op), std::slice::from_ref(all))
}

fn scatter_reduce(b: &mut Bound) -> Outcome<Out> {
    let mut group = grouped(b, "scatter_reduce", "ScatterReduceBackward0", 0, &[0, 3])?;
    group.keeps = Saves::Output;
    let (x, i, src) = (b.tensor(0)?, b.tensor(2)?.value(), b.tensor(3)?);
    let at = shape::axis(b.int_or(1, 0), x.rank())?;
    crate::refusals::scattered(&x.shape(), at, &i, Some(&src.shape()))?;
    if src.dtype() != x.dtype() {
        complain!("scatter(): Expected self.dtype to be equal to src.dtype");
    }
    let how = Meet::read(b.str_or(4, ""), false)?;
    if how == Meet::Mean && x.dtype() == Dtype::Bool {
        return Err(torch_messages::no_kernel(
            "scatter_gather_tensor_cpu_reduce_mean",
            Dtype::Bool,
        ));
    }
    let part = select::along(&x.shape(), b.int_or(1, 0), &i, "scatter")?;
    let src = scatter::as_much(&src, i.shape())?;
    let y =
        meeting(&x, &src, &ElementMap { to: i.shape().to_vec(), ..part }, how, b.bool_or(5, true))?;
    Ok(Out::One(group.output(&y)?))
}

fn index_reduce(b: &mut Bound) -> Outcome<Out> {
    let mut group = grouped(b, "index_reduce", "IndexReduceBackward0", 0, &[0, 3])?;
    group.keeps = Saves::Output;
    let (x, i, src) = (b.tensor(0)?, b.tensor(2)?.value(), b.tensor(3)?);
    vjp_tensor::warnings::warn_once(
        "index_reduce() is in beta and the API may change at any time.",
    );
    let how = Meet::read(b.str_or(4, ""), true)?;
    let own = x.shape();
    let at = shape::axis(b.int_or(1, 0), own.len())?;
    let types = (own.as_slice(), x.dtype(), src.dtype());
    crate::refusals::slices("index_reduce", types, at, &i, Some(&src.shape()))?;
    let part = scatter::slices("index_reduce", &x.shape(), b.int_or(1, 0), &i)?;
    let y = meeting(&x, &src, &part, how, b.bool_or(5, true))?;
    Ok(Out::One(group.output(&y)?))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);

pub static ENTRIES: &[crate::Entry] = entries! {
    "select_scatter" BOTH, "(Tensor input, Tensor src, int dim, int index)", "a copy with one slice replaced", "torch.select_scatter(torch.zeros(2, 2), torch.ones(2), 0, 0)", ["select", "slice_scatter"] jax "select_scatter({*})"
        => select_scatter;
    "slice_scatter" BOTH, "(Tensor input, Tensor src, int dim=0, int start=None, int end=None, int step=1)", "a copy with some slices replaced", "torch.slice_scatter(torch.zeros(3), torch.ones(2), 0, 1)", ["narrow", "select_scatter"] jax "-"
        => slice_scatter;
    "diagonal_scatter" BOTH, "(Tensor input, Tensor src, int offset=0, int dim1=0, int dim2=1)", "a copy with a diagonal replaced", "torch.diagonal_scatter(torch.zeros(2, 2), torch.ones(2))", ["diagonal", "diag"] jax "-"
        => diagonal_scatter;
    "as_strided" BOTH, "(Tensor input, ints size, ints stride, int storage_offset=None)", "a view with given strides in memory", "torch.as_strided(tensor([1, 2, 3]), (2, 2), (1, 1))", ["view", "unfold"] jax "-"
        => |b| Ok(Out::One(strided_of(&b.tensor(0)?, b, 1)?));
    "as_strided_scatter" BOTH, "(Tensor input, Tensor src, int[] size, int[] stride, int storage_offset=None)", "a copy with a strided part replaced", "torch.as_strided_scatter(torch.zeros(3), torch.ones(2), (2,), (2,))", ["as_strided"] jax "-"
        => |b| placed(b, ("as_strided_scatter", "AsStridedScatterBackward0"), |x| strided_of(x, b, 2));
    "fill_diagonal" Forms::INPLACE, "(Tensor input, Scalar fill_value, bool wrap=False)", "the diagonal filled with a number; ∂y/∂x = 0 on the diagonal, else 1", "torch.zeros(2, 2).fill_diagonal_(1.0)", ["diag", "fill"] jax "jnp.fill_diagonal({input}, {fill_value}, inplace=False)"
        => fill_diagonal;
    "scatter_reduce" BOTH.and(Forms::INPLACE), "(Tensor input, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True)", "elements combined at indices by sum, prod, mean, amax or amin; ∂y/∂x = 1 of a sum, y/x of a product, 1/k of a mean of k, 1/k at k extremes", "torch.zeros(2).scatter_reduce(0, tensor([0, 0]), tensor([1., 3.]), 'mean')", ["scatter_add", "index_reduce"] jax "-"
        => scatter_reduce;
    "index_reduce" BOTH.and(Forms::INPLACE), "(Tensor input, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True)", "slices combined at indices by prod, mean, amax or amin; ∂y/∂x = y/x of a product, 1/k of a mean of k, 1/k at k extremes", "torch.ones(2).index_reduce(0, tensor([0, 0]), tensor([2., 3.]), 'prod')", ["scatter_reduce"] jax "-"
        => index_reduce;
};
