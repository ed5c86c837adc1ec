//! Layers of networks: normalisation by batch, group and instance, embeddings, attention.

use super::compose::{ints, number, one, unary};
use super::fixed::{Fixed, wires};
use super::matmul::matmul;
use super::normal::{LayerNorm, named};
use super::reduce::{Axes, mean};
use super::{Bound, Forms, Out, layout};
use crate::complain;
use crate::maths::complaint::{Kind, Outcome};
use crate::maths::grad_mode;
use crate::maths::group::Group;
use crate::maths::linear::Wires;
use crate::maths::table;
use crate::maths::tensor::{Dtype, Tensor};
use crate::maths::torch_says::torch_size;
use crate::maths::variable::{Variable, apply};
use std::rc::Rc;

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

/// `(x − m)/√(v + ε)` of the batch where training, else of the running statistics.
fn batch_norm(b: &mut Bound) -> Outcome<Out> {
    let group = Group::of(b, "batch_norm", "NativeBatchNormBackward0", 0b11, &[0, 3, 4])?;
    let x = b.tensor(0)?;
    let own = x.shape();
    if own.len() < 2 {
        complain!(Kind::Value, "expected at least 2D input (got {}D input)", own.len());
    }
    let (training, momentum, eps) = (b.bool_or(5, false), b.float_or(6, 0.1), b.float_or(7, 1e-5));
    let rest: Vec<i64> = (0..own.len() as i64).filter(|d| *d != 1).collect();
    for (k, name) in [(1, "running_mean"), (2, "running_var"), (3, "weight"), (4, "bias")] {
        if b.has(k) && b.tensor(k)?.numel() != own[1] {
            complain!(
                Kind::Runtime,
                "{name} should contain {} elements not {}",
                own[1],
                b.tensor(k)?.numel()
            );
        }
    }
    let y = if training {
        let count = x.numel() / own[1].max(1);
        if count <= 1 {
            complain!(
                Kind::Value,
                "Expected more than 1 value per channel when training, got input size {}",
                torch_size(&own)
            );
        }
        grad_mode::with_grad(false, || -> Outcome<()> {
            let plain = x.detach();
            let update = |running: &Variable, now: &Variable| -> Outcome<()> {
                let kept = table::mul(running, &number(1.0 - momentum))?;
                running.update(&table::add(&kept, &table::mul(now, &number(momentum))?)?)
            };
            if b.has(1) {
                update(&b.tensor(1)?, &mean(&plain, Some(&rest), false)?)?;
            }
            if b.has(2) {
                let var = one("var", vec![(&plain).into(), rest.as_slice().into()])?;
                update(&b.tensor(2)?, &var)?;
            }
            Ok(())
        })?;
        let axes = Axes::new(&own, Some(&rest), true)?;
        apply(Rc::new(LayerNorm { axes, eps }), &[x])?
    } else {
        if !b.has(1) || !b.has(2) {
            complain!(
                Kind::Runtime,
                "Expected running_mean and running_var to be defined when training=False"
            );
        }
        let centred = table::sub(&x, &channels(&b.tensor(1)?, own.len())?)?;
        let var = table::add(&b.tensor(2)?, &number(eps))?;
        let root = channels(&unary("sqrt", &var)?, own.len())?;
        table::div(&centred, &root)?
    };
    Ok(Out::One(group.output(&affine(y, b, 3, 4)?)?))
}

fn group_norm(b: &mut Bound) -> Outcome<Out> {
    let group = Group::of(b, "group_norm", "NativeGroupNormBackward0", 0b11, &[0, 2, 3])?;
    let x = b.tensor(0)?;
    let own = x.shape();
    let groups = b.int_or(1, 1).max(1) as usize;
    if own.len() < 2 {
        complain!(
            Kind::Runtime,
            "Expected at least 2 dimensions for input tensor but received {}",
            own.len()
        );
    }
    if !own[1].is_multiple_of(groups) {
        complain!(
            Kind::Runtime,
            "Expected number of channels in input to be divisible by num_groups, but got input of shape {} and num_groups={groups}",
            crate::maths::torch_says::sizes(&own)
        );
    }
    let rows = layout::reshape(&x, &[own[0] as i64, groups as i64, -1])?;
    let axes = Axes::new(&rows.shape(), Some(&[2]), true)?;
    let eps = b.float_or(4, 1e-5);
    let y = apply(Rc::new(LayerNorm { axes, eps }), &[rows])?;
    let y = layout::reshape(&y, &ints(&own))?;
    Ok(Out::One(group.output(&affine(y, b, 2, 3)?)?))
}

