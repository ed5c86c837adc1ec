//! Modules with parameters: Linear, LayerNorm; and Identity.

use crate::nn::init::{fill_uniform, parameter, weights};
use crate::nn::{call_functional, class, module, own, parts, set, this};
use std::rc::Rc;
use vjp_binder::Given;
use vjp_binder::readers::as_ints;
use vjp_eval::display::python::repr;
use vjp_eval::display::torch::tuple;
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Instance, Machine, Tried, Value};
use vjp_text::Symbol;

builtins! { static LINEAR in "torch.nn";
    "Linear.__init__" "(self, int in_features, int out_features, bias=True, device=None, dtype dtype=None)" linear, "An affine layer x Wᵀ + b, initialised as in PyTorch.";
    "Linear.forward" "(self, input)" |m, a| with_own(m, a, "linear", &["weight", "bias"]), "x Wᵀ + b";
    "Linear.reset_parameters" "(self)" |m, a| start_linear(m, &*this(&a)?), "Reinitialises the parameters.";
    "Linear.extra_repr" "(self)" |m, a| shown(m, a, &["in_features", "out_features", "bias"]), "Returns the sizes for the repr.";
}

builtins! { static LAYER_NORM in "torch.nn";
    "LayerNorm.__init__" "(self, normalized_shape, float eps=1e-05, bool elementwise_affine=True, bool bias=True, device=None, dtype dtype=None)" layer_norm, "Normalises to mean 0 and variance 1 over the last dimensions.";
    "LayerNorm.forward" "(self, input)" |m, a| with_own(m, a, "layer_norm", &["normalized_shape", "weight", "bias", "eps"]), "Normalises the input.";
    "LayerNorm.extra_repr" "(self)" layer_norm_shown, "Returns the options for the repr.";
}

builtins! { static IDENTITY in "torch.nn";
    "Identity.__init__" "(self, *args, **kwargs)" |m, a| {
        module::begin(m, &*this(&a)?)?;
        Ok(Value::None)
    }, "Accepts and ignores any arguments.";
    "Identity.forward" "(self, input)" |_, a| input(a), "Returns its input.";
}

pub fn classes() -> Vec<(&'static str, Value)> {
    [
        ("Linear", "torch.nn.modules.linear", LINEAR),
        ("LayerNorm", "torch.nn.modules.normalization", LAYER_NORM),
        ("Identity", "torch.nn.modules.linear", IDENTITY),
    ]
    .into_iter()
    .map(|(name, module, methods)| {
        let base = Some(module::class());
        (name, Value::Class(class(name, module, base, methods)))
    })
    .collect()
}

/// What a module was called with, by place or as `input=`.
pub(crate) fn input(args: Args) -> Tried<Value> {
    Ok(Given::of(args)?.raw(1).unwrap_or(Value::None))
}

/// An attribute of the module, or what a property computes in its place (`parametrize`).
fn held(machine: &mut Machine, this: &Rc<Instance>, name: &str) -> Tried<Value> {
    match own(this, name) {
        Some(value) => Ok(value),
        None => machine.get_attr(&Value::Instance(Rc::clone(this)), Symbol::new(name)),
    }
}

/// Calls a function with the input and with attributes of the module.
fn with_own(
    machine: &mut Machine,
    args: Args,
    function: &'static str,
    attributes: &[&str],
) -> Tried<Value> {
    let this = this(&args)?;
    let site = args.site.clone();
    let mut args = Args::new(vec![input(args)?], site);
    for name in attributes {
        args.positional.push(held(machine, &this, name)?);
    }
    call_functional(machine, function, args)
}

/// `name=value` of attributes; a bias only says whether there is one.
fn shown(machine: &mut Machine, args: Args, names: &[&str]) -> Tried<Value> {
    let this = this(&args)?;
    let mut parts = Vec::new();
    for name in names {
        let value = held(machine, &this, name)?;
        let text = match *name {
            "bias" => repr(machine, &Value::Bool(!value.is_none()))?,
            _ => repr(machine, &value)?,
        };
        parts.push(format!("{name}={text}"));
    }
    Ok(Value::from(parts.join(", ")))
}

fn linear(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    let given = Given::of(args)?;
    module::begin(machine, &this)?;
    let lengths = [given.int("out_features")?, given.int("in_features")?].map(|n| n.unwrap_or(0));
    let shape = vjp_tensor::shape::of_lengths(&lengths).at(given.site.span)?;
    let dtype = given.dtype("dtype")?;
    set(&this, "in_features", Value::Int(lengths[1]));
    set(&this, "out_features", Value::Int(lengths[0]));
    let weight = parameter(&shape, 0.0, dtype).at(given.site.span)?;
    set(&this, "weight", Value::Tensor(weight));
    let bias = match given.value("bias").map_or(Ok(true), |v| machine.truth(&v))? {
        true => Value::Tensor(parameter(&shape[..1], 0.0, dtype).at(given.site.span)?),
        false => Value::None,
    };
    parts::put_parameter(&this, "bias", bias);
    match module::written(machine, &this, "reset_parameters")? {
        Some(reset) => machine.call_with(&reset, Vec::new(), &given.site).map(|_| Value::None),
        None => start_linear(machine, &this),
    }
}

/// The weights first, then the bias: the order of the random numbers.
fn start_linear(machine: &mut Machine, this: &Instance) -> Tried<Value> {
    let Some(Value::Tensor(weight)) = own(this, "weight") else {
        return Ok(Value::None);
    };
    weights(machine, &weight)?;
    if let Some(Value::Tensor(bias)) = own(this, "bias") {
        let inputs = weight.shape().get(1).copied().unwrap_or(0);
        let bound = if inputs > 0 { 1.0 / (inputs as f64).sqrt() } else { 0.0 };
        fill_uniform(machine, &bias, -bound, bound)?;
    }
    Ok(Value::None)
}

fn layer_norm(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    let given = Given::of(args)?;
    module::begin(machine, &this)?;
    let shape = given.value("normalized_shape");
    let shape = shape.as_ref().and_then(as_ints).unwrap_or_default();
    let sizes: Vec<usize> = shape.iter().map(|n| (*n).max(0) as usize).collect();
    let items = shape.into_iter().map(Value::Int).collect();
    set(&this, "normalized_shape", Value::tuple(items));
    set(&this, "eps", Value::Float(given.float("eps")?.unwrap_or(1e-5)));
    let affine = given.bool("elementwise_affine")?;
    set(&this, "elementwise_affine", Value::Bool(affine));
    let dtype = given.dtype("dtype")?;
    for (name, value, wanted) in
        [("weight", 1.0, affine), ("bias", 0.0, affine && given.bool("bias")?)]
    {
        let made = match wanted {
            true => Value::Tensor(parameter(&sizes, value, dtype).at(given.site.span)?),
            false => Value::None,
        };
        parts::put_parameter(&this, name, made);
    }
    Ok(Value::None)
}

fn layer_norm_shown(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this: Rc<Instance> = this(&args)?;
    let shape = own(&this, "normalized_shape");
    let sizes = shape.as_ref().and_then(as_ints).unwrap_or_default();
    let sizes: Vec<usize> = sizes.iter().map(|n| (*n).max(0) as usize).collect();
    let rest = shown(machine, args, &["eps", "elementwise_affine", "bias"])?;
    let rest = rest.as_str().unwrap_or_default();
    Ok(Value::from(format!("{}, {rest}", tuple(&sizes))))
}
