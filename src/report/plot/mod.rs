//! Plots as text: lines in Braille dots, points as signs, bars lying down; axes with round numbers.

pub mod scale;

use crate::answers::heat;
use crate::plot::scale::{Scale, breadth};
use crate::terminal::line::{fold, width};
use crate::{Line, Role, Style};
use vjp_eval::record::event::{Mark, Plot, Series};
use vjp_eval::record::network::Heat;
use vjp_tensor::Tensor;

/// Rows of the area between the axes, and its columns at most.
const ROWS: usize = 12;
const COLUMNS: usize = 64;

/// Signs of series that are points, and of lines after the first.
const SIGNS: [char; 6] = ['•', '×', '+', '○', '□', '△'];
const ASCII_SIGNS: [char; 6] = ['o', 'x', '+', '@', '#', '%'];

/// The lines of a plot.
pub fn lines(plot: &Plot, style: &Style) -> Vec<Line> {
    let mut out = Vec::new();
    let bars = |s: &&Series| s.mark == Mark::Bars;
    // Bars alone lie down, each with its name and number; beside others they stand.
    if plot.series.iter().all(|s| bars(&s)) && !plot.series.is_empty() {
        heading(plot, &[], style, &mut out);
        for series in &plot.series {
            lying(series, style, &mut out);
        }
        return out;
    }
    if plot.series.iter().any(|s| s.mark == Mark::Image) {
        heading(plot, &[], style, &mut out);
        for series in plot.series.iter().filter(|s| s.mark == Mark::Image) {
            let value = Tensor::new(&[series.y.len(), series.x.len()], series.shades.clone());
            out.extend(heat::lines(&Heat { name: String::new(), value }, style));
        }
        let mut rest = plot.clone();
        rest.title.clear();
        rest.series.retain(|s| s.mark != Mark::Image);
        if !rest.series.is_empty() {
            out.extend(lines(&rest, style));
        }
        return out;
    }
    let (xs, ys) = (Scale::of(plot, true), Scale::of(plot, false));
    let (Some(xs), Some(ys)) = (xs, ys) else {
        out.push(Line::of(Role::Plain, "  nothing to plot: no finite numbers"));
        return out;
    };
    let labels = ys.labels();
    let gutter = labels.iter().map(|(_, text)| width(text)).max().unwrap_or(0);
    let columns = style.frame().saturating_sub(gutter + 6).clamp(10, COLUMNS);
    let mut area = Area::new(columns, style.ascii);
    let mut legend = Vec::new();
    for (k, series) in plot.series.iter().enumerate() {
        let sign = area.series(k, series, &xs, &ys, plot);
        if !series.label.is_empty() {
            legend.push((sign, series.label.clone()));
        }
    }
    heading(plot, &legend, style, &mut out);
    let (bar, tick, corner, across) = match style.ascii {
        false => ('│', '┤', '└', '─'),
        true => ('|', '+', '+', '-'),
    };
    for row in 0..ROWS {
        let label = labels.iter().find(|(at, _)| place(*at, ROWS) == ROWS - 1 - row);
        let text = label.map_or("", |(_, text)| text.as_str());
        let edge = if label.is_some() { tick } else { bar };
        let mut line = Line::new();
        line.plain(format!("  {:>gutter$} {edge}", text));
        line.push(Role::Value, area.row(row));
        out.push(line);
    }
    let rule: String = std::iter::repeat_n(across, columns).collect();
    out.push(Line::of(Role::Plain, format!("  {:gutter$} {corner}{rule}", "")));
    let mut under = Line::new();
    under.plain(" ".repeat(gutter + 4));
    let mut end = 0;
    for (at, text) in xs.labels() {
        let start = (place(at, columns) + 1).saturating_sub(width(&text).div_ceil(2));
        let start = start.min((columns + 2).saturating_sub(width(&text)));
        if start >= end && (end == 0 || start > end) {
            under.plain(format!("{}{text}", " ".repeat(start - end)));
            end = start + width(&text);
        }
    }
    out.push(under);
    if !plot.x_label.is_empty() {
        let from = (columns.saturating_sub(width(&plot.x_label))) / 2;
        let mut line = Line::new();
        line.plain(" ".repeat(gutter + 4 + from)).push(Role::User, plot.x_label.as_str());
        out.push(line);
    }
    out
}

