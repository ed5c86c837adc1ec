//! Numbers and strings as written.

pub(crate) mod fstring;

use super::SyntaxFault;
use super::ast::*;

use super::input::{Parsed, Tokens, expr, fail};
use num_bigint::BigInt;
use num_traits::Num;
use std::borrow::Cow;
use std::rc::Rc;
use vjp_text::number::{MAX_DIGITS, too_many_digits};
use vjp_text::source::Span;
use vjp_text::tokens::TokenKind;

/// `NUMBER`: an integer in any base, or a float.
pub fn number(i: Tokens) -> Parsed<Expr> {
    match read_number(i.text()) {
        Ok(kind) => Ok((i.next(), expr(i, i.next(), kind))),
        Err((message, hint)) => {
            fail(SyntaxFault { hint, ..SyntaxFault::new(i.token().span, message) })
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
    match text.find(|c: char| c.is_alphabetic() || c == '_') {
        Some(at) if at > 0 => format!("{}*{}", &text[..at], &text[at..]),
        _ => text.to_owned(),
    }
}

/// The parts of a string token.
struct Literal<'a> {
    raw: bool,
    formatted: bool,
    /// Between the quotes, and where that begins.
    body: &'a str,
    at: usize,
}

/// Adjacent `STRING`s, joined; an f-string where one of them is.
pub fn strings(i: Tokens) -> Parsed<Expr> {
    let (mut j, mut parts, mut formatted) = (i, Vec::new(), false);
    while j.kind() == TokenKind::Str {
        let literal = match literal(j) {
            Ok(literal) => literal,
            Err(fault) => return fail(*fault),
        };
        formatted |= literal.formatted;
        let read = match literal.formatted {
            true => fstring::fstring(j, literal.at, literal.body, literal.raw),
            false => text(&literal).map(|t| vec![FPart::Text(t.into())]),
        };
        match read {
            Ok(more) => parts.extend(more),
            Err(fault) => return fail(*fault),
        }
        j = j.next();
    }
    let parts = fstring::joined(parts);
    let kind = match (formatted, parts.as_slice()) {
        (true, _) => ExprKind::FString(parts),
        (false, [FPart::Text(text)]) => ExprKind::Str(text.clone()),
        (false, _) => ExprKind::Str("".into()),
    };
    Ok((j, expr(i, j, kind)))
}

fn literal<'a>(i: Tokens<'a>) -> Result<Literal<'a>, Box<SyntaxFault>> {
    let token = i.text();
    let open = token.find(['"', '\'']).unwrap_or(0);
    let prefix = token[..open].to_ascii_lowercase();
    if prefix.contains('b') {
        let fault = SyntaxFault::new(i.token().span, "bytes are not supported");
        return Err(Box::new(fault.hint("leave out the b")));
    }
    let quotes = if token[open..].len() >= 6 && is_triple(&token[open..]) { 3 } else { 1 };
    Ok(Literal {
        raw: prefix.contains('r'),
        formatted: prefix.contains('f'),
        body: &token[open + quotes..token.len() - quotes],
        at: i.token().span.start as usize + open + quotes,
    })
}

fn is_triple(quoted: &str) -> bool {
    quoted.starts_with("\"\"\"") || quoted.starts_with("'''")
}

fn text(literal: &Literal) -> Result<String, Box<SyntaxFault>> {
    match literal.raw {
        true => Ok(literal.body.replace("\r\n", "\n")),
        false => unescape(literal.body, literal.at),
    }
}

/// Escapes resolved as Python does; unknown ones stay as they are. `at` is the body's place.
pub fn unescape(body: &str, at: usize) -> Result<String, Box<SyntaxFault>> {
    let mut out = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(stop) = rest.find(['\\', '\r']) {
        out.push_str(&rest[..stop]);
        let here = at + body.len() - rest.len() + stop;
        let mut chars = rest[stop..].chars();
        if chars.next() == Some('\r') {
            out.push('\n');
            rest = rest[stop + 1..].strip_prefix('\n').unwrap_or(&rest[stop + 1..]);
            continue;
        }
        let kind = chars.next().unwrap_or('\\');
        let after = &rest[stop + 1 + kind.len_utf8().min(rest.len() - stop - 1)..];
        rest = escape(kind, after, here, &mut out)?;
    }
    out.push_str(rest);
    Ok(out)
}

fn escape<'a>(
    kind: char,
    after: &'a str,
    at: usize,
    out: &mut String,
) -> Result<&'a str, Box<SyntaxFault>> {
    let simple = match kind {
        '\n' => return Ok(after),
        '\r' => return Ok(after.strip_prefix('\n').unwrap_or(after)),
        '\\' | '\'' | '"' => kind,
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0c',
        'v' => '\x0b',
        '0'..='7' => {
            let more = after.bytes().take(2).take_while(|b| (b'0'..=b'7').contains(b)).count();
            let digits = format!("{kind}{}", &after[..more]);
            let code = u32::from_str_radix(&digits, 8).unwrap_or(0);
            out.extend(char::from_u32(code));
            return Ok(&after[more..]);
        }
        'x' => return hex(after, 2, "\\xXX", at, out),
        'u' => return hex(after, 4, "\\uXXXX", at, out),
        'U' => return hex(after, 8, "\\UXXXXXXXX", at, out),
        'N' => {
            let fault = SyntaxFault::new(Span::new(at, at + 2), "\\N{…} escapes are not supported");
            return Err(Box::new(fault.hint("type the character itself")));
        }
        other => {
            out.push('\\');
            other
        }
    };
    out.push(simple);
    Ok(after)
}

fn hex<'a>(
    after: &'a str,
    count: usize,
    form: &str,
    at: usize,
    out: &mut String,
) -> Result<&'a str, Box<SyntaxFault>> {
    let digits = after.get(..count).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
    let span = Span::new(at, at + 2);
    let Some(digits) = digits else {
        return Err(Box::new(SyntaxFault::new(span, format!("truncated {form} escape"))));
    };
    let code = u32::from_str_radix(digits, 16).unwrap_or(0);
    let Some(c) = char::from_u32(code) else {
        return Err(Box::new(SyntaxFault::new(span, "illegal Unicode character")));
    };
    out.push(c);
    Ok(&after[count..])
}
