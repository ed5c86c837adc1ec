//! Which statements a value came from: those between its leaves and the place where it is
//! differentiated.

use super::Line;
use crate::syntax::ast::*;
use crate::syntax::visit;
use crate::text::source::Source;
use std::collections::HashSet;

/// A statement that stands before, with its text.
#[derive(Clone, Copy)]
pub struct Past<'a> {
    pub source: &'a Source,
    pub tree: &'a Stmt,
}

/// Methods that change what they are called on.
const CHANGES: [&str; 5] = ["append", "extend", "insert", "update", "add"];

/// The statements that stand before `path` (a line, then places in blocks), in order; what `with
/// torch.no_grad()` encloses is not recorded and does not count.
pub fn past<'a>(lines: &'a [Line<'_>], path: &[usize]) -> Vec<Past<'a>> {
    let mut all: Vec<Past> = Vec::new();
    let (top, inner) = (path[0], &path[1..]);
    all.extend(lines[..top].iter().map(|l| Past { source: &l.source, tree: &l.tree }));
    let mut at = &lines[top].tree;
    for place in inner {
        let Some((block, within)) = holding(at, *place) else {
            break;
        };
        all.extend(block[..within].iter().map(|tree| Past { source: &lines[top].source, tree }));
        at = &block[within];
    }
    all
}

/// A name through which what was computed in earlier turns of a loop around `path` reaches the
/// chosen statements, and with it the leaves.
pub fn carried(
    lines: &[Line<'_>],
    path: &[usize],
    chosen: &[Past],
    leaves: &[String],
) -> Option<String> {
    let mut at = &lines[path[0]].tree;
    for place in &path[1..] {
        let (block, within) = holding(at, *place)?;
        if matches!(at.kind, StmtKind::For { .. } | StmtKind::While { .. })
            && let Some(name) = carried_in(at, block, lines, path, chosen, leaves)
        {
            return Some(name);
        }
        at = &block[within];
    }
    None
}

fn carried_in(
    around: &Stmt,
    block: &Block,
    lines: &[Line<'_>],
    path: &[usize],
    chosen: &[Past],
    leaves: &[String],
) -> Option<String> {
    let source = &lines[path[0]].source;
    let body = || block.iter().filter(|s| !is_quiet(s, source));
    let mut moved: HashSet<String> = leaves.iter().cloned().collect();
    let mut written = HashSet::new();
    // A second pass sees what the end of the body hands to its beginning.
    for s in body().chain(body()) {
        let writes = writes(s);
        if reads(s).iter().any(|name| moved.contains(name)) {
            moved.extend(writes.iter().cloned());
        }
        written.extend(writes);
    }
    let mut bound: HashSet<String> = leaves.iter().cloned().collect();
    for p in chosen {
        let inside = p.tree.span.start >= around.span.start && p.tree.span.end <= around.span.end;
        let same = std::ptr::eq(p.source, source);
        if inside && same {
            let from_before =
                |n: &&String| written.contains(*n) && moved.contains(*n) && !bound.contains(*n);
            if let Some(name) = reads(p.tree).iter().find(from_before) {
                return Some(name.clone());
            }
            bound.extend(writes(p.tree));
        }
    }
    None
}

/// The block of a statement that holds its nested statement number `place`, all blocks counted on.
pub fn holding(s: &Stmt, mut place: usize) -> Option<(&Block, usize)> {
    for block in visit::blocks(s) {
        if place < block.len() {
            return Some((block, place));
        }
        place -= block.len();
    }
    None
}

/// Every name that is read in a statement, its blocks included.
pub fn reads(s: &Stmt) -> HashSet<String> {
    let mut all = HashSet::new();
    fn inside(e: &Expr, all: &mut HashSet<String>) {
        if let ExprKind::Name(name) = &e.kind {
            all.insert(name.as_str().to_owned());
        }
        visit::parts(e, &mut |part| inside(part, all));
    }
    let plain = match &s.kind {
        StmtKind::Assign { targets, .. } => targets.iter().filter(|t| is_name(t)).collect(),
        _ => Vec::new(),
    };
    visit::heads(s, &mut |e| {
        if !plain.iter().any(|t| t.span == e.span) {
            inside(e, &mut all);
        }
    });
    for block in visit::blocks(s) {
        block.iter().for_each(|s| all.extend(reads(s)));
    }
    all
}

/// Names in an expression.
pub fn names(e: &Expr) -> HashSet<String> {
    reads(&Stmt { span: e.span, kind: StmtKind::Expr(e.clone()) })
}

fn is_name(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Name(_))
}

/// Names that a statement binds or changes.
pub fn writes(s: &Stmt) -> HashSet<String> {
    let mut all = HashSet::new();
    let mut target = |e: &Expr| {
        fn bound(e: &Expr, all: &mut HashSet<String>) {
            match &e.kind {
                ExprKind::Name(name) => {
                    all.insert(name.as_str().to_owned());
                }
                ExprKind::Tuple(items) | ExprKind::List(items) => {
                    items.iter().for_each(|e| bound(e, all));
                }
                ExprKind::Starred(inner) => bound(inner, all),
                ExprKind::Trailers { base, .. } => bound(base, all),
                _ => {}
            }
        }
        bound(e, &mut all);
    };
    match &s.kind {
        StmtKind::Assign { targets, .. } => targets.iter().for_each(target),
        StmtKind::Augment { target: t, .. } | StmtKind::Annotate { target: t, .. } => target(t),
        StmtKind::For { target: t, .. } => target(t),
        StmtKind::Def { function, .. } => {
            return HashSet::from([function.name.symbol.as_str().to_owned()]);
        }
        StmtKind::Expr(e) => {
            if let ExprKind::Trailers { base, trailers } = &e.kind
                && let [.., last, call] = trailers.as_slice()
                && let (TrailerKind::Attr(name), TrailerKind::Call(_)) = (&last.kind, &call.kind)
            {
                let word = name.symbol.as_str();
                if in_place(word) || CHANGES.contains(&word) {
                    target(base);
                }
            }
        }
        _ => {}
    }
    for block in visit::blocks(s) {
        block.iter().for_each(|s| all.extend(writes(s)));
    }
    all
}

/// `add_`, but not `requires_grad_`.
pub fn in_place(word: &str) -> bool {
    word.ends_with('_') && !word.ends_with("__") && word != "requires_grad_"
}

/// A `with torch.no_grad():` block.
pub fn is_quiet(s: &Stmt, source: &Source) -> bool {
    match &s.kind {
        StmtKind::With { items, .. } => {
            items.iter().any(|(context, _)| source.slice(context.span).contains("no_grad"))
        }
        _ => false,
    }
}

/// `y.backward(…)`: y and the arguments.
pub fn backward(e: &Expr) -> Option<(&Expr, &[Trailer], &[Arg])> {
    let ExprKind::Trailers { base, trailers } = &e.kind else {
        return None;
    };
    let [before @ .., attr, call] = trailers.as_slice() else {
        return None;
    };
    match (&attr.kind, &call.kind) {
        (TrailerKind::Attr(name), TrailerKind::Call(args))
            if name.symbol.as_str() == "backward" && !is_module(base) =>
        {
            Some((base, before, args))
        }
        _ => None,
    }
}

fn is_module(base: &Expr) -> bool {
    matches!(&base.kind, ExprKind::Name(name) if name.as_str() == "torch")
}

/// Whether a statement sweeps somewhere inside.
pub fn sweeps(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Expr(e) if backward(e).is_some() => true,
        _ => visit::blocks(s).into_iter().any(|block| block.iter().any(sweeps)),
    }
}

/// Of `past`, the statements through which what is read by `needed` depends on `leaves`.
pub fn between<'a>(past: &[Past<'a>], leaves: &[String], needed: HashSet<String>) -> Vec<Past<'a>> {
    // A leaf counts from its last definition on.
    let defines = |p: &Past, leaf: &String| {
        matches!(&p.tree.kind, StmtKind::Assign { targets, .. }
            if targets.iter().any(|t| matches!(&t.kind, ExprKind::Name(n) if n.as_str() == leaf)))
    };
    let born = |leaf: &String| past.iter().rposition(|p| defines(p, leaf));
    let births: Vec<(usize, &String)> =
        leaves.iter().map(|leaf| (born(leaf).map_or(0, |at| at + 1), leaf)).collect();
    let mut moved: HashSet<String> = HashSet::new();
    let mut candidates = Vec::new();
    for (n, p) in past.iter().enumerate() {
        let here = births.iter().filter(|(at, _)| *at == n);
        moved.extend(here.map(|(_, leaf)| (*leaf).clone()));
        let writes = writes(p.tree);
        let born_here = births.iter().any(|(at, _)| *at == n + 1);
        if born_here && leaves.iter().any(|leaf| writes.contains(leaf)) {
            continue;
        }
        if is_quiet(p.tree, p.source) {
            continue;
        }
        let depends = reads(p.tree).iter().any(|name| moved.contains(name));
        if depends {
            moved.extend(writes.iter().cloned());
        } else {
            moved.retain(|name| !writes.contains(name));
        }
        candidates.push((*p, writes, depends));
    }
    // A name that the function itself binds must begin inside it, whatever it depends on.
    let (mut needed, mut own) = (needed, HashSet::new());
    let mut chosen = Vec::new();
    for (p, writes, depends) in candidates.into_iter().rev() {
        let wanted = writes.iter().any(|name| needed.contains(name));
        if !wanted || !depends && writes.is_disjoint(&own) {
            continue;
        }
        own.extend(writes.iter().cloned());
        if let StmtKind::Assign { targets, .. } = &p.tree.kind
            && targets.iter().all(is_name)
        {
            needed.retain(|name| !writes.contains(name));
        }
        needed.extend(reads(p.tree));
        chosen.push(p);
    }
    chosen.reverse();
    chosen
}
