//! The allocator. It counts what each thread holds, and it serves small pieces of memory (nodes, variables,
//! short arrays) from lists of free ones: a program makes and drops them by the million, and what was
//! dropped last is still near the processor.
//!
//! The lists belong to the one thread that works, which says so by [`settle`]; other threads, pieces that
//! are large, and whatever does not fit go to the system's allocator. Which of the two a piece came from
//! is told by its address.
//!
//! What was not asked for before it was taken is seen here: beyond the limit the thread is asked to stop.

use super::pages;
use crate::budget::freed_blocks;
use crate::{budget, sparse};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Sizes are rounded up to multiples of this, which is also the greatest alignment served.
const STEP: usize = 16;
/// The largest small piece.
const LARGEST: usize = 512;
/// Addresses set aside for small pieces. Memory is taken when they are first written to. None where
/// addresses are scarce.
const SPACE: usize = if usize::BITS > 32 { 16 << 30 } else { 0 };
/// What a short session needs comes in small pages; beyond, larger ones save time.
const SMALL_PAGES: usize = 2 << 20;
/// Small pieces are cut off parts of this size.
const PART: usize = 1 << 20;
/// Free neighbours of this size together are given back to the system.
const SPAN: usize = 64 << 10;
/// So much more is taken between two looks at what the process holds.
const LOOK: usize = 4 << 20;
/// From this size on addresses are had for the asking, and memory when they are first written to.
const VAST: usize = (64 << 20) + 1;

/// Where the set aside addresses begin; until then, where no memory is.
static START: AtomicUsize = AtomicUsize::new(1 << (usize::BITS - 1));

struct Lists {
    /// Bytes held in small pieces, and in others.
    small: Cell<isize>,
    large: Cell<isize>,
    limit: Cell<usize>,
    /// Of each size, the piece freed last; it holds the address of the one before.
    free: [Cell<*mut u8>; LARGEST / STEP],
    /// Where the next piece is cut off, and how much is left there.
    fresh: Cell<*mut u8>,
    left: Cell<usize>,
    /// The part of the set aside addresses that was never used.
    unused: Cell<*mut u8>,
    /// Memory that was given back to the system.
    spans: Cell<*mut Span>,
    /// What was taken when the process was last looked at, and what it held when memory was last
    /// given back.
    looked: Cell<usize>,
    trimmed: Cell<usize>,
}

/// Free memory; this stands at its beginning.
struct Span {
    next: *mut Span,
    bytes: usize,
}

thread_local! {
    // Without a destructor, so that it can be asked until a thread's very end.
    static LISTS: Lists = const {
        Lists {
            small: Cell::new(0),
            large: Cell::new(0),
            limit: Cell::new(usize::MAX),
            free: [const { Cell::new(null_mut()) }; LARGEST / STEP],
            fresh: Cell::new(null_mut()),
            left: Cell::new(0),
            unused: Cell::new(null_mut()),
            spans: Cell::new(null_mut()),
            looked: Cell::new(0),
            trimmed: Cell::new(0),
        }
    };
}

/// Counts what the current thread holds, and serves small pieces.
pub struct Counting;

/// The list for pieces of this layout.
#[inline]
fn list(layout: Layout) -> Option<usize> {
    let small = layout.size().wrapping_sub(1) < LARGEST && layout.align() <= STEP;
    small.then(|| (layout.size() - 1) / STEP)
}

#[inline]
fn set_aside(piece: *mut u8) -> bool {
    piece.addr().wrapping_sub(START.load(Ordering::Relaxed)) < SPACE
}

fn add(to: &Cell<isize>, bytes: isize) {
    to.set(to.get() + bytes);
}

impl Lists {
    /// Of this layout so many bytes more, or fewer, are held.
    #[inline]
    fn count(&self, layout: Layout, bytes: isize) {
        add(if list(layout).is_some() { &self.small } else { &self.large }, bytes);
    }

    fn in_use(&self) -> usize {
        (self.small.get() + self.large.get()).max(0) as usize
    }

    /// A piece that was never used; null where none is left.
    #[inline]
    fn carve(&self, list: usize) -> *mut u8 {
        let size = (list + 1) * STEP;
        if self.left.get() < size && !self.more() {
            return null_mut();
        }
        let piece = self.fresh.get();
        self.left.set(self.left.get() - size);
        self.fresh.set(piece.wrapping_add(size));
        piece
    }

    #[inline]
    fn push(&self, list: usize, piece: *mut u8) {
        // SAFETY: the piece is free, and as long as its list says.
        unsafe { piece.cast::<*mut u8>().write(self.free[list].get()) };
        self.free[list].set(piece);
    }

