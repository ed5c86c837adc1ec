//! A running session: inputs go in, events go to the view, commands do the rest.

use super::commands;
use super::screen::Origin;
use super::view::{Face, View};
use crate::cli::options::Common;
use crate::interrupt::Evaluating;
use crate::mistaken_input;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};
use vjp_eval::language::machine::{Machine, Manner, Options, Telling};
use vjp_eval::record::event::{Backward, Event, Fault, Help};
use vjp_report::{Stream, Style};
use vjp_session::marking::diagnosis::{Diagnosis, Question};
use vjp_session::replay::{Player, Role};
use vjp_session::save::Stamp;
use vjp_session::transcript::{Step, Transcript};
use vjp_syntax::{Mode, reindent};
use vjp_tensor::budget;
use vjp_tensor::complaint::{Fact, Kind};
use vjp_text::paste;
use vjp_text::source::Source;

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
            leaving: false,
            interactive: false,
            mended: None,
            offered: None,
            warned: false,
            pace: None,
        }
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
        self.view.hidden = false;
        self.view.set_digits(None);
        self.timing = false;
    }

    /// Evaluates one input as if typed: a command, or a program that echoes as its form asks for.
    pub fn input(&mut self, text: &str) -> (Ended, Vec<String>) {
        let meant = match self.setting {
            Setting::Live => self.as_meant(text),
            // A session file holds what was evaluated.
            Setting::Replayed => text.into(),
        };
        let typed = meant.trim_end_matches('\n');
        if typed.trim().is_empty() {
            return (Ended::Well, self.view.finish(typed, self.setting == Setting::Replayed));
        }
        self.view.offers.clear();
        let (begun, stopped) = (Instant::now(), self.stopped);
        let (ended, recorded) = match commands::spoken(typed, &self.machine) {
            Some(command) => commands::run(self, &command, typed),
            None => {
                let manner = match typed.trim_end().contains('\n') {
                    true => Manner::Block,
                    false => Manner::Line,
                };
                self.unsaved += 1;
                (self.program(typed, manner), true)
            }
        };
        self.view.end_of_input();
        if recorded {
            self.last_time = begun.elapsed();
            self.warned = false;
        }
        let output = self.view.finish(typed, recorded && self.stopped == stopped);
        if self.timing && recorded {
            self.tell_time();
        }
        self.view.screen.flush();
        (ended, output)
    }

    /// A pasted text without the prompts and magics that were copied along, with a note of it.
    pub(super) fn as_meant<'a>(&mut self, text: &'a str) -> Cow<'a, str> {
        match paste::repair(text) {
            None => text.into(),
            Some(repaired) => {
                self.paste_note(&repaired.note);
                repaired.text.into()
            }
        }
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

    /// Evaluates a program; its events go to the view. An internal error is reported as one, and the
    /// session goes on with the state before.
    pub fn program(&mut self, text: &str, manner: Manner) -> Ended {
        let source = Source::new(text);
        let listening = Evaluating::begin(self.common.time_limit);
        let mode = Mode { strict: self.machine.strict() };
        let mut mended = None;
        let interactive = self.interactive;
        let (machine, view) = (&mut self.machine, &mut self.view);
        let result = catch_unwind(AssertUnwindSafe(|| {
            machine.run(&source, manner, &mut |mut event| {
                if let Event::Error(fault) = &mut event
                    && manner != Manner::Program
                {
                    if fault.fact == Fact::NoBlock {
                        mended = reindent::indented(text, mode);
                        fault.help.extend(mended.is_some().then(|| Help {
                            code: ":fix".into(),
                            says: "indents it for you".into(),
                        }));
                    } else if let Some(help) = mistaken_input::help(text, fault) {
                        fault.help = vec![help];
                    }
                }
                if interactive {
                    view.refit();
                }
                view.event(event);
            })
        }));
        self.mended = mended;
        drop(listening);
        if let Ok(Err(fault)) = &result
            && matches!(fault.kind, Kind::Interrupted | Kind::OutOfTime)
        {
            self.stopped += 1;
        }
        match result {
            Ok(Ok(())) => Ended::Well,
            Ok(Err(fault)) if fault.kind == Kind::Interrupted => Ended::Interrupted,
            Ok(Err(fault)) if fault.kind == Kind::SystemExit => self.leave(&fault.message),
            Ok(Err(_)) => Ended::Failed,
            Err(_) => {
                self.machine.recover();
                self.defect(
                    &source,
                    "this is a bug in vjp, not in your program; the input was undone",
                );
                Ended::Failed
            }
        }
    }

    /// `sys.exit(…)` as in Python: a number is the status, its last eight bits; a text is printed.
    fn leave(&mut self, message: &str) -> Ended {
        self.leaving = true;
        if let "" | "0" | "None" | "False" = message {
            return Ended::Well;
        }
        match message.parse::<i64>() {
            Ok(status) => Ended::Left(status as u8),
            Err(_) => {
                self.view.screen.print(Stream::Err, &format!("{message}\n"));
                Ended::Failed
            }
        }
    }

    /// Shows that we, not the program, failed.
    pub(super) fn defect(&mut self, source: &Source, says: &str) {
        let details = super::panic::taken().unwrap_or_default();
        let fault = super::fault::of_command(
            source,
            Kind::Internal,
            format!("internal error: {details}"),
            says,
        );
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
    machine
}

/// Options that change what programs mean, as the first inputs of a session file.
pub fn preset(common: &Common) -> Transcript {
    let default = Common::default();
    let mut inputs = Vec::new();
    if common.strict != default.strict {
        inputs.push(":set strict on".to_owned());
    }
    if common.dtype != default.dtype {
        inputs.push(format!(":set dtype {}", common.dtype.name()));
    }
    let steps = inputs.into_iter().map(|input| Step { input: vec![input], ..Step::default() });
    Transcript { steps: steps.collect(), tail: Vec::new() }
}

/// `0.3 ms`, `2.41 s`.
fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

impl Player for Shell {
    fn restart(&mut self) {
        self.forget();
        self.setting = Setting::Replayed;
        self.view.screen.origin = Origin::Session;
    }

    fn play(&mut self, input: &str, shown: bool) -> io::Result<Vec<String>> {
        self.view.muted = !shown;
        let (ended, output) = self.input(input);
        if shown {
            self.view.screen.fresh_line();
        }
        match ended {
            Ended::Interrupted => Err(io::ErrorKind::Interrupted.into()),
            _ => Ok(output),
        }
    }

    fn backward(&self) -> Option<Rc<Backward>> {
        self.view.backward(1)
    }

    fn diagnose(&mut self, question: &Question<'_>) -> Option<Diagnosis> {
        crate::commands::marking::diagnose(self, question)
    }

    fn reveal(&mut self) -> io::Result<()> {
        self.view.reveal();
        Ok(())
    }

    fn line(&mut self, line: &str, role: Role) -> io::Result<()> {
        if self.view.face != Face::Json {
            let mut text = self.painted(line, role);
            match (self.pace, role) {
                (Some(pace), Role::Input | Role::Waiting) => {
                    crate::cli::typing::write(&mut self.view.screen, &text, pace)?;
                }
                _ => self.view.screen.paint(Stream::Out, text.push("\n")),
            }
        }
        Ok(())
    }
}
