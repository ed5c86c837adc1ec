//! What the parsers read: a place in the token list, with what is shared by the whole parse.

use super::ast::{Expr, ExprKind, Name};
use super::{Mode, SyntaxFault};
use nom::error::{ErrorKind, ParseError};
use nom::{Err, IResult, Needed};
use std::cell::{Cell, RefCell};
use unicode_normalization::UnicodeNormalization;
use vjp_text::names::Symbol;
use vjp_text::source::Span;
use vjp_text::tokens::{Token, TokenKind};

/// What one parse shares. The cells survive backtracking, so that an error can speak of the
/// furthest place any rule got to.
pub struct Context<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
    pub mode: Mode,
    furthest: Cell<usize>,
    expected: RefCell<Vec<&'static str>>,
    condition: RefCell<Option<Box<SyntaxFault>>>,
    /// Nested constructs that need no bracket: lambdas and f-string fields.
    pub depth: Cell<usize>,
    pub in_function: Cell<bool>,
    /// The function being read yields.
    pub yields: Cell<bool>,
    pub in_loop: Cell<bool>,
    pub in_fstring: Cell<usize>,
    /// In what a comprehension runs over, where `:=` has no scope to bind in.
    pub in_iterable: Cell<bool>,
    /// The class being read, whose private names carry it.
    pub class: RefCell<Option<String>>,
}

impl<'a> Context<'a> {
    pub fn new(text: &'a str, tokens: &'a [Token], mode: Mode) -> Self {
        Context {
            text,
            tokens,
            mode,
            furthest: Cell::new(0),
            expected: RefCell::default(),
            condition: RefCell::default(),
            depth: Cell::new(0),
            in_function: Cell::new(false),
            yields: Cell::new(false),
            in_loop: Cell::new(false),
            in_fstring: Cell::new(0),
            in_iterable: Cell::new(false),
            class: RefCell::default(),
        }
    }

    /// The furthest token that no rule accepted, and what would have been.
    pub fn furthest(&self) -> (Token, Vec<&'static str>) {
        (self.tokens[self.furthest.get()], self.expected.take())
    }

    /// Index of that token.
    pub fn furthest_at(&self) -> usize {
        self.furthest.get()
    }

    /// The first violated context condition of a text that is otherwise a program.
    pub fn condition(&self) -> Option<Box<SyntaxFault>> {
        self.condition.take()
    }
}

/// A place in the token list. The last token is always `End`.
#[derive(Clone, Copy)]
pub struct Tokens<'a> {
    pub cx: &'a Context<'a>,
    pub at: usize,
}

/// Why a rule does not apply: it may be another's turn, or the fault is certain.
#[derive(Debug)]
pub struct Reject(pub Option<Box<SyntaxFault>>);

/// What every rule of the grammar returns.
pub type Parsed<'a, T> = IResult<Tokens<'a>, T, Reject>;

impl<'a> ParseError<Tokens<'a>> for Reject {
    fn from_error_kind(_: Tokens<'a>, _: ErrorKind) -> Self {
        Reject(None)
    }

    fn append(_: Tokens<'a>, _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl<'a> Tokens<'a> {
    pub fn token(self) -> Token {
        self.cx.tokens[self.at]
    }

    pub fn kind(self) -> TokenKind {
        self.token().kind
    }

    pub fn text(self) -> &'a str {
        let span = self.token().span;
        &self.cx.text[span.start as usize..span.end as usize]
    }

    /// The place after this token; `End` is never passed.
    pub fn next(self) -> Self {
        let at = (self.at + 1).min(self.cx.tokens.len() - 1);
        Tokens { at, ..self }
    }

    pub fn strict(self) -> bool {
        self.cx.mode.strict
    }

    /// Is this the operator or keyword?
    #[inline]
    pub fn is(self, text: &str) -> bool {
        let Token { kind, span } = self.token();
        let bytes = self.cx.text.as_bytes();
        matches!(kind, TokenKind::Op | TokenKind::Keyword)
            && span.len() == text.len()
            && bytes[span.start as usize..span.end as usize] == *text.as_bytes()
    }

    /// A name or a number that is a whole expression: what follows cannot go on with one.
    pub fn stands_alone(self) -> bool {
        let next = self.next();
        matches!(self.kind(), TokenKind::Name | TokenKind::Number)
            && match next.kind() {
                TokenKind::Newline => true,
                TokenKind::Op => matches!(next.text(), "," | ")" | "]" | "}" | ";" | "=" | ":"),
                _ => false,
            }
    }

    /// The place after the operator or keyword, if it stands here.
    pub fn eat(self, text: &'static str) -> Option<Self> {
        if self.is(text) {
            return Some(self.next());
        }
        self.expect(text);
        None
    }

    /// Remembers that `label` would have been accepted here.
    pub fn expect(self, label: &'static str) {
        let furthest = self.cx.furthest.get();
        if self.at < furthest {
            return;
        }
        let mut expected = self.cx.expected.borrow_mut();
        if self.at > furthest {
            self.cx.furthest.set(self.at);
            expected.clear();
        }
        if !expected.contains(&label) {
            expected.push(label);
        }
    }

