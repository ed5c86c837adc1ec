//! Mean and variance of a row, and the backward of what divides by their root, rounded step by step as
//! PyTorch's kernels round: where a gradient is 0 but for rounding, these digits are all that is printed.

pub(crate) mod batch;

use batch::Sums;
use std::mem::MaybeUninit;
use std::ops::Add;
use vjp_ops::reduce::Axes;
use vjp_tensor::kernels::Cpu;
use vjp_tensor::kernels::blocks::{self, Stored};
use vjp_tensor::storage::element::is_single;
use vjp_tensor::{Dtype, Element, Outcome, Tensor, budget};

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
pub(crate) trait Work: Copy + Send + Sync {
    /// How many numbers a vector register holds.
    const LANES: usize;
    const DTYPE: Dtype;
    /// In which sums are kept from step to step.
    type Number: Stored + Add<Output = Self::Number>;

    fn cast(self, v: f64) -> f64;

    /// `a·b + c`, rounded once.
    fn fused(self, a: f64, b: f64, c: f64) -> f64;
}

#[derive(Clone, Copy)]
pub(crate) struct Double;

impl Work for Double {
    const LANES: usize = 4;
    const DTYPE: Dtype = Dtype::Float64;
    type Number = f64;

    #[inline(always)]
    fn cast(self, v: f64) -> f64 {
        v
    }

