//! Norms of matrices and of vectors under all of PyTorch's names, condition numbers, ranks.

use crate::maps::{floats, matrices, no_short, sizes};
use crate::svd::svdvals;
use vjp_maths::{Variable, table};
use vjp_ops::arrange::layout;
pub use vjp_ops::compose::named;
use vjp_ops::entry::USUAL;
use vjp_ops::reduce::statistics::norm;
use vjp_ops::reduce::sum;
use vjp_ops::{Arg, Bound, Forms, Out, entries};
use vjp_tensor::{Dtype, Kind, Outcome, Tensor, complain, shape};

/// Which norm.
#[derive(Clone, Debug, PartialEq)]
enum Order {
    Usual,
    Number(f64),
    Named(String),
}

impl Order {
    fn read(b: &Bound, k: usize) -> Order {
        match b.arg(k) {
            Arg::Str(s) => Order::Named(s.clone()),
            _ => b.float(k).map_or(Order::Usual, Order::Number),
        }
    }
}

/// The largest or the least along a dimension.
fn extreme(x: &Variable, largest: bool, dim: i64, keepdim: bool) -> Outcome<Variable> {
    let name = if largest { "amax" } else { "amin" };
    vjp_ops::compose::one(name, vec![x.into(), dim.into(), keepdim.into()])
}

/// As a C++ programmer prints a number.
fn shown(v: f64) -> String {
    if v == v.trunc() && v.abs() < 1e15 { format!("{v:.0}") } else { format!("{v}") }
}

/// Dimensions in another place.
fn moved(x: &Variable, from: [i64; 2], to: [i64; 2]) -> Outcome<Variable> {
    let args = vec![x.into(), from.as_slice().into(), to.as_slice().into()];
    vjp_ops::compose::one("movedim", args)
}

/// `torch.linalg.matrix_norm`.
fn matrix_norm(x: &Variable, order: &Order, dims: &[i64], keepdim: bool) -> Outcome<Variable> {
    let name = "linalg.matrix_norm";
    matrices(x, name)?;
    floats(x, name)?;
    let [a, b] = dims else {
        complain!("{name}: dim must be a 2-tuple. Got {}", listed(dims));
    };
    let rank = x.rank();
    let (p, q) = (shape::axis(*a, rank)? as i64, shape::axis(*b, rank)? as i64);
    if p == q {
        complain!("{name}: dims must be different. Got ({a}, {b})");
    }
    let singular = |x: &Variable| -> Outcome<Variable> {
        no_short(x, name)?;
        svdvals(&moved(x, [p, q], [-2, -1])?)
    };
    let restored = |y: Variable| -> Outcome<Variable> {
        if !keepdim {
            return Ok(y);
        }
        let last = layout::unsqueeze(&layout::unsqueeze(&y, -1)?, -1)?;
        moved(&last, [-2, -1], [p, q])
    };
    match order {
        Order::Usual => norm(x, 2.0, Some(&[p, q]), keepdim),
        Order::Named(s) if s == "fro" => norm(x, 2.0, Some(&[p, q]), keepdim),
        Order::Named(s) if s == "nuc" => restored(sum(&singular(x)?, Some(&[-1]), false)?),
        Order::Named(s) => complain!("{name}: Order {s} not supported."),
        // Of no singular values the largest is 0.
        Order::Number(2.0) if x.shape()[p as usize].min(x.shape()[q as usize]) == 0 => {
            restored(sum(&singular(x)?, Some(&[-1]), false)?)
        }
        Order::Number(n) if n.abs() == 2.0 => {
            restored(extreme(&singular(x)?, *n > 0.0, -1, false)?)
        }
        Order::Number(n) if n.abs() == 1.0 || n.is_infinite() => {
            // Column sums for ±1, row sums for ±∞.
            let (over, of) = if n.is_infinite() { (q, p) } else { (p, q) };
            let sums = norm(x, 1.0, Some(&[over]), keepdim)?;
            let of = if !keepdim && over < of { of - 1 } else { of };
            extreme(&sums, *n > 0.0, of, keepdim)
        }
        Order::Number(n) => {
            let n = if n.is_finite() { shown(*n) } else { format!("{n}") };
            complain!("{name}: Order {n} not supported.")
        }
    }
}

fn listed(dims: &[i64]) -> String {
    let all: Vec<String> = dims.iter().map(i64::to_string).collect();
    all.join(", ")
}

