//! Text without meaning: sources and spans, logical lines, names, numbers as text, format specs.
//! Depends on no other layer.

pub mod board;
pub mod brackets_and_quotes;
pub mod did_you_mean;
pub mod digits;
pub mod foreign_spellings;
pub mod format_spec;
pub mod lines;
pub mod names;
pub mod number;
pub mod numbered;
pub mod paste;
pub mod percent;
pub mod scan_fault;
pub mod source;
pub mod tokens;
pub mod typeset;
pub mod visible;
pub mod words;

// Its main types, named without their place.
pub use crate::names::{QuickMap, Symbol};
pub use crate::source::{Source, Span};
pub use crate::tokens::TokenKind;
