//! Command line, prompt and commands. The top layer: may use everything below.

pub mod cli;
pub mod commands;
pub mod fault;
pub mod help;
pub mod keys;
mod meant;
pub mod panic;
pub mod prompt;
pub mod screen;
#[allow(clippy::module_inception)]
pub mod shell;
mod stage;
pub mod view;
