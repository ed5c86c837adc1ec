//! Atoms: names, constants and bracketed expressions, comprehensions included.

use super::SyntaxFault;
use super::ast::*;
use super::expr::{
    disjunction, expression, named_expression, star_named_expression, starts_expression,
    yield_expression,
};
use super::input::{Parsed, Reject, Tokens, expr, fail, name, token};
use super::literal::number::number;
use super::literal::string::strings;
use super::operators::bitwise_or;
use super::target::{for_targets, meant_equals};
use nom::Parser;
use nom::combinator::cut;
use vjp_text::tokens::TokenKind;

/// A name, a literal, a constant, or an expression in brackets.
pub fn atom(i: Tokens) -> Parsed<Expr> {
    match i.kind() {
        TokenKind::Name => {
            let (j, name) = name(i)?;
            Ok((j, expr(i, j, ExprKind::Name(name.symbol))))
        }
        TokenKind::Number => number(i),
        TokenKind::Str => strings(i),
        TokenKind::Op => match i.text() {
            "(" => group(i),
            "[" => list(i),
            "{" => braces(i),
            "..." => constant(i, ExprKind::Ellipsis),
            _ => i.reject("an expression"),
        },
        TokenKind::Keyword => match i.text() {
            "None" => constant(i, ExprKind::None),
            "True" => constant(i, ExprKind::True),
            "False" => constant(i, ExprKind::False),
            "await" => fail(absent(i)),
            _ => i.reject("an expression"),
        },
        _ => i.reject("an expression"),
    }
}

fn constant(i: Tokens, kind: ExprKind) -> Parsed<Expr> {
    let j = i.next();
    Ok((j, expr(i, j, kind)))
}

/// A word of Python that this language has no use for.
pub fn absent(i: Tokens) -> SyntaxFault {
    let word = i.text();
    SyntaxFault::new(i.token().span, format!("'{word}' is not supported"))
        .hint("call the function directly")
}

/// `(a)`, `(a, b)`, `()`, `(x for x in y)`, `(yield x)`.
fn group(i: Tokens) -> Parsed<Expr> {
    let open = i.next();
    if open.is(")") {
        let j = open.next();
        return Ok((j, expr(i, j, ExprKind::Tuple(Vec::new()))));
    }
    if open.is("yield") {
        let (j, value) = yield_expression(open)?;
        let (j, _) = cut(token(")")).parse(j)?;
        return Ok((j, value));
    }
    let (j, first) = item(open)?;
    if j.is("for") {
        let (j, clauses) = comprehension_of(&first, j)?;
        let (j, _) = cut(token(")")).parse(j)?;
        let element = Box::new(first);
        return Ok((j, expr(i, j, ExprKind::Generator { element, clauses })));
    }
    if j.is(",") {
        let (j, items) = items(j, first)?;
        let (j, _) = cut(token(")")).parse(j)?;
        return Ok((j, expr(i, j, ExprKind::Tuple(items))));
    }
    j.expect(",");
    let (j, _) = token(")")(j)?;
    if matches!(first.kind, ExprKind::Starred(_)) {
        return fail(SyntaxFault::new(first.span, "cannot use starred expression here"));
    }
    Ok((j, first))
}

/// `[a, b]`, `[x for x in y]`.
fn list(i: Tokens) -> Parsed<Expr> {
    let open = i.next();
    if open.is("]") {
        let j = open.next();
        return Ok((j, expr(i, j, ExprKind::List(Vec::new()))));
    }
    let (j, first) = cut(item).parse(open)?;
    if j.is("for") {
        let (j, clauses) = comprehension_of(&first, j)?;
        let (j, _) = cut(token("]")).parse(j)?;
        let element = Box::new(first);
        return Ok((j, expr(i, j, ExprKind::ListComp { element, clauses })));
    }
    let (j, items) = items(j, first)?;
    let (j, _) = bracket_end(open, j, "]")?;
    Ok((j, expr(i, j, ExprKind::List(items))))
}

/// The closing bracket; where a tuple stands before a `for`, parentheses are missing.
fn bracket_end<'a>(open: Tokens<'a>, j: Tokens<'a>, close: &'static str) -> Parsed<'a, ()> {
    if j.is("for") {
        let message = "did you forget parentheses around the comprehension target?";
        return fail(SyntaxFault::new(open.span_to(j), message));
    }
    cut(token(close)).parse(j).map(|(j, _)| (j, ()))
}

/// One element; a forgotten comma or a mistaken `=` after it is said here.
fn item(i: Tokens) -> Parsed<Expr> {
    let (j, value) = star_named_expression(i)?;
    forgot_comma(i, j)?;
    if j.is("=") {
        return fail(match value.kind {
            ExprKind::Name(_) => meant_equals(i, j),
            _ => super::target::cannot_assign_here(&value),
        });
    }
    Ok((j, value))
}

/// The rest of `first, item, item,`.
fn items(i: Tokens, first: Expr) -> Parsed<Vec<Expr>> {
    super::expr::comma_list(i, first, item)
}

/// Between brackets an expression right behind another one lacks a comma.
pub fn forgot_comma<'a>(i: Tokens<'a>, j: Tokens<'a>) -> Result<(), nom::Err<Reject>> {
    let end = matches!(j.kind(), TokenKind::Op) && !matches!(j.text(), "{" | "~" | "...");
    if end || !starts_expression(j) || j.kind() == TokenKind::Bad {
        return Ok(());
    }
    if i.text() == "print" && j.at == i.at + 1 {
        return fail::<()>(super::fault::legacy(i, j)).map(|_| ());
    }
    let after = match bitwise_or(j) {
        Ok((k, _)) => k,
        Err(nom::Err::Error(_)) => return Ok(()),
        Err(e) => return Err(e),
    };
    let fault = SyntaxFault::new(i.span_to(after), "invalid syntax. Perhaps you forgot a comma?");
    let fault = match super::habits::matrix(i.cx.text, i.span_to(after)) {
        Some(hint) => fault.hint(hint),
        None => super::fault::product(i, j, fault),
    };
    fail::<()>(fault).map(|_| ())
}

