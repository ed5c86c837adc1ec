//! What a person asks about what happened: why, explain, what if, check.

pub(crate) mod broken_path;
pub mod check;
pub(crate) mod error_labels;
pub(crate) mod explain;
pub(crate) mod explain_entry;
pub(crate) mod fixes;
pub(crate) mod graph;
pub(crate) mod misspelled;
pub(crate) mod notes;
pub(crate) mod other_v;
pub(crate) mod path_cutters;
pub mod preview;
pub mod questions;
pub(crate) mod refused_sweep;
pub(crate) mod shape_labels;
pub mod student_mistakes;
pub mod unreached;
pub(crate) mod what_if;
pub(crate) mod why;
