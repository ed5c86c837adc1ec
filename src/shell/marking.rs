//! What the running session knows about a wrong answer.

use super::interrupt::Evaluating;
use super::shell::Shell;
use crate::eval::library::lend::lend;
use crate::maths::budget;
use crate::maths::place::Place;
use crate::session::diagnosis::{self, Diagnosis, Evidence, Question};
use std::rc::Rc;

/// So many of the last backwards are looked at.
const PAST: usize = 8;

/// What a wrong answer would have been right for, from the backwards so far.
pub fn diagnose(shell: &mut Shell, question: &Question<'_>) -> Option<Diagnosis> {
    let past = (1..=PAST).map_while(|n| shell.view.backward(n));
    let backwards: Vec<_> = past.collect();
    let latest = shell.machine.latest.clone();
    let latest = latest.filter(|l| backwards.first().is_some_and(|b| Rc::ptr_eq(b, &l.event)));
    budget::set_time_limit(shell.common.time_limit);
    let listening = Evaluating::begin();
    // What cannot be computed again explains nothing.
    let slips = latest.and_then(|l| lend(&mut shell.machine, || l.slips()).ok());
    drop(listening);
    budget::set_time_limit(None);
    let text = |place: Place| {
        let source = shell.machine.source_of(place.source)?;
        let text = source.slice(place.span).trim();
        (!text.is_empty() && text.chars().count() <= 24).then(|| text.to_owned())
    };
    let evidence = Evidence {
        backwards,
        slips: slips.as_deref().unwrap_or_default(),
        text: &text,
    };
    diagnosis::diagnose(question, &evidence)
}
