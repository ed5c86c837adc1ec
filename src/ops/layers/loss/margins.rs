//! Losses composed of other operations: margins, counts and distributions.

use crate::loss::Reduction;
use vjp_maths::{Variable, apply, table};
use vjp_ops::compose::{grouped, number, one, unary};
use vjp_ops::reduce::sum;
use vjp_ops::{Arg, Bound, Forms, Out, entries};
use vjp_tensor::torch_messages::{sizes, torch_size};
use vjp_tensor::{Dtype, Kind, Outcome, Scalar, Tensor, complain, mixed_dtypes, torch_messages};

fn at_least(x: &Variable, low: f64) -> Outcome<Variable> {
    one("clamp_min", vec![x.into(), low.into()])
}

/// A margin of NaN is not above 0.
pub(super) fn known(gap: Variable) -> Outcome<Variable> {
    if !gap.value().data().iter().any(|v| v.is_nan()) {
        return Ok(gap);
    }
    let known = gap.value().map(Dtype::Bool, |v| f64::from(u8::from(!v.is_nan())))?;
    let zero = Variable::constant(Tensor::scalar(0.0).with_dtype(gap.dtype()));
    vjp_ops::index::select::select_where(&Variable::constant(known), &gap, &zero)
}

/// A loss that PyTorch writes into an array of the input's type takes no whole numbers.
fn written_as_float(x: &Variable) -> Outcome<()> {
    let float = vjp_tensor::tensor::default_dtype().scalar_type();
    match x.dtype() {
        d if d.is_float() || mixed_dtypes::permitted() => Ok(()),
        d => Err(torch_messages::cannot_cast(float, d.scalar_type())),
    }
}

/// log(1 + exp(−t·x))
fn soft_margin(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "soft_margin_loss", "SoftMarginLossBackward0", 1, &[0])?;
    let (x, t) = (b.tensor(0)?, b.tensor(1)?);
    written_as_float(&x)?;
    if t.requires_grad() {
        complain!(
            "The function 'soft_margin_loss' is not differentiable with respect to argument 'target'. This input cannot have requires_grad True."
        );
    }
    let away = unary("exp", &table::neg(&table::mul(&t, &x)?)?)?;
    let y = Reduction::read(b, 2)?.of(&unary("log1p", &away)?)?;
    Ok(Out::One(group.output(&y)?))
}

/// exp x − t·x, or x − t·log x
fn poisson(b: &mut Bound) -> Outcome<Out> {
    let (x, t) = (b.tensor(0)?, b.tensor(1)?);
    let mut y = if b.bool_or(2, true) {
        table::sub(&unary("exp", &x)?, &table::mul(&t, &x)?)?
    } else {
        let safe = table::add(&x, &number(b.float_or(4, 1e-8)))?;
        table::sub(&x, &table::mul(&t, &unary("log", &safe)?)?)?
    };
    if b.bool_or(3, false) {
        // Stirling's approximation of log t!, where t > 1.
        let log = unary("log", &t)?;
        let turn = table::mul(&t, &number(2.0 * std::f64::consts::PI))?;
        let rest = table::mul(&unary("log", &turn)?, &number(0.5))?;
        let term = table::add(&table::sub(&table::mul(&t, &log)?, &t)?, &rest)?;
        let large = t.value().map(Dtype::Bool, |v| f64::from(u8::from(v > 1.0)))?;
        let zero = Variable::constant(Tensor::scalar(0.0).with_dtype(y.dtype()));
        let term = vjp_ops::index::select::select_where(&Variable::constant(large), &term, &zero)?;
        y = table::add(&y, &term)?;
    }
    Ok(Out::One(Reduction::read(b, 5)?.of(&y)?))
}

