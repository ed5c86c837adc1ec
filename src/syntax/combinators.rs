//! What the grammar is written in beside nom's combinators: tokens and names, nodes with their
//! spans, and the faults that Python has sentences of its own for.

use super::SyntaxFault;
use super::ast::{Expr, ExprKind, Name};
use super::input::{Context, NOT_HERE, Parsed, Reject, Tokens};
use nom::branch::alt;
use nom::combinator::{cut, not, opt, peek};
use nom::multi::{fold_many0, separated_list1};
use nom::sequence::{preceded, terminated};
use nom::{Err, Mode, OutputMode, PResult, Parser};
use std::cell::Cell;
use vjp_text::tokens::MAX_NESTING;
use vjp_text::{Span, Symbol, TokenKind};

/// A rule of the grammar, or a part of one.
pub trait Rule<'a, T>: Parser<Tokens<'a>, Output = T, Error = Reject> {}

impl<'a, T, P: Parser<Tokens<'a>, Output = T, Error = Reject>> Rule<'a, T> for P {}

/// One operator or keyword. Made for its place, so that the text compared is a constant there.
pub struct Sign(&'static str);

impl<'a> Parser<Tokens<'a>> for Sign {
    type Output = Span;
    type Error = Reject;

    #[inline(always)]
    fn process<OM: OutputMode>(&mut self, i: Tokens<'a>) -> PResult<OM, Tokens<'a>, Span, Reject> {
        match i.is(self.0) {
            true => Ok((i.next(), OM::Output::bind(|| i.token().span))),
            false => Err(Err::Error(OM::Error::bind(|| Reject(None)))),
        }
    }
}

/// One operator or keyword.
#[inline(always)]
pub fn sign(text: &'static str) -> Sign {
    Sign(text)
}

/// A rule that a hint names where it does not apply.
pub struct Expected<P>(&'static str, P);

impl<'a, P: Parser<Tokens<'a>, Error = Reject>> Parser<Tokens<'a>> for Expected<P> {
    type Output = P::Output;
    type Error = Reject;

    #[inline(always)]
    fn process<OM: OutputMode>(
        &mut self,
        i: Tokens<'a>,
    ) -> PResult<OM, Tokens<'a>, P::Output, Reject> {
        let read = self.1.process::<OM>(i);
        if let Err(Err::Error(_)) = read {
            i.expect(self.0);
        }
        read
    }
}

#[inline(always)]
pub fn expected<P>(label: &'static str, rule: P) -> Expected<P> {
    Expected(label, rule)
}

/// One operator or keyword that the hint may name.
#[inline(always)]
pub fn token(text: &'static str) -> Expected<Sign> {
    expected(text, sign(text))
}

/// Rules that begin with a word of the language: none is tried where there is no such word.
pub fn worded<'a, T>(mut rules: impl Rule<'a, T>) -> impl Rule<'a, T> {
    move |i: Tokens<'a>| match i.kind() {
        TokenKind::Keyword => rules.parse(i),
        _ => Err(NOT_HERE),
    }
}

/// A sign or word and what must follow it.
pub fn after<'a, T>(start: impl Rule<'a, Span>, rule: impl Rule<'a, T>) -> impl Rule<'a, T> {
    preceded(start, cut(rule))
}

/// A token of this kind, such as NEWLINE.
pub fn kind<'a>(kind: TokenKind) -> impl Rule<'a, ()> {
    move |i: Tokens<'a>| if i.kind() == kind { Ok((i.next(), ())) } else { Err(NOT_HERE) }
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
        false => own(i, &nfkc(i.text())),
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

/// A `NAME` with this sign behind it.
pub fn name_before<'a>(text: &'static str) -> impl Rule<'a, Name> {
    move |i: Tokens<'a>| {
        if i.kind() != TokenKind::Name || !i.next().is(text) {
            return Err(NOT_HERE);
        }
        let (j, name) = name(i)?;
        Ok((j.next(), name))
    }
}

/// What a rule reads, and from where to where.
pub fn spanned<'a, T>(mut rule: impl Rule<'a, T>) -> impl Rule<'a, (T, Span)> {
    move |i: Tokens<'a>| {
        let (j, read) = rule.parse(i)?;
        Ok((j, (read, i.span_to(j))))
    }
}

/// An expression of this kind.
pub fn node<'a>(rule: impl Rule<'a, ExprKind>) -> impl Rule<'a, Expr> {
    spanned(rule).map(|(kind, span)| Expr { span, kind })
}

/// The list of `first { rest }`.
pub fn with_first<T>(first: T, mut rest: Vec<T>) -> Vec<T> {
    rest.insert(0, first);
    rest
}

