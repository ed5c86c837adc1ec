//! `torch.autograd.grad` and `torch.autograd.functional`.

use super::Builtin;
use super::bind::Given;
use super::lend::lend;
use super::transforms::ones;
use super::types::name_of;
use super::values::tensor_like;
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::Value;
use crate::maths::complaint::Kind;
use crate::maths::reverse::{SweepOptions, sweep};
use crate::maths::torch_says;
use crate::maths::variable::Variable;
use crate::raise;

pub static GRAD: Builtin = Builtin {
    name: "grad",
    module: "torch.autograd",
    signature: "(outputs, inputs, grad_outputs=None, retain_graph=None, bool create_graph=False, allow_unused=None, is_grads_batched=False, materialize_grads=False)",
    help: "vᵀJ of outputs with respect to inputs, returned and not added to any .grad.",
    run: grad,
};

/// A tensor or a sequence of tensors; true: it was a sequence.
pub fn several(machine: &mut Machine, value: &Value) -> Result<(Vec<Variable>, bool), Halt> {
    match value {
        Value::Tensor(t) => return Ok((vec![t.clone()], false)),
        Value::Number(n) => return Ok((vec![n.variable.clone()], false)),
        // A numeric list is one tensor.
        Value::List(list) if list.numeric.get() && !machine.strict() => {
            let t = crate::eval::leaf::stacked(machine, value)?;
            return Ok((vec![t], false));
        }
        _ => {}
    }
    let mut all = Vec::new();
    for item in machine.collect(value)? {
        match tensor_like(machine, &item)? {
            Some(t) => all.push(t),
            None => raise!(
                Kind::Type,
                "expected a tensor or a sequence of tensors, got {}",
                name_of(&item)
            ),
        }
    }
    Ok((all, true))
}

/// vᵀJ for given graphs: `torch.autograd.grad`, and `grad(y, x)` at the prompt.
///
/// # Errors
/// PyTorch's sentences.
pub fn grad(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    Ok(Value::tuple(gradients(machine, args)?.0))
}

/// The gradients, and whether inputs were a sequence.
///
/// # Errors
/// As [`grad`].
pub fn gradients(machine: &mut Machine, args: Args) -> Result<(Vec<Value>, bool), Halt> {
    let span = args.site.span;
    let g = Given::read(args, GRAD.signature, false).at(span)?;
    let span = g.site.span;
    let (ys, _) = several(machine, &g.raw(0).unwrap_or(Value::None)).at(g.site.arg(0))?;
    let (xs, many) = several(machine, &g.raw(1).unwrap_or(Value::None)).at(g.site.arg(1))?;
    let create = g.bool("create_graph")?;
    let retain = match g.value("retain_graph") {
        Some(flag) => machine.truth(&flag)?,
        None => create,
    };
    let materialize = match g.value("materialize_grads") {
        Some(flag) => machine.truth(&flag)?,
        None => false,
    };
    let unused = match g.value("allow_unused") {
        Some(flag) => machine.truth(&flag)?,
        None => materialize,
    };
    let weights: Vec<Option<Variable>> = match g.value("grad_outputs") {
        None => vec![None; ys.len()],
        Some(list @ (Value::List(_) | Value::Tuple(_))) => {
            let numeric = matches!(&list, Value::List(l) if l.numeric.get() && !machine.strict())
                && ys.len() == 1;
            if numeric {
                vec![tensor_like(machine, &list)?]
            } else {
                let mut all = Vec::new();
                for item in machine.collect(&list)? {
                    all.push(tensor_like(machine, &item)?);
                }
                all
            }
        }
        Some(other) => match tensor_like(machine, &other)? {
            Some(v) => vec![Some(v)],
            None => raise!(
                Kind::Type,
                "gradients can be either Tensors or None, but got {}",
                name_of(&other)
            ),
        },
    };
    let mut roots = Vec::with_capacity(ys.len());
    for (k, y) in ys.iter().enumerate() {
        let v = match weights.get(k).cloned().flatten() {
            Some(v) => {
                let (want, got) = (y.shape(), v.shape());
                if want != got {
                    return Err(torch_says::gradient_shape(k, &got, &want)).at(span);
                }
                v
            }
            None if y.numel() != 1 && y.requires_grad() => {
                return Err(torch_says::not_scalar_output()).at(span);
            }
            None => ones(y, &g.site)?,
        };
        roots.push((y.clone(), v));
    }
    if let Some(k) = ys.iter().position(|y| !y.requires_grad()) {
        return Err(torch_says::no_grad_fn(k)).at(span);
    }
    if xs.iter().any(|x| !x.requires_grad()) {
        raise!(
            Kind::Runtime,
            "One of the differentiated Tensors does not require grad"
        );
    }
    let options = SweepOptions {
        create_graph: create,
        retain_graph: retain || !machine.strict(),
        inputs: Some(&xs),
        strict_free: machine.strict(),
    };
    let done = lend(machine, || sweep(&roots, options)).at(span)?;
    let mut all = Vec::with_capacity(xs.len());
    for (k, (x, g)) in xs.iter().zip(done.inputs).enumerate() {
        all.push(match g {
            Some(g) => Value::Tensor(g),
            None if materialize => Value::Tensor(Variable::constant(
                crate::maths::tensor::Tensor::filled(&x.shape(), 0.0, x.dtype()).at(span)?,
            )),
            None if unused => Value::None,
            None => raise!(
                Kind::Runtime,
                "The differentiated Tensor at index {k} appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior."
            ),
        });
    }
    Ok((all, many))
}
