//! Comparing a session file with what its inputs print now, and marking the answers in it.

use super::notebook;
use super::replay::Player;
use super::transcript::{Step, Transcript};
use crate::marking::answer::{
    self, Answer, LineKind, ends_bare, has_blank, is_bare, is_blank_alone, kinds,
};
use crate::marking::diagnosis::{Diagnosis, Question, asked, asked_before};
use crate::marking::filled::{Filled, failure};
use crate::marking::formulas::formula::Known;
use crate::marking::formulas::{equation, formula, slopes};
use crate::marking::numbers::{BLANK, Line, lines, sets_digits};
use crate::marking::waiting::{Names, State, states};
use crate::marking::{fill, parts, remarks};
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
    /// What is asked for: its blanks, unfilled.
    pub asked: Vec<Answer>,
    /// There is a sheet, whose blanks these are.
    pub by_sheet: bool,
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

impl Grade {
    pub fn word(self) -> &'static str {
        match self {
            Grade::Right => "right",
            Grade::Open => "open",
            Grade::Changed => "changed",
            Grade::Wrong => "wrong",
        }
    }
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

    /// How many numbers are right, and how many are asked for.
    pub fn points(&self) -> (usize, usize) {
        let all = self.marks.iter().map(Mark::points);
        all.fold((0, 0), |(right, of), (own, asked)| (right + own, of + asked))
    }

    /// Whether it is a sheet that asks for something.
    pub fn asks(&self) -> bool {
        self.sheet && !self.marks.is_empty()
    }

    /// Whether none of a sheet's questions stands in the file.
    pub fn is_another(&self) -> bool {
        self.marks.len() > 1 && self.numbered(Grade::Changed).len() == self.marks.len()
    }

    /// What is counted, and how many of it are as they should be.
    pub fn tally(&self) -> (usize, usize) {
        match self.asks() {
            true => (self.marks.len(), self.numbered(Grade::Right).len()),
            false => {
                let wrong = self.numbered(Grade::Wrong).len();
                (self.inputs, self.inputs - self.differences.len() - wrong)
            }
        }
    }
}

/// Whether a file is an exercise sheet, filled in or not: it begins with `:panel off`, or a `____` stands in
/// an input or an output, or in the narration that says what to do with it.
pub fn is_sheet(file: &Transcript) -> bool {
    let setting = |step: &&Step| step.input.first().is_some_and(|line| line.starts_with(':'));
    let mut first = file.steps.iter().take_while(setting);
    let quiet =
        |step: &Step| step.input.first().is_some_and(|line| line.trim_end() == ":panel off");
    asks(file) || first.any(quiet) || file.steps.iter().any(|step| has_blank(&step.narration))
}

/// Whether there is a blank to fill in.
pub fn asks(file: &Transcript) -> bool {
    file.steps.iter().any(|step| step.asks_below() || fill::is_open(&step.input))
}

/// What the program gives, and what a sheet's answer is compared with.
struct Now {
    lines: Vec<Line>,
}

impl Now {
    /// The output of the input just played.
    fn of(step: &Step, output: &[String], player: &dyn Player) -> Now {
        let exact = player.exact();
        let lines = lines(output, exact.as_deref(), sets_digits(&step.input));
        Now { lines }
    }

    fn texts(&self) -> Vec<String> {
        self.lines.iter().map(|line| line.text.clone()).collect()
    }

    /// Its last line as an answer.
    fn asked_last(&self) -> Vec<Answer> {
        let last = self.lines.last().cloned().into_iter().collect::<Vec<_>>();
        answer::answers(&[BLANK.to_owned()], &last).unwrap_or_default()
    }

    /// The lines that count on a sheet: without the notes, unless one has a blank, without blank lines, and
    /// without the remark beside a leaf, unless the file has it.
    fn counted(&self, file: &[String]) -> Vec<Line> {
        let value = |line: &str| match line.rsplit_once("  leaf") {
            Some((value, "")) => Some(value.trim_end().to_owned()),
            Some((value, shape)) if shape.starts_with(", shape [") => {
                Some(value.trim_end().to_owned())
            }
            _ => None,
        };
        let marked = file.iter().any(|line| value(line).is_some());
        let bare = |line: &Line| match value(&line.text).filter(|_| !marked) {
            Some(text) => lines(&[text], None, false).remove(0),
            None => line.clone(),
        };
        let noted = asks_in_note(file);
        let kinds = kinds(&self.texts());
        let all = self.lines.iter().zip(kinds);
        let kept =
            all.filter(|(line, kind)| !line.text.is_empty() && (noted || *kind != LineKind::Note));
        kept.map(|(line, _)| bare(line)).collect()
    }
}

