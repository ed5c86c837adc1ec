//! A convolution in pieces: so many patches at once that they take little room, whatever the images' size.

use super::Window;
use vjp_maths::primitives::fixed::element_map;
use vjp_tensor::budget;
use vjp_tensor::complaint::Outcome;
use vjp_tensor::element_map::ElementMap;
use vjp_tensor::kernels::strided as kernels;
use vjp_tensor::shape;
use vjp_tensor::tensor::Tensor;

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

/// So many elements of patches are side by side at once: a large convolution is computed piece by piece.
pub(super) const PATCHES: usize = 1 << 21;

/// What a convolution goes through.
#[derive(Debug)]
pub(super) struct Sizes {
    own: Vec<usize>,
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

    /// Places of one image, a piece at a time: (image, first place, how many).
    fn pieces(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let most = (PATCHES / (self.rows() * self.groups).max(1)).max(64);
        let (images, all) = (self.own[0], self.all);
        let whole = most / all.max(1);
        let starts = (0..images).flat_map(move |n| (0..all).step_by(most).map(move |p| (n, p)));
        // Several small images at once are one piece; its places count on.
        let step = if whole > 1 { whole } else { 1 };
        starts.filter(move |(n, _)| n % step == 0).map(move |(n, p)| match step {
            1 => (n, p, most.min(all - p)),
            _ => (n, 0, step.min(images - n) * all),
        })
    }

    /// The parts of a piece that belong to one image: (image, first place, how many).
    fn parts(&self, (image, first, count): (usize, usize, usize)) -> Vec<(usize, usize, usize)> {
        match count > self.all {
            true => (0..count / self.all).map(|k| (image + k, 0, self.all)).collect(),
            false => vec![(image, first, count)],
        }
    }

    /// The patches of a piece: (groups, rows, how many).
    fn patches(
        &self,
        x: &Tensor,
        reads: &[usize],
        piece: (usize, usize, usize),
    ) -> Outcome<Tensor> {
        let (data, rows) = (x.data(), self.rows());
        let shape = [self.groups, rows, piece.2];
        let mut out = budget::vec(shape::count(&shape)?)?;
        let parts = self.parts(piece);
        for k in 0..self.groups * rows {
            let (start, tap) = (self.start(k / rows, k % rows), k % rows % self.taps);
            for (image, first, count) in &parts {
                let channel = &data[image * self.own[1] * self.area + start..][..self.area];
                let under = &reads[tap * self.all + first..][..*count];
                out.extend(under.iter().map(|at| channel.get(*at).copied().unwrap_or(0.0)));
            }
            budget::tick()?;
        }
        Ok(Tensor::new(&shape, out).with_dtype(x.dtype()))
    }

    /// What stands in an output at the places of a piece: (groups, O/groups, how many).
    fn outputs(&self, v: &Tensor, piece: (usize, usize, usize)) -> Outcome<Tensor> {
        let o = self.kernel[0];
        let shape = [self.groups, o / self.groups, piece.2];
        let mut out = budget::vec(shape::count(&shape)?)?;
        let parts = self.parts(piece);
        for channel in 0..o {
            for (image, first, count) in &parts {
                let start = (image * o + channel) * self.all + first;
                out.extend_from_slice(&v.data()[start..start + count]);
            }
        }
        budget::tick()?;
        Ok(Tensor::new(&shape, out).with_dtype(v.dtype()))
    }

    fn weights(&self, w: &Tensor) -> Tensor {
        w.reshaped(&[self.groups, self.kernel[0] / self.groups, self.rows()])
    }

    pub(super) fn forward(&self, x: &Tensor, w: &Tensor) -> Outcome<Tensor> {
        let (o, reads, weights) = (self.kernel[0], self.reads()?, self.weights(w));
        let mut out = budget::filled(shape::numel(&self.result)?, 0.0)?;
        for piece in self.pieces() {
            let y = kernels::matmul(&weights, &self.patches(x, &reads, piece)?)?;
            let mut from = y.data();
            for channel in 0..o {
                for (image, first, count) in self.parts(piece) {
                    let start = (image * o + channel) * self.all + first;
                    let (line, rest) = from.split_at(count);
                    out[start..start + count].copy_from_slice(line);
                    from = rest;
                }
            }
        }
        Ok(Tensor::typed(&self.result, out, x.dtype().join(w.dtype())))
    }

    pub(super) fn to_input(&self, w: &Tensor, v: &Tensor) -> Outcome<Tensor> {
        let (rows, reads, weights) = (self.rows(), self.reads()?, self.weights(w));
        let mut out = budget::filled(shape::numel(&self.own)?, 0.0)?;
        for piece in self.pieces() {
            let pulled =
                kernels::matmul_swapped(&weights, &self.outputs(v, piece)?, [true, false])?;
            let mut from = pulled.data();
            let parts = self.parts(piece);
            for k in 0..self.groups * rows {
                let (start, tap) = (self.start(k / rows, k % rows), k % rows % self.taps);
                for (image, first, count) in &parts {
                    let channel = &mut out[image * self.own[1] * self.area + start..][..self.area];
                    let under = &reads[tap * self.all + first..][..*count];
                    let (line, rest) = from.split_at(*count);
                    for (at, v) in under.iter().zip(line) {
                        if let Some(slot) = channel.get_mut(*at) {
                            *slot += v;
                        }
                    }
                    from = rest;
                }
                budget::tick()?;
            }
        }
        Ok(Tensor::typed(&self.own, out, v.dtype()))
    }

    pub(super) fn to_weights(&self, x: &Tensor, v: &Tensor) -> Outcome<Tensor> {
        let reads = self.reads()?;
        let mut out = budget::filled(shape::numel(&self.kernel)?, 0.0)?;
        for piece in self.pieces() {
            let (v, patches) = (self.outputs(v, piece)?, self.patches(x, &reads, piece)?);
            let part = kernels::matmul_swapped(&v, &patches, [false, true])?;
            out.iter_mut().zip(part.data()).for_each(|(sum, part)| *sum += part);
        }
        Ok(Tensor::typed(&self.kernel, out, v.dtype()))
    }

    pub(super) fn to_bias(&self, v: &Tensor) -> Outcome<Tensor> {
        let o = self.kernel[0];
        let mut out = budget::filled(o, 0.0)?;
        for (k, line) in v.data().chunks(self.all.max(1)).enumerate() {
            let slot = &mut out[k % o];
            line.iter().for_each(|v| *slot += v);
            budget::tick()?;
        }
        Ok(Tensor::typed(&[o], out, v.dtype()))
    }

    /// Where the elements of patches, weights and outputs lie.
    ///
    /// # Errors
    /// The budget.
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
        let bias = element_map(&[o], &self.result, budget::listed(total, |k| k / all % o)?);
        Ok(Maps { patches, weights, outputs, bias })
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
