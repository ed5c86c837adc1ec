//! Convolution in one, two or three dimensions: patches side by side, times the weights.

pub use super::window::Window;
use std::cell::OnceCell;
use std::rc::Rc;
use vjp_maths::autodiff::linear_map::{Array, LinearMap};
use vjp_maths::autodiff::node::Edge;
use vjp_maths::autodiff::rule::{Point, Rule, Saves};
use vjp_maths::autodiff::variable::{Variable, apply};
use vjp_maths::primitives::fixed::{Fixed, element_map};
use vjp_maths::symbol::Symbols;
use vjp_ops::arguments::{Bound, Out};
use vjp_ops::arrange::layout;
use vjp_ops::entries;
use vjp_ops::entry::Forms;
use vjp_tensor::budget;
use vjp_tensor::complain;
use vjp_tensor::complaint::{Kind, Outcome};
use vjp_tensor::element_map::ElementMap;
use vjp_tensor::kernels::strided as kernels;
use vjp_tensor::shape;
use vjp_tensor::tensor::Tensor;
use vjp_tensor::torch_messages::{self, sizes};

/// `Y = W ⋆ X (+ b)`. Inputs: (N, C, …), (O, C/groups, kernel …) and perhaps (O).
#[derive(Debug)]
struct Convolution {
    sizes: Sizes,
    /// Made when they are asked for: numbers are computed without.
    maps: OnceCell<Maps>,
    /// As PyTorch's arguments, where padding is the same on both sides.
    written: Option<String>,
}

/// A convolution as a product of matrices between rearrangements.
#[derive(Debug)]
struct Maps {
    /// Patches: (groups, C/groups · taps, N · places).
    patches: ElementMap,
    /// The weights of each group as a matrix.
    weights: ElementMap,
    /// From (groups, O/groups, N · places) to (N, O, …).
    outputs: ElementMap,
    /// The bias of each output.
    bias: ElementMap,
}

impl Convolution {
    fn maps(&self) -> &Maps {
        self.maps.get_or_init(|| {
            self.sizes.maps().unwrap_or_else(|complaint| {
                budget::refuse(complaint);
                self.sizes.refused()
            })
        })
    }

    fn of<A: Array>(&self, inputs: &[&A]) -> A {
        let maps = self.maps();
        let patches = inputs[0].gather(&maps.patches);
        let weights = inputs[1].gather(&maps.weights);
        let y = weights.matmul(&patches).gather(&maps.outputs);
        match inputs.get(2) {
            Some(b) => y.add(&b.gather(&maps.bias)),
            None => y,
        }
    }
}

impl Rule for Convolution {
    fn name(&self) -> &'static str {
        "conv"
    }

    fn grad_fn(&self) -> &'static str {
        "ConvolutionBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::Inputs(0b11)
    }

    fn code(&self, inputs: &[String]) -> Option<String> {
        let d = self.sizes.result.len() - 2;
        Some(format!("torch.conv{d}d({}{})", inputs.join(", "), self.written.as_ref()?))
    }

    fn pull_code(&self, wrt: usize, inputs: &[String], v: &str) -> Option<String> {
        let (d, written) = (self.sizes.result.len() - 2, self.written.as_ref()?);
        let (x, w) = (&inputs[0], &inputs[1]);
        Some(match wrt {
            0 => format!("torch.nn.grad.conv{d}d_input({x}.shape, {w}, {v}{written})"),
            1 => format!("torch.nn.grad.conv{d}d_weight({x}, {w}.shape, {v}{written})"),
            _ => return None,
        })
    }

    /// Input, weight and bias.
    fn arguments(&self, inputs: &[Edge]) -> Vec<Option<usize>> {
        (0..3).map(|k| Some(k).filter(|k| *k < inputs.len())).collect()
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let y = self.sizes.forward(inputs[0], inputs[1])?;
        let Some(b) = inputs.get(2) else {
            return Ok(y);
        };
        let mut column = vec![1; y.rank() - 1];
        column[0] = b.numel();
        kernels::zip(&y, &b.reshaped(&column), y.dtype(), |y, b| y + b)
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(self.of(inputs))
    }

    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        let maps = self.maps();
        let outputs = LinearMap::Gather(maps.outputs.clone());
        let (w, p) = (&maps.weights.to, &maps.patches.to);
        let product = vec![w[0], w[1], p[2]];
        match wrt {
            0 => LinearMap::Then(vec![
                LinearMap::Gather(maps.patches.clone()),
                LinearMap::Left {
                    by: at.inputs[1].gather(&maps.weights),
                    from: p.clone(),
                    to: product,
                },
                outputs,
            ]),
            1 => LinearMap::Then(vec![
                LinearMap::Gather(maps.weights.clone()),
                LinearMap::Right {
                    by: at.inputs[0].gather(&maps.patches),
                    from: w.clone(),
                    to: product,
                },
                outputs,
            ]),
            _ => LinearMap::Gather(maps.bias.clone()),
        }
    }

    fn pull(&self, at: &Point<Tensor>, wrt: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let own = &self.sizes;
        if own.rows() * own.groups * own.columns() <= PATCHES {
            return None;
        }
        Some(match wrt {
            0 => own.to_input(at.inputs[1], v),
            1 => own.to_weights(at.inputs[0], v),
            _ => own.to_bias(v),
        })
    }
}

