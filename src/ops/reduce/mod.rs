//! Sums, means and products over dimensions.

pub mod counting;
pub mod cumulative;
pub mod extreme;
pub mod predicates;
pub mod quantile;
pub mod running;
pub mod sort;
pub mod statistics;

use crate::entry::USUAL;
use crate::{Arg, Bound, Forms, Out};
use std::rc::Rc;
pub use vjp_maths::primitives::sum::{Axes, sum_of, summing};
use vjp_maths::{Array, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable, apply, table};
use vjp_tensor::{Dtype, Kind, Outcome, Tensor, complain};

/// `x.sum()`, `x.sum(dim, keepdim)`; whole numbers and bools add up as int64.
///
/// # Errors
/// Dimensions out of range.
pub fn sum(x: &Variable, dims: Option<&[i64]>, keepdim: bool) -> Outcome<Variable> {
    let dtype = if x.dtype().is_float() { x.dtype() } else { Dtype::Int64 };
    let axes = Axes::new(&x.shape(), dims, keepdim)?;
    if !dtype.is_float() {
        return whole(&x.value(), &axes, dtype, 0, i64::wrapping_add);
    }
    apply(Rc::new(sum_of(&axes)), std::slice::from_ref(x))
}

/// Whole numbers folded over dimensions, in a type that wraps around. What they are has no slope.
fn whole(
    x: &Tensor,
    axes: &Axes,
    dtype: Dtype,
    first: i64,
    f: fn(i64, i64) -> i64,
) -> Outcome<Variable> {
    let one = |g: &[i64]| g.iter().fold(first, |y, v| f(y, *v));
    Ok(Variable::constant(axes.fold_whole(x, dtype, one)?))
}

/// `y = Σ x / n`.
#[derive(Debug)]
pub struct Mean(pub Axes);

impl Rule for Mean {
    fn name(&self) -> &'static str {
        "mean"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let (n, own) = (self.0.count() as f64, inputs[0].dtype());
        // Of 16-bit floats in float32, rounded once.
        let wide = own.computed_in();
        let sum = Rule::value(&sum_of(&self.0), &[&inputs[0].to_dtype(wide)])?;
        Ok(sum.map(wide, |s| s / n)?.to_dtype(own))
    }

    fn symbols(&self, inputs: &[&Symbols], values: &[&Tensor], value: &Tensor) -> Option<Symbols> {
        let sum = Rule::symbols(&sum_of(&self.0), inputs, values, value)?;
        Some(sum.scale(1.0 / self.0.count() as f64))
    }

    fn composed<A: Array>(&self, inputs: &[&A]) -> Option<A> {
        let sum = self.0.collapse().apply(inputs[0]);
        Some(sum.scale(1.0 / self.0.count() as f64))
    }

    /// Divided: a float32 times `1/n` is rounded twice.
    fn pull(&self, _: &Point<Tensor>, _: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let n = self.0.count() as f64;
        Some(v.map(v.dtype(), |v| v / n).map(|v| self.0.spread(&v)))
    }

    fn linear<A: Array>(&self, _: &Point<A>, _: usize) -> LinearMap<A> {
        let scale = LinearMap::Scale { by: 1.0 / self.0.count() as f64, shape: self.0.to() };
        LinearMap::Then(vec![self.0.collapse(), scale])
    }
}

impl TorchNode for Mean {
    fn grad_fn(&self) -> &'static str {
        if self.0.all { "MeanBackward0" } else { "MeanBackward1" }
    }

    fn saves(&self) -> Saves {
        Saves::Nothing
    }
}

/// `x.mean()`, `x.mean(dim, keepdim)`.
///
/// # Errors
/// Whole numbers, or dimensions out of range.
pub fn mean(x: &Variable, dims: Option<&[i64]>, keepdim: bool) -> Outcome<Variable> {
    let dtype = x.dtype();
    if !dtype.is_float() {
        complain!(
            Kind::NotImplemented,
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}",
            dtype.scalar_type()
        );
    }
    let axes = Axes::new(&x.shape(), dims, keepdim)?;
    apply(Rc::new(Mean(axes)), std::slice::from_ref(x))
}

/// `y = Π x`.
#[derive(Debug)]
pub struct Prod(pub Axes);

impl Prod {
    /// For each element, the product of the others: by division where no factor is 0, else from the
    /// products before it and after it.
    fn others<A: Array>(&self, x: &A, y: &A, value: &Tensor) -> A {
        if !value.data().contains(&0.0) {
            return A::call(&table::DIV, &[&self.0.spread(y), x]);
        }
        let (groups, n) = (self.0.groups(), self.0.count());
        let results = groups.len() / n.max(1);
        let column = |k: usize| {
            let at = (0..results).map(|g| groups[g * n + k]).collect::<Vec<_>>();
            x.gather(&vjp_maths::primitives::fixed::element_map(&self.0.from, &[results], at))
        };
        let columns: Vec<A> = (0..n).map(column).collect();
        let mut before = vec![x.full(&[results], 1.0)];
        let mut after = vec![x.full(&[results], 1.0)];
        for k in 0..n.saturating_sub(1) {
            before.push(before[k].mul(&columns[k]));
            after.push(after[k].mul(&columns[n - 1 - k]));
        }
        let mut out: Option<A> = None;
        for k in 0..n {
            let product = before[k].mul(&after[n - 1 - k]);
            let at = (0..results).map(|g| groups[g * n + k]).collect::<Vec<_>>();
            let part = product.scatter(&vjp_maths::primitives::fixed::element_map(
                &self.0.from,
                &[results],
                at,
            ));
            out = Some(match out {
                Some(sum) => sum.add(&part),
                None => part,
            });
        }
        out.unwrap_or_else(|| x.full(&self.0.from, 1.0))
    }
}

