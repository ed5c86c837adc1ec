//! One box a line: rails at the left join a value to what is computed from it, as in the log of a version
//! control system; its inputs are named at the right, each with its slope.

use super::Lit;
use super::canvas::{Canvas, Stroke};
use super::labels::{
    NAME, at, cut, gradient, is_dead, marks, short, sign, slope, title, unknown, value,
};
use crate::terminal::line::width;
use crate::{Line, Role, Style};
use vjp_eval::record::drawn_graph::Level;

/// Rails beyond so many are not drawn: the inputs are named all the same.
const RAILS: usize = 9;

/// Columns for names: the most of them that leave room for the inputs of every box.
const NAMES: [usize; 6] = [NAME, 22, 18, 14, 10, 6];

/// Columns for the name of an input, where not all of them fit.
const SHORT: [usize; 4] = [18, 13, 9, 6];

/// What is wider does not move the columns behind it.
const WIDEST: usize = NAME;

/// The drawing. It has as many lines as there are boxes, and one more for the leaves of each module.
pub fn lines(level: &Level, style: &Style, lit: &Lit) -> Vec<Line> {
    rows_of(level, style, lit, true)
}

/// One line a box: what has no room in it is left out.
pub fn one_line_each(level: &Level, style: &Style) -> Vec<Line> {
    rows_of(level, style, &Lit::default(), false)
}

fn rows_of(level: &Level, style: &Style, lit: &Lit, more: bool) -> Vec<Line> {
    let one_each = rows(level, style, &[]);
    let rails = rails(level, &one_each, lit, &mut Canvas::default());
    let start = 2 + 2 * rails.min(RAILS) + 1;
    let all = NAMES.map(|names| Texts::of(level, style, lit, names));
    let whole = all.iter().take(4).find(|texts| texts.fit(start, 4, style));
    let narrow = || all.iter().skip(1).find(|texts| texts.fit(start, 3, style));
    // In the narrowest windows what arrived stands below, too.
    let split = whole.or_else(narrow).is_none();
    let halved = || all.iter().skip(1).find(|texts| texts.fit(start, 2, style));
    let texts = whole.or_else(narrow).or_else(halved).unwrap_or(&all[5]);
    let below = |k: usize| {
        let mut line = Line::new();
        line.pad(start);
        !texts.row(level, k, style, &mut line, lit.node == Some(k), split) && more
    };
    let below: Vec<bool> = (0..level.nodes.len()).map(below).collect();
    let rows = rows(level, style, &below);
    let mut canvas = Canvas::default();
    self::rails(level, &rows, lit, &mut canvas);
    let drawn = canvas.lines();
    let mut all = Vec::new();
    for (k, below) in below.iter().enumerate() {
        for extra in 0..rows.lines[k] {
            let mut line = Line::new();
            if rails <= RAILS {
                line = drawn.get(rows.at[k] + extra).cloned().unwrap_or_default();
            } else if extra == 0 {
                line.plain("  ").push(Role::Plain, sign(&level.nodes[k]).to_string());
            }
            match extra {
                0 if lit.node == Some(k) => drop(line.pad(start - 1).push(Role::User, "[")),
                _ => drop(line.pad(start)),
            }
            match extra {
                0 => drop(texts.row(level, k, style, &mut line, lit.node == Some(k), split)),
                1 if *below => texts.below(level, k, style, &mut line, split),
                _ => parameters(level, k, style, &mut line, lit.inside.contains(&k)),
            }
            all.push(line);
        }
    }
    all
}

/// On which line each box stands, and how many it takes.
struct Rows {
    at: Vec<usize>,
    lines: Vec<usize>,
}

/// `below`: the boxes whose inputs stand on a line of their own.
fn rows(level: &Level, style: &Style, below: &[bool]) -> Rows {
    let shown = |k: usize| level.nodes[k].parameters.iter();
    let told = |k: usize| shown(k).any(|(_, g)| !gradient(g, style).is_empty());
    let more = |k: usize| usize::from(told(k)) + usize::from(below.get(k) == Some(&true));
    let lines: Vec<usize> = (0..level.nodes.len()).map(|k| 1 + more(k)).collect();
    let mut next = 0;
    let at = lines.iter().map(|n| {
        next += n;
        next - n
    });
    Rows { at: at.collect(), lines }
}

