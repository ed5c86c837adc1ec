//! `torch.autograd.functional`: derivatives of functions at a point.

use crate::autograd::functional_jacobians;
use crate::func::transforms::{Level, Watching, finished, ones, pullback, recorded};
use vjp_binder::Given;
use vjp_binder::readers::tensor_like;
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Machine, Site, Tried, Value, name_of, raise};
use vjp_maths::Variable;
use vjp_tensor::{Kind, torch_messages};

builtins! {
    pub static FUNCTIONAL in "torch.autograd.functional";
    "jacobian" "(func, inputs, bool create_graph=False, bool strict=False, bool vectorize=False, strategy='reverse-mode')" functional_jacobians::jacobian, "Computes the Jacobian of a function at the inputs.";
    "hessian" "(func, inputs, bool create_graph=False, bool strict=False, bool vectorize=False, outer_jacobian_strategy='reverse-mode')" functional_jacobians::hessian, "Computes the Hessian of a scalar function.";
    "vjp" "(func, inputs, v=None, bool create_graph=False, bool strict=False)" vjp, "Computes the function's value and vᵀJ.";
    "jvp" "(func, inputs, v=None, bool create_graph=False, bool strict=False)" jvp, "Returns the function's value and J·v.";
    "hvp" "(func, inputs, v=None, bool create_graph=False, bool strict=False)" hvp, "Computes the function's value and H·v.";
    "vhp" "(func, inputs, v=None, bool create_graph=False, bool strict=False)" hvp, "Computes the function's value and vᵀH.";
}

/// A call of a product: what was given for the function, its inputs and the vector.
struct Call {
    g: Given,
    keep: bool,
    strict: bool,
    traced: Traced,
}

impl Call {
    fn read(machine: &mut Machine, args: Args) -> Tried<Call> {
        let name = args.name();
        let g = Given::of(args)?;
        let (keep, strict) = (g.bool("create_graph")?, g.bool("strict")?);
        let raw = |k: usize| g.raw(k).unwrap_or(Value::None);
        // Only vjp runs the function before it looks at v.
        if name != "vjp" {
            let (like, several) = tensors(machine, "inputs", name, &raw(1)).at(g.site.arg(1))?;
            given_vectors(machine, &g, (&like, several), OF_INPUTS)?;
        }
        let traced = trace(machine, name, &raw(0), &raw(1), watching(keep), &g.site)?;
        if strict {
            traced.must_depend()?;
        }
        Ok(Call { g, keep, strict, traced })
    }

    /// The vectors given for tensors like these; where none are, a one for a single element.
    fn vectors(
        &self,
        machine: &mut Machine,
        (like, several): (&[Variable], bool),
        what: &str,
    ) -> Tried<Vec<Variable>> {
        given_vectors(machine, &self.g, (like, several), what)
    }

    /// [`Call::vectors`] of the inputs.
    fn of_inputs(&self, machine: &mut Machine) -> Tried<Vec<Variable>> {
        let t = &self.traced;
        self.vectors(machine, (&t.inputs, t.several_inputs), OF_INPUTS)
    }
}

fn given_vectors(
    machine: &mut Machine,
    g: &Given,
    (like, several): (&[Variable], bool),
    what: &str,
) -> Tried<Vec<Variable>> {
    match g.value("v") {
        Some(v) => vectors(machine, g.name, &v, like, several).at(g.site.span),
        None => match like {
            [one] if one.numel() == 1 => Ok(vec![ones(one, &g.site)?]),
            _ => raise!(
                "The vector v can only be None if {what} a single Tensor with a single element."
            ),
        },
    }
}

const OF_INPUTS: &str = "the input to the user-provided function is";

/// What a function gets in place of its inputs: their history matters where the graph is created.
pub fn watching(keep: bool) -> Watching {
    if keep { Watching::View } else { Watching::Detached }
}

/// A function's inputs, watched, and what it gave.
pub struct Traced {
    pub inputs: Vec<Variable>,
    pub several_inputs: bool,
    pub outputs: Vec<Variable>,
    pub several_outputs: bool,
    pub level: Level,
}

