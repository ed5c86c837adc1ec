//! f-strings: text, `{field}`s, their conversions and specs.

use super::string::unescape;
use crate::ast::*;
use crate::expr::targets_or_values;
use crate::input::{Context, Reject, Tokens};
use crate::{SyntaxFault, fault};
use std::rc::Rc;
use vjp_text::tokens::Scanner;
use vjp_text::{Span, TokenKind};

type Read<T> = Result<T, Box<SyntaxFault>>;

/// Where we are in the body of one literal.
struct Reader<'a> {
    outer: Tokens<'a>,
    body: &'a str,
    /// The body's place in the source.
    at: usize,
    raw: bool,
    pos: usize,
}

/// The parts of an f-string whose body begins at `at`.
pub fn fstring(outer: Tokens, at: usize, body: &str, raw: bool) -> Read<Vec<FPart>> {
    let mut reader = Reader { outer, body, at, raw, pos: 0 };
    let parts = reader.parts(0)?;
    Ok(parts)
}

/// Texts that follow each other made one; empty ones dropped.
pub fn joined(parts: Vec<FPart>) -> Vec<FPart> {
    let mut out: Vec<FPart> = Vec::with_capacity(parts.len());
    let mut run = String::new();
    for part in parts {
        match part {
            FPart::Text(text) => run.push_str(&text),
            field => {
                flush(&mut run, &mut out);
                out.push(field);
            }
        }
    }
    flush(&mut run, &mut out);
    out
}

fn flush(run: &mut String, out: &mut Vec<FPart>) {
    if !run.is_empty() {
        out.push(FPart::Text(std::mem::take(run).into()));
    }
}

