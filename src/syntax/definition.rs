//! `def`, `class` and their decorators.

use super::SyntaxFault;
use super::ast::*;
use super::atom::absent;
use super::block::{end_of_text, own_block};
use super::expr::expression;
use super::input::{Parsed, Tokens, fail, kind, name, token};
use super::params::def_params;
use super::postfix::arguments;
use nom::Parser;
use nom::combinator::cut;
use std::rc::Rc;
use vjp_text::source::Span;
use vjp_text::tokens::TokenKind;

/// `def name(params) -> annotation: …`; the annotation is dropped.
pub fn def_statement<'a>(i: Tokens<'a>, decorators: Vec<Expr>) -> Parsed<'a, StmtKind> {
    let (j, name) = cut(name).parse(i.next())?;
    let Some(k) = j.eat("(") else {
        let fault = SyntaxFault::new(j.token().span, "expected '('");
        return fail(fault.hint(format!("a function has parentheses: def {}():", name.symbol)));
    };
    let (j, params) = cut(def_params).parse(k)?;
    let (mut j, _) = cut(token(")")).parse(j)?;
    if let Some(k) = j.eat("->") {
        (j, _) = cut(expression).parse(k)?;
    }
    let yields = i.cx.yields.replace(false);
    let read = own_block(i, j, "function definition", true);
    let generator = i.cx.yields.replace(yields);
    let (j, body) = read?;
    declared_outside(i, &params, &body);
    let span = Span { end: end_of_text(i, j), start: i.token().span.start };
    let function = Rc::new(Function { name, params, body, span, generator });
    Ok((j, StmtKind::Def { function, decorators }))
}

/// A parameter is the function's own: `global` and `nonlocal` contradict that.
fn declared_outside(i: Tokens, params: &Params, body: &Block) {
    for statement in body {
        let (word, names) = match &statement.kind {
            StmtKind::Global(names) => ("global", names),
            StmtKind::Nonlocal(names) => ("nonlocal", names),
            _ => continue,
        };
        let is_param = |n: &&Name| params.list.iter().any(|p| p.name.symbol == n.symbol);
        if let Some(name) = names.iter().find(is_param) {
            let message = format!("name '{}' is parameter and {word}", name.symbol);
            i.violates(statement.span, message);
        }
    }
}

/// `class name(bases): …`.
pub fn class_statement<'a>(i: Tokens<'a>, decorators: Vec<Expr>) -> Parsed<'a, StmtKind> {
    let (j, name) = cut(name).parse(i.next())?;
    let (j, bases) = match j.eat("(") {
        Some(k) => {
            let (k, bases) = arguments(k)?;
            let (k, _) = cut(token(")")).parse(k)?;
            (k, bases)
        }
        None => (j, Vec::new()),
    };
    let private = name.symbol.as_str().trim_start_matches('_');
    let private = (!private.is_empty()).then(|| private.to_owned());
    let outer = i.cx.class.replace(private);
    let read = own_block(i, j, "class definition", false);
    i.cx.class.replace(outer);
    let (j, body) = read?;
    let body = Rc::new(body);
    Ok((j, StmtKind::Class { name, bases, body, decorators }))
}

/// `@expression` lines before a `def` or `class`.
pub fn decorated(i: Tokens) -> Parsed<StmtKind> {
    let (mut i, mut decorators) = (i, Vec::new());
    while i.is("@") {
        let (j, value) = cut(super::expr::named_expression).parse(i.next())?;
        let (j, ()) = cut(kind(TokenKind::Newline, "the end of the line")).parse(j)?;
        decorators.push(value);
        i = j;
    }
    match i.text() {
        "def" => def_statement(i, decorators),
        "class" => class_statement(i, decorators),
        "async" => fail(absent(i)),
        _ => {
            i.expect("def");
            i.expect("class");
            Err(nom::Err::Failure(super::input::Reject(None)))
        }
    }
}
