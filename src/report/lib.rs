//! Events to what a person sees: blocks without layout, then text for a terminal, or JSON.
//! Depends on `eval` (events only), `maths` and `text`.

pub mod answers;
pub mod document;
pub mod draw;
pub mod echo;
pub mod fault;
pub mod graph;
pub mod json;
pub mod matrix;
pub mod page;
pub mod panel;
pub mod plot;
pub mod terminal;

// Its main types, named without their place.
pub use crate::terminal::line::Line;
pub use crate::terminal::roles::Role;

pub use crate::panel::build::{Ink, Reporter, Sink, Stream};
pub use crate::terminal::painted::Painted;
pub use crate::terminal::style::{Medium, Style};
