//! J as LaTeX: formulas where there are some, else numbers.

use crate::matrix::element_names::is_word;
use std::collections::HashSet;
use vjp_eval::Backward;
use vjp_eval::record::event::{Hessian, MatrixEvent};
use vjp_jacobian::{Entry, Jacobian};
use vjp_maths::Expr;
use vjp_maths::symbol::formula::{Style, write};
use vjp_maths::symbol::latex::{name, number};
use vjp_maths::symbol::share::share;

/// So many rows or columns are written whole, else the first few, dots and the last.
const WHOLE: usize = 12;
const FIRST: usize = 3;

/// Where a cell is longer than this, what cells share gets a name.
const LONGEST: usize = 160;

/// No longer text than this stands for an output without a name, as in the panel.
const SHORT: usize = 20;

/// An output by its name, else by its text.
fn output(text: &str) -> String {
    let one = |c: char| match c {
        '_' | '{' | '}' | '#' | '$' | '%' | '&' => format!(r"\{c}"),
        '^' | '~' => format!(r"\{c}{{}}"),
        c => c.to_string(),
    };
    match text {
        _ if is_word(text) => name(text),
        _ if text.chars().count() <= SHORT && !text.contains('\\') => {
            format!(r"\texttt{{({})}}", text.chars().map(one).collect::<String>())
        }
        _ => r"\mathrm{output}".to_owned(),
    }
}

/// J of each leaf of a backward.
pub fn backward(event: &Backward, taken: &HashSet<String>) -> String {
    let output = output(&event.output);
    let leaves = event.leaves.iter().map(|l| Matrix {
        head: format!(r"\frac{{\partial {output}}}{{\partial {}}}", name(&l.called())),
        numbers: &l.jacobian,
        symbols: l.symbolic.get(),
    });
    written(&leaves.collect::<Vec<_>>(), taken)
}

/// The second derivatives, a block for each pair of leaves.
pub fn hessian(event: &Hessian, taken: &HashSet<String>) -> String {
    let output = match event.weighted {
        true => format!(r"\left(v^{{\top}} {}\right)", output(&event.output)),
        false => output(&event.output),
    };
    let blocks = event.blocks.iter().map(|b| {
        let leaf = |k: usize| event.leaves.get(k).map_or(String::new(), |(n, _)| name(n));
        let below = match b.row == b.column {
            true => format!(r"\partial {}^{{2}}", leaf(b.row)),
            false => format!(r"\partial {} \, \partial {}", leaf(b.row), leaf(b.column)),
        };
        Matrix {
            head: format!(r"\frac{{\partial^{{2}} {output}}}{{{below}}}"),
            numbers: &b.matrix,
            symbols: b.symbolic.as_ref(),
        }
    });
    written(&blocks.collect::<Vec<_>>(), taken)
}

/// A matrix that was asked for.
pub fn matrix(event: &MatrixEvent, taken: &HashSet<String>) -> String {
    let (output, leaf) = (output(&event.output), name(&event.leaf));
    let head = match event.order {
        0 | 1 => format!(r"\frac{{\partial {output}}}{{\partial {leaf}}}"),
        _ => format!(r"\frac{{\partial^{{2}} {output}}}{{\partial {leaf}^{{2}}}}"),
    };
    let symbols = event.symbolic.as_ref();
    written(&[Matrix { head, numbers: &event.matrix, symbols }], taken)
}

/// One equation to be written.
struct Matrix<'a> {
    head: String,
    numbers: &'a Jacobian<f64>,
    symbols: Option<&'a Jacobian<Expr>>,
}

impl Matrix<'_> {
    /// The rows and columns that are written, with None for dots.
    fn places(&self) -> impl Iterator<Item = (Option<usize>, Option<usize>)> + use<> {
        let columns = shown(self.numbers.columns);
        shown(self.numbers.rows)
            .into_iter()
            .flat_map(move |row| columns.clone().into_iter().map(move |k| (row, k)))
    }

    /// A cell's formula, where it has one.
    fn formula(&self, (i, k): (Option<usize>, Option<usize>)) -> Option<Expr> {
        match self.symbols?.get(i?, k?) {
            Entry::Value(e) => write(&e, Style::Latex).is_some().then_some(e),
            Entry::Absent | Entry::Unchosen => Some(Expr::constant(0.0)),
        }
    }
}

/// The equations; parts that long cells share are named below.
fn written(matrices: &[Matrix], taken: &HashSet<String>) -> String {
    let cells: Vec<Option<Expr>> =
        matrices.iter().flat_map(|m| m.places().map(|at| m.formula(at))).collect();
    let mut formulas: Vec<Expr> = cells.iter().flatten().cloned().collect();
    let mut names = taken.clone();
    formulas.iter().for_each(|e| e.letters(&mut names));
    let text = |e: &Expr| write(e, Style::Latex).unwrap_or_default();
    let fits = |e: &Expr| text(e).chars().count() <= LONGEST;
    let named = share(&mut formulas, &fits, &|name| names.contains(name));
    let (mut cells, mut formulas) = (cells.into_iter(), formulas.iter());
    let mut out = String::new();
    for m in matrices {
        let width = shown(m.numbers.columns).len().max(1);
        let mut rows: Vec<Vec<String>> = Vec::new();
        for (k, place) in m.places().enumerate() {
            let formula = cells.next().flatten().and_then(|_| formulas.next());
            let cell = match (place, formula) {
                (_, Some(e)) => text(e),
                ((Some(i), Some(k)), None) => match m.numbers.get(i, k) {
                    Entry::Value(x) => number(x),
                    Entry::Absent | Entry::Unchosen => "0".to_owned(),
                },
                ((Some(_), None), _) => r"\cdots".to_owned(),
                ((None, Some(_)), _) => r"\vdots".to_owned(),
                ((None, None), _) => r"\ddots".to_owned(),
            };
            match rows.last_mut() {
                Some(row) if k % width != 0 => row.push(cell),
                _ => rows.push(vec![cell]),
            }
        }
        let rows: Vec<String> = rows.iter().map(|r| format!("  {}", r.join(" & "))).collect();
        out += &format!(
            "{} = \\begin{{pmatrix}}\n{}\n\\end{{pmatrix}}\n",
            m.head,
            rows.join(" \\\\\n")
        );
    }
    for (k, part) in named.iter().enumerate() {
        let lead = if k == 0 { r"\text{where } " } else { r"\quad " };
        out += &format!("{lead}{} = {}\n", text(&part.name), text(&part.part));
    }
    out
}

fn shown(n: usize) -> Vec<Option<usize>> {
    if n <= WHOLE {
        return (0..n).map(Some).collect();
    }
    (0..FIRST).map(Some).chain([None, Some(n - 1)]).collect()
}
