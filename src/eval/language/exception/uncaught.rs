//! An uncaught error as the event that tells it.

use super::raise::{Halt, Raised};
use crate::language::machine::Machine;
use crate::record::event::{Fault, Help};
use crate::tutor::misspelled;
use crate::tutor::shape_labels;
use crate::tutor::why::Wonder;
use crate::values::value::Value;
use vjp_syntax::SyntaxFault;
use vjp_tensor::complaint::{Fact, Kind};
use vjp_text::source::{Source, Span};

/// A text that is not a program.
pub(crate) fn of_syntax(source: &Source, fault: SyntaxFault) -> Fault {
    Fault {
        kind: Kind::Syntax,
        fact: if fault.lacks_block { Fact::NoBlock } else { Fact::Other },
        class: Kind::Syntax.name().into(),
        message: fault.message,
        by_raise: false,
        source: source.clone(),
        span: fault.span,
        label: None,
        more: Vec::new(),
        elsewhere: Vec::new(),
        drawing: None,
        help: fault.hint.map(hint).into_iter().collect(),
        unchanged: None,
    }
}

/// A hint without a line to type.
fn hint(text: String) -> Help {
    Help { code: String::new(), says: text }
}

/// An exception nobody caught; `source` is the input's text.
pub(crate) fn of_halt(machine: &mut Machine, halt: Halt, source: &Source) -> Fault {
    let message = crate::language::exception::text(machine, &halt.raised().exception);
    let Halt::Raised(raised) = halt;
    let Raised { exception, fact, span, source: inner, calls, told } = *raised;
    let class = match &exception.class {
        Value::Class(c) => c.name.to_string(),
        Value::Type(t) => t.name.to_owned(),
        _ => exception.kind.name().to_owned(),
    };
    let mut told = told.map(|t| *t).unwrap_or_default();
    let number = span.and_then(|at| machine.cut_to_number(source, at, &message));
    // An attribute's place ends before the call.
    let call = |at: Span| {
        let rest = source.text().get(at.end as usize..).filter(|rest| rest.starts_with('('));
        let end = rest.and_then(|rest| rest.find(')')).map_or(0, |k| k as u32 + 1);
        Span { start: at.start, end: at.end + end }
    };
    let asked = span.map(|at| if number.is_some() { call(at) } else { at });
    let no_path = told.no_path.take().or(number.clone()).filter(|_| inner.is_none());
    if let Some((output, shape)) = &no_path {
        machine.tell_no_path(source, (*output, shape), asked.unwrap_or(*output), &mut told);
    }
    let mut help: Vec<Help> = told.help;
    let leaf = message
        .ends_with("leaf Variable that requires grad is being used in an in-place operation.");
    let own = span.filter(|_| leaf).and_then(|at| {
        crate::tutor::refused_sweep::leaf_written(inner.as_ref().unwrap_or(source), at)
    });
    match own {
        Some(own) => help.push(own),
        None => help.extend(exception.hint.clone().filter(|_| number.is_none()).map(hint)),
    }
    let shown = inner.clone().unwrap_or_else(|| source.clone());
    if !machine.trying
        && let (Some(asked), Some(at)) = (&exception.hint, span)
        && let Some(right) = misspelled::put_right(&shown, at, &message, asked, machine.mode())
    {
        help.pop();
        help.push(right);
    }
    let mut span = span;
    if !machine.trying
        && told.more.is_empty()
        && told.label.is_none()
        && inner.is_none()
        && let Some(at) = span
        && let Some((at, more)) = shape_labels::told(machine, source, at, exception.kind, &message)
    {
        span = Some(at);
        told.more = more;
    }
    // The call at the top that led here, where it stands on another line of the same text.
    if let (Some(at), Some((_, call, text))) = (span, calls.last())
        && text.id() == shown.id()
        && shown.line_of(call.start) != shown.line_of(at.start)
    {
        told.more.push((*call, "called from here".into()));
    }
    let wonder = no_path.map(|(output, shape)| Wonder::NoPath {
        source: source.clone(),
        output,
        shape,
        statement: asked.unwrap_or(output),
    });
    let fault = Fault {
        kind: exception.kind,
        fact,
        class,
        message,
        by_raise: told.by_raise,
        source: inner.unwrap_or_else(|| source.clone()),
        span: span.unwrap_or(Span::default()),
        label: told.label,
        more: told.more,
        elsewhere: told.elsewhere,
        drawing: told.drawing,
        help,
        unchanged: told.unchanged,
    };
    machine.wonder = Some(wonder.unwrap_or_else(|| Wonder::Failed(Box::new(fault.clone()))));
    fault
}
