//! Text for a terminal: colours of ours, and of everything else only what can be seen.

use std::fmt;
use vjp_text::visible::visible;

/// Text whose control characters, but for newlines and tabs, are this program's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Painted(String);

impl Painted {
    pub fn new() -> Painted {
        Painted::default()
    }

    /// A text of whatever origin.
    pub fn plain(text: &str) -> Painted {
        Painted(visible(text).into_owned())
    }

    /// What moves the cursor or changes colours. Only for what this program decides itself.
    pub fn control(code: impl Into<String>) -> Painted {
        Painted(code.into())
    }

    /// Adds a text of whatever origin.
    pub fn push(&mut self, text: &str) -> &mut Painted {
        self.0.push_str(&visible(text));
        self
    }

    /// Adds a text in a colour; none: as it is.
    pub fn color(&mut self, code: &str, text: &str) -> &mut Painted {
        match code.is_empty() || text.is_empty() {
            true => self.push(text),
            false => {
                self.0.push_str(code);
                self.push(text);
                self.0.push_str(RESET);
                self
            }
        }
    }

    /// An element of a page, or one end of it, that the page takes as it is. Only for what this program
    /// writes itself; a terminal shows nothing of it.
    pub fn markup(&mut self, html: &str) -> &mut Painted {
        self.0.push_str(MARKUP);
        self.0.push_str(html);
        self.0.push_str(MARKUP_END);
        self
    }

    pub fn append(&mut self, other: &Painted) -> &mut Painted {
        self.0.push_str(&other.0);
        self
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text alone, without colours and elements.
    pub fn in_signs(&self) -> String {
        let mut out = String::new();
        let mut rest = self.0.as_str();
        while let Some((before, code)) = rest.split_once('\x1b') {
            out += before;
            let end = if code.starts_with('_') { MARKUP_END } else { "m" };
            rest = code.split_once(end).map_or("", |(_, after)| after);
        }
        out + rest
    }

    pub fn into_string(self) -> String {
        self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its lines, as [`str::lines`] has them; no colour goes over the end of one.
    pub fn lines(&self) -> impl Iterator<Item = Painted> {
        self.0.lines().map(|line| Painted(line.to_owned()))
    }

    /// The beginning, so many bytes of it, and the rest.
    pub fn split_at(&self, bytes: usize) -> (Painted, Painted) {
        let (start, rest) = self.0.split_at(bytes);
        (Painted(start.to_owned()), Painted(rest.to_owned()))
    }
}

/// Around an element of a page: a command to an application, which terminals pass over.
pub(super) const MARKUP: &str = "\x1b_";
pub(super) const MARKUP_END: &str = "\x1b\\";

/// Ends a colour.
pub const RESET: &str = "\x1b[0m";

impl fmt::Display for Painted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_codes_reach_a_terminal() {
        let mut line = Painted::plain("a\x1b[2J");
        line.color("\x1b[32m", "b\u{202e}\x07").push("c\n");
        assert_eq!(line.as_str(), "a\\x1b[2J\x1b[32mb\\u202e\\x07\x1b[0mc\n");
        line.markup("<b>").push("d");
        assert_eq!(line.in_signs(), "a\\x1b[2Jb\\u202e\\x07c\nd");
    }
}
