//! What is done with a finished Jacobian in numbers: vᵀJ, J·u, its transpose, all its entries.

use super::budget;
use super::complaint::{Complaint, Kind, Outcome};
use super::jacobian::{Along, Band, Entry, Form, Jacobian, Pattern, Rows};
use super::jacobian_band::from_bands;
use super::jacobian_form::Store;
use super::tensor::Tensor;
use std::rc::Rc;

impl Jacobian<f64> {
    /// vᵀJ: the rows, weighed and added.
    pub fn left_multiply(&self, v: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.columns];
        self.weigh(v, |j, x| out[j] += x);
        out
    }

    /// Σᵢ |vᵢJᵢⱼ|: the size against which rounding errors of vᵀJ are judged.
    pub fn left_magnitude(&self, v: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.columns];
        self.weigh(v, |j, x| out[j] += x.abs());
        out
    }

    fn weigh(&self, v: &[f64], mut add: impl FnMut(usize, f64)) {
        match &self.form {
            Form::Zero => {}
            Form::Scaled(c) => v.iter().enumerate().for_each(|(j, v)| add(j, v * c)),
            Form::Diagonal(d) => v
                .iter()
                .zip(d.data())
                .enumerate()
                .for_each(|(j, (v, d))| add(j, v * d)),
            Form::Dense(data) if self.columns > 0 => {
                for (v, row) in v.iter().zip(data.data().chunks_exact(self.columns)) {
                    row.iter().enumerate().for_each(|(j, x)| add(j, v * x));
                }
            }
            Form::Dense(_) => {}
            Form::Factor(f) => f.weigh_rows(v, add),
            Form::Bands(bands) => {
                for band in bands {
                    let first = band.start.wrapping_add_signed(band.offset);
                    let rows = v[band.start..band.end()].iter().enumerate();
                    match &band.along {
                        Along::Same(c, _) => rows.for_each(|(k, v)| add(first + k, v * c)),
                        Along::Each(d) => rows
                            .zip(d.data())
                            .for_each(|((k, v), d)| add(first + k, v * d)),
                    }
                }
            }
            Form::Rows(rows) => {
                for (i, v) in v.iter().enumerate().take(self.rows) {
                    for at in rows.pattern.row(i) {
                        if let Some(x) = rows.values[at] {
                            add(rows.pattern.columns[at], v * x);
                        }
                    }
                }
            }
        }
    }

    /// J·u: the columns, weighed and added; absent entries are skipped.
    pub fn right_multiply(&self, u: &[f64]) -> Vec<f64> {
        match &self.form {
            Form::Dense(data) if self.columns > 0 => {
                let rows = data.data().chunks_exact(self.columns);
                rows.map(|row| row.iter().zip(u).map(|(a, b)| a * b).sum())
                    .collect()
            }
            Form::Zero | Form::Dense(_) => vec![0.0; self.rows],
            _ => (0..self.rows)
                .map(|i| {
                    let mut sum = 0.0;
                    for j in self.columns_of(i) {
                        if let Entry::Value(x) = self.get(i, j) {
                            sum += x * u[j];
                        }
                    }
                    sum
                })
                .collect(),
        }
    }

    /// Rows and columns exchanged, the structure kept.
    ///
    /// # Errors
    /// Memory, or a wish to stop.
    pub fn transposed(&self) -> Outcome<Jacobian<f64>> {
        let (rows, columns) = (self.columns, self.rows);
        let form = match &self.form {
            Form::Zero | Form::Scaled(_) | Form::Diagonal(_) => self.form.clone(),
            Form::Bands(bands) => {
                let flipped = bands.iter().map(|b| Band {
                    offset: -b.offset,
                    start: b.start.wrapping_add_signed(b.offset),
                    along: b.along.clone(),
                });
                return Ok(from_bands(rows, columns, flipped.collect()));
            }
            Form::Dense(d) => Form::Dense(flipped(d.data(), self.rows, self.columns)?),
            Form::Factor(f) if f.is_full() => {
                Form::Dense(flipped(f.all()?.data(), self.rows, self.columns)?)
            }
            Form::Factor(_) | Form::Rows(_) => return self.transposed_rows(),
        };
        Ok(Jacobian {
            rows,
            columns,
            form,
        })
    }

    fn transposed_rows(&self) -> Outcome<Jacobian<f64>> {
        budget::reserve(self.stored() * 32)?;
        let mut starts = vec![0; self.columns + 1];
        for (_, j, _) in self.present() {
            starts[j + 1] += 1;
        }
        for j in 0..self.columns {
            starts[j + 1] += starts[j];
        }
        let mut next = starts.clone();
        let mut columns = vec![0; self.stored()];
        let mut values = vec![None; self.stored()];
        for (i, j, entry) in self.present() {
            columns[next[j]] = i;
            values[next[j]] = match entry {
                Entry::Value(x) => Some(x),
                _ => None,
            };
            next[j] += 1;
        }
        let form = Form::Rows(Rows {
            pattern: Rc::new(Pattern { starts, columns }),
            values: values.into(),
        });
        Ok(Jacobian {
            rows: self.columns,
            columns: self.rows,
            form,
        })
    }

    /// All entries, row-major; 0 where no path leads.
    ///
    /// # Errors
    /// [`Jacobian::too_large`], or memory.
    pub fn all(&self) -> Outcome<Tensor> {
        if let Form::Dense(d) = &self.form {
            return Ok(d.clone());
        }
        self.affordable()?;
        if let Form::Factor(f) = &self.form
            && f.is_full()
        {
            return f.all();
        }
        let mut data = vec![0.0; self.rows * self.columns];
        self.fill(&mut data);
        Ok(Tensor::of(data))
    }

    /// Writes the entries that are there into a row-major matrix.
    pub fn fill(&self, data: &mut [f64]) {
        let n = self.columns;
        match &self.form {
            Form::Zero => {}
            Form::Scaled(c) => (0..n).for_each(|i| data[i * n + i] = *c),
            Form::Diagonal(d) => {
                let places = data.iter_mut().step_by(n + 1);
                places.zip(d.data()).for_each(|(place, d)| *place = *d);
            }
            Form::Bands(bands) => {
                for band in bands {
                    let first = band.start * n + band.start.wrapping_add_signed(band.offset);
                    let places = data[first..].iter_mut().step_by(n + 1);
                    match &band.along {
                        Along::Same(c, len) => places.take(*len).for_each(|p| *p = *c),
                        Along::Each(d) => places.zip(d.data()).for_each(|(p, d)| *p = *d),
                    }
                }
            }
            _ => {
                for (i, j, entry) in self.present() {
                    if let Entry::Value(x) = entry {
                        data[i * n + j] = x;
                    }
                }
            }
        }
    }

    /// Whether all entries together have room.
    ///
    /// # Errors
    /// A sentence that names the size, `OutOfMemory`.
    pub fn affordable(&self) -> Outcome<()> {
        let cells = self.rows.checked_mul(self.columns);
        let bytes = cells.and_then(|n| n.checked_mul(8)).unwrap_or(usize::MAX);
        let Err(refusal) = budget::reserve(bytes) else {
            return Ok(());
        };
        let mut told = Complaint::new(
            Kind::OutOfMemory,
            format!(
                "J is {} × {} ({} dense), and {} of the limit of {} are in use",
                self.rows,
                self.columns,
                budget::size(bytes),
                budget::size(budget::in_use()),
                budget::size(budget::memory_limit()),
            ),
        );
        told.hint = refusal.hint;
        Err(told)
    }
}

fn flipped(data: &[f64], rows: usize, columns: usize) -> Outcome<Tensor> {
    budget::reserve(size_of_val(data))?;
    let mut out = Vec::with_capacity(data.len());
    for j in 0..columns {
        out.extend((0..rows).map(|i| data[i * columns + j]));
    }
    Ok(Tensor::of(out))
}
