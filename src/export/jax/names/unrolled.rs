//! Loops over leaves by name, written out: in JAX only named leaves have gradients, and
//! `for p in [w, b]: p.grad = None` is `w.grad = None` and `b.grad = None`.

use super::changed;
use vjp_export_torch::edits::Edits;
use vjp_export_torch::writer::Program;
use vjp_syntax::ast::*;
use vjp_syntax::{Mode, visit};
use vjp_text::{Source, Span};

/// A longer list is not written out.
const MOST: usize = 20;

/// The program without such loops, if there are any; of loops in loops the outer ones.
pub(crate) fn unrolled(program: &Program) -> Option<Program> {
    let tree =
        vjp_syntax::parse(&Source::new(program.text.as_str()), Mode { strict: true }).ok()?;
    let mut whole =
        Whole { text: &program.text, names: Vec::new(), assigned: Vec::new(), looped: Vec::new() };
    whole.read(&tree.body);
    let mut changes = Vec::new();
    whole.block(&tree.body, &mut changes);
    changed(program, &changes)
}

struct Whole<'a> {
    text: &'a str,
    /// Where names stand that are variables.
    names: Vec<(&'a str, Span)>,
    /// Names that are assigned, and the list of names that they are.
    assigned: Vec<(&'a str, Option<Vec<&'a str>>)>,
    /// Names over which loops go.
    looped: Vec<&'a str>,
}

impl<'a> Whole<'a> {
    fn read(&mut self, body: &'a [Stmt]) {
        for s in body {
            visit::heads(s, &mut |e| names_in(e, &mut self.names));
            match &s.kind {
                StmtKind::Assign { targets, value } => {
                    let mut names = Vec::new();
                    targets.iter().for_each(|t| bound(t, &mut names));
                    let list = if targets.len() == 1 { listed(value) } else { None };
                    self.assigned.extend(names.into_iter().map(|name| (name, list.clone())));
                }
                StmtKind::For { iter, .. } => self.looped.extend(name_of(iter)),
                _ => {}
            }
            visit::blocks(s).into_iter().for_each(|block| self.read(block));
        }
    }

    fn block(&self, body: &'a [Stmt], changes: &mut Vec<(Span, String)>) {
        for s in body {
            match self.written_out(s) {
                Some(text) => changes.push((s.span, text)),
                None => visit::blocks(s).into_iter().for_each(|b| self.block(b, changes)),
            }
        }
    }

    fn written_out(&self, s: &'a Stmt) -> Option<String> {
        let StmtKind::For { target, iter, body, orelse } = &s.kind else { return None };
        let (target, items) = (name_of(target)?, self.items(iter)?);
        let mut inside = Vec::new();
        let plain = body.iter().all(|s| repeats(s, target, &items, &mut inside));
        let places = || inside.iter().filter(|(name, _)| *name == target);
        // The loop's own name stands nowhere else.
        let uses = self.names.iter().filter(|(name, _)| *name == target).count();
        let line = |at: u32| self.text[..at as usize].rfind('\n').map_or(0, |n| n + 1) as u32;
        let margin = &self.text[line(s.span.start) as usize..s.span.start as usize];
        let ready = plain && orelse.is_empty() && margin.trim().is_empty();
        if !ready || uses != places().count() + 1 || !body.iter().any(|s| has_grad(s, target)) {
            return None;
        }
        let first = body.first()?.span.start;
        let (begins, depth) = match line(first) > s.span.start {
            true => (line(first), (first - line(first)) as usize),
            false => (first, 0),
        };
        let part = Span { start: begins, end: s.span.end };
        let one = |item: &&str| {
            let mut edits = Edits::default();
            places().for_each(|(_, span)| edits.replace(*span, *item));
            let text = edits.apply(self.text, part);
            let lines = text.lines().map(|line| line.get(depth..).unwrap_or_default());
            lines.collect::<Vec<_>>().join(&format!("\n{margin}"))
        };
        Some(items.iter().map(one).collect::<Vec<_>>().join(&format!("\n{margin}")))
    }

