//! Names that statements bind.

use std::collections::HashSet;
use vjp_syntax::ast::*;
use vjp_syntax::visit;

/// The names, and those that the statements take from outside with `global`.
pub(crate) fn bound_in(body: &[Stmt], own: &mut HashSet<String>, outer: &mut HashSet<String>) {
    for s in body {
        visit::heads(s, &mut |e| walruses(e, own));
        match &s.kind {
            StmtKind::Assign { targets: all, .. } => all.iter().for_each(|t| targets(t, own)),
            StmtKind::Augment { target, .. }
            | StmtKind::Annotate { target, .. }
            | StmtKind::For { target, .. } => targets(target, own),
            StmtKind::Def { function, .. } => {
                own.insert(function.name.as_str().to_owned());
                continue;
            }
            StmtKind::Class { name, .. } => {
                own.insert(name.as_str().to_owned());
                continue;
            }
            StmtKind::With { items, .. } => {
                items.iter().filter_map(|(_, t)| t.as_ref()).for_each(|t| targets(t, own));
            }
            StmtKind::Global(names) | StmtKind::Nonlocal(names) => {
                outer.extend(names.iter().map(|n| n.as_str().to_owned()));
            }
            StmtKind::Try { handlers, .. } => {
                own.extend(handlers.iter().filter_map(|h| h.name).map(|n| n.as_str().to_owned()));
            }
            _ => {}
        }
        for block in visit::blocks(s) {
            bound_in(block, own, outer);
        }
    }
}

/// Names that an expression reads.
pub(crate) fn read_in(e: &Expr, all: &mut HashSet<String>) {
    if let ExprKind::Name(name) = &e.kind {
        all.insert(name.as_str().to_owned());
    }
    visit::parts(e, &mut |p| read_in(p, all));
}

/// Names that `:=` binds in an expression.
fn walruses(e: &Expr, all: &mut HashSet<String>) {
    if let ExprKind::Walrus { name, .. } = &e.kind {
        all.insert(name.as_str().to_owned());
    }
    if !matches!(e.kind, ExprKind::Lambda(_)) {
        visit::parts(e, &mut |p| walruses(p, all));
    }
}

/// Names that a target binds.
pub(crate) fn targets(e: &Expr, all: &mut HashSet<String>) {
    match &e.kind {
        ExprKind::Name(name) => {
            all.insert(name.as_str().to_owned());
        }
        ExprKind::Tuple(items) | ExprKind::List(items) => {
            items.iter().for_each(|t| targets(t, all));
        }
        ExprKind::Starred(inner) => targets(inner, all),
        _ => {}
    }
}
