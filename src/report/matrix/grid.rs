//! The one place that reads Jacobians: entries, structure, equality.

use vjp_jacobian::{Element, Entry, Jacobian};

/// The entry at a row and a column.
pub fn entry<E: Element>(j: &Jacobian<E>, row: usize, column: usize) -> Entry<E> {
    j.get(row, column)
}

/// The number that an entry stands for.
pub fn number(entry: &Entry<f64>) -> f64 {
    match entry {
        Entry::Value(x) => *x,
        Entry::Absent | Entry::Unchosen => 0.0,
    }
}

/// What kind of matrix it is, in words.
pub fn structure<E: Element>(j: &Jacobian<E>) -> String {
    j.structure()
}

/// How many entries are stored.
pub fn stored<E: Element>(j: &Jacobian<E>) -> usize {
    j.stored()
}

/// Whether only the diagonal has entries.
pub fn is_diagonal<E: Element>(j: &Jacobian<E>) -> bool {
    j.is_diagonal()
}

/// The diagonal of a diagonal J.
pub fn diagonal(j: &Jacobian<f64>) -> Option<Vec<f64>> {
    is_diagonal(j).then(|| (0..j.rows.min(j.columns)).map(|i| number(&entry(j, i, i))).collect())
}

/// The entries that are there: (row, column, number).
pub fn triplets(j: &Jacobian<f64>) -> Vec<(usize, usize, f64)> {
    j.present().map(|(i, k, e)| (i, k, number(&e))).collect()
}
