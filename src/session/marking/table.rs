//! The marks of a class as a table of comma-separated values (RFC 4180): a line for each sheet, a column for
//! each blank.

use crate::compare::{Grade, Verdict};
use std::collections::BTreeSet;
use vjp_text::visible::visible;

/// A file: its marks, or why it could not be read.
pub struct Row {
    pub file: String,
    /// The name of the sheet that it answers, where each student has one.
    pub student: Option<String>,
    pub verdict: Result<Verdict, String>,
}

/// A blank: the number of its question, and of the blank in it.
type Blank = (usize, usize);

/// The table with its heading; `students`: with a column for the name of each one's sheet.
pub fn csv(rows: &[Row], students: bool) -> String {
    let marks = rows.iter().filter_map(|row| row.verdict.as_ref().ok());
    let blanks: BTreeSet<Blank> = marks.flat_map(graded).map(|(blank, _)| blank).collect();
    let several = |question: usize| blanks.contains(&(question, 2));
    let title = |(question, blank): &Blank| match several(*question) {
        true => format!("{question}.{blank}"),
        false => question.to_string(),
    };
    let mut heading = vec!["file"];
    heading.extend(students.then_some("student"));
    heading.extend(["right", "of", "points", "of points"]);
    let mut heading: Vec<String> = heading.into_iter().map(str::to_owned).collect();
    heading.extend(blanks.iter().map(title));
    heading.push("diagnosis".to_owned());
    let mut text = line(&heading);
    for row in rows {
        let student = row.student.clone().unwrap_or_default();
        let names = [row.file.clone()].into_iter().chain(students.then_some(student));
        text += &line(&cells(names.collect(), &row.verdict, &blanks));
    }
    text
}

/// The cells of a row, behind those of its names.
fn cells(
    mut all: Vec<String>,
    verdict: &Result<Verdict, String>,
    blanks: &BTreeSet<Blank>,
) -> Vec<String> {
    let verdict = match verdict {
        Ok(verdict) => verdict,
        Err(problem) => {
            all.resize(all.len() + 4 + blanks.len(), String::new());
            all.push(problem.clone());
            return all;
        }
    };
    let (of, right) = verdict.tally();
    let (points, of_points) = verdict.points();
    all.extend([right, of, points, of_points].map(|n| n.to_string()));
    let graded = graded(verdict);
    for blank in blanks {
        let found = graded.iter().find(|(own, _)| own == blank);
        all.push(found.map_or("", |(_, grade)| grade.word()).to_owned());
    }
    all.push(diagnoses(verdict));
    all
}

fn graded(verdict: &Verdict) -> Vec<(Blank, Grade)> {
    let of = |mark: &crate::compare::Mark| {
        let blanks = mark.blanks().into_iter().enumerate();
        let number = mark.number;
        blanks.map(move |(k, grade)| ((number, k + 1), grade)).collect::<Vec<_>>()
    };
    verdict.marks.iter().flat_map(of).collect()
}

/// What is known about each wrong answer: `2: 6 and 12 are …`.
fn diagnoses(verdict: &Verdict) -> String {
    let mut all = Vec::new();
    for mark in &verdict.marks {
        for marked in mark.answers.iter().filter(|marked| !marked.answer.holds) {
            let says = marked.diagnosis.as_ref().map(|d| &d.says);
            if let Some(says) = marked.answer.unread.as_ref().or(says) {
                all.push(format!("{}: {}", mark.number, says.says));
            }
        }
    }
    for difference in &verdict.differences {
        all.push(format!("input {} differs", difference.number));
    }
    all.join("; ")
}

fn line(cells: &[String]) -> String {
    let quoted = |cell: &String| {
        let cell = visible(cell);
        match cell.contains([',', '"', '\n', '\r']) || cell.starts_with(' ') {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.into_owned(),
        }
    };
    cells.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}
