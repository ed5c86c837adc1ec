//! The exercise sheets: their questions have answers, and each usual wrong answer is told what it is.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/run.rs"]
mod run;
use run::Test;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Sheet, question from 1, a wrong answer, the mistake that leads to it.
const WRONG: &[(&str, usize, &str, &str)] = &[
    ("01", 2, "9", "value"),
    ("01", 2, "1", "slope-forgotten"),
    ("01", 2, "-6", "sign"),
    ("01", 3, "16", "value"),
    ("01", 5, "6", "ones-for-v"),
    ("02", 3, "4", "slope-forgotten"),
    ("02", 3, "6", "path-forgotten"),
    ("02", 3, "3", "stopped"),
    ("02", 4, "27", "slope-forgotten"),
    ("02", 5, "4", "slope-forgotten"),
    ("03", 1, "2", "other-leaf"),
    ("03", 2, "5", "other-leaf"),
    ("03", 3, "3", "path-forgotten"),
    ("03", 4, "4", "path-forgotten"),
    ("03", 5, "5", "slope-forgotten"),
    ("03", 6, "20", "other-leaf"),
    ("04", 1, "[2, 3]", "value"),
    ("04", 2, "[1, 1]", "slope-forgotten"),
    ("04", 2, "[2, 3]", "mean-for-sum"),
    ("04", 3, "[4, 12]", "reversed"),
    ("04", 4, "[1, 1]", "slope-forgotten"),
    ("05", 1, "[6, 12]", "ones-for-v"),
    ("05", 1, "[3, 30]", "slope-forgotten"),
    ("05", 1, "[60, 12]", "v-reversed"),
    ("05", 2, "[3, 4]", "one-row"),
    ("05", 4, "[12, 43]", "j-times-v"),
    ("05", 4, "[5, 5]", "ones-for-v"),
    ("05", 4, "[3, 7]", "row-sums"),
    ("05", 4, "[2, 1]", "one-row"),
    ("05", 4, "[30, 40]", "one-row"),
    ("05", 4, "[302, 401]", "v-twice"),
    ("06", 1, "[3, 5]", "mean-for-sum"),
    ("06", 2, "[3, 5]", "mean-for-sum"),
    ("06", 3, "[6, 10]", "sum-for-mean"),
    ("06", 4, "[6, 10]", "ones-for-v"),
    ("07", 2, "2", "accumulation-forgotten"),
    ("07", 3, "20", "accumulation-forgotten"),
    ("07", 3, "6", "ones-for-v"),
    ("07", 4, "224", "accumulated"),
    ("07", 6, "[0, 120]", "accumulation-forgotten"),
    ("07", 6, "[6, 0]", "before"),
    ("08", 1, "[21, 43]", "j-times-v"),
    ("08", 1, "[4, 6]", "ones-for-v"),
    ("08", 2, "[[1, 10], [-1, -10]]", "transposed"),
    ("08", 3, "[2, 4]", "j-times-v"),
    ("09", 1, "[1, 10, 100]", "slope-forgotten"),
    ("09", 1, "[0, 10, 100]", "kink"),
    ("09", 2, "[1, 4]", "value"),
    ("10", 2, "[4, 2]", "sum-for-mean"),
    ("10", 2, "[0.5, 0.5]", "slope-forgotten"),
    ("10", 3, "[[2, 1], [6, 3]]", "transposed"),
];

const BLANK: &str = "____";

/// How many sheets there are.
const SHEETS: usize = 10;

fn sheets() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sessions/exercises");
    let entries = fs::read_dir(folder).unwrap();
    let mut all: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    all.sort();
    all
}

/// The sheet of that number.
fn sheet(number: &str) -> String {
    let mut all = sheets().into_iter();
    let path = all.find(|p| p.file_name().unwrap().to_str().unwrap().starts_with(number));
    fs::read_to_string(path.unwrap()).unwrap()
}

fn marked(text: &str, status: i32) -> Value {
    let ran = Test::new()
        .args(&["replay", "--check", "--json", "a.vjp"])
        .file("a.vjp", text)
        .any_stdout()
        .status(status)
        .run();
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The right answers, as the program gives them.
fn answers(sheet: &str) -> Vec<String> {
    let event = marked(sheet, 0);
    assert!(event["differences"].as_array().unwrap().is_empty(), "{event}");
    assert_eq!(event["open"], event["questions"], "{event}");
    let marks = event["marks"].as_array().unwrap().iter();
    marks
        .map(|mark| {
            let [answer] = &mark["answers"].as_array().unwrap()[..] else {
                panic!("{mark}");
            };
            answer["right"].as_str().unwrap().to_owned()
        })
        .collect()
}

/// The sheet with its blanks filled in; each question is a line.
fn filled(sheet: &str, answers: &[String]) -> String {
    let mut answers = answers.iter();
    let lines = sheet.lines().map(|line| {
        let open = !line.starts_with('#') && line.contains(BLANK);
        let line = if open { answers.next().unwrap() } else { line };
        format!("{line}\n")
    });
    lines.collect()
}

#[test]
fn each_sheet_asks_for_a_few_numbers() {
    let all = sheets();
    assert_eq!(all.len(), SHEETS);
    for path in all {
        let text = fs::read_to_string(&path).unwrap();
        let outputs = text.lines().filter(|l| !l.starts_with('#'));
        let blanks: usize = outputs.map(|l| l.matches(BLANK).count()).sum();
        let name = path.display();
        assert!((4..=9).contains(&blanks), "{name} has {blanks} blanks");
        assert!(text.contains("vjp> :panel off\n"), "{name} shows the answers");
        assert!(text.starts_with("# ") && text.contains(&format!("each {BLANK}")), "{name}");
    }
}

#[test]
fn the_right_answers_mark_fully() {
    for path in sheets() {
        let text = fs::read_to_string(&path).unwrap();
        let event = marked(&filled(&text, &answers(&text)), 0);
        assert_eq!(event["right"], event["questions"], "{}", path.display());
    }
}

#[test]
fn each_usual_wrong_answer_is_told_what_it_is() {
    let mut complaints = Vec::new();
    for (number, question, wrong, mistake) in WRONG {
        let text = sheet(number);
        let mut given = answers(&text);
        given[question - 1] = (*wrong).to_owned();
        let event = marked(&filled(&text, &given), 1);
        let marks = event["marks"].as_array().unwrap();
        for (k, mark) in marks.iter().enumerate() {
            let grade = if k + 1 == *question { "wrong" } else { "right" };
            assert_eq!(mark["grade"], grade, "{number}: {mark}");
        }
        let answer = &marks[question - 1]["answers"][0];
        if answer["mistake"] != *mistake {
            complaints.push(format!("{number} {question} {wrong}: {answer}, not {mistake}"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
