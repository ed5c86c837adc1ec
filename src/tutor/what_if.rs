//! `:what-if x = [1, 3]`: the session's inputs again with another value of x, and then everything as
//! it was.

use crate::errors::school::expression;
use num_traits::ToPrimitive;
use vjp_eval::leaf::naming::held;
use vjp_eval::record::bindings::{self, Target, defines};
use vjp_eval::record::event::Shown;
use vjp_eval::record::questions::{Change, WhatIf};
use vjp_eval::{Event, Fault, Help, Machine, Manner, Value};
use vjp_maths::Variable;
use vjp_syntax::ast::{ExprKind, Stmt, StmtKind};
use vjp_syntax::visit;
use vjp_tensor::{Fact, Kind, Tensor};
use vjp_text::{Source, Span, Symbol};

/// A change of the text of an input.
struct Edit {
    /// Which of the inputs that are remembered.
    input: usize,
    /// What is replaced; empty where something is put in.
    span: Span,
    text: String,
    /// The statement, in what was typed.
    typed: Span,
}

/// A name's value and gradient, as shown.
type Standing = Vec<(String, Shown)>;

/// What would be otherwise, had `code` stood where its names were bound.
///
/// # Errors
/// `code` is not an assignment, or of a name that no input has bound; an input that fails with it.
pub fn what_if(m: &mut Machine, code: &str) -> Result<WhatIf, Box<Fault>> {
    let code = &assignment(m, code);
    let now = standing(m);
    let then = with(m, code, standing)?;
    Ok(compared(code, &now, &then, &order(m)))
}

/// What was asked, `x 4` and `x := 2π` as well, as an assignment.
fn assignment(m: &Machine, code: &str) -> String {
    let code = code.trim().trim_end_matches('?').trim_end();
    let readable = |text: &str| vjp_syntax::parse(&Source::new(text), m.mode()).is_ok();
    let given = || {
        let (name, value) = code.split_once(' ')?;
        let value = value.trim_start();
        let value = ["is ", "to ", "was ", "were "]
            .iter()
            .find_map(|w| value.strip_prefix(w))
            .unwrap_or(value);
        let assigned = format!("{name} = {value}");
        readable(&assigned).then_some(assigned)
    };
    match readable(code) {
        true => code.to_owned(),
        false => given().or_else(|| expression(m, code, false)).unwrap_or_else(|| code.to_owned()),
    }
}

/// What `read` finds after the session's inputs have run again with `code` where its names were bound;
/// then everything is as it was.
///
/// # Errors
/// `code` is not an assignment, or of a name that no input has bound; an input that fails with it.
pub fn with<T>(
    m: &mut Machine,
    code: &str,
    read: impl FnOnce(&mut Machine) -> T,
) -> Result<T, Box<Fault>> {
    // What fails here was only tried: `:why` is about what the session did.
    let wonder = m.wonder.clone();
    let found = carried_out(m, code, read);
    m.wonder = wonder;
    found
}

fn carried_out<T>(
    m: &mut Machine,
    code: &str,
    read: impl FnOnce(&mut Machine) -> T,
) -> Result<T, Box<Fault>> {
    let source = Source::new(code);
    let mode = m.mode();
    let program = vjp_syntax::parse(&source, mode)
        .map_err(|f| Box::new(vjp_eval::language::exception::uncaught::of_syntax(&source, f)))?;
    let mut edits = Vec::new();
    for statement in &program.body {
        edits.push(edit(m, &source, statement)?);
    }
    let Some(first) = edits.iter().map(|e| e.input).min() else {
        return Err(refused(&source, Span::default(), "what should change?".into(), None));
    };
    m.tried(|m, past| {
        let inputs = past.inputs();
        past.enter(first, m);
        for (k, (input, failed)) in inputs[first..].iter().enumerate() {
            let own: Vec<&Edit> = edits.iter().filter(|e| e.input == first + k).collect();
            let changed = edited(input, own.iter().copied()).map(Source::new);
            let run = m.run(changed.as_ref().unwrap_or(input), Manner::Program, &mut |_| {});
            match run {
                Err(mut fault) if !failed || fault.kind.is_stop() => {
                    if fault.kind == Kind::ZeroDivision {
                        let says = format!("there is no value with {code}: it divides by zero");
                        fault.help.push(Help::words(says));
                    }
                    if let Some(changed) = changed {
                        as_typed(&mut fault, &changed, input, own, &source);
                    }
                    return Err(fault);
                }
                _ => {}
            }
        }
        Ok(read(m))
    })
}

