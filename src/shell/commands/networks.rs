//! Looking at networks: `:show model`, `:cost`, `:heat W`.

use super::asking::{evaluating, problem};
use super::check::no_backward;
use super::plots::failure;
use crate::shell::duration;
use crate::{Ended, Problem, Shell};
use vjp_eval::record::network::Heat;
use vjp_eval::record::questions::Answer;
use vjp_eval::{Event, Value};
use vjp_text::Symbol;
use vjp_torch::nn::is_module;
use vjp_tutor::cost::{cost as costs, measured};
use vjp_tutor::network::network;
use vjp_tutor::plots::numbers;

/// `:show`, `:show net`
pub fn show(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let modules: Vec<String> =
        shell.machine.names().into_iter().filter(|(_, v)| is_module(v)).map(|(n, _)| n).collect();
    let name = match (args, modules.as_slice()) {
        ("", [only]) => only.clone(),
        ("", [first, ..]) => {
            return Err(Problem::new(format!("which network: {}?", modules.join(" or ")))
                .help(format!(":show {first}"), "shows its layers"));
        }
        ("", []) => return Err(Problem::new("no name is bound to a network yet")),
        (name, _) => name.to_owned(),
    };
    match shell.machine.global(Symbol::new(&name)).filter(is_module) {
        Some(Value::Instance(module)) => {
            let found = evaluating(shell, |shell| network(&mut shell.machine, &name, &module));
            answered(shell, Answer::Network(found.map_err(|halt| problem(&halt))?))
        }
        _ => Err(Problem::new(format!("{name} is not a network"))),
    }
}

/// `:cost`
pub fn cost(shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    let Some(latest) = shell.machine.latest.clone() else {
        return Err(no_backward(shell));
    };
    let found = evaluating(shell, |shell| {
        let cost = costs(&mut shell.machine, &latest)?;
        Ok((cost, measured(&mut shell.machine, &latest)?))
    });
    let (cost, (backward, forward)) = found.map_err(|halt| problem(&halt))?;
    let ended = answered(shell, Answer::Cost(cost));
    let (rows, columns) = (backward * cost.rows as u32, forward * cost.columns as u32);
    let text = format!(
        "  measured: a backward takes {}, a forward sweep {}: rows {}, columns {}\n",
        duration(backward),
        duration(forward),
        duration(rows),
        duration(columns)
    );
    shell.view.aside(&text);
    ended
}

/// `:heat W`
pub fn heat(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    if args.is_empty() {
        return Err(Problem::new(":heat needs a matrix").help(":heat W", "draws W as shades"));
    }
    match evaluating(shell, |shell| numbers(&mut shell.machine, args)) {
        Ok(value) => answered(shell, Answer::Heat(Heat { name: args.to_owned(), value })),
        Err(failed) => failure(shell, failed),
    }
}

fn answered(shell: &mut Shell, answer: Answer) -> Result<Ended, Problem> {
    shell.view.event(Event::Answer(Box::new(answer)));
    Ok(Ended::Well)
}
