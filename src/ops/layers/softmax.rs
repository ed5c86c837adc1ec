//! Softmax and its like.

use crate::moments::{self, EachRow, Row, Work};
use std::rc::Rc;
use vjp_maths::primitives::sum::Rows;
use vjp_maths::{
    Array, Expr, Formula, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable, apply, table,
};
use vjp_ops::arrange::layout;
use vjp_ops::reduce::Axes;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::kernels::blocks::Stored;
use vjp_tensor::kernels::strided::beside;
use vjp_tensor::kernels::{Cpu, LANES_FROM, sleef};
use vjp_tensor::{Dtype, Kind, Outcome, Tensor, complain, shape};

/// Bytes in the widest register.
const REGISTER: usize = 64;

/// `yᵢ = exp xᵢ / Σ exp x`, or its logarithm.
#[derive(Debug)]
pub struct Softmax {
    pub axes: Axes,
    pub log: bool,
}

impl Softmax {
    /// See [`Softened::columns`].
    fn columns(&self) -> Option<usize> {
        let (from, last) = (&self.axes.from, *self.axes.dims.last()?);
        (last + 1 < from.len()).then(|| from[last + 1..].iter().product())
    }

    /// Sums over the rows, spread over them again.
    fn mix<A>(&self) -> Vec<LinearMap<A>> {
        let ones = self.axes.ones();
        vec![
            LinearMap::Collapse { from: self.axes.from.clone(), to: ones.clone() },
            LinearMap::Expand { from: ones, to: self.axes.from.clone() },
        ]
    }
}

/// Where the elements of a row lie: beside each other, or as a column beside others.
#[derive(Clone, Copy, PartialEq)]
enum Lie {
    Row,
    /// PyTorch takes columns by whole registers, `alone` what is left over (here as one of its threads does).
    Column {
        alone: bool,
    },
}

/// `eˣ` of each, as PyTorch's vector loops have it where none is `alone`.
#[inline(always)]
fn exp<W: Work, T: Stored>(w: W, all: &mut [T], alone: bool) {
    match W::DTYPE {
        _ if alone => {
            for x in all {
                *x = T::of(w.cast(x.wide().exp()));
            }
        }
        Dtype::Float32 => {
            for x in all {
                *x = T::of(f64::from(sleef::exp(x.wide() as f32)));
            }
        }
        _ => {
            for x in all {
                *x = T::of(sleef::exp_double(x.wide()));
            }
        }
    }
}

/// The largest of a row, in as many beside each other as a wide register holds.
#[inline(always)]
fn largest<T: Stored>(row: &[T]) -> f64 {
    let (registers, rest) = row.as_chunks::<16>();
    let mut tops = [T::of(f64::NEG_INFINITY); 16];
    for register in registers {
        for (top, x) in tops.iter_mut().zip(register) {
            *top = if *x > *top { *x } else { *top };
        }
    }
    for half in [8, 4, 2, 1] {
        let (low, high) = tops.split_at_mut(half);
        for (low, high) in low.iter_mut().zip(high) {
            *low = if *high > *low { *high } else { *low };
        }
    }
    rest.iter().fold(tops[0].wide(), |top, x| top.max(x.wide()))
}

/// A row's softmax or its logarithm, rounded step by step as PyTorch's kernel rounds.
struct Soft<'a, T> {
    row: &'a [T],
    log: bool,
    lie: Lie,
    out: &'a mut [T],
}

impl<T: Stored> Row for Soft<'_, T> {
    type Out = ();

    #[inline(always)]
    fn done<W: Work>(self, w: W) {
        let Soft { row, log, lie, out } = self;
        let top = largest(row);
        // Step by step as PyTorch's kernel: an infinite largest has no distance from itself.
        for (out, x) in out.iter_mut().zip(row) {
            *out = T::of(w.cast(x.wide() - top));
        }
        exp(w, out, !log && lie == Lie::Column { alone: true });
        let total = match lie {
            Lie::Row => beside(out, W::DTYPE),
            Lie::Column { .. } => out.iter().fold(0.0, |sum, y| w.cast(sum + y.wide())),
        };
        if log {
            let less = match W::DTYPE {
                Dtype::Float32 => f64::from(sleef::log(total as f32)),
                _ => total.ln(),
            };
            for (out, x) in out.iter_mut().zip(row) {
                *out = T::of(w.cast(x.wide() - top) - less);
            }
            return;
        }
        let by = w.cast(1.0 / total);
        for out in out {
            *out = T::of(if lie == Lie::Row { out.wide() * by } else { out.wide() / total });
        }
    }
}

/// `v` pulled through a row's softmax or its logarithm.
struct Through<'a, T> {
    y: &'a [T],
    v: &'a [T],
    log: bool,
    lie: Lie,
    out: &'a mut [T],
}

