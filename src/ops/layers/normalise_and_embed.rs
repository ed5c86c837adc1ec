//! Layers of networks: normalisation by batch, group and instance, embeddings, attention.

use crate::layer_norm::norm;
use crate::layer_norm_and_pad::{factors, normalized};
use crate::moments::Kernel;
use std::rc::Rc;
use vjp_maths::autodiff::grad_mode;
use vjp_maths::autodiff::variable::{Variable, apply};
use vjp_maths::primitives::fixed::{Fixed, wires};
use vjp_maths::table;
use vjp_ops::arguments::{Arg, Bound, Out};
use vjp_ops::arrange::layout;
use vjp_ops::compose::{one, one_of, unary};
use vjp_ops::entries;
use vjp_ops::entry::Forms;
use vjp_ops::product::matmul::matmul;
use vjp_ops::recorded::grouped;
use vjp_ops::recorded::named;
use vjp_ops::recorded::number;
use vjp_ops::reduce::{Axes, mean};
use vjp_tensor::budget;
use vjp_tensor::complain;
use vjp_tensor::complaint::{Kind, Outcome};
use vjp_tensor::shape;
use vjp_tensor::shape::ints;
use vjp_tensor::tensor::{Dtype, Tensor};
use vjp_tensor::torch_messages::{sizes, torch_size};
use vjp_tensor::wires::Wires;

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
            complain!(Kind::Runtime, "{name} should contain {channels} elements not {n}");
        }
    }
    Ok(())
}

fn check_floats(x: &Variable, kernel: &str) -> Outcome<()> {
    if !x.dtype().is_float() {
        complain!(
            Kind::NotImplemented,
            "\"{kernel}\" not implemented for '{}'",
            x.dtype().scalar_type()
        );
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
        complain!(Kind::Runtime, "{name} must be defined in evaluation mode");
    }
    check_channels(b, own.get(1).copied().unwrap_or(0))?;
    shape::size(&own, 1)?;
    check_floats(&x, "batch_norm")?;
    if x.numel() == 0 {
        let y = affine(x, b, 3, 4)?;
        return Ok(Out::One(y));
    }
    let y = if training {
        grad_mode::with_grad(false, || -> Outcome<()> {
            let plain = x.detach();
            if b.has(1) {
                update(&b.tensor(1)?, &mean(&plain, Some(&rest), false)?, momentum)?;
            }
            if b.has(2) {
                let var = one("var", vec![(&plain).into(), rest.as_slice().into()])?;
                update(&b.tensor(2)?, &var, momentum)?;
            }
            Ok(())
        })?;
        let axes = Axes::new(&own, Some(&rest), true)?;
        let inner = own.iter().skip(2).product();
        norm(x, factors(b, 3, 4)?, (axes, eps, Kernel::Batch { inner }), (inner, own[1]))?
    } else {
        affine(standing(b, &x, eps)?, b, 3, 4)?
    };
    Ok(Out::One(group.output(&y)?))
}

fn group_norm(b: &mut Bound, by_python: bool) -> Outcome<Out> {
    let group = grouped(b, "group_norm", "NativeGroupNormBackward0", 0b11, &[0, 2, 3])?;
    let x = b.tensor(0)?;
    let own = x.shape();
    let groups = b.int_or(1, 1);
    if by_python {
        if own.len() < 2 {
            complain!(
                Kind::Runtime,
                "Expected at least 2 dimensions for input tensor but received {}",
                own.len()
            );
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
        complain!(Kind::Runtime, "Expected num groups to be greater than 0, got {groups}");
    }
    let groups = groups as usize;
    if !all.is_multiple_of(groups) {
        complain!(
            Kind::Runtime,
            "Expected number of channels in input to be divisible by num_groups, but got input of shape {} and num_groups={groups}",
            sizes(&own)
        );
    }
    for (k, name) in [(2, "weight"), (3, "bias")].iter().filter(|(k, _)| b.has(*k)) {
        let given = b.tensor(*k)?.shape();
        if given != [all] {
            complain!(
                Kind::Runtime,
                "Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape {} and input of shape {}",
                sizes(&given),
                sizes(&own)
            );
        }
    }
    if all == 0 {
        complain!(Kind::Runtime, "Expected number of channels to be greater than 0, got 0");
    }
    if own.len() > 2 && own[2..].contains(&0) {
        complain!(Kind::Runtime, "Expected HxW to be greater than 0, got 0");
    }
    crate::layer_norm_and_pad::one_type(b, &x, &[2, 3])?;
    check_floats(&x, "GroupNormKernelImpl")?;
    let width = own[1..].iter().product::<usize>() / groups;
    let rows = layout::reshape(&x, &ints(&[own[0], groups, width]))?;
    let axes = Axes::new(&rows.shape(), Some(&[2]), true)?;
    let inner = own.iter().skip(2).product();
    let kernel = (axes, b.float_or(4, 1e-5), Kernel::Group { inner });
    let y = norm(rows, factors(b, 2, 3)?, kernel, (inner, all))?;
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
            Kind::Runtime,
            "Expected running_mean and running_var to be defined when use_input_stats is false"
        );
    }
    check_channels(b, shape::size(&own, 1)?)?;
    check_floats(&x, "batch_norm")?;
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

