//! `:undo` and `:redo`: back to before an input, and forward again; bookmarks to return to.

use super::held::{History, Moment, Snapshot, Wonder};
use crate::Machine;
use std::collections::HashSet;
use std::rc::Rc;
use vjp_tensor::budget;
use vjp_text::Source;

/// How many inputs can be undone.
const KEPT: usize = 100;

impl History {
    pub fn kept(&self) -> bool {
        self.on
    }

    pub fn keep(&mut self, on: bool) {
        self.on = on;
        if !on {
            self.past.clear();
            self.future.clear();
        }
    }

    /// Old values must not use up the memory that programs may have.
    pub fn make_room(&mut self) {
        while !self.past.is_empty() && budget::in_use() > budget::memory_limit() / 2 {
            self.forget_half();
        }
    }

    fn forget_half(&mut self) {
        let half = self.past.len().div_ceil(2);
        self.past.drain(..half);
    }

    /// Before an input.
    pub(crate) fn push(&mut self, now: Moment) {
        if self.past.len() >= KEPT {
            self.forget_half();
        }
        self.past.push(now);
    }

    /// After the input: one that changed nothing is no step back, and leaves open what was undone.
    pub fn ended(&mut self, changed: bool, failed: bool) {
        if !changed {
            self.past.pop();
        } else {
            self.future.clear();
            self.past.iter_mut().next_back().into_iter().for_each(|last| last.failed = failed);
        }
    }

    /// Only the first so many inputs stay remembered.
    pub(super) fn cut(&mut self, inputs: usize) {
        self.past.truncate(inputs);
        self.future.clear();
    }

    /// The inputs that are remembered, oldest first, and whether each ended in an error.
    pub fn inputs(&self) -> Vec<(Source, bool)> {
        let moments = self.past.iter();
        moments.map(|m| (m.input.clone(), m.failed)).collect()
    }

    /// Goes back to before an input, which stays remembered.
    pub fn enter(&self, input: usize, machine: &mut Machine) {
        if let Some(moment) = self.past.get(input) {
            moment.state.restore(machine);
        }
    }

    /// Leaves an empty history, so that a trial forgets nothing, and returns the present one.
    pub fn aside(&mut self) -> History {
        let empty = History { on: true, ..History::default() };
        std::mem::replace(self, empty)
    }

    pub(crate) fn undo(&mut self) -> Option<Moment> {
        self.past.pop()
    }

    pub(crate) fn redo(&mut self) -> Option<Moment> {
        self.future.pop()
    }

    pub(crate) fn undone(&mut self, now: Moment) {
        self.future.push(now);
    }

    pub(crate) fn redone(&mut self, now: Moment) {
        self.past.push(now);
    }
}

impl Machine {
    /// Takes back the last input that changed something and returns its text.
    pub fn undo(&mut self) -> Option<Source> {
        let before = self.history.undo()?;
        let state = Rc::new(Snapshot::take(self));
        let input = before.input.clone();
        self.history.undone(Moment { state, input, failed: before.failed });
        before.state.restore(self);
        Some(before.input)
    }

    /// Takes back the last undo and returns the input's text.
    pub fn redo(&mut self) -> Option<Source> {
        let after = self.history.redo()?;
        let state = Rc::new(Snapshot::take(self));
        let input = after.input.clone();
        self.history.redone(Moment { state, input, failed: after.failed });
        after.state.restore(self);
        Some(after.input)
    }

    /// After a panic in the middle of an input: as before it, where history is kept.
    pub fn recover(&mut self) {
        self.scope = None;
        self.calls = 0;
        self.repeating = 0;
        self.handled.clear();
        if let Some(before) = self.history.undo() {
            before.state.restore(self);
        }
    }
}

/// A moment between two inputs that a machine can return to, as often as it is asked to: what an input shows
/// there is what it shows the first time.
pub struct Bookmark {
    state: Snapshot,
    noted: HashSet<&'static str>,
    indexed: bool,
    explained_indices: bool,
    wonder: Option<Wonder>,
    carried_out: u64,
    undone: HashSet<usize>,
    sources: usize,
    inputs: usize,
}

impl Machine {
    /// None where something cannot be put back.
    pub fn bookmark(&self) -> Option<Bookmark> {
        let state = Snapshot::take(self);
        state.whole().then(|| Bookmark {
            state,
            noted: self.noted.clone(),
            indexed: self.indexed,
            explained_indices: self.explained_indices,
            wonder: self.wonder.clone(),
            carried_out: self.carried_out,
            undone: self.undone.clone(),
            sources: self.sources.len(),
            inputs: self.history.inputs().len(),
        })
    }

    /// Everything as it was there; what came later is forgotten.
    pub fn return_to(&mut self, mark: &Bookmark) {
        mark.state.restore(self);
        self.noted = mark.noted.clone();
        self.indexed = mark.indexed;
        self.explained_indices = mark.explained_indices;
        self.wonder = mark.wonder.clone();
        self.carried_out = mark.carried_out;
        self.undone = mark.undone.clone();
        self.sources.truncate(mark.sources);
        self.history.cut(mark.inputs);
    }
}
