//! Runs an input: a machine begins, its statements are carried out, and an error puts back what they changed.

use crate::language::env::Globals;
use crate::language::flow::Flow;
use crate::language::machine::{Hints, Telling};
use crate::library::table::{Library, give, given};
use crate::record::held::{Deed, Done, Echoes, History, Moment, Past, Snapshot, Wonder};
use crate::record::sink::Sink;
use crate::record::source_lookup::is_simple;
use crate::{At, Event, Fault, Halt, Machine, Manner, Options, Tried, Value};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use vjp_maths::Variable;
use vjp_maths::observe::undefined;
use vjp_syntax::ast;
use vjp_tensor::budget::{self, Limits, remains};
use vjp_tensor::{Kind, Outcome, Tensor, exact_integers, mixed_dtypes};
use vjp_text::{QuickMap, Source, Span, Symbol};

/// What the tree of a long text takes for each byte; of a short one nobody asks.
pub(super) const TREE: usize = 48;
const SHORT: usize = 1 << 20;

/// So long an echo may take after a wish to stop.
const ECHO: std::time::Duration = std::time::Duration::from_millis(25);

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
            awaits_imports: false,
            callers: Vec::new(),
            done: Done::default(),
            present: None,
            carried_out: 0,
            spent: Default::default(),
            goal: None,
            wonder: None,
            indexed: false,
            explained_indices: false,
            library: crate::library::state::State::default(),
            past: Past::default(),
            latest: None,
            telling: Telling::Panels,
            trying: false,
            swept: QuickMap::default(),
            told: 0,
            undone: HashSet::new(),
            sources: Vec::new(),
            watch: None,
            base: 0,
        }
    }

    /// Runs a text of the library itself, which makes classes and functions; what it binds is
    /// found in the frame.
    pub(crate) fn run_own(
        source: &Source,
        program: &ast::Program,
        frame: Rc<crate::language::env::Frame>,
    ) -> Tried<()> {
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
        // What was refused and never asked about belongs to an earlier input, and so does what was misread.
        budget::forget_refusal();
        let _ = exact_integers::all_read();
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
                let help = (self.hints.unreadable)(self, source, &f);
                let fault = crate::language::exception::uncaught::of_syntax(source, f);
                let fault = Fault { help, ..fault };
                self.wonder = Some(Wonder::failed(&fault));
                self.emit(Event::Error(Box::new(fault.clone())));
                return Err(Box::new(fault));
            }
        };
        self.source = source.clone();
        self.sources.push(source.clone());
        self.swept.clear();
        let manner = match manner {
            Manner::Block if is_one_line(source, &program.body) => Manner::Line,
            other => other,
        };
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
            if manner == Manner::Cell {
                let kept_back =
                    source.text()[statement.span.end as usize..].trim_start().starts_with(';');
                let shows = position == last && !kept_back;
                self.echoes.manner = if shows { Manner::Cell } else { Manner::Program };
            }
            let pending = self.echoes.pending.clone();
            let carried_out = self.carried_out;
            mixed_dtypes::allow(!self.options.strict);
            self.present = Some(Deed { source: source.clone(), span: statement.span });
            undefined::begin();
            let mut outcome = budget::tick().at(statement.span).and_then(|()| self.exec(statement));
            self.present = None;
            if let Err(halt) = &mut outcome {
                (self.hints.failed)(self, halt);
            }
            self.note_after_statement();
            if outcome.is_ok() {
                self.note_carried_out(statement);
            }
            self.scope = None;
            self.calls = 0;
            self.repeating = 0;
            if outcome.is_ok() && self.history.kept() {
                let leaves_room = self.can_be_remembered(before.as_deref()).at(statement.span);
                outcome = leaves_room.and(outcome);
            }
            if outcome.is_ok() && position == last {
                self.flush_echoes();
                if manner == Manner::Cell {
                    outcome = self.end_cell().and(outcome);
                }
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
            let lost = before.as_ref().filter(|b| !Rc::ptr_eq(b.told(), &self.past.told));
            let lost = lost.map(|before| self.reached_since(before));
            let undone_first = !pending.is_empty() || fault.unchanged.is_some() || lost.is_some();
            let ends =
                matches!(fault.kind, Kind::OutOfTime | Kind::Interrupted | Kind::OutOfMemory);
            let undo = |m: &mut Machine| {
                remains::waiting(ends, || before.iter().for_each(|state| state.restore(m)));
                // What was undone is no part of the program.
                if before.is_some() {
                    m.carried_out = carried_out;
                }
            };
            self.echoes.pending = pending;
            self.echoes.pending.retain(|name| !self.echoes.told.contains(name));
            if undone_first {
                undo(self);
                fault.unchanged = fault.unchanged.and_then(|(grad, _)| self.grad_of(grad));
                for (name, leaf, shown) in lost.into_iter().flatten() {
                    let grad = leaf.grad().map(|g| g.value());
                    if grad.as_ref().is_some_and(|g| g.is_identical(&shown)) {
                        continue;
                    }
                    self.undone.insert(leaf.id());
                    fault.undone.push((format!("{name}.grad"), grad));
                }
                if !fault.undone.is_empty() {
                    fault.unchanged = None;
                }
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
        if let Some(wonder) = self.wonder.as_mut().filter(|_| !program.body.is_empty()) {
            wonder.passes();
        }
        Ok(())
    }

    /// A page of the library may show what its functions gathered: figures.
    fn end_cell(&mut self) -> Tried<()> {
        for frame in crate::library::prelude::frames() {
            if let Some(ends) = frame.get(Symbol::new("_cell_ends")) {
                let site = self.here();
                self.call_with(&ends, Vec::new(), &site)?;
            }
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

    /// Leaves that backwards reached after a moment, which have their name then as now.
    fn reached_since(&self, before: &Snapshot) -> Vec<(String, Variable, Tensor)> {
        let standing = before.names().filter_map(|(name, value)| {
            let leaf = crate::leaf::existing(value)?;
            let grad = leaf.grad().filter(|_| self.past.reached.contains(&leaf.id()))?.value();
            Some((name.to_string(), leaf, grad))
        });
        standing.collect()
    }

    /// `x.grad` by its name, and what it holds now.
    fn grad_of(&self, name: String) -> Option<(String, Tensor)> {
        let leaf = self.global(Symbol::new(name.strip_suffix(".grad")?))?;
        let grad = crate::leaf::existing(&leaf)?.grad()?;
        Some((name, grad.value()))
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
}

/// Whether statements follow each other on a line, which brackets may lead over several.
fn is_one_line(source: &Source, body: &[ast::Stmt]) -> bool {
    let apart = |pair: &[ast::Stmt]| {
        source.text()[pair[0].span.end as usize..pair[1].span.start as usize].contains('\n')
    };
    body.iter().all(is_simple) && !body.windows(2).any(apart)
}
