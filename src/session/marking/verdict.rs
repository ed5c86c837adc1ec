//! A verdict in words: differences with their texts, marks with the mistake that explains a wrong answer.

use crate::compare::{Difference, Grade, Mark, Verdict};
use crate::transcript::prompted;
use imara_diff::{Algorithm, Diff, InternedInput};
use std::fmt::Write;
use vjp_report::terminal::line;
use vjp_report::terminal::style::WIDTH;
use vjp_report::{Line, Role};
use vjp_text::words::count;

/// Lines of agreement kept around a difference.
const CONTEXT: usize = 3;

/// Where an answer begins, and where what is right does.
const GIVEN: usize = 13;
const RIGHT: usize = 28;

impl Verdict {
    /// The verdict for people: each difference with its input, each wrong or open answer, then one
    /// line for the file.
    pub fn describe(&self, name: &str) -> String {
        self.told(name, false)
    }

    /// [`Verdict::describe`] for those who are still at work: the mistakes, and no right answer.
    pub fn hint(&self, name: &str) -> String {
        self.told(name, true)
    }

    fn told(&self, name: &str, hint: bool) -> String {
        let mut text = String::new();
        for difference in &self.differences {
            match hint {
                true => difference.hint(name, &mut text),
                false => difference.describe(name, &mut text),
            }
        }
        let total = self.tally().0;
        if self.is_another() {
            text += "             none of the sheet's questions is in this file: is it another sheet?\n";
            return text + &self.line(name);
        }
        for mark in &self.marks {
            mark.describe(total, hint, &mut text);
        }
        text + &self.line(name)
    }

    /// [`Verdict::describe`] where many files are checked: of a sheet only its line.
    pub fn brief(&self, name: &str) -> String {
        if !self.sheet {
            return self.describe(name);
        }
        let mut line = self.line(name);
        let wrong = self.numbered(Grade::Wrong);
        if !wrong.is_empty() {
            let numbers: Vec<String> = wrong.iter().map(usize::to_string).collect();
            line = format!("{}; wrong: {}\n", line.trim_end(), numbers.join(", "));
        }
        line
    }

    fn line(&self, name: &str) -> String {
        let (total, good) = self.tally();
        let open = self.numbered(Grade::Open).len();
        let changed = self.numbered(Grade::Changed).len();
        let sign = match (self.agrees(), open) {
            (false, _) => "✗",
            (true, 0) if changed == 0 => "✓",
            (true, _) => "·",
        };
        let says = if self.asks() { "right" } else { "unchanged" };
        let mut line = format!("{sign} {name}  {good} of {total} {says}");
        // Where a part of an answer counts.
        let partly = |mark: &Mark| mark.grade() != Grade::Right && mark.points().0 > 0;
        if self.sheet && self.marks.iter().any(partly) {
            let (points, of) = self.points();
            let _ = write!(line, ", {points} of {of} points");
        }
        if open > 0 {
            let _ = write!(line, ", {open} open");
        }
        if changed > 0 {
            let _ = write!(line, ", {changed} changed");
        }
        let other = self.differences.len();
        if self.sheet && other > 0 {
            let differ = if other == 1 { "differs" } else { "differ" };
            let _ = write!(line, ", {} {differ}", count(other, "output"));
        }
        line.push('\n');
        line
    }
}

impl Mark {
    /// What is wrong or open, without the right answers; empty where all is right.
    pub fn hint(&self, total: usize) -> String {
        let mut text = String::new();
        self.describe(total, true, &mut text);
        text
    }

