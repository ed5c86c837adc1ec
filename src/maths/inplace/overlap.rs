//! What an in-place operation may write: memory that no two of its elements share, and that none of
//! its inputs shows another way.

use crate::Variable;
use vjp_tensor::storage::layout::Overlap;
use vjp_tensor::{Layout, Outcome, torch_messages};

/// What PyTorch looks at before it writes.
enum Looks {
    /// The written tensor, and that each input is the same part of the memory or another one.
    Usual,
    /// As usual, but an input may not be the written part either.
    Apart,
    /// As [`Looks::Apart`], whatever the written tensor is.
    ApartOnly,
    /// The inputs, whatever the written tensor is.
    Inputs,
    /// The written tensor alone.
    Written,
    Nothing,
}

fn looks(name: &str, with_tensors: bool) -> Looks {
    match name {
        "fill" if with_tensors => Looks::Written,
        "fill" | "zero" | "fill_diagonal" | "tril" | "triu" | "renorm" | "threshold" => {
            Looks::Nothing
        }
        "masked_fill" => Looks::Inputs,
        "masked_scatter" => Looks::Written,
        "index_fill" | "index_put" => Looks::ApartOnly,
        "index_add" | "index_copy" | "scatter" | "scatter_add" | "scatter_reduce" => Looks::Apart,
        _ => Looks::Usual,
    }
}

/// Whether an operation may write to `written` in place, reading `inputs`.
///
/// # Errors
/// PyTorch's sentences on memory that is written twice, or read and written.
pub fn check(name: &str, written: &Variable, inputs: &[&Variable]) -> Outcome<()> {
    let looks = looks(name, !inputs.is_empty());
    let own = written.layout();
    if matches!(looks, Looks::Usual | Looks::Apart | Looks::Written) && own.repeats() {
        return Err(torch_messages::written_twice());
    }
    if matches!(looks, Looks::Nothing | Looks::Written) {
        return Ok(());
    }
    // The value that a mask fills in is read first.
    let inputs =
        if matches!(looks, Looks::Inputs) { &inputs[..inputs.len().min(1)] } else { inputs };
    for input in inputs.iter().filter(|i| !i.same(written) && i.shares_memory(written)) {
        check_apart(&own, &input.layout())?;
    }
    let apart = matches!(looks, Looks::Apart | Looks::ApartOnly);
    let reads_itself = |i: &&&Variable| {
        i.same(written) || i.shares_memory(written) && own.overlap(&i.layout()) == Overlap::Same
    };
    if apart && own.is_dense() && inputs.iter().any(|i| reads_itself(&i)) {
        return Err(torch_messages::read_and_written());
    }
    Ok(())
}

/// [`check`] of a copy of `v`, which broadcasts.
pub(crate) fn check_copy(written: &Variable, v: &Variable) -> Outcome<()> {
    let (own, mut from) = (written.layout(), v.layout());
    // Leading dimensions of size 1 go.
    while from.shape.len() > own.shape.len() && from.shape[0] == 1 {
        from.shape.remove(0);
        from.strides.remove(0);
    }
    let shared = v.shares_memory(written);
    if shared && own == from {
        return Ok(());
    }
    if own.repeats() {
        return Err(torch_messages::written_twice());
    }
    // Broadcast, it repeats its elements.
    if shared && own.numel() == from.numel() {
        check_apart(&own, &from)?;
    }
    Ok(())
}

fn check_apart(own: &Layout, other: &Layout) -> Outcome<()> {
    match own.overlap(other) {
        Overlap::Part => Err(torch_messages::read_and_written()),
        _ => Ok(()),
    }
}
