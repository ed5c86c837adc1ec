//! One leaf's block: J, vᵀJ and the gradient, in one measure and with one number of decimals.

use crate::matrix::element_names::{Names, operand};
use crate::matrix::{self, Cell, Measure, Shown, grid};
use crate::terminal::roles::Spot;
use crate::{Line, Role, Style};
use std::collections::HashSet;
use vjp_eval::record::event::EdgeReport;
use vjp_eval::{Backward, LeafReport};
use vjp_jacobian::{Entry, Jacobian};
use vjp_tensor::Tensor;
use vjp_text::digits::Digits;

/// The lines of a block, each as wide as `width`.
#[derive(Clone, Debug)]
pub struct Block {
    /// Index into the backward's leaves.
    pub leaf: usize,
    pub width: usize,
    pub heading: Line,
    pub names: Line,
    /// The column names are indices alone: the heading must carry the name.
    pub bare: bool,
    pub rows: Vec<Line>,
    pub vjp: Line,
    pub before: Option<Line>,
    pub grad: Line,
    /// How its numbers are written, wherever they stand again.
    pub digits: Digits,
    /// How they are beside those of an earlier gradient.
    pub sums: Digits,
}

/// What the leaf's gradient held before; zeros are nothing that would show in the sum.
pub fn before(leaf: &LeafReport) -> Option<&Tensor> {
    let before = leaf.grad_before.as_ref()?;
    before.data().iter().any(|&x| x != 0.0).then_some(before)
}

/// The block of a leaf within so many columns; None where it cannot be drawn as a matrix.
pub fn block(
    backward: &Backward,
    leaf: usize,
    rows: &Shown,
    room: usize,
    style: &Style,
) -> Option<Block> {
    let report = &backward.leaves[leaf];
    let j = &report.jacobian;
    let n = j.columns;
    if n == 0 || rows.is_empty() {
        return None;
    }
    let stars = stars(backward, leaf);
    let mut drawn = None;
    matrix::columns(n, room, |columns| {
        let block = draw(backward, leaf, rows, columns, &stars, style);
        let fits = block.width <= room;
        drawn = Some(block);
        fits
    })?;
    let mut block = drawn?;
    block.heading = heading(backward, report, rows, &block, room, style);
    Some(block)
}

/// Entries of J that are to be starred.
fn stars(backward: &Backward, leaf: usize) -> HashSet<(usize, usize)> {
    let entries = backward.corners.iter().flat_map(|c| &c.entries);
    let entries = entries.copied().chain(backward.edges.iter().map(EdgeReport::place));
    entries.filter(|(l, _, _)| *l == leaf).map(|(_, row, column)| (row, column)).collect()
}

/// The row of J that a drawn row stands for: the only one where J is repeated.
fn row_of(j: &Jacobian<f64>, row: usize) -> usize {
    if j.rows == 1 { 0 } else { row }
}

