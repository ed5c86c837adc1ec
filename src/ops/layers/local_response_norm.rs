//! Local response normalisation: each channel divided by what its neighbours hold.

use vjp_maths::{Variable, table};
use vjp_ops::arrange::rotate_and_unfold::gathered;
use vjp_ops::compose::number;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::{ElementMap, Kind, Outcome, budget, complain};

/// `x / (k + α · mean of x² over neighbouring channels)ᵝ`
fn local_response_norm(b: &mut Bound) -> Outcome<Out> {
    let (x, size) = (b.tensor(0)?, b.int_or(1, 1));
    let (alpha, beta, k) = (b.float_or(2, 1e-4), b.float_or(3, 0.75), b.float_or(4, 1.0));
    let own = x.shape();
    if own.len() < 3 {
        complain!(
            Kind::Value,
            "Expected 3D or higher dimensionality                          input (got {} dimensions)",
            own.len()
        );
    }
    let square = table::mul(&x, &x)?;
    let (c, inner) = (own[1], own[2..].iter().product::<usize>());
    let mut total: Option<Variable> = None;
    for by in -(size / 2)..=(size - 1) / 2 {
        let index = (0..x.numel()).map(|p| {
            let channel = (p / inner % c) as i64 + by;
            if channel < 0 || channel >= c as i64 {
                return ElementMap::NONE;
            }
            (p as i64 + by * inner as i64) as usize
        });
        let part =
            gathered(&square, &own, budget::collected(index)?, "pad", "ConstantPadNdBackward0")?;
        total = Some(match total {
            Some(t) => table::add(&t, &part)?,
            None => part,
        });
    }
    let near = table::div(&total.unwrap_or(square), &number(size.max(1) as f64))?;
    let near = table::add(&table::mul(&near, &number(alpha))?, &number(k))?;
    Ok(Out::One(table::div(&x, &table::pow(&near, &number(beta))?)?))
}

const F: Forms = Forms::F;

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "local_response_norm" F, "(Tensor input, int size, float alpha=0.0001, float beta=0.75, float k=1.0)", "x / (k + α · mean of x² over neighbouring channels)ᵝ", "F.local_response_norm(torch.ones(1, 3, 2), 2)", ["group_norm"] jax "local_response_norm({*})"
        => local_response_norm;
};
