//! Images and lines at another size: nearest and linear interpolation, shuffles between channels and
//! space.

use super::conv::spread;
use vjp_maths::autodiff::variable::Variable;
use vjp_ops::arguments::{Bound, Out};
use vjp_ops::arrange::rotate_and_unfold::gathered;
use vjp_ops::entries;
use vjp_ops::entry::Forms;
use vjp_ops::recorded::grouped;
use vjp_tensor::complaint::{Complaint, Fact, Kind, Outcome};
use vjp_tensor::shape::ints;
use vjp_tensor::torch_messages::sizes;
use vjp_tensor::{budget, complain, shape};

/// `(…, C·r², H, W)` as `(…, C, H·r, W·r)`, or back.
fn pixel_shuffle(b: &mut Bound, back: bool) -> Outcome<Out> {
    let (x, r) = (b.tensor(0)?, b.int_or(1, 1));
    let name = if back { "pixel_unshuffle" } else { "pixel_shuffle" };
    let own = x.shape();
    if own.len() < 3 {
        complain!(
            Kind::Runtime,
            "{name} expects input to have at least 3 dimensions, but got input with {} dimension(s)",
            own.len()
        );
    }
    if r <= 0 {
        complain!(Kind::Runtime, "{name} expects a positive factor, but got {r}");
    }
    if !back && r.checked_mul(r).is_none() {
        complain!(
            Kind::Value,
            "upscale factor is too large, (upscale_factor)^2 overflowed: upscale_factor={r}"
        );
    }
    let (r, lead) = (r as usize, own.len() - 3);
    let [c, h, w] = [own[lead], own[lead + 1], own[lead + 2]];
    let fits = if back { h % r == 0 && w % r == 0 } else { c % (r * r) == 0 };
    if !fits && back {
        complain!(
            Kind::Runtime,
            "pixel_unshuffle expects height to be divisible by downscale_factor, but input.size(-2)={h} is not divisible by {r}"
        );
    }
    if !fits {
        complain!(
            Kind::Runtime,
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)={c} is not divisible by {}",
            r * r
        );
    }
    let [c2, h2, w2] = if back { [c * r * r, h / r, w / r] } else { [c / (r * r), h * r, w * r] };
    let mut to = own[..lead].to_vec();
    to.extend([c2, h2, w2]);
    let index = budget::listed(x.numel(), |k| {
        let (j, i, d, n) = (k % w2, k / w2 % h2, k / w2 / h2 % c2, k / w2 / h2 / c2);
        let (d, i, j) = if back {
            (d / (r * r), i * r + d / r % r, j * r + d % r)
        } else {
            (d * r * r + i % r * r + j % r, i / r, j / r)
        };
        ((n * c + d) * h + i) * w + j
    })?;
    let grad_fn = if back { "PixelUnshuffleBackward0" } else { "PixelShuffleBackward0" };
    Ok(Out::One(gathered(&x, &to, index, name, grad_fn)?))
}

fn channel_shuffle(b: &mut Bound) -> Outcome<Out> {
    let (x, groups) = (b.tensor(0)?, b.int_or(1, 1));
    let own = x.shape();
    if own.len() < 3 {
        complain!(
            Kind::Runtime,
            "channel_shuffle expects input with > 2 dims, but got input with sizes {}",
            sizes(&own)
        );
    }
    if groups <= 0 || own[1] % groups as usize != 0 {
        complain!(
            Kind::Runtime,
            "Number of channels must be divisible by groups. Got {} channels and {groups} groups.",
            own[1]
        );
    }
    let (c, groups) = (own[1], groups as usize);
    let inner: usize = own[2..].iter().product();
    let index = budget::listed(x.numel(), |k| {
        let (i, d, n) = (k % inner, k / inner % c, k / inner / c);
        (n * c + d % groups * (c / groups) + d / groups) * inner + i
    })?;
    let names = ("channel_shuffle", "ChannelShuffleBackward0");
    Ok(Out::One(gathered(&x, &own, index, names.0, names.1)?))
}