    /// Another part to cut pieces off.
    #[cold]
    fn more(&self) -> bool {
        let unused = self.unused.get();
        if unused.is_null() {
            return false;
        }
        self.watch(0);
        let span = self.spans.get();
        let (start, bytes) = match span.is_null() {
            // SAFETY: a span stands where memory is free, and says where the next one is.
            false => unsafe {
                self.spans.set((*span).next);
                (span.cast(), (*span).bytes)
            },
            true if unused.addr() + PART > START.load(Ordering::Relaxed) + SPACE => return false,
            true => {
                self.unused.set(unused.wrapping_add(PART));
                (unused, PART)
            }
        };
        let (rest, left) = (self.fresh.get(), self.left.get());
        if rest.wrapping_add(left) == start {
            self.left.set(left + bytes);
            return true;
        }
        if left > 0 {
            self.push(left / STEP - 1, rest);
        }
        self.fresh.set(start);
        self.left.set(bytes);
        true
    }

    /// A large piece, or one for which there is no list.
    fn outside(&self, layout: Layout) -> *mut u8 {
        self.watch(layout.size());
        match freed_blocks::take(layout) {
            Some(block) => block,
            None if layout.size() >= VAST => pages::reserved(layout.size()),
            // SAFETY: the caller's layout.
            None => unsafe { System.alloc(layout) },
        }
    }

    /// Looks at what is held, now that `bytes` more are.
    #[inline]
    fn watch(&self, bytes: usize) {
        let small = self.unused.get().addr().saturating_sub(START.load(Ordering::Relaxed));
        let taken = small + self.large.get().max(0) as usize + freed_blocks::bytes();
        if taken > self.limit.get() / 2 {
            self.look(bytes, taken);
        }
    }

    /// Asks the thread to stop where more is in use than may be; where the process holds much more
    /// than is in use, gives memory back.
    #[cold]
    fn look(&self, bytes: usize, taken: usize) {
        let limit = self.limit.get();
        if self.in_use() + freed_blocks::bytes() > limit {
            sparse::release();
            freed_blocks::release();
            let held = self.in_use();
            if held > limit {
                budget::press(bytes, held.saturating_sub(bytes));
            }
        }
        self.looked.set(self.looked.get().min(taken));
        if taken < self.looked.get() + LOOK {
            return;
        }
        self.looked.set(taken);
        let held = pages::resident().unwrap_or(taken);
        if held > (limit + limit / 8).max(self.trimmed.get() + limit / 16) {
            self.trim();
            let held = pages::resident().unwrap_or(0);
            self.trimmed.set(held);
            if held > limit + limit / 5 + (32 << 20) {
                budget::press(bytes, held);
            }
        }
    }

    /// Gives the memory of free pieces back to the system where enough of them are neighbours.
    fn trim(&self) {
        freed_blocks::release();
        let (start, end) = (START.load(Ordering::Relaxed), self.unused.get().addr());
        let base = self.unused.get().wrapping_sub(end.saturating_sub(start));
        // A bit for each step from the start on: set where a free piece lies.
        let Some(map) = pages::Bits::new(end.saturating_sub(start) / STEP) else {
            return pages::trim();
        };
        let step = |piece: *mut u8| (piece.addr() - start) / STEP;
        let every = |list: usize, each: &mut dyn FnMut(*mut u8)| {
            let mut piece = self.free[list].replace(null_mut());
            while !piece.is_null() {
                // SAFETY: a free piece holds the address of the one before.
                let next = unsafe { piece.cast::<*mut u8>().read() };
                each(piece);
                piece = next;
            }
        };
        for (list, first) in self.free.iter().enumerate() {
            let kept = first.get();
            every(list, &mut |piece| map.set(step(piece), list + 1, true));
            first.set(kept);
        }
        map.runs(|from, count| map.set(from, if count < SPAN / STEP { count } else { 0 }, false));
        for list in 0..self.free.len() {
            let mut first = null_mut();
            every(list, &mut |piece| {
                if !map.get(step(piece)) {
                    // SAFETY: as in `push`.
                    unsafe { piece.cast::<*mut u8>().write(first) };
                    first = piece;
                }
            });
            self.free[list].set(first);
        }
        map.runs(|from, count| {
            let (piece, bytes) = (base.wrapping_add(from * STEP), count * STEP);
            let span = piece.cast::<Span>();
            // SAFETY: free pieces without gaps, on no list any longer.
            unsafe { span.write(Span { next: self.spans.get(), bytes }) };
            self.spans.set(span);
            let head = piece.wrapping_add(size_of::<Span>());
            // SAFETY: nobody uses this memory.
            unsafe { pages::give_back(head, bytes - size_of::<Span>()) };
        });
        pages::trim();
    }
}

