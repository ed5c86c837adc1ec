//! Running sums and products.

use crate::entry::USUAL;
use crate::reduce::Axes;
use crate::{Bound, Forms, Out};
use std::rc::Rc;
use vjp_maths::primitives::fixed::{Plain, element_map};
use vjp_maths::{
    Array, Fixed, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable, apply, table,
};
use vjp_tensor::exact_integers::{self, longs};
use vjp_tensor::{Dtype, Element, ElementMap, Outcome, Tensor, budget, shape};

/// Elements moved `by` places along a dimension; nothing moves in.
pub(crate) fn shift(own: &[usize], dim: usize, by: usize, backwards: bool) -> ElementMap {
    let stride = shape::strides(own).get(dim).copied().unwrap_or(1);
    let n = own.get(dim).copied().unwrap_or(1);
    let moved = |k: usize| {
        let at = k / stride % n;
        match (backwards, at >= by, at + by < n) {
            (false, true, _) => k - by * stride,
            (true, _, true) => k + by * stride,
            _ => ElementMap::NONE,
        }
    };
    let total = own.iter().product();
    // Cut short it is whatever: nothing counts that is found while somebody wishes to stop.
    let index = budget::listed(total, moved).unwrap_or_else(|_| vec![0; total]);
    element_map(own, own, index)
}

/// The running sum in log n steps: each adds what stands 1, 2, 4 … places before.
fn running(own: &[usize], dim: usize) -> Plain {
    let n = own.get(dim).copied().unwrap_or(1);
    let identity = || LinearMap::Scale { by: 1.0, shape: own.to_vec() };
    let mut steps = Vec::new();
    let mut by = 1;
    while by < n && !budget::stopping() {
        steps
            .push(LinearMap::Plus(vec![identity(), LinearMap::Gather(shift(own, dim, by, false))]));
        by *= 2;
    }
    match steps.len() {
        0 => identity(),
        1 => steps.remove(0),
        _ => LinearMap::Then(steps),
    }
}

/// Running results of each row along a dimension.
fn scan(x: &Tensor, dim: usize, dtype: Dtype, f: impl Fn(f64, f64) -> f64) -> Outcome<Tensor> {
    Ok(Tensor::typed(x.shape(), scan_from(x.data(), (x.shape(), dim), false, f)?, dtype))
}

/// [`scan`], or where `last` is the first from the other end.
fn scan_from<T: Element>(
    x: &[T],
    (own, dim): (&[usize], usize),
    last: bool,
    f: impl Fn(T, T) -> T,
) -> Outcome<Vec<T>> {
    let axes = Axes::new(own, Some(&[dim as i64]), true)?;
    let mut out = vec![T::default(); x.len()];
    for group in axes.groups().chunks(axes.count().max(1)) {
        let mut running = None;
        for k in 0..group.len() {
            if k.is_multiple_of(1 << 16) {
                budget::tick()?;
            }
            let p = group[if last { group.len() - 1 - k } else { k }];
            let v = x[p];
            let now = running.map_or(v, |r| f(r, v));
            out[p] = now;
            running = Some(now);
        }
    }
    Ok(out)
}

/// `yₖ = Σ x₁ … xₖ`, added up in order.
#[derive(Debug)]
pub struct CumSum {
    map: Fixed,
    dim: usize,
}

impl Rule for CumSum {
    fn code(&self, inputs: &[String]) -> Option<String> {
        Some(format!("torch.cumsum({}, dim={})", inputs[0], self.dim))
    }

    fn name(&self) -> &'static str {
        "cumsum"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        // From 0 on: 0 + -0 is 0.
        let mut sums = scan(inputs[0], self.dim, inputs[0].dtype(), |a, b| a + b)?;
        sums.unsign();
        Ok(sums)
    }

    fn symbols(&self, inputs: &[&Symbols], values: &[&Tensor], value: &Tensor) -> Option<Symbols> {
        self.map.symbols(inputs, values, value)
    }

    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        Rule::linear(&self.map, at, wrt)
    }

    /// The running sum from the other end, in its order.
    fn pull(&self, _: &Point<Tensor>, _: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let sums = scan_from(v.data(), (v.shape(), self.dim), true, |a, b| a + b);
        Some(sums.map(|sums| Tensor::typed(v.shape(), sums, v.dtype())))
    }
}

impl TorchNode for CumSum {
    fn grad_fn(&self) -> &'static str {
        "CumsumBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::Nothing
    }

    fn second(&self, wrt: usize) -> Option<&'static str> {
        TorchNode::second(&self.map, wrt)
    }
}

/// `yₖ = Π x₁ … xₖ`.
#[derive(Debug)]
pub struct CumProd {
    dim: usize,
}

impl Rule for CumProd {
    fn code(&self, inputs: &[String]) -> Option<String> {
        Some(format!("torch.cumprod({}, dim={})", inputs[0], self.dim))
    }

