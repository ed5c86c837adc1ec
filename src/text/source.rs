//! A piece of program text and places in it.

use std::cell::Cell;
use std::rc::Rc;

/// A half-open range of bytes in a [`Source`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash, PartialOrd, Ord)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// Program text as it was typed, with the place of every line. A clone is the same text.
#[derive(Clone, Debug)]
pub struct Source(Rc<Text>);

#[derive(Debug)]
struct Text {
    id: u32,
    text: Rc<str>,
    lines: Vec<u32>,
}

thread_local! {
    static NEXT: Cell<u32> = const { Cell::new(1) };
}

impl Source {
    pub fn new(text: impl Into<Rc<str>>) -> Self {
        Self::with_id(text.into(), NEXT.with(|n| n.replace(n.get() + 1)))
    }

    /// A text of the program itself, which no message points into.
    pub fn own(text: &str) -> Self {
        Self::with_id(text.into(), 0)
    }

    pub fn is_own(&self) -> bool {
        self.0.id == 0
    }

    fn with_id(text: Rc<str>, id: u32) -> Self {
        let starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        Source(Rc::new(Text { id, text, lines: starts }))
    }

    /// Tells sources apart; 0 for texts of the program itself.
    pub fn id(&self) -> u32 {
        self.0.id
    }

    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.0.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The text of a span with the parentheses that its ends belong to: `(a+b)*(a-b)`, where the
    /// span begins at `a` and ends behind the last `b`.
    pub fn slice_balanced(&self, span: Span) -> &str {
        let inner = self.slice(span);
        let (mut depth, mut opens) = (0i32, 0i32);
        for c in inner.chars() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            opens = opens.max(-depth);
        }
        let (mut start, mut end) = (span.start as usize, span.end as usize);
        for _ in 0..opens {
            match self.text()[..start].trim_end().strip_suffix('(') {
                Some(before) => start = before.len(),
                None => return inner,
            }
        }
        for _ in 0..depth + opens {
            match self.text()[end..].trim_start().strip_prefix(')') {
                Some(behind) => end = self.text().len() - behind.len(),
                None => return inner,
            }
        }
        &self.text()[start..end]
    }

    /// Line of a byte offset, from 0.
    pub fn line_of(&self, offset: u32) -> usize {
        self.0.lines.partition_point(|&s| s <= offset).saturating_sub(1)
    }

    /// Text of a line (from 0), without its newline.
    pub fn line(&self, line: usize) -> &str {
        let start = self.0.lines.get(line).map_or(self.0.text.len(), |&s| s as usize);
        let end = self.0.lines.get(line + 1).map_or(self.0.text.len(), |&s| s as usize);
        self.0.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// Line and column of an offset, both from 1; the column counts characters.
    pub fn position(&self, offset: u32) -> (usize, usize) {
        let line = self.line_of(offset);
        let start = self.0.lines.get(line).map_or(0, |&s| s as usize);
        let upto = self.0.text.get(start..(offset as usize).min(self.0.text.len())).unwrap_or("");
        (line + 1, upto.chars().count() + 1)
    }
}
