//! Ctrl-C: stops an evaluation; ends the process where nothing handles it.

use rustix::process::Signal;
use rustix::termios::{self, OptionalActions, Termios};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
use signal_hook::low_level;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use vjp_tensor::budget::{self, Limits};

/// A program is being evaluated and will see the flag.
static EVALUATING: AtomicBool = AtomicBool::new(false);
/// A prompt waits: Ctrl-C never ends the program.
static AT_PROMPT: AtomicBool = AtomicBool::new(false);
/// Signals since this evaluation began.
static HITS: AtomicU8 = AtomicU8::new(0);

/// The modes of the terminal before anything changed them.
static MODES: OnceLock<Termios> = OnceLock::new();

/// Whoever ends this process by a signal finds the terminal as it was: keys come by lines and are shown,
/// pastes are not bracketed, colours are off.
fn keep_terminal_sane() {
    let Ok(modes) = termios::tcgetattr(rustix::stdio::stdin()) else {
        return;
    };
    if MODES.set(modes).is_err() {
        return;
    }
    for signal in [SIGTERM, SIGHUP, SIGQUIT] {
        let action = move || {
            let stdin = rustix::stdio::stdin();
            if let (Some(modes), Ok(now)) = (MODES.get(), termios::tcgetattr(stdin))
                && now.local_modes != modes.local_modes
            {
                let _ = termios::tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, modes);
                let plain = b"\x1b[?2004l\x1b[0m\r\n";
                let _ = rustix::io::write(rustix::stdio::stdout(), plain);
            }
            let _ = low_level::emulate_default_handler(signal);
        };
        // SAFETY: the action reads what was set before and makes two system calls and one
        // async-signal-safe call.
        let _ = unsafe { low_level::register(signal, action) };
    }
}

/// Listens from now on. `prompt`: a person sits there, whom Ctrl-C must never throw out;
/// otherwise a second one ends the process, and so does the first between evaluations.
pub fn listen(prompt: bool) {
    keep_terminal_sane();
    AT_PROMPT.store(prompt, Ordering::Relaxed);
    let action = || {
        let again = HITS.fetch_add(1, Ordering::Relaxed) > 0;
        let heard = EVALUATING.load(Ordering::Relaxed);
        if !AT_PROMPT.load(Ordering::Relaxed) && (again || !heard) {
            let _ = low_level::emulate_default_handler(SIGINT);
        }
        if heard {
            budget::interrupt();
        }
    };
    // A limit on file sizes should fail the write, not end the process.
    // SAFETY: the action does nothing.
    let _ = unsafe { low_level::register(SIGXFSZ, || ()) };
    // SAFETY: the action only touches atomics and an async-signal-safe function.
    let _ = unsafe { low_level::register(SIGINT, action) };
}

/// So long a stop may take to reach every thread.
const STOPPING: Duration = Duration::from_millis(100);

/// Ctrl-Z at the prompt: this process and those started with it stop, with the terminal as it was
/// at the start; gone on with, keys come one by one again, and what was typed has `rows` free rows
/// above the cursor to be drawn in.
pub fn suspend(rows: usize) {
    let stdin = rustix::stdio::stdin();
    let (Some(modes), Ok(now)) = (MODES.get(), termios::tcgetattr(stdin)) else {
        return;
    };
    let continued = Arc::new(AtomicBool::new(false));
    let Ok(heard) = signal_hook::flag::register(SIGCONT, Arc::clone(&continued)) else {
        return;
    };
    let say = |text: &str| {
        let _ = rustix::io::write(rustix::stdio::stdout(), text.as_bytes());
    };
    say("\x1b[?2004l");
    let _ = termios::tcsetattr(stdin, OptionalActions::Drain, modes);
    // The signal goes to the process: its threads stop a moment later.
    if rustix::process::kill_current_process_group(Signal::TSTP).is_ok() {
        let begun = Instant::now();
        while !continued.load(Ordering::Relaxed) && begun.elapsed() < STOPPING {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    low_level::unregister(heard);
    let _ = termios::tcsetattr(stdin, OptionalActions::Drain, &now);
    say(&format!("\x1b[?2004h{}", "\r\n".repeat(rows)));
}

/// Whether Ctrl-C was pressed in the last evaluation.
pub fn heard() -> bool {
    HITS.load(Ordering::Relaxed) > 0
}

/// While it lives, Ctrl-C and a time limit ask the evaluation to stop.
pub struct Evaluating {
    limits: Option<Limits>,
}

impl Evaluating {
    pub fn begin(time: Option<Duration>) -> Evaluating {
        HITS.store(0, Ordering::Relaxed);
        budget::stopped();
        EVALUATING.store(true, Ordering::Relaxed);
        Evaluating { limits: Some(Limits::time(time)) }
    }
}

impl Drop for Evaluating {
    fn drop(&mut self) {
        EVALUATING.store(false, Ordering::Relaxed);
        self.limits = None;
        budget::stopped();
    }
}
