//! The two standard streams, kept in order; a reader that has gone away ends the program quietly.

use crate::session_options::{Color, Common};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use vjp_report::terminal::painted::RESET;
use vjp_report::terminal::style;
use vjp_report::{Ink, Painted, Stream, Style};
use vjp_session::reading::reason;
use vjp_tensor::budget;
use vjp_text::visible::visible;

/// Output of a program that goes on computing waits at most this long.
const PATIENCE: Duration = Duration::from_millis(50);

/// What is written to a terminal between two looks at the wish to stop.
const PIECE: usize = 1 << 12;

/// Where a program that prints came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The person typed it: what it prints is the person's own.
    Keyboard,
    /// A file that is run, standard input.
    Program,
    /// A session file that is shown, or was loaded: what runs later may be its own.
    Session,
}

/// Standard output and standard error as one place to write to.
pub struct Screen {
    pub origin: Origin,
    out: Arc<Buffer>,
    err: Outlet,
    flushed: Option<Instant>,
    terminal: bool,
    /// Standard error is a terminal.
    errors: bool,
    /// The last text written did not end its line.
    midline: bool,
    /// Everything goes to standard output, in order: replayed sessions.
    joined: bool,
    /// What would be written is held back, for a screen that is drawn as a whole.
    held: Option<Held>,
}

/// Text that waits to be drawn.
#[derive(Default)]
struct Held {
    text: String,
    /// Lines beyond what is kept.
    more: usize,
}

/// Text that is held at most: nobody pages through more.
const HELD: usize = 1 << 18;

/// Text on its way to standard output.
struct Buffer {
    out: Mutex<Waiting>,
}

struct Waiting {
    outlet: Outlet,
    text: String,
    pending: bool,
}

impl Buffer {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// Text that waits before it is written.
    const ROOM: usize = 1 << 16;

    /// Takes a text; false where some of it is lost, see [`Outlet::send`]. Of a long one no more is written
    /// than until somebody wishes to stop.
    fn write(&mut self, text: &str, long: usize) -> bool {
        if text.len() > long {
            return self.flush() && settled(self.outlet.send(text, Duration::ZERO));
        }
        if self.text.len() + text.len() > Waiting::ROOM && !self.flush() {
            return false;
        }
        self.text.push_str(text);
        true
    }

    /// Writes what waits.
    fn flush(&mut self) -> bool {
        self.pending = false;
        let whole = settled(self.outlet.send(&self.text, PATIENCE));
        self.text.clear();
        whole
    }
}

/// A standard stream without std's line buffering, which would write every line of a pipe.
struct Outlet {
    /// None where the stream is closed.
    to: Option<File>,
    /// Whoever reads may take its time: a terminal, a pipe.
    slow: bool,
    /// The last text was given up.
    unread: bool,
}

impl Outlet {
    fn new(stream: impl AsFd) -> Outlet {
        let to = rustix::io::dup(stream).ok().map(File::from);
        let file = to.as_ref().and_then(|to| to.metadata().ok());
        Outlet { to, slow: !file.is_some_and(|file| file.is_file()), unread: false }
    }

