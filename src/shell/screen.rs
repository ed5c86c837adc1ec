//! The two standard streams, kept in order; a reader that has gone away ends the program quietly.

use crate::outlet::Outlet;
pub use crate::outlet::{size, window};
use crate::session_options::{Color, Common};
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use vjp_report::terminal::painted::RESET;
use vjp_report::terminal::style;
use vjp_report::{Ink, Painted, Stream, Style};
use vjp_session::reading::reason;
use vjp_tensor::clock::Instant;
use vjp_text::visible::visible;

/// Output of a program that goes on computing waits at most this long.
const PATIENCE: Duration = Duration::from_millis(50);

/// What is written to a terminal between two looks at the wish to stop.
pub(super) const PIECE: usize = 1 << 12;

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
    /// Takes everything in the place of the standard streams.
    taker: Option<Taker>,
}

/// Takes what is shown, piece by piece.
pub type Taker = Box<dyn FnMut(Stream, Ink<'_>)>;

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
                    outlet: Outlet::stdout(),
                    text: String::new(),
                    pending: false,
                }),
            }),
            err: Outlet::stderr(),
            origin: Origin::Program,
            flushed: None,
            errors: io::stderr().is_terminal(),
            terminal: io::stdout().is_terminal(),
            midline: false,
            joined: false,
            held: None,
            taker: None,
        }
    }

    /// From now on errors and notes stand among the results, as on a terminal.
    pub fn join(&mut self) {
        self.joined = true;
    }

    /// From now on what is shown goes to somebody else.
    pub fn give(&mut self, taker: Taker) {
        self.taker = Some(taker);
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
        if let Some(taker) = &mut self.taker {
            return taker(stream, ink);
        }
        match ink {
            Ink::Printed(text) => self.print(stream, text),
            Ink::Drawn(text) | Ink::Value(text) | Ink::Error(_, text) => {
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
        if let Some(taker) = &mut self.taker {
            // It was looked at.
            return taker(stream, Ink::Drawn(&Painted::control(text)));
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

/// Columns of the terminal, where there is one.
pub fn columns() -> Option<usize> {
    window().map(|[columns, _]| columns)
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
