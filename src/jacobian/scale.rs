//! Jacobians with rows or columns weighed: the structure stays and is shared.

use crate::Jacobian;
use crate::band::{Along, weighed};
use crate::compose::build;
use crate::factor::{Factor, Side};
use crate::form::{Element, Form, Rows, Store, mapped, zipped};
use crate::read::Cell;
use vjp_maths::autodiff::linear_map::Spread;
use vjp_tensor::{Outcome, budget};

impl<E: Element> Jacobian<E> {
    /// All of it times a number.
    pub fn scaled(mut self, by: f64) -> Outcome<Jacobian<E>> {
        if by == 1.0 {
            return Ok(self);
        }
        budget::reserve(self.own_bytes())?;
        let store = |s| mapped::<E>(s, |_, e| e.scale(by));
        self.form = match self.form {
            Form::Zero => Form::Zero,
            Form::Scaled(c) => Form::Scaled(c * by),
            Form::Diagonal(d) => Form::Diagonal(store(d)),
            Form::Dense(d) => Form::Dense(store(d)),
            Form::Factor(mut f) => {
                f.times *= by;
                Form::Factor(f)
            }
            Form::Bands(mut bands) => {
                for band in &mut bands {
                    let along = std::mem::replace(&mut band.along, Along::Same(0.0, 0));
                    band.along = along.scaled(by);
                }
                Form::Bands(bands)
            }
            Form::Rows(rows) => Form::Rows(rows.mapped(|_, _, e| e.scale(by))),
        };
        Ok(self)
    }

    /// What a copy of the numbers would take.
    fn own_bytes(&self) -> usize {
        match &self.form {
            Form::Scaled(_) | Form::Factor(_) => self.rows * size_of::<E>(),
            Form::Rows(_) => self.stored() * size_of::<Option<E>>(),
            _ => self.stored() * size_of::<E>(),
        }
    }

    /// Each row times its own factor; factors that nothing else multiplies are kept as they are.
    pub(crate) fn rows_scaled(mut self, by: E::Store, at: &Spread) -> Outcome<Jacobian<E>> {
        budget::reserve(self.own_bytes())?;
        let same = matches!(at, Spread::Same);
        let items = by.items();
        let factor = |i: usize| &items[at.at(i)];
        self.form = match self.form {
            Form::Zero => Form::Zero,
            Form::Scaled(1.0) if same => Form::Diagonal(by),
            Form::Scaled(c) => {
                Form::Diagonal(E::Store::of((0..self.rows).map(|i| factor(i).scale(c)).collect()))
            }
            Form::Diagonal(d) if same => Form::Diagonal(zipped::<E>(d, items, |e, by| by.mul(e))),
            Form::Diagonal(d) => Form::Diagonal(mapped::<E>(d, |i, e| factor(i).mul(e))),
            Form::Bands(bands) => Form::Bands(weighed(bands, items, at, false)),
            Form::Factor(f) => Form::Factor(f.weighed(items, at)),
            Form::Dense(d) if self.rows * self.columns > 0 => {
                let factor = Factor {
                    side: Side::Left,
                    by: d,
                    times: 1.0,
                    weights: None,
                    blocks: 1,
                    m: self.rows,
                    k: self.columns,
                    n: 1,
                };
                Form::Factor(factor.weighed(items, at))
            }
            Form::Dense(d) => Form::Dense(d),
            Form::Rows(rows) => Form::Rows(rows.mapped(|i, _, e| factor(i).mul(e))),
        };
        Ok(self)
    }

    /// Each column times its own factor.
    pub(crate) fn columns_scaled(self, by: E::Store, at: &Spread) -> Outcome<Jacobian<E>> {
        budget::reserve(self.own_bytes())?;
        if matches!(self.form, Form::Scaled(_) | Form::Diagonal(_)) {
            return self.rows_scaled(by, at);
        }
        let mut own = self.settled()?;
        let items = by.items();
        let factor = |j: usize| &items[at.at(j)];
        let n = own.columns.max(1);
        own.form = match own.form {
            Form::Bands(bands) => Form::Bands(weighed(bands, items, at, true)),
            Form::Dense(mut d) => match (d.own(), at) {
                (Some(all), Spread::Same) => {
                    for row in all.chunks_mut(n) {
                        row.iter_mut().zip(items).for_each(|(e, by)| *e = e.mul(by));
                    }
                    Form::Dense(d)
                }
                _ => {
                    budget::reserve(size_of_val(d.items()))?;
                    let mut all = Vec::with_capacity(d.items().len());
                    for row in d.items().chunks(n) {
                        all.extend(row.iter().enumerate().map(|(j, e)| e.mul(factor(j))));
                    }
                    Form::Dense(E::Store::of(all))
                }
            },
            Form::Rows(rows) => Form::Rows(rows.mapped(|_, j, e| e.mul(factor(j)))),
            Form::Factor(f) => {
                let one = Cell::Number(1.0);
                return build(own.rows, own.columns, |i, add| {
                    f.visit(i, &mut |j, e| {
                        add(j, e.times(one).map(|e| e.mul(factor(j))));
                    });
                });
            }
            other => other,
        };
        Ok(own)
    }
}

impl<E: Element> Rows<E> {
    /// Every value through `f` (row, column, value); the pattern is shared.
    fn mapped(&self, f: impl Fn(usize, usize, &E) -> E) -> Rows<E> {
        let mut values = Vec::with_capacity(self.values.len());
        for i in 0..self.pattern.starts.len() - 1 {
            let range = self.pattern.row(i);
            let columns = &self.pattern.columns[range.clone()];
            let row = self.values[range].iter().zip(columns);
            values.extend(row.map(|(v, j)| v.as_ref().map(|e| f(i, *j, e))));
        }
        Rows { pattern: self.pattern.clone(), values: values.into() }
    }
}
