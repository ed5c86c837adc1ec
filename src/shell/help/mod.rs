//! `:help`: one screen without a topic; with one, a command, an operation, a function or a word.

pub mod concepts;
pub mod layout;
pub mod networks;
pub mod operation;
pub mod words;

use super::fault::Problem;
use super::shell::{Ended, Shell};
use crate::commands::settings::{SETTINGS, Setting};
use crate::commands::table::{COMMANDS, Command, called};
use crate::help::concepts::CONCEPTS;
use crate::help::layout::{beside, example, folded, folded_after};
use crate::help::networks::NETWORKS;
use crate::help::operation::about_operation;
use crate::help::words::{WORDS, Word};
use crate::prompt::describe;
use vjp_eval::{Builtin, Manner, Value, library};
use vjp_library::{introspect, methods};
use vjp_text::did_you_mean::closest;
use vjp_text::foreign_spellings::{self, Means};
use vjp_text::{Source, Symbol};

/// `:help`, `:help TOPIC`
pub fn run(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let topic = args.trim_end_matches('?').trim_end_matches("()");
    let text = match topic {
        "" | "about" => overview(shell.machine.strict()),
        "words" => folded(&format!("words  {}\n", names(words().map(|w| w.name))), 7),
        topic => about(topic)
            .or_else(|| of_session(shell, topic))
            .or_else(|| about(&capitals(topic)?))
            .or_else(|| about(derived(topic)?))
            .ok_or_else(|| unknown(topic))?,
    };
    let text = for_mode(shell, text);
    shell.view.say(&text);
    Ok(Ended::Well)
}

/// A page for the mode of the session: an example that Python would refuse says so under strict.
fn for_mode(shell: &mut Shell, text: String) -> String {
    let Some((_, example)) = text.split_once(TRY).filter(|_| shell.machine.strict()) else {
        return text;
    };
    let lines: Vec<&str> = example.lines().map(str::trim).collect();
    let source = Source::new(lines.join("\n"));
    let runs = example.starts_with(':')
        || shell.machine.tried(|m, _| m.run(&source, Manner::Program, &mut |_| {}).is_ok());
    match runs {
        true => text,
        false => text.replacen(TRY, "without --strict, try\n          ", 1),
    }
}

/// Everything that can be asked about.
pub fn topics() -> Vec<String> {
    let mut all: Vec<String> = COMMANDS.iter().map(|c| c.name.to_owned()).collect();
    all.push("ops".to_owned());
    all.extend(words().map(|w| w.name.to_owned()));
    all.extend(vjp_catalogue::catalogue().map(|e| e.name.to_owned()));
    let usual = |(name, value): &(&str, Value)| match value {
        Value::Type(t) => t.exception.is_none(),
        Value::Builtin(_) | Value::Module(_) | Value::Function(_) | Value::Class(_) => {
            !name.starts_with('_')
        }
        _ => false,
    };
    let named = library::all(false).into_iter().filter(usual);
    all.extend(named.map(|(name, _)| name.to_owned()));
    all.sort();
    all.dedup();
    all
}

/// The topic that differs in capitals alone: Adam of adam.
fn capitals(topic: &str) -> Option<String> {
    let contents = library::modules().into_iter().flat_map(|m| (m.contents)());
    let names = contents.map(|(name, _)| name.to_owned());
    topics().into_iter().chain(names).find(|t| t.eq_ignore_ascii_case(topic) && t != topic)
}

/// What has the derivative that is asked about: softmax of "softmax derivative".
fn derived(topic: &str) -> Option<&str> {
    ["derivative of ", "gradient of "]
        .iter()
        .find_map(|before| topic.strip_prefix(before))
        .or_else(|| topic.strip_suffix(" derivative").or_else(|| topic.strip_suffix(" gradient")))
}

fn unknown(topic: &str) -> Problem {
    let problem = Problem::new(format!("there is no help on {topic}"));
    let topics = topics();
    match closest(topic, topics.iter().map(String::as_str)) {
        Some(near) => problem.help(format!(":help {near}"), format!("did you mean {near}?")),
        None => problem.help(":help", "lists the topics"),
    }
}

