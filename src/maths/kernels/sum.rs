//! Sums of many numbers, so that rounding grows slowly and in an order that no thread changes.

use super::blocks::{self, PARALLEL_FROM};
use crate::maths::reverse::refuse;
use std::sync::Mutex;

/// Up to this many are added one after the other.
const IN_ORDER: usize = 128;

/// So many are added in [`LANES`] sums beside each other.
const STRIP: usize = 1024;
const LANES: usize = 16;

/// A piece of a sum that one thread takes.
const PIECE: usize = 16 * STRIP;

/// The sum: in pairs of halves when long.
pub fn sum(data: &[f64]) -> f64 {
    if data.len() < PARALLEL_FROM {
        return halves(data);
    }
    let pieces = data.chunks(PIECE);
    let sums = Mutex::new(vec![0.0; pieces.len()]);
    let done = blocks::each(pieces.enumerate(), true, |(k, piece)| {
        let sum = halves(piece);
        if let Ok(mut sums) = sums.lock() {
            sums[k] = sum;
        }
    });
    if let Err(stop) = done {
        refuse(stop);
    }
    halves(&sums.into_inner().unwrap_or_default())
}

fn halves(data: &[f64]) -> f64 {
    match data.len() {
        n if n <= IN_ORDER => data.iter().sum(),
        n if n <= STRIP => strip(data),
        n => {
            let (a, b) = data.split_at((n / 2).next_multiple_of(STRIP).min(n));
            halves(a) + halves(b)
        }
    }
}

fn strip(data: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (rows, rest) = data.as_chunks::<LANES>();
    for row in rows {
        for (lane, v) in lanes.iter_mut().zip(row) {
            *lane += v;
        }
    }
    for (lane, v) in lanes.iter_mut().zip(rest) {
        *lane += v;
    }
    for half in [8, 4, 2, 1] {
        for k in 0..half {
            lanes[k] += lanes[k + half];
        }
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_add_up_exactly() {
        for n in [0, 1, 127, 129, 1023, 1025, 40_000, 200_001] {
            let data: Vec<f64> = (0..n).map(f64::from).collect();
            let n = f64::from(n);
            assert_eq!(sum(&data), n * (n - 1.0).max(0.0) / 2.0);
        }
    }
}
