//! Keys of the prompt beside rustyline's own: Enter goes on or ends an input, the arrows walk
//! through a block and through history, and a block's lines keep their margins.

use super::indent;
use super::margin::{self, BREAK, MARGIN};
use crate::{interrupt, screen};
use rustyline::{
    Cmd, ConditionalEventHandler, Event, EventContext, KeyCode, KeyEvent, Modifiers, RepeatCount,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;
use vjp_report::terminal::style::WIDTH;
use vjp_text::lines::{self, Completeness, Setting};
use vjp_text::paste;

/// What a key asks the editor to hold: the whole buffer and the cursor's place. The editor changes
/// its buffer at a completion only, so that is how it is carried out.
pub type Wish = (String, usize);

/// Shared by the keys, which wish, and the completer, which carries out.
#[derive(Clone, Default)]
pub struct Wishes {
    wish: Arc<Mutex<Option<Wish>>>,
    dropped: Arc<AtomicBool>,
}

impl Wishes {
    fn lock(&self) -> MutexGuard<'_, Option<Wish>> {
        self.wish.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The line is to be dropped, not evaluated.
    fn drop_line(&self) {
        self.dropped.store(true, Ordering::Relaxed);
    }

    pub fn dropping(&self) -> bool {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Whether the line that just ended is dropped.
    pub fn dropped(&self) -> bool {
        self.dropped.swap(false, Ordering::Relaxed)
    }

    pub fn some(&self) -> bool {
        self.lock().is_some()
    }

    pub fn take(&self) -> Option<Wish> {
        self.lock().take()
    }

    fn set(&self, wish: Option<Wish>) {
        *self.lock() = wish;
    }
}

/// How history is walked: entry by entry, or those that begin as the line did.
#[derive(Clone, Copy, PartialEq)]
enum Walk {
    No,
    All,
    Begun,
}

/// Sees every key before rustyline does.
pub struct Keys {
    wishes: Wishes,
    walk: Mutex<Walk>,
    /// The buffer as Enter left it, with the indentation that it gave.
    given: Mutex<Option<Wish>>,
}

impl Keys {
    pub fn new(wishes: Wishes) -> Keys {
        Keys { wishes, walk: Mutex::new(Walk::No), given: Mutex::default() }
    }

    fn wish(&self, buffer: impl Into<String>, cursor: usize) -> Option<Cmd> {
        self.wishes.set(Some((buffer.into(), cursor)));
        Some(Cmd::Complete)
    }

    /// Up and down: lines of a block first, then history.
    fn vertical(&self, up: bool, buffer: &str, cursor: usize) -> Option<Cmd> {
        let walking = *self.walk.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(to) = line_beside(buffer, cursor, up) {
            self.set_walk(walking);
            return self.wish(buffer, to);
        }
        let begun = !buffer.is_empty() && !buffer.contains('\n') && cursor > 0;
        let walk = match walking {
            Walk::No if begun && up => Walk::Begun,
            Walk::No => Walk::All,
            going => going,
        };
        self.set_walk(walk);
        Some(match (walk, up) {
            (Walk::Begun, true) => Cmd::HistorySearchBackward,
            (Walk::Begun, false) => Cmd::HistorySearchForward,
            (_, true) => Cmd::PreviousHistory,
            (_, false) => Cmd::NextHistory,
        })
    }

    fn set_walk(&self, walk: Walk) {
        *self.walk.lock().unwrap_or_else(PoisonError::into_inner) = walk;
    }

    /// Ends the input where it is whole, else begins a line, indented as its block asks for.
    fn enter(&self, buffer: &str, cursor: usize) -> Option<Cmd> {
        let (mut text, mut at) = margin::without_at(buffer, cursor);
        let on_last = !text[at..].contains('\n');
        if on_last && whole(&text) {
            return None;
        }
        if at == text.len()
            && let Some(column) = indent::clause(&text)
        {
            let line = text.rfind('\n').map_or(0, |n| n + 1);
            let moved = " ".repeat(column) + text[line..].trim_start();
            text = (text[..line].to_owned() + &moved).into();
            at = text.len();
        }
        // What stands behind the cursor brings its own blanks along.
        let column = indent::next(&text[..at]).saturating_sub(indent::column(&text[at..]));
        let begun = format!("{}\n{}", &text[..at], " ".repeat(column));
        let buffer = margin::with(&(begun.clone() + &text[at..]));
        let cursor = margin::with(&begun).len();
        *self.given.lock().unwrap_or_else(PoisonError::into_inner) = Some((buffer.clone(), cursor));
        self.wish(buffer, cursor)
    }

    /// Blanks typed by habit where Enter has given the indentation take its place.
    fn blank(&self, given: Option<Wish>, buffer: &str, cursor: usize) -> Option<Cmd> {
        given.filter(|(b, c)| b == buffer && *c == cursor)?;
        let start = margin::line_start(buffer, cursor);
        let own = &buffer[start..cursor];
        if own.is_empty() || !own.trim().is_empty() {
            return None;
        }
        self.wish([&buffer[..start], " ", &buffer[cursor..]].concat(), start + 1)
    }

    /// Backspace between a line's blanks goes back a step.
    fn step_back(&self, buffer: &str, cursor: usize) -> Option<Cmd> {
        let start = margin::line_start(buffer, cursor);
        let own = &buffer[start..cursor];
        if !buffer.contains('\n') || own.is_empty() || own.chars().any(|c| c != ' ') {
            return None;
        }
        let to = start + indent::back(own.len());
        self.wish([&buffer[..to], &buffer[cursor..]].concat(), to)
    }

    /// Steps over and removals of a margin take the line break along.
    fn at_margin(&self, key: &KeyEvent, buffer: &str, cursor: usize) -> Option<Cmd> {
        let start = margin::line_start(buffer, cursor);
        let behind = cursor == start && buffer[..start].ends_with(BREAK);
        let before = buffer[cursor..].starts_with(BREAK);
        match Known::of(key)? {
            Known::Left if behind => self.wish(buffer, cursor - BREAK.len()),
            Known::Right if before => self.wish(buffer, cursor + BREAK.len()),
            Known::Home if buffer[..start].ends_with(MARGIN) => self.wish(buffer, start),
            Known::Backspace if behind => {
                let joined = [&buffer[..cursor - BREAK.len()], &buffer[cursor..]].concat();
                self.wish(joined, cursor - BREAK.len())
            }
            Known::Delete if before => {
                let joined = [&buffer[..cursor], &buffer[cursor + BREAK.len()..]].concat();
                self.wish(joined, cursor)
            }
            Known::KillLine if buffer[..start].ends_with(MARGIN) => {
                let rest = [&buffer[..start], &buffer[cursor..]].concat();
                self.wish(rest, start)
            }
            _ => None,
        }
    }
}

impl ConditionalEventHandler for Keys {
    fn handle(
        &self,
        event: &Event,
        _: RepeatCount,
        _: bool,
        context: &EventContext,
    ) -> Option<Cmd> {
        let key = event.get(0)?;
        let (buffer, cursor) = (context.line(), context.pos());
        self.wishes.set(None);
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner).take();
        match Known::of(key) {
            Some(Known::Up) => return self.vertical(true, buffer, cursor),
            Some(Known::Down) => return self.vertical(false, buffer, cursor),
            _ => self.set_walk(Walk::No),
        }
        match key {
            KeyEvent(KeyCode::Enter, Modifiers::NONE)
            | KeyEvent(KeyCode::Char('J' | 'M'), Modifiers::CTRL) => self.enter(buffer, cursor),
            // Ctrl-D at the end of a block ends it.
            KeyEvent(KeyCode::Char('D'), Modifiers::CTRL)
                if buffer.contains('\n') && cursor == buffer.len() =>
            {
                Some(Cmd::AcceptLine)
            }
            // The line stands as it was typed, without what was shown behind it.
            KeyEvent(KeyCode::Char('C'), Modifiers::CTRL) => {
                self.wishes.drop_line();
                Some(Cmd::AcceptLine)
            }
            KeyEvent(KeyCode::Char('Z'), Modifiers::CTRL) => {
                interrupt::suspend(rows_above(buffer, cursor));
                Some(Cmd::Repaint)
            }
            KeyEvent(KeyCode::Char(c), Modifiers::NONE) if !c.is_control() => {
                if let (' ', Some(cmd)) = (*c, self.blank(given, buffer, cursor)) {
                    return Some(cmd);
                }
                let (mut buffer, cursor) = margin::repaired(buffer, cursor)?;
                buffer.insert(cursor, *c);
                self.wish(buffer, cursor + c.len_utf8())
            }
            key => self.at_margin(key, buffer, cursor).or_else(|| match Known::of(key) {
                Some(Known::Backspace) => self.step_back(buffer, cursor),
                _ => None,
            }),
        }
    }
}

/// Whether an input asks for no more lines.
pub fn whole(text: &str) -> bool {
    let repaired = paste::repair(text);
    let meant = repaired.as_ref().map_or(text, |r| r.text.as_str());
    lines::complete(meant, Setting::Prompt) == Completeness::Complete
}

/// Keys that a block treats in its own way, by all their names.
enum Known {
    Up,
    Down,
    Left,
    Right,
    Home,
    Backspace,
    Delete,
    KillLine,
}

impl Known {
    fn of(key: &KeyEvent) -> Option<Known> {
        use KeyCode as K;
        let KeyEvent(code, modifiers) = key;
        Some(match (code, *modifiers) {
            (K::Up, Modifiers::NONE) | (K::Char('P'), Modifiers::CTRL) => Known::Up,
            (K::Down, Modifiers::NONE) | (K::Char('N'), Modifiers::CTRL) => Known::Down,
            (K::Left, Modifiers::NONE) | (K::Char('B'), Modifiers::CTRL) => Known::Left,
            (K::Right, Modifiers::NONE) | (K::Char('F'), Modifiers::CTRL) => Known::Right,
            (K::Home, Modifiers::NONE) | (K::Char('A'), Modifiers::CTRL) => Known::Home,
            (K::Backspace, Modifiers::NONE) | (K::Char('H'), Modifiers::CTRL) => Known::Backspace,
            (K::Delete, Modifiers::NONE) | (K::Char('D'), Modifiers::CTRL) => Known::Delete,
            (K::Char('U'), Modifiers::CTRL) => Known::KillLine,
            _ => return None,
        })
    }
}

/// The place in the line above or below that stands in the cursor's column.
fn line_beside(buffer: &str, cursor: usize, up: bool) -> Option<usize> {
    let start = margin::line_start(buffer, cursor);
    let column = buffer[start..cursor].width();
    let inside = match up {
        true => buffer[..cursor].rfind('\n')?,
        false => cursor + buffer[cursor..].find('\n')? + 1,
    };
    let line = buffer[..inside].rfind('\n').map_or(0, |n| n + 1);
    let margin = match buffer[line..].starts_with(MARGIN) {
        true => MARGIN.len(),
        false => 0,
    };
    let first = line + margin;
    let length = buffer[first..].find('\n').unwrap_or(buffer.len() - first);
    let mut width = 0;
    for (at, cluster) in buffer[first..first + length].grapheme_indices(true) {
        if width >= column {
            return Some(first + at);
        }
        width += cluster.width();
    }
    Some(first + length)
}

/// Rows of the screen from the first of what is typed down to the cursor.
fn rows_above(buffer: &str, cursor: usize) -> usize {
    let columns = screen::columns().unwrap_or(WIDTH).max(1);
    let (text, at) = margin::without_at(buffer, cursor);
    let mut lines = text[..at].split('\n').rev();
    let rows = |line: &str| (margin::width() + line.width()) / columns;
    lines.next().map_or(0, rows) + lines.map(|line| rows(line) + 1).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_keep_their_column_in_a_block() {
        let buffer = margin::with("for i in x:\n    y\n    θ₁ = 宽i");
        let at = |text: &str| buffer.find(text).unwrap_or_default();
        let end = |text: &str| at(text) + text.len();
        assert_eq!(line_beside(&buffer, at("y"), true), Some(at("i in")));
        assert_eq!(line_beside(&buffer, at("y"), false), Some(at("θ₁")));
        assert_eq!(line_beside(&buffer, buffer.len(), true), Some(end("    y")));
        assert_eq!(line_beside(&buffer, buffer.len(), false), None);
        assert_eq!(line_beside(&buffer, 4, true), None);
        assert_eq!(line_beside(&buffer, at("宽"), true), Some(end("    y")));
    }

    #[test]
    fn an_input_is_whole_when_nothing_is_open() {
        assert!(whole("x = 1") && whole("for i in x:\n    y\n") && whole(":help ("));
        assert!(!whole("for i in x:") && !whole("print([") && !whole("for i in x:\n    y"));
    }
}
