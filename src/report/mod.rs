//! Events to what a person sees: blocks without layout, then text for a terminal, or JSON.
//! Depends on `eval` (events only), `maths` and `text`.

pub mod build;
pub mod document;
pub mod json;
pub mod roles;
pub mod style;

pub use build::{Reporter, Sink, Stream};
pub use style::Style;
