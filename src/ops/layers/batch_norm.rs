//! Layers of networks: normalisation by batch, group and instance, embeddings, attention.

use crate::layer_norm::{factors, norm};
use crate::moments::{Kernel, Moments};
use vjp_maths::autodiff::grad_mode;
use vjp_maths::saved::attribute::Attribute;
use vjp_maths::{Variable, table};
use vjp_ops::arrange::layout;
use vjp_ops::compose::{grouped, named, number, one, one_of, unary};
use vjp_ops::reduce::{Axes, mean};
use vjp_ops::{Arg, Bound, Forms, Out, entries};
use vjp_tensor::shape::ints;
use vjp_tensor::torch_messages::{sizes, torch_size};
use vjp_tensor::{Dtype, Kind, Outcome, Tensor, complain, shape, torch_messages};

/// A vector of channels in a shape that broadcasts along dimension 1.
fn channels(v: &Variable, rank: usize) -> Outcome<Variable> {
    let mut to = vec![1i64; rank];
    if let Some(slot) = to.get_mut(1) {
        *slot = v.numel() as i64;
    }
    layout::view_as(v, &to)
}

/// `y·weight + bias` by channel.
fn affine(y: Variable, b: &Bound, weight: usize, bias: usize) -> Outcome<Variable> {
    let (rank, mut y) = (y.rank(), y);
    if b.has(weight) {
        y = table::mul(&y, &channels(&b.tensor(weight)?, rank)?)?;
    }
    if b.has(bias) {
        y = table::add(&y, &channels(&b.tensor(bias)?, rank)?)?;
    }
    Ok(y)
}

/// The factors and running statistics of layers, one number for each channel.
const BY_CHANNEL: [(usize, &str); 4] =
    [(1, "running_mean"), (2, "running_var"), (3, "weight"), (4, "bias")];

fn check_channels(b: &Bound, channels: usize) -> Outcome<()> {
    for (k, name) in BY_CHANNEL.iter().filter(|(k, _)| b.has(*k)) {
        let n = b.tensor(*k)?.numel();
        if n != channels {
            complain!("{name} should contain {channels} elements not {n}");
        }
    }
    Ok(())
}

/// `running` moved towards what is `now`.
fn update(running: &Variable, now: &Variable, momentum: f64) -> Outcome<()> {
    let kept = table::mul(running, &number(1.0 - momentum))?;
    running.update(&table::add(&kept, &table::mul(now, &number(momentum))?)?)
}

/// `(x − m)/√(v + ε)` with running statistics.
fn standing(b: &Bound, x: &Variable, eps: f64) -> Outcome<Variable> {
    let rank = x.rank();
    let centred = table::sub(x, &channels(&b.tensor(1)?, rank)?)?;
    let var = table::add(&b.tensor(2)?, &number(eps))?;
    let root = channels(&unary("sqrt", &var)?, rank)?;
    table::div(&centred, &root)
}

