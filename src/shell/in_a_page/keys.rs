//! A page has no keyboard of a terminal: whoever asks for it is refused.

use std::io;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stroke {
    Sign(char),
    Enter,
    Erase,
    On,
    Back,
    Home,
    End,
    Escape,
    Stop,
    Other,
}

pub(super) struct Raw;

impl Raw {
    pub(super) fn begin() -> io::Result<Raw> {
        Err(none())
    }
}

fn none() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "a page has no terminal")
}

pub(super) fn pending(_patience: Option<Duration>) -> io::Result<bool> {
    Err(none())
}

pub(super) fn stroke() -> io::Result<Stroke> {
    Err(none())
}

pub(super) fn pause(_time: Duration) -> io::Result<bool> {
    Err(none())
}
