//! To the right of the numbers: symbols, worked sums, the phrase, short remarks.

use super::block::{self, Block};
use super::formula::{self, Symbols};
use super::phrase;
use crate::matrix::element_names::Names;
use crate::matrix::{self, Cell, Measure, grid};
use crate::panel::Sheet;
use crate::panel::weighted_rows::{self, Beside};
use crate::terminal::line::width;
use crate::terminal::roles::Spot;
use crate::{Line, Role, Style, echo};
use vjp_eval::LeafReport;
use vjp_jacobian::Entry;
use vjp_tensor::Tensor;
use vjp_text::digits::{Digits, added, factor, lone};

/// Worked sums are shown for J of at most so many rows and columns.
const SUM_ROWS: usize = 4;
const SUM_COLUMNS: usize = 3;

/// Symbols are shown for J of at most so many entries.
const SMALL: usize = 16;

/// Blanks between symbols and a remark.
const REMARK_GAP: usize = 3;

/// What has found its place beside the numbers and is not said again below.
#[derive(Clone, Copy, Debug, Default)]
pub struct Placed {
    pub phrase: bool,
    pub indices: bool,
    pub unreached: bool,
    pub differs: bool,
}

/// What stands right of the block of the only leaf.
pub fn single(sheet: &Sheet, leaf: &LeafReport, block: &Block, placed: &mut Placed) -> Beside {
    let mut right = Beside::default();
    let blocks = std::slice::from_ref(block);
    let column = weighted_rows::right_of(&sheet.gutter, blocks, sheet.form);
    let room = sheet.style.frame().saturating_sub(column);
    let mut width = 0;
    let mut remarks = side_remarks(sheet, leaf);
    if leaf.agrees
        && let Some(symbolic) = leaf.symbolic.get()
        && symbolic.rows * symbolic.columns <= SMALL
        && formula::holds(sheet.backward, leaf, symbolic)
    {
        match formula::beside(symbolic, sheet.style.ascii) {
            Some(Symbols::Cells(cells)) => {
                let drawn = symbols(sheet, leaf, &cells);
                if drawn.1 <= room {
                    (right, width) = drawn;
                    let step = |c: &String| c.contains(['<', '>']) && !c.contains("where");
                    let compares = cells.iter().flatten().any(step);
                    if compares && symbolic.rows > 1 {
                        remarks.push("1 where true,".to_string());
                        remarks.push("0 where false".to_string());
                    } else if compares {
                        remarks.push("1 where true, 0 where false".to_string());
                    }
                }
            }
            Some(Symbols::Constant)
                if leaf.linear && !sheet.backward.repeated && !leaf.identity =>
            {
                let mut words = Line::of(Role::Plain, "constant: the same for every ");
                words.push(Role::User, leaf.name.as_str());
                if words.width() <= room {
                    width = words.width();
                    right.rows = vec![words];
                }
            }
            _ => {}
        }
    }
    place_remarks(sheet, &mut right, width, room, &remarks, placed);
    if let Some(sums) = sums(sheet, leaf, block.digits).filter(|s| s.width() <= room) {
        right.vjp = sums;
    }
    right
}

/// The output as a short word.
fn subject(sheet: &Sheet) -> String {
    sheet.backward.output.clone()
}

fn side_remarks(sheet: &Sheet, leaf: &LeafReport) -> Vec<String> {
    let mut remarks = Vec::new();
    if sheet.terse {
        return remarks;
    }
    if sheet.backward.repeated {
        remarks.push("one row, repeated".to_string());
        remarks.push("for each weight".to_string());
    }
    if leaf.flat {
        remarks.push("slope 0 except at jumps".to_string());
    }
    if leaf.identity {
        remarks.push("y is the leaf itself".replacen('y', &subject(sheet), 1));
    }
    if let Some(text) = indices(sheet) {
        remarks.insert(0, text);
    }
    remarks
}

/// `y₁ is y[0] in code`, once per session.
pub fn indices(sheet: &Sheet) -> Option<String> {
    let b = sheet.backward;
    if !b.explain_indices {
        return None;
    }
    let leaf = b.leaves.iter().find(|l| !l.value.shape().is_empty());
    let (name, shape) = if b.named && !b.value.shape().is_empty() {
        (&b.output, b.value.shape())
    } else {
        let leaf = leaf?;
        (&leaf.name, leaf.value.shape())
    };
    let names = Names::new(name, shape, sheet.style.ascii);
    Some(format!("{} is {} in code", names.full(0), names.code(0)))
}

