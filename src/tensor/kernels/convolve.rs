//! Convolutions of large arrays, a block of places at a time: the patches of a block lie side by side in the
//! processor's nearest memory, are multiplied by the weights and forgotten.

use super::blocks::each;
use super::product::{self, is_long};
use super::sum_order::Real;
use crate::budget::stop::FLAG;
use crate::{Outcome, budget};
use ndarray::{ArrayView2, ArrayViewMut2, ArrayViewMut5, Axis, s};
use num_traits::Float;
use std::borrow::Cow;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// What numbers are computed in.
pub trait Number: Float + Real {}

impl Number for f32 {}
impl Number for f64 {}

/// Elements of patches that are side by side at once.
const PATCHES: usize = 1 << 17;

/// Fewest and most places of a block.
const PLACES: [usize; 2] = [64, 2048];

/// The sizes of a convolution over three dimensions, some of which may be 1.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub images: usize,
    /// Of the input and of the output.
    pub channels: [usize; 2],
    pub groups: usize,
    pub space: [usize; 3],
    pub places: [usize; 3],
    pub kernel: [usize; 3],
    pub stride: [usize; 3],
    pub padding: [usize; 3],
    pub dilation: [usize; 3],
}

/// Images with zeros around them.
struct Padded<'a, T: Clone> {
    data: Cow<'a, [T]>,
    channels: usize,
    sides: [usize; 3],
}

/// Where a patch reads: from the place's first element on, each tap so far behind.
struct Reads {
    taps: Vec<usize>,
    steps: [usize; 3],
}

/// Neighbouring places: of which images, and where in each dimension.
#[derive(Clone)]
struct Block([Range<usize>; 4]);

impl Block {
    fn count(&self) -> usize {
        self.0.iter().map(Range::len).product()
    }

    /// All of these in blocks of at most `most` places, in order.
    fn cut(sizes: [usize; 4], most: usize) -> Vec<Block> {
        let mut all = vec![Block(sizes.map(|n| 0..n))];
        for axis in 0..4 {
            let inner: usize = sizes[axis + 1..].iter().product();
            let step = (most / inner.max(1)).clamp(1, sizes[axis].max(1));
            // Parts of equal length, as far as that goes.
            let step = sizes[axis].div_ceil(sizes[axis].div_ceil(step).max(1)).max(1);
            let cut = |block: &Block| {
                let block = block.clone();
                (0..sizes[axis]).step_by(step).map(move |start| {
                    let mut part = block.clone();
                    part.0[axis] = start..sizes[axis].min(start + step);
                    part
                })
            };
            all = all.iter().flat_map(cut).collect();
            if step > 1 {
                break;
            }
        }
        all
    }
}

impl<'a, T: Number> Padded<'a, T> {
    /// `before` zeros in front of each dimension, and so many behind that it has these `sides`.
    fn new(
        data: &'a [T],
        [images, channels]: [usize; 2],
        space: [usize; 3],
        before: [usize; 3],
        sides: [usize; 3],
    ) -> Outcome<Padded<'a, T>> {
        if sides == space {
            return Ok(Padded { data: data.into(), channels, sides });
        }
        let plane: usize = sides.iter().product();
        let mut padded = zeros(images * channels * plane)?;
        let [rows, columns] = [space[1], space[2]];
        let area = space[0] * rows * columns;
        if plane > 0 && area > 0 {
            let planes = padded.chunks_mut(plane).zip(data.chunks(area));
            each(planes, data.len() >= super::blocks::PARALLEL_FROM, |(to, from)| {
                for (k, line) in from.chunks(columns).enumerate() {
                    let depth = k / rows + before[0];
                    let start = (depth * sides[1] + k % rows + before[1]) * sides[2] + before[2];
                    to[start..start + columns].copy_from_slice(line);
                }
            })?;
        }
        Ok(Padded { data: padded.into(), channels, sides })
    }

    /// How far apart the elements of each dimension are.
    fn strides(&self) -> [usize; 3] {
        [self.sides[1] * self.sides[2], self.sides[2], 1]
    }

    /// The patches of a block, a row for each tap of each channel.
    fn gather<'r>(
        &self,
        channels: Range<usize>,
        reads: &Reads,
        block: &Block,
        all: &'r mut [MaybeUninit<T>],
    ) -> &'r [T] {
        let plane: usize = self.sides.iter().product();
        let [images, d, h, w] = &block.0;
        let [far, down, right] = reads.steps;
        let mut rows = all.chunks_exact_mut(w.len().max(1));
        let write = |(slot, v): (&mut MaybeUninit<T>, &T)| {
            slot.write(*v);
        };
        for channel in channels {
            for tap in &reads.taps {
                for image in images.clone() {
                    let start = (image * self.channels + channel) * plane + tap;
                    for d in d.clone() {
                        for h in h.clone() {
                            let row = rows.next().expect("taps × lines");
                            let start = start + d * far + h * down + w.start * right;
                            let line = &self.data[start..];
                            if right == 1 {
                                row.iter_mut().zip(line).for_each(write);
                                continue;
                            }
                            let line = line.iter().step_by(right);
                            row.iter_mut().zip(line).for_each(write);
                        }
                    }
                }
            }
        }
        assert!(rows.next().is_none());
        // SAFETY: all rows are written.
        unsafe { &*(std::ptr::from_ref(all) as *const [T]) }
    }
}

