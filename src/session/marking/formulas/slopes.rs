//! The slopes on the edges of a drawn graph and in the steps of a sweep as answers: `×____` is right for any equal
//! expression.

use super::formula::{self, Known};
use crate::marking::answer::{self, Answer, is_bare};
use crate::marking::mistakes::TRANSPOSED;
use crate::marking::numbers::{BLANK, Line};
use crate::marking::why::Why;
use std::ops::Range;
use vjp_report::graph::labels::SIGNS;

/// Of answers beside the slopes.
pub const UNREAD: &str = "another answer is missing or not a number";

/// Where the slopes stand in a line of a graph, in bytes: on an edge, or behind the value that they belong
/// to; in a line of a step, between its signs. `joined`: the parts of a step that are asked for with their values.
fn places(line: &str, joined: &[bool]) -> Vec<Range<usize>> {
    if let Some((_, behind)) = line.rsplit_once("  from ") {
        return listed(behind, line.len() - behind.len());
    }
    let parts = in_step(line);
    if parts.is_empty() {
        return on_edges(line);
    }
    let place = |(k, part): (usize, &Part)| match joined.get(k) {
        Some(true) => Some(part.place.clone()),
        _ if !part.slope => None,
        _ => {
            let end = line[part.place.clone()].find(" = ")?;
            Some(part.place.start..part.place.start + end)
        }
    };
    parts.iter().enumerate().filter_map(place).collect()
}

/// A line without its slopes.
pub fn without(line: &str) -> String {
    let mut rest = line.to_owned();
    places(line, &[]).into_iter().rev().for_each(|place| rest.replace_range(place, ""));
    rest
}

/// A part of a line of a step: `2x = 6`, the slope with its value, or `6×6 = 36`, what an input gets.
struct Part {
    place: Range<usize>,
    slope: bool,
}

/// `∂u/∂x = 2x = 6   x gets 6×6 = 36`
fn in_step(line: &str) -> Vec<Part> {
    let (mut all, mut at) = (Vec::new(), 0);
    for cell in line.split("  ") {
        let own = cell.trim();
        let start = at + (cell.len() - cell.trim_start().len());
        at += cell.len() + "  ".len();
        let slope = own.starts_with('∂') && own.contains("/∂");
        let says = if slope { " = " } else { " gets " };
        if let Some((label, value)) = own.split_once(says) {
            let from = start + label.len() + says.len();
            // Behind it may stand how it comes about.
            let value = value.split(": ").next().unwrap_or(value);
            all.push(Part { place: from..from + value.len(), slope });
        }
    }
    all
}

/// Whether the lines tell the steps of a sweep: what stands there behind `∂u/∂x =` is no formula of `:formula`.
pub fn is_stepped(now: &[String]) -> bool {
    now.iter().any(|line| line.starts_with(" step "))
}

/// Of each part of a step, whether a sheet asks for it together with its value, in one blank; without a sheet,
/// whether a file gives one of the two alone.
fn joined(asks: &str, now: &str, open: bool) -> Vec<bool> {
    let parts = |line: &str| -> Vec<String> {
        in_step(line).into_iter().map(|part| line[part.place].to_owned()).collect()
    };
    let (asks, now) = (parts(asks), parts(now));
    let joins = |(asks, now): (&String, &String)| match open {
        true => asks.trim_matches('_').is_empty() && !is_bare(std::slice::from_ref(now)),
        false => !asks.contains(" = ") && now.contains(" = "),
    };
    match asks.len() == now.len() {
        true => asks.iter().zip(&now).map(joins).collect(),
        false => Vec::new(),
    }
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
    let own = before.rsplit("  ").next().unwrap_or(before).trim();
    if let Some(label) = own.strip_suffix(" =").filter(|label| label.starts_with('∂')) {
        return format!("the slope {label}");
    }
    if let Some(label) = own.strip_suffix(" gets") {
        return format!("what {label} gets");
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
    known: &Known<'_>,
) -> Option<(Vec<Answer>, Vec<String>)> {
    let mut answers = Vec::new();
    let mut lines = given.to_vec();
    for (k, right) in now.iter().enumerate().filter(|_| given.len() == now.len()) {
        let asks = sheet.map(|sheet| sheet.get(k).map_or("", String::as_str));
        let joined = joined(asks.unwrap_or(&given[k]), right, asks.is_some());
        let (ours, theirs) = (places(right, &joined), places(&given[k], &joined));
        let asked = asks.map(|line| places(line, &joined));
        if ours.len() != theirs.len() || asked.as_ref().is_some_and(|all| all.len() != ours.len()) {
            continue;
        }
        for (j, (own, at)) in ours.iter().zip(&theirs).enumerate().rev() {
            let (own_word, word) = (&right[own.clone()], &given[k][at.clone()]);
            let open =
                asks.zip(asked.as_ref()).map(|(line, all)| line[all[j].clone()].contains(BLANK));
            if open.unwrap_or(bare(word) != bare(own_word)) {
                let (given, own_word) = (bare(word), bare(own_word));
                let judge = |text: &str| one_of(text, own_word, known);
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

/// A slope, its value, or both with a sign between them.
fn one_of(given: &str, right: &str, known: &Known<'_>) -> Result<bool, Why> {
    let rights: Vec<&str> = right.split(" = ").map(str::trim).collect();
    let mut all = true;
    for part in given.split('=').map(str::trim).filter(|part| !part.is_empty()) {
        let judged: Vec<_> = rights.iter().map(|right| equal(part, right, known)).collect();
        let (read, unread): (Vec<_>, Vec<_>) = judged.into_iter().partition(Result::is_ok);
        match unread.into_iter().next() {
            Some(why) if read.is_empty() => return why,
            _ => all &= read.contains(&Ok(true)),
        }
    }
    Ok(all)
}

/// # Errors
/// It cannot be read.
fn equal(given: &str, right: &str, known: &Known<'_>) -> Result<bool, Why> {
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
    match formula::equal(given, right, known) {
        _ if turned(&format!("{given}ᵀ")).replace("ᵀᵀ", "") == turned(right) => {
            Err(Why::new(TRANSPOSED.says, TRANSPOSED.hint))
        }
        // A product of matrices has one spelling.
        Err(_) if right.contains('ᵀ') => Ok(false),
        other => other,
    }
}

/// A file's graph and the one that comes now, alike in their slopes: with the blanks of the file's.
pub fn kept(file: &[String], now: &[String]) -> (Vec<String>, Vec<String>) {
    let mut shown = now.to_vec();
    for (line, own) in file.iter().zip(&mut shown).filter(|_| file.len() == now.len()) {
        let joined = joined(line, own, true);
        let (theirs, ours) = (places(line, &joined), places(own, &joined));
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
            let found: Vec<&str> =
                places(line, &[]).into_iter().map(|place| &line[place]).collect();
            assert_eq!(found, words, "{line}");
        }
        let line = "  ● b  -3 ─ ×a ─┘     ∂        -2  ├─▶ ○ d = e+c   4 ─ ×f ─┐";
        let names: Vec<String> = places(line, &[]).iter().map(|place| name(line, place)).collect();
        assert_eq!(names, ["the slope from b", "the slope from d"]);
    }

    #[test]
    fn any_equal_slope_is_right() {
        let names = ["x", "h", "W"].map(str::to_owned);
        let known = Known { names: &names, computed: &|_| None };
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
            assert_eq!(equal(given, right, &known).unwrap_or(false), holds, "{given} for {right}");
        }
    }
}
