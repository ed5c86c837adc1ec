//! Characters in rows and columns, on which boxes stand and edges are drawn.

use crate::terminal::line::width;
use crate::{Line, Role};

/// How an edge is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stroke {
    /// No gradient comes back along it.
    Dotted,
    Plain,
    /// It is spoken of now.
    Heavy,
}

const NORTH: u8 = 1;
const EAST: u8 = 2;
const SOUTH: u8 = 4;
const WEST: u8 = 8;

#[derive(Clone, Debug, Default)]
struct Cell {
    /// Nothing: the second column of a wide character.
    text: Option<String>,
    role: Option<Role>,
    /// Directions in which a line leaves, whose it is, and how it is drawn.
    lines: u8,
    owner: usize,
    stroke: Option<Stroke>,
}

/// A drawing of so many columns; rows are made as they are needed.
#[derive(Default)]
pub struct Canvas {
    rows: Vec<Vec<Cell>>,
}

impl Canvas {
    fn cell(&mut self, row: usize, column: usize) -> &mut Cell {
        if self.rows.len() <= row {
            self.rows.resize_with(row + 1, Vec::new);
        }
        let line = &mut self.rows[row];
        if line.len() <= column {
            line.resize_with(column + 1, || Cell {
                text: Some(" ".to_string()),
                ..Cell::default()
            });
        }
        &mut line[column]
    }

    /// Writes a text; gives the column behind it.
    pub fn text(&mut self, row: usize, mut column: usize, role: Role, text: &str) -> usize {
        for c in text.chars() {
            let text = c.to_string();
            let columns = width(&text);
            if columns == 0 {
                if let Some(before) = column.checked_sub(1) {
                    let cell = self.cell(row, before);
                    cell.text.get_or_insert_default().push(c);
                }
                continue;
            }
            let cell = self.cell(row, column);
            *cell = Cell { text: Some(text), role: Some(role), ..Cell::default() };
            for next in 1..columns {
                let cell = self.cell(row, column + next);
                *cell = Cell { text: None, role: Some(role), ..Cell::default() };
            }
            column += columns;
        }
        column
    }

    fn join(&mut self, row: usize, column: usize, lines: u8, owner: usize, stroke: Stroke) {
        let cell = self.cell(row, column);
        if cell.role.is_some() {
            return;
        }
        if cell.lines != 0 && cell.owner != owner {
            // Of two lines that cross the one that runs down is drawn; the other goes on behind it.
            if lines & (NORTH | SOUTH) == 0 {
                return;
            }
            cell.lines = 0;
            cell.stroke = None;
        }
        cell.lines |= lines;
        cell.owner = owner;
        cell.stroke = cell.stroke.max(Some(stroke));
    }

    /// A line across, from one column to another, both included.
    pub fn across(&mut self, row: usize, from: usize, to: usize, owner: usize, stroke: Stroke) {
        for column in from..=to {
            let west = if column > from { WEST } else { 0 };
            let east = if column < to { EAST } else { 0 };
            let alone = if from == to { EAST | WEST } else { 0 };
            self.join(row, column, west | east | alone, owner, stroke);
        }
    }

    /// A line down, from one row to another, both included.
    pub fn down(&mut self, column: usize, from: usize, to: usize, owner: usize, stroke: Stroke) {
        for row in from..=to {
            let north = if row > from { NORTH } else { 0 };
            let south = if row < to { SOUTH } else { 0 };
            if north | south != 0 {
                self.join(row, column, north | south, owner, stroke);
            }
        }
    }

    /// Lets a line end as it comes in from one side: its first cell reaches the neighbour.
    pub fn reach(&mut self, row: usize, column: usize, west: bool) {
        let cell = self.cell(row, column);
        cell.lines |= if west { WEST } else { EAST };
    }

    pub fn height(&self) -> usize {
        self.rows.len()
    }

    pub fn width(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    pub fn lines(&self) -> Vec<Line> {
        let line = |row: &Vec<Cell>| {
            let mut line = Line::new();
            for cell in row {
                match (&cell.text, cell.lines) {
                    (_, lines) if lines != 0 => {
                        let stroke = cell.stroke.unwrap_or(Stroke::Plain);
                        line.push(Role::Plain, joint(lines, stroke).to_string());
                    }
                    (Some(text), _) => {
                        line.push(cell.role.unwrap_or(Role::Plain), text.as_str());
                    }
                    (None, _) => {}
                }
            }
            line
        };
        self.rows.iter().map(line).collect()
    }
}

/// The character of a crossing, by the directions in which lines leave it.
fn joint(lines: u8, stroke: Stroke) -> char {
    const PLAIN: [char; 16] =
        [' ', '│', '─', '└', '│', '│', '┌', '├', '─', '┘', '─', '┴', '┐', '┤', '┬', '┼'];
    const HEAVY: [char; 16] =
        [' ', '┃', '━', '┗', '┃', '┃', '┏', '┣', '━', '┛', '━', '┻', '┓', '┫', '┳', '╋'];
    let at = usize::from(lines & 15);
    match stroke {
        Stroke::Heavy => HEAVY[at],
        Stroke::Dotted if lines & (NORTH | SOUTH) == 0 => '┄',
        Stroke::Dotted if lines & (EAST | WEST) == 0 => '┆',
        _ => PLAIN[at],
    }
}
