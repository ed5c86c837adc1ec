//! What may follow a primary: attributes, calls, indices.

use super::SyntaxFault;
use super::ast::*;
use super::atom::{atom, before_colon, comprehension, forgot_comma, no_for};
use super::combinators::*;
use super::expr::{expression, named_expression, star_named_expression};
use super::input::{NOT_HERE, Parsed, Tokens};
use super::target::no_equals;
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{cut, opt, peek};
use nom::sequence::{delimited, preceded, terminated};
use std::collections::HashSet;
use vjp_text::{Symbol, TokenKind};

/// `atom.attribute(arguments)[slices]…` as one flat list of trailers.
pub fn primary(i: Tokens) -> Parsed<Expr> {
    let make = |base, trailers| ExprKind::Trailers { base: Box::new(base), trailers };
    extended(atom, trailer, make).parse(i)
}

fn trailer(i: Tokens) -> Parsed<Trailer> {
    let kind = alt((
        after(sign("."), name).map(TrailerKind::Attr),
        delimited(sign("("), arguments, cut(token(")"))).map(TrailerKind::Call),
        delimited(sign("["), cut(slices), cut(token("]"))).map(|x| TrailerKind::Index(Box::new(x))),
    ));
    spanned(kind).map(|(kind, span)| Trailer { span, kind }).parse(i)
}

/// `a, *b, c=1, **d`; positional ones first.
pub fn arguments(i: Tokens) -> Parsed<Vec<Arg>> {
    let mut seen = Seen::default();
    let argument = checked(argument, |j, k, next| {
        seen.in_order(next)?;
        if let ArgKind::Named(name) = next.kind
            && !seen.names.insert(name.symbol)
        {
            i.violates(next.span, format!("keyword argument repeated: {}", name.symbol));
        }
        forgot_comma(j, k, next)
    });
    items_until(")", argument).parse(i)
}

/// What the arguments so far forbid for the next.
#[derive(Default)]
struct Seen {
    names: HashSet<Symbol>,
    spread_named: bool,
}

impl Seen {
    fn in_order(&mut self, next: &Arg) -> Result<(), SyntaxFault> {
        let message = match next.kind {
            ArgKind::Positional if self.spread_named => {
                "positional argument follows keyword argument unpacking"
            }
            ArgKind::Positional if !self.names.is_empty() => {
                "positional argument follows keyword argument"
            }
            ArgKind::Spread if self.spread_named => {
                "iterable argument unpacking follows keyword argument unpacking"
            }
            kind => {
                self.spread_named |= kind == ArgKind::SpreadNamed;
                return Ok(());
            }
        };
        Err(SyntaxFault::new(next.span, message))
    }
}

/// `**d`, `*b`, `c=1`, `a`.
fn argument(i: Tokens) -> Parsed<Arg> {
    let kind = alt((
        sign("**").map(|_| ArgKind::SpreadNamed),
        sign("*").map(|_| ArgKind::Spread),
        name_before("=").map(ArgKind::Named),
    ));
    let (j, kind) = opt(kind).parse(i)?;
    let (k, value) = match kind {
        None => positional(i)?,
        Some(ArgKind::Spread) => checked(cut(expression), |_, k, x| no_for(i, k, x)).parse(j)?,
        Some(_) => cut(expression).parse(j)?,
    };
    Ok((k, Arg { span: i.span_to(k), kind: kind.unwrap_or(ArgKind::Positional), value }))
}

/// `a`, or `x for x in y` where it is the only argument.
fn positional(i: Tokens) -> Parsed<Expr> {
    let (j, element) = checked(named_expression, no_keyword).parse(i)?;
    if !j.is("for") {
        return Ok((j, element));
    }
    let (j, clauses) = comprehension(j)?;
    let span = i.span_to(j);
    if !(j.is(")") && i.behind().is_some_and(|open| open.is("("))) {
        let fault = SyntaxFault::new(span, "Generator expression must be parenthesized");
        return fail(super::fault::range_in(j, fault));
    }
    Ok((j, Expr { span, kind: ExprKind::Generator { element: Box::new(element), clauses } }))
}

/// `f(a.b=1)`: what stands before a `=` is a name.
fn no_keyword(i: Tokens, j: Tokens, value: &Expr) -> Result<(), SyntaxFault> {
    if !j.is("=") {
        return Ok(());
    }
    let constant = matches!(value.kind, ExprKind::None | ExprKind::True | ExprKind::False);
    let message = match constant && j.at == i.at + 1 {
        true => format!("cannot assign to {}", i.text()),
        false => "expression cannot contain assignment, perhaps you meant \"==\"?".to_owned(),
    };
    Err(SyntaxFault::new(i.span_to(j.next()), message))
}

/// What stands in `x[…]`: one slice, or a tuple where there are commas.
pub fn slices(i: Tokens) -> Parsed<Expr> {
    let slice = checked(slice, forgot_comma);
    let (j, index) = tuple(slice, terminated(token(","), starts_slice)).parse(i)?;
    let span = index.span;
    match index.kind {
        ExprKind::Starred(_) => Ok((j, Expr { span, kind: ExprKind::Tuple(vec![index]) })),
        _ => Ok((j, index)),
    }
}

fn starts_slice(i: Tokens) -> Parsed<()> {
    if starts_expression(i) || i.is(":") { Ok((i, ())) } else { Err(NOT_HERE) }
}

/// `start:stop:step`, each of which may be missing, or an expression.
fn slice(i: Tokens) -> Parsed<Expr> {
    let element = checked(star_named_expression, |i, j, value| {
        match i.kind() == TokenKind::Name && j.at == i.at + 1 {
            true => no_equals(i, j, value),
            false => Ok(()),
        }
    });
    let (j, mut start) = alt((peek(sign(":")).map(|_| None), element.map(Some))).parse(i)?;
    if let Some(value) = start.take_if(|value| !(j.is(":") && before_colon(i, value))) {
        j.expect(":");
        return Ok((j, value));
    }
    let step = opt(preceded(token(":"), bound)).map(Option::flatten);
    let (k, (stop, step)) = (preceded(sign(":"), bound), step).parse(j)?;
    let start = start.map(Box::new);
    Ok((k, Expr { span: i.span_to(k), kind: ExprKind::Slice { start, stop, step } }))
}

fn bound(i: Tokens) -> Parsed<Option<Box<Expr>>> {
    opt(expression.map(Box::new)).parse(i)
}
