//! `torch.func.vmap`: a function of one sample mapped over a batch, sample by sample.

use super::Builtin;
use super::bind::Given;
use super::transforms::{Transform, transform};
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::raise::{At, Halt};
use crate::eval::value::Value;
use crate::maths::complaint::{Complaint, Kind};
use crate::maths::ops::index::select;
use crate::maths::variable::Variable;
use crate::raise;
use std::cell::Cell;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Whether a tensor is one sample of a batch, whose number cannot be asked for.
pub fn is_batched(_: &Variable) -> bool {
    DEPTH.get() > 0
}

/// PyTorch's sentence on `.item()` inside `vmap`.
pub fn no_item() -> Box<Complaint> {
    Complaint::new(
        Kind::Runtime,
        "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a Tensor, please try to rewrite what you're doing with other operations. If error is occurring somewhere inside PyTorch internals, please file a bug report.",
    )
}

pub static VMAP: Builtin = Builtin {
    name: "vmap",
    module: "torch.func",
    signature: "(func, in_dims=0, out_dims=0, randomness=None, chunk_size=None)",
    help: "The function that maps func over a dimension of its arguments.",
    run: make,
};

fn make(_: &mut Machine, args: Args) -> Result<Value, Halt> {
    let span = args.site.span;
    let g = Given::read(args, VMAP.signature, false).at(span)?;
    let function = g.raw(0).unwrap_or(Value::None);
    let in_dims = g.raw(1).unwrap_or(Value::Int(0));
    let out_dims = g.raw(2).unwrap_or(Value::Int(0));
    Ok(transform(Transform {
        name: "vmap",
        run: mapped,
        parts: vec![function, in_dims, out_dims],
    }))
}

fn mapped(machine: &mut Machine, parts: &[Value], args: Args) -> Result<Value, Halt> {
    let (function, in_dims, out_dims) = (&parts[0], &parts[1], &parts[2]);
    let site = args.site.clone();
    let mut size: Option<usize> = None;
    let mut dims: Vec<Option<usize>> = Vec::new();
    for (k, arg) in args.positional.iter().enumerate() {
        let dim = match in_dims {
            Value::Tuple(t) => t.items.get(k).cloned().unwrap_or(Value::None),
            Value::List(l) => l.items.borrow().get(k).cloned().unwrap_or(Value::None),
            other => other.clone(),
        };
        let (Some(dim), Value::Tensor(t)) = (dim.as_int(), arg) else {
            dims.push(None);
            continue;
        };
        let shape = t.shape();
        let rank = shape.len() as i64;
        if dim < -rank || dim >= rank {
            raise!(
                Kind::Value,
                "vmap({}, in_dims={}, ...)(<inputs>): Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {rank} so expected in_dim to satisfy -{rank} <= in_dim < {rank}.",
                function_name(machine, function),
                crate::eval::display::python::repr(machine, in_dims)?
            );
        }
        let axis = (if dim < 0 { dim + rank } else { dim }) as usize;
        if *size.get_or_insert(shape[axis]) != shape[axis] {
            raise!(
                Kind::Value,
                "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes [{}, {}] for the mapped dimension",
                size.unwrap_or(0),
                shape[axis]
            );
        }
        dims.push(Some(axis));
    }
    let Some(size) = size else {
        raise!(
            Kind::Value,
            "vmap({}, in_dims={}, ...)(<inputs>): got no inputs to map over",
            function_name(machine, function),
            crate::eval::display::python::repr(machine, in_dims)?
        );
    };
    let mut results: Vec<Value> = Vec::with_capacity(size);
    for at in 0..size {
        let mut sample = Vec::with_capacity(args.positional.len());
        for (arg, dim) in args.positional.iter().zip(&dims) {
            sample.push(match (arg, dim) {
                (Value::Tensor(t), Some(dim)) => {
                    let part = select(t, *dim, at as i64, *dim).at(site.span)?;
                    Value::Tensor(part)
                }
                _ => arg.clone(),
            });
        }
        let call = Args {
            positional: sample,
            named: args.named.clone(),
            site: site.clone(),
            callee: None,
        };
        DEPTH.set(DEPTH.get() + 1);
        let result = machine.call(function, call);
        DEPTH.set(DEPTH.get() - 1);
        results.push(result?);
    }
    stacked(machine, &results, out_dims, &site)
}

fn function_name(machine: &mut Machine, function: &Value) -> String {
    let name = crate::text::names::Symbol::new("__name__");
    match machine.get_attr(function, name) {
        Ok(Value::Str(s)) => s.to_string(),
        _ => "func".to_owned(),
    }
}

/// Results of all samples as one tensor, or as a tuple of them.
fn stacked(
    machine: &mut Machine,
    results: &[Value],
    out_dims: &Value,
    site: &crate::eval::call::Site,
) -> Result<Value, Halt> {
    if let Some(Value::Tuple(first)) = results.first() {
        let mut parts = Vec::with_capacity(first.items.len());
        for k in 0..first.items.len() {
            let column: Vec<Value> = results
                .iter()
                .filter_map(|r| match r {
                    Value::Tuple(t) => t.items.get(k).cloned(),
                    _ => None,
                })
                .collect();
            let dim = match out_dims {
                Value::Tuple(t) => t.items.get(k).cloned().unwrap_or(Value::Int(0)),
                other => other.clone(),
            };
            parts.push(stacked(machine, &column, &dim, site)?);
        }
        return Ok(Value::tuple(parts));
    }
    let dim = Value::Int(out_dims.as_int().unwrap_or(0));
    let list = Value::list(results.to_vec());
    super::torch::call_function(machine, "stack", vec![list, dim], site)
}
