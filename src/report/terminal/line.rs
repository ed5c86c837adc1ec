//! Lines of text with meanings: what every drawing is made of before colour and ASCII.

use super::roles::Role;
use super::roles::Spot;
use std::borrow::Cow;
use unicode_width::UnicodeWidthStr;
use vjp_text::visible::visible;

/// A text as it is drawn.
fn shown(text: String) -> String {
    match visible(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(seen) => seen,
    }
}

/// One line: pieces of text with their meaning, measured in terminal columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    spans: Vec<(Role, String)>,
    /// Which spans stand for something in a panel, in order.
    spots: Vec<(usize, Spot)>,
    width: usize,
}

/// Display width: wide characters take two columns, combining ones none.
pub fn width(text: &str) -> usize {
    text.width()
}

impl Line {
    pub fn new() -> Line {
        Line::default()
    }

    /// A line of one piece.
    pub fn of(role: Role, text: impl Into<String>) -> Line {
        let mut line = Line::new();
        line.push(role, text);
        line
    }

    /// Adds a piece of text; what cannot be seen in it is made visible here, so that it has its width.
    pub fn push(&mut self, role: Role, text: impl Into<String>) -> &mut Line {
        let text = shown(text.into());
        self.width += width(&text);
        let taken = self.spots.last().is_some_and(|(k, _)| k + 1 == self.spans.len());
        match self.spans.last_mut() {
            Some((last, piece)) if *last == role && !taken => piece.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.spans.push((role, text)),
        }
        self
    }

    /// Adds a piece of text that stands for something.
    pub fn push_spot(&mut self, role: Role, text: &str, spot: Option<Spot>) -> &mut Line {
        match spot.filter(|_| !text.is_empty()) {
            None => self.push(role, text),
            Some(spot) => {
                let text = shown(text.to_owned());
                self.width += width(&text);
                self.spots.push((self.spans.len(), spot));
                self.spans.push((role, text));
                self
            }
        }
    }

    pub fn plain(&mut self, text: impl Into<String>) -> &mut Line {
        self.push(Role::Plain, text)
    }

    /// Blanks up to a column; nothing where the line is longer.
    pub fn pad(&mut self, column: usize) -> &mut Line {
        let blanks = column.saturating_sub(self.width);
        if blanks > 0 {
            self.push(Role::Plain, " ".repeat(blanks));
        }
        self
    }

    /// Text that ends at a column.
    pub fn right(&mut self, role: Role, text: &str, column: usize) -> &mut Line {
        self.pad(column.saturating_sub(width(text)));
        self.push(role, text)
    }

    pub fn append(&mut self, other: &Line) -> &mut Line {
        for (k, (role, text)) in other.spans.iter().enumerate() {
            match other.spot(k) {
                None => self.push(*role, text.clone()),
                spot => self.push_spot(*role, text, spot),
            };
        }
        self
    }

    /// What a span stands for.
    pub fn spot(&self, span: usize) -> Option<Spot> {
        let at = self.spots.binary_search_by_key(&span, |(k, _)| *k).ok()?;
        self.spots.get(at).map(|(_, spot)| *spot)
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn is_empty(&self) -> bool {
        self.width == 0
    }

    pub fn spans(&self) -> &[(Role, String)] {
        &self.spans
    }
}

/// A line folded at blanks to a width; what follows the first line is indented.
pub fn fold(line: &Line, columns: usize, indent: usize) -> Vec<Line> {
    if line.width() <= columns {
        return vec![line.clone()];
    }
    let mut lines = Vec::new();
    let mut current = Line::new();
    let mut words = false;
    for word in words_of(line) {
        let text: String = word.iter().map(|(_, text)| *text).collect();
        if words && current.width() + width(text.trim_end()) > columns {
            lines.push(std::mem::take(&mut current));
            current.pad(indent);
            words = false;
        }
        for (role, text) in word {
            current.push(role, text);
        }
        words |= !text.trim().is_empty();
    }
    lines.push(current);
    lines
}

/// A text whose lines are folded to a width, each below its own last column.
pub fn narrowed(text: &str, columns: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for whole in text.split_inclusive('\n') {
        let plain = whole.trim_end_matches('\n');
        if width(plain) <= columns {
            out += whole;
            continue;
        }
        let start = plain.len() - plain.trim_start().len();
        // Where what stands behind a gap begins.
        let gap = plain[start..].find("  ").map(|at| start + at);
        let column = gap.map(|at| width(&plain[..at]) + blanks(&plain[at..]));
        let indent = column.filter(|at| 2 * at <= columns).unwrap_or(if start > 4 {
            start
        } else {
            start + 4
        });
        for folded in fold(&Line::of(Role::Plain, plain), columns, indent) {
            let piece: String = folded.spans().iter().map(|(_, text)| text.as_str()).collect();
            out += piece.trim_end();
            out.push('\n');
        }
        if !whole.ends_with('\n') {
            out.pop();
        }
    }
    out
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The words of a line; a ✓ or ✗ belongs to the one before it.
fn words_of(line: &Line) -> Vec<Vec<(Role, &str)>> {
    let mut words: Vec<Vec<(Role, &str)>> = Vec::new();
    for (role, text) in line.spans() {
        for piece in text.split_inclusive(' ') {
            let mark = matches!(role, Role::Agrees | Role::Differs);
            let blank = |word: &Vec<(Role, &str)>| word.iter().all(|(_, t)| t.trim().is_empty());
            let before = mark.then(|| words.iter().rposition(|word| !blank(word)));
            let mut word = before.flatten().map_or(Vec::new(), |at| words.split_off(at).concat());
            word.push((*role, piece));
            words.push(word);
        }
    }
    words
}

/// Text right-aligned to a width in columns.
pub fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}
