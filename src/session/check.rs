//! Comparing a session file with what its inputs print now.

use super::transcript::{Transcript, prompted};
use similar::{ChangeTag, TextDiff};
use std::fmt::Write;

/// One input whose output differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the input, from 1.
    pub number: usize,
    /// Line of its prompt in the file, from 1.
    pub line: usize,
    pub input: Vec<String>,
    /// What the file holds.
    pub expected: Vec<String>,
    /// What came out.
    pub found: Vec<String>,
}

/// What a check of one file found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub inputs: usize,
    pub differences: Vec<Difference>,
}

/// Lines of agreement kept around a difference.
const CONTEXT: usize = 3;

/// Compares a file with its rerun; layout and narration do not count.
pub fn compare(file: &Transcript, now: &Transcript) -> Verdict {
    let differences = file
        .steps
        .iter()
        .zip(&now.steps)
        .enumerate()
        .filter(|(_, (old, new))| old.output != new.output)
        .map(|(index, (old, new))| Difference {
            number: index + 1,
            line: file.prompt_line(index),
            input: old.input.clone(),
            expected: old.output.clone(),
            found: new.output.clone(),
        })
        .collect();
    Verdict {
        inputs: file.steps.len(),
        differences,
    }
}

impl Verdict {
    pub fn agrees(&self) -> bool {
        self.differences.is_empty()
    }

    /// The verdict for people: each difference with its input, then one line for the file.
    pub fn describe(&self, name: &str) -> String {
        let mut text = String::new();
        for difference in &self.differences {
            difference.describe(name, &mut text);
        }
        let agreeing = self.inputs - self.differences.len();
        let mark = if self.agrees() { "✓" } else { "✗" };
        let _ = writeln!(
            text,
            "{mark} {name}  {agreeing} of {} as in the file",
            self.inputs
        );
        text
    }
}

impl Difference {
    fn describe(&self, name: &str, text: &mut String) {
        let _ = writeln!(text, "{name}:{}: input {}", self.line, self.number);
        for line in prompted(&self.input) {
            let _ = writeln!(text, "    {line}");
        }
        let (expected, found) = (joined(&self.expected), joined(&self.found));
        let diff = TextDiff::from_lines(&expected, &found);
        for (index, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
            if index > 0 {
                text.push_str("    ⋮\n");
            }
            for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
                let sign = match change.tag() {
                    ChangeTag::Delete => "  - ",
                    ChangeTag::Insert => "  + ",
                    ChangeTag::Equal => "    ",
                };
                let _ = writeln!(text, "{sign}{}", change.value().trim_end_matches('\n'));
            }
        }
        text.push_str("    - the file, + now\n\n");
    }
}

fn joined(lines: &[String]) -> String {
    lines.iter().flat_map(|l| [l.as_str(), "\n"]).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn read(text: &str) -> Transcript {
        Transcript::parse(text).unwrap()
    }

    #[test]
    fn layout_and_narration_do_not_count() {
        let file = read("# a\nvjp> 1\n1\n\n\n# b\nvjp> 2\n2\n");
        let now = read("vjp> 1\n1\nvjp> 2\n2\n");
        let verdict = compare(&file, &now);
        assert!(verdict.agrees());
        assert_eq!(
            verdict.describe("a.vjp"),
            "✓ a.vjp  2 of 2 as in the file\n"
        );
    }

    #[test]
    fn a_difference_shows_its_input_and_both_texts() {
        let file = read("vjp> 1\n1\n\nvjp> x = [1, 2]\nx = [1, 3]\nmore\n");
        let now = read("vjp> 1\n1\nvjp> x = [1, 2]\nx = [1, 2]\nmore\n");
        assert_eq!(
            compare(&file, &now).describe("a.vjp"),
            "a.vjp:4: input 2\n    vjp> x = [1, 2]\n  - x = [1, 3]\n  + x = [1, 2]\n    more\n    \
             - the file, + now\n\n✗ a.vjp  1 of 2 as in the file\n"
        );
    }
}
