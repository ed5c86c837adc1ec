//! Something is run, and then everything is as it was.

use super::held::{Echoes, History, Snapshot};
use super::held::{Latest, Wonder};
use crate::Machine;
use crate::language::machine::Telling;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::time::Duration;
use vjp_maths::Variable;
use vjp_maths::autodiff::ancestors;
use vjp_tensor::budget::{self, Limits};
use vjp_tensor::clock::Instant;
use vjp_text::{QuickMap, Source};

/// So long a glance may take; what takes longer gives nothing.
const TIME: Duration = Duration::from_millis(8);
/// Of which copying the state may take so much: putting it back takes as long again.
const COPYING: Duration = Duration::from_millis(2);
/// What it may hold beside the state.
const MEMORY: usize = 32 << 20;

impl Machine {
    /// Runs `body`; then everything is as before.
    pub fn tried<T>(&mut self, body: impl FnOnce(&mut Machine, &History) -> T) -> T {
        let now = Snapshot::take(self);
        let telling = std::mem::replace(&mut self.telling, Telling::Nothing);
        let noted = self.noted.clone();
        let (indices, trying) = ((self.indexed, self.explained_indices), self.trying);
        let past = self.history.aside();
        let sources = self.sources.len();
        let found = catch_unwind(AssertUnwindSafe(|| body(self, &past)));
        self.sources.truncate(sources);
        self.history = past;
        self.noted = noted;
        ((self.indexed, self.explained_indices), self.trying) = (indices, trying);
        self.telling = telling;
        now.restore(self);
        found.unwrap_or_else(|defect| resume_unwind(defect))
    }

    /// What `body` finds under tight limits since `begun`; names, values, gradients, graph, random numbers
    /// and notes are as before, whatever happens. None where it fails, takes long, or where its effects
    /// could not be taken back; `calls`: it may run a sweep.
    pub fn glanced<T>(
        &mut self,
        begun: Instant,
        calls: bool,
        body: impl FnOnce(&mut Machine) -> Option<T>,
    ) -> Option<T> {
        let state = Snapshot::take(self);
        if !state.whole() {
            return None;
        }
        let graph = match calls || !state.plain() {
            true => Some(ancestors::Moment::above(state.variables())?),
            false => None,
        };
        if begun.elapsed() > COPYING {
            return None;
        }
        let kept = Kept::take(self);
        let memory = budget::memory_limit().min(budget::in_use() + MEMORY);
        let limits = Limits::new(Some(begun + TIME), memory);
        self.trying = true;
        let outcome = catch_unwind(AssertUnwindSafe(|| body(self)));
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
}

/// What a run changes in the machine beside what a snapshot holds.
struct Kept {
    history: History,
    noted: HashSet<&'static str>,
    indexed: bool,
    explained_indices: bool,
    latest: Option<Rc<Latest>>,
    telling: Telling,
    swept: QuickMap<(u32, u32), usize>,
    source: Source,
    sources: usize,
    wonder: Option<Wonder>,
    ungraded: Option<Variable>,
    echoes: Echoes,
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
