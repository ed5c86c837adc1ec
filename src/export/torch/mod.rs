//! A session as a PyTorch program: the parts by [`assign`] (what names are bound to) and [`expr`].

mod assign;
mod expr;

use super::edits::Edits;
use super::names::spelled;
use super::prelude::{self, TORCH};
use super::ran::{Bound, Item, Ran, Session};
use crate::maths::tensor::Dtype;
use crate::syntax::ast::*;
use crate::syntax::visit;
use crate::text::names::Symbol;
use crate::text::source::Span;
use std::collections::HashSet;

/// The prompt's functions of a graph: their second argument is what is differentiated by.
const GRAPH: [&str; 6] = ["jacobian", "hessian", "grad", "vjp", "jvp", "gradcheck"];

/// What is bound from the start, by name.
const IMPORTS: &[(&str, &str)] = &[
    ("math", "import math"),
    ("np", "import numpy as np"),
    ("torch", "import torch"),
    ("nn", "import torch.nn as nn"),
    ("F", "import torch.nn.functional as F"),
];

/// The program.
pub fn write(mut session: Session, title: &str) -> String {
    reach(&mut session);
    let mut helpers: Vec<&'static str> = Vec::new();
    let mut body = String::new();
    for n in 0..session.items.len() {
        body += &item(&session, n, &mut helpers);
    }
    let dtype = match session.dtype {
        Dtype::Float32 => "torch.float32",
        _ => "torch.float64",
    };
    let mut out = format!("# {title} as a PyTorch program.\n");
    for (name, line) in IMPORTS {
        let used = body.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
        let begins = |word: &str| word.starts_with(name) && word[name.len()..].starts_with('.');
        if *name == "torch" || used.into_iter().any(begins) {
            out += &format!("{line}\n");
        }
    }
    out += "\n";
    out += &format!("torch.set_default_dtype({dtype})\n");
    out += &prelude::needed(TORCH, &helpers);
    out += "\n";
    out += body.trim_end();
    out.push('\n');
    out
}

/// One item's lines.
pub(super) fn item(session: &Session, n: usize, helpers: &mut Vec<&'static str>) -> String {
    match &session.items[n] {
        Item::Prose(line) => format!("{line}\n"),
        Item::Remark(line) => format!("# {line}\n"),
        Item::Statement(ran) => {
            let mut writer = Writer {
                session,
                item: n,
                ran,
                edits: Edits::default(),
                own: HashSet::new(),
                helpers,
                quiet: false,
            };
            writer.statement()
        }
    }
}

/// Leaves that only a short form differentiates by.
pub(super) fn reach(session: &mut Session) {
    let mut found = Vec::new();
    let mut graphs = false;
    for item in &session.items {
        let Item::Statement(ran) = item else { continue };
        every(&ran.tree, &mut |e| {
            if let Some((name, args)) = called(e)
                && GRAPH.contains(&name.as_str())
                && !ran.strict
                && !ran.before.contains_key(name.as_str())
            {
                graphs = true;
                if let Some(Arg { value: Expr { kind: ExprKind::Name(x), .. }, .. }) = args.get(1) {
                    found.extend(ran.before.get(x.as_str()).copied());
                }
            }
        });
    }
    // Each of these sweeps the graph too.
    session.kept |= graphs;
    found.iter().for_each(|b| session.reach(Some(b)));
}

/// Every expression of a statement and of its blocks.
fn every<'a>(s: &'a Stmt, each: &mut dyn FnMut(&'a Expr)) {
    fn inside<'a>(e: &'a Expr, each: &mut dyn FnMut(&'a Expr)) {
        each(e);
        visit::parts(e, &mut |part| inside(part, each));
    }
    visit::heads(s, &mut |e| inside(e, each));
    for block in visit::blocks(s) {
        block.iter().for_each(|s| every(s, each));
    }
}

/// `name(args)` and nothing behind it.
fn called(e: &Expr) -> Option<(Symbol, &[Arg])> {
    let ExprKind::Trailers { base, trailers } = &e.kind else {
        return None;
    };
    match (&base.kind, trailers.first().map(|t| &t.kind)) {
        (ExprKind::Name(name), Some(TrailerKind::Call(args))) => Some((*name, args)),
        _ => None,
    }
}

/// Numbers alone, maybe nested.
fn literal(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) => true,
        ExprKind::List(items) => !items.is_empty() && items.iter().all(literal),
        ExprKind::Unary { operand, .. } => literal(operand),
        ExprKind::Chain { first, rest } => {
            literal(first) && rest.iter().all(|l| literal(&l.operand))
        }
        ExprKind::Power { base, exponents } => {
            literal(base) && exponents.iter().all(|x| literal(&x.operand))
        }
        _ => false,
    }
}

struct Writer<'a> {
    session: &'a Session,
    /// Which item of the session this is.
    item: usize,
    ran: &'a Ran,
    edits: Edits,
    /// Names that functions and comprehensions inside bind for themselves.
    own: HashSet<Symbol>,
    helpers: &'a mut Vec<&'static str>,
    /// Inside `no_grad`.
    quiet: bool,
}

