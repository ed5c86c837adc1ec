//! A page has no keyboard of a terminal: whoever asks for it is refused.

use std::io;
use std::time::Duration;

pub(super) struct Raw;

impl Raw {
    pub(super) fn begin() -> io::Result<Raw> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

pub(super) fn pause(_time: Duration) -> io::Result<bool> {
    Err(io::ErrorKind::Unsupported.into())
}
