//! Variance, norms and log-sum-exp: reductions whose weights depend on the numbers.

use crate::compose::grouped;
use crate::reduce::{Axes, mean};
use crate::{Bound, Forms, Out};
use std::rc::Rc;
use vjp_maths::autodiff::rule::{Bend, Corner};
use vjp_maths::table::{ADD, DIV, EXP, LOG, SUB};
use vjp_maths::{
    Algebra, Array, Expr, Formula, LinearMap, Point, Rule, Saves, Symbols, TorchNode, Variable,
    apply,
};
use vjp_tensor::kernels::strided::{in_turn, sum};
use vjp_tensor::tensor::default_dtype;
use vjp_tensor::{Dtype, Kind, Outcome, Tensor, complain};

/// The map `dy = Σ wᵢ dxᵢ`.
fn weighted<A: Array>(axes: &Axes, by: Formula<A>) -> LinearMap<A> {
    let shape = axes.from.clone();
    let weigh = match by {
        Formula::Const(by) => LinearMap::Scale { by, shape },
        Formula::In(by) => LinearMap::Diagonal { by, shape },
    };
    LinearMap::Then(vec![weigh, axes.collapse()])
}

/// A formula for each group of symbols.
fn by_group(axes: &Axes, x: &Symbols, f: impl Fn(&[Formula<Expr>]) -> Formula<Expr>) -> Symbols {
    let (groups, n) = (axes.groups(), axes.count());
    let to = axes.to();
    let data = (0..to.iter().product()).map(|k| {
        let group: Vec<_> =
            groups[k * n..(k + 1) * n].iter().map(|p| Formula::In(x.data[*p].clone())).collect();
        f(&group).expr()
    });
    Symbols { data: data.collect(), shape: to }
}

fn total(terms: impl Iterator<Item = Formula<Expr>>) -> Formula<Expr> {
    terms.reduce(|a, b| a + b).unwrap_or(Formula::Const(0.0))
}

fn average(data: &[f64]) -> f64 {
    sum(data) / data.len() as f64
}

/// Variance, or its root.
#[derive(Debug)]
pub struct Var {
    axes: Axes,
    /// What is taken off the count: 1 for an unbiased estimate.
    correction: f64,
    root: bool,
    grad_fn: &'static str,
}

impl Var {
    /// The variance of all elements of each group, in as many dimensions.
    pub fn of_all(axes: Axes) -> Var {
        Var { axes, correction: 0.0, root: false, grad_fn: "VarBackward0" }
    }

    fn degrees(&self) -> f64 {
        (self.axes.count() as f64 - self.correction).max(0.0)
    }
}

/// A corner at every element of the groups of which `met` holds: output, element.
fn pointed(axes: &Axes, bend: Bend, steep: f64, met: impl Fn(usize, usize) -> bool) -> Vec<Corner> {
    let groups = axes.groups();
    let places = groups.chunks(axes.count().max(1)).enumerate();
    let places = places.flat_map(|(output, group)| group.iter().map(move |k| (output, *k)));
    let corner = |(output, element)| Corner {
        input: 0,
        element,
        output,
        left: -steep,
        right: steep,
        taken: 0.0,
        bend,
    };
    places.filter(|(output, element)| met(*output, *element)).map(corner).collect()
}

/// A corner wherever several of a group have the largest size.
fn largest(axes: &Axes, x: &[f64], output: &[f64]) -> Vec<Corner> {
    let groups = axes.groups();
    let mut found = Vec::new();
    for (output, (group, &size)) in groups.chunks(axes.count().max(1)).zip(output).enumerate() {
        let tied = || group.iter().copied().filter(|k| x[*k].abs() == size);
        let share = 1.0 / tied().count() as f64;
        found.extend(tied().filter(|_| share < 1.0).map(|element| Corner {
            input: 0,
            element,
            output,
            left: x[element].signum().min(0.0),
            right: x[element].signum().max(0.0),
            taken: x[element].signum() * share,
            bend: Bend::Largest,
        }));
    }
    found
}

impl Rule for Var {
    fn code(&self, inputs: &[String]) -> Option<String> {
        let (name, by) = (Rule::name(self), self.correction);
        Some(format!("torch.{name}({}{}, correction={by})", inputs[0], self.axes.code()))
    }

