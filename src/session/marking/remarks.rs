//! What a person writes beside an answer: its name, the working before it, a remark behind it or on lines of
//! its own. None of that counts, only the answer.

use super::answer;
use super::arithmetic::figures;
use super::numbers::{BLANK, Line, Written, pieces};
use super::why::Why;
use std::ops::Range;
use vjp_text::digits::{lowered, raised};
use vjp_text::words::count;

/// A longer line is not an answer by hand.
const LONGEST: usize = 400;

/// How plainly a line is an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plainness {
    /// `the slope: 6`
    Labelled,
    /// `x.grad = 6`
    Named,
    /// `6 (y = 8)`
    Remarked,
    /// `6`
    Alone,
}

/// The numbers of an answer, None for each blank, and how plainly they stand there; None where a line holds
/// no answer.
pub fn read(line: &str) -> Option<(Vec<Option<Written>>, Plainness)> {
    let (text, commented) = match line.find('#') {
        Some(at) => (&line[..at], true),
        None => (line, false),
    };
    if text.len() > LONGEST {
        return figures(text).map(|all| (all, Plainness::Alone));
    }
    let text = usual(text);
    let text = entries(&text).unwrap_or(text);
    let mut best = if commented { Plainness::Remarked } else { Plainness::Alone };
    let parts = equal_parts(&text);
    let last = parts.len() - 1;
    for (k, part) in parts.into_iter().enumerate() {
        if k == last {
            return behind_label(part).map(|(all, how)| (all, how.min(best)));
        }
        // What was worked out, or a name, with the answer behind its `=`.
        if part.trim().is_empty()
            || is_name(part)
            || figures(part).is_some_and(|all| !all.is_empty())
        {
            best = best.min(Plainness::Named);
            continue;
        }
        if let Some((all, how)) = behind_label(part) {
            return Some((all, how.min(best)));
        }
        // Working in letters: `5x^4 = 80`, without a word before it.
        if gives_reason(part) {
            return None;
        }
        best = best.min(Plainness::Named);
    }
    None
}

/// `x₁ = 6, x₂ = 120`, in their order, as `6, 120`.
fn entries(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split([',', ';']).collect();
    let value = |(k, part): (usize, &&str)| -> Option<String> {
        let (name, value) = part.split_once('=')?;
        let name = name.trim();
        let (first, zeroth) = (format!("_{}", k + 1), format!("[{k}]"));
        let subscript = name.strip_suffix(|c| lowered(c) == u32::try_from(k + 1).ok()).is_some();
        let bare = name.strip_suffix(&(k + 1).to_string());
        let bare = bare.is_some_and(|name| name.ends_with(char::is_alphabetic));
        let counted = subscript || bare || name.ends_with(&first) || name.ends_with(&zeroth);
        counted.then(|| value.to_owned())
    };
    let values: Option<Vec<String>> = parts.iter().enumerate().map(value).collect();
    values.filter(|all| all.len() > 1).map(|all| all.join(","))
}

/// The numbers of an answer one by one, as they were written.
pub fn parts(given: &str) -> Option<Vec<String>> {
    let text = given.split('#').next().unwrap_or(given);
    let text = equal_parts(text).pop()?.trim();
    let text =
        text.trim_start_matches("torch.").trim_start_matches("tensor").trim_start_matches("array");
    let text = text.trim_matches(|c: char| "[]()⎡⎤⎢⎥⎣⎦".contains(c) || c.is_whitespace());
    let comma = text.contains([',', ';']);
    let all = text.split(|c: char| if comma { ",;".contains(c) } else { c.is_whitespace() });
    let all = all.map(|part| part.trim_matches(|c: char| "[]()".contains(c) || c.is_whitespace()));
    let all: Vec<String> = all.filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let one = |part: &String| figures(&usual(part)).is_some_and(|numbers| numbers.len() == 1);
    (!all.is_empty() && all.iter().all(one)).then_some(all)
}

