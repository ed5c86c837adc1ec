//! Simple statements: what fits on one line.

use super::SyntaxFault;
use super::ast::*;
use super::expr::{
    assigned, comma_list, expression, star_expressions, starts_expression, yield_expression,
};
use super::fault;
use super::import::{from_import, import};
use super::input::{Parsed, Tokens, fail, kind, name};
use super::operators::bitwise_or;
use super::target::{cannot_assign_here, check_deletable, check_target, describe, is_single};
use crate::definition::{short_def, short_head};
use nom::Parser;
use nom::combinator::cut;
use vjp_text::tokens::TokenKind;

/// `statement; statement;` up to the end of the line.
pub fn simple_statements(i: Tokens) -> Parsed<Vec<Stmt>> {
    let (mut j, first) = simple_statement(i)?;
    let mut list = vec![first];
    while let Some(k) = j.eat(";") {
        if k.kind() == TokenKind::Newline {
            j = k;
            break;
        }
        let (k, next) = cut(simple_statement).parse(k)?;
        list.push(next);
        j = k;
    }
    let (j, ()) = line_end(j)?;
    Ok((j, list))
}

fn line_end(i: Tokens) -> Parsed<()> {
    if i.kind() == TokenKind::Newline {
        return Ok((i.next(), ()));
    }
    i.expect("`;`");
    cut(kind(TokenKind::Newline, "the end of the line")).parse(i)
}

/// One statement without a block.
pub fn simple_statement(i: Tokens) -> Parsed<Stmt> {
    let (j, kind) = match i.kind() {
        TokenKind::Keyword => keyword_statement(i)?,
        _ => assignment(i)?,
    };
    Ok((j, Stmt { span: i.span_to(j), kind }))
}

fn keyword_statement(i: Tokens) -> Parsed<StmtKind> {
    let j = i.next();
    match i.text() {
        "pass" => Ok((j, StmtKind::Pass)),
        "break" => {
            if !i.cx.in_loop.get() {
                i.violates(i.token().span, "'break' outside loop");
            }
            Ok((j, StmtKind::Break))
        }
        "continue" => {
            if !i.cx.in_loop.get() {
                i.violates(i.token().span, "'continue' not properly in loop");
            }
            Ok((j, StmtKind::Continue))
        }
        "return" => return_statement(i),
        "raise" => raise_statement(i),
        "assert" => assert_statement(i),
        "del" => del_statement(i),
        "global" => names(j).map(|(j, names)| (j, StmtKind::Global(names))),
        "nonlocal" => {
            if !i.cx.in_function.get() {
                i.violates(i.token().span, "nonlocal declaration not allowed at module level");
            }
            names(j).map(|(j, names)| (j, StmtKind::Nonlocal(names)))
        }
        "import" => import(i),
        "from" => from_import(i),
        _ => assignment(i),
    }
}

/// `return a, b`.
fn return_statement(i: Tokens) -> Parsed<StmtKind> {
    let j = i.next();
    if !i.cx.in_function.get() {
        i.violates(i.token().span, "'return' outside function");
    }
    if !starts_expression(j) {
        j.expect("an expression");
        return Ok((j, StmtKind::Return(None)));
    }
    let (k, value) = cut(star_expressions).parse(j)?;
    lone_star(k, &value);
    Ok((k, StmtKind::Return(Some(value))))
}

/// `*a` needs company: `*a,` is a tuple.
pub fn lone_star(i: Tokens, value: &Expr) {
    if matches!(value.kind, ExprKind::Starred(_)) {
        i.violates(value.span, "can't use starred expression here");
    }
}

/// `raise error from cause`.
fn raise_statement(i: Tokens) -> Parsed<StmtKind> {
    let j = i.next();
    if !starts_expression(j) {
        j.expect("an expression");
        return Ok((j, StmtKind::Raise { exception: None, cause: None }));
    }
    let (j, exception) = cut(expression).parse(j)?;
    let (j, cause) = match j.eat("from") {
        Some(k) => cut(expression).parse(k).map(|(k, cause)| (k, Some(cause)))?,
        None => (j, None),
    };
    Ok((j, StmtKind::Raise { exception: Some(exception), cause }))
}

/// `assert test, message`.
fn assert_statement(i: Tokens) -> Parsed<StmtKind> {
    let (j, test) = cut(expression).parse(i.next())?;
    let (j, message) = match j.eat(",") {
        Some(k) => cut(expression).parse(k).map(|(k, message)| (k, Some(message)))?,
        None => (j, None),
    };
    Ok((j, StmtKind::Assert { test, message }))
}

