//! `torch.func`: derivatives of functions as functions.

pub(crate) mod jacobians;
pub(crate) mod modules;
pub mod products;
pub mod transforms;
pub mod tree;
pub mod vmap;

use crate::autograd::functional::packed;
use crate::func::jacobians::{forward_jacobian, hessian, jacobian};
use crate::func::products::{jvp, linearize, vjp};
use crate::func::transforms::{Level, Transform, Watching, ones, pullback, recorded, transform};
use crate::func::tree::{Tree, flatten, tensor};
use vjp_binder::Given;
use vjp_binder::readers::tensor_like;
use vjp_eval::display::python::repr;
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Machine, Tried, Value, name_of, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::transforming;

builtins! {
    /// `torch.func.grad` …
    pub static BUILTINS in "torch.func";
    "grad" "(func, argnums=0, has_aux=False)" |m, a| make(m, a, grad), "Returns the gradient of a scalar function, as a function.";
    "grad_and_value" "(func, argnums=0, has_aux=False)" |m, a| make(m, a, grad_and_value), "Returns a function for the gradient and value of a scalar function.";
    "jacrev" "(func, argnums=0, has_aux=False, *, chunk_size=None)" |m, a| make(m, a, jacobian), "Returns the Jacobian as a function, computed row by row.";
    "jacfwd" "(func, argnums=0, has_aux=False, *, randomness='error')" |m, a| make(m, a, forward_jacobian), "Returns the Jacobian as a function, computed column by column.";
    "hessian" "(func, argnums=0)" |m, a| make(m, a, hessian), "Returns the Hessian as a function.";
    "vjp" "(func, *primals, has_aux=False)" vjp, "Returns the function's value and the map v ↦ vᵀJ.";
    "jvp" "(func, primals, tangents, *, strict=False, has_aux=False)" jvp, "Returns the function's value and J·v.";
    "linearize" "(func, *primals)" linearize, "Returns the function's value and the map u ↦ J·u.";
    "functional_call" "(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False)" crate::func::modules::functional_call, "Calls a module with other parameters.";
    "stack_module_state" "(models)" crate::func::modules::stack_module_state, "Stacks the parameters and buffers of several modules.";
}

type Run = fn(&mut Machine, &[Value], Args) -> Tried<Value>;

/// The function that a transform makes: its parts are func, argnums and has_aux.
fn make(_: &mut Machine, args: Args, run: Run) -> Tried<Value> {
    let name = args.name();
    let g = Given::of(args)?;
    let part = |k: usize, usual: Value| g.raw(k).unwrap_or(usual);
    Ok(transform(Transform {
        name,
        run,
        parts: vec![part(0, Value::None), part(1, Value::Int(0)), part(2, Value::Bool(false))],
    }))
}

/// A call with some arguments watched.
pub struct Watched {
    pub level: Level,
    pub inputs: Vec<Variable>,
    args: Args,
    /// The containers of each argument that is watched.
    trees: Vec<Tree>,
    /// `argnums` was a tuple.
    several: bool,
}

impl Watched {
    /// Calls the function; its result, and what it returned besides.
    pub fn call(
        &self,
        machine: &mut Machine,
        function: &Value,
        api: &str,
        has_aux: &Value,
    ) -> Tried<(Value, Option<Value>)> {
        let result = transforming(|| recorded(machine, function, self.args.clone()))?;
        split(machine, api, result, has_aux)
    }

    /// What was found for each input, in the containers that held them.
    pub fn shaped(&self, found: Vec<Variable>) -> Value {
        let mut found = found.into_iter().map(|v| Value::Tensor(self.level.finish(v)));
        let all = self.trees.iter().map(|tree| tree.build(&mut found));
        packed(all.collect(), self.several)
    }
}

