//! Simple statements: what fits on one line.

use super::SyntaxFault;
use super::ast::*;
use super::combinators::*;
use super::definition::{short_def, short_head};
use super::expr::{expression, lone_star, star_expressions, targets_or_values};
use super::fault;
use super::input::{NOT_HERE, Parsed, Tokens};
use super::target::*;
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{cut, opt};
use nom::multi::separated_list1;
use nom::sequence::{delimited, preceded, terminated};
use vjp_text::{Span, TokenKind};

/// `statement; statement;` up to the end of the line.
pub fn simple_statements(i: Tokens) -> Parsed<Vec<Stmt>> {
    let line_end = expected("the end of the line", kind(TokenKind::Newline));
    let list = separated_list1(token(";"), simple_statement);
    terminated(list, (opt(token(";")), cut(line_end))).parse(i)
}

/// One statement without a block.
fn simple_statement(i: Tokens) -> Parsed<Stmt> {
    let statement = alt((keyword_statement, assignment));
    spanned(statement).map(|(kind, span)| Stmt { span, kind }).parse(i)
}

/// `a = b = value`, `a += value`, `a: int = value`, `f(x) = value`, or an expression. What
/// stands first is read once; the token after it decides.
fn assignment(i: Tokens) -> Parsed<StmtKind> {
    if i.is("yield") {
        return checked(yield_expression, no_yield_target).map(StmtKind::Expr).parse(i);
    }
    let (j, first) = targets_or_values(i)?;
    if j.is("=") {
        return match short_head(i, &first).filter(|_| !i.strict()) {
            Some((name, params)) => short_def(i, j, name, params),
            None => assign(i, j, first),
        };
    }
    if let Ok((k, op)) = augmented(j) {
        return augment(k, op, first);
    }
    if j.is(":") {
        return annotate(j, first);
    }
    fault::check_legacy(i, j)?;
    j.expect("=");
    lone_star(i, j, &first)?;
    Ok((j, StmtKind::Expr(first)))
}

fn no_yield_target(_: Tokens, j: Tokens, value: &Expr) -> Result<(), SyntaxFault> {
    let message = "assignment to yield expression not possible";
    if j.is("=") { Err(SyntaxFault::new(value.span, message)) } else { Ok(()) }
}

/// `= b = value` behind the first target, from `i`.
fn assign<'a>(i: Tokens<'a>, j: Tokens<'a>, first: Expr) -> Parsed<'a, StmtKind> {
    let (mut j, mut targets, mut value) = (j, Vec::new(), first);
    while j.is("=") {
        let (k, next) = after(token("="), assigned).parse(j)?;
        if let Err(fault) = check_target(i, j, &value) {
            let last = targets.is_empty() && !k.is("=");
            return fail(if last { mistaken_equals(&value, fault) } else { fault });
        }
        targets.push(value);
        (j, value) = (k, next);
    }
    j.expect("=");
    fault::check_legacy(i, j)?;
    lone_star(i, j, &value)?;
    Ok((j, StmtKind::Assign { targets, value }))
}

/// CPython offers `==` where the left side is not a pattern.
fn mistaken_equals(target: &Expr, plain: SyntaxFault) -> SyntaxFault {
    let last = match &target.kind {
        // Without parentheses of its own a tuple ends where its last item does.
        ExprKind::Tuple(items)
            if items
                .last()
                .is_some_and(|e| e.span == plain.span && e.span.end == target.span.end) =>
        {
            items.last().unwrap_or(target)
        }
        _ => target,
    };
    let arithmetic =
        !matches!(
            describe(&last.kind),
            "tuple"
                | "list"
                | "comparison"
                | "conditional expression"
                | "lambda"
                | "generator expression"
                | "starred"
                | "named expression"
        ) && !matches!(last.kind, ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Not { .. });
    match arithmetic && last.span == plain.span {
        true => cannot_assign_here(last),
        false => plain,
    }
}

/// `+= value` and its kin.
fn augment<'a>(i: Tokens<'a>, op: BinaryOp, target: Expr) -> Parsed<'a, StmtKind> {
    if !is_single(&target.kind) {
        let what = describe(&target.kind);
        let message = format!("'{what}' is an illegal expression for augmented assignment");
        return fail(SyntaxFault::new(target.span, message));
    }
    let (j, value) = cut(checked(assigned, lone_star)).parse(i)?;
    Ok((j, StmtKind::Augment { target, op, value }))
}

fn augmented(i: Tokens) -> Parsed<BinaryOp> {
    let op = i.text().strip_suffix('=').filter(|_| i.kind() == TokenKind::Op);
    match op.and_then(BinaryOp::written) {
        Some(BinaryOp::BitXor) if !i.strict() => Ok((i.next(), BinaryOp::Pow)),
        Some(op) => Ok((i.next(), op)),
        None => Err(NOT_HERE),
    }
}

/// `: annotation = value`.
fn annotate<'a>(i: Tokens<'a>, target: Expr) -> Parsed<'a, StmtKind> {
    let message = match &target.kind {
        kind if is_single(kind) => None,
        ExprKind::Tuple(_) => Some("only single target (not tuple) can be annotated"),
        ExprKind::List(_) => Some("only single target (not list) can be annotated"),
        _ => Some("illegal target for annotation"),
    };
    if let Some(message) = message {
        return fail(SyntaxFault::new(target.span, message));
    }
    let value = opt(after(token("="), checked(assigned, lone_star)));
    let (j, (annotation, value)) = (after(sign(":"), expression), value).parse(i)?;
    Ok((j, StmtKind::Annotate { target, annotation, value }))
}

