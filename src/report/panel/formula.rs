//! Which symbols are shown beside the numbers, and how a formula is spelled.

use crate::matrix::grid;
use crate::terminal::line::width;
use crate::{Line, Role};
use std::cell::Cell;
use std::collections::HashSet;
use std::rc::Rc;
use vjp_eval::{Backward, LeafReport};
use vjp_jacobian::{Entry, Jacobian};
use vjp_maths::Expr;
use vjp_maths::symbol::formula::{Style, write};
use vjp_maths::symbol::names::{GENERIC, variable};
use vjp_maths::symbol::{Leaf, Node};

/// A symbolic cell is at most so wide.
const WIDEST: usize = 12;

/// A symbolic J has at most so many rows and columns.
const LARGEST: usize = 4;

/// Entries of a diagonal that are compared before one formula is said to hold for all.
const SAMPLES: usize = 256;

/// Formula and rule compute in another order, and perhaps in 32 bits.
const NEAR: f64 = 1e-3;

/// Entries that are compared to see that J is another leaf.
const ENTRIES: usize = 4096;

/// Symbols that fit beside the numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Symbols {
    /// A cell for each entry, row-major; None is `·`.
    Cells(Vec<Option<String>>),
    /// Every entry is a constant: the words say more than the numbers again.
    Constant,
}

/// A formula for people: `6x₁`, in ASCII `6*x1`; None where there is none or it is too long.
pub fn people(expr: &Expr, ascii: bool) -> Option<String> {
    write(expr, spelling(ascii))
}

fn spelling(ascii: bool) -> Style {
    if ascii { Style::Ascii } else { Style::Pretty }
}

/// The symbols to show beside J, where they are small enough to help.
pub fn beside(symbolic: &Jacobian<Expr>, ascii: bool) -> Option<Symbols> {
    let (rows, columns) = (symbolic.rows, symbolic.columns);
    let entries = || (0..rows).flat_map(move |i| (0..columns).map(move |k| (i, k)));
    if rows * columns == 0 || rows > LARGEST || columns > LARGEST {
        return None;
    }
    let constant = |(i, k)| match grid::entry(symbolic, i, k) {
        Entry::Value(expr) => expr.as_const().is_some(),
        Entry::Absent | Entry::Unchosen => true,
    };
    if entries().all(constant) {
        return Some(Symbols::Constant);
    }
    // The head of the columns says which value it is, where only one is in J.
    let mut names = HashSet::new();
    for (i, k) in entries() {
        if let Entry::Value(expr) = grid::entry(symbolic, i, k) {
            expr.letters(&mut names);
        }
    }
    let single = names.len() == 1;
    let mut cells = Vec::with_capacity(rows * columns);
    for (i, k) in entries() {
        cells.push(match grid::entry(symbolic, i, k) {
            Entry::Absent => None,
            Entry::Unchosen => Some("0".to_string()),
            Entry::Value(expr) => {
                // Which of several values a name is costs room that the formula is worth.
                let own = |text: &str| width(&text.replace(" (earlier)", ""));
                let text = people(&expr, ascii).filter(|text| own(text) <= WIDEST)?;
                Some(if single { undated(&text) } else { text })
            }
        });
    }
    Some(Symbols::Cells(cells))
}

/// `2x₁` for `2(x₁ (earlier))`.
pub(super) fn undated(text: &str) -> String {
    const DATE: &str = " (earlier)";
    let mut out = text.to_owned();
    while let Some(at) = out.find(DATE) {
        let behind = at + DATE.len();
        let open = out[..at].rfind(|c: char| !(c.is_alphanumeric() || "_.[],".contains(c)));
        match open.filter(|o| out[*o..].starts_with('(') && out[behind..].starts_with(')')) {
            Some(open) => {
                out.replace_range(at..=behind, "");
                out.remove(open);
            }
            None => out.replace_range(at..behind, ""),
        }
    }
    out
}

/// The entry of J, where its formula gives another number at the leaves' values: 1 for √x², which has no
/// value left of 0, or NaN for a branch that was not taken.
pub fn elsewhere(b: &Backward, of: &LeafReport, at: (usize, usize), expr: &Expr) -> Option<f64> {
    // Constants have names too; of their values nothing is known here.
    let known = Cell::new(true);
    let value = |leaf: &Leaf, index: usize| {
        let mut named = b.leaves.iter().filter(|l| l.called() == leaf.name && !leaf.shared);
        let found = named.next().filter(|_| named.next().is_none());
        let value = found.and_then(|l| l.value.data().get(index).copied());
        known.set(known.get() && value.is_some());
        value.unwrap_or(f64::NAN)
    };
    let rule = of.jacobian.number(at.0, at.1);
    let formula = expr.evaluate(&value);
    let near = (formula - rule).abs() <= NEAR * rule.abs().max(1.0);
    (known.get() && !near && formula != rule && !(formula.is_nan() && rule.is_nan()))
        .then_some(rule)
}

