//! `:why` in lines: each reason with the place it speaks of and the ways out.

use crate::fault::{pictured, remark};
use crate::terminal::line::Line;
use crate::terminal::roles::Role;
use crate::terminal::style::Style;
use vjp_eval::record::event::{Fault, Note};

pub fn lines(notes: &[Note], failed: Option<&Fault>, style: &Style) -> Vec<Line> {
    // Places that belong together stand in one picture.
    if let Some(fault) = failed {
        return pictured(("why", Role::Hint), fault, style);
    }
    notes.iter().flat_map(|note| remark("why", note, style)).collect()
}