impl Reader<'_> {
    fn byte(&self) -> u8 {
        *self.body.as_bytes().get(self.pos).unwrap_or(&0)
    }

    fn done(&self) -> bool {
        self.pos >= self.body.len()
    }

    fn fault<T>(&self, from: usize, message: &str) -> Read<T> {
        let start = self.at + from.min(self.body.len());
        let end = (start + 1).min(self.at + self.body.len()).max(start);
        Err(Box::new(SyntaxFault::new(Span::new(start, end), format!("f-string: {message}"))))
    }

    /// Text and fields up to the end, or in a spec up to its `}`.
    fn parts(&mut self, level: usize) -> Read<Vec<FPart>> {
        let mut parts = Vec::new();
        let mut start = self.pos;
        while !self.done() {
            match self.byte() {
                b'\\' if !self.raw => {
                    let c = self.body[self.pos + 1..].chars().next();
                    self.pos += 1 + c.map_or(0, char::len_utf8);
                }
                b'{' | b'}' if level == 0 && self.doubled() => {
                    self.pos += 1;
                    parts.push(self.text(start, self.pos)?);
                    self.pos += 1;
                    start = self.pos;
                }
                b'{' => {
                    parts.push(self.text(start, self.pos)?);
                    parts.push(FPart::Field(self.field(level)?));
                    start = self.pos;
                }
                b'}' if level > 0 => break,
                b'}' => return self.fault(self.pos, "single '}' is not allowed"),
                _ => self.pos += 1,
            }
        }
        parts.push(self.text(start, self.pos)?);
        Ok(joined(parts))
    }

    fn doubled(&self) -> bool {
        self.body.as_bytes().get(self.pos + 1) == Some(&self.byte())
    }

    fn text(&self, start: usize, end: usize) -> Read<FPart> {
        let text = &self.body[start..end];
        Ok(FPart::Text(match self.raw {
            true => text.replace("\r\n", "\n").into(),
            false => unescape(text, self.at + start)?.into(),
        }))
    }

    /// `{value=!r:spec}`; stands on the brace.
    fn field(&mut self, level: usize) -> Read<FField> {
        if level >= 2 {
            return self.fault(self.pos, "expressions nested too deeply");
        }
        let open = self.pos;
        self.pos += 1;
        let start = self.pos;
        let debug = self.find_end(open)?;
        let value = self.value(start, debug.unwrap_or(self.pos))?;
        let label = debug.map(|_| Rc::from(&self.body[start..self.pos]));
        let mut conversion = None;
        if self.byte() == b'!' {
            conversion = Some(self.conversion()?);
        }
        let mut spec = Vec::new();
        if self.byte() == b':' {
            self.pos += 1;
            spec = self.parts(level + 1)?;
        }
        if self.byte() != b'}' {
            return self.fault(self.pos, "expecting '}'");
        }
        self.pos += 1;
        Ok(FField { value: Box::new(value), label, conversion, spec })
    }

    fn conversion(&mut self) -> Read<char> {
        self.pos += 1;
        let rest = &self.body[self.pos..];
        let word = &rest[..rest.find(['}', ':']).unwrap_or(rest.len())];
        let kind = word.chars().next().filter(|c| word.len() == 1 && matches!(c, 'r' | 's' | 'a'));
        let Some(kind) = kind else {
            return self.fault(self.pos, "invalid conversion character: expected 's', 'r', or 'a'");
        };
        self.pos += 1;
        Ok(kind)
    }

    /// Moves to the `!`, `:` or `}` that ends the expression. After `value =` (Python's `{x=}`)
    /// the place of the `=` is returned.
    fn find_end(&mut self, open: usize) -> Read<Option<usize>> {
        let mut depth = 0usize;
        let mut quote: Option<&str> = None;
        while !self.done() {
            let rest = &self.body[self.pos..];
            if let Some(q) = quote {
                if rest.starts_with(q) {
                    quote = None;
                    self.pos += q.len();
                } else if rest.starts_with('\\') {
                    return self.fault(self.pos, "expression part cannot include a backslash");
                } else {
                    self.pos += rest.chars().next().map_or(1, char::len_utf8);
                }
                continue;
            }
            match rest.as_bytes()[0] {
                b'\'' | b'"' => {
                    let triple = rest.starts_with("'''") || rest.starts_with("\"\"\"");
                    let q = &rest[..if triple { 3 } else { 1 }];
                    quote = Some(q);
                    self.pos += q.len();
                    continue;
                }
                b'\\' => return self.fault(self.pos, "expression part cannot include a backslash"),
                b'#' => return self.fault(self.pos, "expression part cannot include '#'"),
                b'(' | b'[' | b'{' => depth += 1,
                b'}' if depth == 0 => return Ok(None),
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'!' if depth == 0 && !rest.starts_with("!=") => return Ok(None),
                b'!' | b'<' | b'>' | b'=' if rest[1..].starts_with('=') => self.pos += 1,
                b':' if depth == 0 => return Ok(None),
                b'=' if depth == 0 => {
                    let at = self.pos;
                    self.pos += 1;
                    self.pos += rest[1..].len() - rest[1..].trim_start().len();
                    return match self.byte() {
                        b'}' | b'!' | b':' => Ok(Some(at)),
                        _ => self.fault(at, "expecting '}'"),
                    };
                }
                _ => {}
            }
            self.pos += rest.chars().next().map_or(1, char::len_utf8);
            self.pos = self.pos.min(self.body.len());
            while !self.body.is_char_boundary(self.pos) {
                self.pos += 1;
            }
        }
        match quote {
            Some(_) => self.fault(open, "unterminated string"),
            None => self.fault(self.body.len(), "expecting '}'"),
        }
    }

    /// Parses `body[start..end]` as an expression, places kept.
    fn value(&self, start: usize, end: usize) -> Read<Expr> {
        if self.body[start..end].trim().is_empty() {
            return self.fault(start.saturating_sub(1), "empty expression not allowed");
        }
        let outer = self.outer.cx;
        let depth = outer.in_fstring.get();
        if depth >= 8 {
            return self.fault(start, "expressions nested too deeply");
        }
        let (tokens, scan) = Scanner::inside(outer.text, self.at + start, self.at + end).tokens();
        let cx = Context::new(outer.text, &tokens, outer.mode, outer.noting);
        cx.class.replace(outer.class.borrow().clone());
        cx.in_fstring.set(depth + 1);
        cx.depth.set(outer.depth.get());
        let result = targets_or_values(Tokens { cx: &cx, at: 0 });
        let mut fault = match result {
            Ok((i, value)) if i.kind() == TokenKind::End => {
                if let Some(condition) = cx.condition() {
                    self.outer.violates(condition.span, condition.message);
                }
                if matches!(value.kind, ExprKind::Starred(_)) {
                    SyntaxFault::new(value.span, "cannot use starred expression here")
                } else {
                    return Ok(value);
                }
            }
            Ok((i, value)) => {
                let first = Tokens { cx: &cx, at: 0 };
                match crate::atom::forgot_comma(first, i, &value) {
                    Err(nom::Err::Failure(Reject(Some(f)))) => *f,
                    _ => fault::unexpected(&cx, None, scan),
                }
            }
            Err(nom::Err::Failure(Reject(Some(f)))) => *f,
            Err(_) => fault::unexpected(&cx, None, scan),
        };
        fault.incomplete = false;
        if !fault.message.starts_with("f-string: ") {
            fault.message = format!("f-string: {}", fault.message);
        }
        Err(Box::new(fault))
    }
}
