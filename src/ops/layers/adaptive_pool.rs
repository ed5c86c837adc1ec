//! Pooling over parts of nearly equal size, and by powers.

use super::conv::{spread, tuple};
use super::parts::Parts;
use super::pool::{averages, largest, lifted, lowered};
use vjp_maths::table;
use vjp_ops::compose::{number, one_of, unary};
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::torch_messages::sizes;
use vjp_tensor::{Kind, Outcome, budget, complain, shape, torch_messages};

/// As many parts as wanted, of nearly equal size, in the last dimensions.
fn parts(own: &[usize], wanted: &[usize]) -> Outcome<Parts> {
    let lead = own.len() - wanted.len();
    let (space, planes) = (own[lead..].to_vec(), own[..lead].iter().product());
    shape::count(&[planes, shape::count(wanted)?])?;
    let along = |(n, parts): (&usize, &usize)| {
        budget::listed(*parts, |p| (p * n / parts..((p + 1) * n).div_ceil(*parts)).collect())
    };
    let along = space.iter().zip(wanted).map(along).collect::<Outcome<_>>()?;
    Ok(Parts { along, space, planes })
}

/// Of one dimension as of two, the first of size 1.
fn output_size(b: &Bound, d: usize, name: &str) -> Outcome<Vec<i64>> {
    let wanted = b.ints(1).unwrap_or_default();
    match (d, wanted.len()) {
        (1, 1) => Ok(vec![1, wanted[0]]),
        (1, n) => complain!("{name}() argument 'output_size' should contain one int (got {n})"),
        (_, 1) => Ok(vec![wanted[0]; d]),
        (_, n) if n == d => Ok(wanted),
        (_, n) => complain!(Kind::Value, "Input dimension should be at least {}", n + 1),
    }
}

/// The largest of as many parts as wanted.
fn adaptive_max(b: &mut Bound, d: usize) -> Outcome<Out> {
    let name = ["adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"][d - 1];
    let (given, x) = (b.tensor(0)?, lifted(&b.tensor(0)?, d, name)?);
    let own = x.shape();
    let deep = d.max(2);
    if own.len() <= deep {
        let (low, high) = (deep + 1, deep + 2);
        complain!("{name}(): Expected {low}D or {high}D tensor, but got: {}", sizes(&own));
    }
    let wanted = output_size(b, d, name)?;
    let own_given = given.shape();
    if let Some(k) = (own_given.len() - d..own_given.len()).find(|k| own_given[*k] == 0) {
        complain!(
            "{name}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {k} being empty",
            sizes(&own_given)
        );
    }
    let mut to: Vec<i64> = own[..own.len() - deep].iter().map(|n| *n as i64).collect();
    to.extend(&wanted);
    shape::of_lengths(&to)?;
    torch_messages::floats_only(&format!("adaptive_max_pool{deep}d"), given.dtype())?;
    let wanted: Vec<usize> = wanted.iter().map(|n| *n as usize).collect();
    let mut to = own[..own.len() - deep].to_vec();
    to.extend(&wanted);
    let grad_fn = if d == 3 { "AdaptiveMaxPool3DBackward0" } else { "AdaptiveMaxPool2DBackward0" };
    let told = told("max", &wanted);
    let (y, positions) = largest(&x, parts(&own, &wanted)?, &to, grad_fn, told)?;
    let y = lowered(&y, d)?;
    // As a function of torch it gives both.
    if b.bool_or(2, false) {
        return Ok(Out::Many(vec![y, lowered(&positions, d)?]));
    }
    Ok(Out::One(y))
}

/// The pool as PyTorch code.
fn told(which: &str, wanted: &[usize]) -> Option<String> {
    let (d, size) = (wanted.len(), tuple(wanted));
    Some(format!("torch.nn.functional.adaptive_{which}_pool{d}d({{}}, {size})"))
}

/// The root of the sum of powers under a sliding window.
fn lp_pool(b: &mut Bound, d: usize) -> Outcome<Out> {
    let (x, p) = (b.tensor(0)?, b.float_or(1, 2.0));
    if p == 0.0 {
        complain!(Kind::Value, "norm_type must be a non-zero value, but got {p:?}");
    }
    let power = table::pow(&x, &number(p))?;
    let kernel = spread(b.ints(2), 1, d, "kernel_size")?;
    let taps: f64 = kernel.iter().map(|k| *k as f64).product();
    let name = ["avg_pool1d", "avg_pool2d", "avg_pool3d"][d - 1];
    let stride = b.arg(3).clone();
    let sizes: Vec<i64> = kernel.iter().map(|k| *k as i64).collect();
    let args = vec![
        (&power).into(),
        sizes.as_slice().into(),
        stride,
        0i64.into(),
        b.bool_or(4, false).into(),
    ];
    let y = one_of(crate::pool::ENTRIES, name, args)?;
    let size = unary("relu", &unary("abs", &y)?)?;
    let y = table::mul(&unary("sign", &y)?, &size)?;
    let y = table::mul(&y, &number(taps))?;
    Ok(Out::One(table::pow(&y, &number(1.0 / p))?))
}