/// `del a, b[i], c.d`.
fn del_statement(i: Tokens) -> Parsed<StmtKind> {
    let start = i.next();
    let (j, first) = cut(del_target).parse(start)?;
    let (j, targets) = comma_list(j, first, del_target)?;
    for target in &targets {
        if let Err(fault) = check_deletable(target) {
            return fail(fault);
        }
    }
    Ok((j, StmtKind::Del(targets)))
}

fn del_target(i: Tokens) -> Parsed<Expr> {
    match i.is("*") {
        true => super::expr::star_expression(i),
        false => bitwise_or(i),
    }
}

/// `a, b, c`: names after `global`.
fn names(i: Tokens) -> Parsed<Vec<Name>> {
    let (mut j, first) = cut(name).parse(i)?;
    let mut list = vec![first];
    while let Some(k) = j.eat(",") {
        let (k, next) = cut(name).parse(k)?;
        list.push(next);
        j = k;
    }
    Ok((j, list))
}

/// `a = b = value`, `a += value`, `a: int = value`, `f(x) = value`, or an expression. What
/// stands first is read once; the token after it decides.
pub fn assignment(i: Tokens) -> Parsed<StmtKind> {
    if i.is("yield") {
        let (j, value) = yield_expression(i)?;
        if j.is("=") {
            let message = "assignment to yield expression not possible";
            return fail(SyntaxFault::new(value.span, message));
        }
        return Ok((j, StmtKind::Expr(value)));
    }
    let (j, first) = star_expressions(i)?;
    if j.is("=") {
        return assign(i, j, first);
    }
    if let Some(op) = augmented(j) {
        return augment(j, op, first);
    }
    if j.is(":") {
        return annotate(j, first);
    }
    fault::check_legacy(i, j)?;
    j.expect("=");
    lone_star(j, &first);
    Ok((j, StmtKind::Expr(first)))
}

fn assign<'a>(i: Tokens<'a>, j: Tokens<'a>, first: Expr) -> Parsed<'a, StmtKind> {
    if !i.strict()
        && let Some((name, params)) = short_head(i, &first)
    {
        return short_def(i, j, name, params);
    }
    let (mut j, mut targets, mut value) = (j, Vec::new(), first);
    while let Some(k) = j.eat("=") {
        let (k, next) = cut(assigned).parse(k)?;
        if let Err(fault) = check_target(i, &value) {
            let last = targets.is_empty() && !k.is("=");
            return fail(if last { mistaken_equals(&value, fault) } else { fault });
        }
        targets.push(value);
        (j, value) = (k, next);
    }
    fault::check_legacy(i, j)?;
    lone_star(j, &value);
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

/// `+=` and its kin.
fn augmented(i: Tokens) -> Option<BinaryOp> {
    if i.kind() != TokenKind::Op {
        return None;
    }
    Some(match i.text() {
        "+=" => BinaryOp::Add,
        "-=" => BinaryOp::Sub,
        "*=" => BinaryOp::Mul,
        "/=" => BinaryOp::Div,
        "//=" => BinaryOp::FloorDiv,
        "%=" => BinaryOp::Mod,
        "@=" => BinaryOp::MatMul,
        "**=" => BinaryOp::Pow,
        "^=" if i.strict() => BinaryOp::BitXor,
        "^=" => BinaryOp::Pow,
        "&=" => BinaryOp::BitAnd,
        "|=" => BinaryOp::BitOr,
        "<<=" => BinaryOp::ShiftLeft,
        ">>=" => BinaryOp::ShiftRight,
        _ => return None,
    })
}

fn augment<'a>(j: Tokens<'a>, op: BinaryOp, target: Expr) -> Parsed<'a, StmtKind> {
    if !is_single(&target.kind) {
        let what = describe(&target.kind);
        let message = format!("'{what}' is an illegal expression for augmented assignment");
        return fail(SyntaxFault::new(target.span, message));
    }
    let (k, value) = cut(assigned).parse(j.next())?;
    lone_star(k, &value);
    Ok((k, StmtKind::Augment { target, op, value }))
}

fn annotate<'a>(j: Tokens<'a>, target: Expr) -> Parsed<'a, StmtKind> {
    let message = match &target.kind {
        kind if is_single(kind) => None,
        ExprKind::Tuple(_) => Some("only single target (not tuple) can be annotated"),
        ExprKind::List(_) => Some("only single target (not list) can be annotated"),
        _ => Some("illegal target for annotation"),
    };
    if let Some(message) = message {
        return fail(SyntaxFault::new(target.span, message));
    }
    let (k, annotation) = cut(expression).parse(j.next())?;
    let (k, value) = match k.eat("=") {
        Some(l) => cut(assigned).parse(l).map(|(l, value)| (l, Some(value)))?,
        None => (k, None),
    };
    if let Some(value) = &value {
        lone_star(k, value);
    }
    Ok((k, StmtKind::Annotate { target, annotation, value }))
}