impl<T: Stored> Row for Through<'_, T> {
    type Out = ();

    #[inline(always)]
    fn done<W: Work>(self, w: W) {
        let Through { y, v, log, lie, out } = self;
        if log {
            let total = match lie {
                Lie::Row => beside(v, W::DTYPE),
                Lie::Column { .. } => v.iter().fold(0.0, |sum, v| w.cast(sum + v.wide())),
            };
            out.copy_from_slice(y);
            exp(w, out, lie == Lie::Column { alone: true });
            for (out, v) in out.iter_mut().zip(v) {
                *out = T::of(w.fused(-out.wide(), total, v.wide()));
            }
            return;
        }
        let total = match lie {
            Lie::Row => {
                for ((out, y), v) in out.iter_mut().zip(y).zip(v) {
                    *out = T::of(w.cast(v.wide() * y.wide()));
                }
                beside(out, W::DTYPE)
            }
            Lie::Column { .. } => {
                y.iter().zip(v).fold(0.0, |sum, (y, v)| w.fused(v.wide(), y.wide(), sum))
            }
        };
        for ((out, y), v) in out.iter_mut().zip(y).zip(v) {
            *out = T::of(w.cast(w.cast(v.wide() - total) * y.wide()));
        }
    }
}

/// Every row's softmax, or what is pulled through it.
struct Softened<'a> {
    rows: Rows<'a>,
    v: Option<Rows<'a>>,
    dtype: Dtype,
    log: bool,
    /// How many columns lie beside each other; none where rows do.
    columns: Option<usize>,
}

impl EachRow for Softened<'_> {
    fn row<T: Stored>(&self, cpu: Cpu, first: usize, out: &mut [T]) {
        let (log, k) = (self.log, first / out.len());
        let width = match self.dtype {
            Dtype::Float64 => size_of::<f64>(),
            _ => size_of::<f32>(),
        };
        let cpu = if self.dtype.is_half() { cpu } else { Cpu::over(LANES_FROM) };
        let alone = |n: usize| k % n >= n - n % (REGISTER / width);
        let lie = self.columns.map_or(Lie::Row, |n| Lie::Column { alone: alone(n) });
        let row: &[T] = &self.rows.get(k);
        match &self.v {
            Some(v) => {
                let v: &[T] = &v.get(k);
                moments::work(self.dtype, cpu, Through { y: row, v, log, lie, out });
            }
            None => moments::work(self.dtype, cpu, Soft { row, log, lie, out }),
        }
    }
}

impl Rule for Softmax {
    fn code(&self, inputs: &[String]) -> Option<String> {
        let dim = self.axes.dims.first()?;
        Some(format!("torch.{}({}, dim={dim})", Rule::name(self), inputs[0]))
    }

    fn name(&self) -> &'static str {
        if self.log { "log_softmax" } else { "softmax" }
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let x = inputs[0];
        let (dtype, log, rows) = (x.dtype(), self.log, self.axes.by_row(x)?);
        let columns = self.columns();
        moments::by_row(&self.axes, x, &Softened { rows, v: None, dtype, log, columns })
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        let x = inputs[0];
        let mut data = x.data.to_vec();
        for group in self.axes.groups().chunks(self.axes.count().max(1)) {
            let parts: Vec<Formula<Expr>> =
                group.iter().map(|p| Formula::In(x.data[*p].clone()).exp()).collect();
            let total = parts.iter().cloned().reduce(|a, b| a + b)?;
            for (p, part) in group.iter().zip(parts) {
                let e = if self.log {
                    Formula::In(x.data[*p].clone()) - total.log()
                } else {
                    part / &total
                };
                data[*p] = e.expr();
            }
        }
        Some(Symbols { shape: x.shape.clone(), data: data.into() })
    }

    /// Rounded step by step as PyTorch's kernels round: the gradient of a sum is 0 but for rounding.
    fn pull(&self, at: &Point<Tensor>, _: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let y = at.output;
        let pulled = || {
            let (dtype, log) = (y.dtype(), self.log);
            let (rows, v) = (self.axes.by_row(y)?, Some(self.axes.by_row(v)?));
            let columns = self.columns();
            moments::by_row(&self.axes, y, &Softened { rows, v, dtype, log, columns })
        };
        Some(pulled())
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let shape = self.axes.from.clone();
        let s = if self.log { A::call(&table::EXP, &[at.output]) } else { at.output.clone() };
        let weigh = |by: A| LinearMap::Diagonal { by, shape: shape.clone() };
        let minus = LinearMap::Scale { by: -1.0, shape: shape.clone() };
        // log: dx − Σ s dx.  plain: s (dx − Σ s dx).
        let mut second = vec![weigh(s.clone())];
        second.extend(self.mix());
        if self.log {
            second.push(minus);
            let identity = LinearMap::Scale { by: 1.0, shape };
            return LinearMap::Plus(vec![identity, LinearMap::Then(second)]);
        }
        second.push(weigh(s.scale(-1.0)));
        LinearMap::Plus(vec![weigh(s), LinearMap::Then(second)])
    }
}

impl TorchNode for Softmax {
    fn grad_fn(&self) -> &'static str {
        if self.log { "LogSoftmaxBackward0" } else { "SoftmaxBackward0" }
    }

    fn saves(&self) -> Saves {
        Saves::Output
    }
}

