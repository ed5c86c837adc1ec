//! `:equations` in a page: the board as one typeset table, what its signs mean below it.

use super::mathml::formula;
use crate::answers::equations::{instead, left, of, remarks, right};
use crate::terminal::html::{escaped, html};
use crate::terminal::style::Style;
use crate::terminal::text;
use vjp_eval::record::questions::{Equation, Equations, Left};
use vjp_maths::symbol::formula::Style as Spelling;

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
            None => ("", format!("<mtext>{}</mtext>", escaped(&instead(e)))),
        };
        let shape = match (&e.left, e.value.shape()) {
            (Left::Value(_), _) | (_, []) => String::new(),
            (_, shape) => format!("{shape:?}"),
        };
        let mark = match (&e.left, e.agrees, e.right.is_some()) {
            (Left::Value(_) | Left::Cotangent(_), true, _) => "",
            (_, true, _) => "✓",
            (Left::Value(_) | Left::Cotangent(_), false, false) => "",
            (_, false, _) => "✗",
        };
        let class = if e.agrees { "agrees" } else { "differs" };
        Some(format!(
            "<mtr><mtd>{left}</mtd><mtd><mo>{sign}</mo></mtd><mtd>{right}</mtd>\
             <mtd><mtext>{shape}</mtext></mtd><mtd><mtext class=\"{class}\">{mark}</mtext></mtd></mtr>"
        ))
    };
    let rows: Option<String> = event.forward.iter().chain(&event.backward).map(row).collect();
    let pretty = of(event, Spelling::Pretty);
    let said = html(&text(&remarks(event, &pretty, style), style));
    Some(format!(
        "<math display=\"block\"><mtable class=\"board\">{}</mtable></math>{}",
        rows?,
        said.trim_end()
    ))
}
