//! A graph as SVG: boxes and curves of our own, in fonts that every machine has, light and dark as the
//! reader's screen is.

use super::dot::text;
use super::labels::{is_dead, legend, slope};
use super::layout::{Layout, Sizes};
use crate::Style;
use crate::terminal::html;
use crate::terminal::line::width;
use std::fmt::Write;
use vjp_eval::record::drawn_graph::{Drawn, Edge, Kind, Level};

/// What every file of ours begins with, by which it is known again.
pub const FIRST: &str = "<!-- drawn by vjp :graph -->";

/// Of a monospaced font of 13 pixels: the width of a character and the height of a line.
const CHARACTER: f64 = 7.9;
const LINE: f64 = 17.0;
/// Of one of 12 pixels.
const SMALL: f64 = 7.3;
const MARGIN: f64 = 20.0;
const PADDING: f64 = 9.0;

const LOOK: &str = "
  .graph { background: #ffffff; font: 13px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
  .graph text { fill: #1c2430; }
  .graph .number { fill: #0b5c8a; }
  .graph .gradient { fill: #a03a00; }
  .graph .slope, .graph .legend { font-size: 12px; }
  .graph .back { fill: #ffffff; }
  .graph .box { fill: #f4f6f9; stroke: #5b6a7d; stroke-width: 1.3; }
  .graph .leaf { fill: #e8f2ea; stroke: #3f7f52; }
  .graph .constant { fill: none; stroke-dasharray: 4 3; }
  .graph .result { fill: #fff4e0; stroke: #a06a00; stroke-width: 2.6; }
  .graph .folded { fill: #eceaf6; stroke: #6a5fa8; }
  .graph .edge { fill: none; stroke: #5b6a7d; stroke-width: 1.3; }
  .graph .dead { stroke-dasharray: 2 4; }
  .graph .head { fill: #5b6a7d; }
  @media (prefers-color-scheme: dark) {
    .graph { background: #14181f; }
    .graph text { fill: #e6eaf0; }
    .graph .number { fill: #7cc4f0; }
    .graph .gradient { fill: #ffab7a; }
    .graph .back { fill: #14181f; }
    .graph .box { fill: #1d232d; stroke: #8d9bb0; }
    .graph .leaf { fill: #18291e; stroke: #6fbf86; }
    .graph .constant { fill: none; }
    .graph .result { fill: #33270f; stroke: #e0a63c; }
    .graph .folded { fill: #25223a; stroke: #a79be6; }
    .graph .edge { stroke: #8d9bb0; }
    .graph .head { fill: #8d9bb0; }
  }
";

/// The whole file.
pub fn file(drawn: &Drawn, level: &Level) -> String {
    draw(drawn, level, &format!("\n{FIRST}"), &format!("<style>{LOOK}</style>\n"))
}

/// An element of a page, whose own style gives it its colours.
pub fn element(drawn: &Drawn, level: &Level) -> String {
    draw(drawn, level, "", "")
}

/// What an edge of the graph joins, and what a box is called, for a page that lights a path.
fn joined(k: usize, edge: &Edge) -> String {
    format!("data-edge=\"{k}\" data-from=\"{}\" data-to=\"{}\"", edge.from, edge.to)
}

/// `first`: what comes before the title; `look`: what comes behind it.
fn draw(drawn: &Drawn, level: &Level, first: &str, look: &str) -> String {
    let style = Style::canonical();
    let texts: Vec<Vec<String>> = (0..level.nodes.len()).map(|k| text(level, k, &style)).collect();
    let height = |k: usize| texts[k].len() as f64 * LINE + 2.0 * PADDING;
    let wide = |k: usize| {
        let columns = texts[k].iter().map(|t| width(t)).max().unwrap_or(1);
        columns as f64 * CHARACTER + 2.0 * PADDING
    };
    let sizes = Sizes { node: &height, way: 26.0, gap: 16.0, apart: false };
    let layout = Layout::of(level, &sizes);
    // Each rank is as wide as its widest box, and what lies between two as their slopes need.
    let mut columns = vec![(0.0, 0.0); layout.ranks];
    let mut left = MARGIN;
    for (rank, column) in columns.iter_mut().enumerate() {
        let here = layout.rank(rank);
        let boxes = here.iter().filter(|p| layout.places[**p].edge.is_none());
        let widest = boxes.map(|p| wide(*p)).fold(0.0, f64::max);
        *column = (left, widest);
        let leaving = layout.pieces.iter().filter(|p| layout.places[p.from].rank == rank);
        let slopes = leaving.map(|p| width(&slope(level, p.edge, &style)));
        left += widest + 44.0 + slopes.max().unwrap_or(0) as f64 * CHARACTER;
    }
    let end = columns.last().map_or(left, |(start, width)| start + width) + MARGIN;
    let low = layout
        .places
        .iter()
        .enumerate()
        .map(|(k, p)| p.at + if p.edge.is_none() { height(k) / 2.0 } else { 13.0 });
    let dotted = (0..level.edges.len()).any(|k| is_dead(level, k));
    let said = legend(drawn, level, dotted, &style);
    let below = low.fold(0.0, f64::max) + 2.0 * MARGIN;
    let low = below + said.len() as f64 * LINE + MARGIN / 2.0;
    let widest = said.iter().map(|line| width(line)).max().unwrap_or(0);
    let end = end.max(widest as f64 * SMALL + 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" xml:space=\"preserve\" viewBox=\"0 0 {end:.0} {low:.0}\" width=\"{end:.0}\" height=\"{low:.0}\" style=\"--wide: {end:.0}px\" role=\"img\">{first}\n<title>{}</title>\n{look}",
        escaped(&format!("The graph of {}", drawn.output)),
    );
    let y = |place: usize| layout.places[place].at + MARGIN;
    let x = |place: usize| columns[layout.places[place].rank];
    for (k, edge) in level.edges.iter().enumerate() {
        let pieces: Vec<_> = layout.pieces.iter().filter(|p| p.edge == k).collect();
        let begin = (x(edge.from).0 + wide(edge.from), y(edge.from));
        let mut path = format!("M{:.1} {:.1}", begin.0, begin.1);
        let mut at = begin;
        for piece in &pieces {
            let arrives = layout.places[piece.to].edge.is_none();
            let to = (x(piece.to).0 - if arrives { 8.0 } else { 0.0 }, y(piece.to));
            let middle = (at.0 + to.0) / 2.0;
            let _ = write!(
                path,
                " C{middle:.1} {:.1} {middle:.1} {:.1} {:.1} {:.1}",
                at.1, to.1, to.0, to.1
            );
            at = to;
            if !arrives {
                at.0 += x(piece.to).1;
                let _ = write!(path, " L{:.1} {:.1}", at.0, at.1);
            }
        }
        let dead = if is_dead(level, k) { " dead" } else { "" };
        let _ = writeln!(out, "<g {}>", joined(k, edge));
        let _ = writeln!(out, "<path class=\"edge{dead}\" d=\"{path}\"/>");
        let (tip, level_at) = (at.0 + 8.0, at.1);
        let _ = writeln!(out, "<path class=\"head\" d=\"M{tip:.1} {level_at:.1} l-9 -4.5 v9 z\"/>");
        let _ = writeln!(out, "</g>");
    }
    for (k, edge) in level.edges.iter().enumerate() {
        let said = slope(level, k, &style);
        let Some(first) = layout.pieces.iter().find(|p| p.edge == k).filter(|_| !said.is_empty())
        else {
            continue;
        };
        // Nearer to the end at which fewer edges come together.
        let (parts, meets) = (level.uses(edge.from).count(), level.inputs(edge.to).count());
        let share = if parts > meets {
            0.62
        } else if parts < meets {
            0.38
        } else {
            0.5
        };
        let from = (x(edge.from).0 + wide(edge.from), y(edge.from));
        let to = (x(first.to).0, y(first.to));
        let curve = share * share * (3.0 - 2.0 * share);
        let at = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * curve + 4.0);
        let long = width(&said) as f64 * SMALL + 6.0;
        let _ = writeln!(
            out,
            "<rect class=\"back\" x=\"{:.1}\" y=\"{:.1}\" width=\"{long:.1}\" height=\"15\"/>",
            at.0 - long / 2.0,
            at.1 - 11.5
        );
        let _ = writeln!(
            out,
            "<text class=\"slope\" data-edge=\"{k}\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            at.0,
            at.1,
            escaped(&said)
        );
    }
    for (k, node) in level.nodes.iter().enumerate() {
        let class = match (node.kind, node.result) {
            (_, true) => " result",
            (Kind::Leaf, _) => " leaf",
            (Kind::Constant, _) => " constant",
            (Kind::Module(_) | Kind::Loop(..) | Kind::Steps(_), _) => " folded",
            (Kind::Step, _) => "",
        };
        let (left, top) = (x(k).0, y(k) - height(k) / 2.0);
        let round = if node.kind == Kind::Leaf { 12 } else { 4 };
        let _ = writeln!(out, "<g data-node=\"{k}\" data-name=\"{}\">", escaped(&node.name));
        let _ = writeln!(
            out,
            "<rect class=\"box{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{round}\"/>",
            wide(k),
            height(k)
        );
        for (row, line) in texts[k].iter().enumerate() {
            let class = match row {
                0 => "name",
                1 => "number",
                _ if line.contains("∂ ") => "gradient",
                _ => "name",
            };
            let _ = writeln!(
                out,
                "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                left + PADDING,
                top + PADDING + 12.5 + row as f64 * LINE,
                escaped(line)
            );
        }
        let _ = writeln!(out, "</g>");
    }
    for (row, line) in said.iter().enumerate() {
        let _ = writeln!(
            out,
            "<text class=\"legend\" x=\"{MARGIN}\" y=\"{:.1}\">{}</text>",
            below + 12.0 + row as f64 * LINE,
            escaped(line)
        );
    }
    out + "</svg>\n"
}

/// Gaps stay as wide as they are; what XML does not know is a space.
fn escaped(text: &str) -> String {
    html::escaped(&text.replace(char::is_control, " ").replace("  ", "\u{a0} "))
}
