//! `:check` and `:latex`: the last backward by three routes, and as LaTeX.

use super::fault::Problem;
use super::interrupt::Evaluating;
use super::shell::{Ended, Shell};
use super::state;
use crate::eval::event::Event;
use crate::eval::library::lend::lend;
use crate::eval::machine::Manner;
use crate::maths::budget;
use crate::report::latex as typeset;
use crate::text::source::Source;

/// `:check`
pub fn check(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    if !args.is_empty() {
        return Err(
            Problem::new(":check takes nothing: it checks the last backward")
                .help(":check", "the last backward by three routes"),
        );
    }
    let Some(latest) = shell.machine.latest.clone() else {
        return Err(Problem::new("there was no backward yet")
            .help("x = [1, 2]; y = 3*x^2; y.backward([1, 10])", "is one"));
    };
    budget::set_time_limit(shell.common.time_limit);
    let listening = Evaluating::begin();
    // The code of a Function may have to run again.
    let routes = lend(&mut shell.machine, || latest.routes());
    drop(listening);
    budget::set_time_limit(None);
    let routes = routes.map_err(|halt| Problem::new(halt.message()))?;
    shell.view.event(Event::Routes(Box::new(routes)));
    Ok(Ended::Well)
}

/// `:latex`, `:latex N`, `:latex jacobian(y, x)`
pub fn latex(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    if args.is_empty() || args.chars().all(|c| c.is_ascii_digit()) {
        let backward = state::last(shell, args)?;
        shell.view.say(&typeset::backward(&backward));
        return Ok(Ended::Well);
    }
    let mut written = String::new();
    let mut failed = None;
    budget::set_time_limit(shell.common.time_limit);
    let listening = Evaluating::begin();
    let source = Source::new(args);
    let result = shell
        .machine
        .run(&source, Manner::Line, &mut |event| match event {
            Event::Matrix(matrix) => written += &typeset::matrix(&matrix),
            Event::Error(fault) => failed = Some(fault),
            _ => {}
        });
    drop(listening);
    budget::set_time_limit(None);
    if let Some(fault) = failed {
        shell.view.event(Event::Error(fault));
    }
    if result.is_err() {
        return Ok(Ended::Failed);
    }
    if written.is_empty() {
        return Err(Problem::new(format!("{args} is no matrix of derivatives"))
            .help(":latex jacobian(y, x)", "writes one"));
    }
    shell.view.say(&written);
    Ok(Ended::Well)
}
