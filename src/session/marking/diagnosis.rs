//! The mistake behind a wrong answer: the numbers that each usual mistake leads to are computed from the
//! session's own backwards and compared with the answer.

use super::matrix;
use super::mistakes::{MISTAKES, Mistake};
use super::remarks;
use super::waiting::GRADIENTS;
use super::why::Why;
use crate::marking::numbers::Written;
use crate::marking::question::{Case, Guess, Subject, number};
use std::collections::HashSet;
use std::rc::Rc;
use vjp_eval::Backward;
use vjp_tensor::Place;
use vjp_text::words;
use vjp_tutor::forgotten_steps::Slip;

/// What was asked, and the numbers of answer and program; None where a blank is open.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// `x.grad`
    pub text: &'a str,
    /// The answer as it was written.
    pub given: &'a str,
    pub numbers: &'a [(Option<Written>, Written)],
    /// The right answer as the program writes it.
    pub right: &'a str,
    /// The names that the right answer depends on, and the attributes read on the way: `.grad`.
    pub behind: &'a HashSet<String>,
}

impl Question<'_> {
    /// Whether the answer depends on something of this name: `net.weight` on `net`.
    pub fn is_about(&self, name: &str) -> bool {
        let end = name.find(['.', '[', '(']).unwrap_or(name.len());
        self.behind.contains(name) || self.behind.contains(&name[..end])
    }

    fn asks_gradient(&self) -> bool {
        GRADIENTS.iter().any(|word| self.behind.contains(*word))
    }
}

/// What the session knows about its gradients.
pub struct Evidence<'a> {
    /// The last first.
    pub backwards: Vec<Rc<Backward>>,
    /// What the session's names hold: name, numbers.
    pub values: Vec<(String, Vec<f64>)>,
    /// Of the last backward.
    pub slips: &'a [Slip],
    /// The program's text at a place.
    pub text: &'a dyn Fn(Place) -> Option<String>,
}

/// A mistake that gives just this answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// `ones-for-v`: the same for every exercise.
    pub mistake: &'static str,
    pub says: Why,
}

/// The expression whose value an input shows: its last statement.
pub fn asked(input: &[String]) -> String {
    asked_before(input, 0)
}

/// The expression whose value an input shows alone, so many others after it; of none, its last statement.
pub fn asked_before(input: &[String], others: usize) -> String {
    let line = input.iter().rev().find(|l| !l.trim().is_empty());
    let all = statements(line.map_or("", |l| l.trim()));
    let mut shown = all.iter().rev().filter(|s| !s.contains(" = ") && !s.contains(".backward("));
    let last = match others {
        0 => all.last(),
        _ => shown.nth(others),
    };
    let last = last.copied().unwrap_or("");
    let inside = last.strip_prefix("print(").and_then(|rest| rest.strip_suffix(')'));
    let last = inside.unwrap_or(last);
    let name = last.split_once(" = ").map_or(last, |(name, _)| name).trim();
    match name.chars().count() {
        1..=32 if !name.contains("____") && !name.contains(".backward(") => name.to_owned(),
        // A blank in the input itself.
        _ if last.contains("____") && last.chars().count() <= 48 => last.to_owned(),
        _ => "the answer".to_owned(),
    }
}

/// The statements of a line.
fn statements(line: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut start) = (0usize, None, 0);
    let mut ends = Vec::new();
    let mut end = line.len();
    for (at, c) in line.char_indices() {
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('(' | '[' | '{', None) => depth += 1,
            (')' | ']' | '}', None) => depth = depth.saturating_sub(1),
            (';', None) if depth == 0 => ends.push(at),
            ('#', None) => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    ends.push(end);
    let each = ends.into_iter().map(|end| {
        let statement = line[start..end].trim();
        start = (end + 1).min(line.len());
        statement
    });
    each.filter(|s| !s.is_empty()).collect()
}

