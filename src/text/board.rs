//! What mathematics is called in LaTeX and in textbooks, where it has another name here.

/// Commands of LaTeX that are signs; of those that are words, the word is read.
const COMMANDS: &[(&str, &str)] = &[
    ("cdot", "·"),
    ("times", "×"),
    ("div", "/"),
    ("sum", "∑"),
    ("prod", "∏"),
    ("int", "∫"),
    ("partial", "∂"),
    ("nabla", "∇"),
    ("circ", "∘"),
    ("le", "≤"),
    ("leq", "≤"),
    ("ge", "≥"),
    ("geq", "≥"),
    ("ne", "≠"),
    ("neq", "≠"),
    ("to", "→"),
    ("mapsto", "→"),
    ("infty", "∞"),
    ("lvert", "|"),
    ("rvert", "|"),
    ("top", "T"),
    ("left", ""),
    ("right", ""),
    ("mathrm", ""),
    ("operatorname", ""),
    ("dfrac", FRACTION),
    ("tfrac", FRACTION),
    ("frac", FRACTION),
];

/// The sign of `\frac`, whose two groups follow.
pub const FRACTION: &str = "\\";

/// The sign that a command of LaTeX is.
pub fn command(word: &str) -> Option<&'static str> {
    COMMANDS.iter().find(|(name, _)| *name == word).map(|(_, sign)| *sign)
}

/// Functions that have no name here: one divided by another.
const RECIPROCALS: &[(&str, &str)] = &[
    ("cot", "tan"),
    ("ctg", "tan"),
    ("sec", "cos"),
    ("csc", "sin"),
    ("cosec", "sin"),
    ("coth", "tanh"),
    ("sech", "cosh"),
    ("csch", "sinh"),
];

/// A function without a name here, and the one that it is one divided by.
pub fn reciprocal(name: &str) -> Option<(&'static str, &'static str)> {
    RECIPROCALS.iter().find(|(own, _)| *own == name).copied()
}
