//! Atoms: names, constants and bracketed expressions, comprehensions included.

use super::SyntaxFault;
use super::ast::*;
use super::combinators::*;
use super::expr::{bitwise_or, disjunction, expression, star_named_expression};
use super::input::{Parsed, Reject, Tokens};
use super::literal::number::number;
use super::literal::string::strings;
use super::statement::yield_expression;
use super::target::{for_targets, no_equals};
use super::{fault, habits};
use nom::branch::alt;
use nom::combinator::{cut, opt, peek};
use nom::multi::fold_many1;
use nom::sequence::{delimited, preceded};
use nom::{Err, Parser};
use vjp_text::TokenKind;

/// A name, a literal, a constant, or an expression in brackets: its first token decides.
pub fn atom(i: Tokens) -> Parsed<Expr> {
    match i.kind() {
        TokenKind::Name => node(name.map(|name| ExprKind::Name(name.symbol))).parse(i),
        TokenKind::Number => number(i),
        TokenKind::Str => strings(i),
        _ if i.is("(") => group(i),
        _ if i.is("[") => list(i),
        _ if i.is("{") => braces(i),
        _ => expected("an expression", alt((constant, absent("await")))).parse(i),
    }
}

fn constant(i: Tokens) -> Parsed<Expr> {
    node(alt((
        sign("None").map(|_| ExprKind::None),
        sign("True").map(|_| ExprKind::True),
        sign("False").map(|_| ExprKind::False),
        sign("...").map(|_| ExprKind::Ellipsis),
    )))
    .parse(i)
}

/// What stands between brackets.
enum Contents {
    One(Expr),
    Items(Vec<Expr>),
    Comprehension(Box<Expr>, Vec<Clause>),
}

impl Contents {
    fn kind(
        self,
        items: fn(Vec<Expr>) -> ExprKind,
        comprehension: fn(Box<Expr>, Vec<Clause>) -> ExprKind,
    ) -> ExprKind {
        match self {
            Contents::One(item) => items(vec![item]),
            Contents::Items(list) => items(list),
            Contents::Comprehension(element, clauses) => comprehension(element, clauses),
        }
    }
}

/// `a`, `a, b`, `x for x in y`: the first item is read once, what is behind it decides.
fn contents(i: Tokens) -> Parsed<Contents> {
    let (j, (first, clauses)) = (checked(item, no_starred_for), opt(comprehension)).parse(i)?;
    if let Some(clauses) = clauses {
        return Ok((j, Contents::Comprehension(Box::new(first), clauses)));
    }
    if !j.is(",") {
        j.expect(",");
        return Ok((j, Contents::One(first)));
    }
    more_items(first, item, comma()).map(Contents::Items).parse(j)
}

fn no_starred_for(i: Tokens, j: Tokens, item: &Expr) -> Result<(), SyntaxFault> {
    if matches!(item.kind, ExprKind::Starred(_)) { no_for(i, j, item) } else { Ok(()) }
}

/// `*x for`.
pub fn no_for(i: Tokens, j: Tokens, _: &Expr) -> Result<(), SyntaxFault> {
    let message = "iterable unpacking cannot be used in comprehension";
    if j.is("for") { Err(SyntaxFault::new(i.span_to(j), message)) } else { Ok(()) }
}

/// Where a tuple stands before a `for`, parentheses are missing.
fn no_tuple_for(i: Tokens, j: Tokens, _: &Contents) -> Result<(), SyntaxFault> {
    let message = "did you forget parentheses around the comprehension target?";
    if j.is("for") { Err(SyntaxFault::new(i.span_to(j), message)) } else { Ok(()) }
}

/// `(a)`, `(a, b)`, `()`, `(x for x in y)`, `(yield x)`.
fn group(i: Tokens) -> Parsed<Expr> {
    let none = peek(sign(")")).map(|_| Contents::Items(Vec::new()));
    let inside = alt((none, yield_expression.map(Contents::One), contents));
    let (j, inside) = delimited(sign("("), cut(inside), cut(token(")"))).parse(i)?;
    let kind = match inside {
        Contents::One(Expr { kind: ExprKind::Starred(_), span }) => {
            return fail(SyntaxFault::new(span, "cannot use starred expression here"));
        }
        Contents::One(value) => return Ok((j, value)),
        Contents::Items(items) => ExprKind::Tuple(items),
        Contents::Comprehension(element, clauses) => ExprKind::Generator { element, clauses },
    };
    Ok((j, Expr { span: i.span_to(j), kind }))
}

/// `[a, b]`, `[x for x in y]`.
fn list(i: Tokens) -> Parsed<Expr> {
    let none = peek(sign("]")).map(|_| ExprKind::List(Vec::new()));
    let comprehension = |element, clauses| ExprKind::ListComp { element, clauses };
    let some = checked(contents, no_tuple_for).map(|x| x.kind(ExprKind::List, comprehension));
    node(delimited(sign("["), cut(alt((none, some))), cut(token("]")))).parse(i)
}

/// One element; a forgotten comma or a mistaken `=` after it is said here.
fn item(i: Tokens) -> Parsed<Expr> {
    checked(checked(star_named_expression, forgot_comma), no_equals).parse(i)
}

