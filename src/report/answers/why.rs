//! `:why` in lines: each reason with the place it speaks of and the ways out; of an error the values that were
//! there.

use crate::fault::{pictured, remark};
use crate::{Line, Role, Style, echo};
use vjp_eval::record::questions::Reasons;

/// Where the values begin, as helps do.
const INDENT: usize = 8;

pub fn lines(reasons: &Reasons, style: &Style) -> Vec<Line> {
    // Places that belong together stand in one picture.
    let mut all: Vec<Line> = Vec::new();
    for note in &reasons.notes {
        match &reasons.failed {
            Some(fault) if note.at.is_some() => {
                all.extend(pictured(("why", Role::Hint), fault, style));
                break;
            }
            _ => all.extend(remark("why", note, style)),
        }
    }
    let narrow = Style { width: style.width.saturating_sub(INDENT), ..*style };
    let values = reasons.names.iter().flat_map(|value| echo::lines(value, &narrow));
    for (k, value) in values.enumerate() {
        let mut line = Line::of(Role::Plain, "  ");
        if k == 0 {
            line.push(Role::Hint, "here");
        }
        line.pad(INDENT).append(&value);
        all.push(line);
    }
    all
}
