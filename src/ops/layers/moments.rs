//! Mean and variance of a row, and the backward of what divides by their root, rounded step by step as
//! PyTorch's kernels round: where a gradient is 0 but for rounding, these digits are all that is printed.

use std::iter::repeat_n;
use vjp_tensor::kernels::strided::beside;
use vjp_tensor::tensor::Dtype;

/// Whose kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    Layer,
    Group {
        /// How many elements make a channel.
        inner: usize,
    },
    Batch {
        /// How many elements of a row lie in one example.
        inner: usize,
    },
}

/// Arithmetic in the type that a kernel works in.
#[derive(Clone, Copy)]
pub(crate) struct Work(Dtype);

impl Work {
    pub fn of(dtype: Dtype) -> Work {
        Work(if dtype == Dtype::Float64 { dtype } else { Dtype::Float32 })
    }

    fn cast(self, v: f64) -> f64 {
        // One of two, for each element: cheaper than to ask any type.
        match self.0 {
            Dtype::Float64 => v,
            _ => f64::from(v as f32),
        }
    }

    /// `a·b + c`, rounded once.
    pub fn fused(self, a: f64, b: f64, c: f64) -> f64 {
        match self.0 {
            Dtype::Float64 => a.mul_add(b, c),
            _ => f64::from((a as f32).mul_add(b as f32, c as f32)),
        }
    }

    /// `Σ aₖ·bₖ` in the lanes of registers, added in halves, or in turn in float64; what fills no register is
    /// rounded once where `fused`.
    fn product(self, a: &[f64], b: &[f64], fused: bool) -> f64 {
        let part = |k: usize| self.cast(a[k] * b[k]);
        let lanes = self.lanes();
        if a.len() < lanes {
            return (0..a.len()).fold(0.0, |sum, k| self.cast(sum + part(k)));
        }
        let whole = a.len() - a.len() % lanes;
        let mut sums: Vec<f64> = (0..lanes).map(part).collect();
        let registers =
            a[lanes..whole].chunks_exact(lanes).zip(b[lanes..whole].chunks_exact(lanes));
        for (a, b) in registers {
            for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
                *sum = self.cast(*sum + self.cast(a * b));
            }
        }
        for (sum, k) in sums.iter_mut().zip(whole..a.len()) {
            *sum = match fused {
                true => self.fused(a[k], b[k], *sum),
                false => self.cast(*sum + part(k)),
            };
        }
        if self.0 == Dtype::Float64 {
            return sums.iter().fold(0.0, |sum, v| sum + v);
        }
        while sums.len() > 1 {
            let high = sums.split_off(sums.len() / 2);
            sums.iter_mut().zip(high).for_each(|(low, high)| *low = self.cast(*low + high));
        }
        sums[0]
    }

    fn total(self, v: &[f64]) -> f64 {
        self.product(v, &vec![1.0; v.len()], false)
    }

    /// `Σ aₖ·bₖ` in the lanes of registers, which are added in turn, as are then the products that fill no
    /// register, by half registers and then each rounded once.
    fn product_in_turn(self, a: &[f64], b: &[f64]) -> f64 {
        let (lanes, half) = (self.lanes(), self.lanes() / 2);
        let whole = a.len() - a.len() % lanes;
        let mut sums = vec![0.0; lanes];
        for k in 0..whole {
            sums[k % lanes] = self.fused(a[k], b[k], sums[k % lanes]);
        }
        let halves = a.len() - (a.len() - whole) % half;
        let start = sums.iter().fold(0.0, |sum, v| self.cast(sum + v));
        (whole..a.len()).fold(start, |sum, k| match k < halves {
            true => self.cast(sum + self.cast(a[k] * b[k])),
            false => self.fused(a[k], b[k], sum),
        })
    }

    /// vᵀJ of a row's softmax `y`, or of its logarithm.
    pub fn through_softmax(self, y: &[f64], v: &[f64], log: bool) -> Vec<f64> {
        if log {
            let total = beside(v, self.0);
            let of = |(y, v): (&f64, &f64)| self.fused(-self.cast(y.exp()), total, *v);
            return y.iter().zip(v).map(of).collect();
        }
        let parts: Vec<f64> = v.iter().zip(y).map(|(v, y)| self.cast(v * y)).collect();
        let total = beside(&parts, self.0);
        y.iter().zip(v).map(|(y, v)| self.cast(self.cast(v - total) * y)).collect()
    }

    /// How many numbers a vector register holds.
    fn lanes(self) -> usize {
        if self.0 == Dtype::Float64 { 4 } else { 8 }
    }
}

