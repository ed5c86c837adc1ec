//! `:check`, `:formula` and `:latex`: the last backward computed in three ways, in symbols and as LaTeX.

use super::state;
use crate::interrupt::Evaluating;
use crate::{Ended, Problem, Shell};
use std::collections::HashSet;
use std::rc::Rc;
use vjp_eval::language::machine::call_back::lend;
use vjp_eval::leaf::naming::Places;
use vjp_eval::record::event::{Hessian, MatrixEvent};
use vjp_eval::{Backward, Event, Machine, Manner, Value, leaf};
use vjp_maths::autodiff::ancestors::leaves_of;
use vjp_report::answers::jacobian_latex as typeset;
use vjp_report::matrix::element_names::operand;
use vjp_report::page::{Figure, mathml};
use vjp_report::panel::build::Which;
use vjp_report::panel::listing;
use vjp_report::terminal::html::Format;
use vjp_report::{Medium, Style};
use vjp_text::{Source, Symbol};
use vjp_tutor::check::routes;
use vjp_tutor::explain::{assigned_since, output_since};
use vjp_tutor::first_backward::first_backward;
use vjp_tutor::hessian::hessian;

/// `:check`
pub fn check(shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    let Some(latest) = shell.machine.latest.clone() else {
        return Err(no_backward(shell));
    };
    let listening = Evaluating::begin(shell.common.time_limit);
    let routes = routes(&mut shell.machine, &latest);
    drop(listening);
    let routes = routes.map_err(|halt| Problem::new(halt.message()))?;
    shell.view.event(Event::Routes(Box::new(routes)));
    if let Some(note) = assigned_since(&shell.machine, &latest) {
        shell.view.event(Event::Note(note));
    }
    Ok(Ended::Well)
}

/// `:latex`, `:latex N`, `:latex H`, `:latex jacobian(y, x)`
pub fn latex(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    symbols(
        shell,
        args,
        &Writing {
            command: "latex",
            backward: |b, taken, _| typeset::backward(b, taken),
            hessian: |h, taken, _| typeset::hessian(h, taken),
            matrix: |m, taken, _| typeset::matrix(m, taken),
        },
    )
}

/// `:formula`, `:formula N`, `:formula H`, `:formula jacobian(y, x)`
pub fn formula(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    symbols(
        shell,
        args,
        &Writing {
            command: "formula",
            backward: listing::formulas,
            hessian: listing::hessian,
            matrix: listing::matrix,
        },
    )
}

/// Names that mean something in the session: no shared part of a formula is called so.
type Taken = HashSet<String>;

/// How a command writes derivatives.
struct Writing {
    command: &'static str,
    backward: fn(&Backward, &Taken, &Style) -> String,
    hessian: fn(&Hessian, &Taken, &Style) -> String,
    matrix: fn(&MatrixEvent, &Taken, &Style) -> String,
}

impl Writing {
    /// Shows what is written; a page and a notebook typeset it from the LaTeX.
    fn say(&self, shell: &mut Shell, text: impl Fn(&Style) -> String, latex: impl Fn() -> String) {
        let above = self.command == "latex";
        let figure = |medium| match medium {
            Medium::Text => None,
            Medium::Page => Some(Figure::of_page(&mathml::equations(&latex())?, above)),
            Medium::Notebook => {
                let each: Vec<String> =
                    mathml::each(&latex()).iter().map(|one| format!("$$\n{one}$$\n")).collect();
                Some(Figure::of_notebook(Format::Latex, &each.concat(), above))
            }
        };
        shell.view.say_fitted(text, figure);
    }
}