/// The card's line, the commands, where to read on: fits 24 lines.
pub fn overview(strict: bool) -> String {
    let mut text = String::from(match strict {
        true => {
            "Type:  x = torch.tensor([1., 2.], requires_grad=True); (3*x**2).sum().backward()\n\
             As in Python and PyTorch; _ is the last value.\n\n"
        }
        false => {
            "Type a line, read the panel:   x = [1, 2]; y = 3*x^2; y.backward([1, 10])\n\
             As in Python and PyTorch; a bare number or list is a leaf, _ the last value.\n\n"
        }
    });
    let (asked, rest): (Vec<&Command>, Vec<&Command>) =
        COMMANDS.iter().partition(|c| !BESIDE.contains(&c.name));
    for command in asked {
        text += &row(command);
    }
    let commands: Vec<String> = rest.into_iter().map(|c| format!(":{}", c.name)).collect();
    text += &folded(&format!("  also  {}\n", commands.join(", ")), 2);
    let words = names(WORDS.iter().chain(CONCEPTS).map(|w| w.name));
    text += "\nCtrl-C stops, Ctrl-D leaves, Tab completes, Ctrl-R searches the history.\n";
    text += &folded(&format!(":help WORD   for {words}; more: :help words\n"), 13);
    text + ":help relu   a function with its derivative;  :help ops  lists the operations\n"
}

/// In a row, without what commands and PyTorch's methods name already.
fn names(words: impl Iterator<Item = &'static str>) -> String {
    let named = |name: &&str| {
        called(name).is_none() && methods::method(name).is_none() && !name.contains('_')
    };
    words.filter(named).collect::<Vec<_>>().join(", ")
}

/// Every word that is explained.
pub fn words() -> impl Iterator<Item = &'static Word> {
    WORDS.iter().chain(CONCEPTS).chain(NETWORKS)
}

/// The word that is explained under this name or another.
pub fn word(name: &str) -> Option<&'static Word> {
    let lower = name.to_lowercase();
    words()
        .find(|w| w.name == name)
        .or_else(|| words().find(|w| w.name == lower || w.also.contains(&lower.as_str())))
}

/// Commands without a line of their own.
const BESIDE: &[&str] = &[
    "vars", "undo", "redo", "panel", "formula", "latex", "plot", "sweep", "descend", "curve",
    "show", "cost", "heat", "save", "load", "edit", "fix", "set", "time", "reset", "clear", "quit",
];

fn call(command: &Command) -> String {
    let call = format!(":{} {}", command.name, command.args);
    call.trim_end().to_owned()
}

fn row(command: &Command) -> String {
    format!("  {:20} {}\n", call(command), command.one_line)
}

/// What is said about something, below its name; lines that begin with a command, a blank or an
/// example stay lines.
fn prose(says: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for line in says.lines() {
        match parts.last_mut() {
            Some(part) if !line.starts_with([':', ' ']) && !line.starts_with(TRY) => {
                *part += &format!(" {line}");
            }
            _ => parts.push(format!("    {line}")),
        }
    }
    let folds = |part: String| folded(&(part + "\n"), 4);
    parts.into_iter().map(folds).collect()
}

/// Before an example.
const TRY: &str = "try   ";

/// What the session itself has bound: a function with its parameters, any other value as it is.
pub fn of_session(shell: &Shell, topic: &str) -> Option<String> {
    let path: Vec<&str> = topic.split('.').collect();
    if !shell.machine.binds(path.first()?) {
        return None;
    }
    let value = introspect::known(&shell.machine, &path)?;
    let text = match introspect::call(&value) {
        Some(call) => call.written(topic),
        None => format!("{topic} = {}\n", describe::value(shell.view.style(), &value)),
    };
    Some(text).filter(|text| !text.ends_with("= \n"))
}

/// The help text of a topic; of a command and a function or a word of one name, both. `:help :step` is
/// about the command alone.
pub fn about(topic: &str) -> Option<String> {
    let bare = topic.strip_prefix(':').unwrap_or(topic);
    let command = called(bare).filter(|c| bare != topic || c.name == topic);
    let other = || match vjp_catalogue::lookup(topic) {
        Some(operation) => Some(about_operation(operation)),
        None => words().find(|w| w.name == topic).map(about_word),
    };
    match command {
        Some(command) if bare != topic => Some(about_command(command)),
        Some(command) => {
            Some(other().map_or(String::new(), |page| page + "\n") + &about_command(command))
        }
        None => about_no_command(topic),
    }
}

