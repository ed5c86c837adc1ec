//! Why a sweep was refused: what an operation had kept, and who wrote over it or freed it.

use crate::path::fixes;
use vjp_eval::leaf::naming::Places;
use vjp_eval::record::bindings::{Target, bound, root, walk};
use vjp_eval::record::statements::{Statement, slice, statements, writes};
use vjp_eval::{Halt, Help, Machine, Site};
use vjp_maths::autodiff::reverse::ancestors;
use vjp_maths::composite::entering;
use vjp_maths::{Node, Origin, Variable};
use vjp_syntax::ast::{Expr, ExprKind, Stmt, StmtKind, TrailerKind};
use vjp_tensor::{Fact, Place};
use vjp_text::{Source, Span};

/// Adds places and fixes to PyTorch's sentence about a value that was written or freed.
pub fn explain(m: &mut Machine, halt: &mut Halt, y: &Variable, site: &Site) {
    match halt.raised().fact {
        Fact::Overwritten => written(m, halt, y, site),
        Fact::Freed => freed(m, halt, y, site),
        _ => {}
    }
}

fn written(m: &mut Machine, halt: &mut Halt, y: &Variable, site: &Site) {
    let nodes = ancestors(y.node());
    let found = nodes.iter().rev().find_map(|n| Some((n, n.overwritten()?)));
    let Some((node, over)) = found else {
        return;
    };
    let op = spoken(m, node);
    let what = match over.input {
        None => "its result".to_string(),
        Some(k) => called(m, node, k),
    };
    let told = halt.told();
    told.label =
        Some(format!("backward needs the values that {op} saved, and they have been overwritten"));
    if let Some(source) = m.source_of(node.place().source) {
        let label = format!("{op} saved {what} for backward at version {}", over.then);
        told.elsewhere.push((source.clone(), node.place().span, label));
    }
    if let Some(source) = m.source_of(over.written.source) {
        let label = format!("modified in place here, now version {}", over.now);
        told.elsewhere.push((source.clone(), over.written.span, label));
    }
    let all = statements(m);
    let Some(write) = statement_at(&all, over.written) else {
        return;
    };
    let (goal, names) = asked(site);
    let needed = slice(m, &all, &names);
    let line = |from: usize, of: &dyn Fn(usize) -> Option<String>| -> Option<String> {
        let mut lines = Vec::new();
        for &k in needed.iter().filter(|k| **k <= from) {
            if !all[k].is_simple() {
                return None;
            }
            lines.extend(of(k));
        }
        lines.push(goal.clone());
        Some(lines.join("; "))
    };
    let text = |k: usize| Some(all[k].text().to_string());
    let mut offers = Vec::new();
    if needed.contains(&write) {
        if let Some(instead) = out_of_place(&all[write]) {
            let new = line(usize::MAX, &|k| {
                if k == write { Some(instead.clone()) } else { text(k) }
            });
            offers.push((new, out_of_place_says(&op)));
        }
        if let Some(copied) = reads_copy(m, &all[write]) {
            let copy =
                line(usize::MAX, &|k| if k == write { Some(copied.clone()) } else { text(k) });
            offers.push((copy, "reads from a copy, which the write leaves as it is".to_string()));
        }
        let at = node.place();
        if let Some(made) = statement_at(&all, at).filter(|k| over.input.is_none() && k != &write) {
            let copy = line(usize::MAX, &|k| match k == made && ends_with(&all[k], at) {
                true => Some(format!("{}.clone()", all[k].text())),
                false => text(k),
            });
            offers.push((copy, "writes into a copy".to_string()));
        }
    } else {
        // What was computed before the value was read is not run again: that would undo the write.
        let read = statement_at(&all, node.place()).unwrap_or(usize::MAX);
        offers.push((line(read, &text), "recomputes it from the new values".to_string()));
        let mut with_write = needed.clone();
        with_write.push(write);
        with_write.sort_unstable_by(|a, b| b.cmp(a));
        // What is written must be made again before it.
        let mut made = false;
        for k in &needed {
            bound(&all[*k].tree, &mut |name| made |= writes(&all[write].tree, name));
        }
        if made
            && let Some(instead) = out_of_place(&all[write])
            && with_write.iter().all(|k| all[*k].is_simple())
        {
            let texts = with_write.iter().map(|k| match *k == write {
                true => instead.as_str(),
                false => all[*k].text(),
            });
            let lines: Vec<&str> = texts.chain([goal.as_str()]).collect();
            offers.push((Some(lines.join("; ")), out_of_place_says(&op)));
        }
    }
    offer(m, halt, offers);
}

