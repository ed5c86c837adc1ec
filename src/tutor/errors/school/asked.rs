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
