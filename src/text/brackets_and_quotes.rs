//! What encloses text: the quotes of a string, brackets.

use super::scan_fault::ScanFault;
use super::source::Span;
use super::tokens::{MAX_NESTING, Open, Scanner, Token, TokenKind};

impl Open {
    pub(super) fn never_closed(&self) -> ScanFault {
        let message = format!("'{}' was never closed", self.bracket as char);
        ScanFault::open(Span::new(self.at, self.at + 1), message)
    }
}

impl Scanner<'_> {
    /// From the opening quote at `self.pos`; the prefix began at `start`.
    pub(super) fn string(&mut self, start: usize, out: &mut Vec<Token>) {
        let quote = self.byte(0);
        let triple = self.byte(1) == quote && self.byte(2) == quote;
        self.pos += if triple { 3 } else { 1 };
        loop {
            match self.byte(0) {
                _ if self.pos >= self.text.len() => break,
                b'\\' if self.pos + 1 < self.text.len() => {
                    self.pos += if self.text[self.pos + 1..].starts_with("\r\n") { 3 } else { 2 };
                }
                b'\n' | b'\r' if !triple => break,
                b if b == quote
                    && (!triple || (self.byte(1) == quote && self.byte(2) == quote)) =>
                {
                    self.pos += if triple { 3 } else { 1 };
                    return self.push(out, TokenKind::Str, start);
                }
                _ => self.pos += 1,
            }
        }
        // A backslash may have carried us into the middle of a character: its bytes follow it.
        self.pos = self.pos.min(self.text.len());
        while !self.text.is_char_boundary(self.pos) {
            self.pos += 1;
        }
        if !triple {
            // The bracket that would close may be in the string: the lines below are not its.
            self.open.clear();
        }
        if self.fault.is_some() {
            // Counting lines for every one of many faults would take quadratic time.
            return self.push(out, TokenKind::Bad, start);
        }
        let line = 1 + self.text[..self.pos].matches('\n').count();
        let span = Span::new(start, if triple { start + 3 } else { self.pos });
        let fault = if triple {
            let message =
                format!("unterminated triple-quoted string literal (detected at line {line})");
            ScanFault::open(span, message)
        } else {
            let message = format!("unterminated string literal (detected at line {line})");
            let close = format!("close the string with {}", quote as char);
            // `y'` and `f'(2)`
            let primed = quote == b'\'' && start > 0 && behind_operand(&self.text[..start])
                || self.text[start..].starts_with("f'(");
            ScanFault::plain(span, message).hint(match primed {
                true => {
                    format!("{close}; the derivative of y is grad(y, x), of a function grad(f)")
                }
                false => close,
            })
        };
        self.bad(out, start, fault);
    }

    pub(super) fn open_bracket(&mut self, start: usize, out: &mut Vec<Token>) {
        let bracket = self.text.as_bytes()[start];
        self.open.push(Open { bracket, at: start });
        if self.open.len() > MAX_NESTING {
            let fault =
                ScanFault::plain(Span::new(start, start + 1), "too many nested parentheses")
                    .hint(format!("brackets can nest {MAX_NESTING} deep; name an inner part"));
            return self.bad(out, start, fault);
        }
        self.push(out, TokenKind::Op, start);
    }

    pub(super) fn close_bracket(&mut self, start: usize, out: &mut Vec<Token>) {
        let close = self.text.as_bytes()[start] as char;
        let span = Span::new(start, start + 1);
        let Some(open) = self.open.pop() else {
            return self.bad(out, start, ScanFault::plain(span, format!("unmatched '{close}'")));
        };
        if matches!((open.bracket, close), (b'(', ')') | (b'[', ']') | (b'{', '}')) {
            return self.push(out, TokenKind::Op, start);
        }
        if self.fault.is_some() {
            return self.push(out, TokenKind::Bad, start);
        }
        let line = |at: usize| self.text[..at].matches('\n').count();
        let (opened, here) = (line(open.at), line(start));
        let on = if opened == here { String::new() } else { format!(" on line {}", opened + 1) };
        let message = format!(
            "closing parenthesis '{close}' does not match opening parenthesis '{}'{on}",
            open.bracket as char
        );
        self.bad(out, start, ScanFault::plain(span, message));
    }
}

/// Whether a text ends in a name, a number or a closing bracket.
fn behind_operand(text: &str) -> bool {
    text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | ']'))
}
