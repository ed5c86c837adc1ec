//! Losses that compare two arrays element by element.

pub mod cross_entropy;
pub mod distance;
pub mod margins;
pub mod multilabel;
pub(crate) mod reduction;

pub use crate::loss::reduction::Reduction;
use std::rc::Rc;
use vjp_maths::autodiff::algebra::{Input, Tile};
use vjp_maths::second_order::names::second_name;
use vjp_maths::table::widened;
use vjp_maths::{
    Algebra, Array, Formula, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable, apply,
    table,
};
use vjp_ops::arrange::layout;
use vjp_ops::compose::grouped;
use vjp_ops::reduce::sum;
use vjp_ops::{Bound, Forms, Out, entries, refusals};
use vjp_tensor::kernels::operand::{OPERANDS, Room, operands, parts};
use vjp_tensor::kernels::strided as kernels;
use vjp_tensor::kernels::sum::sum_as;
use vjp_tensor::kernels::{Cpu, LANES_FROM, blocks};
use vjp_tensor::tensor::promote_float;
use vjp_tensor::torch_messages::{self, torch_size};
use vjp_tensor::{Complaint, Dtype, Kind, Outcome, Scalar, Tensor, complain, mixed_dtypes, shape};

/// What PyTorch's losses keep denominators above, in float32 also for float64.
const EPSILON: f64 = 1e-12_f32 as f64;

/// A term of a loss, of an input x and a target t.
#[derive(Clone, Copy, Debug)]
pub enum Term {
    /// (x − t)²
    Square,
    /// (x − t)²/2β near 0, |x − t| − β/2 far away
    SmoothL1(f64),
    /// (x − t)²/2 near 0, δ(|x − t| − δ/2) far away
    Huber(f64),
    /// −t log x − (1 − t) log(1 − x)
    Entropy,
    /// the same of sigmoid x
    Logits,
}

/// The sign; NaN of NaN, with no slope of its own.
fn side<A: Algebra>(d: &Formula<A>) -> Formula<A> {
    d.equals(d).choose(d.sign(), f64::NAN)
}

/// What the slope of the entropy is divided by.
fn entropy_size<A: Algebra>(x: &Formula<A>) -> Formula<A> {
    let size = (1.0 - x) * x;
    (&size - EPSILON).pass().choose(&size, EPSILON)
}

impl Term {
    fn value<A: Algebra>(self, x: &Formula<A>, t: &Formula<A>) -> Formula<A> {
        // PyTorch keeps the logarithms above -100.
        let log = |f: &Formula<A>| {
            let l = f.log();
            (&l + 100.0).step().choose(&l, -100.0)
        };
        match self {
            Term::Square => (x - t).square(),
            Term::SmoothL1(beta) => {
                let d = (x - t).abs();
                (beta - &d).step().choose(d.square() * 0.5 / beta, &d - 0.5 * beta)
            }
            Term::Huber(delta) => {
                let d = (x - t).abs();
                (delta - &d).step().choose(d.square() * 0.5, (&d - 0.5 * delta) * delta)
            }
            Term::Entropy => (t - 1.0) * log(&(1.0 - x)) - t * log(x),
            Term::Logits => (1.0 - t) * x - Formula::call(&table::LOGSIGMOID, &[x]),
        }
    }

    fn number<A: Algebra>(self, x: A, t: A) -> A {
        match self.value(&Formula::In(x.clone()), &Formula::In(t)) {
            Formula::In(v) => v,
            Formula::Const(c) => x.lift(c),
        }
    }

    fn slope<A: Algebra>(self, wrt: usize, x: &Formula<A>, t: &Formula<A>) -> Formula<A> {
        // Of the target with the operands exchanged: 0 stays 0, and is not negated.
        let d = if wrt == 0 { x - t } else { t - x };
        match (self, wrt) {
            (Term::Square, _) => d * 2.0,
            (Term::SmoothL1(beta), _) => {
                let near = (beta - d.abs()).step();
                near.choose(&d / beta, side(&d))
            }
            (Term::Huber(delta), _) => {
                let near = (delta - d.abs()).step();
                near.choose(&d, side(&d) * delta)
            }
            (Term::Entropy, 0) => d / entropy_size(x),
            (Term::Entropy, _) => (1.0 - x).log() - x.log(),
            (Term::Logits, 0) => x.sigmoid() - t,
            (Term::Logits, _) => -x,
        }
    }
}

