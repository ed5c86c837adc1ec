//! Quantiles: between the sorted values.

use crate::arrange::layout;
use crate::compose::{number, one};
use crate::reduce::extreme::{Chosen, Rank};
use crate::reduce::sort::before;
use crate::{Arg, Bound, Forms, Out};
use std::rc::Rc;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::{Fixed, Saves, Variable, apply, table};
use vjp_tensor::kernels::select;
use vjp_tensor::matrix::{Manner, manner};
use vjp_tensor::{Outcome, Tensor, budget, complain, mixed_dtypes, shape};

/// The ranks on both sides of one, and how far it is between them by the named rule.
fn between(rank: f64, rule: &str) -> Outcome<(f64, f64, f64)> {
    let (low, high) = (rank.floor(), rank.ceil());
    Ok(match rule {
        "linear" => (low, high, rank - low),
        "lower" => (low, low, 0.0),
        "higher" => (high, high, 0.0),
        "midpoint" => (low, high, if low == high { 0.0 } else { 0.5 }),
        "nearest" => {
            let near = rank.round_ties_even();
            (near, near, 0.0)
        }
        other => complain!(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {other}"
        ),
    })
}

/// The slopes of 0 beside those that were taken are kept of so many elements.
const LONG: usize = 10_000;

/// Between the sorted values, linearly or by the named rule.
fn quantile(b: &mut Bound, without_nan: bool) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let fraction = match b.arg(1) {
        Arg::Tensor(q) => q.clone(),
        _ => Variable::constant(Tensor::scalar(x.dtype().cast(b.float_or(1, 0.5)))),
    };
    let q = fraction.value();
    let mixes = matches!(b.arg(1), Arg::Tensor(_)) && q.dtype() != x.dtype();
    if mixes && !(manner() == Manner::Numpy || mixed_dtypes::is_allowed()) {
        complain!("quantile() q tensor must be same dtype as the input tensor");
    }
    if q.rank() > 1 {
        complain!("quantile() q must be a scalar or 1D tensor");
    }
    if q.data().iter().any(|v| !(0.0..=1.0).contains(v)) {
        complain!(
            "quantile() q {}",
            match b.arg(1) {
                Arg::Tensor(_) => "values must be in the range [0, 1]".to_owned(),
                _ => format!("must be in the range [0, 1] but got {}", q.data()[0]),
            }
        );
    }
    if x.numel() == 0 {
        complain!("quantile() input tensor must be non-empty");
    }
    let (all, keep) = (b.int(2).is_none(), b.bool_or(3, false));
    let rows = if all || x.rank() == 0 { layout::reshape(&x, &[-1])? } else { x.clone() };
    let at = shape::axis(b.int_or(2, 0), rows.rank())?;
    // The dimension last.
    let n = rows.rank();
    let order: Vec<i64> = (0..n).filter(|d| *d != at).chain([at]).map(|d| d as i64).collect();
    let rows = if at + 1 == n { rows } else { layout::permute(&rows, &order)? };
    // One fraction needs two ranks only, several a row in order.
    let alone = q.rank() == 0;
    let source = if alone { rows } else { one("sort", vec![(&rows).into()])? };
    let own = source.shape();
    let (count, last) = (own[n - 1], own[n - 1] - 1);
    let numbers = source.value();
    let by_row: Vec<&[f64]> = numbers.data().chunks(count.max(1)).collect();
    // NaN is the largest of its row: there it is left out, or is the result.
    let there: Vec<usize> =
        by_row.iter().map(|row| row.iter().filter(|v| !v.is_nan()).count()).collect();
    let mut results = Vec::new();
    let fractions = layout::reshape(&fraction, &[-1])?;
    for (k, q) in q.data().iter().enumerate() {
        let (mut lows, mut highs, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        let mut ranks: Vec<(usize, usize)> = Vec::new();
        for (n, row) in there.iter().zip(&by_row) {
            let rank = match (*n == count, without_nan) {
                (true, _) => q * last as f64,
                (false, true) => q * n.saturating_sub(1) as f64,
                (false, false) => last as f64,
            };
            let (low, high, weight) = between(rank, b.str_or(4, "linear"))?;
            let mut ends = (low as usize, high as usize);
            ranks.push(ends);
            if alone {
                ends = select::both(count, ends, |a, b| before(row[a], row[b], false))?;
            }
            lows.push(ends.0);
            highs.push(ends.1);
            weights.push(weight);
        }
        // Which element it is depends on the numbers: the others have a slope of 0 here.
        let same = |of: fn(&(usize, usize)) -> usize| {
            let first = ranks.first().map(of);
            first.filter(|k| alone && numbers.numel() <= LONG && ranks.iter().all(|r| of(r) == *k))
        };
        let take = |places: &[usize], rank: Option<usize>| -> Outcome<Variable> {
            let index: Vec<usize> = places.iter().enumerate().map(|(o, r)| o * count + r).collect();
            let Some(rank) = rank else {
                let map = element_map(&own, &own[..n - 1], index);
                let op = Fixed::gather("gather", "GatherBackward0", map);
                return apply(Rc::new(op), std::slice::from_ref(&source));
            };
            let others = |(o, won): (usize, &usize)| {
                let (from, won) = (o * count, *won);
                (from..from + count).filter(move |p| *p != won).map(move |p| (o, p))
            };
            let losers = budget::collected(index.iter().enumerate().flat_map(others))?;
            let op = Chosen {
                name: "gather",
                grad_fn: "GatherBackward0",
                saves: Saves::Nothing,
                winners: index.into(),
                losers: losers.into(),
                rank: Rank::At(rank),
                from: own.clone(),
                to: own[..n - 1].to_vec(),
                told: None,
            };
            apply(Rc::new(op), std::slice::from_ref(&source))
        };
        let weights = Variable::constant(Tensor::typed(&own[..n - 1], weights, x.dtype()));
        let weights = if fraction.requires_grad() && b.str_or(4, "linear") == "linear" {
            // The fraction moves the weight; between which values it lies stays.
            let own = crate::index::select(&fractions, 0, k as i64, 0)?;
            let last = |n: &usize| match without_nan {
                true => n.saturating_sub(1) as f64,
                false => last as f64,
            };
            let per_rank = there.iter().map(last).collect();
            let per_rank = Tensor::typed(&numbers.shape()[..n - 1], per_rank, x.dtype());
            let moved = table::sub(&own, &number(*q))?;
            let moved = table::mul(&moved, &Variable::constant(per_rank))?;
            table::add(&weights, &moved)?
        } else {
            weights
        };
        // The other rules pick one of the two.
        let (ends, between) =
            (take(&lows, same(|r| r.0))?, matches!(b.str_or(4, "linear"), "linear" | "midpoint"));
        if !between {
            results.push(ends);
            continue;
        }
        results.push(one(
            "lerp",
            vec![(&ends).into(), (&take(&highs, same(|r| r.1))?).into(), Arg::Tensor(weights)],
        )?);
    }
    let mut y = if q.rank() == 0 {
        results.swap_remove(0)
    } else {
        crate::arrange::join::stack(&results, 0)?
    };
    if keep {
        let mut to = x.shape();
        if all {
            to.fill(1);
        } else if let Some(kept) = to.get_mut(at) {
            *kept = 1;
        }
        let mut wanted = q.shape().to_vec();
        wanted.extend(to);
        y = layout::reshape(&y, &vjp_tensor::shape::ints(&wanted))?;
    }
    Ok(Out::One(crate::compose::named(&y, "quantile", "SqueezeBackward4")?))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);

pub static ENTRIES: &[crate::Entry] = entries! {
    "quantile" BOTH, "(Tensor input, Tensor|Scalar q, int dim=None, bool keepdim=False, *, str interpolation='linear')", "the value with a fraction q of the values below it; ∂y/∂xᵢ = 1 − f and f at the two neighbours, f the fraction of the way between them", "torch.quantile(tensor([1., 2., 4.]), 0.5)", ["median", "sort"] jax "jnp.quantile({input}, {q}, axis={dim}, keepdims={keepdim}, method={interpolation})"
        => |b| quantile(b, false);
    "nanquantile" BOTH, "(Tensor input, Tensor|Scalar q, int dim=None, bool keepdim=False, *, str interpolation='linear')", "the value with a fraction q of the other values below it, ignoring NaN; ∂y/∂xᵢ = 1 − f and f at the two neighbours, f the fraction of the way between them", "torch.nanquantile(tensor([1., float('nan'), 4.]), 0.5)", ["quantile"] jax "jnp.nanquantile({input}, {q}, axis={dim}, keepdims={keepdim}, method={interpolation})"
        => |b| quantile(b, true);
};
