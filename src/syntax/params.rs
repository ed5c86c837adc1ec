//! Parameters of `def` and `lambda`.

use super::SyntaxFault;
use super::ast::*;
use super::expr::{expression, star_expression};
use super::input::{Parsed, Tokens, fail, name};
use nom::Parser;
use nom::combinator::cut;
use std::collections::HashSet;
use vjp_text::names::Symbol;
use vjp_text::tokens::TokenKind;

/// `a, b=1, /, c: int, *args, d, **kwargs` up to `)`.
pub fn def_params(i: Tokens) -> Parsed<Params> {
    params(i, ")")
}

/// The same without annotations, up to `:`.
pub fn lambda_params(i: Tokens) -> Parsed<Params> {
    params(i, ":")
}

/// What has been read of a parameter list, for the rules on order.
#[derive(Default)]
struct List {
    list: Vec<Param>,
    names: HashSet<Symbol>,
    slash: bool,
    /// After `*`; and whether that was a bare one still without a name after it.
    star: bool,
    bare: bool,
    default: bool,
}

fn params<'a>(start: Tokens<'a>, end: &'static str) -> Parsed<'a, Params> {
    let (mut i, mut p) = (start, List::default());
    while !i.is(end) {
        let (j, last) = step(i, &mut p, end == ")")?;
        match j.eat(",") {
            Some(k) if last && !k.is(end) => {
                let message = "arguments cannot follow var-keyword argument";
                return fail(SyntaxFault::new(k.token().span, message));
            }
            Some(k) => i = k,
            None if j.is(end) => i = j,
            None => {
                return cut(super::input::token(end)).parse(j).map(|(j, _)| (j, Params::default()));
            }
        }
    }
    if p.bare {
        return fail(SyntaxFault::new(start.token().span, "named arguments must follow bare *"));
    }
    Ok((i, Params { list: p.list }))
}

/// One parameter, `/` or `*`; true after `**kwargs`.
fn step<'a>(i: Tokens<'a>, p: &mut List, annotated: bool) -> Parsed<'a, bool> {
    if i.is("/") {
        return slash(i, p);
    }
    let (j, kind) = if i.is("**") {
        (i.next(), ParamKind::RestKeywords)
    } else if i.is("*") {
        if p.star {
            return fail(SyntaxFault::new(i.token().span, "* argument may appear only once"));
        }
        p.star = true;
        if i.next().is(",") {
            p.bare = true;
            return Ok((i.next(), false));
        }
        (i.next(), ParamKind::Rest)
    } else if p.star {
        (i, ParamKind::KeywordOnly)
    } else {
        (i, ParamKind::Normal)
    };
    if j.is(")") || j.is(":") {
        return fail(SyntaxFault::new(i.token().span, "named arguments must follow bare *"));
    }
    let rest = matches!(kind, ParamKind::Rest | ParamKind::RestKeywords);
    if p.bare && kind == ParamKind::RestKeywords {
        return fail(SyntaxFault::new(i.token().span, "named arguments must follow bare *"));
    }
    p.bare = false;
    param(j, p, kind, annotated && j.kind() == TokenKind::Name, rest)
        .map(|(k, ())| (k, kind == ParamKind::RestKeywords))
}

fn slash<'a>(i: Tokens<'a>, p: &mut List) -> Parsed<'a, bool> {
    let span = i.token().span;
    if p.slash {
        return fail(SyntaxFault::new(span, "/ may appear only once"));
    }
    if p.star {
        return fail(SyntaxFault::new(span, "/ must be ahead of *"));
    }
    if p.list.is_empty() {
        return i.reject("a name");
    }
    p.slash = true;
    p.list.iter_mut().for_each(|q| q.kind = ParamKind::PositionalOnly);
    Ok((i.next(), false))
}

fn param<'a>(
    i: Tokens<'a>,
    p: &mut List,
    kind: ParamKind,
    annotated: bool,
    rest: bool,
) -> Parsed<'a, ()> {
    if i.is("(") {
        let message = "parameters cannot be parenthesized";
        let hint = "unpack it in the body: a, b = pair";
        return fail(SyntaxFault::new(i.token().span, message).hint(hint));
    }
    let (mut j, name) = cut(name).parse(i)?;
    let mut annotation = None;
    if annotated && let Some(k) = j.eat(":") {
        let rule = if kind == ParamKind::Rest { star_expression } else { expression };
        let (k, value) = cut(rule).parse(k)?;
        (j, annotation) = (k, Some(value));
    }
    let mut default = None;
    if let Some(k) = j.eat("=") {
        if rest {
            let which = if kind == ParamKind::Rest { "positional" } else { "keyword" };
            let message = format!("var-{which} argument cannot have default value");
            return fail(SyntaxFault::new(j.token().span, message));
        }
        let (k, value) = cut(expression).parse(k)?;
        (j, default) = (k, Some(value));
    }
    if kind == ParamKind::Normal && default.is_none() && p.default {
        let message = "non-default argument follows default argument";
        return fail(SyntaxFault::new(name.span, message));
    }
    p.default |= default.is_some();
    if !p.names.insert(name.symbol) {
        let message = format!("duplicate argument '{}' in function definition", name.symbol);
        i.violates(name.span, message);
    }
    p.list.push(Param { name, kind, default, annotation });
    Ok((j, ()))
}
