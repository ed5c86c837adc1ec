//! A wish to stop at a given moment, for what may take only so long. Loops look at that wish far more
//! often than at the clock.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The clock of one thread, watched by another.
#[derive(Default)]
struct Clock {
    rings_at: Mutex<Option<Instant>>,
    changed: Condvar,
    rings: AtomicBool,
}

thread_local! {
    static CLOCK: Cell<Option<&'static Clock>> = const { Cell::new(None) };
}

impl Clock {
    fn lock(&self) -> MutexGuard<'_, Option<Instant>> {
        self.rings_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self) {
        let mut at = self.lock();
        loop {
            at = match *at {
                None => {
                    let woken = self.changed.wait(at);
                    woken.unwrap_or_else(PoisonError::into_inner)
                }
                Some(end) => match end.checked_duration_since(Instant::now()) {
                    Some(left) if !left.is_zero() => {
                        let woken = self.changed.wait_timeout(at, left);
                        woken.unwrap_or_else(PoisonError::into_inner).0
                    }
                    _ => {
                        self.rings.store(true, Ordering::Relaxed);
                        *at = None;
                        at
                    }
                },
            };
        }
    }
}

/// Whether this thread's alarm rings.
#[inline]
pub fn rings() -> bool {
    CLOCK.get().is_some_and(|c| c.rings.load(Ordering::Relaxed))
}

/// While it lives, this thread is asked to stop from a moment on.
pub struct Alarm(Option<&'static Clock>);

impl Alarm {
    /// None rings where no thread can be had to watch.
    pub fn at(end: Instant) -> Alarm {
        let clock = CLOCK.get().or_else(|| {
            let clock: &'static Clock = Box::leak(Box::default());
            let watch = std::thread::Builder::new().name("clock".into());
            watch.spawn(|| clock.watch()).ok()?;
            CLOCK.set(Some(clock));
            Some(clock)
        });
        if let Some(clock) = clock {
            *clock.lock() = Some(end);
            clock.changed.notify_one();
        }
        Alarm(clock)
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        if let Some(clock) = self.0 {
            let mut at = clock.lock();
            *at = None;
            clock.rings.store(false, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::budget;
    use super::*;
    use std::time::Duration;

    #[test]
    fn it_rings_once_its_time_has_come_and_not_after_it_is_gone() {
        for _ in 0..2 {
            let alarm = Alarm::at(Instant::now() + Duration::from_millis(20));
            assert!(!rings());
            while !rings() {
                std::thread::yield_now();
            }
            assert!(budget::check().is_err());
            drop(alarm);
            assert!(budget::check().is_ok());
        }
        drop(Alarm::at(Instant::now() + Duration::from_secs(3600)));
        assert!(!rings());
    }
}
