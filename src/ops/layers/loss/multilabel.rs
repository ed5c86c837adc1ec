//! Losses of several labels at once.

use crate::loss::Reduction;
use vjp_maths::{Variable, table};
use vjp_ops::arrange::layout;
use vjp_ops::arrange::rotate_and_unfold::gathered;
use vjp_ops::compose::{grouped, number, one, unary};
use vjp_ops::reduce::sum;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::torch_messages::sizes;
use vjp_tensor::{Dtype, ElementMap, Kind, Outcome, budget, complain};

/// −mean over classes of t log σ(x) + (1 − t) log σ(−x)
fn multilabel_soft_margin(b: &mut Bound) -> Outcome<Out> {
    let (x, t) = (b.tensor(0)?, b.tensor(1)?);
    if x.rank() == 0 {
        complain!(Kind::Index, "Dimension specified as -1 but tensor has no dimensions");
    }
    let is = table::mul(&t, &unary("logsigmoid", &x)?)?;
    let other = table::sub(&number(1.0), &t)?;
    let is_not = table::mul(&other, &unary("logsigmoid", &table::neg(&x)?)?)?;
    let mut y = table::neg(&table::add(&is, &is_not)?)?;
    if b.has(2) {
        y = table::mul(&y, &b.tensor(2)?)?;
    }
    let last = x.rank() as i64 - 1;
    let classes = x.shape().last().copied().unwrap_or(1) as f64;
    let y = sum(&y, Some(&[last]), false)?;
    let y = table::div(&y, &number(classes))?;
    Ok(Out::One(Reduction::read(b, 3)?.of(&y)?))
}

/// Σ max(0, 1 − (xₜ − xⱼ)) / C over the labels t, up to the first −1, and all that are none.
fn multilabel_margin(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "multilabel_margin_loss", "MultilabelMarginLossBackward0", 1, &[0])?;
    let (x, t) = (b.tensor(0)?, b.tensor(1)?.value());
    let own = x.shape();
    if own.is_empty() || own.len() > 2 || own != t.shape() {
        complain!(
            "inconsistent target size: {} for input of size: {}",
            sizes(t.shape()),
            sizes(&own)
        );
    }
    if t.dtype() != Dtype::Int64 {
        complain!("expected scalar type Long but found {}", t.dtype().scalar_type());
    }
    let classes = own[own.len() - 1];
    let rows = x.numel() / classes.max(1);
    let (mut labels, mut others) = (Vec::new(), Vec::new());
    let mut widest = 0;
    for r in 0..rows {
        budget::tick()?;
        let row = &t.data()[r * classes..(r + 1) * classes];
        let named: Vec<usize> =
            row.iter().take_while(|v| **v >= 0.0).map(|v| *v as usize).collect();
        if named.iter().any(|v| *v >= classes) {
            complain!("argument #3 target is out of range");
        }
        let rest: Vec<usize> = (0..classes).filter(|k| !named.contains(k)).collect();
        let pairs = named.iter().flat_map(|p| rest.iter().map(|q| (*p, *q)));
        let pairs: Vec<(usize, usize)> = budget::collected(pairs)?;
        widest = widest.max(pairs.len());
        labels.push(budget::listed(pairs.len(), |k| r * classes + pairs[k].0)?);
        others.push(budget::listed(pairs.len(), |k| r * classes + pairs[k].1)?);
    }
    let pick = |of: &[Vec<usize>]| {
        let index = of
            .iter()
            .flat_map(|row| (0..widest).map(|k| row.get(k).copied().unwrap_or(ElementMap::NONE)));
        gathered(&x, &[rows, widest], budget::collected(index)?, "gather", "GatherBackward0")
    };
    // Where there is no pair, a margin below 0.
    let least =
        labels.iter().flat_map(|row| (0..widest).map(|k| if k < row.len() { 1.0 } else { -1.0 }));
    let least = budget::collected(least)?;
    let least = vjp_tensor::Tensor::typed(&[rows, widest], least, x.dtype());
    let gap = table::sub(&pick(&labels)?, &pick(&others)?)?;
    let gap = super::margins::known(table::sub(&Variable::constant(least), &gap)?)?;
    let hinge = one("clamp_min", vec![(&gap).into(), 0.0.into()])?;
    let y = table::div(&sum(&hinge, Some(&[1]), false)?, &number(classes as f64))?;
    let y = if own.len() == 1 { layout::squeeze(&y, Some(&[0]))? } else { y };
    let y = Reduction::read(b, 2)?.of(&y)?;
    Ok(Out::One(group.output(&y)?))
}

const F: Forms = Forms::F;

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "multilabel_soft_margin_loss" F, "(Tensor input, Tensor target, Tensor weight=None, *, str reduction='mean')", "−mean of t log σ(x) + (1 − t) log σ(−x); ∂/∂x = (σ(x) − t)/C", "F.multilabel_soft_margin_loss(tensor([[0.5, -1.]]), tensor([[1., 0.]]))", ["binary_cross_entropy_with_logits"] jax "-"
        => multilabel_soft_margin;
    "multilabel_margin_loss" F, "(Tensor input, Tensor target, *, str reduction='mean')", "Σ max(0, 1 − (xₜ − xⱼ)) / C over labels t and others j; each pair above 0 adds −1/C at xₜ and 1/C at xⱼ to the derivative", "F.multilabel_margin_loss(tensor([[0.5, -1.]]), tensor([[0, -1]]))", ["multi_margin_loss"] jax "-"
        => multilabel_margin;
};
