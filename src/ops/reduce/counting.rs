//! Counting and looking up: distinct values, histograms, places in a sorted row. Values only: none of
//! them has a derivative.

use crate::{Bound, Forms, Out};
use std::cmp::Ordering;
use std::collections::HashSet;
use vjp_maths::Variable;
use vjp_maths::primitives::fixed::underived;
use vjp_tensor::kernels::sort;
use vjp_tensor::kernels::strided as kernels;
use vjp_tensor::tensor::promote;
use vjp_tensor::torch_messages::sizes;
use vjp_tensor::{Dtype, Kind, Outcome, Tensor, budget, complain, shape, torch_messages};

fn plain(t: Tensor) -> Variable {
    Variable::constant(t)
}

fn whole(shape: &[usize], data: Vec<f64>) -> Variable {
    plain(Tensor::typed(shape, data, Dtype::Int64))
}

/// NaN is the largest.
fn ascending(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// The slices along a dimension as rows of numbers, how long each is, and the dimension; without one,
/// each element is a row.
fn rows(x: &Tensor, dim: Option<i64>) -> Outcome<(Tensor, usize, usize)> {
    let Some(dim) = dim else {
        return Ok((x.clone(), 1, 0));
    };
    let own = x.shape();
    let at = shape::axis(dim, own.len())?;
    let n = own.get(at).copied().unwrap_or(1);
    let inner: usize = own.iter().skip(at + 1).product();
    let width = x.numel() / n.max(1);
    let strides = (inner * n, inner);
    let data = budget::listed(x.numel(), |k| {
        let (row, place) = (k / width, k % width);
        x.data()[place / inner * strides.0 + row * strides.1 + place % inner]
    })?;
    Ok((Tensor::new(&[n, width], data), width, at))
}

/// Distinct values, with the place of each input among them and how often each occurs where asked.
fn distinct(b: &Bound, sorted: bool, first_flag: usize, dim: usize) -> Outcome<Out> {
    let x = b.tensor(0)?.value();
    let dim = b.int(dim);
    let (rows, width, at) = rows(&x, dim)?;
    let count = if dim.is_some() { rows.shape()[0] } else { x.numel() };
    let row = |k: usize| &rows.data()[k * width..(k + 1) * width];
    let order = match sorted {
        true => sort::positions_of(count, x.numel(), |p, q| {
            let pairs = row(p).iter().zip(row(q)).map(|(a, c)| ascending(*a, *c));
            pairs.fold(Ordering::Equal, Ordering::then)
        })?,
        false => budget::listed(count, |k| k)?,
    };
    let (mut kept, mut counts): (Vec<usize>, Vec<f64>) = (Vec::new(), Vec::new());
    let mut places = budget::listed(count, |_| 0.0)?;
    for k in order {
        // A NaN equals nothing, not even itself.
        if kept.last().is_none_or(|last| row(*last) != row(k)) {
            kept.push(k);
            counts.push(0.0);
        }
        let last = kept.len() - 1;
        counts[last] += 1.0;
        places[k] = last as f64;
        budget::tick()?;
    }
    let (name, grad_fn) = match (sorted, dim) {
        (false, _) => ("unique_consecutive", "UniqueConsecutiveBackward0"),
        (true, None) => ("_unique2", "Unique2Backward0"),
        (true, Some(_)) => ("unique_dim", "UniqueDimBackward0"),
    };
    let mut to = if dim.is_some() { x.shape().to_vec() } else { vec![0] };
    if let Some(slot) = to.get_mut(at) {
        *slot = kept.len();
    }
    let inner: usize = to.iter().skip(at + 1).product();
    let data = budget::listed(to.iter().product(), |k| {
        let (o, r, i) = (k / (inner * kept.len()), k / inner % kept.len(), k % inner);
        row(kept[r])[o * inner + i]
    })?;
    let values = Tensor::typed(&to, data, x.dtype());
    let values = underived(&b.tensor(0)?, values, name, grad_fn);
    let (inverse, count) = (b.bool_or(first_flag, false), b.bool_or(first_flag + 1, false));
    if !inverse && !count {
        return Ok(Out::One(values));
    }
    let mut out = vec![values];
    if inverse {
        let shape = if dim.is_some() { vec![places.len()] } else { x.shape().to_vec() };
        out.push(whole(&shape, places));
    }
    if count {
        out.push(whole(&[counts.len()], counts));
    }
    Ok(Out::Many(out))
}

/// How often each whole number occurs, or the weights it occurs with.
fn bincount(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?.value();
    if x.dtype().is_float() || x.dtype() == Dtype::Bool {
        return Err(torch_messages::no_kernel("bincount_cpu", x.dtype()));
    }
    if x.rank() != 1 || x.data().iter().any(|v| *v < 0.0) {
        complain!("bincount only supports 1-d non-negative integral inputs.");
    }
    let weights = if b.has(1) { Some(b.tensor(1)?.value()) } else { None };
    if weights.as_ref().is_some_and(|w| w.shape() != x.shape()) {
        complain!("weights should be 1-d and have the same length as input");
    }
    let most = x.data().iter().fold(-1.0, |m: f64, v| m.max(*v));
    let n = ((most + 1.0) as usize).max(b.int_or(2, 0).max(0) as usize);
    shape::count(&[n])?;
    let mut out = vec![0.0; n];
    for (k, v) in x.data().iter().enumerate() {
        budget::tick()?;
        out[*v as usize] += weights.as_ref().map_or(1.0, |w| w.data()[k]);
    }
    let dtype = match &weights {
        None => Dtype::Int64,
        Some(w) if w.dtype() == Dtype::Float32 => Dtype::Float32,
        Some(_) => Dtype::Float64,
    };
    Ok(Out::One(plain(Tensor::typed(&[n], out, dtype))))
}

/// How many elements fall in each of equal bins.
fn histc(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?.value();
    if !x.dtype().is_float() {
        complain!(
            Kind::NotImplemented,
            "\"{}_cpu\" not implemented for '{}'",
            if x.dtype() == Dtype::Bool { "linspace" } else { "histogram" },
            x.dtype().scalar_type()
        );
    }
    let (bins, mut low, mut high) = (b.int_or(1, 100), b.float_or(2, 0.0), b.float_or(3, 0.0));
    if bins <= 0 {
        complain!("torch.histogram(): bins must be > 0, but got {bins} for dimension 0");
    }
    if low > high {
        complain!("torch.histc: max must be larger than min");
    }
    if low == high && x.numel() > 0 {
        low = x.data().iter().copied().fold(f64::INFINITY, f64::min);
        high = x.data().iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if x.data().iter().any(|v| v.is_nan()) {
            (low, high) = (f64::NAN, f64::NAN);
        }
    }
    if !low.is_finite() || !high.is_finite() {
        let shown = |v: f64| match v.is_nan() {
            true => "-nan".to_owned(),
            false => v.to_string(),
        };
        complain!("torch.histc: range of [{}, {}] is not finite", shown(low), shown(high));
    }
    if low == high {
        (low, high) = (low - 1.0, high + 1.0);
    }
    if !(low.is_finite() && high.is_finite()) {
        complain!("range of [{low}, {high}] is not finite");
    }
    if low > high {
        complain!("max must be larger than min");
    }
    shape::count(&[bins as usize])?;
    let mut out = vec![0.0; bins as usize];
    let (dtype, width) = (x.dtype(), x.dtype().cast(high - low));
    for v in x.data().iter().filter(|v| **v >= low && **v <= high) {
        budget::tick()?;
        let at = dtype.cast(dtype.cast(dtype.cast(v - low) * bins as f64) / width) as usize;
        out[at.min(bins as usize - 1)] += 1.0;
    }
    Ok(Out::One(plain(Tensor::typed(&[bins as usize], out, x.dtype()))))
}

/// Before which element of a sorted row each value belongs.
fn searched(rows: &Tensor, values: &Tensor, right: bool) -> Outcome<Tensor> {
    let n = rows.shape().last().copied().unwrap_or(0);
    let shared = rows.rank() == 1;
    if rows.rank() != 1 && values.rank() == 0 {
        complain!(
            "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor dim({}) and input value's dim(0) numel(1)",
            rows.rank()
        );
    }
    if rows.rank() == 0 {
        complain!(
            "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension"
        );
    }
    let width = values.shape().last().copied().unwrap_or(1).max(1);
    if !shared && rows.shape()[..rows.rank() - 1] != values.shape()[..values.rank().max(1) - 1] {
        complain!(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must match, but we got boundaries tensor {} and input value tensor {}",
            sizes(rows.shape()),
            sizes(values.shape())
        );
    }
    let place = |k: usize| {
        let v = &values.data()[k];
        let start = if shared { 0 } else { k / width * n };
        let row = &rows.data()[start..start + n];
        // A NaN is beyond all.
        row.partition_point(|r| match right {
            true => !matches!(r.partial_cmp(v), Some(Ordering::Greater)),
            false => !matches!(r.partial_cmp(v), Some(Ordering::Greater | Ordering::Equal)),
        }) as f64
    };
    let data = budget::listed(values.numel(), place)?;
    Ok(Tensor::typed(values.shape(), data, Dtype::Int64))
}

/// `right=True` or `side='right'`.
fn right(b: &Bound, flag: usize, side: usize) -> Outcome<bool> {
    let by_flag = b.bool_or(flag, false);
    match b.str_or(side, "") {
        "right" => Ok(true),
        "left" if by_flag => complain!(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True"
        ),
        "left" | "" => Ok(by_flag),
        other => {
            complain!("torch.searchsorted(): side can only be 'left' or 'right' but got {other}")
        }
    }
}

/// Places as they were asked for: `out_int32=True`.
fn placed(places: Tensor, short: bool) -> Out {
    Out::One(plain(places.with_dtype(if short { Dtype::Int32 } else { Dtype::Int64 })))
}

fn is_in(b: &mut Bound) -> Outcome<Out> {
    let (x, set) = (b.tensor(0)?.value(), b.tensor(1)?.value());
    let common = promote(&[&x, &set]);
    let (x, set) = (x.to_dtype(common), set.to_dtype(common));
    let flip = b.bool_or(3, false);
    budget::reserve(set.numel().saturating_mul(2 * size_of::<u64>()))?;
    // Equal numbers have one sign of zero, and NaN is equal to nothing.
    let bits = |v: f64| (v + 0.0).to_bits();
    let all = budget::unless_stopped(set.data().iter()).filter(|v| !v.is_nan());
    let all: HashSet<u64> = all.map(|v| bits(*v)).collect();
    let holds = |v: f64| f64::from(u8::from(all.contains(&bits(v)) != flip));
    Ok(Out::One(plain(x.map(Dtype::Bool, holds)?)))
}

/// Functions of two whole numbers.
fn divisors(b: &Bound, name: &str, f: impl Fn(i64, i64) -> i64 + Sync) -> Outcome<Out> {
    let (x, y) = (b.tensor(0)?.value(), b.tensor(1)?.value());
    let dtype = promote(&[&x, &y]);
    if dtype.is_float() || dtype == Dtype::Bool {
        return Err(torch_messages::no_kernel(&format!("{name}_cpu"), dtype));
    }
    Ok(Out::One(plain(kernels::zip_whole(&x, &y, dtype, f)?)))
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a as i64
}

fn is_nonzero(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?.value();
    match x.data() {
        [one] => Ok(Out::Bool(*one != 0.0)),
        [] => complain!("Boolean value of Tensor with no values is ambiguous"),
        _ => complain!("Boolean value of Tensor with more than one value is ambiguous"),
    }
}

const TORCH: Forms = Forms::TORCH;
const BOTH: Forms = TORCH.and(Forms::METHOD);
const UNIQUE: &str = "(Tensor input, bool sorted=True, bool return_inverse=False, bool return_counts=False, int dim=None)";
const RUNS: &str =
    "(Tensor input, bool return_inverse=False, bool return_counts=False, int dim=None)";
const SEARCH: &str = "(Tensor sorted_sequence, Tensor|Scalar input, *, bool out_int32=False, bool right=False, str side=None, Tensor sorter=None)";
const PAIR: &str = "(Tensor input, Tensor|Scalar other)";

pub static ENTRIES: &[crate::Entry] = entries! {
    "unique" BOTH.and(Forms::NP), UNIQUE, "the distinct values, sorted", "torch.unique(tensor([2, 1, 2]))", ["sort", "bincount"] jax "jnp.unique({input})"
        => |b| distinct(b, true, 2, 4);
    "unique_consecutive" BOTH, RUNS, "the first of each run of equal values", "torch.unique_consecutive(tensor([1, 1, 2, 1]))", ["unique"] jax "-"
        => |b| distinct(b, false, 1, 3);
    "bincount" BOTH.and(Forms::NP), "(Tensor input, Tensor weights=None, int minlength=0)", "how often each integer occurs", "torch.bincount(tensor([0, 2, 2]))", ["histc", "unique"]
        => bincount;
    "histc" BOTH, "(Tensor input, int bins=100, Scalar min=0, Scalar max=0)", "the number of elements in each of several equal bins", "torch.histc(tensor([0., 1., 3.]), 2)", ["bincount"] jax "histc({*})"
        => histc;
    "searchsorted" TORCH, SEARCH, "the index where each value belongs in a sorted row", "torch.searchsorted(tensor([1., 2., 4.]), tensor([3.]))", ["bucketize", "sort"] jax "jnp.searchsorted({sorted_sequence}, {input}, side={side}) or [right=True] jnp.searchsorted({sorted_sequence}, {input}, side='right')"
        => |b| {
            let (rows, values) = (b.tensor(0)?.value(), b.tensor(1)?.value());
            let places = searched(&rows, &values, right(b, 3, 4)?)?;
            Ok(placed(places, b.bool_or(2, false)))
        };
    "bucketize" TORCH, "(Tensor|Scalar input, Tensor boundaries, *, bool out_int32=False, bool right=False)", "the index of the bin that contains each value", "torch.bucketize(tensor([3.]), tensor([1., 2., 4.]))", ["searchsorted"] jax "jnp.searchsorted({boundaries}, {input}) or [right=True] jnp.searchsorted({boundaries}, {input}, side='right')"
        => |b| {
            let (values, rows) = (b.tensor(0)?.value(), b.tensor(1)?.value());
            if rows.rank() != 1 {
                complain!("boundaries tensor must be 1 dimension, but got dim({})", rows.rank());
            }
            let places = searched(&rows, &values, b.bool_or(3, false))?;
            Ok(placed(places, b.bool_or(2, false)))
        };
    "isin" TORCH.and(Forms::NP), "(Tensor|Scalar elements, Tensor|Scalar test_elements, *, bool assume_unique=False, bool invert=False)", "whether each element is one of a set", "torch.isin(tensor([1, 2]), tensor([2]))", ["eq", "unique"] jax "jnp.isin({elements}, {test_elements}, invert={invert})"
        => is_in;
    "gcd" BOTH.and(Forms::INPLACE).and(Forms::NP), PAIR, "greatest common divisor", "torch.gcd(tensor([6]), tensor([4]))", ["lcm"]
        => |b| divisors(b, "gcd", gcd);
    "lcm" BOTH.and(Forms::INPLACE).and(Forms::NP), PAIR, "least common multiple", "torch.lcm(tensor([6]), tensor([4]))", ["gcd"]
        => |b| divisors(b, "lcm", |a, c| if a == 0 || c == 0 { 0 } else { (a / gcd(a, c) * c).abs() });
    "is_nonzero" BOTH, "(Tensor input)", "whether its single element is nonzero", "torch.is_nonzero(tensor([1.]))", ["nonzero"] jax "bool({input})"
        => is_nonzero;
};
