//! Texts from values: f-strings, `format`, `%`.

use crate::display::python::{repr, str};
use crate::values::{integer, long_text};
use crate::{At, Halt, Machine, Tried, Value};
use vjp_syntax::ast::FPart;
use vjp_tensor::{Dtype, Kind, budget};
use vjp_text::format_spec::Refusal;
use vjp_text::{Symbol, format_spec};

impl Machine {
    pub(crate) fn eval_fstring(&mut self, parts: &[FPart]) -> Tried<Value> {
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
                    let text = format(self, &v, &written).at(span)?;
                    budget::reserve(out.len() + text.len()).at(span)?;
                    out.extend(long_text::pieces(&text));
                }
            }
        }
        Ok(Value::from(out))
    }
}

pub(crate) fn converted(m: &mut Machine, conversion: char, v: &Value) -> Tried<String> {
    match conversion {
        's' => str(m, v),
        'a' => Ok(crate::display::quote::ascii(&repr(m, v)?)),
        _ => repr(m, v),
    }
}

/// `format(value, spec)`.
pub fn format(m: &mut Machine, v: &Value, written: &str) -> Tried<String> {
    super::number::look(v);
    budget::reserve(format_spec::size(written).saturating_mul(4))?;
    match v {
        Value::Tensor(t) if t.rank() == 0 => {
            // PyTorch formats a 0-d tensor as its Python number, also where no format is given.
            vjp_ops::batched::item(t)?;
            let number = item(v);
            format(m, &number, written)
        }
        Value::Number(n) => format(m, &n.number(), written),
        Value::Instance(_) => {
            let own = m.special(v, "__format__");
            if let Some(method) = own.filter(|f| !matches!(f, Value::Method(_))) {
                let site = m.here();
                let text = m.call_with(&method, vec![Value::from(written)], &site)?;
                return str(m, &text);
            }
            match v.base() {
                _ if written.is_empty() => str(m, v),
                Value::Instance(_) => Err(no_format(v)),
                base => format(m, &base, written),
            }
        }
        // NumPy formats its shorter floats as the Python floats they are.
        Value::NpScalar(f, Dtype::Float32 | Dtype::Float16) if written.is_empty() => {
            str(m, &Value::Float(*f))
        }
        Value::Array(t) if t.rank() == 0 => {
            let number = item(v);
            format(m, &number, written)
        }
        _ if written.is_empty() => str(m, v),
        Value::Int(_) | Value::Long(_) => {
            format_spec::int(&v.whole().unwrap_or_default(), written, integer::digits)
        }
        Value::Bool(b) => Ok(format_spec::boolean(*b, written)?),
        Value::Float(f) => Ok(format_spec::float(*f, written).map_err(Refusal::Value)?),
        Value::NpScalar(f, d) if d.is_float() => {
            Ok(format_spec::float(*f, written).map_err(Refusal::Value)?)
        }
        Value::NpScalar(f, _) => format_spec::int(&(*f as i64).into(), written, integer::digits),
        Value::Str(s) => {
            let (cut, fill, sides) = format_spec::text(s, written).map_err(Refusal::Value)?;
            Ok(super::long_text::padded(&cut, fill, sides)?)
        }
        _ => Err(no_format(v)),
    }
}

impl From<Refusal> for Halt {
    fn from(refusal: Refusal) -> Halt {
        match refusal {
            Refusal::Value(message) => Halt::new(Kind::Value, message),
            Refusal::Overflow(message) => Halt::new(Kind::Overflow, message),
        }
    }
}

fn no_format(v: &Value) -> Halt {
    let name = crate::tp_name(v);
    Halt::new(Kind::Type, format!("unsupported format string passed to {name}.__format__"))
}

/// The Python number of a tensor with one element, as `.item()`.
pub(crate) fn item(v: &Value) -> Value {
    let (Value::Tensor(t) | Value::Array(t)) = v else {
        return v.plain();
    };
    t.value().item_scalar().map_or(Value::Float(f64::NAN), Value::from)
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
) -> Tried<String> {
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
) -> Tried<()> {
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
        let Some((colon, end)) = closing(brace) else {
            match brace.len() {
                1 => crate::raise!(Kind::Value, "Single '{{' encountered in format string"),
                _ => crate::raise!(Kind::Value, "expected '}}' before end of string"),
            }
        };
        let (name, written) = (&brace[1..colon], brace.get(colon + 1..end).unwrap_or(""));
        rest = &brace[end + 1..];
        let (name, conversion) = match name.split_once('!') {
            Some((_, c)) if !matches!(c, "r" | "s" | "a") => {
                crate::raise!(Kind::Value, "Unknown conversion specifier {c}")
            }
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

/// Where the name of the field that begins here ends, and where the field: nothing in brackets counts.
fn closing(text: &str) -> Option<(usize, usize)> {
    let (mut open, mut named, mut bracket, mut colon) = (0, true, false, None);
    for (i, c) in text.char_indices() {
        match c {
            ']' => bracket = false,
            _ if bracket => {}
            '[' => bracket = named,
            ':' => {
                named = false;
                colon.get_or_insert(i);
            }
            '!' => named = false,
            '{' => open += 1,
            '}' => {
                open -= 1;
                if open == 0 {
                    return Some((colon.unwrap_or(i), i));
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
) -> Tried<Value> {
    let end = name.find(['.', '[']).unwrap_or(name.len());
    let (first, mut rest) = name.split_at(end);
    // usize::MAX: fields are numbered by hand.
    let index = match (first.is_empty(), first.parse::<usize>().ok()) {
        (true, _) if *next == usize::MAX => crate::raise!(
            Kind::Value,
            "cannot switch from manual field specification to automatic field numbering"
        ),
        (true, _) => {
            *next += 1;
            Some(*next - 1)
        }
        (false, Some(_)) if (1..usize::MAX).contains(next) => crate::raise!(
            Kind::Value,
            "cannot switch from automatic field numbering to manual field specification"
        ),
        (false, Some(i)) => {
            *next = usize::MAX;
            Some(i)
        }
        (false, None) => None,
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
            None => {
                return Err(crate::language::exception::halt(Kind::Key, vec![Value::from(first)]));
            }
        },
    };
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            if end == 0 {
                crate::raise!(Kind::Value, "Empty attribute in format string");
            }
            v = m.get_attr(&v, Symbol::new(&after[..end]))?;
            rest = &after[end..];
        } else {
            let Some(inside) = rest.strip_prefix('[') else {
                crate::raise!(
                    Kind::Value,
                    "Only '.' or '[' may follow ']' in format field specifier"
                );
            };
            let Some(end) = inside.find(']') else {
                crate::raise!(Kind::Value, "Missing ']' in format string");
            };
            let key = &inside[..end];
            if key.is_empty() {
                crate::raise!(Kind::Value, "Empty attribute in format string");
            }
            let key = key.parse::<i64>().map_or_else(|_| Value::from(key), Value::Int);
            v = m.get_item(&v, &key)?;
            rest = &inside[end + 1..];
        }
    }
    Ok(v)
}
