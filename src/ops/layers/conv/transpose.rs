//! Patches put back where they lay (`fold`), and the transpose of a convolution.

use super::pieces::{Maps, Sizes, channels};
use super::{Patches, Window, kernel_fits, spread, tuple};
use std::cell::OnceCell;
use std::rc::Rc;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::{Array, Edge, Fixed, LinearMap, Point, Rule, Saves, Symbols, TorchNode, apply};
use vjp_ops::arrange::layout;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::torch_messages::sizes;
use vjp_tensor::{ElementMap, Outcome, Tensor, budget, complain, shape};

/// Patches side by side added up where they lay: the transpose of `unfold`.
fn fold(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let own = x.shape();
    let asked = Patches::read(b, 2, [3, 4, 5])?;
    let window = asked.window();
    let space = spread(b.ints(1), 1, 2, "output_size")?;
    let taps: usize = window.kernel.iter().product();
    let lead = match own.len() {
        2 | 3 if !own[own.len() - 2..].contains(&0) => own.len() - 2,
        _ => complain!(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got: {}",
            sizes(&own)
        ),
    };
    if own[lead] % taps != 0 {
        complain!(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)={} and kernel_size=({}, {}).",
            own[lead],
            window.kernel[0],
            window.kernel[1]
        );
    }
    let (n, c): (usize, usize) = (own[..lead].iter().product(), own[lead] / taps);
    let [rows, columns] = asked.blocks(&space);
    let said = format!("Given output_size=({}, {}), {}", space[0], space[1], asked.said(true));
    if rows.saturating_mul(columns) != own[lead + 1] as i64 {
        complain!(
            "{said}, expected size of input's dimension 2 to match the calculated number of sliding blocks {rows} * {columns} = {}, but got input.size(2)={}.",
            rows.saturating_mul(columns),
            own[lead + 1]
        );
    }
    if rows < 1 || columns < 1 {
        complain!(
            "{said}, calculated shape of the array of sliding blocks as ({rows}, {columns}), which is too small (non-positive)"
        );
    }
    let places = [rows as usize, columns as usize];
    let all = shape::count(&places)?;
    let area: usize = space.iter().product();
    let mut to = own[..lead].to_vec();
    to.push(c);
    to.extend(&space);
    shape::count(&to)?;
    let index = budget::listed(n * c * taps * all, |k| {
        let (p, row, batch) = (k % all, k / all % (c * taps), k / all / (c * taps));
        window
            .under(&space, &places, p, row % taps)
            .map_or(ElementMap::NONE, |at| (batch * c + row / taps) * area + at)
    })?;
    let map = LinearMap::Scatter(element_map(&to, &own, index));
    let op = Fixed::new("fold", "Col2ImBackward0", map).adding();
    Ok(Out::One(apply(Rc::new(op), &[x])?))
}

/// Where a transposed convolution reads and adds.
#[derive(Debug)]
struct Turned {
    maps: Maps,
    weights: ElementMap,
    bias: ElementMap,
}

/// The transpose of the convolution that makes an image of the input's size of one of the output's. Inputs:
/// (N, C, …), (C, O/groups, kernel …) and perhaps (O).
#[derive(Debug)]
struct Transposed {
    /// Of that convolution.
    sizes: Sizes,
    /// Made when they are asked for: numbers are computed without.
    maps: OnceCell<Turned>,
    /// As PyTorch's arguments, and as those of that convolution.
    written: [String; 2],
    /// Whether PyTorch's convolution of an output has as many places as the input.
    fits: bool,
}

impl Transposed {
    fn maps(&self) -> &Turned {
        self.maps.get_or_init(|| {
            let made = || {
                Ok(Turned {
                    maps: self.sizes.maps()?,
                    weights: self.sizes.turned()?,
                    bias: channels(&self.sizes.own)?,
                })
            };
            made().unwrap_or_else(|complaint| {
                budget::refuse(complaint);
                let maps = self.sizes.refused();
                let none = |from: &[usize], to: &[usize]| element_map(from, to, Vec::new());
                let [groups, outputs, rows] = [0, 1, 2].map(|k| maps.weights.to[k]);
                Turned {
                    weights: none(&maps.weights.from, &[groups, rows, outputs]),
                    bias: none(&self.sizes.own[1..2], &self.sizes.own),
                    maps,
                }
            })
        })
    }

    fn of<A: Array>(&self, inputs: &[&A]) -> A {
        let Turned { maps, weights, bias } = self.maps();
        let places = inputs[0].scatter(&maps.outputs);
        let y = inputs[1].gather(weights).matmul(&places).scatter(&maps.patches);
        match inputs.get(2) {
            Some(b) => y.add(&b.gather(bias)),
            None => y,
        }
    }
}

