//! Events to what a person sees: blocks without layout, then text for a terminal, or JSON.
//! Depends on `eval` (events only), `maths` and `text`.

pub mod build;
pub mod digits;
pub mod document;
pub mod formula;
pub mod grid;
pub mod json;
pub mod line;
pub mod names;
pub mod phrase;
pub mod roles;
pub mod style;
pub mod terminal;

pub use build::{Reporter, Sink, Stream};
pub use style::Style;