fn edit(m: &mut Machine, source: &Source, statement: &Stmt) -> Result<Edit, Box<Fault>> {
    let Some((name, at)) = subject(statement) else {
        let help = ("x = [1, 3]", "a name and its new value");
        let says = ":what-if takes an assignment".to_string();
        return Err(refused(source, statement.span, says, Some(help)));
    };
    let typed = statement.span;
    let mut text = source.slice(typed).trim_end_matches(';').to_string();
    let leaf = m.globals().get(name).and_then(vjp_eval::leaf::existing);
    let leaf = leaf.filter(|v| v.is_leaf() && v.requires_grad());
    if let Some(edit) = leaf.as_ref().and_then(|x| after_write(m, source, statement, name, x)) {
        return Ok(edit);
    }
    for (input, (past, _)) in m.inputs().iter().enumerate().rev() {
        let Ok(program) = vjp_syntax::parse(past, m.mode()) else {
            continue;
        };
        // An element is written after all that wrote to others.
        let written = |s: &Stmt| at == Target::Part && subject(s).is_some_and(|(n, _)| n == name);
        let found = program.body.iter().rev().find(|s| defines(s, name) || written(s));
        let Some(found) = found else {
            continue;
        };
        let whole = matches!(&found.kind, StmtKind::Assign { targets, .. } if targets.len() == 1
            && matches!(targets[0].kind, ExprKind::Name(n) if n == name));
        let function = |s: &Stmt| matches!(s.kind, StmtKind::ShortDef(_) | StmtKind::Def { .. });
        let mut plain = at == Target::Whole;
        let own = of_itself(source, statement);
        match (&leaf, own) {
            (Some(x), Some(own)) if x.is_implicit() => {
                let value = value_of(m, &format!("{}\n{own}", past.slice(found.span)));
                if let Some(value) = value.ok().and_then(|v| literal(&v)) {
                    (text, plain) = (format!("{name} = {value}"), true);
                }
            }
            (Some(_), Some(_)) => (text, plain) = (on_data(source, statement, name), false),
            (None, Some(_)) => plain = false,
            // Only the values of such a leaf may be written.
            (Some(x), None) if !plain && !x.is_implicit() => {
                text = on_data(source, statement, name);
            }
            (_, None) => {}
        }
        if let Some(x) = leaf.as_ref().filter(|x| whole && plain && !x.is_implicit())
            && let Some(made) = of_its_kind(m, x, &text)
        {
            text = made;
        }
        if plain && (whole || function(found)) {
            return Ok(Edit { input, span: found.span, text, typed });
        }
        return Ok(behind(input, found, &text, typed));
    }
    let says = match m.globals().get(name) {
        Some(_) => format!("{name} was assigned too far back"),
        None => format!("{name} was never assigned"),
    };
    Err(refused(source, statement.span, says, None))
}

/// `w = [3, 3]` of a tensor with requires_grad=True: as the leaf that it is. None where what is given says itself
/// what it is.
fn of_its_kind(m: &mut Machine, leaf: &Variable, text: &str) -> Option<String> {
    let (name, value) = text.split_once('=')?;
    if value.contains("requires_grad") || value.contains("Parameter(") {
        return None;
    }
    let numbers = literal(&value_of(m, value.trim()).ok()?)?;
    let made = format!("torch.tensor({numbers}, dtype=torch.{}", leaf.dtype().name());
    Some(match leaf.is_parameter() {
        true => format!("{name}= torch.nn.Parameter({made}))"),
        false => format!("{name}= {made}, requires_grad=True)"),
    })
}

