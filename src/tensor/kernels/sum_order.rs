//! Sums in the order in which PyTorch adds on a CPU, so that the last digit is the same.
//!
//! Source: aten/src/ATen/native/cpu/SumKernel.cpp (`cascade_sum`) and the order of dimensions of its
//! TensorIterator. A row is read in vectors of 32 bytes, four of them beside each other; long rows are
//! summed in levels, so that rounding grows slowly.

use crate::{Element, shape};
use std::array::from_fn;
use std::ops::AddAssign;

/// What sums are formed in: f64, or f32 for the shorter floats.
pub trait Real: Element + AddAssign {
    fn of(value: f64) -> Self;
}

impl Real for f64 {
    #[inline(always)]
    fn of(value: f64) -> f64 {
        value
    }
}

impl Real for f32 {
    #[inline(always)]
    fn of(value: f64) -> f32 {
        value as f32
    }
}

/// A number as sums take it.
#[inline(always)]
fn of<T: Real>(v: impl Element) -> T {
    T::of(v.wide())
}

/// Those that lie beside each other from `at` on.
#[inline(always)]
fn some<T: Real, const N: usize>(data: &[impl Element], at: usize) -> [T; N] {
    let data = &data[at..at + N];
    from_fn(|l| of(data[l]))
}

/// So many rows are summed beside each other.
const ROWS: usize = 4;

const LEVELS: usize = 4;

#[inline(always)]
fn add<T: Real, const N: usize>(to: &mut [T; N], more: [T; N]) {
    for (a, b) in to.iter_mut().zip(more) {
        *a += b;
    }
}

/// Four sums of `size` vectors each.
#[inline(always)]
fn four<T: Real, const N: usize>(
    size: usize,
    load: impl Fn(usize, usize) -> [T; N],
) -> [[T; N]; ROWS] {
    let zero = [[T::default(); N]; ROWS];
    let (mut sums, mut upper) = (zero, [zero; LEVELS]);
    let log = usize::BITS - size.saturating_sub(1).leading_zeros();
    let power = (log as usize / LEVELS).max(4);
    let step = 1 << power;
    if size < step {
        for i in 0..size {
            for (k, sum) in sums.iter_mut().enumerate() {
                add(sum, load(i, k));
            }
        }
        return sums;
    }
    let mut i = 0;
    while i + step <= size {
        for i in i..i + step {
            for (k, sum) in sums.iter_mut().enumerate() {
                add(sum, load(i, k));
            }
        }
        i += step;
        let mut below = std::mem::replace(&mut sums, zero);
        for (level, to) in upper.iter_mut().enumerate().skip(1) {
            for (sum, part) in to.iter_mut().zip(below) {
                add(sum, part);
            }
            if i & ((step - 1) << (level * power)) != 0 {
                break;
            }
            below = std::mem::replace(to, zero);
        }
    }
    for i in i..size {
        for (k, sum) in sums.iter_mut().enumerate() {
            add(sum, load(i, k));
        }
    }
    for level in &upper[1..] {
        for (sum, part) in sums.iter_mut().zip(level) {
            add(sum, *part);
        }
    }
    sums
}

/// One sum of `size` vectors.
#[inline(always)]
fn one<T: Real, const N: usize>(size: usize, load: impl Fn(usize) -> [T; N]) -> [T; N] {
    let each = size / ROWS;
    let [mut sum, others @ ..] = four(
        each,
        #[inline(always)]
        |i, k| load(ROWS * i + k),
    );
    for i in ROWS * each..size {
        add(&mut sum, load(i));
    }
    for other in others {
        add(&mut sum, other);
    }
    sum
}

/// The sum of numbers that lie beside each other.
#[inline(always)]
fn line<T: Real, const N: usize>(row: &[impl Element]) -> T {
    let (vectors, rest) = row.as_chunks::<N>();
    let sums = one::<T, N>(
        vectors.len(),
        #[inline(always)]
        |i| vectors[i].map(of),
    );
    let mut sum = T::default();
    for v in rest.iter().map(|v| of(*v)).chain(sums) {
        sum += v;
    }
    sum
}

