//! Leaves from bare numbers and lists, and what a list means under arithmetic: contract section 4.

use super::arith;
use super::machine::Machine;
use super::raise::Halt;
use super::value::{List, Tracked, Value};
use crate::maths::complaint::{Complaint, Kind, Outcome};
use crate::maths::grad_mode;
use crate::maths::ops::{Arg, Scalar};
use crate::maths::tensor::{Dtype, Tensor};
use crate::maths::variable::Variable;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::text::names::Symbol;
use std::rc::Rc;

/// Lists nest no deeper when they are stacked.
const DEPTH: usize = 64;

/// An expression of numbers alone, or a display of such, nested to any depth.
pub(super) fn is_literal(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::List(items) => !items.is_empty() && items.iter().all(is_literal),
        _ => is_arithmetic(e),
    }
}

/// A literal, or literals beside each other: an input that binds it shows the value.
pub(super) fn shows_itself(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Tuple(items) => items.iter().all(is_literal),
        _ => is_literal(e),
    }
}

fn is_arithmetic(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Long(_) | ExprKind::Float(_) => true,
        ExprKind::Unary { signs, operand } => {
            signs.iter().all(|(s, _)| *s != UnaryOp::Invert) && is_arithmetic(operand)
        }
        ExprKind::Chain { first, rest } => {
            is_arithmetic(first) && rest.iter().all(|l| is_arithmetic(&l.operand))
        }
        ExprKind::Power { base, exponents } => {
            is_arithmetic(base) && exponents.iter().all(|x| is_arithmetic(&x.operand))
        }
        _ => false,
    }
}

/// Makes a leaf of a literal's value, named after what it is bound to.
pub(super) fn adopt(value: &Value, name: Symbol) -> Result<Value, Halt> {
    let name: Rc<str> = name.as_str().into();
    match value {
        Value::Int(_) | Value::Long(_) | Value::Float(_) => {
            // An int beyond the floats stays a number.
            let Some(x) = value.as_float() else {
                return Ok(value.clone());
            };
            let variable = Variable::implicit(Tensor::number(x, Dtype::Float64), name);
            Ok(Value::Number(Rc::new(Tracked { number: value.clone(), variable })))
        }
        Value::List(l) => {
            if let Some(tensor) = numbers(value) {
                l.leaf.replace(Some(Rc::clone(&name)));
                remember(l, &Variable::implicit(tensor?, name));
            }
            Ok(value.clone())
        }
        _ => Ok(value.clone()),
    }
}

/// A list display: numeric where its elements are numbers, 0-d tensors, or such lists of one length.
pub(super) fn display(items: Vec<Value>) -> Value {
    let length = |v: &Value| match v {
        Value::List(l) => Some(l.items.borrow().len()),
        _ => None,
    };
    let first = items.first().and_then(length);
    let numeric = !items.is_empty() && items.iter().all(|v| is_component(v) && length(v) == first);
    let list = List::new(items);
    list.numeric.set(numeric);
    Value::List(Rc::new(list))
}

/// What may stand in a numeric list.
pub(super) fn is_component(v: &Value) -> bool {
    match v {
        Value::Int(_) | Value::Float(_) => true,
        Value::Long(_) | Value::Number(_) => v.as_float().is_some(),
        Value::NpScalar(_, d) => *d != Dtype::Bool,
        Value::Tensor(t) => t.rank() == 0,
        Value::List(l) => l.numeric.get(),
        _ => false,
    }
}

/// The tensor a value is or stands for already: a tensor, a tracked number, a list that was used as one.
pub fn existing(value: &Value) -> Option<Variable> {
    match value {
        Value::Tensor(v) | Value::Array(v) => Some(v.clone()),
        Value::Number(n) => Some(n.variable.clone()),
        Value::List(l) => l.tensor.borrow().clone(),
        _ => None,
    }
}

/// The variable of a number; plain ones are constants, weak in promotion.
pub(super) fn variable_of_number(v: &Value) -> Variable {
    match v {
        Value::Number(n) => n.variable.clone(),
        Value::Int(i) => Variable::constant(Scalar::Int(*i).tensor()),
        Value::Bool(b) => Variable::constant(Scalar::Bool(*b).tensor()),
        other => Variable::constant(Scalar::Float(other.as_float().unwrap_or(0.0)).tensor()),
    }
}

