//! `--step`: a session before a class, one input at a time, forwards and back.

use super::blanks::has_blank;
use super::replay::{Player, Role, show_step};
use super::transcript::{Step, Transcript, prompted};
use std::io;
use vjp_report::line::{self, Line};
use vjp_report::style::WIDTH;

/// What the person before the class wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    Next,
    Back,
    /// Go to the input of this number, from 1.
    Go(usize),
    Rest,
    /// An input of one's own, run and then forgotten.
    Try(String),
    Quit,
}

/// Where keys come from: a terminal, or lines of standard input.
pub trait Keys {
    /// Waits for a key; None where there will be no more.
    fn next(&mut self) -> io::Result<Option<Key>>;
}

pub(super) const MARGIN: &str = "   ";
pub(super) const RUN: &str = "Enter run";
pub(super) const REVEAL: &str = "Enter reveal";
pub(super) const KEYS: &str = "b back · g go to · r rest · : try something · q leave";

/// Lets `keys` lead through a session called `name`.
///
/// # Errors
/// Of the screen or the keyboard.
pub fn step(
    transcript: &Transcript,
    name: &str,
    player: &mut dyn Player,
    keys: &mut dyn Keys,
) -> io::Result<()> {
    let steps = &transcript.steps;
    player.restart();
    // How many inputs the player has behind it.
    let mut at = 0;
    while at < steps.len() {
        header(transcript, name, at, player)?;
        match keys.next()? {
            None | Some(Key::Quit) => return Ok(()),
            Some(Key::Next) => {
                run(transcript, at, player)?;
                at += 1;
            }
            Some(Key::Rest) => {
                run(transcript, at, player)?;
                for step in &steps[at + 1..] {
                    show_step(step, player)?;
                }
                at = steps.len();
            }
            Some(Key::Back) => {
                at = at.saturating_sub(1);
                rebuild(transcript, at, player)?;
            }
            Some(Key::Go(number)) => {
                at = number.clamp(1, steps.len()) - 1;
                rebuild(transcript, at, player)?;
            }
            Some(Key::Try(input)) => {
                let lines: Vec<String> = input.lines().map(str::to_owned).collect();
                for line in prompted(&lines) {
                    player.line(&line, Role::Input)?;
                }
                player.play(&input, true)?;
                rebuild(transcript, at, player)?;
            }
        }
    }
    transcript.tail.iter().try_for_each(|line| player.line(line, Role::Narration))
}

/// Whether the panel that was held back is shown after an input: it had a blank, and the next does not
/// ask for another part of the same panel.
pub(super) fn reveals(steps: &[Step], at: usize) -> bool {
    let asks = |step: &Step| has_blank(&step.output);
    let goes_on = |step: &Step| asks(step) && !step.text().contains("backward");
    asks(&steps[at]) && !steps.get(at + 1).is_some_and(goes_on)
}

/// Runs an input that stands on the screen; after the last blank about it also the panel that was held
/// back.
fn run(transcript: &Transcript, at: usize, player: &mut dyn Player) -> io::Result<()> {
    player.play(&transcript.steps[at].text(), true)?;
    match reveals(&transcript.steps, at) {
        true => player.reveal(),
        false => Ok(()),
    }
}

/// The state before an input is what the inputs before it make: nothing else can be wrong.
fn rebuild(transcript: &Transcript, upto: usize, player: &mut dyn Player) -> io::Result<()> {
    player.restart();
    transcript.steps[..upto].iter().try_for_each(|step| player.play(&step.text(), false).map(drop))
}

/// Where we are, the narration, the input that Enter will run, the keys.
fn header(
    transcript: &Transcript,
    name: &str,
    at: usize,
    player: &mut dyn Player,
) -> io::Result<()> {
    let (step, total) = (&transcript.steps[at], transcript.steps.len());
    let place = format!(" {} of {total}   {}", at + 1, title(transcript));
    player.line("", Role::Frame)?;
    let whole = format!("{place:<55}  {name}");
    // The file's name gives way to a long title.
    let fits = line::width(&whole) <= WIDTH;
    player.line(if fits { &whole } else { &place }, Role::Frame)?;
    player.line("", Role::Frame)?;
    let narration = narration(transcript, at, WIDTH - MARGIN.len());
    for line in &narration {
        player.line(&format!("{MARGIN}{line}"), Role::Narration)?;
    }
    if !narration.is_empty() {
        player.line("", Role::Frame)?;
    }
    let lines: Vec<String> = prompted(&step.input).collect();
    for (n, line) in lines.iter().enumerate() {
        let last = n + 1 == lines.len();
        let role = if last { Role::Waiting } else { Role::Input };
        player.line(&format!("{MARGIN}{line}"), role)?;
    }
    let blanks = has_blank(&step.output);
    if blanks {
        for line in &step.output {
            player.line(&format!("{MARGIN}{line}"), Role::Frame)?;
        }
    }
    player.line("", Role::Frame)?;
    let enter = if blanks { REVEAL } else { RUN };
    player.line(&format!("{MARGIN}{enter} · {KEYS}"), Role::Frame)
}

/// The narration of an input in lines that fit; the session's title stands in the header.
pub(super) fn narration(transcript: &Transcript, at: usize, columns: usize) -> Vec<String> {
    let all = transcript.steps[at].narration.iter();
    let lines: Vec<&String> = all.filter(|l| !l.is_empty()).collect();
    // A title, set off by a bare #, stands above already.
    let titled = at == 0 && lines.get(1).is_some_and(|l| l.as_str() == "#");
    let lines = lines.into_iter().skip(2 * usize::from(titled));
    lines.flat_map(|line| folded(line, columns)).collect()
}

/// A long line of narration in lines that fit, each a narration of its own.
pub(super) fn folded(line: &str, columns: usize) -> Vec<String> {
    let text = Line::of(vjp_report::roles::Role::Plain, line);
    if text.width() <= columns.min(WIDTH) {
        return vec![line.to_owned()];
    }
    // Room for the mark of what follows.
    let room = columns.min(WIDTH).saturating_sub(2).max(10);
    let lines = line::fold(&text, room, 0).into_iter();
    lines
        .enumerate()
        .map(|(n, l)| {
            let text: String = l.spans().iter().map(|(_, t)| t.as_str()).collect();
            let mark = if n > 0 { "# " } else { "" };
            format!("{mark}{}", text.trim_end())
        })
        .collect()
}

/// What the session is about: the first line of its narration.
pub(super) fn title(transcript: &Transcript) -> &str {
    let first = transcript.steps.first();
    first
        .and_then(|step| step.narration.iter().find(|line| !line.is_empty()))
        .map_or("", |line| line.trim_start_matches('#').trim())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_panel_waits_for_the_last_blank_that_it_answers() {
        let sheet = "vjp> y = x*w; y.backward()\nvjp> x.grad\n____\nvjp> w.grad\n____\n\
                     vjp> z = x*x; z.backward(); x.grad\n____\nvjp> 1\n1\n";
        let steps = Transcript::parse(sheet).unwrap().steps;
        let shown: Vec<bool> = (0..steps.len()).map(|at| reveals(&steps, at)).collect();
        assert_eq!(shown, [false, false, true, true, false]);
    }
}
