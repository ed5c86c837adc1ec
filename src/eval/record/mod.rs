//! What an evaluation leaves: events, history, snapshots.

pub mod bindings;
pub(crate) mod echo;
pub mod event;
pub mod history;
pub(crate) mod sink;
pub(crate) mod snapshot;
pub mod source_lookup;
pub mod watch;