/// Whether a statement computes from a name, more than to show it.
fn computes_from(source: &Source, s: &Stmt, name: Symbol) -> bool {
    let mut reads = false;
    bindings::read(s, &mut |n| reads |= n == name);
    let shows = matches!(s.kind, StmtKind::Expr(_)) && !source.slice(s.span).contains(".backward");
    reads && !shows
}

/// The change of a leaf that was written since it was made: put in after the last write, for what stood
/// there before is the value of today only with all the writes that followed. None where the last write is a
/// loop's and nothing was computed from it since: then the value that the loop began with is meant.
fn after_write(
    m: &Machine,
    source: &Source,
    statement: &Stmt,
    name: Symbol,
    leaf: &Variable,
) -> Option<Edit> {
    let place = leaf.written_at()?;
    let inputs = m.inputs();
    let input = inputs.iter().rposition(|(past, _)| past.id() == place.source)?;
    let past = &inputs[input].0;
    let program = vjp_syntax::parse(past, m.mode()).ok()?;
    let around = |s: &&Stmt| s.span.start <= place.span.start && place.span.end <= s.span.end;
    let at = program.body.iter().position(|s| around(&s))?;
    let last = &program.body[at];
    let mut used = program.body[at + 1..].iter().any(|s| computes_from(past, s, name));
    for (later, _) in &inputs[input + 1..] {
        let body = vjp_syntax::parse(later, m.mode()).map_or(Vec::new(), |program| program.body);
        used |= body.iter().any(|s| computes_from(later, s, name));
    }
    if matches!(last.kind, StmtKind::For { .. } | StmtKind::While { .. }) && !used {
        return None;
    }
    Some(behind(input, last, &on_data(source, statement, name), statement.span))
}

/// An assignment as a write to the numbers of a leaf, which stays the leaf that it is.
fn on_data(source: &Source, statement: &Stmt, name: Symbol) -> String {
    let text = source.slice(statement.span).trim_end_matches(';');
    match (of_itself(source, statement), text.split_once('=')) {
        (Some(own), _) => format!("{name}.data = ({own}).data"),
        (None, Some((to, value))) if to.trim() == name.as_str() => {
            format!("{name}.data[...] = {value}")
        }
        // `x.data = …` writes there itself.
        _ if text.starts_with(&format!("{name}.data")) => text.to_owned(),
        _ => text.replacen(name.as_str(), &format!("{name}.data"), 1),
    }
}

/// `text` put in behind a statement of an input.
fn behind(input: usize, statement: &Stmt, text: &str, typed: Span) -> Edit {
    let span = Span { start: statement.span.end, end: statement.span.end };
    let apart = if visit::blocks(statement).is_empty() { "; " } else { "\n" };
    Edit { input, span, text: format!("{apart}{text}"), typed }
}

/// The numbers that an expression gives; nothing else happens.
pub fn value_of(m: &mut Machine, code: &str) -> Result<Tensor, Box<Fault>> {
    let source = Source::new(expression(m, code, false).unwrap_or_else(|| code.to_owned()));
    let (run, shown) = m.tried(|m, _| {
        let mut shown = None;
        let run = m.run(&source, Manner::Line, &mut |event| {
            if let Event::Value(value) = event {
                shown = Some(value.shown);
            }
        });
        (run, shown)
    });
    run?;
    match shown {
        Some(Shown::Tensor(t)) => Ok(t),
        Some(Shown::Int(n)) => Ok(Tensor::scalar(n.to_f64().unwrap_or(f64::NAN))),
        _ => {
            let says = format!("{} has no numeric value", code.trim());
            Err(refused(&source, Span::new(0, code.len()), says, None))
        }
    }
}

