//! Saving in a page: its Save button gives the session file to the browser; a program writes none.

use std::path::{Path, PathBuf};

/// What a file held when it was last read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp;

/// What the saver knows of the file that may already be there.
#[derive(Clone, Copy, Debug)]
pub enum Former<'a> {
    Known(&'a Stamp),
    Kept(&'a Stamp),
    Unknown,
}

#[derive(Debug, thiserror::Error)]
#[error("a page writes no files; its Save button gives you the session")]
pub struct SaveError;

/// What saving did: the new stamp, and where the older file went if it was kept.
#[derive(Debug)]
pub struct Saved {
    pub stamp: Stamp,
    pub kept: Option<PathBuf>,
}

/// # Errors
/// Always.
pub fn save(_path: &Path, _contents: &[u8], _former: Former<'_>) -> Result<Saved, SaveError> {
    Err(SaveError)
}
