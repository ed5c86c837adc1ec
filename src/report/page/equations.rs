//! `:equations` in a page: the board as one typeset table, what its signs mean below it.

use super::mathml::formula;
use crate::answers::equations::{instead, left, of, remarks, right};
use crate::terminal::html::{escaped, html};
use crate::terminal::text;
use crate::{Painted, Style};
use vjp_eval::record::questions::{Equation, Equations, Left};
use vjp_maths::symbol::formula::Style as Spelling;
use vjp_maths::symbol::latex;

/// More equations are better read as text, where the middle is left out.
const MOST: usize = 41;

/// The board; None where a formula cannot be typeset.
pub fn element(event: &Equations, style: &Style) -> Option<String> {
    if event.forward.len().max(event.backward.len()) > MOST {
        return None;
    }
    let board = of(event, Spelling::Latex);
    let row = |e: &Equation| -> Option<String> {
        let left = formula(&left(&board, &e.left))?;
        let (sign, right) = match right(&board, e) {
            Some(right) => (if e.adds { "+=" } else { "=" }, formula(&right)?),
            None => ("", format!("<mtext>{}</mtext>", escaped(&instead(&board, e)))),
        };
        let (shape, mark) = (shape(e), mark(e));
        let class = if e.agrees { "agrees" } else { "differs" };
        Some(format!(
            "<mtr><mtd>{left}</mtd><mtd><mo>{sign}</mo></mtd><mtd>{right}</mtd>\
             <mtd><mtext>{shape}</mtext></mtd><mtd><mtext class=\"{class}\">{mark}</mtext></mtd></mtr>"
        ))
    };
    let rows: Option<String> = event.forward.iter().chain(&event.backward).map(row).collect();
    Some(format!(
        "<math display=\"block\"><mtable class=\"board\">{}</mtable></math>{}",
        rows?,
        html(&said(event, style)).trim_end()
    ))
}

/// The same in LaTeX.
pub fn latex(event: &Equations, style: &Style) -> String {
    let board = of(event, Spelling::Latex);
    let row = |e: &Equation| {
        let right = match right(&board, e) {
            Some(right) => format!("{} {right}", if e.adds { r"\mathrel{+}=" } else { "=" }),
            None => format!(r"\text{{{}}}", latex::escaped(&instead(&board, e))),
        };
        let (shape, mark) = (shape(e), mark(e));
        format!(r"  {} &{right} && \text{{{shape}}} && \text{{{mark}}}", left(&board, &e.left))
    };
    let rows: Vec<String> = event.forward.iter().chain(&event.backward).map(row).collect();
    let table = format!("\\begin{{aligned}}\n{}\n\\end{{aligned}}", rows.join(" \\\\\n"));
    format!("$$\n{table}\n$$\n\n{}", said(event, style).in_signs())
}

fn shape(e: &Equation) -> String {
    match (&e.left, e.value.shape()) {
        (Left::Value(_), _) | (_, []) => String::new(),
        (_, shape) => format!("{shape:?}"),
    }
}

fn mark(e: &Equation) -> &'static str {
    match (&e.left, e.agrees, e.right.is_some()) {
        (Left::Value(_) | Left::Cotangent(_), true, _) => "",
        (_, true, _) => "✓",
        (Left::Value(_) | Left::Cotangent(_), false, false) => "",
        (_, false, _) => "✗",
    }
}

/// What its signs mean.
fn said(event: &Equations, style: &Style) -> Painted {
    text(&remarks(event, &of(event, Spelling::Pretty), style), style)
}
