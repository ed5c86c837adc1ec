//! Large blocks of memory that were freed, kept for the next of the same size: pages fresh from the
//! system cost more than most arithmetic on them. The allocator asks here; see [`crate::budget`].

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};

/// Smaller blocks are the system allocator's own affair.
const FROM: usize = 32 << 10;

/// Kept at most, in bytes and in blocks: what a step of training frees.
const MOST: usize = 256 << 20;
const BLOCKS: usize = 256;

#[derive(Clone, Copy)]
struct Block {
    start: *mut u8,
    layout: Layout,
}

/// Filled from the front, the oldest first.
#[derive(Clone, Copy)]
struct Kept {
    blocks: [Option<Block>; BLOCKS],
    count: usize,
    bytes: usize,
}

const NOTHING: Kept = Kept { blocks: [None; BLOCKS], count: 0, bytes: 0 };

thread_local! {
    // Without destructors: the allocator may be called when a thread ends.
    static KEPT: RefCell<Kept> = const { RefCell::new(NOTHING) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
    static KEEPS: Cell<bool> = const { Cell::new(false) };
    static LAST: Guard = const { Guard };
}

/// Gives back what is kept when its thread ends.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        KEEPS.set(false);
        release();
    }
}

/// From now on this thread keeps what it frees.
pub fn start(bytes: usize) {
    if bytes >= FROM && !KEEPS.get() {
        LAST.with(|_| KEEPS.set(true));
    }
}

/// Bytes kept, which no value holds.
#[inline]
pub fn bytes() -> usize {
    BYTES.get()
}

/// Gives everything back to the system.
pub fn release() {
    let all = KEPT.replace(NOTHING);
    BYTES.set(0);
    for block in all.blocks.into_iter().flatten() {
        free(block);
    }
}

fn free(block: Block) {
    // SAFETY: [`give`] got it from the system allocator with this layout.
    unsafe { System.dealloc(block.start, block.layout) };
}

impl Kept {
    fn remove(&mut self, at: usize) -> Option<Block> {
        let block = self.blocks[at].take()?;
        self.blocks[at..self.count].rotate_left(1);
        self.count -= 1;
        self.bytes -= block.layout.size();
        Some(block)
    }
}

/// A kept block of this layout, the one freed last.
pub fn take(layout: Layout) -> Option<*mut u8> {
    if layout.size() < FROM || !KEEPS.get() {
        return None;
    }
    KEPT.with_borrow_mut(|kept| {
        let fits = |b: &Option<Block>| b.is_some_and(|b| b.layout == layout);
        let at = kept.blocks[..kept.count].iter().rposition(fits)?;
        let block = kept.remove(at)?;
        BYTES.set(kept.bytes);
        Some(block.start)
    })
}

/// Keeps a block that is no longer used; false: it is the caller's to free.
///
/// # Safety
/// The system allocator made it with this layout, and nobody uses it.
pub unsafe fn give(start: *mut u8, layout: Layout) -> bool {
    if layout.size() < FROM || layout.size() > MOST / 4 || !KEEPS.get() {
        return false;
    }
    KEPT.with_borrow_mut(|kept| {
        while kept.count == BLOCKS || kept.bytes + layout.size() > MOST {
            match kept.remove(0) {
                Some(oldest) => free(oldest),
                None => return false,
            }
        }
        kept.blocks[kept.count] = Some(Block { start, layout });
        kept.count += 1;
        kept.bytes += layout.size();
        BYTES.set(kept.bytes);
        true
    })
}
