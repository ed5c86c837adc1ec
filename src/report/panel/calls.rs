//! Several backwards of one source line: a line for each call.

use super::{block, formula};
use crate::document::Calls;
use crate::matrix::element_names::Names;
use crate::matrix::grid;
use crate::panel::{margin, remarks, weighted_rows};
use crate::terminal::line::{fold, width};
use crate::{Line, Role, Style, echo};
use std::rc::Rc;
use vjp_eval::{Backward, LeafReport};
use vjp_jacobian::Entry;
use vjp_text::digits::{Digits, added, factor};

/// Where the columns of the lines begin, and blanks between them.
const INDENT: usize = 4;
const GAP: usize = 2;

/// Where the reasons for a ✗ begin.
const CAUSES: usize = 9;

/// The lines for several calls; J above them where it was the same in each.
pub fn lines(calls: &Calls, style: &Style) -> Vec<Line> {
    let mut lines = Vec::new();
    let Some((_, first)) = calls.shown.first() else {
        return lines;
    };
    if calls.constant {
        if !first.echoed {
            lines.extend(crate::panel::value(first, style).into_iter().take(8));
        }
        lines.push(Line::new());
        lines.extend(jacobian(first, style));
    }
    lines.push(Line::new());
    let table = match first.leaves.as_slice() {
        [_] => single(calls, style),
        _ => None,
    };
    lines.extend(table.unwrap_or_else(|| several(calls, style)));
    // What one ✗ is explained by explains the others.
    if let Some((_, b)) = calls.shown.iter().find(|(_, b)| b.leaves.iter().any(|l| !l.agrees)) {
        let causes =
            remarks::apart(&b.causes).flat_map(|c| remarks::because(c, &b.causes, CAUSES, style));
        let blank = (!b.causes.is_empty()).then(Line::new);
        lines.extend(blank.into_iter().chain(causes));
    }
    if let Some((_, last)) = calls.shown.last() {
        lines.extend(remarks::moved(last, style));
    }
    if elided(calls) {
        lines.push(Line::of(
            Role::Plain,
            format!("    {} calls; :panel call N shows any of them", calls.total),
        ));
    }
    lines
}

/// Whether some calls have no line: the first has a panel where J changes.
fn elided(calls: &Calls) -> bool {
    calls.total > calls.shown.len() + usize::from(!calls.constant)
}

/// J alone, without v: `∂y/∂x` over the names, symbols beside it.
fn jacobian(first: &Rc<Backward>, style: &Style) -> Vec<Line> {
    let mut lines = Vec::new();
    for leaf in &first.leaves {
        let matrix = crate::matrix::alone::Picture {
            heading: block::derivative(&first.output, leaf),
            rows: Names::new(&first.output, first.value.shape(), style.ascii),
            columns: Names::new(&leaf.name, leaf.value.shape(), style.ascii),
            numbers: &leaf.jacobian,
            symbols: leaf
                .symbolic
                .get()
                .filter(|_| first.leaves.len() == 1)
                .and_then(|s| formula::beside(s, style.ascii)),
        };
        lines.extend(matrix.lines(style));
    }
    lines
}

/// One row of the table: number or weight, gradient, before, contribution, mark.
struct Row {
    cells: Vec<(Role, String)>,
    agrees: bool,
}