/// `{ rule }`. nom's `many0` takes room for four before there is one; most lists here are empty.
pub fn many<'a, T>(rule: impl Rule<'a, T>) -> impl Rule<'a, Vec<T>> {
    fold_many0(rule, Vec::new, push)
}

pub fn push<T>(mut list: Vec<T>, next: T) -> Vec<T> {
    list.push(next);
    list
}

/// `first { more }`: the first alone where no more follows, as at most levels of the ladder; there
/// it is handed on without being moved.
pub fn extended<'a, T>(
    first: impl Fn(Tokens<'a>) -> Parsed<'a, Expr>,
    more: impl Rule<'a, T>,
    make: fn(Expr, Vec<T>) -> ExprKind,
) -> impl Rule<'a, Expr> {
    let mut more = many(more);
    move |i: Tokens<'a>| {
        let alone = first(i);
        let Ok((j, _)) = &alone else { return alone };
        if j.ends_expression() {
            return alone;
        }
        let (j, rest) = more.parse(*j)?;
        if rest.is_empty() {
            return alone;
        }
        alone.map(|(_, first)| (j, Expr { span: i.span_to(j), kind: make(first, rest) }))
    }
}

/// `{ prefix } operand`: the operand alone where no prefix stands.
pub fn prefixed<'a, T>(
    prefix: impl Rule<'a, T>,
    operand: impl Fn(Tokens<'a>) -> Parsed<'a, Expr>,
    make: fn(Vec<T>, Box<Expr>) -> ExprKind,
) -> impl Rule<'a, Expr> {
    let mut prefixes = many(prefix);
    move |i: Tokens<'a>| {
        // A name or a number is no prefix.
        if !i.is_sign() {
            return operand(i);
        }
        let (j, prefixes) = prefixes.parse(i)?;
        if prefixes.is_empty() {
            return operand(i);
        }
        let (j, operand) = cut(&operand).parse(j)?;
        Ok((j, Expr { span: i.span_to(j), kind: make(prefixes, Box::new(operand)) }))
    }
}

/// `item { "," item } [ "," ]`: a tuple where there is a comma. `comma` looks whether it is the last.
pub fn tuple<'a>(
    mut item: impl Rule<'a, Expr>,
    mut comma: impl Rule<'a, Span>,
) -> impl Rule<'a, Expr> {
    move |i: Tokens<'a>| {
        let alone = item.parse(i);
        let Ok((j, _)) = &alone else { return alone };
        if !j.is(",") {
            j.expect(",");
            return alone;
        }
        let (j, first) = alone?;
        let (j, items) = more_items(first, |i| item.parse(i), |i| comma.parse(i)).parse(j)?;
        Ok((j, Expr { span: i.span_to(j), kind: ExprKind::Tuple(items) }))
    }
}

/// `{ "," item } [ "," ]` behind the first item.
pub fn more_items<'a, T>(
    first: T,
    item: impl Rule<'a, T>,
    comma: impl Rule<'a, Span>,
) -> impl Rule<'a, Vec<T>> {
    let mut list = vec![first];
    let more = fold_many0(after(comma, item), move || std::mem::take(&mut list), push);
    terminated(more, opt(token(",")))
}

/// `item { "," item } [ "," ]`.
pub fn items<'a, T>(item: impl Rule<'a, T>, comma: impl Rule<'a, Span>) -> impl Rule<'a, Vec<T>> {
    terminated(separated_list1(comma, cut(item)), opt(token(",")))
}

/// `[ item { "," item } [ "," ] ]` up to what closes it.
pub fn items_until<'a, T>(close: &'static str, item: impl Rule<'a, T>) -> impl Rule<'a, Vec<T>> {
    let none = peek(sign(close)).map(|_| Vec::new());
    alt((none, items(item, comma_unless(close))))
}

/// Can an expression (or a starred one) begin here?
pub fn starts_expression(i: Tokens) -> bool {
    use TokenKind::*;
    match i.kind() {
        Name | Number | Str => true,
        Op => matches!(i.text(), "(" | "[" | "{" | "-" | "+" | "~" | "*" | "..."),
        Keyword => {
            matches!(i.text(), "None" | "True" | "False" | "not" | "lambda" | "yield" | "await")
        }
        Bad => true,
        _ => false,
    }
}

/// Reads nothing; an expression follows.
pub fn starting<'a>(label: &'static str) -> impl Rule<'a, ()> {
    move |i: Tokens<'a>| if starts_expression(i) { Ok((i, ())) } else { i.reject(label) }
}

