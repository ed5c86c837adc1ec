//! A session file played in a shell, and how it looks while it plays.

pub(crate) mod marking;
pub(crate) mod player;
pub(crate) mod step_mode;
pub(crate) mod typing;