/// The table for a single leaf: `v  x.grad = before + v×J`; None where it is too wide.
fn single(calls: &Calls, style: &Style) -> Option<Vec<Line>> {
    let backwards = || calls.shown.iter().map(|(_, b)| b);
    let first = backwards().next()?;
    let weights = backwards().any(|b| !b.implicit);
    let scalar = |b: &Backward| b.value.shape().is_empty();
    let values = !calls.constant && backwards().all(|b| scalar(b));
    let accumulates = backwards().any(|b| block::before(&b.leaves[0]).is_some());
    let worked = calls.constant
        && backwards().all(|b| scalar(b) && !b.repeated && b.leaves[0].value.shape().is_empty());

    let v = backwards().flat_map(|b| b.v.data().iter().copied());
    let v: Vec<f64> = v.collect();
    let v = Digits::typed(v.iter().copied(), style.digits);
    let numbers: Vec<f64> = backwards()
        .flat_map(|b| {
            let leaf = &b.leaves[0];
            let all = leaf.grad.data().iter().chain(leaf.contribution.data());
            all.copied().collect::<Vec<f64>>()
        })
        .collect();
    let digits = Digits::of(numbers.iter().copied(), style.digits);
    let text = |data: &[f64], digits: Digits, shape: &[usize]| -> String {
        echo::nested(shape, 0, &mut |i| digits.text(data[i]))
    };

    let mut header: Vec<String> = Vec::new();
    if !calls.constant {
        header.push("call".to_string());
    }
    if values {
        header.push(first.output.clone());
    }
    if weights {
        header.push("v".to_string());
    }
    // Rows of different values belong under no common name.
    let called = first.leaves[0].called();
    if backwards().any(|b| b.leaves[0].called() != called) {
        return None;
    }
    header.push(format!("{called}.grad"));
    let mut rows = Vec::new();
    for (number, b) in &calls.shown {
        let leaf = &b.leaves[0];
        if leaf.value.numel() > 8 || b.v.numel() > 8 {
            return None;
        }
        let shape = leaf.value.shape();
        let mut cells = Vec::new();
        if !calls.constant {
            cells.push((Role::Plain, number.to_string()));
        }
        if values {
            cells.push((Role::Value, echo::list(&b.value, style)));
        }
        if weights {
            cells.push((Role::Cotangent, text(b.v.data(), v, b.v.shape())));
        }
        cells.push((Role::Cotangent, text(leaf.grad.data(), digits, shape)));
        if accumulates {
            cells.push((
                Role::Cotangent,
                block::before(leaf).map_or(String::new(), |g| text(g.data(), digits, shape)),
            ));
        }
        let contribution = if worked {
            let slope = digits.text(grid::number(&grid::entry(&leaf.jacobian, 0, 0)));
            format!("{}×{}", v.text(b.v.data()[0]), factor(slope))
        } else {
            text(leaf.contribution.data(), digits, shape)
        };
        if accumulates || worked {
            cells.push((Role::Cotangent, contribution));
        }
        rows.push(Row { cells, agrees: leaf.agrees });
    }
    let sum = match (accumulates, worked) {
        (true, true) => " = before + v×J",
        (true, false) => " = before + vᵀJ",
        (false, true) => " = v×J",
        (false, false) => " = vᵀJ",
    };
    table(&header, sum, &rows, calls, accumulates, style)
}

/// The number of leading columns in `header`; then the gradient and the terms of its sum.
fn table(
    header: &[String],
    sum: &str,
    rows: &[Row],
    calls: &Calls,
    accumulates: bool,
    style: &Style,
) -> Option<Vec<Line>> {
    let columns = rows.first()?.cells.len();
    let widths: Vec<usize> = (0..columns)
        .map(|k| {
            let cells = rows.iter().map(|r| width(&r.cells[k].1));
            let head = header.get(k).map_or(0, |h| width(h));
            cells.chain([head]).max().unwrap_or(0)
        })
        .collect();
    let grad = header.len() - 1;
    let mut lines = Vec::new();
    let mut line = Line::new();
    let mut end = INDENT;
    for (k, name) in header.iter().enumerate() {
        end += widths[k] + if k > 0 { GAP } else { 0 };
        line.right(Role::User, name, end);
    }
    line.plain(sum);
    lines.push(line);
    let mut longest = 0;
    let drawn: Vec<Line> = rows
        .iter()
        .map(|row| {
            let mut line = Line::new();
            let mut end = INDENT;
            for (k, (role, text)) in row.cells.iter().enumerate() {
                end += widths[k] + if k > 0 && k <= grad { GAP } else { 0 };
                if k > grad {
                    end += 3;
                    let first = k == grad + 1;
                    let empty = text.is_empty();
                    let two = columns > grad + 2;
                    // Nothing was there before: the sum has one term, under the others.
                    let lone = empty || row.cells[k - 1].1.is_empty();
                    let (sign, term) = match (first, two && !lone) {
                        (true, _) => (" = ", text.as_str()),
                        (false, true) => added(text),
                        (false, false) => ("   ", text.as_str()),
                    };
                    line.plain(sign).right(*role, term, end);
                    continue;
                }
                line.right(*role, text, end);
            }
            longest = longest.max(line.width());
            line
        })
        .collect();
    if longest + 5 > style.frame() {
        return None;
    }
    for (k, (mut line, row)) in drawn.into_iter().zip(rows).enumerate() {
        if k + 1 == rows.len() && elided(calls) {
            lines.push(gap(&widths));
        }
        line.pad(longest + 3);
        line.append(&weighted_rows::mark(row.agrees, style));
        let advice = "      x.grad = None resets it";
        let present = calls.shown.iter().all(|(_, b)| !b.leaves[0].earlier);
        if k + 1 == rows.len()
            && accumulates
            && present
            && line.width() + width(advice) <= style.frame()
        {
            let leaf = &calls.shown[0].1.leaves[0].name;
            line.plain("      ").push(Role::User, leaf.as_str());
            line.plain(".grad = None resets it");
        }
        lines.push(line);
    }
    Some(lines)
}

