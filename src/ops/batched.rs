//! Inside `torch.func.vmap`: what runs for each sample of a batch, and what it may not ask.

use crate::{Arg, Bound};
use std::borrow::Borrow;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use vjp_maths::Variable;
use vjp_tensor::{Complaint, Dtype, Kind, Outcome, shape, torch_messages};

/// A call that runs now: variables made since it began are taken for samples, but for those that are known
/// to come of none.
#[derive(Clone, Copy)]
struct Call {
    since: usize,
    /// `randomness='error'`
    fixed: bool,
    /// `randomness='different'`
    differs: bool,
    /// Another sample follows.
    goes_on: bool,
}

/// What the batches are that samples are taken of now, and which tensors are no samples.
#[derive(Default)]
struct Batches {
    sizes: Vec<usize>,
    /// The tensors whose memory holds the samples.
    memory: Vec<usize>,
    apart: HashSet<usize>,
}

thread_local! {
    static RUNNING: Cell<Option<Call>> = const { Cell::new(None) };
    static BATCHES: RefCell<Batches> = RefCell::default();
    /// How often each sample drew numbers of its own.
    static DRAWN: Cell<usize> = const { Cell::new(0) };
}

/// While it lives a sample runs; inside another one all since the outer began are samples.
pub struct Running {
    outer: Option<Call>,
    memory: usize,
}

impl Running {
    pub fn begin<'a>(
        randomness: &str,
        (k, size): (usize, usize),
        of: impl Iterator<Item = &'a Variable>,
    ) -> Running {
        let outer = RUNNING.get();
        let since = outer.map_or_else(Variable::mark, |r| r.since);
        RUNNING.set(Some(Call {
            since,
            fixed: randomness == "error",
            differs: randomness == "different",
            goes_on: k + 1 < size || outer.is_some_and(|r| r.goes_on),
        }));
        BATCHES.with_borrow_mut(|b| {
            let memory = b.memory.len();
            b.sizes.push(size);
            b.memory.extend(of.map(|t| t.base().unwrap_or_else(|| t.clone()).id()));
            Running { outer, memory }
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.set(self.outer);
        BATCHES.with_borrow_mut(|b| {
            b.sizes.pop();
            b.memory.truncate(self.memory);
            if self.outer.is_none() {
                b.apart.clear();
            }
        });
    }
}

/// Whether the function runs again for another sample: what all share, a graph for one, is still needed.
pub fn goes_on() -> bool {
    RUNNING.get().is_some_and(|r| r.goes_on)
}

/// Whether a sample runs now.
#[inline]
pub fn runs() -> bool {
    RUNNING.get().is_some()
}

/// Whether a tensor is one sample of a batch, whose number cannot be asked for.
pub fn is_batched(t: &Variable) -> bool {
    let Some(r) = RUNNING.get() else { return false };
    t.id() >= r.since
        && BATCHES.with_borrow(|b| {
            let shown = t.base().map(|base| base.id());
            !b.apart.contains(&t.id())
                && shown.is_none_or(|id| match id < r.since {
                    true => b.memory.contains(&id),
                    false => !b.apart.contains(&id),
                })
        })
}

/// A call that no sample is given to: what it makes is no sample either.
pub struct Apart {
    since: usize,
    drawn: usize,
}

impl Apart {
    /// None: outside a batch, or a sample is given.
    #[inline]
    pub fn of<V: Borrow<Variable>>(mut given: impl Iterator<Item = V>) -> Option<Apart> {
        RUNNING.get()?;
        let apart = Apart { since: Variable::mark(), drawn: DRAWN.get() };
        (!given.any(|t| is_batched(t.borrow()))).then_some(apart)
    }

    pub fn made(&self, t: &Variable) {
        if t.id() >= self.since && DRAWN.get() == self.drawn {
            BATCHES.with_borrow_mut(|b| b.apart.insert(t.id()));
        }
    }
}

/// The tensors that an operation is given.
pub fn given(bound: &Bound) -> impl Iterator<Item = &Variable> {
    bound.args.iter().flat_map(|a| match a {
        Arg::Tensor(v) => std::slice::from_ref(v),
        Arg::Tensors(all) => all.as_slice(),
        _ => &[],
    })
}

/// Operations that PyTorch writes into their operand without a rule on batches.
const WITHOUT_RULE: [&str; 11] = [
    "add",
    "arctan2",
    "atan2",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "copysign",
    "gcd",
    "lcm",
];

/// Operations in place that have a rule of their own, and those that share that of arithmetic.
const OWN_RULE: [&str; 7] = [
    "fill",
    "index_add",
    "index_fill",
    "index_put",
    "masked_fill",
    "scatter_add",
    "scatter_reduce",
];
const ARITHMETIC: [&str; 12] = [
    "clamp_max",
    "clamp_min",
    "copy",
    "div",
    "divide",
    "logical_and",
    "logical_or",
    "logical_xor",
    "mul",
    "multiply",
    "sub",
    "true_divide",
];

/// Refuses to write samples into what is none, for which there is no room: `name` is the operation without
/// its `_`.
pub fn write<'a>(
    name: &str,
    this: &Variable,
    given: impl Iterator<Item = &'a Variable>,
) -> Outcome<()> {
    if RUNNING.get().is_none() || is_batched(this) {
        return Ok(());
    }
    let mut samples = given.filter(|t| is_batched(t));
    let Some(sample) = samples.next() else { return Ok(()) };
    if WITHOUT_RULE.contains(&name) {
        let own = this.shape();
        let mut all = BATCHES.with_borrow(|b| b.sizes.clone());
        all.extend(shape::broadcast(&own, &sample.shape())?);
        return Err(torch_messages::output_shape(&own, &all));
    }
    let level = BATCHES.with_borrow(|b| b.sizes.len());
    let arithmetic =
        ARITHMETIC.contains(&name) || name == "masked_fill" && sample.dtype() == Dtype::Bool;
    let (called, place) = match OWN_RULE.contains(&name) {
        _ if arithmetic => ("inplace arithmetic".to_owned(), "in a vmap".to_owned()),
        true => (format!("{name}_"), "in a vmap".to_owned()),
        false => (format!("aten::{name}_"), format!("at level {level}")),
    };
    Err(Complaint::new(
        Kind::Runtime,
        format!(
            "vmap: {called}(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args that has more elements than `self`. This happened due to `other` being vmapped over but `self` not being vmapped over {place}. Please try to use out-of-place operators instead of {called}. If said operator is being called inside the PyTorch framework, please file a bug report instead."
        ),
    ))
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
        Some(Call { differs: true, .. }) => {
            DRAWN.set(DRAWN.get() + 1);
            Ok(())
        }
        _ => Ok(()),
    }
}
