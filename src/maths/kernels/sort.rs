//! Positions in order: sorted in pieces that are merged, the budget asked between.

use super::super::budget;
use super::super::complaint::Outcome;
use std::cmp::Ordering;

/// So many are sorted without asking.
const PIECE: usize = 1 << 16;

/// The positions 0..n in the order of `compare`; equal ones stay in the order they were.
///
/// # Errors
/// A stop, the time, the memory.
pub fn positions(n: usize, compare: impl Fn(usize, usize) -> Ordering) -> Outcome<Vec<usize>> {
    let mut order: Vec<usize> = (0..n).collect();
    for piece in order.chunks_mut(PIECE) {
        piece.sort_by(|a, b| compare(*a, *b));
        if n > PIECE {
            budget::tick()?;
        }
    }
    let mut width = PIECE;
    while width < n {
        budget::reserve(n.saturating_mul(size_of::<usize>()))?;
        let mut merged = Vec::with_capacity(n);
        for pair in order.chunks(2 * width) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            merge(left, right, &compare, &mut merged)?;
        }
        order = merged;
        width *= 2;
    }
    Ok(order)
}

fn merge(
    mut left: &[usize],
    mut right: &[usize],
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
        if out.len().is_multiple_of(PIECE) {
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
