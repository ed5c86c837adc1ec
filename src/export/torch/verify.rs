//! The exported PyTorch program, run here beside the session: where it fails or ends with other
//! numbers it is refused.

use super::names::spelled;
use super::writer::Program;
use crate::format::Refusal;
use crate::session_run::{Item, Session};
use vjp_eval::language::machine::Telling;
use vjp_eval::leaf::existing;
use vjp_eval::{Event, Fault, Machine, Manner, Options, Value};
use vjp_syntax::ast::{ExprKind, Stmt, StmtKind};
use vjp_syntax::visit;
use vjp_tensor::tensor::set_default_dtype;
use vjp_tensor::{Dtype, Fact};
use vjp_text::Source;

/// Runs the program as PyTorch would, and compares.
pub fn check(session: &Session, program: &Program) -> Result<(), Refusal> {
    let lenient = |i: &Item| matches!(i, Item::Statement(ran) if !ran.strict);
    if !program.changed && !session.items.iter().any(lenient) {
        return Ok(());
    }
    let source = Source::new(program.text.as_str());
    let (machine, printed, fault) = run(&source, false, Dtype::Float32);
    let same = compared(session, program, &machine, &printed, fault.as_deref());
    set_default_dtype(session.dtype);
    same
}

/// Whether the program that was run ended as the session did.
pub fn compared(
    session: &Session,
    program: &Program,
    machine: &Machine,
    printed: &str,
    fault: Option<&Fault>,
) -> Result<(), Refusal> {
    match fault {
        Some(fault) => Err(refused(session, program, fault)),
        None => compare(session, program, machine, printed),
    }
}

/// Runs a PyTorch program as PyTorch does that begins with a default dtype; also what it printed, and the error that ended it.
pub fn run(source: &Source, watching: bool, dtype: Dtype) -> (Machine, String, Option<Box<Fault>>) {
    set_default_dtype(dtype);
    let mut machine = vjp_tutor::machine(Options { strict: true, dtype });
    machine.telling = Telling::Nothing;
    if watching {
        machine.watch();
    }
    let mut printed = String::new();
    let outcome = machine.run(source, Manner::Program, &mut |event| {
        if let Event::Print(text) = event {
            printed += &text;
        }
    });
    (machine, printed, outcome.err())
}

/// Whether PyTorch stops because a graph was freed that the session uses again.
pub fn frees(session: &Session) -> bool {
    let program = super::writer::write(session, "", true);
    let (_, _, fault) = run(&Source::new(program.text), false, Dtype::Float32);
    set_default_dtype(session.dtype);
    fault.is_some_and(|fault| fault.fact == Fact::Freed)
}

fn refused(session: &Session, program: &Program, fault: &Fault) -> Refusal {
    let at = fault.span.start as usize;
    let first = fault.message.lines().next().unwrap_or("");
    let line = program.item_at(at).and_then(|n| line_of(session, n)).unwrap_or(1);
    let hint = match first {
        "name '_' is not defined" => {
            "_ is the last value at the prompt alone: give the value a name where it is computed"
        }
        _ => "write the line in PyTorch's form, with torch.tensor(…)",
    };
    Refusal {
        line,
        problem: format!("the program would stop here with an error: {first}"),
        hint: hint.into(),
    }
}

pub fn line_of(session: &Session, item: usize) -> Option<usize> {
    match session.items.get(item)? {
        Item::Statement(ran) => Some(ran.line),
        _ => None,
    }
}