/// For one dimension: which inputs make output `k`, and with what weights.
fn taps(k: usize, n: usize, to: usize, scale: f64, way: (bool, bool)) -> [(usize, f64); 2] {
    let (linear, align) = way;
    if linear && n == to {
        return [(k, 1.0), (k, 0.0)];
    }
    if !linear {
        let at = ((k as f64 * scale).floor() as usize).min(n - 1);
        return [(at, 1.0), (at, 0.0)];
    }
    let at = if align { k as f64 * scale } else { ((k as f64 + 0.5) * scale - 0.5).max(0.0) };
    let low = (at.floor() as usize).min(n - 1);
    let share = at - low as f64;
    [(low, 1.0 - share), ((low + 1).min(n - 1), share)]
}

/// Sizes and the steps of the input per output, by dimension.
fn target(
    b: &Bound,
    space: &[usize],
    linear: bool,
    align: bool,
) -> Outcome<(Vec<usize>, Vec<f64>)> {
    let d = space.len();
    if b.has(1) == b.has(2) {
        let said = if b.has(1) {
            "only one of size or scale_factor should be defined"
        } else {
            "either size or scale_factor should be defined"
        };
        complain!(Kind::Value, "{said}");
    }
    let mut given = None;
    let wanted = if b.has(1) {
        spread(b.ints(1), 1, d, "size")?
    } else {
        let factors: Vec<f64> = match b.arg(2) {
            vjp_ops::arguments::Arg::Tensors(all) => {
                all.iter().filter_map(|v| v.value().item()).collect()
            }
            vjp_ops::arguments::Arg::Ints(all) => all.iter().map(|v| *v as f64).collect(),
            _ => b.float(2).into_iter().collect(),
        };
        let factors = if factors.len() == 1 { vec![factors[0]; d] } else { factors };
        if factors.len() != d {
            complain!(
                Kind::Value,
                "Input and scale_factor must have the same number of spatial dimensions"
            );
        }
        let to = space.iter().zip(&factors).map(|(n, f)| (*n as f64 * f).floor() as usize);
        let to = to.collect();
        given = Some(factors);
        to
    };
    if wanted.contains(&0) || space.contains(&0) {
        complain!(
            Kind::Runtime,
            "Input and output sizes should be greater than 0, but got input {} output {}",
            sizes(space),
            sizes(&wanted)
        );
    }
    let steps = (0..d).map(|k| match (&given, linear && align) {
        (_, true) if wanted[k] > 1 => (space[k] - 1) as f64 / (wanted[k] - 1) as f64,
        (_, true) => 0.0,
        (Some(f), _) => 1.0 / f[k],
        (None, _) => space[k] as f64 / wanted[k] as f64,
    });
    let steps = steps.collect();
    Ok((wanted, steps))
}

