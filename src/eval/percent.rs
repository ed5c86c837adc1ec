//! `template % values`.

use super::display::python::str;
use super::display::quote::quote;
use super::format::{converted, item};
use super::library::types::name_of;
use super::machine::Machine;
use super::raise::Halt;
use super::value::Value;
use crate::maths::budget;
use crate::maths::complaint::Kind;
use crate::text::spec;

/// `template % values`.
///
/// # Errors
/// Python's TypeError and ValueError.
pub fn percent(m: &mut Machine, template: &str, values: &Value) -> Result<String, Halt> {
    let list: Vec<Value> = match values {
        Value::Tuple(t) => t.items.clone(),
        other => vec![other.clone()],
    };
    let mut next = 0;
    let mut out = String::new();
    let mut rest = template;
    let mut used_mapping = false;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let mut given = None;
        if let Some(after) = rest.strip_prefix('(') {
            let Some(end) = after.find(')') else {
                crate::raise!(Kind::Value, "incomplete format key");
            };
            if !matches!(values, Value::Dict(_)) {
                crate::raise!(Kind::Type, "format requires a mapping");
            }
            given = Some(m.get_item(values, &Value::from(&after[..end]))?);
            used_mapping = true;
            rest = &after[end + 1..];
        }
        let mut take = |m: &mut Machine| -> Result<Value, Halt> {
            let _ = &m;
            if next >= list.len() {
                crate::raise!(Kind::Type, "not enough arguments for format string");
            }
            next += 1;
            Ok(list[next - 1].clone())
        };
        let flags_end = rest.find(|c| !"#0- +".contains(c)).unwrap_or(rest.len());
        let (flags, after) = rest.split_at(flags_end);
        let (width, after) = number_or_star(m, after, &mut take)?;
        let (precision, after) = match after.strip_prefix('.') {
            Some(after) => {
                let (p, after) = number_or_star(m, after, &mut take)?;
                (Some(p.unwrap_or(0)), after)
            }
            None => (None, after),
        };
        let after = after.trim_start_matches(['l', 'h', 'L']);
        let Some(kind) = after.chars().next() else {
            crate::raise!(Kind::Value, "incomplete format");
        };
        rest = &after[kind.len_utf8()..];
        if kind == '%' && template.as_bytes()[template.len() - rest.len() - 2] == b'%' {
            out.push('%');
            continue;
        }
        let index = template[..template.len() - rest.len()].chars().count() - 1;
        let v = match given {
            Some(v) => v,
            None => take(m)?,
        };
        let width = width.unwrap_or(0);
        let left = flags.contains('-') || width < 0;
        let width = width.unsigned_abs() as usize;
        budget::reserve(width.saturating_mul(4))?;
        let text = directive(m, (kind, index), flags, precision, &v)?;
        let numeric = !matches!(kind, 's' | 'r' | 'a' | 'c');
        let missing = width.saturating_sub(text.chars().count());
        if left {
            out.push_str(&text);
            out.push_str(&" ".repeat(missing));
        } else if flags.contains('0') && numeric {
            let sign = text.len() - text.trim_start_matches(['+', '-', ' ']).len();
            out.push_str(&text[..sign]);
            out.push_str(&"0".repeat(missing));
            out.push_str(&text[sign..]);
        } else {
            out.push_str(&" ".repeat(missing));
            out.push_str(&text);
        }
    }
    out.push_str(rest);
    // What can be indexed counts as a mapping, of which nothing need be used.
    let mapping = matches!(
        values,
        Value::Dict(_) | Value::List(_) | Value::Range(_) | Value::Tensor(_) | Value::Array(_)
    );
    if next < list.len() && !used_mapping && !(mapping && next == 0) {
        crate::raise!(Kind::Type, "not all arguments converted during string formatting");
    }
    Ok(out)
}

