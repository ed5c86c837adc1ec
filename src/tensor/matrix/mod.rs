//! Matrices of plain numbers, factored as LAPACK factors them, so that signs are those that
//! PyTorch and NumPy print. Row-major, one matrix at a time; batches are the callers'.

pub mod bidiagonal;
pub mod contours;
pub mod householder;
pub mod lu;
pub mod rotation;
pub mod singular;
pub mod symmetric;

use super::budget;
use super::dtype::{Dtype, default_dtype, set_default_dtype};
use std::cell::Cell;

/// Whose signs are wanted: libraries differ in details that leave a sign open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// As PyTorch's builds (with MKL) give them.
    Torch,
    /// As NumPy's builds (with OpenBLAS) give them.
    Numpy,
}

thread_local! {
    static MANNER: Cell<Manner> = const { Cell::new(Manner::Torch) };
}

/// What holds at present.
pub fn manner() -> Manner {
    MANNER.with(Cell::get)
}

/// Runs `f` in the manner of NumPy, where a float is a float64 whatever PyTorch's default is.
pub fn as_numpy<T>(f: impl FnOnce() -> T) -> T {
    let before = MANNER.with(|m| m.replace(Manner::Numpy));
    let default = default_dtype();
    set_default_dtype(Dtype::Float64);
    let result = f();
    set_default_dtype(default);
    MANNER.with(|m| m.set(before));
    result
}

/// A matrix, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    pub rows: usize,
    pub columns: usize,
    pub data: Vec<f64>,
}

impl Matrix {
    pub fn new(rows: usize, columns: usize, data: &[f64]) -> Matrix {
        Matrix { rows, columns, data: data.to_vec() }
    }

    /// Ones on the diagonal.
    pub fn identity(rows: usize, columns: usize) -> Matrix {
        let mut out = Matrix { rows, columns, data: vec![0.0; rows * columns] };
        for k in 0..rows.min(columns) {
            out.set(k, k, 1.0);
        }
        out
    }

    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.columns + j]
    }

    pub fn set(&mut self, i: usize, j: usize, v: f64) {
        self.data[i * self.columns + j] = v;
    }

    pub fn transposed(&self) -> Matrix {
        let mut out = Matrix::identity(self.columns, self.rows);
        for i in budget::unless_stopped(0..self.rows) {
            for j in 0..self.columns {
                out.set(j, i, self.at(i, j));
            }
        }
        out
    }

    pub fn swap_rows(&mut self, a: usize, b: usize) {
        for j in 0..self.columns {
            self.data.swap(a * self.columns + j, b * self.columns + j);
        }
    }

    pub fn swap_columns(&mut self, a: usize, b: usize) {
        for i in 0..self.rows {
            self.data.swap(i * self.columns + a, i * self.columns + b);
        }
    }

    /// The first rows and columns, filled up with those of the identity.
    pub fn resized(&self, rows: usize, columns: usize) -> Matrix {
        let mut out = Matrix::identity(rows, columns);
        for i in 0..rows.min(self.rows) {
            for j in 0..columns.min(self.columns) {
                out.set(i, j, self.at(i, j));
            }
        }
        out
    }
}
