//! `--step`: a session before a class, one input at a time, forwards and back.

use super::panels::{Panels, runs};
use super::staged::{Staged, direct};
use crate::marking::fill;
use crate::marking::waiting::{State, states};
use crate::replay::{Role, play_step, ranged, show_step};
use crate::transcript::prompted;
use crate::{Player, Step, Transcript};
use std::io;
use vjp_report::Line;
use vjp_report::terminal::line;
use vjp_report::terminal::style::WIDTH;

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

/// Stands before every line of a scene.
pub const MARGIN: &str = "   ";
pub(crate) const RUN: &str = "Enter run";
pub(crate) const REVEAL: &str = "Enter reveal";
/// An input with blanks is tried with numbers in them, or passed over; what waits for it, too.
pub(crate) const SKIP: &str = "Enter skip, : fill in";
const WAITS: &str = "Enter skip, needs the ____ above";
pub(crate) const KEYS: &str = "b back · g go to · r rest · : try something · q leave";

/// Lets `keys` lead through a session called `name`.
pub fn step(
    transcript: &Transcript,
    name: &str,
    player: &mut dyn Player,
    keys: &mut dyn Keys,
) -> io::Result<()> {
    let staged = Staged::of(transcript);
    let mut panels = Panels::of(&staged, player)?;
    let Staged { transcript, directions } = &staged;
    // Inputs with blanks are kept as they were filled in.
    let mut session = transcript.clone();
    let total = session.steps.len();
    player.restart();
    // How many inputs the player has behind it.
    let mut at = 0;
    while at < total {
        direct(&directions[at], player)?;
        header(&session, name, at, player)?;
        match keys.next()? {
            None | Some(Key::Quit) => return Ok(()),
            Some(Key::Next) => {
                run(&session, &mut panels, at, player)?;
                at += 1;
            }
            Some(Key::Rest) => {
                run(&session, &mut panels, at, player)?;
                let states = states(&session.steps);
                for (k, step) in session.steps.iter().enumerate().skip(at + 1) {
                    direct(&directions[k], player)?;
                    let before = player.backward();
                    show_step(step, states[k], player)?;
                    panels.after(&session.steps, k, before.as_ref(), player)?;
                }
                at = total;
            }
            Some(Key::Back) => {
                at = at.saturating_sub(1);
                reopen(&mut session, transcript, at);
                rebuild(&session, directions, &mut panels, at, player)?;
            }
            Some(Key::Go(number)) if (1..=total).contains(&number) => {
                at = number - 1;
                reopen(&mut session, transcript, at);
                rebuild(&session, directions, &mut panels, at, player)?;
            }
            Some(Key::Go(_)) => player.line(&format!("{MARGIN}{}", inputs(total)), Role::Frame)?,
            Some(Key::Try(input)) => {
                let lines: Vec<String> = input.lines().map(str::to_owned).collect();
                for line in prompted(&lines) {
                    player.line(&line, Role::Input)?;
                }
                player.play(&input, true)?;
                match fill(&mut session.steps[at], lines) {
                    true => at += 1,
                    false => rebuild(&session, directions, &mut panels, at, player)?,
                }
            }
        }
    }
    session.tail.iter().try_for_each(|line| player.line(line, Role::Narration))
}

/// Said where there is no input of a number.
pub(crate) fn inputs(total: usize) -> String {
    match total {
        1 => "there is only input 1".to_owned(),
        _ => format!("the inputs are 1 to {total}"),
    }
}

/// Takes an input of one's own for that of the step, where it fills in its blanks.
pub(crate) fn fill(step: &mut Step, own: Vec<String>) -> bool {
    let fills = fill::is_open(&step.input) && !fill::is_open(&own) && fill::fits(&step.input, &own);
    if fills {
        step.input = own;
    }
    fills
}

/// The blanks from `at` on are to be filled in again.
pub(crate) fn reopen(session: &mut Transcript, file: &Transcript, at: usize) {
    for (own, asked) in session.steps.iter_mut().zip(&file.steps).skip(at) {
        own.input.clone_from(&asked.input);
    }
}

