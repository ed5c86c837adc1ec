//! What the editor asks for while a line is typed: colours, a hint, completions and the edits of
//! special keys.

use super::editing::Wishes;
use super::{highlight, hint, margin};
use crate::prompt::completion::{self, Choice, Known};
use crate::{Shell, screen, view};
use rustyline::completion::Completer;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::line_buffer::LineBuffer;
use rustyline::validate::Validator;
use rustyline::{Changeset, CompletionType, Context, Helper};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};
use unicode_width::UnicodeWidthStr;
use vjp_report::Painted;
use vjp_report::terminal::style::WIDTH;
use vjp_session::transcript::CONTINUATION;
use vjp_text::visible::visible;

/// Longer inputs are not coloured: each key repaints the whole.
const COLORED: usize = 16 << 10;

/// A longer line, or block of lines, has no colours and no preview while it is typed: a key then writes
/// its own character and not the whole again.
const LINE: usize = 512;
const BLOCK: usize = 4 << 10;

fn is_long(text: &str) -> bool {
    text.len() > LINE && (text.len() > BLOCK || !text.contains('\n'))
}

/// Hints that take longer are slow; after this many in a row, hints stop for a while: else a burst of
/// keys would wait for each.
const SLOW: Duration = Duration::from_millis(5);
const PATIENCE: u8 = 12;
const REST: Duration = Duration::from_millis(100);

/// Helps the editor, with the session at hand.
pub struct Assistant<'a, 's> {
    pub shell: &'a RefCell<&'s mut Shell>,
    pub wishes: Wishes,
    /// The last text with its hint: a text is painted more often than it changes.
    last: RefCell<Option<(String, usize, Option<String>)>>,
    /// What the last Tab was pressed on: again, and the list is another.
    asked: RefCell<Option<(String, usize)>>,
    /// Slow hints in a row, and until when hints stop.
    slow: Cell<u8>,
    resting: Cell<Option<Instant>>,
    /// The line is painted for the last time: no bracket is marked.
    leaving: Cell<bool>,
}

impl<'a, 's> Assistant<'a, 's> {
    pub fn new(shell: &'a RefCell<&'s mut Shell>, wishes: Wishes) -> Self {
        Assistant {
            shell,
            wishes,
            last: RefCell::default(),
            asked: RefCell::default(),
            slow: Cell::new(0),
            resting: Cell::new(None),
            leaving: Cell::new(false),
        }
    }

    /// Called when the state has changed.
    pub fn forget(&self) {
        self.resting.set(None);
        self.last.replace(None);
        self.asked.replace(None);
    }
}

impl Helper for Assistant<'_, '_> {}
impl Validator for Assistant<'_, '_> {}

/// A hint that is shown and never inserted.
pub struct Shown(String);

impl Hint for Shown {
    fn display(&self) -> &str {
        &self.0
    }

    fn completion(&self) -> Option<&str> {
        None
    }
}

impl Hinter for Assistant<'_, '_> {
    type Hint = Shown;

    fn hint(&self, buffer: &str, cursor: usize, _: &Context<'_>) -> Option<Shown> {
        if is_long(buffer) {
            return None;
        }
        let (text, at) = margin::without_at(buffer, cursor);
        if let Some((known, place, hint)) = &*self.last.borrow()
            && *known == *text
            && *place == at
        {
            return hint.clone().map(Shown);
        }
        let columns = screen::columns().unwrap_or(WIDTH);
        let last_line = text.rsplit('\n').next().unwrap_or_default();
        // The last column stays free: a full line would wrap.
        let used = (last_line.width() + margin::width()) % columns.max(1);
        let room = columns.saturating_sub(used + 3);
        let begun = Instant::now();
        if self.resting.get().is_some_and(|until| begun < until) {
            return None;
        }
        let mut shell = self.shell.try_borrow_mut().ok()?;
        let style = shell.view.style().clone();
        let values = shell.previews;
        let found = hint::hint(&mut shell.machine, &style, &text, at, room, values);
        self.slow.set(match begun.elapsed() > SLOW {
            true => self.slow.get() + 1,
            false => 0,
        });
        if self.slow.get() == PATIENCE {
            self.slow.set(0);
            self.resting.set(Some(Instant::now() + REST));
        }
        let hint = found.map(|hint| match style.ascii {
            true => format!("  {}", view::ascii(&hint)),
            false => format!("  {hint}"),
        });
        self.last.replace(Some((text.into_owned(), at, hint.clone())));
        hint.map(Shown)
    }
}

