//! What a piece of text means, and what a piece of a panel stands for. Colour follows from a meaning, and never
//! carries it alone; a page lights the pieces that belong together.

/// The meaning of a piece of text. Nothing is ever dim: that is invisible on a projector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Words, brackets and rules of our own.
    Plain,
    /// v, vᵀJ and gradients: what flows backwards.
    Cotangent,
    /// Values and derivatives: what was computed forwards.
    Value,
    /// A formula, already spelled in the wanted characters: never translated to ASCII.
    Formula,
    /// ✓
    Agrees,
    /// ✗ and the word `error`.
    Differs,
    /// `note`, `help`: a way on.
    Hint,
    /// Text as the user typed it: never translated to ASCII.
    User,
}

/// A part of a panel: a number of J, or what belongs to one of its rows or columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Of a leaf: an entry of J, its row and column.
    Entry(usize, usize, usize),
    /// The same entry as a formula.
    Formula(usize, usize, usize),
    /// The weight of a row, and its name.
    Weight(usize),
    Row(usize),
    /// Of a leaf: a column's name, its entry of vᵀJ, of the gradient before and of the gradient now, and
    /// the sum worked out.
    Column(usize, usize),
    Product(usize, usize),
    Before(usize, usize),
    Gradient(usize, usize),
    Sum(usize, usize),
}

impl Spot {
    /// As an attribute of an element: a word and places.
    pub fn attribute(self) -> String {
        match self {
            Spot::Entry(leaf, row, column) => format!("entry {leaf} {row} {column}"),
            Spot::Formula(leaf, row, column) => format!("formula {leaf} {row} {column}"),
            Spot::Weight(row) => format!("weight {row}"),
            Spot::Row(row) => format!("row {row}"),
            Spot::Column(leaf, column) => format!("column {leaf} {column}"),
            Spot::Product(leaf, column) => format!("product {leaf} {column}"),
            Spot::Before(leaf, column) => format!("before {leaf} {column}"),
            Spot::Gradient(leaf, column) => format!("gradient {leaf} {column}"),
            Spot::Sum(leaf, column) => format!("sum {leaf} {column}"),
        }
    }
}
