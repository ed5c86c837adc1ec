//! What changes all of a module at once: modes, gradients, types, and the saved state.

use crate::nn::module::{self, Members, all_members, this_of, written};
use crate::nn::{set, this};
use std::collections::HashSet;
use std::rc::Rc;
use vjp_binder::Given;
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Instance, Machine, Site, Tried, Value, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::with_grad;
use vjp_tensor::{Dtype, Kind, Outcome, Tensor};

builtins! {
    pub static METHODS in "torch.nn.Module";
    "train" "(self, bool mode=True)" |m, a| {
        let given = Given::of(a)?;
        turn(m, &this_of(&given)?, given.bool("mode")?, &given.site)
    }, "Sets the module and its submodules to training mode.";
    "eval" "(self)" eval, "Sets the module and its submodules to evaluation mode.";
    "zero_grad" "(self, bool set_to_none=True)" zero_grad, "Clears the gradients of all parameters.";
    "requires_grad_" "(self, bool requires_grad=True)" requires_grad, "Turns gradients of its parameters on or off.";
    "apply" "(self, fn)" apply, "Calls a function on every submodule and on the module itself.";
    "double" "(self)" |_, a| converted(&a, Dtype::Float64), "Converts the parameters to float64.";
    "half" "(self)" |_, a| converted(&a, Dtype::Float16), "Converts the parameters to float16.";
    "bfloat16" "(self)" |_, a| converted(&a, Dtype::Bfloat16), "Converts the parameters to bfloat16.";
    "float" "(self)" |_, a| converted(&a, Dtype::Float32), "Converts the parameters to float32.";
    "cuda" "(self, device=None)" |_, _| Ok(vjp_binder::device::no_card()?), "Raises an error: vjp runs on the CPU.";
    "cpu" "(self)" |_, a| Ok(Value::Instance(this(&a)?)), "Returns itself: vjp runs on the CPU.";
    "to" "(self, *args)" to, "Converts the parameters to another type.";
}

/// Modes go down to all inner modules; one whose class has a `train` of its own is asked by that.
fn turn(machine: &mut Machine, this: &Rc<Instance>, training: bool, site: &Site) -> Tried<Value> {
    let (mut waiting, mut seen) = (vec![Rc::clone(this)], HashSet::new());
    while let Some(module) = waiting.pop() {
        if !seen.insert(Rc::as_ptr(&module)) {
            continue;
        }
        let own = if seen.len() > 1 { written(machine, &module, "train")? } else { None };
        match own {
            Some(train) => {
                machine.call_with(&train, vec![Value::Bool(training)], site)?;
            }
            None => {
                set(&module, "training", Value::Bool(training));
                waiting.extend(module::children(&module).into_iter().rev().map(|(_, m)| m));
            }
        }
    }
    Ok(Value::Instance(Rc::clone(this)))
}

fn eval(machine: &mut Machine, args: Args) -> Tried<Value> {
    let this = this(&args)?;
    match written(machine, &this, "train")? {
        Some(train) => machine.call_with(&train, vec![Value::Bool(false)], &args.site),
        None => turn(machine, &this, false, &args.site),
    }
}

/// Forgets a gradient, or fills it with zeros.
pub fn forget(p: &Variable, to_none: bool) -> Outcome<()> {
    match p.grad() {
        Some(g) if !to_none => {
            let zero = Tensor::filled(&g.shape(), 0.0, g.dtype())?;
            with_grad(false, || g.update(&Variable::constant(zero)))
        }
        _ => p.set_grad(None),
    }
}

fn zero_grad(_: &mut Machine, args: Args) -> Tried<Value> {
    let given = Given::of(args)?;
    let to_none = given.bool("set_to_none")?;
    for (_, p) in all_members(&this_of(&given)?, "", Members::Parameters, true) {
        forget(&p, to_none).at(given.site.span)?;
    }
    Ok(Value::None)
}

fn requires_grad(_: &mut Machine, args: Args) -> Tried<Value> {
    let given = Given::of(args)?;
    let (this, flag) = (this_of(&given)?, given.bool("requires_grad")?);
    for (_, p) in all_members(&this, "", Members::Parameters, true) {
        p.set_requires_grad(flag).at(given.site.span)?;
    }
    Ok(Value::Instance(this))
}

fn apply(machine: &mut Machine, args: Args) -> Tried<Value> {
    let given = Given::of(args)?;
    let this = this_of(&given)?;
    let function = given.raw(1).unwrap_or(Value::None);
    // Inner modules come before what they are in.
    for module in inner_first(&this) {
        machine.call_with(&function, vec![Value::Instance(module)], &given.site)?;
    }
    Ok(Value::Instance(this))
}

/// Children before their parent, as `apply` visits: one that a parent has twice once, one of two parents
/// twice.
fn inner_first(this: &Rc<Instance>) -> Vec<Rc<Instance>> {
    let mut waiting = vec![(Rc::clone(this), false)];
    let (mut open, mut all) = (Vec::new(), Vec::new());
    while let Some((module, done)) = waiting.pop() {
        if done {
            open.pop();
            all.push(module);
            continue;
        }
        // A module inside itself would never end.
        if open.contains(&Rc::as_ptr(&module)) {
            continue;
        }
        open.push(Rc::as_ptr(&module));
        waiting.push((Rc::clone(&module), true));
        let mut inner = module::children(&module);
        let mut seen = HashSet::new();
        inner.retain(|(_, m)| seen.insert(Rc::as_ptr(m)));
        waiting.extend(inner.into_iter().rev().map(|(_, m)| (m, false)));
    }
    all
}

/// Parameters keep their identity, as with PyTorch's `param.data = …`.
fn converted(args: &Args, dtype: Dtype) -> Tried<Value> {
    let this = this(args)?;
    for (_, p) in all_members(&this, "", Members::Both, true) {
        if p.dtype().is_float() {
            let waits = p.is_uninitialized();
            p.set_data(&Variable::constant(p.value().to_dtype(dtype)));
            if waits {
                p.mark_uninitialized();
            }
        }
    }
    Ok(Value::Instance(this))
}

fn to(_: &mut Machine, mut args: Args) -> Tried<Value> {
    let named = args.take("dtype");
    let device = args.take("device");
    let places = args.positional.iter().skip(1).chain(&device);
    let names = |v: &Value| v.is_int() || vjp_binder::device::names_one(v);
    for place in places.filter(|v| names(v)) {
        vjp_binder::device::reached(place).at(args.site.span)?;
    }
    let dtype = args.positional.iter().chain(&named).find_map(|v| match v {
        Value::Dtype(d) => Some(*d),
        Value::Tensor(t) => Some(t.dtype()),
        _ => None,
    });
    match dtype {
        Some(dtype) if dtype.is_float() => converted(&args, dtype),
        Some(dtype) => raise!(
            Kind::Type,
            "nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=torch.{}",
            vjp_eval::display::torch::dtype_name(dtype)
        ),
        None => Ok(Value::Instance(this(&args)?)),
    }
}