/// `(x − m)/√(v + ε)` of the batch where training, else of the running statistics.
fn batch_norm(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "batch_norm", "NativeBatchNormBackward0", 0b11, &[0, 3, 4])?;
    let x = b.tensor(0)?;
    let own = x.shape();
    let (training, momentum, eps) = (b.bool_or(5, false), b.float_or(6, 0.1), b.float_or(7, 1e-5));
    let rest: Vec<i64> = (0..own.len() as i64).filter(|d| *d != 1).collect();
    if training {
        let Some(n) = own.first() else {
            complain!(Kind::Index, "tuple index out of range");
        };
        if n * own.iter().skip(2).product::<usize>() == 1 {
            complain!(
                Kind::Value,
                "Expected more than 1 value per channel when training, got input size {}",
                torch_size(&own)
            );
        }
    } else if let Some((_, name)) = BY_CHANNEL[..2].iter().find(|(k, _)| !b.has(*k)) {
        complain!("{name} must be defined in evaluation mode");
    }
    check_channels(b, own.get(1).copied().unwrap_or(0))?;
    shape::size(&own, 1)?;
    torch_messages::floats_only("batch_norm", x.dtype())?;
    if x.numel() == 0 {
        let y = affine(x, b, 3, 4)?;
        return Ok(Out::One(y));
    }
    let y = if training {
        let axes = Axes::new(&own, Some(&rest), true)?;
        let (inner, n) = (own.iter().skip(2).product(), axes.count() as f64);
        let kernel = (axes, eps, Kernel::Batch { inner });
        let (y, moments) = norm(x, factors(b, 3, 4)?, kernel, (inner, own[1]))?;
        // Step by step as PyTorch rounds: of the variance of floats the last product with the sum.
        let moved = |k: usize, now: fn(&Moments, f64) -> f64| {
            let running = b.tensor(k)?;
            let (all, dtype) = (running.value(), running.dtype());
            let by = dtype.cast(momentum);
            let rest = dtype.cast(1.0 - by);
            let fused = k == 2 && dtype == Dtype::Float32;
            let pairs = all.data().iter().zip(&*moments).map(|(old, at)| {
                let (kept, now) = (dtype.cast(rest * old), dtype.cast(now(at, n)));
                if fused { by.mul_add(now, kept) } else { dtype.cast(by * now) + kept }
            });
            let moved = Tensor::typed(all.shape(), pairs.collect(), dtype);
            running.update(&Variable::constant(moved))
        };
        grad_mode::with_grad(false, || -> Outcome<()> {
            if b.has(1) {
                moved(1, |at, _| at.mean)?;
            }
            if b.has(2) {
                moved(2, |at, n| at.squares / (n - 1.0))?;
            }
            Ok(())
        })?;
        y
    } else {
        affine(standing(b, &x, eps)?, b, 3, 4)?
    };
    let y = group.output(&y)?;
    for (k, name) in [(1, "running_mean"), (2, "running_var")] {
        if b.has(k) {
            y.keeps(name, Attribute::Tensor(b.tensor(k)?.value()));
        }
    }
    if !training {
        let nothing = Tensor::typed(&[0], Vec::new(), y.dtype());
        y.keeps("result1", Attribute::Tensor(nothing.clone()));
        y.keeps("result2", Attribute::Tensor(nothing));
    }
    Ok(Out::One(y))
}

fn group_norm(b: &mut Bound, by_python: bool) -> Outcome<Out> {
    let group = grouped(b, "group_norm", "NativeGroupNormBackward0", 0b11, &[0, 2, 3])?;
    let x = b.tensor(0)?;
    let own = x.shape();
    let groups = b.int_or(1, 1);
    if by_python {
        if own.len() < 2 {
            complain!("Expected at least 2 dimensions for input tensor but received {}", own.len());
        }
        if groups == 0 {
            complain!(Kind::ZeroDivision, "integer division or modulo by zero");
        }
        let mut size = vec![((own[0] * own[1]) as i64).div_euclid(groups), groups];
        size.extend(ints(&own[2..]));
        if size[0].saturating_mul(size[2..].iter().product()) == 1 {
            complain!(
                Kind::Value,
                "Expected more than 1 value per channel when training, got input size {}",
                sizes(&size)
            );
        }
    }
    let (_, all) = (shape::size(&own, 0)?, shape::size(&own, 1)?);
    if groups <= 0 {
        complain!("Expected num groups to be greater than 0, got {groups}");
    }
    let groups = groups as usize;
    if !all.is_multiple_of(groups) {
        complain!(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape {} and num_groups={groups}",
            sizes(&own)
        );
    }
    for (k, name) in [(2, "weight"), (3, "bias")].iter().filter(|(k, _)| b.has(*k)) {
        let given = b.tensor(*k)?.shape();
        if given != [all] {
            complain!(
                "Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape {} and input of shape {}",
                sizes(&given),
                sizes(&own)
            );
        }
    }
    if all == 0 {
        complain!("Expected number of channels to be greater than 0, got 0");
    }
    if own.len() > 2 && own[2..].contains(&0) {
        complain!("Expected HxW to be greater than 0, got 0");
    }
    crate::layer_norm::one_type(b, &x, &[2, 3])?;
    torch_messages::floats_only("GroupNormKernelImpl", x.dtype())?;
    let width = own[1..].iter().product::<usize>() / groups;
    let rows = layout::reshape(&x, &ints(&[own[0], groups, width]))?;
    let axes = Axes::new(&rows.shape(), Some(&[2]), true)?;
    let inner = own.iter().skip(2).product();
    let kernel = (axes, b.float_or(4, 1e-5), Kernel::Group { inner });
    let (y, _) = norm(rows, factors(b, 2, 3)?, kernel, (inner, all))?;
    Ok(Out::One(group.output(&layout::reshape(&y, &ints(&own))?)?))
}

