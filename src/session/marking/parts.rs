//! A sheet may show a part of what comes out: some of its lines, or the beginning of one. It is read as if the rest
//! stood there too, as the program gives it now.

use super::answer::{self, LineKind, has_blank, is_bare, kinds};
use super::formulas::slopes;
use super::numbers::BLANK;

/// What a line says before it gives a value.
const SAYS: [&str; 3] = [" = ", " receives ", " gets "];

/// What a line is about: `∂e/∂a =`, `x^2 gets`, a value's name.
fn label(line: &str) -> Option<&str> {
    let line = line.trim();
    let end = SAYS.iter().filter_map(|says| Some(line.find(says)? + says.trim_end().len())).min();
    let label = end.map(|end| &line[..end])?;
    (!label.contains(BLANK)).then_some(label)
}

/// Where each cell of a line begins: cells are apart by more than one blank.
fn cells(line: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut blanks = 2;
    for (at, sign) in line.char_indices() {
        match sign {
            ' ' => blanks += 1,
            _ if blanks >= 2 => {
                starts.push(at);
                blanks = 0;
            }
            _ => blanks = 0,
        }
    }
    starts
}

/// The beginning of the program's line that a line of the sheet shows, up to where a cell ends outside of brackets.
fn beginning<'a>(sheet: &str, now: &'a str) -> Option<&'a str> {
    let (mut depth, mut ends) = (0i32, Vec::new());
    for (at, sign) in now.char_indices() {
        depth += i32::from("[(⎡⎢⎣".contains(sign)) - i32::from("])⎤⎥⎦".contains(sign));
        let (before, rest) = now.split_at(at);
        let apart = ["  ", " ✓", " ✗"].iter().any(|sign| rest.starts_with(sign));
        if depth == 0 && apart && !before.trim().is_empty() && !before.ends_with(' ') {
            ends.push(at);
        }
    }
    // The last blank of a line stands for its cell, not for those behind it.
    let mut shown = ends.into_iter().chain([now.len()]).map(|end| &now[..end]);
    shown.find(|part| answer::likeness(sheet.trim_end(), part).is_some())
}

/// A line with the cells that follow it in the program's line; `sheet`: the same line of the sheet.
fn with_rest(line: &str, sheet: &str, now: &str) -> String {
    if let Some(shown) = beginning(sheet, now) {
        return line.trim_end().to_owned() + &now[shown.len()..];
    }
    match cells(now).get(cells(sheet).len()) {
        Some(start) => {
            let before = now[..*start].trim_end();
            line.trim_end().to_owned() + &now[before.len()..]
        }
        None => line.to_owned(),
    }
}

/// Whether a line says something beside numbers and blanks.
fn says(line: &str) -> bool {
    answer::has_words(line) && !is_bare(&[line.to_owned()])
}

/// Whether two lines of a drawing are alike but for numbers and slopes.
fn drawn_alike(a: &str, b: &str) -> bool {
    says(a) && answer::same_words(&[slopes::without(a)], &[slopes::without(b)])
}

/// Where each line of the sheet stands in what comes out; None where one that `asks` has no place.
fn places(
    sheet: &[String],
    now: &[String],
    asks: impl Fn(&String) -> bool,
) -> Option<Vec<Option<usize>>> {
    let kinds = kinds(now);
    let value = |k: &usize| kinds[*k] == LineKind::Value && !now[*k].trim().is_empty();
    let last = (0..now.len()).rev().find(value)?;
    let bare = |line: &String| is_bare(std::slice::from_ref(line));
    let (mut all, mut at) = (Vec::new(), 0);
    for (k, line) in sheet.iter().enumerate() {
        let below = || at..now.len();
        let same = below().find(|n| now[*n].trim_end() == line.trim_end());
        let aligned = || {
            let best = |(_, alike): &(usize, usize)| *alike;
            let fits = below().rev().filter(|n| value(n) && says(line));
            let like = |n: usize| answer::likeness(line.trim_end(), beginning(line, &now[n])?);
            let fits = fits.filter_map(|n| Some((n, like(n)?)));
            fits.max_by_key(best).map(|(n, _)| n)
        };
        let alike = || {
            let own = label(line)?;
            below().find(|n| value(n) && label(&now[*n]) == Some(own))
        };
        let ends = || (k + 1 == sheet.len() && bare(line) && bare(&now[last])).then_some(last);
        let drawn = || below().find(|n| value(n) && drawn_alike(line, &now[*n]));
        let place =
            same.or_else(aligned).or_else(alike).or_else(drawn).or_else(ends).filter(|n| *n >= at);
        if place.is_none() && asks(line) {
            return None;
        }
        at = place.map_or(at, |n| n + 1);
        all.push(place);
    }
    Some(all)
}

