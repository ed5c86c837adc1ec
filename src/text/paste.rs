//! Text copied from a terminal, a notebook or a page: prompts, outputs between them, common
//! indentation and notebook magics are removed. A Python program is never changed: each of
//! these is an error at the start of a statement.

use super::words::count;
use super::{lines, numbered, typeset};

/// A text as it was meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    pub text: String,
    /// What was taken away: `prompts stripped, 2 output lines dropped`.
    pub note: String,
}

/// The prompts of a kind: what begins an input, and what goes on with it.
const PROMPTS: &[(&str, &str)] = &[(">>>", "..."), ("vjp>", "...>")];

/// What a line is in a copied terminal.
enum Line<'a> {
    Input(&'a str),
    Continuation(&'a str),
    Other,
}

/// Strips prompts from lines as they come. Whether there are any is decided by the first line
/// that is neither blank nor a comment: prompts inside a docstring stay.
#[derive(Clone, Debug, Default)]
pub struct Prompts {
    decided: Option<bool>,
    /// An input went before, so that a continuation may follow.
    open: bool,
    pub dropped: usize,
}

impl Prompts {
    /// The text has prompts.
    pub fn found(&self) -> bool {
        self.decided == Some(true)
    }

    /// Whole lines of the text without prompts and outputs.
    pub fn feed(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let bare = line.trim_start_matches([' ', '\t']);
            if self.decided.is_none() && !bare.trim().is_empty() && !bare.starts_with('#') {
                self.decided = Some(matches!(classify(bare), Line::Input(_)));
            }
            if self.decided != Some(true) {
                out.push_str(line);
                continue;
            }
            match classify(bare) {
                Line::Input(code) => {
                    self.open = true;
                    out.push_str(code);
                }
                Line::Continuation(code) if self.open => out.push_str(code),
                _ if bare.trim().is_empty() || bare.starts_with('#') => {
                    self.open = false;
                    out.push_str(bare);
                }
                _ => {
                    self.open = false;
                    self.dropped += 1;
                }
            }
        }
        out
    }

    /// What was done, where something was.
    pub fn note(&self) -> Option<String> {
        match (self.found(), self.dropped) {
            (false, _) => None,
            (true, 0) => Some("prompts stripped".into()),
            (true, n) => Some(format!("prompts stripped, {} dropped", count(n, "output line"))),
        }
    }
}

fn classify(line: &str) -> Line<'_> {
    for (first, next) in PROMPTS {
        // `...>` before `...`: the longer of two prompts that begin alike.
        if let Some(code) = after(line, first) {
            return Line::Input(code);
        }
        if let Some(code) = after(line, next) {
            return Line::Continuation(code);
        }
    }
    if let Some((number, code)) = line.strip_prefix("In [").and_then(|l| l.split_once("]:"))
        && number.chars().all(|c| c.is_ascii_digit() || c == ' ')
    {
        return Line::Input(code.strip_prefix(' ').unwrap_or(code));
    }
    // IPython's continuation: as many dots as there is room, then a colon.
    let rest = line.trim_start_matches('.');
    match (line.len() - rest.len() >= 3, rest.strip_prefix(':')) {
        (true, Some(code)) => Line::Continuation(code.strip_prefix(' ').unwrap_or(code)),
        _ => Line::Other,
    }
}

/// The code behind a prompt: a space, or the end of the line.
fn after<'a>(line: &'a str, prompt: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(prompt)?;
    match rest.strip_prefix(' ') {
        Some(code) => Some(code),
        None => rest.trim().is_empty().then_some(rest),
    }
}

/// The text without what copying left in it; None where there is nothing of the kind.
pub fn repair(text: &str) -> Option<Repaired> {
    let (plain, replaced) = typeset::plain(text);
    let mut notes: Vec<String> = Vec::new();
    if replaced > 0 {
        let typeset = count(replaced, "typeset character");
        notes.push(format!("{typeset} replaced"));
    }
    let bare =
        numbered::without_fences(&plain).inspect(|_| notes.push("code fences removed".into()));
    let bare = bare.unwrap_or(plain);
    let listing =
        numbered::without_numbers(&bare).inspect(|_| notes.push("line numbers removed".into()));
    let mut prompts = Prompts::default();
    let stripped = prompts.feed(listing.as_deref().unwrap_or(&bare));
    notes.extend(prompts.note());
    let (mut code, dedented) = dedent(&stripped);
    if dedented && listing.is_none() {
        notes.push("common indentation removed".into());
    }
    if let Some(at) = output_block(&code) {
        let dropped = code[at..].lines().skip(1).filter(|line| !line.trim().is_empty()).count();
        code.truncate(at);
        notes.push(format!("{} dropped", count(dropped, "output line")));
    }
    if let Some((kept, magics)) = without(&code, is_magic) {
        code = kept;
        notes.push(format!("{} skipped", count(magics, "notebook command")));
    }
    (!notes.is_empty()).then(|| Repaired { text: code, note: notes.join("; ") })
}