    fn name(&self) -> &'static str {
        if self.root { "std" } else { "var" }
    }

    /// The root has one where all elements are equal.
    fn corners(&self, _: &[&Tensor], output: &Tensor) -> Vec<Corner> {
        if !self.root || !output.data().contains(&0.0) {
            return Vec::new();
        }
        let (n, degrees) = (self.axes.count() as f64, self.degrees());
        let steep = ((1.0 - 1.0 / n) / degrees).sqrt();
        pointed(&self.axes, Bend::Spread(degrees), steep, |out, _| output.data()[out] == 0.0)
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let n = self.degrees();
        self.axes.fold(inputs[0], inputs[0].dtype(), |g| {
            let m = average(g);
            let squares: Vec<f64> = g.iter().map(|x| (x - m) * (x - m)).collect();
            let var = in_turn(&squares) / n;
            if self.root { var.sqrt() } else { var }
        })
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(by_group(&self.axes, inputs[0], |g| {
            let m = total(g.iter().cloned()) / g.len() as f64;
            let var = total(g.iter().map(|x| (x - &m).square())) / self.degrees();
            if self.root { var.sqrt() } else { var }
        }))
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let x = at.inputs[0];
        let m = self.axes.collapse().apply(x).scale(1.0 / self.axes.count() as f64);
        let centred = Formula::In(x.clone()) - Formula::In(self.axes.spread(&m));
        let degrees = self.axes.count() as f64 - self.correction;
        let slope = match self.axes.all && degrees <= 0.0 {
            // Each deviation divided by nothing.
            true => centred.equals(0.0).choose(f64::NAN, f64::INFINITY),
            false => centred * (2.0 / degrees),
        };
        let by = if self.root {
            let std = Formula::In(self.axes.spread(at.output));
            // At 0 deviation the slope is taken as 0, and so is the slope's own.
            let divisor = std.equals(0.0).choose(1.0, std.clone());
            std.equals(0.0).choose(0.0, (2.0 * divisor).reciprocal()) * slope
        } else {
            slope
        };
        weighted(&self.axes, by)
    }

    /// Step by step as PyTorch. Where nothing deviates, the backward of the root is 0, whatever comes.
    fn pull(&self, at: &Point<Tensor>, _: usize, v: &Tensor) -> Option<Outcome<Tensor>> {
        let degrees = self.axes.count() as f64 - self.correction;
        (degrees > 0.0).then(|| {
            let (x, mut v) = (at.values[0], v.clone());
            if self.root {
                v = Tensor::call(&DIV, &[&v, &at.value.scale(2.0)]);
                let slots = v.data_mut().iter_mut().zip(at.value.data());
                slots.filter(|(_, std)| **std == 0.0).for_each(|(v, _)| *v = 0.0);
            }
            let mean = self.axes.fold(x, x.dtype(), average)?;
            let away = Tensor::call(&SUB, &[x, &self.axes.spread(&mean)]);
            Ok(self.axes.spread(&v.scale(2.0 / degrees)).mul(&away))
        })
    }
}

impl TorchNode for Var {
    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        if self.root { Saves::InputsAndOutput(1) } else { Saves::Inputs(1) }
    }
}

/// The p-norm of vectors.
#[derive(Debug)]
pub struct Norm {
    axes: Axes,
    p: f64,
    grad_fn: &'static str,
}

impl Norm {
    /// Of `cdist` and `pdist`, which give the whole gradient to each of the largest differences.
    fn is_distance(&self) -> bool {
        matches!(self.grad_fn, "CdistBackward0" | "PdistBackward0")
    }
}

impl Rule for Norm {
    fn code(&self, inputs: &[String]) -> Option<String> {
        let p = match self.p {
            p if p.is_infinite() => format!("float(\"{p}\")"),
            p => p.to_string(),
        };
        let (x, dims) = (&inputs[0], self.axes.code());
        Some(format!("torch.linalg.vector_norm({x}, ord={p}{dims})"))
    }

