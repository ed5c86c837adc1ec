//! Matrices made of a few numbers, where elements stand, and slopes of sampled functions.

use super::compose::{number, one};
use super::{Arg, Bound, Forms, Out, arrange, index, layout};
use crate::complain;
use crate::maths::complaint::{Kind, Outcome};
use crate::maths::tensor::{Dtype, Tensor};
use crate::maths::variable::Variable;
use crate::maths::{shape, table};

fn diagflat(b: &mut Bound) -> Outcome<Out> {
    let flat = layout::reshape(&b.tensor(0)?, &[-1])?;
    Ok(Out::One(arrange::diag_embed(&flat, b.int_or(1, 0))?))
}

/// The powers of the elements, side by side.
fn vander(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    if x.rank() != 1 {
        complain!(Kind::Runtime, "x must be a one-dimensional tensor.");
    }
    let n = b.int(1).unwrap_or(x.numel() as i64);
    if n < 0 {
        complain!(Kind::Runtime, "N must be non-negative.");
    }
    let mut columns = Vec::new();
    for k in 0..n {
        columns.push(one("pow", vec![(&x).into(), k.into()])?);
    }
    if !b.bool_or(2, false) {
        columns.reverse();
    }
    if columns.is_empty() {
        return Ok(Out::One(layout::reshape(&x, &[x.numel() as i64, 0])?));
    }
    Ok(Out::One(super::join::stack(&columns, 1)?))
}

/// Where the elements on one side of a diagonal are: rows, then columns.
fn triangle_indices(b: &mut Bound, upper: bool) -> Outcome<Out> {
    let (rows, columns, offset) = (b.int_or(0, 0).max(0), b.int_or(1, 0).max(0), b.int_or(2, 0));
    shape::count(&[rows as usize, columns as usize])?;
    let pairs: Vec<(i64, i64)> = (0..rows)
        .flat_map(|r| (0..columns).map(move |c| (r, c)))
        .filter(|(r, c)| {
            if upper {
                c - r >= offset
            } else {
                c - r <= offset
            }
        })
        .collect();
    let (r, c) = (
        pairs.iter().map(|p| p.0 as f64),
        pairs.iter().map(|p| p.1 as f64),
    );
    let data = r.chain(c).collect();
    let t = Tensor::new(&[2, pairs.len()], data).with_dtype(Dtype::Int64);
    Ok(Out::One(Variable::constant(t)))
}

fn argwhere(b: &mut Bound) -> Outcome<Out> {
    let columns = index::nonzero(&b.tensor(0)?.value());
    let n = columns.first().map_or(0, Tensor::numel);
    let rows = (0..n).flat_map(|k| columns.iter().map(move |c| c.data()[k]));
    let t = Tensor::new(&[n, columns.len()], rows.collect()).with_dtype(Dtype::Int64);
    Ok(Out::One(Variable::constant(t)))
}

/// Differences to both sides over their distance; at the ends to the one side there is.
fn gradient(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    if b.int_or(3, 1) != 1 {
        complain!(
            Kind::NotImplemented,
            "torch.gradient(): only edge_order=1 is provided"
        );
    }
    let dims = b.ints(2).unwrap_or_else(|| (0..x.rank() as i64).collect());
    let own = x.shape();
    let mut out = Vec::new();
    for dim in dims {
        let at = shape::axis(dim, own.len())?;
        let n = own[at];
        if n < 2 {
            complain!(
                Kind::Runtime,
                "torch.gradient expected each dimension size to be at least edge_order+1"
            );
        }
        let part = |start: usize, count: usize| index::slice(&x, at, (start, count, 1));
        let step = match b.arg(1) {
            Arg::Tensor(_) | Arg::Tensors(_) => complain!(
                Kind::NotImplemented,
                "torch.gradient(): only one number is provided as spacing"
            ),
            _ => b.float_or(1, 1.0),
        };
        let over = |upper: &Variable, lower: &Variable, by: f64| {
            table::div(&table::sub(upper, lower)?, &number(by))
        };
        let first = over(&part(1, 1)?, &part(0, 1)?, step)?;
        let last = over(&part(n - 1, 1)?, &part(n - 2, 1)?, step)?;
        let inner = over(&part(2, n - 2)?, &part(0, n - 2)?, 2.0 * step)?;
        out.push(super::join::cat(&[first, inner, last], at as i64)?);
    }
    Ok(Out::Many(out))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);
const TRIANGLE: &str = "(int row, int col, int offset=0)";

pub static ENTRIES: &[super::Entry] = entries! {
    "diagflat" BOTH, "(Tensor input, int offset=0)", "all elements on the diagonal of a matrix", "torch.diagflat(tensor([1, 2]))", ["diag_embed"]
        => diagflat;
    "vander" Forms::TORCH.and(Forms::NP), "(Tensor x, int N=None, bool increasing=False)", "the powers of the elements, side by side", "torch.vander(tensor([1., 2., 3.]))", ["pow"]
        => vander;
    "tril_indices" Forms::TORCH, TRIANGLE, "where the elements below a diagonal are", "torch.tril_indices(2, 2)", ["tril"]
        => |b| triangle_indices(b, false);
    "triu_indices" Forms::TORCH, TRIANGLE, "where the elements above a diagonal are", "torch.triu_indices(2, 2)", ["triu"]
        => |b| triangle_indices(b, true);
    "argwhere" BOTH.and(Forms::NP), "(Tensor input)", "positions of what is not 0", "torch.argwhere(tensor([0, 1]))", ["nonzero"]
        => argwhere;
    "gradient" Forms::TORCH, "(Tensor input, *, Scalar spacing=1, int[] dim=None, int edge_order=1)", "(xₖ₊₁ − xₖ₋₁)/2, at the ends to one side", "torch.gradient(tensor([1., 4., 9.]))", ["diff"]
        => gradient;
};
