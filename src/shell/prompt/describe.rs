//! One line about anything that can be completed, taken from the existing tables.

use super::hint;
use crate::commands::table::COMMANDS;
use vjp_eval::record::event::Remark;
use vjp_eval::{Value, library};
use vjp_library::describe::describe;
use vjp_library::{introspect, methods};
use vjp_ops::Entry;
use vjp_report::Style;
use vjp_text::Symbol;

/// Columns for a value.
const ROOM: usize = 44;

/// A value: functions by what they do, the rest by what it is.
pub fn value(style: &Style, value: &Value) -> String {
    match value {
        Value::Builtin(b) => builtin(b.name, b.help),
        Value::Method(m) => builtin(m.1.name, m.1.help),
        Value::Module(m) => m.help.to_owned(),
        Value::Type(t) => t.help.to_owned(),
        Value::Function(_) | Value::BoundFunction(_) | Value::Class(_) => {
            let Some(call) = introspect::call(value) else {
                return String::new();
            };
            let kind = if let Value::Class(_) = value { "class" } else { "function" };
            match call.says.is_empty() {
                true => format!("{kind} ({})", call.params.join(", ")),
                false => call.says,
            }
        }
        _ => plain(style, value),
    }
}

fn plain(style: &Style, value: &Value) -> String {
    let Some((shown, remark)) = introspect::shown(value) else {
        return String::new();
    };
    let text = hint::brief(&shown, remark.as_ref(), ROOM, style).unwrap_or_default();
    match remark {
        Some(Remark::Leaf { .. }) => format!("{text}  leaf"),
        _ => text,
    }
}

/// What stands behind a dot. None for the owner: a tensor that is not computed yet.
pub fn member(style: &Style, owner: Option<&Value>, name: &str) -> String {
    let property = methods::PROPERTIES.iter().find(|(n, _)| *n == name);
    let tensor = owner.is_none_or(|o| introspect::member(o, "backward").is_some());
    if let Some((_, says)) = property.filter(|_| tensor) {
        return (*says).to_owned();
    }
    let found = match owner {
        Some(owner) => introspect::member(owner, name),
        None => methods::method(name).map(Value::Builtin),
    };
    match found {
        // An attribute that has to be computed: an operation without arguments.
        Some(Value::Tensor(_) | Value::List(_) | Value::Number(_)) | None if tensor => {
            operation(name).map(entry).unwrap_or_default()
        }
        Some(v) => value(style, &v),
        None => String::new(),
    }
}

/// A topic of `:help`.
pub fn topic(name: &str) -> String {
    if let Some(command) = COMMANDS.iter().find(|c| c.name == name) {
        return command.one_line.to_owned();
    }
    if let Some(word) = crate::help::words().find(|w| w.name == name) {
        return word.says.lines().next().unwrap_or_default().to_owned();
    }
    if let Some(found) = vjp_catalogue::lookup(name) {
        return entry(found);
    }
    match library::builtin(Symbol::new(name), false) {
        Some(Value::Builtin(b)) => builtin(b.name, b.help),
        Some(Value::Module(m)) => m.help.to_owned(),
        Some(Value::Type(t)) => t.help.to_owned(),
        _ => String::new(),
    }
}

/// In-place forms stand for the operation they do.
fn operation(name: &str) -> Option<&'static Entry> {
    vjp_catalogue::lookup(name).or_else(|| vjp_catalogue::lookup(name.strip_suffix('_')?))
}

fn builtin(name: &str, help: &str) -> String {
    let first = help.lines().next().unwrap_or_default();
    let name = name.rsplit('.').next().unwrap_or(name);
    match operation(name) {
        Some(found) if found.formula == help => {
            let place = if name.ends_with('_') && found.name != name { ", in place" } else { "" };
            format!("{}{place}", entry(found))
        }
        _ => first.to_owned(),
    }
}

/// An operation: its call and its formula.
fn entry(entry: &Entry) -> String {
    let first = entry.signature.lines().next().unwrap_or_default();
    let params = introspect::params(first);
    // The derivative after it is for `:help`.
    let formula = entry.formula.split("; ").next().unwrap_or_default();
    match params.as_slice() {
        // Its name says what it is; its slope distinguishes it from similar ones.
        [] | [_] if formula.is_empty() => match describe(entry).as_ref().map(|d| &*d.slopes) {
            Some([(name, slope), ..]) => format!("∂/∂{name} = {slope}"),
            _ => format!("as in {}", entry.example),
        },
        [] | [_] => formula.to_owned(),
        _ => format!("({})  {formula}", params.join(", ")),
    }
}
