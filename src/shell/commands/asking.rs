//! Questions about the session that leave it as it is: `:v`, `:what-if`, `:why`, `:explain`.

use crate::commands::check::no_backward;
use crate::interrupt::Evaluating;
use crate::{Ended, Problem, Shell};
use std::rc::Rc;
use vjp_eval::leaf::naming::unwrapped;
use vjp_eval::record::questions::{Answer, Written};
use vjp_eval::{Backward, Event, Halt, LeafReport};
use vjp_tensor::{Kind, Tensor};
use vjp_text::names::{is_name_continue, is_name_start};
use vjp_tutor::equations::{Problem as Unknown, of_backward, of_expression};
use vjp_tutor::explain::entry::{followed, steps};
use vjp_tutor::explain::{no_value, worked};
use vjp_tutor::other_v::weighed;
use vjp_tutor::what_if::value_of;
use vjp_tutor::{what_if, why};

/// `:v 1 0`, `:v [1, 0]`, `:v ones(2)`
pub fn weigh(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let Some(latest) = shell.machine.latest.clone() else {
        return Err(no_backward(shell));
    };
    if args.is_empty() {
        let ones = vec!["1"; latest.y.numel().clamp(1, 8)].join(" ");
        return Err(Problem::new(":v needs a weight for each element of y")
            .help(format!(":v {ones}"), "gives every row of J the weight 1"));
    }
    let v = match numbers(args) {
        Some(numbers) => Tensor::new(&[numbers.len()], numbers),
        None => match evaluating(shell, |shell| value_of(&mut shell.machine, args)) {
            Ok(v) => v,
            // `:v a b`: words where weights are wanted.
            Err(fault) if fault.kind == Kind::Syntax => {
                let ones = vec!["1"; latest.y.numel().clamp(1, 8)].join(" ");
                return Err(Problem::new(":v takes numbers, or an expression")
                    .help(format!(":v {ones}"), "gives every row of J the weight 1"));
            }
            Err(fault) => {
                shell.view.event(Event::Error(fault));
                return Ok(Ended::Failed);
            }
        },
    };
    let panel = evaluating(shell, |shell| weighed(&mut shell.machine, &latest, &v));
    let panel = panel.map_err(|halt| problem(&halt))?;
    shell.view.event(Event::Backward(Rc::new(panel)));
    Ok(Ended::Well)
}

/// Numbers and fractions with blanks or commas between them.
fn numbers(args: &str) -> Option<Vec<f64>> {
    let inside = args.strip_prefix('(').and_then(|a| a.strip_suffix(')')).unwrap_or(args);
    let parts = inside.split([' ', ',']).filter(|p| !p.is_empty());
    let number = |p: &str| p.parse::<f64>().ok();
    let fraction = |p: &str| {
        let (above, below) = p.split_once('/')?;
        number(below).filter(|b| *b != 0.0).and_then(|b| Some(number(above)? / b))
    };
    parts.map(|p| number(p).or_else(|| fraction(p))).collect()
}

pub(super) fn problem(halt: &Halt) -> Problem {
    hinted(&halt.message(), halt.raised().exception.hint.as_deref())
}

/// A hint that is a line to type, two blanks, and what it does.
pub(super) fn hinted(message: &str, hint: Option<&str>) -> Problem {
    let problem = Problem::new(message);
    match hint.and_then(|h| h.split_once("  ")) {
        Some((code, says)) => problem.help(code, says),
        None => problem,
    }
}

/// `:what-if x = [1, 3]`
pub fn what_if(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    if args.is_empty() {
        return Err(Problem::new(":what-if needs an assignment")
            .help(":what-if x = [1, 3]", "what would change with this x"));
    }
    match evaluating(shell, |shell| what_if::what_if(&mut shell.machine, args)) {
        Ok(found) => {
            shell.view.event(Event::Answer(Box::new(Answer::WhatIf(found))));
            Ok(Ended::Well)
        }
        Err(fault) => {
            let ended = match fault.kind {
                vjp_tensor::Kind::Interrupted => Ended::Interrupted,
                _ => Ended::Failed,
            };
            shell.view.event(Event::Error(fault));
            Ok(ended)
        }
    }
}

