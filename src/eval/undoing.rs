//! `:undo` and `:redo`: back to before an input, and forward again.

use super::machine::Machine;
use super::snapshot::{Moment, Snapshot};
use std::rc::Rc;
use vjp_text::source::Source;

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
