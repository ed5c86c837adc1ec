//! Ranges in the inputs of a sheet: `{1..5}` is a number from 1 to 5, `{-3..3}^2` a vector of two, `{1..5}^(2,3)`
//! or `{1..5}²ˣ³` a matrix; `____{1..5}` is one that the student has to find. Python has no such text: in
//! a set or a dict two points never follow each other.

use super::dice::Dice;
use crate::marking::numbers::BLANK;
use std::ops::Range as Span;
use vjp_text::digits::raised;

/// So many numbers are drawn for one range.
const MOST: usize = 1000;

/// A range in the text of an input.
#[derive(Clone, Debug, PartialEq)]
struct Range {
    /// Where it stands, in bytes.
    span: Span<usize>,
    /// In units of its last decimal.
    low: i64,
    high: i64,
    decimals: usize,
    shape: Vec<usize>,
    /// Its numbers are what is asked for.
    hidden: bool,
}

impl Range {
    /// Its numbers: each another where there are enough, and not all the same where that can be, so that
    /// an answer for exchanged ones is another answer.
    fn drawn(&self, dice: &mut Dice) -> Vec<i64> {
        let size: usize = self.shape.iter().product();
        let many = self.high.abs_diff(self.low);
        let enough = many >= size.saturating_sub(1) as u64;
        let mut all: Vec<i64> = Vec::new();
        while all.len() < size {
            let next = dice.between(self.low, self.high);
            let last = all.len() + 1 == size && size > 1 && many > 0;
            let taken = match enough {
                true => all.contains(&next),
                false => last && all.iter().all(|number| *number == next),
            };
            if !taken {
                all.push(next);
            }
        }
        all
    }
}

/// An input with numbers in place of its ranges.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// As the sheet shows it: with a blank for each number that is asked for.
    pub shown: Vec<String>,
    /// As it runs.
    pub filled: Vec<String>,
    /// Whether something is asked for in it.
    pub hides: bool,
}

/// Whether an input has a range.
pub fn has_range(input: &[String]) -> Result<bool, String> {
    ranges(&input.join("\n")).map(|all| !all.is_empty())
}

/// The first range of an input, as it is written.
pub fn first(input: &[String]) -> Option<String> {
    let text = input.join("\n");
    let span = ranges(&text).ok()?.into_iter().next()?.span;
    Some(text[span].trim_start_matches('_').to_owned())
}

/// An input with a blank in place of each range.
pub fn opened(input: &[String]) -> Result<Vec<String>, String> {
    let text = input.join("\n");
    let mut open = text.clone();
    for range in ranges(&text)?.iter().rev() {
        open.replace_range(range.span.clone(), BLANK);
    }
    Ok(lines(&open))
}

/// An input with numbers drawn for its ranges.
pub fn draw(input: &[String], dice: &mut Dice) -> Result<Drawn, String> {
    let text = input.join("\n");
    let (mut shown, mut filled) = (String::new(), String::new());
    let (mut at, mut hides) = (0, false);
    for range in ranges(&text)? {
        let between = &text[at..range.span.start];
        let mut drawn = range.drawn(dice).into_iter();
        let mut number = || written(drawn.next().unwrap_or(range.low), range.decimals);
        let numbers = value(&range.shape, &mut number);
        shown += between;
        filled += between;
        match range.hidden {
            true => shown += &value(&range.shape, &mut || BLANK.to_owned()),
            false => shown += &numbers,
        }
        filled += &numbers;
        hides |= range.hidden;
        at = range.span.end;
    }
    shown += &text[at..];
    filled += &text[at..];
    Ok(Drawn { shown: lines(&shown), filled: lines(&filled), hides })
}

fn lines(text: &str) -> Vec<String> {
    text.split('\n').map(str::to_owned).collect()
}

/// A number of so many decimals.
fn written(units: i64, decimals: usize) -> String {
    let mut digits = units.unsigned_abs().to_string();
    if decimals > 0 {
        digits = format!("{digits:0>width$}", width = decimals + 1);
        digits.insert(digits.len() - decimals, '.');
    }
    if units < 0 { format!("-{digits}") } else { digits }
}

/// A number, or nested lists of them.
fn value(shape: &[usize], number: &mut dyn FnMut() -> String) -> String {
    match shape {
        [] => number(),
        [size, rest @ ..] => {
            let all: Vec<String> = (0..*size).map(|_| value(rest, number)).collect();
            format!("[{}]", all.join(", "))
        }
    }
}

/// The ranges of a text, but for those in strings and comments.
fn ranges(text: &str) -> Result<Vec<Range>, String> {
    let (mut all, mut at, mut quote) = (Vec::new(), 0, None);
    while let Some(sign) = text[at..].chars().next() {
        let next = at + sign.len_utf8();
        match (sign, quote) {
            ('\\', Some(_)) => {
                at = next + text[next..].chars().next().map_or(0, char::len_utf8);
                continue;
            }
            (sign, Some(open)) if sign == open || sign == '\n' => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(sign),
            ('#', None) => at = text[at..].find('\n').map_or(text.len(), |end| at + end) - 1,
            ('{', None) => {
                if let Some(range) = range(text, at)? {
                    at = range.span.end;
                    all.push(range);
                    continue;
                }
            }
            _ => {}
        }
        at = next.max(at + 1);
    }
    Ok(all)
}

