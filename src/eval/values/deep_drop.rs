//! Dropping deeply nested values without a deep stack.

use super::value::Value;
use std::cell::{Cell, RefCell};

const DEPTH: u32 = 100;

thread_local! {
    static NESTED: Cell<u32> = const { Cell::new(0) };
    static WAITING: RefCell<Vec<Vec<Value>>> = const { RefCell::new(Vec::new()) };
}

/// Drops values; those more than a hundred containers down wait until the stack is short again.
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
    NESTED.set(depth + 1);
    drop(values);
    NESTED.set(depth);
    if depth == 0 {
        while let Some(next) = WAITING.with_borrow_mut(Vec::pop) {
            NESTED.set(1);
            drop(next);
            NESTED.set(0);
        }
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
}
