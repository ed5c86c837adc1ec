//! Running a session again: shown as if typed, blessed, or made out of a plain program.

use super::compare::is_sheet;
use super::transcript::{Step, Transcript, prompted};
use crate::marking::answer;
use crate::marking::diagnosis::{Diagnosis, Question};
use crate::marking::fill;
use std::io;
use std::rc::Rc;
use vjp_eval::record::event::Backward;

/// Who evaluates inputs. Lives above this layer; sessions know only text.
pub trait Player {
    /// Forgets everything: no names, the first random seed, nothing recorded.
    fn restart(&mut self);

    /// Evaluates one input and gives its output as session files hold it (80 columns, Unicode,
    /// no colour). `shown`: it also appears on the screen as it comes.
    ///
    /// # Errors
    /// Only of the screen; an error of the program is an output like any other.
    fn play(&mut self, input: &str, shown: bool) -> io::Result<Vec<String>>;

    /// Draws the panel that `:panel off` held back: the answer to what was asked.
    ///
    /// # Errors
    /// Of the screen.
    fn reveal(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// The last backward of the session.
    fn backward(&self) -> Option<Rc<Backward>> {
        None
    }

    /// What a wrong answer to the input just played would have been right for.
    fn diagnose(&mut self, _question: &Question<'_>) -> Option<Diagnosis> {
        None
    }

    /// Shows a line that is not output: narration or an input with its prompt.
    ///
    /// # Errors
    /// Of the screen.
    fn line(&mut self, line: &str, role: Role) -> io::Result<()>;
}

/// What a shown line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Narration,
    Input,
    /// The last line of an input that waits for a key.
    Waiting,
    /// Where we are and which keys there are.
    Frame,
}

/// Shows a session as if it were typed now.
///
/// # Errors
/// Of the screen.
pub fn show(transcript: &Transcript, player: &mut dyn Player) -> io::Result<()> {
    player.restart();
    for step in &transcript.steps {
        show_step(step, player)?;
    }
    transcript.tail.iter().try_for_each(|line| player.line(line, Role::Narration))
}

/// Shows one step: narration, input, output.
pub(super) fn show_step(step: &Step, player: &mut dyn Player) -> io::Result<()> {
    for line in &step.narration {
        player.line(line, Role::Narration)?;
    }
    for line in prompted(&step.input) {
        player.line(&line, Role::Input)?;
    }
    play_step(step, player, true).map(drop)
}

/// Evaluates the input of a step; one with blanks shows what the file shows.
pub(super) fn play_step(
    step: &Step,
    player: &mut dyn Player,
    shown: bool,
) -> io::Result<Vec<String>> {
    if !fill::is_open(&step.input) {
        return player.play(&step.text(), shown);
    }
    for line in step.output.iter().filter(|_| shown) {
        player.line(line, Role::Frame)?;
    }
    Ok(step.output.clone())
}

/// The same session with the outputs that come now; layout and narration stay.
///
/// # Errors
/// Of the player.
pub fn rerun(transcript: &Transcript, player: &mut dyn Player) -> io::Result<Transcript> {
    player.restart();
    let steps = transcript
        .steps
        .iter()
        .map(|step| Ok(Step { output: play_step(step, player, false)?, ..step.clone() }));
    Ok(Transcript { steps: steps.collect::<io::Result<_>>()?, tail: transcript.tail.clone() })
}

/// A session with new outputs, and how it came to them.
pub struct Blessed {
    pub transcript: Transcript,
    /// Outputs that differ from the file's.
    pub changed: usize,
    /// Among them what may be a student's answer on a sheet.
    pub answers: usize,
    /// Numbers (from 1) of the inputs whose `____` no longer fits what comes out: left as they were.
    pub unfit: Vec<usize>,
}

/// [`rerun`] that keeps every `____` of the file.
///
/// # Errors
/// Of the player.
pub fn bless(transcript: &Transcript, player: &mut dyn Player) -> io::Result<Blessed> {
    let mut now = rerun(transcript, player)?;
    let sheet = is_sheet(transcript);
    let (mut changed, mut answers, mut unfit) = (0, 0, Vec::new());
    let first_open = transcript.steps.iter().position(|s| fill::is_open(&s.input));
    for (k, (old, new)) in transcript.steps.iter().zip(&mut now.steps).enumerate() {
        // What comes after an input with blanks waits for numbers in them.
        if first_open.is_some_and(|first| first < k) {
            new.output.clone_from(&old.output);
        }
        match answer::keep(&old.output, &new.output) {
            Some(output) => new.output = output,
            None => {
                new.output.clone_from(&old.output);
                unfit.push(k + 1);
            }
        }
        if new.output != old.output {
            changed += 1;
            let answered = answer::ends_bare(&old.output) && !answer::has_blank(&old.output);
            answers += usize::from(sheet && answered);
        }
    }
    Ok(Blessed { transcript: now, changed, answers, unfit })
}