/// Between brackets an expression right behind another one lacks a comma.
pub fn forgot_comma<'a, T>(i: Tokens<'a>, j: Tokens<'a>, _: &T) -> Result<(), Err<Reject>> {
    let end = matches!(j.kind(), TokenKind::Op) && !matches!(j.text(), "{" | "~" | "...");
    if end || !starts_expression(j) || j.kind() == TokenKind::Bad {
        return Ok(());
    }
    if i.text() == "print" && j.at == i.at + 1 {
        return Err(fault::legacy(i, j).into());
    }
    let after = match bitwise_or(j) {
        Ok((k, _)) => k,
        Err(Err::Error(_)) => return Ok(()),
        Err(e) => return Err(e),
    };
    let fault = SyntaxFault::new(i.span_to(after), "invalid syntax. Perhaps you forgot a comma?");
    let fault = match habits::matrix(i.cx.text, i.span_to(after)) {
        Some(mend) => fault.meant(super::fault::Meant::Change(mend)),
        None => fault::product(i, j, fault),
    };
    Err(fault.into())
}

/// `{a, b}`, `{k: v, **d}`, and their comprehensions.
fn braces(i: Tokens) -> Parsed<Expr> {
    let none = peek(sign("}")).map(|_| ExprKind::Dict(Vec::new()));
    node(delimited(sign("{"), cut(alt((none, dict_or_set))), cut(token("}")))).parse(i)
}

/// The first item is read once; a `:` behind it makes a key of it.
fn dict_or_set(i: Tokens) -> Parsed<ExprKind> {
    if i.is("**") {
        return dict(i, pair);
    }
    let (j, inside) = checked(contents, no_tuple_for).parse(i)?;
    match inside {
        Contents::One(key) if j.is(":") && before_colon(i, &key) => {
            let mut key = Some(key);
            dict(j, value.map(|value| (key.take(), value)))
        }
        inside => {
            let comprehension = |element, clauses| ExprKind::SetComp { element, clauses };
            Ok((j, inside.kind(ExprKind::Set, comprehension)))
        }
    }
}

/// May a `:` follow? Not a star, nor a walrus without parentheses of its own.
pub fn before_colon(i: Tokens, value: &Expr) -> bool {
    match value.kind {
        ExprKind::Starred(_) => false,
        ExprKind::Walrus { .. } => i.is("("),
        _ => true,
    }
}

type Pair = (Option<Expr>, Expr);

/// `k: v, **d` or `k: v for …`.
fn dict<'a>(i: Tokens<'a>, first: impl Rule<'a, Pair>) -> Parsed<'a, ExprKind> {
    let (j, (first, clauses)) = (checked(first, no_mapping_for), opt(comprehension)).parse(i)?;
    match (first, clauses) {
        ((Some(key), value), Some(clauses)) => {
            let (key, value) = (Box::new(key), Box::new(value));
            Ok((j, ExprKind::DictComp { key, value, clauses }))
        }
        (first, _) => more_items(first, pair, comma_unless("}")).map(ExprKind::Dict).parse(j),
    }
}

fn no_mapping_for(i: Tokens, j: Tokens, pair: &Pair) -> Result<(), SyntaxFault> {
    let message = "dict unpacking cannot be used in dict comprehension";
    match pair.0.is_none() && j.is("for") {
        true => Err(SyntaxFault::new(i.token().span, message)),
        false => Ok(()),
    }
}

/// `key: value` or `**mapping`.
fn pair(i: Tokens) -> Parsed<Pair> {
    let key = checked(expression, |_, j, key| match j.is(",") || j.is("}") {
        true => Err(SyntaxFault::new(key.span, "':' expected after dictionary key")),
        false => Ok(()),
    });
    alt((after(sign("**"), bitwise_or).map(|mapping| (None, mapping)), (key.map(Some), value)))
        .parse(i)
}

/// `: value` after a key.
fn value(i: Tokens) -> Parsed<Expr> {
    let none = refuse(|j| {
        let message = "expression expected after dictionary key and ':'";
        (j.is("}") || j.is(",")).then(|| SyntaxFault::new(i.token().span, message))
    });
    let starred = checked(after(sign("*"), bitwise_or), |i, j, _| {
        let message = "cannot use a starred expression in a dictionary value";
        Err(SyntaxFault::new(i.span_to(j), message))
    });
    let value = alt((starred, checked(expression, forgot_comma)));
    preceded((token(":"), none), cut(value)).parse(i)
}

/// `for target in iter if test … for …`.
pub fn comprehension(i: Tokens) -> Parsed<Vec<Clause>> {
    fold_many1(clause, Vec::new, push).parse(i)
}

fn clause(i: Tokens) -> Parsed<Clause> {
    let iter = within(|cx| &cx.in_iterable, true, disjunction);
    let mut clause = (
        after(sign("for"), for_targets),
        after(cut(token("in")), iter),
        many(after(sign("if"), disjunction)),
        opt(absent::<()>("async")),
    );
    let (j, (target, iter, tests, _)) = clause.parse(i)?;
    j.expect("for");
    j.expect("if");
    Ok((j, Clause { target, iter, tests }))
}
