//! Methods of `str`.

pub mod patterns;
mod split;
pub mod unicode;

use std::rc::Rc;
use vjp_eval::library::{builtins, prelude};
use vjp_eval::values::long_text;
use vjp_eval::values::long_text::{Counted, chars};
use vjp_eval::{Args, Halt, Machine, Tried, Value, name_of, raise};
use vjp_tensor::{Kind, budget};
use vjp_text::Symbol;

type Made = Tried<Value>;

builtins! {
    pub static METHODS in "str";
    "join" "(iterable, /)" split::join, "Joins strings with this separator.";
    "encode" "(encoding='utf-8', errors='strict')" |m, a| prelude::call(m, "builtins", a), "Returns the bytes of the text.";
    "split" "(sep=None, maxsplit=-1)" |m, a| split::split(m, a, false), "Splits at a separator.";
    "rsplit" "(sep=None, maxsplit=-1)" |m, a| split::split(m, a, true), "Splits at a separator, from the right.";
    "splitlines" "(keepends=False)" split::splitlines, "Splits into lines.";
    "strip" "(chars=None, /)" |m, a| split::strip(m, a, true, true), "Removes spaces at both ends.";
    "lstrip" "(chars=None, /)" |m, a| split::strip(m, a, true, false), "Removes spaces at the start.";
    "rstrip" "(chars=None, /)" |m, a| split::strip(m, a, false, true), "Removes spaces at the end.";
    "replace" "(old, new, count=-1, /)" replace, "Replaces every `old` with `new`.";
    "format" "(*args, **kwargs)" format, "Fills in the fields in braces.";
    "startswith" "(prefix[, start[, end]])" |m, a| ends(m, a, true), "Returns whether the string starts with a prefix.";
    "endswith" "(suffix[, start[, end]])" |m, a| ends(m, a, false), "Returns whether the string ends with a suffix.";
    "find" "(sub[, start[, end]])" |m, a| find(m, a, Find::First, false), "Returns the first index of a substring, or -1.";
    "rfind" "(sub[, start[, end]])" |m, a| find(m, a, Find::Last, false), "Returns the last index of a substring, or -1.";
    "index" "(sub[, start[, end]])" |m, a| find(m, a, Find::First, true), "Returns the first index of a substring.";
    "rindex" "(sub[, start[, end]])" |m, a| find(m, a, Find::Last, true), "Returns the last index of a substring.";
    "count" "(sub[, start[, end]])" |m, a| find(m, a, Find::Count, false), "Counts how often a substring occurs.";
    "ljust" "(width, fillchar=' ', /)" |m, a| justify(m, a, '<'), "Pads on the right.";
    "rjust" "(width, fillchar=' ', /)" |m, a| justify(m, a, '>'), "Pads on the left.";
    "center" "(width, fillchar=' ', /)" |m, a| justify(m, a, '^'), "Pads on both sides.";
    "zfill" "(width, /)" zfill, "Pads with zeros on the left.";
    "upper" "()" |_, a| mapped(&a, |s| long_text::pieces(s).map(str::to_uppercase).collect()), "Converts to upper case.";
    "lower" "()" |_, a| mapped(&a, long_text::lower), "Converts to lower case.";
    "casefold" "()" |_, a| mapped(&a, long_text::lower), "Converts for case-insensitive comparison.";
    "title" "()" |_, a| mapped(&a, title), "Capitalises every word.";
    "capitalize" "()" |_, a| mapped(&a, capitalize), "Capitalises the first letter.";
    "swapcase" "()" |_, a| mapped(&a, swapcase), "Swaps upper and lower case.";
    "isdigit" "()" |_, a| every(&a, |c| c.is_ascii_digit() || matches!(c, '²' | '³' | '¹')), "Returns whether all characters are digits.";
    "isdecimal" "()" |_, a| every(&a, |c| c.is_ascii_digit()), "Returns whether all characters are decimal digits.";
    "isnumeric" "()" |_, a| every(&a, char::is_numeric), "Returns whether all characters are numeric.";
    "isalpha" "()" |_, a| every(&a, char::is_alphabetic), "Returns whether all characters are letters.";
    "isalnum" "()" |_, a| every(&a, char::is_alphanumeric), "Returns whether all characters are letters or digits.";
    "isspace" "()" |_, a| every(&a, char::is_whitespace), "Returns whether all characters are whitespace.";
    "isupper" "()" |_, a| { let s = text(&a)?; Ok(Value::Bool(chars(&s).any(char::is_uppercase) && !chars(&s).any(char::is_lowercase))) }, "Returns whether all letters are upper case.";
    "islower" "()" |_, a| { let s = text(&a)?; Ok(Value::Bool(chars(&s).any(char::is_lowercase) && !chars(&s).any(char::is_uppercase))) }, "Returns whether all letters are lower case.";
    "isidentifier" "()" |_, a| { let s = text(&a)?; Ok(Value::Bool(s.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_') && chars(&s).all(|c| c.is_alphanumeric() || c == '_'))) }, "Returns whether the string is a valid name.";
    "partition" "(sep, /)" |m, a| split::partition(m, a, false), "Splits once into (before, separator, after).";
    "rpartition" "(sep, /)" |m, a| split::partition(m, a, true), "Splits once from the right into (before, separator, after).";
    "removeprefix" "(prefix, /)" |_, a| { let (s, p) = (text(&a)?, text_at(&a, 1)?); Ok(Value::from(s.strip_prefix(&*p).unwrap_or(&s))) }, "Removes a prefix.";
    "removesuffix" "(suffix, /)" |_, a| { let (s, p) = (text(&a)?, text_at(&a, 1)?); Ok(Value::from(s.strip_suffix(&*p).unwrap_or(&s))) }, "Removes a suffix.";
    "expandtabs" "(tabsize=8)" split::expandtabs, "Replaces tabs with spaces.";
    "istitle" "()" |_, a| { let s = text(&a)?; Ok(Value::Bool(chars(&s).any(char::is_alphabetic) && title(&s) == *s)) }, "Returns whether every word is capitalised.";
    "isprintable" "()" |_, a| { let s = text(&a)?; Ok(Value::Bool(chars(&s).all(vjp_text::visible::is_printable))) }, "Returns whether all characters are printable.";
    "isascii" "()" |_, a| { let s = text(&a)?; Ok(Value::Bool(s.is_ascii())) }, "Returns whether all characters are ASCII.";
    "maketrans" "(x[, y[, z]])" split::maketrans, "Makes a table for translate.";
    "translate" "(table, /)" split::translate, "Replaces each character as a table says.";
    "format_map" "(mapping, /)" format_map, "Fills in the fields in braces from a dict.";
}

/// The receiver.
pub(crate) fn text(args: &Args) -> Tried<Rc<str>> {
    match args.positional.first() {
        Some(Value::Str(s)) => Ok(s.clone()),
        Some(other) => raise!(
            Kind::Type,
            "descriptor '{}' for 'str' objects doesn't apply to a '{}' object",
            args.name(),
            name_of(other)
        ),
        None => raise!(Kind::Type, "unbound method str.{}() needs an argument", args.name()),
    }
}

pub(crate) fn text_at(args: &Args, i: usize) -> Tried<Rc<str>> {
    args.count_beyond(1, i, i.max(4))?;
    match args.positional.get(i) {
        Some(Value::Str(s)) => Ok(s.clone()),
        Some(other) => {
            raise!(Kind::Type, "{}() argument {i} must be str, not {}", args.name(), name_of(other))
        }
        None => raise!(
            Kind::Type,
            "{} expected at least {i} argument, got {}",
            args.name(),
            args.positional.len().saturating_sub(1)
        ),
    }
}

fn mapped(args: &Args, f: impl Fn(&str) -> String) -> Made {
    let s = text(args)?;
    args.count_beyond(1, 0, 0)?;
    budget::reserve(s.len())?;
    Ok(Value::from(f(&s)))
}

fn every(args: &Args, f: impl Fn(char) -> bool) -> Made {
    let s = text(args)?;
    args.count_beyond(1, 0, 0)?;
    Ok(Value::Bool(!s.is_empty() && chars(&s).all(f)))
}

fn title(s: &str) -> String {
    let mut after_letter = false;
    let mut out = String::with_capacity(s.len());
    for c in chars(s) {
        if after_letter {
            out.extend(c.to_lowercase());
        } else {
            out.extend(c.to_uppercase());
        }
        after_letter = c.is_alphabetic();
    }
    out
}

fn capitalize(s: &str) -> String {
    let mut chars = chars(s);
    match chars.next() {
        Some(c) => c.to_uppercase().chain(chars.flat_map(char::to_lowercase)).collect(),
        None => String::new(),
    }
}

fn swapcase(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    for c in chars(s) {
        if c.is_uppercase() {
            out.extend(c.to_lowercase());
        } else {
            out.extend(c.to_uppercase());
        }
    }
    out
}

fn replace(m: &mut Machine, args: Args) -> Made {
    let s = text(&args)?;
    args.count_beyond(1, 2, 3)?;
    let (old, new) = (text_at(&args, 1)?, text_at(&args, 2)?);
    let most = match args.positional.get(3) {
        Some(v) => usize::try_from(m.as_index(v)?).unwrap_or(usize::MAX),
        None => usize::MAX,
    };
    let times = long_text::matches(&s, &old).take(most).count();
    budget::reserve(s.len().saturating_add(times.saturating_mul(new.len())))?;
    let (mut out, mut from) = (String::new(), 0);
    for at in long_text::matches(&s, &old).take(most) {
        out.extend(long_text::pieces(&s[from..at]));
        out.extend(long_text::pieces(&new));
        from = at + old.len();
    }
    out.extend(long_text::pieces(&s[from..]));
    Ok(Value::from(out))
}

fn format(m: &mut Machine, args: Args) -> Made {
    let s = text(&args)?;
    let out = vjp_eval::values::format::format_text(m, &s, &args.positional[1..], &args.named)?;
    Ok(Value::from(out))
}

fn format_map(m: &mut Machine, args: Args) -> Made {
    let s = text(&args)?;
    args.count_beyond(1, 1, 1)?;
    let Value::Dict(d) = &args.positional[1] else {
        raise!(Kind::Type, "format_map() requires a dict");
    };
    let named: Vec<_> = d
        .entries
        .borrow()
        .iter()
        .filter_map(|(_, n, v)| Some((Symbol::new(n.as_str()?), v.clone())))
        .collect();
    let out = vjp_eval::values::format::format_text(m, &s, &[], &named)?;
    Ok(Value::from(out))
}

/// The part between two bounds, as `s[start:end]`, and where it begins; None where start lies behind the
/// end.
fn window<'s>(m: &mut Machine, s: &'s str, args: &Args) -> Tried<Option<(usize, &'s str)>> {
    let bound = |i: usize| args.positional.get(i).cloned().unwrap_or(Value::None);
    if bound(2).is_none() && bound(3).is_none() {
        return Ok(Some((0, s)));
    }
    let counted = Counted::new(s);
    if !bound(2).is_none() && m.as_index(&bound(2))? > counted.len as i64 {
        return Ok(None);
    }
    let (from, to, _) = m.bounds(&[bound(2), bound(3), Value::None], counted.len)?;
    let (from, to) = (from as usize, to.max(from) as usize);
    Ok(Some((from, counted.slice(from, to))))
}

fn ends(m: &mut Machine, args: Args, start: bool) -> Made {
    let s = text(&args)?;
    args.count_beyond(1, 1, 3)?;
    let Some((_, s)) = window(m, &s, &args)? else {
        return Ok(Value::Bool(false));
    };
    let fits = |v: &Value| match v {
        Value::Str(p) if start => Ok(s.starts_with(&**p)),
        Value::Str(p) => Ok(s.ends_with(&**p)),
        other => Err(Halt::new(
            Kind::Type,
            format!(
                "{} first arg must be str or a tuple of str, not {}",
                args.name(),
                name_of(other)
            ),
        )),
    };
    Ok(Value::Bool(match &args.positional[1] {
        Value::Tuple(t) => {
            let mut any = false;
            for v in &t.items {
                any |= fits(v)?;
            }
            any
        }
        one => fits(one)?,
    }))
}

#[derive(Clone, Copy, PartialEq)]
enum Find {
    First,
    Last,
    Count,
}

fn find(m: &mut Machine, args: Args, what: Find, must: bool) -> Made {
    let s = text(&args)?;
    args.count_beyond(1, 1, 3)?;
    let part = match &args.positional[1] {
        Value::Str(p) => p.clone(),
        other => raise!(Kind::Type, "must be str, not {}", name_of(other)),
    };
    let (from, window) = match window(m, &s, &args)? {
        Some(w) => w,
        None if what == Find::Count => return Ok(Value::Int(0)),
        None if must => raise!(Kind::Value, "substring not found"),
        None => return Ok(Value::Int(-1)),
    };
    let found = match what {
        Find::Count => {
            return Ok(Value::Int(long_text::matches(window, &part).count() as i64));
        }
        Find::First => long_text::matches(window, &part).next(),
        Find::Last => long_text::matches_from_end(window, &part).next(),
    };
    match found {
        Some(byte) => Ok(Value::Int((Counted::new(window).place(byte) + from) as i64)),
        None if must => raise!(Kind::Value, "substring not found"),
        None => Ok(Value::Int(-1)),
    }
}

fn justify(m: &mut Machine, args: Args, align: char) -> Made {
    let s = text(&args)?;
    args.count_beyond(1, 1, 2)?;
    let width = usize::try_from(m.as_index(&args.positional[1])?).unwrap_or(0);
    let fill = match args.positional.get(2) {
        None => ' ',
        Some(Value::Str(f)) => {
            let mut chars = f.chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) => c,
                _ => raise!(Kind::Type, "The fill character must be exactly one character long"),
            }
        }
        Some(other) => raise!(
            Kind::Type,
            "The fill character must be a unicode character, not {}",
            name_of(other)
        ),
    };
    let missing = width.saturating_sub(long_text::count(&s));
    let left = match align {
        '<' => 0,
        '>' => missing,
        // CPython's `center` puts the odd blank at the left where the width is odd.
        _ => missing / 2 + (missing & width & 1),
    };
    Ok(Value::from(long_text::padded(&s, fill, (left, missing - left))?))
}

fn zfill(m: &mut Machine, args: Args) -> Made {
    let s = text(&args)?;
    args.count_beyond(1, 1, 1)?;
    let width = usize::try_from(m.as_index(&args.positional[1])?).unwrap_or(0);
    let missing = width.saturating_sub(long_text::count(&s));
    let signed = s.starts_with(['+', '-']);
    let (sign, digits) = s.split_at(usize::from(signed));
    let mut out = long_text::padded(digits, '0', (missing, 0))?;
    out.insert_str(0, sign);
    Ok(Value::from(out))
}
