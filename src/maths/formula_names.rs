//! Names of elements and numbers inside a formula.

use super::formula::Style;
use super::symbol::Leaf;

/// The index of a generic element: `xᵢ`.
pub const GENERIC: usize = usize::MAX;

/// `x₁` for people, `x1` in ASCII, `x[0]` in code; a number leaf is its bare name.
pub fn variable(leaf: &Leaf, index: usize, style: Style) -> String {
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
            leaf.name.chars().chain(low).collect()
        }
        _ => {
            let apart = comma || leaf.name.ends_with(|c: char| c.is_numeric());
            format!("{}{}{digits}", leaf.name, if apart { "_" } else { "" })
        }
    }
}

/// A number not below 0: to four significant digits for people, exactly in code.
pub fn number(c: f64, style: Style) -> String {
    let plain = |c: f64| {
        if c != 0.0 && !(1e-5..1e16).contains(&c) && c.is_finite() {
            format!("{c:e}")
        } else {
            format!("{c}")
        }
    };
    let exact = plain(c).to_lowercase();
    let whole = c == c.trunc() && c < 1e9;
    if style == Style::Code || exact.len() <= 6 || whole || !c.is_finite() {
        return exact;
    }
    let rounded: f64 = format!("{c:.3e}").parse().unwrap_or(c);
    plain(rounded)
}
