//! Steps through memory: the strides of a shape, and a walk over rows.

use crate::Outcome;
use smallvec::SmallVec;

pub type Shape = Vec<usize>;

/// Row-major strides.
pub fn strides(shape: &[usize]) -> SmallVec<[usize; 4]> {
    let mut out: SmallVec<[usize; 4]> = SmallVec::from_elem(1, shape.len());
    for k in (1..shape.len()).rev() {
        out[k - 1] = out[k] * shape[k].max(1);
    }
    out
}

/// Calls `row` with the offset into each operand for every row (all but the last dimension).
pub fn rows<const N: usize>(
    shape: &[usize],
    strides: [&[usize]; N],
    mut row: impl FnMut([usize; N]) -> Outcome<()>,
) -> Outcome<()> {
    if shape.contains(&0) {
        return Ok(());
    }
    let outer = shape.len().saturating_sub(1);
    let mut at: SmallVec<[usize; 4]> = SmallVec::from_elem(0, outer);
    let mut offsets = [0; N];
    loop {
        row(offsets)?;
        let mut k = outer;
        loop {
            if k == 0 {
                return Ok(());
            }
            k -= 1;
            at[k] += 1;
            for n in 0..N {
                offsets[n] = offsets[n].wrapping_add(strides[n][k]);
            }
            if at[k] < shape[k] {
                break;
            }
            for n in 0..N {
                offsets[n] = offsets[n].wrapping_sub(strides[n][k].wrapping_mul(shape[k]));
            }
            at[k] = 0;
        }
    }
}
