//! Running extremes and log-sums, what ignores NaN, and elements picked by rank.

use super::extreme::{Chosen, Rank, Winners, told, won};
use super::statistics::logsumexp;
use crate::compose::grouped;
use crate::reduce::sort::before;
use crate::reduce::{Axes, sum};
use crate::{Bound, Forms, Out};
use std::rc::Rc;
use vjp_maths::composite::Group;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::{
    Array, Fixed, Formula, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable, apply,
    table,
};
use vjp_tensor::kernels::select;
use vjp_tensor::{
    Dtype, ElementMap, Fact, Kind, Outcome, Tensor, budget, complain, shape, torch_messages,
};

/// `yₖ = log Σᵢ≤ₖ exp xᵢ`.
#[derive(Debug)]
struct LogCumSumExp {
    dim: usize,
}

/// `log(eᵃ + eᵇ)`.
fn log_add(a: f64, b: f64) -> f64 {
    let (least, most) = if a.is_nan() || a < b { (a, b) } else { (b, a) };
    match least == most && !least.is_finite() {
        true => a,
        false => (least - most).exp().ln_1p() + most,
    }
}

impl LogCumSumExp {
    fn groups(&self, own: &[usize]) -> Vec<Vec<usize>> {
        let n = own.get(self.dim).copied().unwrap_or(1).max(1);
        let stride = own.iter().skip(self.dim + 1).product::<usize>();
        let total: usize = own.iter().product();
        if !budget::claims(total.saturating_mul(size_of::<usize>())) {
            return Vec::new();
        }
        let starts = (0..total).filter(|k| k / stride.max(1) % n == 0);
        let rows = starts.map(|s| (0..n).map(|i| s + i * stride).collect());
        budget::unless_stopped(rows).collect()
    }
}

impl Rule for LogCumSumExp {
    fn code(&self, inputs: &[String]) -> Option<String> {
        Some(format!("torch.logcumsumexp({}, dim={})", inputs[0], self.dim))
    }

    fn name(&self) -> &'static str {
        "logcumsumexp"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let x = inputs[0];
        let mut out = vec![0.0; x.numel()];
        for group in self.groups(x.shape()) {
            let mut so_far = f64::NEG_INFINITY;
            for p in group {
                so_far = logsumexp(&[so_far, x.data()[p]]);
                out[p] = so_far;
                budget::tick()?;
            }
        }
        Ok(Tensor::typed(x.shape(), out, x.dtype()))
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        let x = inputs[0];
        let mut data = x.data.to_vec();
        for group in self.groups(&x.shape) {
            let mut total = Formula::Const(0.0);
            for p in group {
                total = total + Formula::In(x.data[p].clone()).exp();
                data[p] = total.log().expr();
            }
        }
        Some(Symbols { shape: x.shape.clone(), data: data.into() })
    }

    /// dyₖ = Σᵢ≤ₖ exp(xᵢ − yₖ) dxᵢ: at each distance a diagonal.
    /// As PyTorch: of positive and of negative cotangents the log-sums from the end, so that nothing
    /// overflows on the way.
    fn pull(&self, at: &Point<Tensor>, _: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let (x, y) = (at.values[0], at.value);
        if x.rank() == 0 || x.numel() == 0 {
            return Some(Ok(v.clone()));
        }
        let mut out = vec![0.0; x.numel()];
        for group in self.groups(x.shape()) {
            let (mut up, mut down) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
            for p in group.into_iter().rev() {
                let (own, size) = (v.data()[p], v.data()[p].abs().ln());
                let of = |taken: bool| if taken { size } else { f64::MIN } - y.data()[p];
                up = log_add(up, of(own > 0.0));
                down = log_add(down, of(own < 0.0));
                out[p] = (up + x.data()[p]).exp() - (down + x.data()[p]).exp();
            }
        }
        Some(Ok(Tensor::typed(x.shape(), out, y.dtype())))
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let own = at.value.shape();
        let n = own.get(self.dim).copied().unwrap_or(1);
        if own.is_empty() {
            return LinearMap::Scale { by: 1.0, shape: Vec::new() };
        }
        let y = Formula::In(at.output.clone());
        let mut parts = Vec::new();
        for by in 0..n.max(1) {
            let moved = super::cumulative::shift(own, self.dim, by, false);
            // Where nothing moves in, the weight is of no account.
            let earlier = Formula::In(at.inputs[0].gather(&moved));
            let weight = match (earlier - &y).exp() {
                Formula::In(by) => LinearMap::Diagonal { by, shape: own.to_vec() },
                Formula::Const(by) => LinearMap::Scale { by, shape: own.to_vec() },
            };
            parts.push(LinearMap::Then(vec![LinearMap::Gather(moved), weight]));
        }
        LinearMap::Plus(parts)
    }
}

