//! `:check`: the gradients of a backward computed in three ways, one under the other, leaf by leaf.

use crate::matrix::element_names::Names;
use crate::matrix::{self, Cell, Measure, Shown};
use crate::panel::weighted_rows::mark;
use crate::terminal::line::{fold, width};
use crate::{Line, Role, Style};
use vjp_eval::record::event::{LeafRoutes, Routes, Untold};
use vjp_text::digits::{Digits, grouped};

/// Leaves that get a table, and leaves that are named; the rest are counted.
const TABLES: usize = 4;
const NAMED: usize = 10;

const INDENT: usize = 2;
const SWEEP: &str = "reverse sweep";
const FORWARDS: &str = "vᵀJ, forward";
const DIFFERENCES: &str = "differences";

/// The tables of all leaves.
pub fn lines(event: &Routes, style: &Style) -> Vec<Line> {
    let rows = Names::new(&event.output, &event.shape, style.ascii);
    let mut all = Vec::new();
    for (k, leaf) in event.leaves.iter().enumerate().take(NAMED) {
        if k < TABLES || !leaf.agrees() {
            all.extend(table(leaf, &rows, style));
        } else {
            let mut line = Line::new();
            line.pad(INDENT).push(Role::User, leaf.name.as_str());
            let ways = if leaf.unknown.is_empty() { "three" } else { "two" };
            line.plain(format!("  {ways} ways agree ")).append(&mark(true, style));
            all.push(line);
        }
    }
    let rest = event.leaves.get(NAMED..).unwrap_or_default();
    if !rest.is_empty() {
        let agree = rest.iter().all(LeafRoutes::agrees);
        let mut line = Line::new();
        line.pad(INDENT)
            .plain(format!("… {} more leaves, ", rest.len()))
            .plain(if agree { "all " } else { "not all " })
            .append(&mark(agree, style));
        all.push(line);
    }
    let differs = event.leaves.iter().any(|leaf| !leaf.differing.is_empty());
    if let Some(name) = event.hooked.as_ref().filter(|_| differs) {
        let mut line = Line::new();
        line.pad(INDENT).plain("the hook on ").push(Role::User, name.as_str());
        line.plain(" changed the gradient; vᵀJ and the differences are without it");
        all.extend(fold(&line, style.frame(), INDENT + 4));
    }
    let why = match event.untold {
        Some(Untold::Long) => "it is too long to be run again".to_owned(),
        Some(Untold::Other) => format!("run again, it gives another {}", event.output),
        Some(Untold::NotAsked) | None => return all,
    };
    let mut line = Line::new();
    let says = "The differences repeat the recorded operations, not the program";
    line.pad(INDENT).push(Role::Hint, format!("{says}: {why}."));
    all.extend(fold(&line, style.frame(), INDENT + 4));
    all
}

fn table(leaf: &LeafRoutes, rows: &Names, style: &Style) -> Vec<Line> {
    let n = leaf.sweep.numel();
    let names = Names::new(&leaf.name, leaf.sweep.shape(), style.ascii);
    let gutter = INDENT + width(FORWARDS).max(width(&leaf.name)) + 2;
    let room = style.frame().saturating_sub(gutter + 2);
    let mut drawn = None;
    matrix::columns(n, room, |shown| {
        let part = Part::new(leaf, &names, shown, style);
        let fits = part.measure.width() <= room;
        drawn = Some(part);
        fits
    });
    let mut all = Vec::new();
    if let Some(part) = drawn {
        let mut line = Line::new();
        line.pad(INDENT).push(Role::User, leaf.name.as_str());
        line.pad(gutter).append(&part.measure.names(&part.labels));
        all.push(line);
        let row = |label: &str, cells: &[Cell], agrees: Option<bool>| {
            let mut line = Line::new();
            line.pad(INDENT).push(Role::Cotangent, label).pad(gutter);
            line.append(&part.measure.bracketed(cells, ('[', ']')));
            if let Some(agrees) = agrees {
                line.plain(" ").append(&mark(agrees, style));
            }
            line
        };
        // ✗ stands by the row that stands alone.
        let [swept, rules, differences] = stands(leaf);
        all.push(row(SWEEP, &part.sweep, swept));
        all.push(row(FORWARDS, &part.vjp, rules));
        all.push(row(DIFFERENCES, &part.differences, differences));
    }
    for line in sentences(leaf, rows, &names, style) {
        all.extend(fold(&line, style.frame(), INDENT + 4));
    }
    all
}

/// Whether each of the three rows agrees with another; a sweep that agrees with all says nothing.
fn stands(leaf: &LeafRoutes) -> [Option<bool>; 3] {
    let swept = leaf.differing.is_empty();
    let (rules, sweep) = (leaf.off.is_empty(), leaf.sweep_off.is_empty());
    match (swept, rules, sweep) {
        (true, true, _) if !leaf.compared() => [None, Some(true), None],
        (true, _, _) => [None, Some(true), Some(rules)],
        (false, _, _) if !leaf.compared() => [Some(false), Some(false), None],
        (false, true, _) => [Some(false), Some(true), Some(true)],
        (false, false, true) => [Some(true), Some(false), Some(true)],
        (false, false, false) => [Some(false); 3],
    }
}

