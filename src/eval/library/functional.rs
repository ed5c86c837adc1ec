//! `torch.autograd.functional`: derivatives of functions at a point.

use super::Builtin;
use super::autograd::several;
use super::bind::Given;
use super::transforms::{finished, jacobians, ones, pullback, recorded, watched};
use super::types::name_of;
use super::values::tensor_like;
use crate::eval::call::{Args, Site};
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::Value;
use crate::maths::complaint::Kind;
use crate::maths::torch_says;
use crate::maths::variable::Variable;
use crate::raise;

pub static FUNCTIONAL: &[Builtin] = &[
    Builtin {
        name: "jacobian",
        module: "torch.autograd.functional",
        signature: "(func, inputs, bool create_graph=False, bool strict=False, bool vectorize=False, strategy='reverse-mode')",
        help: "The Jacobian of a function at inputs.",
        run: jacobian,
    },
    Builtin {
        name: "hessian",
        module: "torch.autograd.functional",
        signature: "(func, inputs, bool create_graph=False, bool strict=False, bool vectorize=False, outer_jacobian_strategy='reverse-mode')",
        help: "The second derivatives of a scalar function.",
        run: hessian,
    },
    Builtin {
        name: "vjp",
        module: "torch.autograd.functional",
        signature: "(func, inputs, v=None, bool create_graph=False, bool strict=False)",
        help: "The function's value and vᵀJ.",
        run: vjp,
    },
    Builtin {
        name: "jvp",
        module: "torch.autograd.functional",
        signature: "(func, inputs, v=None, bool create_graph=False, bool strict=False)",
        help: "The function's value and J·v.",
        run: jvp,
    },
    Builtin {
        name: "hvp",
        module: "torch.autograd.functional",
        signature: "(func, inputs, v=None, bool create_graph=False, bool strict=False)",
        help: "The function's value and H·v.",
        run: hvp,
    },
    Builtin {
        name: "vhp",
        module: "torch.autograd.functional",
        signature: "(func, inputs, v=None, bool create_graph=False, bool strict=False)",
        help: "The function's value and vᵀH.",
        run: hvp,
    },
];

fn given(args: Args) -> Result<Given, Halt> {
    let span = args.site.span;
    let signature = args.callee.map_or("()", |b| b.signature);
    Given::read(args, signature, false).at(span)
}

/// A function's inputs, watched, and what it gave.
pub struct Traced {
    pub inputs: Vec<Variable>,
    pub several_inputs: bool,
    pub outputs: Vec<Variable>,
    pub several_outputs: bool,
}

/// Calls `func(*inputs)` on watched copies of the inputs.
///
/// # Errors
/// What it raises; a result that is no tensor.
pub fn trace(
    machine: &mut Machine,
    name: &str,
    func: &Value,
    inputs: &Value,
    site: &Site,
) -> Result<Traced, Halt> {
    let (given, several_inputs) = several(machine, inputs).at(site.arg(1))?;
    let mut watching = Vec::with_capacity(given.len());
    for x in &given {
        watching.push(watched(x).at(site.span)?);
    }
    let positional = watching.iter().map(|x| Value::Tensor(x.clone())).collect();
    let result = recorded(machine, func, Args::new(positional, site.clone()))?;
    let (outputs, several_outputs) = outputs_of(machine, name, &result)?;
    Ok(Traced {
        inputs: watching,
        several_inputs,
        outputs,
        several_outputs,
    })
}

fn outputs_of(
    machine: &mut Machine,
    name: &str,
    result: &Value,
) -> Result<(Vec<Variable>, bool), Halt> {
    let refused = |value: &Value| {
        Halt::new(
            Kind::Type,
            format!(
                "The outputs of the user-provided function given to {name} must be either a Tensor or a tuple of Tensors but the given outputs of the user-provided function has type <class '{}'>.",
                name_of(value)
            ),
        )
    };
    match result {
        Value::Tuple(tuple) => {
            let mut all = Vec::new();
            for item in &tuple.items {
                all.push(tensor_like(machine, item)?.ok_or_else(|| refused(item))?);
            }
            Ok((all, true))
        }
        other => match tensor_like(machine, other)? {
            Some(t) => Ok((vec![t], false)),
            None => Err(refused(other)),
        },
    }
}

