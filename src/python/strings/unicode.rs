//! `unicodedata`: the forms of a text, and what kind of character one is.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};
use vjp_eval::library::builtins;
use vjp_eval::{Args, Machine, Tried, Value, name_of, raise};
use vjp_tensor::{Kind, budget};

type Made = Tried<Value>;

builtins! {
    pub static UNICODEDATA in "unicodedata";
    "normalize" "(form, unistr, /)" normalize, "Returns a normal form of a text.";
    "category" "(chr, /)" |_, a| Ok(Value::from(category(character(&a)?))), "Returns the kind of a character: Lu, Ll, Nd, Mn …";
    "combining" "(chr, /)" |_, a| Ok(Value::Int(canonical_combining_class(character(&a)?).into())), "Returns the combining class of a character, 0 where it does not combine.";
    "is_normalized" "(form, unistr, /)" |m, a| { let given = a.positional.get(1).cloned(); let made = normalize(m, a)?; Ok(Value::Bool(given.is_some_and(|g| g.as_str() == made.as_str()))) }, "Returns whether a text is in that normal form.";
}

fn normalize(_: &mut Machine, args: Args) -> Made {
    args.count(2, 2)?;
    let [Value::Str(form), Value::Str(text)] = args.positional.as_slice() else {
        let wrong = args.positional.iter().find(|v| v.as_str().is_none());
        let name = wrong.map(name_of).unwrap_or_default();
        raise!(Kind::Type, "normalize() argument must be str, not {name}");
    };
    budget::reserve(text.len().saturating_mul(4))?;
    Ok(Value::from(match &**form {
        "NFC" => text.nfc().collect::<String>(),
        "NFD" => text.nfd().collect(),
        "NFKC" => text.nfkc().collect(),
        "NFKD" => text.nfkd().collect(),
        _ => raise!(Kind::Value, "invalid normalization form"),
    }))
}

fn character(args: &Args) -> Tried<char> {
    args.count(1, 1)?;
    let text = args.positional[0].as_str().unwrap_or_default();
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => Ok(c),
        _ => raise!(
            Kind::Type,
            "{}() argument must be a unicode character, not {}",
            args.name(),
            name_of(&args.positional[0])
        ),
    }
}

/// Exact for ASCII and letters; other marks and signs are `So`.
fn category(c: char) -> &'static str {
    match c {
        ' ' | '\u{a0}' => "Zs",
        '(' | '[' | '{' => "Ps",
        ')' | ']' | '}' => "Pe",
        '-' | '‐'..='―' => "Pd",
        '_' => "Pc",
        '+' | '<' | '=' | '>' | '|' | '~' | '±' | '×' | '÷' => "Sm",
        '$' | '¢'..='¥' | '€' => "Sc",
        '^' | '`' | '¨' | '¯' | '´' | '¸' => "Sk",
        '«' | '‘' | '“' => "Pi",
        '»' | '’' | '”' => "Pf",
        '¡' | '§' | '¶' | '·' | '¿' | '…' => "Po",
        c if c.is_ascii_punctuation() => "Po",
        c if c.is_control() => "Cc",
        c if is_combining_mark(c) => "Mn",
        c if c.is_uppercase() => "Lu",
        c if c.is_lowercase() && !matches!(c, 'ª' | 'º') => "Ll",
        c if c.is_alphabetic() => "Lo",
        c if c.is_ascii_digit() => "Nd",
        c if c.is_numeric() => "No",
        c if c.is_whitespace() => "Zs",
        _ => "So",
    }
}
