//! Commands about names and values: `:vars`, `:undo`, `:redo`, `:panel`, `:time`, `:reset`, `:clear`.

use super::check::no_backward;
use crate::{Ended, Problem, Shell};
use std::rc::Rc;
use vjp_eval::record::event::{Remark, Shown, ValueEvent};
use vjp_eval::{Backward, Event, Manner, Value};
use vjp_report::panel::build::Which;
use vjp_tutor::what_if::standing;

/// `:vars`
pub fn vars(shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    let names = shell.machine.names();
    if names.is_empty() {
        shell.view.say("nothing is defined yet\n");
    }
    for (name, value) in names {
        let grad = match &value {
            Value::Tensor(t) => t.grad(),
            Value::Number(n) => n.variable.grad(),
            Value::List(l) => l.tensor().and_then(|t| t.grad()),
            _ => None,
        };
        show(shell, name.clone(), &value);
        if let Some(grad) = grad {
            show(shell, format!("{name}.grad"), &Value::Tensor(grad));
        }
    }
    Ok(Ended::Well)
}

fn show(shell: &mut Shell, name: String, value: &Value) {
    let (shown, mut remark) = shell.machine.shown(value);
    if let Some(v) = vjp_library::introspect::tensor_of(value)
        && let Some(node) = v.node().filter(|_| v.shows())
    {
        let (grad_fn, shape) = (node.grad_fn().to_string(), v.shape());
        remark = Some(Remark::Computed { grad_fn, shape });
    }
    shell.view.event(Event::Value(ValueEvent { name: Some(name), shown, remark }));
}

/// `:undo`
pub fn undo(shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    let before = standing(&mut shell.machine);
    let taken = shell.machine.undo();
    let input = taken.ok_or_else(|| Problem::new("there is nothing to undo"))?;
    shell.view.say(&format!("undone  {}\n", first_line(input.text())));
    tell_changed(shell, &before);
    Ok(Ended::Well)
}

/// `:redo`
pub fn redo(shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    let before = standing(&mut shell.machine);
    let back = shell.machine.redo();
    let input = back.ok_or_else(|| {
        Problem::new("there is nothing to redo").help(":undo", "takes the last input back")
    })?;
    shell.view.say(&format!("redone  {}\n", first_line(input.text())));
    tell_changed(shell, &before);
    Ok(Ended::Well)
}

/// What names stand for, with their gradients.
type Standing = [(String, Shown)];

/// Values and gradients that are told after a step back; the rest are counted.
const TOLD: usize = 8;

/// Tells which values and gradients are others than before.
fn tell_changed(shell: &mut Shell, before: &Standing) {
    let now = standing(&mut shell.machine);
    let find = |all: &Standing, name: &str| {
        all.iter().find(|(n, _)| n == name).map(|(_, shown)| shown.clone())
    };
    let mut changed: Vec<(String, Option<Shown>)> = Vec::new();
    for (name, shown) in &now {
        if find(before, name).is_none_or(|old| !old.same(shown)) {
            changed.push((name.clone(), Some(shown.clone())));
        }
    }
    for (name, _) in before {
        let of = name.strip_suffix(".grad").filter(|_| find(&now, name).is_none());
        if of.is_some_and(|of| find(&now, of).is_some()) {
            changed.push((name.clone(), None));
        }
    }
    for (name, shown) in changed.iter().take(TOLD) {
        match shown {
            Some(shown) => {
                let (name, shown) = (Some(name.clone()), shown.clone());
                shell.view.event(Event::Value(ValueEvent { name, shown, remark: None }));
            }
            None => shell.view.say(&format!("{name} is None again\n")),
        }
    }
    if changed.len() > TOLD {
        shell.view.say(&format!("… and {} more\n", changed.len() - TOLD));
    }
}

fn first_line(input: &str) -> String {
    match input.split_once('\n') {
        Some((first, _)) => format!("{first} …"),
        None => input.to_owned(),
    }
}

/// `:panel`, `:panel N`, `:panel on|off`
pub fn panel(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    if let "on" | "off" = args {
        shell.view.panels = args == "on";
        return Ok(Ended::Well);
    }
    let which = which(args)?;
    match shell.view.panel(which, &shell.machine.past.told) {
        true => Ok(Ended::Well),
        false => Err(none(shell, which)),
    }
}

/// The last backward, or the N-th last.
pub(crate) fn last(shell: &Shell, args: &str) -> Result<Rc<Backward>, Problem> {
    let which = which(args)?;
    shell.view.backward(which, &shell.machine.past.told).ok_or_else(|| none(shell, which))
}

/// Which panel is meant: nothing, `2`, `call 2`.
fn which(args: &str) -> Result<Which, Problem> {
    let number = |text: &str| text.trim().parse().ok().filter(|n| *n >= 1);
    let which = match args.strip_prefix("call ") {
        Some(call) => number(call).map(Which::Call),
        None if args.is_empty() => Some(Which::Last(1)),
        None => number(args).map(Which::Last),
    };
    which.ok_or_else(|| {
        Problem::new(format!("there is no panel {args}"))
            .help(":panel 2", "draws the panel before the last")
    })
}

fn none(shell: &Shell, which: Which) -> Problem {
    match which {
        Which::Last(1) => no_backward(shell),
        Which::Last(n) => Problem::new(format!("there is no panel {n} yet")),
        Which::Call(n) => {
            Problem::new(format!("the line of the last backward has no call {n} that is kept"))
        }
    }
}

/// `:time`, `:time CODE`
pub fn time(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    if args.is_empty() {
        shell.tell_time();
        return Ok(Ended::Well);
    }
    let begun = vjp_tensor::clock::Instant::now();
    let ended = shell.program(args, Manner::Line);
    shell.view.end_of_input();
    shell.last_time = begun.elapsed();
    shell.tell_time();
    Ok(ended)
}

/// `:reset`
pub fn reset(shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    shell.machine.reset();
    shell.view.say("all names were deleted\n");
    Ok(Ended::Well)
}

/// `:clear`
pub fn clear(shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    if shell.interactive {
        shell.view.screen.control("\x1b[H\x1b[2J");
    }
    Ok(Ended::Well)
}
