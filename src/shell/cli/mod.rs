//! The command line: what was asked for is done, and the status says how it went.

mod cast;
mod class_folder;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod kernel;
pub(crate) mod man;
pub(crate) mod option_values;
pub mod options;
pub(crate) mod page;
pub mod pipe;
pub(crate) mod replay_check;
pub(crate) mod sheets;
pub(crate) mod status;
pub mod usage;

use super::screen::Origin;
use super::shell::{Ended, Shell};
use super::view::Face;
use super::{keys, panic, screen};
use crate::cli::option_values::To;
use crate::cli::options::{Replay, Task};
use crate::cli::status::{FAILED, INTERRUPTED, Usage, WRONG_USAGE, each, status};
use crate::interrupt;
use crate::prompt::repl;
use crate::replay::step_mode;
use crate::session_options::Common;
use anyhow::{Context, Result, anyhow};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use vjp_eval::{Manner, Options};
use vjp_report::terminal;
use vjp_report::terminal::line::narrowed;
use vjp_report::terminal::style::WIDTH;
use vjp_session::presenting::{presenter, step};
use vjp_session::reading::{self, ReadError};
use vjp_session::save::{self, Former, Stamp};
use vjp_session::{notebook, program, replay, transcript};
use vjp_tensor::budget;
use vjp_text::{did_you_mean, lines, visible};

/// Stack of the one thread that works: nested programs and calls need it, and it is only reserved.
const STACKS: [usize; 3] = [1 << 30, 1 << 28, 1 << 26];

/// Runs the program `vjp`.
pub fn main() -> ExitCode {
    on_a_large_stack(work)
}

/// Runs a program on a thread whose stack is large, its library ready.
pub fn on_a_large_stack(work: fn() -> u8) -> ExitCode {
    panic::quiet();
    for size in STACKS {
        let thread = std::thread::Builder::new().stack_size(size);
        if let Ok(worker) = thread.spawn(move || {
            let _over = screen::Over;
            vjp_tensor::budget::settle(size);
            vjp_library::begin();
            let status = work();
            let _ = io::stdout().flush();
            // What is held goes back to the system at once, not piece by piece.
            signal_hook::low_level::exit(status.into());
        }) {
            screen::attend();
            return ExitCode::from(worker.join().unwrap_or(FAILED));
        }
    }
    complain("not enough memory for the stack", "ulimit -v may be too small");
    ExitCode::from(FAILED)
}

fn work() -> u8 {
    let (task, common) = match options::parse(std::env::args_os().skip(1)) {
        Ok(parsed) => parsed,
        Err(Usage { problem, hint }) => {
            complain(&problem, &hint);
            return WRONG_USAGE;
        }
    };
    budget::set_memory_limit(common.memory.unwrap_or(budget::DEFAULT_LIMIT));
    perform(task, &common).unwrap_or_else(|error| failed(&error))
}

/// Reports why it failed; the status.
fn failed(error: &anyhow::Error) -> u8 {
    if let Some(Usage { problem, hint }) = error.downcast_ref() {
        complain(problem, hint);
        return WRONG_USAGE;
    }
    match error.downcast_ref::<io::Error>().map(io::Error::kind) {
        Some(io::ErrorKind::BrokenPipe) => return 0,
        Some(io::ErrorKind::Interrupted) => return INTERRUPTED,
        _ => {}
    }
    let hard = error.downcast_ref().map(|hard: &sheets::Hard| hard.hint.to_owned());
    let hint = error.downcast_ref().map(ReadError::hint).or(hard).unwrap_or_default();
    complain(&format!("{error:#}"), &hint);
    FAILED
}

/// Reports a problem at the command line.
pub fn complain(problem: &str, hint: &str) {
    let hint = if hint.is_empty() { String::new() } else { format!("\n  help  {hint}") };
    screen::tell(&format!("error  {problem}{hint}\n"));
}

fn perform(task: Task, common: &Common) -> Result<u8> {
    let face = if common.json { Face::Json } else { Face::Drawn };
    match task {
        Task::Help(topic) if common.ascii => say(&terminal::ascii(&usage::help(topic))),
        Task::Help(topic) => say(&usage::help(topic)),
        Task::About(page) if common.ascii => say(&terminal::ascii(&page)),
        Task::About(page) => say(&page),
        Task::Version => say(concat!("vjp ", env!("CARGO_PKG_VERSION"), "\n")),
        Task::Code(code) => code_once(&code, common, face),
        Task::Run { plain, file } => {
            let plain = plain && !common.json;
            let (text, _) = given(&file)?;
            run(&file, &text, common, if plain { Face::Plain } else { face }).map(left)
        }
        Task::Export { format, file, out, force } => {
            let out = out.as_deref().map(|out| (out, force));
            export(&file, format, out, common)
        }
        Task::Page { files, out, engine } => {
            page::run(&files, out.as_deref(), engine.as_deref(), common)
        }
        Task::Kernel => kernel::install(common),
        Task::Completions(shell) => say(&completions::script(shell).unwrap_or_default()),
        Task::Man => say(&man::page()),
        Task::Prompt => prompt(common, face),
        Task::Replay { mode: Replay::Check, files, check, .. } => {
            replay_check::run(&files, &check, common, face)
        }
        Task::Sheet(order) => sheets::run(&order, common, face),
        Task::Replay { mode, files, speed, .. } => {
            each(&files, |file| replay(file, &given(file)?, mode, speed, common, face))
        }
        Task::Files(files) => each(&files, |file| {
            let text = given(file).map_err(|error| unknown(file, error))?;
            match program::is_session(&text.0) {
                true => replay(file, &text, Replay::Show, None, common, face),
                false => run(file, &text.0, common, face).map(|(_, ended)| status(ended)),
            }
        }),
    }
}

