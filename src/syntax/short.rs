//! The short form of a function, `f(x) = expression`.

use super::SyntaxFault;
use super::ast::*;
use super::expr::star_expressions;
use super::input::{Parsed, Tokens, fail};
use super::statement::lone_star;
use nom::Parser;
use nom::combinator::cut;
use std::rc::Rc;
use vjp_text::tokens::TokenKind;

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
