//! PyTorch's refusals: of an index and a source that do not fit the array they are put into, and of parameters.

use crate::Bound;
use vjp_maths::Variable;
use vjp_tensor::torch_messages::{self, sizes, torch_size};
use vjp_tensor::{Dtype, Kind, Outcome, Tensor, complain};

/// Parameters of elementwise functions.
pub fn parameters(name: &str, b: &Bound) -> Outcome<()> {
    match name {
        "celu" if b.float_or(1, 1.0) == 0.0 => {
            complain!("ZeroDivisionError: alpha cannot be 0 for CELU")
        }
        "hardtanh" if b.float_or(1, -1.0) > b.float_or(2, 1.0) => {
            complain!(Kind::Value, "min_val cannot be greater than max_val")
        }
        "softshrink" if b.float_or(1, 0.5) < 0.0 => {
            let dtype = b.tensor(0)?.dtype();
            let most = match dtype {
                Dtype::Float16 => 65504.0,
                Dtype::Bfloat16 => 3.389_531_389_251_535_5e38,
                Dtype::Float32 => f64::from(f32::MAX),
                _ => f64::MAX,
            };
            complain!(
                "lambda must be in range [0, {}] for input dtype {}, but found {}",
                torch_messages::number(most),
                dtype.scalar_type(),
                torch_messages::number(b.float_or(1, 0.5))
            )
        }
        _ => Ok(()),
    }
}

fn whole(i: &Tensor) -> bool {
    matches!(i.dtype(), Dtype::Int64 | Dtype::Int32)
}

/// The index of slices that are added, copied or filled (`index_add`, `index_copy`, `index_fill`), and
/// the source they come from.
///
/// # Errors
/// No whole numbers, more than one dimension, a source of another shape.
pub fn slices(
    name: &str,
    (own, dtype, from): (&[usize], Dtype, Dtype),
    at: usize,
    i: &Tensor,
    source: Option<&[usize]>,
) -> Outcome<()> {
    let (n, rank, found) = (i.numel(), i.rank(), i.dtype().scalar_type());
    let (ours, theirs) = (dtype.scalar_type(), from.scalar_type());
    match name {
        "index_add" | "index_reduce" => {
            if !whole(i) {
                complain!("{name}_(): Expected dtype int32/int64 for index but got: {found}");
            }
            if rank > 1 {
                complain!(
                    Kind::Index,
                    "{name}_(): Index is supposed to be a vector, but got dim: {rank} with type: {found} and size: {}",
                    sizes(i.shape())
                );
            }
            if dtype != from {
                complain!(
                    "{name}_(): self ({ours}) and source ({theirs}) must have the same scalar type"
                );
            }
        }
        "index_copy" => {
            if rank > 1 {
                complain!(
                    Kind::Index,
                    "index_copy_(): Index should have dimension 1 or 0 (got {rank})"
                );
            }
            if let Some(source) = source
                && !own.is_empty()
                && !source.is_empty()
                && own.len() != source.len()
            {
                complain!(
                    Kind::Index,
                    "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source dimensionality ({}), destination dimensionality ({})",
                    source.len(),
                    own.len()
                );
            }
            if source == Some(&[]) && n != 1 {
                complain!(
                    Kind::Index,
                    "index_copy_(): When source is scalar, index should have one element (got {n})"
                );
            }
            if i.dtype() != Dtype::Int64 {
                complain!("index_copy_(): Expected a long tensor for index, but got {found}");
            }
            if dtype != from {
                complain!(
                    "index_copy_(): self and source expected to have the same dtype, but got (self) {ours} and (source) {theirs}"
                );
            }
        }
        _ => {
            if i.dtype() != Dtype::Int64 {
                complain!(Kind::Index, "index_fill_(): Expected dtype int64 for index.");
            }
            if rank > 1 {
                complain!("Index has to be a vector/scalar");
            }
        }
    }
    match source {
        Some(source) => shapes(name, own, at, n, source),
        None => Ok(()),
    }
}

