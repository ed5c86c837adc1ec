//! What the parsers read: a place in the token list, with what is shared by the whole parse.

use super::{Mode, SyntaxFault};
use nom::error::{ErrorKind, ParseError};
use nom::{Err, IResult, Needed};
use std::cell::{Cell, RefCell};
use vjp_text::tokens::Token;
use vjp_text::{Span, TokenKind};

/// What one parse shares. The cells survive backtracking, so that an error can speak of the
/// furthest place any rule got to.
#[derive(Default)]
pub struct Context<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
    pub mode: Mode,
    /// Is it noted what would have been accepted? A text that is a program needs no such notes, and
    /// they would be a tenth of its time.
    pub noting: bool,
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
    pub fn new(text: &'a str, tokens: &'a [Token], mode: Mode, noting: bool) -> Self {
        Context { text, tokens, mode, noting, ..Context::default() }
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

/// No fault: another rule may apply.
pub const NOT_HERE: Err<Reject> = Err::Error(Reject(None));

/// A fault is certain: no other rule can apply.
impl From<SyntaxFault> for Err<Reject> {
    fn from(fault: SyntaxFault) -> Self {
        Err::Failure(Reject(Some(Box::new(fault))))
    }
}

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

    /// The place before; None at the beginning.
    pub fn behind(self) -> Option<Self> {
        Some(Tokens { at: self.at.checked_sub(1)?, ..self })
    }

    pub fn strict(self) -> bool {
        self.cx.mode.strict
    }

    /// Is this an operator or a keyword?
    pub fn is_sign(self) -> bool {
        matches!(self.kind(), TokenKind::Op | TokenKind::Keyword)
    }

    /// Is this the operator or keyword?
    #[inline(always)]
    pub fn is(self, text: &str) -> bool {
        let Token { kind, span } = self.token();
        let bytes = self.cx.text.as_bytes();
        matches!(kind, TokenKind::Op | TokenKind::Keyword)
            && span.len() == text.len()
            && bytes[span.start as usize..span.end as usize] == *text.as_bytes()
    }

    /// What no operator, call or index is: an expression before it is at its end.
    pub fn ends_expression(self) -> bool {
        let Token { kind, span } = self.token();
        let first = self.cx.text.as_bytes().get(span.start as usize);
        match kind {
            TokenKind::Newline | TokenKind::End => true,
            TokenKind::Op if span.len() == 1 => first.is_some_and(|c| b",)]};=:".contains(c)),
            _ => false,
        }
    }

    /// A name or a number that is a whole expression.
    pub fn stands_alone(self) -> bool {
        matches!(self.kind(), TokenKind::Name | TokenKind::Number) && self.next().ends_expression()
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
        if !self.cx.noting || self.at < furthest {
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
        Err(NOT_HERE)
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

/// nom's lists ask how much is left, so that a rule that reads nothing ends them.
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