/// The range whose bracket opens at `at`; None where it is a set or a dict.
fn range(text: &str, at: usize) -> Result<Option<Range>, String> {
    let Some(close) = text[at..].find('}').map(|end| at + end) else { return Ok(None) };
    let inside = &text[at + 1..close];
    let Some((low, high)) = inside.split_once("..").filter(|_| !inside.contains(['{', '"', '\'']))
    else {
        return Ok(None);
    };
    let whole = &text[at..=close];
    let wrong = || format!("{whole} is not a range; write two numbers, as in {{1..5}}");
    let [(low, few), (high, many)] =
        [number(low).ok_or_else(wrong)?, number(high).ok_or_else(wrong)?];
    let decimals = few.max(many);
    let scaled = |n: i64, own: usize| n * 10i64.pow((decimals - own) as u32);
    let (low, high) = (scaled(low, few), scaled(high, many));
    if low > high {
        return Err(format!("{whole} is empty; write the smaller number first"));
    }
    let (shape, length) = shape(&text[close + 1..])
        .ok_or_else(|| format!("what follows {whole} is not a shape; write ^2 or ^(2,3)"))?;
    if shape.iter().try_fold(1usize, |all, n| all.checked_mul(*n)).is_none_or(|n| n > MOST) {
        return Err(format!("the shape of {whole} has more than {MOST} numbers"));
    }
    let before = text[..at].trim_end_matches('_');
    let blank = at - before.len();
    let joined = before.ends_with(|c: char| c.is_alphanumeric());
    let hidden = blank >= BLANK.len() && !joined;
    let start = if hidden { before.len() } else { at };
    let span = start..close + 1 + length;
    Ok(Some(Range { span, low, high, decimals, shape, hidden }))
}

/// A decimal number in units of its last decimal, and how many it has.
fn number(text: &str) -> Option<(i64, usize)> {
    let text = text.trim();
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole.strip_prefix(['-', '−']).unwrap_or(whole);
    let plain = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit());
    let fits = !digits.is_empty() && plain(digits) && plain(part);
    if !fits || digits.len() > 9 || part.len() > 6 || text.ends_with('.') {
        return None;
    }
    let units: i64 = format!("{digits}{part}").parse().ok()?;
    Some((if digits.len() < whole.len() { -units } else { units }, part.len()))
}

/// The shape behind a range, and its length in bytes: `^2`, `^(2,3)`, `²`, `²ˣ³`; none is a number.
fn shape(text: &str) -> Option<(Vec<usize>, usize)> {
    let sizes = |text: &str, end: char| -> Option<Vec<usize>> {
        text.split(end).map(|n| n.trim().parse().ok().filter(|n| (1..=MOST).contains(n))).collect()
    };
    if let Some(rest) = text.strip_prefix("^(") {
        let end = rest.find(')')?;
        let inside = rest[..end].trim_end().trim_end_matches(',');
        return Some((sizes(inside, ',')?, end + 3));
    }
    if let Some(rest) = text.strip_prefix('^') {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        return Some((sizes(&rest[..end], ',')?, end + 1));
    }
    let plain = |c: char| match raised(c) {
        Some(digit) => char::from_digit(digit, 10),
        None => (c == 'ˣ').then_some('x'),
    };
    let end = text.find(|c: char| plain(c).is_none()).unwrap_or(text.len());
    let plain: String = text[..end].chars().filter_map(plain).collect();
    if plain.is_empty() {
        return Some((Vec::new(), 0));
    }
    Some((sizes(&plain, 'x')?, end))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn drawn(text: &str) -> Result<Drawn, String> {
        draw(&[text.to_owned()], &mut Dice::new(1, "", &[]))
    }

    #[test]
    fn a_range_becomes_numbers() {
        for (text, shape) in [
            ("x = {1..5}", ""),
            ("x = { -3 .. 3 }", ""),
            ("v = {-3..3}²", "2"),
            ("v = {-3..3}^2", "2"),
            ("A = {1..5}²ˣ³", "23"),
            ("A = {1..5}^(2,3); A", "23"),
            ("A = {0.5..2.5}^(3,)", "3"),
        ] {
            let drawn = drawn(text).unwrap();
            let line = &drawn.filled[0];
            assert_eq!(drawn.shown, drawn.filled);
            assert!(!line.contains(['{', '^', '²', '³']), "{text} is {line}");
            let numbers = line.split(|c: char| !c.is_ascii_digit() && c != '.' && c != '-');
            let count = numbers.filter(|n| n.parse::<f64>().is_ok()).count();
            let size: u32 = shape.chars().filter_map(|c| c.to_digit(10)).product();
            assert_eq!(count, size as usize, "{text} is {line}");
        }
        let decimals = drawn("{0.25..0.25} {-0.5..-0.5} {1..1.0} ({2..2})^2").unwrap();
        assert_eq!(decimals.filled, ["0.25 -0.5 1.0 (2)^2"]);
    }

    #[test]
    fn a_hidden_range_is_a_blank() {
        let hidden = drawn("y.backward([____{3..3}, 1]); z = ____{2..2}²").unwrap();
        assert_eq!(hidden.shown, ["y.backward([____, 1]); z = [____, ____]"]);
        assert_eq!(hidden.filled, ["y.backward([3, 1]); z = [2, 2]"]);
        assert!(hidden.hides && !drawn("x = {1..2}").unwrap().hides);
    }

    #[test]
    fn sets_dicts_and_texts_are_what_they_are() {
        for text in
            ["{1, 2}", "{1: 2.}", "f'{x}'", "'{1..5}'  # {1..5}", "{'a..b': 1}", "x[..., 0]"]
        {
            assert_eq!(drawn(text).unwrap().filled, [text]);
        }
    }

    #[test]
    fn a_wrong_range_is_told() {
        for text in
            ["{1..x}", "{5..1}", "{1...5}", "{1..5}^x", "{1..5}^0", "{1..5}^(99,99)", "{..}"]
        {
            assert!(drawn(text).is_err(), "{text}");
        }
    }
}
