//! Matrices as text: which rows and columns are shown, cell widths, brackets.

pub mod alone;
pub mod element_names;
pub mod grid;

use crate::terminal::line::width;
use crate::terminal::roles::Spot;
use crate::{Line, Role};

/// Up to so many rows are shown whole.
const ROWS: usize = 8;

/// What stands first where rows or columns are left out.
const FIRST_ROWS: usize = 2;
const FIRST_COLUMNS: usize = 3;

/// Blanks between cells, and between blocks.
const CELL_GAP: usize = 2;
pub const BLOCK_GAP: usize = 4;

/// Positions shown along one dimension; None stands for those left out.
pub type Shown = Vec<Option<usize>>;

/// All positions, or the first few, a gap and the last.
fn cut(n: usize, first: usize) -> Shown {
    if n <= first + 1 {
        return (0..n).map(Some).collect();
    }
    let head = (0..first).map(Some);
    head.chain([None, Some(n - 1)]).collect()
}

/// The rows shown of n: up to 8 whole, else first 2, `⋮`, last.
pub fn rows(n: usize, elide: bool) -> Shown {
    if n <= ROWS && !(elide && n > FIRST_ROWS + 2) {
        (0..n).map(Some).collect()
    } else {
        cut(n, FIRST_ROWS)
    }
}

/// The columns shown of n where `fits` says what fits: all, else first 3, `…`, last, else
/// fewer. None where not even one fits.
pub fn columns(n: usize, room: usize, mut fits: impl FnMut(&Shown) -> bool) -> Option<Shown> {
    // A column takes at least a character and its gap: hopeless widths are never laid out.
    if n * (1 + CELL_GAP) <= room + CELL_GAP {
        let all: Shown = (0..n).map(Some).collect();
        if fits(&all) {
            return Some(all);
        }
    }
    (1..=FIRST_COLUMNS)
        .rev()
        .filter(|first| n > first + 1)
        .map(|first| cut(n, first))
        .find(|shown| fits(shown))
}

/// An entry as it will stand in its cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub text: String,
    pub role: Role,
    /// A kink: `0*`.
    pub star: bool,
    pub spot: Option<Spot>,
}

impl Cell {
    pub fn new(role: Role, text: impl Into<String>) -> Cell {
        Cell { text: text.into(), role, star: false, spot: None }
    }

    /// `·`: no path, whatever the values.
    pub fn absent() -> Cell {
        Cell::new(Role::Plain, "·")
    }

    /// The same, standing for something.
    pub fn at(self, spot: Spot) -> Cell {
        Cell { spot: Some(spot), ..self }
    }

    /// Stands where columns were left out.
    pub fn gap(text: &str) -> Cell {
        Cell::new(Role::Plain, text)
    }
}

/// The common measure of a block: the width of each shown column.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    cells: Vec<usize>,
}

impl Measure {
    /// One width for all columns, that of the widest cell or name; a gap takes one column.
    pub fn of<'a>(shown: &Shown, texts: impl Iterator<Item = &'a str>) -> Measure {
        let widest = texts.map(width).max().unwrap_or(1).max(1);
        Measure { cells: shown.iter().map(|column| column.map_or(1, |_| widest)).collect() }
    }

    /// Width of the block, brackets included.
    pub fn width(&self) -> usize {
        let gaps = CELL_GAP * self.cells.len().saturating_sub(1);
        4 + self.cells.iter().sum::<usize>() + gaps
    }

    /// Cells between brackets: `⎡   6     · ⎤`.
    pub fn bracketed(&self, cells: &[Cell], brackets: (char, char)) -> Line {
        let mut line = Line::of(Role::Plain, format!("{} ", brackets.0));
        let mut end = 2;
        let mut star = false;
        for (k, (cell, columns)) in cells.iter().zip(&self.cells).enumerate() {
            if k > 0 {
                line.plain(if star { "* " } else { "  " });
                end += CELL_GAP;
            }
            end += columns;
            put(&mut line, cell, end);
            star = cell.star;
        }
        line.plain(if star { "*" } else { " " });
        line.plain(brackets.1.to_string());
        line
    }

    /// Column names above the cells, right-aligned with them.
    pub fn names(&self, names: &[Cell]) -> Line {
        let mut line = Line::new();
        let mut end = 2;
        for (k, (name, columns)) in names.iter().zip(&self.cells).enumerate() {
            end += columns + if k > 0 { CELL_GAP } else { 0 };
            put(&mut line, name, end);
        }
        line.pad(self.width());
        line
    }
}

/// A cell that ends at a column.
fn put(line: &mut Line, cell: &Cell, end: usize) {
    line.pad(end.saturating_sub(width(&cell.text)));
    line.push_spot(cell.role, &cell.text, cell.spot);
}

/// Brackets of row `k` of `n`: one row `[ ]`, more `⎡⎤ ⎢⎥ ⎣⎦`.
pub fn brackets(k: usize, n: usize) -> (char, char) {
    match (k, n) {
        (_, 1) => ('[', ']'),
        (0, _) => ('⎡', '⎤'),
        (k, n) if k + 1 == n => ('⎣', '⎦'),
        _ => ('⎢', '⎥'),
    }
}

/// The row that stands for rows left out: `⋱` where columns are left out too, else `⋮` in each.
pub fn gap_row(columns: &Shown) -> Vec<Cell> {
    let both = columns.iter().any(Option::is_none);
    columns
        .iter()
        .map(|column| match (column, both) {
            (None, _) => Cell::gap("⋱"),
            (Some(_), true) => Cell::gap(""),
            (Some(_), false) => Cell::gap("⋮"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_whole_up_to_eight() {
        assert_eq!(rows(8, false).len(), 8);
        assert_eq!(rows(9, false), [Some(0), Some(1), None, Some(8)]);
        assert_eq!(rows(8, true), [Some(0), Some(1), None, Some(7)]);
        assert_eq!(rows(3, true), [Some(0), Some(1), Some(2)]);
        assert_eq!(rows(0, false), []);
    }

    #[test]
    fn columns_all_or_three_and_the_last() {
        assert_eq!(columns(3, 80, |_| true).map(|c| c.len()), Some(3));
        let some = columns(1000, 80, |shown| shown.len() <= 5);
        assert_eq!(some, Some(vec![Some(0), Some(1), Some(2), None, Some(999)]));
        assert_eq!(columns(5, 80, |_| false), None);
    }

    #[test]
    fn stars_take_a_blank_and_shift_nothing() {
        let shown = vec![Some(0), Some(1)];
        let measure = Measure::of(&shown, ["x₁", "x₂"].into_iter());
        let mut kink = Cell::new(Role::Value, "0");
        kink.star = true;
        let cells = [kink.clone(), Cell::absent()];
        let line = measure.bracketed(&cells, ('[', ']'));
        let text: String = line.spans().iter().map(|s| s.1.as_str()).collect();
        assert_eq!(text, "[  0*  · ]");
        let line = measure.bracketed(&[Cell::absent(), kink], ('[', ']'));
        let text: String = line.spans().iter().map(|s| s.1.as_str()).collect();
        assert_eq!(text, "[  ·   0*]");
    }
}
