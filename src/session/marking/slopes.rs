//! The slopes on the edges of a drawn graph and in the steps of a sweep as answers: `×____` is right for any equal
//! expression.

use super::answer::{self, Answer, is_bare};
use super::formula;
use super::numbers::{BLANK, Line};
use std::ops::Range;
use vjp_report::graph::labels::SIGNS;

/// Of answers beside the slopes.
pub const UNREAD: &str = "another answer is missing or not a number";

/// Where the slopes stand in a line of a graph, in bytes: on an edge, or behind the value that they belong
/// to; in a line of a step, between its signs.
fn places(line: &str) -> Vec<Range<usize>> {
    match line.rsplit_once("  from ") {
        Some((_, behind)) => listed(behind, line.len() - behind.len()),
        None => in_step(line).map_or_else(|| on_edges(line), |place| vec![place]),
    }
}

/// `∂u/∂x = 2x = 6   x gets 6×6 = 36`
fn in_step(line: &str) -> Option<Range<usize>> {
    let (label, rest) = line.split_once(" = ")?;
    let (slope, _) = rest.split_once(" = ")?;
    let own = label.trim_start().starts_with('∂') && label.contains("/∂") && !slope.contains("  ");
    own.then(|| label.len() + " = ".len()..label.len() + " = ".len() + slope.len())
}

/// `from A ×Vᵀ, V Aᵀ×`
fn listed(text: &str, mut at: usize) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    for part in text.split(", ") {
        let own = part.trim_end();
        let word = match own.find(" ×") {
            Some(word) => Some(word + 1),
            None if own.ends_with('×') => own.rfind(' ').map(|word| word + 1),
            None => None,
        };
        all.extend(word.map(|word| at + word..at + own.len()));
        at += part.len() + ", ".len();
    }
    all
}

/// `─ ×2x ───▶`
fn on_edges(line: &str) -> Vec<Range<usize>> {
    let (edge, closed) = (|c: char| "─┄".contains(c), [" ─", " ┄"]);
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(open) = line[at..].find(edge).map(|k| at + k) {
        let run = line[open..].find(|c| !edge(c)).map_or(line.len(), |k| open + k);
        at = run;
        let Some(text) = line[run..].strip_prefix(' ') else { continue };
        let Some(end) = closed.iter().filter_map(|sign| text.find(sign)).min() else { continue };
        let word = &text[..end];
        let value = word.contains("  ") || word.contains(|c| SIGNS.iter().any(|(s, _)| *s == c));
        if !value && !word.trim().is_empty() {
            all.push(run + 1..run + 1 + end);
        }
    }
    all
}

/// What a slope is of: the value whose box stands before it, or the word.
fn name(line: &str, place: &Range<usize>) -> String {
    let before = &line[..place.start];
    if let Some(label) = before.trim().strip_suffix(" =").filter(|label| label.starts_with('∂')) {
        return format!("the slope {label}");
    }
    let from = match before.rsplit_once("  from ") {
        Some((_, list)) => list.rsplit(", ").next(),
        None => {
            let sign = |c| SIGNS.iter().any(|(s, _)| *s == c);
            before.rsplit_once(sign).and_then(|(_, value)| value.trim_start().split("  ").next())
        }
    };
    let from = from.map(|name| name.split(" = ").next().unwrap_or(name).trim_matches([' ', '─']));
    match from.filter(|name| !name.is_empty()) {
        Some(name) => format!("the slope from {name}"),
        None => "the slope".to_owned(),
    }
}

/// A slope without the sign of its product.
fn bare(word: &str) -> &str {
    let word = word.trim().trim_matches('×').trim();
    let inside = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
    inside.filter(|word| !word.contains(['(', ')'])).unwrap_or(word)
}