fn asks_in_note(file: &[String]) -> bool {
    let all = file.iter().zip(kinds(file));
    let mut notes = all.filter(|(_, kind)| *kind == LineKind::Note);
    notes.any(|(line, _)| has_blank(std::slice::from_ref(line)))
}

/// The lines of a file's output that count on a sheet.
fn given_lines(file: &[String], now: &[Line]) -> Vec<String> {
    let noted = asks_in_note(file);
    let all = file.iter().zip(kinds(file));
    let kept = all.filter(|(line, kind)| !line.is_empty() && (noted || *kind != LineKind::Note));
    let kept: Vec<String> = kept.map(|(line, _)| line.clone()).collect();
    let reads = |lines: &[String]| {
        answer::answers(lines, now).map(|all| all.iter().all(|a| a.unread.is_none()))
    };
    let whole = reads(&kept);
    if whole == Some(true) {
        return kept;
    }
    let answers = remarks::without(&kept, now);
    match (whole, reads(&answers)) {
        (Some(_), Some(false) | None) => kept,
        _ => answers,
    }
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

/// Whether numbers have to be drawn for its inputs, before it is a sheet.
pub fn is_pattern(file: &Transcript) -> bool {
    file.steps.iter().any(|step| fill::is_ranged(&step.input))
}

/// What became of one output.
enum Judged {
    Same,
    Answers(Vec<Answer>),
    Different,
}

fn judge(file: &[String], now: &Now, sheet: bool) -> Judged {
    if !sheet {
        let texts = now.texts();
        return match same(file, &texts) {
            true => Judged::Same,
            // A session that is not a sheet is compared to the letter, except where an answer may stand.
            false if !is_bare(&texts) => Judged::Different,
            false => marked(file, &now.lines),
        };
    }
    let now = now.counted(file);
    let texts: Vec<String> = now.iter().map(|line| line.text.clone()).collect();
    let file = given_lines(file, &now);
    let whole = now
        .last()
        .is_none_or(|line| !is_bare(std::slice::from_ref(&line.text)) || line.shows_all());
    if whole && same(&file, &texts) {
        return Judged::Same;
    }
    match answer::missing(&file, &now) {
        Some(missing) => Judged::Answers(vec![missing]),
        None => marked(&file, &now),
    }
}

fn marked(file: &[String], now: &[Line]) -> Judged {
    match answer::answers(file, now) {
        Some(answers) => Judged::Answers(answers),
        None => Judged::Different,
    }
}

const NOT_FILLED: &str = "not filled in";
const RANGED: &str = "it has a range; vjp sheet draws its numbers";
pub(crate) const WAITS: &str = "an input above is not filled in";

/// Runs a file's inputs and compares; layout and narration do not count.
pub fn check(file: &Transcript, player: &mut dyn Player) -> io::Result<Verdict> {
    player.restart();
    // The cells of a notebook have numbers and no lines.
    let cells = file.steps.first().is_some_and(notebook::is_setting);
    let mut verdict = Verdict {
        inputs: file.steps.len() - usize::from(cells),
        differences: Vec::new(),
        marks: Vec::new(),
        sheet: is_sheet(file),
    };
    let mut names = Names::default();
    for (index, (step, state)) in file.steps.iter().zip(states(&file.steps)).enumerate() {
        names.take(&step.input);
        let line = if cells { 0 } else { file.prompt_line(index) };
        let number = index + usize::from(!cells);
        let mut asked = Vec::new();
        let answers = match state {
            State::Open if fill::is_ranged(&step.input) => vec![fill::open(&step.input, RANGED)],
            State::Open => vec![fill::open(&step.input, NOT_FILLED)],
            State::Waits if step.asks_below() => vec![fill::open(&step.output, WAITS)],
            State::Waits => continue,
            State::Runs => {
                let output = player.play(&step.text(), false)?;
                let now = Now::of(step, &output, player);
                // Cells are compared to the letter.
                let judged = match cells {
                    true if same(&step.output, &output) => Judged::Same,
                    true if !step.asks_below() => Judged::Different,
                    _ if verdict.sheet => {
                        let whole = completed_alone(step, &output);
                        let given = whole.as_deref().unwrap_or(&step.output);
                        by_kind(None, given, &now, &names.known(), player)
                    }
                    _ => judge(&step.output, &now, false),
                };
                match judged {
                    // On a sheet numbers alone are an answer, also where they stand as the program writes them.
                    Judged::Same if verdict.sheet && ends_bare(&output) => {
                        asked = now.asked_last();
                        Vec::new()
                    }
                    Judged::Same => continue,
                    Judged::Answers(answers) => answers,
                    Judged::Different => {
                        verdict.differences.push(Difference {
                            number,
                            line,
                            input: step.input.clone(),
                            expected: step.output.clone(),
                            found: output,
                        });
                        continue;
                    }
                }
            }
        };
        let number = match verdict.sheet {
            true => verdict.marks.len() + 1,
            false => number,
        };
        if asked.is_empty() {
            asked.clone_from(&answers);
        }
        verdict.marks.push(mark(number, line, step, (asked, answers), &names, player));
    }
    Ok(verdict)
}

/// Marks a file by the sheet that was handed out: its inputs run, and its blanks are what counts.
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
    let mut names = Names::default();
    // What the sheet gives and the file has otherwise, until a wrong answer is explained by it.
    let mut altered = None;
    for (step, on_sheet) in sheet.steps.iter().zip(states(&sheet.steps)) {
        let asks = on_sheet == State::Open;
        // Inputs of one's own between those of the sheet change nothing.
        let found = (at..file.steps.len()).find(|k| fill::fits(&step.input, &file.steps[*k].input));
        at = found.map_or(at, |k| k + 1);
        let own = found.map_or(step, |k| &file.steps[k]);
        let gives = !asks && !step.asks_below() && !step.text().starts_with(':');
        altered = if found.is_none() && gives { Some(step) } else { altered };
        let runs = if asks { own } else { step };
        let line = found.map_or(0, |k| file.prompt_line(k));
        let number = verdict.marks.len() + 1;
        let otherwise = |k: &usize| fill::fits_otherwise(&step.input, &file.steps[*k].input);
        if let (true, None, Some(k)) = (asks, found, (at..file.steps.len()).find(otherwise)) {
            at = k + 1;
            names.take(&step.input);
            filled.end();
            let answer = fill::answer(&file.steps[k].input);
            let answers = vec![Answer { holds: false, unread: Some(NO_NUMBERS.into()), ..answer }];
            let line = file.prompt_line(k);
            let asked = unplayed(step, asks);
            verdict.marks.push(mark(number, line, step, (asked, answers), &names, player));
            continue;
        }
        let state = names.take(&runs.input);
        if state == State::Open {
            filled.end();
            let why = if found.is_some() { NOT_FILLED } else { GONE };
            let answers = vec![fill::open(&runs.input, why)];
            let asked = unplayed(step, asks);
            let mark = mark(number, line, step, (asked, answers), &names, player);
            verdict.marks.push(Mark { changed: found.is_none(), ..mark });
            continue;
        }
        let mut answers = Vec::new();
        if asks {
            filled.begin(verdict.marks.len());
            answers.push(fill::answer(&own.input));
        }
        if state == State::Waits {
            if asks || step.asks_below() {
                answers = vec![fill::open(&own.output, WAITS)];
                let asked = unplayed(step, asks);
                let mark = mark(number, line, step, (asked, answers), &names, player);
                verdict.marks.push(Mark { changed: found.is_none(), ..mark });
            }
            filled.waits = true;
            continue;
        }
        let text = if asks { fill::signs(&runs.text()) } else { runs.text() };
        let output = player.play(&text, false)?;
        let now = Now::of(step, &output, player);
        let mut asked = answers.clone();
        if step.asks_below() {
            let known = names.known();
            let filled = given(step, found.map(|k| &file.steps[k]), &now, &known, player);
            let unfilled = given(step, Some(step), &now, &known, player);
            asked.extend(if unfilled.is_empty() { filled.clone() } else { unfilled });
            answers.extend(filled);
        }
        let unexplained =
            answers.iter_mut().find(|answer| !answer.holds && answer.unread.is_none());
        if let Some((step, answer)) = altered.zip(unexplained) {
            answer.unread = Some(format!("{ALTERED}  {}", step.input.join(" ↵ ")).into());
            altered = None;
        }
        if asks || step.asks_below() {
            let mark = mark(number, line, step, (asked, answers), &names, player);
            verdict.marks.push(Mark { changed: found.is_none(), ..mark });
        }
        if on_sheet != State::Runs {
            let counted = now.counted(&step.output);
            let texts: Vec<String> = counted.iter().map(|line| line.text.clone()).collect();
            filled.compare(step, asks, &texts, &mut verdict.marks);
        }
    }
    filled.untold(&mut verdict.marks);
    verdict.marks.iter_mut().for_each(|mark| mark.by_sheet = true);
    Ok(verdict)
}

