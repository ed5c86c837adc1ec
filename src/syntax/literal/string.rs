//! Strings as written: prefixes, escapes, neighbours joined.

use super::fstring;
use crate::SyntaxFault;
use crate::ast::*;
use crate::combinators::node;
use crate::input::{NOT_HERE, Parsed, Tokens};
use nom::Parser;
use nom::multi::fold_many1;
use vjp_text::{Span, Symbol, TokenKind};

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
    let literals = fold_many1(
        string,
        || (Vec::new(), false),
        |(mut all, formatted), (parts, also)| {
            all.extend(parts);
            (all, formatted || also)
        },
    );
    let joined = literals.map(|(parts, formatted)| match (formatted, fstring::joined(parts)) {
        (true, parts) => ExprKind::FString(parts),
        (false, parts) => match parts.as_slice() {
            [FPart::Text(text)] => ExprKind::Str(text.clone()),
            _ => ExprKind::Str("".into()),
        },
    });
    match i.kind() == TokenKind::Str && prefix(i.text()).contains('b') {
        true => node(bytes).parse(i),
        false => node(joined).parse(i),
    }
}

/// What stands before the quotes.
fn prefix(token: &str) -> String {
    token[..token.find(['"', '\'']).unwrap_or(0)].to_ascii_lowercase()
}

/// `b"…"`, neighbours joined: `bytes("…", "latin-1")`, each byte a character.
fn bytes(i: Tokens) -> Parsed<ExprKind> {
    let (mut at, mut all) = (i, String::new());
    while at.kind() == TokenKind::Str {
        let literal = literal(at).map_err(|fault| *fault)?;
        if !prefix(at.text()).contains('b') {
            i.violates(at.token().span, "cannot mix bytes and nonbytes literals");
        } else if !literal.body.is_ascii() {
            i.violates(at.token().span, "bytes can only contain ASCII literal characters");
        }
        all.push_str(&text(&literal).map_err(|fault| *fault)?);
        at = at.next();
    }
    let span = i.span_to(at);
    let expr = |kind| Expr { span, kind };
    let arg = |text: &str| Arg {
        span,
        kind: ArgKind::Positional,
        value: expr(ExprKind::Str(text.into())),
    };
    let call = TrailerKind::Call(vec![arg(&all), arg("latin-1")]);
    let base = Box::new(expr(ExprKind::Name(Symbol::new("bytes"))));
    Ok((at, ExprKind::Trailers { base, trailers: vec![Trailer { span, kind: call }] }))
}

/// The parts of one literal, and whether it is an f-string.
fn string(i: Tokens) -> Parsed<(Vec<FPart>, bool)> {
    if i.kind() != TokenKind::Str {
        return Err(NOT_HERE);
    }
    if prefix(i.text()).contains('b') {
        i.violates(i.token().span, "cannot mix bytes and nonbytes literals");
    }
    let literal = literal(i).map_err(|fault| *fault)?;
    let parts = match literal.formatted {
        true => fstring::fstring(i, literal.at, literal.body, literal.raw),
        false => text(&literal).map(|t| vec![FPart::Text(t.into())]),
    };
    Ok((i.next(), (parts.map_err(|fault| *fault)?, literal.formatted)))
}

fn literal<'a>(i: Tokens<'a>) -> Result<Literal<'a>, Box<SyntaxFault>> {
    let token = i.text();
    let open = token.find(['"', '\'']).unwrap_or(0);
    let prefix = prefix(token);
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
