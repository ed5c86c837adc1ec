//! What questions that come later are about: the last backward, what earlier ones reached, what failed.

use super::event::{Backward, Fault, Note};
use crate::values::value::Value;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use vjp_maths::autodiff::variable::{Cut, Variable};
use vjp_tensor::tensor::Tensor;
use vjp_text::source::{Source, Span};

/// A backward with the graph that it went through.
pub struct Latest {
    /// Which of the session's questions for a derivative it was.
    pub asked: usize,
    pub y: Variable,
    /// In the shape of y.
    pub v: Tensor,
    pub leaves: Vec<Variable>,
    pub event: Rc<Backward>,
}

/// What a person may be wondering about.
#[derive(Clone)]
pub enum Wonder {
    /// An input failed.
    Failed(Box<Fault>),
    /// A result that no leaf leads to was to be differentiated: where it stands, and the statement.
    NoPath { source: Source, output: Span, shape: Vec<usize>, statement: Span },
    /// `name.grad` was None, and why.
    NoGrad { name: String, object: Value, notes: Vec<Note> },
    /// A gradient got numbers that are not finite.
    NotFinite { name: String },
}

/// What the backwards of a session reached, for questions asked later.
#[derive(Clone, Default)]
pub struct Past {
    /// Leaves that got a gradient at some time.
    pub reached: HashSet<usize>,
    /// Leaves a later backward might have reached, with the cut and the output's name.
    pub cut: HashMap<usize, (Rc<Cut>, String)>,
    /// Implicit leaves that counted as constants, with an explicit one beside them.
    pub beside: HashMap<usize, String>,
    pub ran: bool,
    /// Leaves whose gradient is not finite, and where that began.
    pub born: HashMap<usize, Note>,
    /// How many backwards and gradchecks were asked for.
    pub asked: usize,
    /// Where the last backward stands.
    pub swept: Option<(Source, Span)>,
    /// Names of the last output and of its first leaf.
    pub last: Option<(String, String)>,
}

impl Past {
    /// Where what is not finite in a leaf's gradient began.
    pub fn birth(&self, leaf: &Variable) -> Option<&Note> {
        self.born.get(&leaf.id()).filter(|_| leaf.grad().is_some_and(|g| !is_finite(&g)))
    }

    /// The last output, where no backward so far has reached a leaf.
    pub fn missed(&self, leaf: &Variable) -> Option<String> {
        let missed = self.ran && !self.reached.contains(&leaf.id());
        self.last.as_ref().filter(|_| missed).map(|(y, _)| y.clone())
    }

    /// Names of the last output and of its first leaf; `y` and `x` before there is one.
    pub fn last(&self) -> (&str, &str) {
        self.last.as_ref().map_or(("y", "x"), |(y, x)| (y, x))
    }
}

pub fn is_finite(v: &Variable) -> bool {
    v.value().data().iter().all(|x| x.is_finite())
}
