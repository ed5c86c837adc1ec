//! Where events go while a program runs.

use super::event::Event;
use std::cell::Cell;
use std::ptr::NonNull;

/// A handler whose borrow ends when [`Sink::within`] returns.
type Handler = NonNull<dyn FnMut(Event)>;

/// A borrowed event handler that deep evaluation can reach. Set for the time of one call of
/// [`Sink::within`] only.
#[derive(Default)]
pub struct Sink {
    current: Cell<Option<Handler>>,
}

struct Reset<'a>(&'a Cell<Option<Handler>>, Option<Handler>);

impl Drop for Reset<'_> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

impl Sink {
    /// Sends events of `body` to `handler`.
    pub fn within<R>(
        handler: &mut dyn FnMut(Event),
        sink: std::rc::Rc<Sink>,
        body: impl FnOnce() -> R,
    ) -> R {
        // SAFETY (of the lifetime): the pointer is taken back by `Reset` before `handler`'s borrow
        // ends, also when `body` unwinds.
        let pointer: NonNull<dyn FnMut(Event) + '_> = NonNull::from(handler);
        let pointer: Handler = unsafe { std::mem::transmute(pointer) };
        let _reset = Reset(&sink.current, sink.current.replace(Some(pointer)));
        body()
    }

    /// Hands an event over; without a handler it is lost.
    pub fn send(&self, event: Event) {
        // Taken while it runs, so that a handler cannot be entered twice.
        if let Some(mut pointer) = self.current.take() {
            let _reset = Reset(&self.current, Some(pointer));
            // SAFETY: set by `within`, whose borrow of the handler still lasts, and not aliased,
            // because the cell is empty while it runs.
            unsafe { pointer.as_mut()(event) };
        }
    }
}
