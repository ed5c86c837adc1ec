//! `:step`: the last backward, one operation at a time.

use super::asking::{evaluating, problem};
use super::check::no_backward;
use crate::shell::Setting;
use crate::{Ended, Problem, Shell, screen, step_view};
use vjp_eval::Event;
use vjp_eval::record::questions::Answer;
use vjp_eval::record::stepped::Stepped;
use vjp_tutor::explain::step as tutor;

/// `:step`, `:step forward`, `:step 3`
pub fn step(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let mut words = args.split_whitespace().peekable();
    let forward = words.next_if(|word| *word == "forward").is_some();
    let number = words.next();
    let turn = number.map(|number| number.parse::<usize>());
    if words.next().is_some() || turn.as_ref().is_some_and(Result::is_err) {
        return Err(Problem::new(format!(":step cannot begin at {args}"))
            .help(":step", "steps through the last backward"));
    }
    let mut found = stepped(shell, forward)?;
    let mut begin = 0;
    if let Some(Ok(turn)) = turn {
        let count = found.count();
        if !(1..=count).contains(&turn) {
            let problem =
                Problem::new(format!("there is no step {turn}: the steps are 1 to {count}"));
            return Err(problem.help(":step", "shows all of them"));
        }
        begin = turn - 1;
        found.only = Some(begin);
    }
    let live = shell.setting == Setting::Live && shell.interactive && screen::whole();
    if !live {
        shell.view.event(Event::Answer(Box::new(Answer::Step(found))));
        return Ok(Ended::Well);
    }
    let viewed = step_view::show(shell, &found, begin);
    // The session keeps what a file shows.
    shell.view.muted = true;
    shell.view.event(Event::Answer(Box::new(Answer::Step(found))));
    shell.view.muted = false;
    match viewed {
        Ok(()) => Ok(Ended::Well),
        Err(error) => Err(Problem::new(format!("cannot use the terminal: {error}"))),
    }
}

/// The last backward, or its forward pass.
fn stepped(shell: &mut Shell, forward: bool) -> Result<Stepped, Problem> {
    let Some(latest) = shell.machine.latest.clone() else {
        return Err(no_backward(shell));
    };
    let found = evaluating(shell, |shell| tutor::stepped(&mut shell.machine, &latest, forward));
    found.map_err(|halt| problem(&halt))
}

/// The steps of the last backward on a terminal that shows something else; says what prevents it.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn enter(shell: &mut Shell) -> std::io::Result<Option<String>> {
    match stepped(shell, false) {
        Ok(found) => step_view::show(shell, &found, 0).map(|()| None),
        Err(problem) => Ok(Some(problem.message)),
    }
}