impl Writer<'_> {
    fn statement(&mut self) -> String {
        let (ran, text) = (self.ran, self.ran.source.text());
        if let Some(failed) = &ran.failed {
            let mut out: String = text.lines().map(|l| format!("# {l}\n")).collect();
            out += &format!("#   error  {failed}\n");
            return out;
        }
        if !ran.strict {
            self.rewrite(&ran.tree, true);
        }
        let edits = std::mem::take(&mut self.edits);
        let span = Span::new(0, text.len());
        let code = edits.apply(text, span).trim_end().to_owned();
        if code.is_empty() {
            return code;
        }
        let mut out = match &ran.tree.kind {
            StmtKind::Expr(e) if self.shows(e) => format!("print({code})\n"),
            _ => format!("{code}\n"),
        };
        if !matches!(ran.tree.kind, StmtKind::Def { .. } | StmtKind::Class { .. }) {
            for leaf in self.swept_leaves() {
                out += &format!("print({leaf}.grad)\n");
            }
        }
        out
    }

    /// Whether a bare expression has a value worth printing.
    fn shows(&self, e: &Expr) -> bool {
        let ExprKind::Trailers { base, trailers } = &e.kind else {
            return !matches!(e.kind, ExprKind::Str(_));
        };
        let last = trailers.iter().rev().find_map(|t| match &t.kind {
            TrailerKind::Attr(name) => Some(name.symbol.as_str().to_owned()),
            _ => None,
        });
        let calls = matches!(trailers.last().map(|t| &t.kind), Some(TrailerKind::Call(_)));
        let word = match (&last, &base.kind) {
            (Some(word), _) => word.clone(),
            (None, ExprKind::Name(name)) => name.as_str().to_owned(),
            _ => String::new(),
        };
        let silent = [
            "print",
            "backward",
            "zero_grad",
            "append",
            "step",
            "manual_seed",
            "retain_grad",
            "set_printoptions",
            "set_default_dtype",
            "show",
        ];
        !(calls && silent.contains(&word.as_str()))
    }

    /// Leaves of this statement's backwards that still have their name, once each.
    fn swept_leaves(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for (name, earlier) in self.ran.swept.iter().flat_map(|s| &s.leaves) {
            let path = name.chars().all(|c| c.is_alphanumeric() || "_.[]".contains(c));
            let name = spelled(name).unwrap_or_else(|| name.clone());
            if path && !earlier && name != "leaf" && !all.contains(&name) {
                all.push(name);
            }
        }
        all
    }

    fn rewrite(&mut self, s: &Stmt, top: bool) {
        match &s.kind {
            StmtKind::Assign { targets, value } => {
                targets.iter().for_each(|t| self.target(t));
                self.assigned(s, targets, value, top);
            }
            StmtKind::Augment { target, op, value } => {
                self.augment(target, *op, value);
            }
            StmtKind::ShortDef(function) => self.short_def(s, function),
            StmtKind::With { items, body } => {
                let quiet = items.iter().any(|(context, _)| {
                    let text = self.ran.source.slice(context.span);
                    text.contains("no_grad")
                });
                items.iter().for_each(|(context, _)| self.expr(context));
                let before = self.quiet;
                self.quiet |= quiet;
                body.iter().for_each(|s| self.rewrite(s, top));
                self.quiet = before;
            }
            StmtKind::Expr(e) if self.resets(e) => {}
            _ => {
                let mut heads = Vec::new();
                visit::heads(s, &mut |e| heads.push(e));
                if let StmtKind::Def { function, .. } = &s.kind {
                    self.owns(function);
                }
                if let StmtKind::For { target, .. } = &s.kind {
                    self.binds(target);
                }
                heads.into_iter().for_each(|e| self.expr(e));
                let inside =
                    top && !matches!(s.kind, StmtKind::Def { .. } | StmtKind::Class { .. });
                for block in visit::blocks(s) {
                    block.iter().for_each(|s| self.rewrite(s, inside));
                }
            }
        }
    }

    /// Names that a loop binds.
    fn binds(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Name(name) => {
                self.own.insert(*name);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|t| self.binds(t))
            }
            _ => {}
        }
    }

    fn owns(&mut self, function: &Function) {
        let params = function.params.list.iter().map(|p| p.name.symbol);
        self.own.extend(params);
    }

    /// `zero_grad()`: the leaves there are, by name.
    fn resets(&mut self, e: &Expr) -> bool {
        match called(e) {
            Some((name, [])) if name.as_str() == "zero_grad" && self.free(name) => {
                let mut leaves: Vec<String> = self
                    .ran
                    .before
                    .iter()
                    .filter(|(_, b)| self.is_tensor_leaf(b))
                    .map(|(n, _)| spelled(n).unwrap_or_else(|| n.clone()))
                    .collect();
                leaves.sort();
                let text: Vec<String> = leaves.iter().map(|n| format!("{n}.grad")).collect();
                let text = match text.is_empty() {
                    true => "pass".to_owned(),
                    false => format!("{} = None", text.join(" = ")),
                };
                self.edits.replace(e.span, text);
                true
            }
            _ => false,
        }
    }

    /// A leaf that is a tensor in the exported program.
    fn is_tensor_leaf(&self, bound: &Bound) -> bool {
        matches!(bound, Bound::Leaf(id) if self.session.reached.contains(id))
    }
}
