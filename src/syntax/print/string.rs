//! Strings and f-strings as literals.

use crate::ast::{ExprKind, FField, FPart};
use crate::print::{Level, Printer};

const QUOTES: [&str; 4] = ["\"", "'", "\"\"\"", "'''"];

/// A literal of `text`. Where no backslash may stand, the quotes are chosen to fit.
pub(crate) fn string(text: &str, no_escapes: bool) -> String {
    if no_escapes {
        let fits = |q: &&&str| {
            let lines = q.len() == 3 || !text.contains(['\n', '\r']);
            lines && !text.contains(**q) && !text.ends_with(&q[..1])
        };
        let quote = QUOTES.iter().rev().skip(2).chain(&QUOTES[2..]).find(fits).unwrap_or(&"'");
        return format!("{quote}{text}{quote}");
    }
    format!("\"{}\"", escaped(text, '"'))
}

fn escaped(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", c as u32)),
            c => out.push(c),
        }
    }
    out
}

/// Each part a literal of its own: fields then need not agree on their quotes.
pub(crate) fn fstring(p: &mut Printer, parts: &[FPart]) {
    let start = p.out.len();
    for part in parts {
        if p.out.len() > start {
            p.push(" ");
        }
        let literal = match part {
            FPart::Text(text) => plain(text, p.no_escapes),
            FPart::Field(f) => with_quotes(&field(f)),
        };
        p.push(&literal);
    }
    if parts.is_empty() {
        p.push(if p.no_escapes { "f''" } else { "f\"\"" });
    }
}

fn plain(text: &str, no_escapes: bool) -> String {
    let doubled = text.replace('{', "{{").replace('}', "}}");
    format!("f{}", string(&doubled, no_escapes))
}

/// The quotes that the field leaves free.
fn with_quotes(field: &str) -> String {
    let quote = QUOTES.iter().find(|q| !field.contains(**q)).unwrap_or(&"\"");
    format!("f{quote}{field}{quote}")
}

/// `{value!r:spec}`. The value stands in parentheses, so that none of its signs end it early;
/// `{x=}` keeps its text.
fn field(f: &FField) -> String {
    let mut out = String::from("{");
    match &f.label {
        Some(label) => out.push_str(label),
        None => {
            let mut inner = Printer { no_escapes: true, ..Printer::default() };
            let name = matches!(f.value.kind, ExprKind::Name(_));
            inner.push(if name { "" } else { "(" });
            inner.expr(&f.value, Level::Named);
            inner.push(if name { "" } else { ")" });
            out.push_str(&inner.out);
        }
    }
    if let Some(conversion) = f.conversion {
        out.extend(['!', conversion]);
    }
    if !f.spec.is_empty() {
        out.push(':');
    }
    for part in &f.spec {
        match part {
            FPart::Field(inner) => out.push_str(&field(inner)),
            FPart::Text(text) => {
                let text = escaped(text, '"').replace('{', "\\x7b").replace('}', "\\x7d");
                out.push_str(&text.replace('\'', "\\x27").replace("\\\"", "\\x22"));
            }
        }
    }
    out.push('}');
    out
}
