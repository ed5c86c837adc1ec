//! Quantiles: between the sorted values.

use super::compose::{number, one};
use super::fixed::{Fixed, wires};
use super::{Arg, Bound, Forms, Out, layout};
use crate::complain;
use crate::maths::complaint::{Kind, Outcome};
use crate::maths::tensor::Tensor;
use crate::maths::variable::{Variable, apply};
use crate::maths::{shape, table};
use std::rc::Rc;

/// Between the sorted values, linearly or by the named rule.
fn quantile(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let q = match b.arg(1) {
        Arg::Tensor(q) => q.value(),
        _ => Tensor::scalar(b.float_or(1, 0.5)),
    };
    if q.data().iter().any(|v| !(0.0..=1.0).contains(v)) {
        complain!(
            Kind::Runtime,
            "quantile() q values must be in the range [0, 1]"
        );
    }
    if x.numel() == 0 {
        complain!(Kind::Runtime, "quantile() input tensor must be non-empty");
    }
    let (all, keep) = (b.int(2).is_none(), b.bool_or(3, false));
    let rows = if all {
        layout::reshape(&x, &[-1])?
    } else {
        x.clone()
    };
    let at = shape::axis(b.int_or(2, 0), rows.rank())?;
    // The dimension last.
    let n = rows.rank();
    let order: Vec<i64> = (0..n)
        .filter(|d| *d != at)
        .chain([at])
        .map(|d| d as i64)
        .collect();
    let rows = if at + 1 == n {
        rows
    } else {
        layout::permute(&rows, &order)?
    };
    let sorted = one("sort", vec![(&rows).into()])?;
    let own = sorted.shape();
    let (count, last) = (own[n - 1], own[n - 1] - 1);
    let outer = sorted.numel() / count.max(1);
    let mut results = Vec::new();
    for q in q.data() {
        let rank = q * last as f64;
        let (low, high) = (rank.floor(), rank.ceil());
        let (low, high, weight) = match b.str_or(4, "linear") {
            "linear" => (low, high, rank - low),
            "lower" => (low, low, 0.0),
            "higher" => (high, high, 0.0),
            "midpoint" => (low, high, if low == high { 0.0 } else { 0.5 }),
            "nearest" => {
                let near = rank.round_ties_even();
                (near, near, 0.0)
            }
            other => complain!(
                Kind::Runtime,
                "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {other}"
            ),
        };
        let take = |r: f64| -> Outcome<Variable> {
            let index = (0..outer).map(|o| o * count + r as usize).collect();
            let op = Fixed::gather(
                "gather",
                "GatherBackward0",
                wires(&own, &own[..n - 1], index),
            );
            apply(Rc::new(op), std::slice::from_ref(&sorted))
        };
        results.push(one(
            "lerp",
            vec![(&take(low)?).into(), (&take(high)?).into(), weight.into()],
        )?);
    }
    let mut y = if q.rank() == 0 {
        results.swap_remove(0)
    } else {
        super::join::stack(&results, 0)?
    };
    // NaN anywhere makes NaN.
    if x.value().data().iter().any(|v| v.is_nan()) {
        y = table::mul(&y, &number(f64::NAN))?;
    }
    if keep {
        let mut to = x.shape();
        if all {
            to.fill(1);
        } else {
            to[at] = 1;
        }
        let mut wanted = q.shape().to_vec();
        wanted.extend(to);
        y = layout::reshape(&y, &super::compose::ints(&wanted))?;
    }
    Ok(Out::One(super::normal::named(
        &y,
        "quantile",
        "SqueezeBackward4",
    )?))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);

pub static ENTRIES: &[super::Entry] = entries! {
    "quantile" BOTH, "(Tensor input, Tensor|Scalar q, int dim=None, bool keepdim=False, *, str interpolation='linear')", "a fraction q of the values is smaller", "torch.quantile(tensor([1., 2., 4.]), 0.5)", ["median", "sort"]
        => quantile;
};
