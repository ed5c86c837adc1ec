//! J in symbols entry by entry, also where it is too large or its cells too wide for a panel.

use super::formula::people;
use super::names::Names;
use crate::eval::event::{Backward, LeafReport};
use crate::maths::jacobian::Entry;

/// So many lines for a leaf fit a screen.
const LINES: usize = 20;

/// `∂y₁/∂x₁ = 6x₁` for each entry that a path leads to.
pub fn formulas(backward: &Backward, ascii: bool) -> String {
    let rows = Names::new(&backward.output, backward.value.shape(), ascii);
    let leaves = backward.leaves.iter();
    leaves.map(|leaf| of_leaf(leaf, &rows, ascii)).collect()
}

fn of_leaf(leaf: &LeafReport, rows: &Names, ascii: bool) -> String {
    let d = if ascii { 'd' } else { '∂' };
    let Some(symbolic) = leaf.symbolic.get() else {
        return format!("  J for {} has a part without a formula\n", leaf.name);
    };
    let columns = Names::new(&leaf.name, leaf.value.shape(), ascii);
    let mut text = String::new();
    let mut entries = symbolic.present();
    for (i, j, entry) in entries.by_ref().take(LINES) {
        let formula = match &entry {
            Entry::Value(expr) => {
                people(expr, ascii).unwrap_or_else(|| "too long to show".to_owned())
            }
            Entry::Absent | Entry::Unchosen => "0".to_owned(),
        };
        text += &format!("  {d}{}/{d}{} = {formula}\n", rows.full(i), columns.full(j));
    }
    match entries.count() {
        0 => text,
        more => text + &format!("  … {more} more entries; all others are zero\n"),
    }
}