impl TorchNode for LogCumSumExp {
    fn grad_fn(&self) -> &'static str {
        "LogcumsumexpBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::InputsAndOutput(1)
    }
}

/// The largest or smallest so far and where it is; the last of equals.
fn so_far(b: &mut Bound, largest: bool) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let own = x.shape();
    let dim = shape::axis(b.int_or(1, 0), own.len())?;
    let value = x.value();
    let data = value.data();
    // Of long rows it is not remembered who might have won: no kink is told of them.
    let (total, long) = (value.numel(), own.get(dim).is_some_and(|n| *n > 256));
    budget::reserve(total.saturating_mul(if long {
        16
    } else {
        size_of::<Winners>() + size_of::<Vec<usize>>()
    }))?;
    let mut winners = vec![Winners::new(); if long { 0 } else { total }];
    let mut index = vec![0; if long { total } else { 0 }];
    let mut positions = vec![0.0; total];
    let mut losers = Vec::new();
    for group in (LogCumSumExp { dim }).groups(&own) {
        let mut best = 0;
        for (k, p) in group.iter().enumerate() {
            let (now, top) = (data[*p], data[group[best]]);
            let wins = if largest { now >= top } else { now <= top };
            if now.is_nan() || (wins && !top.is_nan()) {
                best = k;
            }
            budget::tick()?;
            positions[*p] = best as f64;
            if long {
                index[*p] = group[best];
                continue;
            }
            winners[*p].push(group[best]);
            if x.requires_grad() {
                losers.extend(group[..=k].iter().filter(|q| **q != group[best]).map(|q| (*p, *q)));
            }
        }
        budget::tick()?;
    }
    let (name, grad_fn) = match largest {
        true => ("cummax", "CummaxBackward0"),
        false => ("cummin", "CumminBackward0"),
    };
    let y = match long {
        true => {
            let op = Fixed::gather(name, grad_fn, element_map(&own, &own, index)).saving();
            apply(Rc::new(op), &[x])?
        }
        false => {
            let (from, to) = (own.clone(), own.clone());
            let (saves, winners, losers) = (Saves::Aside, winners.into(), losers.into());
            let rank = if largest { Rank::Largest } else { Rank::Smallest };
            let told = Some(format!("torch.{name}({{}}, dim={dim}).values"));
            let op = Chosen { name, grad_fn, saves, winners, losers, rank, from, to, told };
            apply(Rc::new(op), &[x])?
        }
    };
    let positions = Tensor::new(&own, positions).with_dtype(Dtype::Int64);
    let y = y.keeping("indices", &positions);
    Ok(Out::Named(name, vec![("values", y), ("indices", Variable::constant(positions))]))
}

/// 0 in place of NaN.
#[derive(Debug)]
struct WithoutNan;

impl WithoutNan {
    fn there(x: &Tensor) -> ElementMap {
        let wire = |(k, v): (usize, &f64)| if v.is_nan() { ElementMap::NONE } else { k };
        element_map(x.shape(), x.shape(), x.data().iter().enumerate().map(wire).collect())
    }
}

impl Rule for WithoutNan {
    fn name(&self) -> &'static str {
        "nansum"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        inputs[0].map(inputs[0].dtype(), |v| if v.is_nan() { 0.0 } else { v })
    }

    fn symbols(&self, inputs: &[&Symbols], values: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(inputs[0].gather(&Self::there(values[0])))
    }

    /// As PyTorch has it: the cotangent times 0 where there was a NaN.
    fn pull(&self, at: &Point<Tensor>, _: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let mut passed = v.clone();
        let slots = passed.data_mut().iter_mut().zip(at.values[0].data());
        slots.filter(|(_, x)| x.is_nan()).for_each(|(v, _)| *v *= 0.0);
        Some(Ok(passed))
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        LinearMap::Gather(Self::there(at.values[0]))
    }
}

impl TorchNode for WithoutNan {
    fn grad_fn(&self) -> &'static str {
        "NansumBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::Inputs(1)
    }
}

/// Zero where NaN, and 1 where not.
fn without_nan(x: &Variable) -> Outcome<(Variable, Variable)> {
    let there = x.value().map(Dtype::Bool, |v| f64::from(u8::from(!v.is_nan())))?;
    Ok((apply(Rc::new(WithoutNan), std::slice::from_ref(x))?, Variable::constant(there)))
}

/// The input in the type wanted of the result.
fn in_dtype(b: &Bound) -> Outcome<Variable> {
    let x = b.tensor(0)?;
    match b.dtype(3) {
        Some(d) => crate::arrange::layout::to_dtype(&x, d),
        None => Ok(x),
    }
}

