//! Numbers as written: bases, groups of digits, and what `3x` may have meant.

use crate::SyntaxFault;
use crate::ast::*;
use crate::combinators::fail;
use crate::input::{Parsed, Tokens};
use num_bigint::BigInt;
use num_traits::Num;
use std::borrow::Cow;
use std::rc::Rc;
use vjp_text::number::{MAX_DIGITS, too_many_digits};

/// `NUMBER`: an integer in any base, or a float.
pub fn number(i: Tokens) -> Parsed<Expr> {
    match read_number(i.text()) {
        Ok(kind) => Ok((i.next(), Expr { span: i.token().span, kind })),
        Err((message, hint)) => {
            let fault = SyntaxFault { hint, ..SyntaxFault::new(i.token().span, message) };
            fail(super::super::fault::number(i, fault))
        }
    }
}

fn too_long(digits: usize) -> Refusal {
    let message = format!(
        "{} - Consider hexadecimal for huge integer literals to avoid decimal conversion limits.",
        too_many_digits(digits)
    );
    (message, None)
}

/// An integer from its digits, which are sound.
fn integer(digits: &str, radix: u32) -> ExprKind {
    match i64::from_str_radix(digits, radix) {
        Ok(n) => ExprKind::Int(n),
        Err(_) => {
            let long = BigInt::from_str_radix(digits, radix).unwrap_or_default();
            ExprKind::Long(Rc::new(long))
        }
    }
}

type Refusal = (String, Option<String>);

fn read_number(text: &str) -> Result<ExprKind, Refusal> {
    let base = match text.as_bytes() {
        // Most numbers are short and plain.
        [b'1'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit) => {
            if let Ok(n) = text.parse() {
                return Ok(ExprKind::Int(n));
            }
            None
        }
        [b'0', b'x' | b'X', ..] => Some((16, "hexadecimal")),
        [b'0', b'o' | b'O', ..] => Some((8, "octal")),
        [b'0', b'b' | b'B', ..] => Some((2, "binary")),
        _ => None,
    };
    match base {
        Some((radix, name)) => based(&text[2..], radix, name),
        None => decimal(text),
    }
}

fn based(digits: &str, radix: u32, name: &str) -> Result<ExprKind, Refusal> {
    if let Some(d) = digits.chars().find(|c| c.is_ascii_digit() && !c.is_digit(radix)) {
        return Err((format!("invalid digit '{d}' in {name} literal"), None));
    }
    let plain = digits.strip_prefix('_').unwrap_or(digits);
    if !grouped(plain, |c| c.is_digit(radix)) {
        return Err((format!("invalid {name} literal"), None));
    }
    Ok(integer(&plain.replace('_', ""), radix))
}

/// Digits with single underscores between them.
fn grouped(text: &str, digit: impl Fn(char) -> bool) -> bool {
    !text.is_empty() && text.split('_').all(|part| !part.is_empty() && part.chars().all(&digit))
}

fn decimal(text: &str) -> Result<ExprKind, Refusal> {
    let digits = |s: &str| grouped(s, |c| c.is_ascii_digit());
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let whole_float = mantissa.contains('.') || exponent.is_some();
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let sound = (digits(whole) || whole.is_empty() && mantissa.len() > 1)
        && (fraction.is_empty() || digits(fraction))
        && exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)));
    if !sound {
        return Err(unsound(text));
    }
    let plain: Cow<str> = match text.contains('_') {
        true => text.replace('_', "").into(),
        false => text.into(),
    };
    if whole_float {
        return plain.parse().map(ExprKind::Float).map_err(|_| unsound(text));
    }
    if plain.len() > 1 && plain.starts_with('0') && plain.bytes().any(|b| b != b'0') {
        let message = "leading zeros in decimal integer literals are not permitted; \
                       use an 0o prefix for octal integers";
        return Err((message.into(), None));
    }
    if plain.len() > MAX_DIGITS {
        return Err(too_long(plain.len()));
    }
    Ok(integer(&plain, 10))
}

/// `2x`, `1j`, `1__0`.
fn unsound(text: &str) -> Refusal {
    let number = text.trim_end_matches(|c: char| !c.is_ascii_digit() && c != '.');
    let tail = text.find(|c: char| c.is_alphabetic() || c == '_').map_or("", |at| &text[at..]);
    if matches!(tail, "j" | "J") {
        let hint = "use real numbers";
        return ("complex numbers are not supported".into(), Some(hint.into()));
    }
    if text.contains('·') {
        let product =
            text.trim_end_matches('·').split('·').map(product).collect::<Vec<_>>().join("*");
        let hint = match text.ends_with('·') {
            true => "write a product as *".to_owned(),
            false => format!("write a product with *: {product}"),
        };
        return ("invalid decimal literal".into(), Some(hint));
    }
    let word = tail.chars().next().is_some_and(char::is_alphabetic) && !number.is_empty();
    let hint = word.then(|| format!("write a product with *: {}", product(text)));
    ("invalid decimal literal".into(), hint)
}

/// `2x` as `2*x`.
fn product(text: &str) -> String {
    let word = |c: char| c.is_alphabetic() || c == '_';
    let mut at = text.find(word);
    // `1e3x`: the first letter is the number's own.
    if let Some(exponent) = at.filter(|at| text[*at..].starts_with(['e', 'E'])) {
        let digits = text[exponent + 1..].trim_start_matches(['+', '-']);
        let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() < digits.len() {
            at = rest.find(word).map(|k| text.len() - rest.len() + k);
        }
    }
    match at {
        Some(at) if at > 0 => format!("{}*{}", &text[..at], text[at..].replace('π', "pi")),
        _ => text.to_owned(),
    }
}
