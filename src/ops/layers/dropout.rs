//! Dropout: elements or whole channels lost by chance while training.

use vjp_maths::inplace::node_names::Renamed;
use vjp_maths::{Variable, apply, table};
use vjp_ops::arrange::layout;
use vjp_ops::compose::number;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::dtype::default_dtype;
use vjp_tensor::torch_messages::cannot_cast;
use vjp_tensor::{Kind, Outcome, Scalar, Tensor, budget, complain, random};

/// λ·α of SELU: what an activation is at its lower limit, with the sign changed.
const LIMIT: f64 = 1.758_099_340_847_376_6;

/// Which elements share their fate.
#[derive(Clone, Copy, PartialEq)]
enum Share {
    Nothing,
    /// All of a channel of an example.
    Channel,
}

/// The input and the probability where something is lost; None where nothing changes.
fn active(b: &mut Bound, training: bool) -> Outcome<(Variable, Option<f64>)> {
    let (x, p) = (b.tensor(0)?, b.float_or(1, 0.5));
    if !(0.0..=1.0).contains(&p) {
        let said = match b.scalar(1) {
            Some(Scalar::Int(p)) => p.to_string(),
            _ => format!("{p:?}"),
        };
        complain!(Kind::Value, "dropout probability has to be between 0 and 1, but got {said}");
    }
    let acts = b.bool_or(2, training) && p > 0.0 && x.numel() > 0;
    Ok((x, acts.then_some(p)))
}

/// 1 where something stays, else 0.
fn kept(x: &Variable, p: f64, share: Share) -> Outcome<Tensor> {
    let mut shape = x.shape();
    if share == Share::Channel {
        if shape.len() < 2 {
            complain!("Feature dropout requires at least 2 dimensions in the input");
        }
        shape[2..].fill(1);
    }
    let count = vjp_tensor::shape::count(&shape)?;
    vjp_ops::batched::may_draw()?;
    let draws = random::with(|g| budget::listed(count, |_| g.bernoulli(1.0 - p)))?;
    Ok(Tensor::typed(&shape, draws, x.dtype()))
}

fn scaled(x: &Variable, p: f64, share: Share) -> Outcome<Variable> {
    if p == 1.0 {
        return table::mul(x, &number(0.0));
    }
    let dtype = x.dtype();
    if !dtype.is_float() {
        return Err(cannot_cast(default_dtype().scalar_type(), dtype.scalar_type()));
    }
    let noise = kept(x, p, share)?.map(dtype, |v| v / (1.0 - p))?;
    let noise = Variable::constant(noise);
    table::mul(x, &if share == Share::Nothing { noise.filled_as(x) } else { noise })
}

fn dropout(b: &mut Bound) -> Outcome<Out> {
    Ok(Out::One(match active(b, true)? {
        (x, None) => x,
        (x, Some(p)) => scaled(&x, p, Share::Nothing)?,
    }))
}

/// Leaky ReLU with a slope by chance while training, else the mean of the bounds.
fn rrelu(b: &mut Bound) -> Outcome<Out> {
    let (x, low, high) = (b.tensor(0)?, b.float_or(1, 0.125), b.float_or(2, 1.0 / 3.0));
    for (bound, which) in [(low, "lower"), (high, "upper")] {
        if !bound.is_finite() {
            let bound = bound.to_string().to_lowercase();
            complain!("rrelu: {which} bound must be finite, got {bound}");
        }
    }
    if low > high {
        complain!("Lower bound should be less than or equal to the upper bound");
    }
    let grad_fn = "RreluWithNoiseBackward0";
    if !b.bool_or(3, false) {
        let leaky = (table::LEAKY_RELU.operation)(&[(low + high) / 2.0]);
        return Ok(Out::One(apply(Renamed::of(leaky, grad_fn), &[x])?));
    }
    let value = x.value();
    let slopes = random::with(|g| {
        budget::listed(value.numel(), |k| match value.data()[k] <= 0.0 {
            true => low + (high - low) * g.uniform(false),
            false => 1.0,
        })
    })?;
    let slopes = Variable::constant(Tensor::typed(value.shape(), slopes, x.dtype()));
    let product = Renamed::of((table::MUL.operation)(&[]), grad_fn);
    Ok(Out::One(apply(product, &[x, slopes])?))
}

