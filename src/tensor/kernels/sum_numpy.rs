//! Sums in the order in which NumPy adds: a run of neighbours in pairs of halves, eight sums beside
//! each other below 128; other dimensions one row after the other.

use super::sum_order::Real;
use crate::Element;
use std::ops::Add;

/// Below this no halves are made.
const BLOCK: usize = 128;
const LANES: usize = 8;

/// The sum of a run of neighbours, added to 0: never -0.
pub fn run<S: Element, T: Real + Add<Output = T>>(data: &[S]) -> T {
    T::default() + pairs(data)
}

fn pairs<S: Element, T: Real + Add<Output = T>>(data: &[S]) -> T {
    let of = |v: S| T::of(v.wide());
    let n = data.len();
    if n < LANES {
        return data.iter().map(|v| of(*v)).reduce(|s, v| s + v).unwrap_or_default();
    }
    if n > BLOCK {
        let half = n / 2 - n / 2 % LANES;
        let (a, b) = data.split_at(half);
        return pairs::<S, T>(a) + pairs(b);
    }
    let (rows, rest) = data.as_chunks::<LANES>();
    let mut r = rows[0].map(of);
    for row in &rows[1..] {
        for (lane, v) in r.iter_mut().zip(row) {
            *lane += of(*v);
        }
    }
    let sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    rest.iter().fold(sum, |s, v| s + of(*v))
}

/// Sums down to a shape of the same rank, 1 where it sums.
pub fn over<S: Element, T: Real + Add<Output = T>>(
    data: &[S],
    shape: &[usize],
    to: &[usize],
    out: &mut [T],
) {
    // Dimensions at the end that are summed are one run.
    let kept = shape.iter().zip(to).rposition(|(own, to)| own == to && *own != 1);
    let outer = kept.map_or(0, |k| k + 1);
    let length: usize = shape[outer..].iter().product();
    if length == 0 {
        return;
    }
    let mut begun = vec![false; out.len()];
    for (place, row) in data.chunks_exact(length).enumerate() {
        let (mut rest, mut target, mut step) = (place, 0, 1);
        for (own, to) in shape[..outer].iter().zip(to).rev() {
            if *to != 1 {
                target += rest % own * step;
                step *= to;
            }
            rest /= own;
        }
        let sum = run::<S, T>(row);
        out[target] = if begun[target] { out[target] + sum } else { sum };
        begun[target] = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns() {
        let data: Vec<f64> = (0..24).map(f64::from).collect();
        let mut out = vec![0.0; 4];
        over(&data, &[2, 3, 4], &[1, 1, 4], &mut out);
        assert_eq!(out, [60.0, 66.0, 72.0, 78.0]);
        let mut out = vec![0.0; 2];
        over(&data, &[2, 3, 4], &[2, 1, 1], &mut out);
        assert_eq!(out, [66.0, 210.0]);
        let mut out = vec![0.0; 1];
        over(&data, &[2, 3, 4], &[1, 1, 1], &mut out);
        assert_eq!(out, [276.0]);
    }
}
