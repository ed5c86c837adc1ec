//! Light colours: prompts, narration, comments and strings. Meaning never hangs on them.

use crate::session::replay::Role;
use crate::session::transcript::{CONTINUATION, PROMPT};

const RESET: &str = "\x1b[0m";
const PROMPT_COLOR: &str = "\x1b[1;36m";
const PROSE: &str = "\x1b[33m";
const STRING: &str = "\x1b[32m";
const KEYWORD: &str = "\x1b[35m";
const NUMBER: &str = "\x1b[36m";

const KEYWORDS: &[&str] = &[
    "and", "as", "assert", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not",
    "or", "pass", "raise", "return", "try", "while", "with", "True", "False", "None",
];

/// A prompt in its colour.
pub fn prompt(text: &str) -> String {
    format!("{PROMPT_COLOR}{text}{RESET}")
}

/// A line of a replayed session.
pub fn line(text: &str, role: Role, color: bool) -> String {
    if !color || text.is_empty() {
        return text.to_owned();
    }
    let indent = text.len() - text.trim_start().len();
    let (blank, rest) = text.split_at(indent);
    match role {
        Role::Narration => format!("{PROSE}{text}{RESET}"),
        Role::Frame => text.to_owned(),
        Role::Input | Role::Waiting => match [PROMPT, CONTINUATION]
            .iter()
            .find_map(|p| rest.strip_prefix(p).map(|r| (p, r)))
        {
            Some((start, code)) => format!("{blank}{}{}", prompt(start), self::code(code)),
            None => format!("{blank}{}", prompt(rest)),
        },
    }
}

/// A piece of program. One pass over the characters: it is repainted at every key.
pub fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, color) = match first {
            '#' => (rest.find('\n').unwrap_or(rest.len()), PROSE),
            '"' | '\'' => (string(rest, first), STRING),
            c if c.is_alphabetic() || c == '_' => word(rest),
            c if c.is_ascii_digit() => (number(rest), NUMBER),
            c => (c.len_utf8(), ""),
        };
        let (piece, after) = rest.split_at(length);
        match color {
            "" => out.push_str(piece),
            _ => out.extend([color, piece, RESET]),
        }
        rest = after;
    }
    out
}

/// Bytes of a string literal, closed or not.
fn string(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

fn word(text: &str) -> (usize, &'static str) {
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    let keyword = KEYWORDS.contains(&&text[..end]);
    (end.max(1), if keyword { KEYWORD } else { "" })
}

fn number(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '_'))
        .unwrap_or(text.len())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find('\x1b') {
            out.push_str(&rest[..start]);
            rest = rest[start..].split_once('m').unwrap().1;
        }
        out + rest
    }

    #[test]
    fn colours_change_no_character() {
        for text in [
            "for v in [1., 'a\\'b', \"open",
            "Wᵀ₁ = 3*x^2 # θ",
            "y.backward([1e-3])\n  'ü'",
        ] {
            assert_eq!(plain(&code(text)), text);
        }
        assert_eq!(
            line("vjp> 1", Role::Input, true),
            format!("{PROMPT_COLOR}vjp> {RESET}{NUMBER}1{RESET}")
        );
    }
}