fn draw(
    backward: &Backward,
    leaf: usize,
    rows: &Shown,
    columns: &Shown,
    stars: &HashSet<(usize, usize)>,
    style: &Style,
) -> Block {
    let report = &backward.leaves[leaf];
    let j = &report.jacobian;
    let shown = || columns.iter().flatten().copied();
    // Where no heading says which of several values of a name it is, its columns do.
    let alone = super::is_compact(backward) && backward.leaves.len() > 1;
    let names = match report.value.shape() {
        [] if alone => Names::new(&report.called(), &[], style.ascii),
        shape => Names::new(&report.name, shape, style.ascii).fitted(shown()),
    };
    let names = if alone && report.called() != report.name { names.bare() } else { names };
    let entries: Vec<Vec<Entry<f64>>> = rows
        .iter()
        .flatten()
        .map(|&i| shown().map(|k| grid::entry(j, row_of(j, i), k)).collect())
        .collect();
    let at = |data: &[f64]| -> Vec<f64> {
        shown().map(|k| data.get(k).copied().unwrap_or(0.0)).collect()
    };
    let vjp = at(report.vjp.data());
    let grad = at(report.grad.data());
    let before = before(report).map(|g| at(g.data()));
    let slopes = || entries.iter().flatten().map(grid::number).chain(vjp.iter().copied());
    let gradients = || grad.iter().copied().chain(before.iter().flatten().copied());
    let all = Digits::of(slopes().chain(gradients()), style.digits);
    // Digits that only the sums with an earlier gradient need are not those of whole slopes.
    let digits = match slopes().all(|x| x == x.trunc()) {
        true => Digits::of(slopes(), style.digits),
        false => all,
    };

    let spread = |mut cells: std::vec::IntoIter<Cell>, gap: &str| -> Vec<Cell> {
        columns
            .iter()
            .map(|column| match column {
                Some(_) => cells.next().unwrap_or_else(Cell::absent),
                None => Cell::gap(gap),
            })
            .collect()
    };
    let line_of = |numbers: &[f64], digits: Digits, spot: fn(usize, usize) -> Spot| {
        let cell = |(&x, k)| Cell::new(Role::Cotangent, digits.text(x)).at(spot(leaf, k));
        let cells: Vec<Cell> = numbers.iter().zip(shown()).map(cell).collect();
        spread(cells.into_iter(), "…")
    };
    let mut entry_rows = entries.iter();
    let grid_rows: Vec<Vec<Cell>> = rows
        .iter()
        .map(|row| match (row, row.and_then(|_| entry_rows.next())) {
            (Some(i), Some(entries)) => {
                let cells: Vec<Cell> = entries
                    .iter()
                    .zip(shown())
                    .map(|(entry, k)| {
                        let mut cell = match entry {
                            Entry::Absent => Cell::absent(),
                            Entry::Unchosen => Cell::new(Role::Value, "0"),
                            Entry::Value(x) => Cell::new(Role::Value, digits.text(*x)),
                        };
                        cell.star = stars.contains(&(row_of(j, *i), k));
                        cell.at(Spot::Entry(leaf, *i, k))
                    })
                    .collect();
                spread(cells.into_iter(), "…")
            }
            _ => matrix::gap_row(columns),
        })
        .collect();
    let label = |k| Cell::new(Role::User, names.label(k)).at(Spot::Column(leaf, k));
    let labels: Vec<Cell> = shown().map(label).collect();
    let labels = spread(labels.into_iter(), "…");
    let vjp = line_of(&vjp, digits, Spot::Product);
    let grad = line_of(&grad, all, Spot::Gradient);
    let before = before.map(|g| line_of(&g, all, Spot::Before));
    let texts = grid_rows
        .iter()
        .flatten()
        .chain(&labels)
        .chain(&vjp)
        .chain(&grad)
        .chain(before.iter().flatten());
    let measure = Measure::of(columns, texts.map(|c| c.text.as_str()));
    let n = grid_rows.len();
    Block {
        leaf,
        width: measure.width(),
        heading: Line::new(),
        names: measure.names(&labels),
        bare: names.is_bare(),
        rows: grid_rows
            .iter()
            .enumerate()
            .map(|(k, cells)| measure.bracketed(cells, matrix::brackets(k, n)))
            .collect(),
        vjp: measure.bracketed(&vjp, ('[', ']')),
        before: before.map(|cells| measure.bracketed(&cells, ('[', ']'))),
        grad: measure.bracketed(&grad, ('[', ']')),
        digits,
        sums: all,
    }
}

/// `∂y/∂x`, in ASCII `dy/dx`.
pub fn derivative(output: &str, leaf: &LeafReport) -> Line {
    let mut line = Line::of(Role::Plain, "∂");
    line.push(Role::User, operand(output));
    line.plain("/∂").push(Role::User, leaf.name.as_str());
    line.plain(leaf.since());
    line
}

/// `J = ∂y/∂x    1000 × 1000, diagonal, ∂yᵢ/∂xᵢ = 3xᵢ²`: the name, and for what is not shown
/// whole its size and structure.
fn heading(
    backward: &Backward,
    report: &LeafReport,
    rows: &Shown,
    block: &Block,
    room: usize,
    style: &Style,
) -> Line {
    let single = backward.leaves.len() == 1;
    let mut line = Line::new();
    if single {
        line.plain("J = ");
    }
    line.append(&derivative(&backward.output, report));
    let j = &report.jacobian;
    let cut = rows.iter().any(Option::is_none) || block.width < 2 * j.columns;
    let mut facts = Vec::new();
    if cut && !backward.repeated {
        facts.push(Line::of(
            Role::Plain,
            format!("{} × {}, {}", j.rows, j.columns, grid::structure(j)),
        ));
    }
    facts.extend(
        report
            .symbolic
            .get()
            .filter(|_| single)
            .and_then(|s| super::formula::generic(s, backward, report, style.ascii)),
    );
    // The heading of a lone block may begin further left.
    let room = if single { style.frame().saturating_sub(2) } else { room.max(block.width) };
    for (k, fact) in facts.iter().enumerate() {
        if line.width() + fact.width() + 4 > room {
            break;
        }
        line.plain(if k == 0 { "    " } else { ", " }).append(fact);
    }
    line
}
