//! A backward: the function of its leaves, `jax.vjp` of it, and gradients that add up.

use super::slice::{Past, between, carried, names, past, sweeps};
use super::statement::{Lines, indented};
use super::words::Problem;
use super::{Held, Writer, python, swept};
use crate::eval::watch::Reached;
use crate::syntax::ast::*;
use crate::syntax::visit;
use crate::text::source::Source;

/// The prelude's functions of a graph.
pub(super) const OF_GRAPH: [&str; 5] = ["jacobian", "hessian", "grad", "vjp", "jvp"];
/// Gradients where it is not known whether there are some already.
const ADDED: &str = r#"def added(grad, more):
    """Gradients add up, as x.grad does."""
    return more if grad is None else grad + more
"#;

impl Writer<'_> {
    /// `def y_of(x): …`: the statements between the leaves and a value.
    fn function(
        &mut self,
        name: &str,
        leaves: &[String],
        path: &[usize],
        source: &Source,
        root: &Expr,
    ) -> Lines {
        let lines = self.lines;
        let past = past(lines, path);
        let chosen = between(&past, leaves, names(root));
        if let Some(carried) = carried(lines, path, &chosen, leaves) {
            return Err(Problem::new(
                format!("{carried} was computed in earlier turns of the loop"),
                "compute it in one turn, or export --to torch",
            ));
        }
        let was = std::mem::replace(&mut self.traced, true);
        let mut body = Vec::new();
        for Past { source, tree } in chosen {
            if sweeps(tree) {
                return Err(Problem::new(
                    "what is differentiated was computed in a loop that also sweeps backward",
                    "compute it after the loop, or export --to torch",
                ));
            }
            body.extend(self.statement(source, tree, path)?);
        }
        let root = self.text(source, root)?;
        body.push(format!("return {root}"));
        self.traced = was;
        let mut out = vec![format!("def {name}({}):", leaves.join(", "))];
        out.extend(indented(body));
        Ok(out)
    }

    pub(super) fn swept(
        &mut self,
        source: &Source,
        root: &Expr,
        args: &[Arg],
        path: &[usize],
    ) -> Lines {
        let ran = self.lines[path[0]].ran;
        let all = swept(self.session, ran);
        let mut spans: Vec<u32> = all.iter().map(|s| s.place.1.start).collect();
        spans.sort_unstable();
        spans.dedup();
        let Some(start) = spans.get(self.sweep) else {
            return Err(Problem::new(
                "this backward never ran, so its leaves are not known",
                "leave it out",
            ));
        };
        self.sweep += 1;
        let swept = all.iter().filter(|s| s.place.1.start == *start);
        let mut leaves: Vec<String> = Vec::new();
        for Reached { path: leaf, earlier, .. } in swept.flat_map(|s| &s.leaves) {
            let name = python(leaf);
            if !name.chars().all(|c| c.is_alphanumeric() || c == '_') || name.is_empty() {
                return Err(Problem::new(
                    format!("the leaf {leaf} has no name of its own"),
                    "bind each parameter to a name, or export --to torch",
                ));
            }
            if !earlier && !leaves.contains(&name) {
                leaves.push(name);
            }
        }
        let text = source.slice(root.span).to_owned();
        if leaves.is_empty() {
            return Ok(vec![format!(
                "# {text}.backward()  (the leaf that it reaches has no name any more)"
            )]);
        }
        let plain = text.chars().all(|c| c.is_alphanumeric() || c == '_');
        let name = if plain { format!("{}_of", python(&text)) } else { "value_of".into() };
        let value = if plain { python(&text) } else { "value".into() };
        let mut lines = self.function(&name, &leaves, path, source, root)?;
        let weight = args.iter().find(|a| match a.kind {
            ArgKind::Positional => true,
            ArgKind::Named(n) => n.symbol.as_str() == "gradient",
            _ => false,
        });
        let weight = match weight {
            Some(a) if !matches!(a.value.kind, ExprKind::None) => self.text(source, &a.value)?,
            _ => format!("jnp.ones_like({value})"),
        };
        lines.insert(0, String::new());
        lines.push(String::new());
        lines.push(format!("{value}, pullback = jax.vjp({name}, {})", leaves.join(", ")));
        let mut add = |leaf: &String, new: String| {
            let grad = format!("{leaf}_grad");
            let held = self.held.insert(leaf.clone(), Held::Some);
            // Inside a loop the next turn adds to what this one left.
            let held = if path.len() > 1 { Held::Perhaps } else { held.unwrap_or(Held::None) };
            match held {
                Held::None => format!("{grad} = {new}"),
                Held::Some => format!("{grad} = {grad} + {new}"),
                Held::Perhaps => {
                    self.helpers.insert(ADDED);
                    format!("{grad} = added({grad}, {new})")
                }
            }
        };
        match leaves.as_slice() {
            [leaf] => lines.push(add(leaf, format!("pullback({weight})[0]"))),
            several => {
                let new: Vec<String> = several.iter().map(|l| format!("new_{l}")).collect();
                lines.push(format!("{} = pullback({weight})", new.join(", ")));
                for leaf in several {
                    lines.push(add(leaf, format!("new_{leaf}")));
                }
            }
        }
        Ok(lines)
    }

    /// Functions of the leaves for what a statement asks of values: `jacobian(y, x)`, `torch.autograd.grad(y, x)`.
    pub(super) fn needed_functions(&mut self, source: &Source, s: &Stmt, path: &[usize]) -> Lines {
        let calls = graph_calls(s);
        let mut lines = Vec::new();
        for args in calls {
            let [y, x, ..] = args else { continue };
            let text = source.slice(y.value.span).to_owned();
            if self.functions.contains(&text) {
                continue;
            }
            let leaves: Vec<String> = match &x.value.kind {
                ExprKind::List(items) | ExprKind::Tuple(items) => {
                    items.iter().map(|e| source.slice(e.span)).map(python).collect()
                }
                _ => vec![python(source.slice(x.value.span))],
            };
            let plain = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if let Some(leaf) = leaves.iter().find(|l| !plain(l)) {
                return Err(Problem::new(
                    format!("{leaf} has no name of its own"),
                    "bind what you differentiate by to a name",
                ));
            }
            let name =
                if plain(&text) { format!("{}_of", python(&text)) } else { "value_of".into() };
            let y = &y.value;
            lines.push(String::new());
            lines.extend(self.function(&name, &leaves, path, source, y)?);
            lines.push(String::new());
            let text = self.text(source, y)?;
            self.made.insert(text, (name, leaves));
        }
        Ok(lines)
    }
}

