//! The largest and the smallest: max, min, their positions, sorting. What was not chosen has a path
//! whose slope is 0 here.

use super::fixed::wires;
use super::reduce::Axes;
use super::{Bound, Forms, Out, USUAL};
use crate::complain;
use crate::maths::complaint::{Kind, Outcome};
use crate::maths::linear::{Array, LinearMap, Wires};
use crate::maths::rule::{Point, Rule, Saves};
use crate::maths::symbol::Symbols;
use crate::maths::tensor::{Dtype, Tensor};
use crate::maths::variable::{Variable, apply};
use crate::maths::{shape, table};
use std::rc::Rc;

/// Elements chosen by value.
#[derive(Debug)]
pub struct Chosen {
    pub name: &'static str,
    pub grad_fn: &'static str,
    /// Keeps its positions, or its input and output.
    pub saves: Saves,
    /// For each output element, the input elements that share its slope.
    pub winners: Vec<Vec<usize>>,
    /// For each output element, the others that might have won.
    pub losers: Rc<[(usize, usize)]>,
    pub from: Vec<usize>,
    pub to: Vec<usize>,
}

impl Chosen {
    fn first(&self) -> Wires {
        let at = self
            .winners
            .iter()
            .map(|w| w.first().copied().unwrap_or(Wires::NONE));
        wires(&self.from, &self.to, at.collect())
    }
}

impl Rule for Chosen {
    fn name(&self) -> &'static str {
        self.name
    }

    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        self.saves
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        crate::maths::tensor_kernels::gather(inputs[0], &self.first())
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(inputs[0].gather(&self.first()))
    }

    fn linear<A: Array>(&self, _: &Point<A>, _: usize) -> LinearMap<A> {
        let mut counts: Vec<usize> = self.winners.iter().map(Vec::len).collect();
        counts.sort_unstable();
        counts.dedup();
        let mut parts = Vec::new();
        // Winners that share: each of n gets 1/n.
        for n in counts {
            for k in 0..n {
                let at = self
                    .winners
                    .iter()
                    .map(|w| if w.len() == n { w[k] } else { Wires::NONE });
                let pick = LinearMap::Gather(wires(&self.from, &self.to, at.collect()));
                parts.push(if n == 1 {
                    pick
                } else {
                    let share = LinearMap::Scale {
                        by: 1.0 / n as f64,
                        shape: self.to.clone(),
                    };
                    LinearMap::Then(vec![pick, share])
                });
            }
        }
        if !self.losers.is_empty() {
            parts.push(LinearMap::Unchosen {
                pairs: self.losers.clone(),
                from: self.from.clone(),
                to: self.to.clone(),
            });
        }
        LinearMap::Plus(parts)
    }
}

/// Which way to look.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Largest,
    Smallest,
}

impl Way {
    /// Whether `a` beats `b`; a NaN beats everything.
    fn beats(self, a: f64, b: f64) -> bool {
        if b.is_nan() {
            return false;
        }
        a.is_nan()
            || match self {
                Way::Largest => a > b,
                Way::Smallest => a < b,
            }
    }
}

/// Position of the first winner within a group.
fn winner(data: &[f64], group: &[usize], way: Way) -> usize {
    let mut best = 0;
    for (k, p) in group.iter().enumerate() {
        if way.beats(data[*p], data[group[best]]) {
            best = k;
        }
    }
    best
}

fn expect_some(axes: &Axes, name: &str) -> Outcome<()> {
    if axes.from.iter().product::<usize>() == 0 && axes.count() == 0 {
        if axes.all {
            complain!(
                Kind::Runtime,
                "{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."
            );
        }
        complain!(
            Kind::Index,
            "{name}(): Expected reduction dim {} to have non-zero size.",
            axes.dims.first().copied().unwrap_or(0)
        );
    }
    Ok(())
}

/// Values over dimensions; with `share` all that tie win together, else the first.
fn extreme(
    x: &Variable,
    axes: &Axes,
    way: Way,
    share: bool,
    name: &'static str,
    grad_fn: &'static str,
) -> Outcome<(Variable, Variable)> {
    expect_some(axes, name)?;
    let value = x.value();
    let data = value.data();
    let (groups, n) = (axes.groups(), axes.count().max(1));
    let tracked = x.requires_grad();
    let (mut winners, mut losers, mut positions) = (Vec::new(), Vec::new(), Vec::new());
    for (out, group) in groups.chunks(n).enumerate() {
        let best = winner(data, group, way);
        positions.push(best as f64);
        let top = data[group[best]];
        let ties = |p: usize| data[p] == top || (data[p].is_nan() && top.is_nan());
        let won: Vec<usize> = if share {
            group.iter().copied().filter(|p| ties(*p)).collect()
        } else {
            vec![group[best]]
        };
        if tracked {
            losers.extend(group.iter().filter(|p| !won.contains(p)).map(|p| (out, *p)));
        }
        winners.push(won);
        crate::maths::budget::tick()?;
    }
    let op = Chosen {
        name,
        grad_fn,
        saves: if share {
            Saves::InputsAndOutput(1)
        } else {
            Saves::Aside
        },
        winners,
        losers: losers.into(),
        from: axes.from.clone(),
        to: axes.to(),
    };
    let positions = Tensor::new(&axes.to(), positions).with_dtype(Dtype::Int64);
    let y = apply(Rc::new(op), std::slice::from_ref(x))?;
    Ok((y, Variable::constant(positions)))
}

