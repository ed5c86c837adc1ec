//! What a machine holds of its run: echoes, statements carried out, the moments that can be put back, and what
//! questions that come later are about: the last backward, what earlier ones reached, what failed.

use super::event::{Backward, Fault, Note};
use super::symbolic::{Missing, Symbolic, search};
use crate::language::env::Globals;
use crate::language::exception::raise::NoPath;
use crate::library::state::State as Library;
use crate::{Manner, Options, Value};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use vjp_maths::Variable;
use vjp_maths::autodiff::variable::{Cut, State};
use vjp_maths::observe::sweeps;
use vjp_tensor::ids::IdSet;
use vjp_tensor::{Outcome, Tensor};
use vjp_text::{Source, Span, Symbol};

/// Echoes of the present input.
pub struct Echoes {
    pub(crate) manner: Manner,
    /// The input has one statement only, so that a literal it binds is echoed too.
    pub(super) alone: bool,
    /// Names bound and not told yet, in order.
    pub(crate) pending: Vec<Symbol>,
    pub(crate) told: Vec<Symbol>,
    /// What is nan, in words, in the statement that bound a name.
    pub(super) missing: Vec<(Symbol, &'static str)>,
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
            missing: Vec::new(),
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
    pub(super) pages: Rc<Pages>,
    pub(super) parts: Parts,
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

/// What modules of our own language hold, a figure for one. They are many, and a program rarely changes any: a
/// moment shares those of the one before where all are as they were.
#[derive(Default)]
pub(super) struct Pages {
    /// So many modules were run.
    pub(super) run: usize,
    pub(super) seen: IdSet,
    pub(super) parts: Parts,
    pub(super) whole: bool,
}

/// Objects and tensors at a moment.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) objects: Vec<Held>,
    pub(super) variables: Vec<(Variable, State)>,
}

/// A list that is cheap to keep as it is at a moment.
#[derive(Clone, Default)]
pub struct Done(pub(super) Option<Rc<Link>>);

/// One object at a moment.
pub(super) type Held = Box<dyn Fn(Wish) -> bool>;

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
            Some(report) => Some(report.called()),
            None => x.name().map(|name| name.to_string()),
        }
    }

    /// The backward with its formulas: a later turn of a loop was told without them.
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
    /// An input failed; `later`: and another did not.
    Failed { fault: Box<Fault>, later: bool },
    /// A result that no leaf leads to was to be differentiated: where it stands, and the statement.
    NoPath { source: Source, no_path: NoPath, statement: Span, later: bool },
    /// `name.grad` was None, and why.
    NoGrad { name: String, object: Value, notes: Vec<Note> },
    /// A gradient got numbers that are not finite.
    NotFinite { name: String },
}

impl Wonder {
    pub fn failed(fault: &Fault) -> Wonder {
        Wonder::Failed { fault: Box::new(fault.clone()), later: false }
    }

    /// Another input was carried out after the one that failed.
    pub fn passes(&mut self) {
        if let Wonder::Failed { later, .. } | Wonder::NoPath { later, .. } = self {
            *later = true;
        }
    }
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
    /// The backwards that were told and stand, by their serial, the last ones.
    pub told: Rc<Vec<u64>>,
    /// Leaves whose gradient is not finite, and where that began.
    pub born: HashMap<usize, Note>,
    /// How many backwards and gradchecks were asked for.
    pub asked: usize,
    /// Where the last backward stands.
    pub swept: Option<(Source, Span)>,
    /// Why the last backward has no panel.
    pub undrawn: Option<String>,
    /// The input that was told so last, and in what words.
    pub too_large: Option<(u32, String)>,
    /// Names of the last output and of its first leaf.
    pub last: Option<(String, String)>,
}

/// So many backwards are remembered as told.
pub const TOLD: usize = 1000;

impl Past {
    /// A backward was told.
    pub fn tells(&mut self, serial: u64) {
        let told = Rc::make_mut(&mut self.told);
        if told.len() >= TOLD {
            told.remove(0);
        }
        told.push(serial);
    }

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
