//! Statements: most as they are; a backward as a function of its leaves and `jax.vjp` of it.

use super::slice::{backward, in_place, is_quiet, sweeps};
use super::sweep::graph_calls;
use super::words::Problem;
use super::{Held, Writer, literal, python};
use crate::syntax::ast::*;
use crate::syntax::visit;
use crate::text::source::{Source, Span};

pub(super) type Lines = Result<Vec<String>, Problem>;

/// Calls that set something JAX does not have.
const SETTINGS: [&str; 5] =
    ["manual_seed", "set_default_dtype", "set_printoptions", "set_detect_anomaly", "gradcheck"];

pub(super) fn indented(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|l| if l.is_empty() { l } else { format!("    {l}") })
}

impl Writer<'_> {
    /// The lines of a statement at the top level; a remark where it only asks about the graph.
    ///
    /// # Errors
    /// What has no counterpart.
    pub(super) fn top(&mut self, at: usize) -> Lines {
        let line = &self.lines[at];
        let (source, tree, ran) = (line.source.clone(), line.tree.clone(), line.ran);
        if let (StmtKind::Assign { targets, .. }, false) = (&tree.kind, ran.drawn.is_empty()) {
            return self.drawn(targets, &ran.drawn);
        }
        match self.statement(&source, &tree, &[at]) {
            Err(problem) if problem.asks_graph && matches!(tree.kind, StmtKind::Expr(_)) => {
                let text = source.slice(tree.span);
                let text =
                    text.strip_prefix("print(").and_then(|t| t.strip_suffix(')')).unwrap_or(text);
                Ok(vec![format!("# {text}  ({})", problem.what)])
            }
            other => other,
        }
    }

    /// Random numbers are PyTorch's own: the program gets them as numbers.
    fn drawn(
        &mut self,
        targets: &[Expr],
        drawn: &[(String, crate::maths::tensor::Tensor)],
    ) -> Lines {
        let mut lines = Vec::new();
        for (name, value) in drawn {
            if value.numel() > 1000 {
                return Err(Problem::new(
                    format!("{name} holds {} random numbers", value.numel()),
                    "export --to torch, which draws the same ones",
                ));
            }
            lines.push(format!("{} = jnp.array({})", python(name), literal(value)));
        }
        self.born(targets, &mut lines);
        Ok(lines)
    }

    pub(super) fn statement(&mut self, source: &Source, s: &Stmt, path: &[usize]) -> Lines {
        let only_shown = matches!(s.kind, StmtKind::Expr(_)) && !graph_calls(s).is_empty();
        if self.traced && only_shown {
            // It has been shown already, and the value does not depend on it.
            return Ok(Vec::new());
        }
        let mut lines = self.needed_functions(source, s, path)?;
        match &s.kind {
            StmtKind::Import(modules) => {
                let own = |(path, _): &(Vec<Name>, Option<Name>)| replaced(path);
                if !modules.iter().all(own) {
                    lines.push(source.slice(s.span).to_owned());
                }
            }
            StmtKind::FromImport { module, .. } if !replaced(module) || is(module, "numpy") => {
                lines.push(source.slice(s.span).to_owned());
            }
            StmtKind::FromImport { module, names } => {
                self.import(module, names);
            }
            StmtKind::Class { .. } => {
                return Err(Problem::new(
                    "a class has no counterpart in JAX, which differentiates functions",
                    "write it as functions of its parameters, or export --to torch",
                ));
            }
            StmtKind::Expr(e) => lines.extend(self.expression(source, e, path)?),
            StmtKind::Assign { targets, value } => {
                lines.extend(self.assignment(source, s, targets, value)?);
            }
            StmtKind::Augment { target, op, value } => {
                lines.extend(self.augmented(source, s, target, *op, value)?);
            }
            StmtKind::With { body, .. } if is_quiet(s, source) => {
                for (k, inner) in body.iter().enumerate() {
                    lines.extend(self.statement(source, inner, &deeper(path, k))?);
                }
            }
            StmtKind::With { .. } => {
                return Err(Problem::new(
                    "only `with torch.no_grad()` has a counterpart",
                    "leave the block out, or export --to torch",
                ));
            }
            _ => lines.extend(self.compound(source, s, path)?),
        }
        Ok(lines)
    }

    fn import(&mut self, module: &[Name], names: &[(Name, Option<Name>)]) {
        for (name, alias) in names {
            let path = module.iter().chain([name]).map(|n| n.symbol.as_str().to_owned());
            let bound = alias.unwrap_or(*name).symbol.as_str().to_owned();
            self.imported.insert(bound, path.collect());
        }
    }

    /// A statement with blocks, or any other, its own text kept.
    fn compound(&mut self, source: &Source, s: &Stmt, path: &[usize]) -> Lines {
        if let StmtKind::Def { function, decorators } = &s.kind {
            if !decorators.is_empty() {
                return Err(Problem::new(
                    "a decorator of PyTorch has no counterpart",
                    "leave it out, or export --to torch",
                ));
            }
            self.functions.insert(function.name.symbol.as_str().to_owned());
        }
        let mut heads = Vec::new();
        visit::heads(s, &mut |e| heads.push(e));
        let blocks: Vec<&Block> = visit::blocks(s);
        if blocks.iter().all(|b| b.is_empty()) {
            let text = self.spliced(source, s.span, &heads)?;
            return Ok(text.lines().map(str::to_owned).collect());
        }
        if sweeps(s) {
            self.held.values_mut().for_each(|h| *h = Held::Perhaps);
        }
        let (mut lines, mut at, mut place) = (Vec::new(), s.span.start, 0);
        for block in blocks.into_iter().filter(|b| !b.is_empty()) {
            let begin = block[0].span.start;
            let own: Vec<&Expr> = heads
                .iter()
                .copied()
                .filter(|e| e.span.start >= at && e.span.end <= begin)
                .collect();
            let head = self.spliced(source, Span { start: at, end: begin }, &own)?;
            lines.push(head.trim().to_owned());
            let was = self.traced;
            self.traced |= matches!(s.kind, StmtKind::Def { .. });
            let mut inside = Vec::new();
            for inner in block {
                inside.extend(self.statement(source, inner, &deeper(path, place))?);
                place += 1;
            }
            self.traced = was;
            if inside.is_empty() {
                inside.push("pass".into());
            }
            lines.extend(indented(inside));
            at = block.last().map_or(at, |s| s.span.end);
        }
        Ok(lines)
    }

    fn expression(&mut self, source: &Source, e: &Expr, path: &[usize]) -> Lines {
        if let Some((base, before, args)) = backward(e) {
            let root = match before.last() {
                None => base.clone(),
                Some(last) => Expr {
                    span: Span { start: e.span.start, end: last.span.end },
                    kind: ExprKind::Trailers {
                        base: Box::new(base.clone()),
                        trailers: before.to_vec(),
                    },
                },
            };
            return self.swept(source, &root, args, path);
        }
        if let Some(shown) = printed(e) {
            if self.traced {
                return Ok(Vec::new());
            }
            // `y.add_(1)` at the prompt shows what it returns.
            if let ExprKind::Trailers { trailers, .. } = &shown.kind
                && let [.., attr, call] = trailers.as_slice()
                && let (TrailerKind::Attr(name), TrailerKind::Call(_)) = (&attr.kind, &call.kind)
                && in_place(name.symbol.as_str())
            {
                let mut lines = self.expression(source, shown, path)?;
                if let Some((target, _)) = lines.last().and_then(|l| l.split_once(" = ")) {
                    lines.push(format!("print({target})"));
                }
                return Ok(lines);
            }
        }
        let ExprKind::Trailers { base, trailers } = &e.kind else {
            return Ok(vec![self.text(source, e)?]);
        };
        let [.., attr, call] = trailers.as_slice() else {
            return Ok(vec![self.text(source, e)?]);
        };
        if let (TrailerKind::Attr(name), TrailerKind::Call(args)) = (&attr.kind, &call.kind) {
            let word = name.symbol.as_str();
            let ahead = Span { start: e.span.start, end: attr.span.start };
            let this = source.slice(ahead).to_owned();
            if SETTINGS.contains(&word) {
                return Ok(Vec::new());
            }
            if word == "requires_grad_" {
                let mut lines = Vec::new();
                self.born(std::slice::from_ref(base), &mut lines);
                return Ok(lines);
            }
            if in_place(word) {
                let this = this.strip_suffix(".data").unwrap_or(&this);
                let target = match this.strip_suffix(".grad") {
                    Some(leaf) => {
                        self.held.insert(leaf.to_owned(), Held::Some);
                        format!("{leaf}_grad")
                    }
                    None => this.to_owned(),
                };
                if !target.chars().all(|c| c.is_alphanumeric() || c == '_') {
                    return Err(Problem::new(
                        format!("{this}.{word}() writes where JAX cannot: its arrays never change"),
                        "y = y.at[…].set(…) in JAX; here: assign a new value to a name",
                    ));
                }
                let args: Result<Vec<_>, _> =
                    args.iter().map(|a| self.text(source, &a.value)).collect();
                let args = args?;
                let first = args.first().cloned().unwrap_or_default();
                let value = match word {
                    "zero_" => format!("jnp.zeros_like({target})"),
                    "fill_" => format!("jnp.full_like({target}, {first})"),
                    "copy_" => format!("jnp.broadcast_to({first}, {target}.shape)"),
                    _ => {
                        let args: Vec<_> = args.into_iter().map(|a| (None, a)).collect();
                        super::words::method(&target, word.trim_end_matches('_'), &args)?
                    }
                };
                return Ok(vec![format!("{target} = {value}")]);
            }
        }
        Ok(vec![self.text(source, e)?])
    }
}

fn is(path: &[Name], word: &str) -> bool {
    path.first().is_some_and(|n| n.symbol.as_str() == word)
}

/// Whether JAX's own imports stand for a module.
fn replaced(path: &[Name]) -> bool {
    ["torch", "numpy", "math", "matplotlib"].iter().any(|word| is(path, word))
}

/// Of `print(e)`: e.
fn printed(e: &Expr) -> Option<&Expr> {
    let ExprKind::Trailers { base, trailers } = &e.kind else {
        return None;
    };
    match (&base.kind, trailers.as_slice()) {
        (ExprKind::Name(name), [t]) if name.as_str() == "print" => match &t.kind {
            TrailerKind::Call(args) => args.first().map(|a| &a.value),
            _ => None,
        },
        _ => None,
    }
}

fn deeper(path: &[usize], place: usize) -> Vec<usize> {
    path.iter().copied().chain([place]).collect()
}
