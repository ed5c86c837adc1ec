//! Attention: values weighed by the likeness of queries and keys.

use vjp_maths::table;
use vjp_ops::arrange::layout;
use vjp_ops::compose::{grouped, named, number, one_of};
use vjp_ops::product::matmul::matmul;
use vjp_ops::{Arg, Bound, Forms, Out, entries};
use vjp_tensor::{Dtype, Outcome, Tensor, budget, complain};

/// `softmax(Q Kᵀ / √d + mask) V`.
fn attention(b: &mut Bound) -> Outcome<Out> {
    let (q, k, v) = (b.tensor(0)?, b.tensor(1)?, b.tensor(2)?);
    let (p, r) = (q.shape(), k.shape());
    if p.len() < 2 || r.len() < 2 || v.rank() < 2 {
        complain!(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {} key.dim: {} and value.dim: {} instead.",
            p.len(),
            r.len(),
            v.rank()
        );
    }
    if q.dtype() != k.dtype() || k.dtype() != v.dtype() {
        complain!(
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
    let dropped = b.float_or(4, 0.0);
    if !(0.0..=1.0).contains(&dropped) {
        complain!("dropout probability has to be between 0 and 1, but got {dropped}");
    }
    let fused = p.len() == 4 && v.shape().last() == p.last() && dropped == 0.0;
    // PyTorch's own kernel has no second derivative; at the prompt there is one.
    let group = match fused && !vjp_tensor::mixed_dtypes::is_allowed() {
        true => Some(grouped(b, "scaled_dot_product_attention", whole, 0b111, &[0, 1, 2])?),
        false => None,
    };
    let (q, k, v) = (b.tensor(0)?, b.tensor(1)?, b.tensor(2)?);
    let width = p[p.len() - 1];
    let scale = b.float_or(6, 1.0 / (width as f64).sqrt());
    let k = layout::transpose(&k, -2, -1)?;
    let mut scores = match dropped > 0.0 && scale >= 0.0 {
        // What PyTorch has no kernel for it scales before the product.
        true => {
            let by = number(scale.sqrt());
            matmul(&table::mul(&q, &by)?, &table::mul(&k, &by)?)?
        }
        false => table::mul(&matmul(&q, &k)?, &number(scale))?,
    };
    if b.bool_or(5, false) {
        if b.has(3) {
            complain!(
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
    let mut weights = crate::softmax::softmax(&scores, -1, false)?;
    if dropped > 0.0 {
        let args = vec![(&weights).into(), dropped.into(), true.into()];
        weights = one_of(crate::dropout::ENTRIES, "dropout", args)?;
    }
    let y = matmul(&weights, &v)?;
    let y = match group {
        Some(group) => group.output(&y)?,
        None if fused => named(&y, "scaled_dot_product_attention", whole)?,
        None => return Ok(Out::One(y)),
    };
    // PyTorch's own kernel writes the heads of each place side by side.
    Ok(Out::One(y.in_order(&[0, 2, 1, 3])))
}

const F: Forms = Forms::F;

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "scaled_dot_product_attention" F, "(Tensor query, Tensor key, Tensor value, Tensor attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float scale=None, bool enable_gqa=False)", "softmax(Q Kᵀ/√d) V; with P that softmax, S = Q Kᵀ/√d: dY = P dV + dP V, ∂Pᵢ/∂Sⱼ = Pᵢ(δᵢⱼ − Pⱼ) in each row", "F.scaled_dot_product_attention(torch.eye(2), torch.eye(2), torch.eye(2))", ["softmax", "matmul"] jax "scaled_dot_product_attention({*})"
        => attention;
};
