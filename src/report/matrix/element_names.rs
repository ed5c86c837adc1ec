//! Names of elements beside rows and columns, spelled as in formulas: `y₁`, `W₂₁`, `W₁,₁₂`; in ASCII `y1`, `W21`, `W1_12`, `A_3,12`.

use crate::terminal::line::width;
use std::borrow::Cow;
use vjp_maths::symbol::formula::Style;
use vjp_maths::symbol::names::is_call;
pub use vjp_maths::symbol::names::is_word;
use vjp_maths::symbol::{Leaf, names};

/// A column or row name wider than this shows only its index; the heading carries the name.
const WIDEST: usize = 9;

/// A name as it can stand beside an operator: an expression or a path with a call in brackets.
pub fn operand(name: &str) -> Cow<'_, str> {
    let path = name.split('(').next().is_some_and(|head| head.contains('.'));
    match is_word(name) || (is_call(name) && !path) {
        true => name.into(),
        false => format!("({name})").into(),
    }
}

/// A name as `.sum()` can follow it.
pub fn callable(name: &str) -> Cow<'_, str> {
    if is_call(name) { name.into() } else { operand(name) }
}

/// Names the elements of one tensor, 1-based as in mathematics.
#[derive(Clone, Debug)]
pub struct Names {
    leaf: Leaf,
    ascii: bool,
    /// Only the index is shown.
    bare: bool,
}

impl Names {
    pub fn new(name: &str, shape: &[usize], ascii: bool) -> Names {
        Names {
            leaf: Leaf { shared: false, name: name.to_string(), shape: shape.to_vec() },
            ascii,
            bare: false,
        }
    }

    /// The same names, without the name where one of `shown` would be too wide.
    pub fn fitted(mut self, shown: impl IntoIterator<Item = usize>) -> Names {
        self.bare =
            !self.leaf.shape.is_empty() && shown.into_iter().any(|i| width(&self.full(i)) > WIDEST);
        self
    }

    /// Only indices, whatever their width: for outputs that have no name.
    pub fn bare(mut self) -> Names {
        self.bare = !self.leaf.shape.is_empty();
        self
    }

    pub fn is_bare(&self) -> bool {
        self.bare
    }

    /// The name of the element at a row-major position, as it stands beside a row or column.
    pub fn label(&self, position: usize) -> String {
        if self.bare { self.index(position) } else { self.full(position) }
    }

    /// Name and index.
    pub fn full(&self, position: usize) -> String {
        self.spelled(position, if self.ascii { Style::Ascii } else { Style::Pretty })
    }

    /// The index alone: `₁₂`, `₁,₁₂`.
    pub fn index(&self, position: usize) -> String {
        let full = self.full(position);
        let bracketed = format!("({})", self.leaf.name);
        let index = full
            .strip_prefix(self.leaf.name.as_str())
            .or_else(|| full.strip_prefix(bracketed.as_str()))
            .unwrap_or("");
        index.trim_start_matches('_').to_string()
    }

    /// The element as code spells it, from 0: `y[0]`, `W[0,1]`.
    pub fn code(&self, position: usize) -> String {
        self.spelled(position, Style::Code)
    }

    fn spelled(&self, position: usize, style: Style) -> String {
        names::variable(&self.leaf, position, style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_beside_an_operator_has_brackets() {
        for word in ["y", "model.fc.weight", "x[0]", "(x + 1)", "(1)", "f(x)"] {
            assert_eq!(operand(word), word);
        }
        for text in [
            "3*x^2+1",
            "(x+1)*(x+2)",
            "x (earlier)",
            "(x*x).sum()",
            "sin(x) + cos(x)",
            "F.relu(x + [1])",
        ] {
            assert_eq!(operand(text), format!("({text})"));
        }
        assert_eq!(callable("F.relu(x)"), "F.relu(x)");
    }

    #[test]
    fn small_indices_run_together_and_large_ones_stand_apart() {
        assert_eq!(Names::new("W", &[2, 3], false).full(3), "W₂₁");
        assert_eq!(Names::new("W", &[2, 12], false).full(11), "W₁,₁₂");
        assert_eq!(Names::new("y", &[1000], false).full(999), "y₁₀₀₀");
        assert_eq!(Names::new("x", &[], false).full(0), "x");
        assert_eq!(Names::new("W1", &[128, 784], false).full(6 * 784 + 405), "W1₇,₄₀₆");
    }

    #[test]
    fn ascii_never_reads_as_another_name() {
        assert_eq!(Names::new("W", &[2, 3], true).full(3), "W21");
        assert_eq!(Names::new("W1", &[1, 2], true).full(1), "W1_12");
        assert_eq!(Names::new("A", &[3, 12], true).full(35), "A_3,12");
        assert_eq!(Names::new("y", &[1000], true).full(999), "y1000");
    }

    #[test]
    fn long_names_leave_the_index() {
        let names = Names::new("model.fc.weight", &[1, 2], false).fitted(0..2);
        assert_eq!(names.label(1), "₁₂");
        let names = Names::new("losses", &[1, 2], false).fitted(0..2);
        assert_eq!(names.label(1), "losses₁₂");
    }

    #[test]
    fn code_counts_from_zero() {
        assert_eq!(Names::new("W", &[2, 3], false).code(5), "W[1,2]");
        assert_eq!(Names::new("x", &[], false).code(0), "x");
    }
}
