//! Sums over a batch: of each channel what lies together of each example, where it lies.

use super::{Moments, Row, Work, product, total, work};
use vjp_tensor::kernels::{Cpu, blocks};
use vjp_tensor::{Dtype, Element, Outcome, Tensor, budget, with_floats};

/// Examples of some channels, of each of which `inner` elements lie together.
#[derive(Clone, Copy)]
pub(crate) struct Batch {
    pub channels: usize,
    pub inner: usize,
}

/// Of a channel: `Σ v·(x − m)`, `Σ v`, and how many there are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub along: f64,
    pub total: f64,
    pub count: usize,
}

/// So many channels are added up side by side: each sum waits for its own last term.
const TOGETHER: usize = 4;

impl Batch {
    /// What lies together of channel `k`, example by example.
    #[inline(always)]
    fn parts<T>(self, data: &[T], k: usize) -> impl Iterator<Item = &[T]> {
        data[k * self.inner..].chunks(self.inner).step_by(self.channels)
    }

    /// The moments of all channels.
    pub fn moments(self, x: &Tensor, eps: f64) -> Outcome<Vec<Moments>> {
        let mut all = budget::filled(self.channels, Moments::default())?;
        let (cpu, dtype) = (Cpu::over(x.numel()), x.dtype());
        let many = x.numel() >= blocks::PARALLEL_FROM;
        with_floats!(x, data => {
            blocks::each(all.chunks_mut(TOGETHER).enumerate(), many, |(k, out)| {
                let first = k * TOGETHER;
                work(dtype, cpu, OfChannels { batch: self, data, first, eps, out });
            })
        })?;
        Ok(all)
    }

    /// The sums of all channels.
    pub fn sums(self, x: &Tensor, v: &Tensor, moments: &[Moments]) -> Outcome<Vec<Sums>> {
        let mut all = budget::filled(self.channels, Sums::default())?;
        let (cpu, dtype) = (Cpu::over(x.numel()), x.dtype());
        let many = x.numel() >= blocks::PARALLEL_FROM;
        with_floats!(x, data => with_floats!(v, v => {
            blocks::each(all.iter_mut().enumerate(), many, |(k, out)| {
                let mean = moments[k].mean;
                *out = work(dtype, cpu, Along { batch: self, data, v, k, mean });
            })
        }))?;
        Ok(all)
    }
}

/// The moments of neighbouring channels.
struct OfChannels<'a, T> {
    batch: Batch,
    data: &'a [T],
    first: usize,
    eps: f64,
    out: &'a mut [Moments],
}

impl<T: Element> Row for OfChannels<'_, T> {
    type Out = ();

    #[inline(always)]
    fn done<W: Work>(self, w: W) {
        if let Ok(out) = <&mut [Moments; TOGETHER]>::try_from(&mut *self.out) {
            *out = side_by_side(w, self.batch, self.data, self.first, self.eps);
            return;
        }
        for (k, out) in self.out.iter_mut().enumerate() {
            [*out] = side_by_side(w, self.batch, self.data, self.first + k, self.eps);
        }
    }
}

#[inline(always)]
fn side_by_side<W: Work, T: Element, const N: usize>(
    w: W,
    batch: Batch,
    data: &[T],
    first: usize,
    eps: f64,
) -> [Moments; N] {
    let Batch { channels, inner } = batch;
    let examples = data.len() / (channels * inner);
    let part = |example: usize| -> [&[T]; N] {
        let start = (example * channels + first) * inner;
        std::array::from_fn(|k| &data[start + k * inner..][..inner])
    };
    let n = (examples * inner) as f64;
    let mut means = [0.0; N];
    for example in 0..examples {
        let rows = part(example);
        for k in 0..inner {
            for (sum, row) in means.iter_mut().zip(rows) {
                *sum += row[k].wide();
            }
        }
    }
    for mean in &mut means {
        *mean = w.cast(*mean / n);
    }
    // Added up in float64 always: only there a square can be rounded once with the sum, that of the odd
    // one at the end of an example.
    let odd = inner % 2 == 1 && W::DTYPE == Dtype::Float64;
    let mut squares = [0.0; N];
    for example in 0..examples {
        let rows = part(example);
        for k in 0..inner - usize::from(odd) {
            for ((squares, row), mean) in squares.iter_mut().zip(rows).zip(means) {
                let d = w.cast(row[k].wide() - mean);
                *squares += w.cast(d * d);
            }
        }
        if odd {
            for ((squares, row), mean) in squares.iter_mut().zip(rows).zip(means) {
                let d = row[inner - 1].wide() - mean;
                *squares = w.fused(d, d, *squares);
            }
        }
    }
    std::array::from_fn(|k| {
        let (mean, squares) = (means[k], w.cast(squares[k]));
        Moments { mean, scale: w.cast(1.0 / (w.cast(squares / n) + eps).sqrt()), squares }
    })
}

/// The sums of channel `k`.
struct Along<'a, T, V> {
    batch: Batch,
    data: &'a [T],
    v: &'a [V],
    k: usize,
    mean: f64,
}

impl<T: Element, V: Element> Row for Along<'_, T, V> {
    type Out = Sums;

    #[inline(always)]
    fn done<W: Work>(self, w: W) -> Sums {
        let Along { batch, data, v, k, mean } = self;
        let mut sums = Sums::default();
        for (x, v) in batch.parts(data, k).zip(batch.parts(v, k)) {
            sums.along += product(w, v, x, |x| w.cast(x - mean), true);
            sums.total += total(w, v);
            sums.count += x.len();
        }
        sums
    }
}
