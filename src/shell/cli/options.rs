//! The command line as data: the task with its options, and every usage error.

use super::completions::SHELLS;
use super::option_values::{To, color, dtype, format, memory, seconds, seed, speed, text};
use super::replay_check::Check;
use super::sheets::{self, Order};
use super::status::Usage;
use super::usage;
use crate::help;
use crate::session_options::Common;
use lexopt::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;
use vjp_session::reading;
use vjp_text::did_you_mean;
use vjp_text::visible::visible;

/// What to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// What the prompt's `:help` says of a word.
    About(String),
    /// The prompt, or its likeness on a pipe.
    Prompt,
    /// `vjp FILE…`: each file by what it is.
    Files(Vec<PathBuf>),
    Replay {
        mode: Replay,
        files: Vec<PathBuf>,
        check: Check,
        /// Characters per second as inputs are typed out.
        speed: Option<f64>,
    },
    Sheet(Order),
    Run {
        plain: bool,
        file: PathBuf,
    },
    Code(Vec<String>),
    Export {
        format: To,
        file: PathBuf,
        out: Option<PathBuf>,
        force: bool,
    },
    /// Sessions as pages for a browser.
    Page {
        files: Vec<PathBuf>,
        out: Option<PathBuf>,
        engine: Option<PathBuf>,
    },
    /// Jupyter learns how to start the kernel.
    Kernel,
    /// What a shell needs to complete our words.
    Completions(&'static str),
    Man,
    /// Help that was asked for: the text of a command, or of all.
    Help(Option<&'static str>),
    Version,
}

/// What `vjp replay` does with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replay {
    Show,
    Step,
    Check,
    Bless,
    Cast,
}

/// What was gathered before it is known to make sense.
#[derive(Default)]
struct Gathered {
    common: Common,
    command: Option<&'static str>,
    plain: bool,
    replay: Vec<(&'static str, Replay)>,
    check: Check,
    seed: Option<u64>,
    students: Option<PathBuf>,
    solutions: bool,
    speed: Option<f64>,
    code: Vec<String>,
    to: Option<To>,
    out: Option<PathBuf>,
    force: bool,
    engine: Option<PathBuf>,
    help: bool,
    version: bool,
    words: Vec<OsString>,
}

/// Reads the arguments after the program's name.
///
/// # Errors
/// A wrong command line, with a hint.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<(Task, Common), Usage> {
    let mut parser = lexopt::Parser::from_args(args);
    let mut all = Gathered::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => all.help = true,
            Short('V') | Long("version") => all.version = true,
            Short('e') => {
                let code = text(parser.value()?)?;
                all.code.push(code);
            }
            Long("strict") => {
                all.common.strict = true;
                all.common.given.push("strict");
            }
            Long("json") => all.common.json = true,
            Long("ascii") => {
                all.common.ascii = true;
                all.common.given.push("ascii");
            }
            Long("dtype") => {
                all.common.dtype = dtype(&text(parser.value()?)?)?;
                all.common.given.push("dtype");
            }
            Long("color") => {
                all.common.color = color(&text(parser.value()?)?)?;
                all.common.given.push("color");
            }
            Long("time-limit") => all.common.time_limit = Some(seconds(&text(parser.value()?)?)?),
            Long("memory") => {
                all.common.memory = Some(memory(&text(parser.value()?)?)?);
                all.common.given.push("memory");
            }
            Long("plain") => all.plain = true,
            Long("to") => all.to = Some(format(&text(parser.value()?)?)?),
            Long("force") => all.force = true,
            Long("engine") => all.engine = Some(parser.value()?.into()),
            Short('o') => all.out = Some(parser.value()?.into()),
            Long("step") => all.replay.push(("--step", Replay::Step)),
            Long("check") => all.replay.push(("--check", Replay::Check)),
            Long("bless") => all.replay.push(("--bless", Replay::Bless)),
            Long("cast") => all.replay.push(("--cast", Replay::Cast)),
            Long("sheet") => all.check.sheet = Some(parser.value()?.into()),
            Long("csv") => all.check.csv = true,
            Long("hint") => all.check.hint = true,
            Long("seed") => all.seed = Some(seed(&text(parser.value()?)?)?),
            Long("students") => all.students = Some(parser.value()?.into()),
            Long("solutions") => all.solutions = true,
            Long("speed") => all.speed = Some(speed(&text(parser.value()?)?)?),
            Value(word) if all.command.is_none() && all.words.is_empty() => {
                match word.to_str().and_then(usage::command) {
                    Some(command) => all.command = Some(command),
                    None => all.words.push(word),
                }
            }
            Value(word) => all.words.push(word),
            Long(name) => return Err(unknown_option(name)),
            Short(letter) => {
                return Err(Usage::new(
                    format!("there is no option -{letter}"),
                    "vjp --help lists commands and options",
                ));
            }
        }
    }
    let common = all.common.clone();
    Ok((task(all)?, common))
}