fn heading(plot: &Plot, legend: &[(char, String)], style: &Style, out: &mut Vec<Line>) {
    let mut line = Line::new();
    line.plain("  ");
    let mut some = false;
    for text in [&plot.title, &plot.y_label] {
        if !text.is_empty() {
            line.plain(if some { "   " } else { "" }).push(Role::User, text.as_str());
            some = true;
        }
    }
    for (sign, text) in legend {
        line.plain(if some { "   " } else { "" });
        line.push(Role::Value, sign.to_string()).plain(" ").push(Role::User, text.as_str());
        some = true;
    }
    if some {
        out.extend(fold(&line, style.frame(), 4));
    }
}

/// The place of a fraction among so many.
fn place(fraction: f64, count: usize) -> usize {
    ((fraction * (count - 1) as f64).round().max(0.0) as usize).min(count - 1)
}

/// The area between the axes: Braille dots for the first line, a sign in a cell for all others.
struct Area {
    columns: usize,
    ascii: bool,
    dots: Vec<u8>,
    signs: Vec<Option<char>>,
    /// What shows where neither a sign nor a dot is.
    under: Vec<Option<char>>,
    dotted: bool,
    used: usize,
}

impl Area {
    fn new(columns: usize, ascii: bool) -> Area {
        Area {
            columns,
            ascii,
            dots: vec![0; columns * ROWS],
            signs: vec![None; columns * ROWS],
            under: vec![None; columns * ROWS],
            dotted: false,
            used: 0,
        }
    }

    /// Draws a series; the sign that stands for it.
    fn series(&mut self, _: usize, series: &Series, xs: &Scale, ys: &Scale, _: &Plot) -> char {
        let (across, up) = if self.ascii { ('-', '|') } else { ('╌', '╎') };
        match series.mark {
            Mark::Level => {
                if let Some(at) = series.y.first().and_then(|y| ys.fraction(*y)) {
                    (0..self.columns).for_each(|c| self.sign(c, place(at, ROWS), across, false));
                }
                return across;
            }
            Mark::Upright => {
                if let Some(at) = series.x.first().and_then(|x| xs.fraction(*x)) {
                    let column = place(at, self.columns);
                    (0..ROWS).for_each(|r| self.sign(column, r, up, false));
                }
                return up;
            }
            Mark::Dotted => {
                let dot = if self.ascii { '.' } else { '·' };
                for (x, y) in series.x.iter().zip(&series.y) {
                    if let (Some(x), Some(y)) = (xs.fraction(*x), ys.fraction(*y)) {
                        let row = ROWS - 1 - place(y, ROWS);
                        self.under[row * self.columns + place(x, self.columns)] = Some(dot);
                    }
                }
                return dot;
            }
            Mark::Bars => return self.standing(series, xs, ys),
            Mark::Shades => return self.shaded(series, xs, ys),
            Mark::Words => {
                for (k, (x, y)) in series.x.iter().zip(&series.y).enumerate() {
                    if let (Some(x), Some(y)) = (xs.fraction(*x), ys.fraction(*y)) {
                        let text = series.names.get(k).map_or("", String::as_str);
                        let first = place(x, self.columns);
                        for (at, c) in text.chars().take(self.columns - first).enumerate() {
                            self.sign(first + at, place(y, ROWS), c, true);
                        }
                    }
                }
                return 'T';
            }
            _ => {}
        }
        let points: Vec<Option<(f64, f64)>> = series
            .x
            .iter()
            .zip(&series.y)
            .map(|(x, y)| Some((xs.fraction(*x)?, ys.fraction(*y)?)))
            .collect();
        if series.mark == Mark::Line && !self.ascii && !self.dotted {
            self.dotted = true;
            self.braille(&points);
            return '⠒';
        }
        if series.mark == Mark::Dots {
            let (width, height) = (self.columns * 2, ROWS * 4);
            for (x, y) in points.into_iter().flatten() {
                match self.ascii {
                    true => self.sign(place(x, self.columns), place(y, ROWS), '.', false),
                    false => self.dot(place(x, width), height - 1 - place(y, height)),
                }
            }
            return '⠒';
        }
        let sign = if self.ascii { ASCII_SIGNS } else { SIGNS }[self.used % SIGNS.len()];
        self.used += 1;
        if series.mark == Mark::Line {
            for pair in points.windows(2) {
                if let [Some(a), Some(b)] = pair {
                    let (from, to) = (place(a.0, self.columns), place(b.0, self.columns));
                    for column in from.min(to)..=from.max(to) {
                        let t = match to == from {
                            true => 0.0,
                            false => (column as f64 - from as f64) / (to as f64 - from as f64),
                        };
                        self.sign(column, place(a.1 + t * (b.1 - a.1), ROWS), sign, true);
                    }
                }
            }
        }
        for (x, y) in points.into_iter().flatten() {
            self.sign(place(x, self.columns), place(y, ROWS), sign, true);
        }
        sign
    }

