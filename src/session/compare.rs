//! Comparing a session file with what its inputs print now, and marking the answers in it.

use super::replay::Player;
use super::transcript::{Step, Transcript};
use crate::marking::answer::{self, Answer, ends_bare, has_blank, is_bare};
use crate::marking::diagnosis::{Diagnosis, Question, asked, asked_before};
use crate::marking::fill;
use std::io;

/// One input whose output differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Number of the input, from 1.
    pub number: usize,
    /// Line of its prompt in the file, from 1; 0 where the file lacks it.
    pub line: usize,
    pub input: Vec<String>,
    /// What the file holds.
    pub expected: Vec<String>,
    /// What came out.
    pub found: Vec<String>,
}

/// One input whose output holds answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Number of the question among all that are counted, from 1.
    pub number: usize,
    /// Line of its prompt in the file, from 1; 0 where the file lacks it.
    pub line: usize,
    /// What was asked: `x.grad`.
    pub question: String,
    /// The sheet's question is not in the file, or it is another.
    pub changed: bool,
    pub answers: Vec<Marked>,
}

/// An answer, and what a wrong one would have been right for.
#[derive(Clone, Debug, PartialEq)]
pub struct Marked {
    pub answer: Answer,
    pub diagnosis: Option<Diagnosis>,
}

/// How a question went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    Right,
    Open,
    Changed,
    Wrong,
}

impl Mark {
    pub fn grade(&self) -> Grade {
        if self.changed {
            return Grade::Changed;
        }
        let mut all = self.answers.iter().map(|m| &m.answer);
        if all.clone().any(|a| !a.holds) {
            Grade::Wrong
        } else if all.any(|a| a.open > 0) {
            Grade::Open
        } else {
            Grade::Right
        }
    }
}

/// What a check of one file found.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    pub inputs: usize,
    pub differences: Vec<Difference>,
    /// Of a sheet every question; else the inputs whose numbers are written differently.
    pub marks: Vec<Mark>,
    /// The file is an exercise sheet: its questions count, not its inputs.
    pub sheet: bool,
}

impl Verdict {
    /// Whether nothing differs; an open blank is not a difference.
    pub fn agrees(&self) -> bool {
        self.differences.is_empty() && self.numbered(Grade::Wrong).is_empty()
    }

    /// Numbers of the questions that went so.
    pub fn numbered(&self, grade: Grade) -> Vec<usize> {
        let marks = self.marks.iter().filter(|m| m.grade() == grade);
        marks.map(|m| m.number).collect()
    }

    /// What is counted, and how many of it are as they should be.
    pub fn tally(&self) -> (usize, usize) {
        match self.sheet {
            true => (self.marks.len(), self.numbered(Grade::Right).len()),
            false => {
                let wrong = self.numbered(Grade::Wrong).len();
                (self.inputs, self.inputs - self.differences.len() - wrong)
            }
        }
    }
}

/// Whether a file is an exercise sheet, filled in or not: a `____` stands in an input or an output, or
/// in the narration that says what to do with it.
pub fn is_sheet(file: &Transcript) -> bool {
    asks(file) || file.steps.iter().any(|step| has_blank(&step.narration))
}

/// Whether there is a blank to fill in.
pub fn asks(file: &Transcript) -> bool {
    file.steps.iter().any(|step| has_blank(&step.output) || fill::is_open(&step.input))
}

/// What an answer is compared with: the notes above and below it, and the remark beside a leaf, only where
/// the file has them too.
fn answered(file: &[String], now: &[String]) -> Vec<String> {
    let unasked = !file.iter().any(|line| is_note(line));
    let value = |line: &String| match line.rsplit_once("  leaf") {
        Some((value, "")) => Some(value.trim_end().to_owned()),
        Some((value, shape)) if shape.starts_with(", shape [") => Some(value.trim_end().to_owned()),
        _ => None,
    };
    let marked = file.iter().any(|line| value(line).is_some());
    let bare = |line: &String| value(line).filter(|_| !marked).unwrap_or_else(|| line.clone());
    let mut in_note = false;
    let kept = now.iter().filter(|line| {
        in_note = is_note(line) || in_note && line.starts_with("  ");
        !unasked || !in_note
    });
    kept.map(bare).collect()
}

fn is_note(line: &str) -> bool {
    line.starts_with("note  ")
}

/// The lines of an output that a sheet shows, where it shows some of them alone: the last that read so.
fn shown(sheet: &[String], now: &[String]) -> Option<Vec<String>> {
    let mut end = now.len();
    let mut found = Vec::new();
    for line in sheet.iter().rev() {
        let one = std::slice::from_ref::<String>;
        end = now[..end].iter().rposition(|other| answer::same_words(one(line), one(other)))?;
        found.push(now[end].clone());
    }
    found.reverse();
    Some(found)
}

