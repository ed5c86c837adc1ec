//! Losses of classes: cross-entropy and its parts.

use crate::loss::Reduction;
use crate::softmax::softmax;
use std::rc::Rc;
use vjp_maths::primitives::fixed::element_map;
use vjp_maths::saved::attribute::Attribute;
use vjp_maths::{Fixed, LinearMap, Saves, Variable, apply, table};
use vjp_ops::arrange::layout;
use vjp_ops::reduce::sum;
use vjp_ops::{Bound, Forms, Out, entries};
use vjp_tensor::shape::ints;
use vjp_tensor::torch_messages::{other_type, sizes};
use vjp_tensor::{
    Dtype, ElementMap, Kind, Outcome, Scalar, Tensor, budget, complain, mixed_dtypes, shape,
};

/// Rows × classes … as (batch, classes, rest).
fn classes(x: &[usize]) -> (usize, usize, usize) {
    match x {
        [c] => (1, *c, 1),
        [n, c, rest @ ..] => (*n, *c, rest.iter().product()),
        [] => (1, 1, 1),
    }
}

/// # Errors
/// Another batch, another shape behind it, or what is no class.
fn fits_target(own: &[usize], target: &Tensor) -> Outcome<()> {
    let to = target.shape();
    let batch = to.first().copied().unwrap_or(0);
    if own.len() > 1 && batch != own[0] {
        complain!(
            Kind::Value,
            "Expected input batch_size ({}) to match target batch_size ({batch}).",
            own[0]
        );
    }
    if own.len() <= 2 && to.len() > 1 {
        complain!("0D or 1D target tensor expected, multi-target not supported");
    }
    if own.len() == 4 && to.len() != 3 {
        complain!(
            "only batches of spatial targets supported (3D tensors) but got targets of dimension: {}",
            to.len()
        );
    }
    let wanted = [&own[..1], own.get(2..).unwrap_or(&[])].concat();
    let fits = own.len() <= 2 || to == wanted;
    if own.len() != 4 && !fits {
        complain!("Expected target size {}, got {}", sizes(&wanted), sizes(to));
    }
    if !matches!(target.dtype(), Dtype::Int64 | Dtype::Uint8) {
        complain!(
            "expected target dtype to be Long or Byte, but got {}",
            target.dtype().scalar_type()
        );
    }
    if !fits {
        complain!("size mismatch (got input: {} , target: {}", sizes(own), sizes(to));
    }
    if own.len() == 1 && to.len() == 1 && target.numel() != 1 {
        complain!(
            Kind::Value,
            "For 1D input, 1D target must have size 1, but got target size: {}",
            target.numel()
        );
    }
    Ok(())
}

/// `F.nll_loss(x, classes)`: minus the log-probability of the target class.
///
/// # Errors
/// Targets that are not classes, or of another batch.
pub fn nll(
    x: &Variable,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: Reduction,
    ignore: i64,
) -> Outcome<Variable> {
    let own = x.shape();
    if own.len() == 3 || own.len() > 4 {
        return by_planes(x, target, weight, reduction, ignore);
    }
    let (_, c, rest) = classes(&own);
    fits_target(&own, target)?;
    if let Some(w) = weight.filter(|w| w.rank() != 1 || w.numel() != c) {
        complain!(
            "weight tensor should be defined either for all {c} classes or no classes but got weight tensor of shape: {}",
            sizes(w.shape())
        );
    }
    if let Some(w) = weight.filter(|w| w.dtype() != x.dtype() && !mixed_dtypes::is_allowed()) {
        return Err(other_type(x.dtype(), w.dtype()));
    }
    let mut at = budget::vec(target.numel())?;
    let mut weights = budget::vec(target.numel())?;
    for (k, t) in target.data().iter().enumerate() {
        budget::tick()?;
        let t = *t as i64;
        if t == ignore {
            at.push(ElementMap::NONE);
            weights.push(0.0);
            continue;
        }
        if t < 0 || t >= c as i64 {
            complain!(Kind::Index, "Target {t} is out of bounds.");
        }
        let (row, place) = (k / rest.max(1), k % rest.max(1));
        at.push((row * c + t as usize) * rest + place);
        weights.push(weight.map_or(1.0, |w| w.data()[t as usize]));
    }
    let total: f64 = weights.iter().sum();
    let to = target.shape().to_vec();
    let factor = if reduction == Reduction::Mean { -1.0 / total } else { -1.0 };
    // One multiple of picked elements for each distinct weight.
    let counted = weights.iter().zip(&at).filter(|(_, p)| **p != ElementMap::NONE);
    let mut distinct: Vec<f64> = counted.map(|(w, _)| *w).collect();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    let parts = distinct.iter().map(|w| {
        let own_weight =
            at.iter().zip(&weights).map(|(p, v)| if v == w { *p } else { ElementMap::NONE });
        let pick = LinearMap::Gather(element_map(&own, &to, budget::collected(own_weight)?));
        let by = LinearMap::Scale { by: w * factor, shape: to.clone() };
        Ok(LinearMap::Then(vec![pick, by]))
    });
    let mut map = match distinct.len() {
        0 => LinearMap::Zero { from: own.clone(), to: to.clone() },
        _ => LinearMap::Plus(parts.collect::<Outcome<_>>()?),
    };
    if reduction != Reduction::None {
        let sum = LinearMap::Collapse { from: to, to: Vec::new() };
        map = LinearMap::Then(vec![map, sum]);
    }
    let grad_fn = match own.len() {
        0..=2 => "NllLossBackward0",
        _ => "NllLoss2DBackward0",
    };
    let mut op = Fixed::new("nll_loss", grad_fn, map);
    op.saves = Saves::Inputs(1);
    let y = apply(Rc::new(op), std::slice::from_ref(x))?.keeping("target", target);
    y.keeps("weight", weight.map_or(Attribute::Nothing, |w| Attribute::Tensor(w.clone())));
    let y = y.keeping("total_weight", &Tensor::typed(&[], vec![total], x.dtype()));
    if reduction == Reduction::None && at.contains(&ElementMap::NONE) {
        // What is ignored is 0, never -0.
        let mut value = y.value();
        let ignored = value.data_mut().iter_mut().zip(&at).filter(|(_, p)| **p == ElementMap::NONE);
        ignored.for_each(|(v, _)| *v = 0.0);
        y.revalue(value);
    }
    if reduction != Reduction::Mean || !distinct.is_empty() {
        return Ok(y);
    }
    // The mean over nothing.
    vjp_ops::compose::named(&table::add(&y, &constant(f64::NAN))?, "nll_loss", grad_fn)
}

