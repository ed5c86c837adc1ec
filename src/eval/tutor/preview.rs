//! What an input would give, without giving it: run under tight limits on a state that is put back
//! whole. The prompt shows it while a line is typed.

use crate::language::env::Globals;
use crate::language::machine::{Machine, Manner, Telling};
use crate::leaf;
use crate::record::event::{Event, Remark, Shown};
use crate::record::snapshot::Snapshot;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use vjp_maths::autodiff::ancestors;
use vjp_maths::autodiff::variable::Variable;
use vjp_syntax::Mode;
use vjp_syntax::ast::{Program, StmtKind};
use vjp_tensor::budget::{self, Limits};
use vjp_tensor::tensor::Tensor;
use vjp_text::source::Source;

/// So long a preview may take; what takes longer has none.
const TIME: Duration = Duration::from_millis(8);
/// Of which copying the state may take so much: putting it back takes as long again.
const COPYING: Duration = Duration::from_millis(2);
/// What it may hold beside the state.
const MEMORY: usize = 32 << 20;

/// What an input would give.
pub struct Preview {
    /// The last thing it would echo.
    pub value: Option<(Shown, Option<Remark>)>,
    /// Gradients it would change, by their leaf's name.
    pub grads: Vec<(String, Tensor)>,
}

impl Machine {
    /// What `text` would give. Names, values, gradients, graph, random numbers and notes are as
    /// before, whatever happens. None where it is not a program, fails, prints, takes long, or
    /// where its effects could not be taken back.
    pub fn preview(&mut self, text: &str) -> Option<Preview> {
        let begun = Instant::now();
        let mode = Mode { strict: self.options.strict };
        // Parsed apart: most of what is being typed is not a program yet.
        let program = vjp_syntax::parse(&Source::new(text), mode).ok()?;
        if !has_value(&program) {
            return None;
        }
        let state = Snapshot::take(self);
        if !state.whole() {
            return None;
        }
        // Sweeps and hooks need a call, or an operator of the program's own.
        let graph = match text.contains('(') || !state.plain() {
            true => Some(ancestors::Moment::above(state.variables())?),
            false => None,
        };
        if begun.elapsed() > COPYING {
            return None;
        }
        let before = gradients(&self.globals);
        let kept = Kept::take(self);
        let memory = budget::memory_limit().min(budget::in_use() + MEMORY);
        let limits = Limits::new(Some(begun + TIME), memory);
        self.trying = true;
        let outcome = catch_unwind(AssertUnwindSafe(|| self.attempt(text, &before)));
        drop(limits);
        self.trying = false;
        self.scope = None;
        self.calls = 0;
        self.repeating = 0;
        self.handled.clear();
        let _ = budget::refused();
        state.restore(self);
        if let Some(graph) = graph {
            graph.restore();
        }
        kept.put_back(self);
        outcome.ok().flatten()
    }

    fn attempt(
        &mut self,
        text: &str,
        before: &[(String, Variable, Option<Tensor>)],
    ) -> Option<Preview> {
        let (mut value, mut printed, mut matrix) = (None, false, false);
        let done = self.run(&Source::new(text), Manner::Line, &mut |event| match event {
            Event::Value(v) => value = Some((v.shown, v.remark)),
            Event::Matrix(_) => matrix = true,
            Event::Print(_) | Event::PrintError(_) => printed = true,
            _ => {}
        });
        if printed || done.is_err() {
            return None;
        }
        if matrix && let Some(j) = self.drawn() {
            value = Some((self.shown(&j).0, None));
        }
        let mut grads = Vec::new();
        for (name, leaf, old) in before.iter().chain(&gradients(&self.globals)) {
            let Some(new) = leaf.grad().map(|g| g.value()) else {
                continue;
            };
            let known = before.iter().find(|(_, v, _)| v.same(leaf));
            let old = known.map_or(old, |(_, _, old)| old);
            let made_now = known.is_none();
            let changed = made_now || old.as_ref().is_none_or(|old| !old.is_identical(&new));
            if changed && leaf.is_leaf() && grads.iter().all(|(n, _)| n != name) {
                grads.push((name.clone(), new));
            }
        }
        Some(Preview { value, grads })
    }
}

/// Whether its last statement binds or computes something, a block of such among them.
fn has_value(program: &Program) -> bool {
    let simple = |kind: &StmtKind| {
        matches!(
            kind,
            StmtKind::Expr(_)
                | StmtKind::Assign { .. }
                | StmtKind::Augment { .. }
                | StmtKind::Annotate { .. }
                | StmtKind::ShortDef(_)
                | StmtKind::Def { .. }
                | StmtKind::Import(_)
                | StmtKind::FromImport { .. }
        ) || runs(kind)
    };
    let last = program.body.last().map(|s| &s.kind);
    let shows = |kind: &StmtKind| {
        matches!(kind, StmtKind::Expr(_) | StmtKind::Assign { .. } | StmtKind::Augment { .. })
            || runs(kind)
    };
    program.body.iter().all(|s| simple(&s.kind)) && last.is_some_and(shows)
}

/// A block that is carried out where it stands.
fn runs(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::If { .. } | StmtKind::With { .. }
    )
}

/// Every name's tensor with its gradient now.
fn gradients(globals: &Globals) -> Vec<(String, Variable, Option<Tensor>)> {
    let tensors = globals.iter().filter_map(|(name, value)| {
        let v = leaf::existing(value)?;
        let grad = v.grad().map(|g| g.value());
        (name.as_str() != "_").then(|| (name.to_string(), v, grad))
    });
    tensors.collect()
}

/// What a run changes in the machine beside what a snapshot holds.
struct Kept {
    history: crate::record::undo::History,
    noted: std::collections::HashSet<&'static str>,
    indexed: bool,
    explained_indices: bool,
    latest: Option<std::rc::Rc<crate::tutor::check::Latest>>,
    telling: Telling,
    swept: vjp_text::names::QuickSet<(u32, u32)>,
    source: Source,
    sources: usize,
    wonder: Option<super::why::Wonder>,
    ungraded: Option<Variable>,
    echoes: crate::record::echo::Echoes,
}

impl Kept {
    fn take(machine: &mut Machine) -> Kept {
        Kept {
            history: std::mem::take(&mut machine.history),
            noted: machine.noted.clone(),
            indexed: machine.indexed,
            explained_indices: machine.explained_indices,
            latest: machine.latest.clone(),
            telling: std::mem::replace(&mut machine.telling, Telling::Nothing),
            swept: std::mem::take(&mut machine.swept),
            source: machine.source.clone(),
            sources: machine.sources.len(),
            wonder: machine.wonder.take(),
            ungraded: machine.ungraded.take(),
            echoes: std::mem::take(&mut machine.echoes),
        }
    }

    fn put_back(self, machine: &mut Machine) {
        machine.history = self.history;
        machine.noted = self.noted;
        machine.indexed = self.indexed;
        machine.explained_indices = self.explained_indices;
        machine.latest = self.latest;
        machine.telling = self.telling;
        machine.swept = self.swept;
        machine.source = self.source;
        machine.sources.truncate(self.sources);
        machine.wonder = self.wonder;
        machine.ungraded = self.ungraded;
        machine.echoes = self.echoes;
    }
}