const NO_NUMBERS: &str = "write numbers in place of ____";
const ALTERED: &str = "your file changed or left out an input of the sheet:";
const GONE: &str = "the question was changed or deleted";

/// What a step of the sheet asks for where it does not run: as many answers as it has blanks.
fn unplayed(step: &Step, asks: bool) -> Vec<Answer> {
    let blanks: usize = step.output.iter().map(|line| line.matches(BLANK).count()).sum();
    vec![fill::open(&[], NOT_FILLED); blanks + usize::from(asks)]
}

/// What a step of a sheet asks for, given what its input prints.
pub(crate) fn asked_for(
    step: &Step,
    output: &[String],
    names: &[String],
    player: &dyn Player,
) -> Vec<Answer> {
    let mut all = given(step, Some(step), &Now::of(step, output, player), names, player);
    all.retain(|answer| answer.open > 0);
    all
}

/// The answers in the output of a step of the sheet, given what comes out now.
fn given(
    step: &Step,
    found: Option<&Step>,
    now: &Now,
    names: &[String],
    player: &dyn Player,
) -> Vec<Answer> {
    let given = found.map_or(&step.output, |own| &own.output);
    let whole = parts::completed(&step.output, given, &now.texts(), false);
    let of_sheet = whole.as_ref().map(|(asked, _)| Step { output: asked.clone(), ..step.clone() });
    let step = of_sheet.as_ref().unwrap_or(step);
    let given = whole.as_ref().map_or(given, |(_, given)| given);
    if let Some(error) = failure(&step.output, &now.texts()) {
        let open = fill::open(given, &format!("the input itself fails: {error}"));
        return vec![Answer { holds: false, open: 0, ..open }];
    }
    let texts = || now.counted(given).into_iter().map(|line| line.text).collect::<Vec<_>>();
    let alone = is_blank_alone(&step.output);
    let command = step.input.first().filter(|line| line.starts_with(':') && alone);
    let unasked = || {
        let command = command.filter(|_| !is_bare(&now.texts()) && !same(given, &now.texts()))?;
        let says = format!("below {} a ____ stands in place of a number", command.trim());
        (!has_blank(given) && !given.is_empty()).then(|| vec![fill::open(given, &says)])
    };
    let computed = |name: &str| player.computed(name);
    let session = Known { names, computed: &computed };
    let formulas = || formula::answers(&step.output, given, &now.texts(), &session);
    let judged = (alone && player.equations().is_none())
        .then(formulas)
        .flatten()
        .or_else(unasked)
        .map_or_else(|| by_kind(Some(step), given, now, names, player), Judged::Answers);
    let mut answers = match judged {
        Judged::Same => Vec::new(),
        Judged::Answers(answers) => answers,
        Judged::Different => match asked_of(step, given) {
            own if own.is_empty() => vec![answer::deleted(&texts())],
            own => vec![Answer::other(&own, &texts())],
        },
    };
    if let (None, Some(first)) = (found, answers.first_mut()) {
        first.unread = Some(GONE.into());
    }
    answers
}

