//! Shared memory that is taken before what shall stand in it is made. Made first, a value would wait on the
//! stack for the allocator, which may fail, and be copied afterwards; so its parts are written once,
//! from registers, where they stay.

use std::mem::MaybeUninit;
use std::rc::Rc;

pub(super) struct Room<T>(Rc<MaybeUninit<T>>);

impl<T> Room<T> {
    #[inline(always)]
    pub fn new() -> Room<T> {
        Room(Rc::new_uninit())
    }

    #[inline(always)]
    pub fn fill(self, value: T) -> Rc<T> {
        // SAFETY: nobody else has this memory, which is for a T and holds one from here on.
        unsafe {
            Rc::as_ptr(&self.0).cast_mut().cast::<T>().write(value);
            self.0.assume_init()
        }
    }
}
