//! Expressions, loosest first: from tuples and `lambda` down to powers. Every level is one rule of
//! the grammar and reads a run of its operators as a flat list.

use super::SyntaxFault;
use super::ast::{BinaryOp, CompareOp, *};
use super::atom::atom;
use super::combinators::*;
use super::definition::lambda_params;
use super::input::{NOT_HERE, Parsed, Reject, Tokens};
use super::postfix::primary;
use super::target::describe;
use nom::Parser;
use nom::branch::alt;
use nom::combinator::{cut, peek};
use nom::sequence::{delimited, preceded};
use std::rc::Rc;
use vjp_text::{Span, Symbol, TokenKind};

/// `star_expression, …`: a tuple where there are commas.
pub fn star_expressions(i: Tokens) -> Parsed<Expr> {
    checked(targets_or_values, lone_star).parse(i)
}

/// The same where an `=` behind it may yet make targets of it.
pub fn targets_or_values(i: Tokens) -> Parsed<Expr> {
    tuple(star_expression, comma()).parse(i)
}

/// `*a` needs company: `*a,` is a tuple.
pub fn lone_star(i: Tokens, _: Tokens, value: &Expr) -> Result<(), SyntaxFault> {
    if matches!(value.kind, ExprKind::Starred(_)) {
        i.violates(value.span, "can't use starred expression here");
    }
    Ok(())
}

/// `*x` or an expression.
pub fn star_expression(i: Tokens) -> Parsed<Expr> {
    if i.is("*") { starred(i) } else { expression(i) }
}

/// `*x` or an expression, which may be `name := value`.
pub fn star_named_expression(i: Tokens) -> Parsed<Expr> {
    if i.is("*") { starred(i) } else { named_expression(i) }
}

pub fn starred(i: Tokens) -> Parsed<Expr> {
    node(after(sign("*"), bitwise_or).map(|x| ExprKind::Starred(Box::new(x)))).parse(i)
}

/// `name := value`, or an expression.
pub fn named_expression(i: Tokens) -> Parsed<Expr> {
    match i.kind() == TokenKind::Name && i.next().is(":=") {
        true => checked(walrus, in_iterable).parse(i),
        false => checked(expression, no_walrus).parse(i),
    }
}

fn walrus(i: Tokens) -> Parsed<Expr> {
    let walrus = (name_before(":="), cut(expression))
        .map(|(name, value)| ExprKind::Walrus { name, value: Box::new(value) });
    node(walrus).parse(i)
}

fn in_iterable<'a>(i: Tokens<'a>, j: Tokens<'a>, _: &Expr) -> Result<(), SyntaxFault> {
    if i.cx.in_iterable.get() {
        let message = "assignment expression cannot be used in a comprehension iterable expression";
        i.violates(i.span_to(j), message);
    }
    Ok(())
}

fn no_walrus(_: Tokens, j: Tokens, value: &Expr) -> Result<(), nom::Err<Reject>> {
    if j.eat(":=").is_none() {
        return Ok(());
    }
    // `(x) := 1` does not have a name.
    if matches!(value.kind, ExprKind::Name(_)) {
        return Err(NOT_HERE);
    }
    let what = describe(&value.kind);
    let message = format!("cannot use assignment expressions with {what}");
    Err(SyntaxFault::new(value.span, message).into())
}

/// A lambda, or `a if c else b if d else e` read as one list of arms.
pub fn expression(i: Tokens) -> Parsed<Expr> {
    if i.is("lambda") {
        return lambda(i);
    }
    let (j, mut value) = if i.stands_alone() { atom(i)? } else { disjunction(i)? };
    if !j.is("if") {
        j.expect("an operator");
        return Ok((j, value));
    }
    let otherwise = preceded(|j| word_else(i, j), cut(alt((lambda, disjunction))));
    let arm = (after(sign("if"), disjunction), otherwise)
        .map(|(test, otherwise)| (std::mem::replace(&mut value, otherwise), test));
    let (j, arms) = many(arm).parse(j)?;
    let otherwise = Box::new(value);
    Ok((j, Expr { span: i.span_to(j), kind: ExprKind::IfElse { arms, otherwise } }))
}