/// A loss of an input and a target of one shape, as one node.
#[derive(Debug)]
pub struct Loss {
    name: &'static str,
    grad_fn: &'static str,
    term: Term,
    reduction: Reduction,
}

impl Loss {
    /// The term of each pair.
    fn terms(&self, inputs: &[&Tensor], dtype: Dtype) -> Outcome<Tensor> {
        let term = self.term;
        if let Some(terms) = self.by_tile(inputs, dtype, &|all| term.value(&all[0], &all[1])) {
            return terms;
        }
        let (x, t) = (inputs[0], inputs[1]);
        match dtype {
            Dtype::Float32 => {
                kernels::zip(x, t, dtype, |x, t| f64::from(term.number(x as f32, t as f32)))
            }
            _ => kernels::zip(x, t, dtype, |x, t| term.number(x, t)),
        }
    }

    /// vᵀJ by the slope of each term.
    fn by_slopes(&self, at: &Point<Tensor>, wrt: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let (term, scale) = (self.term, self.scale(at.values[0].numel()));
        self.by_tile(&[at.inputs[0], at.inputs[1], v], v.dtype(), &|all| {
            &all[2] * (term.slope(wrt, &all[0], &all[1]) * scale)
        })
    }

    /// What `f` makes of an input, a target and what has their shape or none, tile by tile. None: of few
    /// numbers, or of several types.
    fn by_tile(
        &self,
        inputs: &[&Tensor],
        dtype: Dtype,
        f: &(dyn for<'t> Fn(&[Formula<Tile<'t>>]) -> Formula<Tile<'t>> + Sync),
    ) -> Option<Outcome<Tensor>> {
        let (shape, n) = (inputs[0].shape(), inputs[0].numel());
        if n < LANES_FROM || !matches!(dtype, Dtype::Float32 | Dtype::Float64) {
            return None;
        }
        let operands =
            operands(inputs, shape).filter(|_| inputs.iter().all(|t| t.dtype() == dtype))?;
        // Every digit of a double is as the C library's logarithm has it.
        let cpu = match (dtype, self.term) {
            (Dtype::Float64, Term::Entropy | Term::Logits) => Cpu::Plain,
            _ => Cpu::over(n),
        };
        Some(blocks::tensor(shape, n, dtype, &|at, out| {
            let n = out.len();
            let mut rooms = [const { Room::new() }; OPERANDS];
            let parts = parts(&operands, at, &out, &mut rooms).into_iter();
            let tiles = parts.map(|x| Formula::In(Tile::new(cpu, dtype, n, x)));
            let y = f(&tiles.collect::<Vec<_>>());
            out.copy(match &y {
                Formula::In(y) => y.input(),
                Formula::Const(c) => Input::One(*c),
            });
        }))
    }

    fn scale(&self, n: usize) -> f64 {
        if self.reduction == Reduction::Mean { 1.0 / n as f64 } else { 1.0 }
    }
}

