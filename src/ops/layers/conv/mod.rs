//! Convolution in one, two or three dimensions: patches side by side, times the weights.

mod pieces;
pub mod transpose;

use self::pieces::{Maps, Sizes};
pub use super::window::Window;
use std::cell::OnceCell;
use std::rc::Rc;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::{
    Array, Edge, Fixed, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable, apply,
};
use vjp_ops::arrange::layout;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::kernels::strided as kernels;
use vjp_tensor::torch_messages::{self, sizes};
use vjp_tensor::{Dtype, ElementMap, Outcome, Tensor, budget, complain, mixed_dtypes, shape};

/// `Y = W ⋆ X (+ b)`. Inputs: (N, C, …), (O, C/groups, kernel …) and perhaps (O).
#[derive(Debug)]
struct Convolution {
    sizes: Sizes,
    /// Made when they are asked for: numbers are computed without.
    maps: OnceCell<Maps>,
    /// As PyTorch's arguments, where padding is the same on both sides.
    written: Option<String>,
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

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let dtype = inputs[0].dtype().join(inputs[1].dtype());
        match self.sizes.blocks(dtype) {
            Some(blocks) => {
                let (now, later) = bias(inputs, dtype);
                let y = self.sizes.forward(&blocks, &[&inputs[..2], now.as_slice()].concat())?;
                shifted(y, later)
            }
            None => Ok(self.of(inputs)),
        }
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
        let blocks = own.blocks(v.dtype())?;
        Some(match wrt {
            0 => own.to_input(&blocks, at.inputs[1], v, None),
            1 => own.to_weights(&blocks, at.inputs[0], v),
            _ => Sizes::to_bias(v),
        })
    }
}

impl TorchNode for Convolution {
    fn grad_fn(&self) -> &'static str {
        "ConvolutionBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::Inputs(0b11)
    }

    /// Input, weight and bias.
    fn arguments(&self, inputs: &[Edge]) -> Vec<Option<usize>> {
        (0..3).map(|k| Some(k).filter(|k| *k < inputs.len())).collect()
    }
}

/// The bias, as it is added: within the sums, or afterwards: of the shorter floats, output and bias are rounded
/// one after the other.
fn bias<'a>(inputs: &[&'a Tensor], dtype: Dtype) -> (Option<&'a Tensor>, Option<&'a Tensor>) {
    let bias = inputs.get(2).copied();
    match dtype {
        Dtype::Float32 | Dtype::Float64 => (bias, None),
        _ => (None, bias),
    }
}

/// Plus a bias for each channel.
fn shifted(y: Tensor, bias: Option<&Tensor>) -> Outcome<Tensor> {
    let Some(bias) = bias else {
        return Ok(y);
    };
    let mut column = vec![1; y.rank() - 1];
    column[0] = bias.numel();
    kernels::zip(&y, &bias.reshaped(&column), y.dtype(), |y, b| y + b)
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
        complain!("negative {name} is not supported");
    }
    let given: Vec<usize> = given.into_iter().map(|v| v as usize).collect();
    match given.len() {
        1 => Ok(vec![given[0]; d]),
        n if n == d => Ok(given),
        _ => complain!(
            "expected {name} to be a single integer value or a list of {d} values to match the convolution dimensions, but got {name}={}",
            sizes(&given)
        ),
    }
}

/// A weight for as many dimensions as the input has.
pub fn kernel_fits(kernel: &[usize], own: &[usize], d: usize) -> Outcome<()> {
    let n = kernel.len();
    if n < 3 {
        complain!("weight should have at least three dimensions");
    }
    if d > 1 && n != d + 2 {
        let ones = vec![1; d];
        complain!(
            "expected stride to be a single integer value or a list of {} values to match the convolution dimensions, but got stride={}",
            n - 2,
            sizes(&ones)
        );
    }
    if n != d + 2 {
        let batched: Vec<usize> =
            if own.len() == d + 1 { [&[1], own].concat() } else { own.to_vec() };
        complain!(
            "Expected {n}-dimensional input for {n}-dimensional weight {}, but got {}-dimensional input of size {} instead",
            sizes(kernel),
            batched.len(),
            sizes(&batched)
        );
    }
    Ok(())
}

