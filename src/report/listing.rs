//! Derivatives in symbols entry by entry, also where they are too large or their cells too wide for a
//! panel; parts that long formulas share are named once, below.

use super::formula::people;
use super::line::width;
use super::names::Names;
use super::style::WIDTH;
use crate::eval::event::{Backward, Hessian, HessianBlock, MatrixEvent};
use crate::maths::jacobian::{Entry, Jacobian};
use crate::maths::symbol::Expr;
use crate::maths::symbol_share::share;
use std::collections::HashSet;

/// So many lines for a leaf fit a screen.
const LINES: usize = 20;

/// Lines to be written: what stands left of `=`, and the formula; or a line of words.
#[derive(Default)]
struct Listing {
    lines: Vec<(String, Option<Expr>)>,
    /// Names that mean something already.
    names: HashSet<String>,
    ascii: bool,
}

/// `∂y₁/∂x₁ = 6x₁` for each entry that a path leads to.
pub fn formulas(backward: &Backward, ascii: bool) -> String {
    let mut listing = Listing::new(ascii, [&backward.output]);
    for leaf in &backward.leaves {
        let names =
            [(backward.output.as_str(), backward.value.shape()), (&leaf.name, leaf.value.shape())];
        listing.jacobian(names, leaf.symbolic.get());
    }
    listing.text()
}

/// The same for a matrix that was asked for.
pub fn matrix(event: &MatrixEvent, ascii: bool) -> String {
    let mut listing = Listing::new(ascii, [&event.output]);
    if event.order < 2 {
        let names = [
            (event.output.as_str(), event.row_shape.as_slice()),
            (&event.leaf, &event.column_shape),
        ];
        listing.jacobian(names, event.symbolic.as_ref());
    } else {
        let leaf = (event.leaf.clone(), event.column_shape.clone());
        let symbolic = event.symbolic.as_ref();
        listing.second(&event.output, [&leaf, &leaf], symbolic, true);
    }
    listing.text()
}

/// `∂²y/∂x₁∂x₂ = 2x₁` for each pair of elements of the leaves, once.
pub fn hessian(event: &Hessian, ascii: bool) -> String {
    let output = match (event.weighted, ascii) {
        (false, _) => event.output.clone(),
        (true, false) => format!("(vᵀ{})", event.output),
        (true, true) => format!("(v'{})", event.output),
    };
    let mut listing = Listing::new(ascii, [&event.output]);
    for block in &event.blocks {
        let HessianBlock { row, column, .. } = block;
        let leaves = [&event.leaves[*row], &event.leaves[*column]];
        listing.second(&output, leaves, block.symbolic.as_ref(), row == column);
    }
    match listing.lines.is_empty() {
        true => format!("  all second derivatives of {output} are zero\n"),
        false => listing.text(),
    }
}

impl Listing {
    fn new<'a>(ascii: bool, names: impl IntoIterator<Item = &'a String>) -> Listing {
        Listing { names: names.into_iter().cloned().collect(), ascii, ..Listing::default() }
    }

    fn words(&mut self, text: String) {
        self.lines.push((text, None));
    }

    /// ∂y/∂x, entry by entry.
    fn jacobian(&mut self, names: [(&str, &[usize]); 2], symbolic: Option<&Jacobian<Expr>>) {
        let d = if self.ascii { 'd' } else { '∂' };
        let [rows, columns] = names.map(|(name, shape)| Names::new(name, shape, self.ascii));
        let Some(symbolic) = symbolic else {
            return self.words(format!("J for {} contains a step without a formula", names[1].0));
        };
        self.entries(
            symbolic,
            |_, _| true,
            |i, j| format!("{d}{}/{d}{}", rows.full(i), columns.full(j)),
        );
    }

    /// ∂²y/∂a∂b, entry by entry; of a symmetric matrix the upper half.
    fn second(
        &mut self,
        output: &str,
        leaves: [&(String, Vec<usize>); 2],
        symbolic: Option<&Jacobian<Expr>>,
        symmetric: bool,
    ) {
        let (d, two) = if self.ascii { ('d', "^2") } else { ('∂', "²") };
        let Some(symbolic) = symbolic else {
            let [(a, _), (b, _)] = leaves;
            let below = match symmetric {
                true => format!("{d}{a}{two}"),
                false => format!("{d}{a}{d}{b}"),
            };
            let text = format!("{d}{two}{output}/{below} has a part without a formula");
            return self.words(text);
        };
        let [rows, columns] = leaves.map(|(name, shape)| Names::new(name, shape, self.ascii));
        self.entries(
            symbolic,
            |i, j| !symmetric || i <= j,
            |i, j| {
                let below = match symmetric && i == j {
                    true => format!("{d}{}{two}", rows.full(i)),
                    false => format!("{d}{}{d}{}", rows.full(i), columns.full(j)),
                };
                format!("{d}{two}{output}/{below}")
            },
        );
    }

    fn entries(
        &mut self,
        symbolic: &Jacobian<Expr>,
        wanted: impl Fn(usize, usize) -> bool,
        head: impl Fn(usize, usize) -> String,
    ) {
        let mut entries = symbolic.present().filter(|(i, j, _)| wanted(*i, *j));
        for (i, j, entry) in entries.by_ref().take(LINES) {
            let formula = match entry {
                Entry::Value(expr) => expr,
                Entry::Absent | Entry::Unchosen => Expr::constant(0.0),
            };
            self.lines.push((head(i, j), Some(formula)));
        }
        match entries.count() {
            0 => {}
            more => self.words(format!("… {more} more entries; all others are zero")),
        }
    }

    fn text(self) -> String {
        let Listing { lines, mut names, ascii } = self;
        let (heads, formulas): (Vec<String>, Vec<Option<Expr>>) = lines.into_iter().unzip();
        let mut exprs: Vec<Expr> = formulas.iter().flatten().cloned().collect();
        exprs.iter().for_each(|e| e.letters(&mut names));
        let left = heads.iter().map(|h| width(h)).max().unwrap_or(0) + "   = ".len();
        let fits = |e: &Expr| people(e, ascii).is_none_or(|text| left + width(&text) <= WIDTH);
        let named = share(&mut exprs, &fits, &|name| names.contains(name));
        let long = || "too long to show".to_owned();
        let spelled = |e: &Expr| people(e, ascii).unwrap_or_else(long);
        let mut exprs = exprs.into_iter();
        let mut text = String::new();
        for (head, formula) in heads.into_iter().zip(&formulas) {
            text += &match formula.as_ref().and_then(|_| exprs.next()) {
                Some(e) => format!("  {head} = {}\n", spelled(&e)),
                None => format!("  {head}\n"),
            };
        }
        for (k, part) in named.iter().enumerate() {
            let where_ = if k == 0 { "where" } else { "     " };
            let (name, part) = (spelled(&part.name), spelled(&part.part));
            text += &format!("  {where_} {name} = {part}\n");
        }
        text
    }
}
