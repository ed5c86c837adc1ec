//! An uncaught error as the event that tells it.

use super::raise::{Halt, Raised, Uncaught};
use crate::record::held::Wonder;
use crate::{Fault, Help, Machine};
use vjp_syntax::SyntaxFault;
use vjp_tensor::{Fact, Kind};
use vjp_text::{Source, Span};

/// A text that is not a program.
pub fn of_syntax(source: &Source, fault: SyntaxFault) -> Fault {
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
        help: fault.hint.map(Help::words).into_iter().collect(),
        unchanged: None,
        undone: Vec::new(),
    }
}

/// An exception nobody caught; `source` is the input's text.
pub(crate) fn of_halt(machine: &mut Machine, halt: Halt, source: &Source) -> Fault {
    let message = crate::language::exception::text(machine, &halt.raised().exception);
    let Halt::Raised(raised) = halt;
    let Raised { exception, fact, span, source: inner, calls, told } = *raised;
    let class = match &exception.own {
        Some(c) => c.name.to_string(),
        None => exception.kind.name().to_owned(),
    };
    let mut uncaught = Uncaught {
        kind: exception.kind,
        message: &message,
        fact: &fact,
        hint: exception.hint.clone(),
        source,
        span,
        inner: inner.as_ref(),
        told: told.map(|t| *t).unwrap_or_default(),
    };
    let wonder = (machine.hints.uncaught)(machine, &mut uncaught);
    let Uncaught { mut told, span, hint: asks, .. } = uncaught;
    told.help.extend(asks.map(Help::words));
    // The call at the top that led here, where it stands on another line of the same text.
    let shown = inner.as_ref().unwrap_or(source);
    if let (Some(at), Some((_, call, text))) = (span, calls.last())
        && text.id() == shown.id()
        && shown.line_of(call.start) != shown.line_of(at.start)
    {
        told.more.push((*call, "called from here".into()));
    }
    let fault = Fault {
        kind: exception.kind,
        fact,
        class,
        by_raise: told.by_raise,
        source: shown.clone(),
        message,
        span: span.unwrap_or(Span::default()),
        label: told.label,
        more: told.more,
        elsewhere: told.elsewhere,
        drawing: told.drawing,
        help: told.help,
        unchanged: told.unchanged,
        undone: Vec::new(),
    };
    machine.wonder = Some(wonder.unwrap_or_else(|| Wonder::failed(&fault)));
    fault
}
