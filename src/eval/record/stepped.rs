//! `:step`: one backward, operation by operation, with what waits between; or the forward pass so.

use super::drawn_graph::Drawn;
use super::questions::{Place, Step, Sum};
use vjp_tensor::Tensor;

/// One pass through the graph of the last backward.
#[derive(Clone, Debug)]
pub struct Stepped {
    pub output: String,
    /// As it was used, in the shape of y.
    pub v: Tensor,
    pub drawn: Drawn,
    pub turns: Vec<Turn>,
    /// The last turn of a backward: what arrived at each leaf is added to its `.grad`.
    pub sums: Vec<Sum>,
    /// The turn that is asked for, from 0; else all.
    pub only: Option<usize>,
}

impl Stepped {
    /// Turns: one for each operation, and one for the leaves.
    pub fn count(&self) -> usize {
        self.turns.len() + usize::from(!self.sums.is_empty())
    }

    /// Whether the turns are those of the forward pass.
    pub fn is_forward(&self) -> bool {
        matches!(self.turns.first(), Some(Turn::Forward(_)))
    }
}

/// What happens at one operation.
#[derive(Clone, Debug)]
pub enum Turn {
    Backward(Back),
    Forward(Ahead),
}

/// An operation hands on what it received.
#[derive(Clone, Debug)]
pub struct Back {
    pub step: Step,
    /// Who handed over each part of what it received; nobody for v.
    pub senders: Vec<String>,
    /// What has arrived elsewhere and was not handed on yet.
    pub waiting: Vec<Waiting>,
}

/// A value computed from its inputs.
#[derive(Clone, Debug)]
pub struct Ahead {
    /// Number, from 1.
    pub number: usize,
    pub place: Place,
    /// What computed it, as written; empty where that is the name already.
    pub text: String,
    pub inputs: Vec<Place>,
}

/// A value to which some of its contributions have come.
#[derive(Clone, Debug)]
pub struct Waiting {
    pub name: String,
    pub has: usize,
    pub of: usize,
    pub sum: Tensor,
}

impl Turn {
    /// The number of its operation, from 1.
    pub fn number(&self) -> usize {
        match self {
            Turn::Backward(back) => back.step.number,
            Turn::Forward(ahead) => ahead.number,
        }
    }

    pub fn place(&self) -> &Place {
        match self {
            Turn::Backward(back) => &back.step.place,
            Turn::Forward(ahead) => &ahead.place,
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Turn::Backward(back) => &back.step.text,
            Turn::Forward(ahead) => &ahead.text,
        }
    }
}
