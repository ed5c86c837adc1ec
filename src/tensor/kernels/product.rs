//! Products of matrices: a plain loop for small ones, faer's blocked kernels for the others.

use crate::budget;
use crate::complaint::Outcome;
use crate::matrix::{Manner, manner};
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

/// A matrix in row-major memory, or the transpose of one, read where it lies.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    data: &'a [f64],
    rows: usize,
    columns: usize,
    /// Steps in memory from one row, and from one column, to the next.
    strides: (usize, usize),
}

impl<'a> Matrix<'a> {
    /// `rows` × `columns` numbers, row after row.
    pub fn new(data: &'a [f64], rows: usize, columns: usize) -> Matrix<'a> {
        debug_assert_eq!(data.len(), rows * columns);
        Matrix { data, rows, columns, strides: (columns, 1) }
    }

    /// The transpose, of the same memory.
    #[must_use]
    pub fn swapped(self) -> Matrix<'a> {
        Matrix {
            rows: self.columns,
            columns: self.rows,
            strides: (self.strides.1, self.strides.0),
            ..self
        }
    }

    /// [`Matrix::swapped`] if `flag`.
    #[must_use]
    pub fn swapped_if(self, flag: bool) -> Matrix<'a> {
        if flag { self.swapped() } else { self }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.data[row * self.strides.0 + column * self.strides.1]
    }

    fn faer(self) -> MatRef<'a, f64> {
        if self.strides.1 == 1 {
            MatRef::from_row_major_slice(self.data, self.rows, self.columns)
        } else {
            MatRef::from_row_major_slice(self.data, self.columns, self.rows).transpose()
        }
    }
}

/// Up to this many multiplications each sum is taken one term after the other and each product is
/// rounded, as PyTorch's own loops do: at these sizes people read the last digit. (For so few,
/// packing into blocks would cost more than the work.)
const SEQUENTIAL: usize = 16 * 16 * 16;

/// From this many multiplications on, a second thread gains more than it costs.
const PARALLEL: usize = 128 * 128 * 128;

/// Multiplications between two questions to the budget: some hundredths of a second.
const STEP: usize = 250_000_000;

/// Shorter sums than this OpenBLAS adds in order, each product fused with its sum.
const FUSED: usize = 16;

/// Longest sums, and most columns, of the blocks into which a product of any size is cut.
const SIDE: usize = 4096;
const COLUMNS: usize = 1024;

/// `c = a @ b`; `c` is row-major and was zero.
///
/// # Errors
/// A wish to stop.
pub fn product(a: Matrix, b: Matrix, c: &mut [f64]) -> Outcome<()> {
    let (m, k, n) = (a.rows, a.columns, b.columns);
    debug_assert_eq!((b.rows, c.len()), (k, m * n));
    if m * k * n == 0 {
        return Ok(());
    }
    let whole = (m > 1 && n > 1) || m * n == 1;
    if whole && (2..FUSED).contains(&k) && manner() == Manner::Numpy {
        for (place, slot) in c.iter_mut().enumerate() {
            let (i, j) = (place / n, place % n);
            let term = |l: usize| (a.at(i, l), b.at(l, j));
            *slot = (0..k).map(term).fold(0.0, |s, (x, y)| x.mul_add(y, s));
        }
        return budget::tick();
    }
    if k == 1 || m * k * n <= SEQUENTIAL {
        return sequential(a, b, c);
    }
    let par = match m * k * n {
        0..PARALLEL => Par::Seq,
        _ => Par::rayon(0),
    };
    let (a, b) = (a.faer(), b.faer());
    let mut c = MatMut::from_row_major_slice_mut(c, m, n);
    for j in (0..n).step_by(COLUMNS) {
        let columns = COLUMNS.min(n - j);
        for l in (0..k).step_by(SIDE) {
            let terms = SIDE.min(k - l);
            let add = if l == 0 { Accum::Replace } else { Accum::Add };
            let step = (STEP / (terms * columns)).max(1);
            for i in (0..m).step_by(step) {
                let rows = step.min(m - i);
                matmul(
                    c.as_mut().submatrix_mut(i, j, rows, columns),
                    add,
                    a.submatrix(i, l, rows, terms),
                    b.submatrix(l, j, terms, columns),
                    1.0,
                    par,
                );
                budget::tick()?;
            }
        }
    }
    Ok(())
}

