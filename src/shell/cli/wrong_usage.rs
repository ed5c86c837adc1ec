//! The error of a wrong command line.

/// A wrong command line: what is wrong, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct Usage {
    pub problem: String,
    pub hint: String,
}

impl Usage {
    pub fn new(problem: impl Into<String>, hint: impl Into<String>) -> Usage {
        Usage { problem: problem.into(), hint: hint.into() }
    }
}

impl From<lexopt::Error> for Usage {
    fn from(error: lexopt::Error) -> Self {
        Usage::new(error.to_string(), "vjp --help lists commands and options")
    }
}
