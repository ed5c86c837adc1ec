//! Commands and options of the command line in one table; `--help` prints it.

/// One way in: `vjp NAME ARGS`.
pub struct Command {
    pub name: &'static str,
    pub args: &'static str,
    pub says: &'static str,
    /// What `vjp NAME --help` adds.
    pub help: &'static str,
    /// Options of this command alone.
    pub flags: &'static [Flag],
    /// Lines to try.
    pub examples: &'static [&'static str],
}

pub const COMMANDS: &[Command] = &[
    Command {
        name: "replay",
        args: "[--step | --check | --bless] FILE…",
        says: "run session files again",
        help: "\
A session file (.vjp) is what the terminal showed: inputs after `vjp> ` and
`...> `, the output below each, and narration in lines that begin with `#`.
Replay runs the inputs and shows everything as if typed now. It also takes a
plain program, one input for each statement, and a notebook of Jupyter (.ipynb),
one for each cell: --check compares what its cells print with what Jupyter kept.

A ____ in an output is a blank: --step shows it before the answer, --check marks
the numbers filled in and explains common mistakes, --bless keeps it. A ____ in
an input is filled in with numbers, too: --check --sheet SHEET runs the input
and compares what comes out with the sheet: any numbers that give it are right.
A ____ for a formula below `:formula` takes any equal one. A sheet begins with
`:panel off`, for the panels show the answers. sessions/exercises has such
sheets. Without --sheet every output of numbers alone counts as an answer.

An answer is right if it equals the number, or is the number rounded to the
digits that it has, at least three; `:set digits` does not matter. 1/3, 2·10⁻⁶
and sqrt(2)/2 are numbers; a name before the answer, working before an = and a
remark after it do not count.",
        flags: &[
            Flag {
                name: "step",
                args: "",
                says: "wait for a key before each input: Enter runs it, b goes back and restores \
                       the state, g N goes to input N, r runs the rest, : tries something and \
                       comes back, q leaves. Without a terminal: one key per line.",
            },
            Flag {
                name: "speed",
                args: "N",
                says: "type the inputs, N characters a second; a key completes the line",
            },
            Flag {
                name: "cast",
                args: "",
                says: "write a recording of a terminal, an asciicast, to standard output, as if the \
                       session were typed",
            },
            Flag {
                name: "check",
                args: "",
                says: "compare every output with the file; print a diff and return status 1 if \
                       any differs. Blank lines between steps and narration do not count.",
            },
            Flag {
                name: "sheet",
                args: "SHEET",
                says: "with --check: mark the files against SHEET: its inputs run, each for \
                       10 seconds at most unless --time-limit says otherwise, and its blanks \
                       count. A folder holds a sheet for each file, found by its name: case, the encoding \
                       of accents, and what stands between words do not matter. A second file for \
                       the same sheet is reported, not marked.",
            },
            Flag {
                name: "hint",
                args: "",
                says: "with --check: say what is wrong, and no right answer",
            },
            Flag {
                name: "csv",
                args: "",
                says: "with --check: a table with a line for each file: the questions right, the \
                       points (each number of an answer is one), each blank, the mistakes; with a folder of \
                       sheets also the student, by the name of the sheet",
            },
            Flag {
                name: "bless",
                args: "",
                says: "rewrite the outputs in the file, atomically; turns a plain program \
                       into a session file",
            },
        ],
        examples: &["vjp replay sessions/01-one-number.vjp", "vjp replay --check sessions/*.vjp"],
    },
    Command {
        name: "sheet",
        args: "FILE [--seed N] [--students NAMES] [-o OUT]",
        says: "make a sheet with its own numbers for each student",
        help: "\
FILE is a session file with blanks, and with ranges in its inputs:

  x = {1..5}              a whole number from 1 to 5
  x = {0.5..2.5}          a number with one decimal
  v = {-3..3}^2           a vector of two numbers; {-3..3}² is the same
  A = {1..5}^(2,3)        a matrix of two rows and three columns; or {1..5}²ˣ³
  y.backward([____{1..9}, 1])    a number that the student has to find

To square a number, write ({1..5})^2. The outputs are computed again. Each sheet
can be solved: no error, kink, infinity or NaN, and an answer is 0 only where it
always is. What shows an answer is left out, or a note names it. The answers are
as hard as usual: whole numbers stay whole, of about as many digits. The same
seed and name give the same sheet. Hand the sheets out, keep the folder, and
mark with  vjp replay --check --sheet FOLDER FILE…",
        flags: &[
            Flag { name: "seed", args: "N", says: "other numbers for each N; default 0" },
            Flag {
                name: "students",
                args: "NAMES",
                says: "a text file with a name on each line: a sheet for each, in the folder OUT",
            },
            Flag {
                name: "solutions",
                args: "",
                says: "write each sheet filled in, too: NAME.solutions.vjp",
            },
            Flag {
                name: "o",
                args: "OUT",
                says: "with --students a folder, else a file; default standard output",
            },
        ],
        examples: &["vjp sheet sheet.vjp --seed 7 --students names.txt --solutions -o class"],
    },
    Command {
        name: "run",
        args: "[--plain] FILE",
        says: "run a program; - is standard input",
        help: "\
Runs the file and stops at its first error (status 1). Shows what the program
prints and a panel for each backward; values are not echoed.",
        flags: &[Flag {
            name: "plain",
            args: "",
            says: "show only what the program prints, as Python would",
        }],
        examples: &["vjp run lesson.py", "vjp run --plain --strict -  < lesson.py"],
    },
    Command {
        name: "export",
        args: "--to torch|jax|ipynb FILE [-o OUT [--force]]",
        says: "write a session for PyTorch, JAX or Jupyter",
        help: "\
Runs the session once and writes a program that computes the same values and
gradients: narration becomes comments, short forms become the library's own, and
the gradients are printed after each backward. A file without prompts that
prints something itself prints just that. A line without a counterpart is
reported. If OUT is an older program, that is kept as OUT~, OUT~2 …

--to ipynb writes a notebook: an input is a cell, narration is Markdown, and
what vjp shows stands below. With --strict a program becomes one for Jupyter: a
paragraph is a cell, and below it stands what Jupyter would show.",
        flags: &[
            Flag { name: "to", args: "torch|jax|ipynb", says: "what to write for" },
            Flag {
                name: "o",
                args: "OUT",
                says: "write to a file, atomically; default standard output",
            },
            Flag { name: "force", args: "", says: "replace a file that vjp export did not write" },
        ],
        examples: &[
            "vjp export --to torch sessions/10-three-rows.vjp -o three_rows.py",
            "vjp export --to ipynb sessions/10-three-rows.vjp -o three_rows.ipynb",
        ],
    },
    Command {
        name: "page",
        args: "FILE… -o OUT",
        says: "write sessions as pages for a browser",
        help: "\
Runs the session and writes one file that a browser opens from disk: narration,
inputs and outputs in colours, without a network. With the engine inside, every
input can be edited and run again in the page, which has a prompt at its end.
Several files, or a folder of them, become a folder of pages with an index and
one engine. A page that vjp wrote is replaced; any other file is left alone.",
        flags: &[
            Flag { name: "o", args: "OUT", says: "the file, or the folder of several pages" },
            Flag {
                name: "engine",
                args: "FILE",
                says: "the engine; by default vjp_page_engine.wasm beside vjp, or where cargo \
                       builds it",
            },
        ],
        examples: &[
            "vjp page sessions/10-three-rows.vjp -o lesson.html",
            "vjp page sessions -o course",
        ],
    },
    Command {
        name: "kernel",
        args: "install",
        says: "make vjp a language of Jupyter",
        help: "\
Tells Jupyter how to start vjp-kernel, a program beside vjp. This command
builds it:

  cargo build --release -p vjp-kernel

Options given here hold for every notebook. The file goes to JUPYTER_DATA_DIR
where that is set, otherwise to your personal Jupyter folder.",
        flags: &[],
        examples: &["vjp kernel install"],
    },
    Command {
        name: "completions",
        args: "bash|zsh|fish",
        says: "write a completion script for a shell",
        help: "Writes the script to standard output; the shell reads it when it starts.",
        flags: &[],
        examples: &[
            "vjp completions bash > ~/.local/share/bash-completion/completions/vjp",
            "vjp completions fish > ~/.config/fish/completions/vjp.fish",
        ],
    },
    Command {
        name: "man",
        args: "",
        says: "write the manual page",
        help: "Writes it to standard output, in troff.",
        flags: &[],
        examples: &["vjp man > ~/.local/share/man/man1/vjp.1"],
    },
    Command {
        name: "help",
        args: "[COMMAND]",
        says: "this text, or help on a command",
        help: "At the prompt, :help lists commands and :help relu explains an operation.",
        flags: &[],
        examples: &[],
    },
];

