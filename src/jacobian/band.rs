//! Entries that lie along diagonals: those of slices, shifts and stencils.

use crate::Jacobian;
use crate::form::{Element, Form, Store, mapped, zipped};
use crate::read::{Cell, Coefficients};
use vjp_maths::LinearMap;
use vjp_maths::autodiff::linear_map::Spread;
use vjp_tensor::ElementMap;

/// More runs than this are kept as rows.
const MANY: usize = 24;

/// A run of entries: row `start + k` has entry k in column `row + offset`.
#[derive(Clone, Debug)]
pub struct Band<E: Element> {
    pub offset: isize,
    pub start: usize,
    pub along: Along<E>,
}

#[derive(Clone, Debug)]
pub enum Along<E: Element> {
    /// So many entries of one value.
    Same(f64, usize),
    Each(E::Store),
}

impl<E: Element> Along<E> {
    fn len(&self) -> usize {
        match self {
            Along::Same(_, len) => *len,
            Along::Each(values) => values.items().len(),
        }
    }

    pub(crate) fn at(&self, k: usize) -> Cell<'_, E> {
        match self {
            Along::Same(c, _) => Cell::Number(*c),
            Along::Each(values) => Cell::Value(&values.items()[k]),
        }
    }

    fn part(&self, from: usize, len: usize) -> Along<E> {
        match self {
            Along::Same(c, _) => Along::Same(*c, len),
            Along::Each(values) if values.items().len() == len => Along::Each(values.clone()),
            Along::Each(values) => {
                Along::Each(E::Store::of(values.items()[from..from + len].to_vec()))
            }
        }
    }

    pub(crate) fn scaled(self, by: f64) -> Along<E> {
        match self {
            _ if by == 1.0 => self,
            Along::Same(c, len) => Along::Same(c * by, len),
            Along::Each(values) => Along::Each(mapped::<E>(values, |_, e| e.scale(by))),
        }
    }

    fn times(self, other: Along<E>) -> Along<E> {
        match (self, other) {
            (Along::Same(c, _), along) | (along, Along::Same(c, _)) => along.scaled(c),
            (Along::Each(a), Along::Each(b)) => {
                Along::Each(zipped::<E>(b, a.items(), |b, a| a.mul(b)))
            }
        }
    }

    /// Each entry times a factor of its own.
    fn weighed(self, by: &[E], place: impl Fn(usize) -> usize) -> Along<E> {
        match self {
            Along::Same(c, len) => {
                let each = (0..len).map(|k| match c {
                    1.0 => by[place(k)].clone(),
                    _ => by[place(k)].scale(c),
                });
                Along::Each(E::Store::of(each.collect()))
            }
            Along::Each(values) => Along::Each(mapped::<E>(values, |k, e| by[place(k)].mul(e))),
        }
    }
}

