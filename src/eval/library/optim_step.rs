//! One step of an optimiser for one parameter, as the loops of `torch.optim` write it.

use super::optim::{number, option};
use crate::eval::value::{Dict, Value};
use crate::maths::complaint::Outcome;
use crate::maths::grad_mode::with_grad;
use crate::maths::tensor::Tensor;
use crate::maths::variable::Variable;

/// Which rule. AdamW is Adam with `decoupled_weight_decay`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    Sgd,
    Adam,
    RmsProp,
    Adagrad,
}

/// What is remembered of a parameter between steps.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    steps: i32,
    /// Momentum, or the running mean of gradients.
    first: Option<Tensor>,
    /// The running mean, or sum, of squares.
    second: Option<Tensor>,
    /// The greatest such mean, or the momentum beside it.
    third: Option<Tensor>,
}

/// Changes a parameter that has a gradient.
///
/// # Errors
/// Out of memory or time.
pub fn step(method: Method, group: &Dict, p: &Variable, memory: &mut Memory) -> Outcome<()> {
    let Some(g) = p.grad() else {
        return Ok(());
    };
    crate::maths::budget::tick()?;
    memory.steps += 1;
    let mut x = p.value();
    let mut g = g.value();
    if flag(group, "maximize") {
        g = zip(&g, &g, |g, _| -g);
    }
    let decay = number(group, "weight_decay");
    if decay != 0.0 {
        if flag(group, "decoupled_weight_decay") {
            let keep = 1.0 - number(group, "lr") * decay;
            x = zip(&x, &x, |x, _| x * keep);
        } else {
            g = zip(&g, &x, |g, x| g + decay * x);
        }
    }
    let new = match method {
        Method::Sgd => sgd(group, &x, g, memory),
        Method::Adam => adam(group, &x, &g, memory),
        Method::RmsProp => rms_prop(group, &x, &g, memory),
        Method::Adagrad => adagrad(group, &x, &g, memory),
    };
    with_grad(false, || p.update(&Variable::constant(new)))
}

fn flag(group: &Dict, name: &str) -> bool {
    matches!(option(group, name), Some(Value::Bool(true)))
}

/// Elementwise over two tensors of one shape.
fn zip(a: &Tensor, b: &Tensor, f: impl Fn(f64, f64) -> f64) -> Tensor {
    let data = a.data().iter().zip(b.data()).map(|(x, y)| f(*x, *y));
    let data = data.map(|v| a.dtype().cast(v)).collect();
    Tensor::typed(a.shape(), data, a.dtype())
}

/// A running value, at first `start` everywhere.
fn running(kept: &Option<Tensor>, like: &Tensor, start: f64) -> Tensor {
    match kept {
        Some(t) => t.clone(),
        None => zip(like, like, |_, _| start),
    }
}

fn sgd(group: &Dict, x: &Tensor, g: Tensor, memory: &mut Memory) -> Tensor {
    let (rate, momentum) = (number(group, "lr"), number(group, "momentum"));
    let mut by = g;
    if momentum != 0.0 {
        let fresh = 1.0 - number(group, "dampening");
        let buffer = match &memory.first {
            None => by.clone(),
            Some(b) => zip(b, &by, |b, g| b * momentum + fresh * g),
        };
        by = match flag(group, "nesterov") {
            true => zip(&by, &buffer, |g, b| g + momentum * b),
            false => buffer.clone(),
        };
        memory.first = Some(buffer);
    }
    zip(x, &by, |x, g| x - rate * g)
}

fn adam(group: &Dict, x: &Tensor, g: &Tensor, memory: &mut Memory) -> Tensor {
    let beta = |i: usize, usual: f64| match option(group, "betas") {
        Some(Value::Tuple(t)) => t.items.get(i).and_then(Value::as_float).unwrap_or(usual),
        Some(Value::List(l)) => {
            let items = l.items.borrow();
            items.get(i).and_then(Value::as_float).unwrap_or(usual)
        }
        _ => usual,
    };
    let (first, second) = (beta(0, 0.9), beta(1, 0.999));
    let eps = number(group, "eps");
    let mean = zip(&running(&memory.first, g, 0.0), g, |m, g| {
        m + (1.0 - first) * (g - m)
    });
    let square = zip(&running(&memory.second, g, 0.0), g, |v, g| {
        v * second + (1.0 - second) * g * g
    });
    let by = number(group, "lr") / (1.0 - first.powi(memory.steps));
    let root = (1.0 - second.powi(memory.steps)).sqrt();
    let top = match flag(group, "amsgrad") {
        true => {
            let top = zip(&running(&memory.third, g, 0.0), &square, f64::max);
            memory.third = Some(top.clone());
            top
        }
        false => square.clone(),
    };
    let below = zip(&top, &top, |v, _| v.sqrt() / root + eps);
    let change = zip(&mean, &below, |m, d| by * m / d);
    memory.first = Some(mean);
    memory.second = Some(square);
    zip(x, &change, |x, c| x - c)
}

fn rms_prop(group: &Dict, x: &Tensor, g: &Tensor, memory: &mut Memory) -> Tensor {
    let (rate, alpha, eps) = (
        number(group, "lr"),
        number(group, "alpha"),
        number(group, "eps"),
    );
    let square = zip(&running(&memory.second, g, 0.0), g, |v, g| {
        v * alpha + (1.0 - alpha) * g * g
    });
    let below = if flag(group, "centered") {
        let mean = zip(&running(&memory.third, g, 0.0), g, |m, g| {
            m + (1.0 - alpha) * (g - m)
        });
        let below = zip(&square, &mean, |v, m| (v - m * m).sqrt() + eps);
        memory.third = Some(mean);
        below
    } else {
        zip(&square, &square, |v, _| v.sqrt() + eps)
    };
    memory.second = Some(square);
    let mut change = zip(g, &below, |g, d| g / d);
    let momentum = number(group, "momentum");
    if momentum > 0.0 {
        change = zip(&running(&memory.first, g, 0.0), &change, |b, c| {
            b * momentum + c
        });
        memory.first = Some(change.clone());
    }
    zip(x, &change, |x, c| x - rate * c)
}

fn adagrad(group: &Dict, x: &Tensor, g: &Tensor, memory: &mut Memory) -> Tensor {
    let start = number(group, "initial_accumulator_value");
    let sum = zip(&running(&memory.second, g, start), g, |s, g| s + g * g);
    let steps = f64::from(memory.steps - 1);
    let rate = number(group, "lr") / (1.0 + steps * number(group, "lr_decay"));
    let eps = number(group, "eps");
    let below = zip(&sum, &sum, |s, _| s.sqrt() + eps);
    let change = zip(g, &below, |g, d| rate * g / d);
    memory.second = Some(sum);
    zip(x, &change, |x, c| x - c)
}
