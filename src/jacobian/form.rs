//! The forms in which a Jacobian is kept, and what its entries are made of.

use crate::band::Band;
use crate::factor::Factor;
use std::fmt::Debug;
use std::rc::Rc;
use vjp_maths::Expr;
use vjp_tensor::kernels::blocks;
use vjp_tensor::kernels::product::{Term, matrix, product};
use vjp_tensor::{Outcome, Tensor, budget};

/// The cheapest form that holds a Jacobian without loss.
#[derive(Clone, Debug)]
pub enum Form<E: Element> {
    /// No path at all.
    Zero,
    /// A multiple of the identity.
    Scaled(f64),
    /// Square; every entry off the diagonal is absent.
    Diagonal(E::Store),
    /// Runs along some diagonals, by offset and then by row; what is between them is absent.
    Bands(Vec<Band<E>>),
    /// A matrix product from the left or from the right, its rows weighed: diag · A, never copied.
    Factor(Factor<E>),
    Rows(Rows<E>),
    /// Row-major; no entry is absent or unchosen.
    Dense(E::Store),
}

/// Compressed rows: row i has the columns `pattern.columns[starts[i]..starts[i + 1]]`, ascending.
#[derive(Clone, Debug)]
pub struct Rows<E> {
    /// Shared by all Jacobians of the same structure.
    pub pattern: Rc<Pattern>,
    /// None: unchosen.
    pub values: Rc<[Option<E>]>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    pub starts: Vec<usize>,
    pub columns: Vec<usize>,
}

impl Pattern {
    pub fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.starts[i]..self.starts[i + 1]
    }
}

/// One entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry<E> {
    /// No path leads from the input to the output, whatever the values: drawn `·`.
    Absent,
    /// A path exists but was not chosen by value: drawn `0`, left out of products.
    Unchosen,
    Value(E),
}

/// Entries in a row, shared with the array they came from and written only where nobody else reads.
pub trait Store<E>: Clone + Debug {
    fn of(items: Vec<E>) -> Self;
    fn items(&self) -> &[E];
    /// For writing, where nobody else holds them.
    fn own(&mut self) -> Option<&mut [E]>;
}

impl Store<f64> for Tensor {
    fn of(items: Vec<f64>) -> Tensor {
        Tensor::new(&[items.len()], items)
    }
    fn items(&self) -> &[f64] {
        self.data()
    }
    fn own(&mut self) -> Option<&mut [f64]> {
        self.data_own()
    }
}

impl Store<Expr> for Rc<[Expr]> {
    fn of(items: Vec<Expr>) -> Rc<[Expr]> {
        items.into()
    }
    fn items(&self) -> &[Expr] {
        self
    }
    fn own(&mut self) -> Option<&mut [Expr]> {
        Rc::get_mut(self)
    }
}

/// `f(a[k], b[k])` for each k, in the place of `a` where that is free.
pub(crate) fn zipped<E: Element>(mut a: E::Store, b: &[E], f: impl Fn(&E, &E) -> E) -> E::Store {
    if let Some(own) = a.own() {
        own.iter_mut().zip(b).for_each(|(a, b)| *a = f(a, b));
        return a;
    }
    let items = a.items().iter().zip(b).map(|(a, b)| f(a, b));
    E::Store::of(items.collect())
}

/// `f` of each, in the same place where that is free.
pub(crate) fn mapped<E: Element>(mut a: E::Store, f: impl Fn(usize, &E) -> E) -> E::Store {
    if let Some(own) = a.own() {
        own.iter_mut().enumerate().for_each(|(k, a)| *a = f(k, a));
        return a;
    }
    let items = a.items().iter().enumerate().map(|(k, a)| f(k, a));
    E::Store::of(items.collect())
}

/// What an entry may be: a number or a formula.
pub trait Element: Clone + Debug {
    type Store: Store<Self>;
    fn of(c: f64) -> Self;
    fn add(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
    fn scale(&self, by: f64) -> Self;
    fn is(&self, c: f64) -> bool;
    /// `times · weights[i] · by[i, j]` for rows of k entries.
    fn weigh_rows(
        by: &[Self],
        k: usize,
        weights: Option<&[Self]>,
        times: f64,
    ) -> Outcome<Vec<Self>> {
        budget::reserve(size_of_val(by))?;
        let mut out = Vec::with_capacity(by.len());
        for (i, row) in by.chunks(k.max(1)).enumerate() {
            let weight = weight(weights, i, times);
            out.extend(row.iter().map(|e| weight.mul(e)));
            budget::tick()?;
        }
        Ok(out)
    }
    /// Row-major m × k times k × n, where this kind of element has a fast way.
    fn matmul(m: usize, k: usize, n: usize, a: &[Self], b: &[Self]) -> Outcome<Vec<Self>> {
        let mut out = vec![Self::of(0.0); m * n];
        for i in 0..m {
            for l in 0..k {
                for j in 0..n {
                    let term = a[i * k + l].mul(&b[l * n + j]);
                    out[i * n + j] = out[i * n + j].add(&term);
                }
            }
        }
        Ok(out)
    }
}

fn weight<E: Element>(weights: Option<&[E]>, i: usize, times: f64) -> E {
    match weights {
        Some(w) if times == 1.0 => w[i].clone(),
        Some(w) => w[i].scale(times),
        None => E::of(times),
    }
}

impl Element for f64 {
    type Store = Tensor;
    #[inline]
    fn of(c: f64) -> f64 {
        c
    }
    #[inline]
    fn add(&self, other: &f64) -> f64 {
        self + other
    }
    #[inline]
    fn mul(&self, other: &f64) -> f64 {
        self * other
    }
    #[inline]
    fn scale(&self, by: f64) -> f64 {
        // A slope of exactly 1 or −1 leaves the entry as it is; 0·∞ does not occur otherwise.
        self * by
    }
    #[inline]
    fn is(&self, c: f64) -> bool {
        *self == c
    }
    fn weigh_rows(by: &[f64], k: usize, weights: Option<&[f64]>, times: f64) -> Outcome<Vec<f64>> {
        blocks::doubles(by.len(), &|at, out| {
            let (mut at, mut rest) = (at, out);
            while !rest.is_empty() {
                let (row, column) = (at / k, at % k);
                let (now, later) = rest.split_at_mut(rest.len().min(k - column));
                let weight = weight(weights, row, times);
                for (slot, e) in now.iter_mut().zip(&by[at..]) {
                    slot.write(weight * e);
                }
                at += now.len();
                rest = later;
            }
        })
    }
    fn matmul(m: usize, k: usize, n: usize, a: &[f64], b: &[f64]) -> Outcome<Vec<f64>> {
        let mut out = vec![0.0; m * n];
        product(matrix(a, m, k, false), matrix(b, k, n, false), &mut out, Term::Fused)?;
        Ok(out)
    }
}

impl Element for Expr {
    type Store = Rc<[Expr]>;
    fn of(c: f64) -> Expr {
        Expr::constant(c)
    }
    fn add(&self, other: &Expr) -> Expr {
        self.plus(other)
    }
    fn mul(&self, other: &Expr) -> Expr {
        self.by(other)
    }
    fn scale(&self, by: f64) -> Expr {
        self.times(by)
    }
    fn is(&self, c: f64) -> bool {
        self.is_const(c)
    }
}