/// `torch.linalg.norm`: of vectors or matrices, by the order and the dimensions.
fn linalg_norm(
    x: &Variable,
    order: &Order,
    dims: Option<&[i64]>,
    keepdim: bool,
) -> Outcome<Variable> {
    let name = "linalg.norm";
    if let Some(d) = dims
        && d.len() != 1
        && d.len() != 2
        && *order != Order::Usual
    {
        complain!("{name}: If dim is specified, it must be of length 1 or 2. Got [{}]", listed(d));
    }
    if dims.is_none() && *order != Order::Usual && !matches!(x.rank(), 1 | 2) {
        complain!(
            "{name}: If dim is not specified but ord is, the input must be 1D or 2D. Got {}D.",
            x.rank()
        );
    }
    match order {
        Order::Usual => norm(x, 2.0, dims, keepdim),
        Order::Number(p) if dims.map_or(x.rank(), <[i64]>::len) == 1 => norm(x, *p, dims, keepdim),
        _ => matrix_norm(x, order, dims.unwrap_or(&[-2, -1]), keepdim),
    }
}

fn typed(b: &Bound, k: usize) -> Outcome<Variable> {
    let x = b.tensor(0)?;
    match b.dtype(k) {
        Some(d) if d < x.dtype() => complain!(
            "linalg.vector_norm: the dtype of the input ({}) should be convertible without narrowing to the specified dtype ({})",
            x.dtype().scalar_type(),
            d.scalar_type()
        ),
        Some(d) => layout::to_dtype(&x, d),
        None => Ok(x),
    }
}

/// `torch.norm(x, p='fro', dim=None)`: of vectors, "nuc" of matrices.
///
/// # Errors
/// Whole numbers, or dimensions out of range.
pub fn plain_norm(b: &mut Bound) -> Outcome<Out> {
    let (x, dims, keepdim) = (b.tensor(0)?, b.ints(2), b.bool_or(3, false));
    let y = match Order::read(b, 1) {
        Order::Named(s) if s == "nuc" => {
            let order = Order::Named(s);
            matrix_norm(&x, &order, dims.as_deref().unwrap_or(&[-2, -1]), keepdim)?
        }
        Order::Named(s) if s != "fro" => {
            complain!("linalg.matrix_norm: Order {s} not supported.")
        }
        Order::Number(p) => norm(&x, p, dims.as_deref(), keepdim)?,
        _ => norm(&x, 2.0, dims.as_deref(), keepdim)?,
    };
    Ok(Out::One(y))
}

/// `torch.linalg.cond(a, p)`.
fn cond(x: &Variable, order: &Order) -> Outcome<Variable> {
    let name = "linalg.cond";
    if x.rank() < 2 {
        complain!("{name}: The input tensor must have at least 2 dimensions.");
    }
    if matches!(order, Order::Usual | Order::Number(2.0 | -2.0)) {
        let s = svdvals(x)?;
        if s.shape().last() == Some(&0) {
            return sum(&s, Some(&[-1]), false);
        }
        let end = |from: i64| -> Outcome<Variable> {
            vjp_ops::compose::one("narrow", vec![(&s).into(), (-1).into(), from.into(), 1.into()])
        };
        let (most, least) = (end(0)?, end(-1)?);
        let ratio = if *order == Order::Number(-2.0) {
            table::div(&least, &most)?
        } else {
            table::div(&most, &least)?
        };
        return layout::squeeze(&ratio, Some(&[-1]));
    }
    crate::square(
        &x.shape(),
        &format!(
            "{name}(ord={})",
            match order {
                Order::Named(s) => s.clone(),
                Order::Number(p) => shown(*p),
                Order::Usual => String::new(),
            }
        ),
    )?;
    let dims = [-2, -1];
    let own = matrix_norm(x, order, &dims, false)?;
    let inverse = match crate::inverse(x) {
        Ok(inverse) => matrix_norm(&inverse, order, &dims, false)?,
        // Singular: infinite.
        Err(c) if c.kind == Kind::LinAlg => {
            let batch = own.shape();
            let inf = Tensor::filled(&batch, f64::INFINITY, x.dtype())?;
            return Ok(Variable::constant(inf));
        }
        Err(c) => return Err(c),
    };
    let product = table::mul(&own, &inverse)?;
    if *order == Order::Named("nuc".to_owned()) {
        return Ok(product);
    }
    named(&product, "cond", "NanToNumBackward0")
}