fn compare(
    session: &Session,
    program: &Program,
    machine: &Machine,
    printed: &str,
) -> Result<(), Refusal> {
    let tolerance = match session.dtype {
        Dtype::Float32 => 1e-4,
        _ => 1e-9,
    };
    for (name, value) in session.machine.names() {
        let written = spelled(&name).unwrap_or_else(|| name.clone());
        let Some(other) = machine.lookup(&written).filter(|_| machine.binds(&written)) else {
            continue;
        };
        let (Some(ours), Some(theirs)) = (numbers(&value), numbers(&other)) else {
            continue;
        };
        let grads = (grad(&value), grad(&other));
        let same_grad = match &grads {
            (Some(a), Some(b)) => close(a, b, tolerance),
            (None, None) => true,
            _ => false,
        };
        let what = match (close(&ours, &theirs, tolerance), same_grad) {
            (true, true) => continue,
            (true, false) => format!("{name}.grad"),
            (false, _) => name.clone(),
        };
        let bound = |i: &&Item| matches!(i, Item::Statement(ran) if binds(&ran.tree, &name));
        let line = match session.items.iter().rfind(bound) {
            Some(Item::Statement(ran)) => ran.line,
            _ => 1,
        };
        return Err(Refusal {
            line,
            problem: format!("PyTorch would compute different numbers for {what}"),
            hint: other_numbers(session, "with torch.tensor(…, requires_grad=True)"),
        });
    }
    if program.tells {
        return Ok(());
    }
    let (ours, theirs) = (printed_numbers(&session.printed), printed_numbers(printed));
    // Lists show all digits, tensors four.
    if !close(&ours, &theirs, 1e-3) {
        return Err(Refusal {
            line: session
                .items
                .iter()
                .rev()
                .find_map(|i| match i {
                    Item::Statement(ran) => Some(ran.line),
                    _ => None,
                })
                .unwrap_or(1),
            problem: "PyTorch would print different numbers".into(),
            hint: other_numbers(session, "with torch.tensor(…)"),
        });
    }
    Ok(())
}

/// What to do where the numbers differ.
fn other_numbers(session: &Session, written: &str) -> String {
    let form = format!("write the line in PyTorch's form, {written}");
    let draws = session.watch.sights().any(|s| !s.drawn.is_empty());
    match draws && session.dtype != Dtype::Float32 {
        true if session.begins_unseeded() => format!(
            "{form}; if random numbers differ, add torch.manual_seed(0) and --dtype float32"
        ),
        true => format!("{form}; if random numbers differ, add --dtype float32"),
        false => form,
    }
}

fn binds(s: &Stmt, name: &str) -> bool {
    let mut found = match &s.kind {
        StmtKind::Assign { .. } | StmtKind::Augment { .. } | StmtKind::For { .. } => {
            let mut first = None;
            visit::heads(s, &mut |e| first = first.or(Some(e)));
            first.is_some_and(|e| matches!(&e.kind, ExprKind::Name(n) if n.as_str() == name))
        }
        _ => false,
    };
    for block in visit::blocks(s) {
        found |= block.iter().any(|s| binds(s, name));
    }
    found
}

/// Lists in lists are read so deep, and so many of them: a list may hold itself.
const NESTED: usize = 64;
const LISTS: usize = 100_000;

/// The numbers of a tensor, a number, or a list of such; None of anything else.
fn numbers(value: &Value) -> Option<Vec<f64>> {
    let mut found = Vec::new();
    gather(value, NESTED, &mut LISTS.clone(), &mut found)?;
    Some(found)
}

fn gather(value: &Value, depth: usize, lists: &mut usize, found: &mut Vec<f64>) -> Option<()> {
    if let Some(v) = existing(value) {
        found.extend(v.value().data());
        return Some(());
    }
    let mut all = |items: &[Value]| {
        *lists = lists.checked_sub(1)?;
        let depth = depth.checked_sub(1)?;
        items.iter().try_for_each(|item| gather(item, depth, lists, found))
    };
    match value {
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => found.push(value.as_float()?),
        Value::List(l) => all(&l.items.borrow())?,
        Value::Tuple(t) => all(&t.items)?,
        _ => return None,
    }
    Some(())
}

fn grad(value: &Value) -> Option<Vec<f64>> {
    Some(existing(value)?.grad()?.value().data().to_vec())
}

fn close(a: &[f64], b: &[f64], by: f64) -> bool {
    let near = |(a, b): (&f64, &f64)| {
        a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= by * a.abs().max(b.abs()).max(1.0)
    };
    a.len() == b.len() && a.iter().zip(b).all(near)
}

/// The numbers in a text, those in words aside.
fn printed_numbers(text: &str) -> Vec<f64> {
    let part = |c: char| c.is_alphanumeric() || "_.+-".contains(c);
    text.split(|c: char| !part(c)).filter_map(|word| word.parse().ok()).collect()
}
