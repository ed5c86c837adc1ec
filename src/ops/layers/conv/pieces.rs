//! What a convolution goes through: as a product of matrices between rearrangements, and in numbers a block of
//! places at a time.

use super::Window;
use vjp_maths::primitives::fixed::element_map;
use vjp_tensor::kernels::blocks::{PARALLEL_FROM, each};
use vjp_tensor::kernels::convolve;
use vjp_tensor::storage::numbers::shortened;
use vjp_tensor::{Dtype, Element, ElementMap, Outcome, Tensor, budget, shape, with_floats};

/// A convolution as a product of matrices between rearrangements.
#[derive(Debug)]
pub(super) struct Maps {
    /// Patches: (groups, C/groups · taps, N · places).
    pub(super) patches: ElementMap,
    /// The weights of each group as a matrix.
    pub(super) weights: ElementMap,
    /// From (groups, O/groups, N · places) to (N, O, …).
    pub(super) outputs: ElementMap,
    /// The bias of each output.
    pub(super) bias: ElementMap,
}

/// What a convolution goes through.
#[derive(Debug)]
pub(super) struct Sizes {
    pub(super) own: Vec<usize>,
    kernel: Vec<usize>,
    window: Window,
    places: Vec<usize>,
    pub(super) groups: usize,
    /// Of the output.
    pub(super) result: Vec<usize>,
    /// Places of the window over one image.
    all: usize,
    /// Elements of one channel of an image.
    area: usize,
    /// Elements of the window.
    taps: usize,
}

impl Sizes {
    /// # Errors
    /// More elements than can be counted.
    pub(super) fn new(
        own: &[usize],
        kernel: &[usize],
        window: &Window,
        places: Vec<usize>,
        groups: usize,
    ) -> Outcome<Sizes> {
        let mut result = vec![own[0], kernel[0]];
        result.extend(&places);
        shape::count(&result)?;
        Ok(Sizes {
            all: shape::count(&places)?,
            area: shape::count(&own[2..])?,
            taps: kernel[2..].iter().product(),
            own: own.to_vec(),
            kernel: kernel.to_vec(),
            window: window.clone(),
            places,
            groups,
            result,
        })
    }

    /// Numbers in a patch of one group.
    pub(super) fn rows(&self) -> usize {
        self.own[1] / self.groups * self.taps
    }

    /// Patches of all images.
    pub(super) fn columns(&self) -> usize {
        self.own[0].saturating_mul(self.all)
    }

    /// The first number of the channel that `row` of a group's patches reads, in the first image.
    fn start(&self, group: usize, row: usize) -> usize {
        (group * (self.own[1] / self.groups) + row / self.taps) * self.area
    }

    /// Where each tap reads at each place, the same for every channel and every image.
    fn reads(&self) -> Outcome<Vec<usize>> {
        let space = &self.own[2..];
        budget::listed(self.taps.saturating_mul(self.all), |k| {
            let under = self.window.under(space, &self.places, k % self.all, k / self.all);
            under.unwrap_or(ElementMap::NONE)
        })
    }

    /// What is computed a block at a time; None of few numbers, where people read the last digit and each sum
    /// is taken in order, and of other than floats.
    pub(super) fn blocks(&self, dtype: Dtype) -> Option<convolve::Sizes> {
        /// Multiplications.
        const FEW: usize = 16 * 16 * 16;
        let blocks = convolve::Sizes {
            images: self.own[0],
            channels: [self.own[1], self.kernel[0]],
            groups: self.groups,
            space: three(&self.own[2..], 1),
            places: three(&self.places, 1),
            kernel: three(&self.kernel[2..], 1),
            stride: three(&self.window.stride, 1),
            padding: three(&self.window.padding, 0),
            dilation: three(&self.window.dilation, 1),
        };
        (dtype.is_float() && blocks.work() > FEW).then_some(blocks)
    }

    /// The output with its bias, a block at a time.
    pub(super) fn forward(&self, blocks: &convolve::Sizes, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let dtype = inputs[0].dtype().join(inputs[1].dtype());
        if dtype == Dtype::Float32 {
            let bias = inputs.get(2).map(|b| shortened(b)).transpose()?;
            let (x, w) = (shortened(inputs[0])?, shortened(inputs[1])?);
            return Ok(Tensor::from_single(&self.result, blocks.forward(&x, &w, bias.as_deref())?));
        }
        let bias = inputs.get(2).map(|b| b.data());
        let out = blocks.forward(inputs[0].data(), inputs[1].data(), bias)?;
        Ok(Tensor::typed(&self.result, out, dtype))
    }

    /// vᵀJ with respect to the input, plus what a transposed convolution has as bias.
    pub(super) fn to_input(
        &self,
        blocks: &convolve::Sizes,
        w: &Tensor,
        v: &Tensor,
        bias: Option<&Tensor>,
    ) -> Outcome<Tensor> {
        match v.dtype() {
            Dtype::Float32 => {
                let bias = bias.map(shortened).transpose()?;
                let out = blocks.to_input(&shortened(w)?, &shortened(v)?, bias.as_deref())?;
                Ok(Tensor::from_single(&self.own, out))
            }
            dtype => {
                let out = blocks.to_input(w.data(), v.data(), bias.map(Tensor::data))?;
                Ok(Tensor::typed(&self.own, out, dtype))
            }
        }
    }

