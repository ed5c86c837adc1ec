//! What a program may use: memory and time; [`stop`] is the wish to end. One budget per thread.
//! Memory in use is counted by the allocator itself, so nothing can be forgotten.

#[cfg_attr(target_arch = "wasm32", path = "alarm_without_threads.rs")]
pub(crate) mod alarm;
pub mod allocator;
pub mod clock;
pub(crate) mod freed_blocks;
#[cfg_attr(target_arch = "wasm32", path = "pages_of_a_page.rs")]
pub(crate) mod pages;
pub mod remains;
pub(crate) mod stop;
pub mod work;

use super::complaint::{Complaint, Kind, Outcome};
use crate::clock::Instant;
use crate::sparse;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use stop::{FLAG, MEMORY, WISHES, WORK};

pub use allocator::{Counting, in_use};
pub use stop::{asked, interrupt, press, stopped, stopping, tick, unless_stopped};

/// What values may hold together unless someone says otherwise; half of it where addresses have 32 bits.
pub const DEFAULT_LIMIT: usize = if usize::BITS > 32 { 4 << 30 } else { 2 << 30 };

thread_local! {
    static LIMIT: Cell<usize> = const { Cell::new(DEFAULT_LIMIT) };
    static STACK: Cell<usize> = const { Cell::new(2 << 20) };
    /// What gives back memory that nobody can reach.
    static SWEEP: Cell<fn()> = const { Cell::new(|| {}) };
    static WORKS: Cell<bool> = const { Cell::new(false) };
}

/// Says how large this thread's stack is; without that, two mebibytes are assumed.
pub fn set_stack(bytes: usize) {
    STACK.set(bytes);
}

/// Says that this is the thread that works, and how large its stack is.
pub fn settle(stack: usize) {
    set_stack(stack);
    WORKS.set(true);
    allocator::settle();
}

/// Where wishes of this thread's limits are uttered: Ctrl-C asks the thread that works, and no limit of
/// another thread does.
fn own_flag() -> &'static AtomicU8 {
    if !WORKS.get() && std::ptr::eq(FLAG.get(), &WISHES) {
        FLAG.set(Box::leak(Box::default()));
    }
    FLAG.get()
}

pub fn memory_limit() -> usize {
    LIMIT.get()
}

pub fn set_memory_limit(bytes: usize) {
    LIMIT.set(bytes);
    allocator::set_limit(bytes);
}

/// While it lives, other limits hold; wishes that came up under them are forgotten with them, and those
/// from before are back.
pub struct Limits {
    memory: usize,
    until: Option<Instant>,
    work: u64,
    wishes: u8,
}

impl Limits {
    pub fn new(until: Option<Instant>, memory: usize) -> Limits {
        let wishes = own_flag().swap(0, Ordering::Relaxed);
        let outer =
            Limits { memory: memory_limit(), until: alarm::end(), work: work::end(), wishes };
        set_memory_limit(memory);
        alarm::set(until);
        outer
    }

    /// So much more memory.
    pub fn room(bytes: usize) -> Limits {
        Limits::new(alarm::end(), memory_limit().saturating_add(bytes))
    }

    /// No more memory than so much beside what is held.
    pub fn within(bytes: usize) -> Limits {
        Limits::new(alarm::end(), memory_limit().min(in_use().saturating_add(bytes)))
    }

    /// A shorter time from now on.
    pub fn time(limit: Option<Duration>) -> Limits {
        let end = limit.and_then(|d| Instant::now().checked_add(d));
        Limits::new(end.into_iter().chain(alarm::end()).min(), memory_limit())
    }

    /// No more than so many steps from now on.
    pub fn work(steps: u64) -> Limits {
        let end = work::done().saturating_add(steps).min(work::end());
        let outer = Limits::new(alarm::end(), memory_limit());
        work::set(end);
        outer
    }
}

impl Drop for Limits {
    fn drop(&mut self) {
        set_memory_limit(self.memory);
        alarm::set(self.until);
        work::set(self.work);
        let flag = FLAG.get();
        flag.fetch_and(!(MEMORY | WORK), Ordering::Relaxed);
        flag.fetch_or(self.wishes, Ordering::Relaxed);
    }
}

/// Says what gives back memory that nobody can reach; called where a request is about to fail.
pub fn set_sweep(sweep: fn()) {
    SWEEP.set(sweep);
}

/// How much of the stack nested calls may take.
pub fn stack_limit() -> usize {
    STACK.get() / 8 * 5
}

/// Asks for memory before taking it.
pub fn reserve(bytes: usize) -> Outcome<()> {
    let (held, limit) = (in_use(), memory_limit());
    freed_blocks::start(bytes);
    if held.saturating_add(bytes).saturating_add(freed_blocks::bytes()) <= limit {
        return Ok(());
    }
    // Who wishes to stop holds what counts no longer.
    tick()?;
    // What is kept for later goes first, then what nobody can reach.
    remains::free();
    sparse::release();
    freed_blocks::release();
    if in_use().saturating_add(bytes) > limit {
        SWEEP.get()();
        freed_blocks::release();
    }
    let held = in_use();
    match held.saturating_add(bytes) <= limit {
        true => Ok(()),
        false => Err(out_of_memory(bytes, held)),
    }
}