/// Of one row: the mean, and `1/√(v + ε)`.
#[derive(Clone, Copy)]
pub(crate) struct Moments {
    pub mean: f64,
    pub scale: f64,
}

impl Kernel {
    pub fn moments(self, w: Work, row: &[f64], eps: f64) -> Moments {
        let n = row.len() as f64;
        if let Kernel::Batch { .. } = self {
            let inner = self.inner();
            let mean = w.cast(row.iter().sum::<f64>() / n);
            // Added up in float64 always: only there a square can be rounded once with the sum, that of the odd
            // one at the end of an example.
            let square = |sum: f64, k: usize, x: f64| {
                let d = w.cast(x - mean);
                let odd_one = inner % 2 == 1 && (k + 1).is_multiple_of(inner);
                match odd_one && w.0 == Dtype::Float64 {
                    true => w.fused(d, d, sum),
                    false => sum + w.cast(d * d),
                }
            };
            let squares = row.iter().enumerate().fold(0.0, |sum, (k, x)| square(sum, k, *x));
            let variance = w.cast(w.cast(squares) / n);
            return Moments { mean, scale: w.cast(1.0 / (variance + eps).sqrt()) };
        }
        let (mean, variance) = mean_and_variance(w, row);
        let scale = match self {
            Kernel::Layer => 1.0 / w.cast(w.cast(variance + w.cast(eps)).sqrt()),
            _ => 1.0 / (variance + eps).sqrt(),
        };
        Moments { mean, scale: w.cast(scale) }
    }

    /// How many elements of a row make a part that has a factor of its own, or is summed by itself.
    fn inner(self) -> usize {
        match self {
            Kernel::Layer => 1,
            Kernel::Group { inner } | Kernel::Batch { inner } => inner.max(1),
        }
    }

    /// `(x − m)/√(v + ε)` of each element, times its weight, plus its bias.
    pub fn normed(self, w: Work, row: &[f64], at: Moments, by: Factors) -> Vec<f64> {
        let Moments { mean, scale } = at;
        let plain =
            matches!((self, by), (Kernel::Group { .. }, Factors { weight: None, bias: None }));
        let linear = self != Kernel::Layer && !plain;
        let of = |((x, g), c): ((&f64, f64), f64)| {
            let away = w.cast(x - mean);
            let by_weight = |y: f64| match by.bias {
                Some(_) => w.fused(y, g, c),
                None => w.cast(y * g) + 0.0,
            };
            match by.weight {
                _ if linear => {
                    let slope = w.cast(scale * g);
                    w.fused(*x, slope, w.fused(-slope, mean, c))
                }
                None if by.bias.is_some() => w.fused(away, scale, c),
                None if plain => w.cast(away * scale),
                _ => by_weight(w.cast(away * scale)),
            }
        };
        row.iter().zip(or(by.weight, 1.0)).zip(or(by.bias, 0.0)).map(of).collect()
    }

    /// vᵀJ of [`Kernel::normed`] with respect to the row.
    pub fn pulled(self, w: Work, row: &[f64], v: &[f64], at: Moments, by: Factors) -> Vec<f64> {
        let Moments { mean, scale } = at;
        let n = row.len() as f64;
        let weights = || or(by.weight, 1.0);
        if let Kernel::Batch { inner } = self {
            let (along, total) = batch(w, row, v, mean, inner);
            let slope = w.cast(w.cast(w.cast(w.cast(along) * scale) * scale) / n);
            let average = w.cast(total / n);
            let of = |((x, v), g): ((&f64, &f64), f64)| {
                let away = w.cast(x - mean);
                w.cast(w.cast(w.fused(-away, slope, w.cast(v - average)) * scale) * g)
            };
            return row.iter().zip(v).zip(weights()).map(of).collect();
        }
        let (along, total) = match (self, by.weight) {
            (Kernel::Layer, None) => (w.product(v, row, true), w.total(v)),
            (Kernel::Layer, Some(g)) => {
                let parts: Vec<f64> = v.iter().zip(row).map(|(v, x)| w.cast(v * x)).collect();
                (w.product(&parts, g, true), w.product(v, g, true))
            }
            _ => {
                let channels = || row.chunks(self.inner()).zip(v.chunks(self.inner()));
                let (along, total): (Vec<f64>, Vec<f64>) =
                    channels().map(|(x, v)| channel(w, x, v)).unzip();
                let g: Vec<f64> = weights().step_by(self.inner()).take(along.len()).collect();
                (w.product_in_turn(&along, &g), w.product_in_turn(&total, &g))
            }
        };
        let share = w.cast(1.0 / n);
        let start = w.fused(total, mean, -along);
        let b = [scale, scale, scale, share].iter().fold(start, |b, by| w.cast(b * by));
        let scaled = w.cast(total * scale);
        let c = match self {
            Kernel::Layer => w.fused(-b, mean, -w.cast(scaled * share)),
            _ => w.fused(-scaled, share, w.cast(-b * mean)),
        };
        let of = |((x, v), g): ((&f64, &f64), f64)| {
            w.cast(
                c + match self {
                    Kernel::Layer => w.fused(*x, b, w.cast(w.cast(v * scale) * g)),
                    _ => w.fused(*v, w.cast(scale * g), w.cast(b * x)),
                },
            )
        };
        row.iter().zip(v).zip(weights()).map(of).collect()
    }