impl Rule for Loss {
    fn name(&self) -> &'static str {
        self.name
    }

    fn pull(&self, at: &Point<Tensor>, wrt: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let own = v.dtype();
        if own.is_half() && matches!(self.term, Term::SmoothL1(_)) {
            return Some(Ok(widened(self, at, wrt, v)));
        }
        // As PyTorch rounds: the cotangent first, the number of terms last; in 16 bits the other way round.
        let shares_first = own.is_half() && matches!(self.term, Term::Square | Term::Huber(_));
        let along = Formula::In(v.clone());
        let [x, t] = [0, 1].map(|k| Formula::In(at.inputs[k].clone()));
        let n = at.values[0].numel();
        let weighed = match (self.term, wrt) {
            // PyTorch's loop of this backward takes operands of one type.
            (Term::Huber(_), _)
                if !mixed_dtypes::is_allowed()
                    && let Err(two) = same_types(at.values[1], at.values[0]) =>
            {
                return Some(Err(two));
            }
            _ if shares_first => {
                let d = if wrt == 0 { x - t } else { t - x };
                let by = |times: f64| own.cast(self.scale(n) * times);
                let slope = match self.term {
                    Term::Huber(delta) => {
                        let near = (delta - d.abs()).step();
                        near.choose(&d * by(1.0), side(&d) * by(delta))
                    }
                    _ => d * by(2.0),
                };
                slope * along
            }
            (Term::Logits, 0) => (x.sigmoid() - t) * along,
            (Term::Entropy, 0) => along * (&x - t) / entropy_size(&x),
            _ => return self.by_slopes(at, wrt, v),
        };
        let divides = self.reduction == Reduction::Mean && !shares_first;
        match if divides { weighed / n as f64 } else { weighed } {
            Formula::In(pulled) => Some(Ok(pulled)),
            Formula::Const(_) => None,
        }
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let dtype = match self.term {
            // Computed in memory made like the input's.
            Term::Huber(_) if inputs[0].dtype().is_float() => inputs[0].dtype(),
            _ => promote_float(inputs),
        };
        let terms = self.terms(inputs, dtype)?;
        let n = terms.numel() as f64;
        Ok(match self.reduction {
            Reduction::None => terms,
            Reduction::Sum => Tensor::typed(&[], vec![sum_as(terms.data(), dtype)], dtype),
            Reduction::Mean => {
                // Of 16-bit floats in float32, as every mean.
                let sum = sum_as(terms.data(), dtype.computed_in());
                Tensor::typed(&[], vec![sum / n], dtype)
            }
        })
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], value: &Tensor) -> Option<Symbols> {
        let pairs = inputs[0].data.iter().zip(inputs[1].data.iter());
        let terms = pairs
            .map(|(x, t)| self.term.value(&Formula::In(x.clone()), &Formula::In(t.clone())).expr());
        let terms = Symbols { shape: inputs[0].shape.clone(), data: terms.collect() };
        Some(if self.reduction == Reduction::None {
            terms
        } else {
            let n = terms.data.len();
            terms.collapse(value.shape()).scale(self.scale(n))
        })
    }

    fn composed<A: Array>(&self, inputs: &[&A]) -> Option<A> {
        let (x, t) = (Formula::In(inputs[0].clone()), Formula::In(inputs[1].clone()));
        let Formula::In(terms) = self.term.value(&x, &t) else { return None };
        let count = inputs[0].shape().iter().product();
        Some(match self.reduction {
            Reduction::None => terms,
            _ => terms.collapse(&[]).scale(self.scale(count)),
        })
    }

    fn linear<A: Array>(&self, at: &Point<A>, wrt: usize) -> LinearMap<A> {
        let shape = at.values[0].shape().to_vec();
        let [x, t] = [0, 1].map(|k| Formula::In(at.inputs[k].clone()));
        let slope = self.term.slope(wrt, &x, &t) * self.scale(at.values[0].numel());
        let weigh = match slope {
            Formula::In(by) => LinearMap::Diagonal { by, shape: shape.clone() },
            Formula::Const(by) => LinearMap::Scale { by, shape: shape.clone() },
        };
        if self.reduction == Reduction::None {
            return weigh;
        }
        let total = LinearMap::Collapse { from: shape, to: Vec::new() };
        LinearMap::Then(vec![weigh, total])
    }
}

impl TorchNode for Loss {
    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        Saves::Inputs(0b11)
    }

    fn second(&self, wrt: usize) -> Option<&'static str> {
        match (self.term, self.reduction) {
            (Term::Logits, Reduction::Mean) => Some("DivBackward1"),
            _ => second_name(self.grad_fn, wrt),
        }
    }
}

/// Both operands in one shape.
fn together(b: &Bound) -> Outcome<(Variable, Variable)> {
    let (x, t) = (b.tensor(0)?, b.tensor(1)?);
    let to = shape::broadcast(&x.shape(), &t.shape())?;
    let sizes: Vec<i64> = to.iter().map(|d| *d as i64).collect();
    let fit = |v: Variable| {
        if v.shape() == to { Ok(v) } else { layout::expand(&v, &sizes) }
    };
    Ok((fit(x)?, fit(t)?))
}

/// Losses that PyTorch warns of where the sizes differ.
const SIZES: [&str; 3] = ["mse_loss", "smooth_l1_loss", "huber_loss"];

fn warn_of_sizes(b: &Bound) -> Outcome<()> {
    let (own, target) = (b.tensor(0)?.shape(), b.tensor(1)?.shape());
    if own != target {
        vjp_tensor::warnings::warn(format!(
            "Using a target size ({}) that is different to the input size ({}). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
            torch_size(&target),
            torch_size(&own)
        ));
    }
    Ok(())
}

