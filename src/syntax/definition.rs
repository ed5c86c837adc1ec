//! Definitions: `def` with its parameters, `class`, decorators, and the short form `f(x) = expression`.

use super::SyntaxFault;
use super::ast::*;
use super::atom::absent;
use super::block::{end_of_text, own_block};
use super::expr::{expression, star_expression, star_expressions};
use super::input::{Parsed, Tokens, fail, kind, name, token};
use super::postfix::arguments;
use super::statement::lone_star;
use nom::Parser;
use nom::combinator::cut;
use std::collections::HashSet;
use std::rc::Rc;
use vjp_text::names::Symbol;
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

/// The name and parameters if `expr` reads `f(x, y)` or `f(x, y=1)`.
pub fn short_head(i: Tokens, head: &Expr) -> Option<(Name, Params)> {
    let ExprKind::Trailers { base, trailers } = &head.kind else {
        return None;
    };
    let (ExprKind::Name(symbol), [Trailer { kind: TrailerKind::Call(args), .. }]) =
        (&base.kind, trailers.as_slice())
    else {
        return None;
    };
    if i.kind() != TokenKind::Name {
        return None;
    }
    let param = |arg: &Arg| match (&arg.kind, &arg.value.kind) {
        (ArgKind::Positional, ExprKind::Name(symbol)) if arg.span == arg.value.span => {
            Some(Param {
                name: Name { span: arg.span, symbol: *symbol },
                kind: ParamKind::Normal,
                default: None,
                annotation: None,
            })
        }
        (ArgKind::Named(name), _) => Some(Param {
            name: *name,
            kind: ParamKind::Normal,
            default: Some(arg.value.clone()),
            annotation: None,
        }),
        _ => None,
    };
    let list = args.iter().map(param).collect::<Option<Vec<_>>>()?;
    let name = Name { span: base.span, symbol: *symbol };
    Some((name, Params { list }))
}

/// `f(x, y) = expression` (not strict); stands on the `=`.
pub fn short_def<'a>(
    i: Tokens<'a>,
    j: Tokens<'a>,
    name: Name,
    params: Params,
) -> Parsed<'a, StmtKind> {
    let mut seen = std::collections::HashSet::new();
    for param in &params.list {
        if !seen.insert(param.name.symbol) {
            let message =
                format!("duplicate argument '{}' in function definition", param.name.symbol);
            i.violates(param.name.span, message);
        }
    }
    let (k, value) = cut(star_expressions).parse(j.next())?;
    lone_star(k, &value);
    if k.is("=") {
        let message = format!("{}(…) = … defines a function and cannot be chained", name.symbol);
        return fail(SyntaxFault::new(k.token().span, message));
    }
    let body = vec![Stmt { span: value.span, kind: StmtKind::Return(Some(value)) }];
    let function = Function { name, params, body, span: i.span_to(k), generator: false };
    Ok((k, StmtKind::ShortDef(Rc::new(function))))
}
