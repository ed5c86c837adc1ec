//! What a program may use: memory, time, and the wish to stop. One budget per thread.
//! Memory in use is counted by the allocator itself, so nothing can be forgotten.

use super::complaint::{Complaint, Kind, Outcome};
use super::{alarm, kept, scattered};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub use super::allocator::{Counting, in_use};

/// What values may hold together unless someone says otherwise.
pub const DEFAULT_LIMIT: usize = 4 << 30;

thread_local! {
    static LIMIT: Cell<usize> = const { Cell::new(DEFAULT_LIMIT) };
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
    static TICKS: Cell<u32> = const { Cell::new(0) };
    static STACK: Cell<usize> = const { Cell::new(2 << 20) };
}

/// Set by Ctrl-C. It stays until the statement has ended: whoever tries something else after an error
/// would otherwise go on as if nobody had wished to stop.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// Whether somebody wishes to stop.
#[inline]
pub fn stopping() -> bool {
    STOP.load(Ordering::Relaxed) || alarm::rings()
}

/// The elements, until somebody wishes to stop.
pub fn unless_stopped<I: Iterator>(elements: I) -> impl Iterator<Item = I::Item> {
    elements.take_while(|_| !stopping())
}

/// The wish was granted.
pub fn stopped() {
    STOP.store(false, Ordering::Relaxed);
}

/// # Errors
/// `Interrupted` where somebody wishes to stop.
#[inline]
pub fn heed() -> Outcome<()> {
    match stopping() {
        true => Err(Complaint::new(Kind::Interrupted, "stopped by Ctrl-C")),
        false => Ok(()),
    }
}

pub fn memory_limit() -> usize {
    LIMIT.with(Cell::get)
}

pub fn set_memory_limit(bytes: usize) {
    LIMIT.with(|c| c.set(bytes));
}

/// Starts the clock of `--time-limit`, or stops it.
pub fn set_time_limit(limit: Option<Duration>) {
    DEADLINE.with(|c| c.set(limit.map(|d| Instant::now() + d)));
}

/// Says how large this thread's stack is; without that, two mebibytes are assumed.
pub fn set_stack(bytes: usize) {
    STACK.with(|c| c.set(bytes));
}

/// How much of the stack nested calls may take.
pub fn stack_limit() -> usize {
    STACK.with(Cell::get) / 8 * 5
}

/// When the time is over, if there is a limit.
pub fn deadline() -> Option<Instant> {
    DEADLINE.with(Cell::get)
}

/// Puts back what [`deadline`] gave.
pub fn set_deadline(end: Option<Instant>) {
    DEADLINE.with(|c| c.set(end));
}

/// Asks for memory before taking it.
///
/// # Errors
/// `OutOfMemory`, naming the size wanted and what is in use.
pub fn reserve(bytes: usize) -> Outcome<()> {
    let (held, limit) = (in_use(), memory_limit());
    kept::start(bytes);
    if held.saturating_add(bytes).saturating_add(kept::bytes()) <= limit {
        return Ok(());
    }
    // What is kept for later goes first.
    scattered::release();
    kept::release();
    let held = in_use();
    if held.saturating_add(bytes) <= limit {
        return Ok(());
    }
    let used = format!("{} of the limit of {} are in use", size(held), size(limit));
    let mut told = Complaint::new(
        Kind::OutOfMemory,
        match bytes {
            0 => format!("out of memory: {used}"),
            _ => format!("this needs {}, and {used}", size(bytes)),
        },
    );
    told.hint = more(held.saturating_add(bytes));
    Err(told)
}

/// The way to a limit with room for `bytes`, where machines have so much.
fn more(bytes: usize) -> Option<String> {
    const MOST: usize = 512;
    let wanted = (bytes >> 30) + 1;
    let room = wanted.max((memory_limit() >> 30) + 1).next_power_of_two();
    (room <= MOST).then(|| format!("allow more with --memory {room}GiB or :set memory {room}GiB"))
}

/// Asked at every statement and expression, and every few thousand elements in kernels.
///
/// # Errors
/// `Interrupted`, `OutOfTime` or `OutOfMemory`.
#[inline]
pub fn tick() -> Outcome<()> {
    let n = TICKS.with(|c| {
        c.set(c.get().wrapping_add(1));
        c.get()
    });
    if n.is_multiple_of(64) {
        check()
    } else {
        // One look costs nothing, and between two ticks there may be much work.
        heed()
    }
}

/// [`tick`], without waiting for its turn.
pub fn check() -> Outcome<()> {
    heed()?;
    if let Some(end) = DEADLINE.with(Cell::get)
        && Instant::now() >= end
    {
        return Err(Complaint::new(Kind::OutOfTime, "the time limit is over")
            .hint("allow more with --time-limit SECONDS"));
    }
    reserve(0)
}

/// `1.5 GiB`, `17 bytes`.
pub fn size(bytes: usize) -> String {
    const UNITS: [&str; 6] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 || value == value.floor() {
        format!("{value:.0} {}", UNITS[unit])
    } else {
        format!("{value:.1} {}", UNITS[unit])
    }
}
