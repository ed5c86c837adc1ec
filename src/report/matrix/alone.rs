//! A matrix alone: `jacobian(y, x)`, `hessian(y, x)`, and J above several calls.

use super::grid;
use crate::matrix::element_names::{Names, operand};
use crate::matrix::{self, Cell, Measure};
use crate::panel::formula::{self, Symbols};
use crate::{Line, Role, Style};
use vjp_eval::record::event::MatrixEvent;
use vjp_jacobian::{Entry, Jacobian};
use vjp_text::digits::Digits;

/// Rows whose names take part in the layout stand this far in.
const INDENT: usize = 4;

/// A matrix with its names and symbols.
pub struct Picture<'a> {
    pub heading: Line,
    pub rows: Names,
    pub columns: Names,
    pub numbers: &'a Jacobian<f64>,
    pub symbols: Option<Symbols>,
}

/// `∂y/∂x`, `∂²y/∂x²`, `∂²y/∂x∂w`.
fn heading(event: &MatrixEvent) -> Line {
    let mut line = Line::new();
    if event.order < 2 {
        line.plain("J = ∂").push(Role::User, operand(&event.output));
        line.plain("/∂").push(Role::User, event.leaf.as_str());
    } else {
        line.plain("∂²").push(Role::User, operand(&event.output));
        line.plain("/∂").push(Role::User, event.leaf.as_str()).plain("²");
    }
    line
}

/// The lines of a matrix event.
pub fn lines(event: &MatrixEvent, style: &Style) -> Vec<Line> {
    let row_name = match event.order < 2 {
        true if event.row_shape.is_empty() => event.output.as_str().into(),
        true => operand(&event.output),
        false => event.leaf.as_str().into(),
    };
    let m = &event.matrix;
    let number = |k: usize| grid::number(&grid::entry(m, k / m.columns, k % m.columns));
    let finite = || (0..m.rows * m.columns).all(|k| number(k).is_finite());
    let picture = Picture {
        heading: heading(event),
        rows: Names::new(&row_name, &event.row_shape, style.ascii),
        columns: Names::new(&event.leaf, &event.column_shape, style.ascii),
        numbers: &event.matrix,
        symbols: event
            .symbolic
            .as_ref()
            .and_then(|s| formula::beside(s, style.ascii))
            .filter(|s| event.everywhere && finite() || *s != Symbols::Constant),
    };
    picture.lines(style)
}