/// Zeros that the system gives: nobody writes them.
fn zeros<T: Number>(count: usize) -> Outcome<Vec<T>> {
    budget::reserve(count.saturating_mul(size_of::<T>()))?;
    Ok(vec![T::zero(); count])
}

/// Room for what each core works on, taken here, where the budget is asked.
struct Desks<T> {
    free: Mutex<Vec<Box<[MaybeUninit<T>]>>>,
    size: usize,
}

impl<T: Number> Desks<T> {
    fn new(size: usize, parallel: bool) -> Outcome<Desks<T>> {
        let count = if parallel { cores() } else { 1 };
        budget::reserve(count.saturating_mul(size).saturating_mul(size_of::<T>()))?;
        let free = (0..count).map(|_| Box::new_uninit_slice(size)).collect();
        Ok(Desks { free: Mutex::new(free), size })
    }

    fn with(&self, work: impl FnOnce(&mut [MaybeUninit<T>])) {
        let desk = self.free.lock().ok().and_then(|mut all| all.pop());
        let mut desk = desk.unwrap_or_else(|| Box::new_uninit_slice(self.size));
        work(&mut desk);
        if let Ok(mut all) = self.free.lock() {
            all.push(desk);
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn cores() -> usize {
    rayon::current_num_threads() + 1
}

#[cfg(target_arch = "wasm32")]
fn cores() -> usize {
    1
}

/// So many places are a block where patches have this many `rows`.
fn places(rows: usize) -> usize {
    (PATCHES / rows.max(1)).clamp(PLACES[0], PLACES[1])
}

/// Weights (groups × outputs × patch) times patches, written to `out`, whose dimensions are images, channels
/// and three of space.
fn multiplied<T: Number>(
    from: &Padded<T>,
    reads: &Reads,
    (weights, bias, groups): (&[T], Option<&[T]>, usize),
    mut out: ArrayViewMut5<T>,
) -> Outcome<()> {
    let (images, channels, d, h, w) = out.dim();
    let (inputs, outputs) = (from.channels / groups, channels / groups);
    let rows = inputs * reads.taps.len();
    let most = places(rows);
    let blocks = Block::cut([images, d, h, w], most);
    let work = rows * outputs * groups * images * d * h * w;
    let parallel = is_long::<T>(work);
    let whole = out.raw_view_mut();
    let parts: Vec<(usize, &Block, ArrayViewMut5<T>)> = (0..groups)
        .flat_map(|group| blocks.iter().map(move |block| (group, block)))
        .map(|(group, block)| {
            let [n, d, h, w] = block.0.clone();
            let channels = group * outputs..(group + 1) * outputs;
            let part = whole.slice_move(s![n, channels, d, h, w]);
            // SAFETY: blocks of one group do not overlap, nor do groups; `out` is borrowed until the end.
            (group, block, unsafe { part.deref_into_view_mut() })
        })
        .collect();
    let desks = Desks::new((rows + outputs) * most, parallel)?;
    budget::work::steps((work / product::WORK) as u64);
    each(parts.into_iter(), parallel, |(group, block, mut part)| {
        desks.with(|desk| {
            let count = block.count();
            let (patches, rest) = desk.split_at_mut(rows * count);
            let result = &mut rest[..outputs * count];
            result.fill(MaybeUninit::new(T::zero()));
            // SAFETY: all of it is written.
            let result = unsafe { &mut *(std::ptr::from_mut(result) as *mut [T]) };
            let inputs = group * inputs..(group + 1) * inputs;
            let patches = from.gather(inputs, reads, block, patches);
            let weights = &weights[group * outputs * rows..][..outputs * rows];
            product::block(
                ArrayViewMut2::from_shape((outputs, count), &mut *result)
                    .expect("outputs × places"),
                product::matrix(weights, outputs, rows, false),
                product::matrix(patches, rows, count, false),
                false,
            );
            for (k, mut slots) in part.axis_iter_mut(Axis(1)).enumerate() {
                let more = bias.map(|b| b[group * outputs + k]);
                let line = &result[k * count..][..count];
                let mut lines = line.chunks_exact(block.0[3].len().max(1));
                for mut slots in slots.rows_mut() {
                    let line = lines.next().unwrap_or_default();
                    match (more, slots.as_slice_mut()) {
                        (None, Some(slots)) => slots.copy_from_slice(line),
                        (None, None) => slots.iter_mut().zip(line).for_each(|(s, v)| *s = *v),
                        (Some(b), Some(slots)) => {
                            slots.iter_mut().zip(line).for_each(|(s, v)| *s = *v + b);
                        }
                        (Some(b), None) => {
                            slots.iter_mut().zip(line).for_each(|(s, v)| *s = *v + b);
                        }
                    }
                }
            }
        });
    })
}

impl Sizes {
    fn taps(&self) -> usize {
        self.kernel.iter().product()
    }

    /// Multiplications.
    pub fn work(&self) -> usize {
        let places: usize = self.places.iter().product();
        let patch = (self.channels[0] / self.groups).saturating_mul(self.taps());
        patch.saturating_mul(self.channels[1]).saturating_mul(self.images).saturating_mul(places)
    }

    /// The image with its padding, and where patches read in it.
    fn padded<'a, T: Number>(&self, x: &'a [T]) -> Outcome<(Padded<'a, T>, Reads)> {
        let sides = std::array::from_fn(|k| {
            let reach = (self.places[k].max(1) - 1) * self.stride[k];
            let reach = reach + (self.kernel[k].max(1) - 1) * self.dilation[k] + 1;
            reach.max(self.padding[k] + self.space[k])
        });
        let from =
            Padded::new(x, [self.images, self.channels[0]], self.space, self.padding, sides)?;
        let strides = from.strides();
        let reads = Reads {
            taps: self.all_taps().map(|t| dot(t, self.dilation, strides)).collect(),
            steps: std::array::from_fn(|k| self.stride[k] * strides[k]),
        };
        Ok((from, reads))
    }

    fn all_taps(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let [_, h, w] = self.kernel;
        (0..self.taps()).map(move |t| [t / (h * w), t / w % h, t % w])
    }

    /// The output. A bias is added in the numbers' own kind.
    pub fn forward<T: Number>(&self, x: &[T], w: &[T], bias: Option<&[T]>) -> Outcome<Vec<T>> {
        let [d, h, wide] = self.places;
        let shape = (self.images, self.channels[1], d, h, wide);
        let mut out = zeros(self.images * self.channels[1] * d * h * wide)?;
        let (from, reads) = self.padded(x)?;
        let view = ArrayViewMut5::from_shape(shape, &mut out).expect("images × places");
        multiplied(&from, &reads, (w, bias, self.groups), view)?;
        Ok(out)
    }

    /// vᵀJ with respect to the input: for each remainder of a place by the stride a convolution of `v` with
    /// the weights that meet it. A bias is one number for each channel of the input.
    pub fn to_input<T: Number>(&self, w: &[T], v: &[T], bias: Option<&[T]>) -> Outcome<Vec<T>> {
        let [d, h, wide] = self.space;
        let shape = (self.images, self.channels[0], d, h, wide);
        let mut out = zeros(self.images * self.channels[0] * d * h * wide)?;
        let mut view = ArrayViewMut5::from_shape(shape, &mut out).expect("images × space");
        // How many places before its own a tap reads, at each remainder.
        let shift = |k: usize, rest: usize, t: usize| {
            let gap = (rest + self.padding[k]) as isize - (t * self.dilation[k]) as isize;
            let stride = self.stride[k] as isize;
            (gap.rem_euclid(stride) == 0).then(|| gap.div_euclid(stride))
        };
        let sizes: [usize; 3] = std::array::from_fn(|k| self.stride[k].min(self.space[k]));
        let (mut before, mut sides) = ([0; 3], [0; 3]);
        for k in 0..3 {
            let mut ends = [0, self.places[k] as isize];
            for rest in 0..sizes[k] {
                let last = ((self.space[k] - 1 - rest) / self.stride[k]) as isize;
                for at in (0..self.kernel[k]).filter_map(|t| shift(k, rest, t)) {
                    ends = [ends[0].min(at), ends[1].max(at + last + 1)];
                }
            }
            before[k] = -ends[0] as usize;
            sides[k] = (ends[1] - ends[0]) as usize;
        }
        let from = Padded::new(v, [self.images, self.channels[1]], self.places, before, sides)?;
        let (strides, taps) = (from.strides(), self.taps());
        let (inputs, outputs) = (self.channels[0] / self.groups, self.channels[1] / self.groups);
        for rest in 0..sizes.iter().product() {
            let rest = [rest / (sizes[1] * sizes[2]), rest / sizes[2] % sizes[1], rest % sizes[2]];
            let mut met = Vec::new();
            let mut reads = Reads { taps: Vec::new(), steps: strides };
            for (at, tap) in self.all_taps().enumerate() {
                let shifts = [0, 1, 2].map(|k| shift(k, rest[k], tap[k]));
                if let [Some(d), Some(h), Some(w)] = shifts {
                    let places = [d, h, w];
                    let places = std::array::from_fn(|k| (places[k] + before[k] as isize) as usize);
                    met.push(at);
                    reads.taps.push(dot(places, [1; 3], strides));
                }
            }
            if met.is_empty() && bias.is_none() {
                continue;
            }
            let rows = outputs * met.len();
            let mut weights = budget::vec::<T>(self.channels[0] * rows)?;
            for channel in 0..self.channels[0] {
                let (group, input) = (channel / inputs, channel % inputs);
                for output in group * outputs..(group + 1) * outputs {
                    let own = &w[(output * inputs + input) * taps..][..taps];
                    weights.extend(met.iter().map(|tap| own[*tap]));
                }
                budget::tick()?;
            }
            let part = view.slice_mut(s![
                ..,
                ..,
                rest[0]..;self.stride[0],
                rest[1]..;self.stride[1],
                rest[2]..;self.stride[2]
            ]);
            multiplied(&from, &reads, (&weights, bias, self.groups), part)?;
        }
        Ok(out)
    }

    /// vᵀJ with respect to the weights.
    pub fn to_weights<T: Number>(&self, x: &[T], v: &[T]) -> Outcome<Vec<T>> {
        /// Places are added up in so many parts, whatever the number of cores.
        const PARTS: usize = 8;
        let (from, reads) = self.padded(x)?;
        let (images, places) = (self.images, self.places);
        let slopes = Padded::new(v, [images, self.channels[1]], places, [0; 3], places)?;
        let own = Reads { taps: vec![0], steps: slopes.strides() };
        let (inputs, outputs) = (self.channels[0] / self.groups, self.channels[1] / self.groups);
        let rows = inputs * self.taps();
        let most = self::places(rows + outputs);
        let blocks = Block::cut([images, places[0], places[1], places[2]], most);
        let step = blocks.len().div_ceil(PARTS).max(1);
        let parts = blocks.chunks(step).len();
        let parallel = is_long::<T>(self.work());
        let size = rows * outputs;
        let mut sums = zeros::<T>(self.groups * parts * size)?;
        let desks = Desks::new((rows + outputs) * most, parallel)?;
        budget::work::steps((self.work() / product::WORK) as u64);
        // The wishes that this thread looks at.
        let flag = FLAG.get();
        let units = sums.chunks_mut(size.max(1)).enumerate();
        each(units, parallel, |(unit, sum)| {
            let group = unit / parts;
            desks.with(|desk| {
                for (k, block) in blocks[unit % parts * step..].iter().take(step).enumerate() {
                    if flag.load(Ordering::Relaxed) != 0 {
                        return;
                    }
                    let count = block.count();
                    let (patches, rest) = desk.split_at_mut(rows * count);
                    let slope = &mut rest[..outputs * count];
                    let inputs = group * inputs..(group + 1) * inputs;
                    let patches = from.gather(inputs, &reads, block, patches);
                    let places = group * outputs..(group + 1) * outputs;
                    let slope = slopes.gather(places, &own, block, slope);
                    // The transpose of the sum: the outputs' side is short to rearrange.
                    let slope: ArrayView2<T> = product::matrix(slope, outputs, count, true);
                    product::block(
                        ArrayViewMut2::from_shape((rows, outputs), &mut *sum)
                            .expect("patch × outputs"),
                        product::matrix(patches, rows, count, false),
                        slope,
                        k > 0,
                    );
                }
            });
        })?;
        let mut out = budget::vec(self.groups * size)?;
        for sums in sums.chunks_exact((parts * size).max(1)) {
            let mut total = zeros::<T>(size)?;
            for part in sums.chunks_exact(size) {
                total.iter_mut().zip(part).for_each(|(sum, v)| *sum += *v);
            }
            for output in 0..outputs {
                out.extend(total[output..].iter().step_by(outputs));
                budget::tick()?;
            }
        }
        Ok(out)
    }
}

fn dot(a: [usize; 3], b: [usize; 3], c: [usize; 3]) -> usize {
    (0..3).map(|k| a[k] * b[k] * c[k]).sum()
}
