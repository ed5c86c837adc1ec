//! Reading in a page: it has no files, and says so.

use super::save::Stamp;
use std::io;
use std::path::Path;
use vjp_text::visible;

/// Why something could not be read, by its name.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Its name, and that of one beside it which may be meant.
    #[error("there is no file {0}: a page reads none")]
    Missing(String, Option<String>),
    #[error("{0} is a {1}, not a regular file")]
    NotAFile(String, &'static str),
}

impl ReadError {
    /// Whether there is something that cannot be looked at.
    pub fn hides(&self) -> bool {
        false
    }

    /// How to go on, where there is a way.
    pub fn hint(&self) -> String {
        String::new()
    }
}

/// What the system says, without its number.
pub fn reason(error: &io::Error) -> String {
    error.to_string()
}

/// The text of a file, and what was there.
///
/// # Errors
/// There are no files.
pub fn text(path: &Path) -> Result<(String, Stamp), ReadError> {
    Err(ReadError::Missing(visible::name(path), None))
}