/// `torch.linalg.matrix_rank(a)`: singular values above a tolerance.
fn matrix_rank(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?.detach();
    if x.rank() < 2 {
        complain!(
            "torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions."
        );
    }
    let (hermitian, modern) =
        if b.overload == 0 { (b.bool_or(3, false), true) } else { (b.bool_or(2, false), false) };
    let s = if hermitian {
        let lambda = crate::factor::eigh(&x, true, &[0], "linalg.matrix_rank")?.swap_remove(0);
        Variable::constant(lambda.value().map(x.dtype(), f64::abs)?)
    } else {
        svdvals(&x)?
    };
    let (m, n) = sizes(&x.shape());
    let eps = if x.dtype() == Dtype::Float32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let (atol, rtol) = if modern {
        let atol = b.float(1);
        let usual = if atol.is_some_and(|a| a > 0.0) { 0.0 } else { eps * m.max(n) as f64 };
        (atol.unwrap_or(0.0), b.float(2).unwrap_or(usual))
    } else {
        (b.float(1).unwrap_or(0.0), 0.0)
    };
    let s = s.value();
    let k = s.shape().last().copied().unwrap_or(0);
    let batch = &s.shape()[..s.rank().saturating_sub(1)];
    let count: usize = batch.iter().product();
    let ranks = (0..count).map(|at| {
        let row = &s.data()[at * k..(at + 1) * k];
        let top = row.iter().fold(0.0f64, |t, v| t.max(*v));
        row.iter().filter(|v| **v > atol.max(rtol * top)).count() as f64
    });
    Ok(Out::One(Variable::constant(Tensor::typed(batch, ranks.collect(), Dtype::Int64))))
}

const L: Forms = Forms::LINALG;
const NORM: &str =
    "(Tensor A, float|str ord=None, int[] dim=None, bool keepdim=False, *, Dtype dtype=None)";

const PLAIN_NORM: &str = "(Tensor input, float|str p=2, int[] dim=None, bool keepdim=False)";

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "norm" USUAL, PLAIN_NORM, "y = √Σxᵢ²; ∂y/∂xᵢ = xᵢ/y, 0 at 0", "norm([3, 4])", ["square", "abs"] jax "norm({*})"
        => plain_norm;
    "norm" L, NORM, "y = √Σxᵢ² by default, other norms by order; of √Σxᵢ²: ∂y/∂xᵢ = xᵢ/y", "torch.linalg.norm(tensor([3., 4.]))", ["vector_norm", "matrix_norm", "cond"] jax "linalg_norm({*})"
        => |b| {
            let (order, dims) = (Order::read(b, 1), b.ints(2));
            Ok(Out::One(linalg_norm(&typed(b, 4)?, &order, dims.as_deref(), b.bool_or(3, false))?))
        };
    "vector_norm" L, "(Tensor x, Scalar ord=2, int[] dim=None, bool keepdim=False, *, Dtype dtype=None)", "y = (Σ|xᵢ|ᵖ)^(1/p); at p = 2 ∂y/∂xᵢ = xᵢ/y, 0 at 0", "torch.linalg.vector_norm(tensor([3., 4.]))", ["norm"] jax "vector_norm({*})"
        => |b| {
            let dims = b.ints(2);
            Ok(Out::One(norm(&typed(b, 4)?, b.float_or(1, 2.0), dims.as_deref(), b.bool_or(3, false))?))
        };
    "matrix_norm" L, "(Tensor A, float|str ord='fro', int[] dim=(-2, -1), bool keepdim=False, *, Dtype dtype=None)", "'fro': √Σxᵢⱼ²; 'nuc': the sum of the singular values; ±2: the largest or smallest; ±1, ±∞: the largest or smallest column or row sum of |xᵢⱼ|; 'fro': ∂y/∂X = X/y; 'nuc': U Vᵀ", "torch.linalg.matrix_norm(torch.eye(2), 2)", ["norm", "svdvals"] jax "matrix_norm({*})"
        => |b| {
            let (order, dims) = (Order::read(b, 1), b.ints(2).unwrap_or_else(|| vec![-2, -1]));
            Ok(Out::One(matrix_norm(&typed(b, 4)?, &order, &dims, b.bool_or(3, false))?))
        };
    "cond" L, "(Tensor A, float|str p=None)", "the largest singular value over the smallest, or ‖A‖ ‖A⁻¹‖; dy = (dσ₁ − y dσₙ)/σₙ", "torch.linalg.cond(tensor([[2., 0.], [0., 1.]]))", ["matrix_norm", "svdvals"] jax "jnp.linalg.cond({A}, {p})"
        => |b| {
            let order = Order::read(b, 1);
            Ok(Out::One(cond(&b.tensor(0)?, &order)?))
        };
    "matrix_rank" L, "(Tensor A, *, Scalar atol=None, Scalar rtol=None, bool hermitian=False)\n(Tensor A, Scalar tol, bool hermitian=False)", "the number of singular values above a tolerance", "torch.linalg.matrix_rank(torch.ones(2, 2))", ["svdvals"] jax "jnp.linalg.matrix_rank({A})"
        => matrix_rank;
};