impl Traced {
    /// `strict=True`: every output was computed from the inputs.
    pub fn must_depend(&self) -> Tried<()> {
        match self.outputs.iter().position(|y| !y.requires_grad()) {
            Some(k) => raise!(
                "Output {k} of the user-provided function does not require gradients. The outputs must be computed in a differentiable manner from the input when running in strict mode."
            ),
            None => Ok(()),
        }
    }

    /// `strict=True`: the gradients depend on the inputs.
    pub fn must_bend(slopes: &[Variable]) -> Tried<()> {
        match slopes.iter().position(|s| !s.requires_grad()) {
            Some(k) => raise!(
                "While computing the hessian, found that the jacobian of the user-provided function with respect to input {k} is independent of the input. This is not allowed in strict mode. You should ensure that your function is twice differentiable and that the jacobian depends on the inputs (this would be violated by a linear function for example)."
            ),
            None => Ok(()),
        }
    }
}

/// Calls `func(*inputs)` on watched copies of the inputs.
pub fn trace(
    machine: &mut Machine,
    name: &str,
    func: &Value,
    inputs: &Value,
    watching: Watching,
    site: &Site,
) -> Tried<Traced> {
    let (given, several_inputs) = tensors(machine, "inputs", name, inputs).at(site.arg(1))?;
    let mut level = Level::begin();
    let how = watching;
    let mut watching = Vec::with_capacity(given.len());
    for x in &given {
        watching.push(level.watch(x, how, machine.strict()).at(site.span)?);
    }
    let positional = watching.iter().map(|x| Value::Tensor(x.clone())).collect();
    let result = recorded(machine, func, Args::new(positional, site.clone()))?;
    let what = "outputs of the user-provided function";
    let (outputs, several_outputs) = tensors(machine, what, name, &result)?;
    Ok(Traced { inputs: watching, several_inputs, outputs, several_outputs, level })
}

/// A tensor or a tuple of tensors; true: it was a tuple.
fn tensors(
    machine: &mut Machine,
    what: &str,
    name: &str,
    value: &Value,
) -> Tried<(Vec<Variable>, bool)> {
    let head =
        format!("The {what} given to {name} must be either a Tensor or a tuple of Tensors but the");
    let one = |machine: &mut Machine, v: &Value| match v {
        Value::Tensor(t) => Ok(Some(t.clone())),
        _ if machine.strict() => Ok(None),
        other => tensor_like(machine, other),
    };
    if let Value::Tuple(tuple) = value {
        let mut all = Vec::with_capacity(tuple.items.len());
        for (k, item) in tuple.items.iter().enumerate() {
            match one(machine, item)? {
                Some(t) => all.push(t),
                None => raise!(
                    Kind::Type,
                    "{head} value at index {k} has type <class '{}'>.",
                    name_of(item)
                ),
            }
        }
        return Ok((all, true));
    }
    match one(machine, value)? {
        Some(t) => Ok((vec![t], false)),
        None => raise!(Kind::Type, "{head} given {what} has type <class '{}'>.", name_of(value)),
    }
}

/// One value, or a tuple of several.
pub fn packed(mut values: Vec<Value>, several: bool) -> Value {
    if several || values.len() != 1 { Value::tuple(values) } else { values.remove(0) }
}

/// The scalar that a function gave.
pub fn single(name: &str, t: &Traced) -> Tried<Variable> {
    match t.outputs.as_slice() {
        [y] if !t.several_outputs && y.numel() == 1 => Ok(y.clone()),
        [_] if !t.several_outputs => raise!(
            "The Tensor returned by the function given to {name} should contain a single element"
        ),
        _ => raise!("The function given to {name} should return a single Tensor"),
    }
}

