//! What tests of the language share. Nothing here knows the parser.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

pub mod corpus;
pub mod earley;
pub mod ebnf;
pub mod generate;
pub mod lexer;
pub mod random;
