//! Sorting: sort, topk, argsort, median.

use super::extreme::{Chosen, Rank, Winners, is_nan, told, won};
use crate::reduce::Axes;
use crate::{Bound, Forms, Out};
use std::rc::Rc;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::{Fixed, Saves, Variable, apply};
use vjp_tensor::kernels::{select, sort};
use vjp_tensor::matrix::{Manner, manner};
use vjp_tensor::{
    Dtype, Element, Fact, Kind, Outcome, Tensor, complain, shape, torch_messages, with_numbers,
};

/// So many are gone through without asking.
const BLOCK: usize = 1 << 12;
/// Rows up to this long tell ties.
const TOLD: usize = 256;

/// NaN is the largest.
fn ascending<T: Element>(p: T, q: T) -> std::cmp::Ordering {
    p.partial_cmp(&q).unwrap_or_else(|| is_nan(p).cmp(&is_nan(q)))
}

/// Whether `a` comes before `b`; NaN is the largest.
pub(crate) fn before<T: Element>(a: T, b: T, descending: bool) -> bool {
    match descending {
        true => (is_nan(a) && !is_nan(b)) || a > b,
        false => (!is_nan(a) && is_nan(b)) || a < b,
    }
}

/// In which order, and how much of it.
#[derive(Clone, Copy)]
enum Wanted {
    All { stable: bool },
    First(usize),
}

impl Wanted {
    /// The places of a row in order.
    fn order<T: Element>(self, row: &[T], descending: bool) -> Outcome<Vec<usize>> {
        let less = |a: usize, b: usize| before(row[a], row[b], descending);
        match self {
            Wanted::First(k) => select::top(row.len(), k, less),
            Wanted::All { stable: false } if manner() == Manner::Torch => {
                select::sort(row.len(), less)
            }
            Wanted::All { .. } => sort::positions(row.len(), |a, b| {
                let up = ascending(row[a], row[b]);
                if descending { up.reverse() } else { up }
            }),
        }
    }
}

/// Elements of each row along `dim` in an order.
fn ordered(
    x: &Variable,
    dim: i64,
    wanted: Wanted,
    descending: bool,
    name: &'static str,
    grad_fn: &'static str,
) -> Outcome<(Variable, Variable)> {
    let own = x.shape();
    let at = shape::axis(dim, own.len())?;
    let value = x.value();
    let axes = Axes::new(&own, Some(&[dim]), true)?;
    let (groups, n) = (axes.groups(), axes.count().max(1));
    let take = match wanted {
        Wanted::First(k) => k,
        Wanted::All { .. } => axes.count(),
    };
    let mut to = own.clone();
    if let Some(slot) = to.get_mut(at) {
        *slot = take;
    }
    let inner: usize = own.iter().skip(at + 1).product();
    let total: usize = to.iter().product();
    // Of long rows it is not remembered who might have won: no kink is told of them.
    let long = n > TOLD;
    vjp_tensor::budget::reserve(total.saturating_mul(if long {
        16
    } else {
        size_of::<Winners>() + size_of::<Vec<usize>>()
    }))?;
    let mut winners = vec![Winners::new(); if long { 0 } else { total }];
    let mut index = vec![0; if long { total } else { 0 }];
    let mut positions = vec![0.0; total];
    let mut losers = Vec::new();
    for (g, group) in groups.chunks(n).enumerate() {
        let order = with_numbers!(value, data => {
            let row = vjp_tensor::budget::listed(group.len(), |k| data[group[k]])?;
            wanted.order(&row, descending)?
        });
        if long {
            for k in 0..take {
                if k.is_multiple_of(BLOCK) {
                    vjp_tensor::budget::tick()?;
                }
                let out = (g / inner * take + k) * inner + g % inner;
                positions[out] = order[k] as f64;
                index[out] = group[order[k]];
            }
            continue;
        }
        for k in 0..take {
            let out = (g / inner * take + k) * inner + g % inner;
            positions[out] = order[k] as f64;
            winners[out].push(group[order[k]]);
            if x.requires_grad() {
                let others = group.iter().filter(|p| **p != group[order[k]]);
                losers.extend(others.map(|p| (out, *p)));
            }
        }
        vjp_tensor::budget::tick()?;
    }
    let positions = Tensor::new(&to, positions).with_dtype(Dtype::Int64);
    if long {
        let op = Fixed::gather(name, grad_fn, element_map(&own, &to, index)).saving();
        let y = apply(Rc::new(op), std::slice::from_ref(x))?.keeping("indices", &positions);
        return Ok((y, Variable::constant(positions)));
    }
    let op = Chosen {
        name,
        grad_fn,
        saves: Saves::Aside,
        winners: winners.into(),
        losers: losers.into(),
        rank: Rank::Along { inner, take, descending },
        from: own,
        to,
        told: Some(match wanted {
            Wanted::First(_) => {
                let most = if descending { "" } else { ", largest=False" };
                format!("torch.{name}({{}}, k={take}, dim={at}{most}).values")
            }
            Wanted::All { .. } => {
                let order = if descending { ", descending=True" } else { "" };
                format!("torch.{name}({{}}, dim={at}{order}).values")
            }
        }),
    };
    let y = apply(Rc::new(op), std::slice::from_ref(x))?.keeping("indices", &positions);
    Ok((y, Variable::constant(positions)))
}

fn sort(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let grad_fn = if b.has(3) { "SortBackward1" } else { "SortBackward0" };
    let all = Wanted::All { stable: b.bool_or(3, false) };
    let (v, i) = ordered(&x, b.int_or(1, -1), all, b.bool_or(2, false), "sort", grad_fn)?;
    let [v, i] = [v, i].map(|t| t.lying_as([&x]));
    Ok(Out::Named("sort", vec![("values", v), ("indices", i)]))
}