fn instance_norm(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let own = x.shape();
    let inner: usize = own.iter().skip(2).product();
    if own.len() < 3 || inner <= 1 {
        complain!(
            Kind::Value,
            "Expected more than 1 spatial element when training, got input size {}",
            torch_size(&own)
        );
    }
    let dims: Vec<i64> = (2..own.len() as i64).collect();
    let axes = Axes::new(&own, Some(&dims), true)?;
    let eps = b.float_or(7, 1e-5);
    let y = apply(Rc::new(LayerNorm { axes, eps }), &[x])?;
    Ok(Out::One(named(&affine(y, b, 3, 4)?, "instance_norm", "ViewBackward0")?))
}

fn rms_norm(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?;
    let wanted = b.ints(1).unwrap_or_default();
    let own: Vec<i64> = x.shape().iter().map(|d| *d as i64).collect();
    if own.len() < wanted.len() {
        complain!(
            Kind::Value,
            "Input tensor must have at least {} dimensions, but got {}",
            wanted.len(),
            own.len()
        );
    }
    if !own.ends_with(&wanted) {
        let text = crate::maths::torch_says::sizes(&wanted);
        complain!(
            Kind::Runtime,
            "Given normalized_shape={text}, expected input with shape [*{}, but got input of size{}",
            &text[1..],
            crate::maths::torch_says::sizes(&own)
        );
    }
    let dims: Vec<i64> = (1..=wanted.len() as i64).map(|d| -d).collect();
    let eps = b.float_or(3, f64::EPSILON);
    let power = mean(&unary("square", &x)?, Some(&dims), true)?;
    let root = unary("rsqrt", &table::add(&power, &number(eps))?)?;
    let mut y = table::mul(&x, &root)?;
    if b.has(2) {
        y = table::mul(&y, &b.tensor(2)?)?;
    }
    Ok(Out::One(y))
}

/// The rows of `weight` that `input` names; those of `padding_idx` get no gradient.
fn embedding(b: &mut Bound) -> Outcome<Out> {
    let (input, weight) = (b.tensor(0)?, b.tensor(1)?);
    if input.dtype().is_float() {
        complain!(
            Kind::Runtime,
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got {} instead (while checking arguments for embedding)",
            input.dtype().type_name()
        );
    }
    let own = weight.shape();
    let [rows, width] = own[..] else {
        complain!(Kind::Runtime, "'weight' must be 2-D");
    };
    let skipped = b.int(2).map(|p| if p < 0 { p + rows as i64 } else { p });
    let mut to = input.shape();
    to.push(width);
    let (mut taken, mut fixed) = (Vec::new(), Vec::new());
    for i in input.value().data() {
        let i = *i as i64;
        if i < 0 || i as usize >= rows {
            complain!(Kind::Index, "index out of range in self");
        }
        for k in 0..width {
            let at = i as usize * width + k;
            let skip = skipped == Some(i);
            taken.push(if skip { Wires::NONE } else { at });
            fixed.push(if skip { weight.value().data()[at] } else { 0.0 });
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
            "scaled_dot_product_attention: Expected query, key, and value to all be  at least 2 dimensional, but got: query.dim() = {}, key.dim() = {}, value.dim() = {}",
            p.len(),
            r.len(),
            v.rank()
        );
    }
    let width = p[p.len() - 1];
    let scale = b.float_or(6, 1.0 / (width as f64).sqrt());
    let scores = matmul(&q, &layout::transpose(&k, -2, -1)?)?;
    let mut scores = table::mul(&scores, &number(scale))?;
    if b.bool_or(5, false) {
        if b.has(3) {
            complain!(
                Kind::Runtime,
                "scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
            );
        }
        let (rows, columns) = (p[p.len() - 2], r[r.len() - 2]);
        let later = (0..rows * columns).map(|k| f64::from(u8::from(k % columns > k / columns)));
        let later = Tensor::new(&[rows, columns], later.collect()).with_dtype(Dtype::Bool);
        let never = number(f64::NEG_INFINITY);
        scores = super::select::masked_fill(&scores, &later, &never)?;
    }
    if b.has(3) {
        let mask = b.tensor(3)?;
        scores = if mask.dtype() == Dtype::Bool {
            let out = mask.value().map(Dtype::Bool, |m| 1.0 - m)?;
            super::select::masked_fill(&scores, &out, &number(f64::NEG_INFINITY))?
        } else {
            table::add(&scores, &mask)?
        };
    }
    let weights = super::nn::softmax(&scores, -1, false)?;
    let y = matmul(&weights, &v)?;
    let whole = "ScaledDotProductFlashAttentionForCpuBackward0";
    let fused = p.len() == 4 && v.shape().last() == p.last();
    let name = match p.len() {
        _ if fused => whole,
        3 => "SqueezeBackward1",
        _ => return Ok(Out::One(y)),
    };
    Ok(Out::One(named(&y, "scaled_dot_product_attention", name)?))
}

