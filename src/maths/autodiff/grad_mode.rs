//! Whether operations are recorded: `torch.no_grad()` and its like.

use std::cell::Cell;

thread_local! {
    static ENABLED: Cell<bool> = const { Cell::new(true) };
}

/// Whether operations are recorded: never inside `torch.inference_mode()`.
pub fn is_grad_enabled() -> bool {
    ENABLED.with(Cell::get) && !is_inferring()
}

/// `torch.is_grad_enabled()`.
pub fn asks_for_grad() -> bool {
    ENABLED.with(Cell::get)
}

/// Switches recording on or off and gives what it was before.
pub fn set_grad_enabled(enabled: bool) -> bool {
    ENABLED.with(|e| e.replace(enabled))
}

/// Runs `body` with recording on or off, and puts it back.
pub fn with_grad<T>(enabled: bool, body: impl FnOnce() -> T) -> T {
    let before = set_grad_enabled(enabled);
    let out = body();
    set_grad_enabled(before);
    out
}

thread_local! {
    /// Whether NaN counts as one; None: they are not looked for.
    static ANOMALIES: Cell<Option<bool>> = const { Cell::new(None) };
    static INFERRING: Cell<bool> = const { Cell::new(false) };
}

/// Whether `torch.autograd.detect_anomaly` is on.
pub fn detects_anomalies() -> bool {
    ANOMALIES.get().is_some()
}

/// Whether a sweep stops where a gradient is not a number.
pub fn stops_at_nan() -> bool {
    ANOMALIES.get().unwrap_or(false)
}

/// Whether that would be so if anomalies were looked for: `check_nan` as it was given last.
pub fn checks_nan() -> bool {
    ANOMALIES.get().unwrap_or(true)
}

/// Switches the looking for anomalies on, with or without NaN, or off, and gives what it was before.
pub fn set_detect_anomalies(on: Option<bool>) -> Option<bool> {
    ANOMALIES.replace(on)
}

/// Whether inside `torch.inference_mode()`.
pub fn is_inferring() -> bool {
    INFERRING.with(Cell::get)
}

/// Whether operations are recorded, and whether inside `torch.inference_mode()`.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    enabled: bool,
    /// None: as it is.
    inferring: Option<bool>,
}

impl Mode {
    /// Recording on or off.
    pub fn grad(enabled: bool) -> Mode {
        Mode { enabled, inferring: None }
    }

    /// `torch.inference_mode(on)`.
    pub fn inference(on: bool) -> Mode {
        Mode { enabled: !on, inferring: Some(on) }
    }

    /// Begins, and gives what was before.
    pub fn set(self) -> Mode {
        Mode {
            enabled: set_grad_enabled(self.enabled),
            inferring: self.inferring.map(|on| INFERRING.with(|i| i.replace(on))),
        }
    }
}

thread_local! {
    static TRANSFORMING: Cell<bool> = const { Cell::new(false) };
}

/// Runs what a transform of `torch.func` runs.
pub fn transforming<T>(run: impl FnOnce() -> T) -> T {
    let before = TRANSFORMING.replace(true);
    let result = run();
    TRANSFORMING.set(before);
    result
}

/// Whether a transform of `torch.func` runs.
pub fn is_transforming() -> bool {
    TRANSFORMING.get()
}
