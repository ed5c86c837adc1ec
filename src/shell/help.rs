//! `:help`: one screen without a topic; with one, a command, an operation, a function or a word.

use super::command_table::{COMMANDS, Command};
use super::concepts::CONCEPTS;
use super::fault::Problem;
use super::help_operation::{self, about_operation, beside, list};
use super::settings::SETTINGS;
use super::shell::{Ended, Shell};
use super::words::{WORDS, Word};
use crate::eval::known;
use crate::eval::library::{self, Builtin};
use crate::eval::value::Value;
use crate::maths::ops;
use crate::text::similar::closest;

/// `:help`, `:help TOPIC`
pub fn run(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let topic = args.trim_end_matches("()");
    let text = match topic {
        "" => overview(),
        topic => about(topic).ok_or_else(|| unknown(topic))?,
    };
    shell.view.say(&text);
    Ok(Ended::Well)
}

/// Everything that can be asked about.
pub fn topics() -> Vec<String> {
    let mut all: Vec<String> = COMMANDS.iter().map(|c| c.name.to_owned()).collect();
    all.push("ops".to_owned());
    all.extend(words().map(|w| w.name.to_owned()));
    all.extend(ops::catalogue().map(|e| e.name.to_owned()));
    let plain = |(name, value): &(&str, Value)| {
        let error = matches!(value, Value::Type(t) if t.exception.is_some());
        !error && !name.starts_with('_')
    };
    let named = library::all(false).into_iter().filter(plain);
    all.extend(named.map(|(name, _)| name.to_owned()));
    all.sort();
    all.dedup();
    all
}

fn unknown(topic: &str) -> Problem {
    let problem = Problem::new(format!("there is no help about {topic}"));
    let topics = topics();
    match closest(topic, topics.iter().map(String::as_str)) {
        Some(near) => problem.help(format!(":help {near}"), "is near"),
        None => problem.help(":help", "lists what there is"),
    }
}

/// The card's line, the commands, where to read on: fits 24 lines.
fn overview() -> String {
    let mut text = String::from(
        "Type a line, read the panel:   x = [1, 2]; y = 3*x^2; y.backward([1, 10])\n\
         As in Python and PyTorch; a bare number or list is a leaf, _ the last value.\n\n",
    );
    let (asked, rest) = COMMANDS.split_at(COMMANDS.len().min(ROWS));
    for command in asked {
        text += &row(command);
    }
    let calls: Vec<String> = rest.iter().map(call).collect();
    text += &folded(&format!("  also  {}\n", calls.join(", ")), 8);
    let words: Vec<&str> = words().map(|w| w.name).collect();
    text += "\nCtrl-C stops, Ctrl-D leaves, Tab completes, Ctrl-R searches what was typed.\n";
    text += &folded(&format!(":help about  {}\n", words.join(", ")), 6);
    text + "or any function:  :help relu     all operations:  :help ops\n"
}

/// Every word that is explained.
pub fn words() -> impl Iterator<Item = &'static Word> {
    WORDS.iter().chain(CONCEPTS)
}

/// So many commands, those that one asks with, get a line of their own.
const ROWS: usize = 12;

/// Columns of a screen.
const COLUMNS: usize = 80;

fn call(command: &Command) -> String {
    let call = format!(":{} {}", command.name, command.args);
    call.trim_end().to_owned()
}

fn row(command: &Command) -> String {
    format!("  {:20} {}\n", call(command), command.one_line)
}

/// Text folded at blanks, later lines indented.
fn folded(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_inclusive(' ') {
        let width = word.trim_end().chars().count();
        if column + width > COLUMNS {
            lines = lines.trim_end().to_owned() + "\n" + &" ".repeat(indent);
            column = indent;
        }
        lines += word;
        column += word.chars().count();
    }
    lines
}

/// What is said about something, below its name; lines that begin with a command or a blank stay lines.
fn prose(says: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    for line in says.lines() {
        match parts.last_mut() {
            Some(part) if !line.starts_with([':', ' ']) => *part += &format!(" {line}"),
            _ => parts.push(format!("    {line}")),
        }
    }
    let folds = |part: String| folded(&(part + "\n"), 4);
    parts.into_iter().map(folds).collect()
}

/// The help text of a topic.
pub fn about(topic: &str) -> Option<String> {
    let bare = topic.strip_prefix(':').unwrap_or(topic);
    if let Some(word) = words().find(|w| w.name == topic) {
        return Some(about_word(word));
    }
    if let Some(command) = COMMANDS.iter().find(|c| c.name == bare) {
        return Some(about_command(command));
    }
    if bare == "ops" {
        return Some(list());
    }
    let name = topic.rsplit('.').next().unwrap_or(topic);
    if let Some(entry) = ops::lookup(name) {
        return Some(about_operation(entry));
    }
    if let Some(text) = callable(topic) {
        return Some(text);
    }
    let lower = topic.to_lowercase();
    let word =
        words().find(|w| w.name == topic || w.name == lower || w.also.contains(&lower.as_str()))?;
    Some(about_word(word))
}

fn about_command(command: &Command) -> String {
    let mut text = format!(":{} {}", command.name, command.args).trim_end().to_owned();
    text += &format!("\n    {}\n", command.one_line);
    text += &prose(command.help);
    if command.name == "set" {
        for s in SETTINGS {
            text += &format!("    :set {:8} {:22} {}\n", s.name, s.values, s.says);
        }
    }
    text
}

fn about_word(word: &Word) -> String {
    format!("{}\n{}    try   {}\n", word.name, prose(word.says), word.example)
}

/// A function or class by its bare or dotted name.
fn callable(topic: &str) -> Option<String> {
    let top = library::all(false);
    if let Some((_, value)) = top.iter().find(|(name, _)| *name == topic) {
        return about_value(topic, value);
    }
    let (path, last) = topic.rsplit_once('.').unwrap_or(("", topic));
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let full = match (first, rest) {
        ("np", _) => path.replacen("np", "numpy", 1),
        ("F", _) => path.replacen('F', "torch.nn.functional", 1),
        ("nn" | "optim", _) => format!("torch.{path}"),
        _ => path.to_owned(),
    };
    let symbol = crate::text::names::Symbol::new(last);
    library::modules()
        .into_iter()
        .filter(|m| full.is_empty() || m.name == full)
        .find_map(|m| about_value(topic, &m.get(symbol)?))
}

/// What is called: how, and what it does.
fn about_value(topic: &str, value: &Value) -> Option<String> {
    if let Value::Builtin(b) = value {
        return Some(about_builtin(b));
    }
    let call = known::call(value)?;
    let left = format!("{topic}({})", call.params.join(", "));
    let says = match call.says.is_empty() {
        true => String::new(),
        false => format!("    {}\n", call.says),
    };
    Some(help_operation::folded(&left, ", ", "        ") + "\n" + &says)
}

fn about_builtin(builtin: &Builtin) -> String {
    let home = match builtin.module {
        "builtins" | "" | "vjp" => String::new(),
        module => format!("{module}.{}", builtin.name),
    };
    let call = builtin.name.to_owned() + &help_operation::untyped(builtin.signature);
    let left = help_operation::folded(&call, ", ", "        ");
    let first = beside(&left, &home).trim_end().to_owned() + "\n";
    let says = |l: &str| folded(&format!("    {l}\n"), 4);
    first + &builtin.help.lines().map(says).collect::<String>()
}
