//! What questions that come later are about: the last backward, what earlier ones reached, what failed.

use super::event::{Backward, Fault, Note};
use super::symbolic::{Missing, Symbolic, search};
use crate::values::value::Value;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use vjp_maths::autodiff::variable::{Cut, Variable};
use vjp_tensor::complaint::Outcome;
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

impl Latest {
    /// What a leaf on the way is called.
    pub fn name(&self, x: &Variable) -> Option<String> {
        let at = self.leaves.iter().position(|leaf| leaf.same(x));
        match at.and_then(|k| self.event.leaves.get(k)) {
            Some(report) => Some(report.name.clone()),
            None => x.name().map(|name| name.to_string()),
        }
    }

    /// The backward with its formulas: a later turn of a loop was told without them.
    ///
    /// # Errors
    /// Memory, or a wish to stop.
    pub fn in_symbols(&self) -> Outcome<Rc<Backward>> {
        let unasked = |symbolic: &Symbolic| symbolic.found().err() == Some(Missing::Unasked);
        if !self.event.leaves.iter().any(|leaf| unasked(&leaf.symbolic)) {
            return Ok(Rc::clone(&self.event));
        }
        let mut event = Backward::clone(&self.event);
        let found = search(&self.y, &self.leaves, &|x| self.name(x))?;
        let why = found.as_ref().err().copied();
        let symbols = Symbolic::known(found);
        for (k, leaf) in event.leaves.iter_mut().enumerate() {
            let at = if why.is_some() { 0 } else { k };
            leaf.symbolic = symbols.get(at).cloned().unwrap_or_default();
        }
        Ok(Rc::new(event))
    }
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
