//! Pooling: the largest or the mean under a moving window.

use super::conv::{Window, spread};
use super::extreme::Chosen;
use super::fixed::{Fixed, Plain, wires};
use super::{Bound, Forms, Out, layout};
use crate::complain;
use crate::maths::complaint::{Kind, Outcome};
use crate::maths::kernels::blocks::listed;
use crate::maths::linear::{LinearMap, Wires};
use crate::maths::rule::Saves;
use crate::maths::shape;
use crate::maths::tensor::{Dtype, Tensor};
use crate::maths::torch_says::sizes;
use crate::maths::variable::{Variable, apply};
use std::rc::Rc;

/// A window over the last two or three dimensions of an input.
struct Pool {
    window: Window,
    places: Vec<usize>,
    own: Vec<usize>,
    to: Vec<usize>,
    area: usize,
}

impl Pool {
    fn new(own: &[usize], window: Window, ceil: bool, by: &str) -> Outcome<Pool> {
        let n = window.kernel.len();
        if own.len() != n + 1 && own.len() != n + 2 {
            complain!(
                Kind::Runtime,
                "non-empty {}D or {}D (batch mode) tensor expected for input",
                n + 1,
                n + 2
            );
        }
        let empty = (own.len() - n - 1..own.len()).find(|d| own[*d] == 0);
        match empty {
            Some(d) if n == 3 => complain!(
                Kind::Runtime,
                "{by}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with dimension {d} being empty",
                sizes(own)
            ),
            Some(_) => complain!(
                Kind::Runtime,
                "Expected {}D or {}D (batch mode) tensor with optional 0 dim batch size for input, but got:{}",
                n + 1,
                n + 2,
                sizes(own)
            ),
            None => {}
        }
        for d in 0..n {
            if window.padding[d] * 2 > window.kernel[d] {
                complain!(
                    Kind::Runtime,
                    "pad should be at most half of effective kernel size, but got pad={}, kernel_size={} and dilation={}",
                    window.padding[d],
                    window.kernel[d],
                    window.dilation[d]
                );
            }
            if window.stride[d] == 0 {
                complain!(Kind::Runtime, "stride should not be zero");
            }
        }
        let lead = own.len() - n;
        let space = &own[lead..];
        // Rounded up, a last window may hang over the end, but must start inside.
        let mut after = window.padding.clone();
        if ceil {
            for d in 0..n {
                let reach = window.dilation[d] * (window.kernel[d].max(1) - 1) + 1;
                let room = space[d] + 2 * window.padding[d];
                let over = room.saturating_sub(reach) % window.stride[d];
                let last = (room.saturating_sub(reach) / window.stride[d] + 1) * window.stride[d];
                if over > 0 && last < space[d] + window.padding[d] {
                    after[d] += window.stride[d] - over;
                }
            }
        }
        let Some(places) = window.places(space, &after).filter(|p| !p.contains(&0)) else {
            complain!(
                Kind::Runtime,
                "Given input size: ({}x{}). Calculated output size: ({}{}). Output size is too small",
                own[lead - 1],
                space.iter().map(usize::to_string).collect::<Vec<_>>().join("x"),
                own[lead - 1],
                "x0".repeat(n)
            );
        };
        let mut to = own[..lead].to_vec();
        to.extend(&places);
        shape::count(&to)?;
        Ok(Pool { area: space.iter().product(), window, places, own: own.to_vec(), to })
    }

    /// The input elements under the window of output `k`.
    fn group(&self, k: usize) -> Vec<usize> {
        let all: usize = self.places.iter().product();
        let space = self.space();
        let taps: usize = self.window.kernel.iter().product();
        (0..taps)
            .filter_map(|t| self.window.under(space, &self.places, k % all, t))
            .map(|at| k / all * self.area + at)
            .collect()
    }

    /// By how much PyTorch divides the sum of output `k`.
    fn divisor(&self, k: usize, with_padding: bool, count: usize) -> usize {
        if !with_padding {
            return count;
        }
        let w = &self.window;
        let space = self.space();
        let (mut left, mut product) = (k, 1);
        for (d, places) in self.places.iter().enumerate().rev() {
            let start = left % places * w.stride[d];
            let end = (start + w.kernel[d]).min(space[d] + 2 * w.padding[d]);
            left /= places;
            product *= end.saturating_sub(start);
        }
        product
    }

    /// The dimensions over which the window moves.
    fn space(&self) -> &[usize] {
        &self.own[self.own.len() - self.places.len()..]
    }

