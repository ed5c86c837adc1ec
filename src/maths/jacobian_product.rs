//! Products of Jacobians and local linear maps, read entry by entry. Absent entries are skipped, not
//! multiplied; what passes through an unchosen entry is unchosen.

use super::budget;
use super::complaint::Outcome;
use super::jacobian::{Element, Form, Jacobian, Pattern, Rows};
use super::jacobian_read::{ByRows, Cell, Coefficients, Local, dims, size};
use super::linear::{LinearMap, Spread, spread};
use std::rc::Rc;

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
fn build<E: Element>(
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
        pattern: Rc::new(Pattern {
            starts,
            columns: cols,
        }),
        values: values.into(),
    });
    Ok(Jacobian {
        rows,
        columns,
        form,
    }
    .cheapest())
}

fn product<E: Element>(a: &impl ByRows<E>, b: &impl ByRows<E>) -> Outcome<Jacobian<E>> {
    build(a.rows(), b.columns(), |i, add| {
        a.row(i, &mut |k, left| {
            b.row(k, &mut |j, right| add(j, left.times(right)));
        });
    })
}

impl<E: Element> Jacobian<E> {
    /// The sum of two of the same size.
    ///
    /// # Errors
    /// Memory, or a wish to stop.
    pub fn plus(&self, other: &Jacobian<E>) -> Outcome<Jacobian<E>> {
        let form = match (&self.form, &other.form) {
            (Form::Zero, _) => return Ok(other.clone()),
            (_, Form::Zero) => return Ok(self.clone()),
            (Form::Scaled(a), Form::Scaled(b)) => Form::Scaled(a + b),
            (Form::Diagonal(a), Form::Diagonal(b)) => Form::Diagonal(added(a, b)?),
            (Form::Scaled(c), Form::Diagonal(d)) | (Form::Diagonal(d), Form::Scaled(c)) => {
                Form::Diagonal(d.iter().map(|e| e.add(&E::of(*c))).collect())
            }
            (Form::Dense(a), Form::Dense(b)) => Form::Dense(added(a, b)?),
            _ => {
                return build(self.rows, self.columns, |i, add| {
                    let one = Cell::Number(1.0);
                    self.row(i, &mut |j, e| add(j, e.times(one)));
                    other.row(i, &mut |j, e| add(j, e.times(one)));
                });
            }
        };
        Ok(Jacobian {
            rows: self.rows,
            columns: self.columns,
            form,
        })
    }

    /// All entries, where none is absent or unchosen.
    fn full(&self) -> Option<&[E]> {
        match &self.form {
            Form::Dense(d) => Some(d),
            _ => None,
        }
    }

    /// The entries of a map that is one matrix, where this is a multiple of the identity.
    fn matrix<C: Coefficients<E = E>>(&self, map: &LinearMap<C>) -> Option<Jacobian<E>> {
        let Form::Scaled(c) = self.form else {
            return None;
        };
        let by = match map {
            LinearMap::Dense { by, .. } => by,
            LinearMap::Left { by, from, .. } if by.dims().len() == 2 && from.last() == Some(&1) => {
                by
            }
            _ => return None,
        };
        let data = by.items().to_vec();
        Some(Jacobian::dense(size(map.to()), size(map.from()), data).scaled(c))
    }

    fn scaled(&self, by: f64) -> Jacobian<E> {
        match &self.form {
            _ if by == 1.0 => self.clone(),
            Form::Scaled(c) => Jacobian {
                form: Form::Scaled(c * by),
                ..*self
            },
            _ => self.map(|e| e.scale(by)),
        }
    }

    /// M·J: one operation more at the output's end.
    ///
    /// # Errors
    /// Memory, or a wish to stop.
    pub fn after<C: Coefficients<E = E>>(&self, map: &LinearMap<C>) -> Outcome<Jacobian<E>> {
        let rows = size(map.to());
        match map {
            LinearMap::Then(maps) => {
                let mut j = self.clone();
                for m in maps {
                    j = j.after(m)?;
                }
                Ok(j)
            }
            LinearMap::Plus(maps) => {
                let mut sum = Jacobian::zero(rows, self.columns);
                for m in maps {
                    sum = sum.plus(&self.after(m)?)?;
                }
                Ok(sum)
            }
            LinearMap::Zero { .. } => Ok(Jacobian::zero(rows, self.columns)),
            _ if matches!(self.form, Form::Zero) => Ok(Jacobian::zero(rows, self.columns)),
            LinearMap::Scale { by, .. } => Ok(self.scaled(*by)),
            LinearMap::Diagonal { by, shape } => {
                self.rows_scaled(by.items(), &spread(by.dims(), shape))
            }
            LinearMap::Left { by, from, .. } if by.dims().len() == 2 && self.full().is_some() => {
                let d = self.full().unwrap_or_default();
                let (m, k, n) = dims(by.dims(), from[from.len() - 1]);
                budget::reserve(rows * self.columns * size_of::<E>())?;
                let data = E::matmul(m, k, n * self.columns, by.items(), d);
                Ok(Jacobian::dense(rows, self.columns, data))
            }
            LinearMap::Dense { by, .. } if self.full().is_some() => {
                let d = self.full().unwrap_or_default();
                budget::reserve(rows * self.columns * size_of::<E>())?;
                let data = E::matmul(rows, self.rows, self.columns, by.items(), d);
                Ok(Jacobian::dense(rows, self.columns, data))
            }
            _ => match self.matrix(map) {
                Some(j) => Ok(j),
                None => product(&Local::new(map), self),
            },
        }
    }