/// `⋮` under the first column.
fn gap(widths: &[usize]) -> Line {
    let mut line = Line::new();
    line.right(Role::Plain, "⋮", INDENT + widths.first().copied().unwrap_or(1));
    line
}

/// A line per call where there are several leaves or large ones: what each leaf got.
fn several(calls: &Calls, style: &Style) -> Vec<Line> {
    let mut lines = Vec::new();
    let widest = calls.shown.iter().map(|(n, _)| n.to_string().len()).max();
    let widest = widest.unwrap_or(1).max(4);
    lines.push({
        let mut line = Line::new();
        line.right(Role::Plain, "call", INDENT + widest);
        line
    });
    for (k, (number, b)) in calls.shown.iter().enumerate() {
        if k + 1 == calls.shown.len() && elided(calls) {
            lines.push(gap(&[widest]));
        }
        let mut line = Line::new();
        line.right(Role::Plain, &number.to_string(), INDENT + widest);
        if b.value.shape().is_empty() {
            line.plain("  ").push(Role::User, b.output.as_str()).plain(" ");
            line.push(Role::Value, echo::list(&b.value, style));
        }
        let agrees = b.leaves.iter().all(|l| l.agrees);
        let mark = weighted_rows::mark(agrees, style);
        let more = |left: usize| match left {
            0 => String::new(),
            1 => "  … 1 more leaf".to_owned(),
            n => format!("  … {n} more leaves"),
        };
        let mut left = b.leaves.len();
        for leaf in &b.leaves {
            let rest = more(left - 1).chars().count() + 2 + mark.width();
            let room = style.frame().saturating_sub(line.width() + rest);
            let Some(part) = forms(leaf, style).into_iter().find(|p| p.width() <= room) else {
                continue;
            };
            line.append(&part);
            left -= 1;
        }
        line.plain(more(left)).plain("  ").append(&mark);
        lines.push(line);
        for leaf in b.leaves.iter().filter(|l| !l.agrees).take(1) {
            let mut line = Line::new();
            line.pad(INDENT + widest + 2);
            line.push(Role::User, leaf.called()).plain(".grad ");
            line.append(&margin::differing(leaf, style));
            lines.extend(fold(&line, style.frame(), INDENT + widest + 4));
        }
    }
    lines
}

/// What a leaf got, in a line of calls: with what was there before, without, and by its size alone.
fn forms(leaf: &LeafReport, style: &Style) -> Vec<Line> {
    let mut start = Line::of(Role::Plain, "  ");
    start.push(Role::User, leaf.called());
    start.push(Role::Cotangent, ".grad");
    start.plain(" ");
    let mut forms = Vec::new();
    if leaf.value.numel() <= 4 {
        let mut whole = start.clone();
        whole.push(Role::Cotangent, echo::list(&leaf.grad, style));
        if block::before(leaf).is_some()
            && let Some(sum) = margin::accumulated(leaf, None, style)
        {
            let mut added = whole.clone();
            added.plain(" ").append(&sum);
            forms.push(added);
        }
        forms.push(whole);
    }
    let data = leaf.grad.data();
    let largest = data.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let largest = vjp_text::digits::lone(largest, style.digits);
    start.plain(format!("{:?} max |.| {largest}", leaf.value.shape()));
    forms.push(start);
    forms
}

/// Whether two calls of a line have the same small J for the same, only leaf.
pub fn same_jacobian(a: &Backward, b: &Backward) -> bool {
    /// Larger ones are not compared: they would not stand above the lines anyway.
    const LARGEST: usize = 64;
    let row = |e: &Entry<f64>| match e {
        Entry::Absent => (0, 0),
        Entry::Unchosen => (1, 0),
        Entry::Value(x) => (2, x.to_bits()),
    };
    a.leaves.len() == 1
        && b.leaves.len() == 1
        && a.repeated == b.repeated
        && a.leaves.iter().zip(&b.leaves).all(|(a, b)| {
            let (j, k) = (&a.jacobian, &b.jacobian);
            a.called() == b.called()
                && a.agrees
                && b.agrees
                && (j.rows, j.columns) == (k.rows, k.columns)
                && j.rows <= 4
                && j.rows * j.columns <= LARGEST
                && (0..j.rows * j.columns).all(|at| {
                    let (i, c) = (at / j.columns, at % j.columns);
                    row(&grid::entry(j, i, c)) == row(&grid::entry(k, i, c))
                })
        })
}