    fn name(&self) -> &'static str {
        "norm"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let p = self.p;
        let wide = inputs[0].dtype() == Dtype::Float64;
        self.axes.fold(inputs[0], inputs[0].dtype(), |g| {
            // What a float32 cannot hold is ∞ or 0 on the way.
            let held = |v: f64| match f64::from(v as f32) {
                short
                    if !wide
                        && (short.is_infinite() || short.abs() < f64::from(f32::MIN_POSITIVE)) =>
                {
                    short
                }
                _ => v,
            };
            let size = |f: &dyn Fn(f64) -> f64| {
                held(sum(&g.iter().map(|x| held(f(x.abs()))).collect::<Vec<_>>()))
            };
            let pick = |f: fn(f64, f64) -> f64, start: f64| {
                let known = g.iter().all(|x| !x.is_nan());
                if known { g.iter().fold(start, |m, x| f(m, x.abs())) } else { f64::NAN }
            };
            match p {
                2.0 => size(&|x| x * x).sqrt(),
                1.0 => size(&|x| x),
                0.0 => g.iter().filter(|x| **x != 0.0).count() as f64,
                p if p == f64::INFINITY => pick(f64::max, 0.0),
                p if p == f64::NEG_INFINITY => pick(f64::min, f64::INFINITY),
                p => size(&|x| x.powf(p)).powf(1.0 / p),
            }
        })
    }

    fn symbols(&self, inputs: &[&Symbols], values: &[&Tensor], value: &Tensor) -> Option<Symbols> {
        if self.p.is_infinite() {
            let (groups, n) = (self.axes.groups(), self.axes.count().max(1));
            let data = groups.chunks(n).zip(value.data()).map(|(g, top)| {
                let hit = g.iter().find(|p| values[0].data()[**p].abs() == *top);
                let e = hit.map_or_else(Expr::unknown, |p| inputs[0].data[*p].clone());
                Formula::In(e).abs().expr()
            });
            return Some(Symbols { data: data.collect(), shape: self.axes.to() });
        }
        if self.p == 0.0 {
            return None;
        }
        Some(by_group(&self.axes, inputs[0], |g| match self.p {
            2.0 => total(g.iter().map(Formula::square)).sqrt(),
            1.0 => total(g.iter().map(Formula::abs)),
            p => total(g.iter().map(|x| x.abs().pow(&Formula::Const(p))))
                .pow(&Formula::Const(1.0 / p)),
        }))
    }

    /// At 0 the whole vector has one, in the sum of sizes each element.
    fn corners(&self, inputs: &[&Tensor], output: &Tensor) -> Vec<Corner> {
        let (x, p) = (inputs[0].data(), self.p);
        let met = |out: usize, k: usize| x[k] == 0.0 && (p == 1.0 || output.data()[out] == 0.0);
        if p == f64::INFINITY && !output.data().contains(&0.0) {
            return largest(&self.axes, x, output.data());
        }
        if p < 1.0 || !x.contains(&0.0) {
            return Vec::new();
        }
        let bend = if p == 1.0 { Bend::Alone } else { Bend::Length(p) };
        pointed(&self.axes, bend, 1.0, met)
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let x = Formula::In(at.inputs[0].clone());
        let y = Formula::In(self.axes.spread(at.output));
        // A length of 0 is not divided by, so that second slopes there are 0, as PyTorch's; but for Euclid's norm.
        let length = || match self.p == 2.0 && !self.is_distance() {
            true => y.clone(),
            false => y.equals(0.0).choose(1.0, &y),
        };
        let by = match self.p {
            0.0 => Formula::Const(0.0),
            1.0 => x.sign(),
            2.0 => y.equals(0.0).choose(0.0, &x / length()),
            p if p.is_infinite() => {
                let unknown = |v: &Formula<A>| 1.0 - v.equals(v);
                let hits = x.abs().equals(&y) + unknown(&x) * unknown(&y);
                let count = match &hits {
                    Formula::In(h) => Formula::In(self.axes.spread(&self.axes.collapse().apply(h))),
                    Formula::Const(c) => Formula::Const(*c),
                };
                match self.is_distance() {
                    true => x.sign() * hits,
                    false => x.sign() * hits / count,
                }
            }
            // Step by step as PyTorch: what grows beyond numbers on the way is NaN.
            p if p < 1.0 => {
                let own = x.equals(0.0).choose(0.0, x.abs().pow(&Formula::Const(p - 1.0)));
                x.sign() * own * y.pow(&Formula::Const(1.0 - p))
            }
            p => {
                let own = match p < 2.0 {
                    true => x.sign() * x.abs().pow(&Formula::Const(p - 1.0)),
                    false => &x * x.abs().pow(&Formula::Const(p - 2.0)),
                };
                own * y.equals(0.0).choose(0.0, length().pow(&Formula::Const(p - 1.0)).reciprocal())
            }
        };
        weighted(&self.axes, by)
    }
}