fn number_or_star<'a>(
    m: &mut Machine,
    text: &'a str,
    take: &mut impl FnMut(&mut Machine) -> Result<Value, Halt>,
) -> Result<(Option<i64>, &'a str), Halt> {
    if let Some(after) = text.strip_prefix('*') {
        let Some(n) = take(m)?.as_int() else {
            crate::raise!(Kind::Type, "* wants int");
        };
        return Ok((Some(n), after));
    }
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Ok((text[..end].parse().ok(), &text[end..]))
}

fn directive(
    m: &mut Machine,
    (kind, index): (char, usize),
    flags: &str,
    precision: Option<i64>,
    v: &Value,
) -> Result<String, Halt> {
    let v = &match v {
        Value::Tensor(t) | Value::Array(t)
            if t.numel() == 1 && !matches!(kind, 's' | 'r' | 'a') =>
        {
            item(v)
        }
        Value::Tensor(_) if matches!(kind, 'f' | 'F' | 'e' | 'E' | 'g' | 'G') => crate::raise!(
            Kind::Value,
            "only one element tensors can be converted to Python scalars"
        ),
        other => other.base().plain(),
    };
    let sign = if flags.contains('+') {
        "+"
    } else if flags.contains(' ') {
        " "
    } else {
        ""
    };
    let alternate = if flags.contains('#') { "#" } else { "" };
    let cut = |text: String| match precision {
        Some(p) => text.chars().take(p.max(0) as usize).collect(),
        None => text,
    };
    let spelled = |r: Result<String, String>| r.map_err(|e| Halt::new(Kind::Value, e));
    match kind {
        's' => Ok(cut(str(m, v)?)),
        'r' | 'a' => Ok(cut(converted(m, kind, v)?)),
        'c' => match (v, v.as_int()) {
            (Value::Str(s), _) if s.chars().count() == 1 => Ok(s.to_string()),
            (_, Some(i)) => match u32::try_from(i).ok().and_then(char::from_u32) {
                Some(c) => Ok(c.to_string()),
                None => Err(Halt::new(Kind::Overflow, "%c arg not in range(0x110000)")),
            },
            _ => Err(Halt::new(Kind::Type, "%c requires int or char")),
        },
        'd' | 'i' | 'u' => {
            let Some(x) = v.as_float() else {
                return Err(Halt::new(
                    Kind::Type,
                    format!("%{kind} format: a real number is required, not {}", name_of(v)),
                ));
            };
            let n = match v.as_int() {
                Some(i) => i,
                None => super::library::convert::whole(x)?,
            };
            let digits = n.unsigned_abs().to_string();
            let zeros = precision.map_or(0, |p| (p.max(0) as usize).saturating_sub(digits.len()));
            let minus = if n < 0 { "-" } else { sign };
            Ok(format!("{minus}{}{digits}", "0".repeat(zeros)))
        }
        'x' | 'X' | 'o' => match v.as_int() {
            Some(i) => {
                let text = spelled(spec::int(i, &format!("{sign}{alternate}{kind}")))?;
                let digits = text.len() - text.trim_start_matches(['+', '-', ' ']).len();
                let missing = precision
                    .map_or(0, |p| (p.max(0) as usize).saturating_sub(text.len() - digits));
                Ok(format!("{}{}{}", &text[..digits], "0".repeat(missing), &text[digits..]))
            }
            None => Err(Halt::new(
                Kind::Type,
                format!("%{kind} format: an integer is required, not {}", name_of(v)),
            )),
        },
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' => match v.as_float() {
            Some(x) => {
                let p = precision.unwrap_or(6).max(0);
                budget::reserve(p as usize)?;
                spelled(spec::float(x, &format!("{sign}{alternate}.{p}{kind}")))
            }
            None => Err(Halt::new(Kind::Type, format!("must be real number, not {}", name_of(v)))),
        },
        other => {
            let mut shown = String::new();
            quote(&other.to_string(), &mut shown);
            Err(Halt::new(
                Kind::Value,
                format!(
                    "unsupported format character {shown} (0x{:x}) at index {index}",
                    other as u32
                ),
            ))
        }
    }
}