fn loss(
    b: &Bound,
    reduction: usize,
    term: Term,
    name: &'static str,
    grad_fn: &'static str,
) -> Outcome<Out> {
    let (x, t) = together(b)?;
    if SIZES.contains(&name) {
        warn_of_sizes(b)?;
    }
    let op = Loss { name, grad_fn, term, reduction: Reduction::read(b, reduction)? };
    Ok(Out::One(apply(Rc::new(op), &[x, t])?))
}

/// A loss weighed element by element before it is reduced.
fn weighed(
    b: &Bound,
    weight: usize,
    reduction: usize,
    term: Term,
    name: &'static str,
    grad_fn: &'static str,
) -> Outcome<Out> {
    if !b.has(weight) {
        return loss(b, reduction, term, name, grad_fn);
    }
    let y = weighed_terms(b, weight, term, name, grad_fn)?;
    Ok(Out::One(Reduction::read(b, reduction)?.of(&y)?))
}

/// Each term times its weight.
fn weighed_terms(
    b: &Bound,
    weight: usize,
    term: Term,
    name: &'static str,
    grad_fn: &'static str,
) -> Outcome<Variable> {
    let op = Loss { name, grad_fn, term, reduction: Reduction::None };
    table::mul(&apply(Rc::new(op), &[b.tensor(0)?, b.tensor(1)?])?, &b.tensor(weight)?)
}

/// A loss weighed element by element; its mean is that of the weights.
fn weighed_mean(
    b: &Bound,
    weight: usize,
    reduction: usize,
    term: Term,
    name: &'static str,
    grad_fn: &'static str,
) -> Outcome<Out> {
    if !b.has(weight) || Reduction::read(b, reduction)? != Reduction::Mean {
        return weighed(b, weight, reduction, term, name, grad_fn);
    }
    let y = weighed_terms(b, weight, term, name, grad_fn)?;
    let weights = sum(&b.tensor(weight)?, None, false)?;
    Ok(Out::One(table::div(&sum(&y, None, false)?, &weights)?))
}

/// One loop takes both.
fn same_types(found: &Tensor, expected: &Tensor) -> Outcome<()> {
    let [given, wanted] = [found, expected].map(|t| t.dtype().scalar_type());
    if given == wanted {
        return Ok(());
    }
    let complaint =
        Complaint::new(Kind::Runtime, format!("Found dtype {given} but expected {wanted}"));
    Err(match found.dtype().is_float() {
        true => complaint.hint(torch_messages::DTYPES),
        false => complaint,
    })
}

fn entropy(b: &mut Bound) -> Outcome<Out> {
    let (x, t) = (b.tensor(0)?.value(), b.tensor(1)?.value());
    if t.shape() != x.shape() {
        complain!(
            Kind::Value,
            "Using a target size ({}) that is different to the input size ({}) is deprecated. Please ensure they have the same size.",
            torch_size(t.shape()),
            torch_size(x.shape())
        );
    }
    same_types(&t, &x)?;
    let outside = |v: &f64| !(0.0..=1.0).contains(v);
    for (v, w) in x.data().iter().zip(t.data()) {
        if outside(v) || outside(w) {
            let which = if outside(v) { "input" } else { "target" };
            complain!("all elements of {which} should be between 0 and 1");
        }
    }
    weighed(b, 2, 3, Term::Entropy, "binary_cross_entropy", "BinaryCrossEntropyBackward0")
}

