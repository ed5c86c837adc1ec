//! The exit status.

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
