//! Products of float32 as PyTorch's library adds them up on this machine's processors: in which order, and where a
//! product is rounded before it is added. At small sizes people read the last digit.
//!
//! Found by experiment: with 2⁶⁰ and −2⁶⁰ in the place of two terms, a sum of ones tells how many terms the smallest
//! sum of both has, and so the tree of additions. Registers hold four numbers; loops begin where memory is aligned.

use super::product::{Matrix, Term, product, sequential};
use crate::budget;
use crate::complaint::Outcome;
use ndarray::{Axis, Slice, s};
use std::borrow::Cow;

/// Numbers in a register.
const LANES: usize = 4;
/// From so many columns on, products are fused with their sums.
const FUSED_FROM: usize = 12;
/// Of a batch, fewer multiplications PyTorch carries out in a loop of its own.
const OWN_LOOP: usize = 400;
/// Longest sums that a fused product adds up at once.
const AT_ONCE: usize = 192;

/// How a product of matrices lies in memory.
#[derive(Clone, Copy, Debug)]
pub struct Lying {
    /// Which operands are transposes of what lies there row after row.
    pub transposed: [bool; 2],
    /// Of a batch of products, which it is.
    pub batch: Option<usize>,
}

/// `c = a @ b`; `c` was zero.
///
/// # Errors
/// A wish to stop; the budget.
pub fn matmul(a: Matrix<f32>, b: Matrix<f32>, c: &mut [f32], lying: Lying) -> Outcome<()> {
    let ((m, k), n) = (a.dim(), b.ncols());
    let [left, right] = lying.transposed;
    let aligned = |_| 0;
    match lying.batch {
        _ if k == 1 => return product(a, b, c, Term::Rounded),
        Some(_) if m * k * n < OWN_LOOP => return by_rows(&rows(a)?, &rows(b)?, c, n, aligned),
        None if n == 1 && m > 1 && !left => return by_vector(&rows(a)?, &rows(b)?, c),
        None if m == 1 && right => {
            return by_vector(&rows(b.reversed_axes())?, &rows(a)?, c);
        }
        None if m == 1 || n == 1 => return by_rows(&rows(a)?, &rows(b)?, c, n, aligned),
        _ => {}
    }
    let fused = fused_rows(m, k, n, lying.batch.is_some());
    let (above, below) = c.split_at_mut(fused * n);
    if fused > 0 {
        in_blocks(a.slice(s![..fused, ..]), b, above)?;
    }
    if fused == m {
        return Ok(());
    }
    let first = lying.batch.unwrap_or(0) * m + fused;
    let left_over = rows(a)?;
    let left_over = &left_over[fused * k..];
    // Elements from a place on until the next aligned one.
    let unaligned = |at: usize| (LANES - at % LANES) % LANES;
    match (left, right) {
        (false, true) => {
            let columns = rows(b.reversed_axes())?;
            for (i, (row, c)) in
                left_over.chunks_exact(k).zip(below.chunks_exact_mut(n)).enumerate()
            {
                budget::tick()?;
                let before = unaligned((first + i) * k);
                for (j, (column, slot)) in columns.chunks_exact(k).zip(c).enumerate() {
                    *slot = match before + LANES > k {
                        true => in_order(row, column, 0.0),
                        false if j < n / LANES * LANES => lanes::<1>(row, column, before, LANES),
                        false => lanes::<2>(row, column, before, 2 * LANES),
                    };
                }
            }
            Ok(())
        }
        (true, true) => by_rows(left_over, &rows(b)?, below, n, aligned),
        _ => by_rows(left_over, &rows(b)?, below, n, |i| {
            let before = unaligned((first + i) * n);
            if before + LANES > n { 0 } else { before }
        }),
    }
}

/// How many rows, from the first on, are fused.
fn fused_rows(m: usize, k: usize, n: usize, batch: bool) -> usize {
    match n < FUSED_FROM || m < LANES {
        true => 0,
        _ if batch || m >= FUSED_FROM || k <= LANES || n.max(k) <= 4 * LANES => m,
        _ => m / LANES * LANES,
    }
}

