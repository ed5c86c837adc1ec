//! A session played input by input for a page: what each shows, as its file holds it and in colours.

use crate::prompt::completion::{self, Choice, Known};
use crate::prompt::{highlight, hint};
use crate::session_options::Common;
use crate::shell::Setting;
use crate::view::{self, Face};
use crate::{Ended, Shell};
use vjp_eval::record::undo::Bookmark;
use vjp_report::terminal::{html::html, theme};
use vjp_report::{Medium, Painted, Style};
use vjp_session::Player;
use vjp_tensor::budget;

/// What became of one input.
pub struct Cell {
    /// The output as session files hold it.
    pub output: Vec<String>,
    /// The same as HTML, in colours and with pictures.
    pub html: String,
    pub ended: Ended,
}

/// A shell whose screen is a page: nothing is written, what is shown is fetched with each input.
pub fn shell(common: Common) -> Shell {
    on(Medium::Page, common)
}

/// A shell that draws for `medium`.
pub(super) fn on(medium: Medium, common: Common) -> Shell {
    theme::for_a_page();
    let style = Style { color: true, medium, ..Style::canonical() };
    let mut shell = Shell::new(common, Face::Drawn, style);
    shell.keep_history();
    shell.restart();
    shell
}

/// A moment between two inputs.
pub struct Mark {
    machine: Bookmark,
    view: view::Mark,
    previews: bool,
    timing: bool,
}

/// The moment now; None where it could not be returned to, or where old values take too much memory.
pub fn mark(shell: &Shell) -> Option<Mark> {
    if budget::in_use() > budget::memory_limit() / 4 {
        return None;
    }
    let machine = shell.machine.bookmark()?;
    let (previews, timing) = (shell.previews, shell.timing);
    Some(Mark { machine, view: shell.view.mark(), previews, timing })
}

/// Everything is as it was there.
pub fn return_to(shell: &mut Shell, mark: &Mark) {
    shell.machine.return_to(&mark.machine);
    shell.view.return_to(&mark.view);
    (shell.previews, shell.timing) = (mark.previews, mark.timing);
}

/// Runs an input. `typed`: a person wrote it here, so that a pasted text is mended first; what a file holds
/// is taken as it stands.
pub fn run(shell: &mut Shell, text: &str, typed: bool) -> Cell {
    let (ended, output, lines) = played(shell, text, typed);
    let mut whole = Painted::new();
    for (k, line) in lines.iter().enumerate() {
        whole.push(if k > 0 { "\n" } else { "" }).append(line);
    }
    Cell { output, html: html(&whole), ended }
}

/// Runs an input whose screen is held back: how it ended, its output, and what it showed, by lines.
pub(crate) fn played(
    shell: &mut Shell,
    text: &str,
    typed: bool,
) -> (Ended, Vec<String>, Vec<Painted>) {
    shell.setting = if typed { Setting::Live } else { Setting::Replayed };
    shell.view.muted = false;
    shell.view.screen.hold();
    let (ended, output) = shell.input(text);
    let mut lines = shell.view.screen.release();
    while lines.last().is_some_and(|line| line.as_str().trim().is_empty()) {
        lines.pop();
    }
    (ended, output, lines)
}

/// What is being typed, in its colours.
pub fn painted(shell: &Shell, text: &str) -> Painted {
    highlight::input(text, None, &shell.machine)
}

/// The grey text after the cursor: arguments of the call it stands in, what the line would give.
pub fn preview(shell: &mut Shell, text: &str, at: usize) -> Option<String> {
    let style = shell.view.style().clone();
    let room = style.frame();
    hint::hint(&mut shell.machine, &style, text, at, room, shell.previews)
}

/// Where what may stand at `at` begins, and each way to go on with what it is.
pub fn completions(shell: &Shell, text: &str, at: usize) -> (usize, Vec<(String, String)>) {
    let known =
        Known { machine: &shell.machine, offers: &shell.view.offers, style: shell.view.style() };
    let found = completion::complete(&known, text, at);
    let told = |Choice { word, says, .. }| (word, says);
    (found.start, found.choices.into_iter().map(told).collect())
}
