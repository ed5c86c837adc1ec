//! A moment from which on a thread is asked to stop. Loops look at that wish far more often than at the
//! clock, so another thread watches it.

use crate::budget::own_flag;
use crate::budget::stop::TIME;
use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

/// The clock of one thread, watched by another.
struct Clock {
    end: Mutex<Option<Instant>>,
    changed: Condvar,
    flag: &'static AtomicU8,
}

thread_local! {
    static CLOCK: Cell<Option<&'static Clock>> = const { Cell::new(None) };
    static END: Cell<Option<Instant>> = const { Cell::new(None) };
}

impl Clock {
    /// None where no thread can be had to watch.
    fn start() -> Option<&'static Clock> {
        let flag = own_flag();
        let clock: &'static Clock =
            Box::leak(Box::new(Clock { end: Mutex::default(), changed: Condvar::new(), flag }));
        let watch = std::thread::Builder::new().name("clock".into());
        watch.spawn(|| clock.watch()).ok()?;
        CLOCK.set(Some(clock));
        Some(clock)
    }

    fn set(&self, end: Option<Instant>) {
        let mut now = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        *now = end;
        self.flag.fetch_and(!TIME, Ordering::Relaxed);
        self.look(&mut now);
        drop(now);
        self.changed.notify_one();
    }

    /// Wishes to stop if the moment has come; the wish is uttered once.
    fn look(&self, end: &mut Option<Instant>) {
        if end.is_some_and(|end| end <= Instant::now()) {
            *end = None;
            self.flag.fetch_or(TIME, Ordering::Relaxed);
        }
    }

    fn watch(&self) {
        let mut end = self.end.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            self.look(&mut end);
            end = match *end {
                None => self.changed.wait(end).unwrap_or_else(PoisonError::into_inner),
                Some(moment) => {
                    let left = moment.saturating_duration_since(Instant::now());
                    let woken = self.changed.wait_timeout(end, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

/// The moment that was set last.
pub fn end() -> Option<Instant> {
    END.get()
}

/// From `end` on this thread is asked to stop.
pub fn set(end: Option<Instant>) {
    END.set(end);
    let clock = match end {
        None => CLOCK.get(),
        Some(_) => CLOCK.get().or_else(Clock::start),
    };
    if let Some(clock) = clock {
        clock.set(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{self, Limits};
    use std::time::Duration;

    #[test]
    fn it_rings_once_its_time_has_come_and_not_after_it_is_gone() {
        for _ in 0..2 {
            let limits = Limits::time(Some(Duration::from_millis(20)));
            assert!(!budget::stopping());
            while !budget::stopping() {
                std::thread::yield_now();
            }
            assert!(budget::tick().is_err());
            {
                let later = Instant::now() + Duration::from_secs(3600);
                let _more = Limits::new(Some(later), budget::memory_limit());
                assert!(budget::tick().is_ok());
            }
            assert!(budget::tick().is_err());
            drop(limits);
            assert!(budget::tick().is_ok());
        }
        assert_eq!(end(), None);
    }
}