/// Whether two outputs are the same, but for where Python says that an object lies: `<function f at 0x7f…>`.
fn same(file: &[String], now: &[String]) -> bool {
    let unplaced = |line: &str| -> Vec<String> {
        let part = |(k, part): (usize, &str)| match k {
            0 => part.to_owned(),
            _ => part.trim_start_matches(|c: char| c.is_ascii_hexdigit()).to_owned(),
        };
        line.split(" at 0x").enumerate().map(part).collect()
    };
    let alike = |(a, b): (&String, &String)| a == b || unplaced(a) == unplaced(b);
    file.len() == now.len() && file.iter().zip(now).all(alike)
}

/// What became of one output.
enum Judged {
    Same,
    Answers(Vec<Answer>),
    Different,
}

fn judge(file: &[String], now: &[String], sheet: bool) -> Judged {
    let bare = sheet.then(|| answered(file, now));
    let now = bare.as_deref().unwrap_or(now);
    if same(file, now) {
        return Judged::Same;
    }
    // A session that is not a sheet is compared to the letter, except where an answer may stand.
    if !sheet && !has_blank(file) && !is_bare(now) {
        return Judged::Different;
    }
    if sheet && let Some(missing) = answer::missing(file, now) {
        return Judged::Answers(vec![missing]);
    }
    match answer::answers(file, now) {
        Some(answers) => Judged::Answers(answers),
        None => Judged::Different,
    }
}

const NOT_FILLED: &str = "not filled in";
const WAITS: &str = "an input above is not filled in";

/// Runs a file's inputs and compares; layout and narration do not count.
///
/// # Errors
/// Of the player.
pub fn check(file: &Transcript, player: &mut dyn Player) -> io::Result<Verdict> {
    player.restart();
    let mut verdict = Verdict {
        inputs: file.steps.len(),
        differences: Vec::new(),
        marks: Vec::new(),
        sheet: is_sheet(file),
    };
    // Whether an input before waits for its numbers: then so does what differs.
    let mut waits = false;
    for (index, step) in file.steps.iter().enumerate() {
        if fill::is_open(&step.input) {
            waits = true;
            let answers = vec![fill::open(&step.input, NOT_FILLED)];
            let number = verdict.marks.len() + 1;
            verdict.marks.push(mark(number, file.prompt_line(index), step, answers, player));
            continue;
        }
        let now = player.play(&step.text(), false)?;
        let answers = match judge(&step.output, &now, verdict.sheet) {
            Judged::Different if waits && !has_blank(&step.output) => continue,
            Judged::Different if waits => vec![fill::open(&step.output, WAITS)],
            Judged::Answers(all) if waits && all.iter().any(|a| !a.holds) => {
                vec![fill::open(&step.output, WAITS)]
            }
            // On a sheet numbers alone are an answer, also where they stand as the program writes them.
            Judged::Same if verdict.sheet && ends_bare(&now) => Vec::new(),
            Judged::Same => continue,
            Judged::Answers(answers) => answers,
            Judged::Different => {
                verdict.differences.push(Difference {
                    number: index + 1,
                    line: file.prompt_line(index),
                    input: step.input.clone(),
                    expected: step.output.clone(),
                    found: now,
                });
                continue;
            }
        };
        let number = match verdict.sheet {
            true => verdict.marks.len() + 1,
            false => index + 1,
        };
        let line = file.prompt_line(index);
        verdict.marks.push(mark(number, line, step, answers, player));
    }
    Ok(verdict)
}