impl TorchNode for Norm {
    fn grad_fn(&self) -> &'static str {
        self.grad_fn
    }

    fn saves(&self) -> Saves {
        Saves::InputsAndOutput(1)
    }

    /// The number of elements that are not 0; distances pass zeros on.
    fn passes_nothing(&self) -> bool {
        self.p == 0.0 && !self.is_distance()
    }
}

/// `log Σ exp x`, without overflow.
#[derive(Debug)]
pub struct LogSumExp(Axes);

impl Rule for LogSumExp {
    fn code(&self, inputs: &[String]) -> Option<String> {
        Some(format!("torch.logsumexp({}{})", inputs[0], self.0.code()))
    }

    fn name(&self) -> &'static str {
        "logsumexp"
    }

    fn value(&self, inputs: &[&Tensor]) -> Outcome<Tensor> {
        let x = inputs[0];
        if !x.dtype().is_short() {
            return self.0.fold(x, x.dtype(), logsumexp);
        }
        // Each step rounded, as PyTorch composes it.
        let largest = |g: &[f64]| g.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let finite = |top: f64| if top.is_finite() { top } else { 0.0 };
        let top = self.0.fold(x, x.dtype(), |g| finite(largest(g)))?;
        let away = Tensor::call(&SUB, &[x, &self.0.spread(&top)]);
        let total = self.0.collapse().apply(&Tensor::call(&EXP, &[&away]));
        Ok(Tensor::call(&ADD, &[&Tensor::call(&LOG, &[&total]), &top]))
    }

    fn symbols(&self, inputs: &[&Symbols], _: &[&Tensor], _: &Tensor) -> Option<Symbols> {
        Some(by_group(&self.0, inputs[0], |g| total(g.iter().map(Formula::exp)).log()))
    }

    fn linear<A: Array>(&self, at: &Point<A>, _: usize) -> LinearMap<A> {
        let y = Formula::In(self.0.spread(at.output));
        weighted(&self.0, (Formula::In(at.inputs[0].clone()) - y).exp())
    }
}

impl TorchNode for LogSumExp {
    fn grad_fn(&self) -> &'static str {
        "LogsumexpBackward0"
    }

    fn saves(&self) -> Saves {
        Saves::InputsAndOutput(1)
    }
}

/// `log Σ exp` of a row.
pub fn logsumexp(g: &[f64]) -> f64 {
    let top = g.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !top.is_finite() {
        return if g.iter().any(|x| x.is_nan()) { f64::NAN } else { top };
    }
    let parts: Vec<f64> = g.iter().map(|x| (x - top).exp()).collect();
    top + sum(&parts).ln()
}

fn floats_only(x: &Variable, name: &str) -> Outcome<()> {
    if !x.dtype().is_float() {
        complain!(Kind::NotImplemented, "{name} only support floating point and complex dtypes");
    }
    Ok(())
}

fn spread_of(b: &Bound, name: &str, root: bool, grad_fn: &'static str) -> Outcome<Variable> {
    let x = b.tensor(0)?;
    floats_only(&x, "std and var")?;
    // The second argument is the dimensions, or the old `unbiased`.
    let flag = match b.arg(1) {
        crate::Arg::Scalar(vjp_tensor::Scalar::Bool(u)) => Some(*u),
        _ => None,
    };
    let dims = if flag.is_some() { None } else { b.ints(1) };
    let unbiased = flag.unwrap_or_else(|| b.bool_or(2, true));
    let correction = b.float_or(4, f64::from(u8::from(unbiased)));
    let axes = Axes::new(&x.shape(), dims.as_deref(), b.bool_or(3, false))?;
    if axes.count() as f64 <= correction {
        vjp_tensor::warnings::warn(format!(
            "{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input numel divided by output numel)."
        ));
    }
    let op = Var { axes, correction, root, grad_fn };
    apply(Rc::new(op), &[x])
}

