//! Text without meaning: sources and spans, logical lines, names, numbers as text, format specs.
//! Depends on nothing else in the crate.

pub mod names;
pub mod source;
