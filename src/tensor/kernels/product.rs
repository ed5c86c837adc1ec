//! Products of matrices: a plain loop for small ones, `gemm`'s blocked kernels for the others.

use super::Cpu;
use super::blocks::each;
use crate::matrix::{Manner, manner};
use crate::{Outcome, budget};
use gemm::{Parallelism, gemm};
use ndarray::{ArrayView1, ArrayView2, ArrayViewMut2, Axis, Slice, s};
use num_traits::Float;

/// A matrix, or the transpose of one, read where it lies.
pub type Matrix<'a, T = f64> = ArrayView2<'a, T>;

/// `rows` × `columns` numbers, row after row; the transpose of that if `swapped`.
pub fn matrix<T>(data: &[T], rows: usize, columns: usize, swapped: bool) -> Matrix<'_, T> {
    let rows = ArrayView2::from_shape((rows, columns), data).expect("rows × columns");
    if swapped { rows.reversed_axes() } else { rows }
}

/// Up to this many multiplications each sum is taken one term after the other: at these sizes people read the
/// last digit. (For so few, packing into blocks would cost more than the work.)
const SEQUENTIAL: usize = 16 * 16 * 16;

/// How a product is added to its sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// Both rounded at once, as PyTorch's library does.
    Fused,
    /// Rounded before, as PyTorch's own loops do, and its library where there are few rows.
    Rounded,
}

/// Whether a second thread gains more than it costs in so many multiplications: of floats, which are two in the
/// place of a double, from twice as many on.
pub(super) fn is_long<T>(multiplications: usize) -> bool {
    multiplications.saturating_mul(size_of::<T>()) >= 1 << 25
}

/// So many parts a long product is cut into, whatever the number of cores.
const PARTS: usize = 4;

/// Sums up to this length, and products of more rows and columns than [`SMALL`], `gemm` adds alike whatever
/// the number of rows and columns.
const SHORT: usize = 512;
const SMALL: usize = 64;

/// Multiplications between two questions to the budget: some hundredths of a second.
const STEP: usize = 250_000_000;

/// Multiplications that count as a step of work.
pub(super) const WORK: usize = 16 * SEQUENTIAL;

/// Shorter sums than this OpenBLAS adds in order, each product fused with its sum.
const FUSED: usize = 16;

/// Longest sums, and most columns, of the blocks into which a product of any size is cut.
const SIDE: usize = 4096;
const COLUMNS: usize = 1024;

