//! A session as a PyTorch program: the parts by [`assign`] (what names are bound to), [`expr`],
//! [`arguments`] (numbers and lists where PyTorch takes tensors), [`draws`] (random numbers).

mod arguments;
mod assign;
mod draws;
mod expr;
mod kinds;

use super::edits::Edits;
use super::names::spelled;
use super::page::Page;
use crate::format::Format;
use crate::session_run::{Bound, Item, Ran, Session};
use std::collections::HashSet;
use vjp_eval::Value;
use vjp_eval::leaf::existing;
use vjp_eval::record::bindings;
use vjp_eval::record::watched_values::{Seen, Sweep};
use vjp_syntax::ast::*;
use vjp_syntax::visit;
use vjp_tensor::Dtype;
use vjp_text::{Span, Symbol};

/// The prompt's functions of a graph: their second argument is what is differentiated by.
pub(super) const GRAPH: [&str; 6] = ["jacobian", "hessian", "grad", "vjp", "jvp", "gradcheck"];

/// What lists have and tensors lack.
const OF_LISTS: [&str; 11] = [
    "append", "extend", "insert", "remove", "pop", "index", "count", "sort", "reverse", "copy",
    "clear",
];

/// Functions that the program brings along.
pub(super) const HELPERS: Page = Page(include_str!("helpers.py"));

/// What is bound from the start: name and module.
const IMPORTS: &[(&str, &str)] = &[
    ("math", "math"),
    ("np", "numpy"),
    ("torch", "torch"),
    ("nn", "torch.nn"),
    ("F", "torch.nn.functional"),
];

/// The program, and which part of it came from which item of the session.
pub struct Program {
    pub text: String,
    pub pieces: Vec<Piece>,
    /// It prints more than the session does.
    pub tells: bool,
    /// Some statement is not as it was written.
    pub changed: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub item: usize,
    /// Where it begins and ends in the text.
    pub start: usize,
    pub end: usize,
}

impl Piece {
    /// The piece in a text whose places have moved.
    pub fn moved(&self, to: impl Fn(usize) -> usize) -> Piece {
        Piece { item: self.item, start: to(self.start), end: to(self.end) }
    }
}

/// The program. It begins with the session's dtype where `typed`.
pub fn write(session: &Session, title: &str, typed: bool) -> Program {
    let tells = !session.plain || session.printed.is_empty();
    let mut helpers: Vec<String> = Vec::new();
    let mut parts = items(session, tells, session.kept, &mut helpers);
    // Stacking keeps what the prompt's lists do not need.
    if !session.kept && session.watch.sweeps.len() > 1 && helpers.iter().any(|h| h == "stacked") {
        parts = items(session, tells, true, &mut helpers);
    }
    // The program's own imports come first, then what it lacks.
    let begins = session.items.iter().take_while(|i| is_import(i) || matches!(i, Item::Prose(_)));
    let begins: Vec<&Item> = begins.collect();
    let first = begins.iter().rposition(|i| is_import(i)).map_or(0, |last| last + 1);
    let (own, rest) = parts.split_at(first);
    let imported = |name: &str, module: &str| {
        own.iter().any(|(n, _)| match &session.items[*n] {
            Item::Statement(ran) => imports(&ran.tree.kind, name, module),
            _ => false,
        })
    };
    let body: String = parts.iter().map(|(_, text)| text.as_str()).collect();
    let bound = |name: &str| binds(session, name);
    let helpers = HELPERS.needed(&helpers, &bound);
    let mut settings = String::new();
    if typed && session.dtype == Dtype::Float64 {
        settings += "torch.set_default_dtype(torch.float64)\n";
    }
    if session.begins_unseeded() {
        settings += "torch.manual_seed(0)\n";
    }
    let used = |name: &str| {
        let begins = format!("{name}.");
        super::page::starts(&body, &begins) || super::page::starts(&helpers, &begins)
    };
    let lacking: String = IMPORTS
        .iter()
        .filter(|(name, module)| !imported(name, module) && (*name == "torch" || !bound(name)))
        .filter(|(name, _)| used(name) || (*name == "torch" && !settings.is_empty()))
        .map(|(name, module)| match name == module {
            true => format!("import {module}\n"),
            false => format!("import {module} as {name}\n"),
        })
        .collect();
    let changed = parts.iter().any(|(n, text)| match &session.items[*n] {
        Item::Statement(ran) => text.trim_end() != ran.source.text().trim_end(),
        _ => false,
    });
    let text = Format::Torch.heading(title);
    let mut program = Program { text, pieces: Vec::new(), tells, changed };
    own.iter().for_each(|(n, text)| program.add(*n, text));
    program.text += &lacking;
    if !settings.is_empty() {
        program.space();
        program.text += &settings;
    }
    program.text += &helpers;
    if !settings.is_empty() || !lacking.is_empty() {
        program.space();
    }
    if !helpers.is_empty() {
        program.text.push('\n');
    }
    // One empty line is enough.
    let blank = rest.iter().take_while(|(_, text)| *text == "\n" && program.text.ends_with("\n\n"));
    let from = blank.count();
    rest[from..].iter().for_each(|(n, text)| program.add(*n, text));
    program.text.truncate(program.text.trim_end().len());
    program.text.push('\n');
    let ends = program.text.len();
    program.pieces.iter_mut().for_each(|p| p.end = p.end.min(ends));
    program
}

