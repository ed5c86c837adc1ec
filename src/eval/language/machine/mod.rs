//! The machine: names, options, and the running of programs.

pub mod call_back;
pub(crate) mod run;
mod text;

use crate::language::env::{Globals, Scope};
use crate::language::exception::raise::Uncaught;
use crate::record::held::{Deed, Done, Echoes, Goal, History, Past, Wonder};
use crate::record::sink::Sink;
use crate::{Event, Halt, Help, Latest, Note, Site, Tried, Value};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use vjp_maths::{Node, Variable};
use vjp_syntax::SyntaxFault;
use vjp_syntax::ast::{self, Link};
use vjp_tensor::Dtype;
use vjp_text::{QuickMap, Source, Span, Symbol};

/// How the language is meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Python and PyTorch exactly.
    pub strict: bool,
    /// The default dtype.
    pub dtype: Dtype,
}

impl Default for Options {
    fn default() -> Options {
        Options { strict: false, dtype: Dtype::Float64 }
    }
}

/// What is echoed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// What an input of one line binds or evaluates.
    Line,
    /// Bare expressions at the top level.
    Block,
    /// The value of the last expression, as a notebook shows it; a `;` after it keeps it back.
    Cell,
    /// Nothing.
    Program,
}

/// What a backward tells: Jacobians cost time, so they are computed where something shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// Gradients only: nothing is shown.
    Nothing,
    /// Panels: J always, symbols where a panel may show them.
    Panels,
    /// Events for programs: symbols too, every time.
    Everything,
}

/// The most calls inside each other, as CPython.
pub(crate) const CALLS: u32 = 1000;

/// Runs programs, one input after the other.
pub struct Machine {
    pub(crate) options: Options,
    pub hints: &'static Hints,
    pub(crate) globals: Globals,
    pub(crate) scope: Scope,
    /// The scopes of the calls around the present one, outermost first.
    pub(crate) callers: Vec<Scope>,
    /// The text that is being evaluated.
    pub(crate) source: Source,
    /// The file that the program is in, as warnings name it; None: standard input.
    pub file: Option<String>,
    /// The call under evaluation.
    pub(crate) place: Span,
    pub(crate) calls: u32,
    /// Loops, comprehensions and calls around the present place.
    pub(crate) repeating: u32,
    pub(crate) echoes: Echoes,
    pub(crate) handled: Vec<Rc<crate::values::value::Exception>>,
    /// Inside a `try` whose `except` waits for an import to fail.
    pub(crate) awaits_imports: bool,
    /// Names of functions by their code, found once.
    pub(crate) names: HashMap<usize, (Rc<ast::Function>, Rc<crate::language::names::Names>)>,
    /// The steps of generator functions by their code, found once.
    pub(crate) plans:
        HashMap<usize, (Rc<ast::Function>, crate::language::generator::compile::Steps)>,
    /// What the yields of the statement under evaluation gave.
    pub(crate) sent: std::collections::VecDeque<Value>,
    pub(crate) history: History,
    pub(super) sink: Rc<Sink>,
    pub(crate) noted: HashSet<&'static str>,
    /// A tensor whose `.grad` this statement read, and which has none.
    pub(crate) ungraded: Option<Variable>,
    /// The statements that were carried out.
    pub(crate) done: Done,
    /// The statement of the input that is being carried out.
    pub(crate) present: Option<Deed>,
    /// How many statements were carried out.
    pub carried_out: u64,
    /// The work spent on running an input's text again beside its backwards.
    pub spent: (u32, u64),
    /// Where a run ends that looks for what the text gives.
    pub goal: Option<Goal>,
    /// What `:why` is about.
    pub wonder: Option<Wonder>,
    /// A code index was typed in this session.
    pub indexed: bool,
    /// The panels have said that y₁ is `y[0]`.
    pub explained_indices: bool,
    /// State of the library, by type: print options, …
    pub library: crate::library::state::State,
    /// What earlier backwards reached.
    pub past: Past,
    /// The last backward with a panel and its graph, for `:check`.
    pub latest: Option<Rc<Latest>>,
    /// What backwards tell.
    pub telling: Telling,
    /// A line is only tried out: nobody reads what is said about an error.
    pub trying: bool,
    /// Calls of backward that the present input made before, by line.
    pub swept: QuickMap<(u32, u32), usize>,
    /// How many backwards were told, those that were undone too.
    pub told: u64,
    /// Leaves that a statement reached which failed and was undone, until the next backward.
    pub undone: HashSet<usize>,
    /// An address on the stack where the running input began.
    pub(crate) base: usize,
    /// What was run, so that a place can be shown again.
    pub(crate) sources: Vec<Source>,
    /// What the program shows at each of its places, where somebody asked.
    pub(crate) watch: Option<Box<crate::record::watched_values::Watch>>,
}

impl Machine {
    /// Runs `body`; what it prints and shows is dropped.
    pub fn silently<T>(&mut self, body: impl FnOnce(&mut Machine) -> T) -> T {
        let events = Rc::clone(&self.sink);
        Sink::within(&mut |_| {}, events, || body(self))
    }

