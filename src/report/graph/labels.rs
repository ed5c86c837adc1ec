//! What stands in a box: its sign, its name, its value and the gradient that arrived, as text.

use crate::terminal::ascii;
use crate::terminal::line::width;
use crate::{Style, echo};
use vjp_eval::leaf::naming::is_numbered;
use vjp_eval::record::drawn_graph::{Arrived, Drawn, Kind, Level, Mark, Node};
use vjp_tensor::Tensor;
use vjp_text::digits::lone;
use vjp_text::words::count;

/// A longer name is cut, where there is room.
pub const NAME: usize = 28;

/// A tensor whose elements need more columns is told by its shape.
const NUMBERS: usize = 14;

/// Two numbers always stand there.
const PAIR: usize = 20;

/// What differs without colour: one sign for each kind, with its word.
pub const SIGNS: [(char, &str); 6] = [
    ('●', "leaf"),
    ('□', "constant"),
    ('○', "step"),
    ('◎', "result"),
    ('▣', "module"),
    ('◌', "folded"),
];

/// The sign of a node.
pub fn sign(node: &Node) -> char {
    let k = match node.kind {
        Kind::Leaf => 0,
        Kind::Constant => 1,
        _ if node.result => 3,
        Kind::Step => 2,
        Kind::Module(_) => 4,
        Kind::Loop(..) | Kind::Steps(_) => 5,
    };
    SIGNS[k].0
}

/// A name in so many columns: `e = a*b`, `model[0]  Linear`, `for i in range(9)  9 turns`.
pub fn title(node: &Node, room: usize, style: &Style) -> String {
    let bare = node.text.trim();
    let whole = match node.kind {
        Kind::Module(_) if !bare.is_empty() => format!("{}  {bare}", node.name),
        Kind::Loop(turns, _) => {
            let turns = format!("  {}", count(turns, "turn"));
            cut(&node.name, room.saturating_sub(width(&turns)).max(6), style) + &turns
        }
        Kind::Steps(_) if style.ascii => ascii(&node.name),
        Kind::Steps(_) | Kind::Leaf | Kind::Constant | Kind::Module(_) => node.name.clone(),
        Kind::Step if bare.is_empty() => node.name.clone(),
        // `w -= g` says itself which name it gives the value.
        Kind::Step if augments(bare, &node.name) => bare.to_owned(),
        Kind::Step => format!("{} = {bare}", node.name),
    };
    match width(&whole) > room && matches!(node.kind, Kind::Step) && !is_numbered(&node.name) {
        true => cut(&node.name, room, style),
        false => cut(&whole, room, style),
    }
}

/// Whether a text is `w -= …` of this name.
fn augments(text: &str, name: &str) -> bool {
    let rest = text.strip_prefix(name).map(str::trim_start).and_then(|rest| rest.split_once('='));
    rest.is_some_and(|(sign, rest)| {
        let sign = sign.trim_end();
        !sign.is_empty() && sign.chars().all(|c| "+-*/@%^&|".contains(c)) && !rest.starts_with('=')
    })
}

/// What a node is called where it is an input: of a fold, the value that leaves it.
pub fn short<'a>(node: &'a Node, style: &Style) -> &'a str {
    match node.kind {
        Kind::Loop(..) if !is_numbered(&node.text) => &node.text,
        Kind::Loop(..) | Kind::Steps(_) if style.ascii => "~",
        Kind::Loop(..) | Kind::Steps(_) => "…",
        _ => &node.name,
    }
}

/// The beginning of a text.
pub fn cut(text: &str, room: usize, style: &Style) -> String {
    if width(text) <= room {
        return text.to_string();
    }
    let mut kept = String::new();
    for c in text.chars() {
        if width(&kept) + 2 > room {
            break;
        }
        kept.push(c);
    }
    kept + if style.ascii { "~" } else { "…" }
}

/// The numbers of a tensor, where they are few.
fn few(t: &Tensor, style: &Style) -> Option<String> {
    let pair = matches!(t.shape(), [1 | 2]);
    let room = if pair { PAIR } else { NUMBERS };
    echo::on_one_line(t, room, style).filter(|s| width(s) <= room && !s.contains('…'))
}

/// A value: its numbers where they are few, else its shape.
pub fn value(t: &Tensor, style: &Style) -> String {
    few(t, style).unwrap_or_else(|| shape(t))
}

/// `4×3`, `100 numbers`
fn shape(t: &Tensor) -> String {
    match t.shape() {
        [n] => count(*n, "number"),
        shape => shape.iter().map(usize::to_string).collect::<Vec<_>>().join("×"),
    }
}

/// The gradient at a node; a constant is not asked for one.
pub fn at(node: &Node, style: &Style) -> String {
    match node.kind {
        Kind::Constant => String::new(),
        _ => gradient(&node.arrived, style),
    }
}