/// Σⱼ max(0, margin − x of the class + xⱼ)ᵖ / C over the other classes.
fn multi_margin(b: &mut Bound) -> Outcome<Out> {
    let group = grouped(b, "multi_margin_loss", "MultiMarginLossBackward0", 1, &[0])?;
    let (x, target) = (b.tensor(0)?, b.tensor(1)?);
    let (p, margin) = (b.int_or(2, 1), b.float_or(3, 1.0));
    if p != 1 && p != 2 {
        complain!(Kind::Value, "only p == 1 and p == 2 supported");
    }
    let single = x.rank() < 2;
    let given = x.shape();
    if given.len() > 2 {
        complain!(
            "Expected non-empty vector or matrix with optional 0-dim batch size, but got: {}",
            sizes(&given)
        );
    }
    let rows = if single { vjp_ops::arrange::layout::reshape(&x, &[1, -1])? } else { x };
    let own = rows.shape();
    let (n, c) = (own[0], own[1]);
    let classes = target.value();
    if classes.numel() != n || classes.rank() > 1 {
        use vjp_tensor::torch_messages::sizes;
        complain!(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch size). Expected target size [{n}], but got {}. Input has shape {}.",
            sizes(classes.shape()),
            sizes(&given)
        );
    }
    let mut others = vec![1.0; n * c];
    for (row, t) in classes.data().iter().enumerate() {
        if *t < 0.0 || *t >= c as f64 {
            complain!("target out of range");
        }
        others[row * c + *t as usize] = 0.0;
    }
    let index = Variable::constant(classes.reshaped(&[n, 1]));
    let own_class = vjp_ops::index::select::gather(&rows, 1, &index)?;
    let gap = table::add(&table::sub(&rows, &own_class)?, &number(margin))?;
    let mut terms = at_least(&known(gap)?, 0.0)?;
    if p == 2 {
        terms = unary("square", &terms)?;
    }
    let others = Variable::constant(Tensor::typed(&own, others, rows.dtype()));
    terms = table::mul(&terms, &others)?;
    if b.has(4) {
        let weights = one("take", vec![(&b.tensor(4)?).into(), (&index).into()])?;
        terms = table::mul(&terms, &weights)?;
    }
    let y = table::div(&sum(&terms, Some(&[1]), false)?, &number(c as f64))?;
    let reduction = Reduction::read(b, 5)?;
    let y = match (reduction, single) {
        (Reduction::None, true) => vjp_ops::arrange::layout::reshape(&y, &[])?,
        _ => reduction.of(&y)?,
    };
    Ok(Out::One(group.output(&y)?))
}

/// max(0, −t(a − b) + margin)
fn ranking(b: &mut Bound) -> Outcome<Out> {
    let (x, y, t) = (b.tensor(0)?, b.tensor(1)?, b.tensor(2)?);
    if x.rank() != y.rank() || y.rank() != t.rank() {
        complain!(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: {}, input2: {}, target: {} ",
            torch_size(&x.shape()),
            torch_size(&y.shape()),
            torch_size(&t.shape())
        );
    }
    let gap = table::mul(&table::neg(&t)?, &table::sub(&x, &y)?)?;
    let gap = table::add(&gap, &number(b.float_or(3, 0.0)))?;
    Ok(Out::One(Reduction::read(b, 4)?.of(&at_least(&gap, 0.0)?)?))
}

/// `a` where `t` is `v`, else 0.
fn where_is(t: &Variable, v: f64, a: &Variable) -> Outcome<Variable> {
    let hits = t.value().map(Dtype::Bool, |u| f64::from(u8::from(u == v)))?;
    let zero = Variable::constant(Tensor::scalar(0.0).with_dtype(a.dtype()));
    vjp_ops::index::select::select_where(&Variable::constant(hits), a, &zero)
}

/// 1 − cos where t = 1, max(0, cos − margin) where t = −1
fn cosine_embedding(b: &mut Bound) -> Outcome<Out> {
    let (x, y, t) = (b.tensor(0)?, b.tensor(1)?, b.tensor(2)?);
    let sizes = |v: &Variable| vjp_tensor::torch_messages::sizes(&v.shape());
    match t.rank() {
        rank @ 0..=1 if x.rank() != rank + 1 || y.rank() != rank + 1 => complain!(
            "{rank}D target tensor expects {}D input tensors, but found inputs with sizes {} and {}.",
            rank + 1,
            sizes(&x),
            sizes(&y)
        ),
        0..=1 => {}
        _ => {
            complain!("0D or 1D target tensor expected, multi-target not supported")
        }
    }
    let over = |v: &Variable| sum(v, Some(&[-1]), false);
    let eps = number(super::EPSILON);
    let product = over(&table::mul(&x, &y)?)?;
    let square =
        |v: &Variable| -> Outcome<Variable> { table::add(&over(&table::mul(v, v)?)?, &eps) };
    let size = unary("sqrt", &table::mul(&square(&x)?, &square(&y)?)?)?;
    let cos = table::div(&product, &size)?;
    let near = table::sub(&number(1.0), &cos)?;
    let far = at_least(&table::sub(&cos, &number(b.float_or(3, 0.0)))?, 0.0)?;
    let terms = table::add(&where_is(&t, 1.0, &near)?, &where_is(&t, -1.0, &far)?)?;
    Ok(Out::One(Reduction::read(b, 4)?.of(&terms)?))
}