/// The places that `argnums` names, and whether it was a tuple.
fn places(machine: &mut Machine, argnums: &Value, count: usize) -> Tried<(Vec<usize>, bool)> {
    let (numbers, several) = match argnums {
        Value::Tuple(t) => (t.items.clone(), true),
        other if other.as_int().is_some() => (vec![other.clone()], false),
        other => {
            raise!("argnums must be int or Tuple[int, ...], got: <class '{}'>", name_of(other))
        }
    };
    if numbers.is_empty() {
        raise!("argnums must be non-empty");
    }
    let mut all: Vec<usize> = Vec::with_capacity(numbers.len());
    for number in &numbers {
        let Some(k) = number.as_int() else {
            raise!("argnum must be int, got: <class '{}'>", name_of(number));
        };
        let at = if k < 0 { k + count as i64 } else { k };
        match usize::try_from(at).ok().filter(|at| *at < count) {
            Some(at) if all.contains(&at) => {
                raise!("argnums elements must be unique, got {}", repr(machine, argnums)?)
            }
            Some(at) => all.push(at),
            None => raise!("Got argnum={k}, but only {count} positional inputs"),
        }
    }
    Ok((all, several))
}

/// Watches the tensors in the arguments that `argnums` names.
pub fn watch(machine: &mut Machine, argnums: &Value, mut args: Args) -> Tried<Watched> {
    let (numbers, several) = places(machine, argnums, args.positional.len())?;
    let mut level = Level::begin();
    let (mut inputs, mut trees) = (Vec::new(), Vec::new());
    for at in numbers {
        let (leaves, tree) = flatten(machine, &args.positional[at])?;
        let first = inputs.len();
        for leaf in &leaves {
            let x = tensor(machine, leaf).at(args.site.span)?;
            inputs.push(level.watch(&x, Watching::Itself, machine.strict()).at(args.site.span)?);
        }
        let watched = inputs[first..].iter().cloned().map(Value::Tensor);
        args.positional[at] = tree.build(&mut { watched });
        trees.push(tree);
    }
    Ok(Watched { level, inputs, args, trees, several })
}

/// What a function returned, and with `has_aux` what it returned besides.
pub fn split(
    machine: &mut Machine,
    api: &str,
    result: Value,
    has_aux: &Value,
) -> Tried<(Value, Option<Value>)> {
    if !machine.truth(has_aux)? {
        return Ok((result, None));
    }
    match &result {
        Value::Tuple(t) if t.items.len() == 2 => Ok((t.items[0].clone(), Some(t.items[1].clone()))),
        _ => raise!(
            "{api}: output of function f should be a tuple: (output, aux) if has_aux is True"
        ),
    }
}

/// `grad_and_value`: gradients, value, and what else the function returned.
fn differentiated(
    machine: &mut Machine,
    parts: &[Value],
    args: Args,
) -> Tried<(Value, Value, Option<Value>)> {
    const API: &str = "grad_and_value(f)(*args)";
    let site = args.site.clone();
    let w = watch(machine, &parts[1], args)?;
    let (y, extra) = w.call(machine, &parts[0], API, &parts[2])?;
    let found = match &y {
        Value::Tensor(t) => Some(t.clone()),
        other if !machine.strict() => tensor_like(machine, other)?,
        _ => None,
    };
    let Some(y) = found else {
        raise!("{API}: Expected f(*args) to return a Tensor, got <class '{}'>", name_of(&y));
    };
    if y.rank() != 0 {
        raise!(
            "{API}: Expected f(*args) to return a scalar Tensor, got tensor with {} dims. Maybe you wanted to use the vjp or jacrev APIs instead?",
            y.rank()
        );
    }
    let v = ones(&y, &site)?;
    let keep = w.level.open(&y);
    let slopes = pullback(machine, &y, &v, &w.inputs, keep)?;
    let extra = extra.map(|e| w.level.bare(machine, &e)).transpose()?;
    Ok((w.shaped(slopes), Value::Tensor(w.level.finish(y)), extra))
}

/// A result with what the function returned besides, if it did.
pub fn beside(value: Value, extra: Option<Value>) -> Value {
    match extra {
        Some(extra) => Value::tuple(vec![value, extra]),
        None => value,
    }
}

fn grad(machine: &mut Machine, parts: &[Value], args: Args) -> Tried<Value> {
    let (slopes, _, extra) = differentiated(machine, parts, args)?;
    Ok(beside(slopes, extra))
}

fn grad_and_value(machine: &mut Machine, parts: &[Value], args: Args) -> Tried<Value> {
    let (slopes, value, extra) = differentiated(machine, parts, args)?;
    Ok(Value::tuple(vec![slopes, beside(value, extra)]))
}