/// [`nll`] of what has other dimensions than two behind its classes, brought to two.
fn by_planes(
    x: &Variable,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: Reduction,
    ignore: i64,
) -> Outcome<Variable> {
    let own = x.shape();
    let wanted = [&own[..1], &own[2..]].concat();
    fits_target(&own, target)?;
    let rest: usize = own[2..].iter().product();
    let plane = layout::reshape(x, &ints(&[own[0], own[1], 1, rest]))?;
    let flat = target.reshaped(&[own[0], 1, rest]);
    let y = nll(&plane, &flat, weight, reduction, ignore)?;
    match reduction {
        Reduction::None => layout::reshape(&y, &ints(&wanted)),
        _ => Ok(y),
    }
}

fn constant(v: f64) -> Variable {
    Variable::constant(Scalar::Float(v).tensor())
}

/// An argument whose gradient PyTorch has no rule for.
pub(crate) fn constant_argument(v: &Variable, function: &str, name: &str) -> Outcome<Variable> {
    if v.requires_grad() && vjp_maths::autodiff::grad_mode::is_grad_enabled() {
        complain!(
            "The function '{function}' is not differentiable with respect to argument '{name}'. This input cannot have requires_grad True."
        );
    }
    Ok(v.clone())
}

fn cross_entropy(b: &mut Bound) -> Outcome<Out> {
    let (x, target) = (b.tensor(0)?, b.tensor(1)?);
    let reduction = Reduction::read(b, 4)?;
    let share = b.float_or(5, 0.0);
    if !(0.0..=1.0).contains(&share) {
        complain!("label_smoothing must be between 0.0 and 1.0. Got: {share}");
    }
    let dim = if x.rank() == 1 { 0 } else { 1 };
    crate::softmax::has_kernel(&x, dim, true)?;
    let log = softmax(&x, dim, true)?;
    let smoothing = b.float_or(5, 0.0);
    // Probabilities as targets.
    if target.shape() == x.shape() {
        if !target.dtype().is_float() {
            complain!(
                "Expected floating point type for target with class probabilities, got {}",
                target.dtype().scalar_type()
            );
        }
        let mut target = target;
        if smoothing > 0.0 {
            let c = classes(&x.shape()).1 as f64;
            let kept = table::mul(&target, &constant(1.0 - smoothing))?;
            target = table::add(&kept, &constant(smoothing / c))?;
        }
        let mut terms = table::mul(&log, &target)?;
        if b.has(2) {
            // By class: along the second dimension, where there are two.
            let mut to = vec![1i64; x.rank()];
            to[usize::from(x.rank() > 1)] = -1;
            let weight = constant_argument(&b.tensor(2)?, "nll_loss_forward", "weight")?;
            terms = table::mul(&terms, &vjp_ops::arrange::layout::reshape(&weight, &to)?)?;
        }
        let y = match reduction {
            Reduction::None => {
                let dim = i64::from(x.rank() > 1);
                return Ok(Out::One(table::neg(&sum(&terms, Some(&[dim]), false)?)?));
            }
            _ => table::neg(&sum(&terms, None, false)?)?,
        };
        let rows = x.numel() / classes(&x.shape()).1.max(1);
        let y = if reduction == Reduction::Mean { divided(&y, rows as f64)? } else { y };
        return Ok(Out::One(y));
    }
    let weight = if b.has(2) {
        Some(constant_argument(&b.tensor(2)?, "nll_loss_forward", "weight")?.value())
    } else {
        None
    };
    let y = nll(&log, &target.value(), weight.as_ref(), reduction, b.int_or(3, -100))?;
    if smoothing == 0.0 {
        return Ok(Out::One(y));
    }
    // (1 − ε) of the class, ε spread over all.
    let dim = i64::from(x.rank() > 1);
    let classes_count = classes(&x.shape()).1 as f64;
    let weighed = match &weight {
        Some(w) => {
            let mut to = vec![1i64; x.rank()];
            to[dim as usize] = -1;
            let w = vjp_ops::arrange::layout::reshape(&Variable::constant(w.clone()), &to)?;
            table::mul(&log, &w)?
        }
        None => log.clone(),
    };
    let smooth = table::neg(&sum(&weighed, Some(&[dim]), false)?)?;
    let smooth = divided(&smooth, classes_count)?;
    let (target, ignored) = (target.value(), b.int_or(3, -100) as f64);
    let there = target.map(Dtype::Bool, |t| f64::from(u8::from(t != ignored)))?;
    let zero = Variable::constant(Tensor::scalar(0.0).with_dtype(log.dtype()));
    let smooth = vjp_ops::index::select::select_where(&Variable::constant(there), &smooth, &zero)?;
    let smooth = match reduction {
        Reduction::Mean => {
            let weights = target.data().iter().filter(|t| **t != ignored);
            let total: f64 =
                weights.map(|t| weight.as_ref().map_or(1.0, |w| w.data()[*t as usize])).sum();
            divided(&sum(&smooth, None, false)?, total)?
        }
        other => other.of(&smooth)?,
    };
    let kept = table::mul(&y, &constant(1.0 - smoothing))?;
    Ok(Out::One(table::add(&kept, &table::mul(&smooth, &constant(smoothing))?)?))
}

