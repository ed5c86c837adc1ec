//! Completion: names, what stands behind a dot, commands with their arguments, file names.

use super::command_table::{COMMANDS, Completes};
use super::settings::SETTINGS;
use crate::eval::library::{self, Module};
use crate::eval::machine::Machine;
use crate::eval::value::Value;
use crate::maths::ops::{self, Forms};
use crate::text::names::Symbol;
use std::path::Path;

/// What can be completed, as of the last input: the editor must not touch the machine.
#[derive(Default)]
pub struct Known {
    /// The program's names and what they stand for.
    names: Vec<(String, Kind)>,
    strict: bool,
    /// Whole lines for an empty one.
    offers: Vec<String>,
}

/// What an empty line is completed with where there is nothing to offer: a step of indentation.
const INDENT: &str = "    ";

/// What stands behind a name, as far as its dot is concerned.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Tensor,
    Module(&'static Module),
    Other,
}

impl PartialEq for Module {
    fn eq(&self, other: &Module) -> bool {
        std::ptr::eq(self, other)
    }
}

fn kind(value: &Value) -> Kind {
    match value {
        Value::Tensor(_) | Value::Array(_) | Value::Number(_) | Value::List(_) => Kind::Tensor,
        Value::Module(module) => Kind::Module(module),
        _ => Kind::Other,
    }
}

impl Known {
    pub fn of(machine: &Machine, offers: &[String]) -> Known {
        let names = machine.names().into_iter();
        Known {
            names: names.map(|(name, value)| (name, kind(&value))).collect(),
            strict: machine.strict(),
            offers: offers.to_vec(),
        }
    }

    /// Names that may stand alone.
    fn words(&self) -> Vec<String> {
        let own = self.names.iter().map(|(name, _)| name.clone());
        let given = library::all(self.strict).into_iter();
        own.chain(given.map(|(name, _)| name.to_owned())).collect()
    }

    /// What may follow `base.`
    fn members(&self, base: &str) -> Vec<String> {
        let owned = |names: Vec<&'static str>| names.into_iter().map(str::to_owned).collect();
        let own = self.names.iter().find(|(name, _)| name == base);
        let kind = own.map(|(_, kind)| *kind).or_else(|| {
            let (first, rest) = base.split_once('.').unwrap_or((base, ""));
            let given = library::all(self.strict).into_iter();
            let (_, value) = given.into_iter().find(|(name, _)| *name == first)?;
            let mut inner = rest.split('.').filter(|r| !r.is_empty());
            let value = inner.try_fold(value, |value, name| match value {
                Value::Module(module) => module.get(Symbol::new(name)),
                _ => None,
            });
            value.as_ref().map(self::kind)
        });
        match kind {
            Some(Kind::Module(module)) => owned(module.names()),
            Some(Kind::Tensor) => tensor_members(),
            _ => Vec::new(),
        }
    }
}

/// Methods and attributes of tensors.
fn tensor_members() -> Vec<String> {
    let mut all: Vec<String> = [
        "grad",
        "grad_fn",
        "shape",
        "dtype",
        "data",
        "is_leaf",
        "requires_grad",
    ]
    .map(str::to_owned)
    .to_vec();
    for entry in ops::catalogue() {
        let names = std::iter::once(entry.name).chain(entry.aliases.iter().copied());
        for name in names {
            if entry.forms.has(Forms::METHOD) || entry.forms.has(Forms::ATTRIBUTE) {
                all.push(name.to_owned());
            }
            if entry.forms.has(Forms::INPLACE) {
                all.push(format!("{name}_"));
            }
        }
    }
    all
}

/// A way to go on: what is inserted, and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub start: usize,
    pub words: Vec<String>,
}

/// The words that may stand at `at` in `line`, sorted, without repetition.
pub fn complete(line: &str, at: usize, known: &Known) -> Completion {
    let typed = &line[..at];
    if typed.trim().is_empty() {
        let words = match typed.is_empty() && !known.offers.is_empty() {
            true => known.offers.clone(),
            false => vec![INDENT.to_owned()],
        };
        return Completion { start: at, words };
    }
    let (start, mut words) = match typed.trim_start().strip_prefix(':') {
        Some(command) => self::command(typed, command, known),
        None => code(typed, known),
    };
    words.sort();
    words.dedup();
    Completion { start, words }
}