/// What is assigned: expressions, or a `yield`.
fn assigned(i: Tokens) -> Parsed<Expr> {
    if i.is("yield") { yield_expression(i) } else { targets_or_values(i) }
}

/// `yield`, `yield a, b`, `yield from a`.
pub fn yield_expression(i: Tokens) -> Parsed<Expr> {
    let word = only(sign("yield"), |cx| cx.in_function.get(), "'yield' outside function");
    let value = alt((
        after(token("from"), expression).map(|value| (Some(Box::new(value)), true)),
        opt(star_expressions).map(|value| (value.map(Box::new), false)),
    ));
    let (j, read) =
        node(preceded(word, value).map(|(value, from)| ExprKind::Yield { value, from }))
            .parse(i)?;
    i.cx.yields.set(true);
    Ok((j, read))
}

fn keyword_statement(i: Tokens) -> Parsed<StmtKind> {
    const NOT_GLOBAL: &str = "nonlocal declaration not allowed at module level";
    const NO_LOOP: [&str; 2] = ["'break' outside loop", "'continue' not properly in loop"];
    let nonlocal = only(sign("nonlocal"), |cx| cx.in_function.get(), NOT_GLOBAL);
    worded(alt((
        sign("pass").map(|_| StmtKind::Pass),
        only(sign("break"), |cx| cx.in_loop.get(), NO_LOOP[0]).map(|_| StmtKind::Break),
        only(sign("continue"), |cx| cx.in_loop.get(), NO_LOOP[1]).map(|_| StmtKind::Continue),
        return_statement,
        raise_statement,
        assert_statement,
        del_statement,
        after(sign("global"), names).map(StmtKind::Global),
        after(nonlocal, names).map(StmtKind::Nonlocal),
        import,
        from_import,
    )))
    .parse(i)
}

/// `return a, b`.
fn return_statement(i: Tokens) -> Parsed<StmtKind> {
    let word = only(sign("return"), |cx| cx.in_function.get(), "'return' outside function");
    preceded(word, opt(star_expressions)).map(StmtKind::Return).parse(i)
}

/// `raise error from cause`.
fn raise_statement(i: Tokens) -> Parsed<StmtKind> {
    let cause = opt(after(token("from"), expression));
    let (j, raised) = preceded(sign("raise"), opt((expression, cause))).parse(i)?;
    let (exception, cause) = raised.unzip();
    Ok((j, StmtKind::Raise { exception, cause: cause.flatten() }))
}

/// `assert test, message`.
fn assert_statement(i: Tokens) -> Parsed<StmtKind> {
    let message = opt(after(token(","), expression));
    (after(sign("assert"), expression), message)
        .map(|(test, message)| StmtKind::Assert { test, message })
        .parse(i)
}

/// `del a, b[i], c.d`.
fn del_statement(i: Tokens) -> Parsed<StmtKind> {
    let targets = checked(items(del_target, comma()), |_, _, list| check_deletable(list));
    after(sign("del"), targets).map(StmtKind::Del).parse(i)
}

/// `a, b, c`: names after `global`.
fn names(i: Tokens) -> Parsed<Vec<Name>> {
    separated_list1(token(","), cut(name)).parse(i)
}

/// `import a.b as c, d`.
pub fn import(i: Tokens) -> Parsed<StmtKind> {
    let list = separated_list1(token(","), cut((dotted_name, as_name)));
    preceded(sign("import"), list).map(StmtKind::Import).parse(i)
}

/// `from a.b import c as d, e`, `from a import *`.
pub fn from_import(i: Tokens) -> Parsed<StmtKind> {
    let all = only(token("*"), |cx| !cx.in_function.get(), "import * only allowed at module level");
    let names = alt((
        all.map(|_| Vec::new()),
        delimited(token("("), items(import_name, comma_unless(")")), cut(token(")"))),
        separated_list1(checked(token(","), not_last), cut(import_name)),
    ));
    let module = preceded((sign("from"), refuse(relative)), cut(dotted_name));
    let (j, (module, names)) = (module, after(cut(token("import")), names)).parse(i)?;
    Ok((j, StmtKind::FromImport { module, names }))
}

fn relative(i: Tokens) -> Option<SyntaxFault> {
    let fault = SyntaxFault::new(i.token().span, "relative imports are not supported");
    let dots = i.is(".") || i.is("...");
    dots.then(|| fault.hint("import only the modules that vjp provides"))
}

fn not_last(i: Tokens, j: Tokens, _: &Span) -> Result<(), SyntaxFault> {
    let message = "trailing comma not allowed without surrounding parentheses";
    match j.kind() == TokenKind::Newline {
        true => Err(SyntaxFault::new(i.token().span, message)),
        false => Ok(()),
    }
}

/// `a.b.c`.
fn dotted_name(i: Tokens) -> Parsed<Vec<Name>> {
    separated_list1(token("."), cut(name)).parse(i)
}

fn import_name(i: Tokens) -> Parsed<(Name, Option<Name>)> {
    (name, as_name).parse(i)
}

fn as_name(i: Tokens) -> Parsed<Option<Name>> {
    opt(after(token("as"), name)).parse(i)
}
