//! Names that Python spells otherwise, and where the prompt's short names live.

use vjp_eval::library;
use vjp_eval::library::catalogue;
use vjp_eval::value::Value;
use vjp_maths::ops::Forms;
use vjp_text::names::Symbol;

/// `W₁` as Python can spell it: `W1`.
pub fn spelled(name: &str) -> Option<String> {
    let digit = |c: char| ('₀'..='₉').contains(&c);
    name.contains(digit).then(|| {
        let plain = |c: char| match digit(c) {
            true => char::from_digit(c as u32 - '₀' as u32, 10).unwrap_or(c),
            false => c,
        };
        name.chars().map(plain).collect()
    })
}

/// Where a name that only the prompt knows lives: `torch.sin`, `F.softplus`; None for a name that
/// Python knows too, and for those of the prompt itself.
pub fn home(name: Symbol) -> Option<&'static str> {
    if library::builtin(name, true).is_some() {
        return None;
    }
    let value = library::builtin(name, false)?;
    let word = name.as_str();
    if catalogue::entry(word, Forms::TORCH).is_some() {
        return Some("torch");
    }
    if catalogue::entry(word, Forms::F).is_some() {
        return Some("F");
    }
    match value {
        Value::Builtin(b) if b.module == "vjp" => None,
        Value::Builtin(b) if b.module.starts_with("torch") => Some(b.module),
        Value::Builtin(b) if b.module == "numpy" => Some("np"),
        Value::Float(_) => Some("math"),
        _ => Some("torch"),
    }
}
