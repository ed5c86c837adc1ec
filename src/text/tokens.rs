//! Tokens: names, numbers, strings, operators, and the NEWLINE, INDENT and DEDENT that Python's
//! lines make. One scanner serves the parser, the prompt and the pipe. It never fails: what
//! cannot be read becomes a `Bad` token, and the first such fault is kept.

use super::names::{is_name_continue, is_name_start};
use super::scan_fault::{ScanFault, strange};
use super::source::Span;

/// Brackets and blocks nest so deep, as in CPython.
pub const MAX_NESTING: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Name,
    Keyword,
    /// Digits and what clings to them; the parser judges.
    Number,
    /// A whole literal with prefix and quotes.
    Str,
    Op,
    Newline,
    Indent,
    Dedent,
    Bad,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// Words that cannot be names, as in Python.
pub const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Operators and punctuation, longest first.
pub const OPERATORS: &[&str] = &[
    "**=", "//=", ">>=", "<<=", "...", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", "+=",
    "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^=", ":=", "+", "-", "*", "/", "%", "@", "&", "|",
    "^", "~", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "=",
];

/// An open bracket and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    pub bracket: u8,
    pub at: usize,
}

/// Reads a text logical line by logical line.
pub struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) pos: usize,
    /// Columns with tabs to 8 and with tabs as 1; they must agree (TabError).
    indents: Vec<(usize, usize)>,
    pub(super) open: Vec<Open>,
    /// The text stands inside a bracket of its own: lines do not count.
    inside: bool,
    pub(super) fault: Option<ScanFault>,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Self {
        Scanner { text, pos: 0, indents: Vec::new(), open: Vec::new(), inside: false, fault: None }
    }

    /// Reads `text[start..end]` as if inside brackets: the field of an f-string.
    pub fn inside(text: &'a str, start: usize, end: usize) -> Self {
        let mut scanner = Scanner::new(&text[..end]);
        scanner.pos = start;
        scanner.inside = true;
        scanner
    }

    /// Every token of a text, the last one `End`, and the first fault.
    pub fn tokens(mut self) -> (Vec<Token>, Option<ScanFault>) {
        let mut out = Vec::with_capacity((self.text.len() - self.pos) / 2 + 4);
        while self.logical_line(&mut out) {}
        (out, self.fault)
    }

    /// Where the next logical line begins.
    pub fn pos(&self) -> usize {
        self.pos
    }

    /// The first thing that could not be read.
    pub fn fault(&self) -> Option<&ScanFault> {
        self.fault.as_ref()
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn byte(&self, ahead: usize) -> u8 {
        *self.text.as_bytes().get(self.pos + ahead).unwrap_or(&0)
    }

    pub(super) fn push(&mut self, out: &mut Vec<Token>, kind: TokenKind, start: usize) {
        let span = Span::new(start, self.pos);
        out.push(Token { kind, span });
    }

    /// Keeps the first fault, and marks what was read since `start` as no token.
    pub(super) fn bad(&mut self, out: &mut Vec<Token>, start: usize, fault: ScanFault) {
        self.fault.get_or_insert(fault);
        self.push(out, TokenKind::Bad, start);
    }

    fn flat(&self) -> bool {
        self.open.is_empty() && !self.inside
    }

    /// Reads to the end of one logical line; false once `End` has been pushed.
    pub fn logical_line(&mut self, out: &mut Vec<Token>) -> bool {
        if self.flat() && !self.indentation(out) {
            return self.finish(out);
        }
        loop {
            self.blanks();
            let start = self.pos;
            let Some(c) = self.peek() else {
                if let Some(open) = self.open.pop() {
                    self.bad(out, start, open.never_closed());
                } else if !self.inside {
                    self.push(out, TokenKind::Newline, start);
                }
                return self.finish(out);
            };
            match c {
                '\n' | '\r' => {
                    self.pos += if self.rest().starts_with("\r\n") { 2 } else { 1 };
                    if self.flat() {
                        self.push(out, TokenKind::Newline, start);
                        return true;
                    }
                }
                '#' => self.comment(),
                '\\' => self.continuation(out),
                _ => self.token(c, out),
            }
        }
    }

    fn finish(&mut self, out: &mut Vec<Token>) -> bool {
        for _ in 0..std::mem::take(&mut self.indents).len() {
            self.push(out, TokenKind::Dedent, self.pos);
        }
        self.push(out, TokenKind::End, self.pos);
        false
    }

    fn blanks(&mut self) {
        while matches!(self.byte(0), b' ' | b'\t' | b'\x0c') {
            self.pos += 1;
        }
    }

    fn comment(&mut self) {
        self.pos += self.line_rest();
    }

    /// Bytes up to the end of the line.
    fn line_rest(&self) -> usize {
        self.rest().find(['\n', '\r']).unwrap_or(self.rest().len())
    }

    /// Skips blank and comment lines, then compares the indentation with the open blocks.
    /// False at the end of the text.
    fn indentation(&mut self, out: &mut Vec<Token>) -> bool {
        let (start, columns) = loop {
            let start = self.pos;
            let (mut wide, mut narrow) = (0, 0);
            loop {
                match self.byte(0) {
                    b' ' => (wide, narrow) = (wide + 1, narrow + 1),
                    b'\t' => (wide, narrow) = (wide / 8 * 8 + 8, narrow + 1),
                    b'\x0c' => (wide, narrow) = (0, 0),
                    _ => break,
                }
                self.pos += 1;
            }
            if self.byte(0) == b'#' {
                self.comment();
            }
            match self.peek() {
                None => return false,
                Some('\n' | '\r') => self.pos += 1,
                Some(_) => break (start, (wide, narrow)),
            }
        };
        let top = self.indents.last().copied().unwrap_or((0, 0));
        if columns.0 > top.0 {
            if self.indents.len() >= MAX_NESTING {
                let fault =
                    ScanFault::plain(Span::new(start, self.pos), "too many levels of indentation");
                self.bad(out, start, fault);
            } else {
                self.push(out, TokenKind::Indent, start);
            }
            self.indents.push(columns);
        } else {
            while self.indents.last().is_some_and(|&(wide, _)| wide > columns.0) {
                self.indents.pop();
                self.push(out, TokenKind::Dedent, self.pos);
            }
        }
        let now = self.indents.last().copied().unwrap_or((0, 0));
        if now != columns {
            let span = Span::new(start, self.pos);
            let fault = if now.0 == columns.0 || (columns.0 > top.0) != (columns.1 > top.1) {
                ScanFault::plain(span, "inconsistent use of tabs and spaces in indentation")
                    .hint("indent the whole block with spaces")
            } else {
                ScanFault::plain(span, "unindent does not match any outer indentation level")
                    .hint("indent the line like the rest of its block")
            };
            self.bad(out, start, fault);
        }
        true
    }

    /// A `\` before the end of a line joins it to the next.
    fn continuation(&mut self, out: &mut Vec<Token>) {
        let start = self.pos;
        self.pos += 1;
        match self.peek() {
            Some('\r') if self.byte(1) == b'\n' => self.pos += 2,
            Some('\n' | '\r') => self.pos += 1,
            Some(_) => {
                // Only the `\` is lost: a bracket that closes behind it still ends the line.
                let end = self.pos + self.line_rest();
                let message = "unexpected character after line continuation character";
                self.bad(out, start, ScanFault::plain(Span::new(start + 1, end), message));
                return;
            }
            None => {}
        }
        if self.pos == self.text.len() {
            let span = Span::new(start, start + 1);
            self.bad(out, start, ScanFault::open(span, "unexpected EOF while parsing"));
        }
    }

    fn token(&mut self, c: char, out: &mut Vec<Token>) {
        let start = self.pos;
        if c == '"' || c == '\'' {
            self.string(start, out);
        } else if is_name_start(c) {
            let rest = self.rest();
            let end = name_length(rest);
            self.pos += end;
            let word = &rest[..end];
            if matches!(self.byte(0), b'"' | b'\'') && is_string_prefix(word) {
                self.string(start, out);
            } else if word.len() > 1 && KEYWORDS.binary_search(&word).is_ok() {
                self.push(out, TokenKind::Keyword, start);
            } else {
                self.push(out, TokenKind::Name, start);
            }
        } else if c.is_ascii_digit() || (c == '.' && self.byte(1).is_ascii_digit()) {
            self.number();
            self.push(out, TokenKind::Number, start);
        } else if let Some(op) = operator(self.rest()) {
            self.pos += op.len();
            match c {
                '(' | '[' | '{' => self.open_bracket(start, out),
                ')' | ']' | '}' => self.close_bracket(start, out),
                _ => self.push(out, TokenKind::Op, start),
            }
        } else {
            self.pos += c.len_utf8();
            let fault = strange(c, Span::new(start, self.pos));
            self.bad(out, start, fault);
        }
    }

    /// Digits, letters and points as they follow each other; `1e-3` keeps its sign.
    fn number(&mut self) {
        let based = self.byte(0) == b'0' && matches!(self.byte(1) | 32, b'x' | b'o' | b'b');
        let mut point = false;
        while let Some(c) = self.peek() {
            let exponent = !based && matches!(c, 'e' | 'E');
            if c == '.' && !point && !based {
                point = true;
            } else if !is_name_continue(c) {
                break;
            }
            self.pos += c.len_utf8();
            if exponent {
                point = true;
                if matches!(self.byte(0), b'+' | b'-') {
                    self.pos += 1;
                }
            }
        }
    }
}

