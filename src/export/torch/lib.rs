//! A session run once, and as a program for PyTorch: its text is changed where the languages differ, and
//! the changed program is run beside it. May use everything below the shell; knows no command line.
//! Begin with `session_run`, then `writer`.

pub mod edits;
mod format;
pub mod literal;
mod names;
pub mod page;
pub mod session_run;
pub mod verify;
pub mod writer;

pub use format::Refusal;
pub use format::{Format, is_exported};
