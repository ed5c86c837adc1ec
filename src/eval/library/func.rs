//! `torch.func`: derivatives of functions as functions.

use super::Builtin;
use super::bind::Given;
use super::func_products::{jvp, vjp};
use super::functional::packed;
use super::transforms::{
    Transform, finished, forward_jacobians, jacobians, ones, pullback, recorded, transform, watched,
};
use super::tree;
use super::types::name_of;
use super::values::tensor_like;
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::Value;
use crate::maths::complaint::Kind;
use crate::maths::variable::Variable;
use crate::raise;

macro_rules! transforms {
    ($($name:literal $signature:literal $make:ident $help:literal;)*) => {
        /// `torch.func.grad` …
        pub static BUILTINS: &[Builtin] = &[$(Builtin {
            name: $name,
            module: "torch.func",
            signature: $signature,
            help: $help,
            run: $make,
        }),*];
    };
}

transforms! {
    "grad" "(func, argnums=0, has_aux=False)" make_grad "The gradient of a scalar function, as a function.";
    "grad_and_value" "(func, argnums=0, has_aux=False)" make_grad_and_value "Gradient and value of a scalar function.";
    "jacrev" "(func, argnums=0, has_aux=False, chunk_size=None)" make_jacobian "The Jacobian, row by row, as a function.";
    "jacfwd" "(func, argnums=0, has_aux=False, randomness=None)" make_jacobian "The Jacobian as a function.";
    "hessian" "(func, argnums=0)" make_hessian "The second derivatives as a function.";
    "vjp" "(func, primals, has_aux=False)" vjp "The function's value, and the function v ↦ vᵀJ.";
    "jvp" "(func, primals, tangents, has_aux=False)" jvp "The function's value and J·v.";
}

fn parts(args: Args) -> Result<Vec<Value>, Halt> {
    let span = args.site.span;
    let signature = args.callee.map_or("()", |b| b.signature);
    let g = Given::read(args, signature, false).at(span)?;
    Ok((0..3)
        .map(|k| {
            g.raw(k).unwrap_or(if k == 1 {
                Value::Int(0)
            } else {
                Value::Bool(false)
            })
        })
        .collect())
}

fn make_grad(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    Ok(transform(Transform {
        name: "grad",
        run: grad,
        parts: parts(args)?,
    }))
}

fn make_grad_and_value(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    Ok(transform(Transform {
        name: "grad_and_value",
        run: grad_and_value,
        parts: parts(args)?,
    }))
}

fn make_jacobian(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let name = args.name();
    Ok(transform(Transform {
        name,
        run: if name == "jacfwd" {
            forward_jacobian
        } else {
            jacobian
        },
        parts: parts(args)?,
    }))
}

fn make_hessian(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let mut parts = parts(args)?;
    parts[2] = Value::Bool(false);
    let inner = transform(Transform {
        name: "jacrev",
        run: jacobian,
        parts: parts.clone(),
    });
    parts[0] = inner;
    Ok(transform(Transform {
        name: "hessian",
        run: jacobian,
        parts,
    }))
}

/// A call with some arguments watched.
struct Watched {
    args: Args,
    inputs: Vec<Variable>,
    /// The arguments that hold the inputs.
    trees: Vec<Value>,
    /// `argnums` was a tuple.
    several: bool,
    /// Something was tracked before: results keep their history.
    keep: bool,
}

impl Watched {
    /// What was found for each input, in the containers that held them.
    fn shaped(&self, machine: &mut Machine, found: Vec<Variable>) -> Result<Value, Halt> {
        let mut found = found.into_iter();
        let mut all = Vec::with_capacity(self.trees.len());
        for tree in &self.trees {
            all.push(tree::map(machine, tree, &mut |x| {
                let own = found.next().unwrap_or(x);
                Ok(if self.keep { own } else { bare_variable(own) })
            })?);
        }
        Ok(packed(all, self.several))
    }
}

fn bare_variable(v: Variable) -> Variable {
    if v.requires_grad() { v.detach() } else { v }
}

fn watch(machine: &mut Machine, argnums: &Value, mut args: Args) -> Result<Watched, Halt> {
    let (numbers, several) = match argnums {
        Value::Tuple(_) | Value::List(_) => {
            (super::values::as_ints(argnums).unwrap_or_default(), true)
        }
        other => (vec![other.as_int().unwrap_or(0)], false),
    };
    let count = args.positional.len() as i64;
    let (mut inputs, mut trees, mut keep) = (Vec::new(), Vec::new(), false);
    for value in &args.positional {
        keep |= matches!(value, Value::Tensor(t) if t.requires_grad());
    }
    for number in numbers {
        let at = if number < 0 { number + count } else { number };
        if at < 0 || at >= count {
            raise!(
                Kind::Runtime,
                "Got argnum={number}, but only {count} positional inputs"
            );
        }
        let slot = &mut args.positional[at as usize];
        *slot = tree::map(machine, slot, &mut |x| {
            keep |= x.requires_grad();
            let x = watched(&x).at(args.site.span)?;
            inputs.push(x.clone());
            Ok(x)
        })?;
        trees.push(slot.clone());
    }
    Ok(Watched {
        args,
        inputs,
        trees,
        several,
        keep,
    })
}