fn topk(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let (k, dim) = (b.int_or(1, 1), b.int_or(2, -1));
    let at = shape::axis(dim, x.rank())?;
    let n = x.shape().get(at).copied().unwrap_or(1);
    if k < 0 || k as usize > n {
        complain!("selected index k out of range");
    }
    if x.dtype() == Dtype::Bool {
        complain!(Kind::NotImplemented, "topk does not support bool dtypes on CPU");
    }
    let largest = b.bool_or(3, true);
    let first = Wanted::First(k as usize);
    let (v, i) = ordered(&x, dim, first, largest, "topk", "TopkBackward0")?;
    Ok(Out::Named("topk", vec![("values", v), ("indices", i)]))
}

/// The median of no elements: NaN, which depends on nothing and has a place in the graph.
pub(crate) fn of_none(
    x: &Variable,
    name: &'static str,
    grad_fn: &'static str,
) -> Outcome<Variable> {
    let gone = vec![vjp_tensor::ElementMap::NONE];
    let y = crate::arrange::rotate_and_unfold::gathered(x, &[], gone, name, grad_fn)?;
    let y = vjp_maths::table::add(&y, &crate::compose::number(f64::NAN))?;
    crate::compose::named(&y, name, grad_fn)
}

fn median(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let own = x.shape();
    let dims = b.int(1).map(|d| vec![d]);
    let axes = Axes::new(&own, dims.as_deref(), b.bool_or(2, false))?;
    let by_dim = dims.is_some();
    if axes.count() == 0 {
        if by_dim {
            complain!(
                Kind::Index, Fact::NothingToReduce;
                "median(): Expected reduction dim {} to have non-zero size.",
                axes.dims[0]
            );
        }
        return Ok(Out::One(of_none(&x, "median", "MedianBackward0")?));
    }
    if x.dtype() == Dtype::Bool {
        let kernel = if by_dim { "median_out" } else { "median_cpu" };
        return Err(torch_messages::no_kernel(kernel, Dtype::Bool));
    }
    let value = x.value();
    let data = value.data();
    let n = axes.count().max(1);
    let (mut winners, mut losers, mut positions) = (Vec::new(), Vec::new(), Vec::new());
    for (out, group) in axes.groups().chunks(n).enumerate() {
        // A NaN is the median of its row.
        let middle = match group.iter().position(|p| data[*p].is_nan()) {
            Some(lost) => lost,
            None => {
                let k = (group.len() - 1) / 2;
                let number = |at: usize| data[group[at]];
                // Over all elements PyTorch moves the values alone.
                let less = |a, b| match axes.all {
                    true => number(a) < number(b),
                    false => (number(a), a) < (number(b), b),
                };
                select::nth(group.len(), k, less)?[k]
            }
        };
        let m = data[group[middle]];
        positions.push(middle as f64);
        let ties = |p: usize| axes.all && (data[p] == m || (m.is_nan() && data[p].is_nan()));
        winners.push(won(group, middle, ties, |p| losers.push((out, p)))?);
    }
    let op = Chosen {
        name: "median",
        grad_fn: if by_dim { "MedianBackward1" } else { "MedianBackward0" },
        saves: if by_dim { Saves::Aside } else { Saves::InputsAndOutput(1) },
        winners: winners.into(),
        losers: losers.into(),
        rank: Rank::At((n - 1) / 2),
        from: own,
        to: axes.to(),
        told: Some(told("median", &axes, "")),
    };
    let all = axes.all;
    let positions = Tensor::new(&axes.to(), positions).with_dtype(Dtype::Int64);
    let y = apply(Rc::new(op), &[x])?;
    if all {
        return Ok(Out::One(y));
    }
    let y = y.keeping("indices", &positions);
    let positions = Variable::constant(positions);
    Ok(Out::Named("median", vec![("values", y), ("indices", positions)]))
}

fn argsort(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?.detach();
    let all = Wanted::All { stable: b.bool_or(3, false) };
    let order = ordered(&x, b.int_or(1, -1), all, b.bool_or(2, false), "argsort", "")?;
    Ok(Out::One(order.1))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);

pub static ENTRIES: &[crate::Entry] = entries! {
    "sort" BOTH, "(Tensor input, int dim=-1, bool descending=False, bool stable=False)", "sorted: each output is one of the inputs; J is that permutation", "torch.sort(tensor([3, 1, 2]))", ["topk", "argsort"] jax "sort({*})"
        => sort;
    "msort" BOTH, "(Tensor input)", "sorted along the first dimension; J is a permutation within each column", "torch.msort(tensor([3, 1, 2]))", ["sort"] jax "jnp.sort({input}, axis=0)"
        => |b| Ok(Out::One(ordered(&b.tensor(0)?, 0, Wanted::All { stable: false }, false, "sort", "SortBackward0")?.0));
    "argsort" BOTH.and(Forms::NP), "(Tensor input, int dim=-1, bool descending=False, bool stable=False)", "the indices that sort", "torch.argsort(tensor([3, 1, 2]))", ["sort"] jax "jnp.argsort({input}, axis={dim}, descending={descending})"
        => argsort;
    "topk" BOTH, "(Tensor input, int k, int dim=-1, bool largest=True, bool sorted=True)", "the k largest; ∂yₖ/∂xᵢ = 1 where yₖ came from, else 0", "torch.topk(tensor([3, 1, 2]), 2)", ["sort", "max"] jax "topk({*})"
        => topk;
    "median" BOTH.and(Forms::NP), "(Tensor input, int dim=None, bool keepdim=False)", "the middle element, the lower of two; ∂y/∂xᵢ = 1 at its place, else 0", "torch.median(tensor([3, 1, 2]))", ["mean"] jax "median({*})"
        => median;
};
