//! The machine: names, options, and the running of programs.

use super::env::{Globals, Scope};
use super::hints::Hints;
use super::statement::Flow;
use crate::language::exception::raise::{At, Halt};
use crate::library::table::{Library, give, given};
use crate::record::echo::Echoes;
use crate::record::event::{Event, Fault};
use crate::record::goal::Goal;
use crate::record::past::{Latest, Past, Wonder};
use crate::record::sink::Sink;
use crate::record::snapshot::Snapshot;
use crate::record::statements::{Deed, Done};
use crate::record::undo::{History, Moment};
use crate::values::value::Value;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use vjp_maths::autodiff::variable::Variable;
use vjp_syntax::ast;
use vjp_tensor::budget::{self, Limits, remains};
use vjp_tensor::complaint::{Kind, Outcome};
use vjp_tensor::mixing;
use vjp_tensor::tensor::{Dtype, Tensor};
use vjp_text::names::{QuickSet, Symbol};
use vjp_text::source::{Source, Span};

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

/// What the tree of a long text takes for each byte; of a short one nobody asks.
const TREE: usize = 48;
const SHORT: usize = 1 << 20;

/// So long an echo may take after a wish to stop.
const ECHO: std::time::Duration = std::time::Duration::from_millis(25);

/// The most calls inside each other, as CPython.
pub(crate) const CALLS: u32 = 1000;

/// Runs programs, one input after the other.
pub struct Machine {
    pub(crate) options: Options,
    pub hints: &'static Hints,
    pub(crate) globals: Globals,
    pub(crate) scope: Scope,
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
    /// Names of functions by their code, found once.
    pub(crate) names: HashMap<usize, (Rc<ast::Function>, Rc<super::names::Names>)>,
    /// The steps of generator functions by their code, found once.
    pub(crate) plans:
        HashMap<usize, (Rc<ast::Function>, crate::language::generator::compile::Steps)>,
    /// What the yields of the statement under evaluation gave.
    pub(crate) sent: std::collections::VecDeque<Value>,
    pub(crate) history: History,
    sink: Rc<Sink>,
    pub(crate) noted: HashSet<&'static str>,
    /// A tensor whose `.grad` this statement read, and which has none.
    pub(crate) ungraded: Option<Variable>,
    /// The statements that were carried out.
    pub(crate) done: Done,
    /// The statement of the input that is being carried out.
    pub(crate) present: Option<Deed>,
    /// How many statements were carried out.
    pub carried_out: u64,
    /// How long an input's text was looked at beside its backwards.
    pub spent: (u32, std::time::Duration),
    /// Where a run ends that looks for what the text gives.
    pub goal: Option<Goal>,
    /// What `:why` is about.
    pub wonder: Option<Wonder>,
    /// A code index was typed in this session.
    pub indexed: bool,
    /// The panels have said that y₁ is `y[0]`.
    pub explained_indices: bool,
    /// State of the library, by type: print options, …
    pub library: crate::library::State,
    /// What earlier backwards reached.
    pub past: Past,
    /// The last backward with a panel and its graph, for `:check`.
    pub latest: Option<Rc<Latest>>,
    /// What backwards tell.
    pub telling: Telling,
    /// A line is only tried out: nobody reads what is said about an error.
    pub trying: bool,
    /// Calls of backward that the present input made before, by place.
    pub swept: QuickSet<(u32, u32)>,
    /// An address on the stack where the running input began.
    pub(crate) base: usize,
    /// What was run, so that a place can be shown again.
    pub(crate) sources: Vec<Source>,
    /// What the program shows at each of its places, where somebody asked.
    pub(crate) watch: Option<Box<crate::record::watch::Watch>>,
}

impl Machine {
    pub fn new(options: Options, library: &'static Library, hints: &'static Hints) -> Machine {
        give(library);
        let mut machine = Machine { hints, ..Machine::unstarted(options) };
        machine.globals.set(Symbol::new("__name__"), Value::str("__main__"));
        crate::library::start(&mut machine);
        budget::set_sweep(crate::values::collector::collect);
        machine
    }

