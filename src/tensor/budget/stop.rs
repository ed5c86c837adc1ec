//! The wish to stop: Ctrl-C, a moment that has come, memory beyond its limit. Whatever may take long asks
//! [`tick`] on its way.

use super::{out_of_memory, work};
use crate::{Complaint, Kind, Outcome};
use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};

/// Why somebody wishes to stop: Ctrl-C, a moment that has come, memory that was taken beyond the limit, steps
/// that were taken.
pub const CTRL_C: u8 = 1;
pub const TIME: u8 = 2;
pub const MEMORY: u8 = 4;
pub const WORK: u8 = 8;

/// The wishes to stop. They stay until the statement has ended: whoever tries something else after an
/// error would otherwise go on as if nobody had wished to stop.
pub static WISHES: AtomicU8 = AtomicU8::new(0);

thread_local! {
    /// The wishes that this thread looks at: [`WISHES`], unless it has a clock of its own.
    pub static FLAG: Cell<&'static AtomicU8> = const { Cell::new(&WISHES) };
    /// What was asked for, and in use, when memory ran out.
    static PRESSED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// Whether somebody wishes to stop.
#[inline]
pub fn stopping() -> bool {
    FLAG.get().load(Ordering::Relaxed) != 0
}

/// Asked at every statement and expression, and every few thousand elements in kernels.
///
/// # Errors
/// `Interrupted`, `OutOfTime` or `OutOfMemory`.
#[inline]
pub fn tick() -> Outcome<()> {
    work::step();
    asked()
}

/// [`tick`] where the steps were counted elsewhere.
#[inline]
pub fn asked() -> Outcome<()> {
    match FLAG.get().load(Ordering::Relaxed) {
        0 => Ok(()),
        wishes => Err(stop(wishes)),
    }
}

#[cold]
fn stop(wishes: u8) -> Box<Complaint> {
    if wishes & CTRL_C != 0 {
        Complaint::new(Kind::Interrupted, "stopped by Ctrl-C")
    } else if wishes & (TIME | WORK) != 0 {
        Complaint::new(Kind::OutOfTime, "time limit reached")
            .hint("raise it with --time-limit SECONDS")
    } else {
        let (wanted, held) = PRESSED.get();
        out_of_memory(wanted, held)
    }
}

/// Ctrl-C.
pub fn interrupt() {
    WISHES.fetch_or(CTRL_C, Ordering::Relaxed);
}

/// The wish was granted.
pub fn stopped() {
    FLAG.get().store(0, Ordering::Relaxed);
}

/// Memory ran out while `wanted` bytes were taken without being asked for.
#[cold]
pub fn press(wanted: usize, held: usize) {
    let flag = FLAG.get();
    if flag.load(Ordering::Relaxed) & MEMORY == 0 {
        PRESSED.set((wanted, held));
        flag.fetch_or(MEMORY, Ordering::Relaxed);
    }
}

/// The elements, until somebody wishes to stop.
pub fn unless_stopped<I: Iterator>(elements: I) -> impl Iterator<Item = I::Item> {
    elements.take_while(|_| !stopping())
}
