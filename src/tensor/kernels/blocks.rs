//! Long loops cut into blocks: the budget is asked between them, and from some length on a second
//! core takes its share.

use super::operand::Input;
use super::{TILE, single};
use crate::dtype::Dtype;
use crate::storage::element::is_single;
use crate::{Element, Outcome, Tensor, budget};
use std::mem::MaybeUninit;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// A place that is written once.
pub type Slot = MaybeUninit<f64>;

/// Elements between two questions to the budget.
const BLOCK: usize = 16 * TILE;

/// From this many elements on, a second thread gains more than it costs.
pub const PARALLEL_FROM: usize = 50_000;

/// Calls `work` with each of `parts`, on all cores if `parallel`.
pub fn each<T: Send>(
    parts: impl ExactSizeIterator<Item = T> + Send,
    parallel: bool,
    work: impl Fn(T) + Sync,
) -> Outcome<()> {
    if !parallel {
        for part in parts {
            work(part);
            budget::tick()?;
        }
        return Ok(());
    }
    // Which thread does how many of them is chance; how many there are is not.
    budget::work::steps(parts.len() as u64);
    let parts = Mutex::new(parts);
    let stopped = AtomicBool::new(false);
    let next = || parts.lock().ok().and_then(|mut p| p.next());
    beside(
        || {
            while !stopped.load(Ordering::Relaxed)
                && let Some(part) = next()
            {
                work(part);
            }
        },
        // The budget is this thread's own.
        || loop {
            let part = next();
            let last = part.is_none();
            part.into_iter().for_each(&work);
            if let Err(stop) = budget::asked() {
                stopped.store(true, Ordering::Relaxed);
                return Err(stop);
            }
            if last {
                return Ok(());
            }
        },
    )
}

/// Runs `own` here and `helper` on every other core.
#[cfg(not(target_arch = "wasm32"))]
fn beside<R>(helper: impl Fn() + Sync, own: impl FnOnce() -> R) -> R {
    rayon::in_place_scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(|_| helper());
        }
        own()
    })
}

/// In a page there is no other core.
#[cfg(target_arch = "wasm32")]
fn beside<R>(_helper: impl Fn() + Sync, own: impl FnOnce() -> R) -> R {
    own()
}

/// The numbers of a tile.
///
/// # Safety
/// All its elements are written.
pub unsafe fn written(tile: &mut [Slot]) -> &mut [f64] {
    // SAFETY: a slot that is written is a number.
    unsafe { &mut *(std::ptr::from_mut(tile) as *mut [f64]) }
}

/// A tile that is written, of either type.
pub enum Slots<'a> {
    Double(&'a mut [Slot]),
    Single(&'a mut [MaybeUninit<f32>]),
}

impl Slots<'_> {
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Slots::Double(slots) => slots.len(),
            Slots::Single(slots) => slots.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn is_short(&self) -> bool {
        matches!(self, Slots::Single(_))
    }

    /// Whatever writes doubles writes the tile.
    #[inline]
    pub fn through(self, work: impl FnOnce(&mut [Slot])) {
        match self {
            Slots::Double(slots) => work(slots),
            Slots::Single(slots) => {
                let mut tile = [const { Slot::uninit() }; TILE];
                let tile = &mut tile[..slots.len()];
                work(tile);
                // SAFETY: `work` writes all of it.
                single::shorter(unsafe { written(tile) }, slots);
            }
        }
    }

    /// Writes these numbers.
    pub fn copy(self, from: Input) {
        fn all<T: Stored>(slots: &mut [MaybeUninit<T>], from: &[impl Element]) {
            slots.iter_mut().zip(from).for_each(|(slot, v)| {
                slot.write(T::of(v.wide()));
            });
        }
        fn one<T: Stored>(slots: &mut [MaybeUninit<T>], c: f64) {
            slots.fill(MaybeUninit::new(T::of(c)));
        }
        match (self, from) {
            (Slots::Double(slots), Input::One(c)) => one(slots, c),
            (Slots::Double(slots), Input::Many(from)) => all(slots, from),
            (Slots::Double(slots), Input::Short(from)) => single::longer(from, slots),
            (Slots::Single(slots), Input::One(c)) => one(slots, c),
            (Slots::Single(slots), Input::Many(from)) => single::shorter(from, slots),
            (Slots::Single(slots), Input::Short(from)) => all(slots, from),
        }
    }
}

