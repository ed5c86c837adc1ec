//! `torch.func.vjp` and `torch.func.jvp`: products with the Jacobian of a function.

use super::bind::Given;
use super::func::bare;
use super::functional::{packed, pushed};
use super::transforms::{Transform, finished, pullback, recorded, transform, watched};
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

/// `torch.func.vjp(f, *primals)`.
///
/// # Errors
/// What the function raises.
pub fn vjp(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let site = args.site.clone();
    let mut positional = args.positional;
    let mut aux = false;
    for (name, value) in args.named {
        match name.as_str() {
            "has_aux" => aux = machine.truth(&value)?,
            other => raise!(
                Kind::Type,
                "vjp() got an unexpected keyword argument '{other}'"
            ),
        }
    }
    if positional.is_empty() {
        raise!(
            Kind::Type,
            "vjp() missing 1 required positional argument: 'func'"
        );
    }
    let func = positional.remove(0);
    let (inputs, keep) = primals(machine, positional, &site)?;
    let call = Args::new(
        inputs.iter().map(|x| Value::Tensor(x.clone())).collect(),
        site.clone(),
    );
    let result = recorded(machine, &func, call)?;
    let (output, extra) = match (&result, aux) {
        (Value::Tuple(t), true) if t.items.len() == 2 => {
            (t.items[0].clone(), Some(t.items[1].clone()))
        }
        _ => (result, None),
    };
    let shown = match &output {
        Value::Tuple(t) => Value::tuple(t.items.iter().map(|v| bare(v.clone(), keep)).collect()),
        other => bare(other.clone(), keep),
    };
    let inputs = Value::tuple(inputs.into_iter().map(Value::Tensor).collect());
    let back = transform(Transform {
        name: "vjp_fn",
        run: pull,
        parts: vec![output, inputs, Value::Bool(keep)],
    });
    let mut parts = vec![shown, back];
    parts.extend(extra.map(|e| bare(e, keep)));
    Ok(Value::tuple(parts))
}

fn primals(
    machine: &mut Machine,
    values: Vec<Value>,
    site: &Site,
) -> Result<(Vec<Variable>, bool), Halt> {
    let mut inputs = Vec::with_capacity(values.len());
    let mut keep = false;
    for value in &values {
        let Some(x) = tensor_like(machine, value)? else {
            raise!(
                Kind::Runtime,
                "expected the primals to be Tensors, got {}",
                name_of(value)
            );
        };
        keep |= x.requires_grad();
        inputs.push(watched(&x).at(site.span)?);
    }
    Ok((inputs, keep))
}

/// `vjp_fn(v)`.
fn pull(machine: &mut Machine, parts: &[Value], args: Args) -> Result<Value, Halt> {
    let keep = matches!(parts[2], Value::Bool(true));
    let xs: Vec<Variable> = variables(&parts[1]);
    let ys = variables(&parts[0]);
    let given = match args.positional.first() {
        Some(Value::Tuple(t)) if args.positional.len() == 1 => t.items.clone(),
        _ => args.positional.clone(),
    };
    let mut sum: Option<Vec<Variable>> = None;
    for (k, y) in ys.iter().enumerate() {
        let v = given.get(k).cloned().unwrap_or(Value::None);
        let Some(v) = tensor_like(machine, &v)? else {
            raise!(
                Kind::Type,
                "vjp_fn(): expected a Tensor, got {}",
                name_of(&v)
            );
        };
        let (want, got) = (y.shape(), v.shape());
        if want != got {
            return Err(torch_says::gradient_shape(k, &got, &want)).at(args.site.span);
        }
        let part = pullback(machine, y, &v, &xs, keep)?;
        sum = Some(match sum {
            None => part,
            Some(before) => before
                .iter()
                .zip(&part)
                .map(|(a, b)| crate::maths::linear::Array::add(a, b))
                .collect(),
        });
    }
    let all = sum
        .unwrap_or_default()
        .into_iter()
        .map(|s| finished(s, keep))
        .collect();
    // Always a tuple, one part for each primal.
    Ok(Value::tuple(all))
}

fn variables(value: &Value) -> Vec<Variable> {
    match value {
        Value::Tuple(t) => t.items.iter().flat_map(variables).collect(),
        Value::Tensor(t) => vec![t.clone()],
        Value::Number(n) => vec![n.variable.clone()],
        _ => Vec::new(),
    }
}

/// `torch.func.jvp(f, primals, tangents)`.
///
/// # Errors
/// PyTorch's sentences on primals and tangents.
pub fn jvp(machine: &mut Machine, args: Args) -> Result<Value, Halt> {
    let span = args.site.span;
    let signature = args.callee.map_or("()", |b| b.signature);
    let g = Given::read(args, signature, false).at(span)?;
    let (func, primals_given, tangents) = (
        g.raw(0).unwrap_or(Value::None),
        g.raw(1).unwrap_or(Value::None),
        g.raw(2).unwrap_or(Value::None),
    );
    if !matches!(primals_given, Value::Tuple(_)) {
        raise!(
            Kind::Runtime,
            "jvp(f, primals, tangents): Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        );
    }
    if !matches!(tangents, Value::Tuple(_)) {
        raise!(
            Kind::Runtime,
            "jvp(f, primals, tangents): Expected primals and tangents to have the same python structure."
        );
    }
    let (inputs, keep) = primals(machine, machine_items(&primals_given), &g.site)?;
    let us = variables(&tangents);
    if us.len() != inputs.len() {
        raise!(
            Kind::Runtime,
            "jvp(f, primals, tangents): Expected primals and tangents to have the same python structure. For example, if primals is a tuple of 3 tensors, tangents also must be. Got primals with structure {} and tangents with structure {}",
            inputs.len(),
            us.len()
        );
    }
    for (x, u) in inputs.iter().zip(&us) {
        if x.shape() != u.shape() {
            raise!(
                Kind::Runtime,
                "jvp(f, primals, tangents): Expected tangents to have the same shape as primals"
            );
        }
    }
    let call = Args::new(
        inputs.iter().map(|x| Value::Tensor(x.clone())).collect(),
        g.site.clone(),
    );
    let result = recorded(machine, &func, call)?;
    let (result, extra) = match (&result, g.bool("has_aux")?) {
        (Value::Tuple(t), true) if t.items.len() == 2 => {
            (t.items[0].clone(), Some(t.items[1].clone()))
        }
        _ => (result, None),
    };
    let many = matches!(result, Value::Tuple(_));
    let ys = variables(&result);
    let mut products = Vec::with_capacity(ys.len());
    for y in &ys {
        products.push(finished(pushed(machine, y, &inputs, &us)?, keep));
    }
    let values = ys.into_iter().map(|y| finished(y, keep)).collect();
    let mut parts = vec![packed(values, many), packed(products, many)];
    parts.extend(extra.map(|e| bare(e, keep)));
    Ok(Value::tuple(parts))
}

fn machine_items(value: &Value) -> Vec<Value> {
    match value {
        Value::Tuple(t) => t.items.clone(),
        other => vec![other.clone()],
    }
}
