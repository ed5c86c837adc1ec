//! Texts as `repr` writes them.

use vjp_tensor::budget;
use vjp_text::visible::{escape, is_printable};

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
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if !is_printable(c) => escape(c, out),
            c => out.push(c),
        }
    }
    out.push(quote);
}

/// `ascii(value)` of a repr: what is not ASCII by its number.
pub fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in budget::unless_stopped(text.chars()) {
        if c.is_ascii() {
            out.push(c);
        } else {
            escape(c, &mut out);
        }
    }
    out
}
