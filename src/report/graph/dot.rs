//! A graph in Graphviz's language, which lays it out itself.

use super::labels::{NAME, at, gradient, is_dead, marks, sign, slope, title, value};
use crate::Style;
use std::fmt::Write;
use vjp_eval::record::drawn_graph::{Drawn, Kind, Level};

/// The first line of every file of ours, by which it is known again.
pub const FIRST: &str = "// drawn by vjp :graph";

/// The whole file.
pub fn file(drawn: &Drawn, level: &Level) -> String {
    let style = Style::canonical();
    let mut out = format!("{FIRST}\ndigraph {} {{\n", quoted(&drawn.output));
    out += "  rankdir=LR;\n  node [fontname=\"Helvetica\", fontsize=11];\n";
    out += "  edge [fontname=\"Helvetica\", fontsize=10];\n";
    for (k, node) in level.nodes.iter().enumerate() {
        let shape = match (node.kind, node.result) {
            (_, true) => "box, peripheries=2",
            (Kind::Leaf, _) => "box, style=rounded",
            (Kind::Constant, _) => "box, style=dashed",
            (Kind::Module(_), _) => "box3d",
            (Kind::Loop(..) | Kind::Steps(_), _) => "folder",
            (Kind::Step, _) => "box",
        };
        let label = quoted(&text(level, k, &style).join("\n"));
        let _ = writeln!(out, "  n{k} [shape={shape}, label={label}];");
    }
    for (k, edge) in level.edges.iter().enumerate() {
        let label = quoted(&slope(level, k, &style));
        let line = if is_dead(level, k) { ", style=dotted" } else { "" };
        let _ = writeln!(out, "  n{} -> n{} [label={label}{line}];", edge.from, edge.to);
    }
    out + "}\n"
}

/// The lines of a box: sign and name, value, gradient, leaves of a module, marks.
pub(super) fn text(level: &Level, k: usize, style: &Style) -> Vec<String> {
    let node = &level.nodes[k];
    let mut all =
        vec![format!("{} {}", sign(node), title(node, NAME, style)), value(&node.value, style)];
    all.extend(Some(at(node, style)).filter(|g| !g.is_empty()).map(|g| format!("∂ {g}")));
    for (name, arrived) in &node.parameters {
        let text = gradient(arrived, style);
        all.push(if text.is_empty() { name.clone() } else { format!("{name} ∂ {text}") });
    }
    all.extend(Some(marks(node)).filter(|m| !m.is_empty()));
    all
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out += "\\n",
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out + "\""
}
