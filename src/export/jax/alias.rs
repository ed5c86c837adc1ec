//! Memory that names share: what is written through one is bound anew under the others.

use super::names::bindings::bound_in;
use super::problem::{Done, Problem};
use super::steps::*;
use super::writer::Writer;
use std::collections::HashSet;
use vjp_eval::Value;
use vjp_syntax::ast::*;

/// Methods and attributes that give another sight of the same numbers.
const VIEWS: [&str; 27] = [
    "view",
    "reshape",
    "T",
    "mT",
    "t",
    "transpose",
    "swapaxes",
    "permute",
    "flatten",
    "ravel",
    "squeeze",
    "unsqueeze",
    "select",
    "narrow",
    "diagonal",
    "expand",
    "expand_as",
    "detach",
    "data",
    "numpy",
    "view_as",
    "chunk",
    "split",
    "unbind",
    "movedim",
    "contiguous",
    "requires_grad_",
];

/// Whether an expression shows other names' numbers and computes nothing.
pub(super) fn is_view(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Name(_) => true,
        ExprKind::List(items) | ExprKind::Tuple(items) => items.iter().all(is_view),
        ExprKind::Trailers { base, trailers } => {
            let step = |t: &Trailer| match &t.kind {
                TrailerKind::Attr(n) => VIEWS.contains(&n.as_str()),
                _ => true,
            };
            is_view(base)
                && trailers.iter().all(step)
                && !matches!(trailers.first().map(|t| &t.kind), Some(TrailerKind::Call(_)))
        }
        _ => false,
    }
}

/// The name that a view is of.
fn root(e: &Expr) -> Option<&str> {
    match &e.kind {
        ExprKind::Name(name) => Some(name.as_str()),
        ExprKind::Trailers { base, .. } => root(base),
        _ => None,
    }
}

impl<'a> Writer<'a> {
    /// After a statement at the top level: names whose numbers changed although nothing was written
    /// to them share memory with what was.
    pub(super) fn settle(&mut self, s: &'a Stmt, steps: &mut Vec<Step<'a>>) -> Done<()> {
        if let StmtKind::Assign { targets, value } = &s.kind
            && let [Expr { kind: ExprKind::Name(name), .. }] = targets.as_slice()
        {
            self.defined.retain(|(n, _)| n != name.as_str());
            self.defined.push((name.as_str().to_owned(), (s, value)));
        }
        let place = (self.source.id(), s.span);
        let Some(moment) = self.watch.moments.iter().find(|m| m.place == place) else {
            return Ok(());
        };
        let mut own = HashSet::new();
        bound_in(std::slice::from_ref(s), &mut own, &mut HashSet::new());
        let mut written: Names = steps.iter().flat_map(Step::writes).collect();
        let mut open: Vec<String> = moment
            .changed
            .iter()
            .map(|n| n.as_str().to_owned())
            .filter(|n| !own.contains(n))
            .filter(|n| match self.modules.nets.iter().find(|net| net.name == *n) {
                Some(net) => !written.contains(&net.params),
                None => !written.contains(n) && self.is_array_name(n),
            })
            .collect();
        // What is written back to a base first, then what shows it.
        let mut again = true;
        while again && !open.is_empty() {
            again = false;
            for name in open.clone() {
                if let Some(step) = self.derived(s, &name, &written, steps)? {
                    steps.push(step);
                    written.insert(name.clone());
                    open.retain(|n| *n != name);
                    again = true;
                }
            }
        }
        match open.first() {
            None => Ok(()),
            Some(name) => {
                let net = self.modules.nets.iter().any(|n| n.name == *name);
                let array =
                    matches!(self.machine.lookup(name), Some(Value::Tensor(_) | Value::Array(_)));
                if !array && !net {
                    return Err(Problem::new(
                        format!(
                            "what {name} holds changes here under another name or in a function"
                        ),
                        "export --to torch",
                    ));
                }
                let (what, hint) = match written.iter().next() {
                    _ if net => (
                        format!("the parameters of {name} are modified in place under other names"),
                        format!("write {name} itself, as in {name}.weight, or export --to torch"),
                    ),
                    Some(by) => (
                        format!("{name} shares memory with {by}, which is modified in place"),
                        format!("write {name} = {name}.clone() before that"),
                    ),
                    None => (
                        format!("{name} is modified in place under another name"),
                        format!("assign to {name} itself"),
                    ),
                };
                Err(Problem::new(format!("{what}; JAX arrays are immutable"), hint))
            }
        }
    }

    fn is_array_name(&self, name: &str) -> bool {
        matches!(
            self.machine.lookup(name),
            Some(
                Value::Tensor(_)
                    | Value::Array(_)
                    | Value::List(_)
                    | Value::Tuple(_)
                    | Value::Dict(_)
            )
        )
    }

    fn derived(
        &mut self,
        s: &'a Stmt,
        name: &str,
        written: &Names,
        steps: &[Step<'a>],
    ) -> Done<Option<Step<'a>>> {
        let definition =
            |w: &Self, n: &str| w.defined.iter().find(|(m, _)| m == n).map(|(_, d)| *d);
        // It shows what was written.
        if let Some((statement, value)) = definition(self, name)
            && is_view(value)
            && names(value).iter().any(|n| written.contains(n))
        {
            if steps.iter().any(|step| matches!(step, Step::Block(b) if b.reads().contains(name))) {
                return Ok(None);
            }
            let step = self.statement(statement)?.into_iter().next();
            return Ok(step.map(|step| match step {
                Step::Line(mut line) => {
                    line.at = s.span.start as usize;
                    Step::Line(line)
                }
                other => other,
            }));
        }
        // What was written shows it.
        for other in written.clone() {
            if let Some((_, value)) = definition(self, &other)
                && is_view(value)
                && root(value) == Some(name)
                && !matches!(value.kind, ExprKind::Name(_))
            {
                let target = self.target(value)?;
                let text = self.put(&target, &other);
                return Ok(Some(self.added(
                    s.span.start as usize,
                    vec![text],
                    &[&other, name],
                    &[name],
                )));
            }
        }
        Ok(None)
    }
}

fn names(e: &Expr) -> Vec<String> {
    let mut all = Vec::new();
    fn inside(e: &Expr, all: &mut Vec<String>) {
        if let ExprKind::Name(n) = &e.kind {
            all.push(n.as_str().to_owned());
        }
        vjp_syntax::visit::parts(e, &mut |p| inside(p, all));
    }
    inside(e, &mut all);
    all
}
