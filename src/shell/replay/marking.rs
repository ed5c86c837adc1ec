//! What the running session knows about a wrong answer.

use crate::interrupt::Evaluating;
use crate::shell::Shell;
use num_traits::ToPrimitive;
use std::rc::Rc;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::record::event::Shown;
use vjp_session::marking::diagnosis::{self, Diagnosis, Evidence, Question};
use vjp_tensor::source_place::Place;
use vjp_text::source::Span;
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
    let mut depth = 0i32;
    let deficit = piece.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    let inside = |c: &str, d: &str| program[..start].ends_with(c) && program[end..].starts_with(d);
    match deficit && inside("(", ")") {
        true => &program[start - 1..=end],
        false => piece,
    }
}

/// What a wrong answer would have been right for, from the backwards so far.
pub fn diagnose(shell: &mut Shell, question: &Question<'_>) -> Option<Diagnosis> {
    let past = (1..=PAST).map_while(|n| shell.view.backward(n));
    let backwards: Vec<_> = past.collect();
    let latest = shell.machine.latest.clone();
    let latest = latest.filter(|l| backwards.first().is_some_and(|b| Rc::ptr_eq(b, &l.event)));
    let listening = Evaluating::begin(shell.common.time_limit);
    // What cannot be computed again explains nothing.
    let slips = latest.and_then(|l| lend(&mut shell.machine, || slips(&l)).ok());
    drop(listening);
    let values = values(shell);
    let text = |place: Place| {
        let source = shell.machine.source_of(place.source)?;
        let whole = balanced(source.text(), place.span);
        let text = whole.trim();
        (!text.is_empty() && text.chars().count() <= LONGEST).then(|| text.to_owned())
    };
    let evidence =
        Evidence { backwards, values, slips: slips.as_deref().unwrap_or_default(), text: &text };
    diagnosis::diagnose(question, &evidence)
}
