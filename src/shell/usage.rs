//! Commands and options of the command line in one table; `--help` prints it.

/// One way in: `vjp NAME ARGS`.
pub struct Command {
    pub name: &'static str,
    pub args: &'static str,
    pub says: &'static str,
    /// What `vjp NAME --help` adds: options and examples.
    pub help: &'static str,
}

pub const COMMANDS: &[Command] = &[
    Command {
        name: "replay",
        args: "[--step | --check | --bless] FILE…",
        says: "run session files again",
        help: "\
A session file (.vjp) reads as the terminal did: inputs after `vjp> ` and
`...> `, below each what it printed, and narration in lines that begin with `#`.
Replay runs the inputs and shows everything as if it were typed now; a plain
program likewise, one input for each statement.

  --step    wait for a key before each input: Enter runs it, b goes back, state
            included, g N goes to input N, r runs the rest, : tries something
            and comes back, q leaves. Without a terminal: one key a line.
  --speed N type the inputs out, N characters a second; a key ends the line
  --check   compare every output with what the file holds; a diff and status 1
            if one differs. Spacing between steps and narration do not count.
  --sheet S with --check: the files answer S; its inputs run, its ____ count
  --bless   write the outputs that come now into the file; makes a session file
            of a plain program. The old file is replaced at once or not at all.

A ____ in an output is something to find out: --step shows it before the answer,
--check marks what stands in its place as numbers and says what a wrong answer
would be right for, --bless keeps it. sessions/exercises holds such sheets.

  vjp replay sessions/01-one-number.vjp
  vjp replay --check sessions/*.vjp",
    },
    Command {
        name: "run",
        args: "[--plain] FILE",
        says: "run a program; - is standard input",
        help: "\
Runs the whole file and stops at its first error (status 1). Shows what the
program prints and a panel for each backward; nothing is echoed.

  --plain   only what the program itself prints, as Python would

  vjp run lesson.py
  vjp run --plain --strict -  < lesson.py",
    },
    Command {
        name: "export",
        args: "--to torch|jax FILE [-o OUT]",
        says: "write a session as a program for PyTorch or JAX",
        help: "\
Runs the session once and writes a program that gives the same values and
gradients: narration becomes comments, short forms become the library's own,
and after each backward the gradients are printed. What has no counterpart is
told with its line.

  --to FORMAT  torch or jax
  -o OUT       write to a file, at once or not at all; else to standard output

  vjp export --to torch sessions/10-three-rows.vjp -o three_rows.py",
    },
    Command {
        name: "help",
        args: "[COMMAND]",
        says: "this text, or more about a command",
        help: "At the prompt, :help lists commands and :help relu explains an operation.",
    },
];

/// An option that every command takes.
pub struct Flag {
    pub name: &'static str,
    pub args: &'static str,
    pub says: &'static str,
}

pub const FLAGS: &[Flag] = &[
    Flag {
        name: "strict",
        args: "",
        says: "Python and PyTorch exactly: no short forms",
    },
    Flag {
        name: "dtype",
        args: "float32|float64",
        says: "the default dtype; float64 if not said",
    },
    Flag {
        name: "json",
        args: "",
        says: "a JSON object for each event, on standard output",
    },
    Flag {
        name: "color",
        args: "auto|always|never",
        says: "auto: on a terminal without NO_COLOR",
    },
    Flag {
        name: "ascii",
        args: "",
        says: "draw with ASCII only",
    },
    Flag {
        name: "time-limit",
        args: "SECONDS",
        says: "stop an evaluation after so long; off by default",
    },
    Flag {
        name: "memory",
        args: "SIZE",
        says: "memory for values: 512MiB, 2GB; 4GiB if not said",
    },
    Flag {
        name: "help",
        args: "",
        says: "this text; after a command, more about it",
    },
    Flag {
        name: "version",
        args: "",
        says: "the version",
    },
];

/// Options that belong to one command only, for "did you mean".
const COMMAND_FLAGS: &[&str] = &["plain", "step", "check", "bless", "sheet", "speed", "to"];

/// The command of that name.
pub fn command(word: &str) -> Option<&'static str> {
    COMMANDS.iter().map(|c| c.name).find(|name| *name == word)
}

pub fn option_names() -> impl Iterator<Item = &'static str> {
    FLAGS
        .iter()
        .map(|f| f.name)
        .chain(COMMAND_FLAGS.iter().copied())
}

/// `vjp --help`, or `vjp COMMAND --help`.
pub fn help(topic: Option<&str>) -> String {
    match COMMANDS.iter().find(|c| Some(c.name) == topic) {
        Some(command) => format!(
            "vjp {} {}\n{}\n\n{}\n\nOptions of every command\n{}",
            command.name,
            command.args,
            command.says,
            command.help,
            flags()
        ),
        None => overview(),
    }
}

fn overview() -> String {
    let mut ways: Vec<(String, &str)> = vec![
        ("vjp".into(), "the prompt; on a pipe, the same without one"),
        (
            "vjp FILE…".into(),
            "replay a session file (.vjp), run a program",
        ),
        ("vjp -e CODE".into(), "evaluate CODE as if typed"),
    ];
    ways.extend(
        COMMANDS
            .iter()
            .map(|c| (format!("vjp {} {}", c.name, c.args), c.says)),
    );
    format!(
        "vjp: a prompt for gradients. Each backward shows x.grad beside the Jacobian J\n\
         and their product vᵀJ.\n\n\
         {}\nOptions\n{}\n\
         Try  vjp -e \"x = [1, 2]; y = 3*x^2; y.backward([1, 10])\"\n\n\
         Status 0: done; 1: the program failed, or --check found a difference; 2: wrong\n\
         usage; 130: stopped by Ctrl-C.\n",
        columns(&ways),
        flags()
    )
}

fn flags() -> String {
    let rows: Vec<(String, &str)> = FLAGS
        .iter()
        .map(|f| {
            (
                format!("--{} {}", f.name, f.args).trim_end().to_owned(),
                f.says,
            )
        })
        .collect();
    columns(&rows)
}

/// Two columns; a first cell too wide for its column stands on a line of its own.
fn columns(rows: &[(String, &str)]) -> String {
    const FIRST: usize = 26;
    rows.iter()
        .map(|(left, right)| match left.chars().count() {
            n if n > FIRST => format!("  {left}\n  {:FIRST$}  {right}\n", ""),
            _ => format!("  {left:FIRST$}  {right}\n"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_fits_a_terminal() {
        let topics = COMMANDS.iter().map(|c| Some(c.name)).chain([None]);
        for text in topics.map(help) {
            let long = text.lines().find(|l| l.chars().count() > 80);
            assert_eq!(long, None);
        }
        assert!(help(None).lines().count() <= 30);
    }
}
