//! Where the way from a leaf to a result breaks, found in the text of what was carried out: the `.item()`,
//! the `float(…)`, the `no_grad`, or a tensor that never asked for a gradient.

pub use crate::path::path_cutters::Cutter;
use crate::path::path_cutters::{cut, disables, is_no_grad, maker, turns_off};
use std::collections::HashMap;
use vjp_eval::leaf::naming::held;
use vjp_eval::record::bindings::walk;
use vjp_eval::record::statements::Statement;
use vjp_eval::{Machine, Value};
use vjp_maths::Variable;
use vjp_syntax::ast::{Expr, ExprKind, Stmt, StmtKind};
use vjp_syntax::visit::{blocks, heads};
use vjp_text::{Source, Span, Symbol};

/// A place where the way breaks.
#[derive(Clone, Debug)]
pub struct Break {
    pub cutter: Cutter,
    pub source: Source,
    /// What cuts, and the whole of what is cut: `.item()` and `x.sum().item()`.
    pub span: Span,
    pub whole: Span,
    /// What goes in: `x.sum()`.
    pub inner: Span,
    /// Place among the statements carried out, the latest being 0; None: in the text asked about.
    pub statement: Option<usize>,
    /// Names from where it breaks to the result.
    pub path: Vec<String>,
}

impl Break {
    /// Where carets stand: under all of `h.detach()`, and under `.item()` alone after something longer.
    pub fn marked(&self) -> Span {
        let inner = self.source.slice(self.inner);
        match inner.chars().all(|c| c.is_alphanumeric() || c == '_') {
            true => self.whole,
            false => self.span,
        }
    }
}

struct Search<'a> {
    m: &'a Machine,
    all: &'a [Statement],
    /// A cut counts only where this leaf leads to it; None: any leaf.
    leaf: Option<Symbol>,
    found: Vec<Break>,
    /// Parameters of the function whose body is searched.
    params: Vec<Symbol>,
    seen: Vec<(usize, Symbol)>,
    /// What [`Search::leads`] has found out.
    known: HashMap<(usize, Symbol), bool>,
    /// Leaves in modules and other containers, by their paths.
    inside: Vec<String>,
    /// A name was read that holds leaves.
    holds: bool,
}

/// Where the way from `leaf` (or from any) to the value of an expression breaks; `span`: where it stands.
pub fn breaks(
    m: &Machine,
    all: &[Statement],
    source: &Source,
    span: Span,
    leaf: Option<Symbol>,
) -> Vec<Break> {
    let text = Source::new(source.slice(span));
    let Ok(program) = vjp_syntax::parse(&text, m.mode()) else {
        return Vec::new();
    };
    let Some(StmtKind::Expr(e)) = program.body.first().map(|s| &s.kind) else {
        return Vec::new();
    };
    let mut search = Search {
        m,
        all,
        leaf,
        found: Vec::new(),
        params: Vec::new(),
        seen: Vec::new(),
        known: HashMap::new(),
        inside: leaves_inside(m),
        holds: false,
    };
    search.expression(&text, e, None, 0, &mut Vec::new());
    let holds = search.holds;
    let mut found = search.found;
    for b in found.iter_mut().filter(|b| b.source.id() == text.id()) {
        let moved = |s: Span| Span { start: s.start + span.start, end: s.end + span.start };
        b.source = source.clone();
        (b.span, b.whole, b.inner) = (moved(b.span), moved(b.whole), moved(b.inner));
    }
    // A tensor without the flag is the reason only where nothing was cut.
    // A module has leaves of its own, so no data of it must be one.
    if holds || found.iter().any(|b| b.cutter != Cutter::Flag) {
        found.retain(|b| b.cutter != Cutter::Flag);
    }
    found.dedup_by_key(|b| (b.source.id(), b.span));
    // A class or a function is no value on a path.
    let code = |name: &String| {
        matches!(m.global(Symbol::new(name)), Some(Value::Class(_) | Value::Function(_)))
    };
    found.iter_mut().for_each(|b| b.path.retain(|name| !code(name)));
    found
}

/// Leaves that modules and other containers hold, by their paths: `net.weight`.
pub(crate) fn leaves_inside(m: &Machine) -> Vec<String> {
    let leaf = |(path, x): (String, Variable)| (x.is_leaf() && x.requires_grad()).then_some(path);
    held(m).into_iter().filter_map(leaf).collect()
}

