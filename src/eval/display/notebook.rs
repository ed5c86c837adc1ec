//! A value as a notebook shows it below its cell: a list or dict that is too long for a line has a line for
//! each element.

use super::python;
use crate::library::prelude;
use crate::values::containers::{TupleKind, find};
use crate::values::set_order;
use crate::{Machine, Tried, Value};
use vjp_text::Symbol;

/// The width of a line.
const WIDTH: usize = 79;

/// So many elements are shown.
const MOST: usize = 1000;

/// Deeper containers are written as Python does.
const DEPTH: usize = 50;

/// What is laid out.
enum Piece {
    Text(String),
    /// Brackets around rows, each of which may be several pieces: a key and its value.
    Group(String, Vec<Vec<Piece>>, String),
}

/// The text below the cell.
pub(crate) fn pretty(machine: &mut Machine, value: &Value) -> Tried<String> {
    let whole = piece(machine, value, 0)?;
    let mut out = String::new();
    lay(&whole, &mut out, 0, 0);
    Ok(out)
}

fn piece(m: &mut Machine, value: &Value, depth: usize) -> Tried<Piece> {
    let text = |m: &mut Machine| python::repr(m, value).map(|text| Piece::Text(placed(text)));
    if depth > DEPTH {
        return text(m);
    }
    let named =
        |open: &str, close: &str, rows| Piece::Group(open.to_owned(), rows, close.to_owned());
    Ok(match value {
        Value::List(list) => {
            let items = list.items.borrow().to_vec();
            named("[", "]", rows(m, &items, depth)?)
        }
        Value::Tuple(t) if t.kind == TupleKind::Plain => {
            let close = if t.items.len() == 1 { ",)" } else { ")" };
            named("(", close, rows(m, &t.items, depth)?)
        }
        Value::Set(set) if !set.entries.borrow().is_empty() => {
            let mut items = set_order::elements(&set.entries.borrow());
            // Sorted where that is possible, as numbers and texts are.
            let mut sorted = items.iter().map(|item| (item.clone(), item.clone())).collect();
            if m.sort(&mut sorted, false).is_ok() {
                items = sorted.into_iter().map(|(_, item)| item).collect();
            }
            let (open, close) = if set.frozen { ("frozenset({", "})") } else { ("{", "}") };
            named(open, close, rows(m, &items, depth)?)
        }
        Value::Dict(_) => named("{", "}", pairs(m, value, depth)?),
        Value::Instance(i) => {
            let class = i.class();
            let module = class.module();
            let held = i.base();
            match (&*class.qualified, module.as_str(), held) {
                ("OrderedDict", Some("collections"), Some(held)) => {
                    let items = entries(&held).into_iter();
                    let items = items.map(|(k, v)| Value::tuple(vec![k, v])).collect();
                    call(m, "OrderedDict", &[Value::list(items)], depth)?
                }
                ("defaultdict", Some("collections"), Some(held)) => {
                    let factory = find(&i.attributes, Symbol::new("default_factory"));
                    call(m, "defaultdict", &[factory.unwrap_or(Value::None), held], depth)?
                }
                ("Counter", Some("collections"), Some(held)) => call(m, "Counter", &[held], depth)?,
                _ => text(m)?,
            }
        }
        Value::Type(_) | Value::Class(_) => {
            let whole = python::repr(m, value)?;
            let bare = whole.strip_prefix("<class '").and_then(|t| t.strip_suffix("'>"));
            Piece::Text(bare.unwrap_or(&whole).to_owned())
        }
        Value::Function(f) => match signature(m, value)? {
            Some(taken) => {
                let name = Value::Function(f.clone());
                let module = m.get_attr(&name, Symbol::new("__module__"))?;
                let module = module.as_str().unwrap_or("__main__").to_owned();
                Piece::Text(format!("<function {module}.{}{taken}>", f.qualified))
            }
            None => text(m)?,
        },
        _ => text(m)?,
    })
}

