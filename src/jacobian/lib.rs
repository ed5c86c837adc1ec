//! The Jacobian as composing local derivatives gives it: kept in its cheapest form, with entries
//! that no path reaches left out, so that 0·∞ cannot make NaN of them. Shares no code with the sweep.
//! Depends on `maths` and `tensor`.
//!
//! Begin with [`walk`], which goes over the graph; [`form`] is how J is kept, [`compose`] multiplies two.
//! [`central_differences`] and [`kinks`] say where it can be checked and where it jumps.

pub(crate) mod algebra;
pub(crate) mod apply;
pub(crate) mod band;
pub mod central_differences;
pub(crate) mod compose;
pub mod custom_function;
pub(crate) mod factor;
pub(crate) mod form;
#[cfg(test)]
pub(crate) mod form_tests;
pub mod kinks;
pub(crate) mod read;
pub(crate) mod scale;
pub(crate) mod structure;
pub(crate) mod symbols;
pub(crate) mod tiles;
pub mod walk;

use smallvec::SmallVec;
use std::rc::Rc;

pub use crate::apply::regular;
pub use crate::band::{Along, Band};
pub use crate::factor::{Factor, Side};
pub use crate::form::{Element, Entry, Form, Pattern, Rows, Store};

/// rows × columns, kept in its cheapest form.
#[derive(Clone, Debug)]
pub struct Jacobian<E: Element> {
    pub rows: usize,
    pub columns: usize,
    pub form: Form<E>,
}

impl<E: Element> Jacobian<E> {
    pub fn zero(rows: usize, columns: usize) -> Jacobian<E> {
        Jacobian { rows, columns, form: Form::Zero }
    }

    pub fn identity(n: usize) -> Jacobian<E> {
        Jacobian { rows: n, columns: n, form: Form::Scaled(1.0) }
    }

    /// Square, with these on the diagonal.
    pub fn diagonal(entries: Vec<E>) -> Jacobian<E> {
        Jacobian {
            rows: entries.len(),
            columns: entries.len(),
            form: Form::Diagonal(E::Store::of(entries)),
        }
    }

    /// From all entries, row-major, none of them absent.
    pub fn dense(rows: usize, columns: usize, data: Vec<E>) -> Jacobian<E> {
        Jacobian { rows, columns, form: Form::Dense(E::Store::of(data)) }
    }

    /// From every entry, row-major.
    pub fn from_entries(rows: usize, columns: usize, entries: Vec<Entry<E>>) -> Jacobian<E> {
        let mut pattern = Pattern { starts: vec![0], columns: Vec::new() };
        let mut values = Vec::new();
        for (at, entry) in entries.into_iter().enumerate() {
            match entry {
                Entry::Absent => {}
                Entry::Unchosen => values.push(None),
                Entry::Value(e) => values.push(Some(e)),
            }
            if values.len() > pattern.columns.len() {
                pattern.columns.push(at % columns);
            }
            if (at + 1) % columns == 0 {
                pattern.starts.push(values.len());
            }
        }
        pattern.starts.resize(rows + 1, values.len());
        let form = Form::Rows(Rows { pattern: Rc::new(pattern), values: values.into() });
        let j = Jacobian { rows, columns, form };
        j.cheapest()
    }

    /// The entry in row i and column j.
    pub fn get(&self, i: usize, j: usize) -> Entry<E> {
        match &self.form {
            Form::Scaled(c) if i == j => Entry::Value(E::of(*c)),
            Form::Diagonal(d) if i == j => Entry::Value(d.items()[i].clone()),
            Form::Zero | Form::Scaled(_) | Form::Diagonal(_) => Entry::Absent,
            Form::Dense(data) => Entry::Value(data.items()[i * self.columns + j].clone()),
            Form::Factor(factor) => factor.get(i, j).map_or(Entry::Absent, Entry::Value),
            Form::Bands(bands) => {
                let band = bands.iter().find(|b| b.column(i) == Some(j));
                band.map_or(Entry::Absent, |b| match &b.along {
                    Along::Same(c, _) => Entry::Value(E::of(*c)),
                    Along::Each(values) => Entry::Value(values.items()[i - b.start].clone()),
                })
            }
            Form::Rows(rows) => {
                let range = rows.pattern.row(i);
                match rows.pattern.columns[range.clone()].binary_search(&j) {
                    Err(_) => Entry::Absent,
                    Ok(at) => match &rows.values[range.start + at] {
                        None => Entry::Unchosen,
                        Some(e) => Entry::Value(e.clone()),
                    },
                }
            }
        }
    }

