//! A graph in Mermaid's language, as Markdown pages show it.

use super::dot::text;
use super::labels::{is_dead, slope};
use crate::Style;
use std::fmt::Write;
use vjp_eval::record::drawn_graph::{Kind, Level};

/// The first line of every file of ours, by which it is known again.
pub const FIRST: &str = "%% drawn by vjp :graph";

/// The whole file.
pub fn file(level: &Level) -> String {
    let style = Style::canonical();
    let mut out = format!("{FIRST}\nflowchart LR\n");
    for (k, node) in level.nodes.iter().enumerate() {
        let (open, close) = match (node.kind, node.result) {
            (_, true) => ("[[", "]]"),
            (Kind::Leaf, _) => ("(", ")"),
            (Kind::Constant, _) => ("[/", "/]"),
            (Kind::Module(_), _) => ("{{", "}}"),
            (Kind::Loop(..) | Kind::Steps(_), _) => ("([", "])"),
            (Kind::Step, _) => ("[", "]"),
        };
        let lines: Vec<String> = text(level, k, &style).iter().map(|l| escaped(l)).collect();
        let _ = writeln!(out, "  n{k}{open}\"{}\"{close}", lines.join("<br>"));
    }
    for (k, edge) in level.edges.iter().enumerate() {
        let arrow = if is_dead(level, k) { "-.->" } else { "-->" };
        let label = match escaped(&slope(level, k, &style)) {
            none if none.is_empty() => String::new(),
            text => format!("|\"{text}\"|"),
        };
        let _ = writeln!(out, "  n{} {arrow}{label} n{}", edge.from, edge.to);
    }
    out
}

/// Mermaid reads HTML's entities, written with a `#`.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' => out += "#quot;",
            '#' => out += "#35;",
            '<' => out += "#lt;",
            '>' => out += "#gt;",
            '&' => out += "#amp;",
            '`' => out += "#96;",
            '*' | '_' | '[' | ']' | '~' => {
                let _ = write!(out, "#{};", u32::from(c));
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