    /// J·M: one operation more at the input's end.
    ///
    /// # Errors
    /// Memory, or a wish to stop.
    pub fn before<C: Coefficients<E = E>>(&self, map: &LinearMap<C>) -> Outcome<Jacobian<E>> {
        let columns = size(map.from());
        match map {
            LinearMap::Then(maps) => {
                let mut j = self.clone();
                for m in maps.iter().rev() {
                    j = j.before(m)?;
                }
                Ok(j)
            }
            LinearMap::Plus(maps) => {
                let mut sum = Jacobian::zero(self.rows, columns);
                for m in maps {
                    sum = sum.plus(&self.before(m)?)?;
                }
                Ok(sum)
            }
            LinearMap::Zero { .. } => Ok(Jacobian::zero(self.rows, columns)),
            _ if matches!(self.form, Form::Zero) => Ok(Jacobian::zero(self.rows, columns)),
            LinearMap::Scale { by, .. } => Ok(self.scaled(*by)),
            LinearMap::Left { by, from, .. } if by.dims().len() == 2 && self.full().is_some() => {
                let d = self.full().unwrap_or_default();
                let (m, k, n) = dims(by.dims(), from[from.len() - 1]);
                budget::reserve(self.rows * columns * size_of::<E>())?;
                let flipped: Vec<E> = (0..k * m)
                    .map(|at| by.items()[at % m * k + at / m].clone())
                    .collect();
                let mut data = Vec::with_capacity(self.rows * columns);
                for r in 0..self.rows {
                    let row = &d[r * m * n..(r + 1) * m * n];
                    data.extend(E::matmul(k, m, n, &flipped, row));
                }
                Ok(Jacobian::dense(self.rows, columns, data))
            }
            LinearMap::Dense { by, .. } if self.full().is_some() => {
                let d = self.full().unwrap_or_default();
                budget::reserve(self.rows * columns * size_of::<E>())?;
                let data = E::matmul(self.rows, self.columns, columns, d, by.items());
                Ok(Jacobian::dense(self.rows, columns, data))
            }
            _ => match self.matrix(map) {
                Some(j) => Ok(j),
                None => product(self, &Local::new(map)),
            },
        }
    }

    /// Each row times its own factor.
    fn rows_scaled(&self, by: &[E], at: &Spread) -> Outcome<Jacobian<E>> {
        budget::reserve(self.stored() * size_of::<Option<E>>())?;
        let factor = |i: usize| &by[at.at(i)];
        let form = match &self.form {
            Form::Zero => Form::Zero,
            Form::Scaled(c) => {
                Form::Diagonal((0..self.rows).map(|i| factor(i).scale(*c)).collect())
            }
            Form::Diagonal(d) => Form::Diagonal(
                d.iter()
                    .enumerate()
                    .map(|(i, e)| factor(i).mul(e))
                    .collect(),
            ),
            Form::Dense(d) => {
                let rows = d.chunks(self.columns.max(1)).enumerate();
                Form::Dense(
                    rows.flat_map(|(i, row)| row.iter().map(move |e| factor(i).mul(e)))
                        .collect(),
                )
            }
            Form::Rows(rows) => {
                let mut values = Vec::with_capacity(rows.values.len());
                for i in 0..self.rows {
                    let row = &rows.values[rows.pattern.row(i)];
                    values.extend(row.iter().map(|v| v.as_ref().map(|e| factor(i).mul(e))));
                }
                Form::Rows(Rows {
                    pattern: rows.pattern.clone(),
                    values: values.into(),
                })
            }
        };
        Ok(Jacobian { form, ..*self })
    }
}

fn added<E: Element>(a: &[E], b: &[E]) -> Outcome<Rc<[E]>> {
    budget::reserve(std::mem::size_of_val(a))?;
    Ok(a.iter().zip(b).map(|(a, b)| a.add(b)).collect())
}
