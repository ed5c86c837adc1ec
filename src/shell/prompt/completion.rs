//! Completion: names, attributes after a dot, keyword arguments, commands with their arguments, file
//! names; each with a description.

use super::{describe, hint, paths};
use crate::commands::settings::SETTINGS;
use crate::commands::table::{COMMANDS, Completes};
use crate::prompt::hint::call_at;
use std::collections::BTreeSet;
use unicode_width::UnicodeWidthStr;
use vjp_eval::{Machine, Value, library};
use vjp_library::introspect;
use vjp_report::Style;
use vjp_text::visible::{has_hidden, on_one_line};

/// What an empty line is completed with where there is nothing to offer: a step of indentation.
const INDENT: &str = "    ";

/// Of more names than these only the wanted ones are described.
const DESCRIBED: usize = 60;

/// What people want first of a tensor, before the hundreds of its other names.
const OF_TENSORS: &[&str] = &[
    "grad",
    "backward",
    "sum",
    "mean",
    "T",
    "shape",
    "detach",
    "item",
    "requires_grad_",
    "retain_grad",
    "grad_fn",
    "is_leaf",
    "reshape",
    "exp",
    "log",
    "relu",
    "norm",
    "max",
];

/// What people want first of a module with hundreds of names.
const OF_MODULES: &[(&str, &[&str])] = &[
    (
        "torch",
        &[
            "tensor",
            "zeros",
            "ones",
            "randn",
            "arange",
            "linspace",
            "manual_seed",
            "no_grad",
            "autograd",
            "nn",
            "optim",
            "sum",
            "mean",
            "matmul",
            "exp",
            "log",
            "relu",
            "stack",
        ],
    ),
    (
        "torch.nn",
        &[
            "Linear",
            "ReLU",
            "Sequential",
            "Module",
            "Parameter",
            "MSELoss",
            "CrossEntropyLoss",
            "Conv2d",
            "Tanh",
            "Sigmoid",
            "Dropout",
            "LayerNorm",
            "BatchNorm1d",
            "Embedding",
            "Flatten",
            "LSTM",
            "ModuleList",
            "functional",
        ],
    ),
    (
        "torch.nn.functional",
        &[
            "relu",
            "softmax",
            "log_softmax",
            "cross_entropy",
            "mse_loss",
            "nll_loss",
            "sigmoid",
            "gelu",
            "linear",
            "conv2d",
            "max_pool2d",
            "dropout",
            "layer_norm",
            "one_hot",
            "normalize",
            "pad",
        ],
    ),
    (
        "numpy",
        &[
            "array", "zeros", "ones", "arange", "linspace", "random", "exp", "log", "sin", "cos",
            "sqrt", "sum", "mean", "dot", "pi",
        ],
    ),
];

/// The widest word that descriptions stand beside.
const WORD: usize = 28;

/// What there is to complete with.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    pub machine: &'a Machine,
    /// Fixes of the last error and what they do, for an empty line.
    pub offers: &'a [(String, String)],
    pub style: &'a Style,
}

/// A way to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub word: String,
    pub says: String,
    /// Its place among those that people want, where there are many.
    wanted: Option<usize>,
    /// How it is listed.
    shown: String,
}

impl Choice {
    pub fn new(word: impl Into<String>, says: impl Into<String>) -> Choice {
        let word = word.into();
        Choice { shown: word.clone(), says: says.into(), wanted: None, word }
    }