/// A gradient: its numbers where they are few, else how large they are; what is nothing, zero or no number
/// is said.
pub fn gradient(arrived: &Arrived, style: &Style) -> String {
    let g = match arrived {
        Arrived::NotYet => return String::new(),
        Arrived::Nothing => return "none".to_string(),
        Arrived::Gradient(g) => g,
    };
    if let Some(numbers) = few(g, style) {
        return numbers;
    }
    let broken = g.data().iter().filter(|x| x.is_nan()).count();
    let largest = g.data().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    match (broken, largest) {
        (0, 0.0) => "all 0".to_string(),
        (0, _) => format!("up to {}", lone(largest, style.digits)),
        (n, _) if n == g.numel() => "all nan".to_string(),
        (n, _) => format!("{n} of {} nan", g.numel()),
    }
}

/// Stands in place of a number that is not there yet, as wide.
pub fn unknown(number: &str) -> String {
    format!("?{:1$}", "", width(number).saturating_sub(1))
}

/// `kink`, `in place`
pub fn marks(node: &Node) -> String {
    let word = |mark: &Mark| match mark {
        Mark::InPlace => "in place",
        Mark::Kink => "kink",
    };
    node.marks.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// What stands on an edge, in the signs that are wanted.
pub fn slope(level: &Level, edge: usize, style: &Style) -> String {
    let edge = &level.edges[edge];
    let text = match &edge.cut {
        Some(cut) => format!("╳ {cut}").trim_end().to_string(),
        // A fold is no operation: it has no slope that a word says.
        None if is_fold(&level.nodes[edge.to]) && edge.slope == "×J" => String::new(),
        None => edge.slope.clone(),
    };
    if style.ascii { ascii(&text) } else { text }
}

fn is_fold(node: &Node) -> bool {
    matches!(node.kind, Kind::Module(_) | Kind::Loop(..) | Kind::Steps(_))
}

/// Whether no gradient comes back along an edge.
pub fn is_dead(level: &Level, edge: usize) -> bool {
    let edge = &level.edges[edge];
    let nothing = |node: usize| matches!(level.nodes[node].arrived, Arrived::Nothing);
    edge.cut.is_some() || level.nodes[edge.from].kind == Kind::Constant || nothing(edge.to)
}

/// What the signs in a drawing mean.
/// `dotted`: a line of it is.
pub fn legend(drawn: &Drawn, level: &Level, dotted: bool, style: &Style) -> Vec<String> {
    let mut signs = Vec::new();
    for (mark, word) in SIGNS {
        if level.nodes.iter().any(|n| sign(n) == mark) {
            signs.push(format!("{mark} {word}"));
        }
    }
    let signs = signs.join("  ");
    let mut all = vec![if style.ascii { ascii(&signs) } else { signs }];
    let mut says = Vec::new();
    let result = level.nodes.iter().find(|n| n.result);
    let scalar = result.is_some_and(|n| n.value.numel() == 1);
    let y = &drawn.output;
    says.push(match (drawn.swept, scalar) {
        (false, _) => "no backward yet".to_string(),
        (true, true) => format!("∂: the gradient of {y}"),
        (true, false) => format!("∂: the gradient of vᵀ{y}"),
    });
    says.extend(drawn.hooked.as_ref().map(|of| format!("the hook on {of} changed the gradient")));
    let slopes: Vec<String> =
        (0..level.edges.len()).map(|k| slope(level, k, &Style::canonical())).collect();
    let told = |sign: &str| slopes.iter().any(|s| s.contains(sign));
    if told("×") {
        says.push("×: a step's slope, 1 where none stands".to_string());
    }
    let untold = |e: &vjp_eval::record::drawn_graph::Edge| {
        e.cut.is_none() && e.slope == "×J" && is_fold(&level.nodes[e.to])
    };
    let mut folds: Vec<String> = Vec::new();
    for node in level.edges.iter().filter(|e| untold(e)).map(|e| sign(&level.nodes[e.to])) {
        if !folds.contains(&node.to_string()) {
            folds.push(node.to_string());
        }
    }
    if told("×") && !folds.is_empty() {
        says.push(format!("none is shown for {}", folds.join(" and ")));
    }
    if told("′") {
        says.push("f′: the derivative of f".to_string());
    }
    if told("×J") {
        says.push("J: its Jacobian".to_string());
    }
    if told("Σ") {
        says.push("Σ: added up".to_string());
    }
    if dotted {
        says.push("dotted: no gradient".to_string());
    }
    let mut signs_only = true;
    for part in says {
        let part = if style.ascii { ascii(&part) } else { part };
        match all.last_mut() {
            Some(last) if width(last) + width(&part) + 5 <= style.frame() => {
                last.push_str(if signs_only { "   " } else { "; " });
                last.push_str(&part);
            }
            _ => all.push(part),
        }
        signs_only = false;
    }
    all
}