/// An option.
pub struct Flag {
    pub name: &'static str,
    pub args: &'static str,
    pub says: &'static str,
}

impl Flag {
    /// With its dashes.
    pub fn spelled(&self) -> String {
        let dashes = if self.name.len() == 1 { "-" } else { "--" };
        format!("{dashes}{}", self.name)
    }
}

/// Options for every command.
pub const FLAGS: &[Flag] = &[
    Flag { name: "strict", args: "", says: "Python and PyTorch exactly: no short forms" },
    Flag {
        name: "dtype",
        args: "float32|float64",
        says: "the dtype of new tensors, default float64",
    },
    Flag {
        name: "json",
        args: "",
        says: "write a JSON object for each event, with NaN and infinities as strings",
    },
    Flag {
        name: "color",
        args: "auto|always|never",
        says: "auto (default): on a terminal without NO_COLOR",
    },
    Flag { name: "ascii", args: "", says: "draw with ASCII characters only" },
    Flag {
        name: "time-limit",
        args: "SECONDS",
        says: "stop an evaluation after this time; default none",
    },
    Flag { name: "memory", args: "SIZE", says: "memory for values, such as 512MiB; default 4GiB" },
    Flag { name: "help", args: "", says: "this text; after a command, help on it" },
    Flag { name: "version", args: "", says: "print the version" },
];