/// The operators that begin with each ASCII character: bit k is `OPERATORS[k]`.
const BEGINNING: [u64; 128] = {
    let mut table = [0; 128];
    let mut k = 0;
    while k < OPERATORS.len() {
        table[OPERATORS[k].as_bytes()[0] as usize] |= 1 << k;
        k += 1;
    }
    table
};

fn operator(rest: &str) -> Option<&'static str> {
    let rest = rest.as_bytes();
    let mut candidates = *BEGINNING.get(usize::from(*rest.first()?))?;
    while candidates != 0 {
        let op = OPERATORS[candidates.trailing_zeros() as usize];
        if rest.starts_with(op.as_bytes()) {
            return Some(op);
        }
        candidates &= candidates - 1;
    }
    None
}

/// Bytes of the name that `rest` begins with.
fn name_length(rest: &str) -> usize {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let ascii = rest.bytes().take_while(plain).count();
    match rest.as_bytes().get(ascii) {
        Some(b) if !b.is_ascii() => {
            let other = rest[ascii..].find(|c| !is_name_continue(c));
            other.map_or(rest.len(), |n| ascii + n)
        }
        _ => ascii,
    }
}

/// `f`, `r`, `b`, `u` and what Python lets stand together.
fn is_string_prefix(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "f" | "r" | "b" | "u" | "fr" | "rf" | "br" | "rb")
}
