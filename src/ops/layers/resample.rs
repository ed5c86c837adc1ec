//! Images and lines at another size: nearest and linear interpolation, shuffles between channels and
//! space.

use super::conv::spread;
use vjp_maths::Variable;
use vjp_ops::arrange::rotate_and_unfold::gathered;
use vjp_ops::compose::grouped;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::shape::ints;
use vjp_tensor::torch_messages::sizes;
use vjp_tensor::{Complaint, Dtype, Fact, Kind, Outcome, Tensor, budget, complain, shape};

/// `(…, C·r², H, W)` as `(…, C, H·r, W·r)`, or back.
fn pixel_shuffle(b: &mut Bound, back: bool) -> Outcome<Out> {
    let (x, r) = (b.tensor(0)?, b.int_or(1, 1));
    let name = if back { "pixel_unshuffle" } else { "pixel_shuffle" };
    let own = x.shape();
    if own.len() < 3 {
        complain!(
            "{name} expects input to have at least 3 dimensions, but got input with {} dimension(s)",
            own.len()
        );
    }
    if r <= 0 {
        complain!("{name} expects a positive factor, but got {r}");
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
            "pixel_unshuffle expects height to be divisible by downscale_factor, but input.size(-2)={h} is not divisible by {r}"
        );
    }
    if !fits {
        complain!(
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
            "channel_shuffle expects input with > 2 dims, but got input with sizes {}",
            sizes(&own)
        );
    }
    if groups <= 0 || own[1] % groups as usize != 0 {
        complain!(
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

/// How values between two places are made.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Between {
    Nearest,
    /// The nearest to the middle of the new place.
    NearestExact,
    Linear,
    Cubic,
}

impl Between {
    /// Of a mode and as many dimensions, with the name of the node.
    const MODES: [(&str, usize, Between, &str); 10] = [
        ("nearest", 1, Between::Nearest, "UpsampleNearest1DBackward0"),
        ("nearest", 2, Between::Nearest, "UpsampleNearest2DBackward0"),
        ("nearest", 3, Between::Nearest, "UpsampleNearest3DBackward0"),
        ("nearest-exact", 1, Between::NearestExact, "UpsampleNearestExact1DBackward0"),
        ("nearest-exact", 2, Between::NearestExact, "UpsampleNearestExact2DBackward0"),
        ("nearest-exact", 3, Between::NearestExact, "UpsampleNearestExact3DBackward0"),
        ("linear", 1, Between::Linear, "UpsampleLinear1DBackward0"),
        ("bilinear", 2, Between::Linear, "UpsampleBilinear2DBackward0"),
        ("trilinear", 3, Between::Linear, "UpsampleTrilinear3DBackward0"),
        ("bicubic", 2, Between::Cubic, "UpsampleBicubic2DBackward0"),
    ];

    fn smooth(self) -> bool {
        matches!(self, Between::Linear | Between::Cubic)
    }

    /// For one dimension: which of `n` inputs make output `k`, and with what weights.
    /// Steps are rounded to the type of the numbers.
    fn taps(
        self,
        k: usize,
        [n, to]: [usize; 2],
        scale: f64,
        align: bool,
        of: Dtype,
    ) -> Vec<(usize, f64)> {
        let (last, scale) = (n - 1, of.cast(scale));
        let middle = of.cast((k as f64 + 0.5) * scale);
        let at = of.cast(if align { k as f64 * scale } else { middle - 0.5 });
        match self {
            Between::Nearest => vec![(((k as f64 * scale).floor() as usize).min(last), 1.0)],
            Between::NearestExact => vec![((middle.floor() as usize).min(last), 1.0)],
            Between::Linear if n == to => vec![(k, 1.0), (k, 0.0)],
            Between::Linear => {
                let at = at.max(0.0);
                let low = (at.floor() as usize).min(last);
                let share = at - low as f64;
                vec![(low, of.cast(1.0 - share)), ((low + 1).min(last), share)]
            }
            Between::Cubic => {
                let low = at.floor();
                let place = |step: f64| (low + step).clamp(0.0, last as f64) as usize;
                let weights = cubic(of.cast(at - low)).map(|w| of.cast(w));
                [-1.0, 0.0, 1.0, 2.0].map(place).into_iter().zip(weights).collect()
            }
        }
    }
}

/// The weights of four neighbours at `t` between the two in the middle: Keys' convolution with a = −3/4.
fn cubic(t: f64) -> [f64; 4] {
    const A: f64 = -0.75;
    let near = |x: f64| ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0;
    let far = |x: f64| ((A * x - 5.0 * A) * x + 8.0 * A) * x - 4.0 * A;
    [far(t + 1.0), near(t), near(1.0 - t), far(2.0 - t)]
}

/// Sizes and the steps of the input per output, by dimension.
fn target(b: &Bound, space: &[usize], align: bool) -> Outcome<(Vec<usize>, Vec<f64>)> {
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
            vjp_ops::Arg::Tensors(all) => all.iter().filter_map(|v| v.value().item()).collect(),
            vjp_ops::Arg::Ints(all) => all.iter().map(|v| *v as f64).collect(),
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
        given = Some(factors).filter(|_| !b.bool_or(5, false));
        to
    };
    if wanted.contains(&0) || space.contains(&0) {
        complain!(
            "Input and output sizes should be greater than 0, but got input {} output {}",
            sizes(space),
            sizes(&wanted)
        );
    }
    let steps = (0..d).map(|k| match (&given, align) {
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
    let of_mode = || Between::MODES.iter().filter(|known| known.0 == mode);
    let known = of_mode().find(|known| known.1 == d);
    if d == 0 || d > 3 || (mode == "bicubic" && known.is_none()) {
        complain!(
            Kind::NotImplemented,
            "Input Error: Only 3D, 4D and 5D input Tensors supported (got {}D) for the modes: nearest | linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got {mode})",
            own.len()
        );
    }
    if mode == "area" && d < 3 {
        let (to, _) = target(b, &own[2..], false)?;
        let name = ["adaptive_avg_pool1d", "adaptive_avg_pool2d"][d - 1];
        let args = vec![(&x).into(), ints(&to).as_slice().into()];
        let pools = crate::adaptive_pool::ENTRIES;
        return Ok(Out::One(vjp_ops::compose::one_of(pools, name, args)?));
    }
    let Some((.., between, grad_fn)) = known else {
        match of_mode().next() {
            Some((_, wanted, ..)) => complain!(
                Kind::NotImplemented,
                "Got {}D input, but {mode} mode needs {}D input",
                own.len(),
                wanted + 2
            ),
            None => complain!(
                Kind::NotImplemented, Fact::Absent;
                "interpolate: mode '{mode}' of {}D input is not provided",
                own.len()
            ),
        }
    };
    if !between.smooth() && b.has(4) {
        complain!(
            Kind::Value,
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        );
    }
    if b.bool_or(6, false) && !matches!(mode, "bilinear" | "bicubic") {
        complain!(
            Kind::Value,
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
        );
    }
    if b.bool_or(6, false) {
        return Err(Complaint::absent("interpolate with antialias=True"));
    }
    let align = between.smooth() && align;
    let (wanted, steps) = target(b, &own[2..], align)?;
    let of = if x.dtype() == Dtype::Float64 { Dtype::Float64 } else { Dtype::Float32 };
    let taps = |dim: usize, k| between.taps(k, [own[2 + dim], wanted[dim]], steps[dim], align, of);
    if !between.smooth() {
        let mut to = own[..2].to_vec();
        to.extend(&wanted);
        let nearest: Vec<Vec<usize>> =
            (0..d).map(|dim| (0..wanted[dim]).map(|k| taps(dim, k)[0].0).collect()).collect();
        let index = budget::listed(shape::count(&to)?, |k| {
            let (mut rest, mut at, mut stride) = (k, 0, 1);
            for dim in (0..d).rev() {
                at += nearest[dim][rest % wanted[dim]] * stride;
                rest /= wanted[dim];
                stride *= own[2 + dim];
            }
            rest * stride + at
        })?;
        return Ok(Out::One(gathered(&x, &to, index, "interpolate", grad_fn)?));
    }
    let group = grouped(b, "interpolate", grad_fn, 0, &[0])?;
    let mut y = b.tensor(0)?;
    // One dimension after the other, the last first, as PyTorch adds up.
    for dim in (0..d).rev() {
        let all: Vec<_> = (0..wanted[dim]).map(|k| taps(dim, k)).collect();
        y = along(&y, 2 + dim, &all)?;
    }
    Ok(Out::One(group.output(&y)?))
}

/// A dimension of other elements, each a weighed sum of some.
fn along(x: &Variable, dim: usize, all: &[Vec<(usize, f64)>]) -> Outcome<Variable> {
    let own = x.shape();
    let (n, size) = (own[dim], all.len());
    let inner: usize = own[dim + 1..].iter().product();
    let mut to = own.to_vec();
    to[dim] = size;
    let total = shape::count(&to)?;
    let mut y: Option<Variable> = None;
    for tap in 0..all[0].len() {
        let index = budget::listed(total, |k| {
            let (outer, place, rest) = (k / inner / size, k / inner % size, k % inner);
            (outer * n + all[place][tap].0) * inner + rest
        })?;
        let part = gathered(x, &to, index, "gather", "GatherBackward0")?;
        let mut column = vec![1; to.len()];
        column[dim] = size;
        // A weight of 0 takes part: 0·inf is NaN.
        let weights = all.iter().map(|taps| taps[tap].1).collect();
        let weights = Variable::constant(Tensor::typed(&column, weights, x.dtype()));
        let part = vjp_maths::table::mul(&part, &weights)?;
        y = Some(match y {
            Some(y) => vjp_maths::table::add(&y, &part)?,
            None => part,
        });
    }
    Ok(y.unwrap_or_else(|| x.clone()))
}

const F: Forms = Forms::F;
const BOTH: Forms = F.and(Forms::TORCH);
const INTERPOLATE: &str = "(Tensor input, int[] size=None, any scale_factor=None, str mode='nearest', bool align_corners=None, bool recompute_scale_factor=None, bool antialias=False)";

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "pixel_shuffle" BOTH, "(Tensor input, int upscale_factor)", "channels rearranged into r × r squares", "F.pixel_shuffle(torch.arange(4.).reshape(1, 4, 1, 1), 2)", ["pixel_unshuffle"] jax "pixel_shuffle({*})"
        => |b| pixel_shuffle(b, false);
    "pixel_unshuffle" BOTH, "(Tensor input, int downscale_factor)", "r × r squares rearranged into channels", "F.pixel_unshuffle(torch.arange(4.).reshape(1, 1, 2, 2), 2)", ["pixel_shuffle"] jax "-"
        => |b| pixel_shuffle(b, true);
    "channel_shuffle" BOTH, "(Tensor input, int groups)", "channels shuffled between groups", "F.channel_shuffle(torch.arange(4.).reshape(1, 4, 1, 1), 2)", ["pixel_shuffle"] jax "-"
        => channel_shuffle;
    "interpolate" as "upsample" F, INTERPOLATE, "interpolation between neighbours, or the nearest value", "F.interpolate(tensor([[[1., 3.]]]), scale_factor=2)", ["adaptive_avg_pool1d"] jax "interpolate({*})"
        => interpolate;
};
