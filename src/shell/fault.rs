//! Errors of commands and internal errors, in the form of program errors.

use vjp_eval::{Fault, Help};
use vjp_session::reading::ReadError;
use vjp_tensor::{Fact, Kind};
use vjp_text::{Source, Span};

/// A command that could not be done: why, and what to do instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    pub message: String,
    /// A line to type, and what it does.
    pub help: Option<(String, String)>,
}

impl Problem {
    pub fn new(message: impl Into<String>) -> Problem {
        Problem { message: message.into(), help: None }
    }

    pub fn help(mut self, code: impl Into<String>, says: impl Into<String>) -> Problem {
        self.help = Some((code.into(), says.into()));
        self
    }

    /// With the place it speaks of: the whole command.
    pub fn at(self, typed: &str) -> Fault {
        let source = Source::new(typed);
        let mut fault = of_command(&source, Kind::Command, self.message, "");
        fault.help = self.help.into_iter().map(|(code, says)| Help { code, says }).collect();
        fault
    }
}

impl From<ReadError> for Problem {
    fn from(error: ReadError) -> Problem {
        let problem = Problem::new(error.to_string());
        match error.hint() {
            none if none.is_empty() => problem,
            hint => problem.help("", hint),
        }
    }
}

/// A fault that speaks of a whole input.
pub fn of_command(source: &Source, kind: Kind, message: String, says: &str) -> Fault {
    let first = source.line(0);
    let help = (!says.is_empty()).then(|| Help { code: String::new(), says: says.to_owned() });
    Fault {
        kind,
        fact: Fact::Other,
        class: kind.name().to_owned(),
        message,
        by_raise: false,
        source: source.clone(),
        span: Span::new(0, first.len()),
        label: None,
        more: Vec::new(),
        elsewhere: Vec::new(),
        drawing: None,
        help: help.into_iter().collect(),
        unchanged: None,
        undone: Vec::new(),
    }
}
