//! Methods of `str` that take texts apart and join them.

use crate::strings::{text, text_at};
use vjp_eval::values::dict::Key;
use vjp_eval::values::long_text;
use vjp_eval::values::long_text::chars;
use vjp_eval::{Args, Dict, Halt, Machine, Tried, Value, name_of, raise};
use vjp_tensor::{Fact, Kind, budget};

type Made = Tried<Value>;

pub fn join(m: &mut Machine, args: Args) -> Made {
    let separator = text(&args)?;
    args.count_beyond(1, 1, 1)?;
    let items = match m.collect(&args.positional[1]) {
        Ok(items) => items,
        Err(h) if h.raised().fact == Fact::NotIterable => {
            raise!(Kind::Type, "can only join an iterable")
        }
        Err(h) => return Err(h),
    };
    let items: Vec<Value> = items.iter().map(Value::base).collect();
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
    let mut joined = String::with_capacity(size);
    for (i, part) in items.iter().filter_map(Value::as_str).enumerate() {
        budget::tick()?;
        joined.push_str(if i > 0 { &separator } else { "" });
        joined.extend(long_text::pieces(part));
    }
    Ok(Value::from(joined))
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
            let mut parts = Vec::new();
            let mut rest = 0..s.len();
            if right {
                for at in long_text::matches_from_end(&s, &sep).take(most) {
                    parts.push(&s[at + sep.len()..rest.end]);
                    rest.end = at;
                }
                parts.push(&s[rest]);
                parts.reverse();
            } else {
                for at in long_text::matches(&s, &sep).take(most) {
                    parts.push(&s[rest.start..at]);
                    rest.start = at + sep.len();
                }
                parts.push(&s[rest]);
            }
            parts
        }
        Some(other) => raise!(Kind::Type, "must be str or None, not {}", name_of(&other)),
    };
    Ok(Value::list(budget::collected(parts.into_iter().map(Value::from))?))
}

