//! `x.uniform_()`, `x.normal_()` and their like: tensors filled with random numbers in place.

use crate::generator::using;
use crate::random::{draws_single, given, no_negative, probability};
use vjp_binder::Given;
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Machine, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_tensor::exact_integers::Exact;
use vjp_tensor::random::Generator;
use vjp_tensor::{Dtype, Outcome, Tensor, budget, random};

builtins! {
    /// Methods of tensors.
    pub static METHODS in "Tensor";
    "uniform_" "(Tensor input, float from=0.0, float to=1.0)" |m, a| using(m, a, uniform), "Fills with uniform random numbers between two bounds.";
    "normal_" "(Tensor input, float mean=0.0, float std=1.0)" |m, a| using(m, a, normal), "Fills with normal random numbers.";
    "bernoulli_" "(Tensor input, p=0.5)" |m, a| using(m, a, bernoulli), "Fills with 1 with a probability, otherwise 0.";
    "exponential_" "(Tensor input, float lambd=1.0)" |m, a| using(m, a, |m, a| filled(m, a, |g, r| r.exponential(g[0]))), "Fills with random numbers of density λ·exp(−λx).";
    "geometric_" "(Tensor input, float p)" |m, a| using(m, a, |m, a| filled(m, a, |g, r| r.geometric(g[0]))), "Fills with geometric random numbers: trials until the first success.";
    "cauchy_" "(Tensor input, float median=0.0, float sigma=1.0)" |m, a| using(m, a, |m, a| filled(m, a, |g, r| r.cauchy(g[0], g[1]))), "Fills with Cauchy random numbers.";
    "log_normal_" "(Tensor input, float mean=1.0, float std=2.0)" |m, a| using(m, a, |m, a| filled(m, a, |g, r| r.log_normal(g[0], g[1]))), "Fills with exp of normal random numbers.";
    "random_" "(Tensor input, from=None, to=None)" |m, a| using(m, a, whole), "Fills with random integers.";
}

/// Uniform numbers from `low` to `high`: bounds of the tensor's type, a product in it.
pub fn uniform_numbers(count: usize, single: bool, low: f64, high: f64) -> Outcome<Vec<f64>> {
    let round = |v: f64| if single { f64::from(v as f32) } else { v };
    let (low, high) = (round(low), round(high));
    let width = round(high - low);
    let drawn = random::with(|g| g.rand(count, single))?;
    budget::collected(drawn.iter().map(|u| round(u.mul_add(width, low))))
}

/// Normal numbers with a mean and a deviation.
pub fn normal_numbers(t: &Variable, single: bool, mean: f64, std: f64) -> Outcome<Vec<f64>> {
    let count = t.numel();
    let round = |v: f64| if single { f64::from(v as f32) } else { v };
    // Blocks of sixteen are computed in the tensor's type.
    let own = |v: f64| if count >= 16 { round(v) } else { v };
    let (mean, std) = (own(mean), own(std));
    let drawn = random::with(|g| g.randn(count, single, t.dtype()))?;
    budget::collected(drawn.iter().map(|z| round(z * std + mean)))
}

fn target(g: &Given) -> Tried<Variable> {
    match g.raw(0) {
        Some(Value::Tensor(t)) => Ok(t),
        other => Err(g.mismatch(0, &other.unwrap_or(Value::None))),
    }
}

fn write(t: &Variable, data: Vec<f64>) -> Outcome<Value> {
    let new = Tensor::typed(&t.shape(), data, t.dtype());
    t.copy(&Variable::constant(new))?;
    Ok(Value::Tensor(t.clone()))
}

fn uniform(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let t = target(&g)?;
    let (low, high) = (g.float("from")?.unwrap_or(0.0), g.float("to")?.unwrap_or(1.0));
    if low > high {
        let shown = |v: f64| vjp_text::number::general(v, 6, false);
        raise!(
            "uniform_ expects to return a [from, to) range, but found from={} > to={}",
            shown(low),
            shown(high)
        );
    }
    let single = draws_single(machine, t.dtype());
    write(&t, uniform_numbers(t.numel(), single, low, high)?).at(g.site.span)
}

fn normal(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let t = target(&g)?;
    let (mean, std) = (g.float("mean")?.unwrap_or(0.0), g.float("std")?.unwrap_or(1.0));
    no_negative(std)?;
    let single = draws_single(machine, t.dtype());
    write(&t, normal_numbers(&t, single, mean, std)?).at(g.site.span)
}

