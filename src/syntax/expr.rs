//! The ladder of expressions, from `lambda` and `if … else` down to powers. Every level is one
//! rule of the grammar and reads a run of its operators as a flat list.

use super::SyntaxFault;
use super::ast::*;
use super::atom::atom;
use super::input::{Parsed, Tokens, deeper, expr, fail};
use super::operators::{bitwise_or, comparison};
use crate::definition::lambda_params;
use nom::Parser;
use nom::combinator::cut;
use std::rc::Rc;
use vjp_text::names::Symbol;

/// `star_expression, …`: a tuple where there are commas.
pub fn star_expressions(i: Tokens) -> Parsed<Expr> {
    let (j, first) = star_expression(i)?;
    if !j.is(",") {
        j.expect(",");
        return Ok((j, first));
    }
    let (j, items) = comma_list(j, first, star_expression)?;
    Ok((j, expr(i, j, ExprKind::Tuple(items))))
}

/// `yield`, `yield a, b`, `yield from a`.
pub fn yield_expression(i: Tokens) -> Parsed<Expr> {
    if !i.cx.in_function.get() {
        i.violates(i.token().span, "'yield' outside function");
    }
    i.cx.yields.set(true);
    let j = i.next();
    let (j, value, from) = match j.eat("from") {
        Some(k) => {
            let (k, value) = cut(expression).parse(k)?;
            (k, Some(Box::new(value)), true)
        }
        None if starts_expression(j) && !j.is("yield") => {
            let (k, value) = cut(star_expressions).parse(j)?;
            super::statement::lone_star(k, &value);
            (k, Some(Box::new(value)), false)
        }
        None => {
            j.expect("an expression");
            (j, None, false)
        }
    };
    Ok((j, expr(i, j, ExprKind::Yield { value, from })))
}

/// What is assigned: a `yield`, or expressions.
pub fn assigned(i: Tokens) -> Parsed<Expr> {
    match i.is("yield") {
        true => yield_expression(i),
        false => star_expressions(i),
    }
}

/// The rest of `first, item, item,`; stands before the first comma.
pub fn comma_list<'a>(
    i: Tokens<'a>,
    first: Expr,
    item: fn(Tokens<'a>) -> Parsed<'a, Expr>,
) -> Parsed<'a, Vec<Expr>> {
    let mut items = vec![first];
    let mut i = i;
    while let Some(j) = i.eat(",") {
        i = j;
        if !starts_expression(i) {
            i.expect("an expression");
            break;
        }
        let (j, next) = cut(item).parse(i)?;
        items.push(next);
        i = j;
    }
    Ok((i, items))
}

/// Can an expression (or a starred one) begin here?
pub fn starts_expression(i: Tokens) -> bool {
    use vjp_text::tokens::TokenKind::*;
    match i.kind() {
        Name | Number | Str => true,
        Op => matches!(i.text(), "(" | "[" | "{" | "-" | "+" | "~" | "*" | "..."),
        Keyword => {
            matches!(i.text(), "None" | "True" | "False" | "not" | "lambda" | "yield" | "await")
        }
        Bad => true,
        _ => false,
    }
}

/// `*x` or an expression.
pub fn star_expression(i: Tokens) -> Parsed<Expr> {
    match i.is("*") {
        true => starred(i),
        false => expression(i),
    }
}

/// `*x` or an expression, which may be `name := value`.
pub fn star_named_expression(i: Tokens) -> Parsed<Expr> {
    match i.is("*") {
        true => starred(i),
        false => named_expression(i),
    }
}

fn starred(i: Tokens) -> Parsed<Expr> {
    let (j, value) = cut(bitwise_or).parse(i.next())?;
    Ok((j, expr(i, j, ExprKind::Starred(Box::new(value)))))
}

