//! `:help`: one screen without a topic; with one, a command, an operation, a function or a word.

use super::command_table::{COMMANDS, Command};
use super::fault::Problem;
use super::settings::SETTINGS;
use super::shell::{Ended, Shell};
use super::words::{WORDS, Word};
use crate::eval::library::describe::{Description, describe};
use crate::eval::library::{self, Builtin};
use crate::eval::value::Value;
use crate::maths::ops::{self, Entry, Forms};
use crate::report::echo;
use crate::report::style::{Style, WIDTH};
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
    all.extend(WORDS.iter().map(|w| w.name.to_owned()));
    all.extend(ops::catalogue().map(|e| e.name.to_owned()));
    all.extend(
        library::all(false)
            .into_iter()
            .map(|(name, _)| name.to_owned()),
    );
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
         Python and PyTorch work as usual; a bare number or list is a leaf. _ is the last value.\n\n",
    );
    for command in COMMANDS {
        text += &row(command);
    }
    let words: Vec<&str> = WORDS.iter().map(|w| w.name).collect();
    text + &format!(
        "\nCtrl-C stops, Ctrl-D leaves, Tab completes, Ctrl-R searches what you typed before.\n\
         :help about {}\nor any function:  :help relu\n",
        words.join(", ")
    )
}

fn row(command: &Command) -> String {
    let call = format!(":{} {}", command.name, command.args);
    format!("  {:20} {}\n", call.trim_end(), command.one_line)
}

/// The help text of a topic.
pub fn about(topic: &str) -> Option<String> {
    let bare = topic.strip_prefix(':').unwrap_or(topic);
    if let Some(command) = COMMANDS.iter().find(|c| c.name == bare) {
        return Some(about_command(command));
    }
    let name = topic.rsplit('.').next().unwrap_or(topic);
    if let Some(entry) = ops::lookup(name) {
        return Some(about_operation(entry));
    }
    if let Some(builtin) = builtin(topic) {
        return Some(about_builtin(builtin));
    }
    let lower = topic.to_lowercase();
    let word = WORDS
        .iter()
        .find(|w| w.name == topic || w.name == lower || w.also.contains(&lower.as_str()))?;
    Some(about_word(word))
}

fn about_command(command: &Command) -> String {
    let mut text = format!(":{} {}", command.name, command.args)
        .trim_end()
        .to_owned();
    text += &format!("\n    {}\n", command.one_line);
    for line in command.help.lines() {
        text += &format!("    {line}\n");
    }
    if command.name == "set" {
        for s in SETTINGS {
            text += &format!("    :set {:8} {:16} {}\n", s.name, s.values, s.says);
        }
    }
    text
}

fn about_word(word: &Word) -> String {
    let body: String = word.says.lines().map(|l| format!("    {l}\n")).collect();
    format!("{}\n{body}    try   {}\n", word.name, word.example)
}

fn about_operation(entry: &Entry) -> String {
    let mut text = String::new();
    for signature in entry.signature.lines() {
        let left = format!("{}{}", entry.name, untyped(signature));
        match text.is_empty() {
            true => text += &beside(&left, &spellings(entry)),
            false => text += &format!("{left}\n"),
        }
    }
    let told = describe(entry);
    match &told {
        Some(d) => text += &derivative(entry, d),
        None => text += &indented(entry.formula),
    }
    match &told {
        Some(d) => text += &lesson(d),
        None => text += &indented(entry.example),
    }
    if !entry.see_also.is_empty() {
        text += &format!("    see also  {}\n", entry.see_also.join(", "));
    }
    text
}

fn indented(lines: &str) -> String {
    lines
        .lines()
        .filter(|l| !l.is_empty())
        .map(|l| format!("    {l}\n"))
        .collect()
}

/// `(Tensor input, int dim=None)` as a person calls it: `(input, dim=None)`.
fn untyped(signature: &str) -> String {
    let inner = signature
        .trim()
        .trim_start_matches('(')
        .trim_end_matches(')');
    let names: Vec<&str> = inner
        .split(", ")
        .map(|p| p.rsplit(' ').next().unwrap_or(p))
        .collect();
    format!("({})", names.join(", "))
}

/// The slope as a formula, what J looks like, and the name in the graph.
fn derivative(entry: &Entry, d: &Description) -> String {
    let (shape, says) = d.structure.split_once(": ").unwrap_or(("", d.structure));
    let node = format!("grad_fn {}", d.grad_fn);
    match &d.slope {
        Some(slope) => {
            let left = format!("    ∂/∂x = {slope}");
            let shape = if shape.is_empty() { says } else { shape };
            format!("{left:26}  J is {shape:12}  {node}\n")
        }
        None => indented(entry.formula) + &format!("    J  {says}    {node}\n"),
    }
}

/// The example, carried to its gradient.
fn lesson(d: &Description) -> String {
    let grad = echo::list(&d.grad, &Style::canonical());
    let left = format!("    {}", d.code);
    match left.chars().count() + grad.chars().count() + 13 <= WIDTH {
        true => format!("{left}      x.grad {grad}\n"),
        false => format!("{left}\n        x.grad {grad}\n"),
    }
}

/// Two texts on a line, or one below the other where a line is too short.
fn beside(left: &str, right: &str) -> String {
    let (a, b) = (left.chars().count(), right.chars().count());
    match a + 2 + b <= WIDTH {
        true => format!(
            "{left}{:gap$}{right}\n",
            "",
            gap = (WIDTH - a - b).min(28usize.saturating_sub(a).max(2))
        ),
        false => format!("{left}\n    {right}\n"),
    }
}

/// How an operation is written: `torch.tanh, x.tanh(), np.tanh`.
fn spellings(entry: &Entry) -> String {
    let n = entry.name;
    let table = [
        (Forms::TORCH, format!("torch.{n}")),
        (Forms::F, format!("F.{n}")),
        (Forms::LINALG, format!("torch.linalg.{n}")),
        (Forms::SPECIAL, format!("torch.special.{n}")),
        (Forms::METHOD, format!("x.{n}()")),
        (Forms::INPLACE, format!("x.{n}_()")),
        (Forms::ATTRIBUTE, format!("x.{n}")),
        (Forms::NP, format!("np.{n}")),
    ];
    let all: Vec<String> = table
        .into_iter()
        .filter(|(form, _)| entry.forms.has(*form))
        .map(|(_, text)| text)
        .chain(entry.aliases.iter().map(|a| (*a).to_owned()))
        .collect();
    all.join(", ")
}

/// A function by its bare or dotted name.
fn builtin(topic: &str) -> Option<&'static Builtin> {
    let named = |value: &Value| match value {
        Value::Builtin(b) => Some(*b),
        _ => None,
    };
    let top = library::all(false);
    if let Some((_, value)) = top.iter().find(|(name, _)| *name == topic) {
        return named(value);
    }
    let (path, last) = topic.rsplit_once('.').unwrap_or(("", topic));
    let full = match path {
        "np" => "numpy",
        "F" => "torch.nn.functional",
        "nn" => "torch.nn",
        other => other,
    };
    let symbol = crate::text::names::Symbol::new(last);
    library::modules()
        .into_iter()
        .filter(|m| full.is_empty() || m.name == full)
        .find_map(|m| m.get(symbol).as_ref().and_then(named))
}

fn about_builtin(builtin: &Builtin) -> String {
    let home = match builtin.module {
        "builtins" | "" => String::new(),
        module => format!("{module}.{}", builtin.name),
    };
    let left = format!("{}{}", builtin.name, builtin.signature);
    beside(&left, &home).replace("  \n", "\n") + &format!("    {}\n", builtin.help)
}