    #[inline(always)]
    fn fused(self, a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Single;

impl Work for Single {
    const LANES: usize = 8;
    const DTYPE: Dtype = Dtype::Float32;
    type Number = f32;

    #[inline(always)]
    fn cast(self, v: f64) -> f64 {
        f64::from(v as f32)
    }

    #[inline(always)]
    fn fused(self, a: f64, b: f64, c: f64) -> f64 {
        f64::from((a as f32).mul_add(b as f32, c as f32))
    }
}

/// Rows of so many elements are worth handing to another core.
pub(crate) const ROWS_FROM: usize = 4096;

/// What is done to one row, in the type that the kernel works in.
pub(crate) trait Row {
    type Out;

    fn done<W: Work>(self, w: W) -> Self::Out;
}

/// Does `row` for an array of type `dtype`. What `for_each` and the like take is not always compiled for the same
/// processor: a loop in a row is written as one.
pub(crate) fn work<R: Row>(dtype: Dtype, cpu: Cpu, row: R) -> R::Out {
    match (dtype, cpu) {
        // SAFETY: `Cpu::over` has found the processor to have these instructions.
        #[cfg(target_arch = "x86_64")]
        (Dtype::Float64, Cpu::Avx2 | Cpu::Avx512) => unsafe { avx2(Double, row) },
        #[cfg(target_arch = "x86_64")]
        (_, Cpu::Avx2) => unsafe { avx2(Single, row) },
        #[cfg(target_arch = "x86_64")]
        (_, Cpu::Avx512) => unsafe { avx512(row) },
        (Dtype::Float64, _) => row.done(Double),
        _ => row.done(Single),
    }
}

/// What is written in the place of each row, told its first element.
pub(crate) trait EachRow: Sync {
    fn row<T: Stored>(&self, cpu: Cpu, first: usize, out: &mut [T]);
}

/// What `row` writes in the place of each row; the elements of a row lie together as [`Axes::by_result`] puts
/// them.
pub(crate) fn by_row(axes: &Axes, like: &Tensor, row: &impl EachRow) -> Outcome<Tensor> {
    let (shape, dtype) = (like.shape(), like.dtype());
    Ok(match is_single(dtype, like.numel()) {
        true => Tensor::from_single(shape, rows(axes, (like.numel(), dtype), row)?),
        false => Tensor::new(shape, rows(axes, (like.numel(), dtype), row)?).with_dtype(dtype),
    })
}

fn rows<T: Stored>(
    axes: &Axes,
    (count, dtype): (usize, Dtype),
    row: &impl EachRow,
) -> Outcome<Vec<T>> {
    let n = axes.count().max(1);
    let (cpu, part) = (Cpu::over(count), ROWS_FROM.next_multiple_of(n));
    let parallel = count >= blocks::PARALLEL_FROM;
    let mut out = budget::vec(count)?;
    let slots: &mut [MaybeUninit<T>] = &mut out.spare_capacity_mut()[..count];
    let sorted = match axes.places(slots) {
        Some(mut places) => {
            let pieces = (places.len() * n / count.max(1)).max(1);
            blocks::each(places.chunks_mut(pieces).enumerate(), parallel, |(k, places)| {
                let mut done = vec![T::default(); n];
                row.row(cpu, k * n, &mut done);
                for (place, own) in places.iter_mut().zip(done.chunks_mut(n / pieces)) {
                    T::stored(place, dtype, own);
                }
            })?;
            false
        }
        None => {
            blocks::each(slots.chunks_mut(part).enumerate(), parallel, |(k, slots)| {
                for (l, slots) in slots.chunks_mut(n).enumerate() {
                    slots.fill(MaybeUninit::new(T::default()));
                    // SAFETY: all are written.
                    let done = unsafe { &mut *(std::ptr::from_mut(slots) as *mut [T]) };
                    row.row(cpu, k * part + l * n, done);
                    T::legal(done, dtype);
                }
            })?;
            true
        }
    };
    // SAFETY: each row was written, in its places or in turn.
    unsafe { out.set_len(count) };
    if sorted { axes.put_back(out) } else { Ok(out) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2<W: Work, R: Row>(w: W, row: R) -> R::Out {
    row.done(w)
}

/// Floats are held as doubles: as many as PyTorch has in a register fill one of these.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512dq,avx512vl")]
fn avx512<R: Row>(row: R) -> R::Out {
    row.done(Single)
}

/// `Σ aₖ·f(bₖ)` in the lanes of registers, added in halves, or in turn in float64; what fills no register is
/// rounded once where `fused`.
#[inline(always)]
fn product<W: Work>(
    w: W,
    a: &[impl Element],
    b: &[impl Element],
    f: impl Fn(f64) -> f64,
    fused: bool,
) -> f64 {
    let part = |a: f64, b: f64| W::Number::of(a * f(b));
    let zero = W::Number::default();
    if a.len() < W::LANES {
        let all = a.iter().zip(b);
        return all.fold(zero, |sum, (a, b)| sum + part(a.wide(), b.wide())).wide();
    }
    let mut sums = [zero; MOST_LANES];
    let (first, rest) = a.split_at(W::LANES);
    let (first_b, rest_b) = b.split_at(W::LANES);
    for ((sum, a), b) in sums.iter_mut().zip(first).zip(first_b) {
        *sum = part(a.wide(), b.wide());
    }
    let (registers, others) = (rest.chunks_exact(W::LANES), rest_b.chunks_exact(W::LANES));
    let (alone, alone_b) = (registers.remainder(), others.remainder());
    for (a, b) in registers.zip(others) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum = *sum + part(a.wide(), b.wide());
        }
    }
    for ((sum, a), b) in sums.iter_mut().zip(alone).zip(alone_b) {
        *sum = match fused {
            true => W::Number::of(w.fused(a.wide(), f(b.wide()), sum.wide())),
            false => *sum + part(a.wide(), b.wide()),
        };
    }
    if W::DTYPE == Dtype::Float64 {
        return sums[..W::LANES].iter().fold(zero, |sum, v| sum + *v).wide();
    }
    let mut width = W::LANES;
    while width > 1 {
        width /= 2;
        let (low, high) = sums.split_at_mut(width);
        low.iter_mut().zip(high).for_each(|(low, high)| *low = *low + *high);
    }
    sums[0].wide()
}

/// The most numbers that a vector register holds.
const MOST_LANES: usize = 8;

#[inline(always)]
fn total<W: Work>(w: W, v: &[impl Element]) -> f64 {
    product(w, v, v, |_| 1.0, false)
}

/// `Σ aₖ·bₖ` in the lanes of registers, which are added in turn, as are then the products that fill no
/// register, by half registers and then each rounded once.
#[inline(always)]
fn product_in_turn<W: Work>(w: W, a: &[f64], b: &[f64]) -> f64 {
    let half = W::LANES / 2;
    let whole = a.len() - a.len() % W::LANES;
    let mut sums = [0.0; MOST_LANES];
    for k in 0..whole {
        sums[k % W::LANES] = w.fused(a[k], b[k], sums[k % W::LANES]);
    }
    let halves = a.len() - (a.len() - whole) % half;
    let start = sums[..W::LANES].iter().fold(0.0, |sum, v| w.cast(sum + v));
    (whole..a.len()).fold(start, |sum, k| match k < halves {
        true => w.cast(sum + w.cast(a[k] * b[k])),
        false => w.fused(a[k], b[k], sum),
    })
}

/// Of one row: the mean, and `1/√(v + ε)`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moments {
    pub mean: f64,
    pub scale: f64,
    /// Of a batch: the sum of the squares of what is not the mean.
    pub squares: f64,
}

/// Weights and biases, one for each part of a row; see [`Kernel::part`].
#[derive(Clone, Copy)]
pub(crate) struct Factors<'a> {
    pub weight: Option<&'a [f64]>,
    pub bias: Option<&'a [f64]>,
}