fn out_of_place_says(op: &str) -> String {
    format!("makes a new tensor; the values that {op} saved stay unchanged")
}

fn freed(m: &mut Machine, halt: &mut Halt, y: &Variable, site: &Site) {
    let nodes = ancestors(y.node());
    // What this sweep passed before it came here it has freed too.
    let Some(node) = nodes.iter().rev().find(|n| n.freed_earlier() && n.keeps()) else {
        return;
    };
    let op = spoken(m, node);
    let (inputs, output) = node.saved();
    let mut kept: Vec<String> = (0..node.inputs().len().min(8))
        .filter(|k| inputs & (1 << k) != 0)
        .map(|k| called(m, node, k))
        .collect();
    if output {
        kept.push("its result".to_string());
    }
    kept.dedup();
    let kept = match kept.is_empty() {
        true => "values".to_string(),
        false => vjp_text::words::list(&kept, "and"),
    };
    let told = halt.told();
    told.label =
        Some(format!("backward needs the values that {op} saved, and they have been freed"));
    if let Some(source) = m.source_of(node.place().source) {
        let label = format!("{op} saved {kept} for one backward");
        told.elsewhere.push((source.clone(), node.place().span, label));
    }
    let before = m.past.swept.clone();
    if let Some((source, span)) = &before {
        told.elsewhere.push((source.clone(), *span, "this backward used and freed them".into()));
    }
    let all = statements(m);
    let (goal, names) = asked(site);
    let needed = slice(m, &all, &names);
    if needed.iter().any(|k| !all[*k].is_simple()) {
        return;
    }
    let lines: Vec<String> = needed.iter().map(|k| all[*k].text().to_string()).collect();
    let computed = lines.join("; ");
    let mut offers = Vec::new();
    if !lines.is_empty() {
        offers.push((Some(format!("{computed}; {goal}")), "recomputes the graph".to_string()));
        if let Some((source, span)) = before
            && let Some(open) = source.slice(span).strip_suffix(')')
        {
            let comma = if open.ends_with('(') { "" } else { ", " };
            let first = format!("{open}{comma}retain_graph=True)");
            let says = "keeps the graph for a second backward".to_string();
            offers.push((Some(format!("{computed}; {first}; {goal}")), says));
        }
    }
    offer(m, halt, offers);
}

/// Adds the ways that run.
fn offer(m: &mut Machine, halt: &mut Halt, offers: Vec<(Option<String>, String)>) {
    for (code, says) in offers {
        if let Some(code) = code.filter(|c| fixes::fits(c))
            && fixes::tried(m, &code, None).is_some()
        {
            halt.told().help.push(Help { code, says });
        }
    }
}

/// The failing statement, and the names it reads.
fn asked(site: &Site) -> (String, Vec<vjp_text::Symbol>) {
    let text = site.text(site.span).trim().to_string();
    let names = crate::why::names(&text);
    (text, names)
}

/// An operation as it is written, where that is short.
fn spoken(m: &Machine, node: &Node) -> String {
    let place = node.place();
    let text = m.source_of(place.source).map_or("", |s| s.slice(place.span)).trim();
    match text.is_empty() || text.chars().count() > TEXT || text.contains('\n') {
        true => node.operation().spelled().to_string(),
        false => text.to_string(),
    }
}

/// The longest text that an operation is called by.
const TEXT: usize = 20;

/// An input as the program calls it.
fn called(m: &Machine, node: &Node, input: usize) -> String {
    let edge = &node.inputs()[input];
    let places = Places::of(m);
    let name = match &entering(edge).origin {
        Origin::Leaf(x) => places.leaf(x).filter(|n| !n.earlier).map(|n| n.name),
        Origin::Node(n) => m.names().into_iter().find_map(|(name, value)| {
            let bound = vjp_eval::leaf::existing(&value)?.node()?;
            bound.same(n).then_some(name)
        }),
        Origin::Constant(_) | Origin::LostView(_) => None,
    };
    name.unwrap_or_else(|| "its input".to_string())
}

/// The statement that stands around a place.
fn statement_at(all: &[Statement], at: Place) -> Option<usize> {
    all.iter().position(|s| {
        let span = s.tree.span;
        s.source.id() == at.source && span.start <= at.span.start && at.span.end <= span.end
    })
}

