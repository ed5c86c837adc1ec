//! Operators as they are written, and the ladder's lower half: comparisons, arithmetic, signs, powers.

use super::ast::{BinaryOp, CompareOp, *};
use super::input::{Parsed, Tokens, expr};
use super::postfix::primary;
use nom::Parser;
use nom::combinator::cut;
use vjp_text::source::Span;
use vjp_text::tokens::TokenKind;

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
    Ok((j, expr(i, j, ExprKind::Compare { first: Box::new(first), rest })))
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

/// How tightly the binary operators bind, from `|` to `*`.
const LOOSEST: usize = 0;
const TIGHTEST: usize = 5;

/// The binary operator that stands here, and how tightly it binds.
fn operator_here(i: Tokens) -> Option<(usize, BinaryOp)> {
    if i.kind() != TokenKind::Op {
        return None;
    }
    Some(match i.text() {
        "|" => (LOOSEST, BinaryOp::BitOr),
        // Elsewhere `^` is power.
        "^" if i.strict() => (1, BinaryOp::BitXor),
        "&" => (2, BinaryOp::BitAnd),
        "<<" => (3, BinaryOp::ShiftLeft),
        ">>" => (3, BinaryOp::ShiftRight),
        "+" => (4, BinaryOp::Add),
        "-" => (4, BinaryOp::Sub),
        "*" => (TIGHTEST, BinaryOp::Mul),
        "/" => (TIGHTEST, BinaryOp::Div),
        "//" => (TIGHTEST, BinaryOp::FloorDiv),
        "%" => (TIGHTEST, BinaryOp::Mod),
        "@" => (TIGHTEST, BinaryOp::MatMul),
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
            first = expr(i, j, ExprKind::Chain { first: operand, rest });
        }
        if here.is_none() {
            break;
        }
    }
    Ok((j, first))
}

/// `a | b ^ c & d << e + f * g`: all that binds tighter than a comparison. `^` is power but under strict.
pub fn bitwise_or(i: Tokens) -> Parsed<Expr> {
    chain(i, LOOSEST)
}

/// Signs before a power: `-a^2` is `-(a^2)`.
pub fn factor(i: Tokens) -> Parsed<Expr> {
    let (j, signs) = signs(i);
    if signs.is_empty() {
        return power(i);
    }
    let (j, operand) = cut(power).parse(j)?;
    Ok((j, expr(i, j, ExprKind::Unary { signs, operand: Box::new(operand) })))
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
        exponents.push(Exponent { op_span, signs, operand });
        j = k;
    }
    if exponents.is_empty() {
        return Ok((j, base));
    }
    Ok((j, expr(i, j, ExprKind::Power { base: Box::new(base), exponents })))
}

impl BinaryOp {
    /// As written; power as `**`.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::FloorDiv => "//",
            BinaryOp::Mod => "%",
            BinaryOp::MatMul => "@",
            BinaryOp::Pow => "**",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
        }
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
