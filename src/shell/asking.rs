//! Questions about the session that leave it as it is: `:v`, `:what-if`.

use super::checking::no_backward;
use super::fault::Problem;
use super::interrupt::Evaluating;
use super::shell::{Ended, Shell};
use crate::eval::asked::Answer;
use crate::eval::event::Event;
use crate::eval::raise::Halt;
use crate::maths::budget;
use crate::maths::tensor::Tensor;
use std::rc::Rc;

/// `:v 1 0`, `:v [1, 0]`, `:v ones(2)`
pub fn weigh(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let Some(latest) = shell.machine.latest.clone() else {
        return Err(no_backward());
    };
    if args.is_empty() {
        let ones = vec!["1"; latest.y.numel().clamp(1, 8)].join(" ");
        return Err(Problem::new(":v needs a weight for each element of y")
            .help(format!(":v {ones}"), "weighs every row of J with 1"));
    }
    let v = match numbers(args) {
        Some(numbers) => Tensor::new(&[numbers.len()], numbers),
        None => match evaluating(shell, |shell| shell.machine.value_of(args)) {
            Ok(v) => v,
            Err(fault) => {
                shell.view.event(Event::Error(fault));
                return Ok(Ended::Failed);
            }
        },
    };
    let panel = evaluating(shell, |shell| shell.machine.weighed(&latest, &v));
    let panel = panel.map_err(|halt| problem(&halt))?;
    shell.view.event(Event::Backward(Rc::new(panel)));
    Ok(Ended::Well)
}

/// Numbers with blanks or commas between them.
fn numbers(args: &str) -> Option<Vec<f64>> {
    let parts = args.split([' ', ',']).filter(|p| !p.is_empty());
    parts.map(|p| p.parse().ok()).collect()
}

fn problem(halt: &Halt) -> Problem {
    let problem = Problem::new(halt.message());
    match halt
        .raised()
        .exception
        .hint
        .as_deref()
        .and_then(|h| h.split_once("  "))
    {
        Some((code, says)) => problem.help(code, says),
        None => problem,
    }
}

/// `:what-if x = [1, 3]`
pub fn what_if(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    if args.is_empty() {
        return Err(Problem::new(":what-if needs an assignment")
            .help(":what-if x = [1, 3]", "what would be otherwise with this x"));
    }
    match evaluating(shell, |shell| shell.machine.what_if(args)) {
        Ok(found) => {
            shell
                .view
                .event(Event::Answer(Box::new(Answer::WhatIf(found))));
            Ok(Ended::Well)
        }
        Err(fault) => {
            let ended = match fault.kind {
                crate::maths::complaint::Kind::Interrupted => Ended::Interrupted,
                _ => Ended::Failed,
            };
            shell.view.event(Event::Error(fault));
            Ok(ended)
        }
    }
}

/// Runs something that Ctrl-C and the time limit may stop.
pub(super) fn evaluating<T>(shell: &mut Shell, body: impl FnOnce(&mut Shell) -> T) -> T {
    budget::set_time_limit(shell.common.time_limit);
    let listening = Evaluating::begin();
    let found = body(shell);
    drop(listening);
    budget::set_time_limit(None);
    found
}
