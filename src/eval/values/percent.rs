//! `template % values`.

use crate::display::python::str;
use crate::values::format::{converted, item};
use crate::values::{integer, long_text, number};
use crate::{Halt, Machine, Tried, Value, name_of};
use num_traits::ToPrimitive;
use vjp_tensor::{Kind, budget};
use vjp_text::percent::{Amount, Conversion, Piece, pieces};

/// `template % values`.
pub fn percent(m: &mut Machine, template: &str, values: &Value) -> Tried<String> {
    let mut list: Vec<Value> = match values {
        Value::Tuple(t) => budget::copied(&t.items)?,
        other => vec![other.clone()],
    };
    list.reverse();
    let count = list.len();
    let mut take = || match list.pop() {
        Some(v) => Ok(v),
        None => Err(Halt::new(Kind::Type, "not enough arguments for format string")),
    };
    let mut out = String::new();
    let mut mapped = false;
    for piece in pieces(template) {
        budget::tick()?;
        let mut c = match spelled(piece)? {
            Piece::Text(text) => {
                out.push_str(&text);
                continue;
            }
            Piece::Conversion(c) => c,
        };
        let mut given = None;
        if let Some(key) = &c.key {
            if !matches!(values.base(), Value::Dict(_)) {
                crate::raise!(Kind::Type, "format requires a mapping");
            }
            given = Some(m.get_item(values, &Value::from(key.as_str()))?);
            mapped = true;
        }
        if c.width == Amount::Argument {
            c = c.with_width(amount(&take()?)?);
        }
        if c.precision == Amount::Argument {
            c = c.with_precision(amount(&take()?)?);
        }
        let v = match given {
            Some(v) => v,
            None => take()?,
        };
        spelled(c.supported())?;
        budget::reserve(c.size().saturating_mul(4))?;
        out.extend(long_text::pieces(&text_of(m, &c, &v)?));
        budget::reserve(out.len())?;
    }
    // What can be indexed counts as a mapping, of which nothing need be used.
    let mapping = matches!(
        values,
        Value::Dict(_) | Value::List(_) | Value::Range(_) | Value::Tensor(_) | Value::Array(_)
    );
    let untouched = mapping && list.len() == count;
    if !list.is_empty() && !mapped && !untouched {
        crate::raise!(Kind::Type, "not all arguments converted during string formatting");
    }
    Ok(out)
}

/// What represents a `*`.
fn amount(v: &Value) -> Tried<i64> {
    match v.whole().map(|n| n.to_i64()) {
        Some(Some(n)) => Ok(n),
        Some(None) => crate::raise!(Kind::Overflow, "Python int too large to convert to C ssize_t"),
        None => crate::raise!(Kind::Type, "* wants int"),
    }
}

/// One value as its conversion shows it.
fn text_of(m: &mut Machine, c: &Conversion, v: &Value) -> Tried<String> {
    let kind = c.kind;
    let v = &match v {
        Value::Tensor(t) | Value::Array(t)
            if t.numel() == 1 && !matches!(kind, 's' | 'r' | 'a') =>
        {
            item(v)
        }
        Value::Tensor(_) if "eEfFgG".contains(kind) => crate::raise!(
            Kind::Value,
            "only one element tensors can be converted to Python scalars"
        ),
        other => other.base().plain(),
    };
    match kind {
        's' => Ok(c.text(&str(m, v)?)),
        'r' | 'a' => Ok(c.text(&converted(m, kind, v)?)),
        'c' => match (v, v.whole()) {
            (Value::Str(s), _) if s.chars().count() == 1 => Ok(c.text(s)),
            (_, Some(n)) => match n.to_u32().and_then(char::from_u32) {
                Some(one) => Ok(c.text(&one.to_string())),
                None => crate::raise!(Kind::Overflow, "%c arg not in range(0x110000)"),
            },
            _ => crate::raise!(Kind::Type, "%c requires int or char"),
        },
        'x' | 'X' | 'o' => match v.whole() {
            Some(n) => c.int(&n, integer::digits),
            None => crate::raise!(
                Kind::Type,
                "%{kind} format: an integer is required, not {}",
                name_of(v)
            ),
        },
        'd' | 'i' | 'u' => match (v.whole(), v.as_float()) {
            (Some(n), _) => c.int(&n, integer::digits),
            (None, Some(x)) => c.int(&integer::of_float(x)?, integer::digits),
            _ => crate::raise!(
                Kind::Type,
                "%{kind} format: a real number is required, not {}",
                name_of(v)
            ),
        },
        _ if v.is_int() => Ok(c.float(number::float(v)?)),
        _ => match v.as_float() {
            Some(x) => Ok(c.float(x)),
            None => crate::raise!(Kind::Type, "must be real number, not {}", name_of(v)),
        },
    }
}

fn spelled<T>(made: Result<T, String>) -> Tried<T> {
    made.map_err(|says| Halt::new(Kind::Value, says))
}
