//! Dropping values: deeply nested ones without a deep stack, many in parts.

use super::shared::Whole;
use super::value::Value;
use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};
use vjp_tensor::Outcome;
use vjp_tensor::budget::{self, remains};

const DEPTH: u32 = 100;
/// So many are dropped without asking.
const PART: usize = 1 << 10;

thread_local! {
    static NESTED: Cell<u32> = const { Cell::new(0) };
    static WAITING: RefCell<Vec<Vec<Value>>> = const { RefCell::new(Vec::new()) };
}

/// Drops values; those more than a hundred containers down wait until the stack is short again, and all
/// wait for later where somebody wishes to stop.
pub fn discard(values: Vec<Value>) {
    if values.is_empty() {
        return;
    }
    let Ok(depth) = NESTED.try_with(Cell::get) else {
        return; // the thread is ending
    };
    if depth >= DEPTH {
        let _ = WAITING.try_with(|w| w.borrow_mut().push(values));
        return;
    }
    in_parts(values, depth + 1);
    if depth == 0 {
        let next = || WAITING.try_with(|w| w.borrow_mut().pop()).ok().flatten();
        while let Some(next) = next() {
            if remains::waits() {
                remains::keep(Remains(next));
                WAITING.take().into_iter().for_each(|next| remains::keep(Remains(next)));
                return;
            }
            in_parts(next, 1);
        }
    }
}

fn in_parts(mut values: Vec<Value>, depth: u32) {
    NESTED.set(depth);
    while values.len() > PART {
        if remains::waits() {
            remains::keep(Remains(std::mem::take(&mut values)));
            break;
        }
        values.truncate(values.len() - PART);
    }
    drop(values);
    NESTED.set(depth - 1);
}

/// Values that wait to be dropped.
struct Remains(Vec<Value>);

impl Drop for Remains {
    fn drop(&mut self) {
        discard(std::mem::take(&mut self.0));
    }
}

/// Values that are being gathered, maybe very many.
#[derive(Default)]
pub struct Gathered(Vec<Value>);

impl Gathered {
    pub fn done(mut self) -> Vec<Value> {
        std::mem::take(&mut self.0)
    }
}

impl From<Vec<Value>> for Gathered {
    fn from(values: Vec<Value>) -> Gathered {
        Gathered(values)
    }
}

impl Whole for Gathered {
    fn copy(&self) -> Outcome<Gathered> {
        budget::copied(self).map(Gathered)
    }
}

impl Deref for Gathered {
    type Target = Vec<Value>;
    fn deref(&self) -> &Vec<Value> {
        &self.0
    }
}

impl DerefMut for Gathered {
    fn deref_mut(&mut self) -> &mut Vec<Value> {
        &mut self.0
    }
}

impl Drop for Gathered {
    fn drop(&mut self) {
        discard(std::mem::take(&mut self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_nested_tuples_drop() {
        let mut value = Value::None;
        for _ in 0..1_000_000 {
            value = Value::tuple(vec![value]);
        }
        drop(value);
    }

    #[test]
    fn what_waits_is_dropped_later() {
        let seen = std::rc::Rc::<str>::from("seen");
        let held = |n: usize| Value::list((0..n).map(|_| Value::Str(seen.clone())).collect());
        remains::waiting(true, || drop(held(3 * PART)));
        assert!(std::rc::Rc::strong_count(&seen) > PART);
        remains::free();
        assert_eq!(std::rc::Rc::strong_count(&seen), 1);
    }
}
