//! What is done with a finished Jacobian in numbers: vᵀJ, J·u, its transpose, all its entries.

use crate::band::from_bands;
use crate::form::Store;
use crate::{Along, Band, Entry, Form, Jacobian, Pattern, Rows};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use vjp_tensor::budget::refuse;
use vjp_tensor::kernels::blocks::{self, PARALLEL_FROM};
use vjp_tensor::sparse::{Run, Scattered};
use vjp_tensor::{Complaint, Kind, Outcome, Tensor, budget};

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
            Form::Diagonal(d) => {
                v.iter().zip(d.data()).enumerate().for_each(|(j, (v, d))| add(j, v * d))
            }
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
                        Along::Each(d) => {
                            rows.zip(d.data()).for_each(|((k, v), d)| add(first + k, v * d))
                        }
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
                rows.map(|row| row.iter().zip(u).map(|(a, b)| a * b).sum()).collect()
            }
            Form::Zero | Form::Dense(_) => vec![0.0; self.rows],
            Form::Scaled(c) => u.iter().map(|u| c * u).collect(),
            Form::Diagonal(d) => d.data().iter().zip(u).map(|(d, u)| d * u).collect(),
            Form::Bands(bands) => {
                let mut out = vec![0.0; self.rows];
                for band in bands {
                    let first = band.start.wrapping_add_signed(band.offset);
                    let places = out[band.start..band.end()].iter_mut().zip(&u[first..]);
                    match &band.along {
                        Along::Same(c, _) => places.for_each(|(p, u)| *p += c * u),
                        Along::Each(d) => {
                            places.zip(d.data()).for_each(|((p, u), d)| *p += d * u);
                        }
                    }
                }
                out
            }
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
        Ok(Jacobian { rows, columns, form })
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
        Ok(Jacobian { rows: self.columns, columns: self.rows, form })
    }

    /// All entries, row-major; 0 where no path leads.
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
        let count = self.rows * self.columns;
        let mut out = Scattered::zeros(count)?;
        if !self.runs(&mut |run, along| along.write(out.at(run))) {
            let mut data = out.into_data();
            self.fill(&mut data);
            return Ok(Tensor::of(data));
        }
        Ok(Tensor::scattered(&[count], out))
    }

    /// The entries as runs in a row-major matrix; false, and none reported, where they are not runs.
    pub fn runs(&self, tell: &mut dyn FnMut(Run, &Along<f64>)) -> bool {
        let n = self.columns;
        let run = |start: usize, count: usize| Run { start, step: n + 1, count };
        match &self.form {
            Form::Zero => {}
            Form::Scaled(c) => tell(run(0, n), &Along::Same(*c, n)),
            Form::Diagonal(d) => tell(run(0, n), &Along::Each(d.clone())),
            Form::Bands(bands) => {
                for band in bands {
                    let first = band.start * n + band.start.wrapping_add_signed(band.offset);
                    tell(run(first, band.len()), &band.along);
                }
            }
            _ => return false,
        }
        true
    }

    /// Writes the entries that are there into a row-major matrix.
    pub fn fill(&self, data: &mut [f64]) {
        let n = self.columns;
        let runs = self.runs(&mut |run, along| {
            let places = data[run.start..].iter_mut().step_by(run.step);
            along.write(places.take(run.count));
        });
        if !runs {
            for (i, j, entry) in self.present() {
                if let Entry::Value(x) = entry {
                    data[i * n + j] = x;
                }
            }
        }
    }

    /// Whether all entries together have room.
    pub fn affordable(&self) -> Outcome<()> {
        let Err(refusal) = budget::reserve(bytes(self.rows, self.columns)) else {
            return Ok(());
        };
        let mut told = Complaint::new(
            Kind::OutOfMemory,
            format!(
                "{}; {} of {} already used",
                size(self.rows, self.columns),
                budget::size(budget::in_use()),
                budget::size(budget::memory_limit()),
            ),
        );
        told.hint = Some(refusal.hint.unwrap_or_else(|| {
            "jacobian(y, x) keeps the structure: J @ u, v @ J, J[i, j] and J.diagonal() work without the dense matrix"
                .to_owned()
        }));
        Err(told)
    }
}

impl Along<f64> {
    /// Writes the entries, in order.
    pub fn write<'a>(&self, places: impl Iterator<Item = &'a mut f64>) {
        match self {
            Along::Same(c, _) => places.for_each(|place| *place = *c),
            Along::Each(d) => places.zip(d.data()).for_each(|(place, d)| *place = *d),
        }
    }

    /// Whether every entry is [`regular`].
    pub fn is_regular(&self) -> bool {
        match self {
            Along::Same(c, _) => regular(std::slice::from_ref(c)),
            Along::Each(d) => regular(d.data()),
        }
    }
}

/// Whether none of these is 0, infinite or NaN.
pub fn regular(all: &[f64]) -> bool {
    let irregular = AtomicBool::new(false);
    let pieces = all.chunks(PIECE);
    let asked = blocks::each(pieces, all.len() >= PARALLEL_FROM, |piece| {
        if !irregular.load(Ordering::Relaxed) && !is_regular(piece) {
            irregular.store(true, Ordering::Relaxed);
        }
    });
    if let Err(stop) = asked {
        refuse(stop);
        return false;
    }
    !irregular.into_inner()
}

/// So many numbers are looked at by one core before it asks what others found.
const PIECE: usize = 1 << 15;

/// Lanes beside each other: a vector loop, four times as fast as one answer after the other.
fn is_regular(all: &[f64]) -> bool {
    let mut bad = [0u64; 8];
    let (rows, rest) = all.as_chunks::<8>();
    let irregular = |v: f64| !((v.abs() > 0.0) & (v.abs() < f64::INFINITY));
    for row in rows {
        for (bad, v) in bad.iter_mut().zip(row) {
            *bad |= u64::from(irregular(*v));
        }
    }
    bad == [0; 8] && !rest.iter().any(|v| irregular(*v))
}

fn bytes(rows: usize, columns: usize) -> usize {
    rows.saturating_mul(columns).saturating_mul(8)
}

/// `J is 1000000 × 1000000 (7.3 TiB dense)`.
pub(crate) fn size(rows: usize, columns: usize) -> String {
    let dense = budget::size(bytes(rows, columns));
    format!("J is {rows} × {columns} ({dense} dense)")
}

fn flipped(data: &[f64], rows: usize, columns: usize) -> Outcome<Tensor> {
    budget::reserve(size_of_val(data))?;
    let mut out = Vec::with_capacity(data.len());
    for j in 0..columns {
        out.extend((0..rows).map(|i| data[i * columns + j]));
    }
    Ok(Tensor::of(out))
}
