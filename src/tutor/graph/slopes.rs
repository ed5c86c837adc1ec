//! The local slope of a step as a formula, and as a word that fits on an edge. Both come from the linear
//! map and the symbols that state the derivative.

use super::{From, Graph};
use std::collections::HashSet;
use vjp_backward::slope;
use vjp_eval::leaf::naming::unwrapped;
use vjp_maths::LinearMap;
use vjp_tensor::Tensor;
use vjp_text::digits::lone;

/// The longest word on an edge.
const WORD: usize = 16;

/// A local Jacobian that no word says.
pub(crate) const JACOBIAN: &str = "×J";

/// The slope of an elementwise step in the names of its inputs; with the name of its output, that stands
/// for the value where the derivative uses it: `1 − h²`.
pub(crate) fn formula(
    graph: &Graph,
    step: usize,
    input: usize,
    output: Option<&str>,
) -> Option<String> {
    let names = operands(graph, step);
    let formula = slope::slope_in(&graph.steps[step], &names, output, input);
    // In a formula everything has a name.
    formula.filter(|f| !f.contains(UNNAMED))
}

/// Stands for a constant without a name.
const UNNAMED: &str = "□";

/// What the inputs of a step are called in a formula.
fn operands(graph: &Graph, step: usize) -> Vec<String> {
    let inputs = graph.steps[step].inputs().iter();
    let name = inputs.map(|e| match graph.source(e) {
        Some(from) => graph.bare(from).to_string(),
        None => match graph.constant(e).filter(|_| e.value.numel() != 1 || e.cut().is_some()) {
            Some(name) => name,
            None if e.value.numel() == 1 => format!("{}", e.value.data()[0]),
            None => UNNAMED.to_string(),
        },
    });
    name.collect()
}