/// `c = a @ b`; `c` is row-major and was zero.
pub fn product<T: Float + Send + Sync + 'static>(
    a: Matrix<T>,
    b: Matrix<T>,
    c: &mut [T],
    term: Term,
) -> Outcome<()> {
    let ((m, k), n) = (a.dim(), b.ncols());
    debug_assert_eq!((b.nrows(), c.len()), (k, m * n));
    if m * k * n == 0 {
        return Ok(());
    }
    let whole = (m > 1 && n > 1) || m * n == 1;
    if whole && (2..FUSED).contains(&k) && manner() == Manner::Numpy {
        for (place, slot) in c.iter_mut().enumerate() {
            let (i, j) = (place / n, place % n);
            let pair = |l: usize| (a[[i, l]], b[[l, j]]);
            *slot = (0..k).map(pair).fold(T::zero(), |s, (x, y)| x.mul_add(y, s));
        }
        return budget::tick();
    }
    if k == 1 || m * k * n <= SEQUENTIAL {
        return sequential(a, b, c, term);
    }
    let shared = is_long::<T>(m * k * n) && (k <= SHORT || m.min(n) > PARTS * SMALL);
    let mut c = ArrayViewMut2::from_shape((m, n), c).expect("m × n");
    for j in (0..n).step_by(COLUMNS) {
        let columns = j..n.min(j + COLUMNS);
        for l in (0..k).step_by(SIDE) {
            let terms = l..k.min(l + SIDE);
            let step = (STEP / (terms.len() * columns.len())).max(1);
            for i in (0..m).step_by(step) {
                let rows = i..m.min(i + step);
                let c = c.slice_mut(s![rows.clone(), columns.clone()]);
                let a = a.slice(s![rows, terms.clone()]);
                let b = b.slice(s![terms.clone(), columns.clone()]);
                budget::work::steps((a.len() * b.ncols() / WORK) as u64);
                match shared {
                    true => add_parts(c, a, b, l > 0)?,
                    false => {
                        add(c, a, b, l > 0);
                        budget::tick()?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Whether [`column`] takes m × k floats: of fewer, people read the last digit.
pub(super) fn is_long_column(m: usize, k: usize) -> bool {
    m.saturating_mul(k) > SEQUENTIAL
}

/// `c = a @ b` of floats and one column: each sum in doubles, rounded once.
pub(super) fn column(a: Matrix<f32>, b: &[f32], c: &mut [f32]) -> Outcome<()> {
    let (m, k) = a.dim();
    let cpu = Cpu::here();
    budget::work::steps((a.len() / WORK) as u64);
    if let Some(rows) = a.to_slice() {
        let step = (STEP / PARTS / k).clamp(1, m.div_ceil(PARTS));
        let parts = rows.chunks(step * k).zip(c.chunks_mut(step));
        return each(parts, is_long::<f32>(a.len()), |(rows, c)| dots(cpu, rows, b, c));
    }
    let lines = a.reversed_axes();
    let lines = lines.to_slice().expect("k × m");
    let mut sums = budget::filled(m, 0.0)?;
    let step = (STEP / m).max(1);
    for (lines, b) in lines.chunks(step * m).zip(b.chunks(step)) {
        dots_beside(cpu, lines, b, &mut sums);
        budget::tick()?;
    }
    c.iter_mut().zip(sums).for_each(|(slot, sum)| *slot = sum as f32);
    Ok(())
}

per_cpu! {
    /// The products of rows with one column.
    fn dots<>(rows: &[f32], b: &[f32], c: &mut [f32]) -> () {
        const LANES: usize = 16;
        let (b, last) = b.as_chunks::<LANES>();
        for (row, slot) in rows.chunks_exact(b.len() * LANES + last.len()).zip(c) {
            let (row, rest) = row.as_chunks::<LANES>();
            let mut sums = [0f64; LANES];
            for (row, b) in row.iter().zip(b) {
                for ((sum, x), y) in sums.iter_mut().zip(row).zip(b) {
                    *sum += f64::from(*x) * f64::from(*y);
                }
            }
            let rest = rest.iter().zip(last).map(|(x, y)| f64::from(*x) * f64::from(*y));
            *slot = rest.fold(sums.iter().sum(), |sum: f64, term| sum + term) as f32;
        }
    }
}

per_cpu! {
    /// The same of the columns of lines: a term is added to each sum for each line.
    fn dots_beside<>(lines: &[f32], b: &[f32], sums: &mut [f64]) -> () {
        for (line, y) in lines.chunks_exact(sums.len()).zip(b) {
            for (sum, x) in sums.iter_mut().zip(line) {
                *sum += f64::from(*x) * f64::from(*y);
            }
        }
    }
}

/// [`add`] by parts of the longer side, each on whichever core is free.
fn add_parts<T: Float + Send + Sync + 'static>(
    mut c: ArrayViewMut2<T>,
    a: Matrix<T>,
    b: Matrix<T>,
    on_top: bool,
) -> Outcome<()> {
    let (m, n) = c.dim();
    let axis = Axis(usize::from(n > m));
    // Whole panels of `gemm`'s kernels.
    let part = m.max(n).div_ceil(PARTS).next_multiple_of(SMALL);
    let parts = c.axis_chunks_iter_mut(axis, part).enumerate();
    each(parts, true, |(k, c)| {
        let own = Slice::from(k * part..k * part + c.len_of(axis));
        match axis {
            Axis(0) => add(c, a.slice_axis(axis, own), b, on_top),
            _ => add(c, a, b.slice_axis(axis, own), on_top),
        }
    })
}

/// Whether the `count` products m × k × n of a batch are shared between cores, each a [`block`].
pub(super) fn is_shared<T>(count: usize, (m, k, n): (usize, usize, usize)) -> bool {
    let alone = m * k * n;
    let blocks = (FUSED..=SIDE).contains(&k) && n <= COLUMNS && alone > SEQUENTIAL;
    count > 1 && blocks && !is_long::<T>(alone) && is_long::<T>(count.saturating_mul(alone))
}

/// A transpose as rows: square by square, so that both sides stay in the cache. None where `gemm` has
/// another way of adding up than for rows, or `b` is no transpose.
fn turned<T: Float>(m: usize, b: Matrix<T>) -> Option<Vec<T>> {
    const SIDE: usize = 16;
    let (k, n) = b.dim();
    if m * n <= SIDE * SIDE || m < 2 || n < SIDE || k < SIDE || b.strides()[0] != 1 {
        return None;
    }
    let lines: Vec<&[T]> = b.axis_iter(Axis(1)).filter_map(|line| line.to_slice()).collect();
    let mut rows = vec![T::zero(); k * n];
    let (strips, last) = lines.as_chunks::<SIDE>();
    for (strip, lines) in strips.iter().enumerate() {
        let (tops, rest) = (k / SIDE * SIDE, k % SIDE);
        for top in (0..tops).step_by(SIDE) {
            let square = lines.map(|line| line[top..].first_chunk::<SIDE>());
            for i in 0..SIDE {
                let row = &mut rows[(top + i) * n + strip * SIDE..][..SIDE];
                for (slot, side) in row.iter_mut().zip(square) {
                    *slot = side.map_or(T::zero(), |side| side[i]);
                }
            }
        }
        for i in tops..tops + rest {
            let row = &mut rows[i * n + strip * SIDE..][..SIDE];
            row.iter_mut().zip(lines).for_each(|(slot, line)| *slot = line[i]);
        }
    }
    for (j, line) in (strips.len() * SIDE..).zip(last) {
        line.iter().enumerate().for_each(|(i, v)| rows[i * n + j] = *v);
    }
    Some(rows)
}

/// `c = a @ b`, or `c += a @ b` if `on_top`.
fn add<T: Float + 'static>(mut c: ArrayViewMut2<T>, a: Matrix<T>, b: Matrix<T>, on_top: bool) {
    let ((m, k), n) = (a.dim(), b.ncols());
    let rows = turned(m, b);
    let b = rows.as_deref().map_or(b, |rows| matrix(rows, k, n, false));
    let [cr, cc] = [c.strides()[0], c.strides()[1]];
    let [ar, ac] = [a.strides()[0], a.strides()[1]];
    let [br, bc] = [b.strides()[0], b.strides()[1]];
    let (to, a, b) = (c.as_mut_ptr(), a.as_ptr(), b.as_ptr());
    let one = T::one();
    // SAFETY: pointers, sizes and strides are those of three views, and c is borrowed alone.
    unsafe {
        gemm(
            m,
            n,
            k,
            to,
            cc,
            cr,
            on_top,
            a,
            ac,
            ar,
            b,
            bc,
            br,
            one,
            one,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

/// One block of a product on this core: `c = a @ b`, or `c += a @ b` if `on_top`.
pub(super) fn block<T: Float + 'static>(
    c: ArrayViewMut2<T>,
    a: Matrix<T>,
    b: Matrix<T>,
    on_top: bool,
) {
    add(c, a, b, on_top);
}

/// Each element's terms added in order, from 0 on. The outer product of two vectors is only multiplied:
/// the sign of a zero stays.
fn sequential<T: Float>(a: Matrix<T>, b: Matrix<T>, c: &mut [T], term: Term) -> Outcome<()> {
    let (k, n) = (a.ncols(), b.ncols());
    let outer = k == 1 && a.nrows() > 1 && n > 1;
    // Rows of a transpose are gathered first: a loop over neighbours is a vector loop.
    let gathered: Vec<T>;
    let rows = match b.to_slice() {
        Some(rows) => rows,
        None => {
            let mut all = budget::filled(b.len(), T::zero())?;
            for (j, column) in b.axis_iter(Axis(1)).enumerate() {
                let slots = all[j..].iter_mut().step_by(n);
                slots.zip(column).for_each(|(slot, v)| *slot = *v);
            }
            gathered = all;
            &gathered
        }
    };
    match (outer, term) {
        (true, _) => {
            for (i, c) in c.chunks_exact_mut(n).enumerate() {
                c.iter_mut().zip(rows).for_each(|(slot, y)| *slot = a[[i, 0]] * *y);
            }
        }
        (false, Term::Fused) => {
            in_turn(Cpu::here(), a, rows, c, &|x: T, y: T, sum: T| x.mul_add(y, sum))
        }
        (false, Term::Rounded) => {
            in_turn(Cpu::here(), a, rows, c, &|x: T, y: T, sum: T| sum + x * y)
        }
    }
    (0..a.nrows()).try_for_each(|_| budget::tick())
}

per_cpu! {
    /// Terms added in order, several columns beside each other.
    fn in_turn<T: Float, F: Fn(T, T, T) -> T>(
        a: Matrix<'_, T>,
        rows: &[T],
        c: &mut [T],
        add: &F,
    ) -> () {
        const ROWS: usize = 4;
        let n = c.len() / a.nrows();
        let mut c = c.chunks_exact_mut(n * ROWS);
        let whole = a.nrows() - a.nrows() % ROWS;
        for (k, c) in (&mut c).enumerate() {
            strips::<T, F, ROWS>(std::array::from_fn(|r| a.row(k * ROWS + r)), rows, c, add);
        }
        for (k, c) in c.into_remainder().chunks_exact_mut(n).enumerate() {
            strips([a.row(whole + k)], rows, c, add);
        }
    }
}

/// `R` rows of a product.
#[inline(always)]
fn strips<T: Float, F: Fn(T, T, T) -> T, const R: usize>(
    a: [ArrayView1<T>; R],
    rows: &[T],
    c: &mut [T],
    add: &F,
) {
    let n = c.len() / R;
    let mut at = 0;
    while at < n {
        at += match n - at {
            16.. => strip::<T, F, R, 16>(a, rows, (n, at), c, add),
            8.. => strip::<T, F, R, 8>(a, rows, (n, at), c, add),
            _ => strip::<T, F, R, 1>(a, rows, (n, at), c, add),
        };
    }
}

/// `L` of their columns: the sums stay in registers.
#[inline(always)]
fn strip<T: Float, F: Fn(T, T, T) -> T, const R: usize, const L: usize>(
    a: [ArrayView1<T>; R],
    rows: &[T],
    (n, at): (usize, usize),
    c: &mut [T],
    add: &F,
) -> usize {
    let mut sums = [[T::zero(); L]; R];
    for (l, row) in rows.chunks_exact(n).enumerate() {
        let row = &row[at..at + L];
        for (sums, a) in sums.iter_mut().zip(&a) {
            let x = a[l];
            for (sum, y) in sums.iter_mut().zip(row) {
                *sum = add(x, *y, *sum);
            }
        }
    }
    for (c, sums) in c.chunks_exact_mut(n).zip(&sums) {
        c[at..at + L].copy_from_slice(sums);
    }
    L
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn numbers(count: usize) -> Vec<f64> {
        (0..count).map(|k| ((k * 37 % 101) as f64) / 8.0 - 6.0).collect()
    }

    fn plain(a: Matrix, b: Matrix) -> Vec<f64> {
        let mut c = vec![0.0; a.nrows() * b.ncols()];
        sequential(a, b, &mut c, Term::Rounded).unwrap();
        c
    }

    #[test]
    fn blocks_and_transposes_agree_with_the_plain_loop() {
        // Numbers of few bits: every sum is exact, in any order.
        for (m, k, n) in [(1, 300, 40), (33, 65, 17), (300, 41, 1), (140, 130, 150)] {
            let (a, b) = (numbers(m * k), numbers(k * n));
            for (p, q) in [(false, false), (true, false), (false, true), (true, true)] {
                let (rows, columns) = if p { (k, m) } else { (m, k) };
                let left = matrix(&a, rows, columns, p);
                let (rows, columns) = if q { (n, k) } else { (k, n) };
                let right = matrix(&b, rows, columns, q);
                let mut c = vec![0.0; m * n];
                product(left, right, &mut c, Term::Fused).unwrap();
                assert_eq!(c, plain(left, right), "{m} {k} {n} {p} {q}");
            }
        }
    }

    #[test]
    fn long_sides_are_cut() {
        let (k, n) = (SIDE + 3, 2);
        let (a, b) = (numbers(2 * k), numbers(k * n));
        let (a, b) = (matrix(&a, 2, k, false), matrix(&b, k, n, false));
        let mut c = vec![0.0; 4];
        product(a, b, &mut c, Term::Fused).unwrap();
        assert_eq!(c, plain(a, b));
    }

    #[test]
    fn only_an_outer_product_keeps_the_sign_of_zero() {
        let mut c = vec![0.0; 4];
        let (a, b) = (matrix(&[-1.0, 1.0], 2, 1, false), matrix(&[0.0, 2.0], 1, 2, false));
        product(a, b, &mut c, Term::Fused).unwrap();
        assert!(c[0].is_sign_negative() && c[2].is_sign_positive());
        let mut column = vec![0.0; 2];
        let number = matrix(&[0.0], 1, 1, false);
        product(matrix(&[-1.0, 1.0], 2, 1, false), number, &mut column, Term::Fused).unwrap();
        assert!(column[0].is_sign_positive());
    }
}