/// `vjp help WORD`, or `vjp WORD --help`.
fn help(word: &str) -> Result<Task, Usage> {
    let command = usage::command(word).map(|command| Task::Help(Some(command)));
    let page = || help::about(word).map(Task::About);
    command.or_else(page).ok_or_else(|| {
        let hint = match did_you_mean::closest(word, usage::command_names()) {
            Some(near) => format!("did you mean vjp help {near}?"),
            None => "vjp --help lists commands and options".into(),
        };
        Usage::new(format!("there is no help on {}", visible(word)), hint)
    })
}

fn unknown_option(name: &str) -> Usage {
    let known = usage::option_names();
    let close = did_you_mean::closest(name, known);
    Usage::new(
        format!("there is no option --{name}"),
        match close {
            Some(near) => format!("did you mean --{near}?"),
            None => "vjp --help lists commands and options".into(),
        },
    )
}

fn task(all: Gathered) -> Result<Task, Usage> {
    if all.help || all.command == Some("help") {
        let command = all.command.filter(|c| *c != "help");
        return match all.words.first().filter(|_| command.is_none()) {
            None => Ok(Task::Help(command)),
            Some(word) => help(&word.to_string_lossy()),
        };
    }
    if all.version {
        return Ok(Task::Version);
    }
    if all.plain && all.command != Some("run") {
        return Err(Usage::new("--plain works only with run", "vjp run --plain FILE"));
    }
    if let Some((flag, _)) = all.replay.first()
        && all.command != Some("replay")
    {
        return Err(Usage::new(
            format!("{flag} works only with replay"),
            format!("vjp replay {flag} FILE"),
        ));
    }
    if all.to.is_some() && all.command != Some("export") {
        return Err(Usage::new("--to works only with export", "vjp export --to torch FILE"));
    }
    if all.out.is_some() && !matches!(all.command, Some("export" | "sheet" | "page")) {
        return Err(Usage::new(
            "-o works only with export, sheet and page",
            "vjp export --to torch FILE -o OUT",
        ));
    }
    if all.engine.is_some() && all.command != Some("page") {
        let hint = "vjp page --engine ENGINE FILE -o OUT.html";
        return Err(Usage::new("--engine works only with page", hint));
    }
    let sheet = [
        (all.seed.is_some(), "--seed"),
        (all.students.is_some(), "--students"),
        (all.solutions, "--solutions"),
    ];
    if let Some((_, flag)) = sheet.iter().find(|(given, _)| *given)
        && all.command != Some("sheet")
    {
        return Err(Usage::new(format!("{flag} works only with sheet"), sheets::EXAMPLE));
    }
    if all.force && (all.out.is_none() || all.command != Some("export")) {
        return Err(Usage::new(
            "--force works only with export -o",
            "vjp export --to torch FILE -o OUT --force",
        ));
    }
    let mode = all.replay.first().map_or(Replay::Show, |(_, mode)| *mode);
    let check = [
        (all.check.sheet.is_some(), "--sheet", "--sheet SHEET"),
        (all.check.csv, "--csv", "--csv"),
        (all.check.hint, "--hint", "--hint"),
    ];
    if let Some((_, flag, spelled)) = check.iter().find(|(given, ..)| *given)
        && mode != Replay::Check
    {
        return Err(Usage::new(
            format!("{flag} works only with replay --check"),
            format!("vjp replay --check {spelled} FILE…"),
        ));
    }
    if all.check.csv && all.common.json {
        return Err(Usage::new("--csv and --json cannot be combined", "use one of them"));
    }
    let shows = all.command == Some("replay") && !matches!(mode, Replay::Check | Replay::Bless);
    if all.speed.is_some() && !shows {
        return Err(Usage::new(
            "--speed works only with replay, alone, with --step or with --cast",
            "vjp replay --step --speed 20 FILE",
        ));
    }
    if let [(one, _), (two, _), ..] = all.replay[..]
        && one != two
    {
        return Err(Usage::new(format!("{one} and {two} cannot be combined"), "use one of them"));
    }
    if !all.code.is_empty() {
        return match all.command.is_none() && all.words.is_empty() {
            true => Ok(Task::Code(all.code)),
            false => Err(Usage::new(
                "-e takes one argument",
                "quote the code: vjp -e \"x = [1, 2]; y = 3*x^2\"",
            )),
        };
    }
    let mut files: Vec<PathBuf> = all.words.into_iter().map(PathBuf::from).collect();
    let needs_file = match mode {
        Replay::Step => Some("--step reads keys from standard input; the session must be a file"),
        Replay::Bless => Some("--bless rewrites a file, not standard input"),
        Replay::Show | Replay::Check | Replay::Cast => None,
    };
    if let Some(problem) = needs_file.filter(|_| files.iter().any(|f| reading::is_stdin(f))) {
        return Err(Usage::new(
            problem,
            "vjp replay --check -  reads a session from standard input",
        ));
    }
    match all.command {
        Some("replay") if files.is_empty() => {
            Err(Usage::new("replay needs a file", "vjp replay FILE.vjp"))
        }
        Some("replay") if mode == Replay::Cast && files.len() > 1 => Err(Usage::new(
            "--cast records one session",
            "vjp replay --cast lesson.vjp > lesson.cast",
        )),
        Some("replay") => Ok(Task::Replay { mode, files, check: all.check, speed: all.speed }),
        Some("sheet") => match (files.pop(), files.is_empty()) {
            (None, _) => Err(Usage::new("sheet needs a file", sheets::EXAMPLE)),
            (Some(_), false) => Err(Usage::new("sheet takes one file", sheets::EXAMPLE)),
            (Some(file), true) => Ok(Task::Sheet(Order {
                file,
                seed: all.seed.unwrap_or(0),
                students: all.students,
                out: all.out,
                solutions: all.solutions,
            })),
        },
        Some("completions") => {
            let word = files.pop();
            let word = word.as_deref().and_then(|f| f.to_str());
            match SHELLS.iter().find(|shell| Some(**shell) == word) {
                Some(shell) => Ok(Task::Completions(shell)),
                None => Err(Usage::new(
                    "completions needs the name of a shell",
                    format!("vjp completions {}", SHELLS.join("|")),
                )),
            }
        }
        Some("man") => Ok(Task::Man),
        Some("kernel") => match &files[..] {
            [word] if word.as_os_str() == "install" => Ok(Task::Kernel),
            _ => Err(Usage::new("kernel needs the word install", "vjp kernel install")),
        },
        Some("page") if files.is_empty() => {
            Err(Usage::new("page needs a session file", "vjp page FILE.vjp -o lesson.html"))
        }
        Some("page") => Ok(Task::Page { files, out: all.out, engine: all.engine }),
        Some("export") => match (all.to, files.pop(), files.is_empty()) {
            (Some(format), Some(file), true) => {
                Ok(Task::Export { format, file, out: all.out, force: all.force })
            }
            (None, ..) => Err(Usage::new(
                "export needs --to",
                format!("vjp export --to {} FILE", To::words().collect::<Vec<_>>().join("|")),
            )),
            (_, None, _) => Err(Usage::new("export needs a file", "vjp export --to torch FILE")),
            _ => Err(Usage::new("export takes one file", "vjp export --to torch FILE")),
        },
        Some(_) => match (files.pop(), files.is_empty()) {
            (None, _) => {
                Err(Usage::new("run needs a file", "vjp run FILE, or - for standard input"))
            }
            (Some(_), false) => Err(Usage::new("run takes one file", "vjp run FILE")),
            (Some(file), true) => Ok(Task::Run { plain: all.plain, file }),
        },
        None if files.is_empty() => Ok(Task::Prompt),
        None => Ok(Task::Files(files)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<(Task, Common), Usage> {
        parse(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn options_stand_anywhere() {
        let (task, common) = read("--strict run --json - --plain --memory 2GB").unwrap();
        assert_eq!(task, Task::Run { plain: true, file: "-".into() });
        assert!(common.strict && common.json);
        assert_eq!(common.memory, Some(2_000_000_000));
        assert_eq!(read("").unwrap().0, Task::Prompt);
        assert_eq!(read("a.vjp b.py").unwrap().0, Task::Files(vec!["a.vjp".into(), "b.py".into()]));
        assert_eq!(read("replay --help").unwrap().0, Task::Help(Some("replay")));
        assert_eq!(read("help run").unwrap().0, Task::Help(Some("run")));
    }

    #[test]
    fn wrong_usage_says_what_would_be_right() {
        let both = |line: &str| {
            let usage = read(line).unwrap_err();
            format!("{} / {}", usage.problem, usage.hint)
        };
        assert_eq!(both("--stric"), "there is no option --stric / did you mean --strict?");
        assert_eq!(both("--plain"), "--plain works only with run / vjp run --plain FILE");
        assert_eq!(both("run"), "run needs a file / vjp run FILE, or - for standard input");
        assert_eq!(
            both("replay --check --bless a"),
            "--check and --bless cannot be combined / use one of them"
        );
        assert_eq!(both("--check a"), "--check works only with replay / vjp replay --check FILE");
        assert!(read("--dtype float16").is_err() && read("--time-limit -1").is_err());
        assert!(read("-e").is_err() && read("-e x y").is_err());
    }
}