impl Kernel {
    /// Of a row that is no batch's; see [`batch`].
    #[inline(always)]
    pub fn moments<W: Work, T: Stored>(self, w: W, row: &[T], eps: f64) -> Moments {
        let (mean, variance) = mean_and_variance(w, row);
        let scale = match self {
            Kernel::Layer => 1.0 / w.cast(w.cast(variance + w.cast(eps)).sqrt()),
            _ => 1.0 / (variance + eps).sqrt(),
        };
        Moments { mean, scale: w.cast(scale), squares: 0.0 }
    }

    /// How many elements of a row make a part that has a factor of its own, or is summed by itself.
    pub fn inner(self) -> usize {
        match self {
            Kernel::Layer => 1,
            Kernel::Group { inner } | Kernel::Batch { inner } => inner.max(1),
        }
    }

    /// How many elements of a row of `n` have a factor together.
    pub fn part(self, n: usize) -> usize {
        match self {
            Kernel::Batch { .. } => n.max(1),
            _ => self.inner(),
        }
    }

    /// `(x − m)/√(v + ε)` of each element, times its weight, plus its bias.
    #[inline(always)]
    pub fn normed<W: Work, T: Stored>(
        self,
        w: W,
        row: &[T],
        at: Moments,
        by: Factors,
        out: &mut [T],
    ) {
        let Moments { mean, scale, .. } = at;
        // Loops, and no closures for `for_each`: see [`work`].
        let elements = out.iter_mut().zip(row);
        match (self, by.weight, by.bias) {
            (Kernel::Group { .. }, None, None) => {
                for (y, x) in elements {
                    *y = T::of(standard(w, x.wide(), at));
                }
            }
            (Kernel::Layer, None, Some(c)) => {
                for ((y, x), c) in elements.zip(c) {
                    *y = T::of(w.fused(w.cast(x.wide() - mean), scale, *c));
                }
            }
            (Kernel::Layer, Some(g), Some(c)) => {
                for (((y, x), g), c) in elements.zip(g).zip(c) {
                    *y = T::of(w.fused(standard(w, x.wide(), at), *g, *c));
                }
            }
            (Kernel::Layer, Some(g), None) => {
                for ((y, x), g) in elements.zip(g) {
                    *y = T::of(w.cast(standard(w, x.wide(), at) * g) + 0.0);
                }
            }
            (Kernel::Layer, None, None) => {
                for (y, x) in elements {
                    *y = T::of(standard(w, x.wide(), at) + 0.0);
                }
            }
            _ => {
                let part = self.part(row.len());
                for (k, (y, x)) in out.chunks_mut(part).zip(row.chunks(part)).enumerate() {
                    let slope = w.cast(scale * factor(by.weight, k, 1.0));
                    let start = w.fused(-slope, mean, factor(by.bias, k, 0.0));
                    for (y, x) in y.iter_mut().zip(x) {
                        *y = T::of(w.fused(x.wide(), slope, start));
                    }
                }
            }
        }
    }

