//! Values as Python writes them.

use vjp_eval::Value;
use vjp_eval::values::value::TupleKind;
use vjp_tensor::{Dtype, Tensor};

/// The numbers of a tensor, in lists.
pub fn tensor(t: &Tensor) -> String {
    let number = |v: f64| match t.dtype() {
        Dtype::Bool => {
            if v == 0.0 {
                "False".into()
            } else {
                "True".into()
            }
        }
        d if !d.is_float() => format!("{v}"),
        _ if v.is_nan() => "float('nan')".into(),
        _ if v.is_infinite() => format!("{}float('inf')", if v < 0.0 { "-" } else { "" }),
        _ => format!("{v:?}"),
    };
    fn nested(shape: &[usize], data: &[f64], number: &dyn Fn(f64) -> String) -> String {
        let Some((n, rest)) = shape.split_first() else {
            return number(data[0]);
        };
        let size = data.len() / (*n).max(1);
        let parts: Vec<String> =
            (0..*n).map(|k| nested(rest, &data[k * size..(k + 1) * size], number)).collect();
        format!("[{}]", parts.join(", "))
    }
    nested(t.shape(), t.data(), &number)
}

/// None of what Python has no text for.
pub fn value(v: &Value) -> Option<String> {
    let all = |items: &[Value]| -> Option<String> {
        let parts: Option<Vec<String>> = items.iter().map(self::value).collect();
        Some(parts?.join(", "))
    };
    Some(match v {
        Value::None => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Int(i) => i.to_string(),
        Value::Float(f) if f.is_nan() => "float('nan')".into(),
        Value::Float(f) if f.is_infinite() => {
            format!("{}float('inf')", if *f < 0.0 { "-" } else { "" })
        }
        Value::Float(f) => vjp_text::number::repr(*f),
        Value::Str(s) => quoted(s),
        Value::Tuple(t) if matches!(t.kind, TupleKind::Plain | TupleKind::Size) => {
            let comma = if t.items.len() == 1 { "," } else { "" };
            format!("({}{comma})", all(&t.items)?)
        }
        Value::List(l) => format!("[{}]", all(&l.items.borrow())?),
        _ => return None,
    })
}

/// A text in quotes.
pub fn quoted(text: &str) -> String {
    let plain = text.replace('\\', "\\\\").replace('\n', "\\n");
    match text.contains('\'') && !text.contains('"') {
        true => format!("\"{plain}\""),
        false => format!("'{}'", plain.replace('\'', "\\'")),
    }
}

/// `(2, 3)`, `(2,)`
pub fn shape(sizes: &[usize]) -> String {
    let parts: Vec<String> = sizes.iter().map(usize::to_string).collect();
    match parts.as_slice() {
        [one] => format!("({one},)"),
        several => format!("({})", several.join(", ")),
    }
}