    fn name(&self) -> &'static str {
        "cumprod"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        scan(inputs[0], self.dim, inputs[0].dtype(), |a, b| a * b)
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        let own = &inputs[0].shape;
        let (n, stride) = (*own.get(self.dim)?, *shape::strides(own).get(self.dim)?);
        let mut data = inputs[0].data.to_vec();
        for k in 0..data.len() {
            if k / stride % n > 0 {
                let before = data[k - stride].clone();
                data[k] = vjp_maths::Algebra::call(&table::MUL, &[&before, &data[k]]);
            }
        }
        Some(Symbols { shape: own.clone(), data: data.into() })
    }

    /// As PyTorch: what is summed up from the end, divided by each factor; the first 0 apart.
    fn pull(&self, at: &Point<Tensor>, _: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let (x, y) = (at.values[0], at.value);
        let n = x.shape().get(self.dim).copied().unwrap_or(1);
        if x.numel() <= 1 || n == 1 {
            return Some(Ok(v.clone()));
        }
        let axes = Axes::new(x.shape(), Some(&[self.dim as i64]), true).ok()?;
        let mut out = vec![0.0; x.numel()];
        for group in axes.groups().chunks(n) {
            let x: Vec<f64> = group.iter().map(|p| x.data()[*p]).collect();
            let w: Vec<f64> = group.iter().map(|p| y.data()[*p] * v.data()[*p]).collect();
            let first = x.iter().position(|f| *f == 0.0).unwrap_or(n);
            let mut sum = 0.0;
            for k in (0..first).rev() {
                sum += w[k];
                out[group[k]] = sum / x[k];
            }
            if first < n {
                let before = if first == 0 { 1.0 } else { y.data()[group[first - 1]] };
                let (mut product, mut sum) = (1.0, v.data()[group[first]]);
                for k in first + 1..n {
                    if x[k] == 0.0 {
                        break;
                    }
                    product *= x[k];
                    sum += product * v.data()[group[k]];
                }
                out[group[first]] = sum * before;
            }
        }
        Some(Ok(Tensor::typed(x.shape(), out, y.dtype())))
    }

    /// `∂yₖ/∂xⱼ` for j ≤ k is the product of the others: a sum over the distance k − j, each a
    /// diagonal after a shift.
    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let own = at.values[0].shape();
        let x = at.inputs[0];
        let Some(n) = own.get(self.dim).copied().filter(|n| *n != 1) else {
            return LinearMap::Scale { by: 1.0, shape: own.to_vec() };
        };
        // The product of all before each element; nothing before the first.
        let earlier = at.output.gather(&shift(own, self.dim, 1, false));
        let first = at.output.full(own, 1.0);
        let outside = shift(own, self.dim, 1, false);
        let is_first = first.gather(&element_map(
            own,
            own,
            outside
                .index
                .iter()
                .enumerate()
                .map(|(k, i)| if *i == ElementMap::NONE { k } else { ElementMap::NONE })
                .collect(),
        ));
        let before = earlier.add(&is_first);
        let mut parts = Vec::new();
        // Of what stands between input j and output k: at distance 0 nothing.
        let mut between = first;
        for by in 0..n {
            let moved = shift(own, self.dim, by, false);
            let coefficient = if by == 0 {
                before.clone()
            } else {
                between = if by == 1 {
                    x.clone()
                } else {
                    x.mul(&between.gather(&shift(own, self.dim, 1, false)))
                };
                before.gather(&moved).mul(&between)
            };
            let weigh = LinearMap::Diagonal { by: coefficient, shape: own.to_vec() };
            parts.push(if by == 0 {
                weigh
            } else {
                LinearMap::Then(vec![LinearMap::Gather(moved), weigh])
            });
        }
        LinearMap::Plus(parts)
    }
}

impl TorchNode for CumProd {
    fn grad_fn(&self) -> &'static str {
        "CumprodBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::InputsAndOutput(1)
    }
}

fn operand(b: &Bound) -> Outcome<(Variable, usize)> {
    let x = b.tensor(0)?;
    let x = match b.dtype(2) {
        Some(d) => crate::arrange::layout::to_dtype(&x, d)?,
        None => x,
    };
    let dim = shape::axis(b.int_or(1, 0), x.rank())?;
    Ok((x, dim))
}

/// Running results of whole numbers; None of floats.
fn whole(b: &Bound, x: &Variable, dim: usize, f: fn(i64, i64) -> i64) -> Option<Outcome<Out>> {
    let dtype = match (x.dtype(), b.dtype(2)) {
        (d, _) if d.is_float() => return None,
        (d, Some(_)) => d,
        _ => Dtype::Int64,
    };
    let x = x.value();
    let made = scan_from(&longs(&x), (x.shape(), dim), false, |a, b| {
        exact_integers::wrapped(f(a, b), dtype)
    });
    let whole = |all| Tensor::from_whole(x.shape(), all, dtype);
    Some(made.map(|all| Out::One(Variable::constant(whole(all)))))
}

const RUN: &str = "(Tensor input, int dim, *, Dtype dtype=None)";

pub static ENTRIES: &[crate::Entry] = entries! {
    "cumsum" USUAL.and(Forms::NP).and(Forms::INPLACE), RUN, "yₖ = x₁ + … + xₖ; ∂yₖ/∂xᵢ = 1 for i ≤ k, else 0", "cumsum([1, 2, 3], 0)", ["sum", "cumprod"] jax "jnp.cumsum({input}, {dim})"
        => |b| {
            let (x, dim) = operand(b)?;
            if let Some(sums) = whole(b, &x, dim, i64::wrapping_add) {
                return sums;
            }
            let map = Fixed::new("cumsum", "CumsumBackward0", running(&x.shape(), dim));
            let passes = x.shape().get(dim).is_none_or(|n| *n <= 1);
            let map = Fixed { passes, adds: true, ..map };
            Ok(Out::One(apply(Rc::new(CumSum { map, dim }), &[x])?))
        };
    "cumprod" USUAL.and(Forms::NP).and(Forms::INPLACE), RUN, "yₖ = x₁ · … · xₖ; ∂yₖ/∂xᵢ = yₖ/xᵢ for i ≤ k, else 0", "cumprod([1, 2, 3], 0)", ["prod", "cumsum"] jax "jnp.cumprod({input}, {dim})"
        => |b| {
            let (x, dim) = operand(b)?;
            if let Some(products) = whole(b, &x, dim, i64::wrapping_mul) {
                return products;
            }
            Ok(Out::One(apply(Rc::new(CumProd { dim }), &[x])?))
        };
};
