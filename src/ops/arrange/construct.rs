//! Matrices made of a few numbers, where elements stand, and slopes of sampled functions.

use super::layout;
use crate::arrange::flip_and_repeat;
use crate::compose::{number, one, with_number};
use crate::{Arg, Bound, Forms, Out, index};
use vjp_maths::{Variable, table};
use vjp_tensor::{Dtype, Kind, Outcome, Tensor, budget, complain, shape};

fn diagflat(b: &mut Bound) -> Outcome<Out> {
    let flat = layout::reshape(&b.tensor(0)?, &[-1])?;
    Ok(Out::One(flip_and_repeat::diag_embed(&flat, b.int_or(1, 0), -2, -1)?))
}

/// Indices of a triangle, rows above columns.
fn triangle(b: &mut Bound, upper: bool) -> Outcome<Out> {
    let (rows, columns, offset) = (b.int_or(0, 0), b.int_or(1, 0), b.int_or(2, 0));
    if rows < 0 || columns < 0 {
        let (what, n) = if rows < 0 { ("row", rows) } else { ("col", columns) };
        complain!("{what} must be non-negative, got{n}");
    }
    shape::count(&[2, rows as usize, columns as usize])?;
    let inside = |i: i64| match upper {
        true => i.saturating_add(offset).max(0)..columns,
        false => 0..i.saturating_add(offset).saturating_add(1).min(columns),
    };
    let all = budget::unless_stopped(0..rows).flat_map(|i| inside(i).map(move |j| (i, j)));
    let places = budget::collected(all)?;
    let data = places.iter().map(|p| p.0).chain(places.iter().map(|p| p.1));
    let data = budget::collected(data.map(|v| v as f64))?;
    Ok(Out::One(Variable::constant(Tensor::typed(&[2, places.len()], data, Dtype::Int64))))
}

/// Powers of the elements of a vector, in columns.
fn vander(b: &Bound, rising: bool, rising_only: bool) -> Outcome<Variable> {
    let x = b.tensor(0)?;
    let own = x.shape();
    // A number is a line of one.
    let count = b.int(1).unwrap_or(own.last().copied().unwrap_or(1) as i64);
    if rising_only && count <= 1 {
        complain!("N must be greater than 1.");
    }
    if !rising_only && own.len() != 1 {
        complain!("x must be a one-dimensional tensor.");
    }
    if count < 0 {
        complain!("N must be non-negative.");
    }
    let mut columns = Vec::new();
    for k in 0..count {
        let power = if rising { k } else { count - 1 - k };
        columns.push(one("pow", vec![(&x).into(), power.into()])?);
    }
    if columns.is_empty() {
        let to = [own.as_slice(), &[0]].concat();
        return Ok(Variable::constant(Tensor::typed(&to, Vec::new(), x.dtype())));
    }
    let columns: Vec<Variable> = columns
        .into_iter()
        .map(|c| if c.dtype() == x.dtype() { Ok(c) } else { layout::to_dtype(&c, x.dtype()) })
        .collect::<Outcome<_>>()?;
    super::join::stack(&columns, -1)
}

fn argwhere(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?.value();
    let columns = index::nonzero(&x)?;
    let n = x.data().iter().filter(|v| **v != 0.0).count();
    let rows = (0..n).flat_map(|k| columns.iter().map(move |c| c.data()[k]));
    let t = Tensor::new(&[n, columns.len()], rows.collect()).with_dtype(Dtype::Int64);
    Ok(Out::One(Variable::constant(t)))
}

