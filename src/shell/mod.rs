//! Command line, prompt and commands. The top layer: may use everything below.

pub mod asking;
mod assistant;
mod call_at;
pub mod checking;
mod checks;
pub mod cli;
pub mod command_table;
pub mod commands;
pub mod complete;
mod describe;
mod editing;
pub mod fault;
pub mod files;
pub mod help;
pub mod help_operation;
pub mod highlight;
pub mod hint;
pub mod history;
pub mod interrupt;
pub mod keys;
mod margin;
mod marking;
pub mod option_values;
pub mod options;
pub mod panic;
pub mod pipe;
pub mod repl;
pub mod screen;
pub mod settings;
#[allow(clippy::module_inception)]
pub mod shell;
pub mod state;
pub mod usage;
mod verdict;
pub mod view;
pub mod words;