/// Parts between runs of blanks, cut at most `most` times.
fn blanks(s: &str, most: usize, right: bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let blank = |c: char| c.is_whitespace() || budget::stopping();
    let mut rest = if right { s.trim_end() } else { s.trim_start() };
    while !rest.is_empty() && !budget::stopping() {
        if parts.len() == most {
            // What is left keeps the blanks at its far end, as CPython leaves them.
            parts.push(rest);
            if right {
                parts.reverse();
            }
            return parts;
        }
        let (part, left) = if right {
            match rest.rfind(blank) {
                Some(i) => {
                    let after = i + rest[i..].chars().next().map_or(1, char::len_utf8);
                    (&rest[after..], rest[..i].trim_end())
                }
                None => (rest, ""),
            }
        } else {
            match rest.find(blank) {
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
    let mut lines = Vec::new();
    let mut rest: &str = &s;
    while !rest.is_empty() {
        budget::tick()?;
        let mut seen = 0;
        let cut = |c| {
            seen += 1;
            ends_line(c) || (seen % BLOCK == 0 && budget::stopping())
        };
        let at = rest.find(cut).unwrap_or(rest.len());
        let tail = &rest[at..];
        let end = match tail.chars().next() {
            Some('\r') if tail[1..].starts_with('\n') => 2,
            Some(c) => c.len_utf8(),
            None => 0,
        };
        lines.push(Value::from(&rest[..if keep { at + end } else { at }]));
        rest = &tail[end..];
    }
    Ok(Value::list(lines))
}

/// So many characters are gone through without asking.
const BLOCK: usize = 1 << 16;

/// The characters at which `splitlines` cuts.
fn ends_line(c: char) -> bool {
    matches!(c, '\n'..='\r' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// `expandtabs`: blanks up to the next column that `tabsize` divides.
///
/// # Errors
/// A tab size that is not an integer.
pub fn expandtabs(m: &mut Machine, mut args: Args) -> Made {
    let s = text(&args)?;
    let size = match args.take_at(1, "tabsize") {
        Some(v) => usize::try_from(m.as_index(&v)?).unwrap_or(0),
        None => 8,
    };
    let tabs = chars(&s).filter(|c| *c == '\t').count();
    budget::reserve(s.len().saturating_add(tabs.saturating_mul(size)))?;
    let (mut out, mut column) = (String::with_capacity(s.len()), 0);
    for c in chars(&s) {
        match c {
            '\t' => {
                let blanks = if size > 0 { size - column % size } else { 0 };
                out.extend(std::iter::repeat_n(' ', blanks));
                column += blanks;
            }
            '\n' | '\r' => {
                out.push(c);
                column = 0;
            }
            c => {
                out.push(c);
                column += 1;
            }
        }
    }
    Ok(Value::from(out))
}

/// `str.maketrans(x[, y[, z]])`: a dict from code points.
///
/// # Errors
/// Texts of unequal length, keys that are not one character.
pub fn maketrans(_: &mut Machine, args: Args) -> Made {
    args.count_beyond(0, 1, 3)?;
    let made = Dict::default();
    let put = |key: i64, v: Value| -> Tried<()> {
        budget::tick()?;
        let name = Value::Int(key);
        let key = Key::of(&name)?;
        made.written()?.insert(key, name, v);
        Ok(())
    };
    let chars = |v: &Value, i: usize| match v {
        Value::Str(s) => Ok(budget::collected(s.chars())?),
        other => Err(Halt::new(
            Kind::Type,
            format!("maketrans() argument {i} must be str, not {}", name_of(other)),
        )),
    };
    match args.positional.as_slice() {
        [Value::Dict(d)] => {
            for (_, name, v) in d.entries.borrow().iter() {
                let mut one = name.as_str().map(str::chars);
                let first = one.as_mut().and_then(Iterator::next);
                match (name, first, one.as_mut().and_then(Iterator::next)) {
                    (Value::Int(i), ..) => put(*i, v.clone())?,
                    (_, Some(c), None) => put(i64::from(u32::from(c)), v.clone())?,
                    (Value::Str(_), ..) => {
                        raise!(Kind::Value, "string keys in translate table must be of length 1")
                    }
                    _ => raise!(Kind::Type, "keys in translate table must be strings or integers"),
                }
            }
        }
        [_] => raise!(Kind::Type, "if you give only one argument to maketrans it must be a dict"),
        [x, y, more @ ..] => {
            if !matches!(x, Value::Str(_)) {
                raise!(
                    Kind::Type,
                    "first maketrans argument must be a string if there is a second argument"
                );
            }
            let (x, y) = (chars(x, 1)?, chars(y, 2)?);
            if x.len() != y.len() {
                raise!(Kind::Value, "the first two maketrans arguments must have equal length");
            }
            for (a, b) in x.iter().zip(y) {
                put(i64::from(u32::from(*a)), Value::Int(i64::from(u32::from(b))))?;
            }
            for gone in more {
                for c in chars(gone, 3)? {
                    put(i64::from(u32::from(c)), Value::None)?;
                }
            }
        }
        [] => {}
    }
    Ok(Value::dict(made))
}

/// `translate(table)`.
///
/// # Errors
/// A table whose values are neither texts, code points nor None.
pub fn translate(m: &mut Machine, args: Args) -> Made {
    let s = text(&args)?;
    args.count_beyond(1, 1, 1)?;
    let table = &args.positional[1];
    let mut out = String::with_capacity(s.len());
    for c in s.chars() {
        budget::tick()?;
        let key = Value::Int(i64::from(u32::from(c)));
        let found = match m.get_item(table, &key) {
            Ok(v) => v,
            Err(h) if matches!(h.kind(), Kind::Key | Kind::Index) => {
                out.push(c);
                continue;
            }
            Err(h) => return Err(h),
        };
        match &found {
            Value::None => {}
            Value::Str(t) => {
                budget::reserve(t.len())?;
                out.push_str(t);
            }
            other => match other.as_int().map(u32::try_from) {
                Some(Ok(i)) if char::from_u32(i).is_some() => out.extend(char::from_u32(i)),
                Some(_) => raise!(Kind::Value, "character mapping must be in range(0x110000)"),
                None => raise!(Kind::Type, "character mapping must return integer, None or str"),
            },
        }
    }
    Ok(Value::from(out))
}

pub fn strip(_: &mut Machine, args: Args, left: bool, right: bool) -> Made {
    let s = text(&args)?;
    args.count_beyond(1, 0, 1)?;
    let set: Option<Vec<char>> = match args.positional.get(1) {
        None | Some(Value::None) => None,
        Some(Value::Str(chars)) => Some(chars.chars().collect()),
        Some(_) => raise!(Kind::Type, "{} arg must be None or str", args.name()),
    };
    let drop = |c: char| {
        !budget::stopping()
            && match &set {
                Some(set) => set.contains(&c),
                None => c.is_whitespace(),
            }
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
    let found = match right {
        true => long_text::matches_from_end(&s, &sep).next(),
        false => long_text::matches(&s, &sep).next(),
    };
    let parts = match found {
        Some(at) => [&s[..at], &sep, &s[at + sep.len()..]],
        None if right => ["", "", &s],
        None => [&*s, "", ""],
    };
    Ok(Value::tuple(parts.into_iter().map(Value::from).collect()))
}
