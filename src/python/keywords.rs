//! Which keywords Python's builtins and classes take, and what they say to others.

use vjp_eval::{Args, Builtin, Type};
use vjp_tensor::{Complaint, Kind, Outcome};
use vjp_text::Symbol;

/// Refuses keywords that the signature of a builtin of Python's does not have.
pub fn check(args: &Args) -> Outcome<()> {
    match args.callee {
        Some(builtin) if !args.named.is_empty() && is_python(builtin) => {
            // Python's `sorted` hands its keywords to `list.sort`.
            let says = if builtin.name == "sorted" { "sort" } else { builtin.name };
            among(&keywords(builtin.signature), says, &args.named)
        }
        _ => Ok(()),
    }
}

/// The same of a class, whose keywords are these.
pub fn check_class(class: &Type, args: &Args) -> Outcome<()> {
    let known: &[&str] = match class.name {
        "dict" | "type" => return Ok(()),
        "int" => &["base"],
        "str" => &["object", "encoding", "errors"],
        "enumerate" => &["iterable", "start"],
        "zip" => &["strict"],
        "property" => &["fget", "fset", "fdel", "doc"],
        _ => &[],
    };
    among(known, class.name, &args.named)
}

fn is_python(builtin: &Builtin) -> bool {
    matches!(
        builtin.module,
        "builtins"
            | "str"
            | "list"
            | "tuple"
            | "dict"
            | "set"
            | "int"
            | "float"
            | "range"
            | "slice"
    )
}

fn among(known: &[&str], name: &str, given: &[(Symbol, vjp_eval::Value)]) -> Outcome<()> {
    let Some((other, _)) = given.iter().find(|(n, _)| !known.contains(&n.as_str())) else {
        return Ok(());
    };
    let says = match known {
        ["**", ..] => return Ok(()),
        [] => format!("{name}() takes no keyword arguments"),
        _ => format!("'{other}' is an invalid keyword argument for {name}()"),
    };
    Err(Complaint::new(Kind::Type, says))
}

/// The parameters that may be given by name; `**` where any may.
fn keywords(signature: &'static str) -> Vec<&'static str> {
    let inner = signature.trim_start_matches('(').trim_end_matches(')');
    let mut names: Vec<&str> = Vec::new();
    for part in split(inner) {
        let name = part.split('=').next().unwrap_or(part).trim();
        match name {
            "/" => names.clear(),
            _ if name.starts_with("**") => return vec!["**"],
            _ if name.chars().all(|c| c.is_alphanumeric() || c == '_') => names.push(name),
            _ => {}
        }
    }
    names.retain(|n| !n.is_empty());
    names
}

/// At commas outside brackets.
pub fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}