/// Asks for memory where no error can be told: if there is none, the thread is asked to stop.
pub fn claims(bytes: usize) -> bool {
    /// For less, to ask would cost more than it.
    const SMALL: usize = 1 << 16;
    if bytes < SMALL {
        return true;
    }
    if stopping() {
        return false;
    }
    let granted = reserve(bytes).is_ok();
    if !granted {
        press(bytes, in_use());
    }
    granted
}

/// Room for `count` elements, where there may be so many that memory has to be asked for.
pub fn vec<T>(count: usize) -> Outcome<Vec<T>> {
    let bytes = count.saturating_mul(size_of::<T>());
    reserve(bytes)?;
    let mut all = Vec::new();
    match all.try_reserve_exact(count) {
        Ok(()) => Ok(all),
        Err(_) => Err(out_of_memory(bytes, in_use())),
    }
}

/// `f(0)`, `f(1)` … `f(count - 1)`.
pub fn listed<T>(count: usize, mut f: impl FnMut(usize) -> T) -> Outcome<Vec<T>> {
    const BLOCK: usize = 64;
    let mut all = vec(count)?;
    for start in (0..count).step_by(BLOCK) {
        tick()?;
        all.extend((start..count.min(start + BLOCK)).map(&mut f));
    }
    Ok(all)
}

/// So many elements are copied without asking.
const BLOCK: usize = 1 << 14;

/// The same elements once more.
pub fn copied<T: Clone>(elements: &[T]) -> Outcome<Vec<T>> {
    let mut all = vec(elements.len())?;
    for block in elements.chunks(BLOCK) {
        tick()?;
        all.extend_from_slice(block);
    }
    Ok(all)
}

/// One element so many times.
pub fn filled<T: Clone>(count: usize, element: T) -> Outcome<Vec<T>> {
    let mut all = vec(count)?;
    while all.len() < count {
        tick()?;
        all.resize(count.min(all.len() + BLOCK), element.clone());
    }
    Ok(all)
}

/// [`listed`], of what may fail.
pub fn each<T>(count: usize, mut f: impl FnMut(usize) -> Outcome<T>) -> Outcome<Vec<T>> {
    let mut all = vec(count)?;
    for k in 0..count {
        tick()?;
        all.push(f(k)?);
    }
    Ok(all)
}

/// All that an iterator gives: as many as it says, or as memory is left for.
pub fn collected<I: IntoIterator>(elements: I) -> Outcome<Vec<I::Item>> {
    /// Each may take long.
    const BLOCK: usize = 64;
    let mut elements = elements.into_iter();
    let mut all = vec(elements.size_hint().0)?;
    loop {
        tick()?;
        let before = all.len();
        all.extend(elements.by_ref().take(BLOCK));
        if all.len() < before + BLOCK {
            return Ok(all);
        }
    }
}

fn out_of_memory(wanted: usize, held: usize) -> Box<Complaint> {
    /// Less is not worth naming.
    const SMALL: usize = 1 << 10;
    let used = match held > memory_limit() {
        true => format!("{} in use, over the limit of {}", size(held), size(memory_limit())),
        false => format!("{} of {} already used", size(held), size(memory_limit())),
    };
    let mut told = Complaint::new(
        Kind::OutOfMemory,
        match wanted {
            0..SMALL => format!("out of memory: {used}"),
            _ => format!("this needs {}; {used}", size(wanted)),
        },
    );
    told.hint = more(held.saturating_add(wanted));
    told
}

/// The way to a limit with room for `bytes`, where machines have so much.
fn more(bytes: usize) -> Option<String> {
    const MOST: usize = 512;
    let wanted = (bytes >> 30) + 1;
    let room = wanted.max((memory_limit() >> 30) + 1).next_power_of_two();
    (room <= MOST)
        .then(|| format!("raise the limit with --memory {room}GiB or :set memory {room}GiB"))
}

/// `1.5 GiB`, `17 bytes`.
pub fn size(bytes: usize) -> String {
    const UNITS: [&str; 6] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];
    if bytes == 1 {
        return "1 byte".to_owned();
    }
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

thread_local! {
    static REFUSED: RefCell<Option<Box<Complaint>>> = const { RefCell::new(None) };
}

/// A derivative could not be computed for want of memory or time; the sweep stops at its next step.
pub fn refuse(complaint: Box<Complaint>) {
    REFUSED.with(|r| {
        r.borrow_mut().get_or_insert(complaint);
    });
}

/// What was refused belongs to something earlier, and nobody will ask any more.
pub fn forget_refusal() {
    REFUSED.take();
}

/// The refusal that happened since last asked, as an error.
pub fn refused() -> Outcome<()> {
    match REFUSED.take() {
        Some(c) => Err(c),
        None => tick(),
    }
}
