//! Products of Jacobians and local linear maps, read entry by entry. Absent entries are skipped, not
//! multiplied; what passes through an unchosen entry is unchosen.

use super::budget;
use super::complaint::Outcome;
use super::jacobian::{Element, Form, Jacobian, Pattern, Rows};
use super::linear::{LinearMap, Spread, Wires, spread};
use super::symbol::{Expr, Symbols};
use super::tensor::Tensor;
use std::rc::Rc;

/// Arrays whose elements a Jacobian can read.
pub trait Coefficients: Clone {
    type E: Element;
    fn dims(&self) -> &[usize];
    fn items(&self) -> &[Self::E];
}

impl Coefficients for Tensor {
    type E = f64;
    fn dims(&self) -> &[usize] {
        self.shape()
    }
    fn items(&self) -> &[f64] {
        self.data()
    }
}

impl Coefficients for Symbols {
    type E = Expr;
    fn dims(&self) -> &[usize] {
        &self.shape
    }
    fn items(&self) -> &[Expr] {
        &self.data
    }
}

/// An entry while multiplying.
enum Cell<'a, E> {
    Unchosen,
    Number(f64),
    Value(&'a E),
}

impl<E> Clone for Cell<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Cell<'_, E> {}

impl<E: Element> Cell<'_, E> {
    fn times(self, other: Cell<'_, E>) -> Option<E> {
        Some(match (self, other) {
            (Cell::Unchosen, _) | (_, Cell::Unchosen) => return None,
            (Cell::Number(a), Cell::Number(b)) => E::of(a * b),
            (Cell::Number(1.0), Cell::Value(x)) | (Cell::Value(x), Cell::Number(1.0)) => x.clone(),
            (Cell::Number(a), Cell::Value(x)) | (Cell::Value(x), Cell::Number(a)) => x.scale(a),
            (Cell::Value(x), Cell::Value(y)) => x.mul(y),
        })
    }
}

