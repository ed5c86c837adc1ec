//! `torch.func.vmap`: a function of one sample mapped over a batch, sample by sample.

use crate::func::transforms::{Transform, transform};
use crate::func::tree::{Tree, flatten};
use vjp_binder::Given;
use vjp_binder::readers::tensor_like;
use vjp_eval::display::python::{repr, str};
use vjp_eval::library::builtins;
use vjp_eval::{Args, At, Builtin, Machine, Site, Tried, Value, name_of, raise};
use vjp_maths::Variable;
use vjp_maths::autodiff::grad_mode::{is_grad_enabled, transforming};
use vjp_ops::arrange::join::stack_as;
use vjp_ops::batched;
use vjp_ops::index::select;
use vjp_tensor::{Kind, Outcome, random};

builtins! {
    static TABLE in "torch.func";
    "vmap" "(func, in_dims=0, out_dims=0, randomness='error', *, chunk_size=None)" make, "Returns func vectorised over a dimension of its arguments.";
}
pub static VMAP: &Builtin = &TABLE[0];

fn make(machine: &mut Machine, args: Args) -> Tried<Value> {
    let span = args.site.span;
    let g = Given::read(args, VMAP.signature, false).at(span)?;
    let raw = |k: usize, usual: Value| g.raw(k).unwrap_or(usual);
    let randomness = raw(3, Value::str("error"));
    if !matches!(randomness.as_str(), Some("error" | "same" | "different")) {
        raise!(
            "Only allowed values for randomness are 'error', 'different', or 'same'. Got {}",
            str(machine, &randomness)?
        );
    }
    if let Some(size) = g.value("chunk_size")
        && size.as_int().is_none_or(|n| n <= 0)
    {
        raise!(
            Kind::Value,
            "vmap: chunk_size should be None or greater than 0. (got {})",
            str(machine, &size)?
        );
    }
    Ok(transform(Transform {
        name: "vmap",
        run: mapped,
        parts: vec![raw(0, Value::None), raw(1, Value::Int(0)), raw(2, Value::Int(0)), randomness],
    }))
}

/// The arguments of a call with the dimension that each tensor in them is mapped over.
struct Batch {
    leaves: Vec<(Value, Option<usize>)>,
    tree: Tree,
    size: usize,
}

impl Batch {
    fn read(machine: &mut Machine, name: &str, in_dims: &Value, args: &[Value]) -> Tried<Batch> {
        let shown = str(machine, in_dims)?;
        let head = format!("vmap({name}, in_dims={shown}, ...)(<inputs>)");
        if in_dims.as_int().is_none() && !matches!(in_dims, Value::Tuple(_)) {
            raise!(
                Kind::Value,
                "{head}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, got: <class '{}'>.",
                name_of(in_dims)
            );
        }
        if args.is_empty() {
            raise!(
                Kind::Value,
                "vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a function with no inputs. The latter is unsupported."
            );
        }
        let (values, tree) = flatten(machine, &Value::tuple(args.to_vec()))?;
        let Some(dims) = tree.spread(in_dims) else {
            let given = flatten(machine, in_dims)?.1.spec(machine)?;
            raise!(
                Kind::Value,
                "{head}: in_dims is not compatible with the structure of `inputs`. in_dims has structure {given} but inputs has structure {}.",
                tree.spec(machine)?
            );
        };
        let mut leaves = Vec::with_capacity(values.len());
        let mut sizes = Vec::new();
        for (value, dim) in values.into_iter().zip(dims) {
            let axis = axis(machine, &head, &value, &dim)?;
            if let (Value::Tensor(t), Some(axis)) = (&value, axis) {
                sizes.push(t.shape()[axis]);
            }
            leaves.push((value, axis));
        }
        let Some(&size) = sizes.first() else {
            raise!(Kind::Value, "vmap: Expected at least one Tensor to vmap over");
        };
        if sizes.iter().any(|s| *s != size) {
            let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
            raise!(
                Kind::Value,
                "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes [{}] for the mapped dimension",
                sizes.join(", ")
            );
        }
        Ok(Batch { leaves, tree, size })
    }

    /// The arguments of one sample.
    fn sample(&self, k: usize) -> Outcome<Vec<Value>> {
        let mut parts = Vec::with_capacity(self.leaves.len());
        for leaf in &self.leaves {
            parts.push(match leaf {
                (Value::Tensor(t), Some(axis)) => Value::Tensor(select(t, *axis, k as i64, *axis)?),
                (other, _) => other.clone(),
            });
        }
        Ok(match self.tree.build(&mut parts.into_iter()) {
            Value::Tuple(t) => t.items.clone(),
            one => vec![one],
        })
    }
}

/// The dimension of an argument that is mapped over.
fn axis(machine: &mut Machine, head: &str, value: &Value, dim: &Value) -> Tried<Option<usize>> {
    if dim.is_none() {
        return Ok(None);
    }
    let Some(k) = dim.as_int() else {
        raise!(
            Kind::Value,
            "{head}: Got in_dim={} for an input but in_dim must be either an integer dimension or None.",
            str(machine, dim)?
        );
    };
    let Value::Tensor(t) = value else {
        raise!(
            Kind::Value,
            "{head}: Got in_dim={k} for an input but the input is of type <class '{}'>. We cannot vmap over non-Tensor arguments, please use None as the respective in_dim",
            name_of(value)
        );
    };
    let rank = t.rank() as i64;
    if k < -rank || k >= rank {
        raise!(
            Kind::Value,
            "{head}: Got in_dim={k} for some input, but that input is a Tensor of dimensionality {rank} so expected in_dim to satisfy -{rank} <= in_dim < {rank}."
        );
    }
    Ok(usize::try_from(if k < 0 { k + rank } else { k }).ok())
}