fn nll_loss(b: &mut Bound) -> Outcome<Out> {
    let weight = if b.has(2) {
        Some(constant_argument(&b.tensor(2)?, "nll_loss_forward", "weight")?.value())
    } else {
        None
    };
    let reduction = Reduction::read(b, 4)?;
    let target = b.tensor(1)?.value();
    if b.tensor(0)?.rank() == 0 {
        complain!(Kind::Value, "Expected 1 or more dimensions (got 0)");
    }
    Ok(Out::One(nll(&b.tensor(0)?, &target, weight.as_ref(), reduction, b.int_or(3, -100))?))
}

fn one_hot(b: &mut Bound) -> Outcome<Out> {
    let x = b.tensor(0)?.value();
    if x.dtype() != Dtype::Int64 {
        complain!("one_hot is only applicable to index tensor of type LongTensor.");
    }
    let top = x.data().iter().copied().fold(-1.0, f64::max) as i64 + 1;
    let n = match b.int_or(1, -1) {
        -1 => top,
        n => n,
    };
    if x.data().iter().any(|v| *v < 0.0) {
        complain!("Class values must be non-negative.");
    }
    if n < top {
        complain!("Class values must be smaller than num_classes.");
    }
    let mut to = x.shape().to_vec();
    to.push(n as usize);
    let mut out = vec![0.0; shape::count(&to)?];
    for (k, v) in x.data().iter().enumerate() {
        out[k * n as usize + *v as usize] = 1.0;
    }
    Ok(Out::One(Variable::constant(Tensor::new(&to, out).with_dtype(Dtype::Int64))))
}

/// `y / n`, the node named as where PyTorch divides by a number.
fn divided(y: &Variable, n: f64) -> Outcome<Variable> {
    let shape = y.shape();
    let map = LinearMap::Scale { by: 1.0 / n, shape };
    apply(Rc::new(Fixed::new("div", "DivBackward1", map)), std::slice::from_ref(y))
}

const F: Forms = Forms::F;
const NN: Forms = Forms::F.and(Forms::SHORT);

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "nll_loss" F, "(Tensor input, Tensor target, Tensor weight=None, int ignore_index=-100, str reduction='mean')", "minus the log-probability of the target class; ∂y/∂x = −1/n at each example's class, else 0", "F.nll_loss(tensor([[-1., -2.]]), tensor([0]))", ["cross_entropy"] jax "nll_loss({*})"
        => nll_loss;
    "cross_entropy" NN, "(Tensor input, Tensor target, Tensor weight=None, int ignore_index=-100, str reduction='mean', float label_smoothing=0.0)", "−log softmax(x) of the target class; ∂y/∂x = (softmax(x) − one_hot(t))/n", "F.cross_entropy(tensor([[1., 2.]]), tensor([0]))", ["nll_loss", "log_softmax"] jax "cross_entropy({*})"
        => cross_entropy;
    "one_hot" F, "(Tensor input, int num_classes=-1)", "a vector with a 1 at the index of the class, else 0", "F.one_hot(tensor([0, 2]), 3)", ["cross_entropy"] jax "jax.nn.one_hot({input}, {num_classes}, dtype=int) or one_hot({*})"
        => one_hot;
};
