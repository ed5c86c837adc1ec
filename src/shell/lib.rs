//! Command line, prompt and commands. The top layer: may use everything below.

pub mod cli;
pub mod commands;
pub mod fault;
pub mod help;
pub mod input;
pub mod interrupt;
pub mod keys;
mod mistaken_input;
pub mod panic;
pub mod prompt;
mod replay;
pub mod screen;
pub mod session_options;
#[allow(clippy::module_inception)]
pub mod shell;
mod step_view;
pub mod view;
