//! Python's repetition: `'ab' * 3`, `[0] * n`.

use super::deep_drop::Gathered;
use super::value::Value;
use vjp_tensor::{Outcome, budget};

pub(crate) fn repeated(sequence: &Value, n: i64) -> Outcome<Value> {
    Ok(match sequence {
        Value::Str(s) => {
            let n = usize::try_from(n).unwrap_or(0);
            budget::reserve(s.len().saturating_mul(n))?;
            Value::from(many(s, n)?)
        }
        Value::Tuple(t) => Value::tuple(repeat(&t.items, n)?),
        Value::List(l) => Value::list(repeat(&crate::leaf::elements(l)?, n)?),
        _ => Value::None,
    })
}

pub(crate) fn repeat(items: &[Value], n: i64) -> Outcome<Vec<Value>> {
    let n = usize::try_from(n).unwrap_or(0);
    let size = items.len().saturating_mul(n);
    budget::reserve(size.saturating_mul(size_of::<Value>()))?;
    let mut all = Gathered::from(Vec::with_capacity(size));
    for _ in 0..n {
        all.extend_from_slice(items);
        budget::tick()?;
    }
    Ok(all.done())
}

/// A text `n` times, in pieces.
fn many(text: &str, n: usize) -> Outcome<String> {
    let some = (1 << 20) / text.len().max(1) + 1;
    let piece = text.repeat(some.min(n));
    let mut all = String::with_capacity(text.len().saturating_mul(n));
    for _ in 0..n / some {
        all.push_str(&piece);
        budget::tick()?;
    }
    all.push_str(&piece[..text.len() * (n % some)]);
    Ok(all)
}
