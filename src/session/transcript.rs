//! A session as text: prompts, what was typed, what was printed, and narration between.

use crate::marking::numbers::BLANK;
use std::borrow::Cow;
use std::fmt;
use vjp_tensor::budget;
use vjp_text::TokenKind;
use vjp_text::tokens::Scanner;

/// Stands before the first line of an input.
pub const PROMPT: &str = "vjp> ";
/// Stands before every further line of an input.
pub const CONTINUATION: &str = "...> ";

/// One input and what came out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Lines before the prompt as they stand in the file: narration (`# …`) and blank layout lines.
    pub narration: Vec<String>,
    /// The input's lines without prompts; at least one.
    pub input: Vec<String>,
    /// What was printed, by lines, without blank lines at its end (those are layout).
    pub output: Vec<String>,
    /// What its last lines are, where it is a cell of a notebook.
    pub ending: Ending,
    /// Texts with a blank that the inputs so far hold in quotes: where one is printed it asks for nothing.
    pub quoted: Vec<String>,
}

/// How the output of a cell ends: a session file does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    #[default]
    Printed,
    /// So many lines are the value of the cell.
    Value(usize),
    /// So many lines are the error that ended it.
    Error(usize),
}

impl Step {
    /// The input as program text.
    pub fn text(&self) -> String {
        self.input.join("\n")
    }

    /// Whether a `____` in the output asks for something.
    pub fn asks_below(&self) -> bool {
        self.output.iter().any(|line| self.asks_in(line))
    }

    /// Whether a `____` in a line of the output asks for something.
    pub fn asks_in(&self, line: &str) -> bool {
        let without = |line: String, text: &String| line.replace(text.as_str(), "");
        line.contains(BLANK) && self.quoted.iter().fold(line.to_owned(), without).contains(BLANK)
    }
}

/// A whole session file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    pub steps: Vec<Step>,
    /// Narration and blank lines after the last output.
    pub tail: Vec<String>,
}

/// Why a text cannot be read as a session: the line (from 1) and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct Malformed {
    pub line: usize,
    pub problem: Cow<'static, str>,
}

/// Lines that are read between two looks at the limits.
const LINES: usize = 1 << 12;

/// Asked line by line while a text is read.
///
/// # Errors
/// Ctrl-C, or no more memory.
pub(super) fn heed(index: usize) -> Result<(), Malformed> {
    match index % LINES {
        0 => budget::tick()
            .map_err(|stop| Malformed { line: index + 1, problem: stop.message.into() }),
        _ => Ok(()),
    }
}

/// What a line of a session file is.
enum Kind<'a> {
    Prompt(&'a str),
    Continuation(&'a str),
    Narration,
    Blank,
    Output(&'a str),
}

/// The text after a prompt; a bare prompt is an empty input line.
fn after<'a>(line: &'a str, prompt: &str) -> Option<&'a str> {
    line.strip_prefix(prompt).or_else(|| (line == prompt.trim_end()).then_some(""))
}

/// Editors leave blanks on empty lines.
fn is_blank(line: &str) -> bool {
    line.bytes().all(|b| matches!(b, b' ' | b'\t'))
}

fn kind(line: &str) -> Kind<'_> {
    if let Some(text) = after(line, PROMPT) {
        Kind::Prompt(text)
    } else if let Some(text) = after(line, CONTINUATION) {
        Kind::Continuation(text)
    } else if line.starts_with('#') {
        Kind::Narration
    } else if is_blank(line) {
        Kind::Blank
    } else {
        Kind::Output(line.strip_prefix('\\').filter(|_| needs_escape(line)).unwrap_or(line))
    }
}

/// Lines of a file, whichever way they end.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let crlf = text.find('\n').is_some_and(|n| text[..n].ends_with('\r'));
    let body = text.strip_suffix('\n').unwrap_or(text);
    (!text.is_empty()).then(|| body.split('\n')).into_iter().flatten().map(move |line| match crlf {
        true => line.strip_suffix('\r').unwrap_or(line),
        false => line,
    })
}

/// A program's lines end at a carriage return too: what runs stands on a line of its own.
fn typed(input: &str) -> impl Iterator<Item = String> {
    input.strip_suffix('\r').unwrap_or(input).split('\r').map(str::to_owned)
}

/// Output as lines without blank ones at its end.
pub fn output_lines(output: &str) -> Vec<String> {
    let shown = |line: &str| if is_blank(line) { String::new() } else { line.to_owned() };
    let mut lines: Vec<String> = output.split('\n').map(shown).collect();
    trim(&mut lines);
    lines
}

