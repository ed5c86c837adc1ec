//! The Jacobian of one matrix product, its rows weighed: diag · (A ⊗ I). It shares A with the product.

use crate::Jacobian;
use crate::form::{Element, Form, Store, mapped, zipped};
use crate::read::{Cell, Coefficients, size};
use vjp_maths::LinearMap;
use vjp_maths::autodiff::linear_map::Spread;
use vjp_tensor::Outcome;

/// On which side of its operand the matrix stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// X ↦ A @ X: A ⊗ I for each block.
    Left,
    /// X ↦ X @ A: I ⊗ Aᵀ for each block.
    Right,
}

/// `diag(weights) · times · (the map)`; `by` has `blocks` matrices of `m × k` (left) or `k × n` (right),
/// the result `blocks × m × n`.
#[derive(Clone, Debug)]
pub struct Factor<E: Element> {
    pub side: Side,
    pub by: E::Store,
    pub times: f64,
    pub weights: Option<E::Store>,
    pub blocks: usize,
    pub m: usize,
    pub k: usize,
    pub n: usize,
}

impl<E: Element> Factor<E> {
    /// Of a map that is one product.
    pub(crate) fn of<C: Coefficients<E = E>>(map: &LinearMap<C>) -> Option<Factor<E>> {
        let (side, by, [m, k, n]) = match map {
            LinearMap::Left { by, from, .. } => {
                let d = by.dims();
                let (m, k) = (d[d.len() - 2], d[d.len() - 1]);
                (Side::Left, by, [m, k, from[from.len() - 1]])
            }
            LinearMap::Right { by, from, .. } => {
                let d = by.dims();
                let (k, n) = (d[d.len() - 2], d[d.len() - 1]);
                (Side::Right, by, [from[from.len() - 2], k, n])
            }
            LinearMap::Dense { by, from, to } => (Side::Left, by, [size(to), size(from), 1]),
            _ => return None,
        };
        let d = by.dims();
        Some(Factor {
            side,
            times: 1.0,
            weights: None,
            blocks: size(&d[..d.len() - 2]),
            by: by.store(),
            m,
            k,
            n,
        })
    }

    pub fn rows(&self) -> usize {
        self.blocks * self.m * self.n
    }

    pub fn columns(&self) -> usize {
        match self.side {
            Side::Left => self.blocks * self.k * self.n,
            Side::Right => self.blocks * self.m * self.k,
        }
    }

    /// Column of the `l`-th entry of row i, and where its number stands in `by`.
    #[inline]
    fn place(&self, i: usize, l: usize) -> (usize, usize) {
        let (m, k, n) = (self.m, self.k, self.n);
        let (block, row, column) = (i / (m * n), i / n % m, i % n);
        match self.side {
            Side::Left => ((block * k + l) * n + column, (block * m + row) * k + l),
            Side::Right => ((block * m + row) * k + l, (block * k + l) * n + column),
        }
    }

    /// The columns of row i, ascending.
    pub fn columns_of(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.k).map(move |l| self.place(i, l).0)
    }

    /// The entry in row i and column j, if there is one.
    pub fn get(&self, i: usize, j: usize) -> Option<E> {
        let l = match self.side {
            Side::Left => j / self.n % self.k,
            Side::Right => j % self.k,
        };
        let (column, at) = self.place(i, l);
        (column == j).then(|| self.weigh(i, &self.by.items()[at]))
    }

    fn weigh(&self, i: usize, e: &E) -> E {
        let e = match self.times {
            1.0 => e.clone(),
            c => e.scale(c),
        };
        match &self.weights {
            Some(w) => w.items()[i].mul(&e),
            None => e,
        }
    }

    /// Whether entries are those of `by`.
    fn bare(&self) -> bool {
        self.weights.is_none() && self.times == 1.0
    }

    pub(crate) fn visit(&self, i: usize, visit: &mut dyn FnMut(usize, Cell<'_, E>)) {
        for l in 0..self.k {
            let (column, at) = self.place(i, l);
            let e = &self.by.items()[at];
            if self.bare() {
                visit(column, Cell::Value(e));
            } else {
                visit(column, Cell::Value(&self.weigh(i, e)));
            }
        }
    }

    /// Whether every entry is present: then rows are rows of `by`.
    pub fn is_full(&self) -> bool {
        self.side == Side::Left && self.n == 1 && self.blocks == 1
    }

    /// Each row times its own factor.
    pub(crate) fn weighed(mut self, by: &[E], at: &Spread) -> Factor<E> {
        let weights = match self.weights.take() {
            Some(w) if matches!(at, Spread::Same) => zipped::<E>(w, by, |w, by| by.mul(w)),
            Some(w) => mapped::<E>(w, |i, w| by[at.at(i)].mul(w)),
            None => E::Store::of((0..self.rows()).map(|i| by[at.at(i)].clone()).collect()),
        };
        self.weights = Some(weights);
        self
    }

    /// All entries of a full one, row-major.
    pub(crate) fn all(&self) -> Outcome<E::Store> {
        if self.bare() {
            return Ok(self.by.clone());
        }
        let weights = self.weights.as_ref().map(Store::items);
        let all = E::weigh_rows(self.by.items(), self.k, weights, self.times)?;
        Ok(E::Store::of(all))
    }

    pub(crate) fn into_jacobian(self) -> Jacobian<E> {
        let (rows, columns) = (self.rows(), self.columns());
        let form = match () {
            () if rows * columns == 0 => Form::Zero,
            () if self.is_full() && self.bare() => Form::Dense(self.by),
            () => Form::Factor(self),
        };
        Jacobian { rows, columns, form }
    }

    /// What kind of matrix it is, in words.
    pub fn structure(&self) -> String {
        let product = match self.side {
            Side::Left if self.is_full() => "",
            Side::Right if self.blocks == 1 && self.m == 1 => "",
            Side::Left if self.blocks == 1 => "matrix ⊗ identity",
            Side::Right if self.blocks == 1 => "identity ⊗ matrix",
            _ => "blocks",
        };
        match (&self.weights, product) {
            (None, "") => "dense".to_owned(),
            (Some(_), "") => "diagonal × matrix".to_owned(),
            (None, _) => product.to_owned(),
            (Some(_), "blocks") => "diagonal × blocks".to_owned(),
            (Some(_), _) => format!("diagonal × ({product})"),
        }
    }
}

impl Factor<f64> {
    /// Adds vᵀJ, term by term, where `add` puts it.
    pub(crate) fn weigh_rows(&self, v: &[f64], mut add: impl FnMut(usize, f64)) {
        let by = self.by.data();
        for (i, v) in v.iter().enumerate() {
            let weight = self.times * self.weights.as_ref().map_or(1.0, |w| w.data()[i]) * v;
            if self.is_full() {
                let row = &by[i * self.k..(i + 1) * self.k];
                row.iter().enumerate().for_each(|(j, e)| add(j, weight * e));
                continue;
            }
            for l in 0..self.k {
                let (column, at) = self.place(i, l);
                add(column, weight * by[at]);
            }
        }
    }
}