fn place_remarks(
    sheet: &Sheet,
    right: &mut Beside,
    width: usize,
    room: usize,
    remarks: &[String],
    placed: &mut Placed,
) {
    let indent = if width > 0 { width + REMARK_GAP } else { 0 };
    if remarks.is_empty() || remarks.iter().any(|r| indent + crate::terminal::line::width(r) > room)
    {
        return;
    }
    let height = sheet.rows.len();
    // A lone remark stands at the first row, more of them in the middle.
    let start = if remarks.len() > 1 { 1.min(height.saturating_sub(remarks.len())) } else { 0 };
    if start + remarks.len() > height {
        return;
    }
    let taken = right.rows.len().max(start + remarks.len());
    right.rows.resize(taken, Line::new());
    for (line, remark) in right.rows[start..].iter_mut().zip(remarks) {
        line.pad(indent).push(Role::User, remark.as_str());
    }
    placed.indices = sheet.backward.explain_indices;
}

/// The symbolic block and its width.
fn symbols(sheet: &Sheet, leaf: &LeafReport, cells: &[Option<String>]) -> (Beside, usize) {
    let n = leaf.jacobian.columns;
    let columns: Vec<Option<usize>> = (0..n).map(Some).collect();
    let names = Names::new(&leaf.name, leaf.value.shape(), sheet.style.ascii).fitted(0..n);
    let label = |k| Cell::new(Role::User, names.label(k)).at(Spot::Column(0, k));
    let labels: Vec<Cell> = (0..n).map(label).collect();
    let grid: Vec<Vec<Cell>> = sheet
        .rows
        .iter()
        .map(|row| match row {
            None => matrix::gap_row(&columns),
            Some(i) => {
                let from = if sheet.backward.repeated { 0 } else { *i };
                cells[from * n..(from + 1) * n]
                    .iter()
                    .enumerate()
                    .map(|(k, cell)| {
                        let cell = match cell {
                            None => Cell::absent(),
                            Some(text) => Cell::new(Role::Formula, text.as_str()),
                        };
                        cell.at(Spot::Formula(0, *i, k))
                    })
                    .collect()
            }
        })
        .collect();
    let texts = grid.iter().flatten().chain(&labels).map(|c| c.text.as_str());
    let measure = Measure::of(&columns, texts);
    let height = grid.len();
    let rows = grid.iter().enumerate();
    let right = Beside {
        heading: Line::of(Role::Plain, "in symbols"),
        names: measure.names(&labels),
        rows: rows
            .map(|(k, cells)| measure.bracketed(cells, matrix::brackets(k, height)))
            .collect(),
        ..Beside::default()
    };
    (right, measure.width())
}

/// The columns of a small J worked out: `1×6 + 10×2,  10×24 + 100×10`.
fn sums(sheet: &Sheet, leaf: &LeafReport, digits: Digits) -> Option<Line> {
    let (b, j) = (sheet.backward, &leaf.jacobian);
    let v = b.v.data();
    if sheet.terse || !leaf.agrees || v.len() > SUM_ROWS || j.columns > SUM_COLUMNS {
        return None;
    }
    let entries: Vec<Vec<Entry<f64>>> = (0..j.columns)
        .map(|k| (0..v.len()).map(|i| grid::entry(j, if b.repeated { 0 } else { i }, k)).collect())
        .collect();
    let weights = Digits::typed(v.iter().copied(), sheet.style.digits);
    let columns: Vec<String> = entries
        .iter()
        .map(|column| {
            let mut text = String::new();
            for (entry, &weight) in column.iter().zip(v) {
                // Of a Function's code no path is known, only that the slope is 0.
                let written = leaf.method.is_some() && grid::number(entry) == 0.0;
                if *entry == Entry::Absent || written {
                    continue;
                }
                let slope = factor(digits.text(grid::number(entry)));
                let (sign, size) = match (text.is_empty(), weight < 0.0) {
                    (true, _) => ("", weights.text(weight)),
                    (false, true) => (" − ", weights.text(-weight)),
                    (false, false) => (" + ", weights.text(weight)),
                };
                text.push_str(&format!("{sign}{size}×{slope}"));
            }
            if text.is_empty() {
                text.push('0');
            }
            text
        })
        .collect();
    let mut line = Line::new();
    for (k, column) in columns.iter().enumerate() {
        line.plain(if k > 0 { ",  " } else { "" });
        line.push_spot(Role::Plain, column, Some(Spot::Sum(0, k)));
    }
    Some(line)
}

