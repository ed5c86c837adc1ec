//! "Did you mean …?" as a line to type: the statement with the name put right.

use super::event::Help;
use crate::maths::complaint::Complaint;
use crate::syntax::{self, Mode};
use crate::text::names::is_name_continue;
use crate::text::similar::closest;
use crate::text::source::{Source, Span};

const ASKS: &str = "did you mean ";

/// The hint that asks for a name.
pub(super) fn asks(near: &str) -> String {
    format!("{ASKS}{near}?")
}

/// A complaint about a keyword argument, with the one it was perhaps meant to be.
pub(super) fn keyword<'a>(
    complaint: Box<Complaint>,
    word: &str,
    known: impl Iterator<Item = &'a str>,
) -> Box<Complaint> {
    match closest(word, known) {
        Some(near) => complaint.hint(asks(&format!("{near}="))),
        None => complaint,
    }
}

/// The statement at `span` with the name that `message` quotes last replaced by what `hint` asks for;
/// None where it asks for none, or where the statement takes several lines.
pub(super) fn put_right(
    source: &Source,
    span: Span,
    message: &str,
    hint: &str,
    mode: Mode,
) -> Option<Help> {
    let near = hint.strip_prefix(ASKS)?.strip_suffix('?')?;
    let bare = near.trim_start_matches('.').trim_end_matches('=');
    let wrong = message.rsplit('\'').nth(1)?;
    let program = syntax::parse(source, mode).ok()?;
    let statement =
        program.body.iter().find(|s| s.span.start <= span.start && span.end <= s.span.end)?;
    let text = source.slice(statement.span);
    if text.contains('\n') {
        return None;
    }
    let from = (span.start - statement.span.start) as usize;
    let at = places(text, wrong).find(|at| *at >= from).filter(|_| bare != wrong)?;
    let code = format!("{}{bare}{}", &text[..at], &text[at + wrong.len()..]);
    Some(Help { code, says: hint.to_owned() })
}

/// Where `word` stands in `text` as a name of its own.
fn places<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    text.match_indices(word).map(|(at, _)| at).filter(|at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(is_name_continue) && !after.is_some_and(is_name_continue)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn line(text: &str, at: (u32, u32), message: &str, hint: &str) -> Option<String> {
        let span = Span { start: at.0, end: at.1 };
        let mode = Mode { strict: false };
        put_right(&Source::new(text), span, message, hint, mode).map(|h| h.code)
    }

    #[test]
    fn the_failing_statement_is_put_right() {
        let says = "'list' object has no attribute 'appnd'";
        let hint = asks(".append");
        let got = line("appnd = 1; xs.appnd(3)", (11, 19), says, &hint);
        assert_eq!(got.as_deref(), Some("xs.append(3)"));
        let says = "f() got an unexpected keyword argument 'gard'";
        let got = line("f(gards, gard=2)", (0, 16), says, &asks("grad="));
        assert_eq!(got.as_deref(), Some("f(gards, grad=2)"));
        assert_eq!(line("for i in s:\n    appnd", (16, 21), says, &hint), None);
        assert_eq!(line("xs", (0, 2), says, "a hint of another kind"), None);
    }
}