impl Search<'_> {
    /// `at`: the statement it belongs to; names are looked up among those before, from `from` on.
    fn expression(
        &mut self,
        source: &Source,
        e: &Expr,
        at: Option<usize>,
        from: usize,
        path: &mut Vec<String>,
    ) {
        let mut names = Vec::new();
        let mut cuts = Vec::new();
        walk(e, &mut |part| {
            if let ExprKind::Name(name) = part.kind {
                names.push(name);
            }
            if let Some(cut) = cut(source, part) {
                cuts.push(cut);
            }
        });
        let before = self.found.len();
        for (cutter, span, whole, inner) in cuts {
            let inside: Vec<Symbol> = names_in(e, inner);
            // What a function copies may be what it was given.
            let given = |n: &Symbol| cutter == Cutter::Copy && self.params.contains(n);
            let given = inside.iter().any(given);
            if given || inside.iter().any(|n| self.leads(*n, from, 0)) {
                self.found.push(Break {
                    cutter,
                    source: source.clone(),
                    span,
                    whole,
                    inner,
                    statement: at,
                    path: path.clone(),
                });
            }
        }
        for name in names {
            self.holds |= self.is_holder(name);
            if Some(name) == self.leaf || self.seen.contains(&(from, name)) {
                continue;
            }
            // What is recorded is whole as far as this leaf goes, unless one leaf is asked about.
            if self.leaf.is_none() && self.is_recorded(name) {
                continue;
            }
            self.seen.push((from, name));
            self.name(name, from, path);
        }
        if let Some(whole) =
            maker(source, e).filter(|_| self.found.len() == before && self.leaf.is_none())
            && !source.slice(whole).contains("requires_grad=True")
        {
            self.found.push(Break {
                cutter: Cutter::Flag,
                source: source.clone(),
                span: whole,
                whole,
                inner: whole,
                statement: at,
                path: path.clone(),
            });
        }
    }

    /// Goes on with the statement that bound a name.
    fn name(&mut self, name: Symbol, from: usize, path: &mut Vec<String>) {
        if path.len() > 50 {
            return;
        }
        let all = self.all;
        let Some((k, statement)) = all.iter().enumerate().skip(from).find(|(_, s)| s.binds(name))
        else {
            return;
        };
        path.insert(0, name.to_string());
        let off = (from..k).find(|j| turns_off(all[*j].text(), name.as_str()));
        for j in (from..k).filter(|j| writes_into(&all[*j].tree, name)) {
            self.statement(&all[j], &all[j].tree, j, path);
        }
        let reads = || statement.reads();
        match (off, self.disabled(k)) {
            (Some(j), _) if self.leaf.is_none_or(|leaf| leaf == name) => {
                self.at_statement(Cutter::Off, j, path);
            }
            (_, Some(j)) if reads().iter().any(|n| self.leads(*n, k + 1, 0)) => {
                self.at_statement(Cutter::Disabled, j, path);
            }
            _ => self.statement(statement, &statement.tree, k, path),
        }
        path.remove(0);
    }

    /// The statement that had turned recording off when the k-th was carried out.
    fn disabled(&self, k: usize) -> Option<usize> {
        let said = |j: &usize| disables(self.all[*j].text());
        (k..self.all.len()).find(|j| said(j).is_some()).filter(|j| said(j) == Some(true))
    }

    /// A whole statement cuts.
    fn at_statement(&mut self, cutter: Cutter, k: usize, path: &[String]) {
        let Statement { source, tree } = &self.all[k];
        self.found.push(Break {
            cutter,
            source: source.clone(),
            span: tree.span,
            whole: tree.span,
            inner: tree.span,
            statement: Some(k),
            path: path.to_vec(),
        });
    }

    fn statement(&mut self, statement: &Statement, tree: &Stmt, k: usize, path: &mut Vec<String>) {
        let source = &statement.source;
        if let StmtKind::With { items, body } = &tree.kind
            && let Some((context, _)) = items.iter().find(|(c, _)| is_no_grad(source, c))
        {
            let mut reads = Vec::new();
            body.iter().for_each(|s| vjp_eval::record::bindings::read(s, &mut |n| reads.push(n)));
            if reads.iter().any(|n| self.leads(*n, k + 1, 0)) {
                self.found.push(Break {
                    cutter: Cutter::NoGrad,
                    source: source.clone(),
                    span: context.span,
                    whole: tree.span,
                    inner: tree.span,
                    statement: Some(k),
                    path: path.clone(),
                });
                return;
            }
        }
        if let StmtKind::Def { decorators, .. } = &tree.kind
            && let Some(decorator) = decorators.iter().find(|d| is_no_grad(source, d))
        {
            self.found.push(Break {
                cutter: Cutter::NoGrad,
                source: source.clone(),
                span: decorator.span,
                whole: decorator.span,
                inner: decorator.span,
                statement: Some(k),
                path: path.clone(),
            });
            return;
        }
        match &tree.kind {
            StmtKind::Assign { value, .. } | StmtKind::Augment { value, .. } => {
                self.expression(source, value, Some(k), k + 1, path);
            }
            _ => {
                let mut parts = Vec::new();
                heads(tree, &mut |e| parts.push(e));
                for e in parts {
                    self.expression(source, e, Some(k), k + 1, path);
                }
            }
        }
        let params = match &tree.kind {
            StmtKind::Def { function, .. } | StmtKind::ShortDef(function) => {
                function.params.list.iter().map(|p| p.name.symbol).collect()
            }
            _ => self.params.clone(),
        };
        let outer = std::mem::replace(&mut self.params, params);
        for block in blocks(tree) {
            for inner in block {
                self.statement(statement, inner, k, path);
            }
        }
        self.params = outer;
    }

    fn is_recorded(&self, name: Symbol) -> bool {
        let value = self.m.global(name);
        value.and_then(|v| vjp_eval::leaf::existing(&v)).is_some_and(|v| v.requires_grad())
    }

    /// Whether a name leads to leaves inside of what it represents (to the one asked about); in a method
    /// `self` does.
    fn is_holder(&self, name: Symbol) -> bool {
        let this = name.as_str() == "self" && self.params.contains(&name);
        let held = |path: &str| {
            let rest = path.strip_prefix(name.as_str());
            this || rest.is_some_and(|rest| rest.starts_with(['.', '[']))
        };
        match self.leaf {
            Some(leaf) => self.inside.iter().any(|path| path == leaf.as_str() && held(path)),
            None => self.inside.iter().any(|path| held(path)),
        }
    }

    /// Whether a leaf (the one asked about) leads to what a name stood for.
    fn leads(&mut self, name: Symbol, from: usize, depth: usize) -> bool {
        match self.leaf {
            Some(leaf) if leaf == name => return true,
            None if self.is_recorded(name) => return true,
            _ if self.is_holder(name) => return true,
            _ => {}
        }
        if depth > 50
            || matches!(self.m.global(name), Some(Value::Module(_) | Value::Builtin(_)) | None)
        {
            return false;
        }
        if let Some(&known) = self.known.get(&(from, name)) {
            return known;
        }
        let all = self.all;
        let mut before = all.iter().enumerate().skip(from);
        let leads = before.find(|(_, s)| s.binds(name)).is_some_and(|(k, s)| {
            let reads = s.reads();
            reads.iter().any(|n| *n != name && self.leads(*n, k + 1, depth + 1))
        });
        self.known.insert((from, name), leads);
        leads
    }
}

/// Whether a statement, or one in its blocks, assigns to elements of a name: `y[i] = …`.
fn writes_into(tree: &Stmt, name: Symbol) -> bool {
    let element = |target: &Expr| match &target.kind {
        ExprKind::Trailers { base, .. } => base.kind == ExprKind::Name(name),
        _ => false,
    };
    let own = match &tree.kind {
        StmtKind::Assign { targets, .. } => targets.iter().any(element),
        StmtKind::Augment { target, .. } => element(target),
        _ => false,
    };
    own || blocks(tree).iter().any(|block| block.iter().any(|inner| writes_into(inner, name)))
}

/// Names in a part of an expression.
fn names_in(e: &Expr, part: Span) -> Vec<Symbol> {
    let mut names = Vec::new();
    walk(e, &mut |x| {
        if let ExprKind::Name(name) = x.kind
            && part.start <= x.span.start
            && x.span.end <= part.end
        {
            names.push(name);
        }
    });
    names
}