    /// Bars that stand, from 0 to their heights, under all others.
    fn standing(&mut self, series: &Series, xs: &Scale, ys: &Scale) -> char {
        let full = if self.ascii { '#' } else { '█' };
        let half = breadth(series) / 2.0;
        let along = |s: &Scale, v: f64, count: usize| place(s.along(v).clamp(0.0, 1.0), count);
        for (x, y) in series.x.iter().zip(&series.y).filter(|(_, y)| y.is_finite() && **y != 0.0) {
            let (from, to) = (along(xs, x - half, self.columns), along(xs, x + half, self.columns));
            // The foot of a logarithmic axis is its lower end.
            let foot = if ys.log { 10f64.powf(ys.low) } else { 0.0 };
            let (down, up) = (along(ys, foot.min(*y), ROWS), along(ys, foot.max(*y), ROWS));
            for row in down..=up {
                for column in from..to.max(from + 1) {
                    self.under[(ROWS - 1 - row) * self.columns + column] = Some(full);
                }
            }
        }
        full
    }

    /// Numbers over a grid: each cell takes the shade of the nearest one.
    fn shaded(&mut self, series: &Series, xs: &Scale, ys: &Scale) -> char {
        let shades: Vec<char> =
            if self.ascii { heat::ASCII } else { heat::SHADES }.chars().collect();
        let finite = || series.shades.iter().copied().filter(|v| v.is_finite());
        let low = finite().fold(f64::INFINITY, f64::min);
        let high = finite().fold(f64::NEG_INFINITY, f64::max);
        let nearest = |all: &[f64], at: f64| {
            let apart = |k: &usize| (all[*k] - at).abs();
            (0..all.len()).min_by(|a, b| apart(a).total_cmp(&apart(b)))
        };
        let at = |s: &Scale, k: usize, count: usize| {
            let v = s.low + (s.high - s.low) * k as f64 / (count - 1) as f64;
            if s.log { 10f64.powf(v) } else { v }
        };
        for row in 0..ROWS {
            for column in 0..self.columns {
                let near = nearest(&series.x, at(xs, column, self.columns));
                let (Some(i), Some(j)) = (nearest(&series.y, at(ys, row, ROWS)), near) else {
                    continue;
                };
                let value = series.shades.get(i * series.x.len() + j).copied().unwrap_or(f64::NAN);
                if value.is_finite() && high > low {
                    let share = (value - low) / (high - low) * shades.len() as f64;
                    let shade = shades[(share as usize).min(shades.len() - 1)];
                    self.under[(ROWS - 1 - row) * self.columns + column] = Some(shade);
                }
            }
        }
        shades[shades.len() / 2]
    }