    /// A machine that leaves the state of the library elsewhere as it is.
    fn unstarted(options: Options) -> Machine {
        Machine {
            options,
            hints: &Hints::NONE,
            globals: Globals::default(),
            scope: None,
            source: Source::new(""),
            file: None,
            place: Span::default(),
            calls: 0,
            repeating: 0,
            echoes: Echoes::default(),
            handled: Vec::new(),
            names: HashMap::new(),
            plans: HashMap::new(),
            sent: std::collections::VecDeque::new(),
            history: History::default(),
            sink: Rc::default(),
            noted: HashSet::new(),
            ungraded: None,
            done: Done::default(),
            present: None,
            carried_out: 0,
            spent: Default::default(),
            goal: None,
            wonder: None,
            indexed: false,
            explained_indices: false,
            library: crate::library::State::default(),
            past: Past::default(),
            latest: None,
            telling: Telling::Panels,
            trying: false,
            swept: QuickSet::default(),
            sources: Vec::new(),
            watch: None,
            base: 0,
        }
    }

    /// Runs a text of the library itself, which makes classes and functions; what it binds is
    /// found in the frame.
    ///
    /// # Errors
    /// What it raises.
    pub(crate) fn run_own(
        source: &Source,
        program: &ast::Program,
        frame: Rc<super::env::Frame>,
    ) -> Result<(), Halt> {
        let strict = true;
        let mut machine = Machine::unstarted(Options { strict, ..Options::default() });
        machine.source = source.clone();
        machine.with_scope(Some(frame), |m| {
            program.body.iter().try_for_each(|statement| m.exec(statement).map(drop))
        })
    }

    /// Runs an input. Errors were sent as events already, the last one is returned too; what the
    /// failed statement changed is put back where history is kept.
    ///
    /// # Errors
    /// The fault that ended it; `SystemExit` after `exit()`, without an event.
    pub fn run(
        &mut self,
        source: &Source,
        manner: Manner,
        sink: &mut dyn FnMut(Event),
    ) -> Result<(), Box<Fault>> {
        let events = Rc::clone(&self.sink);
        Sink::within(sink, events, || self.run_input(source, manner))
    }