impl Rule for Prod {
    fn name(&self) -> &'static str {
        "prod"
    }

    fn code(&self, inputs: &[String]) -> Option<String> {
        Some(format!("torch.prod({}{})", inputs[0], self.0.code()))
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        self.0.fold(inputs[0], inputs[0].dtype(), |g| g.iter().product())
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        let (groups, n) = (self.0.groups(), self.0.count());
        let to = self.0.to();
        let data = (0..to.iter().product()).map(|k| {
            groups[k * n..(k + 1) * n]
                .iter()
                .map(|p| inputs[0].data[*p].clone())
                .reduce(|a, b| vjp_maths::Algebra::call(&table::MUL, &[&a, &b]))
                .unwrap_or_else(|| vjp_maths::Expr::constant(1.0))
        });
        Some(Symbols { data: data.collect(), shape: to })
    }

    /// Beside two factors of 0 no path is left, whatever comes. Beside one, the products of those before
    /// and of those after, a 0 with its sign.
    fn pull(&self, at: &Point<Tensor>, _: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let x = at.values[0];
        let zeros = x.data().iter().filter(|v| **v == 0.0).count();
        if self.0.all && zeros > 1 {
            return Some(Tensor::filled(x.shape(), 0.0, at.value.dtype()));
        }
        if zeros == 0 || x.dtype() != at.value.dtype() || v.numel() != at.value.numel() {
            return None;
        }
        let (groups, n, dtype) = (self.0.groups(), self.0.count().max(1), v.dtype());
        let mut out = vec![0.0; x.numel()];
        for (group, v) in groups.chunks(n).zip(v.data()) {
            let run = |order: &mut dyn Iterator<Item = &usize>| -> Vec<f64> {
                let mut product = 1.0;
                let mut before = |p: &usize| {
                    let own = dtype.cast(product);
                    product *= x.data()[*p];
                    own
                };
                order.map(&mut before).collect()
            };
            let (before, mut after) = (run(&mut group.iter()), run(&mut group.iter().rev()));
            after.reverse();
            for ((p, a), b) in group.iter().zip(before).zip(after) {
                out[*p] = dtype.cast(v * dtype.cast(a * b));
            }
        }
        Some(Ok(Tensor::typed(x.shape(), out, dtype)))
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let by = self.others(at.inputs[0], at.output, at.values[0]);
        let weigh = LinearMap::Diagonal { by, shape: self.0.from.clone() };
        LinearMap::Then(vec![weigh, self.0.collapse()])
    }
}

impl TorchNode for Prod {
    fn grad_fn(&self) -> &'static str {
        if self.0.all { "ProdBackward0" } else { "ProdBackward1" }
    }

    fn saves(&self) -> Saves {
        Saves::InputsAndOutput(1)
    }
}

fn prod(b: &mut Bound) -> Outcome<Out> {
    let x = converted(b, 3)?;
    let axes = Axes::new(&x.shape(), b.ints(1).as_deref(), b.bool_or(2, false))?;
    Ok(Out::One(match total(b, &x) {
        Some(dtype) => whole(&x.value(), &axes, dtype, 1, i64::wrapping_mul)?,
        None => apply(Rc::new(Prod(axes)), &[x])?,
    }))
}

/// The type in which whole numbers add up: the one that was asked for, else int64. None of floats.
fn total(b: &Bound, x: &Variable) -> Option<Dtype> {
    match (x.dtype(), b.dtype(3)) {
        (d, _) if d.is_float() => None,
        (d, Some(_)) => Some(d),
        _ => Some(Dtype::Int64),
    }
}

fn summed(b: &mut Bound) -> Outcome<Out> {
    let (x, dims, keepdim) = (converted(b, 3)?, dimensions(b), b.bool_or(2, false));
    Ok(Out::One(match total(b, &x) {
        Some(dtype) => {
            let axes = Axes::new(&x.shape(), dims.as_deref(), keepdim)?;
            whole(&x.value(), &axes, dtype, 0, i64::wrapping_add)?
        }
        None => sum(&x, dims.as_deref(), keepdim)?,
    }))
}

/// The dimensions named; `dim=None` names all of them.
fn dimensions(b: &Bound) -> Option<Vec<i64>> {
    match b.arg(1) {
        Arg::None => Some(Vec::new()),
        _ => b.ints(1),
    }
}

/// The input, converted where `dtype=` was given.
fn converted(b: &Bound, k: usize) -> Outcome<Variable> {
    let x = b.tensor(0)?;
    match b.dtype(k) {
        Some(d) => crate::arrange::layout::to_dtype(&x, d),
        None => Ok(x),
    }
}

const REDUCE: &str = "(Tensor input, int[] dim=None, bool keepdim=False, *, Dtype dtype=None)";

pub static ENTRIES: &[crate::Entry] = entries! {
    "sum" USUAL.and(Forms::NP), REDUCE, "y = Σ xᵢ; ∂y/∂xᵢ = 1", "sum([1, 2, 3])", ["mean", "prod", "cumsum"]
        => summed;
    "mean" USUAL.and(Forms::NP), REDUCE, "y = Σ xᵢ / n; ∂y/∂xᵢ = 1/n", "mean([1, 2, 3])", ["sum", "median", "var"]
        => |b| Ok(Out::One(mean(&converted(b, 3)?, dimensions(b).as_deref(), b.bool_or(2, false))?));
    "prod" USUAL.and(Forms::NP), REDUCE, "y = Π xᵢ; ∂y/∂xᵢ = y / xᵢ", "prod([2, 3, 4])", ["sum", "cumprod"]
        => prod;
};
