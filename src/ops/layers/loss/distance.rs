//! Distances between vectors, and what limits their length.

use vjp_maths::{Variable, table};
use vjp_ops::arrange::layout;
use vjp_ops::arrange::rotate_and_unfold::gathered;
use vjp_ops::compose::{grouped, number, one, unary, with_number};
use vjp_ops::index::select::select_where;
use vjp_ops::reduce::statistics::{norm, norm_as};
use vjp_ops::reduce::sum;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::shape::ints;
use vjp_tensor::{Dtype, Kind, Outcome, Tensor, budget, complain, shape, torch_messages};

/// `‖x − y + ε‖` over the last dimension.
///
/// # Errors
/// Shapes that do not broadcast.
pub fn pairwise(x: &Variable, y: &Variable, p: f64, eps: f64, keepdim: bool) -> Outcome<Variable> {
    let d = with_number(&table::ADD, &table::sub(x, y)?, eps)?;
    norm_as(&d, p, Some(&[-1]), keepdim, "NormBackward1")
}

/// All distances between the rows of two matrices.
fn cdist(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "cdist", "CdistBackward0", 0b11, &[0, 1])?;
    let (x, y, p) = (b.tensor(0)?, b.tensor(1)?, b.float_or(2, 2.0));
    let (m, n) = (x.shape(), y.shape());
    for (which, s) in [("X1", &m), ("X2", &n)] {
        if s.len() < 2 {
            complain!("cdist only supports at least 2D tensors, {which} got: {}D", s.len());
        }
    }
    for (which, v) in [("X1", &x), ("X2", &y)] {
        if !v.dtype().is_float() {
            complain!(
                "cdist only supports floating-point dtypes, {which} got: {}",
                v.dtype().scalar_type()
            );
        }
    }
    if p < 0.0 {
        complain!("cdist only supports non-negative p values");
    }
    if m.last() != n.last() {
        complain!(
            "X1 and X2 must have the same number of columns. X1: {} X2: {}",
            m[m.len() - 1],
            n[n.len() - 1]
        );
    }
    let d = table::sub(&layout::unsqueeze(&x, -2)?, &layout::unsqueeze(&y, -3)?)?;
    let d = norm_as(&d, p, Some(&[-1]), false, "CdistBackward0")?;
    Ok(Out::One(group.output(&d)?))
}

fn dist(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "dist", "DistBackward0", 0b11, &[0, 1])?;
    let d = table::sub(&b.tensor(0)?, &b.tensor(1)?)?;
    let y = norm(&d, b.float_or(2, 2.0), None, false)?;
    Ok(Out::One(group.output(&y)?))
}

/// Slices along `dim` longer than `maxnorm` made that long.
fn renorm(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "renorm", "RenormBackward0", 1, &[0])?;
    let (x, p, most) = (b.tensor(0)?, b.float_or(1, 2.0), b.float_or(3, 1.0));
    let dim = shape::axis(b.int_or(2, 0), x.rank())?;
    if x.rank() < 2 {
        complain!("renorm: input needs at least 2 dimensions, got {} dimensions", x.rank());
    }
    if p <= 0.0 {
        complain!("renorm: non-positive-norm not supported");
    }
    let rest: Vec<i64> = (0..x.rank()).filter(|d| *d != dim).map(|d| d as i64).collect();
    let size = norm(&x, p, Some(&rest), true)?;
    let long = size.value().map(vjp_tensor::Dtype::Bool, |v| f64::from(u8::from(v > most)))?;
    let long = Variable::constant(long);
    // Of the others nothing goes into the norm: a NaN there is no slope of what stays.
    let zeros = Variable::constant(Tensor::filled(&x.shape(), 0.0, x.dtype())?);
    let scaled = select_where(&long, &x, &zeros)?;
    let size = norm(&scaled, p, Some(&rest), true)?;
    let factor = table::div(&number(most), &table::add(&size, &number(1e-7))?)?;
    let y = select_where(&long, &table::mul(&scaled, &factor)?, &x)?;
    Ok(Out::One(group.output(&y)?))
}

