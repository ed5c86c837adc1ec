//! Characters that nobody sees, made visible: those that speak to a terminal, turn the direction of what
//! follows, or have no width. What a person reads is then what is there.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// A character by its number, as Python writes it: `\x85`, `\u200b`, `\U000e0001`.
pub fn escape(c: char, out: &mut String) {
    let i = u32::from(c);
    let _ = match i {
        0x0d => write!(out, "\\r"),
        0..=0xff => write!(out, "\\x{i:02x}"),
        0x100..=0xffff => write!(out, "\\u{i:04x}"),
        _ => write!(out, "\\U{i:08x}"),
    };
}

/// Whether Python's repr shows a character as it is: not control, format, private, unassigned or
/// separating characters other than the blank.
pub fn is_printable(c: char) -> bool {
    let i = u32::from(c);
    !(c.is_control()
        || (c != ' ' && c.is_whitespace())
        || matches!(i, 0xad | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x180e | 0x200b..=0x200f
            | 0x202a..=0x202e | 0x2060..=0x206f | 0xd800..=0xf8ff | 0xfeff | 0xfff0..=0xfffb
            | 0xfffe..=0xffff | 0xe0000..=0x10_ffff))
}

/// Whether a character is invisible, yet has an effect: controls other than newline and tab, marks of
/// direction, and what Unicode lets a screen leave out.
fn is_hidden(c: char, before: Option<char>) -> bool {
    match u32::from(c) {
        0x09 | 0x0a | 0x20..=0x7e => false,
        // Variants of a sign, as of an emoji; after a letter or a digit nothing shows them.
        0xfe00..=0xfe0f => before.is_none_or(|b| b.is_ascii() || b.is_alphanumeric()),
        0..=0x9f | 0xad | 0x34f | 0x61c | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180b..=0x180f => {
            true
        }
        0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0x3164 | 0xfeff | 0xffa0 => true,
        0xfff0..=0xfffb | 0x13430..=0x1345f | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a => true,
        i => (0xe0000..=0xe0fff).contains(&i),
    }
}

/// Whether a text holds a character that nobody sees.
pub fn has_hidden(text: &str) -> bool {
    let ordinary = |b: &u8| matches!(b, b'\n' | b'\t' | b' '..=b'~');
    !text.as_bytes().iter().all(ordinary) && hidden(text).next().is_some()
}

/// Places of the characters that nobody sees.
fn hidden(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut before = None;
    text.char_indices().filter(move |(_, c)| is_hidden(*c, before.replace(*c)))
}

/// The text with those characters as Python would write them in a string.
pub fn visible(text: &str) -> Cow<'_, str> {
    replaced(text, escape)
}

/// A text that is ASCII but for what is seen: [`visible`], as JSON writes it.
pub fn in_json(text: &str) -> Cow<'_, str> {
    replaced(text, |c, out| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    })
}

fn replaced(text: &str, write: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if !has_hidden(text) {
        return Cow::Borrowed(text);
    }
    let (mut out, mut end) = (String::with_capacity(text.len() + 16), 0);
    for (at, c) in hidden(text) {
        out.push_str(&text[end..at]);
        write(c, &mut out);
        end = at + c.len_utf8();
    }
    out.push_str(&text[end..]);
    Cow::Owned(out)
}

/// A text on one line: newlines and tabs are made visible too.
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    match visible(text) {
        text if text.contains(['\n', '\t']) => {
            Cow::Owned(text.replace('\n', "\\n").replace('\t', "\\t"))
        }
        text => text,
    }
}

/// A file's name in a sentence.
pub fn name(path: &Path) -> String {
    on_one_line(&path.to_string_lossy()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_written_as_python_writes_it() {
        for (text, seen) in [
            ("a\tb\nθ₁ é 数 \u{301}", "a\tb\nθ₁ é 数 \u{301}"),
            ("\x1b]52;c;QUJD\x07\r\0\x7f", "\\x1b]52;c;QUJD\\x07\\r\\x00\\x7f"),
            ("\u{9b}2J\u{85}", "\\x9b2J\\x85"),
            ("a\u{202e}b\u{2066}c\u{200f}", "a\\u202eb\\u2066c\\u200f"),
            ("x\u{200b}y\u{ad}\u{feff}\u{2028}", "x\\u200by\\xad\\ufeff\\u2028"),
            ("a\u{fe0f} ✔\u{fe0f} \u{e0041}", "a\\ufe0f ✔\u{fe0f} \\U000e0041"),
            ("\u{3164}", "\\u3164"),
        ] {
            assert_eq!(visible(text), seen);
        }
        assert_eq!(on_one_line("a\nb\tc\r"), "a\\nb\\tc\\r");
        assert_eq!(in_json("\"\u{9b}\u{e0041}\""), "\"\\u009b\\udb40\\udc41\"");
    }

    #[test]
    fn what_was_made_visible_stays_as_it_is() {
        for c in ('\0'..='\u{10ffff}').filter(|c| is_hidden(*c, None)) {
            let seen = visible(&String::from(c)).into_owned();
            assert!(seen.is_ascii() && !has_hidden(&seen), "{c:?}");
        }
    }
}