    /// Adds to `sums` what a row gives to the weights, or to the biases; `channel_of`: where element k of the
    /// row has its own.
    pub fn pulled_factor(
        self,
        (w, at): (Work, Moments),
        (row, v): (&[f64], &[f64]),
        weight: bool,
        channel_of: impl Fn(usize) -> usize,
        sums: &mut [f64],
    ) {
        let Moments { mean, scale } = at;
        if let Kernel::Batch { inner } = self {
            let (along, total) = batch(w, row, v, mean, inner);
            sums[channel_of(0)] = w.cast(if weight { along * scale } else { total });
            return;
        }
        let parts = row.chunks(self.inner()).zip(v.chunks(self.inner())).enumerate();
        for (k, (x, v)) in parts {
            let sum = &mut sums[channel_of(k * self.inner())];
            *sum = match self {
                Kernel::Layer if weight => {
                    let y = w.fused(scale, x[0], w.cast(-scale * mean));
                    w.cast(*sum + w.cast(v[0] * y))
                }
                Kernel::Layer => w.cast(*sum + v[0]),
                _ => {
                    let (along, total) = channel(w, x, v);
                    match weight {
                        true => w.fused(w.fused(-total, mean, along), scale, *sum),
                        false => w.cast(*sum + total),
                    }
                }
            };
        }
    }
}

/// Weights and biases, one for each element of a row.
#[derive(Clone, Copy)]
pub(crate) struct Factors<'a> {
    pub weight: Option<&'a [f64]>,
    pub bias: Option<&'a [f64]>,
}

/// What is given, else `without`.
fn or(given: Option<&[f64]>, without: f64) -> impl Iterator<Item = f64> {
    let rest = if given.is_some() { 0 } else { usize::MAX };
    given.unwrap_or_default().iter().copied().chain(repeat_n(without, rest))
}

/// `Σ v·x` and `Σ v` of a channel.
fn channel(w: Work, x: &[f64], v: &[f64]) -> (f64, f64) {
    (w.product(v, x, false), w.total(v))
}

/// `Σ v·(x − m)` and `Σ v` of all examples.
fn batch(w: Work, row: &[f64], v: &[f64], mean: f64, inner: usize) -> (f64, f64) {
    let centred: Vec<f64> = row.iter().map(|x| w.cast(x - mean)).collect();
    let parts = || centred.chunks(inner.max(1)).zip(v.chunks(inner.max(1)));
    (parts().map(|(x, v)| w.product(x, v, true)).sum(), parts().map(|(_, v)| w.total(v)).sum())
}

/// By Welford: in each lane of a register, then together with what filled no register.
fn mean_and_variance(w: Work, row: &[f64]) -> (f64, f64) {
    let lanes = w.lanes();
    let registers = row.chunks_exact(lanes);
    let (mut mean, mut squares) = (0.0, 0.0);
    for (k, v) in registers.remainder().iter().enumerate() {
        let d = w.cast(v - mean);
        mean = w.cast(mean + w.cast(d / (k + 1) as f64));
        squares = w.cast(squares + w.cast(d * w.cast(v - mean)));
    }
    let (each, mut before) = (registers.len(), registers.remainder().len());
    for lane in 0..lanes.min(row.len() - before) {
        let (mut own, mut own_squares) = (0.0, 0.0);
        for k in 0..each {
            let v = row[k * lanes + lane];
            let d = w.cast(v - own);
            own = w.fused(d, w.cast(1.0 / (k + 1) as f64), own);
            own_squares = w.fused(d, w.cast(v - own), own_squares);
        }
        let part = w.cast(each as f64 / (before + each) as f64);
        let d = w.cast(own - mean);
        mean = w.fused(part, d, mean);
        let apart = w.cast(w.cast(d * d) * part);
        squares = w.cast(squares + w.fused(apart, before as f64, own_squares));
        before += each;
    }
    (mean, w.cast(squares / row.len().max(1) as f64))
}