/// `x.max()`, `x.max(dim)`, `torch.max(a, b)` and the same of min.
fn either(b: &mut Bound, way: Way) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let (name, all, by_dim) = match way {
        Way::Largest => ("max", "MaxBackward1", "MaxBackward0"),
        Way::Smallest => ("min", "MinBackward1", "MinBackward0"),
    };
    if let super::Arg::Tensor(y) = b.arg(1)
        && !y.is_number()
    {
        let fun = if way == Way::Largest {
            &table::MAXIMUM
        } else {
            &table::MINIMUM
        };
        return Ok(Out::One(apply((fun.operation)(&[]), &[x, y.clone()])?));
    }
    let own = x.shape();
    let Some(dim) = b.int(1) else {
        let axes = Axes::new(&own, None, false)?;
        return Ok(Out::One(extreme(&x, &axes, way, true, name, all)?.0));
    };
    let axes = Axes::new(&own, Some(&[dim]), b.bool_or(2, false))?;
    let (values, indices) = extreme(&x, &axes, way, false, name, by_dim)?;
    Ok(Out::Named(
        name,
        vec![("values", values), ("indices", indices)],
    ))
}

fn shared(b: &mut Bound, way: Way) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let axes = Axes::new(&x.shape(), b.ints(1).as_deref(), b.bool_or(2, false))?;
    let (name, grad_fn) = match way {
        Way::Largest => ("amax", "AmaxBackward0"),
        Way::Smallest => ("amin", "AminBackward0"),
    };
    Ok(Out::One(extreme(&x, &axes, way, true, name, grad_fn)?.0))
}

fn position(b: &mut Bound, way: Way) -> Outcome<Out> {
    let x = b.tensor(0)?.detach();
    let dims = b.int(1).map(|d| vec![d]);
    let axes = Axes::new(&x.shape(), dims.as_deref(), b.bool_or(2, false))?;
    let name = if way == Way::Largest {
        "argmax"
    } else {
        "argmin"
    };
    Ok(Out::One(extreme(&x, &axes, way, false, name, "")?.1))
}

/// Elements of each row along `dim` in an order, the first `take` of them.
fn ordered(
    x: &Variable,
    dim: i64,
    take: Option<usize>,
    descending: bool,
    name: &'static str,
    grad_fn: &'static str,
) -> Outcome<(Variable, Variable)> {
    let own = x.shape();
    let at = shape::axis(dim, own.len())?;
    let value = x.value();
    let data = value.data();
    let axes = Axes::new(&own, Some(&[dim]), true)?;
    let (groups, n) = (axes.groups(), axes.count().max(1));
    let take = take.unwrap_or(n);
    let mut to = own.clone();
    if let Some(slot) = to.get_mut(at) {
        *slot = take;
    }
    let inner: usize = own.iter().skip(at + 1).product();
    let total: usize = to.iter().product();
    let mut winners = vec![Vec::new(); total];
    let mut positions = vec![0.0; total];
    let mut losers = Vec::new();
    for (g, group) in groups.chunks(n).enumerate() {
        let mut order: Vec<usize> = (0..group.len()).collect();
        order.sort_by(|a, b| {
            let (p, q) = (data[group[*a]], data[group[*b]]);
            // NaN is the largest.
            let up = p
                .partial_cmp(&q)
                .unwrap_or_else(|| p.is_nan().cmp(&q.is_nan()));
            if descending { up.reverse() } else { up }
        });
        for k in 0..take {
            let out = (g / inner * take + k) * inner + g % inner;
            positions[out] = order[k] as f64;
            winners[out] = vec![group[order[k]]];
            if x.requires_grad() && group.len() <= 256 {
                let others = group.iter().filter(|p| **p != group[order[k]]);
                losers.extend(others.map(|p| (out, *p)));
            }
        }
        crate::maths::budget::check()?;
    }
    let op = Chosen {
        name,
        grad_fn,
        saves: Saves::Aside,
        winners,
        losers: losers.into(),
        from: own,
        to: to.clone(),
    };
    let positions = Tensor::new(&to, positions).with_dtype(Dtype::Int64);
    let y = apply(Rc::new(op), std::slice::from_ref(x))?;
    Ok((y, Variable::constant(positions)))
}

fn sort(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let (v, i) = ordered(
        &x,
        b.int_or(1, -1),
        None,
        b.bool_or(2, false),
        "sort",
        "SortBackward0",
    )?;
    Ok(Out::Named("sort", vec![("values", v), ("indices", i)]))
}

