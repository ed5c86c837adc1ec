//! What the running session knows about a wrong answer.

use crate::Shell;
use crate::interrupt::Evaluating;
use num_traits::ToPrimitive;
use std::rc::Rc;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::record::event::Shown;
use vjp_report::panel::build::Which;
use vjp_session::marking::diagnosis::{self, Diagnosis, Evidence, Question};
use vjp_tensor::Place;
use vjp_text::Span;
use vjp_tutor::forgotten_steps::slips;

/// So many of the last backwards are looked at.
const PAST: usize = 8;

/// Numbers of the names that hold a few.
fn values(shell: &mut Shell) -> Vec<(String, Vec<f64>)> {
    let names = shell.machine.names().into_iter();
    names
        .filter_map(|(name, value)| match shell.machine.shown(&value).0 {
            Shown::Tensor(t) if t.numel() <= FEW => Some((name, t.data().to_vec())),
            Shown::Int(n) => Some((name, vec![n.to_f64()?])),
            _ => None,
        })
        .collect()
}

/// So many numbers are looked at as an answer.
const FEW: usize = 64;

/// A piece of program that is quoted whole.
const LONGEST: usize = 40;

/// The span of `(x + 1)*(x + 2)` begins and ends inside its brackets: a text with those it lacks.
fn balanced(program: &str, span: Span) -> &str {
    let (start, end) = (span.start as usize, span.end as usize);
    let piece = program.get(start..end).unwrap_or("");
    let (mut open, mut lacking) = (0usize, 0usize);
    for c in piece.chars() {
        match c {
            '(' => open += 1,
            ')' if open > 0 => open -= 1,
            ')' => lacking += 1,
            _ => {}
        }
    }
    let (mut first, mut last) = (start, end);
    for _ in 0..lacking {
        let before = program[..first].trim_end();
        if !before.ends_with('(') {
            return piece;
        }
        first = before.len() - 1;
    }
    for _ in 0..open {
        let rest = &program[last..];
        let blanks = rest.len() - rest.trim_start().len();
        if !rest.trim_start().starts_with(')') {
            return piece;
        }
        last += blanks + 1;
    }
    &program[first..last]
}

/// A step in a sentence: of a long one the beginning.
fn quoted(step: &str) -> String {
    let step = step.split('\n').next().unwrap_or(step).trim();
    if step.chars().count() <= LONGEST {
        return step.to_owned();
    }
    let call = step.find('(').filter(|at| *at <= LONGEST && step.ends_with(')'));
    match call {
        Some(at) => format!("{}(…)", &step[..at]),
        None => step.chars().take(LONGEST - 1).chain(['…']).collect(),
    }
}

/// What a wrong answer would have been right for, from the backwards so far.
pub fn diagnose(shell: &mut Shell, question: &Question<'_>) -> Option<Diagnosis> {
    let past =
        (1..=PAST).map_while(|n| shell.view.backward(Which::Last(n), &shell.machine.past.told));
    let backwards: Vec<_> = past.collect();
    let latest = shell.machine.latest.clone();
    let latest = latest.filter(|l| backwards.first().is_some_and(|b| Rc::ptr_eq(b, &l.event)));
    let listening = Evaluating::begin(shell.common.time_limit);
    // What cannot be computed again explains nothing.
    let slips = latest.and_then(|l| lend(&mut shell.machine, || slips(&l)).ok());
    drop(listening);
    let mut values = values(shell);
    // What the answer does not depend on explains nothing.
    values.retain(|(name, _)| question.is_about(name));
    let text = |place: Place| {
        let source = shell.machine.source_of(place.source)?;
        let whole = balanced(source.text(), place.span).trim();
        (!whole.is_empty()).then(|| quoted(whole))
    };
    let evidence =
        Evidence { backwards, values, slips: slips.as_deref().unwrap_or_default(), text: &text };
    diagnosis::diagnose(question, &evidence)
}
