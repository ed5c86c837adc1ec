//! All tests of the whole program, a file a subject, in one binary: the program is linked once.
#![allow(clippy::unwrap_used, clippy::panic)]

/// Memory is counted by the allocator, as in the program.
#[global_allocator]
static ALLOCATOR: vjp::tensor::budget::Counting = vjp::tensor::budget::Counting;

mod asking;
mod blanks;
mod circles;
mod classroom;
mod cli;
mod clocks;
mod corpus;
mod editing;
mod equations;
mod errors;
mod exercises;
mod export;
mod families;
mod fire;
mod formats;
mod grammar;
mod graph;
mod home;
mod jupyter;
mod kernels;
mod language;
mod layers;
mod limits;
mod long_arrays;
mod nn;
mod notebooks;
mod orders;
mod page;
mod parser;
mod paste;
mod pointwise;
mod presenter;
mod previews;
mod programs;
mod pty;
mod readme;
mod replay;
mod rules;
mod screens;
mod sessions;
mod stepping;
mod structures;
mod support;
mod symbols;
mod syntax_errors;
mod textmate;
mod texts;
mod torch;
mod typing;
mod written_answers;