/// The spread, and the mean: two results of one name.
fn with_mean(b: &mut Bound, root: bool, grad_fn: &'static str) -> Outcome<Out> {
    let name = if root { "std_mean" } else { "var_mean" };
    let group = grouped(b, name, grad_fn, 1, &[0])?;
    let spread = spread_of(b, name, root, grad_fn)?;
    let dims = match b.arg(1) {
        crate::Arg::Scalar(vjp_tensor::Scalar::Bool(_)) => None,
        _ => b.ints(1),
    };
    let m = mean(&b.tensor(0)?, dims.as_deref(), b.bool_or(3, false))?;
    Ok(Out::Many(vec![group.output_at(0, &spread)?, group.output_at(1, &m)?]))
}

/// `x.norm(p, dim, keepdim)`.
///
/// # Errors
/// Whole numbers, or dimensions out of range.
pub fn norm(x: &Variable, p: f64, dims: Option<&[i64]>, keepdim: bool) -> Outcome<Variable> {
    norm_as(x, p, dims, keepdim, "LinalgVectorNormBackward0")
}

/// [`norm`] under another name of its node.
pub fn norm_as(
    x: &Variable,
    p: f64,
    dims: Option<&[i64]>,
    keepdim: bool,
    grad_fn: &'static str,
) -> Outcome<Variable> {
    if !x.dtype().is_float() {
        complain!(
            Kind::NotImplemented,
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {}",
            x.dtype().scalar_type()
        );
    }
    let axes = Axes::new(&x.shape(), dims, keepdim)?;
    apply(Rc::new(Norm { axes, p, grad_fn }), std::slice::from_ref(x))
}

const BOTH: Forms = Forms::TORCH.and(Forms::METHOD);
const SPREAD: &str = "(Tensor input, int[]|bool dim=None, bool unbiased=True, bool keepdim=False, *, Scalar correction=None)";

pub static ENTRIES: &[crate::Entry] = entries! {
    "var" BOTH.and(Forms::SHORT), SPREAD, "y = Σ(xᵢ − m)² / (n − 1); ∂y/∂xᵢ = 2(xᵢ − m)/(n − 1)", "var([1, 2, 4])", ["std", "mean"] jax "[unbiased=False] jnp.var({input}, axis={dim}, keepdims={keepdim}) or [correction] jnp.var({input}, axis={dim}, ddof={correction}, keepdims={keepdim}) or jnp.var({input}, axis={dim}, ddof=1, keepdims={keepdim})"
        => |b| Ok(Out::One(spread_of(b, "var", false, "VarBackward0")?));
    "std" BOTH.and(Forms::SHORT), SPREAD, "y = √var; ∂y/∂xᵢ = (xᵢ − m)/((n − 1)y)", "std([1, 2, 4])", ["var", "mean"] jax "std({*})"
        => |b| Ok(Out::One(spread_of(b, "std", true, "StdBackward0")?));
    "var_mean" Forms::TORCH, SPREAD, "variance and mean; ∂v/∂xᵢ = 2(xᵢ − m)/(n − 1), ∂m/∂xᵢ = 1/n", "torch.var_mean(tensor([1., 2., 4.]))", ["var"] jax "var_mean({*})"
        => |b| with_mean(b, false, "VarMeanBackward0");
    "std_mean" Forms::TORCH, SPREAD, "standard deviation and mean; ∂s/∂xᵢ = (xᵢ − m)/((n − 1)s), ∂m/∂xᵢ = 1/n", "torch.std_mean(tensor([1., 2., 4.]))", ["std"] jax "std_mean({*})"
        => |b| with_mean(b, true, "StdMeanBackward0");
    "logsumexp" BOTH.and(Forms::SHORT).and(Forms::SPECIAL), "(Tensor input, int[] dim, bool keepdim=False)", "y = log Σ exp xᵢ; ∂y/∂xᵢ = exp(xᵢ − y)", "logsumexp([1, 2], 0)", ["softmax", "log_softmax"] jax "jax.scipy.special.logsumexp({input}, axis={dim}, keepdims={keepdim})"
        => |b| {
            let x = b.tensor(0)?;
            let x = if x.dtype().is_float() { x } else { crate::arrange::layout::to_dtype(&x, default_dtype())? };
            let axes = Axes::new(&x.shape(), b.ints(1).as_deref(), b.bool_or(2, false))?;
            Ok(Out::One(apply(Rc::new(LogSumExp(axes)), &[x])?))
        };
};