impl Rule for Transposed {
    fn name(&self) -> &'static str {
        "conv_transpose"
    }

    fn code(&self, inputs: &[String]) -> Option<String> {
        let d = self.sizes.own.len() - 2;
        Some(format!("torch.conv_transpose{d}d({}{})", inputs.join(", "), self.written[0]))
    }

    fn pull_code(&self, wrt: usize, inputs: &[String], v: &str) -> Option<String> {
        let (d, written) = (self.sizes.own.len() - 2, &self.written[1]);
        let (x, w) = (&inputs[0], &inputs[1]);
        match wrt {
            0 if self.fits => Some(format!("torch.conv{d}d({v}, {w}{written})")),
            1 => Some(format!("torch.nn.grad.conv{d}d_weight({v}, {w}.shape, {x}{written})")),
            _ => None,
        }
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let dtype = inputs[0].dtype().join(inputs[1].dtype());
        let Some(blocks) = self.sizes.blocks(dtype) else {
            return Ok(self.of(inputs));
        };
        let (now, later) = super::bias(inputs, dtype);
        let y = self.sizes.to_input(&blocks, inputs[1], &inputs[0].to_dtype(dtype), now)?;
        super::shifted(y, later)
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(self.of(inputs))
    }

    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        let Turned { maps, weights, bias } = self.maps();
        let (w, p) = (&weights.to, &maps.outputs.from);
        let (from, to) = (p.clone(), vec![w[0], w[1], p[2]]);
        let patches = LinearMap::Scatter(maps.patches.clone());
        match wrt {
            0 => LinearMap::Then(vec![
                LinearMap::Scatter(maps.outputs.clone()),
                LinearMap::Left { by: at.inputs[1].gather(weights), from, to },
                patches,
            ]),
            1 => LinearMap::Then(vec![
                LinearMap::Gather(weights.clone()),
                LinearMap::Right { by: at.inputs[0].scatter(&maps.outputs), from: w.clone(), to },
                patches,
            ]),
            _ => LinearMap::Gather(bias.clone()),
        }
    }

    fn pull(&self, at: &Point<Tensor>, wrt: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let blocks = self.sizes.blocks(v.dtype())?;
        Some(match wrt {
            0 => self.sizes.forward(&blocks, &[v, at.inputs[1]]),
            1 => self.sizes.to_weights(&blocks, v, at.inputs[0]),
            _ => Sizes::to_bias(v),
        })
    }
}