fn nansum(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "nansum", "NansumBackward0", 1, &[0])?;
    let (x, _) = without_nan(&in_dtype(b)?)?;
    let y = sum(&x, b.ints(1).as_deref(), b.bool_or(2, false))?;
    Ok(Out::One(group.output(&y)?))
}

fn nanmean(b: &mut Bound) -> Outcome<Out> {
    let (dims, keep) = (b.ints(1), b.bool_or(2, false));
    let x = in_dtype(b)?;
    if !x.dtype().is_float() {
        complain!(
            Kind::NotImplemented,
            "nanmean(): expected input to have floating point or complex dtype but got {}",
            x.dtype().scalar_type()
        );
    }
    let group = Group::new("nansum", "NansumBackward0", 1, &[Some(x.clone())])?;
    let (_, there) = without_nan(&x)?;
    let (x, _) = without_nan(group.inputs[0].as_ref().unwrap_or(&x))?;
    let y = group.output(&sum(&x, dims.as_deref(), keep)?)?;
    let n = sum(&there, dims.as_deref(), keep)?;
    Ok(Out::One(table::div(&y, &n)?))
}

/// One element of each group along a dimension (or of all), picked by `f` from their numbers.
fn picked(
    x: &Variable,
    dim: Option<i64>,
    keepdim: bool,
    (name, grad_fn): (&'static str, &'static str),
    rank: Rank,
    f: impl Fn(&[f64]) -> Outcome<usize>,
) -> Outcome<(Variable, Variable)> {
    let own = x.shape();
    let dims = dim.map(|d| vec![d]);
    let axes = Axes::new(&own, dims.as_deref(), keepdim)?;
    if axes.count() == 0 {
        complain!(
            Kind::Index, Fact::NothingToReduce;
            "{}(): Expected reduction dim {} to have non-zero size.",
            name.trim_start_matches("nan"),
            axes.dims.first().copied().unwrap_or(0)
        );
    }
    let value = x.value();
    let (mut winners, mut losers, mut positions) = (Vec::new(), Vec::new(), Vec::new());
    for (out, group) in axes.groups().chunks(axes.count().max(1)).enumerate() {
        let numbers = budget::listed(group.len(), |k| value.data()[group[k]])?;
        let best = f(&numbers)?.min(group.len() - 1);
        positions.push(best as f64);
        // Over all elements, those that tie share the gradient.
        let ties = |p: usize| dim.is_none() && value.data()[p] == numbers[best];
        winners.push(won(group, best, ties, |p| losers.push((out, p)))?);
    }
    let op = Chosen {
        name,
        grad_fn,
        saves: Saves::Aside,
        winners: winners.into(),
        losers: losers.into(),
        told: Some(match rank {
            Rank::At(k) => told(name, &axes, &format!(", k={}", k + 1)),
            _ => told(name, &axes, ""),
        }),
        rank,
        from: own,
        to: axes.to(),
    };
    let positions = Tensor::new(&axes.to(), positions).with_dtype(Dtype::Int64);
    let y = apply(Rc::new(op), std::slice::from_ref(x))?.keeping("indices", &positions);
    Ok((y, Variable::constant(positions)))
}

fn kth(b: &mut Bound) -> Outcome<Out> {
    let (x, k, dim) = (b.tensor(0)?, b.int_or(1, 1), b.int_or(2, -1));
    let at = shape::axis(dim, x.rank())?;
    let n = x.shape().get(at).copied().unwrap_or(1);
    if n == 0 {
        complain!(Kind::Index, Fact::NothingToReduce; "kthvalue(): Expected reduction dim {at} to have non-zero size.");
    }
    if x.dtype() == Dtype::Bool {
        return Err(torch_messages::no_kernel("kthvalue_cpu", Dtype::Bool));
    }
    if k < 1 || k as usize > n {
        complain!("kthvalue(): selected number k out of range for dimension {at}");
    }
    let names = ("kthvalue", "KthvalueBackward0");
    let (y, i) =
        picked(&x, Some(dim), b.bool_or(3, false), names, Rank::At(k as usize - 1), |g| {
            let k = k as usize - 1;
            Ok(select::quick(g.len(), k, |a, b| before(g[a], g[b], true))?[k])
        })?;
    Ok(Out::Named("kthvalue", vec![("values", y), ("indices", i)]))
}

