//! Methods of `str` that take texts apart and join them.

use super::strings::{text, text_at};
use super::types::name_of;
use crate::eval::call::Args;
use crate::eval::machine::Machine;
use crate::eval::raise::Halt;
use crate::eval::value::Value;
use crate::maths::budget;
use crate::maths::complaint::Kind;
use crate::raise;

type Made = Result<Value, Halt>;

pub fn join(m: &mut Machine, args: Args) -> Made {
    let separator = text(&args)?;
    args.count_beyond(1, 1, 1)?;
    let items = match m.collect(&args.positional[1]) {
        Ok(items) => items,
        Err(h) if h.kind() == Kind::Type && h.message().ends_with("is not iterable") => {
            raise!(Kind::Type, "can only join an iterable")
        }
        Err(h) => return Err(h),
    };
    let mut size = separator.len().saturating_mul(items.len());
    for (i, v) in items.iter().enumerate() {
        match v {
            Value::Str(s) => size = size.saturating_add(s.len()),
            other => raise!(
                Kind::Type,
                "sequence item {i}: expected str instance, {} found",
                name_of(other)
            ),
        }
    }
    budget::reserve(size)?;
    let parts: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
    Ok(Value::from(parts.join(&separator)))
}

pub fn split(m: &mut Machine, mut args: Args, right: bool) -> Made {
    let s = text(&args)?;
    let most = match args.take_at(2, "maxsplit") {
        Some(v) => m.as_index(&v)?,
        None => -1,
    };
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let parts: Vec<&str> = match args.take_at(1, "sep") {
        None | Some(Value::None) => blanks(&s, most, right),
        Some(Value::Str(sep)) if sep.is_empty() => raise!(Kind::Value, "empty separator"),
        Some(Value::Str(sep)) => {
            let limit = most.saturating_add(1);
            let mut parts: Vec<&str> = if right {
                s.rsplitn(limit, &*sep).collect()
            } else {
                s.splitn(limit, &*sep).collect()
            };
            if right {
                parts.reverse();
            }
            parts
        }
        Some(other) => raise!(Kind::Type, "must be str or None, not {}", name_of(&other)),
    };
    Ok(Value::list(parts.into_iter().map(Value::from).collect()))
}

/// Parts between runs of blanks, cut at most `most` times.
fn blanks(s: &str, most: usize, right: bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = if right { s.trim_end() } else { s.trim_start() };
    while !rest.is_empty() {
        if parts.len() == most {
            parts.push(if right {
                rest.trim_start()
            } else {
                rest.trim_end()
            });
            if right {
                parts.reverse();
            }
            return parts;
        }
        let (part, left) = if right {
            match rest.rfind(char::is_whitespace) {
                Some(i) => {
                    let after = i + rest[i..].chars().next().map_or(1, char::len_utf8);
                    (&rest[after..], rest[..i].trim_end())
                }
                None => (rest, ""),
            }
        } else {
            match rest.find(char::is_whitespace) {
                Some(i) => (&rest[..i], rest[i..].trim_start()),
                None => (rest, ""),
            }
        };
        parts.push(part);
        rest = left;
    }
    if right {
        parts.reverse();
    }
    parts
}

pub fn splitlines(m: &mut Machine, mut args: Args) -> Made {
    let s = text(&args)?;
    let keep = match args.take_at(1, "keepends") {
        Some(v) => m.truth(&v)?,
        None => false,
    };
    let lines = s.split_inclusive('\n').map(|l| {
        if keep {
            l
        } else {
            l.trim_end_matches('\n').trim_end_matches('\r')
        }
    });
    Ok(Value::list(lines.map(Value::from).collect()))
}

pub fn strip(_: &mut Machine, args: Args, left: bool, right: bool) -> Made {
    let s = text(&args)?;
    args.count_beyond(1, 0, 1)?;
    let set: Option<Vec<char>> = match args.positional.get(1) {
        None | Some(Value::None) => None,
        Some(Value::Str(chars)) => Some(chars.chars().collect()),
        Some(_) => raise!(Kind::Type, "{} arg must be None or str", args.name()),
    };
    let drop = |c: char| match &set {
        Some(set) => set.contains(&c),
        None => c.is_whitespace(),
    };
    let mut t: &str = &s;
    if left {
        t = t.trim_start_matches(drop);
    }
    if right {
        t = t.trim_end_matches(drop);
    }
    Ok(Value::from(t))
}

pub fn partition(_: &mut Machine, args: Args, right: bool) -> Made {
    let s = text(&args)?;
    let sep = text_at(&args, 1)?;
    if sep.is_empty() {
        raise!(Kind::Value, "empty separator");
    }
    let found = if right {
        s.rsplit_once(&*sep)
    } else {
        s.split_once(&*sep)
    };
    let parts = match found {
        Some((a, b)) => [a, &sep, b],
        None if right => ["", "", &s],
        None => [&*s, "", ""],
    };
    Ok(Value::tuple(parts.into_iter().map(Value::from).collect()))
}