/// The answers on the edges that a sheet asks for, without a sheet those that the program writes otherwise;
/// and the file's lines with the program's slopes. None where no slope is asked for.
pub fn marked(
    sheet: Option<&[String]>,
    given: &[String],
    now: &[String],
    names: &[String],
) -> Option<(Vec<Answer>, Vec<String>)> {
    let mut answers = Vec::new();
    let mut lines = given.to_vec();
    for (k, right) in now.iter().enumerate().filter(|_| given.len() == now.len()) {
        let (ours, theirs) = (places(right), places(&given[k]));
        let asks = sheet.map(|sheet| sheet.get(k).map_or("", String::as_str));
        let asked = asks.map(places);
        if ours.len() != theirs.len() || asked.as_ref().is_some_and(|all| all.len() != ours.len()) {
            continue;
        }
        for (j, (own, at)) in ours.iter().zip(&theirs).enumerate().rev() {
            let (own_word, word) = (&right[own.clone()], &given[k][at.clone()]);
            let open =
                asks.zip(asked.as_ref()).map(|(line, all)| line[all[j].clone()].contains(BLANK));
            if open.unwrap_or(bare(word) != bare(own_word)) {
                let (given, own_word) = (bare(word), bare(own_word));
                let judge = |text: &str| equal(text, own_word, names);
                let name = name(right, own);
                answers.push(Answer::formula(name, Some(given.to_owned()), own_word, judge));
            }
            if open != Some(false) {
                lines[k].replace_range(at.clone(), own_word);
            }
        }
    }
    answers.reverse();
    (!answers.is_empty()).then_some((answers, lines))
}

/// # Errors
/// It cannot be read.
fn equal(given: &str, right: &str, names: &[String]) -> Result<bool, String> {
    let turned = |text: &str| {
        let text = [".mT", ".T", "^T"].iter().fold(text.to_owned(), |t, sign| t.replace(sign, "ᵀ"));
        text.chars().filter(|c| !c.is_whitespace()).collect::<String>()
    };
    if turned(given) == turned(right) {
        return Ok(true);
    }
    if is_bare(&[right.to_owned()]) {
        let found =
            answer::answers(&[given.to_owned()], &[Line::new(right.to_owned(), Vec::new())]);
        let first = found.unwrap_or_default().into_iter().next();
        return Ok(first.is_some_and(|answer| answer.holds && answer.open == 0));
    }
    match formula::equal(given, right, names) {
        // A product of matrices has one spelling.
        Err(_) if right.contains('ᵀ') => Ok(false),
        other => other,
    }
}

/// A file's graph and the one that comes now, alike in their slopes: with the blanks of the file's.
pub fn kept(file: &[String], now: &[String]) -> (Vec<String>, Vec<String>) {
    let mut shown = now.to_vec();
    for (line, own) in file.iter().zip(&mut shown).filter(|_| file.len() == now.len()) {
        let (theirs, ours) = (places(line), places(own));
        if theirs.len() != ours.len() {
            continue;
        }
        for (at, place) in theirs.iter().zip(&ours).rev() {
            if line[at.clone()].contains(BLANK) {
                own.replace_range(place.clone(), &line[at.clone()]);
            }
        }
    }
    (file.to_vec(), shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_stand_on_edges_and_behind_values() {
        for (line, words) in [
            ("  ● x    [1, 2] ─ ×2x ───▶ ○ x^2   [1, 4] ─ ×3 ───▶ ◎ y = 3*x^2", vec!["×2x", "×3"]),
            ("                ├─▶ ○ e = a*b  -6 ─┐", vec![]),
            ("  ● b  -3 ─ ×a ─┘     ∂        -2  ├─▶ ○ d = e+c   4 ─ ×f ─┐", vec!["×a", "×f"]),
            ("  ○─┘  O = A @ V  4×2  ∂ up to 0.5  from A ×Vᵀ, V Aᵀ×", vec!["×Vᵀ", "Aᵀ×"]),
            ("  │ ○  a  4×4  ∂ 1  from Q @ K.T ×(1 − h²), z", vec!["×(1 − h²)"]),
        ] {
            let found: Vec<&str> = places(line).into_iter().map(|place| &line[place]).collect();
            assert_eq!(found, words, "{line}");
        }
        let line = "  ● b  -3 ─ ×a ─┘     ∂        -2  ├─▶ ○ d = e+c   4 ─ ×f ─┐";
        let names: Vec<String> = places(line).iter().map(|place| name(line, place)).collect();
        assert_eq!(names, ["the slope from b", "the slope from d"]);
    }

    #[test]
    fn any_equal_slope_is_right() {
        let names = ["x", "h", "W"].map(str::to_owned);
        for (given, right, holds) in [
            ("2*x", "2x", true),
            ("x + x", "2x", true),
            ("3x", "2x", false),
            ("1 - h^2", "1 − h²", true),
            ("W.T", "Wᵀ", true),
            ("W", "Wᵀ", false),
            ("1/8", "0.125", true),
            ("0.12", "0.125", false),
        ] {
            assert_eq!(equal(given, right, &names).unwrap_or(false), holds, "{given} for {right}");
        }
    }
}
