//! Names: those that a program binds, those that it may not have in JAX, and what is written by
//! another name before it is exported.

pub(super) mod bindings;
pub(super) mod methods;
pub(super) mod renamed;
pub(super) mod unrolled;

use vjp_export_torch::edits::Edits;
use vjp_export_torch::writer::Program;
use vjp_text::Span;

/// The program with other texts in these places, none of which overlap; None where there are none.
fn changed(program: &Program, changes: &[(Span, String)]) -> Option<Program> {
    if changes.is_empty() {
        return None;
    }
    let moved = |at: usize| {
        let before = changes.iter().filter(|(span, _)| span.end as usize <= at);
        let shift = |(span, text): &(Span, String)| text.len() as isize - span.len() as isize;
        at.saturating_add_signed(before.map(shift).sum())
    };
    let pieces = program.pieces.iter().map(|p| p.moved(moved)).collect();
    let mut edits = Edits::default();
    changes.iter().for_each(|(span, text)| edits.replace(*span, text.as_str()));
    let whole = Span { start: 0, end: program.text.len() as u32 };
    Some(Program { text: edits.apply(&program.text, whole), pieces, ..*program })
}