impl Completer for Assistant<'_, '_> {
    type Candidate = Choice;

    fn complete(
        &self,
        buffer: &str,
        cursor: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Choice>)> {
        if self.wishes.some() {
            return Ok((cursor, vec![Choice::new(" ", "")]));
        }
        let (text, at) = margin::without_at(buffer, cursor);
        let Ok(shell) = self.shell.try_borrow() else {
            return Ok((cursor, Vec::new()));
        };
        let known = Known {
            machine: &shell.machine,
            offers: &shell.view.offers,
            style: shell.view.style(),
        };
        let found = completion::complete(&known, &text, at);
        let again = self.asked.replace(Some((text.to_string(), at)));
        let again = again.is_some_and(|(t, a)| *t == *text && a == at);
        let choices = completion::laid_out(found.choices, screen::size(), again);
        Ok((cursor - (at - found.start), choices))
    }

    fn update(&self, line: &mut LineBuffer, start: usize, elected: &str, changes: &mut Changeset) {
        match self.wishes.take() {
            Some((buffer, cursor)) if buffer == line.as_str() => line.set_pos(cursor),
            Some((buffer, cursor)) => line.update(&buffer, cursor, changes),
            None => {
                let end = line.pos();
                line.replace(start..end, elected, changes);
            }
        }
    }
}

impl Highlighter for Assistant<'_, '_> {
    fn highlight<'l>(&self, buffer: &'l str, cursor: usize) -> Cow<'l, str> {
        let Ok(shell) = self.shell.try_borrow() else {
            return Cow::Borrowed(buffer);
        };
        let (text, at) = margin::without_at(buffer, cursor);
        let color = shell.view.style().color;
        let marked = (!self.leaving.get()).then_some(at);
        let painting = self.leaving.get() || !is_long(buffer);
        let mut painted = match color && painting && text.len() <= COLORED {
            true => highlight::input(&text, marked, &shell.machine),
            false => Painted::plain(&text),
        };
        if self.leaving.get() && self.wishes.dropping() {
            painted.push("^C");
        }
        if !text.contains('\n') {
            return Cow::Owned(painted.into_string());
        }
        let prompt = match color {
            true => highlight::prompt(CONTINUATION).into_string(),
            false => CONTINUATION.to_owned(),
        };
        // What was pasted stands as it came until it is edited or entered: its margins count then.
        let columns = screen::columns().unwrap_or(WIDTH);
        let all = self.leaving.get()
            && text.lines().all(|l| !l.contains('\t') && l.width() + margin::width() < columns);
        Cow::Owned(margin::drawn(painted.as_str(), buffer, all, &prompt))
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        let color = self.shell.try_borrow().is_ok_and(|s| s.view.style().color);
        match color {
            true => Cow::Owned(highlight::prompt(prompt).into_string()),
            false => Cow::Borrowed(prompt),
        }
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        let color = self.shell.try_borrow().is_ok_and(|s| s.view.style().color);
        match color {
            true => Cow::Owned(highlight::hint(hint).into_string()),
            false => visible(hint),
        }
    }

    fn highlight_candidate<'c>(&self, candidate: &'c str, _: CompletionType) -> Cow<'c, str> {
        Cow::Borrowed(candidate)
    }

    fn highlight_char(&self, buffer: &str, _: usize, kind: CmdKind) -> bool {
        self.leaving.set(kind == CmdKind::ForcedRefresh);
        self.leaving.get() || !is_long(buffer)
    }
}
