//! What word processors and web pages put in place of a program's characters: curly quotes, other
//! spaces, dashes for minus signs. Outside strings and comments each is an error in Python.

/// Spaces of other widths, which pages use so that lines do not break.
const SPACES: &[char] = &[
    '\u{a0}', '\u{2002}', '\u{2003}', '\u{2004}', '\u{2005}', '\u{2007}', '\u{2008}', '\u{2009}',
    '\u{200a}', '\u{202f}', '\u{205f}', '\u{3000}',
];
/// Characters of no width.
const NOTHING: &[char] = &['\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}', '\u{ad}'];
const DOUBLE: &[char] = &['“', '”', '„', '‟', '″'];
const SINGLE: &[char] = &['‘', '’', '‚', '‛', '′'];

/// What a character stands for where a program is; None where it stands for itself.
fn meant(c: char) -> Option<&'static str> {
    Some(match c {
        _ if SPACES.contains(&c) => " ",
        _ if NOTHING.contains(&c) => "",
        _ if DOUBLE.contains(&c) => "\"",
        _ if SINGLE.contains(&c) => "'",
        '−' | '–' | '—' => "-",
        '…' => "...",
        _ => return None,
    })
}

/// The text with the characters that were meant, and how many were replaced. Texts in plain quotes
/// and comments stay; in them only what has no width goes nowhere.
pub fn plain(text: &str) -> (String, usize) {
    if text.is_ascii() {
        return (text.to_owned(), 0);
    }
    let (mut out, mut replaced) = (String::with_capacity(text.len()), 0);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if matches!(c, '"' | '\'') {
            let end = quoted(rest, &rest[..1]);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        if c == '#' {
            let end = rest.find('\n').unwrap_or(rest.len());
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        let Some(instead) = meant(c) else {
            out.push(c);
            continue;
        };
        replaced += 1;
        out.push_str(instead);
        // A text in curly quotes ends at the next one of its kind on the line.
        let closing = [DOUBLE, SINGLE].into_iter().find(|kind| kind.contains(&c));
        if let Some(kind) = closing
            && let Some(end) = rest.find(|c| kind.contains(&c) || c == '\n')
            && !rest[end..].starts_with('\n')
        {
            let inner = &rest[..end];
            out.push_str(&inner.replace(instead, &format!("\\{instead}")));
            out.push_str(instead);
            replaced += 1;
            let width = rest[end..].chars().next().map_or(0, char::len_utf8);
            rest = &rest[end + width..];
        }
    }
    (out, replaced)
}

/// Where a text in plain quotes ends: behind its closing quote, or where the line ends.
fn quoted(text: &str, quote: &str) -> usize {
    let triple = quote.repeat(3);
    let (mark, long) = match text.starts_with(&triple) {
        true => (triple.as_str(), true),
        false => (quote, false),
    };
    let mut at = mark.len();
    while at < text.len() {
        let here = &text[at..];
        if here.starts_with(mark) {
            return at + mark.len();
        }
        if here.starts_with('\n') && !long {
            return at;
        }
        let mut chars = here.chars();
        at += match chars.next() {
            Some('\\') => 1 + chars.next().map_or(0, char::len_utf8),
            Some(c) => c.len_utf8(),
            None => 1,
        };
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_get_their_own_characters_back() {
        let cases = [
            ("print(“hi”, ‘a’)", "print(\"hi\", 'a')", 4),
            ("print(“it’s”)", "print(\"it’s\")", 2),
            ("x\u{200b} = 3 − 1\u{a0}+ 2", "x = 3 - 1 + 2", 3),
            ("print('“–”')  # “so”", "print('“–”')  # “so”", 0),
            ("s = \"\"\"a\n“b”\"\"\"\ny = “c”", "s = \"\"\"a\n“b”\"\"\"\ny = \"c\"", 2),
            ("Wᵀ = θ₁", "Wᵀ = θ₁", 0),
        ];
        for (text, wanted, count) in cases {
            assert_eq!(plain(text), (wanted.to_owned(), count), "{text}");
        }
    }
}