    /// Arguments of the call at hand before the names of the world, in-place forms last.
    fn order(&self) -> (bool, bool, String) {
        (!self.word.ends_with('='), self.word.ends_with('_'), self.word.clone())
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl rustyline::completion::Candidate for Choice {
    fn display(&self) -> &str {
        &self.shown
    }

    fn replacement(&self) -> &str {
        &self.word
    }
}

/// Ways to go on, and where they begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub start: usize,
    pub choices: Vec<Choice>,
}

/// What may stand at `at` in `text`, without repetition: what is wanted first, then by name.
pub fn complete(known: &Known, text: &str, at: usize) -> Completion {
    let typed = &text[..at];
    let line = &typed[typed.rfind('\n').map_or(0, |n| n + 1)..];
    let offers = known.offers;
    let next = match offers.iter().position(|(code, _)| code == typed) {
        Some(k) => Some((k + 1) % offers.len()),
        None => (typed.is_empty() && !offers.is_empty()).then_some(0),
    };
    if let Some((code, says)) = next.map(|k| &offers[k])
        && typed == text
    {
        // Each Tab puts the next fix on the line; Enter runs it.
        return Completion { start: 0, choices: vec![Choice::new(code, says)] };
    }
    if !text.contains('\n')
        && offers.iter().any(|(code, _)| code.starts_with(typed) && code != typed)
    {
        let choices = offers
            .iter()
            .filter(|(code, _)| code.starts_with(typed))
            .map(|(code, says)| Choice::new(code, says));
        return Completion { start: 0, choices: choices.collect() };
    }
    if line.trim().is_empty() {
        return Completion { start: at, choices: vec![Choice::new(INDENT, "")] };
    }
    let (start, mut choices) = match typed.trim_start().strip_prefix(':') {
        Some(command) => self::command(known, typed, command),
        None => match typed.trim_start().strip_prefix('?') {
            Some(topic) => (at - topic.len(), topics(topic)),
            None => code(known, typed),
        },
    };
    choices.sort_by_key(Choice::order);
    choices.dedup_by(|a, b| a.word == b.word);
    choices.sort_by_key(|c| c.wanted.unwrap_or(usize::MAX));
    // What cannot be seen is not written into a line.
    choices.retain(|c| !has_hidden(&c.word));
    Completion { start, choices }
}

/// The choices as they are listed on a screen of `rows` and `columns`: each with its description
/// where all of them fit, else those that are wanted; asked for `again`, as many names as fit.
pub fn laid_out(
    mut choices: Vec<Choice>,
    (rows, columns): (usize, usize),
    again: bool,
) -> Vec<Choice> {
    // The line itself, the one it is drawn on anew, and one for what is left out.
    let room = rows.saturating_sub(3).max(1);
    let all = choices.len();
    let wanted = choices.iter().filter(|c| c.wanted.is_some()).count();
    let beginning = common_beginning(&choices);
    let mut rest = "";
    if all <= room {
        describe_all(&mut choices, columns);
    } else if !again && (all <= DESCRIBED || wanted > 0) {
        choices.truncate(if all <= DESCRIBED { room } else { wanted.min(room) });
        describe_all(&mut choices, columns);
        rest = ": press Tab again or keep typing";
    } else {
        choices.sort_by_key(Choice::order);
        choices.truncate(fitting(&choices, room, columns));
    }
    if choices.len() < all {
        let shown = format!("… {} more{rest}", all - choices.len());
        choices.push(Choice { shown, ..Choice::new(beginning, "") });
    }
    choices
}

/// How many of the names fit on a screen, in columns as the editor lists them, with one more.
fn fitting(choices: &[Choice], rows: usize, columns: usize) -> usize {
    const MORE: usize = "… 1234 more".len();
    let (mut widest, mut count) = (MORE, 0usize);
    for choice in choices {
        widest = widest.max(choice.word.width());
        let beside = (columns / (widest + 2)).max(1);
        if (count + 2).div_ceil(beside) > rows {
            break;
        }
        count += 1;
    }
    count
}

/// How all choices begin; with it among them the editor adds no more than that to the line.
fn common_beginning(choices: &[Choice]) -> String {
    let first = choices.first().map_or("", |c| c.word.as_str());
    let same = |word: &str| {
        let pairs = first.char_indices().zip(word.chars());
        let end = pairs.take_while(|((_, a), b)| a == b).last();
        end.map_or(0, |((at, c), _)| at + c.len_utf8())
    };
    let least = choices.iter().map(|c| same(&c.word)).min().unwrap_or(0);
    first[..least].to_owned()
}

/// A description beside each.
fn describe_all(choices: &mut [Choice], columns: usize) {
    let widest = choices.iter().map(|c| c.word.width()).max().unwrap_or(0).min(WORD);
    for choice in choices.iter_mut().filter(|c| !c.says.is_empty()) {
        let gap = " ".repeat(widest.saturating_sub(choice.word.width()) + 2);
        let room = columns.saturating_sub(choice.word.width() + gap.len() + 2);
        let says = on_one_line(&choice.says);
        choice.shown = format!("{}{gap}{}", choice.word, hint::cut(&says, room));
    }
}

fn command(known: &Known, typed: &str, command: &str) -> (usize, Vec<Choice>) {
    let offset = typed.len() - command.len();
    let Some((name, rest)) = command.split_once(' ') else {
        let names = COMMANDS.iter().map(|c| Choice::new(c.name, c.one_line));
        return (offset, beginning(names, command));
    };
    let start = typed.len() - rest.len();
    let completes = COMMANDS
        .iter()
        .find(|c| c.name == name.trim_end_matches('!'))
        .map_or(Completes::Nothing, |c| c.completes);
    match completes {
        Completes::Nothing => (start, Vec::new()),
        Completes::Files => {
            let paths = paths::beginning(rest).into_iter();
            (start, paths.map(|(path, says)| Choice::new(path, says)).collect())
        }
        Completes::Topics => (start, topics(rest)),
        Completes::Settings => match rest.split_once(' ') {
            None => (start, beginning(SETTINGS.iter().map(|s| Choice::new(s.name, s.says)), rest)),
            Some((setting, value)) => {
                let setting = SETTINGS.iter().find(|s| s.name == setting);
                let values = setting.map_or("", |s| s.values).split('|');
                let words = values.filter(|v| v.starts_with(char::is_lowercase));
                let says = setting.map_or("", |s| s.says);
                (typed.len() - value.len(), beginning(words.map(|w| Choice::new(w, says)), value))
            }
        },
        Completes::Code => code(known, typed),
    }
}

fn topics(with: &str) -> Vec<Choice> {
    let all = crate::help::topics().into_iter();
    let wanted: Vec<&str> = crate::help::words().map(|w| w.name).collect();
    described(all.filter(|t| t.starts_with(with)), &wanted, describe::topic)
}

/// Choices with what they are; among too many only the wanted ones.
fn described(
    names: impl Iterator<Item = String>,
    wanted: &[&str],
    says: impl Fn(&str) -> String,
) -> Vec<Choice> {
    let names: BTreeSet<String> = names.collect();
    let few = names.len() <= DESCRIBED;
    let choices = names.into_iter().map(|name| {
        let wanted = wanted.iter().position(|w| *w == name);
        let says = if few || wanted.is_some() { says(&name) } else { String::new() };
        Choice { wanted, ..Choice::new(name, says) }
    });
    choices.collect()
}

fn code(known: &Known, typed: &str) -> (usize, Vec<Choice>) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let start = typed
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_word(*c))
        .last()
        .map_or(typed.len(), |(i, _)| i);
    let word = &typed[start..];
    if let Some(before) = typed[..start].strip_suffix('.') {
        return (start, members(known, before, word));
    }
    let mut choices = keywords(known, typed, word);
    if !word.is_empty() {
        let own = known.machine.names();
        let own = own.iter().filter(|(n, _)| n.starts_with(word));
        choices.extend(own.map(|(n, v)| Choice::new(n, describe::value(known.style, v))));
        let given = library::all(known.machine.strict()).into_iter();
        let given = given.filter(|(n, _)| n.starts_with(word));
        choices.extend(given.map(|(n, v)| Choice::new(n, describe::value(known.style, &v))));
    }
    (start, choices)
}