/// The command of that name.
pub fn command(word: &str) -> Option<&'static str> {
    command_names().find(|name| *name == word)
}

pub fn command_names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|c| c.name)
}

pub fn option_names() -> impl Iterator<Item = &'static str> {
    let own = COMMANDS.iter().flat_map(|c| c.flags);
    FLAGS.iter().chain(own).map(|f| f.name)
}

/// `vjp --help`, or `vjp COMMAND --help`.
pub fn help(topic: Option<&str>) -> String {
    match COMMANDS.iter().find(|c| Some(c.name) == topic) {
        Some(command) => {
            let mut text = format!(
                "{}\n{}\n\n{}\n",
                format!("vjp {} {}", command.name, command.args).trim_end(),
                command.says,
                command.help
            );
            if !command.flags.is_empty() {
                text += &format!("\n{}", flags(command.flags));
            }
            let examples = command.examples.iter().map(|e| format!("  {e}\n"));
            let examples: String = examples.collect();
            if !examples.is_empty() {
                text += &format!("\n{examples}");
            }
            text + &format!("\nOptions for every command\n{}", flags(FLAGS))
        }
        None => overview(),
    }
}

fn overview() -> String {
    let mut ways: Vec<(String, &str)> = vec![
        ("vjp".into(), "interactive prompt; reads a program from a pipe"),
        ("vjp FILE…".into(), "replay a session file (.vjp) or run a program"),
        ("vjp -e CODE".into(), "evaluate CODE as if typed; -e may be repeated"),
    ];
    ways.extend(COMMANDS.iter().map(|c| (format!("vjp {} {}", c.name, c.args), c.says)));
    format!(
        "vjp: a prompt for gradients. Each backward shows x.grad beside the Jacobian J\n\
         and their product vᵀJ.\n\n\
         {}\nOptions\n{}\n\
         Try  vjp -e \"x = [1, 2]; y = 3*x^2; y.backward([1, 10])\"\n\n\
         Status 0: done; 1: the program failed, or --check found a difference; 2: wrong\n\
         usage; 130: stopped by Ctrl-C.\n",
        columns(&ways),
        flags(FLAGS)
    )
}

fn flags(flags: &[Flag]) -> String {
    let row = |f: &Flag| (format!("{} {}", f.spelled(), f.args).trim_end().to_owned(), f.says);
    let rows: Vec<(String, &str)> = flags.iter().map(row).collect();
    columns(&rows)
}

/// Two columns, the second folded; a first cell too wide for its column stands on a line of its own.
fn columns(rows: &[(String, &str)]) -> String {
    const FIRST: usize = 26;
    const SECOND: usize = 50;
    let mut out = String::new();
    for (left, right) in rows {
        let mut left = left.as_str();
        if left.chars().count() > FIRST {
            out += &format!("  {left}\n");
            left = "";
        }
        let mut line = String::new();
        for word in right.split(' ') {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > SECOND {
                out += &format!("  {left:FIRST$}  {line}\n");
                (left, line) = ("", String::new());
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += word;
        }
        out += &format!("  {left:FIRST$}  {line}\n");
    }
    out
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
        assert!(help(None).lines().count() <= 36);
    }
}