    fn largest(&self, x: &Variable) -> Outcome<(Variable, Variable)> {
        let total = self.to.iter().product();
        let groups: Vec<Vec<usize>> = listed(total, |k| self.group(k));
        largest(
            x,
            &groups,
            self.area,
            &self.to,
            match self.places.len() {
                3 => "MaxPool3DWithIndicesBackward0",
                _ => "MaxPool2DWithIndicesBackward0",
            },
        )
    }

    fn mean(&self, x: &Variable, with_padding: bool, by: Option<usize>) -> Outcome<Variable> {
        let total: usize = self.to.iter().product();
        let taps: usize = self.window.kernel.iter().product();
        let groups: Vec<Vec<usize>> = listed(total, |k| self.group(k));
        let divisor = |k: usize| self.divisor(k, with_padding, groups[k].len());
        let divisors = listed(total, |k| by.unwrap_or_else(|| divisor(k)));
        let grad_fn = match self.places.len() {
            3 => "AvgPool3DBackward0",
            _ => "AvgPool2DBackward0",
        };
        averages(x, &groups, &divisors, taps, &self.to, grad_fn)
    }
}

/// Each output the largest of a group of inputs, and where that is in its plane.
pub(super) fn largest(
    x: &Variable,
    groups: &[Vec<usize>],
    area: usize,
    to: &[usize],
    grad_fn: &'static str,
) -> Outcome<(Variable, Variable)> {
    let value = x.value();
    let data = value.data();
    let (mut winners, mut losers, mut positions) = (Vec::new(), Vec::new(), Vec::new());
    for (k, group) in groups.iter().enumerate() {
        let mut best = group.first().copied().unwrap_or(0);
        for p in group {
            if data[*p] > data[best] || data[*p].is_nan() {
                best = *p;
            }
        }
        if x.requires_grad() {
            losers.extend(group.iter().filter(|p| **p != best).map(|p| (k, *p)));
        }
        winners.push(vec![best]);
        positions.push((best % area.max(1)) as f64);
        crate::maths::budget::tick()?;
    }
    let op = Chosen {
        name: "max_pool2d",
        grad_fn,
        saves: Saves::Inputs(1),
        winners,
        losers: losers.into(),
        from: x.shape(),
        to: to.to_vec(),
    };
    let positions = Tensor::new(to, positions).with_dtype(Dtype::Int64);
    let y = apply(Rc::new(op), std::slice::from_ref(x))?;
    Ok((y, Variable::constant(positions)))
}

/// Each output the sum of a group of inputs, divided by its divisor.
pub(super) fn averages(
    x: &Variable,
    groups: &[Vec<usize>],
    divisors: &[usize],
    widest: usize,
    to: &[usize],
    grad_fn: &'static str,
) -> Outcome<Variable> {
    let own = x.shape();
    let total = groups.len();
    let mut distinct = divisors.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    shape::count(&[total, widest, distinct.len()])?;
    // One multiple of sums for each distinct divisor.
    let parts = distinct.iter().map(|divisor| {
        let index = (0..total * widest).map(|k| {
            let out = k / widest.max(1);
            match divisors[out] == *divisor {
                true => groups[out].get(k % widest).copied().unwrap_or(Wires::NONE),
                false => Wires::NONE,
            }
        });
        let wide = [total, widest];
        LinearMap::Then(vec![
            LinearMap::Gather(wires(&own, &wide, index.collect())),
            LinearMap::Collapse { from: wide.to_vec(), to: vec![total, 1] },
            LinearMap::Scale { by: 1.0 / *divisor as f64, shape: vec![total, 1] },
            super::fixed::reshaping(&[total, 1], to),
        ])
    });
    let mut parts: Vec<Plain> = parts.collect();
    let map = if parts.len() == 1 {
        parts.remove(0)
    } else if parts.is_empty() {
        LinearMap::Zero { from: own.clone(), to: to.to_vec() }
    } else {
        LinearMap::Plus(parts)
    };
    let mut op = Fixed::new("avg_pool", grad_fn, map);
    op.saves = Saves::Inputs(1);
    apply(Rc::new(op), std::slice::from_ref(x))
}

/// A window of one dimension as one of two.
fn window(b: &Bound, d: usize, dilation: Option<Vec<i64>>) -> Outcome<Window> {
    let kernel = spread(b.ints(1), 1, d, "kernel_size")?;
    let stride = match b.ints(2).filter(|s| !s.is_empty()) {
        Some(s) => spread(Some(s), 1, d, "stride")?,
        None => kernel.clone(),
    };
    let mut w = Window {
        padding: spread(b.ints(3), 0, d, "padding")?,
        dilation: spread(dilation, 1, d, "dilation")?,
        kernel,
        stride,
    };
    if d == 1 {
        for (field, usual) in
            [(&mut w.kernel, 1), (&mut w.stride, 1), (&mut w.padding, 0), (&mut w.dilation, 1)]
        {
            field.insert(0, usual);
        }
    }
    Ok(w)
}