/// `name := value`, or an expression.
pub fn named_expression(i: Tokens) -> Parsed<Expr> {
    let (j, value) = expression(i)?;
    let Some(k) = j.eat(":=") else {
        return Ok((j, value));
    };
    let ExprKind::Name(symbol) = value.kind else {
        let what = super::target::describe(&value.kind);
        return fail(SyntaxFault::new(
            value.span,
            format!("cannot use assignment expressions with {what}"),
        ));
    };
    if j.at != i.at + 1 {
        // `(x) := 1` does not have a name.
        return j.reject("=");
    }
    let name = Name { span: value.span, symbol };
    let (k, value) = cut(expression).parse(k)?;
    if i.cx.in_iterable.get() {
        let message = "assignment expression cannot be used in a comprehension iterable expression";
        i.violates(i.span_to(k), message);
    }
    Ok((k, expr(i, k, ExprKind::Walrus { name, value: Box::new(value) })))
}

/// A lambda, or `a if c else b if d else e` read as one list of arms.
pub fn expression(i: Tokens) -> Parsed<Expr> {
    if i.is("lambda") {
        return lambda(i);
    }
    let (mut j, mut value) = match i.stands_alone() {
        true => atom(i)?,
        false => disjunction(i)?,
    };
    if !j.is("if") {
        j.expect("an operator");
        return Ok((j, value));
    }
    let mut arms = Vec::new();
    while j.is("if") {
        let (k, test) = cut(disjunction).parse(j.next())?;
        let Some(k) = k.eat("else") else {
            if !k.is(":") {
                let fault = SyntaxFault::new(i.span_to(k), "expected 'else' after 'if' expression");
                return fail(fault.hint("write a if c else b"));
            }
            return cut(super::input::token("else")).parse(k).map(|(k, _)| (k, value));
        };
        arms.push((value, test));
        if k.is("lambda") {
            (j, value) = lambda(k)?;
            break;
        }
        (j, value) = cut(disjunction).parse(k)?;
    }
    let otherwise = Box::new(value);
    Ok((j, expr(i, j, ExprKind::IfElse { arms, otherwise })))
}

/// `lambda params: expression`.
pub fn lambda(i: Tokens) -> Parsed<Expr> {
    deeper(i, "lambdas", |i| {
        let (j, params) = lambda_params(i.next())?;
        let (j, _) = cut(super::input::token(":")).parse(j)?;
        let in_function = i.cx.in_function.replace(true);
        let yields = i.cx.yields.replace(false);
        let read = cut(expression).parse(j);
        i.cx.in_function.set(in_function);
        let generator = i.cx.yields.replace(yields);
        let (k, value) = read?;
        let name = Name { span: i.token().span, symbol: Symbol::new("<lambda>") };
        let span = i.span_to(k);
        let body = vec![Stmt { span: value.span, kind: StmtKind::Return(Some(value)) }];
        let function = Function { name, params, body, span, generator };
        Ok((k, Expr { span, kind: ExprKind::Lambda(Rc::new(function)) }))
    })
}

/// `a or b or c`.
pub fn disjunction(i: Tokens) -> Parsed<Expr> {
    let (j, first) = conjunction(i)?;
    if !j.is("or") {
        return Ok((j, first));
    }
    let (j, operands) = run(j, first, "or", conjunction)?;
    Ok((j, expr(i, j, ExprKind::Or(operands))))
}

/// `a and b and c`.
pub fn conjunction(i: Tokens) -> Parsed<Expr> {
    let (j, first) = inversion(i)?;
    if !j.is("and") {
        return Ok((j, first));
    }
    let (j, operands) = run(j, first, "and", inversion)?;
    Ok((j, expr(i, j, ExprKind::And(operands))))
}

fn run<'a>(
    i: Tokens<'a>,
    first: Expr,
    word: &str,
    operand: fn(Tokens<'a>) -> Parsed<'a, Expr>,
) -> Parsed<'a, Vec<Expr>> {
    let (mut i, mut operands) = (i, vec![first]);
    while i.is(word) {
        let (j, next) = cut(operand).parse(i.next())?;
        operands.push(next);
        i = j;
    }
    Ok((i, operands))
}

/// `not not a`.
pub fn inversion(i: Tokens) -> Parsed<Expr> {
    let mut j = i;
    while j.is("not") {
        j = j.next();
    }
    let count = (j.at - i.at) as u32;
    if count == 0 {
        return comparison(i);
    }
    let (j, operand) = cut(comparison).parse(j)?;
    Ok((j, expr(i, j, ExprKind::Not { count, operand: Box::new(operand) })))
}
