//! An uncaught error as the event that tells it.

use super::event::{Fault, Help};
use super::machine::Machine;
use super::raise::{Halt, Raised};
use super::value::Value;
use crate::maths::complaint::Kind;
use crate::syntax::SyntaxFault;
use crate::text::source::{Source, Span};

/// A text that is no program.
pub(super) fn of_syntax(source: &Source, fault: SyntaxFault) -> Fault {
    Fault {
        kind: Kind::Syntax,
        class: Kind::Syntax.name().into(),
        message: fault.message,
        source: source.clone(),
        span: fault.span,
        label: None,
        more: Vec::new(),
        drawing: None,
        help: fault.hint.map(hint).into_iter().collect(),
        unchanged: None,
    }
}

/// A hint without a line to type.
fn hint(text: String) -> Help {
    Help {
        code: String::new(),
        says: text,
    }
}

/// An exception nobody caught; `source` is the input's text.
pub(super) fn of_halt(machine: &mut Machine, halt: Halt, source: &Source) -> Fault {
    let message = super::exception::text(machine, &halt.raised().exception);
    let Halt::Raised(raised) = halt;
    let Raised {
        exception,
        span,
        source: inner,
        calls,
        told,
    } = *raised;
    let class = match &exception.class {
        Value::Class(c) => c.name.to_string(),
        Value::Type(t) => t.name.to_owned(),
        _ => exception.kind.name().to_owned(),
    };
    let mut told = told.map(|t| *t).unwrap_or_default();
    let mut help: Vec<Help> = told.help;
    help.extend(exception.hint.clone().map(hint));
    let shown = inner.clone().unwrap_or_else(|| source.clone());
    // The call at the top that led here, where it stands on another line of the same text.
    if let (Some(at), Some((_, call, text))) = (span, calls.last())
        && text.id() == shown.id()
        && shown.line_of(call.start) != shown.line_of(at.start)
    {
        told.more.push((*call, "called from here".into()));
    }
    Fault {
        kind: exception.kind,
        class,
        message,
        source: inner.unwrap_or_else(|| source.clone()),
        span: span.unwrap_or(Span::default()),
        label: told.label,
        more: told.more,
        drawing: told.drawing,
        help,
        unchanged: told.unchanged,
    }
}