/// Whether the statement is `name = ` and what stands at the place.
fn ends_with(s: &Statement, at: Place) -> bool {
    match &s.tree.kind {
        StmtKind::Assign { value, .. } => {
            value.span == at.span && matches!(value.kind, ExprKind::Trailers { .. })
        }
        _ => false,
    }
}

/// `y = y.add(1)` for `y.add_(1)`, `y = y + 1` for `y += 1`, `y = y.clone(); y[0] = 5` for `y[0] = 5`.
pub fn out_of_place(s: &Statement) -> Option<String> {
    let slice = |span: Span| s.source.slice(span);
    let cloned = |name: &str| format!("{name} = {name}.clone(); {}", s.text());
    let Stmt { kind, .. } = &s.tree;
    match kind {
        StmtKind::Expr(e) => {
            let ExprKind::Trailers { base, trailers } = &e.kind else {
                return None;
            };
            let ExprKind::Name(name) = base.kind else {
                return None;
            };
            let method = trailers.first().and_then(|t| match &t.kind {
                TrailerKind::Attr(n) => n.as_str().strip_suffix('_'),
                _ => None,
            })?;
            let args = trailers.get(1).map(|t| slice(t.span)).filter(|_| trailers.len() == 2)?;
            Some(format!("{name} = {name}.{method}{args}"))
        }
        StmtKind::Augment { target, op, value } => match root(target)? {
            (name, Target::Whole) => {
                Some(format!("{name} = {name} {} {}", op.text(), factor(slice(value.span))))
            }
            (name, Target::Part) => Some(cloned(name.as_str())),
        },
        StmtKind::Assign { targets, .. } => match targets.as_slice() {
            [one] => match root(one)? {
                (name, Target::Part) => Some(cloned(name.as_str())),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// `c = y.clone(); y[0] = c[0]*c[1]` for `y[0] = y[0]*y[1]`.
fn reads_copy(m: &Machine, s: &Statement) -> Option<String> {
    let (target, op, value) = match &s.tree.kind {
        StmtKind::Augment { target, op, value } => (target, Some(op), value),
        StmtKind::Assign { targets, value } => (targets.first()?, None, value),
        _ => return None,
    };
    let (name, Target::Part) = root(target)? else { return None };
    let copy = ["c", "copy", "before"].into_iter().find(|copy| !m.binds(copy))?;
    let with_copy = |e: &Expr| {
        let mut places = Vec::new();
        walk(e, &mut |part| {
            if matches!(part.kind, ExprKind::Name(n) if n == name) {
                places.push(part.span);
            }
        });
        places.sort_by_key(|span| span.start);
        let (mut text, mut at) = (String::new(), e.span.start);
        for span in &places {
            text += s.source.slice(Span { start: at, end: span.start });
            text += copy;
            at = span.end;
        }
        (!places.is_empty()).then(|| text + s.source.slice(Span { start: at, end: e.span.end }))
    };
    let right = match op {
        None => with_copy(value)?,
        Some(op) => {
            let by = with_copy(value).unwrap_or_else(|| s.source.slice(value.span).to_owned());
            format!("{} {} {}", with_copy(target)?, op.text(), factor(&by))
        }
    };
    Some(format!("{copy} = {name}.clone(); {} = {right}", s.source.slice(target.span)))
}

/// A text as the right side of an operator.
fn factor(text: &str) -> String {
    match text.contains([' ', '+', '-']) {
        true => format!("({text})"),
        false => text.to_string(),
    }
}

/// A leaf that requires a gradient was to be written in place: the statement itself, where nothing is
/// recorded.
pub fn leaf_written(source: &Source, at: Span) -> Option<Help> {
    let simple = vjp_eval::record::source_lookup::is_simple(
        &vjp_eval::record::source_lookup::tree(source, at)?,
    );
    let inside = source.text().trim_end().contains('\n');
    let statement = vjp_eval::record::source_lookup::statement(source, at);
    statement.filter(|_| simple).map(|s| unrecorded(s, inside))
}

/// A statement that changes a leaf, where nothing is recorded.
pub fn unrecorded(statement: String, inside: bool) -> Help {
    let code = format!("with torch.no_grad(): {statement}");
    match inside {
        // The line alone would be another program.
        true => Help::words(format!("instead, write  {code}")),
        false => Help { code, says: "updates the leaf without recording the step".into() },
    }
}
