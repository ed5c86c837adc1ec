//! Inside `torch.func.vmap`: what runs for each sample of a batch, and what it may not ask.

use crate::Bound;
use std::cell::Cell;
use vjp_maths::Variable;
use vjp_tensor::{Complaint, Dtype, Kind, Outcome};

/// A call that runs now: variables made since it began are taken for samples.
#[derive(Clone, Copy)]
struct Call {
    since: usize,
    /// `randomness='error'`
    fixed: bool,
}

thread_local! {
    static RUNNING: Cell<Option<Call>> = const { Cell::new(None) };
}

/// While it lives a sample runs; inside another one all since the outer began are samples.
pub struct Running(Option<Call>);

impl Running {
    pub fn begin(fixed: bool) -> Running {
        let outer = RUNNING.get();
        let since = outer.map_or_else(Variable::mark, |r| r.since);
        RUNNING.set(Some(Call { since, fixed }));
        Running(outer)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.set(self.0);
    }
}

/// Whether a tensor is one sample of a batch, whose number cannot be asked for.
pub fn is_batched(t: &Variable) -> bool {
    RUNNING.get().is_some_and(|r| t.id() >= r.since)
}

/// Refuses control flow that depends on a tensor.
pub fn branch(t: &Variable) -> Outcome<()> {
    if is_batched(t) { Err(no_branch()) } else { Ok(()) }
}

/// Refuses the memory of a sample, which lies in that of the batch.
pub fn memory(t: &Variable) -> Outcome<()> {
    if !is_batched(t) {
        return Ok(());
    }
    let text = "Cannot access data pointer of Tensor that doesn't have storage";
    Err(Complaint::new(Kind::Runtime, text))
}

/// Refuses the number of a sample.
pub fn item(t: &Variable) -> Outcome<()> {
    if !is_batched(t) {
        return Ok(());
    }
    Err(Complaint::new(
        Kind::Runtime,
        "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling .item() on a Tensor, please try to rewrite what you're doing with other operations. If error is occurring somewhere inside PyTorch internals, please file a bug report.",
    ))
}

/// PyTorch's sentence on `if x > 0:` inside `vmap`.
fn no_branch() -> Box<Complaint> {
    Complaint::new(
        Kind::Runtime,
        "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't support that yet, please file an issue at https://github.com/pytorch/pytorch/issues .",
    )
}

/// Refuses a mask, of which each sample may take another number of elements.
pub fn mask(t: &Variable) -> Outcome<()> {
    match t.dtype() == Dtype::Bool && is_batched(t) {
        true => Err(Complaint::new(
            Kind::Runtime,
            "vmap: We do not support batching operators that can support dynamic shape. Attempting to batch over indexing with a boolean mask.",
        )),
        false => Ok(()),
    }
}

/// Operations whose values decide how many elements come out, with PyTorch's names of them.
const UNSIZED: [(&str, &str); 5] = [
    ("masked_select", ""),
    ("nonzero", "nonzero"),
    ("unique", "_unique2"),
    ("unique_consecutive", "unique_consecutive"),
    ("where", "where"),
];

/// Refuses an operation that samples do not have.
pub fn allowed(name: &str, b: &Bound) -> Outcome<()> {
    if RUNNING.get().is_none() {
        return Ok(());
    }
    sized(name, b)?;
    product(name, b)
}

/// Refuses an operation of which each sample may give another number of elements.
fn sized(name: &str, b: &Bound) -> Outcome<()> {
    let Some((_, called)) = UNSIZED.iter().find(|(n, _)| *n == name) else { return Ok(()) };
    let chooses = name == "where" && b.has(1);
    let mask = usize::from(name == "masked_select");
    if chooses || !is_batched(&b.tensor(mask)?) {
        return Ok(());
    }
    Err(Complaint::new(
        Kind::Runtime,
        match name {
            "masked_select" => "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We cannot support this because for each batch this would return a differently shaped Tensor. Please file an issue at https://github.com/pytorch/pytorch/issues if you need this feature.".to_owned(),
            "nonzero" if b.bool_or(1, false) => {
                "Batching rule not implemented for aten::nonzero_numpy. We could not generate a fallback.".to_owned()
            }
            _ => format!(
                "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over aten::{called}. Please file an issue at https://github.com/pytorch/pytorch/issues if you need this feature."
            ),
        },
    ))
}

/// Products of batched operands, by the dimensions that each of them must have.
const PRODUCTS: [(&str, usize, usize); 4] =
    [("mm", 2, 2), ("mv", 2, 1), ("bmm", 3, 3), ("dot", 1, 1)];

/// Refuses a product of samples with other dimensions.
fn product(name: &str, b: &Bound) -> Outcome<()> {
    let Some((_, m, n)) = PRODUCTS.iter().find(|p| p.0 == name) else { return Ok(()) };
    let (x, y) = (b.tensor(0)?, b.tensor(1)?);
    if !(is_batched(&x) || is_batched(&y)) || (x.rank(), y.rank()) == (*m, *n) {
        return Ok(());
    }
    let (p, q) = (x.rank(), y.rank());
    Err(Complaint::new(
        Kind::Runtime,
        match name {
            "dot" => "Got wrong shapes for dot".to_owned(),
            _ => format!(
                "Shape mismatch: Got incorrect dims for {name}(a, b). a has dim {p}and b has dim {q}but expected them to have dim {m} and dim {n}"
            ),
        },
    ))
}

/// Whether random numbers may be drawn now.
pub fn may_draw() -> Outcome<()> {
    match RUNNING.get() {
        Some(Call { fixed: true, .. }) => Err(Complaint::new(
            Kind::Runtime,
            "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' randomness flags on vmap or perform the randomness operation out of vmap",
        )),
        _ => Ok(()),
    }
}
