//! Sums: as PyTorch adds up to a size, beyond it in an order that no thread changes.

use super::blocks::{self, PARALLEL_FROM};
use super::{Cpu, single, sum_numpy, sum_order};
use crate::budget::refuse;
use crate::dtype::Dtype;
use crate::matrix::{Manner, manner};
use crate::{Element, Outcome};
use std::ops::Add;
use std::sync::Mutex;
use sum_order::Real;

/// From here on PyTorch's order depends on the number of its threads.
const FREE_FROM: usize = 32_768;

/// So many are added in [`LANES`] sums beside each other.
const STRIP: usize = 1024;
const LANES: usize = 16;

/// A piece of a sum that one thread takes.
const PIECE: usize = 16 * STRIP;

/// So many numbers are in a vector of PyTorch's.
const DOUBLES: usize = 4;
const SINGLES: usize = 8;

/// The sum in the order in which PyTorch adds.
pub fn sum(data: &[impl Element]) -> f64 {
    if manner() == Manner::Numpy {
        return sum_numpy::run::<_, f64>(data);
    }
    if data.len() < FREE_FROM { in_order::<f64, DOUBLES>(data) } else { large(data) }
}

/// The sum of floats of a type, rounded as it is formed.
pub fn sum_as(data: &[impl Element], dtype: Dtype) -> f64 {
    if manner() == Manner::Numpy && dtype == Dtype::Float32 {
        return f64::from(sum_numpy::run::<_, f32>(data));
    }
    if data.len() < FREE_FROM && dtype.is_short() {
        in_order::<f32, SINGLES>(data)
    } else {
        sum(data)
    }
}

fn in_order<R: Real, const N: usize>(data: &[impl Element]) -> f64 {
    sum_order::all::<_, R, N>(Cpu::over(data.len()), data)
}

/// Sums down to a shape of the same rank, 1 where it sums, where PyTorch's order is known. `shape` is that of
/// the data.
pub fn sums<T: Element>(
    (data, shape, dtype): (&[T], &[usize], Dtype),
    to: &[usize],
    out: &mut [f64],
) -> bool {
    let numpy = manner() == Manner::Numpy;
    if to.len() != shape.len() || !numpy && data.len() >= FREE_FROM {
        return false;
    }
    let cpu = Cpu::over(data.len());
    let short = if numpy { dtype == Dtype::Float32 } else { dtype.is_short() };
    if short {
        let mut sums = vec![0.0f32; out.len()];
        match numpy {
            true => sum_numpy::over(data, shape, to, &mut sums),
            false => sum_order::over::<_, _, SINGLES>(cpu, data, shape, to, &mut sums),
        }
        single::lengthen_into(&sums, out);
    } else if numpy {
        sum_numpy::over(data, shape, to, out);
    } else {
        sum_order::over::<_, _, DOUBLES>(cpu, data, shape, to, out);
    }
    true
}

/// Where neighbouring dimensions go: the elements of what is behind them.
pub fn inner(shape: &[usize], to: &[usize]) -> Option<usize> {
    let gone = |d: &usize| shape[*d] != to[*d];
    let (first, last) = ((0..to.len()).find(gone)?, (0..to.len()).rfind(gone)?);
    let one = (first..=last).all(|d| to[d] == 1);
    one.then(|| shape[last + 1..].iter().product())
}

/// Sums over the dimensions between those of `out` and its `inner` elements, of rows of `line` elements: each
/// result in the order of the elements, results beside each other on all cores.
pub fn over_one<T: Element>(
    data: &[T],
    (inner, line): (usize, usize),
    out: &mut [f64],
) -> Outcome<()> {
    /// Columns whose sums stay in the nearest memory.
    const COLUMNS: usize = 256;
    let (cpu, count) = (Cpu::over(data.len()), data.len() / out.len().max(1));
    if inner > 1 {
        let parts = out.chunks_mut(inner).enumerate().flat_map(|(outer, out)| {
            let columns = out.chunks_mut(COLUMNS).enumerate();
            columns.map(move |(k, out)| (outer * count * inner + k * COLUMNS, out))
        });
        let parts: Vec<(usize, &mut [f64])> = parts.collect();
        return blocks::each(parts.into_iter(), true, |(start, out)| {
            columns(cpu, &data[start..], inner, count, out);
        });
    }
    let results = (PIECE / count.max(1)).max(1);
    blocks::each(out.chunks_mut(results).enumerate(), true, |(k, out)| {
        let groups = data[k * results * count..].chunks(count.max(1));
        for (slot, group) in out.iter_mut().zip(groups) {
            *slot = group.chunks(line.max(1)).fold(*slot, |sum, row| sum + self::sum(row));
        }
    })
}