    fn describe(&self, total: usize, hint: bool, text: &mut String) {
        let place = format!(" {} of {total}", self.number);
        for marked in &self.answers {
            let answer = &marked.answer;
            if answer.holds && answer.open == 0 {
                continue;
            }
            let name = answer.name.as_ref().unwrap_or(&self.question);
            if answer.holds {
                let word = if self.changed { "changed" } else { "open" };
                let _ = writeln!(text, "{place:<9} {word}  {name}");
                answer.unread.iter().for_each(|why| indented(why.told(hint), text));
                continue;
            }
            let mut lines = answer.given.lines().filter(|line| !line.trim().is_empty());
            let given = lines.next().unwrap_or("");
            let more: Vec<&str> = lines.collect();
            let right = match hint || answer.right.contains('\n') || answer.right.is_empty() {
                true => String::new(),
                false => {
                    let be = if names_several(name) { "are" } else { "is" };
                    format!("{name} {be} {}", answer.right)
                }
            };
            let start = format!("{place:<9} ✗  {given}");
            let pad = RIGHT.max(line::width(&start) + 2);
            if more.is_empty() && pad + line::width(&right) <= WIDTH {
                let gap = pad - line::width(&start);
                let _ = writeln!(text, "{}", format!("{start}{:gap$}{right}", "").trim_end());
            } else {
                let _ = writeln!(text, "{start}");
                for line in more {
                    let _ = writeln!(text, "{:GIVEN$}{line}", "");
                }
                if !right.is_empty() {
                    indented(&right, text);
                }
            }
            if answer.open > 0 {
                indented("part of it is still open", text);
            }
            if let Some(why) = &answer.unread {
                indented(why.told(hint), text);
            }
            if let Some(says) = &marked.diagnosis {
                indented(says.says.told(hint), text);
            }
        }
    }
}

/// Folded under an answer.
fn indented(says: &str, text: &mut String) {
    let whole = Line::of(Role::Plain, says);
    for folded in line::fold(&whole, WIDTH - GIVEN, 0) {
        let piece: String = folded.spans().iter().map(|(_, t)| t.as_str()).collect();
        let _ = writeln!(text, "{:GIVEN$}{}", "", piece.trim_end());
    }
}

impl Difference {
    fn place(&self, name: &str) -> String {
        match self.line {
            0 => format!("{name}: cell {}", self.number),
            line => format!("{name}:{line}: input {}", self.number),
        }
    }

    /// Where it is, and nothing of what came out.
    fn hint(&self, name: &str, text: &mut String) {
        let _ = writeln!(text, "{}", self.place(name));
        for line in prompted(&self.input) {
            let _ = writeln!(text, "    {line}");
        }
        let _ = writeln!(text, "    something else comes out than the file has");
    }

    fn describe(&self, name: &str, text: &mut String) {
        let _ = writeln!(text, "{}", self.place(name));
        for line in prompted(&self.input) {
            let _ = writeln!(text, "    {line}");
        }
        let mut lines = InternedInput::<&str>::default();
        lines.update_before(self.expected.iter().map(String::as_str));
        lines.update_after(self.found.iter().map(String::as_str));
        let mut diff = Diff::compute(Algorithm::Myers, &lines);
        diff.postprocess_no_heuristic(&lines);
        let mut tell = |sign: &str, lines: &[String]| {
            lines.iter().for_each(|line| text.extend([sign, line, "\n"]));
        };
        // Up to here what the file holds is told.
        let mut told = 0;
        for (index, hunk) in diff.hunks().enumerate() {
            let [from, to] = [hunk.before.start, hunk.before.end].map(|i| i as usize);
            let behind = if index == 0 { 0 } else { from.min(told + CONTEXT) };
            let before = from.saturating_sub(CONTEXT).max(behind);
            tell("    ", &self.expected[told.min(behind)..behind]);
            if index > 0 && before > behind {
                tell("    ⋮", &[String::new()]);
            }
            tell("    ", &self.expected[before..from]);
            tell("  - ", &self.expected[from..to]);
            tell("  + ", &self.found[hunk.after.start as usize..hunk.after.end as usize]);
            told = to;
        }
        tell("    ", &self.expected[told..self.expected.len().min(told + CONTEXT)]);
        text.push_str("    - the file, + now\n\n");
    }
}

/// Whether a question asks for several values: `x.grad, w.grad`, not `x.grad[0, 1]`.
fn names_several(question: &str) -> bool {
    let mut depth = 0usize;
    question.char_indices().any(|(at, c)| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && question[at..].starts_with(", ")
    })
}
