//! A page has no standard streams: what it shows is held back and fetched.

use std::io;
use std::time::Duration;
use vjp_report::terminal::style;

/// Takes every text, and shows none.
pub(super) struct Outlet;

impl Outlet {
    pub(super) fn stdout() -> Outlet {
        Outlet
    }

    pub(super) fn stderr() -> Outlet {
        Outlet
    }

    pub(super) fn send(&mut self, _text: &str, _patience: Duration) -> io::Result<bool> {
        Ok(true)
    }
}

/// Rows and columns where there is no terminal.
pub fn size() -> (usize, usize) {
    (style::WINDOW, style::WIDTH)
}

pub fn window() -> Option<[usize; 2]> {
    None
}
