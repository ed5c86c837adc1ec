//! Indexing tensors and arrays: `x[0]`, `x[:, 1:]`, `x[mask]`, `x[[0, 2]] = v`.

use super::subscript::{Library, Plan, Pick, plan};
use super::types::name_of;
use crate::eval::machine::Machine;
use crate::eval::raise::Halt;
use crate::eval::value::Value;
use crate::maths::complaint::{Complaint, Kind, Outcome};
use crate::maths::grad_mode::with_grad;
use crate::maths::linear::Wires;
use crate::maths::ops::index_put::IndexPut;
use crate::maths::ops::layout::{View, strided};
use crate::maths::tensor::Tensor;
use crate::maths::variable::{Variable, apply};
use std::rc::Rc;

/// `this[key]` of a `Tensor` or `Array`.
///
/// # Errors
/// IndexError, TypeError as PyTorch or NumPy say.
pub fn get(machine: &mut Machine, this: &Value, key: &Value) -> Result<Value, Halt> {
    if typed_code_index(key) {
        machine.indexed = true;
    }
    match this {
        Value::Tensor(t) => Ok(Value::Tensor(read(t, key, Library::Torch)?)),
        Value::Array(a) => {
            let part = with_grad(false, || read(a, key, Library::Numpy))?;
            let whole = key_is_full(key, a.rank());
            match (part.rank(), whole, part.value().item()) {
                (0, true, Some(v)) => Ok(Value::NpScalar(v, part.dtype())),
                _ => Ok(Value::Array(part)),
            }
        }
        other => Err(Halt::new(
            Kind::Type,
            format!("'{}' object is not subscriptable", name_of(other)),
        )),
    }
}

/// Whether every dimension got an integer: NumPy then gives a scalar.
fn key_is_full(key: &Value, rank: usize) -> bool {
    let ints = |v: &Value| v.as_int().is_some();
    match key {
        Value::Tuple(t) => t.items.len() == rank && t.items.iter().all(ints),
        other => rank == 1 && ints(other),
    }
}

fn typed_code_index(key: &Value) -> bool {
    match key {
        Value::Int(_) => true,
        Value::Tuple(t) => t.items.iter().any(|v| matches!(v, Value::Int(_))),
        _ => false,
    }
}

fn read(t: &Variable, key: &Value, library: Library) -> Outcome<Variable> {
    let plan = plan(t, key, library)?;
    let view = viewed(t, &plan, false)?;
    if plan.picks.is_empty() {
        return Ok(view);
    }
    let wires = picked(&view, &plan.picks, library)?;
    apply(
        Rc::new(View { name: "index", grad_fn: "IndexBackward0", wires }),
        &[view],
    )
}

/// The part of `t` that integers, slices and new dimensions name; `writing`: without an alias of the whole.
fn viewed(t: &Variable, plan: &Plan, writing: bool) -> Outcome<Variable> {
    let mut view = t.clone();
    for step in &plan.steps {
        view = strided(&view, step.layout(&view.layout()), step.name(), step.grad_fn())?;
    }
    if plan.steps.is_empty() && plan.picks.is_empty() && !writing {
        view = strided(&view, view.layout(), "alias", "AliasBackward0")?;
    }
    Ok(view)
}

/// Which elements of `view` lists of positions choose (NumPy's advanced indexing).
fn picked(view: &Variable, picks: &[Pick], library: Library) -> Outcome<Wires> {
    let from = view.shape();
    let shapes: Vec<&[usize]> = picks.iter().map(|p| p.shape.as_slice()).collect();
    let Ok(common) = crate::maths::shape::broadcast_all(shapes.iter().copied()) else {
        let list: Vec<String> = shapes.iter().map(|s| shape_text(s, library)).collect();
        let separator = if library == Library::Torch { ", " } else { " " };
        return Err(Complaint::new(
            Kind::Index,
            format!(
                "shape mismatch: indexing {} could not be broadcast together with shapes {}",
                if library == Library::Torch { "tensors" } else { "arrays" },
                list.join(separator) + if library == Library::Torch { "" } else { " " }
            ),
        ));
    };
    let dims: Vec<usize> = picks.iter().map(|p| p.dim).collect();
    let adjacent = dims.windows(2).all(|w| w[1] == w[0] + 1);
    let rest: Vec<usize> = (0..from.len()).filter(|d| !dims.contains(d)).collect();
    // Where the chosen dimensions stand together, theirs take that place; else they come first.
    let lead = if adjacent { dims.first().copied().unwrap_or(0) } else { 0 };
    let mut to: Vec<usize> = rest.iter().take(lead).map(|d| from[*d]).collect();
    to.extend(&common);
    to.extend(rest.iter().skip(lead).map(|d| from[*d]));
    let count = crate::maths::shape::count(&to)?;
    crate::maths::budget::reserve(count.saturating_mul(8))?;

    let strides = crate::maths::shape::strides(&from);
    let chosen: Vec<usize> = positions(picks, &common, &strides);
    let before: Vec<usize> = offsets(&rest[..lead], &from, &strides);
    let after: Vec<usize> = offsets(&rest[lead..], &from, &strides);
    let mut index = Vec::with_capacity(count);
    for b in &before {
        for c in &chosen {
            index.extend(after.iter().map(|a| a + b + c));
        }
    }
    Ok(Wires { from, to, index: index.into() })
}

