//! The text that a result stands on: where the names in it came to their values, and where those did. What a
//! session took out of the graph elsewhere has nothing to do with it.

use std::collections::HashSet;
use vjp_eval::record::bindings::{bound, defines, read, targets, walk};
use vjp_eval::record::goal::Placed;
use vjp_eval::record::statements::writes;
use vjp_eval::{Machine, Value};
use vjp_syntax::ast::{Expr, ExprKind, Function, Stmt, StmtKind, Trailer, TrailerKind};
use vjp_syntax::visit::{blocks, heads};
use vjp_tensor::Place;
use vjp_text::{Source, Span, Symbol};

pub(crate) struct Behind {
    parts: Vec<Place>,
    /// Where gradients are read in it: numbers that no gradient passes through either.
    pub gradients: Vec<Place>,
    /// The sources of the program.
    sources: HashSet<u32>,
}

impl Behind {
    /// Of an output that the present statement asks about; None where its text tells no names.
    pub fn of(m: &Machine, source: &Source, output: Span) -> Option<Behind> {
        let deeds = m.deeds()?;
        let mut names = HashSet::new();
        let text = Source::new(source.slice(output));
        for s in &vjp_syntax::parse(&text, m.mode()).ok()?.body {
            read(s, &mut |name| names.extend([name]));
        }
        // In a function, what the call is given counts too.
        let (of, body, at) = deeds.last()?;
        let present = &body[*at];
        let within = of.id() == source.id() && inside(output, present.span);
        if !within {
            read(present, &mut |name| names.extend([name]));
        }
        if names.is_empty() {
            return None;
        }
        let behind = Behind {
            parts: vec![Place { source: source.id(), span: output }],
            gradients: Vec::new(),
            sources: deeds.iter().map(|(source, ..)| source.id()).collect(),
        };
        let mut search = Search { m, behind, needed: names, free: HashSet::new(), called: None };
        search.all(&deeds, output);
        Some(search.behind)
    }

    /// Whether a place of the program is part of it; of the library's own text nothing is known.
    pub fn has(&self, place: &Place) -> bool {
        let part = |p: &Place| p.source == place.source && inside(place.span, p.span);
        !self.sources.contains(&place.source) || self.parts.iter().any(part)
    }
}

fn inside(span: Span, of: Span) -> bool {
    of.start <= span.start && span.end <= of.end
}

struct Search<'a> {
    m: &'a Machine,
    behind: Behind,
    needed: HashSet<Symbol>,
    /// Names of the program that functions read: whenever they are called.
    free: HashSet<Symbol>,
    /// The functions around the statement that is looked at, where it stands in one.
    called: Option<Vec<Span>>,
}

