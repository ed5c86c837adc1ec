//! Patches put back where they lay (`fold`), and the convolution that goes the other way.

use super::{Patches, Window, convolution, kernel_fits, spread};
use std::rc::Rc;
use vjp_maths::autodiff::linear_map::LinearMap;
use vjp_maths::autodiff::variable::apply;
use vjp_maths::primitives::fixed::{Fixed, element_map};
use vjp_ops::arguments::{Bound, Out};
use vjp_ops::arrange::layout;
use vjp_ops::arrange::rotate_and_unfold::gathered;
use vjp_ops::entries;
use vjp_ops::entry::Forms;
use vjp_ops::recorded::grouped;
use vjp_tensor::budget;
use vjp_tensor::complain;
use vjp_tensor::complaint::{Kind, Outcome};
use vjp_tensor::element_map::ElementMap;
use vjp_tensor::shape;
use vjp_tensor::torch_messages::sizes;

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
            Kind::Runtime,
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got: {}",
            sizes(&own)
        ),
    };
    if own[lead] % taps != 0 {
        complain!(
            Kind::Runtime,
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
            Kind::Runtime,
            "{said}, expected size of input's dimension 2 to match the calculated number of sliding blocks {rows} * {columns} = {}, but got input.size(2)={}.",
            rows.saturating_mul(columns),
            own[lead + 1]
        );
    }
    if rows < 1 || columns < 1 {
        complain!(
            Kind::Runtime,
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

/// The transpose of a convolution, as the convolution of the input with zeros between and around.
fn conv_transpose(b: &mut Bound, d: usize) -> Outcome<Out> {
    let (x, w) = (b.tensor(0)?, b.tensor(1)?);
    let (own, kernel) = (x.shape(), w.shape());
    if own.len() != d + 2 && own.len() != d + 1 {
        complain!(
            Kind::Runtime,
            "Expected {}D (unbatched) or {}D (batched) input to conv_transpose{d}d, but got input of size: {}",
            d + 1,
            d + 2,
            sizes(&own)
        );
    }
    kernel_fits(&kernel, &own, d)?;
    if own.len() == d + 1 {
        b.args[0] = vjp_ops::arguments::Arg::Tensor(layout::unsqueeze(&x, 0)?);
        let Out::One(y) = conv_transpose(b, d)? else {
            return Ok(Out::Many(Vec::new()));
        };
        return Ok(Out::One(layout::squeeze(&y, Some(&[0]))?));
    }
    let group = grouped(b, "conv_transpose", "ConvolutionBackward0", 0b11, &[0, 1, 2])?;
    let (x, w) = (b.tensor(0)?, b.tensor(1)?);
    let bias = if b.has(2) { Some(b.tensor(2)?) } else { None };
    let stride = spread(b.ints(3), 1, d, "stride")?;
    let padding = spread(b.ints(4), 0, d, "padding")?;
    let extra = spread(b.ints(5), 0, d, "output_padding")?;
    let dilation = spread(b.ints(7), 1, d, "dilation")?;
    let groups = b.int_or(6, 1).max(1) as usize;
    if stride.contains(&0) {
        complain!(Kind::Runtime, "non-positive stride is not supported");
    }
    if kernel[0] < groups {
        complain!(
            Kind::Runtime,
            "Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size {} instead",
            sizes(&kernel)
        );
    }
    if own[1] != kernel[0] || !own[1].is_multiple_of(groups) {
        complain!(
            Kind::Runtime,
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
            Kind::Runtime,
            "output padding must be smaller than either stride or dilation, but got output_padding={} stride={} dilation={}",
            extra[k],
            stride[k],
            dilation[k]
        );
    }
    let before: Vec<i64> = (0..d)
        .map(|k| (dilation[k] * (kernel[k + 2].max(1) - 1)) as i64 - padding[k] as i64)
        .collect();
    let mut to = own[..2].to_vec();
    for k in 0..d {
        let wide = (own[k + 2].max(1) - 1) * stride[k] + 1 + extra[k];
        to.push((wide as i64 + 2 * before[k]).max(0) as usize);
    }
    let (strides, steps) = (shape::strides(&own), shape::strides(&to));
    let index = budget::listed(shape::count(&to)?, |k| {
        let mut at = k / steps[1] * strides[1];
        for dim in 0..d {
            let c = (k / steps[dim + 2] % to[dim + 2]) as i64 - before[dim];
            let step = stride[dim] as i64;
            if c < 0 || c % step != 0 || c / step >= own[dim + 2] as i64 {
                return ElementMap::NONE;
            }
            at += (c / step) as usize * strides[dim + 2];
        }
        at
    })?;
    let spaced = gathered(&x, &to, index, "conv_transpose", "ViewBackward0")?;
    // Outputs first, and each kernel back to front.
    let (inputs, outputs) = (kernel[0] / groups, kernel[1]);
    let taps: usize = kernel[2..].iter().product();
    let mut turned = vec![groups * outputs, inputs];
    turned.extend(&kernel[2..]);
    let index = budget::listed(w.numel(), |k| {
        let (t, i, o) = (k % taps, k / taps % inputs, k / taps / inputs);
        let (g, o) = (o / outputs, o % outputs);
        ((g * inputs + i) * outputs + o) * taps + (taps - 1 - t)
    })?;
    let turned = gathered(&w, &turned, index, "flip", "FlipBackward0")?;
    let window =
        Window { kernel: kernel[2..].to_vec(), stride: vec![1; d], padding: vec![0; d], dilation };
    let y = convolution(&spaced, &turned, bias.as_ref(), &window, &vec![0; d], groups)?;
    Ok(Out::One(group.output(&y)?))
}

const F: Forms = Forms::F;
const BOTH: Forms = F.and(Forms::TORCH);
const TRANSPOSED: &str = "(Tensor input, Tensor weight, Tensor bias=None, int[] stride=1, int[] padding=0, int[] output_padding=0, int groups=1, int[] dilation=1)";

pub static ENTRIES: &[vjp_ops::entry::Entry] = entries! {
    "fold" F, "(Tensor input, int[] output_size, int[] kernel_size, int[] dilation=1, int[] padding=0, int[] stride=1)", "patches summed at their positions; vᵀJ is unfold of v", "F.fold(torch.ones(1, 2, 2), (1, 3), (1, 2))", ["unfold"] jax "-"
        => fold;
    "conv_transpose1d" BOTH, TRANSPOSED, "the transpose of a convolution; vᵀJ is a convolution of v with the weights", "F.conv_transpose1d(torch.ones(1, 1, 2), torch.ones(1, 1, 2))", ["conv1d"] jax "conv_transpose({*})"
        => |b| conv_transpose(b, 1);
    "conv_transpose2d" BOTH, TRANSPOSED, "the transpose of a convolution; vᵀJ is a convolution of v with the weights", "F.conv_transpose2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2))", ["conv2d"] jax "conv_transpose({*})"
        => |b| conv_transpose(b, 2);
    "conv_transpose3d" BOTH, TRANSPOSED, "the transpose of a convolution; vᵀJ is a convolution of v with the weights", "F.conv_transpose3d(torch.ones(1, 1, 1, 2, 2), torch.ones(1, 1, 1, 2, 2))", ["conv3d"] jax "conv_transpose({*})"
        => |b| conv_transpose(b, 3);
};
