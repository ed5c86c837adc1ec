//! The commands of the prompt in one table: dispatch, `:help` and completion derive from it.

use super::{asking, edit, files, graph, networks, plots, settings, state, step};
use crate::commands::check;
use crate::{Ended, Problem, Shell, help};
use vjp_text::did_you_mean::closest;

/// What a command's argument can be completed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completes {
    Nothing,
    Files,
    Topics,
    Settings,
    /// A piece of program.
    Code,
}

/// Whether a session file keeps the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    Yes,
    /// Its effect belongs to the session, the line itself is kept, its output is not.
    Never,
}

pub struct Command {
    pub name: &'static str,
    pub args: &'static str,
    pub one_line: &'static str,
    pub help: &'static str,
    pub completes: Completes,
    pub recorded: Recorded,
    pub run: fn(&mut Shell, &str) -> Result<Ended, Problem>,
}

/// Other names of commands, from shells and editors.
pub const ALSO: &[(&str, &str)] = &[
    ("cls", "clear"),
    ("ls", "vars"),
    ("who", "vars"),
    ("whos", "vars"),
    ("variables", "vars"),
    ("open", "load"),
    ("run", "load"),
    ("restart", "reset"),
    ("exit", "quit"),
    ("bye", "quit"),
    ("man", "help"),
];

macro_rules! commands {
    ($($name:literal $args:literal $run:path, $completes:ident, $recorded:ident, $one_line:literal, $help:literal;)*) => {
        pub static COMMANDS: &[Command] = &[$(Command {
            name: $name,
            args: $args,
            one_line: $one_line,
            help: $help,
            completes: Completes::$completes,
            recorded: Recorded::$recorded,
            run: $run,
        }),*];
    };
}

commands! {
    "help" "[TOPIC]" help::run, Topics, Yes,
        "show this list, or help on a function, command or word",
        ":help relu shows the signature, the formula, the derivative and an example.\nhelp(relu), ?relu and relu? are the same.";
    "vars" "" state::vars, Nothing, Yes,
        "list all names: value, leaf or not, .grad",
        "Shows one line for each name that this session has assigned.";
    "undo" "" state::undo, Nothing, Yes,
        "take back the last input, gradients included",
        "Variables, .grad, the graph and random numbers return to their state before it.\n:redo brings it back.";
    "redo" "" state::redo, Nothing, Yes,
        "redo what :undo took back",
        "Works until the next input is evaluated.";
    "panel" "[N|on|off]" state::panel, Nothing, Yes,
        "redraw the last panel, or the N-th last",
        ":panel redraws the panel of the last backward, :panel 2 the one before.\n:panel call 3 redraws the third call of a line in a loop, numbered as in its table.\n:panel off hides panels until :panel on;\nreplay --step shows one when the blanks about it are answered.";
    "formula" "[N|H|CODE]" check::formula, Code, Yes,
        "write J of the last panel in symbols, entry by entry",
        "Also shows formulas that the panel had no room for; parts that long formulas share get a name.\n:formula H writes the Hessian of the scalar last differentiated,\n:formula x^3 writes that of an expression, :formula jacobian(y, x) any Jacobian.";
    "check" "" check::check, Nothing, Yes,
        "check the last backward in three ways",
        "Compares the reverse sweep, vᵀJ with J computed forward by the derivative rules, and finite\ndifferences of y. Names the entry of J that disagrees, and by how much.";
    "why" "[NAME]" asking::why, Code, Yes,
        "explain an error, or why .grad is None",
        "After an error or a gradient of None: shows where the path from the leaf is cut, and two\nfixes. :why x explains x.";
    "explain" "[x[1]]" asking::explain, Code, Yes,
        "show the last backward step by step, or one entry",
        "Shows the values computed forward and then, from v back to the leaves, what each step receives,\nits own Jacobian and what it passes on. With an entry, as in :explain x[1], or a value\non the way, as in :explain h, it follows that along its paths.";
    "graph" "[y|-o FILE]" graph::graph, Code, Yes,
        "draw the graph: values, gradients, local slopes",
        "Draws the last backward, :graph y the graph of y before any. What does not fit is folded: :graph\nmodel[0] opens a module, :graph 4-15 those steps. :graph -o FILE writes .svg, .dot or .mmd.";
    "equations" "[CODE]" asking::equations, Code, Yes,
        "write the last backward in formulas of whole arrays",
        "Each value, cotangent and gradient as on a board, with ✓ where the formula, evaluated, is what\nthe sweep gave. :equations numbers puts the arrays below, :equations latex writes LaTeX,\n:equations code PyTorch. :equations x @ A @ x derives an expression without a backward.";
    "step" "[forward] [N]" step::step, Nothing, Yes,
        "go through the last backward one operation at a time",
        "Shows what each operation receives, its own Jacobian, what each input gets, and what waits. In a\nterminal, the arrow keys go on and back, p asks before each step, q leaves. :step 3 begins at step 3,\n:step forward goes through the values instead.";
    "v" "NUMBERS" asking::weigh, Code, Yes,
        "try another v on the J of the last backward",
        ":v 1 0 draws the panel of y.backward([1, 0]) and leaves x.grad unchanged.\n:v takes any expression, such as :v ones(2)/2.";
    "what-if" "x = VALUE" asking::what_if, Code, Yes,
        "show what would change if x had another value",
        "Reruns the inputs from where x was assigned, with this value, and shows which values and\ngradients would change; nothing is changed.";
    "latex" "[N|J|H|CODE]" check::latex, Code, Yes,
        "write J of the last panel, or the Hessian, in LaTeX",
        ":latex 2 writes the J of the panel before the last, :latex H the Hessian (of y if it is a\nscalar, otherwise of vᵀy), :latex jacobian(y, x) any Jacobian. The J of a scalar has one row.";
    "save" "FILE" files::save, Files, Never,
        "write the session so far to a file",
        "The file is what the terminal showed. `vjp replay FILE` runs it again, `vjp replay --check FILE`\ncompares. If FILE is a session with inputs that this one lacks, it is kept as FILE~, FILE~2 …\n:save! FILE also replaces a file that is not a session.";
    "load" "FILE" files::load, Files, Never,
        "run a session file or a program here",
        "Each input is shown and evaluated as if typed, and becomes part of this session.";
    "edit" "" edit::edit, Nothing, Never,
        "write an input in $EDITOR",
        "Opens the last input in $VISUAL or $EDITOR and evaluates what you save.";
    "fix" "" files::fix, Nothing, Never,
        "restore the indentation of a pasted block",
        "After \"expected an indented block\": puts the input back on the prompt with the lines below\nthe header indented, for you to check, change and enter. Nothing runs before that.";
    "set" "[NAME VALUE]" settings::run, Settings, Yes,
        "show or change settings",
        "";
    "plot" "F [A B]" plots::plot, Code, Yes,
        "draw a function and its tangent",
        ":plot x^2 - 1 at 1.5, -2 to 3 draws the expression from -2 to 3 and its tangent at 1.5.\n:plot f -2 2 draws a function of one number.";
    "sweep" "x[i] A B" plots::sweep, Code, Yes,
        "draw y and its slope as one entry of a leaf moves",
        ":sweep x[0] -2 2 runs the session again with x[0] from -2 to 2 and draws y and its derivative by x[0];\nnothing is changed.";
    "descend" "y x RATE N" plots::descend, Code, Yes,
        "walk downhill from x and draw the path",
        ":descend loss x 0.1 20 takes 20 steps of gradient descent, x = x - 0.1*x.grad, and draws them: on the curve\nof one number, over the contours of two, as loss against step for more. Nothing is changed.";
    "curve" "" plots::curve, Nothing, Yes,
        "draw the loss of the last loop",
        "Draws the output of each backward that the last loop ran, at most the last thousand.";
    "show" "[MODEL]" networks::show, Code, Yes,
        "show a network's layers, shapes, numbers and gradients",
        "One line for each layer: output shape, parameters, the largest gradient of each, units that pass nothing back.";
    "cost" "" networks::cost, Nothing, Yes,
        "compare J by rows and by columns",
        "J has a row for each output and a column for each number of the leaves: a backward gives a row,\na forward sweep a column.";
    "heat" "W" networks::heat, Code, Yes,
        "draw a matrix as shades",
        ":heat W, :heat W.grad and :heat jacobian(y, x) draw each number as a shade from the least to the largest.";
    "time" "[CODE]" state::time, Code, Yes,
        "show how long the last input took, or CODE takes",
        ":set timing on shows it after every input.";
    "reset" "" state::reset, Nothing, Yes,
        "delete all names, as in a new session",
        ":save still writes the whole session. :undo does not bring the names back.";
    "clear" "" state::clear, Nothing, Never,
        "clear the screen",
        "Names and values stay.";
    "quit" "" files::quit, Nothing, Never,
        "leave, as exit does; Ctrl-D leaves without asking",
        "If inputs are not saved, the first :quit says so and the second leaves.";
}

