//! What a row of the table is, and what it tells of its function.

use super::called::Called;
use crate::autodiff::edge::Edge;
use crate::autodiff::torch_node::InPlace;
use crate::{Algebra, Formula, Fun, Saves};
use std::fmt::Debug;
use vjp_tensor::tensor::{promote, promote_float};
use vjp_tensor::{Dtype, Outcome, Tensor};

/// Type of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Result {
    /// Integers become the default float: sin, division.
    Float,
    /// The promoted type of the operands.
    Same,
    /// The same beside a whole number: truth values become int64.
    Counted,
}

impl Result {
    pub fn dtype(self, inputs: &[&Tensor]) -> Dtype {
        match self {
            Result::Float => promote_float(inputs),
            Result::Same => promote(inputs),
            Result::Counted => match promote(inputs) {
                Dtype::Bool => Dtype::Int64,
                dtype => dtype,
            },
        }
    }
}

/// A function of an array of float32; of a cotangent beside it, vᵀJ.
pub type Library = fn(&Tensor, Option<&Tensor>) -> Outcome<Tensor>;

/// The data of one row.
#[derive(Debug)]
pub struct Row {
    pub fun: &'static Fun,
    pub grad_fn: &'static str,
    pub saves: Saves,
    pub result: Result,
    /// See [`crate::TorchNode::underived`].
    pub underived: u8,
    /// Where to test each operand: an interval on which the function is smooth but for its kinks.
    pub domain: &'static [(f64, f64)],
    /// What is nan though its operands are finite, in words; where, says [`Elementwise::undefined`].
    ///
    /// [`Elementwise::undefined`]: crate::Elementwise::undefined
    pub undefined: &'static str,
    /// Parameters and their defaults.
    pub params: &'static [(&'static str, f64)],
    /// Runs at the prompt.
    pub example: &'static str,
    /// The function in symbols, where its name says too little.
    pub formula: &'static str,
    /// What PyTorch calls the node where one operand is a number: the first, the second.
    pub numbers: [&'static str; 2],
    /// Its node takes numbers as tensors too.
    pub wraps: bool,
    /// The node that PyTorch has no derivative of where it is written in place: its name, the operation's,
    /// and which inputs.
    pub in_place: Option<(&'static str, &'static str, u8)>,
    /// Whether there are corners at all.
    pub kinked: bool,
    /// Whether [`Elementwise::whole`] says what it is of whole numbers; else it is as of floats.
    pub whole: bool,
    /// Whether [`Elementwise::single`] says how PyTorch computes it in float32, where rounding on the way shows.
    pub single: bool,
    /// Whether [`Elementwise::rounded`] says how PyTorch computes it of 16-bit floats, step by step.
    pub rounded: bool,
    /// The kernel of a library that PyTorch hands arrays of float32 and bfloat16 to.
    pub library: Option<Library>,
    /// What PyTorch calls the nodes of its recorded backward, by operand; `-`: as the arithmetic has it.
    pub second: &'static [&'static str],
    /// How programs call it: in no form where an entry of `ops` binds its arguments, or another row uses it.
    pub called: Called,
}

impl Row {
    /// See [`crate::TorchNode::second`].
    pub fn second(&self, wrt: usize) -> Option<&'static str> {
        self.second.get(wrt).or(self.second.last()).copied().filter(|name| *name != "-")
    }

    /// See [`crate::TorchNode::in_place`].
    pub fn in_place(&self) -> Option<InPlace> {
        match self.in_place {
            Some((grad_fn, name, inputs)) => {
                Some(InPlace { grad_fn, underived: Some((name, inputs)) })
            }
            None => InPlace::of(self.grad_fn),
        }
    }

    /// See [`crate::TorchNode::arguments`]. A number stands behind.
    pub fn arguments(&self, inputs: &[Edge]) -> Vec<Option<usize>> {
        let mut places: Vec<usize> = (0..inputs.len()).collect();
        places.sort_by_key(|k| inputs[*k].is_number());
        places.retain(|k| self.wraps || !inputs[*k].is_number());
        places.into_iter().map(Some).collect()
    }
}

/// Slopes from the left and from the right where a row's function has a corner.
pub type Kinks = Option<(f64, f64)>;

/// So many 16-bit floats, or float32, at once go through PyTorch's vector loops; what is left over, one by one.
pub const REGISTERS: usize = 32;

pub use vjp_tensor::kernels::operand::OPERANDS;

/// The mathematics of a function of N numbers, taken elementwise.
pub trait Pointwise<const N: usize>: Debug + Clone + Sync + 'static {
    fn at(&self, x: [f64; N]) -> f64;
    /// [`Row::single`].
    const SINGLE: bool;
    /// Whether [`Pointwise::lane`] has functions of its own.
    const LANES: bool;
    /// The value in a vector loop. Where it is NaN, [`Pointwise::at`] knows.
    fn lane(&self, x: [f64; N]) -> f64;
    /// The value in float32, each step rounded; see [`Row::single`].
    fn single_at(&self, x: [f64; N]) -> f64;
    /// [`Pointwise::single_at`] in a vector loop, as [`Pointwise::lane`].
    fn single_lane(&self, x: [f64; N]) -> f64;
    /// Whether the row says where the cotangent stands in PyTorch's arithmetic, which is rounded at each step.
    const LED: bool;
    /// The cotangent `v` times the slope with respect to operand `wrt`, at operands `x` and value `y`.
    fn pulled<A: Algebra>(
        &self,
        wrt: usize,
        x: &[Formula<A>; N],
        y: &Formula<A>,
        v: &Formula<A>,
    ) -> Formula<A>;
    /// The slope itself.
    #[inline(always)]
    fn partial<A: Algebra>(&self, wrt: usize, x: &[Formula<A>; N], y: &Formula<A>) -> Formula<A> {
        self.pulled(wrt, x, y, &Formula::Const(1.0))
    }
}

/// `by` where the cotangent is in it already, else both multiplied.
#[inline(always)]
pub fn led<A: Algebra, const LED: bool>(v: &Formula<A>, by: Formula<A>) -> Formula<A> {
    match v {
        _ if LED => by,
        Formula::Const(1.0) => by,
        v => v * by,
    }
}

/// Numbers, and which bits of a place count: none where there is one number only.
pub type Repeated<'a> = (&'a [f64], usize);

/// Which operands a formula reads, one bit each, and whether the output.
#[derive(Clone)]
pub struct Reads(pub(super) u8);

impl Reads {
    pub const NONE: Reads = Reads(0);
    pub(super) const OUTPUT: Reads = Reads(1 << 7);

    /// What either reads.
    #[must_use]
    pub fn and(&self, other: &Reads) -> Reads {
        Reads(self.0 | other.0)
    }

    /// Whether it reads operand `k`.
    pub fn operand(&self, k: usize) -> bool {
        self.0 & (1 << k) != 0
    }

    /// Whether it reads the output.
    pub fn output(&self) -> bool {
        self.0 & Reads::OUTPUT.0 != 0
    }

    /// Each operand reads itself.
    pub fn each<const N: usize>() -> [Formula<Reads>; N] {
        std::array::from_fn(|k| Formula::In(Reads(1 << k)))
    }
}

impl Algebra for Reads {
    fn lift(&self, _: f64) -> Reads {
        Reads(0)
    }
    fn call(_: &'static Fun, args: &[&Reads]) -> Reads {
        Reads(args.iter().fold(0, |mask, a| mask | a.0))
    }
}