/// The most frequent value, the smallest of several; where it stands last.
fn mode(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let at = shape::axis(b.int_or(1, -1), x.rank())?;
    if x.shape().get(at) == Some(&0) {
        complain!(Kind::Index, Fact::NothingToReduce; "mode(): Expected reduction dim {at} to have non-zero size.");
    }
    let names = ("mode", "ModeBackward0");
    let (y, i) =
        picked(&x, Some(b.int_or(1, -1)), b.bool_or(2, false), names, Rank::Frequent, |g| {
            let order = select::sort(g.len(), |a, b| g[a] < g[b])?;
            let (mut best, mut most, mut run) = (0, 0, 0);
            for (k, place) in order.iter().enumerate() {
                run += 1;
                if order.get(k + 1).is_none_or(|next| g[*next] != g[*place]) {
                    if run > most {
                        (best, most) = (*place, run);
                    }
                    run = 0;
                }
            }
            Ok(best)
        })?;
    Ok(Out::Named("mode", vec![("values", y), ("indices", i)]))
}

fn nanmedian(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    if b.int(1).is_none() && x.numel() == 0 {
        let y = crate::reduce::sort::of_none(&x, "nanmedian", "NanmedianBackward0")?;
        return Ok(Out::One(y));
    }
    let by_dim = b.int(1).is_some();
    if x.dtype() == Dtype::Bool {
        let kernel = if by_dim { "median_out" } else { "median_cpu" };
        return Err(torch_messages::no_kernel(kernel, Dtype::Bool));
    }
    let names = ("nanmedian", if by_dim { "NanmedianBackward1" } else { "NanmedianBackward0" });
    let (y, i) = picked(&x, b.int(1), b.bool_or(2, false), names, Rank::Middle, |g| {
        let there = g.iter().filter(|v| !v.is_nan()).count();
        let k = there.saturating_sub(1) / 2;
        let less = |a, b| before(g[a], g[b], false) || (by_dim && g[a] == g[b] && a < b);
        Ok(select::nth(g.len(), k, less)?[k])
    })?;
    if b.int(1).is_none() {
        return Ok(Out::One(y));
    }
    Ok(Out::Named("nanmedian", vec![("values", y), ("indices", i)]))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);
const RUN: &str = "(Tensor input, int dim)";
const SUM: &str = "(Tensor input, int[] dim=None, bool keepdim=False, *, Dtype dtype=None)";

pub static ENTRIES: &[crate::Entry] = entries! {
    "logcumsumexp" BOTH, RUN, "yₖ = log(exp x₁ + … + exp xₖ); ∂yₖ/∂xᵢ = exp(xᵢ − yₖ) for i ≤ k, else 0", "torch.logcumsumexp(tensor([1., 2.]), 0)", ["logsumexp", "cumsum"] jax "logcumsumexp({*})"
        => |b| {
            let x = b.tensor(0)?;
            let dim = shape::axis(b.int_or(1, 0), x.rank())?;
            Ok(Out::One(apply(Rc::new(LogCumSumExp { dim }), &[x])?))
        };
    "cummax" BOTH, RUN, "the largest so far; ∂yₖ/∂xᵢ = 1 where yₖ came from, else 0", "torch.cummax(tensor([1., 3., 2.]), 0)", ["max", "cummin"] jax "cummax({*})"
        => |b| so_far(b, true);
    "cummin" BOTH, RUN, "the smallest so far; ∂yₖ/∂xᵢ = 1 where yₖ came from, else 0", "torch.cummin(tensor([2., 3., 1.]), 0)", ["min", "cummax"] jax "cummin({*})"
        => |b| so_far(b, false);
    "nansum" BOTH, SUM, "Σ xᵢ, ignoring NaN; ∂y/∂xᵢ = 1, 0 at NaN", "torch.nansum(tensor([1., float('nan')]))", ["sum"]
        => nansum;
    "nanmean" BOTH, SUM, "the mean, ignoring NaN; ∂y/∂xᵢ = 1/m for each of the m values, 0 at NaN", "torch.nanmean(tensor([1., float('nan')]))", ["mean"] jax "jnp.nanmean({input}, axis={dim}, keepdims={keepdim})"
        => nanmean;
    "kthvalue" BOTH, "(Tensor input, int k, int dim=-1, bool keepdim=False)", "the k-th smallest; ∂y/∂xᵢ = 1 at its place, else 0", "torch.kthvalue(tensor([3., 1., 2.]), 2)", ["sort", "median"] jax "kthvalue({*})"
        => kth;
    "mode" BOTH, "(Tensor input, int dim=-1, bool keepdim=False)", "the most frequent; ∂y/∂xᵢ = 1 at its place, else 0", "torch.mode(tensor([1., 2., 2.]))", ["median"] jax "mode({*})"
        => mode;
    "nanmedian" BOTH, "(Tensor input, int dim=None, bool keepdim=False)", "the median, ignoring NaN; ∂y/∂xᵢ = 1 at its place, else 0", "torch.nanmedian(tensor([1., float('nan'), 3.]))", ["median"] jax "nanmedian({*})"
        => nanmedian;
};