    fn run_input(&mut self, source: &Source, manner: Manner) -> Result<(), Box<Fault>> {
        let mark = 0u8;
        self.base = std::ptr::from_ref(&mark) as usize;
        // What was refused and never asked about belongs to an earlier input.
        budget::forget_refusal();
        {
            // What an earlier input left behind is not this one's doing; to let go takes memory too.
            let _long = Limits::new(None, budget::memory_limit().saturating_mul(2));
            remains::free();
        }
        self.history.make_room();
        if source.text().len() > SHORT
            && let Err(halt) =
                budget::reserve(source.text().len() * TREE).at(Span::new(0, source.line(0).len()))
        {
            let fault = crate::language::exception::uncaught::of_halt(self, halt, source);
            self.emit(Event::Error(Box::new(fault.clone())));
            return Err(Box::new(fault));
        }
        let program = match vjp_syntax::parse(source, self.mode()) {
            Ok(p) => p,
            Err(f) => {
                let fault = crate::language::exception::uncaught::of_syntax(source, f);
                self.emit(Event::Error(Box::new(fault.clone())));
                return Err(Box::new(fault));
            }
        };
        self.source = source.clone();
        self.sources.push(source.clone());
        self.swept.clear();
        self.echoes.start(manner, program.body.len());
        // None where somebody wished to stop meanwhile: then nothing is run that would be put back.
        let taken = |m: &Machine| {
            let state = m.history.kept().then(|| Rc::new(Snapshot::take(m)));
            state.filter(|_| !budget::stopping())
        };
        let begun = taken(self);
        if let Some(state) = begun.clone() {
            self.history.push(Moment { state, input: source.clone(), failed: false });
        }
        let last = program.body.len().saturating_sub(1);
        for (position, statement) in program.body.iter().enumerate() {
            let before = match position {
                0 => begun.clone(),
                _ => taken(self),
            };
            let pending = self.echoes.pending.clone();
            mixing::allow(!self.options.strict);
            self.present = Some(Deed { source: source.clone(), span: statement.span });
            let mut outcome = budget::tick().at(statement.span).and_then(|()| self.exec(statement));
            self.present = None;
            if let Err(halt) = &mut outcome {
                (self.hints.failed)(self, halt);
            }
            self.note_after_statement();
            self.scope = None;
            self.calls = 0;
            self.repeating = 0;
            if outcome.is_ok() && self.history.kept() {
                let leaves_room = self.can_be_remembered(before.as_deref()).at(statement.span);
                outcome = leaves_room.and(outcome);
            }
            if outcome.is_ok() && position == last {
                self.flush_echoes();
            }
            // A wish to stop may have been lost on the way: then nothing that was found may count.
            let halt = match outcome
                .and_then(|flow| budget::tick().map(|()| flow).at(statement.span))
            {
                Ok(Flow::Next) => {
                    self.done.push(source, statement.span);
                    self.saw_statement(statement.span);
                    self.emit(Event::Ended);
                    continue;
                }
                Ok(_) => Halt::new(Kind::Syntax, "'return' outside function").place(statement.span),
                Err(halt) => halt,
            };
            self.handled.clear();
            budget::stopped();
            crate::language::exception::finally_allowance::over();
            let mut fault = crate::language::exception::uncaught::of_halt(self, halt, source);
            // What earlier statements bound, and a gradient, are shown as they are when this one is
            // undone. Otherwise the error comes first: to let go of what the statement made may take
            // a while.
            let undone_first = !pending.is_empty() || fault.unchanged.is_some();
            let ends =
                matches!(fault.kind, Kind::OutOfTime | Kind::Interrupted | Kind::OutOfMemory);
            let undo = |m: &mut Machine| {
                remains::waiting(ends, || before.iter().for_each(|state| state.restore(m)));
            };
            self.echoes.pending = pending;
            self.echoes.pending.retain(|name| !self.echoes.told.contains(name));
            if undone_first {
                undo(self);
                fault.unchanged = fault.unchanged.and_then(|(grad, _)| self.grad_of(grad));
            }
            {
                // Who wished to stop does not wait for a long echo.
                let short = matches!(fault.kind, Kind::OutOfTime | Kind::Interrupted)
                    .then(|| Limits::time(Some(ECHO)));
                self.flush_echoes();
                drop(short);
            }
            if fault.kind != Kind::SystemExit {
                self.emit(Event::Error(Box::new(fault.clone())));
            }
            if !undone_first {
                undo(self);
            }
            if let Some(begun) = &begun {
                self.history.ended(position > 0 && !begun.holds(self), true);
            }
            if ends {
                remains::keep((before, begun));
            }
            return Err(Box::new(fault));
        }
        if let Some(begun) = begun {
            self.history.ended(!begun.holds(self), false);
        }
        Ok(())
    }

    /// Where memory is short, what a statement leaves must leave room to remember it before and after
    /// the next one: nothing else could run.
    fn can_be_remembered(&self, before: Option<&Snapshot>) -> Outcome<()> {
        let limit = budget::memory_limit();
        if budget::in_use() < limit / 4 {
            return Ok(());
        }
        let state = Snapshot::take(self);
        budget::tick()?;
        let more = state.bytes.saturating_sub(before.map_or(0, |before| before.bytes));
        budget::reserve(more + more.min(limit / 32))
    }

    /// `x.grad` by its name, and what it holds now.
    fn grad_of(&self, name: String) -> Option<(String, Tensor)> {
        let leaf = self.global(Symbol::new(name.strip_suffix(".grad")?))?;
        let grad = crate::leaf::existing(&leaf)?.grad()?;
        Some((name, grad.value()))
    }

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

    /// As new, with the same options.
    pub fn reset(&mut self) {
        let (kept, telling, watch) = (self.history.kept(), self.telling, self.watch.take());
        *self = Machine::new(self.options, given(), self.hints);
        self.keep_history(kept);
        self.telling = telling;
        self.watch = watch;
        crate::values::collector::collect();
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

    pub fn set_dtype(&mut self, dtype: Dtype) {
        self.options.dtype = dtype;
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

    /// The value of a top-level name, built-in ones included.
    pub fn lookup(&self, name: &str) -> Option<Value> {
        let symbol = Symbol::new(name);
        self.globals
            .get(symbol)
            .cloned()
            .or_else(|| crate::library::builtin(symbol, self.options.strict))
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
    pub(crate) fn tick(&self, span: Span) -> Result<(), Halt> {
        use crate::language::exception::raise::At;
        vjp_tensor::budget::tick().at(span)
    }
}
