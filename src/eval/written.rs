//! Looking a place up in the program again: the statement or the call that stands there.

use crate::syntax::ast::{Block, Expr, ExprKind, Stmt, StmtKind, TrailerKind};
use crate::syntax::visit::blocks;
use crate::syntax::{self, Mode};
use crate::text::source::{Source, Span};

/// The text of the innermost statement around a place; a block's is its header's line.
pub fn statement(source: &Source, at: Span) -> Option<String> {
    let program = [false, true]
        .iter()
        .find_map(|&strict| syntax::parse(source, Mode { strict }).ok())?;
    let found = innermost(&program.body, at)?;
    let text = source.slice(found.span);
    Some(
        text.lines()
            .next()
            .unwrap_or("")
            .trim()
            .trim_end_matches(';')
            .to_string(),
    )
}

fn innermost(body: &[Stmt], at: Span) -> Option<&Stmt> {
    let mut body = body;
    let mut best = None;
    while let Some(s) = body
        .iter()
        .find(|s| s.span.start <= at.start && at.end <= s.span.end)
    {
        best = Some(s);
        match blocks(s).into_iter().find(|b| within(b, at)) {
            Some(inner) => body = inner,
            None => break,
        }
    }
    best
}

fn within(block: &Block, at: Span) -> bool {
    block
        .iter()
        .any(|s| s.span.start <= at.start && at.end <= s.span.end)
}

/// The texts of a call's positional arguments, given the text of the call.
pub fn arguments(call: &str) -> Option<Vec<String>> {
    let source = Source::new(call);
    let program = syntax::parse(&source, Mode::default()).ok()?;
    let [
        Stmt {
            kind:
                StmtKind::Expr(Expr {
                    kind: ExprKind::Trailers { trailers, .. },
                    ..
                }),
            ..
        },
    ] = program.body.as_slice()
    else {
        return None;
    };
    let TrailerKind::Call(args) = &trailers.last()?.kind else {
        return None;
    };
    Some(
        args.iter()
            .map(|a| source.slice(a.value.span).to_string())
            .collect(),
    )
}
