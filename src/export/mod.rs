//! A session as a program for PyTorch or JAX that gives the same values and gradients. The session
//! is run once, and its text is changed where the two languages differ. May use everything below
//! the shell; knows no command line.

mod edits;
mod jax;
mod names;
mod prelude;
pub mod ran;
mod torch;

use crate::eval::machine::Options;

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Torch,
    Jax,
}

impl Format {
    /// The words after `--to`.
    pub fn words() -> &'static [&'static str] {
        &["torch", "jax"]
    }

    /// By the word after `--to`.
    pub fn named(word: &str) -> Option<Format> {
        match word {
            "torch" => Some(Format::Torch),
            "jax" => Some(Format::Jax),
            _ => None,
        }
    }
}

/// Why a session cannot be exported: the line of the file, what stands there, what would work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct Refusal {
    pub line: usize,
    pub problem: String,
    pub hint: String,
}

/// The program. `text` is a session file or a plain program, `title` names it.
///
/// # Errors
/// A file that is no session, or what has no counterpart.
pub fn export(
    text: &str,
    title: &str,
    format: Format,
    options: Options,
) -> Result<String, Refusal> {
    let session = ran::run(text, options).map_err(|problem| Refusal {
        line: 1,
        problem,
        hint: "a session file holds inputs after `vjp> `".into(),
    })?;
    match format {
        Format::Torch => Ok(torch::write(session, title)),
        Format::Jax => jax::write(session, title),
    }
}