/// Differences of neighbours, `n` times over.
fn diff(b: &mut Bound) -> Outcome<Out> {
    let (mut x, n, dim) = (b.tensor(0)?, b.int_or(1, 1), b.int_or(2, -1));
    if x.rank() == 0 {
        complain!("diff expects input to be at least one-dimensional");
    }
    let at = shape::axis(dim, x.rank())?;
    if n < 0 {
        complain!("order must be non-negative but got {n}");
    }
    let joined = b.has(3) || b.has(4);
    for k in [3, 4] {
        if b.has(k) && b.tensor(k)?.rank() != x.rank() {
            complain!("diff expects prepend or append to be the same dimension as input");
        }
    }
    let mut parts = vec![x.clone()];
    if b.has(3) {
        parts.insert(0, b.tensor(3)?);
    }
    if b.has(4) {
        parts.push(b.tensor(4)?);
    }
    if joined {
        x = vjp_ops::arrange::join::cat(&parts, dim)?;
    }
    // Where nothing is left, nothing changes.
    for _ in 0..n.clamp(0, x.shape()[at] as i64) {
        let (upper, lower) = neighbours(&x, at)?;
        x = match x.dtype() {
            Dtype::Bool => one("logical_xor", vec![(&upper).into(), (&lower).into()])?,
            _ => table::sub(&upper, &lower)?,
        };
    }
    Ok(Out::One(x))
}

/// All but the first and all but the last along a dimension.
fn neighbours(x: &Variable, dim: usize) -> Outcome<(Variable, Variable)> {
    let n = x.shape().get(dim).copied().unwrap_or(0);
    let upper = vjp_ops::index::slice(x, dim, (1.min(n), n.max(1) - 1, 1))?;
    let lower = vjp_ops::index::slice(x, dim, (0, n.max(1) - 1, 1))?;
    Ok((upper, lower))
}

/// Heights and the dimension of a trapezoidal rule, and the steps between them where they are given.
fn heights(b: &Bound) -> Outcome<(Variable, usize, Option<Variable>)> {
    let y = b.tensor(0)?;
    let dim = b.int_or(3, -1);
    if y.rank() == 0 {
        return Err(torch_messages::no_dimensions(dim));
    }
    let at = shape::axis(dim, y.rank())?;
    let vjp_ops::Arg::Tensor(x) = b.arg(1) else { return Ok((y, at, None)) };
    if x.rank() == 0 {
        return Ok((y, at, None));
    }
    if x.rank() > 1 {
        // In as many dimensions as y, those in front of size 1.
        let mut to = vec![1i64; y.rank().saturating_sub(x.rank())];
        to.extend(ints(&x.shape()));
        let (upper, lower) = neighbours(&layout::reshape(x, &to)?, at)?;
        return Ok((y, at, Some(table::sub(&upper, &lower)?)));
    }
    if x.numel() != y.shape()[at] {
        complain!("{}: There must be one `x` value for each sample point", b.name);
    }
    let (upper, lower) = neighbours(x, 0)?;
    let dx = table::sub(&upper, &lower)?;
    let mut to = vec![1i64; y.rank()];
    to[at] = dx.numel() as i64;
    let dx = layout::view_as(&dx, &to)?;
    Ok((y, at, Some(dx)))
}

/// yₖ + yₖ₊₁ for every step.
fn sums(y: &Variable, dim: usize) -> Outcome<Variable> {
    let (upper, lower) = neighbours(y, dim)?;
    table::add(&lower, &upper)
}

/// Σ (yₖ + yₖ₊₁)/2 · dx.
fn trapezoid(b: &mut Bound) -> Outcome<Out> {
    let (y, at, steps) = heights(b)?;
    let dim = at as i64;
    if let Some(dx) = steps {
        let areas = sum(&table::mul(&sums(&y, at)?, &dx)?, Some(&[dim]), false)?;
        return Ok(Out::One(with_number(&table::DIV, &areas, 2.0)?));
    }
    if y.shape()[at] == 0 {
        return Ok(Out::One(sum(&y, Some(&[dim]), false)?.detach()));
    }
    let end = |k: i64| vjp_ops::index::select(&y, at, k, at);
    let ends = with_number(&table::MUL, &table::add(&end(0)?, &end(-1)?)?, 0.5)?;
    let inner = table::sub(&sum(&y, Some(&[dim]), false)?, &ends)?;
    Ok(Out::One(with_number(&table::MUL, &inner, b.float_or(2, 1.0))?))
}

/// Running Σ (yₖ + yₖ₊₁)/2 · dx.
fn cumulative_trapezoid(b: &mut Bound) -> Outcome<Out> {
    if b.tensor(0)?.rank() == 0 {
        complain!(Kind::Index, "slice() cannot be applied to a 0-dim tensor.");
    }
    let (y, at, steps) = heights(b)?;
    let running = |areas: &Variable| one("cumsum", vec![areas.into(), (at as i64).into()]);
    Ok(Out::One(match steps {
        Some(dx) => with_number(&table::DIV, &running(&table::mul(&sums(&y, at)?, &dx)?)?, 2.0)?,
        None => {
            let half = b.float_or(2, 1.0) / 2.0;
            running(&with_number(&table::MUL, &sums(&y, at)?, half)?)?
        }
    }))
}

