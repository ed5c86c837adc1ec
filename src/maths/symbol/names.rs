//! Names of elements and numbers inside a formula.

use super::formula::Style;
use crate::symbol::Leaf;
use vjp_text::number::shortest;

/// The index of a generic element: `xᵢ`.
pub const GENERIC: usize = usize::MAX;

/// Whether a text is a name, a path or an element: `y`, `model.fc.weight`, `x[0]`.
pub fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || "_.[]".contains(c))
}

/// Whether a text is one call, `f(…)` or `(…)`: its last bracket closes its first.
pub fn is_call(text: &str) -> bool {
    let Some(first) = text.find('(').filter(|at| is_word(&text[..*at])) else {
        return false;
    };
    let mut depth = 0usize;
    let closed = text[first..].char_indices().find_map(|(at, c)| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(first + at + 1)
    });
    closed == Some(text.len())
}

/// What a name needs where other values have it too: ` (earlier)`, ` (earlier 2)`.
pub fn since(earlier: bool, deleted: bool, turn: usize) -> String {
    let word = match (earlier, deleted) {
        (true, true) => "deleted",
        (true, false) => "earlier",
        (false, _) => "",
    };
    match (word, turn) {
        ("", 0) => String::new(),
        ("", n) => format!(" ({n})"),
        (word, 0) => format!(" ({word})"),
        (word, n) => format!(" ({word} {n})"),
    }
}

/// A name in a formula; one that was deleted names nothing else.
pub fn in_formula(name: &str, since: String) -> String {
    match since.as_str() {
        " (deleted)" => name.to_owned(),
        since => format!("{name}{since}"),
    }
}

/// `x` and ` (earlier)`, where a name says which of several values it is.
pub fn which(name: &str) -> (&str, &str) {
    let at = name.rfind(" (").filter(|at| name.ends_with(')') && is_word(&name[..*at]));
    at.map_or((name, ""), |at| name.split_at(at))
}

/// `x₁` for people, `x1` in ASCII, `x[0]` in code; a number leaf is its bare name. Which of several
/// values it is stands behind: `x₁ (earlier)`, in code `x_earlier[0]`.
pub fn variable(leaf: &Leaf, index: usize, style: Style) -> String {
    let (name, which) = which(&leaf.name);
    if !which.is_empty() {
        let bare = |name: String| Leaf { name, ..leaf.clone() };
        let word: String = which.chars().filter(|c| c.is_alphanumeric()).collect();
        return match style {
            Style::Code => variable(&bare(format!("{name}_{word}")), index, style),
            _ => variable(&bare(name.to_owned()), index, style) + which,
        };
    }
    if leaf.shape.is_empty() {
        return leaf.name.clone();
    }
    if index == GENERIC {
        let letters = ["ᵢ", "ⱼ", "ₖ", "ₗ"];
        let plain = ["i", "j", "k", "l"];
        let letters = if style == Style::Pretty { letters } else { plain };
        return (0..leaf.shape.len()).fold(leaf.name.clone(), |s, k| s + letters[k % 4]);
    }
    let mut rest = index;
    let mut at: Vec<usize> = leaf
        .shape
        .iter()
        .rev()
        .map(|d| {
            let i = rest % d.max(&1);
            rest /= d.max(&1);
            i
        })
        .collect();
    at.reverse();
    if style == Style::Code {
        let at: Vec<String> = at.iter().map(usize::to_string).collect();
        return format!("{}[{}]", leaf.name, at.join(","));
    }
    let comma = at.len() > 1
        && match style {
            Style::Pretty => at.iter().any(|i| *i > 8),
            _ => leaf.shape.iter().any(|d| *d > 9),
        };
    let digits: Vec<String> = at.iter().map(|i| (i + 1).to_string()).collect();
    let digits = digits.join(if comma { "," } else { "" });
    match style {
        Style::Pretty => {
            let low = digits.chars().map(|c| match c.to_digit(10) {
                Some(d) => char::from_u32('₀' as u32 + d).unwrap_or(c),
                None => c,
            });
            // W₁₂ is an element of W.
            match leaf.name.ends_with(|c| ('₀'..='₉').contains(&c)) {
                true => format!("({}){}", leaf.name, low.collect::<String>()),
                false => leaf.name.chars().chain(low).collect(),
            }
        }
        _ => {
            let apart = comma || leaf.name.ends_with(|c: char| c.is_numeric());
            format!("{}{}{digits}", leaf.name, if apart { "_" } else { "" })
        }
    }
}

/// So many digits a person types at most.
const TYPED: usize = 12;

/// Significant digits of a number whose decimals do not end soon.
const FEW: usize = 4;

/// Whether the shortest decimal of a number is one that a person may have written: so many digits always
/// come back from a double as they were. What was computed has more, as a rule.
pub(crate) fn ends(c: f64) -> bool {
    shortest(c).1.len() <= TYPED
}

/// The digits of a number not below 0, and the power of ten behind them where there is one. Decimals that
/// do not end soon are cut off with `more`, so that none looks exact that is not.
pub(crate) fn digits(c: f64, more: &str) -> (String, Option<i32>) {
    let (_, all, point) = shortest(c);
    let far = c != 0.0 && !(1e-5..1e16).contains(&c);
    let whole = if far { 1 } else { usize::try_from(point).unwrap_or(0) };
    let kept = FEW.max(whole + 1);
    let cut = !ends(c) && kept < all.len();
    let kept = if cut { &all[..kept] } else { all.as_str() };
    let mut text = match (far, point) {
        (false, ..=0) => format!("0.{}{kept}", "0".repeat(point.unsigned_abs() as usize)),
        _ if kept.len() <= whole => format!("{kept}{}", "0".repeat(whole - kept.len())),
        _ => format!("{}.{}", &kept[..whole], &kept[whole..]),
    };
    if cut {
        text += more;
    }
    (text, far.then_some(point - 1))
}

/// A number not below 0, in code all its digits.
pub fn number(c: f64, style: Style) -> String {
    if style == Style::Code || !c.is_finite() || c == 0.0 {
        let far = c != 0.0 && !(1e-5..1e16).contains(&c) && c.is_finite();
        return if far { format!("{c:e}") } else { format!("{c}").to_lowercase() };
    }
    let (text, power) = digits(c, if style == Style::Pretty { "…" } else { "~" });
    text + &power.map_or_else(String::new, |e| format!("e{e}"))
}
