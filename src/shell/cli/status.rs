//! How a command line ends: its exit status, and the error of a wrong one.

use crate::Ended;
use anyhow::Result;
use std::path::{Path, PathBuf};

pub const FAILED: u8 = 1;
pub const WRONG_USAGE: u8 = 2;
pub const INTERRUPTED: u8 = 130;

pub fn status(ended: Ended) -> u8 {
    match ended {
        Ended::Well => 0,
        Ended::Failed => FAILED,
        Ended::Interrupted => INTERRUPTED,
        Ended::Left(status) => status,
    }
}

/// Treats each file, whatever the others did; the worst status counts.
pub fn each(files: &[PathBuf], mut treat: impl FnMut(&Path) -> Result<u8>) -> Result<u8> {
    let mut worst = 0;
    for file in files {
        match treat(file)? {
            INTERRUPTED => return Ok(INTERRUPTED),
            status => worst = worst.max(status),
        }
    }
    Ok(worst)
}

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