/// `{a, b}`, `{k: v, **d}`, and their comprehensions.
fn braces(i: Tokens) -> Parsed<Expr> {
    let open = i.next();
    if open.is("}") {
        let j = open.next();
        return Ok((j, expr(i, j, ExprKind::Dict(Vec::new()))));
    }
    if open.is("**") {
        return dict(i, open, None);
    }
    let (j, first) = cut(item).parse(open)?;
    let plain = !matches!(first.kind, ExprKind::Starred(_)) && !walrus(open, &first);
    if j.is(":") && plain {
        return dict(i, j, Some(first));
    }
    if j.is("for") {
        let (j, clauses) = comprehension_of(&first, j)?;
        let (j, _) = cut(token("}")).parse(j)?;
        let element = Box::new(first);
        return Ok((j, expr(i, j, ExprKind::SetComp { element, clauses })));
    }
    let (j, items) = items(j, first)?;
    let (j, _) = bracket_end(open, j, "}")?;
    Ok((j, expr(i, j, ExprKind::Set(items))))
}

/// A walrus without parentheses of its own.
fn walrus(i: Tokens, value: &Expr) -> bool {
    matches!(value.kind, ExprKind::Walrus { .. }) && !i.is("(")
}

/// `{k: v, **d}` or `{k: v for …}` from the brace at `i`; the first key may have been read up to `j`.
fn dict<'a>(i: Tokens<'a>, j: Tokens<'a>, key: Option<Expr>) -> Parsed<'a, Expr> {
    let (mut j, mut key, mut pairs) = (j, key, Vec::new());
    while !j.is("}") {
        let (k, pair) = match key.take() {
            Some(key) => value_of(key, j)?,
            None => cut(pair).parse(j)?,
        };
        if k.is("for") && pairs.is_empty() {
            let (Some(key), value) = pair else {
                let message = "dict unpacking cannot be used in dict comprehension";
                return fail(SyntaxFault::new(j.token().span, message));
            };
            let (k, clauses) = comprehension(k)?;
            let (k, _) = cut(token("}")).parse(k)?;
            let (key, value) = (Box::new(key), Box::new(value));
            return Ok((k, expr(i, k, ExprKind::DictComp { key, value, clauses })));
        }
        pairs.push(pair);
        let Some(next) = k.eat(",") else {
            j = k;
            break;
        };
        j = next;
    }
    let (j, _) = cut(token("}")).parse(j)?;
    Ok((j, expr(i, j, ExprKind::Dict(pairs))))
}

type Pair = (Option<Expr>, Expr);

/// `key: value` or `**mapping`.
fn pair(i: Tokens) -> Parsed<Pair> {
    if i.is("**") {
        let (j, value) = cut(bitwise_or).parse(i.next())?;
        return Ok((j, (None, value)));
    }
    let (j, key) = expression(i)?;
    value_of(key, j)
}

/// `: value` after a key.
fn value_of(key: Expr, j: Tokens) -> Parsed<Pair> {
    let Some(k) = j.eat(":") else {
        if j.is(",") || j.is("}") {
            return fail(SyntaxFault::new(key.span, "':' expected after dictionary key"));
        }
        return j.reject(":");
    };
    if k.is("}") || k.is(",") {
        let message = "expression expected after dictionary key and ':'";
        return fail(SyntaxFault::new(j.token().span, message));
    }
    if k.is("*") {
        let (l, _) = cut(bitwise_or).parse(k.next())?;
        let message = "cannot use a starred expression in a dictionary value";
        return fail(SyntaxFault::new(k.span_to(l), message));
    }
    let (l, value) = cut(expression).parse(k)?;
    forgot_comma(k, l)?;
    Ok((l, (Some(key), value)))
}

fn comprehension_of<'a>(element: &Expr, i: Tokens<'a>) -> Parsed<'a, Vec<Clause>> {
    if matches!(element.kind, ExprKind::Starred(_)) {
        let message = "iterable unpacking cannot be used in comprehension";
        return fail(SyntaxFault::new(element.span, message));
    }
    comprehension(i)
}

/// `for target in iter if test … for …`.
pub fn comprehension(i: Tokens) -> Parsed<Vec<Clause>> {
    let (mut i, mut clauses) = (i, Vec::new());
    while i.is("for") {
        let (j, target) = cut(for_targets).parse(i.next())?;
        let (j, _) = cut(token("in")).parse(j)?;
        let outer = i.cx.in_iterable.replace(true);
        let (mut j, iter) = cut(disjunction).parse(j)?;
        i.cx.in_iterable.set(outer);
        let mut tests = Vec::new();
        while j.is("if") {
            let (k, test) = cut(disjunction).parse(j.next())?;
            tests.push(test);
            j = k;
        }
        if j.is("async") {
            return fail(absent(j));
        }
        j.expect("for");
        j.expect("if");
        clauses.push(Clause { target, iter, tests });
        i = j;
    }
    Ok((i, clauses))
}

/// An expression in a condition: `name := value` is welcome, `name = value` was not meant.
pub fn condition(i: Tokens) -> Parsed<Expr> {
    let (j, value) = cut(named_expression).parse(i)?;
    if j.is("=") {
        return fail(match value.kind {
            ExprKind::Name(_) => meant_equals(i, j),
            _ => super::target::cannot_assign_here(&value),
        });
    }
    Ok((j, value))
}
