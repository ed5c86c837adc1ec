//! Which symbols are shown beside the numbers, and how a formula is spelled.

use super::grid;
use super::line::Line;
use crate::eval::event::{Backward, LeafReport};
use crate::maths::jacobian::{Entry, Jacobian};
use crate::maths::symbol::{Expr, Node};

/// A symbolic cell is at most so wide.
const WIDEST: usize = 12;

/// A symbolic J has at most so many rows and columns.
const LARGEST: usize = 4;

/// Symbols that fit beside the numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Symbols {
    /// A cell for each entry, row-major; None is `·`.
    Cells(Vec<Option<String>>),
    /// Every entry is a constant: the words say more than the numbers again.
    Constant,
}

/// A formula for people: `6x₁`, in ASCII `6*x1`.
pub fn people(expr: &Expr, ascii: bool) -> String {
    use crate::maths::formula::{Style, write};
    let style = if ascii { Style::Ascii } else { Style::Pretty };
    write(expr, style).unwrap_or_else(|| "…".to_string())
}

/// The symbols to show beside J, where they are small enough to help.
pub fn beside(symbolic: &Jacobian<Expr>, ascii: bool) -> Option<Symbols> {
    let (rows, columns) = (symbolic.rows, symbolic.columns);
    let entries = || (0..rows).flat_map(move |i| (0..columns).map(move |k| (i, k)));
    if rows * columns == 0 || rows > LARGEST || columns > LARGEST {
        return None;
    }
    let mut cells = Vec::with_capacity(rows * columns);
    let mut constant = true;
    for (i, k) in entries() {
        cells.push(match grid::entry(symbolic, i, k) {
            Entry::Absent => None,
            Entry::Unchosen => Some("0".to_string()),
            Entry::Value(expr) => {
                constant &= is_constant(&expr);
                let text = people(&expr, ascii);
                if super::line::width(&text) > WIDEST {
                    return None;
                }
                Some(text)
            }
        });
    }
    Some(if constant {
        Symbols::Constant
    } else {
        Symbols::Cells(cells)
    })
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr.node(), Node::Const(_))
}

/// One formula for every entry of a large diagonal: `∂yᵢ/∂xᵢ = 3xᵢ²`; None where the entries
/// differ in form.
pub fn generic(
    _symbolic: &Jacobian<Expr>,
    _backward: &Backward,
    _report: &LeafReport,
    _ascii: bool,
) -> Option<Line> {
    None
}

/// The leaf that J is, entry by entry: `∂(A @ x)/∂x` is A.
pub fn itself(_symbolic: &Jacobian<Expr>) -> Option<String> {
    None
}
