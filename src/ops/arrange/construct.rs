//! Matrices made of a few numbers, where elements stand, and slopes of sampled functions.

use super::layout;
use crate::arrange::flip_and_repeat;
use crate::compose::{one, with_number};
use crate::{Arg, Bound, Forms, Out, index};
use vjp_maths::{Variable, table};
use vjp_tensor::{Dtype, Fact, Kind, Outcome, Tensor, budget, complain, shape};

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
    if b.int_or(3, 1) != 1 {
        complain!(Kind::NotImplemented, Fact::Absent; "torch.gradient(): only edge_order=1 is provided");
    }
    let dims = b.ints(2).unwrap_or_else(|| (0..x.rank() as i64).collect());
    let own = x.shape();
    let mut out = Vec::new();
    for dim in dims {
        let at = shape::axis(dim, own.len())?;
        let Some(&n) = own.get(at) else {
            complain!(Kind::Index, "Dimension specified as {dim} but tensor has no dimensions");
        };
        if n < 2 {
            complain!("torch.gradient expected each dimension size to be at least edge_order+1");
        }
        let part = |start: usize, count: usize| index::slice(&x, at, (start, count, 1));
        let step = match b.arg(1) {
            Arg::Tensor(t) => t.value().item().unwrap_or(1.0),
            _ => b.float_or(1, 1.0),
        };
        let over = |upper: &Variable, lower: &Variable, by: f64| {
            with_number(&table::DIV, &table::sub(upper, lower)?, by)
        };
        let first = over(&part(1, 1)?, &part(0, 1)?, step)?;
        let last = over(&part(n - 1, 1)?, &part(n - 2, 1)?, step)?;
        let inner = over(&part(2, n - 2)?, &part(0, n - 2)?, step)?;
        let inner = with_number(&table::DIV, &inner, 2.0)?;
        out.push(super::join::cat(&[first, inner, last], at as i64)?);
    }
    Ok(Out::Many(out))
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
    "gradient" Forms::TORCH, "(Tensor input, *, Scalar spacing=1, int[] dim=None, int edge_order=1)", "(xₖ₊₁ − xₖ₋₁)/2, one-sided at the ends; ∂yₖ/∂xₖ₊₁ = ½, ∂yₖ/∂xₖ₋₁ = −½", "torch.gradient(tensor([1., 4., 9.]))", ["diff"] jax "gradient({input})"
        => gradient;
};
