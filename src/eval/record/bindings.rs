//! Which names a statement binds and which it reads, as the text tells.

use vjp_syntax::ast::{Block, Expr, ExprKind, Name, Stmt, StmtKind};
use vjp_syntax::visit::{blocks, heads, parts};
use vjp_text::Symbol;

/// What an assignment gives a name: a new value, or a new part of the one it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Whole,
    Part,
}

/// The name that a single target is about: `x`, and `x` of `x[0]` and `x.a`.
pub fn root(target: &Expr) -> Option<(Symbol, Target)> {
    match &target.kind {
        ExprKind::Name(name) => Some((*name, Target::Whole)),
        ExprKind::Trailers { base, .. } => match base.kind {
            ExprKind::Name(name) => Some((name, Target::Part)),
            _ => None,
        },
        _ => None,
    }
}

/// The names that stand whole in a target.
pub fn targets(target: &Expr, each: &mut dyn FnMut(Symbol)) {
    match &target.kind {
        ExprKind::Name(name) => each(*name),
        ExprKind::Tuple(items) | ExprKind::List(items) => {
            items.iter().for_each(|item| targets(item, each));
        }
        ExprKind::Starred(inner) => targets(inner, each),
        _ => {}
    }
}

/// Calls `each` with every name that a statement or one of its blocks binds; what functions bind is
/// their own.
pub fn bound(s: &Stmt, each: &mut dyn FnMut(Symbol)) {
    match &s.kind {
        StmtKind::Assign { targets: all, .. } => all.iter().for_each(|t| targets(t, each)),
        StmtKind::Augment { target, .. } => targets(target, each),
        StmtKind::Annotate { target, value: Some(_), .. } => targets(target, each),
        StmtKind::ShortDef(f) => each(f.name.symbol),
        StmtKind::Def { function, .. } => each(function.name.symbol),
        StmtKind::Class { name, .. } => each(name.symbol),
        StmtKind::For { target, .. } => targets(target, each),
        StmtKind::With { items, .. } => {
            let names = items.iter().filter_map(|(_, name)| name.as_ref());
            names.for_each(|name| targets(name, each));
        }
        StmtKind::Import(all) => {
            for (path, alias) in all {
                let name: Option<&Name> = alias.as_ref().or(path.first());
                name.into_iter().for_each(|n| each(n.symbol));
            }
        }
        StmtKind::FromImport { names, .. } => {
            let names = names.iter().map(|(name, alias)| alias.unwrap_or(*name));
            names.for_each(|n| each(n.symbol));
        }
        _ => {}
    }
    heads(s, &mut |e| {
        walk(e, &mut |part| {
            if let ExprKind::Walrus { name, .. } = &part.kind {
                each(name.symbol);
            }
        });
    });
    for block in inner(s) {
        block.iter().for_each(|s| bound(s, each));
    }
}

/// The blocks that run where the statement stands.
fn inner(s: &Stmt) -> Vec<&Block> {
    match &s.kind {
        StmtKind::ShortDef(_) | StmtKind::Def { .. } | StmtKind::Class { .. } => Vec::new(),
        _ => blocks(s),
    }
}

/// Calls `each` with an expression and all that stand in it.
pub fn walk<'a>(e: &'a Expr, each: &mut dyn FnMut(&'a Expr)) {
    let mut waiting = vec![e];
    while let Some(e) = waiting.pop() {
        each(e);
        let start = waiting.len();
        parts(e, &mut |part| waiting.push(part));
        waiting[start..].reverse();
    }
}

/// Calls `each` with every name that a statement reads, those of its blocks and functions included.
pub fn read(s: &Stmt, each: &mut dyn FnMut(Symbol)) {
    let mut written: Vec<*const Expr> = Vec::new();
    let mut whole = |target: &Expr| {
        walk(target, &mut |part| {
            if let ExprKind::Name(_) = part.kind {
                written.push(part);
            }
        });
    };
    match &s.kind {
        StmtKind::Assign { targets: all, .. } => {
            for target in all.iter().filter(|t| !matches!(t.kind, ExprKind::Trailers { .. })) {
                whole(target);
            }
        }
        StmtKind::Annotate { target, .. } | StmtKind::For { target, .. } => whole(target),
        _ => {}
    }
    heads(s, &mut |e| {
        walk(e, &mut |part| {
            if let ExprKind::Name(name) = part.kind
                && !written.contains(&std::ptr::from_ref(part))
            {
                each(name);
            }
        });
    });
    for block in blocks(s) {
        block.iter().for_each(|s| read(s, each));
    }
}

/// Whether a statement gives a name a value that does not come from the one it had.
pub fn defines(s: &Stmt, name: Symbol) -> bool {
    if matches!(s.kind, StmtKind::Augment { .. }) {
        return false;
    }
    let (mut is_bound, mut is_read) = (false, false);
    bound(s, &mut |n| is_bound |= n == name);
    if is_bound {
        read(s, &mut |n| is_read |= n == name);
    }
    is_bound && !is_read
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use vjp_syntax::Mode;
    use vjp_text::Source;

    fn names(code: &str, of: fn(&Stmt, &mut dyn FnMut(Symbol))) -> Vec<String> {
        let program = vjp_syntax::parse(&Source::new(code), Mode::default()).unwrap();
        let mut all = Vec::new();
        for s in &program.body {
            of(s, &mut |n| all.push(n.to_string()));
        }
        all
    }

    #[test]
    fn names_that_are_bound_and_read() {
        assert_eq!(names("a, (b, *c) = f(x)[i]", bound), ["a", "b", "c"]);
        assert_eq!(names("a, (b, *c) = f(x)[i]", read), ["f", "x", "i"]);
        assert_eq!(names("x[k] += y", bound), [""; 0]);
        assert_eq!(names("x[k] += y", read), ["x", "k", "y"]);
        assert_eq!(names("for t in r:\n    w = w - t*g", bound), ["t", "w"]);
        assert_eq!(names("def f(a):\n    b = a\n    return b + c\n", bound), ["f"]);
    }

    #[test]
    fn a_loop_that_goes_on_with_a_name_does_not_define_it() {
        let w = Symbol::new("w");
        let first = |code: &str| {
            vjp_syntax::parse(&Source::new(code), Mode::default()).unwrap().body.remove(0)
        };
        assert!(defines(&first("w = [1, 2]"), w));
        assert!(!defines(&first("w = w - 1"), w));
        assert!(!defines(&first("w += 1"), w));
        assert!(!defines(&first("for k in r:\n    w = w - k"), w));
    }
}