/// Every item with its lines.
fn items(
    session: &Session,
    tells: bool,
    kept: bool,
    helpers: &mut Vec<String>,
) -> Vec<(usize, String)> {
    (0..session.items.len()).map(|n| (n, item(session, n, tells, kept, helpers))).collect()
}

impl Program {
    fn add(&mut self, item: usize, text: &str) {
        let start = self.text.len();
        self.text += text;
        self.pieces.push(Piece { item, start, end: self.text.len() });
    }

    /// An empty line, unless one ends the text.
    fn space(&mut self) {
        if !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// The item that a place of the text came from.
    pub fn item_at(&self, at: usize) -> Option<usize> {
        self.pieces.iter().rfind(|p| p.start <= at).map(|p| p.item)
    }
}

fn is_import(item: &Item) -> bool {
    matches!(item, Item::Statement(ran)
        if matches!(ran.tree.kind, StmtKind::Import(_) | StmtKind::FromImport { .. }))
}

/// Whether an import binds a name to a module.
fn imports(import: &StmtKind, name: &str, module: &str) -> bool {
    let path = |names: &[Name]| {
        let names: Vec<&str> = names.iter().map(|n| n.as_str()).collect();
        names.join(".")
    };
    match import {
        StmtKind::Import(all) => all.iter().any(|(names, alias)| match alias {
            Some(alias) => alias.as_str() == name && path(names) == module,
            // `import torch.nn` binds torch.
            None => name == module && names.first().is_some_and(|n| n.as_str() == name),
        }),
        StmtKind::FromImport { module: from, names } => names.iter().any(|(part, alias)| {
            alias.unwrap_or(*part).as_str() == name
                && format!("{}.{}", path(from), part.as_str()) == module
        }),
        _ => false,
    }
}

/// Whether the session binds a name itself, imports of the usual modules aside.
pub(super) fn binds(session: &Session, name: &str) -> bool {
    session.machine.binds(name)
        || session.items.iter().any(|i| match i {
            Item::Statement(ran) => ran.after.contains_key(name),
            _ => false,
        })
}

/// One item's lines.
pub(super) fn item(
    session: &Session,
    n: usize,
    tells: bool,
    kept: bool,
    helpers: &mut Vec<String>,
) -> String {
    match &session.items[n] {
        Item::Prose(line) => format!("{line}\n"),
        Item::Remark(line) => format!("# {line}\n"),
        Item::Dtype(Dtype::Float32) => "torch.set_default_dtype(torch.float32)\n".into(),
        Item::Dtype(_) => "torch.set_default_dtype(torch.float64)\n".into(),
        Item::Statement(ran) => {
            let mut writer = Writer {
                session,
                item: n,
                ran,
                edits: Edits::default(),
                own: locals(&ran.tree),
                helpers,
                quiet: false,
                kept,
            };
            writer.statement(tells)
        }
    }
}

/// Leaves that only a short form differentiates by.
pub fn reach(session: &mut Session) {
    let mut found = Vec::new();
    let mut graphs = false;
    let (mut asked, mut growing) = (Vec::new(), HashSet::new());
    for item in &session.items {
        let Item::Statement(ran) = item else { continue };
        every(&ran.tree, &mut |e| {
            if let Some((name, args)) = called(e)
                && GRAPH.contains(&name.as_str())
                && !ran.strict
                && !ran.before.contains_key(name.as_str())
            {
                graphs = true;
                found.extend(args.get(1).into_iter().flat_map(|x| bound_names(ran, &x.value)));
            }
            asked.extend(asked_of(session, ran, e));
            growing.extend(grown(e));
            if let Some(args) = asks_autograd(e)
                && !ran.strict
                && let Some(x) = args.get(1)
            {
                found.extend(bound_names(ran, &x.value));
            }
        });
    }
    session.growing = growing;
    // Each of these sweeps the graph too.
    session.kept |= graphs;
    found.iter().for_each(|b| session.reach(Some(b)));
    // Beside leaves with requires_grad=True what no backward reached is a constant.
    if session.reached.iter().any(|id| !is_implicit(session, *id)) {
        let ids = asked.iter().filter_map(|b| match b {
            Bound::Leaf(id) => Some(*id),
            _ => None,
        });
        session.constants = ids.filter(|id| !session.reached.contains(id)).collect();
    }
    asked.iter().for_each(|b| session.reach(Some(b)));
}

/// What a name, or each of several in brackets, stood for before the statement.
fn bound_names(ran: &Ran, inputs: &Expr) -> Vec<Bound> {
    let names = match &inputs.kind {
        ExprKind::List(items) | ExprKind::Tuple(items) => items.as_slice(),
        _ => std::slice::from_ref(inputs),
    };
    let bound = |x: &Expr| match &x.kind {
        ExprKind::Name(x) => ran.before.get(x.as_str()).copied(),
        _ => None,
    };
    names.iter().filter_map(bound).collect()
}

/// Whether a leaf is a number or a list that a name was bound to.
fn is_implicit(session: &Session, id: usize) -> bool {
    let mut statements = session.items.iter().filter_map(|i| match i {
        Item::Statement(ran) => Some(ran),
        _ => None,
    });
    statements.any(|ran| ran.after.values().any(|b| *b == Bound::Leaf(id)))
}

/// The leaf that an expression asks something that only tensors have: `x.grad`, `x.T`.
fn asked_of(session: &Session, ran: &Ran, e: &Expr) -> Option<Bound> {
    let ExprKind::Trailers { base, trailers } = &e.kind else {
        return None;
    };
    let asks =
        matches!(&trailers.first()?.kind, TrailerKind::Attr(n) if !OF_LISTS.contains(&n.as_str()));
    let sight = session.watch.at((ran.source.id(), base.span))?;
    let leaf = sight.kinds.iter().find_map(|seen| match seen {
        Seen::Value(v) => existing(v).filter(|x| x.is_implicit() && x.is_leaf()),
        _ => None,
    })?;
    (asks && !ran.strict).then(|| Bound::Leaf(leaf.id()))
}

/// The list that an expression makes longer or shorter: `u` of `u.append(x)`.
fn grown(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Trailers { base, trailers } => match (&base.kind, &trailers.first()?.kind) {
            (ExprKind::Name(name), TrailerKind::Attr(word)) => {
                let changes = ["append", "extend", "insert", "remove", "pop", "clear"];
                changes.contains(&word.as_str()).then(|| name.as_str().to_owned())
            }
            _ => None,
        },
        _ => None,
    }
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

/// Whether a statement writes `name op= …`.
fn augments(s: &Stmt, name: Symbol) -> bool {
    let own = matches!(&s.kind, StmtKind::Augment { target, .. }
        if matches!(target.kind, ExprKind::Name(n) if n == name));
    own || visit::blocks(s).into_iter().any(|block| block.iter().any(|s| augments(s, name)))
}

/// The names that a statement binds, and those that functions and comprehensions in it bind for themselves.
fn locals(s: &Stmt) -> HashSet<Symbol> {
    let mut all = HashSet::new();
    let params = |f: &Function, all: &mut HashSet<Symbol>| {
        all.extend(f.params.list.iter().map(|p| p.name.symbol));
    };
    bindings::bound(s, &mut |name| {
        all.insert(name);
    });
    visit::heads(s, &mut |e| {
        bindings::walk(e, &mut |part| match &part.kind {
            ExprKind::Lambda(f) => params(f, &mut all),
            ExprKind::ListComp { clauses, .. }
            | ExprKind::SetComp { clauses, .. }
            | ExprKind::DictComp { clauses, .. }
            | ExprKind::Generator { clauses, .. } => {
                for clause in clauses {
                    bindings::targets(&clause.target, &mut |name| {
                        all.insert(name);
                    });
                }
            }
            _ => {}
        });
    });
    match &s.kind {
        StmtKind::Def { function, .. } => params(function, &mut all),
        StmtKind::ShortDef(function) => params(function, &mut all),
        StmtKind::Try { handlers, .. } => {
            all.extend(handlers.iter().filter_map(|h| h.name).map(|name| name.symbol));
        }
        _ => {}
    }
    for block in visit::blocks(s) {
        block.iter().for_each(|s| all.extend(locals(s)));
    }
    all
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

/// Where the function stands that is called.
fn callee(e: &Expr) -> Span {
    match &e.kind {
        ExprKind::Trailers { base, .. } => base.span,
        _ => e.span,
    }
}

/// The arguments of `torch.autograd.grad(…)`.
fn asks_autograd(e: &Expr) -> Option<&[Arg]> {
    let ExprKind::Trailers { base, trailers } = &e.kind else {
        return None;
    };
    let [a, g, call, ..] = trailers.as_slice() else {
        return None;
    };
    let is =
        |t: &Trailer, word: &str| matches!(&t.kind, TrailerKind::Attr(n) if n.as_str() == word);
    match &call.kind {
        TrailerKind::Call(args)
            if matches!(&base.kind, ExprKind::Name(n) if n.as_str() == "torch")
                && is(a, "autograd")
                && is(g, "grad") =>
        {
            Some(args)
        }
        _ => None,
    }
}

struct Writer<'a> {
    session: &'a Session,
    /// Which item of the session this is.
    item: usize,
    ran: &'a Ran,
    edits: Edits,
    /// Names that the statement binds, functions and comprehensions in it included.
    own: HashSet<Symbol>,
    helpers: &'a mut Vec<String>,
    /// Inside `no_grad`.
    quiet: bool,
    /// Graphs are used again.
    kept: bool,
}

impl Writer<'_> {
    fn statement(&mut self, tells: bool) -> String {
        let (ran, text) = (self.ran, self.ran.source.text());
        if let Some(failed) = &ran.failed {
            let mut out: String = text.lines().map(|l| format!("# {l}\n")).collect();
            out += &format!("#   error  {failed}\n");
            return out;
        }
        if ran.strict {
            every(&ran.tree, &mut |e| self.draws(e));
        } else {
            self.rewrite(&ran.tree, true);
        }
        let edits = std::mem::take(&mut self.edits);
        let span = Span::new(0, text.len());
        let code = edits.apply(text, span).trim_end().to_owned();
        if code.is_empty() {
            return code;
        }
        if !tells {
            return format!("{code}\n");
        }
        let mut out = match &ran.tree.kind {
            StmtKind::Expr(e) if self.shows(e) => format!("print({code})\n"),
            _ => format!("{code}\n"),
        };
        if !matches!(ran.tree.kind, StmtKind::Def { .. } | StmtKind::Class { .. }) {
            let told = |leaf: &String| !self.told_next(leaf);
            for leaf in self.swept_leaves().into_iter().filter(told) {
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
            TrailerKind::Attr(name) => Some(name.as_str().to_owned()),
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
        // A call that gives None shows nothing.
        let none = calls && matches!(self.value(e.span), Some(Value::None));
        let quiet = calls && silent.contains(&word.as_str());
        !none && !quiet
    }

    /// Leaves of this statement's backwards that still have their name, once each.
    fn swept_leaves(&self) -> Vec<String> {
        let id = self.ran.source.id();
        self.leaves_of(&|sweep| sweep.place.0 == id)
    }

    /// Whether the session itself shows a leaf's gradient below.
    fn told_next(&self, leaf: &str) -> bool {
        let grad = format!("{leaf}.grad");
        for item in &self.session.items[self.item + 1..] {
            let Item::Statement(ran) = item else { continue };
            let text = ran.source.text().trim();
            let shown = text.strip_prefix("print(").and_then(|t| t.strip_suffix(')'));
            if text == grad || shown.is_some_and(|t| t.split(',').any(|t| t.trim() == grad)) {
                return true;
            }
            if !matches!(&ran.tree.kind, StmtKind::Expr(e) if self.shows(e)) && shown.is_none() {
                return false;
            }
        }
        false
    }

    /// Leaves that may have a gradient here.
    fn swept_by_now(&self) -> Vec<String> {
        let root = |path: &str| path.split(['.', '[']).next().unwrap_or("").to_owned();
        let bound = |n: &String| {
            let is = |name: &String| spelled(name).unwrap_or_else(|| name.clone()) == root(n);
            self.ran.before.keys().chain(self.ran.after.keys()).any(is)
        };
        let mut all = self.leaves_of(&|_| true);
        all.retain(bound);
        all.sort();
        all
    }

    fn leaves_of(&self, sweeps: &dyn Fn(&Sweep) -> bool) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        let sweeps = self.session.watch.sweeps.iter().filter(|s| sweeps(s));
        for leaf in sweeps.flat_map(|s| &s.leaves) {
            let path = leaf.path.chars().all(|c| c.is_alphanumeric() || "_.[]".contains(c));
            let name = spelled(&leaf.path).unwrap_or_else(|| leaf.path.clone());
            if path && !leaf.earlier && !name.is_empty() && !all.contains(&name) {
                all.push(name);
            }
        }
        all
    }

    /// A helper's name; the program brings it along.
    fn helper(&mut self, name: &str) -> String {
        self.helpers.push(name.to_owned());
        match binds(self.session, name) {
            true => format!("{name}_"),
            false => name.to_owned(),
        }
    }

    fn rewrite(&mut self, s: &Stmt, top: bool) {
        match &s.kind {
            StmtKind::Assign { targets, value } => {
                targets.iter().for_each(|t| self.target(t));
                self.assigned(s, targets, value, top);
                if targets.iter().any(|t| matches!(t.kind, ExprKind::Tuple(_) | ExprKind::List(_)))
                {
                    self.elements(value);
                }
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
                if let StmtKind::For { iter, .. } = &s.kind {
                    self.elements(iter);
                }
                let mut heads = Vec::new();
                visit::heads(s, &mut |e| heads.push(e));
                heads.into_iter().for_each(|e| self.expr(e));
                let inside =
                    top && !matches!(s.kind, StmtKind::Def { .. } | StmtKind::Class { .. });
                for block in visit::blocks(s) {
                    block.iter().for_each(|s| self.rewrite(s, inside));
                }
            }
        }
    }

    /// A leaf whose elements get names: those of a list outlive a write to it, a tensor's are views.
    fn elements(&mut self, e: &Expr) {
        let ExprKind::Name(name) = e.kind else { return };
        let leaf = self.ran.before.get(name.as_str()).is_some_and(|b| self.is_tensor_leaf(b));
        let written = self.session.items.iter().any(|item| match item {
            Item::Statement(ran) => augments(&ran.tree, name),
            _ => false,
        });
        if leaf && written {
            self.edits.after(e.span.end, ".clone()");
        }
    }

    /// `zero_grad()`: the leaves there are, by name.
    fn resets(&mut self, e: &Expr) -> bool {
        let Some((name, _)) = called(e) else {
            return false;
        };
        if name.as_str() != "zero_grad" || !self.free(name, callee(e)) {
            return false;
        }
        let leaves = self.swept_by_now();
        let text: Vec<String> = leaves
            .iter()
            .map(|n| format!("{}.grad", spelled(n).unwrap_or_else(|| n.clone())))
            .collect();
        let text = match text.is_empty() {
            true => "pass".to_owned(),
            false => format!("{} = None", text.join(" = ")),
        };
        self.edits.replace(e.span, text);
        true
    }

    /// A leaf that is a tensor in the exported program.
    fn is_tensor_leaf(&self, bound: &Bound) -> bool {
        matches!(bound, Bound::Leaf(id) if self.session.reached.contains(id))
    }
}