/// Covariance of the rows.
fn covariance(b: &Bound) -> Outcome<Variable> {
    let x = b.tensor(0)?;
    if x.rank() > 2 {
        complain!(
            "cov(): expected input to have two or fewer dimensions but got an input with {} dimensions",
            x.rank()
        );
    }
    let x = if x.dtype().is_float() {
        x
    } else {
        layout::to_dtype(&x, vjp_tensor::dtype::default_dtype())?
    };
    let rows = if x.rank() < 2 { layout::reshape(&x, &[1, -1])? } else { x.clone() };
    let correction = b.float_or(1, 1.0);
    let count = rows.shape()[1];
    let by = |v: &Variable, w: &Option<Variable>| match w {
        Some(w) => table::mul(v, w),
        None => Ok(v.clone()),
    };
    let sum = |v: &Variable| vjp_ops::reduce::sum(v, None, false);
    let frequencies = weights(b, 2, "fweights", count)?;
    let shares = weights(b, 3, "aweights", count)?;
    let w = match (&frequencies, &shares) {
        (Some(f), a) => Some(by(f, a)?),
        (None, a) => a.clone(),
    };
    let (mean, n) = match &w {
        None => {
            let mean = vjp_ops::reduce::mean(&rows, Some(&[1]), true)?;
            (mean, number(count as f64 - correction))
        }
        Some(w) => {
            let whole = sum(w)?;
            let mean = vjp_ops::reduce::sum(&table::mul(&rows, w)?, Some(&[1]), true)?;
            let lost = match &shares {
                Some(a) => table::div(&sum(&table::mul(w, a)?)?, &whole)?,
                None => number(1.0),
            };
            let n = table::sub(&whole, &table::mul(&lost, &number(correction))?)?;
            (table::div(&mean, &whole)?, n)
        }
    };
    if n.value().item().is_some_and(|n| n <= 0.0) {
        vjp_tensor::warnings::warn(
            "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.",
        );
    }
    let centred = table::sub(&rows, &mean)?;
    let c = vjp_ops::product::matmul::matmul(&centred, &layout::t(&by(&centred, &w)?)?)?;
    let least = if n.value().item().is_some_and(|n| n < 0.0) { number(0.0) } else { n };
    layout::squeeze(&table::div(&c, &least)?, None)
}

/// The weights of the observations that an argument gives.
fn weights(b: &Bound, k: usize, name: &str, count: usize) -> Outcome<Option<Variable>> {
    if !b.has(k) {
        return Ok(None);
    }
    let w = b.tensor(k)?;
    if w.rank() > 1 {
        complain!(
            Kind::Runtime,
            "cov(): expected {name} to have one or fewer dimensions but got {name} with {} dimensions",
            w.rank()
        );
    }
    let wants = if name == "fweights" { "integral" } else { "floating point" };
    if w.dtype().is_float() == (name == "fweights") {
        let own = w.dtype().scalar_type();
        complain!(
            Kind::Runtime,
            "cov(): expected {name} to have {wants} dtype but got {name} with {own} dtype"
        );
    }
    if w.numel() != count {
        complain!(
            Kind::Runtime,
            "cov(): expected {name} to have the same numel as there are observations in the input but got {} != {count}",
            w.numel()
        );
    }
    if w.value().data().iter().any(|w| *w < 0.0) {
        complain!(Kind::Runtime, "cov(): {name} cannot be negative");
    }
    Ok(Some(w))
}

fn correlation(b: &mut Bound) -> Outcome<Out> {
    let c = covariance(b)?;
    if c.rank() == 0 {
        return Ok(Out::One(table::div(&c, &c)?));
    }
    let s = unary("sqrt", &vjp_ops::arrange::flip_and_repeat::diagonal(&c, 0, 0, 1)?)?;
    let n = ints(&s.shape())[0];
    let c = table::div(&c, &layout::view_as(&s, &[n, 1])?)?;
    let c = table::div(&c, &s)?;
    let c = one("clamp", vec![(&c).into(), (-1.0).into(), 1.0.into()])?;
    Ok(Out::One(c))
}

/// The distances between all pairs of rows.
fn pdist(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "pdist", "PdistBackward0", 1, &[0])?;
    let (x, p) = (b.tensor(0)?, b.float_or(1, 2.0));
    let own = x.shape();
    let [n, width] = own[..] else {
        complain!("pdist only supports 2D tensors, got: {}D", own.len());
    };
    if p < 0.0 {
        complain!("pdist only supports non-negative p values");
    }
    let pairs = budget::collected((0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))))?;
    let rows = |which: &dyn Fn(&(usize, usize)) -> usize| {
        let place = |k: usize| which(&pairs[k / width]) * width + k % width;
        let index = budget::listed(pairs.len().saturating_mul(width), place)?;
        gathered(&x, &[pairs.len(), width], index, "index_select", "IndexSelectBackward0")
    };
    let gap = table::sub(&rows(&|p| p.0)?, &rows(&|p| p.1)?)?;
    let y = norm_as(&gap, p, Some(&[1]), false, "PdistBackward0")?;
    Ok(Out::One(group.output(&y)?))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);
