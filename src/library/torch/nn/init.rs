//! `torch.nn.init`: first values of parameters, with PyTorch's random numbers.

use crate::generator::using;
use crate::random::draws_single;
use crate::random_fill::{normal_numbers, uniform_numbers};
use vjp_binder::Given;
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Machine, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::with_grad;
use vjp_tensor::tensor::default_dtype;
use vjp_tensor::{Dtype, Kind, Outcome, Tensor};

builtins! {
    pub static BUILTINS in "torch.nn.init";
    "uniform_" "(Tensor tensor, float a=0.0, float b=1.0)" |m, a| using(m, a, uniform), "Fills with uniform random numbers between a and b.";
    "normal_" "(Tensor tensor, float mean=0.0, float std=1.0)" |m, a| using(m, a, normal), "Fills with normal random numbers.";
    "constant_" "(Tensor tensor, float val)" |_, a| filled(a, None), "Fills with one number.";
    "ones_" "(Tensor tensor)" |_, a| filled(a, Some(1.0)), "Fills with ones.";
    "zeros_" "(Tensor tensor)" |_, a| filled(a, Some(0.0)), "Fills with zeros.";
    "eye_" "(Tensor tensor)" eye, "Fills with an identity matrix.";
    "xavier_uniform_" "(Tensor tensor, float gain=1.0)" |m, a| using(m, a, |m, a| xavier(m, a, Shape::Uniform)), "Fills with uniform random numbers scaled by fan-in and fan-out (Glorot).";
    "xavier_normal_" "(Tensor tensor, float gain=1.0)" |m, a| using(m, a, |m, a| xavier(m, a, Shape::Normal)), "Fills with normal random numbers scaled by fan-in and fan-out (Glorot).";
    "kaiming_uniform_" "(Tensor tensor, float a=0, str mode='fan_in', str nonlinearity='leaky_relu')" |m, a| using(m, a, |m, a| kaiming(m, a, Shape::Uniform)), "Fills with uniform random numbers scaled by fan-in (He).";
    "kaiming_normal_" "(Tensor tensor, float a=0, str mode='fan_in', str nonlinearity='leaky_relu')" |m, a| using(m, a, |m, a| kaiming(m, a, Shape::Normal)), "Fills with normal random numbers scaled by fan-in (He).";
    "_calculate_fan_in_and_fan_out" "(Tensor tensor)" |_, a| {
        let (inputs, outputs) = fans(&target(&Given::of(a)?)?)?;
        Ok(Value::tuple(vec![Value::Int(inputs as i64), Value::Int(outputs as i64)]))
    }, "Returns the fan-in and fan-out of a weight.";
    "calculate_gain" "(str nonlinearity, param=None)" calculate_gain, "Returns the recommended gain for an activation.";
}

/// Which distribution.
#[derive(Clone, Copy)]
enum Shape {
    Uniform,
    Normal,
}

fn target(g: &Given) -> Tried<Variable> {
    match g.raw(0) {
        Some(Value::Tensor(t)) => Ok(t),
        other => Err(g.mismatch(0, &other.unwrap_or(Value::None))),
    }
}

/// Writes new values without recording that.
fn write(t: &Variable, data: Vec<f64>) -> Outcome<()> {
    let new = Tensor::typed(&t.shape(), data, t.dtype());
    with_grad(false, || t.update(&Variable::constant(new)))
}

/// A tensor's numbers, uniform between two bounds.
pub fn fill_uniform(machine: &Machine, t: &Variable, low: f64, high: f64) -> Outcome<()> {
    let single = draws_single(machine, t.dtype());
    write(t, uniform_numbers(t.numel(), single, low, high)?)
}

/// A tensor's numbers, normal.
pub fn fill_normal(machine: &Machine, t: &Variable, mean: f64, std: f64) -> Outcome<()> {
    let single = draws_single(machine, t.dtype());
    write(t, normal_numbers(t, single, mean, std)?)
}

fn uniform(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let t = target(&g)?;
    let (low, high) = (g.float("a")?.unwrap_or(0.0), g.float("b")?.unwrap_or(1.0));
    fill_uniform(machine, &t, low, high).at(g.site.span)?;
    Ok(Value::Tensor(t))
}

fn normal(machine: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let t = target(&g)?;
    let (mean, std) = (g.float("mean")?.unwrap_or(0.0), g.float("std")?.unwrap_or(1.0));
    fill_normal(machine, &t, mean, std).at(g.site.span)?;
    Ok(Value::Tensor(t))
}

