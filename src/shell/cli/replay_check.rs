//! `replay --check`: session files compared, exercise sheets marked; what it says to people and to programs.

use super::class_folder::{self, Folder};
use super::status::Usage;
use super::status::{FAILED, each};
use crate::session_options::Common;
use crate::view::{Face, View, ascii};
use crate::{Shell, interrupt};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use vjp_report::Stream;
use vjp_report::json::written;
use vjp_session::compare::{Difference, Grade, Mark, Verdict};
use vjp_session::marking::table::{self, Row};
use vjp_session::replay::Blessed;
use vjp_session::{Transcript, compare, notebook, reading, transcript};
use vjp_text::visible::{self, visible};
use vjp_text::words::{count, list};

/// So long an input of a student's file runs, unless the command line says otherwise.
const PATIENCE: Duration = Duration::from_secs(10);

/// How files are checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Check {
    /// The sheet that the files answer, or the folder with a sheet of the same name for each.
    pub sheet: Option<PathBuf>,
    /// A table instead of sentences.
    pub csv: bool,
    /// Mistakes, and no right answer.
    pub hint: bool,
}

/// Checks each file, by the sheet that it answers where one is given.
///
/// # Errors
/// A file cannot be read, or is not a session file.
pub fn run(files: &[PathBuf], check: &Check, common: &Common, face: Face) -> Result<u8> {
    interrupt::listen(false);
    let folder = check.sheet.as_deref().filter(|path| path.is_dir());
    let mut folder = folder.map(Folder::open).transpose()?;
    let common_sheet =
        check.sheet.as_deref().filter(|_| folder.is_none()).map(blank).transpose()?;
    let many = files.len() > 1;
    // What a student filled in may never end.
    let limit = common.time_limit.or(check.sheet.is_some().then_some(PATIENCE));
    let limited = Common { time_limit: limit, ..common.clone() };
    let mut rows: Vec<Row> = Vec::new();
    let status = each(files, |file| {
        // JSON escapes by itself.
        let name = match face {
            Face::Json => file.display().to_string(),
            _ => reading::called(file),
        };
        let path = folder.as_mut().map(|folder| folder.sheet(file)).transpose();
        let student = path.as_ref().ok().and_then(Option::as_deref).map(class_folder::stem);
        let transcript = path.and_then(|own| {
            let own = own.as_deref().map(blank).transpose()?;
            Ok((own.or_else(|| common_sheet.clone()), read(file, check.sheet.is_some())?))
        });
        let (sheet, transcript) = match transcript {
            Ok(both) => both,
            // One file that cannot be read keeps no other from its marks.
            Err(error) if check.csv => {
                rows.push(Row { file: name, student, verdict: Err(format!("{error:#}")) });
                return Ok(FAILED);
            }
            Err(error) if many => {
                unreadable(&name, &error, face)?;
                return Ok(FAILED);
            }
            Err(error) => return Err(error),
        };
        let mut shell = Shell::standard(&limited, face);
        shell.keep_history();
        shell.view.keep_exact();
        shell.view.screen.join();
        let verdict = match &sheet {
            Some(sheet) => compare::check_by(sheet, &transcript, &mut shell)?,
            None => compare::check(&transcript, &mut shell)?,
        };
        let changed = !verdict.numbered(Grade::Changed).is_empty();
        let status = if verdict.agrees() && !changed { 0 } else { FAILED };
        match check.csv {
            true => rows.push(Row { file: name, student, verdict: Ok(verdict) }),
            false => report(&mut shell.view, &name, &verdict, many, check.hint),
        }
        shell.view.screen.flush();
        Ok(status)
    })?;
    if check.csv {
        write!(io::stdout(), "{}", table::csv(&rows, folder.is_some()))?;
    }
    Ok(status)
}

/// A sheet as it was handed out.
fn blank(path: &Path) -> Result<Transcript> {
    let sheet = read(path, false)?;
    if compare::is_pattern(&sheet) {
        let name = reading::called(path);
        let says = format!("{name} has ranges in its inputs: sheets are made from it");
        let hint = format!("vjp sheet {name} -o OUT  makes one, with numbers");
        return Err(Usage::new(says, hint).into());
    }
    match compare::asks(&sheet) {
        true => Ok(sheet),
        false => {
            let hint = "write ____ for a number in one of its inputs or outputs";
            Err(Usage::new("the sheet has no ____ to fill in", hint).into())
        }
    }
}

/// What the check of a file found; `brief` where it is one of many.
fn report(view: &mut View, name: &str, verdict: &Verdict, brief: bool, hint: bool) {
    let text = match (view.face, brief) {
        (Face::Json, _) => written(&json(name, verdict, hint)),
        (_, _) if hint => verdict.hint(name),
        (_, true) => verdict.brief(name),
        (_, false) => verdict.describe(name),
    };
    match view.style().ascii {
        true => view.screen.write(Stream::Out, &ascii(&text)),
        false => view.screen.write(Stream::Out, &text),
    }
}

fn unreadable(name: &str, error: &anyhow::Error, face: Face) -> Result<()> {
    let problem = format!("{error:#}");
    let line = match face {
        Face::Json => written(&json!({"event": "check", "file": name, "error": problem})),
        // The name stands in front of what is wrong with the file.
        _ if problem.starts_with(name) => visible(&format!("✗ {problem}\n")).into_owned(),
        _ => visible(&format!("✗ {name}  {problem}\n")).into_owned(),
    };
    write!(io::stdout(), "{line}")?;
    Ok(())
}

