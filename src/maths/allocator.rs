//! The allocator. It counts what each thread holds, and it serves small pieces of memory (nodes, variables,
//! short arrays) from lists of free ones: a program makes and drops them by the million, and what was
//! dropped last is still near the processor.
//!
//! The lists belong to the one thread that works, which says so by [`settle`]; other threads, pieces that
//! are large, and whatever does not fit go to the system's allocator. Which of the two a piece came from
//! is told by its address.

use super::kept;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Sizes are rounded up to multiples of this, which is also the greatest alignment served.
const STEP: usize = 16;
/// The largest small piece.
const LARGEST: usize = 512;
/// Addresses set aside for small pieces. Memory is taken when they are first written to.
const SPACE: usize = 16 << 30;
/// What a short session needs comes in small pages; beyond, larger ones save time.
const SMALL_PAGES: usize = 2 << 20;

/// Where the set aside addresses begin; until then, where no memory is.
static START: AtomicUsize = AtomicUsize::new(1 << (usize::BITS - 1));

struct Lists {
    in_use: Cell<isize>,
    /// Of each size, the piece freed last; it holds the address of the one before.
    free: [Cell<*mut u8>; LARGEST / STEP],
    /// The part of the set aside addresses that was never used.
    fresh: Cell<*mut u8>,
    left: Cell<usize>,
}

thread_local! {
    // Without a destructor, so that it can be asked until a thread's very end.
    static LISTS: Lists = const {
        Lists {
            in_use: Cell::new(0),
            free: [const { Cell::new(null_mut()) }; LARGEST / STEP],
            fresh: Cell::new(null_mut()),
            left: Cell::new(0),
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

impl Lists {
    #[inline]
    fn count(&self, bytes: isize) {
        self.in_use.set(self.in_use.get() + bytes);
    }

    /// A piece that was never used; null where none is left.
    #[inline]
    fn carve(&self, list: usize) -> *mut u8 {
        let size = (list + 1) * STEP;
        let piece = self.fresh.get();
        if self.left.get() < size {
            return null_mut();
        }
        self.left.set(self.left.get() - size);
        self.fresh.set(piece.wrapping_add(size));
        piece
    }
}

// SAFETY: a piece comes either from the system's allocator, to which every call with it is handed on, or
// from the addresses set aside in `settle`, which nobody else uses. Of those each is carved once, in the
// size and alignment of its list, and handed out again only after it was freed, to the same list, for
// the layout says which that is. Lists are the thread's own.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LISTS.with(|lists| {
            lists.count(layout.size() as isize);
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
            kept::take(layout).unwrap_or_else(|| unsafe { System.alloc(layout) })
        })
    }

    #[inline]
    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        LISTS.with(|lists| {
            lists.count(-(layout.size() as isize));
            match list(layout) {
                Some(k) if set_aside(piece) => {
                    unsafe { piece.cast::<*mut u8>().write(lists.free[k].get()) };
                    lists.free[k].set(piece);
                }
                _ if unsafe { kept::give(piece, layout) } => {}
                _ => unsafe { System.dealloc(piece, layout) },
            }
        });
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if list(layout).is_none() {
            LISTS.with(|lists| lists.count(layout.size() as isize));
            let Some(block) = kept::take(layout) else {
                return unsafe { System.alloc_zeroed(layout) };
            };
            unsafe { block.write_bytes(0, layout.size()) };
            return block;
        }
        let piece = unsafe { self.alloc(layout) };
        if !piece.is_null() {
            unsafe { piece.write_bytes(0, layout.size()) };
        }
        piece
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !set_aside(piece) {
            LISTS.with(|lists| lists.count(size as isize - layout.size() as isize));
            return unsafe { System.realloc(piece, layout, size) };
        }
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
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
    LISTS.with(|lists| lists.in_use.get().max(0) as usize)
}

/// Says that this is the thread that works: small pieces come from lists from now on. Only the first
/// thread to say so has them, and none where addresses are scarce.
pub fn settle() {
    static SETTLED: AtomicBool = AtomicBool::new(false);
    if SETTLED.swap(true, Ordering::Relaxed) {
        return;
    }
    let Some(start) = addresses() else {
        return;
    };
    START.store(start.addr(), Ordering::Relaxed);
    LISTS.with(|lists| {
        lists.fresh.set(start);
        lists.left.set(SPACE);
    });
}

/// [`SPACE`] addresses that nothing else will use.
#[cfg(target_pointer_width = "64")]
fn addresses() -> Option<*mut u8> {
    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous};
    let access = ProtFlags::READ | ProtFlags::WRITE;
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    // SAFETY: new addresses, which nothing refers to.
    let start = unsafe { mmap_anonymous(null_mut(), SPACE, access, flags) }.ok()?;
    let start = start.cast::<u8>();
    #[cfg(target_os = "linux")]
    {
        let later = start.wrapping_add(SMALL_PAGES).cast();
        // SAFETY: inside what was just got; without larger pages all works as well.
        let _ = unsafe { madvise(later, SPACE - SMALL_PAGES, Advice::LinuxHugepage) };
    }
    Some(start)
}

#[cfg(not(target_pointer_width = "64"))]
fn addresses() -> Option<*mut u8> {
    None
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