/// Which entry is off and by how much, kinks, and what was left out.
fn sentences(leaf: &LeafRoutes, rows: &Names, names: &Names, style: &Style) -> Vec<Line> {
    let mut all = Vec::new();
    let n = leaf.sweep.numel();
    let mut start = Line::new();
    start.pad(INDENT);
    if !leaf.differing.is_empty() {
        let mut line = start.clone();
        let at: Vec<String> = leaf.differing.iter().take(4).map(|k| names.full(*k)).collect();
        line.append(&mark(false, style))
            .plain(" the reverse sweep differs from vᵀJ at ")
            .push(Role::User, at.join(", "));
        if leaf.differing.len() > at.len() {
            line.plain(format!(" and {} more", leaf.differing.len() - at.len()));
        }
        all.push(line);
    }
    let entry = |line: &mut Line, row: usize, column: usize| {
        line.plain("∂").push(Role::User, rows.full(row));
        line.plain("/∂").push(Role::User, names.full(column));
    };
    if let Some(w) = &leaf.worst {
        let mut line = start.clone();
        if leaf.off.is_empty() {
            line.plain(format!(
                "{} of J checked, all within {} ",
                counted(leaf.entries, "entry", "entries"),
                bound(w.off.max(shown_apart(leaf)))
            ));
            line.append(&mark(true, style));
        } else {
            let digits = |x: f64| vjp_text::digits::lone(x, style.digits);
            line.append(&mark(false, style)).plain(" ");
            entry(&mut line, w.row, w.column);
            line.plain(format!(
                " is {} by the rules, {} by differences: off by {}",
                digits(w.rule),
                digits(w.difference),
                digits((w.rule - w.difference).abs())
            ));
        }
        all.push(line);
    }
    for (places, what, why) in [
        (&leaf.kinks, "* kink  at ", ": differences give the mean of the two slopes"),
        (&leaf.jumps, "* jump  at ", ": the function jumps there and has no slope"),
        (&leaf.breaks, "* differences do not settle at ", ""),
    ] {
        let Some((i, j)) = places.first() else { continue };
        let mut line = start.clone();
        line.plain(what);
        entry(&mut line, *i, *j);
        if places.len() > 1 {
            line.plain(format!(" and {}", more_entries(places.len() - 1)));
        }
        line.plain(why);
        all.push(line);
    }
    if let Some((i, j)) = leaf.unknown.first() {
        let mut line = start.clone();
        line.plain("? differences have no number to compare with at ");
        entry(&mut line, *i, *j);
        if leaf.unknown.len() > 1 {
            line.plain(format!(" and {}", more_entries(leaf.unknown.len() - 1)));
        }
        all.push(line);
    }
    if leaf.differences.len() < n {
        let mut line = start;
        line.plain(format!(
            "differences computed at {} of {} positions",
            grouped(leaf.differences.len()),
            grouped(n)
        ));
        all.push(line);
    }
    all
}

fn more_entries(n: usize) -> String {
    format!("{} more {}", grouped(n), if n == 1 { "entry" } else { "entries" })
}

/// A difference to the nine digits that it can be trusted in.
pub(crate) fn known(x: f64) -> f64 {
    format!("{x:.8e}").parse().unwrap_or(x)
}

/// How far a number that is shown stands from vᵀJ's, though its own error covers that.
fn shown_apart(leaf: &LeafRoutes) -> f64 {
    let product = leaf.vjp.data();
    let apart =
        |(j, d): &(usize, f64)| (d - product[*j]).abs() / d.abs().max(product[*j].abs()).max(1.0);
    let told = leaf.differences.iter().filter(|(j, _)| !leaf.unsmooth(*j));
    told.map(apart).filter(|off| off.is_finite()).fold(0.0, f64::max)
}

/// A power of ten above, not below what rounding allows: the same on every machine.
fn bound(off: f64) -> String {
    let power = off.max(1e-9).log10().ceil() as i32;
    format!("1e{power:+03}")
}

fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// The three rows of a table, for the columns shown.
struct Part {
    measure: Measure,
    labels: Vec<Cell>,
    sweep: Vec<Cell>,
    vjp: Vec<Cell>,
    differences: Vec<Cell>,
}

impl Part {
    fn new(leaf: &LeafRoutes, names: &Names, shown: &Shown, style: &Style) -> Part {
        let names = names.clone().fitted(shown.iter().flatten().copied());
        let (sweep, vjp) = (leaf.sweep.data(), leaf.vjp.data());
        let numbers = shown.iter().flatten().flat_map(|&k| [sweep[k], vjp[k]]);
        let digits = Digits::of(numbers, style.digits);
        let row = |cell: &dyn Fn(usize) -> Cell| -> Vec<Cell> {
            shown.iter().map(|k| k.map_or_else(|| Cell::gap("…"), cell)).collect()
        };
        let value = |x: f64| Cell::new(Role::Value, digits.text(x));
        let difference = |k: usize| {
            let at = leaf.differences.binary_search_by_key(&k, |d| d.0);
            let mut cell = match at {
                Ok(at) if leaf.differences[at].1.is_nan() => Cell::new(Role::Plain, "?"),
                Ok(at) => value(known(leaf.differences[at].1)),
                Err(_) => Cell::new(Role::Plain, "?"),
            };
            cell.star = leaf.unsmooth(k);
            cell
        };
        let labels = row(&|k| Cell::new(Role::User, names.label(k)));
        let (a, b) = (row(&|k| value(sweep[k])), row(&|k| value(vjp[k])));
        let c = row(&difference);
        let texts = labels.iter().chain(&a).chain(&b).chain(&c);
        Part {
            measure: Measure::of(shown, texts.map(|c| c.text.as_str())),
            labels,
            sweep: a,
            vjp: b,
            differences: c,
        }
    }
}
