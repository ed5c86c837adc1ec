//! Mean and variance of a row, and the backward of what divides by their root, rounded step by step as
//! PyTorch's kernels round: where a gradient is 0 but for rounding, these digits are all that is printed.

use vjp_tensor::kernels::strided::beside;
use vjp_tensor::tensor::Dtype;

/// Whose kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    Layer,
    Group {
        /// How many elements make a channel.
        inner: usize,
        /// Whether a weight or a bias follows.
        affine: bool,
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
        self.0.cast(v)
    }

    /// `a·b + c`, rounded once.
    pub fn fused(self, a: f64, b: f64, c: f64) -> f64 {
        match self.0 {
            Dtype::Float64 => a.mul_add(b, c),
            _ => f64::from((a as f32).mul_add(b as f32, c as f32)),
        }
    }

    /// `Σ aₖ·bₖ`.
    fn product(self, a: &[f64], b: &[f64]) -> f64 {
        let parts: Vec<f64> = a.iter().zip(b).map(|(a, b)| self.cast(a * b)).collect();
        beside(&parts, self.0)
    }

    /// vᵀJ of a row's softmax `y`, or of its logarithm.
    pub fn through_softmax(self, y: &[f64], v: &[f64], log: bool) -> Vec<f64> {
        if log {
            let total = beside(v, self.0);
            let of = |(y, v): (&f64, &f64)| self.fused(-self.cast(y.exp()), total, *v);
            return y.iter().zip(v).map(of).collect();
        }
        let total = self.product(v, y);
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
    mean: f64,
    scale: f64,
}

impl Kernel {
    pub fn moments(self, w: Work, row: &[f64], eps: f64) -> Moments {
        let n = row.len() as f64;
        if let Kernel::Batch { .. } = self {
            let mean = w.cast(row.iter().sum::<f64>() / n);
            let squares = row.iter().map(|v| {
                let d = w.cast(v - mean);
                w.cast(d * d)
            });
            let variance = w.cast(w.cast(squares.sum()) / n);
            return Moments { mean, scale: w.cast(1.0 / (variance + eps).sqrt()) };
        }
        let (mean, variance) = mean_and_variance(w, row);
        let scale = match self {
            Kernel::Layer => 1.0 / w.cast(w.cast(variance + w.cast(eps)).sqrt()),
            _ => 1.0 / (variance + eps).sqrt(),
        };
        Moments { mean, scale: w.cast(scale) }
    }

    /// `(x − m)/√(v + ε)` of each element.
    pub fn normed(self, w: Work, row: &[f64], at: Moments) -> Vec<f64> {
        let Moments { mean, scale } = at;
        match self {
            Kernel::Layer | Kernel::Group { affine: false, .. } => {
                row.iter().map(|v| w.cast(w.cast(v - mean) * scale)).collect()
            }
            Kernel::Group { .. } | Kernel::Batch { .. } => {
                let constant = w.cast(-mean * scale);
                row.iter().map(|v| w.fused(*v, scale, constant)).collect()
            }
        }
    }

    /// vᵀJ of [`Kernel::normed`].
    pub fn pulled(self, w: Work, row: &[f64], v: &[f64], at: Moments) -> Vec<f64> {
        let Moments { mean, scale } = at;
        let n = row.len() as f64;
        let inner = match self {
            Kernel::Layer => row.len(),
            Kernel::Group { inner, .. } | Kernel::Batch { inner } => inner.max(1),
        };
        let totals = v.chunks(inner).map(|v| beside(v, w.0));
        if let Kernel::Batch { .. } = self {
            let centred: Vec<f64> = row.iter().map(|x| w.cast(x - mean)).collect();
            let along = centred.chunks(inner).zip(v.chunks(inner)).map(|(x, v)| w.product(x, v));
            let along = w.cast(along.sum());
            let slope = w.cast(w.cast(w.cast(along * scale) * scale) / n);
            let average = w.cast(totals.sum::<f64>() / n);
            let of = |(x, v): (&f64, &f64)| w.cast(w.fused(-x, slope, w.cast(v - average)) * scale);
            return centred.iter().zip(v).map(of).collect();
        }
        let add = |a: f64, b: f64| w.cast(a + b);
        let along = row.chunks(inner).zip(v.chunks(inner)).map(|(x, v)| w.product(v, x));
        let (along, total) = (along.fold(0.0, add), totals.fold(0.0, add));
        let share = w.cast(1.0 / n);
        let start = w.fused(total, mean, -along);
        let b = [scale, scale, scale, share].iter().fold(start, |b, by| w.cast(b * by));
        let scaled = w.cast(total * scale);
        let c = match self {
            Kernel::Layer => w.fused(-b, mean, -w.cast(scaled * share)),
            _ => w.fused(-scaled, share, w.cast(-b * mean)),
        };
        let of = |(x, v): (&f64, &f64)| {
            w.cast(
                c + match self {
                    Kernel::Layer => w.fused(*x, b, w.cast(v * scale)),
                    _ => w.fused(*v, scale, w.cast(b * x)),
                },
            )
        };
        row.iter().zip(v).map(of).collect()
    }
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
            own = w.cast(own + w.cast(d * w.cast(1.0 / (k + 1) as f64)));
            own_squares = w.cast(own_squares + w.cast(d * w.cast(v - own)));
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
