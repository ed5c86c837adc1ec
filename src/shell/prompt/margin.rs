//! Inputs of several lines in the editor, which knows no continuation prompt: each further line
//! begins with a margin, one character cluster as wide as the prompt, drawn as `...> `. A program
//! never contains such a cluster, and the cursor steps over it as over one letter.

use std::borrow::Cow;
use vjp_session::transcript::CONTINUATION;

/// A space under four signs of a script that stand beside it: one cluster, five columns.
pub const MARGIN: &str = " \u{903}\u{903}\u{903}\u{903}";

/// What stands between two lines in the editor.
pub const BREAK: &str = "\n \u{903}\u{903}\u{903}\u{903}";

/// A text as the editor holds it.
pub fn with(text: &str) -> String {
    text.replace('\n', BREAK)
}

/// The text that the editor holds.
pub fn without(buffer: &str) -> Cow<'_, str> {
    match buffer.contains(MARGIN) {
        true => Cow::Owned(buffer.replace(MARGIN, "")),
        false => Cow::Borrowed(buffer),
    }
}

/// The text that the editor holds, and the cursor's place in it.
pub fn without_at(buffer: &str, cursor: usize) -> (Cow<'_, str>, usize) {
    (without(buffer), without(&buffer[..cursor]).len())
}

/// The buffer with a margin before each further line; None where it is so already. What was
/// pasted has none.
pub fn repaired(buffer: &str, cursor: usize) -> Option<(String, usize)> {
    let breaks = buffer.matches('\n').count();
    if breaks == buffer.matches(BREAK).count() && breaks == buffer.matches(MARGIN).count() {
        return None;
    }
    let (text, at) = without_at(buffer, cursor);
    Some((with(&text), with(&text[..at]).len()))
}

/// Where the line of the cursor begins, behind its margin.
pub fn line_start(buffer: &str, cursor: usize) -> usize {
    let start = buffer[..cursor].rfind('\n').map_or(0, |n| n + 1);
    match buffer[start..].starts_with(MARGIN) {
        true => start + MARGIN.len(),
        false => start,
    }
}

/// Each line of a text as it stands on the screen: `text` is drawn already, `buffer` says which lines
/// have a margin; `all`: draw it before every further line.
pub fn drawn(text: &str, buffer: &str, all: bool, prompt: &str) -> String {
    let mut lines = buffer.split('\n');
    let mut out = String::with_capacity(text.len() + 64);
    for (k, line) in text.split('\n').enumerate() {
        let held = lines.next().is_some_and(|l| l.starts_with(MARGIN));
        if k > 0 {
            out.push('\n');
            if held || all {
                out.push_str(prompt);
            }
        }
        out.push_str(line);
    }
    out
}

/// Columns of a margin.
pub fn width() -> usize {
    CONTINUATION.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustyline::GraphemeClusterMode;

    #[test]
    fn a_margin_is_as_wide_as_the_prompt_on_every_terminal() {
        use GraphemeClusterMode::{NoZwj, Unicode, WcWidth};
        for mode in [Unicode, WcWidth, NoZwj] {
            assert_eq!(usize::from(mode.width(MARGIN)), width());
        }
        assert_eq!(BREAK, format!("\n{MARGIN}"));
    }

    #[test]
    fn texts_come_back_and_pastes_are_repaired() {
        let text = "for i in x:\n\tprint(i)\n";
        assert_eq!(without(&with(text)), text);
        assert_eq!(repaired(&with(text), 3), None);
        let (repaired, at) = repaired(text, 12).unwrap_or_default();
        assert_eq!(repaired, with(text));
        assert_eq!(at, 12 + MARGIN.len());
        assert_eq!(without_at(&repaired, at), (text.into(), 12));
        assert_eq!(line_start(&repaired, at + 2), at);
    }
}