fn mapped(machine: &mut Machine, parts: &[Value], args: Args) -> Tried<Value> {
    let (function, in_dims, out_dims) = (&parts[0], &parts[1], &parts[2]);
    let site = args.site.clone();
    let name = function_name(machine, function)?;
    let mut given = args.positional;
    for value in &mut given {
        if machine.is_vector(value)
            && let Some(vector) = tensor_like(machine, value)?
        {
            *value = Value::Tensor(vector);
        }
    }
    let batch = Batch::read(machine, &name, in_dims, &given)?;
    let randomness = parts[3].as_str().unwrap_or("error");
    let seed = (randomness == "same").then(random::state);
    let mut results: Vec<Value> = Vec::with_capacity(batch.size);
    for k in 0..batch.size {
        if let Some(seed) = &seed {
            random::restore(seed.clone());
        }
        let of = batch.leaves.iter().filter_map(|leaf| match leaf {
            (Value::Tensor(t), Some(_)) => Some(t),
            _ => None,
        });
        let _running = batched::Running::begin(randomness, (k, batch.size), of);
        let call = Args {
            positional: batch.sample(k).at(site.span)?,
            named: args.named.clone(),
            site: site.clone(),
            callee: None,
        };
        results.push(transforming(|| machine.call(function, call))?);
    }
    joined(machine, &name, &results, out_dims, &site)
}

fn function_name(machine: &mut Machine, function: &Value) -> Tried<String> {
    let name = vjp_text::Symbol::new("__name__");
    match machine.get_attr(function, name) {
        Ok(Value::Str(s)) => Ok(s.to_string()),
        _ => repr(machine, function),
    }
}

/// Results of all samples, each tensor in them stacked along its dimension of `out_dims`.
fn joined(
    machine: &mut Machine,
    name: &str,
    results: &[Value],
    out_dims: &Value,
    site: &Site,
) -> Tried<Value> {
    let Some(first) = results.first() else {
        return Ok(Value::tuple(Vec::new()));
    };
    let (leaves, tree) = flatten(machine, first)?;
    let dims = match (&tree, out_dims) {
        (Tree::Leaf, Value::Tuple(t)) if t.items.len() == 1 => Some(t.items.clone()),
        _ => tree.spread(out_dims),
    };
    let Some(dims) = dims else {
        let given = flatten(machine, out_dims)?.1.spec(machine)?;
        raise!(
            Kind::Value,
            "vmap({name}, ..., out_dims={})(<inputs>): out_dims is not compatible with the structure of `outputs`. out_dims has structure {given} but outputs has structure {}.",
            str(machine, out_dims)?,
            tree.spec(machine)?
        );
    };
    let mut columns: Vec<Vec<Value>> = vec![Vec::with_capacity(results.len()); leaves.len()];
    for result in results {
        for (column, value) in columns.iter_mut().zip(flatten(machine, result)?.0) {
            column.push(value);
        }
    }
    let mut all = Vec::with_capacity(columns.len());
    for (column, dim) in columns.into_iter().zip(dims) {
        all.push(match dim.as_int() {
            None => column.into_iter().next().unwrap_or(Value::None),
            Some(dim) => Value::Tensor(stacked(name, &column, dim, site)?),
        });
    }
    Ok(tree.build(&mut all.into_iter()))
}

fn stacked(name: &str, column: &[Value], dim: i64, site: &Site) -> Tried<Variable> {
    let mut parts = Vec::with_capacity(column.len());
    for value in column {
        match value {
            Value::Tensor(t) => parts.push(t.clone()),
            Value::Number(n) => parts.push(n.variable.clone()),
            other => raise!(
                Kind::Value,
                "vmap({name}, ...): `{name}` must only return Tensors, got type <class '{}'>. Did you mean to set out_dims= to None for output?",
                name_of(other)
            ),
        }
    }
    let grad_fn = batched_name(&parts, dim);
    stack_as(&parts, dim, grad_fn).at(site.span)
}

/// The node that PyTorch shows for the results of all samples together: the one that made each of
/// them, where that one works on a batch as it is.
pub fn batched_name(parts: &[Variable], dim: i64) -> &'static str {
    let made: Vec<Option<&'static str>> =
        parts.iter().map(|p| p.node().map(|n| n.grad_fn())).collect();
    if !is_grad_enabled() {
        return "StackBackward0";
    }
    match made.first() {
        Some(Some(_)) if dim != 0 => "PermuteBackward0",
        Some(Some(own)) if made.iter().all(|m| *m == Some(own)) => match *own {
            "DotBackward0" => "SqueezeBackward1",
            "MvBackward0" => "PermuteBackward0",
            "SumBackward0" => "SumBackward1",
            "MeanBackward0" => "MeanBackward1",
            "MmBackward0" => "BmmBackward0",
            other => other,
        },
        _ => "StackBackward0",
    }
}