/// What a file without its sheet shows of an output, with the rest: where a blank is left, or below a command, which
/// tells more than a sheet quotes.
fn completed_alone(step: &Step, now: &[String]) -> Option<Vec<String>> {
    let command = step.input.first().is_some_and(|line| line.starts_with(':'));
    let quotes = command || step.asks_below();
    let own = &step.output;
    quotes.then(|| parts::completed(own, own, now, true)).flatten().map(|(_, own)| own)
}

/// Judges an output by what it shows: equations, formulas, a graph with slopes on its edges, numbers.
/// `step`: of the sheet, where there is one.
fn by_kind(
    step: Option<&Step>,
    given: &[String],
    now: &Now,
    names: &[String],
    player: &dyn Player,
) -> Judged {
    let (sheet, texts) = (step.map(|step| step.output.as_slice()), now.texts());
    let rest = |mut answers: Vec<Answer>, judged: Judged| {
        match judged {
            Judged::Answers(more) => answers.extend(more),
            // What else was asked for cannot be told apart: it is not right.
            Judged::Different => answers.push(Answer {
                unread: Some(slopes::UNREAD.into()),
                ..Answer::other(given, &texts)
            }),
            Judged::Same => {}
        }
        Judged::Answers(answers)
    };
    if let Some(event) = player.equations()
        && let Some(found) = equation::marked(sheet, given, &texts, &event)
    {
        let more = match sheet {
            Some(_) => has_blank(&found.rest_sheet),
            None => true,
        };
        let others = Now { lines: lines(&found.rest_now, None, false) };
        return match more {
            true => rest(found.answers, judge(&found.rest, &others, true)),
            false => Judged::Answers(found.answers),
        };
    }
    let computed = |name: &str| player.computed(name);
    let session = Known { names, computed: &computed };
    let formulas = match sheet {
        // What is no derivative is no formula of one.
        _ if player.equations().is_some() || slopes::is_stepped(&texts) => None,
        Some(sheet) => formula::answers(sheet, given, &texts, &session),
        None => formula::filled(given, &texts, &session),
    };
    if let Some(answers) = formulas {
        return Judged::Answers(answers);
    }
    let numbers = |given: &[String]| match step {
        Some(step) => judge(&asked_of(step, given), now, true),
        None => judge(given, now, true),
    };
    match slopes::marked(sheet, given, &texts, &session) {
        Some((answers, given)) => rest(answers, numbers(&given)),
        None => numbers(given),
    }
}