    /// `label` was wanted here: another rule may apply.
    pub fn reject<T>(self, label: &'static str) -> Parsed<'a, T> {
        self.expect(label);
        Err(Err::Error(Reject(None)))
    }

    /// From this token to the one before `end`.
    pub fn span_to(self, end: Tokens<'a>) -> Span {
        let last = self.cx.tokens[end.at.saturating_sub(1).max(self.at)].span.end;
        Span { start: self.token().span.start, end: last }
    }

    /// Remembers a violated context condition: one that the grammar does not express.
    pub fn violates(self, span: Span, message: impl Into<String>) {
        let mut slot = self.cx.condition.borrow_mut();
        slot.get_or_insert_with(|| Box::new(SyntaxFault::new(span, message)));
    }
}

impl<'a> nom::Input for Tokens<'a> {
    type Item = Token;
    type Iter = std::iter::Copied<std::slice::Iter<'a, Token>>;
    type IterIndices = std::iter::Enumerate<Self::Iter>;

    fn input_len(&self) -> usize {
        self.cx.tokens.len() - self.at
    }

    fn take(&self, index: usize) -> Self {
        // A place has no end of its own: only its beginning moves.
        self.take_from(index)
    }

    fn take_from(&self, index: usize) -> Self {
        let at = (self.at + index).min(self.cx.tokens.len() - 1);
        Tokens { at, ..*self }
    }

    fn take_split(&self, index: usize) -> (Self, Self) {
        (self.take_from(index), *self)
    }

    fn position<P: Fn(Token) -> bool>(&self, predicate: P) -> Option<usize> {
        self.iter_elements().position(predicate)
    }

    fn iter_elements(&self) -> Self::Iter {
        self.cx.tokens[self.at..].iter().copied()
    }

    fn iter_indices(&self) -> Self::IterIndices {
        self.iter_elements().enumerate()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        Ok(count)
    }
}

/// Ends the parse: no other rule can apply.
pub fn fail<'a, T>(fault: SyntaxFault) -> Parsed<'a, T> {
    Err(Err::Failure(Reject(Some(Box::new(fault)))))
}

/// One operator or keyword.
pub fn token<'a>(text: &'static str) -> impl Fn(Tokens<'a>) -> Parsed<'a, Span> {
    move |i| match i.eat(text) {
        Some(j) => Ok((j, i.token().span)),
        None => Err(Err::Error(Reject(None))),
    }
}

/// Tokens of one kind, such as NEWLINE.
pub fn kind<'a>(kind: TokenKind, label: &'static str) -> impl Fn(Tokens<'a>) -> Parsed<'a, ()> {
    move |i| {
        if i.kind() == kind { Ok((i.next(), ())) } else { i.reject(label) }
    }
}

/// `NAME`. Strict mode compares names in NFKC, as Python does.
pub fn name(i: Tokens) -> Parsed<Name> {
    if i.kind() != TokenKind::Name {
        return i.reject("a name");
    }
    let span = i.token().span;
    if !i.strict() {
        return Ok((i.next(), Name { span, symbol: own(i, i.text()) }));
    }
    if let Some(c) = i.text().chars().find(|c| vjp_text::names::is_subscript(*c)) {
        let start = span.start as usize + i.text().find(c).unwrap_or(0);
        let message = format!("invalid character '{c}' (U+{:04X})", c as u32);
        let fault = SyntaxFault::new(Span::new(start, start + c.len_utf8()), message);
        return fail(fault.hint("names cannot contain subscripts in strict mode"));
    }
    let symbol = match i.text().is_ascii() {
        true => own(i, i.text()),
        false => own(i, &i.text().nfkc().collect::<String>()),
    };
    Ok((i.next(), Name { span, symbol }))
}

/// A name, or inside a class `C` its private `__x` as `_C__x`.
fn own(i: Tokens, text: &str) -> Symbol {
    if text.starts_with("__")
        && !text.ends_with("__")
        && let Some(class) = i.cx.class.borrow().as_deref()
    {
        return Symbol::new(&format!("_{class}{text}"));
    }
    Symbol::new(text)
}

/// Runs a rule one level deeper. The limit stands for brackets in [`vjp_text::tokens`]; this
/// one is for what nests without them.
pub fn deeper<'a, T>(
    i: Tokens<'a>,
    what: &str,
    rule: impl FnOnce(Tokens<'a>) -> Parsed<'a, T>,
) -> Parsed<'a, T> {
    let depth = i.cx.depth.get();
    if depth >= vjp_text::tokens::MAX_NESTING {
        return fail(SyntaxFault::new(i.token().span, format!("too many nested {what}")));
    }
    i.cx.depth.set(depth + 1);
    let result = rule(i);
    i.cx.depth.set(depth);
    result
}

/// An expression from where `start` stands up to `end`.
pub fn expr(start: Tokens, end: Tokens, kind: ExprKind) -> Expr {
    Expr { span: start.span_to(end), kind }
}
