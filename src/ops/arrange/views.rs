//! Views that not every shape has: parts along a dimension, matrices transposed.

use super::layout;
use crate::{Forms, Out, index};
use vjp_tensor::{Kind, complain, shape};

pub static ENTRIES: &[crate::Entry] = entries! {
    "narrow" Forms::TORCH.and(Forms::METHOD), "(Tensor input, int dim, int start, int length)", "a range of slices along a dimension", "tensor([1, 2, 3]).narrow(0, 1, 2)", ["select"] jax "narrow({*})"
        => |b| {
            let x = b.tensor(0)?;
            let (start, length) = (b.int_or(2, 0), b.int_or(3, 0));
            if x.rank() == 0 {
                complain!("narrow() cannot be applied to a 0-dim tensor.");
            }
            if length < 0 {
                complain!("narrow(): length must be non-negative.");
            }
            let dim = shape::axis(b.int_or(1, 0), x.rank())?;
            let n = x.shape()[dim] as i64;
            if start < -n || start > n {
                complain!(Kind::Index, "start out of range (expected to be in range of [{}, {n}], but got {start})", -n);
            }
            let start = if start < 0 { start + n } else { start };
            if start > n - length {
                complain!("start ({start}) + length ({length}) exceeds dimension size ({n}).");
            }
            Ok(Out::One(index::slice(&x, dim, (start as usize, length as usize, 1))?))
        };
    "H" Forms::ATTRIBUTE, "(Tensor input)", "yⱼᵢ = xᵢⱼ", "tensor([[1, 2], [3, 4]]).H", ["T"] jax "{input}.T"
        => |b| {
            let x = b.tensor(0)?;
            match x.rank() {
                0 => Ok(Out::One(x)),
                2 => Ok(Out::One(layout::transpose(&x, 0, 1)?)),
                n => complain!("tensor.H is only supported on matrices (2-D tensors). Got {n}-D tensor."),
            }
        };
    "mT" as "mH" Forms::ATTRIBUTE, "(Tensor input)", "yⱼᵢ = xᵢⱼ in the last two dimensions", "tensor([[1, 2], [3, 4]]).mT", ["T"] jax "{input}.mT"
        => |b| {
            let x = b.tensor(0)?;
            if x.rank() == 1 {
                complain!("tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.");
            }
            Ok(Out::One(if x.rank() == 0 { x } else { layout::transpose(&x, -2, -1)? }))
        };
};