fn command(typed: &str, command: &str, known: &Known) -> (usize, Vec<String>) {
    let offset = typed.len() - command.len();
    let Some((name, rest)) = command.split_once(' ') else {
        let names = COMMANDS.iter().map(|c| c.name);
        return (offset, beginning(names, command));
    };
    let start = typed.len() - rest.len();
    let completes = COMMANDS
        .iter()
        .find(|c| c.name == name)
        .map_or(Completes::Nothing, |c| c.completes);
    match completes {
        Completes::Nothing => (start, Vec::new()),
        Completes::Files => (start, files(rest)),
        Completes::Topics => (
            start,
            beginning(super::help::topics().iter().map(String::as_str), rest),
        ),
        Completes::Settings => match rest.split_once(' ') {
            None => (start, beginning(SETTINGS.iter().map(|s| s.name), rest)),
            Some((setting, value)) => {
                let values = SETTINGS
                    .iter()
                    .find(|s| s.name == setting)
                    .map_or("", |s| s.values);
                let words = values
                    .split('|')
                    .filter(|v| v.starts_with(char::is_lowercase));
                (typed.len() - value.len(), beginning(words, value))
            }
        },
        Completes::Code => code(typed, known),
    }
}

fn code(typed: &str, known: &Known) -> (usize, Vec<String>) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let start = typed
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_word(*c))
        .last()
        .map_or(typed.len(), |(i, _)| i);
    let word = &typed[start..];
    match typed[..start].strip_suffix('.') {
        Some(before) => {
            let base = before
                .rfind(|c: char| !is_word(c) && c != '.')
                .map_or(before, |i| {
                    before[i + 1..].trim_start_matches(|c| !is_word(c))
                });
            (
                start,
                beginning(known.members(base).iter().map(String::as_str), word),
            )
        }
        None if word.is_empty() => (start, Vec::new()),
        None => (
            start,
            beginning(known.words().iter().map(String::as_str), word),
        ),
    }
}

fn beginning<'a>(words: impl Iterator<Item = &'a str>, with: &str) -> Vec<String> {
    words
        .filter(|w| w.starts_with(with))
        .map(str::to_owned)
        .collect()
}

/// Session files and programs below the typed path, folders with a slash.
fn files(typed: &str) -> Vec<String> {
    let (folder, begun) = match typed.rfind('/') {
        Some(slash) => typed.split_at(slash + 1),
        None => ("", typed),
    };
    let place = if folder.is_empty() {
        Path::new(".")
    } else {
        Path::new(folder)
    };
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let wanted =
                name.starts_with(begun) && (begun.starts_with('.') || !name.starts_with('.'));
            let slash = if entry.path().is_dir() { "/" } else { "" };
            wanted.then(|| format!("{folder}{name}{slash}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Known {
        Known {
            names: vec![
                ("x".into(), Kind::Tensor),
                ("θ₁".into(), Kind::Other),
                ("xylem".into(), Kind::Other),
            ],
            strict: false,
            offers: Vec::new(),
        }
    }

    fn at_end(line: &str) -> (usize, Vec<String>) {
        let c = complete(line, line.len(), &known());
        (c.start, c.words)
    }

    #[test]
    fn names_members_commands_settings() {
        assert_eq!(at_end("3*xy"), (2, vec!["xylem".into()]));
        assert_eq!(at_end("y + θ"), (4, vec!["θ₁".into()]));
        assert_eq!(
            at_end("3*x.gra"),
            (4, vec!["grad".into(), "grad_fn".into()])
        );
        assert!(at_end("f(x.s").1.contains(&"sum".to_owned()));
        assert_eq!(at_end(":un"), (1, vec!["undo".into()]));
        assert_eq!(at_end(":help leaf"), (6, vec!["leaf".into()]));
        assert_eq!(at_end(":set st"), (5, vec!["strict".into()]));
        assert_eq!(
            at_end(":set strict o"),
            (12, vec!["off".into(), "on".into()])
        );
        assert_eq!(at_end(""), (0, vec![INDENT.into()]));
        assert_eq!(at_end("  "), (2, vec![INDENT.into()]));
    }
}