fn instance_norm(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let own = x.shape();
    let (by_input, momentum, eps) = (b.bool_or(5, true), b.float_or(6, 0.1), b.float_or(7, 1e-5));
    if by_input && own.iter().skip(2).product::<usize>() == 1 {
        complain!(
            Kind::Value,
            "Expected more than 1 spatial element when training, got input size {}",
            torch_size(&own)
        );
    }
    if !(by_input || b.has(1) && b.has(2)) {
        complain!(
            "Expected running_mean and running_var to be defined when use_input_stats is false"
        );
    }
    check_channels(b, shape::size(&own, 1)?)?;
    torch_messages::floats_only("batch_norm", x.dtype())?;
    let dims: Vec<i64> = (2..own.len() as i64).collect();
    let y = if by_input {
        grad_mode::with_grad(false, || -> Outcome<()> {
            let plain = x.detach();
            if b.has(1) {
                let all = mean(&plain, Some(&dims), false)?;
                update(&b.tensor(1)?, &mean(&all, Some(&[0]), false)?, momentum)?;
            }
            if b.has(2) {
                let all = one("var", vec![(&plain).into(), dims.as_slice().into()])?;
                update(&b.tensor(2)?, &mean(&all, Some(&[0]), false)?, momentum)?;
            }
            Ok(())
        })?;
        // Each channel of each example is a channel of its own.
        let n = own[0] as i64;
        let mut to = vec![1, n * own[1] as i64];
        to.extend(ints(&own[2..]));
        let mut args = vec![(&layout::reshape(&x, &to)?).into(), Arg::None, Arg::None];
        for k in [3, 4] {
            args.push(match b.has(k) {
                true => {
                    (&one("repeat", vec![(&b.tensor(k)?).into(), [n].as_slice().into()])?).into()
                }
                false => Arg::None,
            });
        }
        args.extend([true.into(), Arg::None, eps.into()]);
        let y = one_of(ENTRIES, "batch_norm", args)?;
        return Ok(Out::One(layout::reshape(&y, &ints(&own))?));
    } else {
        standing(b, &x, eps)?
    };
    Ok(Out::One(named(&affine(y, b, 3, 4)?, "instance_norm", "ViewBackward0")?))
}

const F: Forms = Forms::F;
const BATCH: &str = "(Tensor input, Tensor running_mean=None, Tensor running_var=None, Tensor weight=None, Tensor bias=None, bool training=False, float momentum=0.1, float eps=1e-05)";
const INSTANCE: &str = "(Tensor input, Tensor running_mean=None, Tensor running_var=None, Tensor weight=None, Tensor bias=None, bool use_input_stats=True, float momentum=0.1, float eps=1e-05)";
const GROUP: &str =
    "(Tensor input, int num_groups, Tensor weight=None, Tensor bias=None, float eps=1e-05)";

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "batch_norm" F, BATCH, "y = (x − m)/√(v + ε) by channel, times weight, plus bias; with z = (x − m)/√(v + ε): ∂zᵢ/∂xⱼ = (δᵢⱼ − 1/n − zᵢzⱼ/n)/√(v + ε)", "F.batch_norm(tensor([[1.], [2.], [4.]]), None, None, training=True)", ["layer_norm"] jax "batch_norm({*})"
        => batch_norm;
    "group_norm" F, GROUP, "y = (x − m)/√(v + ε) by group of channels; ∂yᵢ/∂xⱼ = (δᵢⱼ − 1/n − yᵢyⱼ/n)/√(v + ε) in a group of n", "F.group_norm(tensor([[1., 2., 4., 8.]]), 2)", ["layer_norm", "batch_norm"] jax "group_norm({*})"
        => |b| group_norm(b, true);
    "group_norm" Forms::TORCH, GROUP, "y = (x − m)/√(v + ε) by group of channels; ∂yᵢ/∂xⱼ = (δᵢⱼ − 1/n − yᵢyⱼ/n)/√(v + ε) in a group of n", "torch.group_norm(tensor([[1., 2., 4., 8.]]), 2)", ["layer_norm", "batch_norm"] jax "group_norm({*})"
        => |b| group_norm(b, false);
    "instance_norm" F, INSTANCE, "y = (x − m)/√(v + ε) by channel of each example; ∂yᵢ/∂xⱼ = (δᵢⱼ − 1/n − yᵢyⱼ/n)/√(v + ε) in a channel of n", "F.instance_norm(tensor([[[1., 2., 4.]]]))", ["batch_norm"] jax "instance_norm({*})"
        => instance_norm;
};