/// So many elements of patches are side by side at once: a large convolution is computed piece by piece.
const PATCHES: usize = 1 << 21;

/// What a convolution goes through.
#[derive(Debug)]
struct Sizes {
    own: Vec<usize>,
    kernel: Vec<usize>,
    window: Window,
    places: Vec<usize>,
    groups: usize,
    /// Of the output.
    result: Vec<usize>,
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
    fn new(
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
    fn rows(&self) -> usize {
        self.own[1] / self.groups * self.taps
    }

    /// Patches of all images.
    fn columns(&self) -> usize {
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

    fn forward(&self, x: &Tensor, w: &Tensor) -> Outcome<Tensor> {
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

    fn to_input(&self, w: &Tensor, v: &Tensor) -> Outcome<Tensor> {
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

    fn to_weights(&self, x: &Tensor, v: &Tensor) -> Outcome<Tensor> {
        let reads = self.reads()?;
        let mut out = budget::filled(shape::numel(&self.kernel)?, 0.0)?;
        for piece in self.pieces() {
            let (v, patches) = (self.outputs(v, piece)?, self.patches(x, &reads, piece)?);
            let part = kernels::matmul_swapped(&v, &patches, [false, true])?;
            out.iter_mut().zip(part.data()).for_each(|(sum, part)| *sum += part);
        }
        Ok(Tensor::typed(&self.kernel, out, v.dtype()))
    }

    fn to_bias(&self, v: &Tensor) -> Outcome<Tensor> {
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
    fn maps(&self) -> Outcome<Maps> {
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
    fn refused(&self) -> Maps {
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

/// One number for each of `d` dimensions; a single one counts for all.
///
/// # Errors
/// Another count, or a negative one.
pub fn spread(given: Option<Vec<i64>>, usual: usize, d: usize, name: &str) -> Outcome<Vec<usize>> {
    let Some(given) = given.filter(|g| !g.is_empty()) else {
        return Ok(vec![usual; d]);
    };
    if given.iter().any(|v| *v < 0) {
        complain!(Kind::Runtime, "negative {name} is not supported");
    }
    let given: Vec<usize> = given.into_iter().map(|v| v as usize).collect();
    match given.len() {
        1 => Ok(vec![given[0]; d]),
        n if n == d => Ok(given),
        _ => complain!(
            Kind::Runtime,
            "expected {name} to be a single integer value or a list of {d} values to match the convolution dimensions, but got {name}={}",
            sizes(&given)
        ),
    }
}

/// A weight for as many dimensions as the input has.
///
/// # Errors
/// PyTorch's sentences on other weights.
pub fn kernel_fits(kernel: &[usize], own: &[usize], d: usize) -> Outcome<()> {
    let n = kernel.len();
    if n < 3 {
        complain!(Kind::Runtime, "weight should have at least three dimensions");
    }
    if d > 1 && n != d + 2 {
        let ones = vec![1; d];
        complain!(
            Kind::Runtime,
            "expected stride to be a single integer value or a list of {} values to match the convolution dimensions, but got stride={}",
            n - 2,
            sizes(&ones)
        );
    }
    if n != d + 2 {
        let batched: Vec<usize> =
            if own.len() == d + 1 { [&[1], own].concat() } else { own.to_vec() };
        complain!(
            Kind::Runtime,
            "Expected {n}-dimensional input for {n}-dimensional weight {}, but got {}-dimensional input of size {} instead",
            sizes(kernel),
            batched.len(),
            sizes(&batched)
        );
    }
    Ok(())
}

/// `torch.conv1d`, `conv2d`, `conv3d`.
///
/// # Errors
/// Shapes that do not fit each other.
pub fn convolution(
    x: &Variable,
    w: &Variable,
    bias: Option<&Variable>,
    window: &Window,
    after: &[usize],
    groups: usize,
) -> Outcome<Variable> {
    let d = window.stride.len();
    let own = x.shape();
    let kernel = w.shape();
    if own.len() != d + 2 && own.len() != d + 1 {
        complain!(
            Kind::Runtime,
            "Expected {}D (unbatched) or {}D (batched) input to conv{d}d, but got input of size: {}",
            d + 1,
            d + 2,
            sizes(&own)
        );
    }
    kernel_fits(&kernel, &own, d)?;
    if own.len() == d + 1 {
        let batch = layout::unsqueeze(x, 0)?;
        let y = convolution(&batch, w, bias, window, after, groups)?;
        return layout::squeeze(&y, Some(&[0]));
    }
    if window.stride.contains(&0) {
        complain!(Kind::Runtime, "non-positive stride is not supported");
    }
    let groups = groups.max(1);
    let (c, o) = (own[1], kernel[0]);
    if o < groups {
        complain!(
            Kind::Runtime,
            "Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size {} instead",
            sizes(&kernel)
        );
    }
    if !o.is_multiple_of(groups) {
        complain!(
            Kind::Runtime,
            "Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of size [{}] instead",
            sizes(&kernel)
        );
    }
    if kernel[1] * groups != c {
        complain!(
            Kind::Runtime,
            "Given groups={groups}, weight of size {}, expected input{} to have {} channels, but got {c} channels instead",
            sizes(&kernel),
            sizes(&own),
            kernel[1] * groups
        );
    }
    if let Some(b) = bias
        && b.shape() != [o]
    {
        complain!(
            Kind::Runtime,
            "Given weight of size {}, expected bias to be 1-dimensional with {o} elements, but got bias of size {} instead",
            sizes(&kernel),
            sizes(&b.shape())
        );
    }
    let space = &own[2..];
    let Some(places) = window.places(space, after) else {
        let padded: Vec<String> =
            (0..d).map(|k| (space[k] + window.padding[k] + after[k]).to_string()).collect();
        let reach: Vec<String> = (0..d)
            .map(|k| (window.dilation[k] * (window.kernel[k].max(1) - 1) + 1).to_string())
            .collect();
        complain!(
            Kind::Runtime,
            "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be greater than actual input size",
            padded.join(" x "),
            reach.join(" x ")
        );
    };
    let sizes = Sizes::new(&own, &kernel, window, places, groups)?;
    let mut written = None;
    if after == window.padding {
        let tuple = |all: &[usize]| {
            let all: Vec<String> = all.iter().map(|k| format!("{k},")).collect();
            format!("({})", all.join(" "))
        };
        let (stride, padding) = (tuple(&window.stride), tuple(&window.padding));
        let dilation = tuple(&window.dilation);
        written = Some(format!(
            ", stride={stride}, padding={padding}, dilation={dilation}, groups={groups}"
        ));
    }
    let mut inputs = vec![x.clone(), w.clone()];
    inputs.extend(bias.cloned());
    apply(Rc::new(Convolution { sizes, maps: OnceCell::new(), written }), &inputs)
}

fn conv(b: &mut Bound, d: usize) -> Outcome<Out> {
    let (x, w) = (b.tensor(0)?, b.tensor(1)?);
    let bias = if b.has(2) { Some(b.tensor(2)?) } else { None };
    let kernel: Vec<usize> = w.shape().iter().skip(2).copied().collect();
    let stride = spread(b.ints(3), 1, d, "stride")?;
    let dilation = spread(b.ints(5), 1, d, "dilation")?;
    let (padding, after) = match b.arg(4) {
        vjp_ops::arguments::Arg::Str(s) if s == "valid" => (vec![0; d], vec![0; d]),
        vjp_ops::arguments::Arg::Str(s) if s == "same" => {
            if stride.iter().any(|s| *s != 1) {
                complain!(
                    Kind::Runtime,
                    "padding='same' is not supported for strided convolutions"
                );
            }
            let total = dilation.iter().zip(&kernel).map(|(s, k)| s * (k.max(&1) - 1));
            let total: Vec<usize> = total.collect();
            if total.iter().any(|t| t % 2 == 1) {
                vjp_tensor::warnings::warn_once(
                    "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of the input be created",
                );
            }
            let before: Vec<usize> = total.iter().map(|t| t / 2).collect();
            (before, total.iter().map(|t| t - t / 2).collect())
        }
        vjp_ops::arguments::Arg::Str(s) => {
            complain!(Kind::Runtime, "Invalid padding string: '{s}'")
        }
        _ => {
            let p = spread(b.ints(4), 0, d, "padding")?;
            (p.clone(), p)
        }
    };
    let window = Window { kernel, stride, padding, dilation };
    let groups = b.int_or(6, 1);
    if groups <= 0 {
        complain!(Kind::Runtime, "non-positive groups is not supported");
    }
    let y = convolution(&x, &w, bias.as_ref(), &window, &after, groups as usize)?;
    Ok(Out::One(y))
}

/// A window over images, as it is asked for.
pub(crate) struct Patches {
    kernel: [i64; 2],
    dilation: [i64; 2],
    padding: [i64; 2],
    stride: [i64; 2],
}

impl Patches {
    /// # Errors
    /// What no window has.
    pub(crate) fn read(b: &Bound, kernel: usize, rest: [usize; 3]) -> Outcome<Patches> {
        let pair = |k: usize, usual: i64, name: &str| -> Outcome<[i64; 2]> {
            match b.ints(k).unwrap_or(vec![usual])[..] {
                [both] => Ok([both, both]),
                [rows, columns] => Ok([rows, columns]),
                ref many => complain!(
                    Kind::Runtime,
                    "It is expected {name} equals to 2, but got size {}",
                    many.len()
                ),
            }
        };
        let asked = Patches {
            kernel: pair(kernel, 1, "kernel_size")?,
            dilation: pair(rest[0], 1, "dilation")?,
            padding: pair(rest[1], 0, "padding")?,
            stride: pair(rest[2], 1, "stride")?,
        };
        let parts = [
            ("kernel size", "kernel", asked.kernel),
            ("dilation", "dilation", asked.dilation),
            ("padding", "pad", asked.padding),
            ("stride", "stride", asked.stride),
        ];
        for (what, word, [rows, columns]) in parts {
            let (least, wanted) = match word {
                "pad" => (0, "non-negative"),
                _ => (1, "greater than zero"),
            };
            if rows < least || columns < least {
                complain!(
                    Kind::Runtime,
                    "{what} should be {wanted}, but got {word}_height: {rows} {word}_width: {columns}"
                );
            }
        }
        Ok(asked)
    }

    /// How many places it has over an image.
    pub(crate) fn blocks(&self, space: &[usize]) -> [i64; 2] {
        std::array::from_fn(|d| {
            let reach = self.dilation[d].saturating_mul(self.kernel[d] - 1).saturating_add(1);
            let room = (space[d] as i64).saturating_add(self.padding[d].saturating_mul(2));
            room.saturating_sub(reach).div_euclid(self.stride[d]) + 1
        })
    }

    pub(crate) fn window(&self) -> Window {
        let sizes = |v: [i64; 2]| v.iter().map(|n| *n as usize).collect();
        Window {
            kernel: sizes(self.kernel),
            dilation: sizes(self.dilation),
            padding: sizes(self.padding),
            stride: sizes(self.stride),
        }
    }

    pub(crate) fn said(&self, with_stride: bool) -> String {
        let parts = [
            ("kernel_size", self.kernel),
            ("dilation", self.dilation),
            ("padding", self.padding),
            ("stride", self.stride),
        ];
        let said = parts.iter().take(if with_stride { 4 } else { 3 });
        let said: Vec<String> = said.map(|(name, [a, b])| format!("{name}=({a}, {b})")).collect();
        said.join(", ")
    }
}

/// Patches side by side: `F.unfold`.
fn im2col(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let own = x.shape();
    let asked = Patches::read(b, 1, [2, 3, 4])?;
    if own.is_empty() {
        return Err(torch_messages::no_dimensions(-1));
    }
    for dim in 1..=2 {
        shape::size(&own, dim)?;
    }
    let lead = own.len() - 3;
    if lead > 1 || own[lead..].contains(&0) {
        complain!(
            Kind::Runtime,
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: {}",
            sizes(&own)
        );
    }
    let (c, space) = (own[lead], &own[lead + 1..]);
    let n: usize = own[..lead].iter().product();
    let blocks = asked.blocks(space);
    if blocks.iter().any(|n| *n < 1) {
        complain!(
            Kind::Runtime,
            "Given input with spatial size ({}, {}), {}, calculated shape of the array of sliding blocks as ({}, {}), but its components must be at least one.",
            space[0],
            space[1],
            asked.said(false),
            blocks[0],
            blocks[1]
        );
    }
    if !x.dtype().is_float() {
        complain!(
            Kind::NotImplemented,
            "\"im2col_out_cpu\" not implemented for '{}'",
            x.dtype().scalar_type()
        );
    }
    let (window, places) = (asked.window(), blocks.map(|n| n as usize));
    let taps: usize = window.kernel.iter().product();
    let (all, area) = (shape::count(&places)?, shape::count(space)?);
    let mut to = own[..lead].to_vec();
    to.extend([c * taps, all]);
    let index = budget::listed(shape::count(&[n, c * taps, all])?, |k| {
        let (p, row, batch) = (k % all, k / all % (c * taps), k / all / (c * taps));
        window
            .under(space, &places, p, row % taps)
            .map_or(ElementMap::NONE, |at| (batch * c + row / taps) * area + at)
    })?;
    let map = element_map(&own, &to, index);
    let op = Fixed::gather("unfold", "Im2ColBackward0", map).adding();
    Ok(Out::One(apply(Rc::new(op), &[x])?))
}

const FORMS: Forms = Forms::F.and(Forms::TORCH);
const CONV: &str = "(Tensor input, Tensor weight, Tensor bias=None, int[] stride=1, int|str padding=0, int[] dilation=1, int groups=1)";

pub static ENTRIES: &[vjp_ops::entry::Entry] = entries! {
    "conv1d" FORMS, CONV, "yₒₚ = bₒ + Σ wₒ꜀ₖ x꜀,ₚ₊ₖ; ∂yₒₚ/∂x꜀,ₚ₊ₖ = wₒ꜀ₖ, ∂yₒₚ/∂wₒ꜀ₖ = x꜀,ₚ₊ₖ", "F.conv1d(tensor([[[1., 2., 4.]]]), tensor([[[1., -1.]]]))", ["conv2d", "avg_pool1d"] jax "conv({*})"
        => |b| conv(b, 1);
    "conv2d" FORMS, CONV, "a window of weights that slides over two dimensions: yₒₚ = bₒ + Σ wₒ꜀ₖ x꜀,ₚ₊ₖ; ∂yₒₚ/∂x꜀,ₚ₊ₖ = wₒ꜀ₖ, ∂yₒₚ/∂wₒ꜀ₖ = x꜀,ₚ₊ₖ", "F.conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2))", ["conv1d", "avg_pool2d"] jax "conv({*})"
        => |b| conv(b, 2);
    "conv3d" FORMS, CONV, "a window of weights that slides over three dimensions: yₒₚ = bₒ + Σ wₒ꜀ₖ x꜀,ₚ₊ₖ; ∂yₒₚ/∂x꜀,ₚ₊ₖ = wₒ꜀ₖ, ∂yₒₚ/∂wₒ꜀ₖ = x꜀,ₚ₊ₖ", "F.conv3d(torch.ones(1, 1, 2, 2, 2), torch.ones(1, 1, 2, 2, 2))", ["conv2d"] jax "conv({*})"
        => |b| conv(b, 3);
    "unfold" Forms::F, "(Tensor input, int[] kernel_size, int[] dilation=1, int[] padding=0, int[] stride=1)", "the patches under a sliding window, as columns", "F.unfold(torch.ones(1, 1, 3, 3), 2)", ["conv2d"] jax "unfold({*})"
        => im2col;
};

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Piece by piece, and as one product between rearrangements.
    #[test]
    fn a_large_convolution_is_what_its_maps_give() {
        for (own, kernel, stride) in [
            ([1, 8, 200, 200], [6, 4, 3, 3], 1),
            ([40, 8, 32, 32], [4, 8, 3, 3], 1),
            ([3, 8, 251, 90], [2, 8, 5, 5], 2),
        ] {
            let window = Window {
                kernel: kernel[2..].to_vec(),
                stride: vec![stride; 2],
                padding: vec![1; 2],
                dilation: vec![1; 2],
            };
            let places = window.places(&own[2..], &[1; 2]).unwrap();
            let sizes = Sizes::new(&own, &kernel, &window, places, own[1] / kernel[1]).unwrap();
            assert!(sizes.rows() * sizes.groups * sizes.columns() > PATCHES);
            let some = |shape: &[usize], seed: usize| {
                let count = shape.iter().product();
                let data = (0..count).map(|k: usize| ((k * 7 + seed) % 13) as f64 - 6.0).collect();
                Tensor::new(shape, data)
            };
            let (x, w, b) = (some(&own, 0), some(&kernel, 1), some(&kernel[..1], 2));
            let v = some(&sizes.result, 3);
            let op = Convolution { sizes, maps: OnceCell::new(), written: None };
            let value = op.value(&[&x, &w, &b]).unwrap();
            assert_eq!(value.data(), op.of(&[&x, &w, &b]).data());
            let inputs = [&x, &w, &b];
            let at = Point { inputs: &inputs, output: &value, values: &inputs, value: &value };
            for wrt in 0..3 {
                let pulled = op.pull(&at, wrt, &v).unwrap().unwrap();
                assert_eq!(pulled.data(), op.linear(&at, wrt).pull(&v).data(), "{wrt}");
            }
        }
    }
}