/// Marks a file by the sheet that was handed out: its inputs run, and its blanks are what counts.
///
/// # Errors
/// Of the player.
pub fn check_by(
    sheet: &Transcript,
    file: &Transcript,
    player: &mut dyn Player,
) -> io::Result<Verdict> {
    player.restart();
    let mut verdict = Verdict {
        inputs: sheet.steps.len(),
        differences: Vec::new(),
        marks: Vec::new(),
        sheet: true,
    };
    let mut at = 0;
    let mut filled = Filled::default();
    for step in &sheet.steps {
        let asks = fill::is_open(&step.input);
        // Inputs of one's own between those of the sheet change nothing.
        let found = (at..file.steps.len()).find(|k| fill::fits(&step.input, &file.steps[*k].input));
        at = found.map_or(at, |k| k + 1);
        let own = found.map_or(step, |k| &file.steps[k]);
        let runs = if asks { own } else { step };
        let line = found.map_or(0, |k| file.prompt_line(k));
        let number = verdict.marks.len() + 1;
        let otherwise = |k: &usize| fill::fits_otherwise(&step.input, &file.steps[*k].input);
        if let (true, None, Some(k)) = (asks, found, (at..file.steps.len()).find(otherwise)) {
            at = k + 1;
            filled.wait();
            let answer = fill::answer(&file.steps[k].input);
            let answers =
                vec![Answer { holds: false, unread: Some(NO_NUMBERS.to_owned()), ..answer }];
            verdict.marks.push(mark(number, file.prompt_line(k), step, answers, player));
            continue;
        }
        if asks && fill::is_open(&runs.input) {
            filled.wait();
            let why = if found.is_some() { NOT_FILLED } else { GONE };
            let answers = vec![fill::open(&runs.input, why)];
            let changed = found.is_none();
            verdict.marks.push(Mark { changed, ..mark(number, line, step, answers, player) });
            continue;
        }
        let now = player.play(&runs.text(), false)?;
        let mut answers = Vec::new();
        if asks {
            filled.begin(verdict.marks.len());
            answers.push(fill::answer(&own.input));
        }
        if has_blank(&step.output) {
            answers.extend(given(step, found.map(|k| &file.steps[k]), &now, filled.waits));
        }
        if asks || has_blank(&step.output) {
            let changed = found.is_none();
            verdict.marks.push(Mark { changed, ..mark(number, line, step, answers, player) });
        }
        filled.compare(step, &answered(&step.output, &now), &mut verdict.marks);
    }
    filled.untold(&mut verdict.marks);
    Ok(verdict)
}

const UNTOLD: &str = "the sheet shows nothing that depends on it";
const NO_NUMBERS: &str = "write numbers in place of ____";
const GONE: &str = "the question was changed or deleted";

/// The answers in the output of a step of the sheet, given what comes out now.
fn given(step: &Step, found: Option<&Step>, now: &[String], waits: bool) -> Vec<Answer> {
    let given = found.map_or(&step.output, |own| &own.output);
    let mut judged = judge(given, now, true);
    // What the sheet gives above an answer is no answer.
    if let (Judged::Different, [above @ .., last], [asked @ .., _]) =
        (&judged, &given[..], &step.output[..])
        && above == asked
    {
        judged = judge(std::slice::from_ref(last), now, true);
    }
    let mut answers = match judged {
        Judged::Same => Vec::new(),
        Judged::Answers(answers) => answers,
        Judged::Different if given.is_empty() => vec![answer::deleted(now)],
        Judged::Different => vec![Answer::other(given, now)],
    };
    if let (None, Some(first)) = (found, answers.first_mut()) {
        first.unread = Some(GONE.to_owned());
    } else if waits && answers.iter().any(|a| !a.holds) {
        return vec![fill::open(given, WAITS)];
    }
    answers
}

/// The inputs that were filled in last: they are right where this and what follows comes out as the
/// sheet shows it.
#[derive(Default)]
struct Filled {
    marks: Vec<usize>,
    /// Whether an output was compared since.
    compared: bool,
    /// So many of the marks had an output after them.
    told: usize,
    /// An input before is not filled in.
    waits: bool,
}

impl Filled {
    fn begin(&mut self, mark: usize) {
        self.end();
        self.marks.push(mark);
    }

    fn wait(&mut self) {
        self.end();
        self.waits = true;
    }

    /// At the end of the sheet: inputs that nothing was compared with.
    fn untold(&mut self, marks: &mut [Mark]) {
        self.end();
        for mark in self.marks.split_off(self.told) {
            let answers = marks.get_mut(mark).map(|m| m.answers.as_mut_slice());
            if let Some([first, ..]) = answers.filter(|all| all.iter().all(|a| a.answer.holds)) {
                first.answer = fill::open(std::slice::from_ref(&first.answer.given), UNTOLD);
            }
        }
    }

    /// What was compared is judged.
    fn end(&mut self) {
        if std::mem::take(&mut self.compared) {
            self.marks.clear();
            self.told = 0;
        }
    }

    fn compare(&mut self, step: &Step, now: &[String], marks: &mut [Mark]) {
        if self.marks.is_empty() || step.output.is_empty() {
            return;
        }
        self.compared |= !has_blank(&step.output);
        self.told = self.marks.len();
        let failed = now.iter().find(|line| line.starts_with("error  "));
        let part = shown(&step.output, now).filter(|_| failed.is_none());
        let now = part.as_deref().unwrap_or(now);
        // What differs in more than numbers differs whatever was filled in.
        let otherwise =
            failed.is_none() && !now.is_empty() && !answer::same_words(&step.output, now);
        if fill::comes_out(&step.output, now) || otherwise {
            return;
        }
        let asked = asked(&step.input);
        for mark in &self.marks {
            let Some(first) = marks.get_mut(*mark).and_then(|m| m.answers.first_mut()) else {
                continue;
            };
            if self.waits {
                first.answer = fill::open(std::slice::from_ref(&first.answer.given), WAITS);
            } else if first.answer.holds {
                first.answer.holds = false;
                first.answer.unread = Some(match (now, &step.output[..]) {
                    _ if let Some(error) = failed => {
                        format!("it fails: {}", error.trim_start_matches("error").trim())
                    }
                    ([.., now], [.., sheet]) if ends_bare(&step.output) => {
                        format!("{asked} comes out as {now}, not {sheet}")
                    }
                    ([now, ..], _) => format!("it comes out as: {now}"),
                    _ => "nothing comes out".to_owned(),
                });
            }
        }
    }
}