    fn sign(&mut self, column: usize, up: usize, sign: char, over: bool) {
        let cell = &mut self.signs[(ROWS - 1 - up) * self.columns + column];
        if over || cell.is_none() {
            *cell = Some(sign);
        }
    }

    fn braille(&mut self, points: &[Option<(f64, f64)>]) {
        let (width, height) = (self.columns * 2, ROWS * 4);
        let at =
            |p: (f64, f64)| (place(p.0, width) as f64, (height - 1 - place(p.1, height)) as f64);
        for pair in points.windows(2) {
            if let [Some(a), Some(b)] = pair {
                let (a, b) = (at(*a), at(*b));
                let steps = (b.0 - a.0).abs().max((b.1 - a.1).abs()).max(1.0) as usize;
                for k in 0..=steps {
                    let t = k as f64 / steps as f64;
                    self.dot(
                        (a.0 + t * (b.0 - a.0)).round() as usize,
                        (a.1 + t * (b.1 - a.1)).round() as usize,
                    );
                }
            }
        }
        for p in points.iter().flatten() {
            let (x, y) = at(*p);
            self.dot(x as usize, y as usize);
        }
    }

    fn dot(&mut self, x: usize, y: usize) {
        const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        self.dots[y / 4 * self.columns + x / 2] |= BITS[y % 4][x % 2];
    }

    fn row(&self, row: usize) -> String {
        let cell = |k: usize| match (self.signs[k], self.dots[k]) {
            (Some(sign), _) => sign,
            (None, 0) => self.under[k].unwrap_or(' '),
            (None, dots) => char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' '),
        };
        (row * self.columns..(row + 1) * self.columns).map(cell).collect()
    }
}

/// Bars lying down, each with its name and its number.
fn lying(series: &Series, style: &Style, out: &mut Vec<Line>) {
    let names: Vec<&str> = series.names.iter().map(String::as_str).collect();
    let gutter = names.iter().map(|n| width(n)).max().unwrap_or(0).min(30);
    let numbers: Vec<String> = series.y.iter().map(|v| vjp_text::number::repr(*v)).collect();
    let numbers: Vec<&str> = numbers.iter().map(|n| n.strip_suffix(".0").unwrap_or(n)).collect();
    let room = numbers.iter().map(|n| width(n)).max().unwrap_or(0);
    let columns = style.frame().saturating_sub(gutter + room + 6).clamp(8, COLUMNS);
    // Negative ones lie to the left of the line at 0.
    let below = series.y.iter().fold(0.0f64, |m, v| m.max(-v));
    let most = below + series.y.iter().fold(0.0f64, |m, v| m.max(*v));
    let scale = if most > 0.0 { columns as f64 / most } else { 0.0 };
    let left = (below * scale).round() as usize;
    for (k, (v, number)) in series.y.iter().zip(&numbers).enumerate() {
        let name = names.get(k).copied().unwrap_or("");
        let mut line = Line::new();
        let pad = gutter.saturating_sub(width(name));
        line.plain("  ").push(Role::User, name).plain(" ".repeat(pad + 1));
        if left > 0 {
            let sign = if style.ascii { "#" } else { "█" };
            let length = (-v * scale).max(0.0).round() as usize;
            line.plain(" ".repeat(left.saturating_sub(length)));
            line.push(Role::Value, sign.repeat(length)).plain(if style.ascii {
                "|"
            } else {
                "│"
            });
        }
        line.push(Role::Value, bar(v.max(0.0) * scale, style.ascii)).plain(" ").plain(*number);
        out.push(line);
    }
}

/// A bar of a length in columns, to an eighth.
fn bar(length: f64, ascii: bool) -> String {
    if ascii {
        return "#".repeat(length.round() as usize);
    }
    let eighths = (length * 8.0).round() as usize;
    let mut out = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        out.extend(char::from_u32(0x2590 - (eighths % 8) as u32));
    }
    out
}
