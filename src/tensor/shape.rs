//! Shapes: broadcasting, axes, strides.

use super::budget;
use super::complaint::{Fact, Kind, Outcome};
use crate::complain;
pub use crate::storage::walk::{Shape, rows, strides};
use crate::torch_messages;
use smallvec::SmallVec;

/// More dimensions no tensor has.
pub const DEEPEST: usize = 64;

/// The shape that lengths make.
///
/// # Errors
/// PyTorch's, of a negative one.
pub fn of_lengths(lengths: &[i64]) -> Outcome<Vec<usize>> {
    match lengths.iter().find(|n| **n < 0) {
        Some(n) => {
            complain!("Trying to create tensor with negative dimension {n}: {lengths:?}")
        }
        None => Ok(lengths.iter().map(|n| *n as usize).collect()),
    }
}

/// How many elements, after asking the budget for them.
pub fn count(shape: &[usize]) -> Outcome<usize> {
    let n = numel(shape)?;
    budget::reserve(n * 8)?;
    Ok(n)
}

/// How many elements there are, in memory or in a view.
///
/// # Errors
/// More than can be counted, or too many dimensions.
pub fn numel(shape: &[usize]) -> Outcome<usize> {
    if shape.len() > DEEPEST {
        complain!("only tensors with up to {DEEPEST} dims are supported");
    }
    let mut n: usize = 1;
    for d in shape {
        match n.checked_mul(*d) {
            Some(m) if m < usize::MAX / 16 => n = m,
            _ if shape.contains(&0) => return Ok(0),
            _ => complain!(
                "Storage size calculation overflowed with sizes={}",
                torch_messages::sizes(shape)
            ),
        }
    }
    Ok(n)
}

/// The shape two arrays have when each is broadcast to the other.
///
/// # Errors
/// PyTorch's sentence on sizes that do not match.
pub fn broadcast(a: &[usize], b: &[usize]) -> Outcome<Vec<usize>> {
    let rank = a.len().max(b.len());
    let mut out = vec![0; rank];
    // From the right, as PyTorch finds what does not fit.
    for (k, slot) in out.iter_mut().enumerate().rev() {
        let (p, q) = (from_end(a, rank, k), from_end(b, rank, k));
        *slot = match (p, q) {
            (1, q) => q,
            (p, 1) => p,
            (p, q) if p == q => p,
            (p, q) => return Err(torch_messages::sizes_differ(p, q, k)),
        };
    }
    Ok(out)
}

/// [`broadcast`] over several shapes, from the left.
pub fn broadcast_all<'a>(shapes: impl IntoIterator<Item = &'a [usize]>) -> Outcome<Vec<usize>> {
    let mut out = Vec::new();
    for s in shapes {
        out = broadcast(&out, s)?;
    }
    Ok(out)
}

fn from_end(shape: &[usize], rank: usize, k: usize) -> usize {
    if k + shape.len() < rank { 1 } else { shape[k + shape.len() - rank] }
}

/// Strides by which an array of shape `from` is read as one of shape `to`: 0 where it is repeated.
pub fn broadcast_strides(from: &[usize], to: &[usize]) -> SmallVec<[usize; 4]> {
    let own = strides(from);
    let lead = to.len() - from.len();
    (0..to.len())
        .map(|k| if k < lead || (from[k - lead] == 1 && to[k] != 1) { 0 } else { own[k - lead] })
        .collect()
}

/// A dimension counted from the end where negative.
///
/// # Errors
/// PyTorch's `Dimension out of range`.
pub fn axis(dim: i64, rank: usize) -> Outcome<usize> {
    let n = rank.max(1) as i64;
    if dim < -n || dim >= n {
        return Err(torch_messages::dimension_out_of_range(dim, n));
    }
    Ok(if dim < 0 { dim + n } else { dim } as usize)
}

/// `x.size(dim)`, which a number has none of.
///
/// # Errors
/// Out of range.
pub fn size(sizes: &[usize], dim: i64) -> Outcome<usize> {
    if sizes.is_empty() {
        return Err(torch_messages::no_dimensions(dim));
    }
    Ok(sizes[axis(dim, sizes.len())?])
}

/// Several dimensions, each once; all of them when none is named.
///
/// # Errors
/// Out of range, or named twice.
pub fn axes(dims: &[i64], rank: usize) -> Outcome<Vec<usize>> {
    if dims.is_empty() {
        return Ok((0..rank).collect());
    }
    let mut out = Vec::with_capacity(dims.len());
    for d in dims {
        let a = axis(*d, rank)?;
        if out.contains(&a) {
            complain!("dim {a} appears multiple times in the list of dims");
        }
        out.push(a);
    }
    if rank == 0 {
        out.clear();
    }
    Ok(out)
}

/// `shape` without `dims`, or with them as ones.
pub fn reduced(shape: &[usize], dims: &[usize], keepdim: bool) -> Vec<usize> {
    shape
        .iter()
        .enumerate()
        .filter(|(k, _)| keepdim || !dims.contains(k))
        .map(|(k, d)| if dims.contains(&k) { 1 } else { *d })
        .collect()
}

/// A shape in which one size may be -1.
///
/// # Errors
/// PyTorch's sentences on shapes that do not fit.
pub fn infer(wanted: &[i64], numel: usize) -> Outcome<Vec<usize>> {
    let invalid = || torch_messages::shape_invalid(wanted, numel);
    let mut known: usize = 1;
    let mut open = None;
    for (k, d) in wanted.iter().enumerate() {
        match *d {
            -1 if open.is_some() => {
                complain!(Kind::Runtime, Fact::TwoOpenSizes; "only one dimension can be inferred")
            }
            -1 => open = Some(k),
            d if d < 0 => complain!(
                "invalid shape dimension {d} at index {k} of shape {}",
                torch_messages::sizes(wanted)
            ),
            d => known = known.checked_mul(d as usize).ok_or_else(invalid)?,
        }
    }
    let mut out: Vec<usize> = wanted.iter().map(|d| (*d).max(0) as usize).collect();
    match open {
        Some(_) if known == 0 && numel == 0 => complain!(
            "cannot reshape tensor of 0 elements into shape {} because the unspecified dimension size -1 can be any value and is ambiguous",
            torch_messages::sizes(wanted)
        ),
        Some(k) if known > 0 && numel.is_multiple_of(known) => out[k] = numel / known,
        None if known == numel => {}
        _ => return Err(invalid()),
    }
    Ok(out)
}

/// Sizes as the program would write them.
pub fn ints(shape: &[usize]) -> Vec<i64> {
    shape.iter().map(|d| *d as i64).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn shapes_broadcast_from_the_right() {
        assert_eq!(broadcast(&[3, 1], &[4]).unwrap(), [3, 4]);
        assert_eq!(broadcast(&[], &[2]).unwrap(), [2]);
        assert_eq!(broadcast(&[0], &[1]).unwrap(), [0]);
        assert_eq!(
            broadcast(&[2, 3], &[3, 2]).unwrap_err().message,
            "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1"
        );
    }

    #[test]
    fn one_size_is_inferred() {
        assert_eq!(infer(&[2, -1], 6).unwrap(), [2, 3]);
        assert_eq!(
            infer(&[4, -1], 6).unwrap_err().message,
            "shape '[4, -1]' is invalid for input of size 6"
        );
    }

    #[test]
    fn axes_count_from_the_end() {
        assert_eq!(axis(-1, 3).unwrap(), 2);
        assert_eq!(
            axis(2, 2).unwrap_err().message,
            "Dimension out of range (expected to be in range of [-2, 1], but got 2)"
        );
    }
}
