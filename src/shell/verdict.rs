//! What a check found, for programs.

use serde_json::{Value, json};
use vjp_session::check::{Difference, Grade, Mark, Verdict};

/// A check as one object: `agree` counts inputs, `right` the questions of a sheet.
pub fn json(name: &str, verdict: &Verdict) -> Value {
    let differences: Vec<Value> = verdict.differences.iter().map(difference).collect();
    let wrong = verdict.numbered(Grade::Wrong).len();
    let agreeing = verdict.inputs - verdict.differences.len() - wrong;
    let mut object = json!({"event": "check", "file": name, "inputs": verdict.inputs,
                            "agree": agreeing, "differences": differences});
    if verdict.sheet || !verdict.marks.is_empty() {
        let (questions, right) = verdict.tally();
        let marks: Vec<Value> = verdict.marks.iter().map(mark).collect();
        object["sheet"] = verdict.sheet.into();
        object["questions"] = questions.into();
        object["right"] = right.into();
        object["open"] = verdict.numbered(Grade::Open).len().into();
        object["changed"] = verdict.numbered(Grade::Changed).len().into();
        object["wrong"] = wrong.into();
        object["marks"] = marks.into();
    }
    object
}

fn difference(d: &Difference) -> Value {
    json!({"input": d.number, "line": d.line, "text": d.input.join("\n"),
           "expected": d.expected, "found": d.found})
}

fn mark(mark: &Mark) -> Value {
    let grade = match mark.grade() {
        Grade::Right => "right",
        Grade::Open => "open",
        Grade::Changed => "changed",
        Grade::Wrong => "wrong",
    };
    let answers = mark.answers.iter().map(|m| {
        let diagnosis = m.diagnosis.as_ref();
        json!({"name": m.answer.name, "given": m.answer.given, "right": m.answer.right,
               "holds": m.answer.holds, "open": m.answer.open,
               "mistake": diagnosis.map(|d| d.mistake), "diagnosis": diagnosis.map(|d| &d.says)})
    });
    let answers: Vec<Value> = answers.collect();
    json!({"number": mark.number, "line": mark.line, "question": mark.question,
           "grade": grade, "answers": answers})
}