/// Tells each step what its inputs and those above it hold in quotes beside a `____`.
pub(super) fn note_quoted(steps: &mut [Step]) {
    let mut all: Vec<String> = Vec::new();
    for step in steps {
        let text = step.text();
        if text.contains(BLANK) {
            let (tokens, _) = Scanner::new(&text).tokens();
            let strings = tokens.iter().filter(|t| t.kind == TokenKind::Str);
            let strings = strings.map(|t| &text[t.span.start as usize..t.span.end as usize]);
            // As far as it is printed as it stands; either side of a blank tells it, where the other was altered.
            let pieces = strings.flat_map(|text| text.split(['"', '\'', '\\', '{', '}', '\n']));
            for piece in pieces {
                let (Some(first), Some(last)) = (piece.find(BLANK), piece.rfind(BLANK)) else {
                    continue;
                };
                let sides = [piece, &piece[..last + BLANK.len()], &piece[first..]];
                all.extend(
                    sides
                        .iter()
                        .filter(|text| **text != BLANK || piece == BLANK)
                        .map(|text| (*text).to_owned()),
                );
            }
            all.sort_by_key(|text| std::cmp::Reverse(text.len()));
        }
        step.quoted.clone_from(&all);
    }
}

/// Cuts blank lines off the end and returns how many they were.
fn trim(lines: &mut Vec<String>) -> usize {
    let kept = lines.iter().rposition(|l| !l.is_empty()).map_or(0, |last| last + 1);
    let cut = lines.len() - kept;
    lines.truncate(kept);
    cut
}

/// Whether a line begins with a prompt that text follows at once.
pub fn lacks_blank(line: &str) -> bool {
    line.strip_prefix("vjp>").is_some_and(|rest| !rest.is_empty() && !rest.starts_with(' '))
}

/// Whether a text holds a prompt; one without is a plain program.
pub fn is_session(text: &str) -> bool {
    lines(text).any(|line| matches!(kind(line), Kind::Prompt(_)))
}

impl Transcript {
    /// Reads a session file. A file without any prompt gives no steps.
    ///
    /// # Errors
    /// Text that is neither narration nor an output of some input; Ctrl-C, the limits.
    pub fn parse(text: &str) -> Result<Transcript, Malformed> {
        Transcript::read(text, false)
    }

    /// Reads a sheet that somebody filled in: a remark between an input and its answer, or before the first
    /// prompt, spoils nothing.
    pub fn parse_answers(text: &str) -> Result<Transcript, Malformed> {
        Transcript::read(text, true)
    }

    fn read(text: &str, remarks: bool) -> Result<Transcript, Malformed> {
        let mut all = Transcript::default();
        // Whether `...> ` may follow: only directly after an input line.
        let mut typing = false;
        for (index, line) in lines(text).enumerate() {
            heed(index)?;
            let wrong =
                |problem: &'static str| Malformed { line: index + 1, problem: problem.into() };
            match kind(line) {
                Kind::Prompt(input) => {
                    all.steps.push(Step {
                        narration: std::mem::take(&mut all.tail),
                        input: typed(input).collect(),
                        ..Step::default()
                    });
                    if let [.., last, _] = &mut all.steps[..] {
                        // Blank lines at the end of an output are layout of what follows.
                        let cut = trim(&mut last.output);
                        let layout = std::iter::repeat_n(String::new(), cut);
                        let now = all.steps.last_mut().expect("just pushed");
                        now.narration.splice(0..0, layout);
                    }
                    typing = true;
                    continue;
                }
                Kind::Continuation(input) => match all.steps.last_mut() {
                    Some(step) if typing => {
                        step.input.extend(typed(input));
                        continue;
                    }
                    _ => return Err(wrong("`...>` without an input to continue")),
                },
                Kind::Narration => all.tail.push(line.to_owned()),
                Kind::Blank if !all.tail.is_empty() => all.tail.push(String::new()),
                Kind::Blank => match all.steps.last_mut() {
                    Some(step) => step.output.push(String::new()),
                    None => all.tail.push(String::new()),
                },
                Kind::Output(text) => match all.steps.last_mut() {
                    None if remarks => all.tail.push(text.to_owned()),
                    None => {
                        return Err(wrong("text before the first prompt; narration begins with #"));
                    }
                    Some(step) if remarks => {
                        step.output.append(&mut all.tail);
                        step.output.push(text.to_owned());
                    }
                    Some(_) if !all.tail.is_empty() => {
                        return Err(wrong(
                            "output after narration; an output line that begins with # is written \\#",
                        ));
                    }
                    Some(step) => step.output.push(text.to_owned()),
                },
            }
            typing = false;
        }
        if let Some(last) = all.steps.last_mut() {
            let cut = trim(&mut last.output);
            all.tail.splice(0..0, std::iter::repeat_n(String::new(), cut));
        }
        note_quoted(&mut all.steps);
        Ok(all)
    }

    /// The inputs as programs, in order.
    pub fn inputs(&self) -> impl Iterator<Item = String> {
        self.steps.iter().map(Step::text)
    }

    /// Whether everything that `older` holds, inputs with their outputs and narration, stands here too,
    /// in that order.
    pub fn holds(&self, older: &Transcript) -> bool {
        let mut own = self.parts();
        older.parts().all(|part| own.any(|p| p == part))
    }

    /// Narration line by line, and inputs with their outputs; layout left out.
    fn parts(&self) -> impl Iterator<Item = (&[String], &[String])> {
        fn told(lines: &[String]) -> impl Iterator<Item = (&[String], &[String])> {
            let prose = lines.iter().filter(|line| !line.is_empty());
            prose.map(|line| (std::slice::from_ref(line), &[][..]))
        }
        self.steps
            .iter()
            .flat_map(|s| told(&s.narration).chain([(&s.input[..], &s.output[..])]))
            .chain(told(&self.tail))
    }