impl TorchNode for Transposed {
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

fn conv_transpose(b: &mut Bound, d: usize) -> Outcome<Out> {
    let (x, w) = (b.tensor(0)?, b.tensor(1)?);
    let (own, kernel) = (x.shape(), w.shape());
    if own.len() != d + 2 && own.len() != d + 1 {
        complain!(
            "Expected {}D (unbatched) or {}D (batched) input to conv_transpose{d}d, but got input of size: {}",
            d + 1,
            d + 2,
            sizes(&own)
        );
    }
    kernel_fits(&kernel, &own, d)?;
    if own.len() == d + 1 {
        b.args[0] = vjp_ops::Arg::Tensor(layout::unsqueeze(&x, 0)?);
        let Out::One(y) = conv_transpose(b, d)? else {
            return Ok(Out::Many(Vec::new()));
        };
        return Ok(Out::One(layout::squeeze(&y, Some(&[0]))?));
    }
    let bias = if b.has(2) { Some(b.tensor(2)?) } else { None };
    let stride = spread(b.ints(3), 1, d, "stride")?;
    let padding = spread(b.ints(4), 0, d, "padding")?;
    let extra = spread(b.ints(5), 0, d, "output_padding")?;
    let dilation = spread(b.ints(7), 1, d, "dilation")?;
    let groups = b.int_or(6, 1).max(1) as usize;
    if stride.contains(&0) {
        complain!("non-positive stride is not supported");
    }
    if kernel[0] < groups {
        complain!(
            "Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size {} instead",
            sizes(&kernel)
        );
    }
    if own[1] != kernel[0] || !own[1].is_multiple_of(groups) {
        complain!(
            "Given transposed=1, weight of size {}, expected input{} to have {} channels, but got {} channels instead",
            sizes(&kernel),
            sizes(&own),
            kernel[0],
            own[1]
        );
    }
    super::check_bias(bias.as_ref(), "transposed=1, ", &kernel, kernel[1] * groups)?;
    if let Some(k) = (0..d).find(|k| extra[*k] >= stride[*k].max(dilation[*k])) {
        complain!(
            "output padding must be smaller than either stride or dilation, but got output_padding={} stride={} dilation={}",
            extra[k],
            stride[k],
            dilation[k]
        );
    }
    let reach = |k: usize| dilation[k] * (kernel[k + 2].max(1) - 1) + 1 + extra[k];
    let space: Vec<i64> = (0..d)
        .map(|k| {
            let all = (own[k + 2].max(1) - 1) * stride[k] + reach(k);
            all as i64 - 2 * padding[k] as i64
        })
        .collect();
    if space.iter().any(|n| *n < 1) {
        // PyTorch has no kernel of one dimension.
        let ones = vec![1; usize::from(d == 1)];
        let given = ones.iter().copied().chain(own[2..].iter().map(|n| *n as i64));
        let found = ones.iter().copied().chain(space.iter().copied());
        let product = |all: &[i64]| all.iter().map(i64::to_string).collect::<Vec<_>>().join(" x ");
        complain!(
            "Given input size per channel: ({}). Calculated output size per channel: ({}). Output size is too small",
            product(&given.collect::<Vec<_>>()),
            product(&found.collect::<Vec<_>>())
        );
    }
    let mut to = vec![own[0], kernel[1] * groups];
    to.extend(space.iter().map(|n| *n as usize));
    let (shared, more) = (
        format!(", stride={}, padding={}", tuple(&stride), tuple(&padding)),
        format!(", dilation={}, groups={groups}", tuple(&dilation)),
    );
    let written =
        [format!("{shared}, output_padding={}{more}", tuple(&extra)), format!("{shared}{more}")];
    let fits = (0..d).all(|k| extra[k] < stride[k]);
    let window = Window { kernel: kernel[2..].to_vec(), stride, padding, dilation };
    let sizes = Sizes::new(&to, &kernel, &window, own[2..].to_vec(), groups)?;
    let mut inputs = vec![x, w];
    inputs.extend(bias);
    let op = Transposed { sizes, maps: OnceCell::new(), written, fits };
    Ok(Out::One(apply(Rc::new(op), &inputs)?))
}

const F: Forms = Forms::F;
const BOTH: Forms = F.and(Forms::TORCH);
const TRANSPOSED: &str = "(Tensor input, Tensor weight, Tensor bias=None, int[] stride=1, int[] padding=0, int[] output_padding=0, int groups=1, int[] dilation=1)";

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "fold" F, "(Tensor input, int[] output_size, int[] kernel_size, int[] dilation=1, int[] padding=0, int[] stride=1)", "patches summed at their positions; vᵀJ is unfold of v", "F.fold(torch.ones(1, 2, 2), (1, 3), (1, 2))", ["unfold"] jax "-"
        => fold;
    "conv_transpose1d" BOTH, TRANSPOSED, "the transpose of a convolution; vᵀJ is a convolution of v with the weights", "F.conv_transpose1d(torch.ones(1, 1, 2), torch.ones(1, 1, 2))", ["conv1d"] jax "conv_transpose({*})"
        => |b| conv_transpose(b, 1);
    "conv_transpose2d" BOTH, TRANSPOSED, "the transpose of a convolution; vᵀJ is a convolution of v with the weights", "F.conv_transpose2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2))", ["conv2d"] jax "conv_transpose({*})"
        => |b| conv_transpose(b, 2);
    "conv_transpose3d" BOTH, TRANSPOSED, "the transpose of a convolution; vᵀJ is a convolution of v with the weights", "F.conv_transpose3d(torch.ones(1, 1, 1, 2, 2), torch.ones(1, 1, 1, 2, 2))", ["conv3d"] jax "conv_transpose({*})"
        => |b| conv_transpose(b, 3);
};

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use vjp_tensor::Dtype;

    /// A block of places at a time, and as one product between rearrangements.
    #[test]
    fn a_large_transposed_convolution_is_what_its_maps_give() {
        for (own, kernel, stride, dilation, extra, groups) in [
            ([2, 8, 20, 21], [8, 3, 3, 3], 2, 1, 1, 1),
            ([3, 6, 9, 12], [6, 4, 2, 4], 3, 2, 2, 2),
            ([2, 8, 17, 16], [8, 4, 2, 2], 3, 1, 0, 1),
        ] {
            let window = Window {
                kernel: kernel[2..].to_vec(),
                stride: vec![stride; 2],
                padding: vec![1; 2],
                dilation: vec![dilation; 2],
            };
            let mut to = vec![own[0], kernel[1] * groups];
            to.extend(
                (2..4).map(|k| (own[k] - 1) * stride + dilation * (kernel[k] - 1) + 1 + extra - 2),
            );
            let sizes = Sizes::new(&to, &kernel, &window, own[2..].to_vec(), groups).unwrap();
            assert!(sizes.blocks(Dtype::Float64).is_some());
            let some = |shape: &[usize], seed: usize| {
                let count = shape.iter().product();
                let data = (0..count).map(|k: usize| ((k * 7 + seed) % 13) as f64 - 6.0).collect();
                Tensor::new(shape, data)
            };
            let (x, w, b, v) = (some(&own, 0), some(&kernel, 1), some(&to[1..2], 2), some(&to, 3));
            let written = [String::new(), String::new()];
            let op = Transposed { sizes, maps: OnceCell::new(), written, fits: true };
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
