//! J as LaTeX: formulas where there are some, else numbers.

use crate::eval::event::{Backward, MatrixEvent};
use crate::maths::formula::{Style, write};
use crate::maths::jacobian::{Entry, Jacobian};
use crate::maths::latex::{name, number};
use crate::maths::symbol::Expr;

/// So many rows or columns are written whole, else the first few, dots and the last.
const WHOLE: usize = 12;
const FIRST: usize = 3;

/// J of each leaf of a backward.
pub fn backward(event: &Backward) -> String {
    let output = match event.named {
        true => name(&event.output),
        false => "y".to_owned(),
    };
    let leaves = event.leaves.iter();
    leaves
        .map(|l| {
            let head = format!(r"\frac{{\partial {output}}}{{\partial {}}}", name(&l.name));
            written(&head, &l.jacobian, l.symbolic.get())
        })
        .collect()
}

/// A matrix that was asked for.
pub fn matrix(event: &MatrixEvent) -> String {
    let (output, leaf) = (name(&event.output), name(&event.leaf));
    let head = match event.order {
        0 | 1 => format!(r"\frac{{\partial {output}}}{{\partial {leaf}}}"),
        _ => format!(r"\frac{{\partial^{{2}} {output}}}{{\partial {leaf}^{{2}}}}"),
    };
    written(&head, &event.matrix, event.symbolic.as_ref())
}

fn written(head: &str, j: &Jacobian<f64>, symbolic: Option<&Jacobian<Expr>>) -> String {
    let cell = |i: usize, k: usize| -> String {
        let formula = symbolic.and_then(|s| match s.get(i, k) {
            Entry::Value(e) => write(&e, Style::Latex),
            Entry::Absent | Entry::Unchosen => Some("0".to_owned()),
        });
        formula.unwrap_or_else(|| match j.get(i, k) {
            Entry::Value(x) => number(x),
            Entry::Absent | Entry::Unchosen => "0".to_owned(),
        })
    };
    let columns = shown(j.columns);
    let rows: Vec<String> = shown(j.rows)
        .into_iter()
        .map(|row| {
            let cells: Vec<String> = columns
                .iter()
                .map(|column| match (row, column) {
                    (Some(i), Some(k)) => cell(i, *k),
                    (Some(_), None) => r"\cdots".to_owned(),
                    (None, Some(_)) => r"\vdots".to_owned(),
                    (None, None) => r"\ddots".to_owned(),
                })
                .collect();
            format!("  {}", cells.join(" & "))
        })
        .collect();
    format!(
        "{head} = \\begin{{pmatrix}}\n{}\n\\end{{pmatrix}}\n",
        rows.join(" \\\\\n")
    )
}

fn shown(n: usize) -> Vec<Option<usize>> {
    if n <= WHOLE {
        return (0..n).map(Some).collect();
    }
    (0..FIRST).map(Some).chain([None, Some(n - 1)]).collect()
}