/// Runs an input that stands on the screen, and shows the panels whose turn it is.
fn run(
    session: &Transcript,
    panels: &mut Panels,
    at: usize,
    player: &mut dyn Player,
) -> io::Result<()> {
    // What an input with blanks should give stands below it already.
    if !runs(&session.steps, at) {
        return Ok(());
    }
    let before = player.backward();
    player.play(&session.steps[at].text(), true)?;
    panels.after(&session.steps, at, before.as_ref(), player)
}

/// The state before an input is what the inputs before it make: nothing else can be wrong.
fn rebuild(
    transcript: &Transcript,
    directions: &[Vec<String>],
    panels: &mut Panels,
    upto: usize,
    player: &mut dyn Player,
) -> io::Result<()> {
    player.restart();
    let states = states(&transcript.steps);
    for (at, step) in transcript.steps[..upto].iter().enumerate() {
        direct(&directions[at], player)?;
        let before = player.backward();
        play_step(step, states[at], player, false)?;
        panels.seen(at, before.as_ref(), player);
    }
    Ok(())
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
    if asks(step) {
        for line in step.output.iter().cloned().chain(ranged(step)) {
            player.line(&format!("{MARGIN}{line}"), Role::Frame)?;
        }
    }
    player.line("", Role::Frame)?;
    player.line(&format!("{MARGIN}{} · {KEYS}", enter(&transcript.steps, at)), Role::Frame)
}

/// Whether a step is a question: what it shows is seen before it runs.
pub(crate) fn asks(step: &Step) -> bool {
    step.asks_below() || fill::is_open(&step.input)
}

/// What Enter does with an input that stands there.
pub(crate) fn enter(steps: &[Step], at: usize) -> &'static str {
    match (states(&steps[..=at]).last(), steps[at].asks_below()) {
        (Some(State::Open), _) => SKIP,
        (Some(State::Waits), _) => WAITS,
        (_, true) => REVEAL,
        (_, false) => RUN,
    }
}

/// The narration of an input in lines that fit; the session's title stands in the header.
pub(crate) fn narration(transcript: &Transcript, at: usize, columns: usize) -> Vec<String> {
    let all = transcript.steps[at].narration.iter();
    let lines: Vec<&String> = all.filter(|l| !l.is_empty()).collect();
    // A title, set off by a bare #, stands above already.
    let titled = at == 0 && lines.get(1).is_some_and(|l| l.as_str() == "#");
    let lines = lines.into_iter().skip(2 * usize::from(titled));
    paragraphs(lines.map(String::as_str), columns)
}

/// Narration in lines that fit: what does not goes on with the line below, where that is of the same
/// paragraph.
pub(crate) fn paragraphs<'a>(lines: impl Iterator<Item = &'a str>, columns: usize) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut open = false;
    for line in lines {
        let words = line.strip_prefix("# ").filter(|words| !words.starts_with(' '));
        let line = match words.filter(|_| open).and_then(|words| Some((words, all.pop()?))) {
            Some((words, before)) => format!("{before} {words}"),
            None => line.to_owned(),
        };
        let pieces = folded(&line, columns);
        open = pieces.len() > 1;
        all.extend(pieces);
    }
    all
}

/// A long line of narration in lines that fit, each a narration of its own.
pub(crate) fn folded(line: &str, columns: usize) -> Vec<String> {
    let text = Line::of(vjp_report::Role::Plain, line);
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
pub(crate) fn title(transcript: &Transcript) -> &str {
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
    fn narration_on_a_narrow_screen_is_set_anew() {
        let told = ["# a long line of prose", "# that goes on", "#", "# and ends", "#   x = 1"];
        let lines = paragraphs(told.into_iter(), 18);
        let all = ["# a long line", "# of prose", "# that goes on", "#", "# and ends", "#   x = 1"];
        assert_eq!(lines.join(" ").replace("# ", ""), all.join(" ").replace("# ", ""));
        assert!(lines.iter().all(|l| l.len() <= 18), "{lines:?}");
        assert_eq!(lines[1], "# prose that", "{lines:?}");
        assert_eq!(paragraphs(told.into_iter(), 80), told);
    }
}