/// `:why`, `:why NAME`
pub fn why(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let reasons = evaluating(shell, |shell| why::why(&mut shell.machine, args));
    let reasons = reasons.map_err(|c| hinted(&c.message, c.hint.as_deref()))?;
    shell.view.event(Event::Answer(Box::new(Answer::Why(reasons))));
    Ok(Ended::Well)
}

/// `:explain`, `:explain x[1]`
pub fn explain(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let Some(latest) = shell.machine.latest.clone() else {
        return Err(no_backward(shell));
    };
    let mut spots = leaves(&latest.event);
    let passed = steps(&shell.machine, &latest).into_iter();
    spots.extend(passed.map(|(name, shape)| Spot { name, earlier: false, step: true, shape }));
    let all = args.is_empty() || args == latest.event.output;
    // A value of several entries is told as a whole.
    let array = |at: &usize| spots[*at].shape.iter().product::<usize>() != 1;
    let to = named(&spots, &args.replacen(".grad", "", 1)).filter(array).filter(|_| !all);
    let base = args.split(['[', '.']).next().unwrap_or_default().trim();
    let word = base.starts_with(is_name_start) && base.chars().all(is_name_continue);
    let known = |spot: &Spot| {
        let rest = spot.name.strip_prefix(base);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    if word && !spots.iter().any(known) {
        return Err(Problem::new(no_value(&shell.machine, &latest, base)));
    }
    let answer = if all || to.is_some() {
        let worked = evaluating(shell, |shell| worked(&mut shell.machine, &latest, to));
        Answer::Worked(worked.map_err(|halt| problem(&halt))?)
    } else {
        let (at, element) = entry(&spots, args, explained)?;
        let followed =
            evaluating(shell, |shell| followed(&mut shell.machine, &latest, at, element));
        Answer::Followed(followed.map_err(|halt| problem(&halt))?)
    };
    shell.view.event(Event::Answer(Box::new(answer)));
    Ok(Ended::Well)
}

/// `:equations`, `:equations numbers|latex|code`, `:equations x @ A @ x`
pub fn equations(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let (first, rest) = args.split_once(' ').unwrap_or((args, ""));
    let manner = |word: &str| match word {
        "numbers" => Some(Written::Numbers),
        "latex" => Some(Written::Latex),
        "code" => Some(Written::Code),
        _ => None,
    };
    // What the program has called so is meant.
    let manner = manner(first).filter(|_| !shell.machine.binds(first));
    let (written, of) = match manner {
        Some(written) => (written, rest.trim()),
        None => (Written::Board, args),
    };
    let found = if of.is_empty() {
        let Some(latest) = shell.machine.latest.clone() else {
            return Err(no_backward(shell));
        };
        let found = evaluating(shell, |shell| of_backward(&mut shell.machine, &latest, written));
        found.map_err(|halt| problem(&halt))?
    } else {
        match evaluating(shell, |shell| of_expression(&mut shell.machine, of, written)) {
            Ok(found) => found,
            Err(Unknown::Halt(halt)) => return Err(problem(&halt)),
            Err(Unknown::Fault(fault)) => {
                shell.view.event(Event::Error(fault));
                return Ok(Ended::Failed);
            }
        }
    };
    shell.view.event(Event::Answer(Box::new(Answer::Equations(found))));
    Ok(Ended::Well)
}

/// Something with entries that a command may be asked about.
pub(super) struct Spot {
    pub name: String,
    /// Its name stands for another value by now.
    pub earlier: bool,
    /// It is no leaf.
    pub step: bool,
    pub shape: Vec<usize>,
}

/// The spot of a name; a leaf rather than a step.
fn named(spots: &[Spot], name: &str) -> Option<usize> {
    let name = unwrapped(name.trim());
    let all = spots.iter().enumerate().filter(|(_, spot)| spot.name == name);
    all.min_by_key(|(_, spot)| (spot.step, spot.earlier)).map(|(at, _)| at)
}

/// The leaves of a backward.
pub(super) fn leaves(backward: &Backward) -> Vec<Spot> {
    let spot = |leaf: &LeafReport| Spot {
        name: leaf.name.clone(),
        earlier: leaf.earlier,
        step: false,
        shape: leaf.value.shape().to_vec(),
    };
    backward.leaves.iter().map(spot).collect()
}

/// What a command does with an entry: how it is typed, and what it shows.
pub(super) type Example = fn(&Spot) -> (String, &'static str);

/// Which spot and which of its elements `x[1]` names; `example` is of the command that asks.
pub(super) fn entry(
    spots: &[Spot],
    args: &str,
    example: Example,
) -> Result<(usize, usize), Problem> {
    let helped = |problem: Problem, spot: &Spot| {
        let (code, says) = example(spot);
        problem.help(code, says)
    };
    let text = args.trim().replacen(".grad", "", 1);
    let whole = named(spots, &text).map(|leaf| (leaf, Vec::new()));
    // `m[0, 1]` and `m[0][1]`; a name may have brackets of its own.
    let at = |open: usize| {
        let index = text[open..].strip_prefix('[')?.strip_suffix(']')?;
        let index = index.split("][").flat_map(|i| i.split(',')).map(|i| i.trim().parse().ok());
        Some((named(spots, &text[..open])?, index.collect::<Option<Vec<i64>>>()?))
    };
    let part = || text.rmatch_indices('[').find_map(|(open, _)| at(open));
    let rank = |spot: usize| spots[spot].shape.len();
    let found = part().filter(|(spot, index)| index.len() <= rank(*spot)).or(whole).or_else(part);
    let Some((leaf, index)) = found else {
        let name = text.split('[').next().unwrap_or_default();
        let problem =
            Problem::new(match spots.iter().find(|spot| !spot.step && spot.name == name) {
                Some(spot) if spot.earlier => {
                    format!("the last backward did not reach this {name}")
                }
                Some(_) => format!("{text} is not an entry of {name}"),
                None => format!("{text} is not a leaf that the last backward reached"),
            });
        return Err(match spots.iter().find(|spot| !spot.step && !spot.earlier) {
            Some(first) => helped(problem, first),
            None => problem,
        });
    };
    let shape = spots[leaf].shape.as_slice();
    if index.len() > shape.len() {
        let rank = shape.len();
        return Err(Problem::new(format!("too many indices for tensor of dimension {rank}")));
    }
    let mut element = 0;
    for (k, (&d, i)) in shape.iter().zip(&index).enumerate() {
        let d = d as i64;
        let at = if *i < 0 { i + d } else { *i };
        if !(0..d).contains(&at) {
            return Err(Problem::new(format!(
                "index {i} is out of bounds for dimension {k} with size {d}"
            )));
        }
        element = element * d + at;
    }
    // What is left has one entry, or it is a row and not an entry.
    let left = &shape[index.len()..];
    if left.iter().product::<usize>() != 1 {
        let problem = Problem::new(format!("{text} is not one entry: its shape is {left:?}"));
        return Err(helped(problem, &spots[leaf]));
    }
    Ok((leaf, element as usize))
}

fn explained(spot: &Spot) -> (String, &'static str) {
    (format!(":explain {}", first_entry(spot)), "follows one entry along its paths")
}

/// `x`, `x[0]`, `W[0, 0]`
pub(super) fn first_entry(spot: &Spot) -> String {
    let zeros = vec!["0"; spot.shape.len()].join(", ");
    match zeros.is_empty() {
        true => spot.name.clone(),
        false => format!("{}[{zeros}]", spot.name),
    }
}

/// Runs something that Ctrl-C and the time limit may stop.
pub(crate) fn evaluating<T>(shell: &mut Shell, body: impl FnOnce(&mut Shell) -> T) -> T {
    let listening = Evaluating::begin(shell.common.time_limit);
    let found = body(shell);
    drop(listening);
    found
}
