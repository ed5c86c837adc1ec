//! A session file played in a shell, and how it looks while it plays.

pub mod cells;
pub(crate) mod marking;
pub mod notebook;
pub(crate) mod player;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod step_mode;