/// A name as it stands in a formula: what is none is put in brackets.
fn operand(name: &str) -> String {
    let simple = name.chars().all(|c| c.is_alphanumeric() || "_.[]".contains(c));
    match simple || unwrapped(name) != name {
        true => name.to_string(),
        false => format!("({name})"),
    }
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The slope as a factor of what comes back: `×2x`, `×Wᵀ`, `Xᵀ×`, `Σ`; empty where it is 1.
pub(crate) fn word(graph: &Graph, step: usize, input: usize, map: &LinearMap<Tensor>) -> String {
    let fits = |word: &String| word.chars().count() <= WORD;
    said(graph, step, input, map).filter(fits).unwrap_or_else(|| JACOBIAN.to_string())
}

fn said(graph: &Graph, step: usize, input: usize, map: &LinearMap<Tensor>) -> Option<String> {
    match map {
        LinearMap::Zero { .. } | LinearMap::Unchosen { .. } => Some("×0".to_string()),
        LinearMap::Scale { by, .. } if *by == 1.0 => Some(String::new()),
        LinearMap::Scale { by, .. } => Some(times(&number(*by))),
        LinearMap::Diagonal { by, .. } => Some(times(&diagonal(graph, step, input, by)?)),
        LinearMap::Expand { from, to } if from == to => Some(String::new()),
        LinearMap::Expand { from, to } => {
            let sizes = [from, to].map(|shape| shape.iter().product::<usize>());
            Some(if sizes[0] == sizes[1] { String::new() } else { "Σ".to_string() })
        }
        LinearMap::Collapse { .. } | LinearMap::Gather(_) | LinearMap::Scatter(_) => {
            Some(String::new())
        }
        LinearMap::Left { by, .. } => Some(format!("{}×", factor(graph, step, input, by)?)),
        LinearMap::Right { by, .. } => Some(times(&factor(graph, step, input, by)?)),
        LinearMap::Dense { by, .. } => by.as_scalar().map(|x| times(&lone(x, None))),
        LinearMap::Then(maps) => {
            let words = maps.iter().map(|map| said(graph, step, input, map));
            let words: Option<Vec<String>> = words.collect();
            let words: Vec<String> = words?.into_iter().filter(|w| !w.is_empty()).collect();
            match words.as_slice() {
                [] => Some(String::new()),
                // The slopes of the others are 0.
                [one] if let Some((n, of)) = maps.iter().find_map(chosen) => {
                    Some(format!("{one}, {n} of {of}"))
                }
                [one] => Some(one.clone()),
                [sum, other] if sum == "Σ" && other != "Σ" => Some(format!("Σ {other}")),
                _ => None,
            }
        }
        LinearMap::Plus(maps) => {
            let mut chosen = maps.iter().filter(|m| !matches!(m, LinearMap::Unchosen { .. }));
            match (chosen.next(), chosen.next()) {
                (Some(one), None) => said(graph, step, input, one),
                _ => None,
            }
        }
    }
}

/// How many elements of the input are taken, where that is not all.
fn chosen(map: &LinearMap<Tensor>) -> Option<(usize, usize)> {
    let LinearMap::Gather(w) = map else { return None };
    let of = w.from.iter().product();
    let taken: HashSet<usize> = w.index.iter().copied().filter(|k| *k < of).collect();
    (taken.len() < of).then_some((taken.len(), of))
}

/// `×(1 − h²)`; nothing for 1.
fn times(slope: &str) -> String {
    match slope {
        "1" => String::new(),
        _ if is_sum(slope) || slope.starts_with(['-', '−']) => format!("×({slope})"),
        _ => format!("×{slope}"),
    }
}

/// Whether a text has an operator of a low rank outside brackets.
fn is_sum(text: &str) -> bool {
    let (mut depth, mut last) = (0, '(');
    text.chars().any(|c| {
        let before = std::mem::replace(&mut last, c);
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        // A sign behind an operator or in an exponent is none.
        let sum =
            matches!(c, '+' | '-' | '−') && (before.is_alphanumeric() || ")]".contains(before));
        depth == 0 && (sum && before != 'e' || matches!(c, ' ' | '<' | '>' | '='))
    })
}

/// `1/4`, where that is shorter than its digits.
fn number(by: f64) -> String {
    let digits = lone(by, None);
    let parts = by.recip().round();
    let fraction = format!("{}1/{}", if by < 0.0 { "-" } else { "" }, parts.abs());
    match parts.is_finite() && parts.abs() > 1.0 && parts.recip() == by {
        true if fraction.len() < digits.len() => fraction,
        _ => digits,
    }
}

/// An elementwise slope: its formula where that is short and names what it needs, else its number.
fn diagonal(graph: &Graph, step: usize, input: usize, by: &Tensor) -> Option<String> {
    // Another text than a name would be longer than what it stands for.
    let output = Some(graph.bare(From::Step(step))).filter(|name| is_name(name));
    let told = formula(graph, step, input, output);
    if let Some(formula) = told.filter(|f| times(f).chars().count() <= WORD) {
        return Some(formula);
    }
    let mut values = by.data().iter();
    let first = *values.next()?;
    match values.all(|x| *x == first) {
        true => Some(lone(first, None)),
        false if graph.steps[step].inputs().len() == 1 => {
            // Only what is called so has a derivative of that name.
            let name = graph.steps[step].operation().spelled();
            (name != "pow").then(|| format!("{name}′"))
        }
        false => None,
    }
}

/// A factor of a matrix product, transposed, as it stands in the pull: `Wᵀ`.
fn factor(graph: &Graph, step: usize, input: usize, by: &Tensor) -> Option<String> {
    let node = &graph.steps[step];
    let name = |k: usize| match graph.source(&node.inputs()[k]) {
        Some(from) => Some(graph.bare(from).to_string()),
        None => graph.constant(&node.inputs()[k]),
    };
    let others = (0..node.inputs().len()).filter(|k| *k != input);
    for k in others {
        let value = &node.inputs()[k].value;
        if value.numel() != by.numel() || value.data() != by.data() {
            continue;
        }
        let name = name(k)?;
        return Some(match name.strip_suffix(".T") {
            Some(bare) => bare.to_string(),
            None => format!("{}ᵀ", operand(&name)),
        });
    }
    None
}