fn interpolate(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let own = x.shape();
    let (mode, align) = (b.str_or(3, "nearest"), b.bool_or(4, false));
    let d = own.len().saturating_sub(2);
    if d == 3 {
        return Err(Complaint::absent("interpolate of a 5D input"));
    }
    if d == 0 || d > 3 {
        complain!(
            Kind::NotImplemented,
            "Input Error: Only 3D, 4D and 5D input Tensors supported (got {}D) for the modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got {mode})",
            own.len()
        );
    }
    let (linear, grad_fn) = match (mode, d) {
        ("nearest", 1) => (false, "UpsampleNearest1DBackward0"),
        ("nearest", 2) => (false, "UpsampleNearest2DBackward0"),
        ("linear", 1) => (true, "UpsampleLinear1DBackward0"),
        ("bilinear", 2) => (true, "UpsampleBilinear2DBackward0"),
        ("area", _) => {
            let (to, _) = target(b, &own[2..], false, false)?;
            let name = ["adaptive_avg_pool1d", "adaptive_avg_pool2d"][d - 1];
            let to = ints(&to);
            let y = vjp_ops::compose::one_of(
                crate::adaptive_pool::ENTRIES,
                name,
                vec![(&x).into(), to.as_slice().into()],
            )?;
            return Ok(Out::One(y));
        }
        ("linear" | "bilinear" | "trilinear", _) => complain!(
            Kind::NotImplemented,
            "Got {}D input, but {mode} mode needs {}D input",
            own.len(),
            if mode == "linear" { 3 } else { 4 }
        ),
        _ => complain!(
            Kind::NotImplemented, Fact::Absent;
            "interpolate: mode '{mode}' is not provided; use nearest, linear, bilinear or area"
        ),
    };
    if !linear && b.has(4) {
        complain!(
            Kind::Value,
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        );
    }
    let (wanted, steps) = target(b, &own[2..], linear, align)?;
    let mut to = own[..2].to_vec();
    to.extend(&wanted);
    let total = shape::count(&to)?;
    let (area, places): (usize, usize) = (own[2..].iter().product(), wanted.iter().product());
    // One gather of the neighbours side by side, weighed, for each corner.
    let mut parts = Vec::new();
    for corner in 0..1usize << d {
        let (mut index, mut weights) = (budget::vec(total)?, budget::vec(total)?);
        for k in 0..total {
            budget::tick()?;
            let (mut place, mut at, mut stride, mut weight) = (k % places, 0, 1, 1.0);
            for dim in (0..d).rev() {
                let n = own[2 + dim];
                let two = taps(place % wanted[dim], n, wanted[dim], steps[dim], (linear, align));
                let (p, w) = two[corner >> dim & 1];
                place /= wanted[dim];
                at += p * stride;
                stride *= n;
                weight *= w;
            }
            // A weight of 0 takes part: 0·inf is NaN.
            index.push(k / places * area + at);
            weights.push(weight);
        }
        parts.push((index, weights));
    }
    if !linear {
        let (index, _) = parts.swap_remove(0);
        return Ok(Out::One(gathered(&x, &to, index, "interpolate", grad_fn)?));
    }
    let group = grouped(b, "interpolate", grad_fn, 0, &[0])?;
    let x = b.tensor(0)?;
    let mut y: Option<Variable> = None;
    for (index, weights) in parts {
        let part = gathered(&x, &to, index, "gather", "GatherBackward0")?;
        let weights = vjp_tensor::tensor::Tensor::typed(&to, weights, x.dtype());
        let part = vjp_maths::table::mul(&part, &Variable::constant(weights))?;
        y = Some(match y {
            Some(y) => vjp_maths::table::add(&y, &part)?,
            None => part,
        });
    }
    let y = y.unwrap_or_else(|| x.clone());
    Ok(Out::One(group.output(&y)?))
}

const F: Forms = Forms::F;
const BOTH: Forms = F.and(Forms::TORCH);
const INTERPOLATE: &str = "(Tensor input, int[] size=None, any scale_factor=None, str mode='nearest', bool align_corners=None)";

pub static ENTRIES: &[vjp_ops::entry::Entry] = entries! {
    "pixel_shuffle" BOTH, "(Tensor input, int upscale_factor)", "channels rearranged into r × r squares", "F.pixel_shuffle(torch.arange(4.).reshape(1, 4, 1, 1), 2)", ["pixel_unshuffle"] jax "pixel_shuffle({*})"
        => |b| pixel_shuffle(b, false);
    "pixel_unshuffle" BOTH, "(Tensor input, int downscale_factor)", "r × r squares rearranged into channels", "F.pixel_unshuffle(torch.arange(4.).reshape(1, 1, 2, 2), 2)", ["pixel_shuffle"] jax "-"
        => |b| pixel_shuffle(b, true);
    "channel_shuffle" BOTH, "(Tensor input, int groups)", "channels shuffled between groups", "F.channel_shuffle(torch.arange(4.).reshape(1, 4, 1, 1), 2)", ["pixel_shuffle"] jax "-"
        => channel_shuffle;
    "interpolate" as "upsample" F, INTERPOLATE, "interpolation between neighbours, or the nearest value", "F.interpolate(tensor([[[1., 3.]]]), scale_factor=2)", ["adaptive_avg_pool1d"] jax "interpolate({*})"
        => interpolate;
};