/// What stands behind the dot after `before`.
fn members(known: &Known, before: &str, word: &str) -> Vec<Choice> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let base = before
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_word(*c))
        .last()
        .map_or("", |(i, _)| &before[i..]);
    let path: Vec<&str> = base.split('.').collect();
    let owner = match introspect::known(known.machine, &path) {
        Some(owner) => Some(owner),
        // Of what is computed, a tensor is the likeliest.
        None if base.is_empty() || base.starts_with('.') => None,
        None => return Vec::new(),
    };
    let names = match &owner {
        Some(owner) => introspect::members(known.machine, owner),
        None => vjp_library::methods::names().into_iter().map(str::to_owned).collect(),
    };
    let hidden = |n: &str| n.starts_with('_') && !word.starts_with('_');
    let wanted = names.into_iter().filter(|n| n.starts_with(word) && !hidden(n));
    let tensor = owner.as_ref().is_none_or(|o| introspect::member(o, "backward").is_some());
    let first = match &owner {
        _ if tensor => OF_TENSORS,
        Some(Value::Module(m)) => {
            OF_MODULES.iter().find(|(module, _)| *module == m.name).map_or(&[][..], |(_, all)| all)
        }
        _ => &[],
    };
    described(wanted, first, |name| describe::member(known.style, owner.as_ref(), name))
}

/// Keyword arguments of the call at the cursor.
fn keywords(known: &Known, typed: &str, word: &str) -> Vec<Choice> {
    let Some(at) = call_at(typed).filter(|at| at.fresh && at.keyword.is_none()) else {
        return Vec::new();
    };
    let Some(call) = hint::call_of(known.machine, &at) else {
        return Vec::new();
    };
    let callee = at.path.last().copied().unwrap_or_default();
    let usual = |name: &str| {
        let whole = call.params.iter().find(|p| p.split('=').next() == Some(name));
        match whole.and_then(|p| p.split_once('=')) {
            Some((_, usual)) => format!("argument of {callee}, default {usual}"),
            None => format!("argument of {callee}"),
        }
    };
    let names = call.keywords().filter(|n| n.starts_with(word));
    names.map(|n| Choice::new(format!("{n}="), usual(n))).collect()
}

fn beginning(choices: impl Iterator<Item = Choice>, with: &str) -> Vec<Choice> {
    choices.filter(|c| c.word.starts_with(with)).collect()
}
