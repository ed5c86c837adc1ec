//! Memory in a page: it only grows, and nobody says how much of it is in use.

use std::alloc::{GlobalAlloc, Layout, System};

/// A layout for so many bytes, aligned for numbers of all kinds.
fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, 16).unwrap_or(Layout::new::<u128>())
}

/// So many bytes, all zero; null where there are none.
pub fn reserved(bytes: usize) -> *mut u8 {
    match bytes > isize::MAX as usize {
        true => std::ptr::null_mut(),
        // SAFETY: the layout is not empty.
        false => unsafe { System.alloc_zeroed(layout(bytes.max(1))) },
    }
}

/// Gives [`reserved`] bytes back.
///
/// # Safety
/// Nobody uses them.
pub unsafe fn free(start: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe { System.dealloc(start, layout(bytes.max(1))) };
}

/// [`reserved`] bytes, in another number.
///
/// # Safety
/// As of `realloc`.
pub unsafe fn moved(start: *mut u8, from: usize, to: usize) -> Option<*mut u8> {
    if to > isize::MAX as usize {
        return None;
    }
    // SAFETY: the caller's promise.
    let moved = unsafe { System.realloc(start, layout(from), to) };
    (!moved.is_null()).then_some(moved)
}

/// What was taken stays taken.
///
/// # Safety
/// Nobody uses what is there.
pub unsafe fn give_back(_start: *mut u8, _bytes: usize) {}

pub fn in_large(_start: *mut u8, _bytes: usize) {}

pub fn trim() {}

pub fn resident() -> Option<usize> {
    None
}

/// Stands for a map of the addresses that are set aside: in a page none are.
pub struct Bits;

impl Bits {
    pub fn new(_bits: usize) -> Option<Bits> {
        None
    }

    pub fn get(&self, _at: usize) -> bool {
        false
    }

    pub fn set(&self, _from: usize, _count: usize, _to: bool) {}

    pub fn runs(&self, _each: impl FnMut(usize, usize)) {}
}
