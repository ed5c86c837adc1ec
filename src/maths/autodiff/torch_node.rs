//! What PyTorch's node of an operation shows, keeps and does in backward, beside passing vᵀJ on.
//! The derivative is not here: see [`super::rule`].

use super::node::{Edge, Node};
use crate::saved::attribute::Attributes;
use crate::second_order::names::{in_place_name, second_name};
use std::fmt::Debug;
use vjp_tensor::Tensor;

/// Where the inputs of PyTorch's node are found.
pub enum Behind {
    /// They are the node's own.
    Inputs,
    /// The node itself is only where one enters.
    Entry,
    /// They enter here.
    Entries(Vec<Option<Node>>),
    /// They are those of the node before.
    Before,
    /// The first is its own, the others are those of the node that computed what is written.
    Written,
}

/// What backward needs of the forward pass, and so what may not be written in place between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saves {
    Nothing,
    /// Bit i: input i.
    Inputs(u8),
    Output,
    InputsAndOutput(u8),
    /// Something else: an index, a mask.
    Aside,
}

/// Whether PyTorch's backward gives 0 for operand `wrt`, whatever the slope is: asked with the operands and the
/// cotangent of one element.
pub type Blocks = fn(wrt: usize, x: &[f64], v: f64) -> bool;

/// What an operation states beside its derivative; see [`super::rule::Rule`].
pub trait TorchNode: Debug + 'static {
    /// As PyTorch prints it: `SumBackward0`.
    fn grad_fn(&self) -> &'static str;
    fn saves(&self) -> Saves;
    /// [`TorchNode::saves`], knowing which inputs want a gradient (bit i: input i): a product keeps a
    /// factor only for the sake of the other.
    fn saves_for(&self, _tracked: u8) -> Saves {
        self.saves()
    }
    /// Whether PyTorch's backward chooses between the cotangent and 0 instead of multiplying by a slope
    /// of 0: what it blocks is 0, never -0, and also where ∞ is blocked.
    fn chooses(&self) -> bool {
        false
    }
    /// See [`Blocks`].
    fn blocks(&self) -> Option<Blocks> {
        None
    }
    /// The inputs, one bit each, with respect to which PyTorch has no derivative and raises an error;
    /// all bits: its node is called [`UNDERIVED`].
    fn underived(&self) -> u8 {
        0
    }
    /// Whether PyTorch's backward passes no gradient on, not even zeros.
    fn passes_nothing(&self) -> bool {
        false
    }
    /// Whether PyTorch's backward multiplies by a mask that remembers nothing: the slope has no history.
    fn masks(&self) -> bool {
        false
    }
    /// Whether PyTorch's backward is a function of the input, though no slope depends on it.
    fn remembers(&self) -> bool {
        false
    }
    /// What PyTorch's node saved beside this one's inputs.
    fn beside(&self) -> &[Edge] {
        &[]
    }
    /// What PyTorch's node keeps that is neither input nor output.
    fn attributes(&self, _inputs: &[&Tensor]) -> Attributes {
        Attributes::new()
    }
    /// What PyTorch calls the backward, where that has no derivative.
    fn last(&self) -> Option<&'static str> {
        None
    }
    /// What PyTorch calls the node that the recorded backward leaves, where not after its arithmetic.
    fn second(&self, wrt: usize) -> Option<&'static str> {
        second_name(self.grad_fn(), wrt)
    }
    /// Its node where it is written in place, if that is another.
    fn in_place(&self) -> Option<InPlace> {
        InPlace::of(self.grad_fn())
    }
    /// Whether it is one of the pieces that PyTorch's node puts together: nothing else comes to its
    /// [places](super::rule::Rule::places).
    fn is_piece(&self) -> bool {
        false
    }
    /// Which of several outputs of PyTorch's node it gives.
    fn place(&self) -> usize {
        0
    }
    /// Where the inputs of PyTorch's node are found.
    fn behind(&self) -> Behind {
        Behind::Inputs
    }
    /// Which input each edge of PyTorch's node comes from; None: nothing. A number has none.
    fn arguments(&self, inputs: &[Edge]) -> Vec<Option<usize>> {
        (0..inputs.len()).filter(|k| !inputs[*k].is_number()).map(Some).collect()
    }
}

/// The node of an operation written in place, where it is not that of the operation.
#[derive(Clone, Copy, Debug)]
pub struct InPlace {
    pub grad_fn: &'static str,
    /// See [`TorchNode::underived`], and what PyTorch then calls it.
    pub underived: Option<(&'static str, u8)>,
}

impl InPlace {
    /// By the name of the operation's own node.
    pub fn of(grad_fn: &str) -> Option<InPlace> {
        in_place_name(grad_fn).map(|grad_fn| InPlace { grad_fn, underived: None })
    }
}

/// As PyTorch calls the node of an operation that has no backward at all.
pub const UNDERIVED: &str = "NotImplemented";
