//! What may stand on the left of `=`, after `for`, `as` and `del`.

use super::SyntaxFault;
use super::ast::*;
use super::combinators::{checked, comma, starting, tuple};
use super::expr::{bitwise_or, starred};
use super::input::{Parsed, Tokens};
use nom::Parser;
use nom::branch::alt;
use nom::sequence::preceded;

/// How a syntax error names an expression, in CPython's words.
pub fn describe(kind: &ExprKind) -> &'static str {
    match kind {
        ExprKind::None => "None",
        ExprKind::True => "True",
        ExprKind::False => "False",
        ExprKind::Ellipsis => "ellipsis",
        ExprKind::Int(_) | ExprKind::Long(_) | ExprKind::Float(_) | ExprKind::Str(_) => "literal",
        ExprKind::FString(_) => "f-string expression",
        ExprKind::Name(_) => "name",
        ExprKind::List(_) => "list",
        ExprKind::Tuple(_) => "tuple",
        ExprKind::Set(_) => "set display",
        ExprKind::Dict(_) => "dict literal",
        ExprKind::ListComp { .. } => "list comprehension",
        ExprKind::SetComp { .. } => "set comprehension",
        ExprKind::DictComp { .. } => "dict comprehension",
        ExprKind::Generator { .. } => "generator expression",
        ExprKind::Starred(_) => "starred",
        ExprKind::Compare { .. } => "comparison",
        ExprKind::IfElse { .. } => "conditional expression",
        ExprKind::Lambda(_) => "lambda",
        ExprKind::Walrus { .. } => "named expression",
        ExprKind::Trailers { trailers, .. } => match trailers.last().map(|t| &t.kind) {
            Some(TrailerKind::Attr(_)) => "attribute",
            Some(TrailerKind::Index(_)) => "subscript",
            _ => "function call",
        },
        ExprKind::Unary { .. } | ExprKind::Not { .. } | ExprKind::Chain { .. } => "expression",
        ExprKind::Power { .. } | ExprKind::And(_) | ExprKind::Or(_) => "expression",
        ExprKind::Slice { .. } => "slice",
        ExprKind::Yield { .. } => "yield expression",
    }
}

/// A name, an attribute or an element: what one value can be stored in.
pub fn is_single(kind: &ExprKind) -> bool {
    matches!(describe(kind), "name" | "attribute" | "subscript")
}

/// The first part of a target that cannot be assigned to.
fn offender(target: &Expr) -> Option<&Expr> {
    match &target.kind {
        ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().find_map(offender),
        ExprKind::Starred(inner) if !matches!(inner.kind, ExprKind::Starred(_)) => offender(inner),
        kind if is_single(kind) => None,
        _ => Some(target),
    }
}

/// Refuses a target of `=`, `for` or `as` that nothing can be stored in.
pub fn check_target(i: Tokens, _: Tokens, target: &Expr) -> Result<(), SyntaxFault> {
    if let Some(part) = offender(target) {
        let message = format!("cannot assign to {}", describe(&part.kind));
        return Err(SyntaxFault::new(part.span, message));
    }
    if matches!(target.kind, ExprKind::Starred(_)) {
        let message = "starred assignment target must be in a list or tuple";
        i.violates(target.span, message);
    }
    stars(i, target);
    Ok(())
}

/// Only one part of a target may take the rest.
fn stars(i: Tokens, target: &Expr) {
    match &target.kind {
        ExprKind::List(items) | ExprKind::Tuple(items) => {
            let starred = |e: &&Expr| matches!(e.kind, ExprKind::Starred(_));
            if items.iter().filter(starred).count() > 1 {
                i.violates(target.span, "multiple starred expressions in assignment");
            }
            items.iter().for_each(|e| stars(i, e));
        }
        ExprKind::Starred(inner) => stars(i, inner),
        _ => {}
    }
}

/// `name = value` where only an expression can stand: Python offers `==`.
pub fn no_equals(i: Tokens, j: Tokens, value: &Expr) -> Result<(), SyntaxFault> {
    if !j.is("=") {
        return Ok(());
    }
    if !matches!(value.kind, ExprKind::Name(_)) {
        return Err(cannot_assign_here(value));
    }
    let end = bitwise_or(j.next()).map_or(j.next(), |(k, _)| k);
    let message = "invalid syntax. Maybe you meant '==' or ':=' instead of '='?";
    Err(SyntaxFault::new(i.span_to(end), message))
}

/// `cannot assign to … here. Maybe you meant '=='`.
pub fn cannot_assign_here(value: &Expr) -> SyntaxFault {
    let what = describe(&value.kind);
    let message = match value.kind {
        ExprKind::None | ExprKind::True | ExprKind::False => format!("cannot assign to {what}"),
        ExprKind::Name(_) => "invalid syntax. Maybe you meant '==' or ':=' instead of '='?".into(),
        _ => format!("cannot assign to {what} here. Maybe you meant '==' instead of '='?"),
    };
    SyntaxFault::new(value.span, message)
}

/// The targets of a `for`: names, elements, tuples, up to `in`.
pub fn for_targets(i: Tokens) -> Parsed<Expr> {
    checked(target_list, check_target).parse(i)
}

/// `a, b, *c`: expressions above the level of `in`.
fn target_list(i: Tokens) -> Parsed<Expr> {
    tuple(star_target, comma()).parse(i)
}

pub fn star_target(i: Tokens) -> Parsed<Expr> {
    preceded(starting("a name"), alt((starred, bitwise_or))).parse(i)
}

/// `a`, `a.b`, `a[i]`, or a tuple or list of such.
pub fn del_target(i: Tokens) -> Parsed<Expr> {
    alt((starred, bitwise_or)).parse(i)
}

/// Refuses what `del` cannot delete.
pub fn check_deletable(targets: &[Expr]) -> Result<(), SyntaxFault> {
    targets.iter().try_for_each(|target| match &target.kind {
        ExprKind::List(items) | ExprKind::Tuple(items) => check_deletable(items),
        kind if is_single(kind) => Ok(()),
        kind => {
            let message = format!("cannot delete {}", describe(kind));
            Err(SyntaxFault::new(target.span, message))
        }
    })
}