fn shapes(name: &str, own: &[usize], at: usize, n: usize, source: &[usize]) -> Outcome<()> {
    let others = |s: &[usize]| -> Vec<usize> {
        let kept = s.iter().enumerate().filter(|(d, _)| *d != at);
        kept.map(|(_, n)| *n).collect()
    };
    let count = source.get(at).copied().unwrap_or(1);
    if name == "index_copy" {
        if !source.is_empty() && !own.is_empty() && others(own) != others(source) {
            complain!(
                "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: {} at dimension {at} and source slice shape: {} at dimension 0.",
                sizes(&others(own)),
                sizes(&others(source))
            );
        }
        if n != count {
            complain!(
                Kind::Index,
                "index_copy_(): Number of indices ({n}) should be equal to source.size(dim) ({count})"
            );
        }
        return Ok(());
    }
    // PyTorch counts the indices first, of a number in `source.size(0)`.
    if n > 1 && source.is_empty() {
        return Err(torch_messages::no_dimensions(0));
    }
    if n != count {
        complain!(
            "{name}_(): Number of indices ({n}) should be equal to source.size(dim): ({count}), for dim: {at}"
        );
    }
    if own.len() != source.len() || others(own) != others(source) {
        complain!(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = {} source.shape = {}",
            sizes(own),
            sizes(source)
        );
    }
    if own.is_empty() && n > 1 {
        return Err(torch_messages::no_dimensions(0));
    }
    Ok(())
}

/// An index and what is scattered by it: as many dimensions as the target, and no fewer
/// elements along any.
pub fn scattered(own: &[usize], at: usize, i: &Tensor, source: Option<&[usize]>) -> Outcome<()> {
    if !whole(i) {
        complain!("scatter(): Expected dtype int32/int64 for index");
    }
    let index = i.shape();
    if i.numel() == 0 {
        return Ok(());
    }
    let rank = index.len().max(1);
    if rank != own.len().max(1) {
        complain!("Index tensor must have the same number of dimensions as self tensor");
    }
    let size = |of: &[usize], d: usize| of.get(d).copied().unwrap_or(1);
    let over = |d: usize| d != at && size(index, d) > size(own, d);
    let Some(source) = source else {
        if (0..rank).any(over) {
            complain!(
                "Expected index {} to be no larger than self {} apart from dimension {at}",
                sizes(index),
                sizes(own)
            );
        }
        return Ok(());
    };
    if rank != source.len().max(1) {
        complain!("Index tensor must have the same number of dimensions as src tensor");
    }
    if (0..rank).any(|d| over(d) || size(index, d) > size(source, d)) {
        complain!(
            "Expected index {} to be no larger than self {} apart from dimension {at} and to be no larger size than src {}",
            sizes(index),
            sizes(own),
            sizes(source)
        );
    }
    Ok(())
}

/// Slices picked by an index: `index_select`.
///
/// # Errors
/// No whole numbers, more than one dimension.
pub fn selected(i: &Tensor) -> Outcome<()> {
    if i.rank() > 1 {
        complain!(Kind::Index, "index_select(): Index is supposed to be a vector");
    }
    if !whole(i) {
        complain!("index_select(): Expected dtype int32 or int64 for index");
    }
    Ok(())
}

/// At least one dimension, of which pieces are taken.
pub fn divisible(name: &str, rank: usize) -> Outcome<()> {
    if rank == 0 {
        complain!("{name} expects at least a 1-dimensional tensor");
    }
    Ok(())
}

/// What an index puts into an array broadcasts to what it names.
pub fn put(value: &[usize], named: &[usize]) -> Outcome<()> {
    let fits = vjp_tensor::shape::broadcast(value, named).is_ok_and(|to| to == named);
    if !fits {
        complain!(
            "shape mismatch: value tensor of shape {} cannot be broadcast to indexing result of shape {}",
            sizes(value),
            sizes(named)
        );
    }
    Ok(())
}

/// What fills is one number.
pub fn number(name: &str, value: &[usize]) -> Outcome<()> {
    if !value.is_empty() {
        complain!(
            "{name}_ only supports a 0-dimensional value tensor, but got tensor with {} dimension(s).",
            value.len()
        );
    }
    Ok(())
}

/// Targets of logits.
pub fn logits(x: &Variable, t: &Variable) -> Outcome<()> {
    if x.shape() != t.shape() {
        complain!(
            Kind::Value,
            "Target size ({}) must be the same as input size ({})",
            torch_size(&t.shape()),
            torch_size(&x.shape())
        );
    }
    if x.dtype().is_float() && !t.dtype().is_float() {
        complain!(
            "result type {} can't be cast to the desired output type {}",
            x.dtype().scalar_type(),
            t.dtype().scalar_type()
        );
    }
    Ok(())
}