/// ` = [6, 120] + [6, 12]`, where both are short; with the digits that the same numbers have in a block.
pub fn accumulated(leaf: &LeafReport, digits: Option<Digits>, style: &Style) -> Option<Line> {
    let before = block::before(leaf)?;
    let room = style.frame() / 2;
    let whole = |tensor: &Tensor| tensor.data().iter().all(|x| x.fract() == 0.0);
    let text = |tensor: &Tensor, digits: Option<Digits>| match digits {
        Some(digits) if tensor.numel() <= room => {
            let data = tensor.data();
            let text = echo::nested(tensor.shape(), 0, &mut |i| digits.text(data[i]));
            (width(&text) <= room).then_some(text)
        }
        _ => echo::on_one_line(tensor, room, style),
    };
    let mut line = Line::of(Role::Plain, "= ");
    line.push(Role::Cotangent, text(before, digits.filter(|_| !whole(before)))?);
    let contribution = text(&leaf.contribution, digits)?;
    let (sign, size) = added(&contribution);
    line.plain(sign).push(Role::Cotangent, size);
    Some(line)
}

/// What follows the gradients of a band: the mark of its last leaf and what it needs to say.
pub fn ending(sheet: &Sheet, band: &[Block], last_band: bool, placed: &mut Placed) -> Line {
    let (b, style) = (sheet.backward, sheet.style);
    let mut line = Line::new();
    let Some(block) = band.last() else {
        return line;
    };
    let leaf = &b.leaves[block.leaf];
    let single = b.leaves.len() == 1;
    // The grad line without what is added here, mark's blank included.
    let start = weighted_rows::right_of(&sheet.gutter, band, sheet.form) - matrix::BLOCK_GAP + 1;
    let frame = style.frame();
    if single
        && !sheet.form.before
        && let Some(text) = accumulated(leaf, Some(block.sums), style)
    {
        line.append(&text).plain(" ");
    }
    // Where several leaves end a line, the words that say where they differ stand below.
    line.append(&weighted_rows::mark(leaf.agrees, style));
    if single && !leaf.agrees {
        let words = differing(leaf, style);
        if start + line.width() + 1 + words.width() <= frame {
            line.plain(" ").append(&words);
            placed.differs = true;
        }
    }
    let mut words = String::new();
    if leaf.agrees && leaf.vjp.data().iter().any(|x| x.is_nan()) {
        words.push_str(" nan in both");
    }
    if single && sheet.form.before {
        words.push_str(" = before + vᵀJ");
    }
    if !single && band.len() == 1 && sheet.form.compact && leaf.value.shape().len() > 1 {
        words.push_str(&format!(" shape {:?}", leaf.value.shape()));
    }
    if start + line.width() + width(&words) <= frame {
        line.plain(words.as_str());
    }
    // In the column of the symbols, else right after what stands there.
    let gap = if words.is_empty() { 1 } else { 2 };
    let mut add = |text: &Line, column: usize, gap: usize| -> bool {
        for column in [column, line.width() + gap] {
            let column = column.max(line.width() + gap);
            if start + column + text.width() <= frame {
                line.pad(column).append(text);
                return true;
            }
        }
        false
    };
    if single && let Some(text) = phrase::phrase(b, style) {
        placed.phrase = add(&text, matrix::BLOCK_GAP - 1, gap);
    }
    if last_band
        && band.len() < 3
        && let [unreached] = b.unreached.as_slice()
    {
        placed.unreached = add(&crate::panel::remarks::unreached(unreached), 7, 2);
    }
    line
}

/// `differs from vᵀJ at x₁, x₂`, by how much where no cause is known; `differs from the program at x₁`.
pub fn differing(leaf: &LeafReport, style: &Style) -> Line {
    let names = Names::new(&leaf.called(), leaf.value.shape(), style.ascii);
    let mut line = Line::of(
        Role::Plain,
        if leaf.unlike_text { "differs from the program at " } else { "differs from vᵀJ at " },
    );
    for (k, &position) in leaf.differing.iter().take(3).enumerate() {
        line.plain(if k > 0 { ", " } else { "" });
        line.push(Role::User, names.full(position));
    }
    if leaf.differing.len() > 3 {
        line.plain(format!(" and {} more", leaf.differing.len() - 3));
    }
    if leaf.max_difference.is_finite() && leaf.max_difference > 0.0 {
        let by = lone(leaf.max_difference, style.digits);
        line.plain(if leaf.differing.len() > 1 { " by up to " } else { " by " }).plain(by);
    }
    line
}