/// The command of that name, or of another that people use for it.
pub fn called(name: &str) -> Option<&'static Command> {
    let also = ALSO.iter().find(|(other, _)| *other == name).map(|(_, own)| *own);
    let joined = |name: &str| name.replace(['-', '_'], "");
    let name = joined(also.unwrap_or(name));
    COMMANDS.iter().find(|c| joined(c.name) == name)
}

/// The rest of a line behind the rest of a command's name: `x = 3` of `:what if x = 3`.
pub fn behind<'a>(command: &Command, begun: &str, rest: &'a str) -> &'a str {
    let name = command.name.strip_prefix(begun).and_then(|name| name.strip_prefix('-'));
    let behind = name.and_then(|name| rest.strip_prefix(name));
    behind.filter(|rest| rest.starts_with(' ')).map_or(rest, str::trim_start)
}

/// What is looked for among the commands, and is a call.
const WITHOUT_COLON: &[&str] = &[
    "grad(y, x)",
    "jacobian(y, x)",
    "hessian(y, x)",
    "vjp(y, x, v)",
    "jvp(y, x, u)",
    "y.backward()",
];

/// The command of that name or of that unmistakable beginning.
pub fn find(name: &str) -> Result<&'static Command, Problem> {
    if let Some(command) = called(name) {
        return Ok(command);
    }
    let mut begun = COMMANDS.iter().filter(|c| c.name.starts_with(name));
    match (begun.next(), begun.next()) {
        (Some(command), None) => return Ok(command),
        // The first in the table is the one most wanted: `:q`, `:s`.
        (Some(_), Some(_)) => {
            let all: Vec<String> = COMMANDS
                .iter()
                .filter(|c| c.name.starts_with(name))
                .map(|c| format!(":{}", c.name))
                .collect();
            return Err(Problem::new(format!(":{name} could be {}", all.join(" or "))));
        }
        _ => {}
    }
    let problem = Problem::new(format!("there is no command :{name}"));
    let called_so = |call: &&&str| call.split(['.', '(']).any(|part| part == name);
    if let Some(call) = WITHOUT_COLON.iter().find(called_so) {
        return Err(problem.help(*call, "is typed without a colon"));
    }
    Err(match closest(name, COMMANDS.iter().map(|c| c.name)) {
        Some(near) => problem.help(format!(":{near}"), format!("did you mean :{near}?")),
        None => problem.help(":help", "lists the commands"),
    })
}