/// The vectors given for tensors of these shapes.
fn vectors(
    machine: &mut Machine,
    name: &str,
    v: &Value,
    like: &[Variable],
    several: bool,
) -> Tried<Vec<Variable>> {
    let (all, _) = tensors(machine, "v", name, v)?;
    if all.len() != like.len() && !several {
        raise!("The given v should contain a single Tensor.");
    }
    if all.len() != like.len() {
        raise!("v is a tuple of invalid length: should be {} but got {}.", like.len(), all.len());
    }
    for (k, (v, x)) in all.iter().zip(like).enumerate() {
        let (got, want) = (v.shape(), x.shape());
        if got != want {
            let prefix = if several { format!("Entry {k} in ") } else { String::new() };
            raise!(
                "{prefix}v has invalid size: should be {} but got {}.",
                torch_messages::torch_size(&want),
                torch_messages::torch_size(&got)
            );
        }
    }
    Ok(all)
}

fn values_of(outputs: &[Variable], keep: bool, several: bool) -> Value {
    packed(outputs.iter().map(|y| finished(y.clone(), keep)).collect(), several)
}

fn vjp(machine: &mut Machine, args: Args) -> Tried<Value> {
    let call = Call::read(machine, args)?;
    let (t, keep) = (&call.traced, call.keep);
    let what = "the user-provided function returns";
    let vs = call.vectors(machine, (&t.outputs, t.several_outputs), what)?;
    let all = pulled(machine, t, &vs, keep)?;
    let products = packed(all.into_iter().map(|p| finished(p, keep)).collect(), t.several_inputs);
    Ok(Value::tuple(vec![values_of(&t.outputs, keep, t.several_outputs), products]))
}

/// Σ vᵀJ over all outputs, for each input.
fn pulled(machine: &mut Machine, t: &Traced, vs: &[Variable], keep: bool) -> Tried<Vec<Variable>> {
    let mut sum: Vec<Option<Variable>> = vec![None; t.inputs.len()];
    for (y, v) in t.outputs.iter().zip(vs) {
        for (slot, part) in sum.iter_mut().zip(pullback(machine, y, v, &t.inputs, keep)?) {
            *slot = Some(match slot.take() {
                None => part,
                Some(before) => vjp_maths::Array::add(&before, &part),
            });
        }
    }
    Ok(sum.into_iter().flatten().collect())
}

fn jvp(machine: &mut Machine, args: Args) -> Tried<Value> {
    let call = Call::read(machine, args)?;
    let (t, keep) = (&call.traced, call.keep);
    let us = call.of_inputs(machine)?;
    if machine.strict() && t.outputs.iter().any(|y| !y.dtype().is_float()) {
        raise!("Only Tensors of floating point and complex dtype can require gradients");
    }
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
pub fn pushed(
    machine: &mut Machine,
    y: &Variable,
    xs: &[Variable],
    us: &[Variable],
) -> Tried<Variable> {
    let zero = vjp_tensor::Tensor::filled(&y.shape(), 0.0, y.dtype())?;
    let w = Variable::leaf(zero.clone());
    let pulled = pullback(machine, y, &w, xs, true)?;
    let mut sum: Option<Variable> = None;
    for (slope, u) in pulled.iter().zip(us) {
        let part = pullback(machine, slope, u, std::slice::from_ref(&w), true)?.remove(0);
        sum = Some(match sum {
            None => part,
            Some(before) => vjp_maths::Array::add(&before, &part),
        });
    }
    Ok(sum.unwrap_or_else(|| Variable::constant(zero)))
}

/// H·v, which is vᵀH: second derivatives are symmetric.
fn hvp(machine: &mut Machine, args: Args) -> Tried<Value> {
    let name = args.name();
    let call = Call::read(machine, args)?;
    let (t, keep) = (&call.traced, call.keep);
    let y = single(name, t)?;
    let vs = call.of_inputs(machine)?;
    let one = ones(&y, &call.g.site)?;
    let outputs = pullback(machine, &y, &one, &t.inputs, true)?;
    if call.strict {
        Traced::must_bend(&outputs)?;
    }
    let second = Traced {
        inputs: t.inputs.clone(),
        several_inputs: t.several_inputs,
        outputs,
        several_outputs: true,
        level: Level::begin(),
    };
    let all = pulled(machine, &second, &vs, keep)?;
    let products =
        packed(all.into_iter().map(|p| finished(p, keep)).collect(), second.several_inputs);
    Ok(Value::tuple(vec![finished(y, keep), products]))
}