/// Finds the mistake whose numbers are the answer's: all of them; else one that explains some entries, which
/// it names.
pub fn diagnose(question: &Question<'_>, evidence: &Evidence<'_>) -> Option<Diagnosis> {
    if question.numbers.iter().all(|(given, _)| given.is_none()) {
        return None;
    }
    if let Some(rounded) = rounded(question) {
        return Some(rounded);
    }
    let cases = cases(question, evidence);
    let filled = question.numbers.iter().all(|(given, _)| given.is_some());
    for (case, places) in cases.iter().filter(|(case, at)| filled && at.len() == case.right.len()) {
        for mistake in MISTAKES {
            if let Some(says) = whole(mistake, case, places, question) {
                return Some(Diagnosis { mistake: mistake.name, says });
            }
        }
    }
    for (case, places) in &cases {
        if let Some(diagnosis) = entries(case, places, question) {
            return Some(diagnosis);
        }
    }
    None
}

/// Numbers that are right as far as they are written out.
fn rounded(question: &Question<'_>) -> Option<Diagnosis> {
    let given = question.numbers.iter().filter_map(|(given, shown)| Some(((*given)?, *shown)));
    let coarse =
        |(given, shown): (Written, Written)| given.answers(shown) || given.means(shown.value);
    given.clone().all(coarse).then(|| Diagnosis {
        mistake: "rounded",
        says: "correct, but rounded: write at least three digits".into(),
    })
}

/// The sentence where a mistake gives the whole answer.
fn whole(
    mistake: &Mistake,
    case: &Case<'_>,
    places: &[usize],
    question: &Question<'_>,
) -> Option<Why> {
    let size = case.right.len();
    let guesses = (mistake.guesses)(case);
    let mut guesses = guesses.iter().filter(|guess| guess.numbers.len() == size);
    guesses.find_map(|guess| told(guess, places, question))
}

/// The sentence of the guess whose numbers are the answer's.
pub(crate) fn among(question: &Question<'_>, guesses: &[Guess]) -> Option<Why> {
    if let Some(rounded) = rounded(question) {
        return Some(rounded.says);
    }
    let places: Vec<usize> = (0..question.numbers.len()).collect();
    let mut all = guesses.iter().filter(|guess| guess.numbers.len() == places.len());
    all.find_map(|guess| told(guess, &places, question))
}

/// The sentence where a guess gives the whole answer.
fn told(guess: &Guess, places: &[usize], question: &Question<'_>) -> Option<Why> {
    let means = |((given, _), at): (&(Option<Written>, Written), &usize)| {
        given.is_some_and(|given| given.means(guess.numbers[*at]))
    };
    let fits = question.numbers.iter().zip(places).all(means);
    let wrong = (0..places.len()).any(|k| is_wrong(question, k));
    let all: Vec<usize> = (0..places.len()).collect();
    let subject = || subject(question, &all);
    (fits && wrong).then(|| guess.says.map(|says| format!("{} {says}", subject())))
}

/// A number that is right but for its rounding shows no mistake.
fn is_wrong(question: &Question<'_>, k: usize) -> bool {
    let (given, shown) = question.numbers[k];
    given.is_some_and(|given| !given.answers(shown) && !given.means(shown.value))
}

/// The mistake that explains most of the wrong entries: it is said of these alone, by their names.
fn entries(case: &Case<'_>, places: &[usize], question: &Question<'_>) -> Option<Diagnosis> {
    let wrong: Vec<usize> = (0..places.len()).filter(|k| is_wrong(question, *k)).collect();
    let name = |k: &usize| case.entry(places[*k]);
    let names = |of: &[usize]| words::list(&of.iter().map(name).collect::<Vec<_>>(), "and");
    let row = wrong.iter().find_map(|k| {
        let given = question.numbers[*k].0?;
        let says = case.without_row(places[*k], &|number| given.means(number))?;
        let given = subject(question, &[*k]);
        let given = given.trim_end_matches(" is");
        let lacks = |row: &str| format!("{}: {given} lacks the contribution of {row}", name(k));
        let says = says.map(lacks);
        Some(Diagnosis { mistake: "row-missing", says })
    });
    if row.is_some() {
        return row;
    }
    let mut best: Option<(usize, Diagnosis)> = None;
    for mistake in MISTAKES.iter().filter(|m| m.entries) {
        let guesses = (mistake.guesses)(case).into_iter();
        for guess in guesses.filter(|guess| guess.numbers.len() == case.right.len()) {
            let fits = |k: &usize| {
                let given = question.numbers[*k].0;
                given.is_some_and(|given| given.means(guess.numbers[places[*k]]))
            };
            let explained: Vec<usize> = wrong.iter().copied().filter(fits).collect();
            if explained.len() > best.as_ref().map_or(0, |(most, _)| *most) && explained.len() <= 4
            {
                let about = subject(question, &explained);
                let of = names(&explained);
                let says = guess.says.map(|says| format!("{of}: {about} {says}"));
                best = Some((explained.len(), Diagnosis { mistake: mistake.name, says }));
            }
        }
    }
    best.map(|(_, diagnosis)| diagnosis)
}

