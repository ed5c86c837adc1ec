//! The bilinear layer: y = x₁ᵀ W x₂ + b.

use vjp_maths::{Variable, table};
use vjp_ops::arrange::layout;
use vjp_ops::reduce::sum;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::shape::ints;
use vjp_tensor::{Outcome, complain, shape};

/// `yₒ = Σ aᵢ Wₒᵢⱼ cⱼ + bₒ`
fn bilinear(b: &mut Bound) -> Outcome<Out> {
    let (x, z, w) = (b.tensor(0)?, b.tensor(1)?, b.tensor(2)?);
    let (p, q, own) = (x.shape(), z.shape(), w.shape());
    if p.len() != q.len() {
        complain!("bilinear(): input dimensions do not match: got {} and {}", p.len(), q.len());
    }
    for d in 0..p.len().max(1) - 1 {
        if p[d] != q[d] {
            complain!(
                "bilinear(): input batch dimensions do not match at dim {d}: got {} and {}",
                p[d],
                q[d]
            );
        }
    }
    for (name, of, d) in [("input1", &p, 1), ("input2", &q, 2)] {
        let wanted = shape::size(&own, d)?;
        let got = shape::size(of, -1)?;
        if got != wanted {
            complain!(
                "bilinear(): {name} size does not match weight size: got {got} but expected {wanted}"
            );
        }
    }
    if b.has(3) {
        let bias = b.tensor(3)?.shape();
        if let Some(n) = bias.first().filter(|n| **n != own[0]) {
            complain!(
                "bilinear(): bias size does not match weight size: got {n} but expected {}",
                own[0]
            );
        }
    }
    let flat = |v: &Variable, n: usize| layout::reshape(v, &[-1, n as i64]);
    let (rows, columns) = (flat(&x, own[1])?, flat(&z, own[2])?);
    let n = rows.shape()[0] as i64;
    // Each row of a with every matrix, then with its row of c.
    let left = layout::reshape(&rows, &[1, n, own[1] as i64])?;
    let y = vjp_ops::product::matmul::matmul(&left, &w)?;
    let y = sum(&table::mul(&y, &columns)?, Some(&[2]), false)?;
    let mut to = ints(&p[..p.len() - 1]);
    to.push(own[0] as i64);
    let y = layout::view_as(&layout::contiguous(&layout::t(&y)?)?, &to)?;
    if b.has(3) {
        return Ok(Out::One(table::add(&y, &b.tensor(3)?)?));
    }
    Ok(Out::One(y))
}

const F: Forms = Forms::F;
const BOTH: Forms = F.and(Forms::TORCH);

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "bilinear" BOTH, "(Tensor input1, Tensor input2, Tensor weight, Tensor bias=None)", "yₒ = Σ aᵢ Wₒᵢⱼ cⱼ + bₒ; ∂yₒ/∂a = Wₒ c, ∂yₒ/∂c = Wₒᵀ a, ∂yₒ/∂Wₒ = a cᵀ", "F.bilinear(tensor([[1., 2.]]), tensor([[3., 4.]]), torch.ones(1, 2, 2))", ["linear", "einsum"] jax "bilinear({*})"
        => bilinear;
};