/// One value, or a tuple of several.
pub fn packed(mut values: Vec<Value>, several: bool) -> Value {
    if several || values.len() != 1 {
        Value::tuple(values)
    } else {
        values.remove(0)
    }
}

fn jacobian(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let keep = g.bool("create_graph")?;
    let (func, inputs) = (
        g.raw(0).unwrap_or(Value::None),
        g.raw(1).unwrap_or(Value::None),
    );
    let t = trace(machine, "jacobian", &func, &inputs, &g.site)?;
    if g.bool("strict")?
        && let Some(k) = t.outputs.iter().position(|y| !y.requires_grad())
    {
        raise!(
            Kind::Runtime,
            "Output {k} of the user-provided function does not require gradients. The outputs must be computed in a differentiable manner from the input when running in strict mode."
        );
    }
    let mut rows = Vec::with_capacity(t.outputs.len());
    for y in &t.outputs {
        let all = jacobians(machine, y, &t.inputs, keep)?;
        rows.push(packed(
            all.into_iter().map(|j| finished(j, keep)).collect(),
            t.several_inputs,
        ));
    }
    Ok(packed(rows, t.several_outputs))
}

fn single(name: &str, t: &Traced) -> Result<Variable, Halt> {
    match t.outputs.as_slice() {
        [y] if !t.several_outputs && y.numel() == 1 => Ok(y.clone()),
        [_] if !t.several_outputs => raise!(
            Kind::Runtime,
            "The Tensor returned by the function given to {name} should contain a single element"
        ),
        _ => raise!(
            Kind::Runtime,
            "The function given to {name} should return a single Tensor"
        ),
    }
}

fn hessian(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let keep = g.bool("create_graph")?;
    let (func, inputs) = (
        g.raw(0).unwrap_or(Value::None),
        g.raw(1).unwrap_or(Value::None),
    );
    let t = trace(machine, "hessian", &func, &inputs, &g.site)?;
    let y = single("hessian", &t)?;
    let v = ones(&y, &g.site)?;
    let slopes = pullback(machine, &y, &v, &t.inputs, true)?;
    let mut rows = Vec::with_capacity(slopes.len());
    for slope in &slopes {
        let all = jacobians(machine, slope, &t.inputs, keep)?;
        rows.push(packed(
            all.into_iter().map(|j| finished(j, keep)).collect(),
            t.several_inputs,
        ));
    }
    Ok(packed(rows, t.several_inputs))
}

/// The vectors given for tensors of these shapes.
fn vectors(machine: &mut Machine, v: &Value, like: &[Variable]) -> Result<Vec<Variable>, Halt> {
    let (all, _) = several(machine, v)?;
    if all.len() != like.len() {
        raise!(
            Kind::Runtime,
            "v is a tuple of invalid length: should be {} but got {}.",
            like.len(),
            all.len()
        );
    }
    for (k, (v, x)) in all.iter().zip(like).enumerate() {
        let (got, want) = (v.shape(), x.shape());
        if got != want {
            let prefix = if like.len() > 1 {
                format!("Entry {k} in ")
            } else {
                String::new()
            };
            raise!(
                Kind::Runtime,
                "{prefix}v has invalid size: should be {} but got {}.",
                torch_says::torch_size(&want),
                torch_says::torch_size(&got)
            );
        }
    }
    Ok(all)
}

fn values_of(outputs: &[Variable], keep: bool, several: bool) -> Value {
    packed(
        outputs.iter().map(|y| finished(y.clone(), keep)).collect(),
        several,
    )
}

fn vjp(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let keep = g.bool("create_graph")?;
    let (func, inputs) = (
        g.raw(0).unwrap_or(Value::None),
        g.raw(1).unwrap_or(Value::None),
    );
    let t = trace(machine, "vjp", &func, &inputs, &g.site)?;
    let vs = match g.value("v") {
        Some(v) => vectors(machine, &v, &t.outputs).at(g.site.span)?,
        None => match t.outputs.as_slice() {
            [y] if y.numel() == 1 => vec![ones(y, &g.site)?],
            _ => raise!(
                Kind::Runtime,
                "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
            ),
        },
    };
    let all = pulled(machine, &t, &vs, keep)?;
    let products = packed(
        all.into_iter().map(|p| finished(p, keep)).collect(),
        t.several_inputs,
    );
    Ok(Value::tuple(vec![
        values_of(&t.outputs, keep, t.several_outputs),
        products,
    ]))
}

