//! Texts as `repr` writes them.

use crate::maths::budget;
use std::fmt::Write;

/// Bytes of a text between two looks at the wish to stop.
const LOOK: usize = 1 << 16;

/// A text in quotes, as Python writes it.
pub fn quote(s: &str, out: &mut String) {
    let quote = if s.contains('\'') && !s.contains('"') { '"' } else { '\'' };
    out.push(quote);
    let mut rest = s;
    while !rest.is_empty() && !budget::stopping() {
        // Most of a text is shown as it is.
        let plain = |b: &u8| (b' '..0x7f).contains(b) && *b != b'\\' && char::from(*b) != quote;
        let most = rest.len().min(LOOK);
        let run = rest.as_bytes()[..most].iter().take_while(|b| plain(b)).count();
        out.push_str(&rest[..run]);
        rest = &rest[run..];
        let Some(c) = rest.chars().next().filter(|_| run < most) else {
            continue;
        };
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if (c as u32) < 0x20 || c as u32 == 0x7f => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c if !is_printable(c) => escape(c, out),
            c => out.push(c),
        }
    }
    out.push(quote);
}

/// A character by its number: `\x85`, `\u200b`, `\U000e0001`.
fn escape(c: char, out: &mut String) {
    let i = u32::from(c);
    let _ = match i {
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

/// `ascii(value)` of a repr: what is not ASCII by its number.
pub fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            escape(c, &mut out);
        }
    }
    out
}