/// Means of as many parts as wanted, of nearly equal size.
fn adaptive(b: &mut Bound, d: usize) -> Outcome<Out> {
    let name = ["adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d"][d - 1];
    let x = lifted(&b.tensor(0)?, d, name)?;
    let own = x.shape();
    if let Some(given) = b.ints(1).filter(|n| n.len() > 1 && d > 2 && own.len() <= n.len()) {
        complain!(Kind::Value, "Input dimension should be at least {}", given.len() + 1);
    }
    let deep = d.max(2);
    if own.len() <= deep {
        complain!(
            "adaptive_avg_pool{deep}d(): Expected {}D or {}D tensor, but got {}",
            deep + 1,
            deep + 2,
            sizes(&own)
        );
    }
    let wanted = output_size(b, d, name)?;
    if wanted.iter().any(|n| *n < 0) {
        let said: Vec<String> = wanted.iter().map(i64::to_string).collect();
        complain!(
            "adaptive_avg_pool{deep}d: elements of output_size must be greater than or equal to 0 but received {{{}}}",
            said.join(", ")
        );
    }
    if wanted.iter().all(|n| *n == 1) {
        let dims: Vec<i64> = (1..=deep as i64).map(|k| -k).collect();
        let y = vjp_ops::reduce::mean(&x, Some(&dims), true)?;
        return Ok(Out::One(lowered(&y, d)?));
    }
    let lead = own.len() - deep;
    if let Some(k) = (lead..own.len()).find(|k| own[*k] == 0) {
        complain!(
            "adaptive_avg_pool{deep}d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {k} being empty",
            sizes(&own)
        );
    }
    torch_messages::floats_only(&format!("adaptive_avg_pool{deep}d"), x.dtype())?;
    let wanted: Vec<usize> = wanted.iter().map(|n| *n as usize).collect();
    let parts = parts(&own, &wanted)?;
    // PyTorch's kernel divides by one side after the other.
    let divisors = parts.sides();
    let mut to = own[..lead].to_vec();
    to.extend(&wanted);
    let grad_fn = if d == 3 { "AdaptiveAvgPool3DBackward0" } else { "AdaptiveAvgPool2DBackward0" };
    let y = averages(&x, parts, divisors, &to, grad_fn, told("avg", &wanted))?;
    Ok(Out::One(lowered(&y, d)?))
}

const BOTH: Forms = Forms::F.and(Forms::TORCH);
const MOST: &str = "(Tensor input, int[] output_size, bool return_indices=False)";
const LP: &str =
    "(Tensor input, float norm_type, int[] kernel_size, int[] stride=None, bool ceil_mode=False)";
const SIZE: &str = "(Tensor input, int[] output_size)";

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "adaptive_max_pool1d" Forms::F, MOST, "the maxima of output_size parts; ∂yₚ/∂xᵢ = 1 at the maximum (the first at a tie), else 0", "F.adaptive_max_pool1d(tensor([[1., 3., 2., 4.]]), 2)", ["max_pool1d"] jax "adaptive_pool(jnp.max, {input}, {output_size}, 1)"
        => |b| adaptive_max(b, 1);
    "adaptive_max_pool2d" Forms::F, MOST, "the maxima of output_size parts; ∂yₚ/∂xᵢ = 1 at the maximum (the first at a tie), else 0", "F.adaptive_max_pool2d(torch.eye(4).reshape(1, 4, 4), 2)", ["max_pool2d"] jax "adaptive_pool(jnp.max, {input}, {output_size}, 2)"
        => |b| adaptive_max(b, 2);
    "adaptive_max_pool3d" Forms::F, MOST, "the maxima of output_size parts; ∂yₚ/∂xᵢ = 1 at the maximum (the first at a tie), else 0", "F.adaptive_max_pool3d(torch.arange(8.).reshape(1, 2, 2, 2), 1)", ["max_pool3d"] jax "adaptive_pool(jnp.max, {input}, {output_size}, 3)"
        => |b| adaptive_max(b, 3);
    "lp_pool1d" Forms::F, LP, "(Σ xᵖ)¹ᐟᵖ under a sliding window; ∂y/∂xᵢ = (xᵢ/y)ᵖ⁻¹", "F.lp_pool1d(tensor([[3., 4.]]), 2, 2)", ["avg_pool1d"] jax "lp_pool({*})"
        => |b| lp_pool(b, 1);
    "lp_pool2d" Forms::F, LP, "(Σ xᵖ)¹ᐟᵖ under a sliding window; ∂y/∂xᵢ = (xᵢ/y)ᵖ⁻¹", "F.lp_pool2d(torch.ones(1, 2, 2), 2, 2)", ["avg_pool2d"] jax "lp_pool({*})"
        => |b| lp_pool(b, 2);
    "lp_pool3d" Forms::F, LP, "(Σ xᵖ)¹ᐟᵖ under a sliding window; ∂y/∂xᵢ = (xᵢ/y)ᵖ⁻¹", "F.lp_pool3d(torch.ones(1, 2, 2, 2), 2, 2)", ["avg_pool3d"] jax "lp_pool({*})"
        => |b| lp_pool(b, 3);
    "adaptive_avg_pool1d" BOTH, SIZE, "the means of output_size parts; ∂yₚ/∂xᵢ = 1/k in a part of k, else 0", "F.adaptive_avg_pool1d(tensor([[1., 3., 2., 4.]]), 2)", ["avg_pool1d"] jax "adaptive_pool(jnp.mean, {input}, {output_size}, 1)"
        => |b| adaptive(b, 1);
    "adaptive_avg_pool2d" Forms::F, SIZE, "the means of output_size parts; ∂yₚ/∂xᵢ = 1/k in a part of k, else 0", "F.adaptive_avg_pool2d(torch.eye(4).reshape(1, 4, 4), 2)", ["avg_pool2d"] jax "adaptive_pool(jnp.mean, {input}, {output_size}, 2)"
        => |b| adaptive(b, 2);
    "adaptive_avg_pool3d" Forms::F, SIZE, "the means of output_size parts; ∂yₚ/∂xᵢ = 1/k in a part of k, else 0", "F.adaptive_avg_pool3d(torch.ones(1, 2, 2, 2), (1, 2, 2))", ["avg_pool3d"] jax "adaptive_pool(jnp.mean, {input}, {output_size}, 3)"
        => |b| adaptive(b, 3);
};