/// What of a file's output answers a step of the sheet: where only the last line has a blank, not what the
/// sheet gives above it, altered or not.
fn asked_of(step: &Step, given: &[String]) -> Vec<String> {
    let blank = |line: &String| step.asks_in(line);
    let Some((last, above)) = step.output.split_last() else { return given.to_vec() };
    if !blank(last) || above.iter().any(blank) || answer::has_words(last) {
        return given.to_vec();
    }
    let told = |line: &&String| {
        let one = std::slice::from_ref::<String>;
        let alike = |other: &String| {
            let begins = line.trim_start().chars().next() == other.trim_start().chars().next();
            begins && !is_bare(one(other)) && answer::same_words(one(line), one(other))
        };
        above.contains(line) || above.iter().any(alike)
    };
    given.iter().filter(|line| !told(line)).cloned().collect()
}

fn mark(
    number: usize,
    line: usize,
    step: &Step,
    (asked_for, answers): (Vec<Answer>, Vec<Answer>),
    names: &Names,
    player: &mut dyn Player,
) -> Mark {
    let behind = names.behind(&step.input);
    let asked = asked(&step.input);
    let named = |mut answer: Answer| {
        if answer.name.is_none() && answer.before > 0 {
            answer.name = Some(asked_before(&step.input, answer.before));
        }
        answer
    };
    let asked_for = asked_for.into_iter().map(named).collect();
    let marked = answers.into_iter().map(named).map(|answer| Marked {
        diagnosis: match answer.holds {
            true => None,
            false => player.diagnose(&Question {
                text: answer.name.as_deref().unwrap_or(&asked),
                given: &answer.given,
                numbers: &answer.numbers,
                right: &answer.right,
                behind: &behind,
            }),
        },
        answer,
    });
    let answers = marked.collect();
    let (changed, by_sheet) = (false, false);
    Mark { number, line, question: asked, changed, asked: asked_for, by_sheet, answers }
}
