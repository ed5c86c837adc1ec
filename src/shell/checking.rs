//! `:check` and `:latex`: the last backward by three routes, and as LaTeX.

use super::fault::Problem;
use super::interrupt::Evaluating;
use super::shell::{Ended, Shell};
use crate::eval::event::Event;
use crate::maths::budget;

/// `:check`
pub fn check(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    if !args.is_empty() {
        return Err(
            Problem::new(":check takes nothing: it checks the last backward")
                .help(":check", "the last backward by three routes"),
        );
    }
    let Some(latest) = &shell.machine.latest else {
        return Err(Problem::new("there was no backward yet")
            .help("x = [1, 2]; y = 3*x^2; y.backward([1, 10])", "is one"));
    };
    budget::set_time_limit(shell.common.time_limit);
    let listening = Evaluating::begin();
    let routes = latest.routes();
    drop(listening);
    budget::set_time_limit(None);
    let routes = routes.map_err(|complaint| Problem::new(complaint.to_string()))?;
    shell.view.event(Event::Routes(Box::new(routes)));
    Ok(Ended::Well)
}