/// The tensor that a value means under arithmetic: itself, a number's variable, a list stacked
/// (nested lists of numbers and of 0-d tensors, remembering what they were computed from).
///
/// # Errors
/// Lists that are ragged or hold what is no number.
pub fn stacked(machine: &mut Machine, value: &Value) -> Result<Variable, Halt> {
    if let Some(v) = existing(value) {
        return Ok(v);
    }
    match value {
        Value::Int(_) | Value::Long(_) | Value::Float(_) | Value::Bool(_) => {
            super::number::float(value)?;
            Ok(variable_of_number(value))
        }
        Value::NpScalar(x, d) => Ok(Variable::constant(Tensor::scalar(*x).to_dtype(*d))),
        Value::List(l) => {
            let plain = numbers(value);
            let variable = match plain {
                Some(tensor) => {
                    let tensor = tensor?;
                    match l.leaf.borrow().clone() {
                        Some(name) => Variable::implicit(tensor, name),
                        None => Variable::constant(tensor),
                    }
                }
                None => stack(machine, l, 0)?,
            };
            if variable.requires_grad() || !variable.is_leaf() || grad_mode::is_grad_enabled() {
                remember(l, &variable);
            }
            Ok(variable)
        }
        Value::Tuple(t) => {
            let list = Value::List(Rc::new(List::new(t.items.clone())));
            stacked(machine, &list)
        }
        other => Err(Complaint::new(
            Kind::Type,
            format!("a '{}' is no vector", super::library::types::name_of(other)),
        )
        .into()),
    }
}

/// Keeps the tensor of a list; lists in it forget it with them when they change.
fn remember(list: &Rc<List>, variable: &Variable) {
    list.tensor.replace(Some(variable.clone()));
    let mut waiting = vec![Rc::clone(list)];
    while let Some(outer) = waiting.pop() {
        for item in outer.items.borrow().iter() {
            if let Value::List(inner) = item {
                inner.owner.replace(Rc::downgrade(&outer));
                waiting.push(Rc::clone(inner));
            } else {
                break;
            }
        }
    }
}

/// A list that stands for a tensor shows the tensor's present numbers.
pub(super) fn rewrite(list: &Rc<List>, tensor: &Variable) {
    if let Value::List(new) = arith::unstack(&tensor.value(), false) {
        list.items.replace(new.items.take());
        remember(list, tensor);
    }
}

/// Stacks a list with tensors or tracked numbers in it.
fn stack(machine: &mut Machine, list: &Rc<List>, depth: usize) -> Result<Variable, Halt> {
    if depth > DEPTH {
        crate::raise!(Kind::Recursion, "maximum recursion depth exceeded");
    }
    let items = list.items.borrow().clone();
    let mut parts = Vec::with_capacity(items.len());
    for item in &items {
        let part = match item {
            Value::List(inner) if inner.tensor.borrow().is_none() => match numbers(item) {
                Some(t) => Variable::constant(t?),
                None => stack(machine, inner, depth + 1)?,
            },
            other => stacked(machine, other)?,
        };
        // What came from Python numbers is no longer weak inside a tensor.
        parts.push(strong(part)?);
    }
    Ok(arith::call("stack", vec![Arg::Tensors(parts)])?)
}

fn strong(v: Variable) -> Outcome<Variable> {
    if !v.requires_grad() && v.is_number() {
        let t = v.value();
        return Ok(Variable::constant(
            t.to_dtype(crate::maths::tensor::default_dtype()).with_weak(false),
        ));
    }
    Ok(v)
}

/// The tensor of a list of plain numbers, nested to equal lengths; None where something in it
/// remembers or is no number.
fn numbers(value: &Value) -> Option<Outcome<Tensor>> {
    let mut shape = Vec::new();
    let mut probe = value.clone();
    while let Value::List(l) = &probe {
        let next = {
            let items = l.items.borrow();
            shape.push(items.len());
            items.first().cloned()
        };
        match next {
            Some(v) if shape.len() <= DEPTH => probe = v,
            _ => break,
        }
    }
    let mut data = Vec::new();
    let fits = flatten(value, &shape, &mut data)?;
    Some(if fits {
        Ok(Tensor::new(&shape, data).to_dtype(crate::maths::tensor::default_dtype()))
    } else {
        Err(Complaint::new(Kind::Value, "a list of lists of different lengths is no matrix"))
    })
}