/// Writes a help text; a reader that stops early is not an error.
fn say(text: &str) -> Result<u8> {
    io::stdout().write_all(text.as_bytes())?;
    Ok(0)
}

/// The text of a file on the command line; Ctrl-C ends the wait for it.
fn given(file: &Path) -> Result<(String, Stamp)> {
    interrupt::listen(false);
    Ok(reading::argument(file)?)
}

/// A lone word that is not a file was perhaps meant as a command.
fn unknown(file: &Path, error: anyhow::Error) -> anyhow::Error {
    let word = file.to_str().filter(|w| !w.contains(['.', '/']));
    match (word, error.downcast_ref()) {
        (Some(word), Some(missing @ ReadError::Missing(..))) => {
            let hint = match did_you_mean::closest(word, usage::command_names()) {
                Some(near) => format!("did you mean vjp {near}?"),
                None if missing.hint().is_empty() => "vjp --help lists the commands".to_owned(),
                None => missing.hint(),
            };
            Usage::new(format!("there is no command or file {}", visible::visible(word)), hint)
                .into()
        }
        _ => error,
    }
}

/// The status after a program, whose values need not be taken apart where the process ends.
fn left((mut shell, ended): (Shell, Ended)) -> u8 {
    shell.view.screen.flush();
    std::mem::forget(shell);
    status(ended)
}

/// Runs inputs as if typed one after the other, until one fails.
/// The inputs of repeated `-e`: a block's lines are one input, as on a pipe.
fn joined(all: &[String]) -> Vec<String> {
    let mut inputs: Vec<String> = Vec::new();
    for line in all {
        if let Some(last) = inputs.last_mut() {
            let both = format!("{last}\n{line}");
            let first = lines::first_input(&both, true).map(|i| i.text.trim_end().len());
            if first == Some(both.trim_end().len()) && both.trim_end().len() > last.trim_end().len()
            {
                *last = both;
                continue;
            }
        }
        inputs.push(line.clone());
    }
    inputs
}

fn code_once(inputs: &[String], common: &Common, face: Face) -> Result<u8> {
    interrupt::listen(false);
    let mut shell = Shell::standard(common, face);
    shell.view.screen.origin = Origin::Keyboard;
    // What a failed statement changed is put back before it is shown.
    shell.keep_history();
    let mut ended = Ended::Well;
    let inputs = joined(inputs);
    for input in &inputs {
        ended = shell.input(input).0;
        if !matches!(ended, Ended::Well) || shell.leaving {
            break;
        }
    }
    Ok(left((shell, ended)))
}

fn run(file: &Path, text: &str, common: &Common, face: Face) -> Result<(Shell, Ended)> {
    if transcript::is_session(text) && !notebook::is_notebook(text) {
        let name = reading::called(file);
        let hint = format!("vjp replay {}", visible::name(file));
        let problem = format!("{name} is a session file, not a program");
        return Err(Usage::new(problem, hint).into());
    }
    let cells = notebook::is_notebook(text).then(|| notebook::program(text));
    let cells = cells.transpose().with_context(|| reading::called(file))?;
    let exact = common.of_cells();
    let mut shell = Shell::standard(if cells.is_some() { &exact } else { common }, face);
    let text = shell.as_meant(cells.as_deref().unwrap_or(text));
    if file != Path::new("-") {
        let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        shell.machine.file = Some(whole.display().to_string());
    }
    let ended = shell.program(&text, Manner::Program);
    shell.view.end_of_input();
    Ok((shell, ended))
}

/// The session as a program, within the limits.
fn program_of(
    text: &str,
    file: &Path,
    format: vjp_export::Format,
    options: Options,
    common: &Common,
) -> Result<String, vjp_export::Refusal> {
    let _limits = interrupt::Evaluating::begin(common.time_limit);
    vjp_export::export(text, &title(file), format, options)
}