/// Elements one after the other by a rule of the numeric arguments.
fn filled(_: &mut Machine, args: Args, draw: fn(&[f64], &mut Generator) -> f64) -> Tried<Value> {
    let g = given(args)?;
    let t = target(&g)?;
    if !t.dtype().is_float()
        && let Some(law) = match g.name {
            "exponential_" => Some("Exponential"),
            "cauchy_" => Some("Cauchy"),
            _ => None,
        }
    {
        raise!(
            "{law} distribution is a continuous probability distribution. dtype must be a floating point but you specified {}",
            t.dtype().scalar_type()
        );
    }
    let mut numbers = Vec::new();
    for p in g.params().iter().skip(1) {
        let usual = match p.usual {
            vjp_binder::signature::Usual::Float(v) => v,
            _ => 0.0,
        };
        numbers.push(g.float(p.name)?.unwrap_or(usual));
    }
    let shown = |v: f64| vjp_text::number::general(v, 6, false);
    let last = numbers.last().copied().unwrap_or(1.0);
    match g.name {
        "geometric_" if !(0.0 < last && last < 1.0) => {
            raise!("geometric_ expects p to be in (0, 1), but got p={}", shown(last))
        }
        "exponential_" | "cauchy_" | "log_normal_" if last <= 0.0 => {
            let name = g.params().last().map_or("", |p| p.name).replace("lambd", "lambda");
            raise!("{} expects {name} > 0.0, but found {name}={}", g.name, shown(last))
        }
        _ => {}
    }
    let data = random::with(|r| budget::listed(t.numel(), |_| draw(&numbers, r)))?;
    write(&t, data).at(g.site.span)
}

fn bernoulli(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let t = target(&g)?;
    let data = match g.value("p") {
        Some(Value::Tensor(p)) => {
            let shape: Vec<i64> = t.shape().iter().map(|n| *n as i64).collect();
            let p = vjp_ops::arrange::layout::expand(&p.detach(), &shape).at(g.site.span)?;
            let single = draws_single(machine, p.dtype());
            let p = p.value();
            random::with(|r| {
                budget::collected(p.data().iter().map(|p| f64::from(r.uniform(single) < *p)))
            })?
        }
        _ => {
            let p = g.float("p")?.unwrap_or(0.5);
            probability(p)?;
            random::with(|r| budget::listed(t.numel(), |_| r.bernoulli(p)))?
        }
    };
    write(&t, data).at(g.site.span)
}

/// `random_()`: all whole numbers that the type holds exactly; `random_(to)`, `random_(from, to)`.
fn whole(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = given(args)?;
    let t = target(&g)?;
    let count = t.numel();
    let (low, high) = match (g.int("from")?, g.int("to")?) {
        (Some(low), Some(high)) => (low, high),
        (Some(high), None) | (None, Some(high)) => (0, high),
        (None, None) => {
            if t.dtype() == Dtype::Int64 {
                let long = |r: &mut Generator| (r.long() & i64::MAX as u64) as i64;
                let all = random::with(|r| budget::listed(count, |_| long(r)))?;
                let new = Tensor::from_whole(&t.shape(), all, Dtype::Int64);
                t.copy(&Variable::constant(new)).at(g.site.span)?;
                return Ok(Value::Tensor(t));
            }
            let exact = Exact::new(t.dtype());
            let draw = |r: &mut Generator| budget::listed(count, |_| any(r, t.dtype(), &exact));
            let data = exact.done(random::with(draw)).at(g.site.span)?;
            return write(&t, data).at(g.site.span);
        }
    };
    if low >= high {
        raise!("random_ expects 'from' to be less than 'to', but got from={low} >= to={high}");
    }
    let data = random::with(|r| r.randint(low, high, count, t.dtype()))?;
    write(&t, data).at(g.site.span)
}

fn any(r: &mut Generator, dtype: Dtype, exact: &Exact) -> f64 {
    match dtype {
        Dtype::Float64 => (r.long() % ((1 << 53) + 1)) as f64,
        Dtype::Int64 => exact.take((r.long() & i64::MAX as u64) as i64),
        Dtype::Bool => f64::from(r.word() & 1),
        Dtype::Uint8 => f64::from(r.word() & 0xff),
        Dtype::Int8 => f64::from(r.word() & 0x7f),
        Dtype::Int16 => f64::from(r.word() & 0x7fff),
        Dtype::Int32 => f64::from(r.word() & i32::MAX as u32),
        Dtype::Float16 => f64::from(r.word() % ((1 << 11) + 1)),
        Dtype::Bfloat16 => f64::from(r.word() % ((1 << 8) + 1)),
        _ => f64::from(r.word() % ((1 << 24) + 1)),
    }
}