/// Appends the numbers of `value` to `data`: whether its shape is as said; None where it holds
/// something else than plain numbers.
fn flatten(value: &Value, shape: &[usize], data: &mut Vec<f64>) -> Option<bool> {
    match value {
        Value::List(l) => {
            let items = l.items.borrow();
            let Some((&n, rest)) = shape.split_first() else {
                return Some(false);
            };
            let mut fits = items.len() == n;
            for item in items.iter() {
                fits &= flatten(item, rest, data)?;
            }
            Some(fits)
        }
        Value::Int(_) | Value::Long(_) | Value::Float(_) | Value::Bool(_) | Value::NpScalar(..) => {
            data.push(value.as_float()?);
            Some(shape.is_empty())
        }
        _ => None,
    }
}

/// An element taken from a list that is a leaf: it remembers where it came from.
pub(super) fn element(list: &Rc<List>, index: usize, item: Value) -> Value {
    if list.leaf.borrow().is_none() || !grad_mode::is_grad_enabled() {
        return item;
    }
    let Some(leaf) = list.tensor.borrow().clone().filter(Variable::requires_grad) else {
        return item;
    };
    let selected = |leaf: &Variable| {
        let args = vec![
            Arg::Tensor(leaf.clone()),
            Arg::Scalar(Scalar::Int(0)),
            Arg::Scalar(Scalar::Int(index as i64)),
        ];
        arith::call("select", args)
    };
    match &item {
        Value::Int(_) | Value::Long(_) | Value::Float(_) => match selected(&leaf) {
            Ok(variable) => Value::Number(Rc::new(Tracked { number: item, variable })),
            Err(_) => item,
        },
        Value::List(inner) if inner.tensor.borrow().is_none() => {
            if let Ok(row) = selected(&leaf) {
                inner.leaf.replace(list.leaf.borrow().clone());
                inner.tensor.replace(Some(row));
                inner.owner.replace(Rc::downgrade(list));
            }
            item
        }
        _ => item,
    }
}

impl Machine {
    /// Augmented assignment inside `no_grad` on an implicit leaf: its value changes, it stays a
    /// leaf and keeps its grad. None where this is not that.
    pub(super) fn update_leaf(
        &mut self,
        op: BinaryOp,
        old: &Value,
        operand: &Value,
        name: Option<Symbol>,
    ) -> Result<Option<Value>, Halt> {
        let leaf = match existing(old) {
            Some(v) if v.is_implicit() && v.is_leaf() => v,
            _ => return Ok(None),
        };
        if grad_mode::is_grad_enabled() || name.is_none() {
            return Ok(None);
        }
        match old {
            Value::Number(n) => {
                let result = match self.binary(op, &n.number, operand)? {
                    Value::Tensor(t) if t.numel() == 1 => {
                        Value::Float(t.value().item().unwrap_or(0.0))
                    }
                    plain @ (Value::Int(_) | Value::Long(_) | Value::Float(_)) => plain,
                    _ => return Ok(None),
                };
                let x = super::number::float(&result)?;
                leaf.update(&Variable::constant(Tensor::number(x, Dtype::Float64)))?;
                Ok(Some(Value::Number(Rc::new(Tracked { number: result, variable: leaf }))))
            }
            Value::List(l) => {
                let Value::Tensor(result) =
                    self.binary(op, &Value::Tensor(leaf.clone()), operand)?
                else {
                    return Ok(None);
                };
                if result.shape() != leaf.shape() {
                    return Ok(None);
                }
                leaf.update(&result)?;
                rewrite(l, &leaf);
                Ok(Some(old.clone()))
            }
            _ => Ok(None),
        }
    }
}

/// A leaf without a name carries the one it is first bound to.
pub fn call(value: &Value, name: Symbol) {
    if let Value::Tensor(t) = value
        && t.requires_grad()
        && t.is_leaf()
        && t.name().is_none()
    {
        t.set_name(Some(name.as_str().into()));
    }
}
