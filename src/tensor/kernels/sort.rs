//! Positions in order: sorted in pieces that are merged, the budget asked between.

use super::super::budget;
use super::super::complaint::Outcome;
use std::cmp::Ordering;

/// So many numbers are sorted without asking.
const PIECE: usize = 1 << 16;

/// Whether what takes as long as sorting so many numbers is sorted without asking.
pub fn at_once(size: usize) -> bool {
    size <= PIECE
}

/// The positions 0..n in the order of `compare`; equal ones stay in the order they were.
pub fn positions(n: usize, compare: impl Fn(usize, usize) -> Ordering) -> Outcome<Vec<usize>> {
    positions_of(n, n, compare)
}

/// [`positions`] of `n` things that together take as long as `size` numbers.
pub fn positions_of(
    n: usize,
    size: usize,
    compare: impl Fn(usize, usize) -> Ordering,
) -> Outcome<Vec<usize>> {
    let piece = PIECE / (size / n.max(1)).clamp(1, PIECE);
    let mut order = budget::listed(n, |k| k)?;
    for piece in order.chunks_mut(piece) {
        piece.sort_by(|a, b| compare(*a, *b));
        budget::tick()?;
    }
    let mut width = piece;
    while width < n {
        let mut merged = budget::vec(n)?;
        for pair in order.chunks(2 * width) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            merge(left, right, piece, &compare, &mut merged)?;
        }
        order = merged;
        width *= 2;
    }
    Ok(order)
}

fn merge(
    mut left: &[usize],
    mut right: &[usize],
    piece: usize,
    compare: &impl Fn(usize, usize) -> Ordering,
    out: &mut Vec<usize>,
) -> Outcome<()> {
    while let (Some(a), Some(b)) = (left.first(), right.first()) {
        if compare(*a, *b) == Ordering::Greater {
            out.push(*b);
            right = &right[1..];
        } else {
            out.push(*a);
            left = &left[1..];
        }
        if out.len().is_multiple_of(piece) {
            budget::tick()?;
        }
    }
    out.extend_from_slice(left);
    out.extend_from_slice(right);
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn long_rows_are_sorted_and_stable() {
        let n = 3 * PIECE + 1234;
        let key = |k: usize| k.wrapping_mul(2_654_435_761) % 1000;
        let order = positions(n, |a, b| key(a).cmp(&key(b))).unwrap();
        let mut expected: Vec<usize> = (0..n).collect();
        expected.sort_by_key(|k| key(*k));
        assert_eq!(order, expected);
    }
}