/// A matrix row after row.
fn rows(m: Matrix<'_, f32>) -> Outcome<Cow<'_, [f32]>> {
    match m.to_slice() {
        Some(all) => Ok(Cow::Borrowed(all)),
        None => Ok(Cow::Owned(budget::collected(m.iter().copied())?)),
    }
}

/// Each element fused, of long sums a block after the other.
fn in_blocks(a: Matrix<f32>, b: Matrix<f32>, c: &mut [f32]) -> Outcome<()> {
    let k = a.ncols();
    let block = match k {
        _ if k > 2 * AT_ONCE => AT_ONCE,
        _ if k > AT_ONCE => k / 2,
        // Of few terms `gemm` rounds otherwise.
        _ if k < 4 * LANES => return sequential(a, b, c, Term::Fused),
        _ => return product(a, b, c, Term::Fused),
    };
    let mut sum = budget::filled(c.len(), 0f32)?;
    for from in (0..k).step_by(block) {
        let terms = Slice::from(from..k.min(from + block));
        let (a, b) = (a.slice_axis(Axis(1), terms), b.slice_axis(Axis(0), terms));
        sum.fill(0.0);
        product(a, b, &mut sum, Term::Fused)?;
        c.iter_mut().zip(&sum).for_each(|(c, s)| *c += s);
    }
    Ok(())
}

/// Rows of c, of `n` elements, from rows of a and all rows of b, term after term; of the first `before(i)` elements of
/// row i every second group of four terms is added up before.
fn by_rows(
    a: &[f32],
    b: &[f32],
    c: &mut [f32],
    n: usize,
    before: impl Fn(usize) -> usize,
) -> Outcome<()> {
    let k = b.len() / n;
    for (i, (row, c)) in a.chunks_exact(k).zip(c.chunks_exact_mut(n)).enumerate() {
        budget::tick()?;
        let (apart, rest) = c.split_at_mut(before(i));
        for (x, b) in row.iter().zip(b.chunks_exact(n)) {
            rest.iter_mut().zip(&b[apart.len()..]).for_each(|(slot, y)| *slot += x * y);
        }
        for (j, slot) in apart.iter_mut().enumerate() {
            let term = |l: usize| row[l] * b[l * n + j];
            let mut l = 0;
            while l < k {
                if l % (2 * LANES) == LANES && l + LANES <= k {
                    *slot += (l + 1..l + LANES).fold(term(l), |sum, l| sum + term(l));
                    l += LANES;
                } else {
                    *slot += term(l);
                    l += 1;
                }
            }
        }
    }
    Ok(())
}

/// A vector times each row: four rows at once, of those left over the second alike and the others in two registers.
fn by_vector(a: &[f32], x: &[f32], c: &mut [f32]) -> Outcome<()> {
    let k = x.len();
    let fours = c.len() / LANES * LANES;
    let pair = c.len() > fours + 1;
    for (i, (row, slot)) in a.chunks_exact(k).zip(c).enumerate() {
        budget::tick()?;
        *slot = match i {
            _ if i < fours => lanes::<1>(row, x, (k - 1) % LANES + 1, LANES),
            _ if k < 3 * LANES => in_order(row, x, 0.0),
            _ if pair && i == fours + 1 => lanes::<1>(row, x, LANES, 2 * LANES),
            _ => lanes::<2>(row, x, LANES, 2 * LANES),
        };
    }
    Ok(())
}

/// Term after term from `sum` on.
fn in_order(a: &[f32], b: &[f32], sum: f32) -> f32 {
    a.iter().zip(b).fold(sum, |sum, (x, y)| sum + x * y)
}

/// Terms before `start` in order, then as far as steps of so many terms go in registers, the rest in order.
fn lanes<const REGISTERS: usize>(a: &[f32], b: &[f32], start: usize, step: usize) -> f32 {
    let end = start + (a.len() - start) / step * step;
    let before = in_order(&a[..start], &b[..start], 0.0);
    if start == end {
        return in_order(&a[start..], &b[start..], before);
    }
    let mut sums = [[0f32; LANES]; REGISTERS];
    sums[0][0] = before;
    let terms = a[start..end].chunks_exact(LANES).zip(b[start..end].chunks_exact(LANES));
    for (place, (x, y)) in terms.enumerate() {
        let sums = &mut sums[place % REGISTERS];
        (0..LANES).for_each(|j| sums[j] += x[j] * y[j]);
    }
    in_order(&a[end..], &b[end..], across(&sums))
}

/// The sum of registers: of all of them, then of their halves.
fn across<const REGISTERS: usize>(sums: &[[f32; LANES]; REGISTERS]) -> f32 {
    let lane = |j: usize| sums[1..].iter().fold(sums[0][j], |sum, own| sum + own[j]);
    (lane(0) + lane(2)) + (lane(1) + lane(3))
}

/// The product of two vectors: sixteen terms in four registers, then eight in two, four in one.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [[0f32; LANES]; 4];
    let mut at = 0;
    for (registers, often) in [(4, true), (2, false), (1, false)] {
        let step = registers * LANES;
        while a.len() - at >= step {
            for (r, sums) in sums.iter_mut().take(registers).enumerate() {
                let place = at + r * LANES;
                (0..LANES).for_each(|j| sums[j] += a[place + j] * b[place + j]);
            }
            at += step;
            if !often {
                break;
            }
        }
    }
    sums[0][0] = in_order(&a[at..], &b[at..], sums[0][0]);
    across(&sums)
}