/// What names stand for, with their gradients.
pub fn standing(m: &mut Machine) -> Standing {
    let (mut all, mut named) = (Vec::new(), Vec::new());
    for (name, value) in m.names() {
        if let Value::Function(_) | Value::Class(_) | Value::Module(_) | Value::Builtin(_) = value {
            continue;
        }
        let own = vjp_eval::leaf::existing(&value);
        named.extend(own.as_ref().map(|v| v.id()));
        let grad = own.and_then(|v| v.grad());
        all.push((name.clone(), m.shown(&value).0));
        if let Some(grad) = grad {
            all.push((format!("{name}.grad"), Shown::Tensor(grad.value())));
        }
    }
    // What no name of its own shows, in what the program may look at.
    let shows = |(path, v): &(String, Variable)| {
        v.is_leaf() && v.requires_grad() && !named.contains(&v.id()) && !path.contains("._")
    };
    for (path, v) in held(m).into_iter().filter(shows) {
        all.push((path.clone(), Shown::Tensor(v.value())));
        all.extend(v.grad().map(|grad| (format!("{path}.grad"), Shown::Tensor(grad.value()))));
    }
    all
}

/// Names in the order in which the inputs bound them last.
fn order(m: &Machine) -> Vec<String> {
    let mut order: Vec<String> = Vec::new();
    for (past, _) in m.inputs() {
        let Ok(program) = vjp_syntax::parse(&past, m.mode()) else {
            continue;
        };
        for s in &program.body {
            bindings::bound(s, &mut |name| {
                if !order.iter().any(|n| n == name.as_str()) {
                    order.push(name.to_string());
                }
            });
        }
    }
    order
}

/// The name that an assignment is about, and whether it gives it whole.
fn subject(statement: &Stmt) -> Option<(Symbol, Target)> {
    match &statement.kind {
        StmtKind::Assign { targets, .. } => match targets.as_slice() {
            [one] => bindings::root(one),
            _ => None,
        },
        StmtKind::Augment { target, .. } => Some((bindings::root(target)?.0, Target::Part)),
        StmtKind::ShortDef(f) | StmtKind::Def { function: f, .. } => {
            Some((f.name.symbol, Target::Whole))
        }
        _ => None,
    }
}

/// The new value of a name, where it is computed from the one it has: `2*x` of `x = 2*x`.
fn of_itself(source: &Source, statement: &Stmt) -> Option<String> {
    match &statement.kind {
        StmtKind::Assign { targets, value } => {
            let name = targets.first().and_then(bindings::root).filter(|r| r.1 == Target::Whole)?.0;
            let own = !defines(statement, name);
            own.then(|| source.slice(value.span).to_string())
        }
        StmtKind::Augment { target, op, value } => {
            let name = bindings::root(target).filter(|r| r.1 == Target::Whole)?.0;
            Some(format!("{name} {} ({})", op.text(), source.slice(value.span)))
        }
        _ => None,
    }
}

/// Numbers as they are typed; None where one of them cannot be.
pub(crate) fn literal(value: &Tensor) -> Option<String> {
    fn rows(shape: &[usize], data: &[f64]) -> String {
        let Some((&n, rest)) = shape.split_first() else {
            // Whole numbers may be counts; large ones would be ints without limit.
            let text = |x: &f64| if x.abs() < 1e15 { x.to_string() } else { format!("{x:?}") };
            return data.first().map_or(String::new(), text);
        };
        let parts: Vec<String> =
            data.chunks((data.len() / n.max(1)).max(1)).map(|row| rows(rest, row)).collect();
        format!("[{}]", parts.join(", "))
    }
    let fits = value.numel() > 0 && value.data().iter().all(|x| x.is_finite());
    fits.then(|| rows(value.shape(), value.data()))
}