    /// Sends an event.
    pub fn emit(&mut self, event: Event) {
        self.sink.send(event);
    }

    /// Keeps snapshots for rollback and undo from now on.
    pub fn keep_history(&mut self, keep: bool) {
        self.history.keep(keep);
    }

    /// Whether what fails can be put back.
    pub fn keeps_history(&self) -> bool {
        self.history.kept()
    }

    /// The inputs that are remembered, oldest first, and whether each ended in an error.
    pub fn inputs(&self) -> Vec<(Source, bool)> {
        self.history.inputs()
    }

    /// How texts are read now.
    pub fn mode(&self) -> vjp_syntax::Mode {
        vjp_syntax::Mode { strict: self.options.strict }
    }

    pub fn set_strict(&mut self, strict: bool) {
        self.options.strict = strict;
    }

    /// Whether the code that runs means Python exactly: under strict, and in the library's own.
    #[inline]
    pub fn exact(&self) -> bool {
        self.options.strict || self.source.is_own()
    }

    pub fn strict(&self) -> bool {
        self.options.strict
    }

    pub fn dtype(&self) -> Dtype {
        self.options.dtype
    }

    /// What the program has bound, by name.
    pub fn names(&self) -> Vec<(String, Value)> {
        let names = self.bindings().into_iter();
        names.map(|(n, v)| (n.to_string(), v)).collect()
    }

    /// [`Machine::names`] as symbols.
    pub(crate) fn bindings(&self) -> Vec<(Symbol, Value)> {
        let mut names: Vec<_> = self
            .globals
            .iter()
            .filter(|(n, _)| !matches!(n.as_str(), "__name__" | "_"))
            .map(|(n, v)| (n, v.clone()))
            .collect();
        names.sort_by_key(|(n, _)| n.as_str());
        names
    }

    /// What the program has bound.
    pub fn globals(&self) -> &Globals {
        &self.globals
    }

    /// Whether the program has bound a top-level name.
    pub fn binds(&self, name: &str) -> bool {
        self.globals.get(Symbol::new(name)).is_some()
    }

    /// The value of a top-level name of the program.
    pub fn global(&self, name: Symbol) -> Option<Value> {
        self.globals.get(name).cloned()
    }

    /// Binds a top-level name.
    pub fn bind(&mut self, name: &str, value: Value) {
        self.globals.set(Symbol::new(name), value);
    }

    /// Whether the present place may be reached again: in a loop, a function, a comprehension.
    pub fn repeats(&self) -> bool {
        self.repeating > 0
    }

    /// A text that was run, by its id.
    pub fn source_of(&self, id: u32) -> Option<&Source> {
        self.sources.iter().rev().find(|s| s.id() == id)
    }

    /// The text that is being evaluated.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// One tick of the budget.
    #[inline]
    pub(crate) fn tick(&self, span: Span) -> Tried<()> {
        use crate::At;
        vjp_tensor::budget::tick().at(span)
    }
}

/// What stands on both sides of an operator, and where.
pub type Operands<'a> = [(&'a Value, Span); 2];

/// What a reader is told beside Python's and PyTorch's own sentences: a room above fills it in.
pub struct Hints {
    /// Nobody caught an exception: adds labels and fixes, and gives what may be asked about it.
    pub uncaught: fn(&mut Machine, &mut Uncaught) -> Option<Wonder>,
    /// A statement failed, perhaps because it read a `.grad` that is None.
    pub failed: fn(&mut Machine, &mut Halt),
    /// A statement gave the `.grad` of what is written so, and it is None: why.
    pub no_gradient: fn(&mut Machine, &str, &Value) -> Vec<Note>,
    /// Operands did not fit.
    pub operands: fn(&mut Machine, Halt, &Link, Operands<'_>) -> Halt,
    /// A name is not defined: what it perhaps means.
    pub undefined: fn(&Machine, &str, Span) -> Option<String>,
    /// A text is not a program: what it was perhaps meant to be.
    pub unreadable: fn(&mut Machine, &Source, &SyntaxFault) -> Vec<Help>,
    /// A sweep from here was refused.
    pub refused: fn(&mut Machine, &mut Halt, &Variable, &Site),
    /// A backward was told, with the nodes it went through.
    pub swept: fn(&mut Machine, &Latest, &[Node]),
    /// A statement of the top level gave a name another value.
    pub rebound: fn(&mut Machine, Symbol),
}

impl Hints {
    /// Nothing more.
    pub const NONE: Hints = Hints {
        uncaught: |_, _| None,
        failed: |_, _| {},
        no_gradient: |_, _, _| Vec::new(),
        operands: |_, halt, _, _| halt,
        undefined: |_, _, _| None,
        unreadable: |_, _, fault| fault.hint.clone().map(Help::words).into_iter().collect(),
        refused: |_, _, _, _| {},
        swept: |_, _, _| {},
        rebound: |_, _| {},
    };
}