fn word_else<'a>(i: Tokens<'a>, k: Tokens<'a>) -> Parsed<'a, Span> {
    if !k.is("else") && !k.is(":") {
        let fault = SyntaxFault::new(i.span_to(k), "expected 'else' after 'if' expression");
        return fail(fault.hint("write a if c else b"));
    }
    cut(token("else")).parse(k)
}

/// `lambda params: expression`.
pub fn lambda(i: Tokens) -> Parsed<Expr> {
    let params = delimited(sign("lambda"), lambda_params, cut(token(":")));
    let whole = spanned((params, function_body(cut(expression))));
    let (j, ((params, (value, generator)), span)) =
        preceded(peek(sign("lambda")), deeper("lambdas", whole)).parse(i)?;
    let name = Name { span: i.token().span, symbol: Symbol::new("<lambda>") };
    let body = vec![Stmt { span: value.span, kind: StmtKind::Return(Some(value)) }];
    let function = Function { name, params, returns: None, body, span, generator };
    Ok((j, Expr { span, kind: ExprKind::Lambda(Rc::new(function)) }))
}

/// `a or b or c`.
pub fn disjunction(i: Tokens) -> Parsed<Expr> {
    let more = after(sign("or"), conjunction);
    extended(conjunction, more, |a, rest| ExprKind::Or(with_first(a, rest))).parse(i)
}

/// `a and b and c`.
pub fn conjunction(i: Tokens) -> Parsed<Expr> {
    let more = after(sign("and"), inversion);
    extended(inversion, more, |a, rest| ExprKind::And(with_first(a, rest))).parse(i)
}

/// `not not a`.
pub fn inversion(i: Tokens) -> Parsed<Expr> {
    let not = |nots: Vec<_>, operand| ExprKind::Not { count: nots.len() as u32, operand };
    prefixed(sign("not"), comparison, not).parse(i)
}

/// `a < b <= c`, `a in b`, `a is not b`.
pub fn comparison(i: Tokens) -> Parsed<Expr> {
    let operand = (spanned(compare_op), cut(bitwise_or)).map(|((op, span), x)| (op, span, x));
    extended(bitwise_or, operand, |first, rest| ExprKind::Compare { first: Box::new(first), rest })
        .parse(i)
}

fn compare_op(i: Tokens) -> Parsed<CompareOp> {
    alt((
        sign("==").map(|_| CompareOp::Eq),
        sign("!=").map(|_| CompareOp::Ne),
        sign("<").map(|_| CompareOp::Lt),
        sign("<=").map(|_| CompareOp::Le),
        sign(">").map(|_| CompareOp::Gt),
        sign(">=").map(|_| CompareOp::Ge),
        sign("in").map(|_| CompareOp::In),
        (sign("not"), token("in")).map(|_| CompareOp::NotIn),
        (sign("is"), sign("not")).map(|_| CompareOp::IsNot),
        sign("is").map(|_| CompareOp::Is),
    ))
    .parse(i)
}

/// `a | b ^ c & d << e + f * g`: all that binds tighter than a comparison.
pub fn bitwise_or(i: Tokens) -> Parsed<Expr> {
    chain(i, LOOSEST)
}

/// The rules from bitwise_or to term: how tightly their operators bind.
const LOOSEST: usize = 0;
const TIGHTEST: usize = 5;

/// The binary operator that stands here, and how tightly it binds.
fn operator_here(i: Tokens) -> Option<(usize, BinaryOp)> {
    if i.kind() != TokenKind::Op {
        return None;
    }
    Some(match i.text().as_bytes() {
        b"|" => (LOOSEST, BinaryOp::BitOr),
        // Elsewhere `^` is power.
        b"^" if i.strict() => (1, BinaryOp::BitXor),
        b"&" => (2, BinaryOp::BitAnd),
        b"<<" => (3, BinaryOp::ShiftLeft),
        b">>" => (3, BinaryOp::ShiftRight),
        b"+" => (4, BinaryOp::Add),
        b"-" => (4, BinaryOp::Sub),
        b"*" => (TIGHTEST, BinaryOp::Mul),
        b"/" => (TIGHTEST, BinaryOp::Div),
        b"//" => (TIGHTEST, BinaryOp::FloorDiv),
        b"%" => (TIGHTEST, BinaryOp::Mod),
        b"@" => (TIGHTEST, BinaryOp::MatMul),
        _ => return None,
    })
}

