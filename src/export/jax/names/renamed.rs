//! Names of the program that JAX's program needs for itself get a `_` behind them: `jnp`, a helper's
//! name, `x_grad` beside a leaf `x`.

use super::bindings::{bound_in, targets};
use crate::writer::HELPERS;
use std::collections::HashSet;
use vjp_eval::{Value, library};
use vjp_export_torch::edits::Edits;
use vjp_export_torch::writer::Program;
use vjp_syntax::ast::*;
use vjp_syntax::{Mode, visit};
use vjp_text::{Source, Span, Symbol};

const MODULES: [&str; 6] = ["jax", "jnp", "np", "math", "collections", "pullback"];
/// What stands behind the name of a leaf, a module or an optimiser, in names that are made of it.
const MADE: [&str; 6] = ["_grad", "_grads", "_params", "_state", "_lr", "_epoch"];

/// The program with other names, if there is need.
pub(crate) fn renamed(program: &Program, body: &[Stmt]) -> Option<Program> {
    let Names { bound, places, keywords } = Names::of(body);
    let changed: HashSet<&String> = bound.iter().filter(|name| clashes(name, &bound)).collect();
    if changed.is_empty() {
        return None;
    }
    let mut edits = Edits::default();
    let mut shifts: Vec<usize> = Vec::new();
    for (span, name) in places.iter().chain(&keywords) {
        if changed.contains(name) {
            let mut other = format!("{name}_");
            while bound.contains(&other) || HELPERS.has(&other) {
                other.push('_');
            }
            shifts.extend(std::iter::repeat_n(span.start as usize, other.len() - name.len()));
            edits.replace(*span, other);
        }
    }
    let whole = Span { start: 0, end: program.text.len() as u32 };
    let moved = |at: usize| at + shifts.iter().filter(|s| **s < at).count();
    Some(Program {
        text: edits.apply(&program.text, whole),
        pieces: program.pieces.iter().map(|p| p.moved(moved)).collect(),
        ..*program
    })
}

/// A name that a finished program reads and nothing in it binds: what was written has no counterpart.
pub(crate) fn unbound(text: &str) -> Option<String> {
    let tree = vjp_syntax::parse(&Source::new(text), Mode { strict: true }).ok()?;
    let Names { mut bound, places, .. } = Names::of(&tree.body);
    for s in &tree.body {
        if let StmtKind::Import(all) = &s.kind {
            let own = |(path, other): &(Vec<Name>, Option<Name>)| other.or(path.first().copied());
            bound.extend(all.iter().filter_map(own).map(|n| n.as_str().to_owned()));
        }
        if let StmtKind::FromImport { names, .. } = &s.kind {
            let own = names.iter().map(|(name, other)| other.unwrap_or(*name));
            bound.extend(own.map(|n| n.as_str().to_owned()));
        }
    }
    let python = |name: &str| {
        let value = library::builtin(Symbol::new(name), true);
        name.starts_with("__") || value.is_some_and(|v| !matches!(v, Value::Module(_)))
    };
    places.into_iter().map(|(_, name)| name).find(|name| !bound.contains(name) && !python(name))
}

fn clashes(name: &str, bound: &HashSet<String>) -> bool {
    let called = |text: &str| HELPERS.0.contains(&format!("{text}("));
    MODULES.contains(&name)
        || HELPERS.has(name)
        || library::builtin(Symbol::new(name), true).is_some() && called(name)
        || MADE.iter().any(|made| name.strip_suffix(made).is_some_and(|n| bound.contains(n)))
}

/// Where names stand that are variables, not attributes.
struct Names {
    bound: HashSet<String>,
    places: Vec<(Span, String)>,
    /// Names of arguments of the program's own functions.
    keywords: Vec<(Span, String)>,
}

impl Names {
    fn of(body: &[Stmt]) -> Names {
        let (mut bound, mut outer) = (HashSet::new(), HashSet::new());
        bound_in(body, &mut bound, &mut outer);
        let mut names = Names { bound, places: Vec::new(), keywords: Vec::new() };
        names.block(body, false);
        names
    }

    fn at(&mut self, name: Name) {
        self.places.push((name.span, name.as_str().to_owned()));
    }

    fn binds(&mut self, name: Name) {
        self.at(name);
        self.bound.insert(name.as_str().to_owned());
    }

    fn block(&mut self, body: &[Stmt], in_class: bool) {
        for s in body {
            self.statement(s, in_class);
        }
    }

    fn statement(&mut self, s: &Stmt, in_class: bool) {
        match &s.kind {
            StmtKind::Def { function, .. } | StmtKind::ShortDef(function) => {
                if !in_class {
                    self.at(function.name);
                }
                self.parameters(function);
            }
            StmtKind::Class { name, .. } => self.at(*name),
            StmtKind::Global(all) | StmtKind::Nonlocal(all) => all.iter().for_each(|n| self.at(*n)),
            StmtKind::Try { handlers, .. } => {
                handlers.iter().filter_map(|h| h.name).for_each(|n| self.at(n));
            }
            // A class's attributes.
            StmtKind::Assign { value, .. } if in_class => return self.expression(value),
            _ => {}
        }
        visit::heads(s, &mut |e| self.expression(e));
        for block in visit::blocks(s) {
            self.block(block, matches!(s.kind, StmtKind::Class { .. }));
        }
    }

    fn parameters(&mut self, function: &Function) {
        bound_in(&function.body, &mut self.bound, &mut HashSet::new());
        for p in &function.params.list {
            self.binds(p.name);
            p.annotation.iter().for_each(|a| self.expression(a));
        }
    }

    fn expression(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(name) => self.places.push((e.span, name.as_str().to_owned())),
            ExprKind::Walrus { name, .. } => {
                self.binds(*name);
            }
            ExprKind::Lambda(function) => self.parameters(function),
            ExprKind::Trailers { base, trailers } => self.keywords(base, trailers),
            ExprKind::ListComp { clauses, .. }
            | ExprKind::SetComp { clauses, .. }
            | ExprKind::Generator { clauses, .. }
            | ExprKind::DictComp { clauses, .. } => {
                clauses.iter().for_each(|clause| targets(&clause.target, &mut self.bound));
            }
            _ => {}
        }
        visit::parts(e, &mut |part| self.expression(part));
    }

    /// Keywords of the program's own functions are names of their parameters.
    fn keywords(&mut self, base: &Expr, trailers: &[Trailer]) {
        let (ExprKind::Name(callee), Some(TrailerKind::Call(args))) =
            (&base.kind, trailers.first().map(|t| &t.kind))
        else {
            return;
        };
        if self.bound.contains(callee.as_str()) {
            for arg in args {
                if let ArgKind::Named(name) = arg.kind {
                    self.keywords.push((name.span, name.as_str().to_owned()));
                }
            }
        }
    }
}