/// A matrix that can be read by rows.
trait ByRows<E> {
    fn rows(&self) -> usize;
    fn columns(&self) -> usize;
    fn row(&self, i: usize, visit: &mut dyn FnMut(usize, Cell<'_, E>));
}

impl<E: Element> ByRows<E> for Jacobian<E> {
    fn rows(&self) -> usize {
        self.rows
    }
    fn columns(&self) -> usize {
        self.columns
    }
    fn row(&self, i: usize, visit: &mut dyn FnMut(usize, Cell<'_, E>)) {
        match &self.form {
            Form::Zero => {}
            Form::Scaled(c) => visit(i, Cell::Number(*c)),
            Form::Diagonal(d) => visit(i, Cell::Value(&d[i])),
            Form::Dense(data) => data[i * self.columns..(i + 1) * self.columns]
                .iter()
                .enumerate()
                .for_each(|(j, e)| visit(j, Cell::Value(e))),
            Form::Rows(rows) => {
                for at in rows.pattern.row(i) {
                    let cell = rows.values[at].as_ref().map_or(Cell::Unchosen, Cell::Value);
                    visit(rows.pattern.columns[at], cell);
                }
            }
        }
    }
}

/// A local linear map (neither `Then` nor `Plus`), read by rows.
struct Local<'a, C> {
    map: &'a LinearMap<C>,
    spread: Spread,
    groups: Groups,
    rows: usize,
    columns: usize,
}

/// For each row the places it collects from.
#[derive(Default)]
struct Groups {
    starts: Vec<usize>,
    members: Vec<usize>,
}

impl Groups {
    /// `row(k)` is the row that place k goes to, `rows` or more for none.
    fn new(rows: usize, places: usize, row: impl Fn(usize) -> usize) -> Groups {
        let mut starts = vec![0; rows + 1];
        for k in 0..places {
            if row(k) < rows {
                starts[row(k) + 1] += 1;
            }
        }
        for i in 0..rows {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut members = vec![0; starts[rows]];
        for k in 0..places {
            if row(k) < rows {
                members[next[row(k)]] = k;
                next[row(k)] += 1;
            }
        }
        Groups { starts, members }
    }

    fn of(&self, row: usize) -> &[usize] {
        &self.members[self.starts[row]..self.starts[row + 1]]
    }
}

fn size(shape: &[usize]) -> usize {
    shape.iter().product()
}

impl<'a, C: Coefficients> Local<'a, C> {
    fn new(map: &'a LinearMap<C>) -> Local<'a, C> {
        let (rows, columns) = (size(map.to()), size(map.from()));
        let mut local = Local {
            map,
            spread: Spread::Same,
            groups: Groups::default(),
            rows,
            columns,
        };
        match map {
            LinearMap::Diagonal { by, shape } => local.spread = spread(by.dims(), shape),
            LinearMap::Expand { from, to } => local.spread = spread(from, to),
            LinearMap::Collapse { from, to } => {
                let to = spread(to, from);
                local.groups = Groups::new(rows, columns, |k| to.at(k));
            }
            LinearMap::Scatter(w) => local.groups = Groups::new(rows, columns, |k| w.index[k]),
            LinearMap::Unchosen { pairs, .. } => {
                local.groups = Groups::new(rows, pairs.len(), |k| pairs[k].0);
            }
            _ => {}
        }
        local
    }
}

impl<C: Coefficients> ByRows<C::E> for Local<'_, C> {
    fn rows(&self) -> usize {
        self.rows
    }
    fn columns(&self) -> usize {
        self.columns
    }
    fn row(&self, i: usize, visit: &mut dyn FnMut(usize, Cell<'_, C::E>)) {
        match self.map {
            LinearMap::Zero { .. } | LinearMap::Then(_) | LinearMap::Plus(_) => {}
            LinearMap::Scale { by, .. } => visit(i, Cell::Number(*by)),
            LinearMap::Diagonal { by, .. } => {
                visit(i, Cell::Value(&by.items()[self.spread.at(i)]));
            }
            LinearMap::Expand { .. } => visit(self.spread.at(i), Cell::Number(1.0)),
            LinearMap::Gather(w) if w.index[i] == Wires::NONE => {}
            LinearMap::Gather(w) => visit(w.index[i], Cell::Number(1.0)),
            LinearMap::Collapse { .. } | LinearMap::Scatter(_) => {
                for k in self.groups.of(i) {
                    visit(*k, Cell::Number(1.0));
                }
            }
            LinearMap::Unchosen { pairs, .. } => {
                for k in self.groups.of(i) {
                    visit(pairs[*k].1, Cell::Unchosen);
                }
            }
            LinearMap::Left { by, from, .. } => {
                let (m, k, n) = dims(by.dims(), from[from.len() - 1]);
                let (block, row, column) = (i / (m * n), i / n % m, i % n);
                for l in 0..k {
                    let e = &by.items()[(block * m + row) * k + l];
                    visit((block * k + l) * n + column, Cell::Value(e));
                }
            }
            LinearMap::Right { by, from, .. } => {
                let (k, n, m) = dims(by.dims(), from[from.len() - 2]);
                let (block, row, column) = (i / (m * n), i / n % m, i % n);
                for l in 0..k {
                    let e = &by.items()[(block * k + l) * n + column];
                    visit((block * m + row) * k + l, Cell::Value(e));
                }
            }
            LinearMap::Dense { by, .. } => {
                for j in 0..self.columns {
                    visit(j, Cell::Value(&by.items()[i * self.columns + j]));
                }
            }
        }
    }
}

/// The last two sizes of a batched matrix, and a third.
fn dims(shape: &[usize], n: usize) -> (usize, usize, usize) {
    let rank = shape.len();
    (shape[rank - 2], shape[rank - 1], n)
}

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
            _ => product(&Local::new(map), self),
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
            _ => product(self, &Local::new(map)),
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
