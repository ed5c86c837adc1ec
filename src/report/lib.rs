//! Events to what a person sees: blocks without layout, then text for a terminal, or JSON.
//! Depends on `eval` (events only), `maths` and `text`.

pub mod band;
pub mod below;
pub mod beside;
pub mod block;
pub mod build;
pub mod calls;
pub mod document;
pub mod draw;
pub mod echo;
pub mod fault;
pub mod followed;
pub mod formula;
pub mod grid;
pub mod json;
mod json_answers;
pub mod kinks;
pub mod latex;
pub mod line;
pub mod listing;
pub mod matrices;
pub mod matrix;
pub mod names;
pub mod painted;
pub mod panel;
pub mod phrase;
pub mod plot;
pub mod roles;
pub mod routes;
pub mod snippet;
pub mod style;
pub mod terminal;
pub mod theme;
pub mod what_if;
pub mod worked;

pub use build::{Ink, Reporter, Sink, Stream};
pub use painted::Painted;
pub use style::Style;