// SAFETY: a piece comes either from the system, to which every call with it is handed on, or
// from the addresses set aside in `settle`, which nobody else uses. Of those each is carved once, in the
// size and alignment of its list, and handed out again only after it was freed, to the same list, for
// the layout says which that is; or, with its neighbours, after `trim` took them off their lists. Lists
// are the thread's own.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LISTS.with(|lists| {
            lists.count(layout, layout.size() as isize);
            if let Some(k) = list(layout) {
                let piece = lists.free[k].get();
                if !piece.is_null() {
                    lists.free[k].set(unsafe { piece.cast::<*mut u8>().read() });
                    return piece;
                }
                let piece = lists.carve(k);
                if !piece.is_null() {
                    return piece;
                }
            }
            lists.outside(layout)
        })
    }

    #[inline]
    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        LISTS.with(|lists| {
            lists.count(layout, -(layout.size() as isize));
            match list(layout) {
                Some(k) if set_aside(piece) => lists.push(k, piece),
                _ if unsafe { freed_blocks::give(piece, layout) } => {}
                _ if layout.size() >= VAST => unsafe { pages::free(piece, layout.size()) },
                _ => unsafe { System.dealloc(piece, layout) },
            }
        });
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if list(layout).is_none() {
            return LISTS.with(|lists| {
                lists.count(layout, layout.size() as isize);
                lists.watch(layout.size());
                match freed_blocks::take(layout) {
                    Some(block) => {
                        unsafe { block.write_bytes(0, layout.size()) };
                        block
                    }
                    None if layout.size() >= VAST => pages::reserved(layout.size()),
                    None => unsafe { System.alloc_zeroed(layout) },
                }
            });
        }
        let piece = unsafe { self.alloc(layout) };
        if !piece.is_null() {
            unsafe { piece.write_bytes(0, layout.size()) };
        }
        piece
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        if !set_aside(piece) && layout.size().max(size) < VAST {
            LISTS.with(|lists| {
                lists.count(layout, -(layout.size() as isize));
                lists.count(wanted, size as isize);
                lists.watch(size);
            });
            return unsafe { System.realloc(piece, layout, size) };
        }
        if layout.size().min(size) >= VAST
            && let Some(moved) = unsafe { pages::moved(piece, layout.size(), size) }
        {
            LISTS.with(|lists| {
                lists.count(layout, -(layout.size() as isize));
                lists.count(wanted, size as isize);
                lists.watch(size);
            });
            return moved;
        }
        let new = unsafe { self.alloc(wanted) };
        if !new.is_null() {
            unsafe {
                piece.copy_to_nonoverlapping(new, layout.size().min(size));
                self.dealloc(piece, layout);
            }
        }
        new
    }
}

/// Bytes held by this thread.
pub fn in_use() -> usize {
    LISTS.with(Lists::in_use)
}

/// From now on, who holds more than this is asked to stop; told by the thread that works.
pub fn set_limit(bytes: usize) {
    LISTS.with(|lists| {
        if !lists.unused.get().is_null() || SPACE == 0 {
            lists.limit.set(bytes);
            lists.trimmed.set(0);
        }
    });
}

/// Says that this is the thread that works: small pieces come from lists from now on. Only the first
/// thread to say so has them, and none where addresses are scarce.
pub fn settle() {
    static SETTLED: AtomicBool = AtomicBool::new(false);
    if SETTLED.swap(true, Ordering::Relaxed) || SPACE == 0 {
        return;
    }
    let start = pages::reserved(SPACE);
    if start.is_null() {
        return;
    }
    pages::in_large(start.wrapping_add(SMALL_PAGES), SPACE.saturating_sub(SMALL_PAGES));
    START.store(start.addr(), Ordering::Relaxed);
    LISTS.with(|lists| lists.unused.set(start));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_used_again_and_told_apart() {
        let layout = Layout::from_size_align(40, 8).expect("a layout");
        let large = Layout::from_size_align(4000, 8).expect("a layout");
        settle();
        // SAFETY: what was got is given back with its layout, once.
        unsafe {
            let a = Counting.alloc(layout);
            let b = Counting.alloc(layout);
            assert_ne!(a, b);
            assert_eq!(a.addr() % STEP, 0);
            a.write_bytes(7, 40);
            Counting.dealloc(b, layout);
            assert_eq!(Counting.alloc(layout), b);
            let grown = Counting.realloc(a, layout, 4000);
            assert!(!set_aside(grown));
            assert_eq!(grown.add(39).read(), 7);
            let shrunk = Counting.realloc(grown, large, 40);
            assert_eq!(shrunk.add(39).read(), 7);
            Counting.dealloc(shrunk, layout);
            Counting.dealloc(b, layout);
        }
    }
}