/// Of sigmoid x; with `pos_weight` p: (1 − t) x + (1 + (p − 1) t) log(1 + exp −x).
fn logits(b: &mut Bound) -> Outcome<Out> {
    let (name, grad_fn) =
        ("binary_cross_entropy_with_logits", "BinaryCrossEntropyWithLogitsBackward0");
    let (x, t) = (b.tensor(0)?, b.tensor(1)?);
    refusals::logits(&x, &t)?;
    if !b.has(4) && x.dtype() == t.dtype() {
        return weighed(b, 2, 3, Term::Logits, name, grad_fn);
    }
    let group = grouped(b, name, grad_fn, 0b11, &[0, 1])?;
    let (x, t) = (b.tensor(0)?, b.tensor(1)?);
    if !b.has(4) {
        // Computed in the target's memory, and so in its type.
        let op = Loss { name, grad_fn, term: Term::Logits, reduction: Reduction::None };
        let mut y = layout::to_dtype(&apply(Rc::new(op), &[x, t.clone()])?, t.dtype())?;
        if b.has(2) {
            y = layout::to_dtype(&table::mul(&y, &b.tensor(2)?)?, t.dtype())?;
        }
        return Ok(Out::One(group.output(&Reduction::read(b, 3)?.of(&y)?)?));
    }
    // Computed in place: in the memory of the pos_weights beside the target, then of the target.
    let one = Variable::constant(Scalar::Float(1.0).tensor());
    let extra = table::mul(&table::sub(&b.tensor(4)?, &one)?, &t)?;
    let low = vjp_ops::compose::unary("softplus", &table::neg(&x)?)?;
    let low = layout::to_dtype(&table::mul(&table::add(&extra, &one)?, &low)?, extra.dtype())?;
    let within = |y: Variable| layout::to_dtype(&y, t.dtype());
    let high = within(table::mul(&table::sub(&one, &t)?, &x)?)?;
    let mut y = within(table::add(&high, &low)?)?;
    if b.has(2) {
        y = within(table::mul(&y, &b.tensor(2)?)?)?;
    }
    let y = Reduction::read(b, 3)?.of(&y)?;
    Ok(Out::One(group.output(&y)?))
}

fn l1(b: &mut Bound) -> Outcome<Out> {
    warn_of_sizes(b)?;
    let (x, t) = together(b)?;
    let d = apply((table::ABS.operation)(&[]), &[table::sub(&x, &t)?])?;
    Ok(Out::One(Reduction::read(b, 2)?.of(&d)?))
}

fn smooth(b: &mut Bound) -> Outcome<Out> {
    let beta = b.float_or(3, 1.0);
    let told = "smooth_l1_loss does not support negative values for beta.";
    require(beta >= 0.0, told)?;
    if beta == 0.0 {
        return l1(b);
    }
    loss(b, 2, Term::SmoothL1(beta), "smooth_l1_loss", "SmoothL1LossBackward0")
}

fn huber(b: &mut Bound) -> Outcome<Out> {
    let delta = b.float_or(3, 1.0);
    let told = "huber_loss does not support non-positive values for delta.";
    require(delta > 0.0, told)?;
    loss(b, 2, Term::Huber(delta), "huber_loss", "HuberLossBackward0")
}

fn require(holds: bool, told: &str) -> Outcome<()> {
    match holds {
        true => Ok(()),
        false => Err(Complaint::new(Kind::Runtime, told)),
    }
}

fn kl_div(b: &mut Bound) -> Outcome<Out> {
    if b.str_or(2, "mean") == "mean" {
        vjp_tensor::warnings::warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides only by the batch size, and aligns with the KL div math definition.'mean' will be changed to behave the same as 'batchmean' in the next major release.",
        );
    }
    shape::broadcast(&b.tensor(1)?.shape(), &b.tensor(0)?.shape())?;
    let (x, t) = together(b)?;
    let terms = if b.bool_or(3, false) {
        let p = apply((table::EXP.operation)(&[]), std::slice::from_ref(&t))?;
        table::mul(&p, &table::sub(&t, &x)?)?
    } else {
        // t log t, 0 at 0.
        let log = apply((table::LOG.operation)(&[]), std::slice::from_ref(&t))?;
        let zero = Variable::constant(Tensor::scalar(0.0));
        let positive = t.value().map(Dtype::Bool, |v| f64::from(u8::from(v != 0.0)))?;
        let own = vjp_ops::index::select::select_where(
            &Variable::constant(positive),
            &table::mul(&t, &log)?,
            &zero,
        )?;
        table::sub(&own, &table::mul(&t, &x)?)?
    };
    if b.str_or(2, "mean") == "batchmean" {
        let n = terms.shape().first().copied().unwrap_or(1) as f64;
        let n = Variable::constant(Scalar::Float(n).tensor());
        return Ok(Out::One(table::div(&sum(&terms, None, false)?, &n)?));
    }
    Ok(Out::One(Reduction::read(b, 2)?.of(&terms)?))
}

