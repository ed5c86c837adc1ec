//! Inputs that a student filled in: right where what comes out is what the sheet shows.

use super::answer::{self, ends_bare};
use super::diagnosis::asked;
use super::fill;
use super::why::Why;
use crate::Step;
use crate::compare::{Mark, WAITS};

const UNTOLD: &str = "the sheet shows nothing that depends on it";

/// The inputs that were filled in last: they are right where this and what follows comes out as the
/// sheet shows it.
#[derive(Default)]
pub(crate) struct Filled {
    marks: Vec<usize>,
    /// Whether an output was compared since.
    compared: bool,
    /// So many of the marks had an output after them.
    told: usize,
    /// What follows waits for another input.
    pub waits: bool,
}

impl Filled {
    pub fn begin(&mut self, mark: usize) {
        self.end();
        self.marks.push(mark);
    }

    /// At the end of the sheet: inputs that nothing was compared with.
    pub fn untold(&mut self, marks: &mut [Mark]) {
        self.end();
        let why = if self.waits { WAITS } else { UNTOLD };
        for mark in self.marks.split_off(self.told) {
            let answers = marks.get_mut(mark).map(|m| m.answers.as_mut_slice());
            if let Some([first, ..]) = answers.filter(|all| all.iter().all(|a| a.answer.holds)) {
                first.answer = fill::open(std::slice::from_ref(&first.answer.given), why);
            }
        }
    }

    /// What was compared is judged.
    pub fn end(&mut self) {
        if std::mem::take(&mut self.compared) {
            self.marks.clear();
            self.told = 0;
        }
    }

    /// Compares what came out now; `own`: of the input that was filled in itself.
    pub fn compare(&mut self, step: &Step, own: bool, now: &[String], marks: &mut [Mark]) {
        let failed = failure(&step.output, now);
        if self.marks.is_empty() || self.compared || step.output.is_empty() && failed.is_none() {
            return;
        }
        // What its own output shows decides.
        let shows = step.output.iter().any(|line| !step.asks_in(line));
        self.compared |= failed.is_some() || !step.asks_below() || own && shows;
        self.told = self.marks.len();
        let part = shown(&step.output, now).filter(|_| failed.is_none());
        let now = part.as_deref().unwrap_or(now);
        // What differs in more than numbers differs whatever was filled in.
        let otherwise =
            failed.is_none() && !now.is_empty() && !answer::same_words(&step.output, now);
        if failed.is_none() && (fill::comes_out(&step.output, now) || otherwise) {
            return;
        }
        let asked = asked(&step.input);
        for mark in &self.marks {
            let Some(first) = marks.get_mut(*mark).and_then(|m| m.answers.first_mut()) else {
                continue;
            };
            if first.answer.holds {
                first.answer.holds = false;
                first.answer.unread = Some(match (now, &step.output[..]) {
                    _ if let Some(error) = &failed => match error.starts_with("it ") {
                        true => error.as_str().into(),
                        false => format!("it fails: {error}").into(),
                    },
                    ([.., now], [.., sheet]) if ends_bare(&step.output) => Why::new(
                        format!("{asked} comes out as {now}, not {sheet}"),
                        format!("{asked} does not come out as on the sheet"),
                    ),
                    ([now, ..], _) => Why::new(
                        format!("it comes out as: {now}"),
                        "it does not come out as on the sheet",
                    ),
                    _ => "nothing comes out".into(),
                });
            }
        }
    }
}

/// The lines of an output that a sheet shows, where it shows some of them alone: the last that read so.
pub(crate) fn shown(sheet: &[String], now: &[String]) -> Option<Vec<String>> {
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

/// What an input says where it fails and the sheet shows no error.
pub(crate) fn failure(sheet: &[String], now: &[String]) -> Option<String> {
    let error = |lines: &[String]| lines.iter().position(|line| line.starts_with("error  "));
    let at = error(now).filter(|_| error(sheet).is_none())?;
    let first = now[at].trim_start_matches("error").trim();
    // A long message goes on below.
    let more = now[at + 1..].iter().take_while(|line| {
        line.starts_with("       ") && !line.trim_start().starts_with(['│', '^'])
    });
    let whole = more.fold(first.to_owned(), |text, line| text + " " + line.trim());
    Some(match whole.as_str() {
        "time limit reached" => "it did not end within the time limit and was stopped".to_owned(),
        _ => whole,
    })
}