/// Whether every entry's formula gives the entry.
pub fn holds(b: &Backward, of: &LeafReport, symbolic: &Jacobian<Expr>) -> bool {
    symbolic.present().all(|(i, j, e)| match e {
        Entry::Value(e) => elsewhere(b, of, (i, j), &e).is_none(),
        Entry::Absent | Entry::Unchosen => true,
    })
}

/// One formula for every entry of a diagonal that is too large for cells: `∂yᵢ/∂xᵢ = 3xᵢ²`; None
/// where the entries differ in form.
pub fn generic(
    symbolic: &Jacobian<Expr>,
    backward: &Backward,
    report: &LeafReport,
    ascii: bool,
) -> Option<Line> {
    let n = symbolic.rows;
    let rank = report.value.shape().len();
    if n <= LARGEST
        || !grid::is_diagonal(symbolic)
        || !(1..=2).contains(&rank)
        || backward.value.shape() != report.value.shape()
        || !backward.named
    {
        return None;
    }
    let first = generalised(symbolic, 0)?;
    let step = (n / SAMPLES).max(1);
    let same = |k: usize| generalised(symbolic, k).as_ref() == Some(&first);
    if !(0..n).step_by(step).chain([n - 1]).all(same) {
        return None;
    }
    let text = people(&first, ascii)?;
    let index = &if ascii { "ij" } else { "ᵢⱼ" }.chars().take(rank).collect::<String>();
    let leaf = Leaf { shared: false, name: report.called(), shape: report.value.shape().to_vec() };
    let mut line = Line::of(Role::Plain, "∂");
    line.push(Role::User, backward.output.as_str()).plain(index);
    line.plain("/∂");
    line.push(Role::User, variable(&leaf, GENERIC, spelling(ascii)));
    line.plain(" = ").push(Role::Formula, text);
    Some(line)
}

/// Diagonal entry `k` with index `k` made general.
fn generalised(symbolic: &Jacobian<Expr>, k: usize) -> Option<Expr> {
    match grid::entry(symbolic, k, k) {
        Entry::Value(expr) => Some(substitute(&expr, k)),
        Entry::Absent | Entry::Unchosen => None,
    }
}

/// Elements at position `k` as generic ones. Expressions are bounded in depth.
fn substitute(expr: &Expr, k: usize) -> Expr {
    match expr.node() {
        Node::Const(_) | Node::Unknown => expr.clone(),
        Node::Var(leaf, index) if *index == k && !leaf.shape.is_empty() => Expr::var(leaf, GENERIC),
        Node::Var(..) => expr.clone(),
        Node::Sum(terms) => terms
            .iter()
            .fold(Expr::constant(0.0), |sum, (c, term)| sum.plus(&substitute(term, k).times(*c))),
        Node::Product(factors) => factors
            .iter()
            .fold(Expr::constant(1.0), |product, (b, e)| product.by(&substitute(b, k).power(*e))),
        Node::Call(fun, args) => {
            let args: Vec<Expr> = args.iter().map(|a| substitute(a, k)).collect();
            let args: Vec<&Expr> = args.iter().collect();
            Expr::call(fun, &args)
        }
    }
}

/// The leaf that J is, entry by entry: `∂(A @ x)/∂x` is A.
pub fn itself(symbolic: &Jacobian<Expr>) -> Option<String> {
    let n = symbolic.rows * symbolic.columns;
    if !(2..=ENTRIES).contains(&n) {
        return None;
    }
    let mut found: Option<Rc<Leaf>> = None;
    for at in 0..n {
        let entry = grid::entry(symbolic, at / symbolic.columns, at % symbolic.columns);
        let Entry::Value(expr) = entry else {
            return None;
        };
        let Node::Var(leaf, index) = expr.node() else {
            return None;
        };
        let known = found.get_or_insert_with(|| leaf.clone());
        let matrix = [symbolic.rows, symbolic.columns];
        if *index != at || **known != **leaf || leaf.shape != matrix {
            return None;
        }
    }
    found.map(|leaf| leaf.name.clone())
}
