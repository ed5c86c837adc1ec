//! Jacobians and local linear maps, read row by row: nothing is applied or transposed here.

use crate::Jacobian;
use crate::form::{Element, Form, Store};
use vjp_maths::autodiff::linear_map::{Spread, spread};
use vjp_maths::{Expr, LinearMap, Symbols};
use vjp_tensor::{ElementMap, Tensor};

/// Arrays whose elements a Jacobian can read.
pub trait Coefficients: Clone {
    type E: Element;
    fn dims(&self) -> &[usize];
    fn items(&self) -> &[Self::E];
    /// The elements, shared.
    fn store(&self) -> <Self::E as Element>::Store;
}

impl Coefficients for Tensor {
    type E = f64;
    fn dims(&self) -> &[usize] {
        self.shape()
    }
    fn items(&self) -> &[f64] {
        self.data()
    }
    fn store(&self) -> Tensor {
        self.clone()
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
    fn store(&self) -> std::rc::Rc<[Expr]> {
        self.data.clone()
    }
}

/// An entry while multiplying.
pub(crate) enum Cell<'a, E> {
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
    pub fn times(self, other: Cell<'_, E>) -> Option<E> {
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
pub(crate) trait ByRows<E> {
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
            Form::Diagonal(d) => visit(i, Cell::Value(&d.items()[i])),
            Form::Bands(bands) => {
                for band in bands {
                    if let Some(j) = band.column(i) {
                        visit(j, band.along.at(i - band.start));
                    }
                }
            }
            Form::Factor(f) => f.visit(i, visit),
            Form::Dense(data) => data.items()[i * self.columns..(i + 1) * self.columns]
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
pub(crate) struct Local<'a, C> {
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

pub(crate) fn size(shape: &[usize]) -> usize {
    shape.iter().product()
}

impl<'a, C: Coefficients> Local<'a, C> {
    pub fn new(map: &'a LinearMap<C>) -> Local<'a, C> {
        let (rows, columns) = (size(map.to()), size(map.from()));
        let mut local =
            Local { map, spread: Spread::Same, groups: Groups::default(), rows, columns };
        match map {
            LinearMap::Diagonal { by, shape } => local.spread = spread(by.dims(), shape),
            LinearMap::Expand { from, to } => local.spread = spread(from, to),
            LinearMap::Collapse { from, to } => {
                let to = spread(to, from);
                local.groups = Groups::new(rows, columns, |k| to.at(k));
            }
            LinearMap::Scatter(w) => local.groups = Groups::new(rows, columns, |k| w.source(k)),
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
            LinearMap::Gather(w) if w.source(i) == ElementMap::NONE => {}
            LinearMap::Gather(w) => visit(w.source(i), Cell::Number(1.0)),
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
pub(crate) fn dims(shape: &[usize], n: usize) -> (usize, usize, usize) {
    let rank = shape.len();
    (shape[rank - 2], shape[rank - 1], n)
}
