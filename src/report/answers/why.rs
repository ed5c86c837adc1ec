//! `:why` in lines: each reason with the place it speaks of and the ways out.

use crate::fault::remark;
use crate::terminal::line::Line;
use crate::terminal::style::Style;
use vjp_eval::record::event::Note;

pub fn lines(notes: &[Note], style: &Style) -> Vec<Line> {
    notes.iter().flat_map(|note| remark("why", note, style)).collect()
}