impl Picture<'_> {
    /// Heading, names, rows; symbols right of them where they fit.
    pub fn lines(&self, style: &Style) -> Vec<Line> {
        let j = self.numbers;
        let rows = matrix::rows(j.rows, false);
        let shown_rows = || rows.iter().flatten().copied();
        let row_names = self.rows.clone().fitted(shown_rows());
        let gutter = INDENT
            + 2
            + shown_rows()
                .map(|i| crate::terminal::line::width(&row_names.label(i)))
                .max()
                .unwrap_or(0);
        let room = style.frame().saturating_sub(gutter);
        let mut drawn = None;
        if !rows.is_empty() && j.columns > 0 {
            matrix::columns(j.columns, room, |columns| {
                let part = self.numbers_in(&rows, columns, style);
                let fits = part.measure.width() <= room;
                drawn = Some(part);
                fits
            });
        }
        let Some(numbers) = drawn else {
            let mut line = Line::new();
            line.pad(INDENT).append(&self.heading);
            line.plain(format!("    {} × {}", j.rows, j.columns));
            return vec![line];
        };
        let cut = rows.iter().chain(&numbers.columns).any(Option::is_none);
        let symbols = match &self.symbols {
            Some(Symbols::Cells(cells)) => Some(self.symbols_in(cells, style)).filter(|s| {
                gutter + numbers.measure.width() + matrix::BLOCK_GAP + s.measure.width()
                    <= style.frame()
            }),
            _ => None,
        };
        let right = gutter + numbers.measure.width() + matrix::BLOCK_GAP;
        let mut lines = Vec::new();
        let mut line = Line::new();
        line.pad(
            gutter
                .saturating_sub(self.heading.width().saturating_sub(numbers.measure.width()))
                .max(2),
        );
        line.append(&self.heading);
        if cut {
            let facts = format!("    {} × {}, {}", j.rows, j.columns, grid::structure(j));
            if line.width() + crate::terminal::line::width(&facts) <= style.frame() {
                line.plain(facts);
            }
        }
        if symbols.is_some() {
            let clear = line.width() + 2;
            line.pad(right.max(clear)).plain("in symbols");
        }
        lines.push(line);
        let mut line = Line::new();
        line.pad(gutter).append(&numbers.names());
        if let Some(symbols) = &symbols {
            line.pad(right).append(&symbols.names());
        }
        lines.push(line);
        for (k, row) in rows.iter().enumerate() {
            let mut line = Line::new();
            match row {
                Some(i) => line.right(Role::User, &row_names.label(*i), gutter - 2),
                None => line.right(Role::Plain, "⋮", gutter - 2),
            };
            line.pad(gutter).append(&numbers.row(k));
            if let Some(symbols) = &symbols {
                line.pad(right).append(&symbols.row(k));
            } else if k == 0 && self.symbols == Some(Symbols::Constant) && !cut {
                let words = "constant";
                if right + words.len() <= style.frame() {
                    line.pad(right).plain(words);
                }
            }
            lines.push(line);
        }
        lines
    }

    fn numbers_in(&self, rows: &matrix::Shown, columns: &matrix::Shown, style: &Style) -> Part {
        let j = self.numbers;
        let entries: Vec<Option<Vec<Option<Entry<f64>>>>> = rows
            .iter()
            .map(|row| {
                row.map(|i| columns.iter().map(|c| c.map(|k| grid::entry(j, i, k))).collect())
            })
            .collect();
        let all = entries.iter().flatten().flatten().flatten();
        let digits = Digits::of(all.map(grid::number), style.digits);
        let cells = entries
            .iter()
            .map(|row| match row {
                None => matrix::gap_row(columns),
                Some(entries) => entries
                    .iter()
                    .map(|entry| match entry {
                        None => Cell::gap("…"),
                        Some(Entry::Absent) => Cell::absent(),
                        Some(Entry::Unchosen) => Cell::new(Role::Value, "0"),
                        Some(Entry::Value(x)) => Cell::new(Role::Value, digits.text(*x)),
                    })
                    .collect(),
            })
            .collect();
        self.part(columns, cells)
    }

    fn symbols_in(&self, cells: &[Option<String>], _style: &Style) -> Part {
        let n = self.numbers.columns;
        let columns: matrix::Shown = (0..n).map(Some).collect();
        let cells = cells
            .chunks(n.max(1))
            .map(|row| {
                row.iter()
                    .map(|cell| match cell {
                        None => Cell::absent(),
                        Some(text) => Cell::new(Role::Formula, text.as_str()),
                    })
                    .collect()
            })
            .collect();
        self.part(&columns, cells)
    }

    fn part(&self, columns: &matrix::Shown, cells: Vec<Vec<Cell>>) -> Part {
        let names = self.columns.clone().fitted(columns.iter().flatten().copied());
        let labels: Vec<Cell> = columns
            .iter()
            .map(|c| match c {
                Some(k) => Cell::new(Role::User, names.label(*k)),
                None => Cell::gap("…"),
            })
            .collect();
        let texts = cells.iter().flatten().chain(&labels).map(|c| c.text.as_str());
        Part { measure: Measure::of(columns, texts), columns: columns.clone(), labels, cells }
    }
}

/// Cells with their measure.
struct Part {
    measure: Measure,
    columns: matrix::Shown,
    labels: Vec<Cell>,
    cells: Vec<Vec<Cell>>,
}

impl Part {
    fn names(&self) -> Line {
        self.measure.names(&self.labels)
    }

    fn row(&self, k: usize) -> Line {
        self.measure.bracketed(&self.cells[k], matrix::brackets(k, self.cells.len()))
    }
}
