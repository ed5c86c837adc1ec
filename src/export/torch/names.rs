//! Names that Python spells otherwise, and where the prompt's short names live.

use vjp_binder::catalogue::origin;
use vjp_eval::{Value, library};
use vjp_ops::Entry;
use vjp_text::Symbol;

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

/// The modules whose functions the prompt knows without a prefix, and how a program calls them;
/// PyTorch's come first.
const HOMES: [(&str, &str); 6] = [
    ("torch", "torch"),
    ("torch.nn.functional", "F"),
    ("torch.linalg", "torch.linalg"),
    ("torch.special", "torch.special"),
    ("torch.autograd.functional", "torch.autograd.functional"),
    ("numpy", "np"),
];

/// What a program calls that the prompt knows without a prefix: `torch.sin`, `torch.log` for `ln`;
/// None for a name that Python knows too, and for those of the prompt itself.
pub fn home(name: Symbol) -> Option<String> {
    homes(name).into_iter().next()
}

/// [`home`], and the other modules that have the same function.
pub fn homes(name: Symbol) -> Vec<String> {
    let value = match library::builtin(name, true) {
        Some(_) => None,
        None => library::builtin(name, false),
    };
    let Some(value) = value else {
        return Vec::new();
    };
    let mut words = vec![match &value {
        Value::Builtin(b) if b.module == "vjp" => return Vec::new(),
        Value::Builtin(b) => b.name,
        Value::Float(_) => return vec![format!("math.{name}")],
        _ => name.as_str(),
    }];
    // `mod` is PyTorch's `remainder`.
    if let Some(entry) = operation(&value) {
        words.extend(std::iter::once(entry.name).chain(entry.aliases.iter().copied()));
    }
    let found = |same: bool| -> Vec<String> {
        let has = |module: &str, word: &str| {
            let there = library::module(module).and_then(|m| m.get(Symbol::new(word)));
            there.is_some_and(|v| !same || is_same(&value, &v))
        };
        let (own, other) = HOMES.split_at(5);
        let all = [own, other].into_iter().flat_map(|homes| {
            words.iter().flat_map(move |word| homes.iter().map(move |home| (*home, *word)))
        });
        all.filter(|((module, _), word)| has(module, word))
            .map(|((_, prefix), word)| format!("{prefix}.{word}"))
            .collect()
    };
    match found(true) {
        all if all.is_empty() => found(false),
        all => all,
    }
}

fn operation(value: &Value) -> Option<&'static Entry> {
    match value {
        Value::Builtin(b) => origin(b).map(|o| o.entry),
        _ => None,
    }
}

/// The same object, or the same operation.
fn is_same(a: &Value, b: &Value) -> bool {
    let of = |v: &Value| operation(v).map(std::ptr::from_ref);
    a.same(b) || of(a).is_some_and(|entry| of(b) == Some(entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vjp_binder::catalogue::entry;
    use vjp_ops::Forms;

    #[test]
    fn every_short_name_has_a_home() {
        vjp_library::begin();
        let called = |name: &str, strict| library::builtin(Symbol::new(name), strict);
        let prompts =
            |name| matches!(called(name, false), Some(Value::Builtin(b)) if b.module == "vjp");
        let homeless: Vec<&str> = library::all(false)
            .into_iter()
            .map(|(name, _)| name)
            .filter(|name| called(name, true).is_none() && !prompts(name))
            .filter(|name| home(Symbol::new(name)).is_none())
            .collect();
        assert!(homeless.iter().all(|n| entry(n, Forms::SHORT).is_some()), "{homeless:?}");
    }

    #[test]
    fn a_short_name_is_called_where_pytorch_has_it() {
        vjp_library::begin();
        for (name, written) in [
            ("sin", "torch.sin"),
            ("ln", "torch.log"),
            ("inv", "torch.linalg.inv"),
            ("svdvals", "torch.linalg.svdvals"),
            ("expit", "torch.special.expit"),
            ("softplus", "F.softplus"),
            ("pi", "math.pi"),
            ("array", "np.array"),
            ("mod", "torch.remainder"),
        ] {
            assert_eq!(home(Symbol::new(name)).as_deref(), Some(written));
        }
        assert_eq!(home(Symbol::new("abs")), None);
    }
}