/// Σ vᵀJ over all outputs, for each input.
fn pulled(
    machine: &mut Machine,
    t: &Traced,
    vs: &[Variable],
    keep: bool,
) -> Result<Vec<Variable>, Halt> {
    let mut sum: Vec<Option<Variable>> = vec![None; t.inputs.len()];
    for (y, v) in t.outputs.iter().zip(vs) {
        for (slot, part) in sum
            .iter_mut()
            .zip(pullback(machine, y, v, &t.inputs, keep)?)
        {
            *slot = Some(match slot.take() {
                None => part,
                Some(before) => crate::maths::linear::Array::add(&before, &part),
            });
        }
    }
    Ok(sum.into_iter().flatten().collect())
}

fn jvp(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let g = given(args)?;
    let keep = g.bool("create_graph")?;
    let (func, inputs) = (
        g.raw(0).unwrap_or(Value::None),
        g.raw(1).unwrap_or(Value::None),
    );
    let t = trace(machine, "jvp", &func, &inputs, &g.site)?;
    let us = match g.value("v") {
        Some(v) => vectors(machine, &v, &t.inputs).at(g.site.span)?,
        None => match t.inputs.as_slice() {
            [x] if x.numel() == 1 => vec![ones(x, &g.site)?],
            _ => raise!(
                Kind::Runtime,
                "The vector v can only be None if the input to the user-provided function is a single Tensor with a single element."
            ),
        },
    };
    let mut products = Vec::with_capacity(t.outputs.len());
    for y in &t.outputs {
        products.push(finished(pushed(machine, y, &t.inputs, &us)?, keep));
    }
    Ok(Value::tuple(vec![
        values_of(&t.outputs, keep, t.several_outputs),
        packed(products, t.several_outputs),
    ]))
}

/// J·u: w ↦ wᵀJ is linear, and its own transpose applied to u is J·u.
///
/// # Errors
/// As [`pullback`].
pub fn pushed(
    machine: &mut Machine,
    y: &Variable,
    xs: &[Variable],
    us: &[Variable],
) -> Result<Variable, Halt> {
    let zero = crate::maths::tensor::Tensor::filled(&y.shape(), 0.0, y.dtype())?;
    let w = Variable::leaf(zero.clone());
    let pulled = pullback(machine, y, &w, xs, true)?;
    let mut sum: Option<Variable> = None;
    for (slope, u) in pulled.iter().zip(us) {
        let part = pullback(machine, slope, u, std::slice::from_ref(&w), true)?.remove(0);
        sum = Some(match sum {
            None => part,
            Some(before) => crate::maths::linear::Array::add(&before, &part),
        });
    }
    Ok(sum.unwrap_or_else(|| Variable::constant(zero)))
}

/// H·v, which is vᵀH: second derivatives are symmetric.
fn hvp(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let name = args.name();
    let g = given(args)?;
    let keep = g.bool("create_graph")?;
    let (func, inputs) = (
        g.raw(0).unwrap_or(Value::None),
        g.raw(1).unwrap_or(Value::None),
    );
    let t = trace(machine, name, &func, &inputs, &g.site)?;
    let y = single(name, &t)?;
    let vs = match g.value("v") {
        Some(v) => vectors(machine, &v, &t.inputs).at(g.site.span)?,
        None => match t.inputs.as_slice() {
            [x] if x.numel() == 1 => vec![ones(x, &g.site)?],
            _ => raise!(
                Kind::Runtime,
                "The vector v can only be None if the input to the user-provided function is a single Tensor with a single element."
            ),
        },
    };
    let one = ones(&y, &g.site)?;
    let outputs = pullback(machine, &y, &one, &t.inputs, true)?;
    let second = Traced {
        inputs: t.inputs,
        several_inputs: t.several_inputs,
        outputs,
        several_outputs: true,
    };
    let all = pulled(machine, &second, &vs, keep)?;
    let products = packed(
        all.into_iter().map(|p| finished(p, keep)).collect(),
        second.several_inputs,
    );
    Ok(Value::tuple(vec![finished(y, keep), products]))
}