fn filled(args: Args, value: Option<f64>) -> Tried<Value> {
    let g = Given::of(args)?;
    let t = target(&g)?;
    let value = match value {
        Some(value) => value,
        None => g.float("val")?.unwrap_or(0.0),
    };
    write(&t, vec![value; t.numel()]).at(g.site.span)?;
    Ok(Value::Tensor(t))
}

fn eye(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let t = target(&g)?;
    let [rows, columns] = t.shape()[..] else {
        raise!(Kind::Value, "Only tensors with 2 dimensions are supported");
    };
    let data = (0..rows * columns)
        .map(|k| f64::from(u8::from(k / columns.max(1) == k % columns.max(1))))
        .collect();
    write(&t, data).at(g.site.span)?;
    Ok(Value::Tensor(t))
}

/// How many inputs and outputs an element of the tensor's matrix has.
pub fn fans(t: &Variable) -> Tried<(f64, f64)> {
    let shape = t.shape();
    let [outputs, inputs, field @ ..] = shape.as_slice() else {
        raise!(
            Kind::Value,
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        );
    };
    let field: usize = field.iter().product();
    Ok(((inputs * field) as f64, (outputs * field) as f64))
}

fn draw(machine: &Machine, t: &Variable, std: f64, shape: Shape) -> Outcome<()> {
    match shape {
        Shape::Uniform => {
            let bound = 3.0f64.sqrt() * std;
            fill_uniform(machine, t, -bound, bound)
        }
        Shape::Normal => fill_normal(machine, t, 0.0, std),
    }
}

fn xavier(machine: &mut Machine, args: Args, shape: Shape) -> Tried<Value> {
    let g = Given::of(args)?;
    let t = target(&g)?;
    let (inputs, outputs) = fans(&t)?;
    let std = g.float("gain")?.unwrap_or(1.0) * (2.0 / (inputs + outputs)).sqrt();
    draw(machine, &t, std, shape).at(g.site.span)?;
    Ok(Value::Tensor(t))
}

fn kaiming(machine: &mut Machine, args: Args, shape: Shape) -> Tried<Value> {
    let g = Given::of(args)?;
    let t = target(&g)?;
    let (inputs, outputs) = fans(&t)?;
    let mode = g.text("mode")?.unwrap_or_default().to_lowercase();
    let fan = match mode.as_str() {
        "fan_in" => inputs,
        "fan_out" => outputs,
        _ => raise!(
            Kind::Value,
            "Mode {mode} not supported, please use one of ['fan_in', 'fan_out']"
        ),
    };
    let kind = g.text("nonlinearity")?.unwrap_or_default();
    let slope = g.float("a")?.unwrap_or(0.0);
    let std = gain(&kind, Some(slope))? / fan.sqrt();
    draw(machine, &t, std, shape).at(g.site.span)?;
    Ok(Value::Tensor(t))
}

/// The weights of a layer as PyTorch starts them: uniform within ±1/√inputs, written as Kaiming's
/// formula with slope √5.
pub fn weights(machine: &Machine, t: &Variable) -> Tried<()> {
    if t.numel() == 0 {
        return Ok(());
    }
    let std = gain("leaky_relu", Some(5.0f64.sqrt()))? / fans(t)?.0.sqrt();
    Ok(draw(machine, t, std, Shape::Uniform)?)
}

fn gain(kind: &str, param: Option<f64>) -> Tried<f64> {
    Ok(match kind {
        "sigmoid" => 1.0,
        _ if kind == "linear" || kind.starts_with("conv") => 1.0,
        "tanh" => 5.0 / 3.0,
        "relu" => 2.0f64.sqrt(),
        "leaky_relu" => (2.0 / (1.0 + param.unwrap_or(0.01).powi(2))).sqrt(),
        "selu" => 0.75,
        _ => raise!(Kind::Value, "Unsupported nonlinearity {kind}"),
    })
}

fn calculate_gain(_: &mut Machine, args: Args) -> Tried<Value> {
    let g = Given::of(args)?;
    let kind = g.text("nonlinearity")?.unwrap_or_default();
    let value = gain(&kind, g.float("param")?)?;
    let whole = value == 1.0;
    Ok(if whole { Value::Int(1) } else { Value::Float(value) })
}

/// A parameter of this shape, to be filled.
pub fn parameter(shape: &[usize], value: f64, dtype: Option<Dtype>) -> Outcome<Variable> {
    let dtype = dtype.unwrap_or_else(default_dtype);
    Ok(Variable::parameter(Tensor::filled(shape, value, dtype)?, true))
}