/// max(0, d(a, p) − d(a, n) + margin)
fn triplet(b: &mut Bound) -> Outcome<Out> {
    let (anchor, near, far) = (b.tensor(0)?, b.tensor(1)?, b.tensor(2)?);
    let (a, n, f) = (anchor.rank(), near.rank(), far.rank());
    if a != n || n != f {
        complain!(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor {a}D, positive {n}D, and negative {f}D inputs"
        );
    }
    let (margin, p, eps) = (b.float_or(3, 1.0), b.float_or(4, 2.0), b.float_or(5, 1e-6));
    let distance = |x: &Variable, y: &Variable| super::distance::pairwise(x, y, p, eps, false);
    let close = distance(&anchor, &near)?;
    let mut away = distance(&anchor, &far)?;
    if b.bool_or(6, false) {
        let other = distance(&near, &far)?;
        away = one("minimum", vec![(&away).into(), (&other).into()])?;
    }
    let gap = table::sub(&table::add(&number(margin), &close)?, &away)?;
    Ok(Out::One(Reduction::read(b, 7)?.of(&at_least(&gap, 0.0)?)?))
}

/// ½ (log v + (x − t)²/v)
fn gaussian(b: &mut Bound) -> Outcome<Out> {
    let (x, t) = (b.tensor(0)?, b.tensor(1)?);
    let var = match b.arg(2) {
        Arg::Scalar(Scalar::Bool(_)) => b.tensor(2)?,
        Arg::Scalar(s) => number(s.value()),
        _ => b.tensor(2)?,
    };
    // Of the same shape, but for one dimension that is 1 or (the last) not there.
    let (own, to) = (x.shape(), var.shape());
    let plain = !matches!(b.arg(2), Arg::Tensor(_));
    let differing: Vec<usize> =
        (0..to.len().min(own.len())).filter(|d| to[*d] != own[*d]).collect();
    let fits = match own.len().checked_sub(to.len()) {
        Some(0) => differing.is_empty() || (differing.len() == 1 && to[differing[0]] == 1),
        Some(1) => differing.is_empty(),
        _ => false,
    };
    if !fits && !plain {
        complain!(Kind::Value, "var is of incorrect size");
    }
    written_as_float(&x)?;
    let var = if fits && to.len() < own.len() {
        let sizes: Vec<i64> = to.iter().map(|d| *d as i64).chain([1]).collect();
        vjp_ops::arrange::layout::view_as(&var, &sizes)?
    } else {
        var
    };
    if var.value().data().iter().any(|v| *v < 0.0) {
        complain!(Kind::Value, "var has negative entry/entries");
    }
    // The lower bound takes no gradient away.
    let eps = b.float_or(4, 1e-6);
    let lift = var.value().map(var.dtype(), |v| (eps - v).max(0.0))?;
    let var = table::add(&var, &Variable::constant(lift))?;
    let error = unary("square", &table::sub(&x, &t)?)?;
    let terms = table::add(&unary("log", &var)?, &table::div(&error, &var)?)?;
    let mut y = table::mul(&terms, &number(0.5))?;
    if b.bool_or(3, false) {
        let rest = 0.5 * (2.0 * std::f64::consts::PI).ln();
        y = table::add(&y, &number(rest))?;
    }
    Ok(Out::One(Reduction::read(b, 5)?.of(&y)?))
}

