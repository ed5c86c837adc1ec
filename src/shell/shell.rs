//! A running session: its machine, its view, and what it remembers between inputs.

use super::view::{Face, View};
use crate::screen;
use crate::session_options::Common;
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;
use vjp_eval::language::machine::Telling;
use vjp_eval::library::prelude;
use vjp_eval::{Event, Fault, Machine, Options, Value};
use vjp_report::{Stream, Style};
use vjp_session::save::Stamp;
use vjp_session::{Step, Transcript, notebook};
use vjp_tensor::{Kind, budget};
use vjp_text::{Source, Symbol};

/// How an input ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Well,
    Failed,
    Interrupted,
    /// `sys.exit` with a status that is not 0.
    Left(u8),
}

/// Where commands may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A person, or a pipe in a person's stead: every command works.
    Live,
    /// A session file plays: commands that touch files or end the session are only shown.
    Replayed,
}

pub struct Shell {
    pub(super) machine: Machine,
    pub view: View,
    pub(super) common: Common,
    pub(super) setting: Setting,
    /// Files this session read or wrote, and what they held then.
    pub(super) files: HashMap<PathBuf, Stamp>,
    pub(super) timing: bool,
    /// `:set preview`: what a line would give is shown while it is typed.
    pub(super) previews: bool,
    pub(super) last_time: Duration,
    /// Inputs since the last save.
    pub(super) unsaved: usize,
    /// Inputs since the last save that Ctrl-C or the time limit stopped: replayed, they would never end,
    /// and they changed nothing, so no session keeps them.
    pub(super) stopped: usize,
    /// Commands in a file that is loaded, which were shown and not carried out.
    pub(super) skipped: Vec<String>,
    /// `:quit` was asked for.
    pub(super) leaving: bool,
    /// A person sits at a terminal.
    pub(super) interactive: bool,
    /// The last input, where its blocks could be given back their indentation.
    pub(super) mended: Option<String>,
    /// What the next prompt holds already.
    pub(super) offered: Option<String>,
    /// Leaving without saving was warned of, just before.
    pub(super) warned: bool,
    /// Replayed inputs are typed out: the time of a character.
    pub(super) pace: Option<Duration>,
}

impl Shell {
    pub fn new(common: Common, face: Face, style: Style) -> Shell {
        budget::set_memory_limit(common.memory.unwrap_or(budget::DEFAULT_LIMIT));
        Shell {
            machine: machine(&common, face),
            view: View::new(face, style),
            common,
            setting: Setting::Live,
            files: HashMap::new(),
            timing: false,
            previews: true,
            last_time: Duration::ZERO,
            unsaved: 0,
            stopped: 0,
            skipped: Vec::new(),
            leaving: false,
            interactive: false,
            mended: None,
            offered: None,
            warned: false,
            pace: None,
        }
    }

    /// On the standard streams, drawn as the terminal and the options ask for.
    pub fn standard(common: &Common, face: Face) -> Shell {
        Shell::new(common.clone(), face, screen::style(common))
    }

    /// Keeps history for `:save` and `:undo`.
    pub fn keep_history(&mut self) {
        self.view.start_record(preset(&self.common));
        self.machine.keep_history(true);
    }

    /// Forgets everything, also what was recorded.
    pub(super) fn forget(&mut self) {
        self.machine = machine(&self.common, self.view.face);
        self.machine.keep_history(true);
        budget::set_memory_limit(self.common.memory.unwrap_or(budget::DEFAULT_LIMIT));
        self.view.start_record(preset(&self.common));
        self.view.panels = true;
        self.view.notes = true;
        self.view.jupyter = self.common.jupyter;
        self.view.set_digits(None);
        self.timing = false;
    }

    /// A note about the text itself: no output of the program, so no session keeps it.
    pub(super) fn paste_note(&mut self, note: &str) {
        if self.view.face == Face::Drawn {
            self.view.screen.write(Stream::Err, &format!("note  {note}\n"));
        }
    }

    pub(super) fn tell_time(&mut self) {
        let text = format!("{}\n", duration(self.last_time));
        self.view.aside(&text);
    }

    /// Shows that we, not the program, failed; or that there was no memory or time: an array that was
    /// refused is empty, and what reads it fails before anybody asks.
    pub(super) fn defect(&mut self, source: &Source, says: &str) {
        let details = super::panic::taken().unwrap_or_default();
        let fault = match budget::refused() {
            Ok(()) => {
                let message = format!("internal error: {details}");
                super::fault::of_command(source, Kind::Internal, message, says)
            }
            Err(refusal) => super::fault::of_command(
                source,
                refusal.kind,
                refusal.message,
                &refusal.hint.unwrap_or_default(),
            ),
        };
        self.view.event(Event::Error(Box::new(fault)));
    }

    /// Tells of a command that failed.
    pub(super) fn complain(&mut self, fault: Fault) {
        self.view.event(Event::Error(Box::new(fault)));
    }
}

/// A machine as the options ask for.
fn machine(common: &Common, face: Face) -> Machine {
    let mut machine = vjp_tutor::machine(Options { strict: common.strict, dtype: common.dtype });
    machine.telling = match face {
        Face::Plain => Telling::Nothing,
        Face::Drawn => Telling::Panels,
        Face::Json => Telling::Everything,
    };
    if common.jupyter {
        cells(&mut machine, true);
    }
    machine
}

/// In a notebook `display` shows what a cell shows; elsewhere it prints.
pub(super) fn cells(machine: &mut Machine, on: bool) {
    let own = |name| prelude::get("IPython.display", Symbol::new(name));
    if let Some(Value::List(list)) = own("_cells")
        && let Ok(mut items) = list.written()
    {
        items.iter_mut().for_each(|item| *item = Value::Bool(on));
    }
    if let Some(display) = own("display").filter(|_| on) {
        machine.bind("display", display);
    }
}

/// Options that change what programs mean, as the first inputs of a session file.
pub fn preset(common: &Common) -> Transcript {
    let default = Common::default();
    let mut inputs = Vec::new();
    if common.jupyter {
        inputs.push(notebook::SETTING.to_owned());
    }
    if common.strict != default.strict && !common.jupyter {
        inputs.push(":set strict on".to_owned());
    }
    if common.dtype != default.dtype && !common.jupyter {
        inputs.push(format!(":set dtype {}", common.dtype.name()));
    }
    let steps = inputs.into_iter().map(|input| Step { input: vec![input], ..Step::default() });
    Transcript { steps: steps.collect(), tail: Vec::new() }
}

/// `0.3 ms`, `2.41 s`.
pub(super) fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 1e-4 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