/// `8 and 34 are`, as they were written.
fn subject(question: &Question<'_>, of: &[usize]) -> String {
    let written = remarks::parts(question.given).filter(|all| all.len() == question.numbers.len());
    let text = |k: &usize| match &written {
        Some(all) => all[*k].clone(),
        None => question.numbers[*k].0.map_or(String::new(), |n| number(n.value)),
    };
    let texts: Vec<String> = of.iter().map(text).collect();
    match texts.len() {
        1 => format!("{} is", texts[0]),
        2..=4 => format!("{} are", words::list(&texts, "and")),
        _ => "these numbers are".to_owned(),
    }
}

/// What may have been asked for, with the places of the answer's numbers in it.
fn cases<'a>(question: &Question<'_>, evidence: &'a Evidence<'a>) -> Vec<(Case<'a>, Vec<usize>)> {
    let shown: Vec<Written> = question.numbers.iter().map(|(_, shown)| *shown).collect();
    let mut found = Vec::new();
    for (age, backward) in evidence.backwards.iter().enumerate() {
        for leaf in 0..backward.leaves.len() {
            for subject in Subject::of(backward, leaf) {
                let asked = match subject {
                    Subject::Value => {
                        !question.asks_gradient() && question.is_about(&backward.output)
                    }
                    _ => question.asks_gradient() && question.is_about(&backward.leaves[leaf].name),
                };
                if !asked {
                    continue;
                }
                let case = Case::new(evidence, age, leaf, subject);
                let places = places(&case.right, &shown, question.text, &case.name());
                found.extend(places.map(|places| (case, places)));
            }
        }
    }
    // What is asked for by its name, and the last backward, come first.
    found.sort_by_key(|(case, _)| (!question.text.contains(&case.name()), case.age));
    // An earlier backward may have given the same numbers by chance.
    let mut seen = HashSet::new();
    found.retain(|(case, _)| seen.insert((case.name(), case.subject)));
    let numbers: Vec<f64> = shown.iter().map(|w| w.value).collect();
    let all = (0..numbers.len()).collect();
    found.push((Case::unknown(evidence, numbers, matrix::sizes(question.right)), all));
    found
}

/// Where the numbers shown stand among those of a case: all of them, or those picked by an index.
fn places(right: &[f64], shown: &[Written], text: &str, name: &str) -> Option<Vec<usize>> {
    let same = |(exact, shown): (&f64, &Written)| Written::exact(*exact).answers(*shown);
    if right.len() == shown.len() && right.iter().zip(shown).all(same) {
        return Some((0..right.len()).collect());
    }
    let picked = text.strip_prefix(name).is_some_and(|r| r.starts_with('['));
    if !picked || shown.len() > right.len() {
        return None;
    }
    let first =
        (0..=right.len() - shown.len()).find(|&k| right[k..].iter().zip(shown).all(same))?;
    Some((first..first + shown.len()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_statement_is_what_is_asked() {
        let of = |text: &str| asked(&[text.to_owned()]);
        assert_eq!(of("y.backward([1, 10]); x.grad"), "x.grad");
        assert_eq!(of("print(x.grad)  # now"), "x.grad");
        assert_eq!(of("s = 'a; b'; y = 3*x;"), "y");
        assert_eq!(of("f(1, 2)[0]"), "f(1, 2)[0]");
        let before = |k| asked_before(&["y = 3*x; y.backward(v); W.grad; x.grad".to_owned()], k);
        assert_eq!([before(0), before(1), before(2)], ["x.grad", "W.grad", "the answer"]);
        assert_eq!(of("a_very_long_name(of_something, 123)"), "the answer");
        assert_eq!(of("y = 3; y.backward()"), "the answer");
    }
}