fn rms_norm(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    if x.rank() == 0 {
        complain!(Kind::Value, "Input tensor must have at least 1 dimensions, but got 0");
    }
    normalized(b, &x, &[(2, "weight")], "", "rms_norm")?;
    let dims: Vec<i64> = (1..=b.ints(1).unwrap_or_default().len() as i64).map(|d| -d).collect();
    let own = x.dtype();
    let work = if own == Dtype::Float64 { own } else { Dtype::Float32 };
    let x = layout::to_dtype(&x, work)?;
    let least = if own == Dtype::Float64 { f64::EPSILON } else { f64::from(f32::EPSILON) };
    let eps = b.float_or(3, least);
    let power = mean(&unary("square", &x)?, Some(&dims), true)?;
    let root = unary("rsqrt", &table::add(&power, &number(eps))?)?;
    let mut y = table::mul(&x, &root)?;
    if b.has(2) {
        y = table::mul(&y, &b.tensor(2)?)?;
    }
    Ok(Out::One(layout::to_dtype(&y, own)?))
}

/// Rows of a table have whole numbers.
///
/// # Errors
/// Others.
pub(crate) fn check_rows(input: &Variable, name: &str) -> Outcome<()> {
    let dtype = input.dtype();
    if !matches!(dtype, Dtype::Int64 | Dtype::Int32) {
        complain!(
            Kind::Runtime,
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got {} instead (while checking arguments for {name})",
            match dtype {
                Dtype::Bool => "CPUBoolType".to_owned(),
                dtype => dtype.type_name(),
            }
        );
    }
    Ok(())
}

/// The rows of `weight` that `input` names; those of `padding_idx` get no gradient.
fn embedding(b: &mut Bound, by_python: bool) -> Outcome<Out> {
    let (input, weight) = (b.tensor(0)?, b.tensor(1)?);
    let own = weight.shape();
    let skipped = b.int(2).filter(|p| by_python || *p >= 0);
    if let Some(p) = skipped.filter(|_| by_python) {
        let rows = shape::size(&own, 0)? as i64;
        if p >= rows || p < -rows {
            complain!(Kind::Assertion, "Padding_idx must be within num_embeddings");
        }
    }
    if weight.requires_grad() {
        shape::size(&own, 0)?;
    }
    let [rows, width] = own[..] else {
        complain!(Kind::Runtime, "'weight' must be 2-D");
    };
    check_rows(&input, "embedding")?;
    if rows == 0 && input.numel() > 0 {
        complain!(Kind::Runtime, "index_select(): self indexing axis dim should be positive");
    }
    let skipped = skipped.map(|p| if p < 0 { p + rows as i64 } else { p });
    let mut to = input.shape();
    to.push(width);
    let count = shape::numel(&to)?;
    let mut taken = budget::vec(count)?;
    let mut fixed = budget::vec(if skipped.is_some() { count } else { 0 })?;
    for i in input.value().data() {
        budget::tick()?;
        let i = *i as i64;
        if i < 0 || i as usize >= rows {
            complain!(Kind::Index, "index out of range in self");
        }
        for k in 0..width {
            let at = i as usize * width + k;
            let skip = skipped == Some(i);
            taken.push(if skip { Wires::NONE } else { at });
            if skipped.is_some() {
                fixed.push(if skip { weight.value().data()[at] } else { 0.0 });
            }
        }
    }
    let pick = Fixed::gather("embedding", "EmbeddingBackward0", wires(&own, &to, taken)).adding();
    let y = apply(Rc::new(pick.saving()), std::slice::from_ref(&weight))?;
    if skipped.is_none() || fixed.iter().all(|v| *v == 0.0) {
        return Ok(Out::One(y));
    }
    let rest = Variable::constant(Tensor::typed(&to, fixed, weight.dtype()));
    let y = named(&table::add(&y, &rest)?, "embedding", "EmbeddingBackward0")?;
    Ok(Out::One(y))
}

