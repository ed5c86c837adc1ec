//! What an input would give, without giving it: run under tight limits on a state that is put back
//! whole. The prompt shows it while a line is typed.

use vjp_eval::language::env::Globals;
use vjp_eval::record::event::{Remark, Shown};
use vjp_eval::{Event, Machine, Manner, leaf};
use vjp_maths::Variable;
use vjp_syntax::ast::{Program, StmtKind};
use vjp_tensor::Tensor;
use vjp_tensor::clock::Instant;
use vjp_text::Source;

/// What an input would give.
pub struct Preview {
    /// The last thing it would echo.
    pub value: Option<(Shown, Option<Remark>)>,
    /// Gradients it would change, by their leaf's name.
    pub grads: Vec<(String, Tensor)>,
}

/// What `text` would give. Names, values, gradients, graph, random numbers and notes are as
/// before, whatever happens. None where it is not a program, fails, prints, takes long, or
/// where its effects could not be taken back.
pub fn preview(m: &mut Machine, text: &str) -> Option<Preview> {
    let begun = Instant::now();
    let mode = m.mode();
    // Parsed apart: most of what is being typed is not a program yet.
    let program = vjp_syntax::parse(&Source::new(text), mode).ok()?;
    if !has_value(&program) {
        return None;
    }
    // Sweeps and hooks need a call, or an operator of the program's own.
    let calls = text.contains('(');
    m.glanced(begun, calls, |m| attempt(m, text))
}

fn attempt(m: &mut Machine, text: &str) -> Option<Preview> {
    let before = gradients(m.globals());
    let (mut value, mut printed, mut matrix) = (None, false, false);
    let done = m.run(&Source::new(text), Manner::Line, &mut |event| match event {
        Event::Value(v) => value = Some((v.shown, v.remark)),
        Event::Matrix(_) => matrix = true,
        Event::Print(_) | Event::PrintError(_) => printed = true,
        _ => {}
    });
    if printed || done.is_err() {
        return None;
    }
    if matrix && let Some(j) = m.drawn() {
        value = Some((m.shown(&j).0, None));
    }
    let mut grads = Vec::new();
    for (name, leaf, old) in before.iter().chain(&gradients(m.globals())) {
        let Some(new) = leaf.grad().map(|g| g.value()) else {
            continue;
        };
        let known = before.iter().find(|(_, v, _)| v.same(leaf));
        let old = known.map_or(old, |(_, _, old)| old);
        let made_now = known.is_none();
        let changed = made_now || old.as_ref().is_none_or(|old| !old.is_identical(&new));
        if changed && leaf.is_leaf() && grads.iter().all(|(n, _)| n != name) {
            grads.push((name.clone(), new));
        }
    }
    Some(Preview { value, grads })
}

/// Whether its last statement binds or computes something, a block of such among them.
fn has_value(program: &Program) -> bool {
    let simple = |kind: &StmtKind| {
        matches!(
            kind,
            StmtKind::Expr(_)
                | StmtKind::Assign { .. }
                | StmtKind::Augment { .. }
                | StmtKind::Annotate { .. }
                | StmtKind::ShortDef(_)
                | StmtKind::Def { .. }
                | StmtKind::Import(_)
                | StmtKind::FromImport { .. }
        ) || runs(kind)
    };
    let last = program.body.last().map(|s| &s.kind);
    let shows = |kind: &StmtKind| {
        matches!(kind, StmtKind::Expr(_) | StmtKind::Assign { .. } | StmtKind::Augment { .. })
            || runs(kind)
    };
    program.body.iter().all(|s| simple(&s.kind)) && last.is_some_and(shows)
}

/// A block that is carried out where it stands.
fn runs(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::If { .. } | StmtKind::With { .. }
    )
}

/// Every name's tensor with its gradient now.
fn gradients(globals: &Globals) -> Vec<(String, Variable, Option<Tensor>)> {
    let tensors = globals.iter().filter_map(|(name, value)| {
        let v = leaf::existing(value)?;
        let grad = v.grad().map(|g| g.value());
        (name.as_str() != "_").then(|| (name.to_string(), v, grad))
    });
    tensors.collect()
}