fn export(file: &Path, to: To, out: Option<(&Path, bool)>, common: &Common) -> Result<u8> {
    let (text, _) = given(file)?;
    if let Some((out, false)) = out
        && is_foreign(out)
    {
        let name = visible::name(out);
        let hint = "--force replaces it and keeps the old file";
        complain(&format!("{name} was not written by vjp export"), hint);
        return Ok(FAILED);
    }
    let options = Options { strict: common.strict, dtype: common.dtype };
    let program = match to {
        To::Notebook => exported_notebook(file, &text, common)?,
        To::Program(format) => match program_of(&text, file, format, options, common) {
            Ok(program) => program,
            Err(_) if interrupt::heard() => return Ok(INTERRUPTED),
            Err(refusal) => {
                complain(&format!("{}, {refusal}", reading::called(file)), &refusal.hint);
                return Ok(FAILED);
            }
        },
    };
    let Some((out, _)) = out else {
        return say(&program);
    };
    if let Some(older) = save::save(out, program.as_bytes(), Former::Unknown)?.kept {
        screen::tell(&format!("note  the old file is kept as {}\n", visible::name(&older)));
    }
    Ok(0)
}

/// The session with what it shows now, as a notebook. A program under `--strict` is one for Jupyter: a cell for
/// each paragraph, and below it what Jupyter shows.
fn exported_notebook(file: &Path, text: &str, common: &Common) -> Result<String> {
    let (mut session, is_session) = program::read(text).with_context(|| reading::called(file))?;
    if !is_session && common.strict {
        session = notebook::of_program(session);
    }
    let mut shell = Shell::standard(common, Face::Drawn);
    shell.keep_history();
    shell.view.screen.join();
    let now = replay::bless(&session, &mut shell)?.transcript;
    Ok(notebook::write(&now))
}

/// Whether a file holds something else than an exported program; saving reports what it cannot replace.
fn is_foreign(out: &Path) -> bool {
    match reading::text(out) {
        Ok((text, _)) => {
            !text.is_empty() && !vjp_export::is_exported(&text) && !notebook::is_ours(&text)
        }
        Err(ReadError::Missing(..) | ReadError::NotAFile(..)) => false,
        Err(_) => true,
    }
}

fn prompt(common: &Common, face: Face) -> Result<u8> {
    let mut shell = Shell::standard(common, face);
    shell.keep_history();
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        interrupt::listen(true);
        shell.view.screen.origin = Origin::Keyboard;
        if let Some(path) = config::locate() {
            let wrong = config::apply(&mut shell, &path, &common.given);
            let width = screen::columns().unwrap_or(WIDTH);
            wrong.iter().for_each(|w| screen::tell(&narrowed(&format!("error  {w}\n"), width)));
        }
        repl::run(&mut shell)?;
        return Ok(0);
    }
    interrupt::listen(false);
    Ok(status(pipe::run(&mut shell)?))
}

/// A file's name without its folder.
fn title(file: &Path) -> String {
    reading::called(Path::new(file.file_name().unwrap_or_default()))
}

fn replay(
    file: &Path,
    (text, stamp): &(String, Stamp),
    mode: Replay,
    speed: Option<f64>,
    common: &Common,
    face: Face,
) -> Result<u8> {
    let name = reading::called(file);
    let (mut transcript, is_session) = program::read(text).with_context(|| name.clone())?;
    let exact = common.of_cells();
    let common = if notebook::without_setting(&mut transcript) { &exact } else { common };
    if mode == Replay::Bless && transcript.steps.is_empty() {
        return Err(anyhow!("{name} has no inputs to bless"));
    }
    if mode == Replay::Cast {
        cast::write(&transcript, &title(file), speed, common, &mut io::stdout().lock())?;
        return Ok(0);
    }
    let mut shell = Shell::standard(common, face);
    shell.keep_history();
    shell.view.screen.join();
    shell.pace = speed.map(step_mode::pace);
    match mode {
        Replay::Show | Replay::Check | Replay::Cast => replay::show(&transcript, &mut shell)?,
        Replay::Step => {
            let title = title(file);
            if face == Face::Drawn && screen::whole() {
                // Ctrl-C stops an input, never the lesson.
                interrupt::listen(true);
                let mut podium = step_mode::Podium::new(&mut shell, speed)?;
                presenter::present(&transcript, &title, &mut podium, speed.is_some())?;
            } else {
                step::step(&transcript, &title, &mut shell, &mut *keys::keyboard())?;
            }
        }
        Replay::Bless => {
            let blessed = replay::bless(&transcript, &mut shell)?;
            let contents = match notebook::is_notebook(text) {
                true => notebook::with_outputs(text, &blessed.transcript)?,
                false => blessed.transcript.to_string(),
            };
            // Rewritten outputs are what was asked for, but for a student's answers.
            let former = match is_session && blessed.answers == 0 {
                true => Former::Known(stamp),
                false => Former::Kept(stamp),
            };
            let kept = match contents == *text {
                true => None,
                false => save::save(file, contents.as_bytes(), former)?.kept,
            };
            shell.view.muted = false;
            shell.view.aside(&replay_check::blessed(&name, is_session, &blessed, kept.as_deref()));
            if !blessed.unfit.is_empty() || !blessed.unread.is_empty() {
                shell.view.screen.flush();
                return Ok(FAILED);
            }
        }
    }
    shell.view.screen.flush();
    Ok(0)
}