/// Reads a session file; `answers`: one that somebody filled in.
fn read(file: &Path, answers: bool) -> Result<Transcript> {
    let name = reading::called(file);
    let (text, _) = reading::argument(file)?;
    if notebook::is_notebook(&text) {
        return notebook::read(&text).context(name);
    }
    if text.trim().is_empty() {
        let hint = "a session file has inputs after  vjp>";
        return Err(Usage::new(format!("{name} is empty"), hint).into());
    }
    if let Some(line) = text.lines().position(transcript::lacks_blank) {
        let says = format!("{name}:{}: the prompt has no blank after it", line + 1);
        return Err(Usage::new(says, "write the line as  vjp> x = 2").into());
    }
    if !transcript::is_session(&text) {
        let hint = match reading::is_stdin(file) {
            true => "vjp replay --bless FILE  turns a program in a file into a session file".into(),
            false => format!("vjp replay --bless {name}  turns it into a session file"),
        };
        let says = format!("{name} is a plain program: it has no outputs to compare");
        return Err(Usage::new(says, hint).into());
    }
    let strictly = Transcript::parse(&text);
    let freely = || Transcript::parse_answers(&text).ok();
    match strictly.as_ref().err().and_then(|_| freely()) {
        Some(sheet) if answers || compare::is_sheet(&sheet) => Ok(sheet),
        _ => strictly.context(name),
    }
}

/// What `--bless` did.
pub fn blessed(name: &str, was_session: bool, blessed: &Blessed, kept: Option<&Path>) -> String {
    let inputs = count(blessed.transcript.steps.len(), "input");
    let mut text = match (was_session, blessed.changed) {
        (false, _) => format!("{name}  now a session with {inputs}"),
        (true, 0) => format!("{name}  {inputs}, unchanged"),
        (true, n) => format!("{name}  {inputs}, {} rewritten", count(n, "output")),
    };
    if let Some(older) = kept {
        text += &format!("; the old file is kept as {}", visible::name(older));
    }
    text.push('\n');
    if !blessed.waiting.is_empty() {
        let numbers: Vec<String> = blessed.waiting.iter().map(usize::to_string).collect();
        let (inputs, wait) = match numbers.len() {
            1 => ("input", "waits"),
            _ => ("inputs", "wait"),
        };
        let all = list(&numbers, "and");
        let outputs = if numbers.len() == 1 { "its output is" } else { "their outputs are" };
        let what = if blessed.ranged { "____ or a range" } else { "____" };
        text +=
            &format!("{name}  {inputs} {all} {wait} for a {what} in an input; {outputs} kept\n");
    }
    for number in &blessed.unread {
        text += &format!("{name}  input {number} has a syntax error; the old output is kept\n");
    }
    for number in &blessed.unfit {
        text += &format!(
            "{name}  input {number}: nothing in the new output fits its ____; the old output is kept\n"
        );
    }
    text
}

/// A check as one object: `agree` counts inputs, `right` the questions of a sheet; with `hint` it holds no right
/// answer.
fn json(name: &str, verdict: &Verdict, hint: bool) -> Value {
    let differences = verdict.differences.iter().map(|d| difference(d, hint));
    let differences: Vec<Value> = differences.collect();
    let wrong = verdict.numbered(Grade::Wrong).len();
    let agreeing = verdict.inputs - verdict.differences.len() - wrong;
    let mut object = json!({"event": "check", "file": name, "inputs": verdict.inputs,
                            "agree": agreeing, "differences": differences});
    if verdict.sheet || !verdict.marks.is_empty() {
        let (questions, right) = verdict.tally();
        let marks: Vec<Value> = verdict.marks.iter().map(|one| mark(one, hint)).collect();
        object["sheet"] = verdict.sheet.into();
        object["questions"] = questions.into();
        object["right"] = right.into();
        let (points, of) = verdict.points();
        object["points"] = points.into();
        object["of_points"] = of.into();
        object["open"] = verdict.numbered(Grade::Open).len().into();
        object["changed"] = verdict.numbered(Grade::Changed).len().into();
        object["wrong"] = wrong.into();
        object["marks"] = marks.into();
    }
    object
}

fn difference(d: &Difference, hint: bool) -> Value {
    let found = (!hint).then_some(&d.found);
    let line = (d.line > 0).then_some(d.line);
    json!({"input": d.number, "line": line, "text": d.input.join("\n"),
           "expected": d.expected, "found": found})
}

fn mark(mark: &Mark, hint: bool) -> Value {
    let answers = mark.answers.iter().map(|m| {
        let diagnosis = m.diagnosis.as_ref();
        json!({"name": m.answer.name, "given": m.answer.given,
               "right": (!hint).then_some(&m.answer.right),
               "holds": m.answer.holds, "open": m.answer.open,
               "why": m.answer.unread.as_ref().map(|why| why.told(hint)),
               "mistake": diagnosis.map(|d| d.mistake),
               "diagnosis": diagnosis.map(|d| d.says.told(hint))})
    });
    let answers: Vec<Value> = answers.collect();
    // A question that the file lacks has no line.
    let line = (mark.line > 0).then_some(mark.line);
    let blanks: Vec<&str> = mark.blanks().into_iter().map(Grade::word).collect();
    json!({"number": mark.number, "line": line, "question": mark.question,
           "grade": mark.grade().word(), "blanks": blanks, "answers": answers})
}
