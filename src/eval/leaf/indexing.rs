//! Selections of a list of numbers by the keys of its tensor: `A[:, 1]`, `t[[0, 2]]`, `x[x > 0]`,
//! and `A[0, 1] = 5`. What is selected is a list again, and a path in the graph as the tensor's is.

use crate::library::table::given;
use crate::values::tensor_operators;
use crate::values::value::List;
use crate::{Machine, Tried, Value, leaf};
use std::rc::Rc;
use vjp_maths::Variable;
use vjp_ops::Arg;
use vjp_tensor::{Dtype, Tensor, budget};

impl Machine {
    /// Whether a list takes a key as its tensor does: one that Python's lists have no use for.
    pub(crate) fn selects(&self, owner: &Value, key: &Value) -> bool {
        let of_tensors = match key {
            Value::Tuple(_) | Value::List(_) | Value::Range(_) | Value::Ellipsis | Value::None => {
                true
            }
            // A position that was computed chooses by value.
            Value::Tensor(t) | Value::Array(t) => {
                t.rank() > 0 || t.dtype() == Dtype::Bool || t.cut().is_some()
            }
            _ => false,
        };
        of_tensors && self.is_vector(owner)
    }

    /// `list[key]`.
    pub(crate) fn select(&mut self, list: &Rc<List>, key: &Value) -> Tried<Value> {
        let whole = leaf::stacked(&Value::List(Rc::clone(list)))?;
        let part = self.part(whole.clone(), key)?;
        let places = self.places(&whole.shape(), key)?;
        let cells = cells(list);
        // After `x.data = …` of another size the numbers are no longer the list.
        if cells.len() != whole.numel() {
            return Ok(Value::Tensor(part));
        }
        let number = |at: usize| {
            let (row, k) = &cells[places.data()[at] as usize];
            row.items.borrow()[*k].clone()
        };
        Ok(leaf::listed(&part, &number)?)
    }

    /// `list[key] = value`: a number for all, or what broadcasts.
    pub(crate) fn put(&mut self, list: &Rc<List>, key: &Value, value: &Value) -> Tried<()> {
        let shape = leaf::stacked(&Value::List(Rc::clone(list)))?.shape();
        let places = self.places(&shape, key)?;
        let new = match value {
            one if one.is_number() => vec![one.clone(); places.numel()],
            other => {
                // A list that holds itself, or whose rows differ, is refused here.
                leaf::stacked(other)?;
                let own = numbers(other);
                match own.len() == places.numel() {
                    true => own,
                    false => spread(other, places.shape())?,
                }
            }
        };
        let cells = cells(list);
        for (place, new) in places.data().iter().zip(new) {
            let (row, k) = &cells[*place as usize];
            leaf::write(row, *k, new, self.scope.is_none())?;
        }
        Ok(())
    }

    fn part(&mut self, whole: Variable, key: &Value) -> Tried<Variable> {
        let part = (given().item)(self, &Value::Tensor(whole), key)?;
        Ok(leaf::stacked(&part)?)
    }

    /// Which numbers of a tensor of this shape a key selects.
    fn places(&mut self, shape: &[usize], key: &Value) -> Tried<Tensor> {
        let n = vjp_tensor::shape::count(shape)?;
        budget::reserve(n.saturating_mul(8))?;
        let all = Tensor::typed(shape, (0..n).map(|i| i as f64).collect(), Dtype::Int64);
        Ok(self.part(Variable::constant(all), key)?.value())
    }
}

/// Where the numbers of a nested list lie, row by row.
fn cells(list: &Rc<List>) -> Vec<(Rc<List>, usize)> {
    let of = |(k, item): (usize, &Value)| match item {
        Value::List(inner) => cells(inner),
        _ => vec![(Rc::clone(list), k)],
    };
    list.items.borrow().iter().enumerate().flat_map(of).collect()
}

/// The numbers of a nested list with their memory.
pub fn numbers(value: &Value) -> Vec<Value> {
    match value {
        Value::List(l) => leaf::elements(l).unwrap_or_default().iter().flat_map(numbers).collect(),
        Value::Tuple(t) => t.items.iter().flat_map(numbers).collect(),
        other => vec![other.clone()],
    }
}

/// A value broadcast to a shape, as numbers.
fn spread(value: &Value, shape: &[usize]) -> Tried<Vec<Value>> {
    let given = Arg::Tensor(leaf::stacked(value)?);
    let shape = Arg::Ints(shape.iter().map(|n| *n as i64).collect());
    let given = tensor_operators::call("expand", vec![given, shape])?;
    let data = given.value();
    let list = leaf::listed(&given, &|at| Value::Float(data.data()[at]))?;
    Ok(numbers(&list))
}
