//! A session as a PyTorch program.

use super::Refusal;
use super::edits::Edits;
use super::names::{home, spelled};
use super::prelude::{self, TORCH};
use super::ran::{Bound, Item, Ran, Session, Swept};
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
///
/// # Errors
/// What PyTorch has no counterpart for.
pub fn write(mut session: Session, title: &str) -> Result<String, Refusal> {
    reach(&mut session);
    let mut body = String::new();
    let mut helpers: Vec<&'static str> = Vec::new();
    for (n, item) in session.items.iter().enumerate() {
        match item {
            Item::Prose(line) => body += &format!("{line}\n"),
            Item::Remark(line) => body += &format!("# {line}\n"),
            Item::Statement(ran) => {
                let mut writer = Writer {
                    session: &session,
                    item: n,
                    ran,
                    edits: Edits::default(),
                    own: HashSet::new(),
                    helpers: &mut helpers,
                    quiet: false,
                };
                body += &writer.statement()?;
            }
        }
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
    Ok(out)
}

/// Leaves that only a short form differentiates by.
fn reach(session: &mut Session) {
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
                if let Some(Arg {
                    value:
                        Expr {
                            kind: ExprKind::Name(x),
                            ..
                        },
                    ..
                }) = args.get(1)
                {
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
    fn statement(&mut self) -> Result<String, Refusal> {
        let (ran, text) = (self.ran, self.ran.source.text());
        if let Some(failed) = &ran.failed {
            let mut out: String = text.lines().map(|l| format!("# {l}\n")).collect();
            out += &format!("#   error  {failed}\n");
            return Ok(out);
        }
        if !ran.strict {
            self.rewrite(&ran.tree, true);
        }
        let edits = std::mem::take(&mut self.edits);
        let span = Span::new(0, text.len());
        let mut code = edits.apply(text, span).trim_end().to_owned();
        if ran.strict {
            code = self.with_names_of_strict(code);
        }
        if code.is_empty() {
            return Ok(code);
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
        Ok(out)
    }

    /// Under strict the text is Python's already.
    fn with_names_of_strict(&self, code: String) -> String {
        code
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
            let path = name
                .chars()
                .all(|c| c.is_alphanumeric() || "_.[]".contains(c));
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
                heads.into_iter().for_each(|e| self.expr(e));
                let inside =
                    top && !matches!(s.kind, StmtKind::Def { .. } | StmtKind::Class { .. });
                for block in visit::blocks(s) {
                    block.iter().for_each(|s| self.rewrite(s, inside));
                }
            }
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

    fn assigned(&mut self, s: &Stmt, targets: &[Expr], value: &Expr, top: bool) {
        if let [
            Expr {
                kind: ExprKind::Trailers { base, trailers },
                ..
            },
        ] = targets
            && let (
                ExprKind::Name(name),
                [
                    Trailer {
                        kind: TrailerKind::Index(_),
                        ..
                    },
                ],
            ) = (&base.kind, trailers.as_slice())
            && self
                .ran
                .before
                .get(name.as_str())
                .is_some_and(|b| self.is_tensor_leaf(b))
        {
            // Writing into a list that is a leaf makes a new leaf of it.
            let x = spelled(name.as_str()).unwrap_or_else(|| name.as_str().to_owned());
            self.edits
                .before(s.span.start, format!("{x} = {x}.detach().clone()\n"));
            self.expr(value);
            self.edits
                .after(s.span.end, format!("\n{x}.requires_grad_()"));
            return;
        }
        let names: Vec<&Expr> = targets.iter().collect();
        match (&value.kind, names.as_slice()) {
            (
                ExprKind::Tuple(values),
                [
                    Expr {
                        kind: ExprKind::Tuple(names),
                        ..
                    },
                ],
            ) if values.len() == names.len() => {
                for (name, value) in names.iter().zip(values) {
                    self.bound(name, value, top);
                }
            }
            (_, [first, ..]) => self.bound(first, value, top),
            _ => self.expr(value),
        }
    }

    /// What a name is bound to: a leaf, a vector, or whatever stands there.
    fn bound(&mut self, target: &Expr, value: &Expr, top: bool) {
        let ExprKind::Name(name) = &target.kind else {
            return self.expr(value);
        };
        let name = name.as_str();
        let list = matches!(value.kind, ExprKind::List(_));
        if literal(value) && top {
            let now = self.ran.after.get(name);
            let leaf = now.is_some_and(|b| self.is_tensor_leaf(b));
            if leaf || (list && self.used_as_vector(name)) {
                let grad = if leaf { ", requires_grad=True" } else { "" };
                self.edits
                    .around(value.span, "torch.tensor(", format!("{grad})"));
                return self.floats(value);
            }
        } else if list && self.session.stacked(self.item, name) {
            return self.vector(value);
        }
        self.expr(value);
    }

    /// Whether the session uses a list as a vector: in arithmetic, or asking it for what lists lack.
    fn used_as_vector(&self, name: &str) -> bool {
        const LISTS: [&str; 11] = [
            "append", "extend", "insert", "remove", "pop", "index", "count", "sort", "reverse",
            "copy", "clear",
        ];
        let is = |e: &Expr| matches!(&e.kind, ExprKind::Name(n) if n.as_str() == name);
        let mut used = false;
        for item in &self.session.items {
            let Item::Statement(ran) = item else { continue };
            every(&ran.tree, &mut |e| match &e.kind {
                ExprKind::Chain { first, rest } => {
                    used |= is(first) || rest.iter().any(|l| is(&l.operand));
                }
                ExprKind::Power { base, .. } => used |= is(base),
                ExprKind::Unary { operand, .. } => used |= is(operand),
                ExprKind::Trailers { base, trailers } => {
                    used |= is(base)
                        && matches!(&trailers[0].kind, TrailerKind::Attr(n) if !LISTS.contains(&n.symbol.as_str()));
                    for t in trailers {
                        if let TrailerKind::Call(args) = &t.kind
                            && !matches!(&base.kind, ExprKind::Name(n) if ["len", "print", "range", "sum", "list", "sorted", "zip", "enumerate", "min", "max"].contains(&n.as_str()))
                        {
                            used |= args.iter().any(|a| is(&a.value));
                        }
                    }
                }
                _ => {}
            });
        }
        used
    }

    /// A list display as a tensor.
    fn vector(&mut self, e: &Expr) {
        if literal(e) {
            self.edits.around(e.span, "torch.tensor(", ")");
            return self.floats(e);
        }
        self.helpers.push("stacked");
        self.edits.around(e.span, "stacked(", ")");
        self.expr(e);
    }

    /// Whole numbers with a point, so that a tensor of them has floats.
    fn floats(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Int(_) => self.edits.after(e.span.end, "."),
            ExprKind::Power { exponents, .. } => self.powers(exponents),
            _ => {}
        }
        let mut parts = Vec::new();
        visit::parts(e, &mut |part| parts.push(part));
        parts.into_iter().for_each(|part| self.floats(part));
    }

    fn powers(&mut self, exponents: &[Exponent]) {
        for exponent in exponents {
            self.edits.replace(exponent.op_span, "**");
        }
    }

    /// Only tensors of the program's own are changed in place; numbers and leaves are bound anew.
    fn augment(&mut self, target: &Expr, op: BinaryOp, value: &Expr) {
        let operator = match op {
            BinaryOp::BitXor | BinaryOp::Pow => "**",
            op => op.text(),
        };
        if let ExprKind::Name(name) = &target.kind
            && self.rebinds(name.as_str())
        {
            let written = spelled(name.as_str()).unwrap_or_else(|| name.as_str().to_owned());
            let between = Span {
                start: target.span.end,
                end: value.span.start,
            };
            self.target(target);
            let simple = matches!(
                value.kind,
                ExprKind::Name(_)
                    | ExprKind::Int(_)
                    | ExprKind::Float(_)
                    | ExprKind::Trailers { .. }
            );
            let (open, close) = if simple { ("", "") } else { ("(", ")") };
            self.edits
                .replace(between, format!(" = {written} {operator} {open}"));
            self.edits.after(value.span.end, close);
        } else {
            self.target(target);
        }
        self.operand(value);
    }

    fn rebinds(&self, name: &str) -> bool {
        match self
            .ran
            .before
            .get(name)
            .or_else(|| self.ran.after.get(name))
        {
            Some(Bound::Leaf(id)) => self.session.reached.contains(id) && !self.quiet,
            Some(Bound::Number | Bound::Stacked) => !self.quiet,
            _ => false,
        }
    }

    /// `f(x) = …` as a `def`.
    fn short_def(&mut self, s: &Stmt, function: &Function) {
        self.owns(function);
        if let [
            Stmt {
                kind: StmtKind::Return(Some(value)),
                ..
            },
        ] = function.body.as_slice()
        {
            let head = self.ran.source.slice(Span {
                start: s.span.start,
                end: value.span.start,
            });
            let head = head.trim_end().trim_end_matches('=').trim_end();
            let head = spelled(head).unwrap_or_else(|| head.to_owned());
            let span = Span {
                start: s.span.start,
                end: value.span.start,
            };
            self.edits
                .replace(span, format!("def {head}:\n    return "));
            self.expr(value);
        }
    }

    fn target(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(name) => {
                if let Some(new) = spelled(name.as_str()) {
                    self.edits.replace(e.span, new);
                }
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                items.iter().for_each(|t| self.target(t));
            }
            _ => self.expr(e),
        }
    }

    /// An operand of arithmetic, where a list is a vector.
    fn operand(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::List(_) => self.vector(e),
            _ => self.expr(e),
        }
    }

    /// Not hidden by a name of the program or of a function in it.
    fn free(&self, name: Symbol) -> bool {
        !self.own.contains(&name) && !self.ran.before.contains_key(name.as_str())
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Name(name) => return self.name(*name, e.span),
            ExprKind::Lambda(function) => self.owns(function),
            ExprKind::ListComp { clauses, .. } | ExprKind::Generator { clauses, .. } => {
                for clause in clauses {
                    if let ExprKind::Name(name) = &clause.target.kind {
                        self.own.insert(*name);
                    }
                }
            }
            ExprKind::Power { base, exponents } => {
                self.powers(exponents);
                self.operand(base);
                return exponents.iter().for_each(|x| self.operand(&x.operand));
            }
            ExprKind::Unary { operand, .. } => return self.operand(operand),
            ExprKind::Chain { first, rest } => {
                let one = |e: &Expr| matches!(&e.kind, ExprKind::List(items) if items.len() == 1);
                // `[c]*n` is Python's repetition.
                let repeats = rest.len() == 1
                    && rest[0].op == BinaryOp::Mul
                    && one(first)
                    && matches!(rest[0].operand.kind, ExprKind::Int(_));
                if !repeats {
                    self.operand(first);
                    return rest.iter().for_each(|l| self.operand(&l.operand));
                }
            }
            ExprKind::Trailers { base, trailers } => return self.trailers(e, base, trailers),
            _ => {}
        }
        let mut parts = Vec::new();
        visit::parts(e, &mut |part| parts.push(part));
        parts.into_iter().for_each(|part| self.expr(part));
    }

    fn name(&mut self, name: Symbol, span: Span) {
        let word = name.as_str();
        if self.free(name) {
            if let Some(home) = home(name) {
                return self.edits.replace(span, format!("{home}.{word}"));
            }
            if let Some(v) = word.strip_suffix('ᵀ') {
                let v = spelled(v).unwrap_or_else(|| v.to_owned());
                return self.edits.replace(span, format!("{v}.T"));
            }
        }
        if let Some(new) = spelled(word) {
            self.edits.replace(span, new);
        }
    }

    fn trailers(&mut self, e: &Expr, base: &Expr, trailers: &[Trailer]) {
        if let Some((name, args)) = called(e)
            && GRAPH.contains(&name.as_str())
            && self.free(name)
        {
            self.helpers
                .extend(TORCH.iter().map(|h| h.name).filter(|n| *n == name.as_str()));
            args.iter().for_each(|a| self.operand(&a.value));
        } else {
            match &base.kind {
                ExprKind::List(_) => self.vector(base),
                _ => self.expr(base),
            }
        }
        let short = matches!(&base.kind, ExprKind::Name(n) if self.free(*n) && home(*n).is_some());
        for (n, trailer) in trailers.iter().enumerate() {
            match &trailer.kind {
                TrailerKind::Attr(_) => {}
                TrailerKind::Index(index) => self.expr(index),
                TrailerKind::Call(args) => {
                    let before = n.checked_sub(1).map(|k| &trailers[k].kind);
                    let backward = matches!(before, Some(TrailerKind::Attr(a)) if a.symbol.as_str() == "backward");
                    if backward {
                        self.backward(trailer.span, args);
                        continue;
                    }
                    let graph = n == 0
                        && matches!(&base.kind, ExprKind::Name(f) if GRAPH.contains(&f.as_str()) && self.free(*f));
                    if graph {
                        continue;
                    }
                    for arg in args {
                        // A short function takes a list as the vector it is.
                        match short && n == 0 && takes_vector(base) {
                            true => self.operand(&arg.value),
                            false => self.expr(&arg.value),
                        }
                    }
                }
            }
        }
    }

    /// The arguments of `backward(…)`, whose call ends at `span`.
    fn backward(&mut self, span: Span, args: &[Arg]) {
        let weights = args.iter().find(|a| match a.kind {
            ArgKind::Positional => true,
            ArgKind::Named(name) => name.symbol.as_str() == "gradient",
            _ => false,
        });
        let repeated =
            self.ran.swept.iter().any(|s: &Swept| {
                s.repeated && s.span.start <= span.start && span.end <= s.span.end
            });
        if let Some(arg) = weights {
            let v = &arg.value;
            let sum = if repeated { ".sum()" } else { "" };
            match &v.kind {
                ExprKind::None => {}
                ExprKind::List(_) => {
                    self.edits.after(v.span.end, sum);
                    self.vector(v);
                }
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Unary { .. } if literal(v) => {
                    self.edits.around(v.span, "torch.tensor(", ")");
                    self.floats(v);
                }
                ExprKind::Name(name)
                    if self
                        .ran
                        .before
                        .get(name.as_str())
                        .is_some_and(|b| *b == Bound::Tensor || self.is_tensor_leaf(b)) =>
                {
                    self.edits.after(v.span.end, sum);
                    self.expr(v);
                }
                ExprKind::Trailers { .. } | ExprKind::Chain { .. } => {
                    self.edits.after(v.span.end, sum);
                    self.expr(v);
                }
                _ => {
                    self.edits.after(v.span.end, sum);
                    let close = ", dtype=torch.get_default_dtype())";
                    self.edits.around(v.span, "torch.as_tensor(", close);
                    self.expr(v);
                }
            }
        }
        for arg in args
            .iter()
            .filter(|a| !weights.is_some_and(|w| std::ptr::eq(*a, w)))
        {
            self.expr(&arg.value);
        }
        let retains = args.iter().any(
            |a| matches!(a.kind, ArgKind::Named(n) if ["retain_graph", "create_graph"].contains(&n.symbol.as_str())),
        );
        if self.session.kept && !retains {
            let comma = if args.is_empty() { "" } else { ", " };
            self.edits
                .before(span.end - 1, format!("{comma}retain_graph=True"));
        }
    }
}

/// Whether a short function's list arguments are vectors: constructors and joins take lists.
fn takes_vector(base: &Expr) -> bool {
    use crate::maths::ops;
    let ExprKind::Name(name) = &base.kind else {
        return false;
    };
    ops::lookup(name.as_str()).is_some_and(|e| e.signature.starts_with("(Tensor input"))
}