/// A type in which what a loop computes is stored.
pub trait Stored: Element {
    /// The nearest one.
    fn of(v: f64) -> Self;

    /// An operand's numbers, where they lie in this type.
    fn many(input: Input<'_>) -> Option<&[Self]>;

    fn input(all: &[Self]) -> Input<'_>;

    fn slots(slots: &mut [MaybeUninit<Self>]) -> Slots<'_>;

    /// Made legal for `dtype`.
    fn legal(all: &mut [Self], dtype: Dtype);

    /// As many numbers, made legal for `dtype`.
    fn stored(slots: &mut [MaybeUninit<Self>], dtype: Dtype, from: &mut [Self]);
}

impl Stored for f64 {
    #[inline(always)]
    fn of(v: f64) -> f64 {
        v
    }

    #[inline(always)]
    fn many(input: Input<'_>) -> Option<&[f64]> {
        match input {
            Input::Many(all) => Some(all),
            _ => None,
        }
    }

    fn input(all: &[f64]) -> Input<'_> {
        Input::Many(all)
    }

    fn slots(slots: &mut [Slot]) -> Slots<'_> {
        Slots::Double(slots)
    }

    #[inline]
    fn legal(all: &mut [f64], dtype: Dtype) {
        dtype.cast_all(all);
    }

    #[inline]
    fn stored(slots: &mut [Slot], dtype: Dtype, from: &mut [f64]) {
        dtype.cast_all(from);
        for (slot, v) in slots.iter_mut().zip(from) {
            slot.write(*v);
        }
    }
}

impl Stored for f32 {
    #[inline(always)]
    fn of(v: f64) -> f32 {
        v as f32
    }

    #[inline(always)]
    fn many(input: Input<'_>) -> Option<&[f32]> {
        match input {
            Input::Short(all) => Some(all),
            _ => None,
        }
    }

    fn input(all: &[f32]) -> Input<'_> {
        Input::Short(all)
    }

    fn slots(slots: &mut [MaybeUninit<f32>]) -> Slots<'_> {
        Slots::Single(slots)
    }

    #[inline]
    fn legal(_: &mut [f32], _: Dtype) {}

    #[inline]
    fn stored(slots: &mut [MaybeUninit<f32>], _: Dtype, from: &mut [f32]) {
        for (slot, v) in slots.iter_mut().zip(from) {
            slot.write(*v);
        }
    }
}

/// `work` writes a tile; its numbers are made legal for `dtype` while they are in the cache.
#[inline]
pub fn write<T: Stored>(tile: &mut [MaybeUninit<T>], dtype: Dtype, work: impl FnOnce(Slots)) {
    work(T::slots(tile));
    if let Slots::Double(tile) = T::slots(tile) {
        // SAFETY: `work` writes all of it.
        dtype.cast_all(unsafe { written(tile) });
    }
}

/// `n` new numbers of type `dtype`, written tile by tile: `work` gets the place of a tile's first element,
/// and the tile.
pub fn fill<T: Stored>(
    n: usize,
    dtype: Dtype,
    work: &(dyn Fn(usize, Slots) + Sync),
) -> Outcome<Vec<T>> {
    let mut out = budget::vec(n)?;
    let slots = &mut out.spare_capacity_mut()[..n];
    each(slots.chunks_mut(BLOCK).enumerate(), n >= PARALLEL_FROM, |(k, block)| {
        for (l, tile) in block.chunks_mut(TILE).enumerate() {
            write(tile, dtype, |tile| work(k * BLOCK + l * TILE, tile));
        }
    })?;
    // SAFETY: `each` has called `work` for all tiles, and it writes all of a tile.
    unsafe { out.set_len(n) };
    Ok(out)
}

