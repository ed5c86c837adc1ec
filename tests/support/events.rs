//! Events made by hand: what an evaluation would have told.

use vjp::eval::record::event::{Backward, Event, LeafReport};
use vjp::eval::record::symbolic::Symbolic;
use vjp::jacobian::{Element, Entry, Jacobian};
use vjp::maths::symbol::{Expr, Symbols};
use vjp::report::{Ink, Reporter, Style};
use vjp::tensor::tensor::Tensor;
use vjp::text::source::{Source, Span};

/// An entry without a path, written `·` in the screens.
pub const NONE: Option<f64> = None;

pub fn scalar(x: f64) -> Tensor {
    Tensor::scalar(x)
}

pub fn vector(data: &[f64]) -> Tensor {
    Tensor::new(&[data.len()], data.to_vec())
}

pub fn matrix<const N: usize>(rows: &[[f64; N]]) -> Tensor {
    Tensor::new(&[rows.len(), N], rows.concat())
}

/// J from its rows; None is an absent entry.
pub fn jacobian(rows: &[&[Option<f64>]]) -> Jacobian<f64> {
    let columns = rows.first().map_or(0, |r| r.len());
    let entries: Vec<Entry<f64>> = rows
        .iter()
        .flat_map(|row| row.iter())
        .map(|entry| entry.map_or(Entry::Absent, Entry::Value))
        .collect();
    dense(rows.len(), columns, entries)
}

pub fn dense<E: Element>(rows: usize, columns: usize, entries: Vec<Entry<E>>) -> Jacobian<E> {
    Jacobian::from_entries(rows, columns, entries)
}

/// A full J without absent entries.
pub fn filled<const N: usize>(rows: &[[f64; N]]) -> Jacobian<f64> {
    let entries = rows.concat().into_iter().map(Entry::Value).collect();
    dense(rows.len(), N, entries)
}

/// Symbols of J from its rows.
pub fn symbols(rows: &[&[Option<Expr>]]) -> Jacobian<Expr> {
    let columns = rows.first().map_or(0, |r| r.len());
    let entries: Vec<Entry<Expr>> = rows
        .iter()
        .flat_map(|row| row.iter().cloned())
        .map(|entry| entry.map_or(Entry::Absent, Entry::Value))
        .collect();
    dense(rows.len(), columns, entries)
}

/// The elements of a leaf as symbols.
pub fn elements(name: &str, shape: &[usize]) -> Vec<Expr> {
    Symbols::leaf(name, shape).data.to_vec()
}

/// A leaf whose gradient agrees and which had none before.
pub fn leaf(name: &str, value: Tensor, j: Jacobian<f64>, vjp: &[f64]) -> LeafReport {
    let vjp = Tensor::new(value.shape(), vjp.to_vec());
    LeafReport {
        name: name.to_string(),
        earlier: false,
        deleted: false,
        turn: 0,
        value,
        jacobian: j,
        symbolic: Symbolic::default(),
        contribution: vjp.clone(),
        grad: vjp.clone(),
        vjp,
        grad_before: None,
        agrees: true,
        max_difference: 0.0,
        unlike_text: false,
        differing: Vec::new(),
        identity: false,
        linear: true,
        flat: false,
        method: None,
    }
}

pub fn with_symbols(mut leaf: LeafReport, symbolic: Jacobian<Expr>) -> LeafReport {
    leaf.symbolic = symbolic.into();
    leaf
}

/// The leaf held a gradient before.
pub fn after(mut leaf: LeafReport, before: &[f64]) -> LeafReport {
    let sum = leaf.contribution.data().iter().zip(before).map(|(a, b)| a + b);
    leaf.grad = Tensor::new(leaf.value.shape(), sum.collect());
    leaf.grad_before = Some(Tensor::new(leaf.value.shape(), before.to_vec()));
    leaf
}

/// `y.backward(v)` as the only call of an input that echoed y.
pub fn backward(output: &str, value: Tensor, v: Tensor, leaves: Vec<LeafReport>) -> Backward {
    let text = format!("{output}.backward(v)");
    let span = Span::new(0, text.len());
    Backward {
        call: 1,
        serial: 0,
        output: output.to_string(),
        named: true,
        value,
        echoed: true,
        v,
        implicit: false,
        repeated: false,
        leaves,
        unreached: Vec::new(),
        corners: Vec::new(),
        choices: Vec::new(),
        held: Vec::new(),
        edges: Vec::new(),
        causes: Vec::new(),
        explain_indices: false,
        again: None,
        source: Source::new(text),
        span,
        repeats: false,
        trial: None,
    }
}

/// What the events of one input show, both streams in order.
pub fn shown(events: Vec<Event>, style: &Style) -> String {
    let mut reporter = Reporter::new(style.clone());
    let mut text = String::new();
    let mut sink = |_, piece: Ink<'_>| {
        text.push_str(piece.text());
        Ok(())
    };
    for event in events {
        reporter.event(event, &mut sink).expect("a String takes all");
    }
    reporter.end_of_input(&mut sink).expect("a String takes all");
    text
}

/// One panel in the canonical style.
pub fn panel(backward: Backward) -> String {
    shown(vec![Event::Backward(backward.into())], &Style::canonical())
}

/// The same in ASCII.
pub fn ascii(backward: Backward) -> String {
    let mut style = Style::canonical();
    style.ascii = true;
    shown(vec![Event::Backward(backward.into())], &style)
}