/// What a function takes, as `inspect.signature` writes it.
fn signature(m: &mut Machine, function: &Value) -> Tried<Option<String>> {
    let Some(of) = prelude::get("inspect", Symbol::new("signature")) else { return Ok(None) };
    let site = m.here();
    let taken = m.call_with(&of, vec![function.clone()], &site)?;
    python::str(m, &taken).map(Some)
}

/// `<Net at 0x7f…>`, where Python says `<Net object at 0x7f…>`.
fn placed(text: String) -> String {
    let bare = text.strip_prefix('<').and_then(|t| t.strip_suffix('>'));
    match bare.and_then(|t| t.split_once(" object at 0x")) {
        Some((name, place)) if !name.contains(' ') && !place.contains(' ') => {
            format!("<{name} at 0x{place}>")
        }
        _ => text,
    }
}

fn entries(value: &Value) -> Vec<(Value, Value)> {
    let Value::Dict(dict) = value else { return Vec::new() };
    let table = dict.entries.borrow();
    let slots = (0..table.slots()).filter_map(|slot| table.slot(slot));
    slots.map(|(k, v)| (k.clone(), v.clone())).collect()
}

fn pairs(m: &mut Machine, dict: &Value, depth: usize) -> Tried<Vec<Vec<Piece>>> {
    let row = |(key, value): (Value, Value)| {
        let key = piece(m, &key, depth + 1)?;
        Ok(vec![key, Piece::Text(": ".into()), piece(m, &value, depth + 1)?])
    };
    entries(dict).into_iter().map(row).collect()
}

fn rows(m: &mut Machine, items: &[Value], depth: usize) -> Tried<Vec<Vec<Piece>>> {
    let shown = items.iter().take(MOST).map(|item| Ok(vec![piece(m, item, depth + 1)?]));
    let mut rows: Vec<Vec<Piece>> = shown.collect::<Tried<_>>()?;
    if items.len() > MOST {
        rows.push(vec![Piece::Text("...".into())]);
    }
    Ok(rows)
}

/// `Counter({…})`
fn call(m: &mut Machine, name: &str, args: &[Value], depth: usize) -> Tried<Piece> {
    Ok(Piece::Group(format!("{name}("), rows(m, args, depth)?, ")".into()))
}

/// A piece in one line, where it is one.
fn flat(piece: &Piece, out: &mut String) -> Option<()> {
    match piece {
        Piece::Text(text) if text.contains('\n') => return None,
        Piece::Text(text) => out.push_str(text),
        Piece::Group(open, rows, close) => {
            out.push_str(open);
            for (k, row) in rows.iter().enumerate() {
                out.push_str(if k > 0 { ", " } else { "" });
                row.iter().try_for_each(|part| flat(part, out))?;
            }
            out.push_str(close);
        }
    }
    Some(())
}

/// Writes a piece after which `more` columns follow on the line; further lines begin in column `indent`.
fn lay(piece: &Piece, out: &mut String, indent: usize, more: usize) {
    let break_line = |out: &mut String, indent: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', indent));
    };
    let mut line = String::new();
    let column = out.rsplit('\n').next().unwrap_or_default().chars().count();
    if flat(piece, &mut line).is_some() && column + line.chars().count() + more <= WIDTH {
        out.push_str(&line);
        return;
    }
    match piece {
        Piece::Text(text) => {
            for (k, line) in text.lines().enumerate() {
                if k > 0 {
                    break_line(out, indent);
                }
                out.push_str(line);
            }
        }
        Piece::Group(open, rows, close) => {
            out.push_str(open);
            let inner = indent + open.chars().count();
            for (k, row) in rows.iter().enumerate() {
                if k > 0 {
                    out.push(',');
                    break_line(out, inner);
                }
                let behind = if k + 1 == rows.len() { close.len() + more } else { 1 };
                for part in row {
                    lay(part, out, inner, behind);
                }
            }
            out.push_str(close);
        }
    }
}