/// `softmax(Q Kᵀ / √d + mask) V`.
fn attention(b: &mut Bound) -> Outcome<Out> {
    let (q, k, v) = (b.tensor(0)?, b.tensor(1)?, b.tensor(2)?);
    let (p, r) = (q.shape(), k.shape());
    if p.len() < 2 || r.len() < 2 || v.rank() < 2 {
        complain!(
            Kind::Runtime,
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {} key.dim: {} and value.dim: {} instead.",
            p.len(),
            r.len(),
            v.rank()
        );
    }
    if q.dtype() != k.dtype() || k.dtype() != v.dtype() {
        complain!(
            Kind::Runtime,
            "Expected query, key, and value to have the same dtype, but got query.dtype: {} key.dtype: {} and value.dtype: {} instead.",
            q.dtype().c_name(),
            k.dtype().c_name(),
            v.dtype().c_name()
        );
    }
    if b.has(3) {
        let mask = b.tensor(3)?.dtype();
        if mask != Dtype::Bool && !mask.is_float() {
            complain!(
                Kind::Runtime,
                "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: {} and  query.dtype: {} instead.",
                mask.c_name(),
                q.dtype().c_name()
            );
        }
    }
    if p.len() == 3 && r.len() == 3 && v.rank() == 3 {
        for place in [0, 1, 2, 3] {
            if let Arg::Tensor(x) = b.arg(place)
                && x.rank() == 3
            {
                b.args[place] = Arg::Tensor(layout::unsqueeze(x, 0)?);
            }
        }
        let Out::One(y) = attention(b)? else {
            return Ok(Out::Many(Vec::new()));
        };
        return Ok(Out::One(layout::squeeze(&y, Some(&[0]))?));
    }
    let whole = "ScaledDotProductFlashAttentionForCpuBackward0";
    let fused = p.len() == 4 && v.shape().last() == p.last();
    // PyTorch's own kernel has no second derivative; at the prompt there is one.
    let group = match fused && !vjp_tensor::mixing::is_allowed() {
        true => Some(grouped(b, "scaled_dot_product_attention", whole, 0b111, &[0, 1, 2])?),
        false => None,
    };
    let (q, k, v) = (b.tensor(0)?, b.tensor(1)?, b.tensor(2)?);
    let width = p[p.len() - 1];
    let scale = b.float_or(6, 1.0 / (width as f64).sqrt());
    let scores = matmul(&q, &layout::transpose(&k, -2, -1)?)?;
    let mut scores = table::mul(&scores, &number(scale))?;
    if b.bool_or(5, false) {
        if b.has(3) {
            complain!(
                Kind::Runtime,
                "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
            );
        }
        let (rows, columns) = (p[p.len() - 2], r[r.len() - 2]);
        let later = (0..rows * columns).map(|k| f64::from(u8::from(k % columns > k / columns)));
        let later = budget::collected(later)?;
        let later = Tensor::new(&[rows, columns], later).with_dtype(Dtype::Bool);
        let never = number(f64::NEG_INFINITY);
        scores = vjp_ops::index::select::masked_fill(&scores, &later, &never)?;
    }
    if b.has(3) {
        let mask = b.tensor(3)?;
        scores = if mask.dtype() == Dtype::Bool {
            let out = mask.value().map(Dtype::Bool, |m| 1.0 - m)?;
            vjp_ops::index::select::masked_fill(&scores, &out, &number(f64::NEG_INFINITY))?
        } else {
            table::add(&scores, &mask)?
        };
    }
    let weights = crate::softmax::softmax(&scores, -1, false)?;
    let y = matmul(&weights, &v)?;
    Ok(Out::One(match group {
        Some(group) => group.output(&y)?,
        None if fused => named(&y, "scaled_dot_product_attention", whole)?,
        None => y,
    }))
}

