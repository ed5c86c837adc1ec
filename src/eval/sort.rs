//! Python's order of values, for `sorted`, `min` and `max`.

use super::machine::Machine;
use super::number;
use super::raise::Halt;
use super::value::Value;
use crate::syntax::ast::CompareOp;
use std::cmp::Ordering;

impl Machine {
    /// `a < b` as one truth value, for sorting.
    ///
    /// # Errors
    /// What does not compare.
    pub fn less(&mut self, a: &Value, b: &Value) -> Result<bool, Halt> {
        let v = self.compare(CompareOp::Lt, a, b)?;
        self.truth(&v)
    }

    /// `a > b` as one truth value, as `max` asks.
    ///
    /// # Errors
    /// What does not compare.
    pub fn greater(&mut self, a: &Value, b: &Value) -> Result<bool, Halt> {
        let v = self.compare(CompareOp::Gt, a, b)?;
        self.truth(&v)
    }

    /// Sorts values by keys, stably, as Python does.
    ///
    /// # Errors
    /// What does not compare.
    pub fn sort(&mut self, items: &mut Vec<(Value, Value)>, reverse: bool) -> Result<(), Halt> {
        if reverse {
            items.reverse();
        }
        if !sorted_quickly(items) {
            let sorted = self.merge_sort(std::mem::take(items))?;
            *items = sorted;
        }
        if reverse {
            items.reverse();
        }
        Ok(())
    }

    fn merge_sort(&mut self, items: Vec<(Value, Value)>) -> Result<Vec<(Value, Value)>, Halt> {
        let mut runs: Vec<Vec<(Value, Value)>> = items.into_iter().map(|x| vec![x]).collect();
        while runs.len() > 1 {
            let mut next = Vec::with_capacity(runs.len().div_ceil(2));
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
    ) -> Result<Vec<(Value, Value)>, Halt> {
        let mut merged = Vec::with_capacity(left.len() + right.len());
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
fn sorted_quickly(items: &mut [(Value, Value)]) -> bool {
    let number = |v: &Value| match v {
        Value::Int(_) | Value::Bool(_) => true,
        Value::Float(x) => !x.is_nan(),
        _ => false,
    };
    if items.iter().all(|(k, _)| number(k)) {
        items.sort_by(|(a, _), (b, _)| number::order(a, b).unwrap_or(Ordering::Equal));
        true
    } else if items.iter().all(|(k, _)| k.as_str().is_some()) {
        items.sort_by(|(a, _), (b, _)| a.as_str().cmp(&b.as_str()));
        true
    } else {
        false
    }
}