per_cpu! {
    /// All of them.
    pub fn all<E: Element, T: Real; N>(data: &[E]) -> f64 {
        if data.len() >= N {
            return line::<T, N>(data).wide();
        }
        let [sum] = one(data.len(), #[inline(always)] |i| [of::<T>(data[i])]);
        sum.wide()
    }
}

/// A dimension: its length and the steps in the input and in the result, 0 there where it is summed.
#[derive(Clone, Copy)]
struct Dim {
    len: usize,
    step: usize,
    out: usize,
}

/// Where there is nothing to sum.
const ALONE: Dim = Dim { len: 1, step: 0, out: 0 };

/// Dimensions as the iterator takes them: the summed ones first, small steps first, joined where both
/// sides run on.
fn dims(from: &[usize], to: &[usize]) -> Vec<Dim> {
    let (steps, outs) = (shape::strides(from), shape::broadcast_strides(to, from));
    let mut dims: Vec<Dim> = Vec::with_capacity(from.len());
    for k in 0..from.len() {
        if from[k] != 1 {
            let (len, step, out) = (from[k], steps[k], outs[k]);
            dims.push(Dim { len, step, out });
        }
    }
    dims.sort_by_key(|d| (d.out != 0, d.step));
    let mut joined: Vec<Dim> = Vec::with_capacity(dims.len() + 1);
    if dims.first().is_none_or(|d| d.out != 0) {
        joined.push(ALONE);
    }
    for d in dims {
        match joined.last_mut() {
            Some(last)
                if last.len > 1
                    && last.len * last.step == d.step
                    && last.len * last.out == d.out =>
            {
                last.len *= d.len;
            }
            _ => joined.push(d),
        }
    }
    joined
}

per_cpu! {
    /// Adds to `out` what `data` of shape `from` sums to in shape `to` (of the same rank, 1 where summed).
    pub fn over<E: Element, T: Real; N>(
        data: &[E],
        from: &[usize],
        to: &[usize],
        out: &mut [T],
    ) -> () {
        if data.is_empty() || out.is_empty() {
            return;
        }
        let dims = dims(from, to);
        let at = |k: usize| dims.get(k).copied().unwrap_or(ALONE);
        let outer = dims.get(2..).unwrap_or(&[]);
        let turns: usize = outer.iter().map(|d| d.len).product();
        for turn in 0..turns {
            let (mut left, mut start, mut place) = (turn, 0, 0);
            for d in outer {
                let i = left % d.len;
                left /= d.len;
                start += i * d.step;
                place += i * d.out;
            }
            plane::<E, T, N>(&data[start..], &mut out[place..], at(0), at(1));
        }
    }
}

/// The innermost two dimensions; `a` is summed.
#[inline(always)]
fn plane<E: Element, T: Real, const N: usize>(data: &[E], out: &mut [T], a: Dim, b: Dim) {
    let mut j = 0;
    if a.step == 1 && a.len >= N {
        for j in 0..b.len {
            out[j * b.out] += line::<T, N>(&data[j * b.step..][..a.len]);
        }
        return;
    }
    if b.step == 1 && b.len >= N {
        while j + ROWS * N <= b.len {
            let sums = four(
                a.len,
                #[inline(always)]
                |i, k| some::<T, N>(data, i * a.step + j + k * N),
            );
            for (k, sum) in sums.as_flattened().iter().enumerate() {
                out[(j + k) * b.out] += *sum;
            }
            j += ROWS * N;
        }
        while j + N <= b.len {
            let sums = one(
                a.len,
                #[inline(always)]
                |i| some::<T, N>(data, i * a.step + j),
            );
            for (k, sum) in sums.iter().enumerate() {
                out[(j + k) * b.out] += *sum;
            }
            j += N;
        }
    } else if a.step >= b.step {
        while j + ROWS <= b.len {
            let sums = four(
                a.len,
                #[inline(always)]
                |i, k| some::<T, 1>(data, i * a.step + (j + k) * b.step),
            );
            for (k, [sum]) in sums.iter().enumerate() {
                out[(j + k) * b.out] += *sum;
            }
            j += ROWS;
        }
    }
    for j in j..b.len {
        let [sum] = one(
            a.len,
            #[inline(always)]
            |i| some::<T, 1>(data, i * a.step + j * b.step),
        );
        out[j * b.out] += sum;
    }
}