const STEPS: &str = "(Tensor y, Tensor x=None, *, Scalar dx=None, int dim=-1)";

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "pairwise_distance" Forms::F.and(Forms::TORCH), "(Tensor x1, Tensor x2, float p=2.0, float eps=1e-06, bool keepdim=False)", "‖x − y + ε‖; of d by x: ∂d/∂x = (x − y + ε)/d", "F.pairwise_distance(tensor([1., 2.]), tensor([4., 6.]))", ["cdist", "norm"] jax "pairwise_distance({*})"
        => |b| Ok(Out::One(pairwise(&b.tensor(0)?, &b.tensor(1)?, b.float_or(2, 2.0), b.float_or(3, 1e-6), b.bool_or(4, false))?));
    "cdist" Forms::TORCH, "(Tensor x1, Tensor x2, float p=2.0, str compute_mode=None)", "yᵢⱼ = ‖aᵢ − bⱼ‖; ∂yᵢⱼ/∂aᵢ = (aᵢ − bⱼ)/yᵢⱼ", "torch.cdist(torch.eye(2), torch.zeros(1, 2))", ["pairwise_distance", "dist"] jax "cdist({*})"
        => cdist;
    "dist" BOTH, "(Tensor input, Tensor other, Scalar p=2)", "‖x − y‖; of d by x: ∂d/∂x = (x − y)/d", "torch.dist(tensor([1., 2.]), tensor([4., 6.]))", ["norm", "cdist"] jax "dist({*})"
        => dist;
    "renorm" BOTH.and(Forms::INPLACE), "(Tensor input, Scalar p, int dim, Scalar maxnorm)", "slices scaled down to norm maxnorm; where scaled, ∂y/∂x = maxnorm (I − u uᵀ)/‖x‖ with u = x/‖x‖", "torch.renorm(tensor([[3., 4.], [0.1, 0.]]), 2, 0, 1.)", ["norm", "normalize"] jax "renorm({*})"
        => renorm;
    "diff" BOTH, "(Tensor input, int n=1, int dim=-1, Tensor prepend=None, Tensor append=None)", "yₖ = xₖ₊₁ − xₖ; ∂yₖ/∂xₖ₊₁ = 1, ∂yₖ/∂xₖ = −1", "torch.diff(tensor([1., 4., 9.]))", ["cumsum"]
        => diff;
    "trapezoid" as "trapz" Forms::TORCH, STEPS, "Σ (yₖ + yₖ₊₁)/2 · dx; ∂/∂yₖ = dx, at the ends dx/2", "torch.trapezoid(tensor([1., 2., 4.]))", ["cumulative_trapezoid", "sum"]
        => trapezoid;
    "cumulative_trapezoid" Forms::TORCH, STEPS, "running Σ (yₖ + yₖ₊₁)/2 · dx; vᵀJ adds dx/2 of v to both ends of each step so far", "torch.cumulative_trapezoid(tensor([1., 2., 4.]))", ["trapezoid", "cumsum"] jax "cumulative_trapezoid({*})"
        => cumulative_trapezoid;
    "cov" BOTH, "(Tensor input, *, int correction=1, Tensor fweights=None, Tensor aweights=None)", "covariance of the rows; dC = (dX Zᵀ + Z dXᵀ)/(n − 1), Z the rows minus their means", "torch.cov(tensor([[1., 2., 4.], [0., 1., 1.]]))", ["var", "corrcoef"] jax "jnp.cov({input}, ddof={correction})"
        => |b| Ok(Out::One(covariance(b)?));
    "corrcoef" BOTH, "(Tensor input)", "correlation of the rows; R = D C D with D = diag(C)⁻¹ᐟ²: dR = dD C D + D dC D + D C dD", "torch.corrcoef(tensor([[1., 2., 4.], [0., 1., 1.]]))", ["cov"]
        => correlation;
    "pdist" Forms::F.and(Forms::TORCH), "(Tensor input, float p=2)", "the distances between all pairs of rows; ∂dᵢⱼ/∂xᵢ = (xᵢ − xⱼ)/dᵢⱼ", "F.pdist(tensor([[0., 0.], [3., 4.]]))", ["cdist"] jax "-"
        => pdist;
};
