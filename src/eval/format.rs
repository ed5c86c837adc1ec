//! Texts from values: f-strings, `format`, `%`.

use super::display::python::{quote, repr, str};
use super::library::types::name_of;
use super::machine::Machine;
use super::raise::{At, Halt};
use super::value::Value;
use crate::maths::budget;
use crate::maths::complaint::Kind;
use crate::syntax::ast::FPart;
use crate::text::names::Symbol;
use crate::text::spec;

impl Machine {
    pub(super) fn eval_fstring(&mut self, parts: &[FPart]) -> Result<Value, Halt> {
        let mut out = String::new();
        for part in parts {
            match part {
                FPart::Text(t) => out.push_str(t),
                FPart::Field(f) => {
                    let v = self.eval(&f.value)?;
                    let span = f.value.span;
                    if let Some(label) = &f.label {
                        out.push_str(label);
                    }
                    let written = match self.eval_fstring(&f.spec)? {
                        Value::Str(s) => s,
                        _ => "".into(),
                    };
                    let conversion = match f.conversion {
                        // `{x=}` shows the repr, unless a format is given.
                        None if f.label.is_some() && written.is_empty() => Some('r'),
                        other => other,
                    };
                    let v = match conversion {
                        Some('s') => Value::from(str(self, &v).at(span)?),
                        Some(c) => Value::from(converted(self, c, &v).at(span)?),
                        None => v,
                    };
                    out.push_str(&format(self, &v, &written).at(span)?);
                    budget::reserve(out.len()).at(span)?;
                }
            }
        }
        Ok(Value::from(out))
    }
}

fn converted(m: &mut Machine, conversion: char, v: &Value) -> Result<String, Halt> {
    match conversion {
        's' => str(m, v),
        'a' => Ok(repr(m, v)?
            .chars()
            .map(|c| match c as u32 {
                0..=0x7f => c.to_string(),
                n @ 0x80..=0xff => format!("\\x{n:02x}"),
                n @ 0x100..=0xffff => format!("\\u{n:04x}"),
                n => format!("\\U{n:08x}"),
            })
            .collect()),
        _ => repr(m, v),
    }
}

/// `format(value, spec)`.
///
/// # Errors
/// Python's ValueError and TypeError.
pub fn format(m: &mut Machine, v: &Value, written: &str) -> Result<String, Halt> {
    budget::reserve(spec::size(written).saturating_mul(4))?;
    let done = match v {
        Value::Tensor(t) if t.rank() == 0 => {
            // PyTorch formats a 0-d tensor as its Python number, also where no format is given.
            let number = item(v);
            return format(m, &number, written);
        }
        Value::Number(n) => return format(m, &n.number, written),
        _ if written.is_empty() => return str(m, v),
        Value::Int(i) => spec::int(*i, written),
        Value::Bool(b) => spec::boolean(*b, written),
        Value::Float(f) => spec::float(*f, written),
        Value::NpScalar(f, d) if d.is_float() => spec::float(*f, written),
        Value::NpScalar(f, _) => spec::int(*f as i64, written),
        Value::Str(s) => spec::text(s, written),
        Value::Instance(_) => {
            if let Some(method) = m.special(v, "__format__") {
                let site = m.here();
                let text = m.call_with(&method, vec![Value::from(written)], &site)?;
                return str(m, &text);
            }
            return Err(no_format(v));
        }
        _ => return Err(no_format(v)),
    };
    done.map_err(|message| Halt::new(Kind::Value, message))
}

fn no_format(v: &Value) -> Halt {
    let name = super::library::types::full_name(v);
    Halt::new(
        Kind::Type,
        format!("unsupported format string passed to {name}.__format__"),
    )
}

/// The Python number of a tensor with one element, as `.item()`.
pub(super) fn item(v: &Value) -> Value {
    let (Value::Tensor(t) | Value::Array(t)) = v else {
        return v.plain();
    };
    let x = t.value().item().unwrap_or(f64::NAN);
    match t.dtype() {
        crate::maths::tensor::Dtype::Bool => Value::Bool(x != 0.0),
        d if d.is_float() => Value::Float(x),
        _ => Value::Int(x as i64),
    }
}

/// `template.format(…)`.
///
/// # Errors
/// Fields that are not there, formats that do not fit.
pub fn format_text(
    m: &mut Machine,
    template: &str,
    positional: &[Value],
    named: &[(Symbol, Value)],
) -> Result<String, Halt> {
    let mut out = String::new();
    let mut next = 0;
    fill(m, template, positional, named, &mut next, &mut out, 0)?;
    Ok(out)
}

