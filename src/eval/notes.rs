//! What a person is told once in a session.

use super::done::{Statement, statements};
use super::event::{Event, Help, Note};
use super::machine::Machine;
use super::naming::Places;
use crate::maths::mixing;
use crate::maths::variable::Variable;
use crate::syntax::ast::{ExprKind, StmtKind};
use crate::text::names::Symbol;

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

/// `w = w - 0.1*w.grad`: the name now stands for something computed from the leaf it was.
pub(super) fn no_leaf_any_more(m: &Machine, name: &str) -> Note {
    let symbol = Symbol::new(name);
    let all = statements(m);
    let step = all.iter().find(|s| s.binds(symbol)).and_then(|s| step(s, symbol));
    let mut help = vec![Help {
        code: format!("{name} = {name}.detach().requires_grad_()"),
        says: format!("makes {name} a leaf again"),
    }];
    help.extend(step.map(|step| Help {
        code: String::new(),
        says: format!("and in its place:  with torch.no_grad(): {step}"),
    }));
    Note {
        text: format!(
            "{name} is no leaf any more: it stands for what was computed from the leaf it was, and keeps no gradient"
        ),
        at: None,
        help,
        source: None,
    }
}

/// `w -= 0.1*w.grad` for `w = w - 0.1*w.grad`.
fn step(s: &Statement, name: Symbol) -> Option<String> {
    let StmtKind::Assign { value, .. } = &s.tree.kind else {
        return None;
    };
    let ExprKind::Chain { first, rest } = &value.kind else {
        return None;
    };
    match (&first.kind, rest.as_slice()) {
        (ExprKind::Name(n), [only]) if *n == name => {
            let text = s.source.slice(only.operand.span);
            Some(format!("{name} {}= {text}", only.op.text()))
        }
        _ => None,
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
