//! Command line, prompt and commands. The top layer: may use everything below.

pub mod cli;