fn about_no_command(topic: &str) -> Option<String> {
    if let Some(word) = words().find(|w| w.name == topic) {
        return Some(about_word(word));
    }
    if let Some(command) = called(topic).or_else(|| called(&topic.to_lowercase())) {
        return Some(about_command(command));
    }
    if let Some(page) = operation::family(topic, false) {
        return Some(page);
    }
    let (path, name) = topic.rsplit_once('.').unwrap_or(("", topic));
    let of_object = !path.is_empty() && library::builtin(Symbol::new(path), false).is_none();
    if of_object && let Some(word) = word(&format!("x.{name}")).or_else(|| word(name)) {
        return Some(about_word(word));
    }
    vjp_catalogue::lookup(name)
        .or_else(|| vjp_catalogue::lookup(name.strip_suffix('_')?))
        .or_else(|| match library::builtin(Symbol::new(topic), false)? {
            // `ln` is log.
            Value::Builtin(b) => vjp_catalogue::lookup(b.name),
            _ => None,
        })
        .map(about_operation)
        .or_else(|| at_hand(topic))
        .or_else(|| word(topic).map(about_word))
        .or_else(|| callable(topic))
        .or_else(|| of_classes(name))
        .or_else(|| operation::family(topic, true))
        .or_else(|| elsewhere(topic))
        .or_else(|| {
            let setting = |s: &Setting| [s.name, s.name.trim_end_matches('s')].contains(&topic);
            SETTINGS.iter().any(setting).then(|| called("set").map(about_command))?
        })
}

/// What is written here for a word of mathematics or of another language: `limit`, `ln`.
fn elsewhere(topic: &str) -> Option<String> {
    let written = topic;
    let topic = topic.to_lowercase();
    let says = match foreign_spellings::name(&topic) {
        Some(Means::Name(meant)) if meant == written => return None,
        Some(Means::Name(meant)) => return about(meant),
        Some(Means::Says(says)) => foreign_spellings::with_names(says, "y", "x"),
        None => foreign_spellings::word(&topic)?.to_owned(),
    };
    Some(format!("{topic}\n{}", prose(&says)))
}

/// A method of tensors, of modules or of one of Python's classes.
fn of_classes(name: &str) -> Option<String> {
    let of_module = || {
        let module = vjp_torch::nn::module::class();
        module.attributes.borrow().iter().find_map(|(n, value)| match value {
            Value::Builtin(b) if n.as_str() == name && !name.starts_with('_') => Some(*b),
            _ => None,
        })
    };
    let method = methods::method(name).or_else(of_module).or_else(|| vjp_python::any_method(name));
    Some(about_builtin(method?))
}

fn about_command(command: &Command) -> String {
    let mut text = format!(":{} {}", command.name, command.args).trim_end().to_owned();
    text += &format!("\n    {}\n", command.one_line);
    text += &prose(command.help);
    if command.name == "set" {
        for s in SETTINGS {
            text += &format!("    :set {:8} {:21} {}\n", s.name, s.values, s.says);
        }
    }
    text
}

fn about_word(word: &Word) -> String {
    let lines = word.example.trim_end().lines().map(example);
    let example = lines.collect::<Vec<_>>().join("\n").replace('\n', "\n          ");
    format!("{}\n{}    {TRY}{example}\n", word.name, prose(word.says))
}

/// A function or class that needs no import.
fn at_hand(topic: &str) -> Option<String> {
    let top = library::all(false);
    let (_, value) = top.iter().find(|(name, _)| *name == topic)?;
    about_value(topic, value)
}

/// A function or class of a module by its bare or dotted name.
fn callable(topic: &str) -> Option<String> {
    let (path, last) = topic.rsplit_once('.').unwrap_or(("", topic));
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let full = match (first, rest) {
        ("np", _) => path.replacen("np", "numpy", 1),
        ("F", _) => path.replacen('F', "torch.nn.functional", 1),
        ("nn" | "optim", _) => format!("torch.{path}"),
        _ => path.to_owned(),
    };
    let symbol = Symbol::new(last);
    library::modules()
        .into_iter()
        .filter(|m| full.is_empty() || m.name == full)
        .find_map(|m| about_value(topic, &m.get(symbol)?))
}

/// What is called: how, and what it does.
fn about_value(topic: &str, value: &Value) -> Option<String> {
    let plain = |says: &str| Some(format!("{topic}\n{}", prose(says)));
    match value {
        Value::Builtin(b) => return Some(about_builtin(b)),
        Value::Type(t) => return plain(t.help),
        Value::Module(m) => return plain(m.help),
        Value::Float(f) => return plain(&format!("the number {f}")),
        _ => {}
    }
    let call = introspect::call(value)?;
    let left = format!("{topic}({})", call.params.join(", "));
    Some(folded_after(&left, ", ", "        ") + "\n" + &prose(&call.says))
}

fn about_builtin(builtin: &Builtin) -> String {
    let home = match builtin.module {
        "builtins" | "" | "vjp" => String::new(),
        module => format!("{module}.{}", builtin.name),
    };
    let call = builtin.name.to_owned() + &operation::untyped(builtin.signature);
    let left = folded_after(&call, ", ", "        ");
    let first = beside(&left, &home).trim_end().to_owned() + "\n";
    first + &prose(builtin.help)
}
