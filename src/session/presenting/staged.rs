//! A session as a class sees it: what only says how it is shown is no input of its own.

use crate::{Player, Step, Transcript};
use std::io;

/// Commands for the person before the class.
const DIRECTIONS: [&str; 4] = [":panel on", ":panel off", ":set notes ", ":set preview "];

/// The inputs that are shown, and the commands that are carried out before each of them.
pub(crate) struct Staged {
    pub transcript: Transcript,
    pub directions: Vec<Vec<String>>,
}

impl Staged {
    /// The narration of a command that is not shown goes to the next input.
    pub fn of(session: &Transcript) -> Staged {
        let mut staged = Staged { transcript: Transcript::default(), directions: Vec::new() };
        let (mut waiting, mut narration) = (Vec::new(), Vec::new());
        for step in &session.steps {
            let filled = |all: &[String]| all.iter().any(|line| !line.is_empty());
            // A blank line between what stood apart.
            if filled(&narration) && filled(&step.narration) {
                narration.push("#".to_owned());
            }
            narration.extend(step.narration.iter().cloned());
            if is_direction(step) {
                waiting.push(step.text());
                continue;
            }
            let narration = std::mem::take(&mut narration);
            staged.transcript.steps.push(Step { narration, ..step.clone() });
            staged.directions.push(std::mem::take(&mut waiting));
        }
        narration.extend(session.tail.iter().cloned());
        staged.transcript.tail = narration;
        staged
    }
}

/// Carries out commands that are not shown.
pub(crate) fn direct(directions: &[String], player: &mut dyn Player) -> io::Result<()> {
    directions.iter().try_for_each(|d| player.play(d, false).map(drop))
}

fn is_direction(step: &Step) -> bool {
    let [line] = step.input.as_slice() else { return false };
    step.output.is_empty() && DIRECTIONS.iter().any(|d| line.trim_start().starts_with(d))
}