/// The gradient that a text names, `2*b.grad`, in the place of its value.
pub fn gradient(text: &str) -> Option<&str> {
    let end = text.find(".grad").map(|at| at + ".grad".len())?;
    let inside = |c: char| c.is_alphanumeric() || "._[]".contains(c);
    let start = text[..end].trim_end_matches(inside).len();
    (!text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_')).then(|| &text[start..end])
}

/// What is said of a gradient in the place of a formula.
pub fn no_formula(text: &str) -> Option<Why> {
    gradient(text).map(|name| format!("{name} is not a formula yet: write what it equals").into())
}

/// What is wrong with an answer of `given` numbers, None where it holds words, to a question with so many.
pub(super) fn unread(answer: &str, given: Option<usize>, asked: usize) -> Option<Why> {
    if asked == 0 {
        return None;
    }
    let pointed = decimal_points(answer);
    // In brackets a comma separates, but where others do so beside it: `[6,5, 120,5]`.
    let separated = !answer.contains('[') || pointed.contains([',', ';']);
    if pointed != answer && separated && figures(&pointed).is_some_and(|all| all.len() == asked) {
        return Some(with_point(&pointed));
    }
    let expected = count(asked, "number");
    if let Some(given) = given {
        let has = count(given, "number");
        return Some(format!("{expected} expected; your answer has {has}").into());
    }
    // The first part that cannot be read.
    let parts = unwrapped(answer.trim()).split([',', ';']);
    let odd = parts.map(str::trim).find(|part| !part.is_empty() && figures(&usual(part)).is_none());
    let odd = odd.filter(|part| part.chars().count() <= 30);
    let says = match odd {
        Some(part) if gradient(part).is_some() => {
            format!("{expected} expected; {part} is not a number yet: write its value")
        }
        Some(part) => format!("{expected} expected; vjp cannot read  {part}  as a number"),
        None => format!("{expected} expected; your answer holds something else"),
    };
    Some(says.into())
}

/// A list without the brackets around it: each pair that encloses all of it.
fn unwrapped(mut text: &str) -> &str {
    loop {
        let inside = text
            .strip_prefix(['[', '('])
            .and_then(|text| text.strip_suffix([']', ')']))
            .filter(|inside| is_closed(inside));
        match inside {
            Some(inside) => text = inside.trim(),
            None => return text,
        }
    }
}

/// Whether no bracket closes that was not opened.
fn is_closed(text: &str) -> bool {
    let mut depth = 0i32;
    text.chars().all(|c| {
        depth += i32::from("([".contains(c)) - i32::from(")]".contains(c));
        depth >= 0
    })
}

/// An answer in words, `torch.float64  # the default`, without its remark.
pub fn word(line: &str) -> &str {
    let text = line.split('#').next().unwrap_or(line).trim();
    let text = text.split_once("  ").map_or(text, |(word, _)| word);
    match text.split_once(" = ") {
        Some((name, value)) if is_name(name) => value.trim(),
        _ => text,
    }
}

/// A line among words, without the remark at its end, its minus signs those of programs.
pub fn beside(line: &str, right: &str) -> String {
    let text = match right.contains('#') {
        true => line,
        false => line.split('#').next().unwrap_or(line),
    };
    if right.contains(['–', '−']) { text.to_owned() } else { text.replace(['–', '−'], "-") }
}

/// The lines of an output of the file that may stand for those of the program: remarks on lines of their own
/// are left out, and of several answers the plainest counts, the last of these.
pub fn without(file: &[String], now: &[Line]) -> Vec<String> {
    let texts: Vec<&str> = now.iter().map(|line| line.text.as_str()).collect();
    let given = |line: &String| texts.contains(&line.trim_end());
    let answers =
        |line: &String| line.contains(BLANK) || read(line).is_some_and(|(all, _)| !all.is_empty());
    let alike = |line: &String| {
        let one = std::slice::from_ref::<String>;
        now.iter().any(|other| answer::same_words(one(line), one(&other.text)))
    };
    let kept: Vec<String> =
        file.iter().filter(|l| given(l) || answers(l) || alike(l)).cloned().collect();
    // What is all that was written is the answer, readable or not.
    let above = |line: &String| given(line) && texts.last() != Some(&line.trim_end());
    let kept = if kept.iter().all(above) { file.to_vec() } else { kept };
    let last = now.last().filter(|line| answer::is_bare(std::slice::from_ref(&line.text)));
    let bare = |line: &&Line| answer::is_bare(std::slice::from_ref(&line.text));
    if last.is_none() || now.iter().filter(bare).count() > 1 {
        return kept;
    }
    // One answer is asked for, below what the program gives.
    let (above, answers): (Vec<String>, Vec<String>) = kept.into_iter().partition(|line| {
        let place = texts.iter().position(|text| *text == line.trim_end());
        place.is_some_and(|place| place + 1 < texts.len())
    });
    let how = |line: &String| read(line).map_or(Plainness::Labelled, |(_, how)| how);
    match answers.len() {
        0 | 1 => above.into_iter().chain(answers).collect(),
        _ => {
            let one = answers.iter().max_by_key(|line| how(line)).cloned();
            above.into_iter().chain(one).collect()
        }
    }
}

/// The parts between equal signs that stand in no bracket.
fn equal_parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0i32, 0, Vec::new());
    for (at, sign) in text.char_indices() {
        match sign {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '=' if depth <= 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Words that begin a reason.
const REASONS: [&str; 8] = ["because", "since", "as", "where", "with", "note", "my", "so"];

/// `x.grad`, `dy/dx`, `f'(3)`, `the slope`
fn is_name(text: &str) -> bool {
    let text = text.trim();
    let inside = |c: char| c.is_alphanumeric() || " ._/'’()[],∂∇ᵀ·".contains(c);
    let starts = text.starts_with(|c: char| c.is_alphabetic() || "∂∇".contains(c));
    starts && text.chars().count() <= 30 && text.chars().all(inside) && !gives_reason(text)
}

fn gives_reason(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or("").to_lowercase();
    REASONS.contains(&first.as_str())
}

/// `the slope: 6`, `x.grad is 6`, `≈ 0.333`, or without such a label.
fn behind_label(part: &str) -> Option<(Vec<Option<Written>>, Plainness)> {
    let part = part.trim().trim_start_matches(['≈', '~', '→']);
    let near = ["about ", "approximately ", "approx. ", "roughly ", "around ", "ca. "];
    let part = near.iter().find_map(|word| part.strip_prefix(word)).unwrap_or(part);
    if let Some(found) = with_remark(part) {
        return Some(found);
    }
    let ends = [": ", " is ", " are ", " → ", " ≈ "].iter().filter_map(|end| {
        let at = part.find(end)?;
        Some((at, at + end.len()))
    });
    let (name, value) = ends.min().map(|(at, end)| (&part[..at], &part[end..]))?;
    let (all, _) = with_remark(value).filter(|_| is_name(name) || name.starts_with("my "))?;
    Some((all, Plainness::Labelled))
}

/// Numbers, with or without a remark behind them.
fn with_remark(part: &str) -> Option<(Vec<Option<Written>>, Plainness)> {
    if let Some(all) = figures(part) {
        return Some((all, Plainness::Alone));
    }
    let ends: Vec<usize> = pieces(part).iter().map(|piece| piece.end).collect();
    ends.into_iter().rev().find_map(|end| {
        let (answer, rest) = part.split_at(end);
        let all = is_remark(rest).then(|| closed(answer).then(|| figures(answer)))??;
        (!all?.is_empty()).then_some(())?;
        Some((figures(answer)?, Plainness::Remarked))
    })
}

fn closed(text: &str) -> bool {
    let count = |signs: [char; 2]| text.matches(signs).count();
    count(['(', '[']) == count([')', ']'])
}

/// Words that go on with a number, or take it back.
const NO_REMARK: [&str; 10] =
    ["or", "times", "plus", "minus", "over", "per", "to", "percent", "divided", "hundred"];

/// Whether a text behind a number says nothing more about it.
fn is_remark(rest: &str) -> bool {
    let text = rest.trim_start();
    if text.starts_with(['✓', '✔', '←', '!', '?']) {
        return true;
    }
    if let Some(inside) = text.strip_prefix('(') {
        return inside.contains(char::is_alphabetic);
    }
    let apart = rest.starts_with(char::is_whitespace);
    let mark = text.starts_with([',', ';', '.', ':', '-', '–', '—', '→']);
    let words = text.trim_start_matches([',', ';', '.', ':', '-', '–', '—', '→']).trim_start();
    if words.is_empty() {
        return mark && text.starts_with(['.', ';', ',']);
    }
    let first: String = words.chars().take_while(|c| c.is_alphabetic()).collect();
    let long = first.chars().count() > 1 || first == "I";
    let word = long && !NO_REMARK.contains(&first.to_lowercase().as_str());
    (apart || mark) && (word || words.starts_with(['(', '✓']))
}

/// An answer with the signs that people use brought to those of programs: `2·10⁻⁶`, `½`, `2÷3`, `–1`, `√2`.
pub fn usual(text: &str) -> String {
    let mut text = text.to_owned();
    for (code, plain) in [("torch.tensor", "tensor"), ("np.array", "array"), ("]^T", "]ᵀ")] {
        text = text.replace(code, plain);
    }
    let signs: Vec<char> = text.chars().collect();
    let mut all = String::new();
    let (mut raised, mut dots) = (false, 0);
    for (at, sign) in signs.iter().enumerate() {
        dots = usize::saturating_sub(dots, 1);
        if dots > 0 {
            continue;
        }
        let power = power(*sign);
        if let Some(plain) = power {
            if !raised {
                all.push('^');
            }
            all.push(plain);
        }
        raised = power.is_some();
        if raised {
            continue;
        }
        let behind = all.trim_end().ends_with(|c: char| c.is_ascii_digit());
        let ahead = signs[at + 1..].iter().find(|c| !c.is_whitespace());
        let digit = ahead.is_some_and(char::is_ascii_digit);
        match (sign, part(*sign)) {
            (_, Some((above, below))) if behind => {
                // `1½`
                let start = all
                    .trim_end()
                    .rfind(|c: char| !c.is_ascii_digit())
                    .map_or(0, |k| k + all[k..].chars().next().map_or(1, char::len_utf8));
                all.insert(start, '(');
                all += &format!("+{above}/{below})");
            }
            (_, Some((above, below))) => all += &format!("({above}/{below})"),
            ('–' | '‒' | '−', _) => all.push('-'),
            ('÷' | '⁄' | '∕', _) => all.push('/'),
            ('⋅' | '∙', _) => all.push('·'),
            ('x' | 'X', _) if behind && digit => all.push('*'),
            ('√', _) => all += "sqrt",
            ('\t' | '\u{a0}', _) => all.push(' '),
            // `2π`, `2pi`
            ('π', _) if behind => all += "*pi",
            ('p', _) if behind && ahead == Some(&'i') => all += "*p",
            // `1.714…`
            ('…', _) if behind => {}
            ('.', _) if behind && signs[at + 1..].starts_with(&['.', '.']) => dots = 3,
            _ => all.push(*sign),
        }
    }
    roots(&joined(&all))
}

/// `2 3/5`, of which one number is meant.
pub fn mixed(text: &str) -> Option<String> {
    let (whole, fraction) = text.trim().split_once(' ')?;
    let (above, below) = fraction.trim().split_once('/')?;
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let unsigned = whole.trim_start_matches(['-', '–', '−']);
    let sign = if unsigned == whole { "" } else { "-" };
    [unsigned, above, below]
        .iter()
        .all(|part| digits(part))
        .then(|| format!("{sign}({unsigned}+{above}/{below})"))
}

/// `0,5; 1,25` with points; None where no comma stands between two digits.
pub(super) fn commas_as_points(text: &str) -> Option<String> {
    let signs: Vec<char> = text.chars().collect();
    let digit = |k: Option<usize>| k.and_then(|k| signs.get(k)).is_some_and(char::is_ascii_digit);
    let point = |k: usize| signs[k] == ',' && digit(k.checked_sub(1)) && digit(Some(k + 1));
    let all = (0..signs.len()).map(|k| if point(k) { '.' } else { signs[k] }).collect();
    (0..signs.len()).any(point).then_some(all)
}

/// `1,5` as `1.5`; three digits after a comma are thousands, and `1,2,3` is a list.
pub(super) fn decimal_points(answer: &str) -> String {
    let answer = thousands(answer);
    let inside = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
    let mut all = String::new();
    let mut rest = answer.as_str();
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let length = rest[start..].find(|c| !inside(c)).unwrap_or(rest.len() - start);
        let number = rest[start..start + length].trim_end_matches(',');
        let length = number.len();
        let halves = number.split(',').filter(|half| !half.is_empty());
        let one = !number.contains('.') && halves.count() == 2 && number.matches(',').count() == 1;
        all += &rest[..start];
        all += &if one { number.replace(',', ".") } else { number.to_owned() };
        rest = &rest[start + length..];
    }
    all + rest
}

/// A comma was written for the point of a decimal number.
pub(super) fn with_point(pointed: &str) -> Why {
    format!("a comma separates numbers; write {} with a point", pointed.trim()).into()
}

/// `8 and 34`: two numbers.
fn joined(text: &str) -> String {
    let mut all = text.to_owned();
    let mut from = 0;
    while let Some(at) = all[from..].find(" and ").map(|at| at + from) {
        let next = all[at + 5..].chars().next();
        let number = next.is_some_and(|c| c.is_ascii_digit() || "-.[(".contains(c));
        if number {
            all.replace_range(at..at + 5, ", ");
        }
        from = at + 2;
    }
    all
}

/// `sqrt2` with the brackets that a call needs.
fn roots(text: &str) -> String {
    let mut all = text.to_owned();
    let mut from = 0;
    while let Some(at) = all[from..].find("sqrt").map(|at| at + from + 4) {
        let digits = all[at..].find(|c: char| !c.is_ascii_digit() && c != '.');
        let end = at + digits.unwrap_or(all.len() - at);
        if end > at {
            all.insert(end, ')');
            all.insert(at, '(');
        }
        from = at;
    }
    all
}

/// A raised sign, as it stands on the line.
fn power(sign: char) -> Option<char> {
    match sign {
        '⁻' => Some('-'),
        '⁺' => Some('+'),
        _ => char::from_digit(raised(sign)?, 10),
    }
}

/// A fraction in one sign.
fn part(sign: char) -> Option<(u8, u8)> {
    Some(match sign {
        '½' => (1, 2),
        '⅓' => (1, 3),
        '⅔' => (2, 3),
        '¼' => (1, 4),
        '¾' => (3, 4),
        '⅕' => (1, 5),
        '⅖' => (2, 5),
        '⅗' => (3, 5),
        '⅘' => (4, 5),
        '⅙' => (1, 6),
        '⅚' => (5, 6),
        '⅐' => (1, 7),
        '⅛' => (1, 8),
        '⅜' => (3, 8),
        '⅝' => (5, 8),
        '⅞' => (7, 8),
        '⅑' => (1, 9),
        '⅒' => (1, 10),
        _ => return None,
    })
}

/// `4,200` as 4200: three digits behind each comma, and one to three before the first.
pub fn thousands(text: &str) -> String {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let signs: Vec<char> = text.chars().collect();
    let run = |range: Range<usize>| {
        let all = signs.get(range).unwrap_or_default();
        all.iter().take_while(|c| c.is_ascii_digit()).count()
    };
    let mut all = String::new();
    let mut at = 0;
    while at < signs.len() {
        let starts = signs[at].is_ascii_digit()
            && !at
                .checked_sub(1)
                .is_some_and(|k| is_digit(signs.get(k).copied()) || signs[k] == '.');
        let first = run(at..signs.len());
        let (mut end, mut groups) = (at + first, 0);
        while starts && first <= 3 && signs.get(end) == Some(&',') && run(end + 1..signs.len()) == 3
        {
            end += 4;
            groups += 1;
        }
        match groups {
            0 => {
                all.push(signs[at]);
                at += 1;
            }
            _ => {
                all.extend(signs[at..end].iter().filter(|c| **c != ','));
                at = end;
            }
        }
    }
    all
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn numbers(line: &str) -> Option<Vec<f64>> {
        let (all, _) = read(line)?;
        Some(all.into_iter().map(|n| n.unwrap().value).collect())
    }

    #[test]
    fn what_stands_beside_an_answer_does_not_count() {
        for line in [
            "6",
            "6  # because 3x^2 = 12",
            "6 (y = 8)",
            "6(y = 8)",
            "6 because y = 8",
            "6, since y = 8",
            "6 ✓",
            "6 (constant)",
            "6.",
            "x.grad = 6",
            "x.grad = 0.5*12 = 6 # done",
            "dy/dx = 6",
            "0.5*12 = 6",
            "the slope: 6",
            "x.grad is 6",
            "my working: 0.5*12 = 6",
            "= 6",
            "≈ 6",
            "6 - the slope of x^2",
            "6 is the slope",
            "3x^2/2 = 6",
            "6…",
            "6...",
        ] {
            assert_eq!(numbers(line), Some(vec![6.0]), "{line}");
        }
        assert_eq!(numbers("[2, 40, 600]  # x = [1, 2, 3]"), Some(vec![2.0, 40.0, 600.0]));
        assert_eq!(numbers("-4 # since 2*-2"), Some(vec![-4.0]));
        assert_eq!(numbers("2pi"), numbers("2*pi"));
        assert_eq!(numbers("2 π"), numbers("2*pi"));
        for line in [
            "8 and 34",
            "x₁ = 8, x₂ = 34",
            "x[0] = 8; x[1] = 34",
            "<8, 34>",
            "[8,34]ᵀ",
            "[8, 34]^T",
            "x1 = 8, x2 = 34",
            "torch.tensor([8., 34.])",
        ] {
            assert_eq!(numbers(line), Some(vec![8.0, 34.0]), "{line}");
        }
        assert_ne!(numbers("x₂ = 34, x₁ = 8"), Some(vec![34.0, 8.0]));
        for line in
            ["because 3x^2 = 12", "6 or 12", "six", "6x", "I do not know", "6 apples = 12 x"]
        {
            assert_ne!(numbers(line), Some(vec![12.0]), "{line}");
        }
        for line in ["6 or 12", "six", "6x", "6*x", "not 6", "6 times", "because 3x^2"] {
            assert_eq!(numbers(line), None, "{line}");
        }
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (line, value) in [
            ("2·10⁻⁶", 2e-6),
            ("5·10⁻⁴", 5e-4),
            ("2x10^-3", 2e-3),
            ("5 x 10^-4", 5e-4),
            ("5×10^-4", 5e-4),
            ("½", 0.5),
            ("-⅔", -2.0 / 3.0),
            ("1½", 1.5),
            ("2÷3", 2.0 / 3.0),
            ("–1/16", -0.0625),
            ("−1/16", -0.0625),
            ("√4", 2.0),
            ("3√(4)", f64::NAN),
            ("e²", std::f64::consts::E.powi(2)),
        ] {
            match numbers(line) {
                Some(all) => {
                    assert!(all.len() > 1 || (all[0] - value).abs() < 1e-12, "{line}: {all:?}")
                }
                None => assert!(value.is_nan(), "{line}"),
            }
        }
        assert_eq!(thousands("4,200"), "4200");
        assert_eq!(thousands("[2,000,000, 1,5, 1234,567]"), "[2000000, 1,5, 1234,567]");
        assert_eq!(thousands("0.5,200 1,2000"), "0.5,200 1,2000");
    }

    #[test]
    fn of_several_lines_the_plainest_answers() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let now = super::super::numbers::lines(&lines("y = 8\n6"), None, false);
        for (file, left) in [
            ("y = 8\n6\nbecause 3x^2 = 12", "y = 8\n6"),
            ("my working: 0.5*12 = 6\n7\n", "7"),
            ("y = 8\nbecause 3x^2 = 12\n6", "y = 8\n6"),
            ("Note: A is altered [22, 28]\ny = 8\n6", "y = 8\n6"),
            ("y = 8\n5\n6", "y = 8\n6"),
            ("no idea", "no idea"),
            ("y = 8\nno idea", "y = 8\nno idea"),
        ] {
            assert_eq!(without(&lines(file), &now), lines(left), "{file}");
        }
    }
}
