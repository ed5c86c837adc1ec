//! Which names belong to a function: those it binds and does not declare global or nonlocal.

use vjp_syntax::ast::{
    Block, Clause, Expr, ExprKind, FPart, Function, Stmt, StmtKind, TrailerKind,
};
use vjp_text::Symbol;

/// The names of one scope.
#[derive(Debug, Default)]
pub struct Names {
    /// Bound here: parameters, assignment targets, loop variables, `def`s …
    pub locals: Vec<Symbol>,
    pub globals: Vec<Symbol>,
    pub nonlocals: Vec<Symbol>,
}

impl Names {
    /// Of a `def` or `lambda`.
    pub fn of_function(function: &Function) -> Names {
        let mut names = Names::default();
        for p in &function.params.list {
            names.bind(p.name.symbol);
        }
        names.block(&function.body);
        names.finish()
    }

    /// Of a comprehension: its targets. What `:=` binds belongs to the function around it.
    pub fn of_clauses(clauses: &[Clause]) -> Names {
        let mut names = Names::default();
        for c in clauses {
            names.target(&c.target);
        }
        names
    }

    /// Of a class body: only what it declares; all else is bound in the class.
    pub fn of_class(body: &Block) -> Names {
        let mut names = Names::default();
        names.block(body);
        names.locals.clear();
        names
    }

    fn finish(mut self) -> Names {
        let (globals, nonlocals) = (&self.globals, &self.nonlocals);
        self.locals.retain(|s| !globals.contains(s) && !nonlocals.contains(s));
        self
    }

    fn bind(&mut self, name: Symbol) {
        if !self.locals.contains(&name) {
            self.locals.push(name);
        }
    }

    fn block(&mut self, block: &[Stmt]) {
        for s in block {
            self.statement(s);
        }
    }

    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Assign { targets, value } => {
                targets.iter().for_each(|t| self.target(t));
                self.expr(value);
            }
            StmtKind::Augment { target, value, .. } => {
                self.target(target);
                self.expr(value);
            }
            StmtKind::Annotate { target, value, .. } => {
                self.target(target);
                value.iter().for_each(|v| self.expr(v));
            }
            StmtKind::ShortDef(f) => self.bind(f.name.symbol),
            StmtKind::Def { function, .. } => self.bind(function.name.symbol),
            StmtKind::Class { name, .. } => self.bind(name.symbol),
            StmtKind::For { target, iter, body, orelse } => {
                self.target(target);
                self.expr(iter);
                self.block(body);
                self.block(orelse);
            }
            StmtKind::While { test, body, orelse } => {
                self.expr(test);
                self.block(body);
                self.block(orelse);
            }
            StmtKind::If { arms, orelse } => {
                for (test, body) in arms {
                    self.expr(test);
                    self.block(body);
                }
                self.block(orelse);
            }
            StmtKind::With { items, body } => {
                for (context, target) in items {
                    self.expr(context);
                    target.iter().for_each(|t| self.target(t));
                }
                self.block(body);
            }
            StmtKind::Try { body, handlers, orelse, finally } => {
                self.block(body);
                for h in handlers {
                    h.name.iter().for_each(|n| self.bind(n.symbol));
                    self.block(&h.body);
                }
                self.block(orelse);
                self.block(finally);
            }
            StmtKind::Assert { test, .. } => self.expr(test),
            StmtKind::Del(targets) => targets.iter().for_each(|t| self.target(t)),
            StmtKind::Return(value) => value.iter().for_each(|v| self.expr(v)),
            StmtKind::Global(list) => self.globals.extend(list.iter().map(|n| n.symbol)),
            StmtKind::Nonlocal(list) => self.nonlocals.extend(list.iter().map(|n| n.symbol)),
            StmtKind::Import(list) => {
                for (path, name) in list {
                    if let Some(n) = name.as_ref().or_else(|| path.first()) {
                        self.bind(n.symbol);
                    }
                }
            }
            StmtKind::FromImport { names, .. } => {
                for (name, to) in names {
                    self.bind(to.unwrap_or(*name).symbol);
                }
            }
            StmtKind::Raise { .. } | StmtKind::Pass | StmtKind::Break | StmtKind::Continue => {}
        }
    }

    fn target(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(s) => self.bind(*s),
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|i| self.target(i));
            }
            ExprKind::Starred(inner) => self.target(inner),
            _ => {}
        }
    }

    /// Looks for `:=`, which binds here.
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Walrus { name, value } => {
                self.bind(name.symbol);
                self.expr(value);
            }
            ExprKind::List(items)
            | ExprKind::Tuple(items)
            | ExprKind::Set(items)
            | ExprKind::And(items)
            | ExprKind::Or(items) => items.iter().for_each(|i| self.expr(i)),
            ExprKind::Dict(items) => items.iter().for_each(|(k, v)| {
                k.iter().for_each(|k| self.expr(k));
                self.expr(v);
            }),
            ExprKind::ListComp { element, clauses }
            | ExprKind::SetComp { element, clauses }
            | ExprKind::Generator { element, clauses } => {
                self.expr(element);
                self.clauses(clauses);
            }
            ExprKind::DictComp { key, value, clauses } => {
                self.expr(key);
                self.expr(value);
                self.clauses(clauses);
            }
            ExprKind::Yield { value, .. } => value.iter().for_each(|x| self.expr(x)),
            ExprKind::Starred(x) | ExprKind::Unary { operand: x, .. } => self.expr(x),
            ExprKind::Not { operand, .. } => self.expr(operand),
            ExprKind::Chain { first, rest } => {
                self.expr(first);
                rest.iter().for_each(|l| self.expr(&l.operand));
            }
            ExprKind::Power { base, exponents } => {
                self.expr(base);
                exponents.iter().for_each(|x| self.expr(&x.operand));
            }
            ExprKind::Compare { first, rest } => {
                self.expr(first);
                rest.iter().for_each(|(_, _, x)| self.expr(x));
            }
            ExprKind::IfElse { arms, otherwise } => {
                for (a, b) in arms {
                    self.expr(a);
                    self.expr(b);
                }
                self.expr(otherwise);
            }
            ExprKind::Trailers { base, trailers } => {
                self.expr(base);
                for t in trailers {
                    match &t.kind {
                        TrailerKind::Attr(_) => {}
                        TrailerKind::Call(args) => args.iter().for_each(|a| self.expr(&a.value)),
                        TrailerKind::Index(i) => self.expr(i),
                    }
                }
            }
            ExprKind::Slice { start, stop, step } => {
                [start, stop, step].into_iter().flatten().for_each(|x| self.expr(x));
            }
            ExprKind::FString(parts) => parts.iter().for_each(|p| {
                if let FPart::Field(f) = p {
                    self.expr(&f.value);
                }
            }),
            _ => {}
        }
    }

    fn clauses(&mut self, clauses: &[Clause]) {
        for c in clauses {
            self.expr(&c.iter);
            c.tests.iter().for_each(|t| self.expr(t));
        }
    }
}
