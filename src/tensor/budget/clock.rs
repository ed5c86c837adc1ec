//! The clock. In a page the processor has none, and the page hands its own in.

#[cfg(not(target_arch = "wasm32"))]
pub use std::time::Instant;

#[cfg(target_arch = "wasm32")]
pub use in_a_page::Instant;

use std::time::Duration;

/// The time since 1970 began.
pub fn since_1970() -> Duration {
    #[cfg(not(target_arch = "wasm32"))]
    {
        let now = std::time::SystemTime::now();
        now.duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
    }
    #[cfg(target_arch = "wasm32")]
    {
        in_a_page::since_1970()
    }
}

/// Waits; in a page, where nobody else could go on meanwhile, it looks at the clock until then.
pub fn wait(time: Duration) {
    #[cfg(not(target_arch = "wasm32"))]
    std::thread::sleep(time);
    #[cfg(target_arch = "wasm32")]
    {
        let begun = Instant::now();
        while begun.elapsed() < time {
            std::hint::spin_loop();
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod in_a_page {
    use std::ops::Add;
    use std::time::Duration;

    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Milliseconds since 1970, with their fractions.
        safe fn now() -> f64;
    }

    pub fn since_1970() -> Duration {
        Duration::try_from_secs_f64(now() / 1e3).unwrap_or_default()
    }

    /// A moment, as [`std::time::Instant`] is one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        pub fn now() -> Instant {
            Instant(since_1970())
        }

        pub fn elapsed(&self) -> Duration {
            since_1970().saturating_sub(self.0)
        }

        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0.saturating_add(time))
        }
    }
}
