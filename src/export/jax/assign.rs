//! Assignments: an array of JAX never changes, so what is written into becomes a new value.

use super::Held;
use super::slice::writes;
use super::statement::Lines;
use super::{Writer, python};
use crate::syntax::ast::*;
use crate::text::source::{Source, Span};

/// What is written into a part of another shape.
const FITTED: &str = r#"def fitted(v, part):
    """v without leading dimensions of 1 that the part does not have, as PyTorch takes it."""
    v = jnp.asarray(v)
    return v.reshape(v.shape[max(0, v.ndim - part.ndim):])
"#;

impl Writer<'_> {
    /// A leaf begins without gradient.
    pub(super) fn born(&mut self, targets: &[Expr], lines: &mut Vec<String>) {
        for target in targets {
            let ExprKind::Name(name) = &target.kind else {
                continue;
            };
            let name = python(name.as_str());
            if self.leaves.contains(&name) && !self.traced {
                lines.push(format!("{name}_grad = None"));
                self.held.insert(name, Held::None);
            }
        }
    }

    pub(super) fn assignment(
        &mut self,
        source: &Source,
        s: &Stmt,
        targets: &[Expr],
        value: &Expr,
    ) -> Lines {
        let mut lines = Vec::new();
        if let [target] = targets
            && let ExprKind::Trailers { base, trailers } = &target.kind
            && let Some((last, before)) = trailers.split_last()
        {
            let ahead = Span {
                start: target.span.start,
                end: before.last().map_or(base.span.end, |t| t.span.end),
            };
            let this = source.slice(ahead).to_owned();
            let given = self.text(source, value)?;
            match &last.kind {
                TrailerKind::Index(index) if !self.is_python_container(&this) => {
                    let ranges = matches!(index.kind, ExprKind::Tuple(_));
                    let index = self.text(source, index)?;
                    let name = this.strip_suffix(".data").or(this.strip_suffix(".detach()"));
                    let name = name.unwrap_or(&this);
                    let given = match ranges {
                        true => {
                            self.helpers.insert(FITTED);
                            format!("fitted({given}, {name}[{index}])")
                        }
                        false => given,
                    };
                    return Ok(vec![format!("{name} = {name}.at[{index}].set({given})")]);
                }
                TrailerKind::Attr(attr) if attr.symbol.as_str() == "data" => {
                    return Ok(vec![format!("{this} = {given}")]);
                }
                _ => {}
            }
        }
        if let ExprKind::Lambda(_) = value.kind {
            self.functions.extend(writes(s));
        }
        let mut parts: Vec<&Expr> = targets.iter().collect();
        parts.push(value);
        let text = self.spliced(source, s.span, &parts)?;
        for target in targets {
            if let Some(leaf) = source.slice(target.span).strip_suffix(".grad") {
                let held =
                    if matches!(value.kind, ExprKind::None) { Held::None } else { Held::Perhaps };
                self.held.insert(python(leaf), held);
            }
        }
        lines.extend(text.lines().map(str::to_owned));
        self.born(targets, &mut lines);
        Ok(lines)
    }

    /// Whether a name holds a list or a dict of Python.
    pub(super) fn is_python_container(&self, this: &str) -> bool {
        let binds = self.lines.iter().rev().find_map(|l| match &l.tree.kind {
            StmtKind::Assign { targets, value }
                if targets.iter().any(|t| l.source.slice(t.span) == this) =>
            {
                Some(value)
            }
            _ => None,
        });
        binds.is_some_and(|v| {
            matches!(v.kind, ExprKind::List(_) | ExprKind::Dict(_) | ExprKind::ListComp { .. })
        })
    }

    pub(super) fn augmented(
        &mut self,
        source: &Source,
        s: &Stmt,
        target: &Expr,
        op: BinaryOp,
        value: &Expr,
    ) -> Lines {
        if let ExprKind::Trailers { trailers, .. } = &target.kind
            && let Some((last, before)) = trailers.split_last()
            && let TrailerKind::Index(index) = &last.kind
        {
            let this =
                source.slice(Span { start: target.span.start, end: last.span.start }).to_owned();
            if before.is_empty() && !self.is_python_container(&this) {
                let (index, value) = (self.text(source, index)?, self.text(source, value)?);
                let changed = match op {
                    BinaryOp::Add => format!("add({value})"),
                    BinaryOp::Sub => format!("add(-({value}))"),
                    BinaryOp::Mul => format!("multiply({value})"),
                    BinaryOp::Div => format!("divide({value})"),
                    BinaryOp::Pow => format!("power({value})"),
                    _ => format!("set({this}[{index}] {} ({value}))", op.text()),
                };
                return Ok(vec![format!("{this} = {this}.at[{index}].{changed}")]);
            }
        }
        let text = self.spliced(source, s.span, &[target, value])?;
        Ok(text.lines().map(str::to_owned).collect())
    }
}