impl Search<'_> {
    fn all(&mut self, deeds: &[Placed], output: Span) {
        let names = self.needed.clone();
        loop {
            let before = (self.behind.parts.len(), self.free.len());
            self.needed = names.union(&self.free).copied().collect();
            for (source, body, at) in deeds.iter().rev() {
                let s = &body[*at];
                // The body that asks is behind its own output.
                let asks = self.behind.parts[0].source == source.id() && inside(output, s.span);
                if let (true, Some(f)) = (asks, function(s)) {
                    self.body(source, f, names.clone());
                }
                self.settled(source, std::slice::from_ref(s));
                match &s.kind {
                    StmtKind::For { target, .. } => {
                        targets(target, &mut |name| self.needed.retain(|n| *n != name));
                    }
                    _ if blocks(s).is_empty() => self.needed.retain(|name| !defines(s, *name)),
                    _ => {}
                }
            }
            if before == (self.behind.parts.len(), self.free.len()) {
                break;
            }
        }
    }

    /// Statements in any order, until nothing is added: those of a loop come before themselves.
    fn settled(&mut self, source: &Source, body: &[Stmt]) {
        loop {
            let before = (self.behind.parts.len(), self.needed.len());
            for s in body.iter().rev() {
                self.statement(source, s);
            }
            if before == (self.behind.parts.len(), self.needed.len()) {
                break;
            }
        }
    }

    /// Whether a statement, or one inside it, gives what is needed.
    fn statement(&mut self, source: &Source, s: &Stmt) -> bool {
        match &s.kind {
            StmtKind::ShortDef(f) | StmtKind::Def { function: f, .. } => {
                let called = self.needed.contains(&f.name.symbol);
                if called {
                    self.body(source, f, HashSet::new());
                    heads(s, &mut |e| self.keep(source, e));
                }
                called
            }
            StmtKind::Class { name, body, .. } => {
                let called = self.needed.contains(&name.symbol);
                if called {
                    heads(s, &mut |e| self.keep(source, e));
                    for s in body.iter() {
                        match function(s) {
                            // What a method writes into its object is found there.
                            Some(f) => {
                                let own = f.params.list.first().map(|p| p.name.symbol);
                                self.body(source, f, own.into_iter().collect());
                            }
                            None => heads(s, &mut |e| self.keep(source, e)),
                        }
                    }
                }
                called
            }
            _ => {
                let inner = blocks(s);
                let mut gives = false;
                for s in inner.iter().flat_map(|block| block.iter()) {
                    gives |= self.statement(source, s);
                }
                gives |= inner.is_empty() && !sets_gradient(s) && self.changes(s);
                if gives {
                    heads(s, &mut |e| self.keep(source, e));
                }
                gives
            }
        }
    }

    /// Whether a statement gives a needed name its value, or writes into it.
    fn changes(&self, s: &Stmt) -> bool {
        let returns = match &s.kind {
            StmtKind::Return(_) => true,
            StmtKind::Expr(e) => {
                let mut yields = false;
                walk(e, &mut |e| yields |= matches!(e.kind, ExprKind::Yield { .. }));
                yields
            }
            _ => false,
        };
        let mut binds = returns && self.called.is_some();
        bound(s, &mut |name| binds |= self.needed.contains(&name));
        binds || self.needed.iter().any(|name| writes(s, *name)) || self.fills(s)
    }

    /// Whether a call may change a needed object: `all.append(x)`, `fill(all, x)`.
    fn fills(&self, s: &Stmt) -> bool {
        let StmtKind::Expr(Expr { kind: ExprKind::Trailers { base, trailers }, .. }) = &s.kind
        else {
            return false;
        };
        let ExprKind::Name(base) = base.kind else { return false };
        let object = |name: &Symbol| {
            let value = self.m.global(*name);
            let tensor = value.as_ref().and_then(vjp_eval::leaf::existing).is_some();
            self.needed.contains(name) && !tensor
        };
        let mut calls = trailers.iter().filter_map(|t| match &t.kind {
            TrailerKind::Call(args) => Some(args),
            _ => None,
        });
        let given = |e: &Expr| matches!(&e.kind, ExprKind::Name(name) if object(name));
        match self.m.global(base) {
            Some(Value::Function(_)) => calls.flatten().any(|arg| given(&arg.value)),
            _ => object(&base) && calls.any(|args| !args.is_empty()),
        }
    }

    fn keep(&mut self, source: &Source, e: &Expr) {
        let part = Place { source: source.id(), span: e.span };
        if !self.behind.parts.contains(&part) {
            self.behind.parts.push(part);
        }
        walk(e, &mut |e| match &e.kind {
            ExprKind::Name(name) => self.needed.extend([*name]),
            ExprKind::Trailers { base, trailers } => {
                for (k, t) in trailers.iter().enumerate() {
                    let call = trailers.get(k + 1).map(|t| &t.kind);
                    let part = Place { source: source.id(), span: base.span.to(t.span) };
                    if is_gradient(t)
                        && !matches!(call, Some(TrailerKind::Call(_)))
                        && !self.behind.gradients.contains(&part)
                    {
                        self.behind.gradients.push(part);
                    }
                }
            }
            _ => {}
        });
    }

    /// What a function returns, and what leads to it.
    fn body(&mut self, source: &Source, f: &Function, wanted: HashSet<Symbol>) {
        let around = self.called.clone().unwrap_or_default();
        if around.contains(&f.span) {
            return;
        }
        let outside = (std::mem::replace(&mut self.needed, wanted), self.called.take());
        self.called = Some(around.into_iter().chain([f.span]).collect());
        self.settled(source, &f.body);
        let inside = std::mem::replace(&mut self.needed, outside.0);
        self.called = outside.1;
        let mut own: HashSet<Symbol> = f.params.list.iter().map(|p| p.name.symbol).collect();
        let mut shared = HashSet::new();
        for s in &f.body {
            bound(s, &mut |name| own.extend([name]));
            if let StmtKind::Global(names) | StmtKind::Nonlocal(names) = &s.kind {
                shared.extend(names.iter().map(|name| name.symbol));
            }
        }
        let free = inside.into_iter().filter(|name| !own.contains(name) || shared.contains(name));
        let free: Vec<Symbol> = free.collect();
        self.needed.extend(free.iter().copied());
        if self.called.is_none() {
            self.free.extend(free);
        }
    }
}

/// Whether a statement gives a gradient its value and nothing else: `x.grad = None`, `x.grad.zero_()`.
fn sets_gradient(s: &Stmt) -> bool {
    let of_gradient = |e: &Expr| match &e.kind {
        ExprKind::Trailers { trailers, .. } => trailers.iter().any(is_gradient),
        _ => false,
    };
    match &s.kind {
        StmtKind::Assign { targets, .. } => targets.iter().all(of_gradient),
        StmtKind::Augment { target, .. } => of_gradient(target),
        StmtKind::Expr(e) => of_gradient(e),
        _ => false,
    }
}

/// Whether it is `.grad`.
fn is_gradient(t: &Trailer) -> bool {
    matches!(&t.kind, TrailerKind::Attr(n) if n.as_str() == "grad")
}

/// The function that a statement defines.
fn function(s: &Stmt) -> Option<&Function> {
    match &s.kind {
        StmtKind::ShortDef(f) | StmtKind::Def { function: f, .. } => Some(f),
        _ => None,
    }
}
