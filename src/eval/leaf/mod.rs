//! Leaves from bare numbers and lists, and what a list means under arithmetic: contract section 4.

pub mod indexing;
pub mod naming;

use crate::values::tensor_operators;
use crate::values::value::{List, Tracked};
use crate::{Machine, Tried, Value};
use std::rc::Rc;
use vjp_maths::Variable;
use vjp_maths::autodiff::ancestors::leaves_of;
use vjp_maths::autodiff::grad_mode;
use vjp_maths::observe::{leaf_births, value_reads};
use vjp_ops::index::Index;
use vjp_ops::{Arg, Scalar, index};
use vjp_syntax::ast::{BinaryOp, Expr, ExprKind};
use vjp_tensor::ids::IdSet;
use vjp_tensor::{Complaint, Dtype, Kind, Outcome, Place, Tensor, budget, source_place};
use vjp_text::Symbol;

/// Lists nest no deeper when they are stacked.
const DEPTH: usize = 64;

/// A literal, or literals beside each other: an input that binds it shows the value.
pub(super) fn shows_itself(e: &Expr) -> bool {
    let shows = |e: &Expr| e.is_literal(&|_, _| false);
    match &e.kind {
        ExprKind::Tuple(items) => items.iter().all(shows),
        _ => shows(e),
    }
}

/// Makes a leaf of a literal's value, named after what it is bound to.
pub(super) fn adopt(value: &Value, name: Symbol) -> Tried<Value> {
    let name: Rc<str> = name.as_str().into();
    match value {
        Value::Int(_) | Value::Long(_) | Value::Float(_) => {
            // An int beyond the floats stays a number.
            let Some(x) = value.as_float() else {
                return Ok(value.clone());
            };
            let variable = Variable::implicit(Tensor::number(x, Dtype::Float64), name);
            let value = match leaf_births::are_watched() {
                true => moved(value, &variable),
                false => value.clone(),
            };
            Ok(Value::Number(Rc::new(Tracked::new(value, variable))))
        }
        Value::List(l) => {
            l.leaf.replace(Some(name));
            of_list(l)?;
            Ok(value.clone())
        }
        _ => Ok(value.clone()),
    }
}

