//! A call or an index whose shapes do not fit: each shape under its expression.

use vjp_eval::{Machine, Value, leaf};
use vjp_syntax::ast::{Expr, ExprKind, StmtKind, Trailer, TrailerKind};
use vjp_syntax::visit;
use vjp_tensor::Kind;
use vjp_tensor::shape::DEEPEST;
use vjp_text::{Source, Span};

/// Words of messages that are about shapes.
const ABOUT: &[&str] = &[
    "size",
    "shape",
    "imension",
    "out of bounds",
    "subscript",
    "equal",
    "matrices",
    "tensors expected",
];

/// Texts that are repeated in their label.
const SHORT: usize = 12;

/// Where what failed at `span` is named, and the shapes of the tensors given to it; None where no
/// name says one, or where the message is about something else.
pub(crate) fn told(
    machine: &Machine,
    source: &Source,
    span: Span,
    kind: Kind,
    message: &str,
) -> Option<(Span, Vec<(Span, String)>)> {
    let kinds = [Kind::Runtime, Kind::Index, Kind::Value];
    if !kinds.contains(&kind) || !ABOUT.iter().any(|word| message.contains(word)) {
        return None;
    }
    let program = vjp_syntax::parse(source, machine.mode()).ok()?;
    let within = |s: Span| s.start <= span.start && span.end <= s.end;
    let statement = program.body.iter().find(|s| within(s.span))?;
    if let StmtKind::Def { .. } | StmtKind::Class { .. } | StmtKind::ShortDef(_) = statement.kind {
        return None;
    }
    let mut waiting = Vec::new();
    visit::heads(statement, &mut |e| waiting.push(e));
    while let Some(e) = waiting.pop() {
        if let Some((at, operands)) = failed(e, span) {
            let mut more: Vec<(Span, String)> = Vec::new();
            for operand in operands {
                if let Some(label) = label(machine, source, operand) {
                    more.push((operand.span, label));
                }
            }
            more.sort_by_key(|(s, _)| s.start);
            // A function is named whole, `torch.cat`; a method stands behind its tensor.
            let method = more.first().is_some_and(|(s, _)| s.start == span.start);
            let start = if method { at.start } else { span.start };
            let at = Span { start, ..at };
            return (!more.is_empty()).then_some((at, more));
        }
        visit::parts(e, &mut |part| waiting.push(part));
    }
    None
}

/// Whether `e` or a part of its trailers stands at `span`: what was called, and with what.
fn failed(e: &Expr, span: Span) -> Option<(Span, Vec<&Expr>)> {
    let ExprKind::Trailers { base, trailers } = &e.kind else {
        return None;
    };
    if base.span.start != span.start {
        return None;
    }
    let last = trailers.iter().position(|t| t.span.end == span.end)?;
    let mut operands = Vec::new();
    let at = match &trailers[last].kind {
        TrailerKind::Call(args) => {
            // A method: the tensor stands before the dot.
            operands.extend((last == 1).then_some(&**base));
            for arg in args {
                match &arg.value.kind {
                    ExprKind::List(items) | ExprKind::Tuple(items)
                        if items.iter().any(|i| matches!(i.kind, ExprKind::Name(_))) =>
                    {
                        operands.extend(items);
                    }
                    _ => operands.push(&arg.value),
                }
            }
            match last.checked_sub(1) {
                Some(k) => trailers[k].span,
                None => base.span,
            }
        }
        TrailerKind::Index(_) => {
            operands.extend((last == 0).then_some(&**base));
            trailers[last].span
        }
        TrailerKind::Attr(_) => return None,
    };
    Some((at, operands))
}

/// The list in `torch.tensor([0, 2])`.
fn made_of<'a>(trailers: &'a [Trailer], source: &Source) -> Option<&'a Expr> {
    let [made, call] = trailers else { return None };
    let TrailerKind::Call(args) = &call.kind else { return None };
    let first = args.first().filter(|_| source.slice(made.span).ends_with("tensor"))?;
    matches!(first.value.kind, ExprKind::List(_)).then_some(&first.value)
}

/// `x has shape [2, 3]`, of a name of the program or a list of numbers as it is written.
fn label(machine: &Machine, source: &Source, e: &Expr) -> Option<String> {
    let shape = match &e.kind {
        ExprKind::Name(name) => shape_of(&machine.global(*name)?)?,
        ExprKind::List(_) => written(e)?,
        ExprKind::Trailers { trailers, .. } => written(made_of(trailers, source)?)?,
        _ => return None,
    };
    let parts: Vec<String> = shape.iter().map(usize::to_string).collect();
    let shape = match parts.is_empty() {
        true => "a number".to_owned(),
        false => format!("[{}]", parts.join(", ")),
    };
    let text = source.slice(e.span);
    Some(match text.chars().count() <= SHORT {
        true if parts.is_empty() => format!("{text} is {shape}"),
        true => format!("{text} has shape {shape}"),
        false if parts.is_empty() => shape,
        false => format!("shape {shape}"),
    })
}

fn shape_of(value: &Value) -> Option<Vec<usize>> {
    let (mut shape, mut value) = (Vec::new(), value.clone());
    loop {
        let whole = shape.is_empty() || matches!(value, Value::List(_));
        if let Some(v) = leaf::existing(&value).filter(|_| whole) {
            shape.extend(v.shape());
            return Some(shape);
        }
        let first = match &value {
            // A list may hold itself.
            Value::List(list) if shape.len() < DEEPEST => {
                let items = list.items.borrow();
                shape.push(items.len());
                items.first()?.clone()
            }
            Value::Int(_) | Value::Float(_) | Value::Number(_) if !shape.is_empty() => {
                return Some(shape);
            }
            _ => return None,
        };
        value = first;
    }
}

/// The shape of a list of numbers as it is written.
fn written(e: &Expr) -> Option<Vec<usize>> {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Unary { .. } => Some(Vec::new()),
        ExprKind::List(items) => {
            let mut shape = vec![items.len()];
            shape.extend(written(items.first()?)?);
            Some(shape)
        }
        _ => None,
    }
}
