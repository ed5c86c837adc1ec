//! What an evaluation leaves: events, statements carried out, snapshots, inputs to undo.

pub mod bindings;
pub(crate) mod echo;
pub mod event;
pub(crate) mod sink;
pub(crate) mod snapshot;
pub mod source_lookup;
pub mod statements;
pub(crate) mod undo;
pub mod watch;
