//! Leaves in the order in which they are made, where a program is run again to see what its result would
//! be, had a leaf another value.

use super::tensor::Tensor;
use super::variable::Variable;
use std::cell::{Cell, RefCell};

thread_local! {
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static BIRTHS: RefCell<Births> = RefCell::default();
}

/// The leaves made so far, and the values that some of them get instead of their own.
#[derive(Default)]
pub struct Births {
    pub made: Vec<Variable>,
    given: Vec<(usize, Tensor)>,
}

/// Runs `body`; the leaves made in it, those at these places with these values.
pub fn watched<T>(given: Vec<(usize, Tensor)>, body: impl FnOnce() -> T) -> (T, Vec<Variable>) {
    let outer = BIRTHS.replace(Births { made: Vec::new(), given });
    let watched = WATCHED.replace(true);
    let found = body();
    WATCHED.set(watched);
    (found, BIRTHS.replace(outer).made)
}

/// Whether leaves may get other values than their own.
#[inline]
pub fn are_watched() -> bool {
    WATCHED.get()
}

/// A leaf was made: the value that it has instead of its own.
pub(super) fn born(leaf: &Variable) -> Option<Tensor> {
    BIRTHS.with_borrow_mut(|births| {
        let place = births.made.len();
        births.made.push(leaf.clone());
        let given = births.given.iter().find(|(at, _)| *at == place);
        given.map(|(_, value)| value.clone()).filter(|value| value.shape() == leaf.shape())
    })
}