/// `x.softmax(dim)`, `x.log_softmax(dim)`.
///
/// # Errors
/// The dimension out of range.
pub fn softmax(x: &Variable, dim: i64, log: bool) -> Outcome<Variable> {
    let axes = Axes::new(&x.shape(), Some(&[dim]), true)?;
    apply(Rc::new(Softmax { axes, log }), std::slice::from_ref(x))
}

/// Whether PyTorch has softmaxes of such numbers.
pub fn has_kernel(x: &Variable, dim: i64, log: bool) -> Outcome<()> {
    let at = shape::axis(dim, x.rank())?;
    if !x.dtype().is_float() && x.numel() > 0 {
        complain!(
            Kind::NotImplemented,
            "\"{}softmax_{}kernel_impl\" not implemented for '{}'",
            if log { "log_" } else { "" },
            if at + 1 >= x.rank() { "lastdim_" } else { "" },
            x.dtype().scalar_type()
        );
    }
    Ok(())
}

/// The dimension; without one, PyTorch guesses and warns.
fn along(b: &Bound, x: &Variable) -> i64 {
    b.int(1).unwrap_or_else(|| {
        vjp_tensor::warnings::warn(format!(
            "Implicit dimension choice for {} has been deprecated. Change the call to include dim=X as an argument.",
            b.name
        ));
        if matches!(x.rank(), 0 | 1 | 3) { 0 } else { 1 }
    })
}

fn softened(b: &mut Bound, log: bool) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let x = match b.dtype(2) {
        Some(d) => layout::to_dtype(&x, d)?,
        None => x,
    };
    let dim = along(b, &x);
    has_kernel(&x, dim, log)?;
    Ok(Out::One(softmax(&x, dim, log)?))
}

const FORMS: Forms = Forms::TORCH.and(Forms::METHOD).and(Forms::SPECIAL);
/// Where the dimension may be left to PyTorch's guess.
const GUESS: Forms = Forms::F.and(Forms::SHORT);
const ALONG: &str = "(Tensor input, int dim, Dtype dtype=None)";
const BY: &str = "(Tensor input, int dim=None, Dtype dtype=None)";

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "softmax" GUESS, BY, "yᵢ = exp xᵢ / Σ exp x; ∂yᵢ/∂xⱼ = yᵢ(δᵢⱼ − yⱼ)", "softmax([1, 2], 0)", ["log_softmax", "logsumexp"] jax "jax.nn.softmax({input}, axis={dim})"
        => |b| softened(b, false);
    "softmax" FORMS, ALONG, "yᵢ = exp xᵢ / Σ exp x; ∂yᵢ/∂xⱼ = yᵢ(δᵢⱼ − yⱼ)", "torch.softmax(tensor([1., 2.]), 0)", ["log_softmax", "logsumexp"] jax "jax.nn.softmax({input}, axis={dim})"
        => |b| softened(b, false);
    "log_softmax" FORMS, ALONG, "yᵢ = xᵢ − log Σ exp x; ∂yᵢ/∂xⱼ = δᵢⱼ − exp yⱼ", "torch.log_softmax(tensor([1., 2.]), 0)", ["softmax"] jax "jax.nn.log_softmax({input}, axis={dim})"
        => |b| softened(b, true);
    "log_softmax" GUESS, BY, "yᵢ = xᵢ − log Σ exp x; ∂yᵢ/∂xⱼ = δᵢⱼ − exp yⱼ", "log_softmax([1, 2], 0)", ["softmax"] jax "jax.nn.log_softmax({input}, axis={dim})"
        => |b| softened(b, true);
    "softmin" Forms::F, BY, "softmax of −x; ∂yᵢ/∂xⱼ = yᵢ(yⱼ − δᵢⱼ)", "F.softmin(tensor([1., 2.]), 0)", ["softmax"] jax "jax.nn.softmax(-{input}, axis={dim})"
        => |b| {
            let x = table::neg(&b.tensor(0)?)?;
            let dim = along(b, &x);
            has_kernel(&x, dim, false)?;
            Ok(Out::One(softmax(&x, dim, false)?))
        };
    "normalize" Forms::F, "(Tensor input, float p=2.0, int dim=1, float eps=1e-12)", "y = x / max(‖x‖, ε)", "F.normalize(tensor([3., 4.]), dim=0)", ["norm"] jax "normalize({*})"
        => |b| {
            let x = b.tensor(0)?;
            let n = vjp_ops::reduce::statistics::norm(&x, b.float_or(1, 2.0), Some(&[b.int_or(2, 1)]), true)?;
            let n = apply((table::CLAMP_MIN_BY.operation)(&[b.float_or(3, 1e-12)]), &[n])?;
            let sizes: Vec<i64> = x.shape().iter().map(|d| *d as i64).collect();
            Ok(Out::One(table::div(&x, &layout::expand(&n, &sizes)?)?))
        };
};