    /// Writes a text. When somebody wishes to stop while nobody reads it, it is given up after some
    /// patience: false. So is what comes after it, until it is read again.
    fn send(&mut self, text: &str, mut patience: Duration) -> io::Result<bool> {
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

/// What the thread that waits for the work attends to meanwhile.
struct Attention {
    /// A busy program left text there.
    waiting: Option<Arc<Buffer>>,
    /// The work ended.
    over: bool,
}

static ATTENTION: Mutex<Attention> = Mutex::new(Attention { waiting: None, over: false });
static CALL: Condvar = Condvar::new();

fn attention() -> MutexGuard<'static, Attention> {
    ATTENTION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells [`attend`] that the work is over, however it ended.
pub struct Over;

impl Drop for Over {
    fn drop(&mut self) {
        attention().over = true;
        CALL.notify_one();
    }
}

/// Flushes what a busy program leaves waiting, until an [`Over`] is dropped.
pub fn attend() {
    let mut now = attention();
    while !now.over {
        let Some(buffer) = now.waiting.take() else {
            now = CALL.wait(now).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let patient = CALL.wait_timeout_while(now, PATIENCE, |now| !now.over);
        drop(patient.unwrap_or_else(PoisonError::into_inner));
        let mut out = buffer.lock();
        if out.pending {
            out.flush();
        }
        drop(out);
        now = attention();
    }
}

impl Screen {
    pub fn standard() -> Screen {
        Screen {
            out: Arc::new(Buffer {
                out: Mutex::new(Waiting {
                    outlet: Outlet::new(rustix::stdio::stdout()),
                    text: String::new(),
                    pending: false,
                }),
            }),
            err: Outlet::new(rustix::stdio::stderr()),
            origin: Origin::Program,
            flushed: None,
            errors: io::stderr().is_terminal(),
            terminal: io::stdout().is_terminal(),
            midline: false,
            joined: false,
            held: None,
        }
    }

    /// From now on errors and notes stand among the results, as on a terminal.
    pub fn join(&mut self) {
        self.joined = true;
    }

    /// Writes a text of whatever origin.
    pub fn write(&mut self, stream: Stream, text: &str) {
        self.put(stream, &visible(text));
    }

    /// Writes a text with our colours.
    pub fn paint(&mut self, stream: Stream, text: &Painted) {
        self.put(stream, text.as_str());
    }

    /// Draws the whole screen, each line over the old one: nothing flickers.
    pub fn page(&mut self, lines: &[Painted]) {
        let mut text = Painted::control("\x1b[H");
        for (n, line) in lines.iter().enumerate() {
            text.append(&Painted::control(if n > 0 { "\x1b[K\r\n" } else { "" })).append(line);
        }
        text.append(&Painted::control("\x1b[K\x1b[J"));
        self.paint(Stream::Out, &text);
        self.flush();
    }

    /// Writes what a report has: prints where the cursor stands, drawings on lines of their own.
    pub fn ink(&mut self, stream: Stream, ink: Ink<'_>) {
        match ink {
            Ink::Printed(text) => self.print(stream, text),
            Ink::Drawn(text) => {
                self.fresh_line();
                self.paint(stream, text);
            }
        }
    }

    /// Moves the cursor, clears.
    pub fn control(&mut self, codes: &'static str) {
        self.put(Stream::Out, codes);
    }

    /// Writes what a program prints: byte for byte where the person wrote the program, or where no
    /// terminal is spoken to.
    pub fn print(&mut self, stream: Stream, text: &str) {
        let terminal =
            if stream == Stream::Err && !self.joined { self.errors } else { self.terminal };
        match self.origin {
            Origin::Keyboard => self.put(stream, text),
            Origin::Program if !terminal => self.put(stream, text),
            _ => self.write(stream, text),
        }
    }

    /// Puts a text that was looked at on its stream.
    fn put(&mut self, stream: Stream, text: &str) {
        if text.is_empty() {
            return;
        }
        self.midline = !text.ends_with('\n');
        if let Some(held) = &mut self.held {
            match held.text.len() < HELD {
                true => held.text.push_str(text),
                false => held.more += text.matches('\n').count(),
            }
            return;
        }
        if stream == Stream::Err && !self.joined {
            self.flush();
            // Nobody can be told that standard error is gone.
            let _ = self.err.send(text, PATIENCE);
            return;
        }
        let soon = self.flushed.is_some_and(|at| at.elapsed() < PATIENCE);
        let mut out = self.out.lock();
        let long = if self.terminal { PIECE } else { Waiting::ROOM };
        if !out.write(text, long) {
            self.midline = true;
            if self.terminal && text.contains('\x1b') {
                out.write(RESET, long);
            }
        }
        if self.terminal || !soon {
            out.flush();
            self.flushed = Some(Instant::now());
        } else if !out.pending {
            out.pending = true;
            drop(out);
            attention().waiting = Some(Arc::clone(&self.out));
            CALL.notify_one();
        }
    }

    /// From now on what is written is held back.
    pub fn hold(&mut self) {
        self.held = Some(Held::default());
        self.midline = false;
    }

    /// What was held back, by lines.
    pub fn release(&mut self) -> Vec<Painted> {
        self.midline = false;
        let Held { text, more } = self.held.take().unwrap_or_default();
        // It was looked at when it was put there.
        let mut lines: Vec<Painted> = Painted::control(text).lines().collect();
        if more > 0 {
            lines.push(Painted::plain(&format!("… {more} more lines")));
        }
        lines
    }

    /// Ends a line that a program left open.
    pub fn fresh_line(&mut self) {
        if self.midline {
            self.write(Stream::Out, "\n");
        }
    }

    pub fn flush(&mut self) {
        self.out.lock().flush();
        self.flushed = Some(Instant::now());
    }
}

/// A closed pipe is the reader's right: status 0. Any other failure of standard output is said.
fn settled<T>(result: io::Result<T>) -> T {
    let error = match result {
        Ok(written) => return written,
        Err(error) => error,
    };
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    tell(&format!("error  cannot write the output: {}\n", reason(&error)));
    std::process::exit(1);
}

/// Tells standard error something where there is no screen; nobody can be told that it is gone.
pub fn tell(text: &str) {
    let _ = io::stderr().write_all(visible(text).as_bytes());
}

/// How a person at this terminal wants it drawn.
pub fn style(common: &Common) -> Style {
    let (out, err) = (io::stdout().is_terminal(), io::stderr().is_terminal());
    let plain_terminal = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let [width, height] = window().unwrap_or([style::WIDTH, style::WINDOW]);
    Style {
        width,
        height,
        ascii: common.ascii || !speaks_utf8(),
        color: match common.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => out && err && !no_color && !plain_terminal,
        },
        fold: err,
        ..Style::canonical()
    }
}

/// Whether there is a terminal at both ends that can be drawn on as a whole.
pub fn whole() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|t| t == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !dumb
}

/// Rows and columns of the terminal.
pub fn size() -> (usize, usize) {
    match rustix::termios::tcgetwinsize(rustix::stdio::stdout()) {
        Ok(size) if size.ws_row > 0 && size.ws_col > 0 => (size.ws_row.into(), size.ws_col.into()),
        _ => (24, vjp_report::terminal::style::WIDTH),
    }
}

/// Columns of the terminal, where there is one.
pub fn columns() -> Option<usize> {
    window().map(|[columns, _]| columns)
}

/// Columns and rows of the terminal, where there is one.
pub fn window() -> Option<[usize; 2]> {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout()).ok()?;
    let [columns, rows] = [size.ws_col, size.ws_row].map(usize::from);
    (columns > 0).then_some([columns, if rows > 0 { rows } else { style::WINDOW }])
}

/// False where the locale names another character set; an unset one says nothing about the reader.
fn speaks_utf8() -> bool {
    ["LC_ALL", "LC_CTYPE", "LANG"]
        .iter()
        .filter_map(std::env::var_os)
        .find(|v| !v.is_empty())
        .is_none_or(|locale| {
            let locale = locale.to_string_lossy().to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        })
}