    /// The names over which a loop goes: those of a list that only loops use, none of which is assigned
    /// twice.
    fn items(&self, iter: &'a Expr) -> Option<Vec<&'a str>> {
        let Some(list) = name_of(iter) else { return listed(iter) };
        let made = |name: &str| self.assigned.iter().filter(|(n, _)| *n == name).count();
        let (_, items) = self.assigned.iter().find(|(name, _)| *name == list)?;
        let items = items.clone()?;
        let loops = self.looped.iter().filter(|name| **name == list).count();
        let uses = self.names.iter().filter(|(name, _)| *name == list).count();
        let fixed = made(list) == 1 && uses == loops + 1 && items.iter().all(|n| made(n) == 1);
        fixed.then_some(items)
    }
}

/// Whether a statement of the loop can stand for itself with another name; the names in it.
fn repeats<'a>(
    s: &'a Stmt,
    target: &str,
    items: &[&str],
    names: &mut Vec<(&'a str, Span)>,
) -> bool {
    let mut plain = true;
    visit::heads(s, &mut |e| {
        names_in(e, names);
        plain &= is_plain(e);
    });
    let mut bounds = Vec::new();
    match &s.kind {
        StmtKind::Assign { targets, .. } => targets.iter().for_each(|t| bound(t, &mut bounds)),
        StmtKind::Expr(_) | StmtKind::Augment { .. } | StmtKind::If { .. } => {}
        StmtKind::With { items, .. } => plain &= items.iter().all(|(_, name)| name.is_none()),
        _ => return false,
    }
    plain
        && !bounds.iter().any(|name| *name == target || items.contains(name))
        && visit::blocks(s).into_iter().flatten().all(|s| repeats(s, target, items, names))
}

/// Whether the text of an expression may be copied: names in text fields have no place of their own.
fn is_plain(e: &Expr) -> bool {
    let mut plain = !matches!(e.kind, ExprKind::FString(_) | ExprKind::Lambda(_));
    visit::parts(e, &mut |part| plain &= is_plain(part));
    plain
}

fn has_grad(s: &Stmt, target: &str) -> bool {
    fn reads(e: &Expr, target: &str) -> bool {
        let own = matches!(&e.kind, ExprKind::Trailers { base, trailers }
            if name_of(base) == Some(target)
                && matches!(&trailers[0].kind, TrailerKind::Attr(n) if n.as_str() == "grad"));
        let mut found = own;
        visit::parts(e, &mut |part| found |= reads(part, target));
        found
    }
    let mut found = false;
    visit::heads(s, &mut |e| found |= reads(e, target));
    found || visit::blocks(s).into_iter().flatten().any(|s| has_grad(s, target))
}

fn name_of(e: &Expr) -> Option<&str> {
    match &e.kind {
        ExprKind::Name(name) => Some(name.as_str()),
        _ => None,
    }
}

/// A list of names.
fn listed(e: &Expr) -> Option<Vec<&str>> {
    let (ExprKind::List(items) | ExprKind::Tuple(items)) = &e.kind else { return None };
    let few = !items.is_empty() && items.len() <= MOST;
    if few { items.iter().map(name_of).collect() } else { None }
}

fn bound<'a>(target: &'a Expr, all: &mut Vec<&'a str>) {
    match &target.kind {
        ExprKind::Name(name) => all.push(name.as_str()),
        ExprKind::Tuple(items) | ExprKind::List(items) => {
            items.iter().for_each(|t| bound(t, all));
        }
        ExprKind::Starred(inner) => bound(inner, all),
        _ => {}
    }
}

fn names_in<'a>(e: &'a Expr, all: &mut Vec<(&'a str, Span)>) {
    if let ExprKind::Name(name) = &e.kind {
        all.push((name.as_str(), e.span));
    }
    visit::parts(e, &mut |part| names_in(part, all));
}
