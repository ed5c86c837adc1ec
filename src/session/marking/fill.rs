//! `____` in inputs: a number, or numbers, that the reader puts there; the input runs once it is filled in.

use super::answer::{self, Answer};
use super::arithmetic::figures;
use super::remarks;
use crate::drawing::ranges;
use crate::marking::numbers::{BLANK, lines};
use std::ops::Range;
use vjp_text::TokenKind;
use vjp_text::tokens::Scanner;

/// A longer line is not filled in by hand.
const LONGEST: usize = 1000;

/// Whether an input cannot run yet: it has blanks to fill in, names of nothing but underscores, which no string or
/// comment holds; or ranges, from which numbers are drawn.
pub fn is_open(input: &[String]) -> bool {
    let text = input.join("\n");
    text.contains(BLANK) && !places(&text).is_empty() || is_ranged(input)
}

/// Whether an input has ranges.
pub fn is_ranged(input: &[String]) -> bool {
    ranges::has_range(input) == Ok(true)
}

fn places(text: &str) -> Vec<Range<usize>> {
    let (tokens, _) = Scanner::new(text).tokens();
    let names = tokens.iter().filter(|t| t.kind == TokenKind::Name);
    let places = names.map(|t| t.span.start as usize..t.span.end as usize);
    places
        .filter(|p| p.len() >= BLANK.len() && text[p.clone()].bytes().all(|b| b == b'_'))
        .collect()
}

/// Whether an input is that of the sheet, with numbers in its blanks or with some of them still open.
pub fn fits(sheet: &[String], input: &[String]) -> bool {
    fits_with(sheet, input, is_fill)
}

/// Whether an input is that of the sheet, whatever its blanks were filled with.
pub fn fits_otherwise(sheet: &[String], input: &[String]) -> bool {
    fits_with(sheet, input, |_| true)
}

fn fits_with(sheet: &[String], input: &[String], fill: fn(&str) -> bool) -> bool {
    let places = places(&sheet.join("\n"));
    let mut start = 0;
    sheet.len() == input.len()
        && sheet.iter().zip(input).all(|(asked, given)| {
            let end = start + asked.len();
            let own = places.iter().filter(|p| start <= p.start && p.end <= end);
            let own = own.map(|p| p.start - start..p.end - start).collect::<Vec<_>>();
            start = end + 1;
            asked == given || line_fits(asked, &own, given, fill)
        })
}

fn line_fits(asked: &str, blanks: &[Range<usize>], given: &str, fill: fn(&str) -> bool) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    if given.len() > LONGEST || indent(asked) != indent(given) {
        return false;
    }
    // What stands before each blank, and after the last.
    let (mut between, mut at) = (Vec::new(), 0);
    for blank in blanks {
        between.push(tight(&asked[at..blank.start]));
        at = blank.end;
    }
    let last = tight(&asked[at..]);
    let given = tight(given);
    if blanks.is_empty() {
        return given == last;
    }
    let Some(mut ends) = given.starts_with(&between[0]).then(|| vec![between[0].len()]) else {
        return false;
    };
    // Every place where a blank may end, with what follows it.
    for next in between.iter().skip(1) {
        let stops: Vec<usize> = given.match_indices(next.as_str()).map(|(at, _)| at).collect();
        let reached = stops
            .into_iter()
            .filter(|stop| ends.iter().any(|end| given.get(*end..*stop).is_some_and(fill)))
            .map(|stop| stop + next.len());
        ends = reached.collect();
    }
    let stop = given.len().checked_sub(last.len()).filter(|_| given.ends_with(&last));
    stop.is_some_and(|stop| ends.iter().any(|end| given.get(*end..stop).is_some_and(fill)))
}

/// A filled-in input with the signs that people write, `−2`, `√25`, `2·3`, brought to those of programs.
pub fn signs(text: &str) -> String {
    let line = |line: &str| match line.contains(['−', '–', '√', '·', '÷', '½']) {
        true => remarks::usual(line).replace('·', "*"),
        false => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Without blanks, but for those between two words.
fn tight(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut all = String::new();
    for word in words {
        if is_word(all.chars().next_back()) && is_word(word.chars().next()) {
            all.push(' ');
        }
        all += word;
    }
    all
}

/// Numbers, worked out or not, in brackets that close.
fn is_fill(text: &str) -> bool {
    let mut depth = 0i32;
    let closed = text.chars().all(|c| {
        depth += i32::from("([".contains(c)) - i32::from(")]".contains(c));
        depth >= 0
    });
    closed
        && depth == 0
        && figures(&remarks::usual(text)).is_some_and(|numbers| !numbers.is_empty())
}

/// Whether what came out is what the sheet shows, blanks of the sheet aside.
pub fn comes_out(expected: &[String], now: &[String]) -> bool {
    expected.is_empty()
        || expected == now
        || answer::answers(expected, &lines(now, None, false))
            .is_some_and(|all| all.iter().all(|a| a.holds && a.unread.is_none()))
}

/// An input as it was given, not marked yet.
pub fn answer(given: &[String]) -> Answer {
    Answer { holds: true, ..Answer::other(given, &[]) }
}

/// An input that nobody filled in.
pub fn open(given: &[String], why: &str) -> Answer {
    Answer { open: 1, unread: Some(why.into()), ..answer(given) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.split('\n').map(str::to_owned).collect()
    }

    #[test]
    fn a_blank_is_a_name_of_underscores() {
        for open in ["v = ____", "y.backward([____, 1])", "f(______)", "for i in x:\n    s += ____"]
        {
            assert!(is_open(&lines(open)), "{open}");
        }
        for other in ["print('____')", "x = 1  # ____", "_ = 3", "x.__init__", "a____b = 1"] {
            assert!(!is_open(&lines(other)), "{other}");
        }
    }

    #[test]
    fn numbers_fill_a_blank() {
        let cases = [
            ("v = ____", "v = [1, 10]", true),
            ("v = ____", "v=2*3 - 1", true),
            ("v = ____", "v = ____", true),
            ("v = ____", "v = u", false),
            ("v = ____", "v =", false),
            ("y = 3*x; y", "y=3 * x;  y", true),
            ("y = 3*x; y", "y = 3*x; y.sum()", false),
            ("if a: b", "  if a: b", false),
            ("v = ____", "v = 1; v = 2", false),
            ("y.backward([____, ____])", "y.backward([1, ____])", true),
            ("y.backward([____, ____])", "y.backward( [ -1,(2+3)/4 ] )", true),
            ("y.backward([____, ____])", "y.backward([1], [2])", false),
            ("y.backward([____, ____])", "z.backward([1, 2])", false),
            ("y.backward([____, ____]); x.grad", "y.backward([1, 2]); x.grad", true),
            ("y.backward([____, ____]); x.grad", "y.backward([1, 2])", false),
            ("def f(x):\n    return ____*x", "def f(x):\n    return -3*x", true),
            ("def f(x):\n    return ____*x", "def f(x):\nreturn 3*x", false),
            ("def f(x):\n    return ____*x", "def f(y):\n    return 3*x", false),
        ];
        for (sheet, given, fit) in cases {
            assert_eq!(fits(&lines(sheet), &lines(given)), fit, "{sheet} by {given}");
        }
    }
}
