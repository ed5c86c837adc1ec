//! Leaves in the order in which they are made, where a program is run again to see what its result would
//! be, had a leaf another value.

use crate::Variable;
use std::cell::{Cell, RefCell};
use vjp_tensor::Tensor;

thread_local! {
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static BIRTHS: RefCell<Births> = RefCell::default();
}

/// Another value for a leaf.
#[derive(Clone, Debug)]
pub struct Given {
    /// Its place among the leaves made.
    pub place: usize,
    /// When it gets it: as it is made, or after so many writes to it.
    pub writes: u32,
    pub value: Tensor,
}

/// The leaves made so far, and the values that some of them get instead of their own.
#[derive(Default)]
pub struct Births {
    pub made: Vec<Variable>,
    given: Vec<Given>,
    /// The next node when the last of these got its value, of those that are written to first.
    mark: u64,
}

/// Runs `body`; the leaves made in it, some with other values than their own. None where one never
/// got its value.
pub fn watched<T>(given: Vec<Given>, body: impl FnOnce() -> T) -> (T, Option<Made>) {
    let outer = BIRTHS.replace(Births { made: Vec::new(), given, mark: 0 });
    let watched = WATCHED.replace(true);
    let found = body();
    WATCHED.set(watched);
    let Births { made, given, mark } = BIRTHS.replace(outer);
    let waits = given.iter().any(|g| g.writes > 0);
    (found, (!waits).then_some(Made { leaves: made, mark }))
}

/// What [`watched`] saw.
pub struct Made {
    pub leaves: Vec<Variable>,
    /// What follows from the values given has no older nodes.
    pub mark: u64,
}

/// Between two statements: leaves that have been written to often enough get their values, and are told.
pub fn passed() -> Vec<Variable> {
    BIRTHS.with_borrow_mut(|births| {
        let Births { made, given, mark } = births;
        let mut all = Vec::new();
        given.retain(|g| {
            let due = made
                .get(g.place)
                .filter(|x| g.writes > 0 && x.writes() == g.writes && x.shape() == g.value.shape());
            if let Some(leaf) = due {
                leaf.hold(&g.value);
                *mark = crate::autodiff::node::mark();
                all.push(leaf.clone());
            }
            due.is_none()
        });
        all
    })
}

/// Whether leaves may get other values than their own.
#[inline]
pub fn are_watched() -> bool {
    WATCHED.get()
}

/// A leaf was made: the value that it has instead of its own.
pub(crate) fn born(leaf: &Variable) -> Option<Tensor> {
    BIRTHS.with_borrow_mut(|births| {
        let place = births.made.len();
        births.made.push(leaf.clone());
        let given = births.given.iter().find(|g| g.place == place && g.writes == 0);
        given.map(|g| g.value.clone()).filter(|value| value.shape() == leaf.shape())
    })
}