    /// The first line (from 1) of the prompt of each step, as printed.
    pub fn prompt_line(&self, step: usize) -> usize {
        let before: usize = self.steps[..step]
            .iter()
            .map(|s| s.narration.len() + s.input.len() + s.output.len())
            .sum();
        before + self.steps.get(step).map_or(0, |s| s.narration.len()) + 1
    }
}

/// Whether an output line would be read as something else, or as one that is escaped.
fn needs_escape(line: &str) -> bool {
    let bare = line.trim_start_matches('\\');
    bare.starts_with('#') || after(bare, PROMPT).is_some() || after(bare, CONTINUATION).is_some()
}

/// An input as it stands on the screen, each line after its prompt.
pub fn prompted(input: &[String]) -> impl Iterator<Item = String> {
    input.iter().enumerate().map(|(n, line)| {
        let prompt = if n == 0 { PROMPT } else { CONTINUATION };
        match line.is_empty() {
            true => prompt.trim_end().to_owned(),
            false => format!("{prompt}{line}"),
        }
    })
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.steps {
            for line in step.narration.iter().cloned().chain(prompted(&step.input)) {
                writeln!(f, "{line}")?;
            }
            for line in &step.output {
                let escape = if needs_escape(line) { "\\" } else { "" };
                writeln!(f, "{escape}{line}")?;
            }
        }
        for line in &self.tail {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FILE: &str = "# Why v?\n\nvjp> x = [1, 2]\nx = [1, 2]\n\n# Next.\nvjp> for v in x:\n...>     v\n...>\n\\# not narration\n\npanel\n\nvjp>\n# The end.\n";

    #[test]
    fn blanks_on_an_empty_line_are_no_output() {
        let all = Transcript::parse("vjp> 1\n1\n \t\nvjp> 2\n2\n \n").unwrap();
        assert_eq!(all.steps[0].output, ["1"]);
        assert_eq!(all.steps[1].output, ["2"]);
    }

    #[test]
    fn reads_and_writes_the_same_text() {
        let transcript = Transcript::parse(FILE).unwrap();
        assert_eq!(transcript.steps.len(), 3);
        assert_eq!(transcript.steps[1].narration, ["", "# Next."]);
        assert_eq!(transcript.steps[1].input, ["for v in x:", "    v", ""]);
        assert_eq!(transcript.steps[1].output, ["# not narration", "", "panel"]);
        assert_eq!(transcript.steps[2].input, [""]);
        assert_eq!(transcript.to_string(), FILE);
        assert_eq!(transcript.prompt_line(1), 7);
    }

    #[test]
    fn says_where_a_file_is_wrong() {
        let line = |text: &str| Transcript::parse(text).unwrap_err().line;
        assert_eq!(line("hello\nvjp> 1\n"), 1);
        assert_eq!(line("vjp> 1\n1\n...> 2\n"), 3);
        assert_eq!(line("vjp> 1\n1\n# so\n2\n"), 4);
    }

    #[test]
    fn a_remark_on_a_sheet_spoils_nothing() {
        let text = "Kim\nvjp> 1\n# I think this is right!\nmy working\n1\n\nvjp> 2\n";
        assert!(Transcript::parse(text).is_err());
        let sheet = Transcript::parse_answers(text).unwrap();
        assert_eq!(sheet.steps[0].output, ["# I think this is right!", "my working", "1"]);
        assert_eq!((sheet.steps.len(), sheet.prompt_line(1)), (2, 7));
    }

    #[test]
    fn a_windows_file_reads_alike() {
        let read = |text: &str| Transcript::parse(text).unwrap();
        assert_eq!(read(&FILE.replace('\n', "\r\n")), read(FILE));
        assert!(is_session(FILE) && !is_session("x = 1\n# vjp> no\n"));
    }

    fn line() -> impl Strategy<Value = String> {
        prop_oneof![
            Just(String::new()),
            Just("vjp>".into()),
            Just("...> x".into()),
            Just("\\".into()),
            Just("# n".into()),
            // A line of spaces is an empty one.
            "[ -~αᵀ]{0,12}".prop_map(|line| if line.trim().is_empty() {
                String::new()
            } else {
                line
            }),
        ]
    }

    fn layout() -> impl Strategy<Value = Vec<String>> {
        proptest::collection::vec(prop_oneof![Just(String::new()), "#[ -~]{0,9}"], 0..3)
    }

    prop_compose! {
        fn step()(narration in layout(), input in proptest::collection::vec(line(), 1..4), mut output in proptest::collection::vec(line(), 0..4)) -> Step {
            trim(&mut output);
            Step { narration, input, output, ..Step::default() }
        }
    }

    proptest! {
        #[test]
        fn parsing_undoes_printing(steps in proptest::collection::vec(step(), 1..5), tail in layout()) {
            let transcript = Transcript { steps, tail };
            prop_assert_eq!(Transcript::parse(&transcript.to_string()).unwrap(), transcript);
        }
    }
}
