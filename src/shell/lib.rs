//! Command line, prompt and commands. The top layer: may use everything below.

pub mod cli;
pub mod commands;
pub mod fault;
pub mod help;
pub mod interrupt;
pub mod keys;
mod mistaken_input;
pub mod panic;
pub mod prompt;
pub mod screen;
#[allow(clippy::module_inception)]
pub mod shell;
mod step_mode;
pub mod view;