/// `grad_and_value`: gradients, value, and what else the function returned.
fn differentiated(
    machine: &mut Machine,
    parts: &[Value],
    args: Args,
) -> Result<(Value, Value, Option<Value>), Halt> {
    let site = args.site.clone();
    let aux = machine.truth(&parts[2])?;
    let w = watch(machine, &parts[1], args)?;
    let result = recorded(machine, &parts[0], w.args.clone())?;
    let (y, extra) = match (&result, aux) {
        (Value::Tuple(t), true) if t.items.len() == 2 => {
            (t.items[0].clone(), Some(t.items[1].clone()))
        }
        _ => (result, None),
    };
    let Some(y) = tensor_like(machine, &y)? else {
        raise!(
            Kind::Runtime,
            "grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got unsupported type {}",
            name_of(&y)
        );
    };
    if y.rank() != 0 {
        raise!(
            Kind::Runtime,
            "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with {} dims. Maybe you wanted to use the vjp or jacrev APIs instead?",
            y.rank()
        );
    }
    let v = ones(&y, &site)?;
    // Always recorded: an outer derivative may follow.
    let slopes = pullback(machine, &y, &v, &w.inputs, w.keep)?;
    let slopes = w.shaped(machine, slopes)?;
    Ok((slopes, finished(y, w.keep), extra.map(|e| bare(e, w.keep))))
}

/// What a function returned besides, without history.
pub fn bare(value: Value, keep: bool) -> Value {
    match value {
        Value::Tensor(t) => finished(t, keep),
        other => other,
    }
}

fn grad(machine: &mut Machine, parts: &[Value], args: Args) -> Result<Value, Halt> {
    let (slopes, _, extra) = differentiated(machine, parts, args)?;
    Ok(match extra {
        Some(extra) => Value::tuple(vec![slopes, extra]),
        None => slopes,
    })
}

fn grad_and_value(machine: &mut Machine, parts: &[Value], args: Args) -> Result<Value, Halt> {
    let (slopes, value, extra) = differentiated(machine, parts, args)?;
    let value = match extra {
        Some(extra) => Value::tuple(vec![value, extra]),
        None => value,
    };
    Ok(Value::tuple(vec![slopes, value]))
}

fn jacobian(machine: &mut Machine, parts: &[Value], args: Args) -> Result<Value, Halt> {
    by_rows_or_columns(machine, parts, args, false)
}

fn forward_jacobian(machine: &mut Machine, parts: &[Value], args: Args) -> Result<Value, Halt> {
    by_rows_or_columns(machine, parts, args, true)
}

fn by_rows_or_columns(
    machine: &mut Machine,
    parts: &[Value],
    args: Args,
    forward: bool,
) -> Result<Value, Halt> {
    let aux = machine.truth(&parts[2])?;
    let w = watch(machine, &parts[1], args)?;
    let result = recorded(machine, &parts[0], w.args.clone())?;
    let (y, extra) = match (&result, aux) {
        (Value::Tuple(t), true) if t.items.len() == 2 => {
            (t.items[0].clone(), Some(t.items[1].clone()))
        }
        _ => (result, None),
    };
    let matrices = matrices(machine, &y, &w, forward)?;
    Ok(match extra {
        Some(extra) => Value::tuple(vec![matrices, bare(extra, w.keep)]),
        None => matrices,
    })
}

fn matrices(machine: &mut Machine, y: &Value, w: &Watched, forward: bool) -> Result<Value, Halt> {
    if let Value::Tuple(t) = y {
        let mut all = Vec::with_capacity(t.items.len());
        for item in &t.items {
            all.push(matrices(machine, item, w, forward)?);
        }
        return Ok(Value::tuple(all));
    }
    let Some(y) = tensor_like(machine, y)? else {
        raise!(
            Kind::Runtime,
            "jacrev(f, ...)(*args): expected f to only return Tensors as outputs, got {}",
            name_of(y)
        );
    };
    // Forward mode gives numbers; where a derivative of this one may follow, rows are recorded.
    let all = if forward && !w.keep {
        forward_jacobians(&y, &w.inputs)?
    } else {
        jacobians(machine, &y, &w.inputs, w.keep)?
    };
    w.shaped(machine, all)
}
