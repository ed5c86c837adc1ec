//! Statements as steps.

use super::names::bindings::{bound_in, targets};
use super::problem::{Done, Perhaps, Problem, Steps};
use super::steps::{Ask, Block, BlockKind, Called, Line, Names, Part, Step};
use super::writer::Writer;
use std::collections::HashSet;
use vjp_eval::Value;
use vjp_syntax::ast::*;
use vjp_syntax::visit;
use vjp_text::Span;

/// Calls that set something JAX does not have.
const SETTINGS: [&str; 9] = [
    "manual_seed",
    "set_default_dtype",
    "set_detect_anomaly",
    "set_num_threads",
    "set_default_tensor_type",
    "use_deterministic_algorithms",
    "set_grad_enabled",
    "seed",
    "set_default_device",
];

/// What [`Writer::begin`] put aside.
pub(super) struct Aside<'a> {
    reads: Names,
    recorded: Names,
    asks: Vec<Ask<'a>>,
    effect: bool,
    called: Called,
    over: Option<String>,
}

impl<'a> Writer<'a> {
    /// Starts to collect what a step reads.
    pub(super) fn begin(&mut self) -> Aside<'a> {
        Aside {
            reads: std::mem::take(&mut self.reads),
            recorded: std::mem::take(&mut self.recorded),
            asks: std::mem::take(&mut self.asks),
            effect: std::mem::take(&mut self.effect),
            called: std::mem::take(&mut self.called),
            over: self.over.take(),
        }
    }

    pub(super) fn end(&mut self, aside: Aside<'a>) {
        self.reads = aside.reads;
        self.recorded = aside.recorded;
        self.asks = aside.asks;
        self.effect = aside.effect;
        self.called = aside.called;
        self.over = aside.over;
    }

    /// A line with what was collected since [`Writer::begin`].
    pub(super) fn line(
        &mut self,
        s: &'a Stmt,
        text: Vec<String>,
        writes: impl IntoIterator<Item = String>,
        graded: bool,
    ) -> Step<'a> {
        self.next += 1;
        let mut writes: Names = writes.into_iter().collect();
        let mut called = std::mem::take(&mut self.called);
        called.retain(|name, _| !writes.contains(name));
        writes.extend(called.keys().cloned());
        Step::Line(Line {
            id: self.next,
            at: s.span.start as usize,
            tree: Some(s),
            text,
            reads: std::mem::take(&mut self.reads),
            recorded: std::mem::take(&mut self.recorded),
            writes,
            graded: graded && !self.quiet,
            quiet: self.quiet,
            effect: std::mem::take(&mut self.effect),
            asks: std::mem::take(&mut self.asks),
            called,
            over: self.over.take(),
            ..Line::default()
        })
    }

    /// A line that stands for no statement of its own.
    pub(super) fn added(
        &mut self,
        at: usize,
        text: Vec<String>,
        reads: &[&str],
        writes: &[&str],
    ) -> Step<'a> {
        self.next += 1;
        let names = |all: &[&str]| all.iter().map(|n| (*n).to_owned()).collect::<Names>();
        Step::Line(Line {
            id: self.next,
            at,
            text,
            reads: names(reads),
            recorded: names(reads),
            writes: names(writes),
            graded: !self.quiet,
            quiet: self.quiet,
            ..Line::default()
        })
    }

    /// A statement as steps.
    pub(super) fn statement(&mut self, s: &'a Stmt) -> Steps<'a> {
        let aside = self.begin();
        let made = self.stepped(s);
        self.end(aside);
        made.map_err(|p| p.or_at(s.span.start as usize))
    }

    fn stepped(&mut self, s: &'a Stmt) -> Steps<'a> {
        if let Some(steps) = self.of_context(s)? {
            return Ok(steps);
        }
        match &s.kind {
            StmtKind::Import(modules) => {
                let own =
                    |(path, alias): &(Vec<Name>, Option<Name>)| is_replaced(path, alias.as_ref());
                match modules.iter().all(own) {
                    true => Ok(Vec::new()),
                    false => self.as_it_is(s),
                }
            }
            StmtKind::FromImport { module, .. } => match is(module, "torch") {
                true => Ok(Vec::new()),
                false => self.as_it_is(s),
            },
            StmtKind::Expr(e) => self.expression(s, e),
            StmtKind::Assign { targets, value } => self.assignment(s, targets, value),
            StmtKind::Annotate { target, value: Some(value), .. } => {
                self.assignment(s, std::slice::from_ref(target), value)
            }
            StmtKind::Augment { target, op, value } => self.augmented(s, target, *op, value),
            StmtKind::With { items, body } => self.with(s, items, body),
            StmtKind::For { target, iter, body, orelse } => {
                self.for_loop(s, target, iter, body, orelse)
            }
            StmtKind::While { test, body, orelse } => {
                let head = self.expr(test)?.text;
                let first = self.part(format!("while {head}:"), [], body)?;
                let mut parts = vec![first];
                if !orelse.is_empty() {
                    parts.push(self.part("else:".into(), [], orelse)?);
                }
                Ok(vec![self.block(s, BlockKind::Loop, parts)])
            }
            StmtKind::If { arms, orelse } => {
                let mut parts = Vec::new();
                for (n, (test, body)) in arms.iter().enumerate() {
                    let test = self.expr(test)?.text;
                    let word = if n == 0 { "if" } else { "elif" };
                    parts.push(self.part(format!("{word} {test}:"), [], body)?);
                }
                if !orelse.is_empty() {
                    parts.push(self.part("else:".into(), [], orelse)?);
                }
                Ok(vec![self.block(s, BlockKind::If, parts)])
            }
            StmtKind::Try { .. } => self.attempt(s),
            StmtKind::Def { function, decorators } => self.definition(s, function, decorators),
            StmtKind::Class { name, bases, body, .. } => self.class(s, *name, bases, body),
            StmtKind::Return(Some(value)) => {
                let code = self.expr(value)?;
                Ok(vec![self.line(s, vec![format!("return {}", code.text)], [], true)])
            }
            _ => {
                let mut parts = Vec::new();
                visit::heads(s, &mut |e| parts.push(e));
                let text = self.spliced(s.span, &parts, false)?;
                self.effect = true;
                Ok(vec![self.line(s, vec![text], [], false)])
            }
        }
    }

    fn as_it_is(&mut self, s: &'a Stmt) -> Steps<'a> {
        let text = self.source.slice(s.span).to_owned();
        Ok(vec![self.line(s, vec![text], [], false)])
    }

    /// A head with its block; what the head reads was collected.
    pub(super) fn part(
        &mut self,
        head: String,
        writes: impl IntoIterator<Item = String>,
        body: &'a [Stmt],
    ) -> Done<Part<'a>> {
        let reads = std::mem::take(&mut self.reads);
        self.recorded.clear();
        let called = std::mem::take(&mut self.called).into_keys();
        let writes = writes.into_iter().chain(called).collect();
        let body = self.body(body)?;
        Ok(Part { head, reads, writes, body })
    }

    /// A block's statements, with the remarks between them.
    pub(super) fn body(&mut self, body: &'a [Stmt]) -> Steps<'a> {
        let mut steps = Vec::new();
        let mut end = None;
        for s in body {
            let start = s.span.start;
            let from = match end {
                Some(end) => end,
                None => self.source.text()[..start as usize]
                    .rfind(":\n")
                    .map_or(start, |at| at as u32 + 1),
            };
            let gap = self.source.slice(Span { start: from, end: start });
            let remarks = gap.lines().map(str::trim).filter(|l| l.starts_with('#'));
            steps.extend(remarks.map(|l| Step::Comment(l.to_owned())));
            steps.extend(self.statement(s)?);
            end = Some(s.span.end);
        }
        Ok(steps)
    }

    pub(super) fn block(&mut self, s: &'a Stmt, kind: BlockKind, parts: Vec<Part<'a>>) -> Step<'a> {
        Step::Block(Block { at: s.span.start as usize, tree: Some(s), kind, parts })
    }

    fn for_loop(
        &mut self,
        s: &'a Stmt,
        target: &'a Expr,
        iter: &'a Expr,
        body: &'a [Stmt],
        orelse: &'a [Stmt],
    ) -> Steps<'a> {
        if let Some(steps) = self.through_modules(s, target, iter, body)? {
            return Ok(steps);
        }
        if let Some(steps) = self.over_groups(target, iter, body)? {
            return Ok(steps);
        }
        let head = self.expr(iter)?.text;
        let mut own = HashSet::new();
        targets(target, &mut own);
        self.gone.retain(|name| !own.contains(name));
        let head = format!("for {} in {head}:", self.source.slice(target.span));
        let mut parts = vec![self.part(head, own.clone(), body)?];
        super::function::leaves_elements(&own, &parts[0].body)?;
        if !orelse.is_empty() {
            parts.push(self.part("else:".into(), [], orelse)?);
        }
        Ok(vec![self.block(s, BlockKind::Loop, parts)])
    }

    fn with(
        &mut self,
        s: &'a Stmt,
        items: &'a [(Expr, Option<Expr>)],
        body: &'a [Stmt],
    ) -> Steps<'a> {
        let mut quiet = self.quiet;
        for (context, _) in items {
            let text = self.source.slice(context.span);
            let word = text.split('(').next().unwrap_or("").rsplit('.').next().unwrap_or("");
            match word {
                "no_grad" | "inference_mode" => quiet = true,
                "set_grad_enabled" => quiet = text.contains("False"),
                "enable_grad" => quiet = false,
                "detect_anomaly" | "set_detect_anomaly" => {}
                _ => {
                    return Err(Problem::new(
                        format!("the JAX export has no form for `with {text}`"),
                        "leave the block out, or export --to torch",
                    ));
                }
            }
        }
        let _ = s;
        let was = std::mem::replace(&mut self.quiet, quiet);
        let steps = self.body(body);
        self.quiet = was;
        steps
    }

    fn definition(
        &mut self,
        s: &'a Stmt,
        function: &'a Function,
        decorators: &'a [Expr],
    ) -> Steps<'a> {
        let mut heads = Vec::new();
        let mut quiet = self.quiet;
        for d in decorators {
            let text = self.source.slice(d.span);
            match text.contains("no_grad") || text.contains("inference_mode") {
                true => quiet = true,
                false if text.starts_with("torch") => {
                    return Err(Problem::lacks(&format!("@{text}")));
                }
                false => heads.push(format!("@{text}")),
            }
        }
        let name = function.name.as_str().to_owned();
        let params: Vec<String> =
            function.params.list.iter().map(|p| p.name.as_str().to_owned()).collect();
        let mut defaults = Vec::new();
        visit::heads(s, &mut |e| {
            if !decorators.iter().any(|d| std::ptr::eq(d, e)) {
                defaults.push(e);
            }
        });
        let begin = function.body.first().map_or(s.span.end, |b| b.span.start);
        let def = self.source.slice(s.span).find("def ").unwrap_or(0) as u32 + s.span.start;
        let head = self.spliced(Span { start: def, end: begin }, &defaults, false)?;
        let head = head.trim_end();
        let head = head.rfind(':').map_or(head, |at| &head[..=at]).to_owned();
        heads.push(head);
        let mut own: HashSet<String> = params.iter().cloned().collect();
        let mut outer = HashSet::new();
        bound_in(&function.body, &mut own, &mut outer);
        own.retain(|n| !outer.contains(n));
        self.locals.push(own.clone());
        let was = std::mem::replace(&mut self.quiet, quiet);
        let part = self.part(heads.join("\n"), [], &function.body);
        self.quiet = was;
        self.locals.pop();
        let mut part = part?;
        let global = self.globals(&part, &own, &outer);
        if !global.is_empty() {
            let text = format!("global {}", global.join(", "));
            let line = self.added(s.span.start as usize, vec![text], &[], &[]);
            part.body.insert(0, line);
        }
        self.effects(&name, &part, &own, &params);
        Ok(vec![
            Step::Comment(String::new()),
            self.block(s, BlockKind::Def(name, params.into_iter().collect()), vec![part]),
            Step::Comment(String::new()),
        ])
    }

    /// What a block that is only there for what may fail comes to.
    fn attempt(&mut self, s: &'a Stmt) -> Steps<'a> {
        let StmtKind::Try { body, handlers, orelse, finally } = &s.kind else {
            return Ok(Vec::new());
        };
        let ran = |h: &&Handler| h.body.first().is_some_and(|b| self.was_run(b));
        let mut steps = Vec::new();
        match handlers.iter().find(ran) {
            None => {
                steps.extend(self.body(body)?);
                steps.extend(self.body(orelse)?);
            }
            Some(handler) => {
                let [only] = body.as_slice() else {
                    return Err(Problem::new(
                        "a try block stops in the middle",
                        "try one statement at a time, or export --to torch",
                    ));
                };
                let text = self.source.slice(only.span).lines().next().unwrap_or("");
                steps.push(Step::Comment(format!("# {text}   fails in PyTorch")));
                let name = handler.name.map(|n| n.as_str().to_owned());
                self.unwritten.extend(name.clone());
                let inside = self.body(&handler.body);
                if name.is_some() {
                    self.unwritten.pop();
                }
                steps.extend(inside?);
            }
        }
        steps.extend(self.body(finally)?);
        Ok(steps)
    }

    /// Whether anything in a statement was evaluated.
    pub(super) fn was_run(&self, s: &Stmt) -> bool {
        let mut seen = false;
        fn inside(w: &Writer<'_>, e: &Expr, seen: &mut bool) {
            *seen |= w.sight(e.span).is_some();
            visit::parts(e, &mut |p| inside(w, p, seen));
        }
        visit::heads(s, &mut |e| inside(self, e, &mut seen));
        seen || matches!(s.kind, StmtKind::Pass)
            || visit::blocks(s).iter().any(|b| b.iter().any(|s| self.was_run(s)))
    }

    fn expression(&mut self, s: &'a Stmt, e: &'a Expr) -> Steps<'a> {
        if let ExprKind::Str(_) = e.kind {
            return self.as_it_is(s);
        }
        if let Some(steps) = self.backward(s, e)? {
            return Ok(steps);
        }
        let ExprKind::Trailers { base, trailers } = &e.kind else {
            let code = self.expr(e)?;
            return Ok(vec![self.line(s, vec![code.text], [], false)]);
        };
        // Alone at the prompt it shows what it gives, a handle.
        if let Some(steps) = self.only_asks(s, shown(e))? {
            return Ok(steps);
        }
        // `print(y.add_(1))` shows what was written.
        if let Some(("print", [Arg { value, kind: ArgKind::Positional, .. }])) = name_call(e)
            && let Some((mut steps, target)) = self.written_in_place(s, value)?
        {
            self.effect = true;
            self.reads.insert(target.clone());
            steps.push(self.line(s, vec![format!("print({target})")], [], false));
            if let Some(Step::Line(line)) = steps.last_mut() {
                line.tree = None;
            }
            return Ok(steps);
        }
        if let Some(steps) = self.of_training(s, e, base, trailers)? {
            return Ok(steps);
        }
        if let Some((steps, _)) = self.written_in_place(s, e)? {
            return Ok(steps);
        }
        let known =
            (0..=trailers.len()).rev().find_map(|k| match self.known(e, base, trailers, k) {
                Some(Value::Builtin(b)) => Some(b),
                _ => None,
            });
        if let Some(b) = known {
            if SETTINGS.contains(&b.name) && b.module.starts_with("torch") {
                return Ok(Vec::new());
            }
            if b.name == "set_printoptions" && b.module == "torch" {
                return self.print_options(s, trailers);
            }
        }
        let code = self.expr(e)?;
        let changed = self.changed_by(base, trailers);
        if !changed.is_empty() {
            self.reads.extend(changed.iter().cloned());
        } else {
            self.effect = true;
        }
        let graded = !changed.is_empty();
        Ok(vec![self.line(s, vec![code.text], changed, graded)])
    }

    /// A call that asks something of backward: a hook, or to keep a gradient.
    fn only_asks(&mut self, s: &'a Stmt, e: &'a Expr) -> Perhaps<'a> {
        let ExprKind::Trailers { base, trailers } = &e.kind else {
            return Ok(None);
        };
        let keeps = matches!(trailers.as_slice(), [attr, _]
            if matches!(&attr.kind, TrailerKind::Attr(n) if n.as_str() == "retain_grad"));
        if keeps && self.is_tensor(base.span) {
            return Ok(Some(Vec::new()));
        }
        self.hooked(s, e, base, trailers)
    }

    /// The container that `xs.append(…)` and its like change.
    fn changed_by(&self, base: &'a Expr, trailers: &'a [Trailer]) -> Vec<String> {
        let [.., attr, _] = trailers else { return Vec::new() };
        match (&base.kind, &attr.kind) {
            (ExprKind::Name(name), TrailerKind::Attr(word))
                if crate::derivatives::pure::CHANGES.contains(&word.as_str())
                    && !self.is_local(name.as_str()) =>
            {
                vec![name.as_str().to_owned()]
            }
            _ => Vec::new(),
        }
    }

    fn print_options(&mut self, s: &'a Stmt, trailers: &'a [Trailer]) -> Steps<'a> {
        let Some(TrailerKind::Call(args)) = trailers.last().map(|t| &t.kind) else {
            return Ok(Vec::new());
        };
        let known = ["precision", "threshold", "edgeitems", "linewidth"];
        let mut texts = Vec::new();
        for (n, a) in args.iter().enumerate() {
            let word = match a.kind {
                ArgKind::Named(name) => name.as_str(),
                _ => known.get(n).copied().unwrap_or(""),
            };
            if known.contains(&word) {
                texts.push(format!("{word}={}", self.expr(&a.value)?.text));
            }
        }
        match texts.is_empty() {
            true => Ok(Vec::new()),
            false => {
                self.effect = true;
                let said =
                    "# For arrays; JAX writes a number without dimensions with all its digits.";
                let text = format!("jnp.set_printoptions({})", texts.join(", "));
                Ok(vec![self.line(s, vec![said.to_owned(), text], [], false)])
            }
        }
    }

    fn class(&mut self, s: &'a Stmt, name: Name, bases: &'a [Arg], body: &'a [Stmt]) -> Steps<'a> {
        if let Some(steps) = self.custom_function(s, name, bases, body)? {
            return Ok(steps);
        }
        if self.is_module_class(name.as_str()) {
            self.module_class(name.as_str(), body)?;
            return Ok(Vec::new());
        }
        let mut heads = Vec::new();
        visit::heads(s, &mut |e| heads.push(e));
        let begin = body.first().map_or(s.span.end, |b| b.span.start);
        let head = self.spliced(Span { start: s.span.start, end: begin }, &heads, false)?;
        let head = head.trim_end();
        let head = head.rfind(':').map_or(head, |at| &head[..=at]).to_owned();
        let mut own = HashSet::new();
        bound_in(body, &mut own, &mut HashSet::new());
        self.locals.push(own);
        let part = self.part(head, [], body);
        self.locals.pop();
        let kind = BlockKind::Def(name.as_str().to_owned(), Names::new());
        Ok(vec![self.block(s, kind, vec![part?])])
    }
}

/// What `print(…)` shows, where that is all; else the expression.
fn shown(e: &Expr) -> &Expr {
    match name_call(e) {
        Some(("print", [only])) => &only.value,
        _ => e,
    }
}

fn is(path: &[Name], word: &str) -> bool {
    path.first().is_some_and(|n| n.as_str() == word)
}

/// Whether the JAX program's own imports stand for a module.
fn is_replaced(path: &[Name], alias: Option<&Name>) -> bool {
    let usual = |name: &str| alias.is_none_or(|a| a.as_str() == name);
    is(path, "torch") || (is(path, "numpy") && usual("np")) || (is(path, "math") && usual("math"))
}
