//! What tests of the language share. Nothing here knows the parser.
#![allow(dead_code)]

pub mod corpus;
pub mod earley;
pub mod ebnf;
pub mod events;
pub mod generate;
pub mod lenient;
pub mod lexer;
pub mod random;
pub mod run;
pub mod screen_events;
pub mod sentences;
pub mod terminal;