    /// vᵀJ of [`Kernel::normed`] with respect to the row, of a batch to a part of it.
    #[inline(always)]
    pub fn pulled<W: Work, T: Stored>(
        self,
        w: W,
        (row, v): (&[T], &[T]),
        (at, sums): (Moments, Sums),
        by: Factors,
        out: &mut [T],
    ) {
        let Moments { mean, scale, .. } = at;
        let n = row.len() as f64;
        if let Kernel::Batch { .. } = self {
            let n = sums.count as f64;
            let slope = w.cast(w.cast(w.cast(w.cast(sums.along) * scale) * scale) / n);
            let average = w.cast(sums.total / n);
            let g = factor(by.weight, 0, 1.0);
            for ((y, x), v) in out.iter_mut().zip(row).zip(v) {
                let away = w.cast(x.wide() - mean);
                *y = T::of(
                    w.cast(w.cast(w.fused(-away, slope, w.cast(v.wide() - average)) * scale) * g),
                );
            }
            return;
        }
        let (along, total) = match (self, by.weight) {
            (Kernel::Layer, None) => (product(w, v, row, |x| x, true), total(w, v)),
            (Kernel::Layer, Some(g)) => {
                for ((y, v), x) in out.iter_mut().zip(v).zip(row) {
                    *y = T::of(w.cast(v.wide() * x.wide()));
                }
                (product(w, out, g, |g| g, true), product(w, v, g, |g| g, true))
            }
            _ => {
                let (mut along, mut total) = (Vec::new(), Vec::new());
                for (x, v) in row.chunks(self.inner()).zip(v.chunks(self.inner())) {
                    let sums = channel(w, x, v);
                    along.push(sums.0);
                    total.push(sums.1);
                }
                let g: Vec<f64> = (0..along.len()).map(|k| factor(by.weight, k, 1.0)).collect();
                (product_in_turn(w, &along, &g), product_in_turn(w, &total, &g))
            }
        };
        let share = w.cast(1.0 / n);
        let start = w.fused(total, mean, -along);
        let b = [scale, scale, scale, share].iter().fold(start, |b, by| w.cast(b * by));
        let scaled = w.cast(total * scale);
        let elements = out.iter_mut().zip(row).zip(v);
        match (self, by.weight) {
            (Kernel::Layer, weight) => {
                let c = w.fused(-b, mean, -w.cast(scaled * share));
                match weight {
                    Some(g) => {
                        for (((y, x), v), g) in elements.zip(g) {
                            *y = T::of(w.cast(
                                c + w.fused(x.wide(), b, w.cast(w.cast(v.wide() * scale) * g)),
                            ));
                        }
                    }
                    None => {
                        for ((y, x), v) in elements {
                            *y = T::of(w.cast(c + w.fused(x.wide(), b, w.cast(v.wide() * scale))));
                        }
                    }
                }
            }
            _ => {
                let c = w.fused(-scaled, share, w.cast(-b * mean));
                let part = self.inner();
                let parts = out.chunks_mut(part).zip(row.chunks(part)).zip(v.chunks(part));
                for (k, ((y, x), v)) in parts.enumerate() {
                    let by = w.cast(scale * factor(by.weight, k, 1.0));
                    for ((y, x), v) in y.iter_mut().zip(x).zip(v) {
                        *y = T::of(w.cast(c + w.fused(v.wide(), by, w.cast(b * x.wide()))));
                    }
                }
            }
        }
    }

    /// Adds to `sums` what a row gives to the weights of its own channels; of a batch's see [`batch`].
    #[inline(always)]
    pub fn pulled_weight<W: Work, T: Stored>(
        self,
        w: W,
        (row, v): (&[T], &[T]),
        at: Moments,
        sums: &mut [f64],
    ) {
        let Moments { mean, scale, .. } = at;
        match self {
            Kernel::Layer => {
                let less = w.cast(-scale * mean);
                for ((sum, x), v) in sums.iter_mut().zip(row).zip(v) {
                    *sum = w.cast(*sum + w.cast(v.wide() * w.fused(scale, x.wide(), less)));
                }
            }
            _ => {
                let parts = row.chunks(self.inner()).zip(v.chunks(self.inner()));
                for (sum, (x, v)) in sums.iter_mut().zip(parts) {
                    let (along, total) = channel(w, x, v);
                    *sum = w.fused(w.fused(-total, mean, along), scale, *sum);
                }
            }
        }
    }

    /// Adds to `sums` what a row gives to the biases of its own channels.
    #[inline(always)]
    pub fn pulled_bias<W: Work, T: Stored>(self, w: W, v: &[T], sums: &mut [f64]) {
        for (sum, part) in sums.iter_mut().zip(v.chunks(self.inner())) {
            *sum = w.cast(*sum + total(w, part));
        }
    }
}

#[inline(always)]
fn standard<W: Work>(w: W, x: f64, at: Moments) -> f64 {
    w.cast(w.cast(x - at.mean) * at.scale)
}

