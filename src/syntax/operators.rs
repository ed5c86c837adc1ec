//! The ladder's lower half: comparisons, arithmetic, signs and powers.

use super::ast::*;
use super::input::{Parsed, Tokens, expr};
use super::postfix::primary;
use crate::text::source::Span;
use crate::text::tokens::TokenKind;
use nom::Parser;
use nom::combinator::cut;

/// `a < b <= c`, `a in b`, `a is not b`.
pub fn comparison(i: Tokens) -> Parsed<Expr> {
    let (mut j, first) = bitwise_or(i)?;
    let mut rest = Vec::new();
    while let Some((k, op)) = compare_op(j) {
        let span = j.span_to(k);
        let (k, operand) = cut(bitwise_or).parse(k)?;
        rest.push((op, span, operand));
        j = k;
    }
    if rest.is_empty() {
        return Ok((j, first));
    }
    Ok((
        j,
        expr(
            i,
            j,
            ExprKind::Compare {
                first: Box::new(first),
                rest,
            },
        ),
    ))
}

fn compare_op(i: Tokens) -> Option<(Tokens, CompareOp)> {
    if !matches!(i.kind(), TokenKind::Op | TokenKind::Keyword) {
        return None;
    }
    let op = match i.text() {
        "==" => CompareOp::Eq,
        "!=" => CompareOp::Ne,
        "<" => CompareOp::Lt,
        "<=" => CompareOp::Le,
        ">" => CompareOp::Gt,
        ">=" => CompareOp::Ge,
        "in" => CompareOp::In,
        "is" if i.next().is("not") => return Some((i.next().next(), CompareOp::IsNot)),
        "is" => CompareOp::Is,
        "not" if i.next().is("in") => return Some((i.next().next(), CompareOp::NotIn)),
        "not" => {
            i.next().expect("in");
            return None;
        }
        _ => return None,
    };
    Some((i.next(), op))
}

/// One level of left associative operators as a flat chain.
fn chain<'a>(
    i: Tokens<'a>,
    operand: fn(Tokens<'a>) -> Parsed<'a, Expr>,
    operator: fn(&str) -> Option<BinaryOp>,
) -> Parsed<'a, Expr> {
    let (mut j, first) = operand(i)?;
    let mut rest = Vec::new();
    while let Some(op) = operator_here(j, operator) {
        let op_span = j.token().span;
        let (k, operand) = cut(operand).parse(j.next())?;
        rest.push(Link {
            op,
            op_span,
            operand,
        });
        j = k;
    }
    if rest.is_empty() {
        return Ok((j, first));
    }
    Ok((
        j,
        expr(
            i,
            j,
            ExprKind::Chain {
                first: Box::new(first),
                rest,
            },
        ),
    ))
}

fn operator_here(i: Tokens, operator: fn(&str) -> Option<BinaryOp>) -> Option<BinaryOp> {
    if i.kind() != TokenKind::Op {
        return None;
    }
    operator(i.text())
}

/// `a | b`.
pub fn bitwise_or(i: Tokens) -> Parsed<Expr> {
    chain(i, bitwise_xor, |op| (op == "|").then_some(BinaryOp::BitOr))
}

/// `a ^ b` under strict; elsewhere `^` is power.
pub fn bitwise_xor(i: Tokens) -> Parsed<Expr> {
    match i.strict() {
        true => chain(i, bitwise_and, |op| (op == "^").then_some(BinaryOp::BitXor)),
        false => bitwise_and(i),
    }
}

/// `a & b`.
pub fn bitwise_and(i: Tokens) -> Parsed<Expr> {
    chain(i, shift, |op| (op == "&").then_some(BinaryOp::BitAnd))
}

/// `a << b >> c`.
pub fn shift(i: Tokens) -> Parsed<Expr> {
    chain(i, sum, |op| match op {
        "<<" => Some(BinaryOp::ShiftLeft),
        ">>" => Some(BinaryOp::ShiftRight),
        _ => None,
    })
}

/// `a + b - c`.
pub fn sum(i: Tokens) -> Parsed<Expr> {
    chain(i, term, |op| match op {
        "+" => Some(BinaryOp::Add),
        "-" => Some(BinaryOp::Sub),
        _ => None,
    })
}

/// `a * b / c // d % e @ f`.
pub fn term(i: Tokens) -> Parsed<Expr> {
    chain(i, factor, |op| match op {
        "*" => Some(BinaryOp::Mul),
        "/" => Some(BinaryOp::Div),
        "//" => Some(BinaryOp::FloorDiv),
        "%" => Some(BinaryOp::Mod),
        "@" => Some(BinaryOp::MatMul),
        _ => None,
    })
}

/// Signs before a power: `-a^2` is `-(a^2)`.
pub fn factor(i: Tokens) -> Parsed<Expr> {
    let (j, signs) = signs(i);
    if signs.is_empty() {
        return power(i);
    }
    let (j, operand) = cut(power).parse(j)?;
    Ok((
        j,
        expr(
            i,
            j,
            ExprKind::Unary {
                signs,
                operand: Box::new(operand),
            },
        ),
    ))
}

fn signs(i: Tokens) -> (Tokens, Vec<(UnaryOp, Span)>) {
    let (mut i, mut signs) = (i, Vec::new());
    loop {
        let sign = match i.text() {
            _ if i.kind() != TokenKind::Op => break,
            "-" => UnaryOp::Minus,
            "+" => UnaryOp::Plus,
            "~" => UnaryOp::Invert,
            _ => break,
        };
        signs.push((sign, i.token().span));
        i = i.next();
    }
    (i, signs)
}

/// `a ^ -b ^ c`, right associative, kept as one list of exponents.
pub fn power(i: Tokens) -> Parsed<Expr> {
    let (mut j, base) = primary(i)?;
    let mut exponents = Vec::new();
    while j.is("**") || (j.is("^") && !j.strict()) {
        let op_span = j.token().span;
        let (k, signs) = signs(j.next());
        let (k, operand) = cut(primary).parse(k)?;
        exponents.push(Exponent {
            op_span,
            signs,
            operand,
        });
        j = k;
    }
    if exponents.is_empty() {
        return Ok((j, base));
    }
    Ok((
        j,
        expr(
            i,
            j,
            ExprKind::Power {
                base: Box::new(base),
                exponents,
            },
        ),
    ))
}