/// The input's text with its changes; None where there is none.
fn edited<'a>(input: &Source, edits: impl Iterator<Item = &'a Edit>) -> Option<String> {
    let mut edits: Vec<&Edit> = edits.collect();
    edits.sort_by_key(|e| std::cmp::Reverse(e.span.start));
    let mut text = input.text().to_string();
    for edit in &edits {
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    }
    (!edits.is_empty()).then_some(text)
}

/// An error in a changed input, told of what was typed: the change, or the input as it was.
fn as_typed(
    fault: &mut Fault,
    changed: &Source,
    input: &Source,
    mut edits: Vec<&Edit>,
    code: &Source,
) {
    edits.sort_by_key(|e| e.span.start);
    let place = |span: Span| {
        let mut grown = 0;
        for edit in &edits {
            let (begin, length) = (i64::from(edit.span.start) + grown, edit.text.len() as i64);
            let (start, end) = (i64::from(span.start) - begin, i64::from(span.end) - begin);
            if start < 0 {
                break;
            }
            if start < length {
                let own = code.slice(edit.typed).trim_end_matches(';');
                let within = edit.text.find(own).map(|at| (start - at as i64, end - at as i64));
                let exact = within.filter(|(start, end)| *start >= 0 && *end <= own.len() as i64);
                let typed = i64::from(edit.typed.start);
                let span = exact.map_or(edit.typed, |(start, end)| {
                    Span::new((typed + start) as usize, (typed + end) as usize)
                });
                return (code.clone(), span);
            }
            grown += length - i64::from(edit.span.end - edit.span.start);
        }
        let back = |at: u32| (i64::from(at) - grown).max(0) as usize;
        (input.clone(), Span::new(back(span.start), back(span.end)))
    };
    let same = |source: &Source| source.text() == changed.text();
    if same(&fault.source) {
        fault.help.retain(|help| help.code.is_empty());
        let (source, span) = place(fault.span);
        let more =
            std::mem::take(&mut fault.more).into_iter().map(|(span, says)| (place(span), says));
        for ((from, span), says) in more {
            match from.text() == source.text() {
                true => fault.more.push((span, says)),
                false => fault.elsewhere.push((from, span, says)),
            }
        }
        (fault.source, fault.span) = (source, span);
    }
    for (source, span, _) in fault.elsewhere.iter_mut().filter(|(source, _, _)| same(source)) {
        (*source, *span) = place(*span);
    }
}

fn compared(code: &str, now: &Standing, then: &Standing, order: &[String]) -> WhatIf {
    let find = |all: &Standing, name: &str| {
        all.iter().find(|(n, _)| n == name).map(|(_, shown)| shown.clone())
    };
    let mut names: Vec<&String> = now.iter().chain(then).map(|(n, _)| n).collect();
    let place = |name: &str| {
        let base = name.strip_suffix(".grad").unwrap_or(name);
        let at = order.iter().position(|n| n == base).unwrap_or(usize::MAX);
        (name.len() != base.len(), at)
    };
    names.sort_by_key(|n| (place(n), n.to_string()));
    names.dedup();
    let (mut changes, mut same) = (Vec::new(), 0);
    for name in names {
        let (now, then) = (find(now, name), find(then, name));
        match (&now, &then) {
            (Some(a), Some(b)) if a.same(b) => same += usize::from(!name.ends_with(".grad")),
            _ => changes.push(Change { name: name.clone(), now, then }),
        }
    }
    WhatIf { code: code.trim().to_string(), changes, same }
}

fn refused(source: &Source, span: Span, says: String, help: Option<(&str, &str)>) -> Box<Fault> {
    Box::new(Fault {
        kind: Kind::Command,
        fact: Fact::Other,
        class: Kind::Command.name().to_string(),
        message: says,
        by_raise: false,
        source: source.clone(),
        span,
        label: None,
        more: Vec::new(),
        elsewhere: Vec::new(),
        drawing: None,
        help: help
            .into_iter()
            .map(|(code, says)| Help { code: format!(":what-if {code}"), says: says.to_string() })
            .collect(),
        unchanged: None,
        undone: Vec::new(),
    })
}