const F: Forms = Forms::F;
const BATCH: &str = "(Tensor input, Tensor running_mean=None, Tensor running_var=None, Tensor weight=None, Tensor bias=None, bool training=False, float momentum=0.1, float eps=1e-05)";
const INSTANCE: &str = "(Tensor input, Tensor running_mean=None, Tensor running_var=None, Tensor weight=None, Tensor bias=None, bool use_input_stats=True, float momentum=0.1, float eps=1e-05)";
const GROUP: &str =
    "(Tensor input, int num_groups, Tensor weight=None, Tensor bias=None, float eps=1e-05)";
const RMS: &str = "(Tensor input, ints normalized_shape, Tensor weight=None, float eps=None)";

pub static ENTRIES: &[vjp_ops::entry::Entry] = entries! {
    "batch_norm" F, BATCH, "y = (x − m)/√(v + ε) by channel, times weight, plus bias; with z = (x − m)/√(v + ε): ∂zᵢ/∂xⱼ = (δᵢⱼ − 1/n − zᵢzⱼ/n)/√(v + ε)", "F.batch_norm(tensor([[1.], [2.], [4.]]), None, None, training=True)", ["layer_norm"] jax "batch_norm({*})"
        => batch_norm;
    "group_norm" F, GROUP, "y = (x − m)/√(v + ε) by group of channels; ∂yᵢ/∂xⱼ = (δᵢⱼ − 1/n − yᵢyⱼ/n)/√(v + ε) in a group of n", "F.group_norm(tensor([[1., 2., 4., 8.]]), 2)", ["layer_norm", "batch_norm"] jax "group_norm({*})"
        => |b| group_norm(b, true);
    "group_norm" Forms::TORCH, GROUP, "y = (x − m)/√(v + ε) by group of channels; ∂yᵢ/∂xⱼ = (δᵢⱼ − 1/n − yᵢyⱼ/n)/√(v + ε) in a group of n", "torch.group_norm(tensor([[1., 2., 4., 8.]]), 2)", ["layer_norm", "batch_norm"] jax "group_norm({*})"
        => |b| group_norm(b, false);
    "instance_norm" F, INSTANCE, "y = (x − m)/√(v + ε) by channel of each example; ∂yᵢ/∂xⱼ = (δᵢⱼ − 1/n − yᵢyⱼ/n)/√(v + ε) in a channel of n", "F.instance_norm(tensor([[[1., 2., 4.]]]))", ["batch_norm"] jax "instance_norm({*})"
        => instance_norm;
    "rms_norm" F.and(Forms::TORCH), RMS, "y = x/√(mean x² + ε)", "F.rms_norm(tensor([3., 4.]), (2,))", ["layer_norm"] jax "rms_norm({*})"
        => rms_norm;
    "embedding" F, "(Tensor input, Tensor weight, int padding_idx=None, float max_norm=None, float norm_type=2.0, bool scale_grad_by_freq=False, bool sparse=False)", "rows of a table, selected by index", "F.embedding(tensor([1, 0]), torch.eye(2))", ["one_hot", "index_select"] jax "{weight}[{input}]"
        => |b| embedding(b, true);
    "embedding" Forms::TORCH, "(Tensor weight, Tensor indices, int padding_idx=-1)", "rows of a table, selected by index", "torch.embedding(torch.eye(2), tensor([1, 0]))", ["index_select"] jax "{weight}[{input}]"
        => |b| {
            b.args.swap(0, 1);
            embedding(b, false)
        };
    "scaled_dot_product_attention" F, "(Tensor query, Tensor key, Tensor value, Tensor attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float scale=None, bool enable_gqa=False)", "softmax(Q Kᵀ/√d) V; with P that softmax, S = Q Kᵀ/√d: dY = P dV + dP V, ∂Pᵢ/∂Sⱼ = Pᵢ(δᵢⱼ − Pⱼ) in each row", "F.scaled_dot_product_attention(torch.eye(2), torch.eye(2), torch.eye(2))", ["softmax", "matmul"] jax "scaled_dot_product_attention({*})"
        => attention;
};