/// Each element's terms added in order, from 0 on. The outer product of two vectors is only multiplied:
/// the sign of a zero stays.
fn sequential(a: Matrix, b: Matrix, c: &mut [f64]) -> Outcome<()> {
    let (k, n) = (a.columns, b.columns);
    let outer = k == 1 && a.rows > 1 && n > 1;
    // Rows of a transpose are gathered first: a loop over neighbours is a vector loop.
    let gathered: Vec<f64>;
    let rows = if b.strides.1 == 1 {
        b.data
    } else {
        let row = |l: usize| b.data[l * b.strides.0..].iter().step_by(b.strides.1);
        gathered = budget::collected((0..k).flat_map(row).copied())?;
        &gathered
    };
    for (i, c) in c.chunks_exact_mut(n).enumerate() {
        for (l, row) in rows.chunks_exact(n).enumerate() {
            let x = a.data[i * a.strides.0 + l * a.strides.1];
            for (slot, y) in c.iter_mut().zip(row) {
                *slot = if outer { x * y } else { *slot + x * y };
            }
        }
        budget::tick()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn numbers(count: usize) -> Vec<f64> {
        (0..count).map(|k| ((k * 37 % 101) as f64) / 8.0 - 6.0).collect()
    }

    fn plain(a: Matrix, b: Matrix) -> Vec<f64> {
        let mut c = vec![0.0; a.rows * b.columns];
        sequential(a, b, &mut c).unwrap();
        c
    }

    #[test]
    fn blocks_and_transposes_agree_with_the_plain_loop() {
        // Numbers of few bits: every sum is exact, in any order.
        for (m, k, n) in [(1, 300, 40), (33, 65, 17), (300, 41, 1), (140, 130, 150)] {
            let (a, b) = (numbers(m * k), numbers(k * n));
            for (p, q) in [(false, false), (true, false), (false, true), (true, true)] {
                let left = match p {
                    false => Matrix::new(&a, m, k),
                    true => Matrix::new(&a, k, m).swapped(),
                };
                let right = match q {
                    false => Matrix::new(&b, k, n),
                    true => Matrix::new(&b, n, k).swapped(),
                };
                let mut c = vec![0.0; m * n];
                product(left, right, &mut c).unwrap();
                assert_eq!(c, plain(left, right), "{m} {k} {n} {p} {q}");
            }
        }
    }

    #[test]
    fn long_sides_are_cut() {
        let (k, n) = (SIDE + 3, 2);
        let (a, b) = (numbers(2 * k), numbers(k * n));
        let (a, b) = (Matrix::new(&a, 2, k), Matrix::new(&b, k, n));
        let mut c = vec![0.0; 4];
        product(a, b, &mut c).unwrap();
        assert_eq!(c, plain(a, b));
    }

    #[test]
    fn only_an_outer_product_keeps_the_sign_of_zero() {
        let mut c = vec![0.0; 4];
        let (a, b) = (Matrix::new(&[-1.0, 1.0], 2, 1), Matrix::new(&[0.0, 2.0], 1, 2));
        product(a, b, &mut c).unwrap();
        assert!(c[0].is_sign_negative() && c[2].is_sign_positive());
        let mut column = vec![0.0; 2];
        let number = Matrix::new(&[0.0], 1, 1);
        product(Matrix::new(&[-1.0, 1.0], 2, 1), number, &mut column).unwrap();
        assert!(column[0].is_sign_positive());
    }
}