fn mark(
    number: usize,
    line: usize,
    step: &Step,
    answers: Vec<Answer>,
    player: &mut dyn Player,
) -> Mark {
    let asked = asked(&step.input);
    let named = answers.into_iter().map(|mut answer| {
        if answer.name.is_none() && answer.before > 0 {
            answer.name = Some(asked_before(&step.input, answer.before));
        }
        answer
    });
    let marked = named.map(|answer| Marked {
        diagnosis: match answer.holds {
            true => None,
            false => player.diagnose(&Question {
                text: answer.name.as_deref().unwrap_or(&asked),
                numbers: &answer.numbers,
            }),
        },
        answer,
    });
    let answers = marked.collect();
    Mark { number, line, question: asked, changed: false, answers }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::replay::Role;

    /// Answers each input with the next of its outputs.
    struct Fixed(Vec<Vec<String>>);

    impl Player for Fixed {
        fn restart(&mut self) {}

        fn play(&mut self, _: &str, _: bool) -> io::Result<Vec<String>> {
            Ok(self.0.remove(0))
        }

        fn line(&mut self, _: &str, _: Role) -> io::Result<()> {
            Ok(())
        }
    }

    fn checked(file: &str, now: &str) -> Verdict {
        let read = |text: &str| Transcript::parse(text).unwrap();
        let outputs = read(now).steps.into_iter().map(|s| s.output).collect();
        check(&read(file), &mut Fixed(outputs)).unwrap()
    }

    #[test]
    fn layout_and_narration_do_not_count() {
        let verdict = checked("# a\nvjp> 1\n1\n\n\n# b\nvjp> 2\n2\n", "vjp> 1\n1\nvjp> 2\n2\n");
        assert!(verdict.agrees());
        assert_eq!(verdict.describe("a.vjp"), "✓ a.vjp  2 of 2 unchanged\n");
    }

    #[test]
    fn a_difference_shows_its_input_and_both_texts() {
        let verdict = checked(
            "vjp> 1\n1\n\nvjp> x = [1, 2]\nx = [1, 3]\nmore\n",
            "vjp> 1\n1\nvjp> x = [1, 2]\nx = [1, 2]\nmore\n",
        );
        assert_eq!(
            verdict.describe("a.vjp"),
            "a.vjp:4: input 2\n    vjp> x = [1, 2]\n  - x = [1, 3]\n  + x = [1, 2]\n    more\n    \
             - the file, + now\n\n✗ a.vjp  1 of 2 unchanged\n"
        );
    }

    #[test]
    fn a_sheet_counts_its_questions() {
        let sheet =
            "# Fill in each ____.\nvjp> y = 2\ny = 2  leaf\nvjp> a\nA\nvjp> b\nB\nvjp> c\n[C]\n";
        let filled =
            |a: &str, b: &str, c: &str| sheet.replace('A', a).replace('B', b).replace('C', c);
        let verdict = checked(&filled("3.0", "____", "7, 9"), &filled("3", "4", "8, 9"));
        assert_eq!(verdict.tally(), (3, 1));
        assert!(!verdict.agrees());
        assert_eq!(
            verdict.describe("a.vjp"),
            " 2 of 3   open  b\n 3 of 3   ✗  [7, 9]         c is [8, 9]\n✗ a.vjp  1 of 3 right, 1 open\n"
        );
        assert_eq!(verdict.brief("a.vjp"), "✗ a.vjp  1 of 3 right, 1 open; wrong: 3\n");
        let open = checked(&filled("____", "4", "8, ____"), &filled("3", "4", "8, 9"));
        assert!(open.agrees());
        assert_eq!(open.brief("a.vjp"), "· a.vjp  1 of 3 right, 2 open\n");
    }

    #[test]
    fn what_the_sheet_gives_stays_as_it_is() {
        let file = "# ____\nvjp> y = 2\ny = 3  leaf\nvjp> a\n3\n";
        let verdict = checked(file, &file.replace("y = 3", "y = 2"));
        assert_eq!(verdict.numbered(Grade::Wrong), [1]);
        let verdict = checked(file, &file.replace("leaf", "other"));
        assert_eq!((verdict.differences.len(), verdict.tally()), (1, (1, 1)));
    }
}
