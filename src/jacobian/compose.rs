//! Products of Jacobians and local linear maps, read entry by entry. Absent entries are skipped, not
//! multiplied; what passes through an unchosen entry is unchosen.

use crate::Jacobian;
use crate::band::from_bands;
use crate::factor::Factor;
use crate::form::{Element, Form, Pattern, Rows, Store, mapped, zipped};
use crate::read::{ByRows, Cell, Coefficients, Local, dims, size};
use std::rc::Rc;
use vjp_maths::LinearMap;
use vjp_maths::autodiff::linear_map::{Spread, spread};
use vjp_tensor::{Outcome, budget};

/// A slot of the row being added up.
#[derive(Clone)]
enum Slot<E> {
    Empty,
    Unchosen,
    Value(E),
}

impl<E: Element> Slot<E> {
    fn add(&mut self, term: Option<E>) {
        *self = match (std::mem::replace(self, Slot::Empty), term) {
            (Slot::Empty | Slot::Unchosen, None) => Slot::Unchosen,
            (Slot::Empty | Slot::Unchosen, Some(e)) => Slot::Value(e),
            (Slot::Value(e), None) => Slot::Value(e),
            (Slot::Value(a), Some(b)) => Slot::Value(a.add(&b)),
        };
    }
}

/// Adds up rows: for each row, `terms` tells columns and values.
pub(crate) fn build<E: Element>(
    rows: usize,
    columns: usize,
    mut terms: impl FnMut(usize, &mut dyn FnMut(usize, Option<E>)),
) -> Outcome<Jacobian<E>> {
    let entry = size_of::<Option<E>>() + size_of::<usize>();
    budget::reserve(columns * size_of::<Slot<E>>() + rows * size_of::<usize>())?;
    let mut scratch: Vec<Slot<E>> = vec![Slot::Empty; columns];
    let mut touched: Vec<usize> = Vec::new();
    let (mut starts, mut cols, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..rows {
        terms(i, &mut |j, e| {
            if matches!(scratch[j], Slot::Empty) {
                touched.push(j);
            }
            scratch[j].add(e);
        });
        touched.sort_unstable();
        if values.len() + touched.len() > values.capacity() {
            budget::reserve((values.len() * 2 + touched.len()) * entry)?;
        }
        for j in touched.drain(..) {
            cols.push(j);
            values.push(match std::mem::replace(&mut scratch[j], Slot::Empty) {
                Slot::Value(e) => Some(e),
                _ => None,
            });
        }
        starts.push(cols.len());
        budget::tick()?;
    }
    let form = Form::Rows(Rows {
        pattern: Rc::new(Pattern { starts, columns: cols }),
        values: values.into(),
    });
    Ok(Jacobian { rows, columns, form }.cheapest())
}

pub(crate) fn product<E: Element>(a: &impl ByRows<E>, b: &impl ByRows<E>) -> Outcome<Jacobian<E>> {
    build(a.rows(), b.columns(), |i, add| {
        a.row(i, &mut |k, left| {
            if !budget::stopping() {
                b.row(k, &mut |j, right| add(j, left.times(right)));
            }
        });
    })
}

impl<E: Element> Jacobian<E> {
    /// The sum of two of the same size.
    pub fn plus(self, other: Jacobian<E>) -> Outcome<Jacobian<E>> {
        let (rows, columns) = (self.rows, self.columns);
        let form = match (self.form, other.form) {
            (Form::Zero, form) | (form, Form::Zero) => form,
            (Form::Scaled(a), Form::Scaled(b)) => Form::Scaled(a + b),
            (Form::Diagonal(a), Form::Diagonal(b)) => Form::Diagonal(added::<E>(a, b)?),
            (Form::Scaled(c), Form::Diagonal(d)) | (Form::Diagonal(d), Form::Scaled(c)) => {
                budget::reserve(size_of_val(d.items()))?;
                Form::Diagonal(mapped::<E>(d, |_, e| e.add(&E::of(c))))
            }
            (Form::Dense(a), Form::Dense(b)) => Form::Dense(added::<E>(a, b)?),
            (a, b) => {
                let of = |form| Jacobian { rows, columns, form };
                let (a, b) = (of(a).settled()?, of(b).settled()?);
                if let (Some(mut p), Some(q)) = (a.bands(), b.bands()) {
                    let entry = size_of::<E>();
                    budget::reserve((a.stored() + b.stored()) * entry)?;
                    drop((a, b));
                    p.extend(q);
                    return Ok(from_bands(rows, columns, p));
                }
                if let (Form::Dense(_), Form::Dense(_)) = (&a.form, &b.form) {
                    return a.plus(b);
                }
                return build(rows, columns, |i, add| {
                    let one = Cell::Number(1.0);
                    a.row(i, &mut |j, e| add(j, e.times(one)));
                    b.row(i, &mut |j, e| add(j, e.times(one)));
                });
            }
        };
        Ok(Jacobian { rows, columns, form })
    }

    /// A full product multiplied out; every other form as it is.
    pub(crate) fn settled(self) -> Outcome<Jacobian<E>> {
        match self.form {
            Form::Factor(f) if f.is_full() => Ok(Jacobian { form: Form::Dense(f.all()?), ..self }),
            _ => Ok(self),
        }
    }

    /// A map that is one matrix product, after (or before) a multiple of the identity.
    fn factor<C: Coefficients<E = E>>(&self, map: &LinearMap<C>) -> Option<Jacobian<E>> {
        let Form::Scaled(c) = self.form else {
            return None;
        };
        let mut factor = Factor::of(map)?;
        factor.times = c;
        Some(factor.into_jacobian())
    }

    /// M·J: one operation more at the output's end.
    pub fn after<C: Coefficients<E = E>>(self, map: &LinearMap<C>) -> Outcome<Jacobian<E>> {
        let (rows, columns) = (size(map.to()), self.columns);
        match map {
            LinearMap::Then(maps) => maps.iter().try_fold(self, |j, m| j.after(m)),
            LinearMap::Plus(maps) => {
                let mut sum = Jacobian::zero(rows, columns);
                for m in maps {
                    sum = sum.plus(self.clone().after(m)?)?;
                }
                Ok(sum)
            }
            LinearMap::Zero { .. } => Ok(Jacobian::zero(rows, columns)),
            _ if matches!(self.form, Form::Zero) || [rows, columns, self.columns].contains(&0) => {
                Ok(Jacobian::zero(rows, columns))
            }
            LinearMap::Scale { by, .. } => self.scaled(*by),
            LinearMap::Diagonal { by, shape } => {
                self.rows_scaled(by.store(), &spread(by.dims(), shape))
            }
            _ => {
                if let Some(j) = self.factor(map).or_else(|| self.shifted_rows(map, rows)) {
                    return Ok(j);
                }
                let own = self.settled()?;
                match (&own.form, map) {
                    (Form::Dense(d), LinearMap::Left { by, from, .. }) if by.dims().len() == 2 => {
                        let (m, k, n) = dims(by.dims(), from[from.len() - 1]);
                        budget::reserve(rows * columns * size_of::<E>())?;
                        let data = E::matmul(m, k, n * columns, by.items(), d.items())?;
                        Ok(Jacobian::dense(rows, columns, data))
                    }
                    (Form::Dense(d), LinearMap::Right { by, from, .. })
                        if by.dims().len() == 2 && size(from) == by.dims()[0] =>
                    {
                        // One row times a matrix: its transpose before J.
                        let (k, n, b) = (by.dims()[0], by.dims()[1], by.items());
                        budget::reserve((rows * columns + k * n) * size_of::<E>())?;
                        let flipped: Vec<E> =
                            (0..n * k).map(|at| b[at % k * n + at / k].clone()).collect();
                        let data = E::matmul(n, k, columns, &flipped, d.items())?;
                        Ok(Jacobian::dense(rows, columns, data))
                    }
                    (Form::Dense(d), LinearMap::Dense { by, .. }) => {
                        budget::reserve(rows * columns * size_of::<E>())?;
                        let data = E::matmul(rows, own.rows, columns, by.items(), d.items())?;
                        Ok(Jacobian::dense(rows, columns, data))
                    }
                    (Form::Dense(d), LinearMap::Expand { from, to }) => {
                        budget::reserve(rows * columns * size_of::<E>())?;
                        let place = spread(from, to);
                        let mut data = Vec::with_capacity(rows * columns);
                        for i in 0..rows {
                            let at = place.at(i) * columns;
                            data.extend_from_slice(&d.items()[at..at + columns]);
                        }
                        Ok(Jacobian::dense(rows, columns, data))
                    }
                    (Form::Diagonal(d), _) => match Factor::of(map) {
                        Some(f) if f.is_full() => {
                            let all = f.into_jacobian();
                            all.columns_scaled(d.clone(), &Spread::Same)
                        }
                        _ => product(&Local::new(map), &own),
                    },
                    _ => product(&Local::new(map), &own),
                }
            }
        }
    }

    /// J·M: one operation more at the input's end.
    pub fn before<C: Coefficients<E = E>>(self, map: &LinearMap<C>) -> Outcome<Jacobian<E>> {
        let (rows, columns) = (self.rows, size(map.from()));
        match map {
            LinearMap::Then(maps) => maps.iter().rev().try_fold(self, |j, m| j.before(m)),
            LinearMap::Plus(maps) => {
                let mut sum = Jacobian::zero(rows, columns);
                for m in maps {
                    sum = sum.plus(self.clone().before(m)?)?;
                }
                Ok(sum)
            }
            LinearMap::Zero { .. } => Ok(Jacobian::zero(rows, columns)),
            _ if matches!(self.form, Form::Zero) || [rows, columns, self.columns].contains(&0) => {
                Ok(Jacobian::zero(rows, columns))
            }
            LinearMap::Scale { by, .. } => self.scaled(*by),
            LinearMap::Diagonal { by, shape } => {
                self.columns_scaled(by.store(), &spread(by.dims(), shape))
            }
            _ => {
                if let Some(j) = self.factor(map).or_else(|| self.shifted_columns(map, columns)) {
                    return Ok(j);
                }
                let own = self.settled()?;
                match (&own.form, map) {
                    (Form::Dense(d), LinearMap::Left { by, from, .. }) if by.dims().len() == 2 => {
                        let (m, k, n) = dims(by.dims(), from[from.len() - 1]);
                        budget::reserve(rows * columns * size_of::<E>())?;
                        let a = by.items();
                        if n == 1 {
                            let data = E::matmul(rows, m, k, d.items(), a)?;
                            return Ok(Jacobian::dense(rows, columns, data));
                        }
                        let flipped: Vec<E> =
                            (0..k * m).map(|at| a[at % m * k + at / m].clone()).collect();
                        let mut data = Vec::with_capacity(rows * columns);
                        for row in d.items().chunks_exact(m * n) {
                            data.extend(E::matmul(k, m, n, &flipped, row)?);
                        }
                        Ok(Jacobian::dense(rows, columns, data))
                    }
                    (Form::Dense(d), LinearMap::Right { by, .. }) if by.dims().len() == 2 => {
                        // Each row is a stack of rows, and each of these is multiplied by the transpose.
                        let (k, n, b) = (by.dims()[0], by.dims()[1], by.items());
                        budget::reserve((rows * columns + k * n) * size_of::<E>())?;
                        let flipped: Vec<E> =
                            (0..n * k).map(|at| b[at % k * n + at / k].clone()).collect();
                        let data = E::matmul(rows * columns / k, n, k, d.items(), &flipped)?;
                        Ok(Jacobian::dense(rows, columns, data))
                    }
                    (Form::Dense(d), LinearMap::Dense { by, .. }) => {
                        budget::reserve(rows * columns * size_of::<E>())?;
                        let data = E::matmul(rows, own.columns, columns, d.items(), by.items())?;
                        Ok(Jacobian::dense(rows, columns, data))
                    }
                    (Form::Dense(d), LinearMap::Collapse { from, to }) => {
                        budget::reserve(rows * columns * size_of::<E>())?;
                        let place = spread(to, from);
                        let mut data = Vec::with_capacity(rows * columns);
                        for row in d.items().chunks_exact(own.columns) {
                            data.extend((0..columns).map(|j| row[place.at(j)].clone()));
                        }
                        Ok(Jacobian::dense(rows, columns, data))
                    }
                    (Form::Scaled(c), LinearMap::Collapse { .. }) if rows == 1 => {
                        budget::reserve(columns * size_of::<E>())?;
                        Ok(Jacobian::dense(1, columns, vec![E::of(*c); columns]))
                    }
                    (Form::Diagonal(d), _) => match Factor::of(map) {
                        Some(f) => Ok(f.weighed(d.items(), &Spread::Same).into_jacobian()),
                        None => product(&own, &Local::new(map)),
                    },
                    _ => product(&own, &Local::new(map)),
                }
            }
        }
    }
}

fn added<E: Element>(a: E::Store, b: E::Store) -> Outcome<E::Store> {
    budget::reserve(size_of_val(a.items()))?;
    let (mut a, b) = (a, b);
    Ok(match a.own() {
        Some(_) => zipped::<E>(a, b.items(), E::add),
        None => zipped::<E>(b, a.items(), |b, a| a.add(b)),
    })
}