/// Channels of examples; an input without a batch is one example.
fn channels(b: &mut Bound) -> Outcome<Out> {
    let alone = match b.name {
        "dropout1d" => 2,
        "dropout2d" => 3,
        _ => 4,
    };
    let (x, p) = active(b, true)?;
    if b.name == "dropout1d" && !matches!(x.rank(), 2 | 3) {
        complain!(
            "dropout1d: Expected 2D or 3D input, but received a {}D input. Note that dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs).",
            x.rank()
        );
    }
    let (name, rank) = (b.name, x.rank());
    if name != "dropout1d" && !matches!(rank.wrapping_sub(alone), 0 | 1) {
        let (deep, alike) = if alone == 3 { (2, "3D or 4D") } else { (3, "4D or 5D") };
        vjp_tensor::warnings::warn(format!(
            "{name}: Received a {rank}-D input to {name}, which is deprecated and will result in an error in a future release. To retain the behavior and silence this warning, please use dropout instead. Note that {name} exists to provide channel-wise dropout on inputs with {deep} spatial dimensions, a channel dimension, and an optional batch dimension (i.e. {alike} inputs)."
        ));
    }
    if name == "dropout2d" && rank == 3 {
        vjp_tensor::warnings::warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future release to interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, please switch to using dropout1d instead.",
        );
    }
    let Some(p) = p else {
        return Ok(Out::One(x));
    };
    // PyTorch takes a three-dimensional input of dropout2d for a batch of sequences.
    if x.rank() == alone + 1 || b.name == "dropout2d" {
        return Ok(Out::One(scaled(&x, p, Share::Channel)?));
    }
    let y = scaled(&layout::unsqueeze(&x, 0)?, p, Share::Channel)?;
    Ok(Out::One(layout::squeeze(&y, Some(&[0]))?))
}

/// What is lost goes to SELU's limit; mean and variance stay.
fn alpha(b: &mut Bound) -> Outcome<Out> {
    let share = match b.name {
        "alpha_dropout" => Share::Nothing,
        _ => Share::Channel,
    };
    let (x, p) = active(b, false)?;
    let Some(p) = p else {
        return Ok(Out::One(x));
    };
    if p == 1.0 {
        return Ok(Out::One(table::mul(&x, &number(0.0))?));
    }
    let a = 1.0 / ((LIMIT * LIMIT * p + 1.0) * (1.0 - p)).sqrt();
    let (dtype, stays) = (x.dtype(), kept(&x, p, share)?);
    let shift = stays.map(dtype, |v| (v - 1.0) * (LIMIT * a) + LIMIT * a * p)?;
    let scale = stays.map(dtype, |v| v * a)?;
    let y = table::mul(&x, &Variable::constant(scale))?;
    Ok(Out::One(table::add(&y, &Variable::constant(shift))?))
}

const F: Forms = Forms::F;
const USUAL: &str = "(Tensor input, float p=0.5, bool training=True, bool inplace=False)";
const ALPHA: &str = "(Tensor input, float p=0.5, bool training=False, bool inplace=False)";

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "rrelu" Forms::F.and(Forms::TORCH).and(Forms::SHORT), "(Tensor input, float lower=0.125, float upper=0.3333333333333333, bool training=False, bool inplace=False)", "x where x > 0, else r·x, r the mean of the bounds or, in training, random between them", "F.rrelu(tensor([-1., 2.]))", ["leaky_relu"] jax "[training=False] jnp.where({input} > 0, {input}, ({lower!} + {upper!}) / 2 * {input})"
        => rrelu;
    "dropout" F, USUAL, "random elements set to 0, the others divided by 1 − p; ∂yᵢ/∂xᵢ = 1/(1 − p) where kept, else 0", "F.dropout(tensor([1., 2.]), 0.0)", ["dropout1d", "alpha_dropout"] jax "-"
        => dropout;
    "dropout" Forms::TORCH, "(Tensor input, float p, bool train)", "random elements set to 0, the others scaled up", "torch.dropout(tensor([1., 2.]), 0.0, True)", [] jax "-"
        => dropout;
    "feature_dropout" Forms::TORCH, "(Tensor input, float p, bool train)", "random channels set to 0, the others scaled up", "torch.feature_dropout(torch.ones(1, 2, 3), 0.0, True)", ["dropout"] jax "-"
        => |b| Ok(Out::One(match active(b, true)? {
            (x, None) => x,
            (x, Some(p)) => scaled(&x, p, Share::Channel)?,
        }));
    "alpha_dropout" as "feature_alpha_dropout" Forms::TORCH, "(Tensor input, float p, bool train)", "random elements set to SELU's limit, preserving mean and variance", "torch.alpha_dropout(tensor([1., 2.]), 0.0, True)", ["dropout"] jax "-"
        => alpha;
    "dropout1d" as "dropout2d" as "dropout3d" F, USUAL, "random channels set to 0, the others divided by 1 − p; ∂yᵢ/∂xᵢ = 1/(1 − p) where kept, else 0", "F.dropout1d(torch.ones(1, 2, 3), training=False)", ["dropout"] jax "-"
        => channels;
    "alpha_dropout" as "feature_alpha_dropout" F, ALPHA, "random elements set to SELU's limit, preserving mean and variance", "F.alpha_dropout(tensor([1., 2.]))", ["dropout"] jax "-"
        => alpha;
};
