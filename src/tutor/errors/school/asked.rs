//! A derivative that is asked for in words: `show me the Jacobian of y with respect to x`.

/// Words in front of what is asked for.
const BEFORE: &[&str] = &[
    "show",
    "me",
    "the",
    "a",
    "compute",
    "calculate",
    "find",
    "give",
    "get",
    "print",
    "display",
    "evaluate",
    "determine",
    "take",
    "what",
    "what's",
    "is",
    "partial",
    "full",
    "total",
];

const NOUNS: &[&str] = &["jacobian", "j", "gradient", "grad", "derivative", "slope", "hessian"];

const VERBS: &[&str] = &["differentiate", "derive"];

/// What stands between a function and its variable.
const BY: &[&str] = &[" with respect to ", " w.r.t. ", " wrt ", " by ", " for ", " in "];

/// The same in words that the reader knows: `derivative(y, x)`, `derivative of y`, `∂y/∂x`.
pub(super) fn asked(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(['?', '.', '!']);
    if text.starts_with("partial ") && text.contains("/") {
        return Some(text.replace("partial ", "∂"));
    }
    if let Some(entry) = entry(text) {
        return Some(entry);
    }
    if let Some(there) = at_a_point(text) {
        return Some(there);
    }
    let mut rest = text;
    let mut next = || {
        let (word, behind) = rest.split_once(' ')?;
        rest = behind.trim_start();
        Some(word.to_lowercase())
    };
    let mut word = next()?;
    while BEFORE.contains(&&*word) {
        word = next()?;
    }
    let verb = VERBS.contains(&&*word);
    if !verb && !NOUNS.contains(&&*word) {
        return None;
    }
    let of = rest.strip_prefix("of ");
    let alone = |rest: &str| rest.split(' ').all(|w| w.chars().all(char::is_alphanumeric));
    if of.is_none() && !verb && !alone(rest) {
        return None;
    }
    let rest = of.unwrap_or(rest).trim();
    let by = BY.iter().find_map(|by| rest.split_once(by));
    // `jacobian y x`
    let by = by.or_else(|| rest.split_once(' ').filter(|_| of.is_none() && !verb));
    let (what, by) = by.map_or((rest, None), |(what, by)| (what.trim(), Some(by.trim())));
    Some(match (&*word, by) {
        ("hessian", Some(by)) => format!("hessian({what}, {by})"),
        ("hessian", None) => return None,
        (_, Some(by)) => format!("derivative({what}, {by})"),
        (_, None) => format!("derivative of {what}"),
    })
}

/// `grad(x^2) at x = 3` with the point first.
fn at_a_point(text: &str) -> Option<String> {
    let (what, point) = text.split_once(" at ")?;
    let (x, value) = point.split_once('=')?;
    let (x, value) = (x.trim(), value.trim());
    if value.parse::<f64>().is_err() && !value.starts_with('[') {
        return None;
    }
    let call = what.trim().strip_suffix(')')?;
    let (name, of) = call.split_once('(')?;
    (NOUNS.contains(&name.to_lowercase().as_str()) && !of.contains(','))
        .then(|| format!("{x} = {value}; {}({of}, {x})", name.to_lowercase()))
}

/// `∂y₁/∂x₂`, `dy1/dx2`, `∂y/∂x_1` as an entry of the Jacobian, or of the gradient of a scalar.
fn entry(text: &str) -> Option<String> {
    let (above, below) = text.split_once('/')?;
    let name = |part: &str| {
        let part = part.trim();
        Some(part.strip_prefix('∂').or_else(|| part.strip_prefix('d'))?.trim().to_owned())
    };
    let (y, i) = place(&name(above)?)?;
    let (x, j) = place(&name(below)?)?;
    match (i, j?) {
        (Some(i), j) => Some(format!("jacobian({y}, {x})[{i}, {j}]")),
        (None, j) => Some(format!("grad({y}, {x})[{j}]")),
    }
}

/// A name and the place behind it, from 0: of `x₁`, `x_1`, `x1` and `x[0]` the first.
fn place(text: &str) -> Option<(String, Option<usize>)> {
    if let Some((name, rest)) = text.split_once('[') {
        return Some((name.to_owned(), Some(rest.strip_suffix(']')?.trim().parse().ok()?)));
    }
    let digit =
        |c: char| "₀₁₂₃₄₅₆₇₈₉".chars().position(|d| d == c).or(c.to_digit(10).map(|d| d as usize));
    let name = text.trim_end_matches(|c| digit(c).is_some());
    let digits: Vec<usize> = text[name.len()..].chars().filter_map(digit).collect();
    let name = name.trim_end_matches('_');
    if name.is_empty() || !name.chars().all(char::is_alphabetic) {
        return None;
    }
    let at = digits.iter().fold(0usize, |n, d| n * 10 + d);
    Some((name.to_owned(), (!digits.is_empty()).then(|| at.checked_sub(1)).flatten()))
}