    pub(super) fn to_weights(
        &self,
        blocks: &convolve::Sizes,
        x: &Tensor,
        v: &Tensor,
    ) -> Outcome<Tensor> {
        match v.dtype() {
            Dtype::Float32 => {
                let out = blocks.to_weights(&shortened(x)?, &shortened(v)?)?;
                Ok(Tensor::from_single(&self.kernel, out))
            }
            dtype => {
                let out = blocks.to_weights(x.data(), v.data())?;
                Ok(Tensor::typed(&self.kernel, out, dtype))
            }
        }
    }

    /// One sum for each channel of `v`.
    pub(super) fn to_bias(v: &Tensor) -> Outcome<Tensor> {
        let (o, all) = (v.shape()[1], v.shape()[2..].iter().product::<usize>());
        let mut out = budget::filled(o, 0.0)?;
        with_floats!(v, data => {
            each(out.iter_mut().enumerate(), data.len() >= PARALLEL_FROM, |(k, slot)| {
                for line in data.chunks(all.max(1)).skip(k).step_by(o) {
                    *slot += beside(line);
                }
            })
        })?;
        Ok(Tensor::typed(&[o], out, v.dtype()))
    }

    /// Where the elements of patches, weights and outputs lie.
    pub(super) fn maps(&self) -> Outcome<Maps> {
        let (o, n, all, rows) = (self.kernel[0], self.own[0], self.all, self.rows());
        let to = [self.groups, rows, n * all];
        budget::reserve(shape::count(&to)?.saturating_mul(size_of::<usize>()))?;
        let reads = self.reads()?;
        let mut index = budget::vec(shape::count(&to)?)?;
        for k in 0..self.groups * rows {
            let (start, tap) = (self.start(k / rows, k % rows), k % rows % self.taps);
            let under = &reads[tap * all..][..all];
            for image in 0..n {
                let start = image * self.own[1] * self.area + start;
                index.extend(under.iter().map(|at| match *at {
                    ElementMap::NONE => ElementMap::NONE,
                    at => start + at,
                }));
            }
            budget::tick()?;
        }
        let patches = element_map(&self.own, &to, index);
        let weights = ElementMap::reshape(&self.kernel, &[self.groups, o / self.groups, rows]);
        let total = shape::count(&self.result)?;
        let index = budget::listed(total, |k| {
            let (p, channel, image) = (k % all, k / all % o, k / all / o);
            channel * n * all + image * all + p
        })?;
        let outputs = element_map(&[self.groups, o / self.groups, n * all], &self.result, index);
        let bias = channels(&self.result)?;
        Ok(Maps { patches, weights, outputs, bias })
    }

    /// Where the elements of the weights lie as matrices that take outputs to patches.
    pub(super) fn turned(&self) -> Outcome<ElementMap> {
        let (o, rows) = (self.kernel[0] / self.groups, self.rows());
        let index = budget::listed(self.groups * rows * o, |k| {
            let (output, row, group) = (k % o, k / o % rows, k / o / rows);
            (group * o + output) * rows + row
        })?;
        Ok(element_map(&self.kernel, &[self.groups, rows, o], index))
    }

    /// [`Sizes::maps`] that could not be made: they read nothing.
    pub(super) fn refused(&self) -> Maps {
        let (o, rows, columns) = (self.kernel[0], self.rows(), self.columns());
        let none = |from: &[usize], to: &[usize]| element_map(from, to, Vec::new());
        let product = [self.groups, o / self.groups, columns];
        Maps {
            patches: none(&self.own, &[self.groups, rows, columns]),
            weights: none(&self.kernel, &[self.groups, o / self.groups, rows]),
            outputs: none(&product, &self.result),
            bias: none(&[o], &self.result),
        }
    }
}

/// From one number for each channel to images of this shape.
pub(super) fn channels(to: &[usize]) -> Outcome<ElementMap> {
    let area = to[2..].iter().product::<usize>().max(1);
    let index = budget::listed(shape::count(to)?, |k| k / area % to[1])?;
    Ok(element_map(&[to[1]], to, index))
}

/// One for each of three dimensions, the last ones given.
fn three(given: &[usize], usual: usize) -> [usize; 3] {
    let mut all = [usual; 3];
    all[3 - given.len()..].copy_from_slice(given);
    all
}

/// A sum in several columns: none waits for the other.
fn beside(line: &[impl Element]) -> f64 {
    let mut sums = [0.0; 16];
    let parts = line.chunks_exact(16);
    let rest: f64 = parts.remainder().iter().map(|v| v.wide()).sum();
    for part in parts {
        sums.iter_mut().zip(part).for_each(|(sum, v)| *sum += v.wide());
    }
    sums.iter().sum::<f64>() + rest
}