/// Differences to both sides over their distance; at the ends to the one side there is.
fn gradient(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let order = b.int_or(3, 1);
    if !matches!(order, 1 | 2) {
        complain!(Kind::Runtime, "torch.gradient only supports edge_order=1 and edge_order=2.");
    }
    let own = x.shape();
    let dims = b.ints(2);
    let named = dims.is_some();
    let dims = dims.unwrap_or_else(|| (0..x.rank() as i64).collect());
    let spacings = match b.arg(1) {
        Arg::Missing | Arg::None => vec![number(1.0); dims.len()],
        Arg::Tensors(all) => all.clone(),
        _ => vec![number(b.float_or(1, 1.0)); dims.len()],
    };
    if spacings.len() != dims.len() {
        let count = spacings.len();
        if named {
            complain!(
                Kind::Runtime,
                "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have the same length, but got a spacing argument of length {count} and a dim argument of length {}.",
                dims.len()
            );
        }
        complain!(
            Kind::Runtime,
            "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() = {}', since dim argument was not given, but got a list of length {count}",
            x.rank()
        );
    }
    let mut out = Vec::new();
    for (k, (dim, spacing)) in dims.iter().zip(&spacings).enumerate() {
        let at = shape::axis(*dim, own.len())?;
        if dims[..k].iter().any(|other| shape::axis(*other, own.len()) == Ok(at)) {
            complain!(Kind::Runtime, "dim {at} appears multiple times in the list of dims");
        }
        let Some(&n) = own.get(at) else {
            complain!(Kind::Index, "Dimension specified as {dim} but tensor has no dimensions");
        };
        if spacing.rank() > 1 {
            complain!(
                Kind::Runtime,
                "torch.gradient expected each element of spacing to have one dimension, but got an element with {} dimensions!",
                spacing.rank()
            );
        }
        if n as i64 <= order {
            complain!(
                Kind::Runtime,
                "torch.gradient expected each dimension size to be at least edge_order+1"
            );
        }
        out.push(slopes(&x, at, spacing, order == 2)?);
    }
    Ok(Out::Many(out))
}

/// The slopes along a dimension, from the distance between two neighbours or from the places of all of them; at the
/// ends, where asked for, of the parabola through three.
fn slopes(x: &Variable, at: usize, spacing: &Variable, parabola: bool) -> Outcome<Variable> {
    let n = x.shape()[at];
    let part = |start: usize, count: usize| index::slice(x, at, (start, count, 1));
    // Σ c y, the factors along the dimension.
    let sum = |terms: [(Variable, Variable); 3]| {
        let [first, second, third] = terms.map(|(c, y)| table::mul(&c, &y));
        table::add(&table::add(&first?, &second?)?, &third?)
    };
    if spacing.rank() == 0 {
        let step = spacing.value().item().unwrap_or(1.0);
        let over = |upper: &Variable, lower: &Variable| {
            with_number(&table::DIV, &table::sub(upper, lower)?, step)
        };
        let inner = with_number(&table::DIV, &over(&part(2, n - 2)?, &part(0, n - 2)?)?, 2.0)?;
        let (first, last) = match parabola {
            false => (over(&part(1, 1)?, &part(0, 1)?)?, over(&part(n - 1, 1)?, &part(n - 2, 1)?)?),
            true => {
                let of = |k: usize, c: f64| -> Outcome<_> { Ok((number(c), part(k, 1)?)) };
                let by_step = |y: Variable| with_number(&table::DIV, &y, step);
                (
                    by_step(sum([of(0, -1.5)?, of(1, 2.0)?, of(2, -0.5)?])?)?,
                    by_step(sum([of(n - 3, 0.5)?, of(n - 2, -2.0)?, of(n - 1, 1.5)?])?)?,
                )
            }
        };
        return super::join::cat(&[first, inner, last], at as i64);
    }
    // Quotients of places: never whole numbers.
    let kind = vjp_tensor::tensor::promote_float(&[&spacing.value()]);
    let places = spacing.value().to_dtype(kind);
    let places = places.data();
    if places.len() != n {
        complain!(
            Kind::Runtime,
            "torch.gradient expected each element of spacing to have the size of its dimension"
        );
    }
    let steps: Vec<f64> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let along = |factors: Vec<f64>| -> Variable {
        let mut to = vec![1; x.rank()];
        to[at] = factors.len();
        Variable::constant(Tensor::typed(&to, factors, kind))
    };
    let inside = |f: fn(f64, f64) -> f64| along(steps.windows(2).map(|s| f(s[0], s[1])).collect());
    let inner = sum([
        (inside(|p, q| -q / (p * (p + q))), part(0, n - 2)?),
        (inside(|p, q| (q - p) / (p * q)), part(1, n - 2)?),
        (inside(|p, q| p / (q * (p + q))), part(2, n - 2)?),
    ])?;
    let (first, last) = if parabola {
        let of = |k: usize, c: f64| -> Outcome<_> { Ok((along(vec![c]), part(k, 1)?)) };
        let ((p, q), (r, s)) = ((steps[0], steps[1]), (steps[n - 3], steps[n - 2]));
        (
            sum([
                of(0, -(2.0 * p + q) / (p * (p + q)))?,
                of(1, (p + q) / (p * q))?,
                of(2, -p / (q * (p + q)))?,
            ])?,
            sum([
                of(n - 3, s / (r * (r + s)))?,
                of(n - 2, -(r + s) / (r * s))?,
                of(n - 1, (2.0 * s + r) / (s * (r + s)))?,
            ])?,
        )
    } else {
        let over = |k: usize| {
            let rise = table::sub(&part(k + 1, 1)?, &part(k, 1)?)?;
            table::div(&rise, &along(vec![steps[k]]))
        };
        (over(0)?, over(n - 2)?)
    };
    super::join::cat(&[first, inner, last], at as i64)
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);
const TRIANGLE: &str = "(int row, int col, int offset=0, *, Dtype dtype=None)";

