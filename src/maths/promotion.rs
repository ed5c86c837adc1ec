//! The types of results.

use super::matrix::{Manner, manner};
use super::tensor::{Dtype, Tensor, default_dtype};

/// The type of a result, as PyTorch promotes: tensors with dimensions first, then 0-d tensors,
/// then Python numbers; a lower rank counts only by its category.
#[inline]
pub fn promote(inputs: &[&Tensor]) -> Dtype {
    let double = |d: Dtype| d == Dtype::Float64;
    if inputs.iter().all(|t| double(t.dtype())) && double(default_dtype()) {
        return Dtype::Float64;
    }
    promote_ranks(inputs)
}

fn promote_ranks(inputs: &[&Tensor]) -> Dtype {
    let numpy = manner() == Manner::Numpy;
    let join = |a: Dtype, b: Dtype| if numpy { a.join_numpy(b) } else { a.join(b) };
    let mut ranks: [Option<Dtype>; 3] = [None; 3];
    for t in inputs {
        let (rank, dtype) = match (t.is_weak(), t.rank()) {
            (true, _) if t.dtype().is_float() => (2, default_dtype()),
            (true, _) => (2, t.dtype()),
            // NumPy 2 asks no array for its rank.
            (false, 0) if !numpy => (1, t.dtype()),
            (false, _) => (0, t.dtype()),
        };
        ranks[rank] = Some(ranks[rank].map_or(dtype, |d| join(d, dtype)));
    }
    let combine = |higher: Option<Dtype>, lower: Option<Dtype>| match (higher, lower) {
        (Some(h), Some(l)) if l.category() > h.category() => Some(join(h, l)),
        (Some(h), _) => Some(h),
        (None, l) => l,
    };
    combine(ranks[0], combine(ranks[1], ranks[2])).unwrap_or(Dtype::Float64)
}

/// [`promote`], integers becoming the default float: for division and functions such as sin.
pub fn promote_float(inputs: &[&Tensor]) -> Dtype {
    let dtype = promote(inputs);
    if dtype.is_float() { dtype } else { default_dtype() }
}
