//! Memory as the system has it, by pages: had for the asking, given back, counted.

use rustix::fs::{Mode, OFlags, open};
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};
use std::cell::Cell;
use std::ptr::null_mut;

const PAGE: usize = 4 << 10;

/// So many addresses that nothing else will use; memory is taken when they are first written to. Null
/// where there are none.
pub fn reserved(bytes: usize) -> *mut u8 {
    let access = ProtFlags::READ | ProtFlags::WRITE;
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    // SAFETY: new addresses, which nothing refers to.
    unsafe { mmap_anonymous(null_mut(), bytes, access, flags) }.map_or(null_mut(), <*mut _>::cast)
}

/// Gives [`reserved`] addresses back.
///
/// # Safety
/// Nobody uses them.
pub unsafe fn free(start: *mut u8, bytes: usize) {
    // SAFETY: the caller's promise.
    let _ = unsafe { munmap(start.cast(), bytes) };
}

/// [`reserved`] addresses, in another number; what is there is not copied. None where that cannot be.
///
/// # Safety
/// As of `realloc`.
pub unsafe fn moved(start: *mut u8, from: usize, to: usize) -> Option<*mut u8> {
    #[cfg(target_os = "linux")]
    {
        let may = rustix::mm::MremapFlags::MAYMOVE;
        // SAFETY: the caller's promise.
        unsafe { rustix::mm::mremap(start.cast(), from, to, may) }.ok().map(<*mut _>::cast)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (start, from, to);
        None
    }
}

/// Gives memory back and keeps the addresses: the whole pages among these bytes.
///
/// # Safety
/// Nobody uses what is there.
pub unsafe fn give_back(start: *mut u8, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        let skipped = start.addr().next_multiple_of(PAGE) - start.addr();
        let whole = bytes.saturating_sub(skipped) / PAGE * PAGE;
        if whole > 0 {
            let first = start.wrapping_add(skipped).cast();
            // SAFETY: the caller's promise.
            let _ = unsafe { madvise(first, whole, Advice::LinuxDontNeed) };
        }
    }
}

/// These addresses should have large pages where available.
pub fn in_large(start: *mut u8, bytes: usize) {
    #[cfg(target_os = "linux")]
    // SAFETY: what is there stays; without larger pages all works as well.
    let _ = unsafe { madvise(start.cast(), bytes, Advice::LinuxHugepage) };
}

/// Asks the system's allocator to give back what it keeps.
pub fn trim() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> i32;
        }
        // SAFETY: it may be called at any time.
        unsafe { malloc_trim(0) };
    }
}

/// Bytes of memory that this process holds, files apart, where the system says so.
pub fn resident() -> Option<usize> {
    let file = open(c"/proc/self/statm", OFlags::RDONLY, Mode::empty()).ok()?;
    let mut text = [0; 128];
    let length = rustix::io::read(file, &mut text).ok()?;
    let mut pages = str::from_utf8(text.get(..length)?).ok()?.split(' ');
    let mut next = || pages.next()?.parse::<usize>().ok();
    let (_, resident, shared) = (next()?, next()?, next()?);
    Some(resident.saturating_sub(shared) * PAGE)
}

/// Many bits, in memory of their own.
pub struct Bits {
    words: *mut u64,
    count: usize,
}

impl Bits {
    /// None of them set.
    pub fn new(bits: usize) -> Option<Bits> {
        let count = bits.div_ceil(64);
        if count == 0 {
            return None;
        }
        let words: *mut u64 = reserved(count * 8).cast();
        (!words.is_null()).then_some(Bits { words, count })
    }

    fn words(&self) -> &[Cell<u64>] {
        // SAFETY: so many are there, zero until written to, and nobody else has them.
        unsafe { std::slice::from_raw_parts(self.words.cast(), self.count) }
    }

    pub fn get(&self, at: usize) -> bool {
        self.words()[at / 64].get() >> (at % 64) & 1 != 0
    }

    /// Sets so many bits, or clears them.
    pub fn set(&self, from: usize, count: usize, to: bool) {
        for at in from..from + count {
            let word = &self.words()[at / 64];
            let bit = 1 << (at % 64);
            word.set(if to { word.get() | bit } else { word.get() & !bit });
        }
    }

    /// Where bits are set without a gap, and how many.
    pub fn runs(&self, mut each: impl FnMut(usize, usize)) {
        let (mut at, end) = (0, self.count * 64);
        while at < end {
            match self.words()[at / 64].get() >> (at % 64) {
                0 => at = (at / 64 + 1) * 64,
                word if word & 1 == 0 => at += word.trailing_zeros() as usize,
                _ => {
                    let from = at;
                    while at < end && self.get(at) {
                        let full = at % 64 == 0 && self.words()[at / 64].get() == u64::MAX;
                        at += if full { 64 } else { 1 };
                    }
                    each(from, at - from);
                }
            }
        }
    }
}

impl Drop for Bits {
    fn drop(&mut self) {
        // SAFETY: nobody else has it.
        unsafe { free(self.words.cast(), self.count * 8) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_bits_are_found() {
        let bits = Bits::new(1000).expect("some memory");
        for (from, count) in [(0, 3), (62, 5), (128, 64), (300, 200), (999, 1)] {
            bits.set(from, count, true);
        }
        bits.set(400, 1, false);
        let mut runs = Vec::new();
        bits.runs(|from, count| runs.push((from, count)));
        assert_eq!(runs, [(0, 3), (62, 5), (128, 64), (300, 100), (401, 99), (999, 1)]);
    }
}
