//! Why there is no program.

/// Why a session cannot be exported: the line of the file, what stands there, what would work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct Refusal {
    pub line: usize,
    pub problem: String,
    pub hint: String,
}
