//! The body of a generator function as steps that can be left at a `yield` and taken up again.

use std::rc::Rc;
use vjp_syntax::ast::{Block, Expr, ExprKind, Function, Handler, Stmt, StmtKind};
use vjp_syntax::visit;
use vjp_text::Span;

/// One after the other.
pub(crate) type Steps = Rc<[Step]>;

/// The place of a `yield` that may be skipped.
pub(crate) struct Skipped(pub Span);

/// What a generator does between two places where it may stop.
pub(crate) enum Step {
    /// A statement without a `yield`, or whose yields have been gone through.
    Plain(Stmt),
    Yield(Option<Expr>),
    From(Expr),
    If {
        arms: Vec<(Expr, Steps)>,
        orelse: Steps,
    },
    For {
        target: Expr,
        iter: Expr,
        body: Steps,
        orelse: Steps,
    },
    While {
        test: Expr,
        /// The yields in the test.
        before: Steps,
        body: Steps,
        orelse: Steps,
    },
    With {
        context: Expr,
        target: Option<Expr>,
        body: Steps,
    },
    Try {
        body: Steps,
        handlers: Vec<(Handler, Steps)>,
        orelse: Steps,
        finally: Steps,
    },
}

/// The steps of a generator function's body.
///
/// # Errors
/// A `yield` where it would not always be reached: inside `and`, `or`, `if … else` or a comprehension.
pub(crate) fn of_function(function: &Function) -> Result<Steps, Skipped> {
    of_block(&function.body)
}

fn of_block(block: &Block) -> Result<Steps, Skipped> {
    let mut steps = Vec::with_capacity(block.len());
    for s in block {
        statement(s, &mut steps)?;
    }
    Ok(steps.into())
}

fn statement(s: &Stmt, steps: &mut Vec<Step>) -> Result<(), Skipped> {
    match &s.kind {
        _ if !yields(s) => {}
        StmtKind::If { arms, orelse } => {
            let mut made = Vec::with_capacity(arms.len());
            for (i, (test, body)) in arms.iter().enumerate() {
                if i == 0 {
                    before(test, steps)?;
                } else {
                    refuse(test)?;
                }
                made.push((test.clone(), of_block(body)?));
            }
            let orelse = of_block(orelse)?;
            steps.push(Step::If { arms: made, orelse });
            return Ok(());
        }
        StmtKind::For { target, iter, body, orelse } => {
            before(iter, steps)?;
            steps.push(Step::For {
                target: target.clone(),
                iter: iter.clone(),
                body: of_block(body)?,
                orelse: of_block(orelse)?,
            });
            return Ok(());
        }
        StmtKind::While { test, body, orelse } => {
            let mut first = Vec::new();
            before(test, &mut first)?;
            steps.push(Step::While {
                test: test.clone(),
                before: first.into(),
                body: of_block(body)?,
                orelse: of_block(orelse)?,
            });
            return Ok(());
        }
        StmtKind::With { items, body } => {
            let mut inner = of_block(body)?;
            for (context, target) in items.iter().rev() {
                let mut first = Vec::new();
                before(context, &mut first)?;
                first.push(Step::With {
                    context: context.clone(),
                    target: target.clone(),
                    body: inner,
                });
                inner = first.into();
            }
            steps.push(Step::If { arms: Vec::new(), orelse: inner });
            return Ok(());
        }
        StmtKind::Try { body, handlers, orelse, finally } => {
            let mut made = Vec::with_capacity(handlers.len());
            for h in handlers {
                made.push((h.clone(), of_block(&h.body)?));
            }
            steps.push(Step::Try {
                body: of_block(body)?,
                handlers: made,
                orelse: of_block(orelse)?,
                finally: of_block(finally)?,
            });
            return Ok(());
        }
        simple => {
            for e in parts(simple) {
                before(e, steps)?;
            }
        }
    }
    steps.push(Step::Plain(s.clone()));
    Ok(())
}

/// The yields within an expression, in the order in which they happen.
fn before(e: &Expr, steps: &mut Vec<Step>) -> Result<(), Skipped> {
    if let ExprKind::Yield { value, from } = &e.kind {
        if let Some(value) = value {
            before(value, steps)?;
        }
        let value = value.as_deref().cloned();
        steps.push(match (from, value) {
            (true, Some(value)) => Step::From(value),
            (_, value) => Step::Yield(value),
        });
        return Ok(());
    }
    let (always, sometimes) = children(e);
    for part in always {
        before(part, steps)?;
    }
    sometimes.into_iter().try_for_each(refuse)
}

fn refuse(e: &Expr) -> Result<(), Skipped> {
    match first_yield(e) {
        None => Ok(()),
        Some(span) => Err(Skipped(span)),
    }
}

fn first_yield(e: &Expr) -> Option<Span> {
    if matches!(e.kind, ExprKind::Yield { .. }) {
        return Some(e.span);
    }
    let (always, sometimes) = children(e);
    always.into_iter().chain(sometimes).find_map(first_yield)
}

/// The expressions of a simple statement, in order of evaluation.
fn parts(kind: &StmtKind) -> Vec<&Expr> {
    match kind {
        StmtKind::Expr(e) => vec![e],
        StmtKind::Assign { targets, value } => std::iter::once(value).chain(targets).collect(),
        StmtKind::Augment { target, value, .. } => vec![target, value],
        StmtKind::Annotate { target, value, .. } => value.iter().chain([target]).collect(),
        StmtKind::Raise { exception, cause } => exception.iter().chain(cause).collect(),
        StmtKind::Assert { test, message } => std::iter::once(test).chain(message).collect(),
        StmtKind::Del(targets) => targets.iter().collect(),
        StmtKind::Return(value) => value.iter().collect(),
        _ => Vec::new(),
    }
}

/// Whether a statement holds a `yield` of this function.
fn yields(s: &Stmt) -> bool {
    let any = |block: &Block| block.iter().any(yields);
    let has = |e: &Expr| first_yield(e).is_some();
    match &s.kind {
        StmtKind::If { arms, orelse } => {
            arms.iter().any(|(test, body)| has(test) || any(body)) || any(orelse)
        }
        StmtKind::For { iter, body, orelse, .. } => has(iter) || any(body) || any(orelse),
        StmtKind::While { test, body, orelse } => has(test) || any(body) || any(orelse),
        StmtKind::With { items, body } => items.iter().any(|(e, _)| has(e)) || any(body),
        StmtKind::Try { body, handlers, orelse, finally } => {
            any(body) || handlers.iter().any(|h| any(&h.body)) || any(orelse) || any(finally)
        }
        simple => parts(simple).into_iter().any(has),
    }
}

/// The parts of an expression that are always evaluated, in order, and those that may not be.
fn children(e: &Expr) -> (Vec<&Expr>, Vec<&Expr>) {
    let mut parts: Vec<&Expr> = Vec::new();
    match &e.kind {
        // A lambda's yields are its own.
        ExprKind::Lambda(_) => {}
        _ => visit::parts(e, &mut |part| parts.push(part)),
    }
    match &e.kind {
        ExprKind::And(_)
        | ExprKind::Or(_)
        | ExprKind::IfElse { .. }
        | ExprKind::ListComp { .. }
        | ExprKind::SetComp { .. }
        | ExprKind::DictComp { .. }
        | ExprKind::Generator { .. } => (Vec::new(), parts),
        _ => (parts, Vec::new()),
    }
}
