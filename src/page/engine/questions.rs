//! What a page can ask, each by its name under `ask`.

use serde_json::{Value, json};
use std::cell::RefCell;
use vjp_report::terminal::html::code;
use vjp_session::compare::{self, Mark as Graded};
use vjp_session::notebook;
use vjp_session::program;
use vjp_session::replay::bless;
use vjp_session::transcript::{Step, Transcript};
use vjp_shell::replay::cells::{self, Mark};
use vjp_shell::session_options::Common;
use vjp_shell::shell::{Ended, Shell};
use vjp_tensor::tensor::Dtype;
use vjp_text::lines::{self, Completeness, Setting};

thread_local! {
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
}

/// A session of which the page may change any input.
struct Page {
    shell: Shell,
    /// The moment before each input that ran.
    marks: Vec<Option<Mark>>,
}

/// So much of the stack is counted on: a browser has a stack of its own beside it, and ends what needs more of
/// that. Calls nest to a few hundred.
const STACK: usize = 2 << 20;

/// Answers a question in JSON.
pub fn answer(question: &[u8]) -> String {
    let question: Value = serde_json::from_slice(question).unwrap_or_default();
    let text = question["text"].as_str().unwrap_or_default();
    PAGE.with_borrow_mut(|slot| {
        let page = slot.get_or_insert_with(begin);
        if question["ask"] == "input" {
            return input(page, text, &question).to_string();
        }
        let shell = &mut page.shell;
        let answer = match question["ask"].as_str() {
            Some("restart") => {
                *page = restarted(&question);
                json!({})
            }
            Some("paint") => json!({ "html": code(&cells::painted(shell, text)) }),
            Some("preview") => {
                json!({ "text": cells::preview(shell, text, place(text, &question)) })
            }
            Some("complete") => {
                let (start, choices) = cells::completions(shell, text, place(text, &question));
                json!({ "start": utf16(&text[..start]), "choices": choices })
            }
            Some("whole") => json!({ "whole": whole(text) }),
            Some("session") => json!({ "session": session(&question).to_string() }),
            Some("notebook") => json!({ "notebook": notebook::write(&session(&question)) }),
            Some("check") => checked(shell, text),
            Some("bless") => blessed(shell, text),
            other => json!({ "error": format!("there is no question {other:?}") }),
        };
        answer.to_string()
    })
}

fn begin() -> Page {
    vjp_tensor::budget::settle(STACK);
    vjp_library::begin();
    restarted(&Value::Null)
}

/// A session without inputs, with the options that the question names.
fn restarted(question: &Value) -> Page {
    let dtype = match question["dtype"].as_str() {
        Some("float32") => Dtype::Float32,
        _ => Dtype::Float64,
    };
    let options = Common { strict: question["strict"] == true, dtype, ..Common::default() };
    Page { shell: cells::shell(options), marks: Vec::new() }
}

/// Runs an input at its place: those behind it are forgotten. `lost`: the moment before it is, too, and the
/// page has to begin anew. Where no text is given, the input is left out.
fn input(page: &mut Page, text: &str, question: &Value) -> Value {
    let Page { shell, marks } = page;
    let at = question["at"].as_u64().map_or(marks.len(), |at| at as usize);
    match marks.get(at) {
        Some(Some(mark)) => cells::return_to(shell, mark),
        None if at == marks.len() => {}
        _ => return json!({ "lost": true }),
    }
    marks.truncate(at);
    marks.push(cells::mark(shell));
    if question["text"].is_null() {
        return json!({});
    }
    // In the colours that it has before it runs.
    let paint = (question["paint"] == true).then(|| code(&cells::painted(shell, text)));
    let cell = cells::run(shell, text, question["typed"] == true);
    json!({
        "output": cell.output,
        "html": cell.html,
        "paint": paint,
        "failed": cell.ended != Ended::Well,
    })
}

/// How long a text is for a page.
fn utf16(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The byte where the cursor is: a page counts in UTF-16.
fn place(text: &str, question: &Value) -> usize {
    let at = question["at"].as_u64().unwrap_or(u64::MAX);
    let mut seen = 0;
    let found = text.char_indices().find(|(_, sign)| {
        seen += sign.len_utf16() as u64;
        seen > at
    });
    found.map_or(text.len(), |(byte, _)| byte)
}

/// Whether Enter runs a text: nothing in it is left open, and a block has ended.
fn whole(text: &str) -> bool {
    text.trim_start().starts_with(':')
        || lines::complete(text, Setting::Prompt) == Completeness::Complete
}

/// The session that a page holds.
fn session(question: &Value) -> Transcript {
    let lines = |value: &Value| -> Vec<String> {
        let lines = value.as_array().into_iter().flatten().filter_map(Value::as_str);
        lines.map(str::to_owned).collect()
    };
    let step = |step: &Value| Step {
        narration: lines(&step["narration"]),
        input: step["input"].as_str().unwrap_or_default().split('\n').map(str::to_owned).collect(),
        output: lines(&step["output"]),
        ..Step::default()
    };
    let steps = question["steps"].as_array().into_iter().flatten().map(step).collect();
    Transcript { steps, tail: lines(&question["tail"]) }
}

/// A sheet that was filled in: what is right, and what a wrong answer would have been right for.
fn checked(shell: &mut Shell, text: &str) -> Value {
    let read = Transcript::parse_answers(text).map_err(|problem| problem.to_string());
    let (mut steps, mut lines) = (0, Vec::new());
    let found = read.and_then(|sheet| {
        steps = sheet.steps.len();
        lines = (0..steps).map(|k| sheet.prompt_line(k)).collect();
        compare::check(&sheet, shell).map_err(|error| error.to_string())
    });
    match found {
        Ok(verdict) => {
            let mark = |mark: &Graded| {
                let step = (0..steps).find(|k| lines[*k] == mark.line);
                let hint = mark.hint(verdict.tally().0);
                let holds: Vec<bool> = mark.answers.iter().map(|a| a.answer.holds).collect();
                json!({ "step": step, "grade": mark.grade().word(), "hint": hint, "holds": holds })
            };
            let marks: Vec<Value> = verdict.marks.iter().map(mark).collect();
            json!({ "report": verdict.describe("This sheet"), "marks": marks })
        }
        Err(error) => json!({ "error": error }),
    }
}

/// A whole session with the outputs that come now.
fn blessed(shell: &mut Shell, text: &str) -> Value {
    let read = program::read(text).map_err(|problem| problem.to_string());
    let found = read
        .and_then(|(transcript, _)| bless(&transcript, shell).map_err(|error| error.to_string()));
    match found {
        Ok(blessed) => json!({ "session": blessed.transcript.to_string() }),
        Err(error) => json!({ "error": error }),
    }
}