    /// All entries, row-major.
    pub fn entries(&self) -> impl Iterator<Item = Entry<E>> + '_ {
        (0..self.rows).flat_map(move |i| (0..self.columns).map(move |j| self.get(i, j)))
    }

    /// Whether nothing is off the diagonal (and the matrix is square and not zero).
    pub fn is_diagonal(&self) -> bool {
        matches!(self.form, Form::Scaled(_) | Form::Diagonal(_))
    }

    /// The columns of row i to which a path leads, ascending.
    pub fn columns_of(&self, i: usize) -> Columns<'_> {
        match &self.form {
            Form::Zero => Columns::Range(0..0),
            Form::Scaled(_) | Form::Diagonal(_) => Columns::Range(i..i + 1),
            Form::Dense(_) => Columns::Range(0..self.columns),
            Form::Rows(rows) => Columns::Listed(rows.pattern.columns[rows.pattern.row(i)].iter()),
            Form::Bands(bands) => Columns::Made(
                bands.iter().filter_map(|b| b.column(i)).collect::<SmallVec<_>>().into_iter(),
            ),
            Form::Factor(f) => Columns::Made(f.columns_of(i).collect::<SmallVec<_>>().into_iter()),
        }
    }

    /// Whether no entry is absent or unchosen.
    pub fn is_full(&self) -> bool {
        match &self.form {
            Form::Dense(_) => true,
            Form::Factor(f) => f.is_full(),
            _ => false,
        }
    }

    /// The entries with a path, by rows: (row, column, entry).
    pub fn present(&self) -> impl Iterator<Item = (usize, usize, Entry<E>)> + '_ {
        (0..self.rows).flat_map(move |i| self.columns_of(i).map(move |j| (i, j, self.get(i, j))))
    }

    /// Entries with a path, chosen or not.
    pub fn stored(&self) -> usize {
        match &self.form {
            Form::Zero => 0,
            Form::Scaled(_) => self.rows,
            Form::Diagonal(d) => d.items().len(),
            Form::Bands(bands) => bands.iter().map(Band::len).sum(),
            Form::Factor(f) => f.rows() * f.k,
            Form::Rows(rows) => rows.values.len(),
            Form::Dense(data) => data.items().len(),
        }
    }

    /// Whether a path leads from column j to row i.
    pub fn reaches(&self, i: usize, j: usize) -> bool {
        !matches!(self.get(i, j), Entry::Absent)
    }

    /// Whether any value is so.
    pub fn any(&self, is: impl Fn(&E) -> bool) -> bool {
        match &self.form {
            Form::Zero | Form::Scaled(_) => false,
            Form::Diagonal(d) | Form::Dense(d) => d.items().iter().any(is),
            Form::Rows(rows) => rows.values.iter().flatten().any(is),
            Form::Bands(bands) => bands.iter().any(|b| match &b.along {
                Along::Same(..) => false,
                Along::Each(d) => d.items().iter().any(&is),
            }),
            Form::Factor(f) => {
                let weights = f.weights.as_ref().map_or(&[][..], Store::items);
                f.by.items().iter().chain(weights).any(is)
            }
        }
    }
}

/// Some columns, ascending.
pub enum Columns<'a> {
    Range(std::ops::Range<usize>),
    Listed(std::slice::Iter<'a, usize>),
    Made(smallvec::IntoIter<[usize; 8]>),
}

impl Iterator for Columns<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        match self {
            Columns::Range(r) => r.next(),
            Columns::Listed(l) => l.next().copied(),
            Columns::Made(m) => m.next(),
        }
    }
}