/// The factor of part `k` where they are given, else `without`.
#[inline(always)]
fn factor(given: Option<&[f64]>, k: usize, without: f64) -> f64 {
    given.map_or(without, |all| all[k])
}

/// `Σ v·x` and `Σ v` of a channel.
#[inline(always)]
fn channel<W: Work>(w: W, x: &[impl Element], v: &[impl Element]) -> (f64, f64) {
    (product(w, v, x, |x| x, false), total(w, v))
}

/// Registers that are taken one after the other, before what they come to is added in pairs.
const CHUNK: usize = 16;

/// What some registers come to in each lane: how many, their mean, and the squares of their distances from it.
#[derive(Clone, Copy, Default)]
struct Part {
    count: usize,
    mean: [f64; MOST_LANES],
    squares: [f64; MOST_LANES],
}

impl Part {
    #[inline(always)]
    fn of<W: Work>(w: W, chunk: &[impl Element]) -> Part {
        let number = W::Number::of;
        let (mut means, mut squares) = ([number(0.0); MOST_LANES], [number(0.0); MOST_LANES]);
        for (k, register) in chunk.chunks_exact(W::LANES).enumerate() {
            let share = w.cast(1.0 / (k + 1) as f64);
            for ((mean, squares), v) in means.iter_mut().zip(&mut squares).zip(register) {
                let d = w.cast(v.wide() - mean.wide());
                *mean = number(w.fused(d, share, mean.wide()));
                let apart = w.cast(v.wide() - mean.wide());
                *squares = number(w.fused(d, apart, squares.wide()));
            }
        }
        let count = chunk.len() / W::LANES;
        Part { count, mean: means.map(W::Number::wide), squares: squares.map(W::Number::wide) }
    }

    #[inline(always)]
    fn add<W: Work>(&mut self, w: W, more: &Part) {
        let all = self.count + more.count;
        let share = if all == 0 { 0.0 } else { w.cast(more.count as f64 / all as f64) };
        for lane in 0..W::LANES {
            let d = w.cast(more.mean[lane] - self.mean[lane]);
            self.mean[lane] = w.fused(share, d, self.mean[lane]);
            let apart = w.cast(w.cast(d * d) * share);
            let added = w.fused(apart, self.count as f64, more.squares[lane]);
            self.squares[lane] = w.cast(self.squares[lane] + added);
        }
        self.count = all;
    }
}

/// By Welford: in each lane of a register, chunk by chunk and these in pairs, then together with what filled
/// no register.
#[inline(always)]
fn mean_and_variance<W: Work>(w: W, row: &[impl Element]) -> (f64, f64) {
    let (registers, rest) = row.split_at(row.len() / W::LANES * W::LANES);
    let (mut mean, mut squares) = (0.0, 0.0);
    for (k, v) in rest.iter().enumerate() {
        let d = w.cast(v.wide() - mean);
        mean = w.cast(mean + w.cast(d / (k + 1) as f64));
        squares = w.cast(squares + w.cast(d * w.cast(v.wide() - mean)));
    }
    let mut chunks = registers.chunks(CHUNK * W::LANES);
    let own = match chunks.len() {
        0 | 1 => Part::of(w, chunks.next().unwrap_or_default()),
        count => {
            let depth = usize::BITS - (count - 1).leading_zeros();
            let mut waiting = vec![Part::default(); depth.max(1) as usize];
            for (k, chunk) in chunks.enumerate() {
                waiting[0].add(w, &Part::of(w, chunk));
                let pairs = (k + 1).trailing_zeros() as usize;
                for level in 1..waiting.len().min(pairs + 1) {
                    let done = std::mem::take(&mut waiting[level - 1]);
                    waiting[level].add(w, &done);
                }
            }
            let (first, others) = waiting.split_at_mut(1);
            others.iter().for_each(|part| first[0].add(w, part));
            first[0]
        }
    };
    let mut before = rest.len();
    if own.count > 0 {
        for (own_mean, own_squares) in own.mean.iter().zip(own.squares).take(W::LANES) {
            let part = w.cast(own.count as f64 / (before + own.count) as f64);
            let d = w.cast(own_mean - mean);
            mean = w.fused(part, d, mean);
            let apart = w.cast(w.cast(d * d) * part);
            squares = w.cast(squares + w.fused(apart, before as f64, own_squares));
            before += own.count;
        }
    }
    (mean, w.cast(squares / row.len().max(1) as f64))
}