fn fill(
    m: &mut Machine,
    template: &str,
    positional: &[Value],
    named: &[(Symbol, Value)],
    next: &mut usize,
    out: &mut String,
    depth: u32,
) -> Result<(), Halt> {
    if depth > 2 {
        crate::raise!(Kind::Value, "Max string recursion exceeded");
    }
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        let brace = &rest[at..];
        if brace.starts_with("{{") || brace.starts_with("}}") {
            out.push_str(&brace[..1]);
            rest = &brace[2..];
            continue;
        }
        if brace.starts_with('}') {
            crate::raise!(Kind::Value, "Single '}}' encountered in format string");
        }
        let Some(end) = closing(brace) else {
            crate::raise!(Kind::Value, "Single '{{' encountered in format string");
        };
        let field = &brace[1..end];
        rest = &brace[end + 1..];
        let (name, written) = field.split_once(':').unwrap_or((field, ""));
        let (name, conversion) = match name.split_once('!') {
            Some((n, c)) => (n, c.chars().next()),
            None => (name, None),
        };
        let v = field_value(m, name, positional, named, next)?;
        let v = match conversion {
            Some(c) => Value::from(converted(m, c, &v)?),
            None => v,
        };
        let mut inner = String::new();
        fill(m, written, positional, named, next, &mut inner, depth + 1)?;
        out.push_str(&format(m, &v, &inner)?);
    }
    out.push_str(rest);
    Ok(())
}

/// Where the field that begins here ends.
fn closing(text: &str) -> Option<usize> {
    let mut open = 0;
    for (i, c) in text.char_indices() {
        match c {
            '{' => open += 1,
            '}' => {
                open -= 1;
                if open == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// `0`, `name`, `point.x`, `rows[2]`.
fn field_value(
    m: &mut Machine,
    name: &str,
    positional: &[Value],
    named: &[(Symbol, Value)],
    next: &mut usize,
) -> Result<Value, Halt> {
    let end = name.find(['.', '[']).unwrap_or(name.len());
    let (first, mut rest) = name.split_at(end);
    let index = if first.is_empty() {
        *next += 1;
        Some(*next - 1)
    } else {
        first.parse::<usize>().ok()
    };
    let mut v = match index {
        Some(i) => match positional.get(i) {
            Some(v) => v.clone(),
            None => crate::raise!(
                Kind::Index,
                "Replacement index {i} out of range for positional args tuple"
            ),
        },
        None => match named.iter().find(|(n, _)| n.as_str() == first) {
            Some((_, v)) => v.clone(),
            None => return Err(super::exception::halt(Kind::Key, vec![Value::from(first)])),
        },
    };
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            v = m.get_attr(&v, Symbol::new(&after[..end]))?;
            rest = &after[end..];
        } else {
            let Some(end) = rest.find(']') else {
                crate::raise!(Kind::Value, "Missing ']' in format string");
            };
            let key = &rest[1..end];
            let key = key
                .parse::<i64>()
                .map_or_else(|_| Value::from(key), Value::Int);
            v = m.get_item(&v, &key)?;
            rest = &rest[end + 1..];
        }
    }
    Ok(v)
}

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
        if kind == '%' {
            out.push('%');
            continue;
        }
        let v = match given {
            Some(v) => v,
            None => take(m)?,
        };
        let width = width.unwrap_or(0);
        let left = flags.contains('-') || width < 0;
        let width = width.unsigned_abs() as usize;
        budget::reserve(width.saturating_mul(4))?;
        let text = directive(m, kind, flags, precision, &v)?;
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
    if next < list.len() && !used_mapping && !matches!(values, Value::Dict(_)) {
        crate::raise!(
            Kind::Type,
            "not all arguments converted during string formatting"
        );
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
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    Ok((text[..end].parse().ok(), &text[end..]))
}

fn directive(
    m: &mut Machine,
    kind: char,
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
        other => other.plain(),
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
                    format!(
                        "%{kind} format: a real number is required, not {}",
                        name_of(v)
                    ),
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
            Some(i) => spelled(spec::int(i, &format!("{sign}{alternate}{kind}"))),
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
            None => Err(Halt::new(
                Kind::Type,
                format!("must be real number, not {}", name_of(v)),
            )),
        },
        other => {
            let mut shown = String::new();
            quote(&other.to_string(), &mut shown);
            Err(Halt::new(
                Kind::Value,
                format!(
                    "unsupported format character {shown} (0x{:x})",
                    other as u32
                ),
            ))
        }
    }
}