/// Left associative operators that bind no looser than `loosest`, each level's run as a flat chain.
/// What a level has read is the first operand of the next looser one.
fn chain(i: Tokens, loosest: usize) -> Parsed<Expr> {
    let (mut j, mut first) = factor(i)?;
    let mut here = operator_here(j);
    for level in (loosest..=TIGHTEST).rev() {
        let mut rest = Vec::new();
        while let Some((_, op)) = here.filter(|(binds, _)| *binds == level) {
            let op_span = j.token().span;
            let (k, operand) = cut(|i| chain(i, level + 1)).parse(j.next())?;
            rest.push(Link { op, op_span, operand });
            (j, here) = (k, operator_here(k));
        }
        if !rest.is_empty() {
            let operand = Box::new(first);
            first = Expr { span: i.span_to(j), kind: ExprKind::Chain { first: operand, rest } };
        }
        if here.is_none() {
            break;
        }
    }
    Ok((j, first))
}

/// Signs before a power: `-a^2` is `-(a^2)`.
pub fn factor(i: Tokens) -> Parsed<Expr> {
    prefixed(sign_before, power, |signs, operand| ExprKind::Unary { signs, operand }).parse(i)
}

fn sign_before(i: Tokens) -> Parsed<(UnaryOp, Span)> {
    alt((
        sign("-").map(|span| (UnaryOp::Minus, span)),
        sign("+").map(|span| (UnaryOp::Plus, span)),
        sign("~").map(|span| (UnaryOp::Invert, span)),
    ))
    .parse(i)
}

/// `a ^ -b ^ c`, right associative, kept as one list of exponents.
fn power(i: Tokens) -> Parsed<Expr> {
    let exponent = (power_sign, many(sign_before), cut(primary))
        .map(|(op_span, signs, operand)| Exponent { op_span, signs, operand });
    extended(primary, exponent, |base, exponents| ExprKind::Power {
        base: Box::new(base),
        exponents,
    })
    .parse(i)
}

fn power_sign(i: Tokens) -> Parsed<Span> {
    match i.strict() {
        true => sign("**").parse(i),
        false => alt((sign("**"), sign("^"))).parse(i),
    }
}

/// The binary operators as they are written; power as `**`.
const WRITTEN: [(BinaryOp, &str); 13] = [
    (BinaryOp::Add, "+"),
    (BinaryOp::Sub, "-"),
    (BinaryOp::Mul, "*"),
    (BinaryOp::Div, "/"),
    (BinaryOp::FloorDiv, "//"),
    (BinaryOp::Mod, "%"),
    (BinaryOp::MatMul, "@"),
    (BinaryOp::Pow, "**"),
    (BinaryOp::BitAnd, "&"),
    (BinaryOp::BitOr, "|"),
    (BinaryOp::BitXor, "^"),
    (BinaryOp::ShiftLeft, "<<"),
    (BinaryOp::ShiftRight, ">>"),
];

impl BinaryOp {
    /// As written; power as `**`.
    pub fn text(self) -> &'static str {
        WRITTEN.iter().find(|(op, _)| *op == self).map_or("", |(_, text)| text)
    }

    pub fn written(text: &str) -> Option<BinaryOp> {
        WRITTEN.iter().find(|(_, written)| *written == text).map(|(op, _)| *op)
    }
}

impl CompareOp {
    pub fn text(self) -> &'static str {
        match self {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
            CompareOp::Is => "is",
            CompareOp::IsNot => "is not",
            CompareOp::In => "in",
            CompareOp::NotIn => "not in",
        }
    }
}
