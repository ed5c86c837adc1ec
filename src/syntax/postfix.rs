//! What may follow a primary: attributes, calls, indices.

use super::SyntaxFault;
use super::ast::*;
use super::atom::{atom, comprehension, forgot_comma};
use super::expr::{expression, named_expression, star_named_expression, starts_expression};
use super::input::{Parsed, Tokens, expr, fail, name, token};
use nom::Parser;
use nom::combinator::cut;
use std::collections::HashSet;
use vjp_text::names::Symbol;
use vjp_text::tokens::TokenKind;

/// `atom.attribute(arguments)[slices]…` as one flat list of trailers.
pub fn primary(i: Tokens) -> Parsed<Expr> {
    let (mut j, base) = atom(i)?;
    let mut trailers = Vec::new();
    while let Some((k, trailer)) = trailer(j)? {
        trailers.push(trailer);
        j = k;
    }
    if trailers.is_empty() {
        return Ok((j, base));
    }
    Ok((j, expr(i, j, ExprKind::Trailers { base: Box::new(base), trailers })))
}

type Step<'a> = Result<Option<(Tokens<'a>, Trailer)>, nom::Err<super::input::Reject>>;

fn trailer(i: Tokens) -> Step {
    if i.kind() != TokenKind::Op {
        return Ok(None);
    }
    let (j, kind) = match i.text() {
        "." => cut(name).parse(i.next()).map(|(j, name)| (j, TrailerKind::Attr(name)))?,
        "(" => {
            let (j, arguments) = arguments(i.next())?;
            let (j, _) = cut(token(")")).parse(j)?;
            (j, TrailerKind::Call(arguments))
        }
        "[" => {
            let (j, index) = slices(i.next())?;
            let (j, _) = cut(token("]")).parse(j)?;
            (j, TrailerKind::Index(Box::new(index)))
        }
        _ => return Ok(None),
    };
    Ok(Some((j, Trailer { span: i.span_to(j), kind })))
}

/// `a, *b, c=1, **d`; positional ones first.
pub fn arguments(i: Tokens) -> Parsed<Vec<Arg>> {
    let (start, mut i, mut list) = (i, i, Vec::<Arg>::new());
    let mut seen = Seen::default();
    while !i.is(")") {
        let (j, (next, bare_generator)) = cut(argument).parse(i)?;
        if bare_generator && !(list.is_empty() && j.is(")")) {
            let fault = SyntaxFault::new(next.span, "Generator expression must be parenthesized");
            return fail(fault);
        }
        if let Some(message) = seen.out_of_order(&next.kind) {
            return fail(SyntaxFault::new(next.span, message));
        }
        if let ArgKind::Named(name) = next.kind
            && !seen.names.insert(name.symbol)
        {
            start.violates(next.span, format!("keyword argument repeated: {}", name.symbol));
        }
        forgot_comma(i, j)?;
        list.push(next);
        i = match j.eat(",") {
            Some(k) => k,
            None => return Ok((j, list)),
        };
    }
    Ok((i, list))
}

/// What the arguments so far forbid for the next.
#[derive(Default)]
struct Seen {
    names: HashSet<Symbol>,
    spread_named: bool,
}

impl Seen {
    fn out_of_order(&mut self, next: &ArgKind) -> Option<&'static str> {
        match next {
            ArgKind::Positional if self.spread_named => {
                Some("positional argument follows keyword argument unpacking")
            }
            ArgKind::Positional if !self.names.is_empty() => {
                Some("positional argument follows keyword argument")
            }
            ArgKind::Spread if self.spread_named => {
                Some("iterable argument unpacking follows keyword argument unpacking")
            }
            ArgKind::SpreadNamed => {
                self.spread_named = true;
                None
            }
            _ => None,
        }
    }
}

/// One argument, and whether it is a generator without parentheses of its own.
fn argument(i: Tokens) -> Parsed<(Arg, bool)> {
    let mut bare = false;
    let (j, kind, value) = if i.is("**") {
        let (j, value) = cut(expression).parse(i.next())?;
        (j, ArgKind::SpreadNamed, value)
    } else if i.is("*") {
        let (j, value) = cut(expression).parse(i.next())?;
        if j.is("for") {
            let message = "iterable unpacking cannot be used in comprehension";
            return fail(SyntaxFault::new(i.span_to(j), message));
        }
        (j, ArgKind::Spread, value)
    } else if i.kind() == TokenKind::Name && i.next().is("=") {
        let (j, name) = name(i)?;
        let (j, value) = cut(expression).parse(j.next())?;
        (j, ArgKind::Named(name), value)
    } else {
        let (mut j, mut value) = positional(i)?;
        if j.is("for") {
            bare = true;
            let (k, clauses) = comprehension(j)?;
            value = expr(i, k, ExprKind::Generator { element: Box::new(value), clauses });
            j = k;
        }
        (j, ArgKind::Positional, value)
    };
    Ok((j, (Arg { span: i.span_to(j), kind, value }, bare)))
}

fn positional(i: Tokens) -> Parsed<Expr> {
    let (j, value) = named_expression(i)?;
    if j.is("=") {
        let constant = matches!(value.kind, ExprKind::None | ExprKind::True | ExprKind::False);
        let fault = if constant && j.at == i.at + 1 {
            SyntaxFault::new(i.span_to(j.next()), format!("cannot assign to {}", i.text()))
        } else {
            let message = "expression cannot contain assignment, perhaps you meant \"==\"?";
            SyntaxFault::new(i.span_to(j.next()), message)
        };
        return fail(fault);
    }
    Ok((j, value))
}

/// What stands in `x[…]`: one slice, or a tuple where there are commas.
pub fn slices(i: Tokens) -> Parsed<Expr> {
    let (mut j, first) = cut(slice).parse(i)?;
    forgot_comma(i, j)?;
    if !j.is(",") && !matches!(first.kind, ExprKind::Starred(_)) {
        j.expect(",");
        return Ok((j, first));
    }
    let mut items = vec![first];
    while let Some(k) = j.eat(",") {
        if !(starts_expression(k) || k.is(":")) {
            j = k;
            break;
        }
        let (l, next) = cut(slice).parse(k)?;
        forgot_comma(k, l)?;
        items.push(next);
        j = l;
    }
    Ok((j, expr(i, j, ExprKind::Tuple(items))))
}

/// `start:stop:step`, each of which may be missing, or an expression.
pub fn slice(i: Tokens) -> Parsed<Expr> {
    let (mut j, mut start) = (i, None);
    if !i.is(":") {
        let (k, value) = star_named_expression(i)?;
        let plain = !matches!(value.kind, ExprKind::Starred(_) | ExprKind::Walrus { .. })
            || (i.is("(") && !matches!(value.kind, ExprKind::Starred(_)));
        if k.is("=") && k.at == i.at + 1 && i.kind() == TokenKind::Name {
            return fail(super::target::meant_equals(i, k));
        }
        if !(plain && k.is(":")) {
            k.expect(":");
            return Ok((k, value));
        }
        (j, start) = (k, Some(Box::new(value)));
    }
    let (j, stop) = bound(j.next())?;
    let (j, step) = match j.eat(":") {
        Some(k) => bound(k)?,
        None => (j, None),
    };
    Ok((j, expr(i, j, ExprKind::Slice { start, stop, step })))
}

fn bound(i: Tokens) -> Parsed<Option<Box<Expr>>> {
    if i.is(":") || i.is("]") || i.is(",") {
        i.expect("an expression");
        return Ok((i, None));
    }
    let (j, value) = cut(expression).parse(i)?;
    Ok((j, Some(Box::new(value))))
}