/// An output of the sheet and one of a file made from it, with all that comes out around what they show; None where
/// they show everything, or where a blank stands in no line that comes out. `filled`: there is no sheet but the file
/// itself, whose blanks may be filled in.
pub fn completed(
    sheet: &[String],
    file: &[String],
    now: &[String],
    filled: bool,
) -> Option<(Vec<String>, Vec<String>)> {
    let asks =
        |line: &String| has_blank(std::slice::from_ref(line)) || filled && !line.trim().is_empty();
    if !sheet.iter().any(|line| asks(line) && says(line)) {
        return None;
    }
    let places = places(sheet, now, asks)?;
    let kinds = kinds(now);
    let told = |n: &usize| kinds[*n] == LineKind::Value && !now[*n].trim().is_empty();
    let shown = |n: &usize| places.contains(&Some(*n));
    let whole = |(line, place): (&String, &Option<usize>)| {
        let all = |n: usize| match beginning(line, &now[n]) {
            Some(shown) => shown.len() == now[n].len(),
            None => cells(line).len() >= cells(&now[n]).len(),
        };
        line.is_empty() || place.is_some_and(all)
    };
    if (0..now.len()).filter(told).all(|n| shown(&n)) && sheet.iter().zip(&places).all(whole) {
        return None;
    }
    let (mut asked, mut given) = (now.to_vec(), now.to_vec());
    let mut rest = file;
    for (k, (line, place)) in sheet.iter().zip(&places).enumerate() {
        let Some(n) = place.filter(|_| asks(line)) else { continue };
        let own = match file.len() == sheet.len() {
            true => Some(&file[k]),
            false => {
                let labelled =
                    |other: &String| label(other).is_some_and(|own| label(line) == Some(own));
                let of = |other: &String| labelled(other) || drawn_alike(line, other);
                let at = rest.iter().position(of).or_else(|| {
                    let bare = k + 1 == sheet.len() && label(line).is_none();
                    rest.len().checked_sub(1).filter(|_| bare)
                });
                let found = at.map(|at| &rest[at]);
                rest = at.map_or(rest, |at| &rest[at + 1..]);
                found
            }
        };
        asked[n] = with_rest(line, line, &now[n]);
        given[n] = with_rest(own.unwrap_or(line), line, &now[n]);
    }
    Some((asked, given))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = " step 1 of 2   back through y = 3*u\n   ∂y/∂u = 3   u gets 1×3 = 3\n\n \
                       step 2 of 2   back through u = x^2\n   u receives 3   from y\n   \
                       ∂u/∂x = 2x = 4   x gets 3×4 = 12\n   x.grad = 12 ✓";

    fn lines(text: &str) -> Vec<String> {
        text.split('\n').map(str::to_owned).collect()
    }

    #[test]
    fn what_a_sheet_leaves_out_is_put_back() {
        for (sheet, file, whole) in [
            ("   ∂u/∂x = ____", "   ∂u/∂x = 2x", "   ∂u/∂x = 2x   x gets 3×4 = 12"),
            ("∂u/∂x = ____   x gets ____", "∂u/∂x = 4   x gets 7", "∂u/∂x = 4   x gets 7"),
            ("   x.grad = ____", "   x.grad = 12", "   x.grad = 12 ✓"),
            (" old text\n   u receives ____", "   u receives 5", "   u receives 5   from y"),
        ] {
            let (asked, given) =
                completed(&lines(sheet), &lines(file), &lines(NOW), false).unwrap_or_default();
            assert_eq!(asked.len(), lines(NOW).len(), "{sheet}");
            assert!(given.contains(&whole.to_owned()), "{sheet}: {given:?}");
        }
        for sheet in ["____", "   w.grad = ____", "[____, 2]"] {
            assert_eq!(
                completed(&lines(sheet), &lines(sheet), &lines(NOW), false),
                None,
                "{sheet}"
            );
        }
        let all = NOW.replace("= 12 ✓", "= ____ ✓");
        assert_eq!(completed(&lines(&all), &lines(&all), &lines(NOW), false), None);
    }
}