/// A number whose leaf has another value than its own.
fn moved(number: &Value, leaf: &Variable) -> Value {
    match leaf.value().item() {
        Some(x) if number.as_float() != Some(x) => Value::Float(x),
        _ => number.clone(),
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
    let list = List::shared(items);
    list.numeric.set(numeric);
    if numeric {
        list.written.set(source_place::now());
    }
    Value::List(list)
}

/// What may stand in a numeric list.
pub fn is_component(v: &Value) -> bool {
    match v {
        Value::Int(_) | Value::Float(_) => true,
        Value::Long(_) | Value::Number(_) => v.as_float().is_some(),
        Value::NpScalar(_, d) => *d != Dtype::Bool,
        Value::Tensor(t) => t.rank() == 0,
        Value::List(l) => l.numeric.get(),
        _ => false,
    }
}

/// The tensor a value is or represents already: a tensor, a tracked number, a list that was used as one.
pub fn existing(value: &Value) -> Option<Variable> {
    match value {
        Value::Tensor(v) | Value::Array(v) => Some(v.clone()),
        Value::Number(n) => Some(n.variable.clone()),
        Value::List(l) => l.tensor(),
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
/// Lists that are ragged or hold what is not a number.
pub fn stacked(value: &Value) -> Outcome<Variable> {
    if let Some(v) = existing(value) {
        return Ok(v);
    }
    match value {
        Value::Int(_) | Value::Long(_) | Value::Float(_) | Value::Bool(_) => {
            crate::values::number::float(value)?;
            Ok(variable_of_number(value))
        }
        Value::NpScalar(x, d) => Ok(Variable::constant(Tensor::scalar(*x).to_dtype(*d))),
        Value::List(l) => of_list(l),
        Value::Tuple(t) => of_list(&List::shared(t.items.clone())),
        other => Err(Complaint::new(
            Kind::Type,
            format!("a '{}' is not a vector", crate::name_of(other)),
        )),
    }
}

/// The tensor of a list: its part of the leaf it lies in, a leaf, numbers, or its elements stacked.
fn of_list(l: &Rc<List>) -> Outcome<Variable> {
    let variable = match part_of_leaf(l)? {
        Some(part) => part,
        None => match numbers(l) {
            Some(tensor) => {
                let tensor = tensor?;
                match l.leaf.borrow().clone() {
                    Some(name) if leaf_births::are_watched() => {
                        let own = tensor.clone();
                        let leaf = Variable::implicit(tensor, name);
                        if leaf.value().data() != own.data() {
                            rewrite(l, &leaf);
                        }
                        leaf
                    }
                    Some(name) => Variable::implicit(tensor, name),
                    None => Variable::constant(tensor),
                }
            }
            None => {
                // With something computed in it, it is a leaf no longer.
                l.leaf.take();
                stack(l, 0)?
            }
        },
    };
    if variable.requires_grad() || grad_mode::is_grad_enabled() {
        l.keep(&variable);
    }
    Ok(variable)
}

/// The part of a list leaf that a list in it is.
fn part_of_leaf(l: &Rc<List>) -> Outcome<Option<Variable>> {
    let Some((owner, index)) = place_in_leaf(l) else {
        return Ok(None);
    };
    let whole = stacked(&Value::List(owner))?;
    // The whole may have turned out to be a leaf no longer.
    place_in_leaf(l).map(|_| select(&whole, index)).transpose()
}

/// Where a list lies in a list leaf, or in a part of one.
fn place_in_leaf(l: &Rc<List>) -> Option<(Rc<List>, usize)> {
    if l.leaf.borrow().is_some() {
        return None;
    }
    let is_path = |owner: &List| owner.tensor().is_some_and(|t| t.requires_grad() && !t.is_leaf());
    places(l).find(|(owner, _)| leaf_around(owner).is_some() || is_path(owner))
}

/// The lists that hold it, with the place where it lies.
fn places(l: &Rc<List>) -> impl Iterator<Item = (Rc<List>, usize)> {
    let is_l = |v: &Value| matches!(v, Value::List(inner) if Rc::ptr_eq(inner, l));
    l.holders().into_iter().filter_map(move |owner| {
        let index = owner.items.borrow().iter().position(is_l)?;
        Some((owner, index))
    })
}

fn select(whole: &Variable, index: usize) -> Outcome<Variable> {
    let number = |i: usize| Arg::Scalar(Scalar::Int(i as i64));
    tensor_operators::call("select", vec![Arg::Tensor(whole.clone()), number(0), number(index)])
}

/// A list that represents a tensor shows the tensor's present numbers.
pub fn rewrite(list: &Rc<List>, tensor: &Variable) {
    fn write(list: &Rc<List>, new: Vec<Value>) {
        let old = list.items.borrow().to_vec();
        let matches = old.len() == new.len();
        let write = |(old, new): (Option<&Value>, Value)| match (old, new) {
            // A row that has a name of its own shows them too.
            (Some(Value::List(row)), Value::List(numbers)) => {
                write(row, numbers.emptied().unwrap_or_default());
                Value::List(Rc::clone(row))
            }
            (_, new) => new,
        };
        let all = new.into_iter().enumerate();
        let all = all.map(|(i, v)| write((old.get(i).filter(|_| matches), v))).collect();
        list.put(all);
    }
    if let Value::List(new) = tensor_operators::unstack(&tensor.value(), false) {
        write(list, new.emptied().unwrap_or_default());
        list.touch();
        list.keep(tensor);
    }
}

/// Stacks a list with tensors, tracked numbers or parts of leaves in it.
fn stack(list: &Rc<List>, depth: usize) -> Outcome<Variable> {
    if depth > DEPTH {
        return Err(Complaint::new(Kind::Recursion, "maximum recursion depth exceeded"));
    }
    budget::tick()?;
    let items = list.items.borrow().to_vec();
    let mut parts = Vec::with_capacity(items.len());
    for item in &items {
        let part = match item {
            Value::List(inner) if is_loose(inner) => match numbers(inner) {
                Some(t) => Variable::constant(t?),
                None => stack(inner, depth + 1)?,
            },
            other => stacked(other)?,
        };
        // What came from Python numbers is no longer weak inside a tensor.
        parts.push(strong(part)?);
    }
    // Stacked when it is first needed, it stands where it is written.
    let (now, written) = (source_place::now(), list.written.get());
    if written != Place::default() {
        source_place::set(written);
    }
    let whole = tensor_operators::call("stack", vec![Arg::Tensors(parts)]);
    source_place::set(now);
    whole
}

/// Neither a leaf nor a part of one, and not stacked so far.
fn is_loose(l: &Rc<List>) -> bool {
    l.leaf.borrow().is_none() && l.tensor().is_none() && place_in_leaf(l).is_none()
}

fn strong(v: Variable) -> Outcome<Variable> {
    if !v.requires_grad() && v.is_number() {
        let t = v.value();
        return Ok(Variable::constant(
            t.to_dtype(vjp_tensor::tensor::default_dtype()).with_weak(false),
        ));
    }
    Ok(v)
}

/// The tensor of a list of plain numbers, nested to equal lengths; None where something in it
/// remembers or is not a number.
fn numbers(list: &Rc<List>) -> Option<Outcome<Tensor>> {
    let mut shape = Vec::new();
    let mut probe = Value::List(Rc::clone(list));
    while let Value::List(l) = &probe {
        let next = {
            let items = l.items.borrow();
            shape.push(items.len());
            items.first().cloned()
        };
        match next {
            Some(v) if shape.len() <= DEPTH => probe = v,
            // It holds itself.
            Some(Value::List(_)) => return None,
            _ => break,
        }
    }
    let mut data = Vec::new();
    let fits = flatten(list, list, &shape, &mut data)?;
    let dtype = match probe {
        Value::Bool(_) if all_truths(list) => Dtype::Bool,
        _ => vjp_tensor::tensor::default_dtype(),
    };
    Some(if fits {
        Ok(Tensor::new(&shape, data).to_dtype(dtype))
    } else {
        Err(Complaint::new(Kind::Value, "lists of different lengths do not form a matrix"))
    })
}

/// Whether a list holds nothing but truth values: a mask, not numbers.
fn all_truths(list: &Rc<List>) -> bool {
    list.items.borrow().iter().all(|v| match v {
        Value::List(inner) => all_truths(inner),
        other => matches!(other, Value::Bool(_)),
    })
}

/// Appends the numbers of a list in `top` to `data`: whether its shape is as said; None where it
/// holds something else than plain numbers.
fn flatten(list: &Rc<List>, top: &Rc<List>, shape: &[usize], data: &mut Vec<f64>) -> Option<bool> {
    let Some((&n, rest)) = shape.split_first() else {
        return Some(false);
    };
    let items = list.items.borrow();
    let mut fits = items.len() == n;
    // Lists that share their rows nest to any size.
    if budget::stopping() {
        return None;
    }
    for item in items.iter() {
        match item {
            Value::List(inner) if remembers(inner, top) => return None,
            Value::List(inner) => fits &= flatten(inner, top, rest, data)?,
            Value::Int(_)
            | Value::Long(_)
            | Value::Float(_)
            | Value::Bool(_)
            | Value::NpScalar(..) => {
                data.push(item.as_float()?);
                fits &= rest.is_empty();
            }
            _ => return None,
        }
    }
    Some(fits)
}

/// Whether a list in `top` is a path in the graph other than as a part of `top`.
fn remembers(inner: &Rc<List>, top: &Rc<List>) -> bool {
    match leaf_around(inner) {
        Some(leaf) => !Rc::ptr_eq(&leaf, top),
        None => inner.tensor().is_some_and(|t| t.requires_grad()),
    }
}

/// An element taken from a list: a number of a leaf, or of a part of one, remembers where it came
/// from. Lists in a leaf know it of themselves.
pub fn element(list: &Rc<List>, index: usize, item: Value) -> Value {
    if !grad_mode::is_grad_enabled() {
        return item;
    }
    // A row may outlive the leaf's name: it becomes its path now.
    if let Value::List(row) = &item {
        if list.leaf.borrow().is_some() && row.tensor().is_none() {
            let _ = stacked(&item);
        }
        return item;
    }
    if !matches!(item, Value::Int(_) | Value::Long(_) | Value::Float(_)) {
        return item;
    }
    // Plain numbers with a path: a part of a leaf, which may have no name any more.
    let is_part = || {
        place_in_leaf(list).is_some()
            || (list.tensor().is_some_and(|t| t.requires_grad()) && numbers(list).is_some())
    };
    let whole = match list.numeric.get() && (list.leaf.borrow().is_some() || is_part()) {
        true => stacked(&Value::List(Rc::clone(list))).ok(),
        false => None,
    };
    let whole = whole.filter(|t| t.is_leaf() || is_part());
    match whole.and_then(|t| select(&t, index).ok()) {
        Some(part) => remembering(item, &part),
        None => item,
    }
}

/// A tensor as a list of numbers, nested to its shape; `number` gives them row by row, and what has
/// no memory of its own remembers its part of the tensor.
pub fn listed(tensor: &Variable, number: &dyn Fn(usize) -> Value) -> Outcome<Value> {
    fn part(
        of: Option<Variable>,
        shape: &[usize],
        at: usize,
        number: &dyn Fn(usize) -> Value,
    ) -> Outcome<Value> {
        let Some((&n, rest)) = shape.split_first() else {
            let item = number(at);
            return Ok(match (of, &item) {
                (Some(v), Value::Int(_) | Value::Long(_) | Value::Float(_)) => {
                    remembering(item, &v)
                }
                _ => item,
            });
        };
        let size: usize = rest.iter().product();
        let mut items = Vec::with_capacity(n);
        for i in 0..n {
            let row = of.as_ref().map(|v| select(v, i)).transpose()?;
            items.push(part(row, rest, at + i * size, number)?);
        }
        let list = List::shared(items);
        list.numeric.set(true);
        if let Some(v) = &of {
            list.keep(v);
        }
        Ok(Value::List(list))
    }
    let remembers = tensor.requires_grad().then(|| tensor.clone());
    part(remembers, &tensor.shape(), 0, number)
}

/// Makes `part`, the elements of a leaf at `places`, the path in the graph that it is.
pub(super) fn sliced(list: &Rc<List>, places: &[usize], part: &Rc<List>) -> Outcome<()> {
    if !grad_mode::is_grad_enabled() || !part.numeric.get() || leaf_around(list).is_none() {
        return Ok(());
    }
    let Ok(whole) = stacked(&Value::List(Rc::clone(list))) else {
        return Ok(());
    };
    let index = match places {
        [first, .., last] if last > first => Index::Slice {
            start: Some(*first as i64),
            stop: Some(*last as i64 + 1),
            step: Some(((last - first) / (places.len() - 1)) as i64),
        },
        [one] => Index::Slice { start: Some(*one as i64), stop: Some(*one as i64 + 1), step: None },
        _ => {
            let at = places.iter().map(|i| *i as f64).collect();
            Index::Tensor(Tensor::typed(&[places.len()], at, Dtype::Int64))
        }
    };
    part.keep(&index::get(&whole, &[index])?);
    Ok(())
}

/// What a list holds where `value` is written. At the top level, what was computed from the list's own
/// leaf alone is a number like any other: the list becomes a new leaf. Elsewhere, and with another leaf
/// in it, it keeps its path, and so does the rest of the list.
pub(super) fn written(list: &Rc<List>, value: Value, top: bool) -> Outcome<Value> {
    let path = match &value {
        Value::Number(n) => n.variable.clone(),
        Value::Tensor(t) => t.clone(),
        _ => return Ok(value),
    };
    let tracked = grad_mode::is_grad_enabled() && path.requires_grad() && path.rank() == 0;
    let Some(leaf) = leaf_around(list).filter(|_| tracked) else {
        return Ok(value);
    };
    let name = leaf.leaf.borrow().clone();
    // Each leaf that the list has been carries the list's own name.
    let own = |x: &Variable| x.name().zip(name.as_ref()).is_some_and(|(a, b)| Rc::ptr_eq(&a, b));
    let from = leaves_of(&path);
    Ok(match (from.iter().any(own), top && from.iter().all(own)) {
        (false, _) => value,
        (true, false) => {
            keep_paths(&leaf, &mut IdSet::default())?;
            value
        }
        (true, true) => match &value {
            Value::Number(n) => n.number(),
            _ => path.value().item().map_or(value, Value::Float),
        },
    })
}

/// What comes into a list beside what it holds: computed from the list's own leaf, it keeps its path, and
/// so does the rest.
pub fn join(list: &Rc<List>, new: &mut [Value]) -> Outcome<()> {
    for value in new {
        *value = written(list, std::mem::replace(value, Value::None), false)?;
    }
    Ok(())
}

/// Makes every number of a leaf remember that it came from it.
fn keep_paths(list: &Rc<List>, seen: &mut IdSet) -> Outcome<()> {
    if !seen.insert(Rc::as_ptr(list) as u64) {
        return Ok(());
    }
    let items = elements(list)?;
    for item in &items {
        if let Value::List(row) = item {
            keep_paths(row, seen)?;
        }
    }
    list.put(items);
    Ok(())
}

/// `list[index] = value`. Inside `no_grad` a leaf is updated and stays the leaf that it is.
pub(super) fn write(list: &Rc<List>, index: usize, value: Value, top: bool) -> Outcome<()> {
    let value = written(list, value, top)?;
    let leaf = match grad_mode::is_grad_enabled() {
        true => None,
        false => leaf_around(list).and_then(|l| Some((l.tensor().filter(Variable::is_leaf)?, l))),
    };
    let value = if leaf.is_some() { value.plain() } else { value };
    if !is_component(&value) {
        list.numeric.set(false);
    }
    let old = std::mem::replace(&mut list.written()?[index], value);
    drop(old);
    if let Some((tensor, leaf)) = leaf
        && let Some(Ok(now)) = numbers(&leaf)
        && now.shape() == tensor.shape()
    {
        return tensor.update(&Variable::constant(now));
    }
    list.touch();
    Ok(())
}

/// A path in the graph that leads to one of these.
pub fn memory(items: &[Value]) -> Option<Variable> {
    memory_within(items, DEEPEST, &mut IdSet::default())
}

/// `seen`: a list may hold itself, and another one many times.
fn memory_within(items: &[Value], depth: usize, seen: &mut IdSet) -> Option<Variable> {
    let inside = depth.checked_sub(1)?;
    items.iter().find_map(|v| match v {
        Value::List(l) if leaf_around(l).is_some() => stacked(v).ok().filter(|v| v.requires_grad()),
        Value::List(l) if !seen.insert(Rc::as_ptr(l) as u64) => None,
        Value::List(l) => memory_within(&l.items.borrow(), inside, seen),
        Value::Tuple(t) if !seen.insert(Rc::as_ptr(t) as *const () as u64) => None,
        Value::Tuple(t) => memory_within(&t.items, inside, seen),
        other => existing(other).filter(|v| v.requires_grad()),
    })
}

/// The numbers of a value go on without their history; what they came from, where they had one.
pub fn taken(value: &Value) -> Option<Variable> {
    let from = memory(std::slice::from_ref(value));
    from.iter().for_each(value_reads::taken);
    from
}

/// Whether a list is a leaf, or a part of one.
pub fn is_in_leaf(list: &Rc<List>) -> bool {
    leaf_around(list).is_some()
}

/// The list leaf that a list is, or is a part of.
fn leaf_around(list: &Rc<List>) -> Option<Rc<List>> {
    let mut waiting = vec![Rc::clone(list)];
    let mut seen = IdSet::default();
    while let Some(l) = waiting.pop() {
        if l.leaf.borrow().is_some() {
            return Some(l);
        }
        // A list may hold itself.
        waiting.extend(places(&l).map(|(o, _)| o).filter(|o| seen.insert(Rc::as_ptr(o) as u64)));
    }
    None
}

/// A list in a list deeper than this is not part of a tensor; one that holds itself has no end.
const DEEPEST: usize = 64;

/// A plain number that remembers where it came from; it stays what it is, whatever is written there.
fn remembering(number: Value, part: &Variable) -> Value {
    let value = part.value();
    let variable = match part.node() {
        Some(node) => Variable::saved(node, value),
        None => Variable::constant(value),
    };
    Value::Number(Rc::new(Tracked::new(number, variable)))
}

/// The elements of a list, each with its memory: what leaves a list goes through here.
pub fn elements(list: &Rc<List>) -> Outcome<Vec<Value>> {
    let items = budget::copied(&list.items.borrow())?;
    let plain = list.leaf.borrow().is_none() && list.tensor().is_none();
    if plain && place_in_leaf(list).is_none() {
        return Ok(items);
    }
    budget::collected(items.into_iter().enumerate().map(|(i, v)| element(list, i, v)))
}

impl Machine {
    /// The number or list that shows an implicit leaf shows what it holds now.
    pub(crate) fn follows(&mut self, leaf: &Variable) {
        for (name, value) in self.names() {
            match &value {
                Value::List(l) if l.tensor().is_some_and(|x| x.same(leaf)) => rewrite(l, leaf),
                Value::Number(n) if n.variable.same(leaf) => {
                    let now = Value::Float(leaf.value().item().unwrap_or(0.0));
                    self.bind(&name, Value::Number(Rc::new(Tracked::new(now, leaf.clone()))));
                }
                _ => {}
            }
        }
    }

    /// Augmented assignment inside `no_grad` on an implicit leaf: its value changes, it stays a
    /// leaf and keeps its grad. None where this is not that.
    pub(super) fn update_leaf(
        &mut self,
        op: BinaryOp,
        old: &Value,
        operand: &Value,
        name: Option<Symbol>,
    ) -> Tried<Option<Value>> {
        let leaf = match existing(old) {
            Some(v) if v.is_implicit() && v.is_leaf() => v,
            _ => return Ok(None),
        };
        if grad_mode::is_grad_enabled() || name.is_none() {
            return Ok(None);
        }
        match old {
            Value::Number(n) => {
                let result = match self.binary(op, &n.number(), operand)? {
                    Value::Tensor(t) if t.numel() == 1 => {
                        Value::Float(t.value().item().unwrap_or(0.0))
                    }
                    plain @ (Value::Int(_) | Value::Long(_) | Value::Float(_)) => plain,
                    _ => return Ok(None),
                };
                let x = crate::values::number::float(&result)?;
                leaf.update(&Variable::constant(Tensor::number(x, Dtype::Float64)))?;
                Ok(Some(Value::Number(Rc::new(Tracked::new(result, leaf)))))
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
