//! Running a session again: shown as if typed, blessed, or made out of a plain program.

use super::compare::{is_pattern, is_sheet};
use super::transcript::{Ending, Step, Transcript, prompted};
use crate::drawing::ranges;
use crate::marking::diagnosis::{Diagnosis, Question};
use crate::marking::formulas::formula::Computed;
use crate::marking::formulas::{equation, slopes};
use crate::marking::waiting::{State, states};
use crate::marking::{answer, parts};
use std::io;
use std::rc::Rc;
use vjp_eval::Backward;
use vjp_eval::record::questions::Equations;

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

    /// Whether `:panel off` held back the panel of a backward, and it was not drawn since.
    fn holds(&self, _backward: &Rc<Backward>) -> bool {
        false
    }

    /// Draws a panel that `:panel off` held back: the answer to what was asked.
    fn reveal(&mut self, _backward: &Rc<Backward>) -> io::Result<()> {
        Ok(())
    }

    /// Whether the input just played could not be read as a program.
    fn unread(&self) -> bool {
        false
    }

    /// What the last lines of the output of the input just played are.
    fn ending(&self) -> Ending {
        Ending::Printed
    }

    /// The output of the input just played with all digits of its numbers, where it is known.
    fn exact(&self) -> Option<Vec<String>> {
        None
    }

    /// The last backward of the session.
    fn backward(&self) -> Option<Rc<Backward>> {
        None
    }

    /// The equations that the input just played showed.
    fn equations(&self) -> Option<Rc<Equations>> {
        None
    }

    /// What the value of a name is computed as.
    fn computed(&self, _name: &str) -> Option<Computed> {
        None
    }

    /// What a wrong answer to the input just played would have been right for.
    fn diagnose(&mut self, _question: &Question<'_>) -> Option<Diagnosis> {
        None
    }

    /// Shows a line that is not output: narration or an input with its prompt.
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
pub fn show(transcript: &Transcript, player: &mut dyn Player) -> io::Result<()> {
    player.restart();
    for (step, state) in transcript.steps.iter().zip(states(&transcript.steps)) {
        show_step(step, state, player)?;
    }
    transcript.tail.iter().try_for_each(|line| player.line(line, Role::Narration))
}

/// Shows one step: narration, input, output.
pub(super) fn show_step(step: &Step, state: State, player: &mut dyn Player) -> io::Result<()> {
    for line in &step.narration {
        player.line(line, Role::Narration)?;
    }
    for line in prompted(&step.input) {
        player.line(&line, Role::Input)?;
    }
    play_step(step, state, player, true).map(drop)
}

/// Evaluates the input of a step; one with blanks, or that waits for one, shows what the file shows.
pub(super) fn play_step(
    step: &Step,
    state: State,
    player: &mut dyn Player,
    shown: bool,
) -> io::Result<Vec<String>> {
    if state == State::Runs {
        return player.play(&step.text(), shown);
    }
    for line in step.output.iter().cloned().chain(ranged(step)).filter(|_| shown) {
        player.line(&line, Role::Frame)?;
    }
    Ok(step.output.clone())
}

/// Said below an input with a range, which does not run.
pub(super) fn ranged(step: &Step) -> Option<String> {
    let range = ranges::first(&step.input)?;
    Some(format!("note  {range} is a range: the input runs when vjp sheet has drawn its numbers"))
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
    /// Numbers of the inputs of a sheet that are no programs, and never were: left as they were.
    pub unread: Vec<usize>,
    /// Numbers of the inputs that have a `____` or a range, or use what such an input makes: left as they were.
    pub waiting: Vec<usize>,
    /// One of them has a range.
    pub ranged: bool,
}

/// The output that comes now, with the blanks of the file's; None where one of them finds no place.
pub(crate) fn kept(file: &[String], now: &[String], player: &dyn Player) -> Option<Vec<String>> {
    if !answer::has_blank(file) {
        return Some(now.to_vec());
    }
    // A ____ alone stands for the whole output.
    let alone = answer::is_blank_alone(file);
    let whole = parts::completed(file, file, now, false).map(|(asked, _)| asked);
    let file = whole.as_deref().unwrap_or(file);
    let (file, now) = match player.equations() {
        Some(event) if !alone => equation::kept(file, now, &event),
        _ => slopes::kept(file, now),
    };
    answer::keep(&file, &now)
}

/// The same session with the outputs that come now; layout, narration and every `____` stay.
pub fn bless(transcript: &Transcript, player: &mut dyn Player) -> io::Result<Blessed> {
    player.restart();
    let sheet = is_sheet(transcript);
    let mut now = Transcript { steps: Vec::new(), tail: transcript.tail.clone() };
    let (mut changed, mut answers, mut unfit, mut unread) = (0, 0, Vec::new(), Vec::new());
    let states = states(&transcript.steps);
    for (k, (old, state)) in transcript.steps.iter().zip(&states).enumerate() {
        let output = play_step(old, *state, player, false)?;
        let failed = |output: &[String]| output.iter().any(|line| line.starts_with("error  "));
        let output = match state {
            // What a sheet shows that is no program was never run.
            State::Runs if sheet && player.unread() && !failed(&old.output) => {
                unread.push(k + 1);
                Some(old.output.clone())
            }
            State::Runs if !old.asks_below() => Some(output),
            State::Runs => kept(&old.output, &output, player),
            State::Open | State::Waits => Some(output),
        };
        if output.is_none() {
            unfit.push(k + 1);
        }
        let output = output.unwrap_or_else(|| old.output.clone());
        if output != old.output {
            changed += 1;
            let answered = answer::ends_bare(&old.output) && !old.asks_below();
            answers += usize::from(sheet && answered);
        }
        let ending = match state {
            State::Runs => player.ending(),
            State::Open | State::Waits => old.ending,
        };
        now.steps.push(Step { output, ending, ..old.clone() });
    }
    let waiting = (0..states.len()).filter(|k| states[*k] != State::Runs).map(|k| k + 1).collect();
    let ranged = is_pattern(transcript);
    Ok(Blessed { transcript: now, changed, answers, unfit, unread, waiting, ranged })
}