/// One dimension is two, the first of size 1.
pub(super) fn lifted(x: &Variable, d: usize) -> Outcome<Variable> {
    if d >= 2 {
        return Ok(x.clone());
    }
    let own = x.shape();
    if own.len() != 2 && own.len() != 3 {
        complain!(
            Kind::Runtime,
            "Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:{}",
            sizes(&own)
        );
    }
    layout::unsqueeze(x, -2)
}

pub(super) fn lowered(y: &Variable, d: usize) -> Outcome<Variable> {
    if d >= 2 { Ok(y.clone()) } else { layout::squeeze(y, Some(&[-2])) }
}

fn max_pool(b: &mut Bound, d: usize) -> Outcome<Out> {
    let x = lifted(&b.tensor(0)?, d)?;
    let by = "max_pool3d_with_indices_out_cpu_template";
    let pool = Pool::new(&x.shape(), window(b, d, b.ints(4))?, b.bool_or(5, false), by)?;
    let (y, positions) = pool.largest(&x)?;
    let y = lowered(&y, d)?;
    if b.bool_or(6, false) {
        return Ok(Out::Many(vec![y, lowered(&positions, d)?]));
    }
    Ok(Out::One(y))
}

fn avg_pool(b: &mut Bound, d: usize) -> Outcome<Out> {
    let x = lifted(&b.tensor(0)?, d)?;
    let pool = Pool::new(&x.shape(), window(b, d, None)?, b.bool_or(4, false), "avg_pool3d")?;
    let by = b.int(6).filter(|_| d >= 2);
    if by == Some(0) {
        complain!(Kind::Runtime, "divisor must be not zero");
    }
    let y = pool.mean(&x, b.bool_or(5, true), by.map(|v| v.max(1) as usize))?;
    Ok(Out::One(lowered(&y, d)?))
}

const BOTH: Forms = Forms::F.and(Forms::TORCH);
const MAX: &str = "(Tensor input, int[] kernel_size, int[] stride=None, int[] padding=0, int[] dilation=1, bool ceil_mode=False, bool return_indices=False)";
const AVG: &str = "(Tensor input, int[] kernel_size, int[] stride=None, int[] padding=0, bool ceil_mode=False, bool count_include_pad=True)";
const AVG2: &str = "(Tensor input, int[] kernel_size, int[] stride=None, int[] padding=0, bool ceil_mode=False, bool count_include_pad=True, int divisor_override=None)";

pub static ENTRIES: &[super::Entry] = entries! {
    "max_pool1d" BOTH, MAX, "the largest under a moving window; ∂yₚ/∂xᵢ = 1 where yₚ came from (the first of several), else 0", "F.max_pool1d(tensor([[1., 3., 2., 4.]]), 2)", ["max", "avg_pool1d"]
        => |b| max_pool(b, 1);
    "max_pool2d" BOTH, MAX, "the largest under a moving window; ∂yₚ/∂xᵢ = 1 where yₚ came from (the first of several), else 0", "F.max_pool2d(torch.eye(4).reshape(1, 4, 4), 2)", ["max", "avg_pool2d"]
        => |b| max_pool(b, 2);
    "max_pool3d" BOTH, MAX, "the largest under a moving window; ∂yₚ/∂xᵢ = 1 where yₚ came from (the first of several), else 0", "F.max_pool3d(torch.ones(1, 2, 2, 2), 2)", ["max_pool2d", "avg_pool3d"]
        => |b| max_pool(b, 3);
    "avg_pool1d" BOTH, AVG, "the mean under a moving window; ∂yₚ/∂xᵢ = 1/k under a window of k, else 0", "F.avg_pool1d(tensor([[1., 3., 2., 4.]]), 2)", ["mean", "max_pool1d"]
        => |b| avg_pool(b, 1);
    "avg_pool2d" Forms::F, AVG2, "the mean under a moving window; ∂yₚ/∂xᵢ = 1/k under a window of k, else 0", "F.avg_pool2d(torch.eye(4).reshape(1, 4, 4), 2)", ["mean", "max_pool2d"]
        => |b| avg_pool(b, 2);
    "avg_pool3d" Forms::F, AVG2, "the mean under a moving window; ∂yₚ/∂xᵢ = 1/k under a window of k, else 0", "F.avg_pool3d(torch.ones(1, 2, 2, 2), 2)", ["avg_pool2d", "max_pool3d"]
        => |b| avg_pool(b, 3);
};
