//! What an evaluation leaves: events, statements carried out, snapshots, inputs to undo.

mod aside;
pub mod bindings;
pub mod drawn_graph;
pub mod echo;
pub mod event;
pub mod goal;
pub mod held;
pub mod network;
pub mod notes;
pub mod questions;
pub(crate) mod sink;
pub(crate) mod snapshot;
pub mod source_lookup;
pub mod statements;
pub mod stepped;
pub mod symbolic;
pub mod undo;
pub mod watch_places;
pub mod watched_values;
