//! What a person is told once in a session.

use super::event::{Event, Help, Note};
use super::machine::Machine;
use super::naming::Places;
use crate::maths::mixing;
use crate::maths::variable::Variable;

impl Machine {
    /// Says something once per session.
    pub fn note(&mut self, key: &'static str, note: Note) {
        if self.noted.insert(key) {
            self.emit(Event::Note(note));
        }
    }

    /// Whether a note was said.
    pub fn noted(&self, key: &'static str) -> bool {
        self.noted.contains(key)
    }

    /// Tells what a statement did that a newcomer may not expect.
    pub(super) fn note_after_statement(&mut self) {
        if mixing::take_happened() {
            self.note("mixed types", mixed());
        }
        if let Some(t) = self.ungraded.take()
            && !self.noted.contains("grad of non-leaf")
        {
            let name = Places::of(self).path(&t).unwrap_or("y").to_string();
            self.note("grad of non-leaf", non_leaf(&name));
        }
    }

    /// The `.grad` of a computed tensor was read, and there is none.
    pub(super) fn read_no_grad(&mut self, t: &Variable) {
        if !self.noted.contains("grad of non-leaf") {
            self.ungraded = Some(t.clone());
        }
    }
}

/// Why a computed tensor has no `.grad`.
pub(super) fn non_leaf(name: &str) -> Note {
    Note {
        text: format!(
            "{name} is computed, not a leaf: a backward passes through it and keeps nothing there"
        ),
        at: None,
        help: vec![Help {
            code: format!("{name}.retain_grad()"),
            says: "before the backward keeps it".into(),
        }],
        source: None,
    }
}

fn mixed() -> Note {
    Note {
        text: "whole numbers met floats in a product and were taken as floats; PyTorch asks for equal types: write 1. for 1".into(),
        at: None,
        help: Vec::new(),
        source: None,
    }
}
