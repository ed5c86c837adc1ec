//! The standard streams as the system has them: written to as they take it, and how large a terminal is.

use crate::screen::PIECE;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::time::Duration;
use vjp_report::terminal::style;
use vjp_tensor::budget;

/// A standard stream without std's line buffering, which would write every line of a pipe.
pub(super) struct Outlet {
    /// None where the stream is closed.
    to: Option<File>,
    /// Whoever reads may take its time: a terminal, a pipe.
    slow: bool,
    /// The last text was given up.
    unread: bool,
}

impl Outlet {
    pub(super) fn stdout() -> Outlet {
        Outlet::new(rustix::stdio::stdout())
    }

    pub(super) fn stderr() -> Outlet {
        Outlet::new(rustix::stdio::stderr())
    }

    fn new(stream: impl AsFd) -> Outlet {
        let to = rustix::io::dup(stream).ok().map(File::from);
        let file = to.as_ref().and_then(|to| to.metadata().ok());
        Outlet { to, slow: !file.is_some_and(|file| file.is_file()), unread: false }
    }

    /// Writes a text. When somebody wishes to stop while nobody reads it, it is given up after some
    /// patience: false. So is what comes after it, until it is read again.
    pub(super) fn send(&mut self, text: &str, mut patience: Duration) -> io::Result<bool> {
        let Some(to) = &mut self.to else {
            return Ok(true);
        };
        let mut rest = text;
        while !rest.is_empty() {
            if self.slow {
                self.unread = !is_read(to, &mut patience, self.unread);
                if self.unread {
                    return Ok(false);
                }
            }
            // What a pipe that is ready takes at once.
            let most = if self.slow { PIECE.min(rest.len()) } else { rest.len() };
            let end = (0..=most).rfind(|k| rest.is_char_boundary(*k)).unwrap_or(0);
            let (piece, later) = rest.split_at(end);
            to.write_all(piece.as_bytes())?;
            rest = later;
        }
        Ok(true)
    }
}

/// Waits until a stream takes more; false where there is a hurry and the patience is over.
fn is_read(stream: &File, patience: &mut Duration, hurry: bool) -> bool {
    const MOMENT: Duration = Duration::from_millis(10);
    let moment = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };
    loop {
        let hurry = hurry || budget::stopping();
        if hurry && patience.is_zero() {
            return false;
        }
        // What else may be wrong is for the write to say.
        let mut ready = [PollFd::new(stream, PollFlags::OUT)];
        if !matches!(poll(&mut ready, Some(&moment)), Ok(0) | Err(Errno::INTR)) {
            return true;
        }
        if hurry {
            *patience = patience.saturating_sub(MOMENT);
        }
    }
}

/// Rows and columns of the terminal.
pub fn size() -> (usize, usize) {
    match rustix::termios::tcgetwinsize(rustix::stdio::stdout()) {
        Ok(size) if size.ws_row > 0 && size.ws_col > 0 => (size.ws_row.into(), size.ws_col.into()),
        _ => (24, style::WIDTH),
    }
}

/// Columns and rows of the terminal, where there is one.
pub fn window() -> Option<[usize; 2]> {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout()).ok()?;
    let [columns, rows] = [size.ws_col, size.ws_row].map(usize::from);
    (columns > 0).then_some([columns, if rows > 0 { rows } else { style::WINDOW }])
}