/// A comma with an expression behind it.
pub fn comma<'a>() -> impl Rule<'a, Span> {
    terminated(token(","), starting("an expression"))
}

/// A comma with more of its list behind it.
pub fn comma_unless<'a>(close: &'static str) -> impl Rule<'a, Span> {
    terminated(token(","), not(sign(close)))
}

/// Ends the parse: no other rule can apply.
pub fn fail<'a, T>(fault: SyntaxFault) -> Parsed<'a, T> {
    Err(fault.into())
}

/// A word of Python that this language has no use for.
pub fn absent<'a, T>(word: &'static str) -> impl Rule<'a, T> {
    move |i: Tokens<'a>| {
        if !i.is(word) {
            return Err(NOT_HERE);
        }
        let fault = SyntaxFault::new(i.token().span, format!("'{word}' is not supported"));
        fail(fault.hint("call the function directly"))
    }
}

/// A rule, and what is said of some texts that it reads: from where, up to where, and what.
pub fn checked<'a, T, E: Into<Err<Reject>>>(
    mut rule: impl Rule<'a, T>,
    mut check: impl FnMut(Tokens<'a>, Tokens<'a>, &T) -> Result<(), E>,
) -> impl Rule<'a, T> {
    move |i: Tokens<'a>| {
        let read = rule.parse(i);
        if let Ok((j, value)) = &read {
            check(i, *j, value).map_err(E::into)?;
        }
        read
    }
}

/// A sign or word where the conditions of the language allow it.
pub fn only<'a>(
    word: impl Rule<'a, Span>,
    allowed: fn(&Context) -> bool,
    message: &'static str,
) -> impl Rule<'a, Span> {
    checked(word, move |i: Tokens<'a>, _, span| {
        if !allowed(i.cx) {
            i.violates(*span, message);
        }
        Ok::<_, SyntaxFault>(())
    })
}

/// Reads nothing, and refuses some texts.
pub fn refuse<'a>(fault: impl Fn(Tokens<'a>) -> Option<SyntaxFault>) -> impl Rule<'a, ()> {
    move |i: Tokens<'a>| match fault(i) {
        Some(fault) => fail(fault),
        None => Ok((i, ())),
    }
}

/// A rule that is read with this flag of the parse set.
pub fn within<'a, T>(
    flag: fn(&'a Context<'a>) -> &'a Cell<bool>,
    value: bool,
    mut rule: impl Rule<'a, T>,
) -> impl Rule<'a, T> {
    move |i: Tokens<'a>| {
        let outer = flag(i.cx).replace(value);
        let read = rule.parse(i);
        flag(i.cx).set(outer);
        read
    }
}

/// What a function computes, and whether it yields: then a call makes a generator.
pub fn function_body<'a, T>(rule: impl Rule<'a, T>) -> impl Rule<'a, (T, bool)> {
    let mut rule = within(|cx| &cx.in_function, true, within(|cx| &cx.in_loop, false, rule));
    move |i: Tokens<'a>| {
        let outer = i.cx.yields.replace(false);
        let read = rule.parse(i);
        let generator = i.cx.yields.replace(outer);
        read.map(|(j, body)| (j, (body, generator)))
    }
}

/// A rule one level deeper. The limit stands for brackets in [`vjp_text::tokens`]; this one is for
/// what nests without them.
pub fn deeper<'a, T>(what: &'static str, mut rule: impl Rule<'a, T>) -> impl Rule<'a, T> {
    move |i: Tokens<'a>| {
        let depth = i.cx.depth.get();
        if depth >= MAX_NESTING {
            return fail(SyntaxFault::new(i.token().span, format!("too many nested {what}")));
        }
        i.cx.depth.set(depth + 1);
        let read = rule.parse(i);
        i.cx.depth.set(depth);
        read
    }
}

/// Names that are written differently and are one for Python: `ﬁ` is `fi`.
#[cfg(not(target_arch = "wasm32"))]
pub fn nfkc(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.nfkc().collect()
}

/// A page leaves that to its browser, which has Unicode's tables anyway.
#[cfg(target_arch = "wasm32")]
pub fn nfkc(text: &str) -> String {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Reads so many bytes at `from`, writes what they are at `to`, and gives its length.
        #[link_name = "nfkc"]
        fn normal(from: *const u8, length: usize, to: *mut u8) -> usize;
    }
    // No text becomes more than 11 times as long.
    let mut room = vec![0; 11 * text.len()];
    // SAFETY: the page reads `text` and writes no more than `room` holds.
    let length = unsafe { normal(text.as_ptr(), text.len(), room.as_mut_ptr()) };
    room.truncate(length);
    String::from_utf8(room).unwrap_or_default()
}
