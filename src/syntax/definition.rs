//! Definitions: `def` with its parameters, `class`, decorators, and the short form `f(x) = expression`.

use super::SyntaxFault;
use super::ast::*;
use super::block::{block, span_of_text};
use super::combinators::*;
use super::expr::{expression, named_expression, star_expression, star_expressions};
use super::input::{Parsed, Tokens};
use super::postfix::arguments;
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{cut, opt, peek};
use nom::multi::many1;
use nom::sequence::{delimited, terminated};
use std::collections::HashSet;
use std::rc::Rc;
use vjp_text::{Symbol, TokenKind};

/// `def name(params) -> annotation: …`.
pub fn def_statement(i: Tokens) -> Parsed<StmtKind> {
    let mut head = (
        after(sign("def"), checked(name, has_parentheses)),
        delimited(sign("("), cut(def_params), cut(token(")"))),
        opt(after(token("->"), expression)),
    );
    let (j, (name, params, returns)) = head.parse(i)?;
    let (j, (body, generator)) = function_body(block(i, "function definition")).parse(j)?;
    declared_outside(i, &params, &body);
    let function = Function { name, params, returns, body, span: span_of_text(i, j), generator };
    Ok((j, StmtKind::Def { function: Rc::new(function), decorators: Vec::new() }))
}

fn has_parentheses(_: Tokens, j: Tokens, name: &Name) -> Result<(), SyntaxFault> {
    if j.is("(") {
        return Ok(());
    }
    let hint = format!("a function has parentheses: def {}():", name.symbol);
    Err(SyntaxFault::new(j.token().span, "expected '('").hint(hint))
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
pub fn class_statement(i: Tokens) -> Parsed<StmtKind> {
    let bases = opt(delimited(token("("), arguments, cut(token(")"))));
    let (j, (name, bases)) = (after(sign("class"), name), bases).parse(i)?;
    let private = name.as_str().trim_start_matches('_');
    let private = (!private.is_empty()).then(|| private.to_owned());
    let outer = i.cx.class.replace(private);
    let block = within(|cx| &cx.in_loop, false, block(i, "class definition"));
    let read = within(|cx| &cx.in_function, false, block).parse(j);
    i.cx.class.replace(outer);
    let (j, body) = read?;
    let (bases, body, decorators) = (bases.unwrap_or_default(), Rc::new(body), Vec::new());
    Ok((j, StmtKind::Class { name, bases, body, decorators }))
}

/// `@expression` lines before a `def` or `class`.
pub fn decorated(i: Tokens) -> Parsed<StmtKind> {
    let line_end = expected("the end of the line", kind(TokenKind::Newline));
    let decorator = terminated(after(sign("@"), named_expression), cut(line_end));
    let word = alt((token("def"), token("class"), sign("async")));
    let definition = alt((def_statement, class_statement, absent("async")));
    let (j, (list, _, mut kind)) = (many1(decorator), cut(peek(word)), definition).parse(i)?;
    if let StmtKind::Def { decorators, .. } | StmtKind::Class { decorators, .. } = &mut kind {
        *decorators = list;
    }
    Ok((j, kind))
}

/// `a, b=1, /, c: int, *args, d, **kwargs` up to `)`.
fn def_params(i: Tokens) -> Parsed<Params> {
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

fn params<'a>(i: Tokens<'a>, close: &'static str) -> Parsed<'a, Params> {
    let mut p = List::default();
    let (j, _) = items_until(close, |i| param(i, &mut p, close)).parse(i)?;
    if p.bare {
        return fail(SyntaxFault::new(i.token().span, "named arguments must follow bare *"));
    }
    Ok((j, Params { list: p.list }))
}

/// One parameter, `/` or `*`.
fn param<'a>(i: Tokens<'a>, p: &mut List, close: &'static str) -> Parsed<'a, ()> {
    if i.is("/") {
        return slash(i, p);
    }
    if i.is("*") && p.star {
        return fail(SyntaxFault::new(i.token().span, "* argument may appear only once"));
    }
    let stars =
        alt((sign("**").map(|_| ParamKind::RestKeywords), sign("*").map(|_| ParamKind::Rest)));
    let (j, stars) = opt(stars).parse(i)?;
    let kind = stars.unwrap_or(if p.star { ParamKind::KeywordOnly } else { ParamKind::Normal });
    p.star |= kind == ParamKind::Rest;
    if kind == ParamKind::Rest && j.is(",") {
        p.bare = true;
        return Ok((j, ()));
    }
    if j.is(")") || j.is(":") || (p.bare && kind == ParamKind::RestKeywords) {
        return fail(SyntaxFault::new(i.token().span, "named arguments must follow bare *"));
    }
    p.bare = false;
    if j.is("(") {
        let message = "parameters cannot be parenthesized";
        let hint = "unpack it in the body: a, b = pair";
        return fail(SyntaxFault::new(j.token().span, message).hint(hint));
    }
    let annotation = |i| match kind {
        _ if close == ":" => Ok((i, None)),
        ParamKind::Rest => opt(after(token(":"), star_expression)).parse(i),
        _ => opt(after(token(":"), expression)).parse(i),
    };
    let (k, (name, annotation)) = (cut(name), annotation).parse(j)?;
    if stars.is_some() && k.is("=") {
        let which = if kind == ParamKind::Rest { "positional" } else { "keyword" };
        let message = format!("var-{which} argument cannot have default value");
        return fail(SyntaxFault::new(k.token().span, message));
    }
    let (k, default) = opt(after(token("="), expression)).parse(k)?;
    if kind == ParamKind::Normal && default.is_none() && p.default {
        let message = "non-default argument follows default argument";
        return fail(SyntaxFault::new(name.span, message));
    }
    if kind == ParamKind::RestKeywords && k.is(",") && !k.next().is(close) {
        let message = "arguments cannot follow var-keyword argument";
        return fail(SyntaxFault::new(k.next().token().span, message));
    }
    p.default |= default.is_some();
    if !p.names.insert(name.symbol) {
        let message = format!("duplicate argument '{}' in function definition", name.symbol);
        i.violates(name.span, message);
    }
    p.list.push(Param { name, kind, default, annotation });
    Ok((k, ()))
}

/// `/`: what stands before it cannot be given by name.
fn slash<'a>(i: Tokens<'a>, p: &mut List) -> Parsed<'a, ()> {
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
    Ok((i.next(), ()))
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
    let mut seen = HashSet::new();
    for param in &params.list {
        if !seen.insert(param.name.symbol) {
            let message =
                format!("duplicate argument '{}' in function definition", param.name.symbol);
            i.violates(param.name.span, message);
        }
    }
    let (k, value) = after(sign("="), star_expressions).parse(j)?;
    if k.is("=") {
        let message = format!("{}(…) = … defines a function and cannot be chained", name.symbol);
        return fail(SyntaxFault::new(k.token().span, message));
    }
    let body = vec![Stmt { span: value.span, kind: StmtKind::Return(Some(value)) }];
    let function =
        Function { name, params, returns: None, body, span: i.span_to(k), generator: false };
    Ok((k, StmtKind::ShortDef(Rc::new(function))))
}
