//! `torch.autocast`: operations that compute in a shorter type, and those that go back to float32.

use crate::{Arg, Bound};
use std::cell::Cell;
use vjp_maths::Variable;
use vjp_maths::second_order::create_graph::cast;
use vjp_tensor::Dtype;

thread_local! {
    static TYPE: Cell<Option<Dtype>> = const { Cell::new(None) };
}

/// The type from now on, None: each operation's own. Gives what held before.
pub fn set(dtype: Option<Dtype>) -> Option<Dtype> {
    TYPE.replace(dtype)
}

/// The type that holds.
pub fn dtype() -> Option<Dtype> {
    TYPE.get()
}

/// PyTorch's list of what computes in the shorter type on the CPU.
const SHORT: &[&str] = &[
    "addbmm",
    "addmm",
    "baddbmm",
    "bmm",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "einsum",
    "inner",
    "linear",
    "matmul",
    "mm",
    "scaled_dot_product_attention",
    "tensordot",
    "vecdot",
];

/// Its list of what computes in float32.
const FULL: &[&str] = &[
    "avg_pool3d",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cdist",
    "cosine_embedding_loss",
    "cross_entropy",
    "ctc_loss",
    "grid_sample",
    "hinge_embedding_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "margin_ranking_loss",
    "mse_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "nanquantile",
    "nll_loss",
    "poisson_nll_loss",
    "prod",
    "quantile",
    "smooth_l1_loss",
    "soft_margin_loss",
    "trace",
    "triplet_margin_loss",
];

/// What computes in the widest type among its operands.
const WIDEST: &[&str] = &["cat", "index_copy", "stack"];

/// Brings the operands to the type in which the operation computes.
pub(crate) fn prepare(name: &str, b: &mut Bound) {
    let Some(short) = TYPE.get() else { return };
    let to = match name {
        _ if SHORT.contains(&name) => short,
        _ if FULL.contains(&name) => Dtype::Float32,
        _ if WIDEST.contains(&name) && operands(b).any(|v| v.dtype() == Dtype::Float32) => {
            Dtype::Float32
        }
        _ => return,
    };
    // Doubles stay what they are.
    let change = |v: &mut Variable| {
        if v.dtype().is_float() && v.dtype() != Dtype::Float64 {
            *v = cast(v, to);
        }
    };
    for arg in &mut b.args {
        match arg {
            Arg::Tensor(v) => change(v),
            Arg::Tensors(all) => all.iter_mut().for_each(change),
            _ => {}
        }
    }
}

fn operands(b: &Bound) -> impl Iterator<Item = &Variable> {
    b.args.iter().flat_map(|a| match a {
        Arg::Tensor(v) => std::slice::from_ref(v),
        Arg::Tensors(all) => all.as_slice(),
        _ => &[],
    })
}