per_cpu! {
    /// Adds `count` rows, `step` elements apart.
    fn columns<T: Element>(data: &[T], step: usize, count: usize, out: &mut [f64]) -> () {
        /// So many rows are read beside each other.
        const ROWS: usize = 4;
        let width = out.len();
        let row = |k: usize| &data[k * step..][..width];
        let whole = count - count % ROWS;
        for k in (0..whole).step_by(ROWS) {
            let rows: [&[T]; ROWS] = std::array::from_fn(|l| row(k + l));
            for i in 0..width {
                out[i] = rows.iter().fold(out[i], |sum, row| sum + row[i].wide());
            }
        }
        for k in whole..count {
            out.iter_mut().zip(row(k)).for_each(|(slot, v)| *slot += v.wide());
        }
    }
}

/// In as many sums beside each other as a wide vector has lanes, which are added in halves, or in turn in float64:
/// what PyTorch divides by in a softmax.
#[inline(always)]
pub fn beside(data: &[impl Element], work: Dtype) -> f64 {
    match work {
        Dtype::Float32 => f64::from(beside_in::<f32, 16>(data, |v| v)),
        short if short.is_short() => beside_in::<f64, 16>(data, |v| short.cast(v)),
        _ => beside_in::<f64, WIDE>(data, |v| v),
    }
}

/// Doubles in a wide vector.
const WIDE: usize = 8;

#[inline(always)]
fn beside_in<R: Real + Add<Output = R>, const LANES: usize>(
    data: &[impl Element],
    cast: impl Fn(R) -> R,
) -> R {
    let (vectors, last) = data.as_chunks::<LANES>();
    // From the first on: the sum of negative zeros is one.
    let [first, rest @ ..] = vectors else {
        let last = last.iter().map(|v| R::of(v.wide()));
        return last.reduce(|sum, v| cast(sum + v)).unwrap_or_default();
    };
    let mut sums = first.map(|v| R::of(v.wide()));
    for vector in rest {
        for (sum, v) in sums.iter_mut().zip(vector) {
            *sum = cast(*sum + R::of(v.wide()));
        }
    }
    for (sum, v) in sums.iter_mut().zip(last) {
        *sum = cast(*sum + R::of(v.wide()));
    }
    if LANES == WIDE {
        return sums.into_iter().reduce(|sum, v| cast(sum + v)).unwrap_or_default();
    }
    let mut half = LANES / 2;
    while half > 0 {
        for k in 0..half {
            sums[k] = cast(sums[k] + sums[k + half]);
        }
        half /= 2;
    }
    sums[0]
}

/// One after the other, as PyTorch adds the squares of a variance.
pub fn in_turn(data: &[f64]) -> f64 {
    if data.len() < FREE_FROM { data.iter().fold(0.0, |sum, v| sum + v) } else { large(data) }
}

/// In pairs of halves.
fn large(data: &[impl Element]) -> f64 {
    let cpu = Cpu::over(data.len());
    if data.len() < PARALLEL_FROM {
        return halves(cpu, data);
    }
    let pieces = data.chunks(PIECE);
    let sums = Mutex::new(vec![0.0; pieces.len()]);
    let done = blocks::each(pieces.enumerate(), true, |(k, piece)| {
        let sum = halves(cpu, piece);
        if let Ok(mut sums) = sums.lock() {
            sums[k] = sum;
        }
    });
    if let Err(stop) = done {
        refuse(stop);
    }
    halves(cpu, &sums.into_inner().unwrap_or_default())
}

fn halves(cpu: Cpu, data: &[impl Element]) -> f64 {
    match data.len() {
        n if n <= STRIP => strip(cpu, data),
        n => {
            let (a, b) = data.split_at((n / 2).next_multiple_of(STRIP).min(n));
            halves(cpu, a) + halves(cpu, b)
        }
    }
}

per_cpu! {
    fn strip<T: Element>(data: &[T]) -> f64 {
        let mut lanes = [0.0; LANES];
        let (rows, rest) = data.as_chunks::<LANES>();
        for row in rows {
            for (lane, v) in lanes.iter_mut().zip(row) {
                *lane += v.wide();
            }
        }
        for (lane, v) in lanes.iter_mut().zip(rest) {
            *lane += v.wide();
        }
        for half in [8, 4, 2, 1] {
            for k in 0..half {
                lanes[k] += lanes[k + half];
            }
        }
        lanes[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_add_up_exactly() {
        for n in [0, 1, 127, 129, 1023, 1025, 40_000, 200_001] {
            let data: Vec<f64> = (0..n).map(f64::from).collect();
            let n = f64::from(n);
            assert_eq!(sum(&data), n * (n - 1.0).max(0.0) / 2.0);
        }
    }
}