const F: Forms = Forms::F;
const BATCH: &str = "(Tensor input, Tensor running_mean=None, Tensor running_var=None, Tensor weight=None, Tensor bias=None, bool training=False, float momentum=0.1, float eps=1e-05)";
const INSTANCE: &str = "(Tensor input, Tensor running_mean=None, Tensor running_var=None, Tensor weight=None, Tensor bias=None, bool use_input_stats=True, float momentum=0.1, float eps=1e-05)";
const GROUP: &str =
    "(Tensor input, int num_groups, Tensor weight=None, Tensor bias=None, float eps=1e-05)";
const RMS: &str = "(Tensor input, int[] normalized_shape, Tensor weight=None, float eps=None)";

pub static ENTRIES: &[super::Entry] = entries! {
    "batch_norm" F, BATCH, "y = (x − m)/√(v + ε) by channel, times weight, plus bias; with z = (x − m)/√(v + ε): ∂zᵢ/∂xⱼ = (δᵢⱼ − 1/n − zᵢzⱼ/n)/√(v + ε)", "F.batch_norm(tensor([[1.], [2.], [4.]]), None, None, training=True)", ["layer_norm"]
        => batch_norm;
    "group_norm" F.and(Forms::TORCH), GROUP, "y = (x − m)/√(v + ε) by group of channels; ∂yᵢ/∂xⱼ = (δᵢⱼ − 1/n − yᵢyⱼ/n)/√(v + ε) in a group of n", "F.group_norm(tensor([[1., 2., 4., 8.]]), 2)", ["layer_norm", "batch_norm"]
        => group_norm;
    "instance_norm" F, INSTANCE, "y = (x − m)/√(v + ε) by channel of each example; ∂yᵢ/∂xⱼ = (δᵢⱼ − 1/n − yᵢyⱼ/n)/√(v + ε) in a channel of n", "F.instance_norm(tensor([[[1., 2., 4.]]]))", ["batch_norm"]
        => instance_norm;
    "rms_norm" F.and(Forms::TORCH), RMS, "y = x/√(mean x² + ε)", "F.rms_norm(tensor([3., 4.]), (2,))", ["layer_norm"]
        => rms_norm;
    "embedding" F, "(Tensor input, Tensor weight, int padding_idx=None, float max_norm=None, float norm_type=2.0, bool scale_grad_by_freq=False, bool sparse=False)", "rows of a table, picked by number", "F.embedding(tensor([1, 0]), torch.eye(2))", ["one_hot", "index_select"]
        => embedding;
    "embedding" Forms::TORCH, "(Tensor weight, Tensor indices, int padding_idx=-1)", "rows of a table, picked by number", "torch.embedding(torch.eye(2), tensor([1, 0]))", ["index_select"]
        => |b| {
            let (weight, input) = (b.tensor(0)?, b.tensor(1)?);
            Ok(Out::One(one("embedding", vec![(&input).into(), (&weight).into()])?))
        };
    "scaled_dot_product_attention" F, "(Tensor query, Tensor key, Tensor value, Tensor attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float scale=None, bool enable_gqa=False)", "softmax(Q Kᵀ/√d) V; with P that softmax, S = Q Kᵀ/√d: dY = P dV + dP V, ∂Pᵢ/∂Sⱼ = Pᵢ(δᵢⱼ − Pⱼ) in each row", "F.scaled_dot_product_attention(torch.eye(2), torch.eye(2), torch.eye(2))", ["softmax", "matmul"]
        => attention;
};