pub static ENTRIES: &[crate::Entry] = entries! {
    "diagflat" BOTH, "(Tensor input, int offset=0)", "all elements on the diagonal of a matrix; vᵀJ is v's diagonal", "torch.diagflat(tensor([1, 2]))", ["diag_embed"] jax "jnp.diagflat({input}, {offset})"
        => diagflat;
    "tril_indices" Forms::TORCH, TRIANGLE, "the indices of the lower triangle", "torch.tril_indices(3, 3)", ["tril"] jax "jnp.array(jnp.tril_indices({row}, {offset!}, {col}))"
        => |b| triangle(b, false);
    "triu_indices" Forms::TORCH, TRIANGLE, "the indices of the upper triangle", "torch.triu_indices(3, 3)", ["triu"] jax "jnp.array(jnp.triu_indices({row}, {offset!}, {col}))"
        => |b| triangle(b, true);
    "vander" Forms::LINALG, "(Tensor x, *, int N=None)", "xᵢʲ for j = 0, 1 …; ∂/∂xᵢ = j xᵢʲ⁻¹", "torch.linalg.vander(tensor([1., 2., 3.]))", ["pow"] jax "jnp.vander({x}, {N}, increasing=True)"
        => |b| Ok(Out::One(crate::compose::named(&vander(b, true, true)?, "vander", "CatBackward0")?));
    "vander" Forms::TORCH.and(Forms::NP), "(Tensor x, int N=None, bool increasing=False)", "xᵢʲ, the highest power first; ∂/∂xᵢ = j xᵢʲ⁻¹", "torch.vander(tensor([1., 2., 3.]))", ["pow"] jax "jnp.vander({x}, {N}, increasing={increasing})"
        => |b| {
            let rising = b.bool_or(2, false);
            let name = if rising { "CopySlices" } else { "FlipBackward0" };
            Ok(Out::One(crate::compose::named(&vander(b, rising, false)?, "vander", name)?))
        };
    "argwhere" BOTH.and(Forms::NP), "(Tensor input)", "the indices of nonzero elements", "torch.argwhere(tensor([0, 1]))", ["nonzero"] jax "jnp.argwhere({input})"
        => argwhere;
    "gradient" Forms::TORCH, "(Tensor input, *, any spacing=1, int[] dim=None, int edge_order=1)", "(xₖ₊₁ − xₖ₋₁)/2, one-sided at the ends; ∂yₖ/∂xₖ₊₁ = ½, ∂yₖ/∂xₖ₋₁ = −½", "torch.gradient(tensor([1., 4., 9.]))", ["diff"] jax "gradient({input})"
        => gradient;
};