/// Writes J of a panel, the Hessian of the last backward, or the matrices that code gives.
fn symbols(shell: &mut Shell, args: &str, writing: &Writing) -> Result<Ended, Problem> {
    let taken: Taken = shell.machine.names().into_iter().map(|(name, _)| name).collect();
    let free = |name: &str| args == name && !taken.contains(name);
    if args.is_empty() || free("J") || args.chars().all(|c| c.is_ascii_digit()) {
        let which = if free("J") { "" } else { args };
        if which.is_empty() && shell.machine.latest.is_none() {
            return Err(no_backward(shell));
        }
        let mut backward = state::last(shell, which)?;
        let latest = shell.machine.latest.clone();
        let latest = latest.filter(|latest| Rc::ptr_eq(&latest.event, &backward));
        if let Some(latest) = &latest {
            let listening = Evaluating::begin(shell.common.time_limit);
            let found = lend(&mut shell.machine, || latest.in_symbols());
            drop(listening);
            backward = found.map_err(|halt| Problem::new(halt.message()))?;
        }
        let latex = || typeset::backward(&backward, &taken);
        writing.say(shell, |style| (writing.backward)(&backward, &taken, style), latex);
        // The formulas say themselves which leaves they are about.
        if let Some(y) = latest.filter(|_| writing.command == "formula")
            && let Some(note) = output_since(&shell.machine, &y)
        {
            shell.view.event(Event::Note(note));
        }
        return Ok(Ended::Well);
    }
    if free("H") {
        let Some(latest) = shell.machine.latest.clone() else {
            return Err(no_backward(shell));
        };
        let listening = Evaluating::begin(shell.common.time_limit);
        let hessian = lend(&mut shell.machine, || hessian(&latest));
        drop(listening);
        let hessian = hessian.map_err(|halt| Problem::new(halt.message()))?;
        let latex = || typeset::hessian(&hessian, &taken);
        writing.say(shell, |style| (writing.hessian)(&hessian, &taken, style), latex);
        return Ok(Ended::Well);
    }
    let Some(mut written) = matrices(shell, args) else { return Ok(Ended::Failed) };
    // Of an expression, its own Jacobian.
    let leaves = leaves(&shell.machine);
    if written.is_empty()
        && let [x] = leaves.as_slice()
    {
        written = matrices(shell, &format!("jacobian({args}, {x})")).unwrap_or_default();
    }
    if written.is_empty() {
        // Of a function, at a number.
        if let Some(Value::Function(_)) = shell.machine.lookup(args) {
            return Err(Problem::new(format!("{args} is a function")).help(
                format!(":{} jacobian({args}, 2)", writing.command),
                "takes its derivative at 2",
            ));
        }
        let (y, x) = leaves.first().map_or(("y", "x"), |x| (args, x.as_str()));
        return Err(Problem::new(format!(":{} needs a Jacobian", writing.command)).help(
            format!(":{} jacobian({y}, {x})", writing.command),
            format!("writes ∂{}/∂{}", operand(y), operand(x)),
        ));
    }
    let text = |style: &Style| written.iter().map(|m| (writing.matrix)(m, &taken, style)).collect();
    let latex = || written.iter().map(|m| typeset::matrix(m, &taken)).collect();
    writing.say(shell, text, latex);
    Ok(Ended::Well)
}

/// The matrices that code gives; None where it fails, which is shown.
fn matrices(shell: &mut Shell, code: &str) -> Option<Vec<MatrixEvent>> {
    let mut written = Vec::new();
    let mut failed = None;
    let listening = Evaluating::begin(shell.common.time_limit);
    let result = shell.machine.run(&Source::new(code), Manner::Line, &mut |event| match event {
        Event::Matrix(matrix) => written.push(*matrix),
        Event::Error(fault) => failed = Some(fault),
        _ => {}
    });
    drop(listening);
    if let Some(fault) = failed {
        shell.view.event(Event::Error(fault));
    }
    result.ok().map(|_| written)
}

/// The names of what the last value was computed from.
fn leaves(machine: &Machine) -> Vec<String> {
    let y = machine.global(Symbol::new("_")).and_then(|v| leaf::existing(&v));
    let (all, places) = (y.map_or(Vec::new(), |y| leaves_of(&y)), Places::of(machine));
    all.iter().filter_map(|x| places.leaf(x).map(|found| found.name)).collect()
}

/// Why there is no backward to ask about.
pub(crate) fn no_backward(shell: &Shell) -> Problem {
    if let Some(why) = &shell.machine.past.undrawn {
        let problem = Problem::new(why.as_str());
        return match shell.view.backward(Which::Last(1), &shell.machine.past.told) {
            Some(_) => problem.help(":panel", "draws the backward before it"),
            None => problem,
        };
    }
    Problem::new("no backward yet").help(first_backward(&shell.machine), "runs one")
}