fn shape_text(shape: &[usize], library: Library) -> String {
    match library {
        Library::Torch => crate::maths::torch_says::sizes(shape),
        Library::Numpy => crate::eval::display::torch::tuple(shape).replace(' ', ""),
    }
}

/// Offsets of all places of some dimensions, row-major.
fn offsets(dims: &[usize], shape: &[usize], strides: &[usize]) -> Vec<usize> {
    dims.iter().fold(vec![0], |all, d| {
        all.iter()
            .flat_map(|base| (0..shape[*d]).map(move |i| base + i * strides[*d]))
            .collect()
    })
}

/// Offsets of the chosen places, over the common shape of the lists.
fn positions(picks: &[Pick], common: &[usize], strides: &[usize]) -> Vec<usize> {
    let count: usize = common.iter().product();
    let mut all = vec![0; count];
    for pick in picks {
        let own = crate::maths::shape::broadcast_strides(&pick.shape, common);
        let whole = crate::maths::shape::strides(common);
        for (k, slot) in all.iter_mut().enumerate() {
            let place: usize = (0..common.len())
                .map(|d| (k / whole[d].max(1)) % common[d].max(1) * own[d])
                .sum();
            *slot += pick.index[place] * strides[pick.dim];
        }
    }
    all
}

/// `this[key] = value`.
///
/// # Errors
/// As PyTorch or NumPy say.
pub fn set(machine: &mut Machine, this: &Value, key: &Value, value: Value) -> Result<(), Halt> {
    if typed_code_index(key) {
        machine.indexed = true;
    }
    match this {
        Value::Tensor(t) => {
            let value = assigned(machine, t, &value, Library::Torch)?;
            Ok(write(t, key, &value, Library::Torch)?)
        }
        Value::Array(a) => {
            let value = assigned(machine, a, &value, Library::Numpy)?;
            Ok(with_grad(false, || write(a, key, &value, Library::Numpy))?)
        }
        other => Err(Halt::new(
            Kind::Type,
            format!("'{}' object does not support item assignment", name_of(other)),
        )),
    }
}

/// The tensor that is written.
fn assigned(machine: &mut Machine, t: &Variable, value: &Value, library: Library) -> Result<Variable, Halt> {
    let direct = match value {
        Value::Tensor(v) | Value::Array(v) => Some(v.clone()),
        Value::Number(n) => Some(n.variable.clone()),
        _ => None,
    };
    if let Some(v) = direct {
        return Ok(v);
    }
    if let Some(v) = value.as_float() {
        let number = Tensor::scalar(t.dtype().cast(v)).with_dtype(t.dtype());
        return Ok(Variable::constant(number));
    }
    if library == Library::Numpy {
        let read = super::nested::tensor_of(value, super::nested::Reader::Numpy)?;
        return Ok(Variable::constant(read));
    }
    match super::bind::tensor_like(machine, value)? {
        Some(v) => Ok(v),
        None => Err(Halt::new(
            Kind::Type,
            format!("can't assign a {} to a {}", name_of(value), t.dtype().type_name()),
        )),
    }
}

fn write(t: &Variable, key: &Value, value: &Variable, library: Library) -> Outcome<()> {
    let plan = plan(t, key, library)?;
    let part = viewed(t, &plan, true)?;
    if plan.picks.is_empty() {
        return part.copy(value).map_err(|c| numpy_words(c, t, value, library));
    }
    part.check_writable()?;
    let wires = picked(&part, &plan.picks, library)?;
    let grad_fn = match (value.rank(), value.requires_grad(), plan.mask) {
        (0, false, true) => "MaskedFillBackward0",
        (0, false, false) if plan.picks.len() == 1 => "IndexFillBackward0",
        _ => "IndexPutBackward0",
    };
    let shape = wires.to.clone();
    if crate::maths::shape::broadcast(&value.shape(), &shape).ok().as_deref() != Some(&shape) {
        return Err(Complaint::new(
            if library == Library::Torch { Kind::Index } else { Kind::Value },
            match library {
                Library::Torch => format!(
                    "shape mismatch: value tensor of shape {} cannot be broadcast to indexing result of shape {}",
                    shape_text(&value.shape(), library),
                    shape_text(&shape, library)
                ),
                Library::Numpy => format!(
                    "shape mismatch: value array of shape {} could not be broadcast to indexing result of shape {}",
                    shape_text(&value.shape(), library),
                    shape_text(&shape, library)
                ),
            },
        ));
    }
    let result = apply(Rc::new(IndexPut::new(wires, grad_fn)), &[part.clone(), value.clone()])?;
    part.update(&result)
}

/// NumPy's sentence where the value does not fit.
fn numpy_words(complaint: Box<Complaint>, t: &Variable, value: &Variable, library: Library) -> Box<Complaint> {
    if library == Library::Torch || complaint.kind != Kind::Runtime {
        return complaint;
    }
    Complaint::new(
        Kind::Value,
        format!(
            "could not broadcast input array from shape {} into shape {}",
            shape_text(&value.shape(), library),
            shape_text(&t.shape(), library)
        ),
    )
}