/// Where the output of a tutorial's program begins: after a line `Out:`, as its page has it.
fn output_block(text: &str) -> Option<usize> {
    let mut at = 0;
    let starts = text.split_inclusive('\n').find_map(|line| {
        let begins = matches!(line.trim_end(), "Out:" | "Output:");
        let here = at;
        at += line.len();
        begins.then_some(here)
    });
    starts.filter(|at| *at > 0)
}

/// The indentation that all lines share, taken away.
fn dedent(text: &str) -> (String, bool) {
    let mut common: Option<&str> = None;
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        common = Some(match common {
            None => indent,
            Some(before) => {
                let shared = before.bytes().zip(indent.bytes());
                &before[..shared.take_while(|(a, b)| a == b).count()]
            }
        });
    }
    match common {
        None | Some("") => (text.to_owned(), false),
        Some(indent) => (
            text.split_inclusive('\n')
                .map(|l| l.strip_prefix(indent).unwrap_or(l.trim_start_matches([' ', '\t'])))
                .collect(),
            true,
        ),
    }
}

/// A command of the notebook or of its shell.
fn is_magic(line: &str) -> bool {
    line.trim_start().starts_with(['%', '!'])
}

/// The code of a cell without the lines that are meant for the notebook: commands, and questions such as
/// `x?`; None where there are none.
pub fn without_magics(cell: &str) -> Option<String> {
    let asks = |line: &str| {
        let line = line.trim();
        line.starts_with('?') || line.ends_with('?') && !line.contains(['#', '"', '\''])
    };
    without(cell, |line| is_magic(line) || asks(line)).map(|(kept, _)| kept)
}

/// Without the lines that begin a statement and are such, and how many there were; None: none.
fn without(text: &str, magic: impl Fn(&str) -> bool) -> Option<(String, usize)> {
    if !text.lines().any(&magic) {
        return None;
    }
    let (mut out, mut skipped, mut rest) = (String::new(), 0, text);
    while let Some(input) = lines::first_input(rest, true) {
        out.push_str(input.lead);
        let end = match magic(input.text.lines().next().unwrap_or_default()) {
            true => {
                skipped += 1;
                let line = input.text.find('\n').map_or(input.text.len(), |n| n + 1);
                input.lead.len() + line
            }
            false => {
                out.push_str(input.text);
                input.end
            }
        };
        rest = &rest[end..];
    }
    out.push_str(rest);
    (skipped > 0).then_some((out, skipped))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn repaired(text: &str) -> (String, String) {
        let repaired = repair(text).unwrap();
        (repaired.text, repaired.note)
    }

    #[test]
    fn prompts_and_the_outputs_between_them_go() {
        assert_eq!(
            repaired(">>> x = 1\n>>> for i in y:\n...     print(i)\n...\n1\n2\n>>> x\n1\n"),
            (
                "x = 1\nfor i in y:\n    print(i)\n\nx\n".into(),
                "prompts stripped, 3 output lines dropped".into()
            )
        );
        assert_eq!(
            repaired("In [3]: def f(x):\n   ...:     return x\n\nIn [4]: f(1)\nOut[4]: 1\n"),
            (
                "def f(x):\n    return x\n\nf(1)\n".into(),
                "prompts stripped, 1 output line dropped".into()
            )
        );
        assert_eq!(repaired("vjp> if x:\n...>     y\n").0, "if x:\n    y\n");
        assert_eq!(
            repaired("x = 1\nprint(x)\n\nOut:\n\n1\n2\n"),
            ("x = 1\nprint(x)\n\n".into(), "2 output lines dropped".into())
        );
    }

    #[test]
    fn common_indentation_and_magics_go() {
        assert_eq!(
            repaired("    x = 1\n\n    if x:\n        y = 2"),
            ("x = 1\n\nif x:\n    y = 2".into(), "common indentation removed".into())
        );
        assert_eq!(
            repaired("%matplotlib inline\n!pip install torch\nx = (5\n% 3)\n"),
            ("x = (5\n% 3)\n".into(), "2 notebook commands skipped".into())
        );
    }

    #[test]
    fn programs_stay_as_they_are() {
        for text in [
            "def f():\n    \"\"\"\n    >>> f()\n    1\n    \"\"\"\n",
            "x = 1\n  y = 2",
            "...\n",
            "print(\"a\"\n  % 3)",
            "",
        ] {
            assert_eq!(repair(text), None, "{text}");
        }
    }
}