fn hinge(b: &mut Bound) -> Outcome<Out> {
    let (x, t) = (b.tensor(0)?, b.tensor(1)?);
    let margin = Variable::constant(vjp_tensor::Scalar::Float(b.float_or(2, 1.0)).tensor());
    let zero = Variable::constant(Tensor::scalar(0.0).with_dtype(x.dtype()));
    let low = apply((table::CLAMP.operation)(&[0.0, f64::INFINITY]), &[table::sub(&margin, &x)?])?;
    // As PyTorch has it: a target that is neither 1 nor −1 counts for both.
    let is_not = |v: f64| -> Outcome<Variable> {
        let hits = t.value().map(vjp_tensor::Dtype::Bool, |u| f64::from(u8::from(u != v)))?;
        Ok(Variable::constant(hits))
    };
    let own = vjp_ops::index::select::select_where(&is_not(-1.0)?, &x, &zero)?;
    let other = vjp_ops::index::select::select_where(&is_not(1.0)?, &low, &zero)?;
    Ok(Out::One(Reduction::read(b, 3)?.of(&table::add(&own, &other)?)?))
}

const F: Forms = Forms::F;

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "soft_margin_loss" F, "(Tensor input, Tensor target, *, str reduction='mean')", "log(1 + exp(−t·x)); ∂/∂x = −t σ(−t·x)", "F.soft_margin_loss(tensor([0.5]), tensor([-1.]))", ["hinge_embedding_loss"] jax "{reduction: jnp.log1p(jnp.exp(-{input} * {target}))}"
        => soft_margin;
    "poisson_nll_loss" F, "(Tensor input, Tensor target, bool log_input=True, bool full=False, *, float eps=1e-08, str reduction='mean')", "exp x − t·x; ∂/∂x = exp x − t", "F.poisson_nll_loss(tensor([0.5]), tensor([2.]))", ["gaussian_nll_loss"] jax "poisson_nll_loss({*})"
        => poisson;
    "multi_margin_loss" F, "(Tensor input, Tensor target, int p=1, float margin=1.0, Tensor weight=None, *, str reduction='mean')", "Σⱼ max(0, margin − xₜ + xⱼ)ᵖ / C; ∂/∂xⱼ = p max(0, margin − xₜ + xⱼ)ᵖ⁻¹/C, and at t minus their sum", "F.multi_margin_loss(tensor([[0.1, 0.4]]), tensor([1]))", ["cross_entropy"] jax "multi_margin_loss({*})"
        => multi_margin;
    "margin_ranking_loss" F, "(Tensor input1, Tensor input2, Tensor target, float margin=0.0, *, str reduction='mean')", "max(0, −t(a − b) + margin); ∂/∂a = −t and ∂/∂b = t where above 0", "F.margin_ranking_loss(tensor([1.]), tensor([2.]), tensor([1.]))", ["hinge_embedding_loss"] jax "margin_ranking_loss({*})"
        => ranking;
    "cosine_embedding_loss" F, "(Tensor input1, Tensor input2, Tensor target, float margin=0.0, *, str reduction='mean')", "1 − cos where t = 1, max(0, cos − margin) where t = −1; the derivative is ∓ that of cos where above 0", "F.cosine_embedding_loss(tensor([[1., 0.]]), tensor([[1., 1.]]), tensor([1]))", ["cosine_similarity"] jax "-"
        => cosine_embedding;
    "triplet_margin_loss" F, "(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2.0, float eps=1e-06, bool swap=False, *, str reduction='mean')", "max(0, d(a, p) − d(a, n) + margin); where above 0: ∂/∂p = ∂d(a, p)/∂p, ∂/∂n = −∂d(a, n)/∂n, ∂/∂a both", "F.triplet_margin_loss(torch.zeros(1, 2), torch.ones(1, 2), torch.ones(1, 2))", ["pairwise_distance"] jax "triplet_margin_loss({*})"
        => triplet;
    "gaussian_nll_loss" F, "(Tensor input, Tensor target, Tensor|Scalar var, bool full=False, float eps=1e-06, str reduction='mean')", "½(log v + (x − t)²/v); ∂/∂x = (x − t)/v, ∂/∂v = (v − (x − t)²)/(2v²)", "F.gaussian_nll_loss(tensor([1.]), tensor([2.]), tensor([1.]))", ["mse_loss"] jax "gaussian_nll_loss({*})"
        => gaussian;
    "hinge_embedding_loss" F, "(Tensor input, Tensor target, float margin=1.0, *, str reduction='mean')", "x where t = 1, max(0, margin − x) where t = −1; ∂/∂x = 1 where t = 1, −1 where t = −1 and x < margin", "F.hinge_embedding_loss(tensor([0.5]), tensor([-1.]))", ["mse_loss"] jax "hinge_embedding_loss({*})"
        => hinge;
};