/// The arguments of every call in a statement, blocks aside, that asks a graph.
pub(super) fn graph_calls(s: &Stmt) -> Vec<&[Arg]> {
    fn inside<'a>(e: &'a Expr, found: &mut Vec<&'a [Arg]>) {
        found.extend(asked(e));
        visit::parts(e, &mut |part| inside(part, found));
    }
    let mut calls = Vec::new();
    visit::heads(s, &mut |e| inside(e, &mut calls));
    calls
}

/// The arguments of a call that asks a graph.
fn asked(e: &Expr) -> Option<&[Arg]> {
    let ExprKind::Trailers { base, trailers } = &e.kind else {
        return None;
    };
    let ExprKind::Name(name) = &base.kind else {
        return None;
    };
    let attrs = trailers.iter().map_while(|t| match &t.kind {
        TrailerKind::Attr(name) => Some(name.symbol.as_str()),
        _ => None,
    });
    let attrs: Vec<&str> = attrs.collect();
    let asks = match name.as_str() {
        "torch" => attrs == ["autograd", "grad"],
        word => attrs.is_empty() && OF_GRAPH.contains(&word),
    };
    match trailers.get(attrs.len()).map(|t| &t.kind) {
        Some(TrailerKind::Call(args)) if asks => Some(args),
        _ => None,
    }
}
