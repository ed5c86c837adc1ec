//! What a machine holds of its run: echoes, statements carried out, and the moments that can be put back.

use super::past::{Latest, Past};
use crate::language::env::Globals;
use crate::language::machine::{Manner, Options};
use crate::library::state::State as Library;
use crate::values::value::Value;
use std::rc::Rc;
use std::time::Instant;
use vjp_maths::autodiff::variable::{State, Variable};
use vjp_maths::observe::sweeps;
use vjp_text::names::Symbol;
use vjp_text::source::{Source, Span};

/// Echoes of the present input.
pub struct Echoes {
    pub(super) manner: Manner,
    /// The input has one statement only, so that a literal it binds is echoed too.
    pub(super) alone: bool,
    /// Names bound and not told yet, in order.
    pub(crate) pending: Vec<Symbol>,
    pub(crate) told: Vec<Symbol>,
    /// Tensors whose value was shown.
    pub(super) shown: Vec<Variable>,
    /// The Jacobian drawn last.
    pub(super) drawn: Option<Value>,
}

impl Default for Echoes {
    fn default() -> Echoes {
        Echoes {
            manner: Manner::Program,
            alone: false,
            pending: Vec::new(),
            told: Vec::new(),
            shown: Vec::new(),
            drawn: None,
        }
    }
}

impl Echoes {
    pub fn start(&mut self, manner: Manner, statements: usize) {
        *self = Echoes { manner, alone: statements == 1, ..Echoes::default() };
    }
}

/// Where a run ends: at a backward or gradcheck, the n-th from the start.
pub struct Goal {
    pub at: usize,
    pub found: Option<Variable>,
    pub until: Option<Instant>,
}

/// A statement by its place.
#[derive(Clone, Debug)]
pub struct Deed {
    pub source: Source,
    pub span: Span,
}

pub(super) struct Link {
    pub(super) deed: Deed,
    pub(super) before: Done,
}

impl Drop for Link {
    /// A loop: the list may be long.
    fn drop(&mut self) {
        let mut before = self.before.0.take();
        while let Some(mut link) = before.and_then(|link| Rc::try_unwrap(link).ok()) {
            before = link.before.0.take();
        }
    }
}

impl Done {
    pub fn push(&mut self, source: &Source, span: Span) {
        let deed = Deed { source: source.clone(), span };
        let before = Done(self.0.take());
        self.0 = Some(Rc::new(Link { deed, before }));
    }

    /// The latest first.
    pub fn iter(&self) -> impl Iterator<Item = &Deed> {
        std::iter::successors(self.0.as_deref(), |link| link.before.0.as_deref())
            .map(|link| &link.deed)
    }
}

/// The state on one side of an input, and the input's text.
pub struct Moment {
    pub state: Rc<Snapshot>,
    pub input: Source,
    /// It ended in an error, after statements that stayed.
    pub failed: bool,
}

/// Moments before the last inputs, and after those undone.
#[derive(Default)]
pub struct History {
    pub(super) on: bool,
    pub(super) past: Vec<Moment>,
    pub(super) future: Vec<Moment>,
}

/// What is asked of an object that was seen at a moment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// That moment again.
    PutBack,
    /// Whether it is as it was; what cannot be told is not.
    Compare,
}

/// Every binding and the state of every object that could be reached.
pub struct Snapshot {
    pub(super) options: Options,
    pub(super) globals: Globals,
    pub(super) objects: Vec<Held>,
    pub(super) variables: Vec<(Variable, State)>,
    pub(super) library: Library,
    pub(super) past: Past,
    /// Everything that may change can be put back: no iterator is being asked.
    pub(super) whole: bool,
    pub(super) latest: Option<Rc<Latest>>,
    pub(super) sweeps: sweeps::Moment,
    /// The bytes that were held while it was taken, beside what was there.
    pub bytes: usize,
    /// No object of a program's own class is in it, so that only calls run code.
    pub(super) plain: bool,
    pub(super) done: Done,
}

/// A list that is cheap to keep as it is at a moment.
#[derive(Clone, Default)]
pub struct Done(pub(super) Option<Rc<Link>>);

/// One object at a moment.
pub(super) type Held = Box<dyn Fn(Wish) -> bool>;
