//! What kind of matrix a Jacobian is, in words, and the form that takes the least.

use crate::form::{Element, Form, Rows, Store};
use crate::{Band, Jacobian};
use std::collections::BTreeSet;

/// Diagonals counted before a matrix is no longer called banded.
const DIAGONALS: usize = 64;

impl<E: Element> Jacobian<E> {
    /// What kind of matrix it is, in words: `diagonal`, `banded (3 diagonals)`, `sparse (12 of 400)`.
    pub fn structure(&self) -> String {
        let (rows, columns) = (self.rows, self.columns);
        match &self.form {
            Form::Zero => "zero".to_owned(),
            Form::Rows(rows) if rows.values.iter().all(Option::is_none) => "zero".to_owned(),
            Form::Factor(f) if rows * columns > 1 => f.structure(),
            _ if self.stored() == rows * columns => "dense".to_owned(),
            Form::Scaled(1.0) => "identity".to_owned(),
            Form::Scaled(c) => format!("identity × {c}"),
            Form::Diagonal(_) => "diagonal".to_owned(),
            Form::Dense(_) => "dense".to_owned(),
            _ => self.sparse_structure(),
        }
    }

    /// The diagonals on which there are entries; None where they are many.
    fn offsets(&self) -> Option<BTreeSet<isize>> {
        let mut offsets = BTreeSet::new();
        if let Form::Bands(bands) = &self.form {
            offsets.extend(bands.iter().map(|b| b.offset));
            return Some(offsets);
        }
        for i in 0..self.rows {
            for j in self.columns_of(i) {
                offsets.insert(j as isize - i as isize);
            }
            if offsets.len() > DIAGONALS {
                return None;
            }
        }
        Some(offsets)
    }

    fn sparse_structure(&self) -> String {
        let (rows, columns) = (self.rows, self.columns);
        if self.is_selection() {
            return match rows == columns && self.takes_all() {
                true => "permutation".to_owned(),
                false => "selection".to_owned(),
            };
        }
        if let Some(offsets) = self.offsets() {
            if rows == columns && offsets.iter().all(|o| *o == 0) {
                return "diagonal".to_owned();
            }
            // The band holds the main diagonal and ends not far from it.
            let below = offsets.first().map_or(0, |o| o.min(&0).unsigned_abs());
            let above = offsets.last().map_or(0, |o| o.max(&0).unsigned_abs());
            if (below + above + 1) * 2 < rows.min(columns) {
                let s = if offsets.len() == 1 { "" } else { "s" };
                return format!("banded ({} diagonal{s})", offsets.len());
            }
        }
        if rows == columns && rows > 1 {
            if (0..rows).all(|i| self.columns_of(i).all(|j| j <= i)) {
                return "lower triangular".to_owned();
            }
            if (0..rows).all(|i| self.columns_of(i).all(|j| j >= i)) {
                return "upper triangular".to_owned();
            }
        }
        format!("sparse ({} of {})", self.stored(), rows * columns)
    }

    /// Whether each output is one of the inputs.
    fn is_selection(&self) -> bool {
        let ones = match &self.form {
            Form::Rows(rows) => rows.values.iter().all(|v| v.as_ref().is_some_and(|e| e.is(1.0))),
            Form::Bands(bands) => bands.iter().all(Band::is_ones),
            _ => false,
        };
        ones && self.stored() == self.rows
            && (0..self.rows).all(|i| self.columns_of(i).count() == 1)
    }

    /// Whether every column has an entry.
    fn takes_all(&self) -> bool {
        let mut hit = vec![false; self.columns];
        (0..self.rows).for_each(|i| self.columns_of(i).for_each(|j| hit[j] = true));
        hit.iter().all(|h| *h)
    }

    /// The form without loss that takes the least: a full pattern is dense, a diagonal one diagonal.
    pub(crate) fn cheapest(mut self) -> Jacobian<E> {
        let Form::Rows(rows) = &self.form else {
            return self;
        };
        if rows.values.is_empty() {
            self.form = Form::Zero;
        } else if rows.values.iter().any(Option::is_none) {
        } else if self.rows == self.columns
            && rows.values.len() == self.rows
            && rows.pattern.columns.iter().enumerate().all(|(i, j)| i == *j)
            && rows.pattern.starts.iter().enumerate().all(|(i, s)| i == *s)
        {
            self.form = Form::Diagonal(E::Store::of(all(rows)));
        } else if rows.values.len() == self.rows * self.columns {
            self.form = Form::Dense(E::Store::of(all(rows)));
        }
        self
    }
}

fn all<E: Element>(rows: &Rows<E>) -> Vec<E> {
    rows.values.iter().flatten().cloned().collect()
}