/// Draws the rails; gives how many there are at most.
fn rails(level: &Level, rows: &Rows, lit: &Lit, canvas: &mut Canvas) -> usize {
    let mut uses: Vec<usize> = vec![0; level.nodes.len()];
    for edge in &level.edges {
        uses[edge.from] += 1;
    }
    // A rail is dotted where no gradient comes back along any of its edges.
    let alive: Vec<bool> =
        (0..level.nodes.len()).map(|k| level.uses(k).any(|(e, _)| !is_dead(level, e))).collect();
    let rail = |at: Option<usize>| match at {
        Some(k) if !alive[k] => Stroke::Dotted,
        _ => Stroke::Plain,
    };
    let mut lanes: Vec<Option<usize>> = Vec::new();
    let mut most = 1;
    let column = |lane: usize| 2 + 2 * lane;
    for (k, node) in level.nodes.iter().enumerate() {
        let row = rows.at[k];
        let mut inputs: Vec<(usize, usize, bool)> = Vec::new();
        for (e, edge) in level.inputs(k) {
            uses[edge.from] -= 1;
            if let Some(lane) = lanes.iter().position(|l| *l == Some(edge.from)) {
                inputs.push((lane, e, uses[edge.from] == 0));
            }
        }
        let ends = |lane: usize| inputs.iter().any(|(l, _, last)| *l == lane && *last);
        let own = inputs.iter().filter(|i| i.2).map(|i| i.0).min();
        let own = own.or_else(|| lanes.iter().position(Option::is_none)).unwrap_or(lanes.len());
        if lanes.len() <= own {
            lanes.resize(own + 1, None);
        }
        most = most.max(lanes.len());
        let stroke = |e: usize| match (lit.edges.contains(&e), is_dead(level, e)) {
            (true, _) => Stroke::Heavy,
            (false, true) => Stroke::Dotted,
            (false, false) => Stroke::Plain,
        };
        for &(lane, e, last) in &inputs {
            if lane == own {
                continue;
            }
            let (low, high) = (column(lane.min(own)), column(lane.max(own)));
            canvas.across(row, low, high, 10 + lane, stroke(e));
            let end = if last { row } else { row + rows.lines[k] };
            canvas.down(column(lane), row.saturating_sub(1), end, 10 + lane, rail(lanes[lane]));
        }
        // Rails that only pass.
        for (lane, at) in lanes.iter().enumerate().filter(|(_, l)| l.is_some()) {
            if lane != own && !ends(lane) {
                canvas.down(column(lane), row, row + rows.lines[k], 10 + lane, rail(*at));
            }
        }
        for (lane, ..) in inputs.iter().filter(|(lane, _, last)| *last && *lane != own) {
            lanes[*lane] = None;
        }
        lanes[own] = (uses[k] > 0).then_some(k);
        if uses[k] > 0 {
            canvas.down(column(own), row, row + rows.lines[k], 10 + own, rail(Some(k)));
        }
        canvas.text(row, column(own), Role::Plain, &sign(node).to_string());
        while lanes.last() == Some(&None) {
            lanes.pop();
        }
    }
    most
}

/// The columns of the texts.
struct Texts {
    /// Name, value, gradient and inputs of each box.
    cells: Vec<[String; 4]>,
    widths: [usize; 3],
}

impl Texts {
    fn of(level: &Level, style: &Style, lit: &Lit, names: usize) -> Texts {
        let cells = (0..level.nodes.len()).map(|k| {
            let node = &level.nodes[k];
            let name = title(node, names, style);
            let arrived = match lit.waiting.contains(&k) {
                true => unknown(&at(node, style)),
                false => at(node, style),
            };
            let arrived =
                if !arrived.is_empty() { format!("∂ {arrived}") } else { String::new() };
            let number = match lit.ahead.contains(&k) {
                true => unknown(&value(&node.value, style)),
                false => value(&node.value, style),
            };
            [name, number, arrived, inputs(level, k, usize::MAX, style)]
        });
        let cells: Vec<[String; 4]> = cells.collect();
        let widest = |c: usize| {
            let widths = cells.iter().map(|cell| width(&cell[c]));
            widths.filter(|w| *w <= WIDEST).max().unwrap_or(0)
        };
        Texts { widths: [0, 1, 2].map(widest), cells }
    }

