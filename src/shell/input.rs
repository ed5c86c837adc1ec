//! What becomes of one input: a command is run, a program evaluated.

use crate::interrupt::Evaluating;
use crate::shell::Setting;
use crate::{Ended, Shell, commands, mistaken_input};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use vjp_eval::{Event, Fault, Help, Machine, Manner};
use vjp_report::Stream;
use vjp_session::notebook;
use vjp_syntax::ast::{Stmt, StmtKind};
use vjp_syntax::{Mode, reindent};
use vjp_tensor::clock::Instant;
use vjp_tensor::{Fact, Kind};
use vjp_text::words::count;
use vjp_text::{Source, lines, paste};

/// The commands of an input of several lines, each alone, and the program between two of them.
pub fn parts<'a>(typed: &'a str, machine: &Machine) -> Vec<&'a str> {
    let command = |text: &str| {
        let asks = text.starts_with([':', '?']) || text.ends_with('?');
        asks && commands::spoken(text, machine).is_some()
    };
    if !typed.contains('\n') || !typed.lines().any(|line| command(line.trim_end())) {
        return vec![typed];
    }
    let (mut all, mut begun, mut at) = (Vec::new(), 0, 0);
    for input in lines::inputs(typed) {
        let end = at + input.end;
        if command(input.text.trim_end()) {
            let start = at + input.lead.len();
            all.extend([&typed[begun..start], input.text.trim_end()]);
            begun = end;
        }
        at = end;
    }
    all.push(&typed[begun..]);
    all.retain(|part| !part.trim().is_empty());
    all
}

/// How many statements of an input come after the one that failed.
fn not_run(source: &Source, mode: Mode, fault: &Fault) -> Option<Help> {
    let program = vjp_syntax::parse(source, mode).ok()?;
    let at = |s: &&Stmt| s.span.start <= fault.span.start && fault.span.start < s.span.end;
    let failed = program.body.iter().find(at).filter(|_| fault.source.id() == source.id())?;
    // Where a function failed, the statement that called it is not known here.
    let known = !matches!(failed.kind, StmtKind::Def { .. } | StmtKind::Class { .. });
    let behind = |s: &&Stmt| source.line_of(s.span.start) > source.line_of(failed.span.end);
    let left = program.body.iter().filter(behind).count();
    (known && left > 0).then(|| Help {
        code: String::new(),
        says: format!("{} after it did not run", count(left, "statement")),
    })
}

impl Shell {
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
        let (mut ended, mut recorded) = (Ended::Well, false);
        for part in parts(typed, &self.machine) {
            let (how, kept) = match commands::spoken(part, &self.machine) {
                Some(command) => commands::run(self, &command, part),
                None => (self.code(part, typed.trim_end().contains('\n')), true),
            };
            (ended, recorded) = (how, recorded || kept);
            if ended != Ended::Well || self.leaving {
                break;
            }
        }
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

    /// Runs the program of an input. `lines`: the input has several.
    fn code(&mut self, text: &str, lines: bool) -> Ended {
        self.unsaved += 1;
        if self.view.jupyter {
            self.view.in_cell = true;
            let ended = self.program(&notebook::cell_code(text), Manner::Cell);
            self.view.in_cell = false;
            return ended;
        }
        self.program(text, if lines { Manner::Block } else { Manner::Line })
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
                    fault.help.extend(not_run(&source, mode, fault));
                } else if let Event::Error(fault) = &mut event
                    && let Some(help) = mistaken_input::command(text, fault)
                {
                    fault.help = vec![help];
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
        if message == "True" {
            return Ended::Left(1);
        }
        match message.parse::<i64>() {
            Ok(status) => Ended::Left(status as u8),
            Err(_) => {
                self.view.screen.print(Stream::Err, &format!("{message}\n"));
                Ended::Failed
            }
        }
    }
}