/// One number for each of the outputs; `transposed` is said of the weight.
fn check_bias(
    bias: Option<&Variable>,
    transposed: &str,
    kernel: &[usize],
    outputs: usize,
) -> Outcome<()> {
    match bias.map(Variable::shape) {
        Some(own) if own != [outputs] => complain!(
            "Given {transposed}weight of size {}, expected bias to be 1-dimensional with {outputs} elements, but got bias of size {} instead",
            sizes(kernel),
            sizes(&own)
        ),
        _ => Ok(()),
    }
}

/// As Python writes it.
pub(crate) fn tuple(all: &[usize]) -> String {
    let all: Vec<String> = all.iter().map(|k| format!("{k},")).collect();
    format!("({})", all.join(" "))
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
        complain!("non-positive stride is not supported");
    }
    let groups = groups.max(1);
    let (c, o) = (own[1], kernel[0]);
    if o < groups {
        complain!(
            "Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size {} instead",
            sizes(&kernel)
        );
    }
    if !o.is_multiple_of(groups) {
        complain!(
            "Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of size [{}] instead",
            sizes(&kernel)
        );
    }
    if kernel[1] * groups != c {
        complain!(
            "Given groups={groups}, weight of size {}, expected input{} to have {} channels, but got {c} channels instead",
            sizes(&kernel),
            sizes(&own),
            kernel[1] * groups
        );
    }
    check_bias(bias, "", &kernel, o)?;
    if x.dtype() != w.dtype() && !mixed_dtypes::permitted() {
        return Err(torch_messages::other_type(x.dtype(), w.dtype()));
    }
    let space = &own[2..];
    let Some(places) = window.places(space, after) else {
        let padded: Vec<String> =
            (0..d).map(|k| (space[k] + window.padding[k] + after[k]).to_string()).collect();
        let reach: Vec<String> = (0..d)
            .map(|k| (window.dilation[k] * (window.kernel[k].max(1) - 1) + 1).to_string())
            .collect();
        complain!(
            "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be greater than actual input size",
            padded.join(" x "),
            reach.join(" x ")
        );
    };
    let sizes = Sizes::new(&own, &kernel, window, places, groups)?;
    let mut written = None;
    if after == window.padding {
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
        vjp_ops::Arg::Str(s) if s == "valid" => (vec![0; d], vec![0; d]),
        vjp_ops::Arg::Str(s) if s == "same" => {
            if stride.iter().any(|s| *s != 1) {
                complain!("padding='same' is not supported for strided convolutions");
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
        vjp_ops::Arg::Str(s) => {
            complain!("Invalid padding string: '{s}'")
        }
        _ => {
            let p = spread(b.ints(4), 0, d, "padding")?;
            (p.clone(), p)
        }
    };
    let window = Window { kernel, stride, padding, dilation };
    let groups = b.int_or(6, 1);
    if groups <= 0 {
        complain!("non-positive groups is not supported");
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
                ref many => {
                    complain!("It is expected {name} equals to 2, but got size {}", many.len())
                }
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
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: {}",
            sizes(&own)
        );
    }
    let (c, space) = (own[lead], &own[lead + 1..]);
    let n: usize = own[..lead].iter().product();
    let blocks = asked.blocks(space);
    if blocks.iter().any(|n| *n < 1) {
        complain!(
            "Given input with spatial size ({}, {}), {}, calculated shape of the array of sliding blocks as ({}, {}), but its components must be at least one.",
            space[0],
            space[1],
            asked.said(false),
            blocks[0],
            blocks[1]
        );
    }
    torch_messages::floats_only("im2col_out_cpu", x.dtype())?;
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

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
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
            ([1, 8, 70, 70], [6, 4, 3, 3], 1),
            ([40, 8, 8, 8], [4, 8, 3, 3], 1),
            ([3, 8, 51, 90], [2, 8, 5, 5], 2),
            ([5, 6, 9, 12], [4, 3, 2, 4], 3),
        ] {
            let window = Window {
                kernel: kernel[2..].to_vec(),
                stride: vec![stride; 2],
                padding: vec![1; 2],
                dilation: vec![1; 2],
            };
            let places = window.places(&own[2..], &[1; 2]).unwrap();
            let sizes = Sizes::new(&own, &kernel, &window, places, own[1] / kernel[1]).unwrap();
            assert!(sizes.blocks(Dtype::Float64).is_some());
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