    /// Whether the first `cells` of every box stand there whole.
    fn fit(&self, start: usize, cells: usize, style: &Style) -> bool {
        let column: usize = self.widths.iter().take(cells).filter(|w| **w > 0).map(|w| w + 2).sum();
        let behind = |cell: &[String; 4]| if cells == 4 { width(&cell[3]) } else { 0 };
        self.cells.iter().all(|cell| start + column + behind(cell) <= style.frame() + 2)
    }

    /// False where no room is left for the inputs.
    fn row(
        &self,
        level: &Level,
        k: usize,
        style: &Style,
        line: &mut Line,
        lit: bool,
        split: bool,
    ) -> bool {
        let [name, value, arrived, inputs] = &self.cells[k];
        let mut column = line.width();
        let roles = [Role::User, Role::Value, Role::Cotangent];
        let shown = if split { 2 } else { 3 };
        for (c, text) in [name, value, arrived].into_iter().enumerate().take(shown) {
            line.pad(column);
            if c > 0 && line.width() > column {
                line.plain("  ");
            }
            let room = style.frame().saturating_sub(line.width());
            line.push(roles[c], cut(text, room, style));
            if c == 0 && lit {
                line.push(Role::User, "]");
            }
            column += self.widths[c] + if self.widths[c] > 0 { 2 } else { 0 };
        }
        let mark = marks(&level.nodes[k]);
        let room = style.frame().saturating_sub(line.width().max(column));
        if !mark.is_empty() && width(&mark) <= room {
            line.pad(column).push(Role::Hint, mark);
            column = line.width() + 2;
        }
        let room = style.frame().saturating_sub(line.width().max(column));
        if split {
            return arrived.is_empty() && inputs.is_empty();
        }
        let Some(text) = within(level, k, room, style) else { return false };
        if !inputs.is_empty() {
            line.pad(column).push(Role::User, text);
        }
        true
    }

    /// What had no room in the row of a box.
    fn below(&self, level: &Level, k: usize, style: &Style, line: &mut Line, split: bool) {
        let [_, _, arrived, inputs] = &self.cells[k];
        line.plain("  ");
        let left = |line: &Line| style.frame().saturating_sub(line.width());
        if split && !arrived.is_empty() {
            line.push(Role::Cotangent, cut(arrived, left(line), style)).plain("  ");
        }
        let room = left(line);
        let text = within(level, k, room, style).unwrap_or_else(|| inputs.clone());
        line.push(Role::User, cut(&text, room, style));
    }
}

/// The inputs in so many columns, rather the whole slope than the whole name; None where they have no room.
fn within(level: &Level, k: usize, room: usize, style: &Style) -> Option<String> {
    let names = [usize::MAX].into_iter().chain(SHORT);
    names.map(|names| inputs(level, k, names, style)).find(|text| width(text) <= room)
}

/// `from a ×b, c`, each name in so many columns.
fn inputs(level: &Level, k: usize, names: usize, style: &Style) -> String {
    let each = level.inputs(k).map(|(e, edge)| {
        let name = cut(short(&level.nodes[edge.from], style), names, style);
        match slope(level, e, style) {
            none if none.is_empty() => name,
            slope => format!("{name} {slope}"),
        }
    });
    let each: Vec<String> = each.collect();
    match each.is_empty() {
        true => String::new(),
        false => format!("from {}", each.join(", ")),
    }
}

/// `weight ∂ up to 0.33   bias ∂ up to 0.21`
fn parameters(level: &Level, k: usize, style: &Style, line: &mut Line, open: bool) {
    line.plain("  ");
    for (at, (name, arrived)) in level.nodes[k].parameters.iter().enumerate() {
        if at > 0 {
            line.plain("   ");
        }
        line.push(Role::User, name.as_str()).plain(" ∂ ");
        let text = gradient(arrived, style);
        line.push(Role::Cotangent, if open { unknown(&text) } else { text });
    }
}
