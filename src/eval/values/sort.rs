//! Python's order of values, for `sorted`, `min` and `max`.

use super::number;
use super::value::Value;
use crate::{Machine, Tried};
use std::cmp::Ordering;
use vjp_syntax::ast::CompareOp;
use vjp_tensor::kernels::sort;
use vjp_tensor::{Outcome, budget};

impl Machine {
    /// `a < b` as one truth value, for sorting.
    pub fn less(&mut self, a: &Value, b: &Value) -> Tried<bool> {
        self.one_truth(CompareOp::Lt, a, b)
    }

    /// `a > b` as one truth value, as `max` asks.
    pub fn greater(&mut self, a: &Value, b: &Value) -> Tried<bool> {
        self.one_truth(CompareOp::Gt, a, b)
    }

    fn one_truth(&mut self, op: CompareOp, a: &Value, b: &Value) -> Tried<bool> {
        if let (Value::List(_), Value::List(_)) = (a, b) {
            return self.ordered(op, a, b);
        }
        let v = self.compare(op, a, b)?;
        self.truth(&v)
    }

    /// Sorts values by keys, stably, as Python does.
    pub fn sort(&mut self, items: &mut Vec<(Value, Value)>, reverse: bool) -> Tried<()> {
        if reverse {
            items.reverse();
        }
        if !sorted_quickly(items)? {
            let sorted = self.merge_sort(std::mem::take(items))?;
            *items = sorted;
        }
        if reverse {
            items.reverse();
        }
        Ok(())
    }

    fn merge_sort(&mut self, items: Vec<(Value, Value)>) -> Tried<Vec<(Value, Value)>> {
        let mut runs = budget::collected(items.into_iter().map(|x| vec![x]))?;
        while runs.len() > 1 {
            let mut next = budget::vec(runs.len().div_ceil(2))?;
            let mut pairs = runs.into_iter();
            while let Some(left) = pairs.next() {
                next.push(match pairs.next() {
                    Some(right) => self.merge(left, right)?,
                    None => left,
                });
            }
            runs = next;
        }
        Ok(runs.pop().unwrap_or_default())
    }

    fn merge(
        &mut self,
        left: Vec<(Value, Value)>,
        right: Vec<(Value, Value)>,
    ) -> Tried<Vec<(Value, Value)>> {
        let mut merged = budget::vec(left.len() + right.len())?;
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        while let (Some(l), Some(r)) = (left.peek(), right.peek()) {
            self.tick(self.place)?;
            if self.less(&r.0.clone(), &l.0.clone())? {
                merged.extend(right.next());
            } else {
                merged.extend(left.next());
            }
        }
        merged.extend(left);
        merged.extend(right);
        Ok(merged)
    }
}

/// Sorts by keys that are all texts, or all plain numbers without NaN; false where they are not.
fn sorted_quickly(items: &mut [(Value, Value)]) -> Outcome<bool> {
    let number = |v: &Value| match v {
        Value::Int(_) | Value::Long(_) | Value::Bool(_) => true,
        Value::Float(x) => !x.is_nan(),
        _ => false,
    };
    let mut keys = items.iter().map(|(key, _)| key);
    let compare: fn(&Value, &Value) -> Ordering = if keys.clone().all(number) {
        |a, b| number::order(a, b).unwrap_or(Ordering::Equal)
    } else if keys.all(|key| key.as_str().is_some()) {
        |a, b| a.as_str().cmp(&b.as_str())
    } else {
        return Ok(false);
    };
    let size = items.iter().map(|(key, _)| key.as_str().map_or(1, |s| s.len() / 32 + 1)).sum();
    if sort::at_once(size) {
        items.sort_by(|a, b| compare(&a.0, &b.0));
        return Ok(true);
    }
    let compare = |a: usize, b: usize| compare(&items[a].0, &items[b].0);
    let mut order = sort::positions_of(items.len(), size, compare)?;
    // Each goes where it belongs, and makes room for the next.
    for start in 0..order.len() {
        let mut at = start;
        while order[at] != at {
            budget::tick()?;
            let from = std::mem::replace(&mut order[at], at);
            if from != start {
                items.swap(at, from);
            }
            at = from;
        }
    }
    Ok(true)
}
