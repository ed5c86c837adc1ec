//! The top-level statements that were carried out, in order: where an explanation looks up how a name came
//! to its value.

use super::bindings::{bound, defines, read, root};
use crate::Machine;
use vjp_syntax::Mode;
use vjp_syntax::ast::{Expr, ExprKind, Stmt, StmtKind, TrailerKind};
use vjp_text::{Source, Symbol};

/// A statement that was carried out, with its tree.
pub struct Statement {
    pub source: Source,
    pub tree: Stmt,
}

impl Statement {
    /// As written, without a `;` or a comment behind it.
    pub fn text(&self) -> &str {
        self.source.slice(self.tree.span).trim().trim_end_matches(';').trim_end()
    }

    pub fn is_simple(&self) -> bool {
        !self.text().contains('\n') && vjp_syntax::visit::blocks(&self.tree).is_empty()
    }

    pub fn binds(&self, name: Symbol) -> bool {
        let mut binds = false;
        bound(&self.tree, &mut |n| binds |= n == name);
        binds
    }

    pub fn reads(&self) -> Vec<Symbol> {
        let mut names = Vec::new();
        read(&self.tree, &mut |n| names.push(n));
        names
    }
}

/// What was done, the latest first, so far back as anybody asks.
const FAR: usize = 2000;

/// The statements with their trees, the latest first.
pub fn statements(m: &Machine) -> Vec<Statement> {
    let mut all: Vec<Statement> = Vec::new();
    let mut parsed: Option<(u32, Option<Vec<Stmt>>)> = None;
    for deed in m.done.iter().take(FAR) {
        let id = deed.source.id();
        if parsed.as_ref().is_none_or(|(known, _)| *known != id) {
            let tree = [m.strict(), !m.strict()]
                .iter()
                .find_map(|&strict| vjp_syntax::parse(&deed.source, Mode { strict }).ok());
            parsed = Some((id, tree.map(|p| p.body)));
        }
        let body = parsed.as_ref().and_then(|(_, body)| body.as_ref());
        if let Some(tree) = body.and_then(|b| b.iter().find(|s| s.span == deed.span)) {
            all.push(Statement { source: deed.source.clone(), tree: tree.clone() });
        }
    }
    all
}

/// The statements by which `names` came to their values, in the order they ran: what has to be repeated to
/// compute them again. Leaves, functions and modules are taken as they are.
pub fn slice(m: &Machine, all: &[Statement], names: &[Symbol]) -> Vec<usize> {
    let mut needed: Vec<Symbol> = names.to_vec();
    let mut found = Vec::new();
    for (k, statement) in all.iter().enumerate() {
        // What was imported is there.
        if matches!(statement.tree.kind, StmtKind::Import(_) | StmtKind::FromImport { .. }) {
            continue;
        }
        let Some(&name) =
            needed.iter().find(|n| statement.binds(**n) || writes(&statement.tree, **n))
        else {
            continue;
        };
        found.push(k);
        if defines(&statement.tree, name) {
            needed.retain(|n| !defines(&statement.tree, *n));
        }
        for name in statement.reads() {
            if !needed.contains(&name) && !is_given(m, name) {
                needed.push(name);
            }
        }
    }
    found.reverse();
    found
}

/// Whether a name needs no computing: a leaf, a function, a module, nothing of the program's.
pub fn is_given(m: &Machine, name: Symbol) -> bool {
    let Some(value) = m.global(name) else {
        return true;
    };
    match crate::leaf::existing(&value) {
        Some(v) => v.is_leaf() && v.requires_grad(),
        None => !matches!(
            value,
            crate::Value::Int(_)
                | crate::Value::Long(_)
                | crate::Value::Float(_)
                | crate::Value::List(_)
                | crate::Value::Tuple(_)
                | crate::Value::Dict(_)
                | crate::Value::NpScalar(..)
        ),
    }
}

/// Whether a statement writes into what a name represents: `y[0] = …`, `y += …`, `y.add_(…)`.
pub fn writes(s: &Stmt, name: Symbol) -> bool {
    let part = |e: &Expr| root(e).is_some_and(|(n, _)| n == name);
    match &s.kind {
        StmtKind::Assign { targets, .. } => {
            targets.iter().any(|t| matches!(t.kind, ExprKind::Trailers { .. }) && part(t))
        }
        StmtKind::Augment { target, .. } => part(target),
        StmtKind::Expr(Expr { kind: ExprKind::Trailers { base, trailers }, .. }) => {
            let own = matches!(base.kind, ExprKind::Name(n) if n == name);
            own && trailers.iter().any(|t| match &t.kind {
                TrailerKind::Attr(n) => n.as_str().ends_with('_') && !n.as_str().ends_with("__"),
                _ => false,
            })
        }
        _ => false,
    }
}