impl<E: Element> Band<E> {
    pub fn len(&self) -> usize {
        self.along.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether all entries are the number 1, not computed.
    pub(crate) fn is_ones(&self) -> bool {
        matches!(self.along, Along::Same(1.0, _))
    }

    /// The row after the last.
    pub fn end(&self) -> usize {
        self.start + self.len()
    }

    /// The column in which row i has an entry, if it has one.
    pub fn column(&self, i: usize) -> Option<usize> {
        (self.start <= i && i < self.end()).then(|| i.wrapping_add_signed(self.offset))
    }

    /// Both along the same diagonal, touching or overlapping; this one starts first.
    fn joined(self, other: Band<E>) -> Band<E> {
        let along = match (self.along, other.along) {
            (a, b) if self.start == other.start && a.len() == b.len() => match (a, b) {
                (Along::Same(a, len), Along::Same(b, _)) => Along::Same(a + b, len),
                (Along::Each(a), Along::Each(b)) => Along::Each(zipped::<E>(a, b.items(), E::add)),
                (Along::Same(c, _), Along::Each(d)) | (Along::Each(d), Along::Same(c, _)) => {
                    Along::Each(mapped::<E>(d, |_, e| e.add(&E::of(c))))
                }
            },
            (a, b) => {
                let shift = other.start - self.start;
                let len = a.len().max(shift + b.len());
                let own = |along: &Along<E>, k: usize| match along.at(k) {
                    Cell::Number(c) => E::of(c),
                    Cell::Value(e) => e.clone(),
                    Cell::Unchosen => E::of(0.0),
                };
                let each =
                    (0..len).map(|k| match (k < a.len(), k >= shift && k < shift + b.len()) {
                        (true, true) => own(&a, k).add(&own(&b, k - shift)),
                        (true, false) => own(&a, k),
                        _ => own(&b, k - shift),
                    });
                Along::Each(E::Store::of(each.collect()))
            }
        };
        Band { offset: self.offset, start: self.start, along }
    }
}

/// A Jacobian of such runs; those on one diagonal that meet are added.
pub(crate) fn from_bands<E: Element>(
    rows: usize,
    columns: usize,
    mut bands: Vec<Band<E>>,
) -> Jacobian<E> {
    bands.retain(|b| !b.is_empty());
    bands.sort_by_key(|b| (b.offset, b.start));
    let mut merged: Vec<Band<E>> = Vec::with_capacity(bands.len());
    for band in bands {
        match merged.pop() {
            None => merged.push(band),
            Some(last) if last.offset == band.offset && band.start <= last.end() => {
                merged.push(last.joined(band));
            }
            Some(last) => merged.extend([last, band]),
        }
    }
    let whole = |b: &Band<E>| b.offset == 0 && b.len() == rows && rows == columns;
    let form = match merged.as_slice() {
        [] => Form::Zero,
        [b] if whole(b) => match &b.along {
            Along::Same(c, _) => Form::Scaled(*c),
            Along::Each(values) => Form::Diagonal(values.clone()),
        },
        _ => Form::Bands(merged),
    };
    Jacobian { rows, columns, form }
}

/// The runs of a local map that has no other entries.
fn of_map<C: Coefficients>(map: &LinearMap<C>) -> Option<Vec<Band<C::E>>> {
    let (elements, transposed) = match map {
        LinearMap::Gather(w) => (w, false),
        LinearMap::Scatter(w) => (w, true),
        _ => return None,
    };
    let mut bands: Vec<(usize, usize, usize)> = Vec::new();
    for (i, j) in elements.index.iter().enumerate() {
        if *j == ElementMap::NONE {
            continue;
        }
        match bands.last_mut() {
            Some((row, column, len)) if *row + *len == i && *column + *len == *j => {
                *len += 1;
                continue;
            }
            _ => bands.push((i, *j, 1)),
        }
        if bands.len() > MANY {
            return None;
        }
    }
    Some(
        bands
            .into_iter()
            .map(|(row, column, len)| {
                let (start, other) = if transposed { (column, row) } else { (row, column) };
                Band {
                    offset: other as isize - start as isize,
                    start,
                    along: Along::Same(1.0, len),
                }
            })
            .collect(),
    )
}

/// Whether a map of runs only gives another shape.
fn is_identity<E: Element>(map: &[Band<E>], rows: usize, columns: usize) -> bool {
    rows == columns && matches!(map, [b] if b.offset == 0 && b.len() == rows && b.is_ones())
}

/// A·B where both are runs along diagonals.
fn product<E: Element>(a: &[Band<E>], b: &[Band<E>]) -> Option<Vec<Band<E>>> {
    if a.len() * b.len() > MANY * 4 {
        return None;
    }
    let mut out = Vec::with_capacity(a.len() * b.len());
    for p in a {
        for q in b {
            let shifted = |row: usize| row.saturating_add_signed(-p.offset);
            let (from, to) = (p.start.max(shifted(q.start)), p.end().min(shifted(q.end())));
            if from < to {
                let middle = from.wrapping_add_signed(p.offset);
                out.push(Band {
                    offset: p.offset + q.offset,
                    start: from,
                    along: p
                        .along
                        .part(from - p.start, to - from)
                        .times(q.along.part(middle - q.start, to - from)),
                });
            }
        }
    }
    Some(out)
}

/// A·B where both have nothing but runs, and few of them.
pub(crate) fn bands_product<E: Element>(a: &Jacobian<E>, b: &Jacobian<E>) -> Option<Jacobian<E>> {
    let bands = product(&a.bands()?, &b.bands()?)?;
    (bands.len() <= MANY).then(|| from_bands(a.rows, b.columns, bands))
}

impl<E: Element> Jacobian<E> {
    /// Its runs, where it has nothing else.
    pub(crate) fn bands(&self) -> Option<Vec<Band<E>>> {
        let main = |along| vec![Band { offset: 0, start: 0, along }];
        match &self.form {
            Form::Zero => Some(Vec::new()),
            Form::Scaled(c) => Some(main(Along::Same(*c, self.rows))),
            Form::Diagonal(d) => Some(main(Along::Each(d.clone()))),
            Form::Bands(bands) => Some(bands.clone()),
            _ => None,
        }
    }

    /// M·J for a map of runs.
    pub(crate) fn shifted_rows<C: Coefficients<E = E>>(
        &self,
        map: &LinearMap<C>,
        rows: usize,
    ) -> Option<Jacobian<E>> {
        let map = of_map(map)?;
        if is_identity(&map, rows, self.rows) {
            return Some(self.clone());
        }
        let bands = product(&map, &self.bands()?)?;
        (bands.len() <= MANY).then(|| from_bands(rows, self.columns, bands))
    }

    /// J·M for a map of runs.
    pub(crate) fn shifted_columns<C: Coefficients<E = E>>(
        &self,
        map: &LinearMap<C>,
        columns: usize,
    ) -> Option<Jacobian<E>> {
        let map = of_map(map)?;
        if is_identity(&map, self.columns, columns) {
            return Some(self.clone());
        }
        let bands = product(&self.bands()?, &map)?;
        (bands.len() <= MANY).then(|| from_bands(self.rows, columns, bands))
    }
}

/// Runs with each row (or each column) times its own factor.
pub(crate) fn weighed<E: Element>(
    bands: Vec<Band<E>>,
    by: &[E],
    at: &Spread,
    of_columns: bool,
) -> Vec<Band<E>> {
    let weigh = |band: Band<E>| {
        let first = match of_columns {
            true => band.start.wrapping_add_signed(band.offset),
            false => band.start,
        };
        Band { along: band.along.weighed(by, |k| at.at(first + k)), ..band }
    };
    bands.into_iter().map(weigh).collect()
}