fn topk(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let (k, dim) = (b.int_or(1, 1), b.int_or(2, -1));
    let at = shape::axis(dim, x.rank())?;
    let n = x.shape().get(at).copied().unwrap_or(1);
    if k < 0 || k as usize > n {
        complain!(Kind::Runtime, "selected index k out of range");
    }
    let largest = b.bool_or(3, true);
    let (v, i) = ordered(&x, dim, Some(k as usize), largest, "topk", "TopkBackward0")?;
    Ok(Out::Named("topk", vec![("values", v), ("indices", i)]))
}

fn median(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let own = x.shape();
    let dims = b.int(1).map(|d| vec![d]);
    let axes = Axes::new(&own, dims.as_deref(), b.bool_or(2, false))?;
    let value = x.value();
    let data = value.data();
    let n = axes.count().max(1);
    let (mut winners, mut losers, mut positions) = (Vec::new(), Vec::new(), Vec::new());
    for (out, group) in axes.groups().chunks(n).enumerate() {
        let mut order: Vec<usize> = (0..group.len()).collect();
        order.sort_by(|a, b| data[group[*a]].total_cmp(&data[group[*b]]));
        let middle = order[(group.len() - 1) / 2];
        let m = data[group[middle]];
        positions.push(middle as f64);
        let won: Vec<usize> = if axes.all {
            group.iter().copied().filter(|p| data[*p] == m).collect()
        } else {
            vec![group[middle]]
        };
        losers.extend(group.iter().filter(|p| !won.contains(p)).map(|p| (out, *p)));
        winners.push(won);
    }
    let op = Chosen {
        name: "median",
        grad_fn: "MedianBackward0",
        saves: Saves::InputsAndOutput(1),
        winners,
        losers: losers.into(),
        from: own,
        to: axes.to(),
    };
    let all = axes.all;
    let positions = Tensor::new(&axes.to(), positions).with_dtype(Dtype::Int64);
    let y = apply(Rc::new(op), &[x])?;
    if all {
        return Ok(Out::One(y));
    }
    let positions = Variable::constant(positions);
    Ok(Out::Named(
        "median",
        vec![("values", y), ("indices", positions)],
    ))
}

fn argsort(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?.detach();
    let order = ordered(
        &x,
        b.int_or(1, -1),
        None,
        b.bool_or(2, false),
        "argsort",
        "",
    )?;
    Ok(Out::One(order.1))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);
const BY_DIM: &str = "(Tensor input, Tensor|Scalar dim=None, bool keepdim=False)";
const OVER: &str = "(Tensor input, int[] dim=None, bool keepdim=False)";
const POSITION: &str = "(Tensor input, int dim=None, bool keepdim=False)";

pub static ENTRIES: &[super::Entry] = entries! {
    "max" USUAL.and(Forms::NP), BY_DIM, "the largest; ∂y/∂xᵢ is 1 there, else 0; shared at a tie", "max([1, 3, 2])", ["min", "amax", "argmax", "maximum"]
        => |b| either(b, Way::Largest);
    "min" USUAL.and(Forms::NP), BY_DIM, "the smallest; ∂y/∂xᵢ is 1 there, else 0; shared at a tie", "min([1, 3, 2])", ["max", "amin", "argmin", "minimum"]
        => |b| either(b, Way::Smallest);
    "amax" BOTH.and(Forms::NP), OVER, "the largest; shared at a tie", "torch.amax(tensor([1, 3, 2]))", ["max"]
        => |b| shared(b, Way::Largest);
    "amin" BOTH.and(Forms::NP), OVER, "the smallest; shared at a tie", "torch.amin(tensor([1, 3, 2]))", ["min"]
        => |b| shared(b, Way::Smallest);
    "argmax" USUAL.and(Forms::NP), POSITION, "where the largest is", "argmax([1, 3, 2])", ["max"]
        => |b| position(b, Way::Largest);
    "argmin" USUAL.and(Forms::NP), POSITION, "where the smallest is", "argmin([1, 3, 2])", ["min"]
        => |b| position(b, Way::Smallest);
    "sort" BOTH, "(Tensor input, int dim=-1, bool descending=False, bool stable=False)", "in order: each output is one of the inputs", "torch.sort(tensor([3, 1, 2]))", ["topk", "argsort"]
        => sort;
    "argsort" BOTH.and(Forms::NP), "(Tensor input, int dim=-1, bool descending=False, bool stable=False)", "the positions that sort", "torch.argsort(tensor([3, 1, 2]))", ["sort"]
        => argsort;
    "topk" BOTH, "(Tensor input, int k, int dim=-1, bool largest=True, bool sorted=True)", "the k largest", "torch.topk(tensor([3, 1, 2]), 2)", ["sort", "max"]
        => topk;
    "median" BOTH.and(Forms::NP), POSITION, "the middle one, the lower of two", "torch.median(tensor([3, 1, 2]))", ["mean"]
        => median;
};