/// [`fill`] of `count` arrays at once.
fn fill_each<T: Stored>(
    n: usize,
    count: usize,
    work: &(dyn Fn(usize, Vec<Slots>) + Sync),
) -> Outcome<Vec<Vec<T>>> {
    let mut all: Vec<Vec<T>> = Vec::new();
    for _ in 0..count {
        all.push(budget::vec(n)?);
    }
    let mut parts: Vec<Vec<&mut [MaybeUninit<T>]>> = Vec::new();
    parts.resize_with(n.div_ceil(BLOCK), Vec::new);
    for out in &mut all {
        let blocks = out.spare_capacity_mut()[..n].chunks_mut(BLOCK);
        parts.iter_mut().zip(blocks).for_each(|(part, block)| part.push(block));
    }
    each(parts.into_iter().enumerate(), n >= PARALLEL_FROM, |(k, blocks)| {
        let mut rest = blocks;
        for at in (k * BLOCK..n.min((k + 1) * BLOCK)).step_by(TILE) {
            let (tiles, after) =
                rest.into_iter().map(|b| b.split_at_mut(TILE.min(b.len()))).unzip();
            rest = after;
            let tiles: Vec<&mut [MaybeUninit<T>]> = tiles;
            work(at, tiles.into_iter().map(T::slots).collect());
        }
    })?;
    // SAFETY: `each` has called `work` for all tiles, and it writes all of each.
    all.iter_mut().for_each(|out| unsafe { out.set_len(n) });
    Ok(all)
}

/// [`fill`] of doubles.
pub fn doubles(n: usize, work: &(dyn Fn(usize, &mut [Slot]) + Sync)) -> Outcome<Vec<f64>> {
    fill(n, Dtype::Float64, &|at, tile| tile.through(|tile| work(at, tile)))
}

/// [`fill`] of a tensor of type `dtype`.
pub fn tensor(
    shape: &[usize],
    n: usize,
    dtype: Dtype,
    work: &(dyn Fn(usize, Slots) + Sync),
) -> Outcome<Tensor> {
    Ok(match is_single(dtype, n) {
        true => Tensor::from_single(shape, fill(n, dtype, work)?),
        false => Tensor::new(shape, fill(n, dtype, work)?).with_dtype(dtype),
    })
}

/// [`tensor`] of `count` tensors at once.
pub fn tensors(
    shape: &[usize],
    (n, count): (usize, usize),
    dtype: Dtype,
    work: &(dyn Fn(usize, Vec<Slots>) + Sync),
) -> Outcome<Vec<Tensor>> {
    Ok(match is_single(dtype, n) {
        true => {
            let all = fill_each(n, count, work)?.into_iter();
            all.map(|data| Tensor::from_single(shape, data)).collect()
        }
        false => {
            let all = fill_each(n, count, work)?.into_iter();
            all.map(|data| Tensor::new(shape, data).with_dtype(dtype)).collect()
        }
    })
}

/// `data` changed in place, tile by tile, as [`fill`] writes.
pub fn change<T: Send>(data: &mut [T], work: &(dyn Fn(usize, &mut [T]) + Sync)) -> Outcome<()> {
    let parallel = data.len() >= PARALLEL_FROM;
    each(data.chunks_mut(BLOCK).enumerate(), parallel, |(k, block)| {
        for (l, tile) in block.chunks_mut(TILE).enumerate() {
            work(k * BLOCK + l * TILE, tile);
        }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::Kind;

    #[test]
    fn every_element_is_written_once() {
        for n in [0, 1, TILE - 1, BLOCK + 3, 3 * PARALLEL_FROM + 7] {
            let out = doubles(n, &|at, tile| {
                for (k, slot) in tile.iter_mut().enumerate() {
                    slot.write((at + k) as f64);
                }
            });
            let mut out = out.unwrap();
            assert!(out.iter().enumerate().all(|(k, v)| *v == k as f64));
            change(&mut out, &|at, tile: &mut [f64]| {
                for (k, v) in tile.iter_mut().enumerate() {
                    *v -= (at + k) as f64;
                }
            })
            .unwrap();
            assert!(out.iter().all(|v| *v == 0.0));
        }
    }

    #[test]
    fn a_time_limit_ends_a_long_loop() {
        let limits = budget::Limits::time(Some(std::time::Duration::ZERO));
        let out = doubles(PARALLEL_FROM * 4, &|_, tile| {
            tile.fill(Slot::new(0.0));
        });
        drop(limits);
        assert!(out.is_err_and(|e| e.kind == Kind::OutOfTime));
    }
}