fn cosine(b: &mut Bound) -> Outcome<Out> {
    let (x, y) = together(b)?;
    let (dim, eps) = (b.int_or(2, 1), b.float_or(3, 1e-8));
    let unit = |v: &Variable| -> Outcome<Variable> {
        let n = vjp_ops::reduce::statistics::norm(v, 2.0, Some(&[dim]), true)?;
        // Raised to eps behind the graph, as PyTorch does.
        let copy = vjp_maths::primitives::moves::clone(&n)?;
        let small = n.value().data().iter().any(|n| *n < eps);
        if small {
            let dtype = copy.dtype();
            copy.revalue(copy.value().map(dtype, |n| n.max(eps))?);
        }
        table::div(v, &copy)
    };
    let product = table::mul(&unit(&x)?, &unit(&y)?)?;
    Ok(Out::One(sum(&product, Some(&[dim]), false)?))
}

const F: Forms = Forms::F;
const NN: Forms = Forms::F.and(Forms::SHORT);
const PLAIN: &str = "(Tensor input, Tensor target, *, str reduction='mean')";
const WEIGHED: &str = "(Tensor input, Tensor target, *, str reduction='mean', Tensor weight=None)";

pub static ENTRIES: &[vjp_ops::Entry] = entries! {
    "mse_loss" NN, WEIGHED, "mean of (x − t)²; ∂y/∂xᵢ = 2(xᵢ − tᵢ)/n", "F.mse_loss(tensor([1., 2.]), tensor([1., 1.]))", ["l1_loss"] jax "{reduction: ({input} - {target}) ** 2}"
        => |b| weighed_mean(b, 3, 2, Term::Square, "mse_loss", "MseLossBackward0");
    "l1_loss" F, PLAIN, "mean of |x − t|; ∂y/∂xᵢ = sign(xᵢ − tᵢ)/n", "F.l1_loss(tensor([1., 2.]), tensor([1., 1.]))", ["mse_loss"] jax "{reduction: absolute({input} - {target})}"
        => l1;
    "smooth_l1_loss" F, "(Tensor input, Tensor target, *, str reduction='mean', float beta=1.0)", "(x − t)²/2β where |x − t| < β, else |x − t| − β/2; ∂/∂x = (x − t)/β where |x − t| < β, else sign(x − t)", "F.smooth_l1_loss(tensor([3.]), tensor([1.]))", ["huber_loss"] jax "smooth_l1_loss({*})"
        => smooth;
    "huber_loss" F, "(Tensor input, Tensor target, *, str reduction='mean', float delta=1.0)", "(x − t)²/2 where |x − t| ≤ δ, else δ(|x − t| − δ/2); ∂/∂x = x − t where |x − t| ≤ δ, else δ sign(x − t)", "F.huber_loss(tensor([3.]), tensor([1.]))", ["smooth_l1_loss"] jax "huber_loss({*})"
        => huber;
    "binary_cross_entropy" F, "(Tensor input, Tensor target, Tensor weight=None, *, str reduction='mean')", "−t log x − (1 − t) log(1 − x); ∂/∂x = (x − t)/(x(1 − x))", "F.binary_cross_entropy(tensor([0.8]), tensor([1.]))", ["binary_cross_entropy_with_logits"] jax "binary_cross_entropy({*})"
        => entropy;
    "binary_cross_entropy_with_logits" F, "(Tensor input, Tensor target, Tensor weight=None, *, str reduction='mean', Tensor pos_weight=None)", "binary cross-entropy of sigmoid x; ∂/∂x = σ(x) − t", "F.binary_cross_entropy_with_logits(tensor([2.]), tensor([1.]))", ["binary_cross_entropy"] jax "binary_cross_entropy_with_logits({*})"
        => logits;
    "kl_div" F, "(Tensor input, Tensor target, *, str reduction='mean', bool log_target=False)", "t(log t − x); ∂/∂x = −t", "F.kl_div(tensor([-1.]), tensor([0.5]))", ["cross_entropy"] jax "kl_div({*})"
        => kl_div;
    "cosine_similarity" Forms::F.and(Forms::TORCH), "(Tensor x1, Tensor x2, int dim=1, float eps=1e-08)", "x·y / (‖x‖‖y‖); of c by x: ∂c/∂x = y/(‖x‖‖y‖) − c x/‖x‖²", "F.cosine_similarity(tensor([1., 0.]), tensor([1., 1.]), dim=0)", ["norm", "dot"] jax "cosine_similarity({*})"
        => cosine;
};
