//! Command line, prompt and commands. The top layer: may use everything below.

#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
pub mod commands;
pub mod fault;
pub mod help;
pub mod input;
#[cfg_attr(target_arch = "wasm32", path = "in_a_page/interrupt.rs")]
pub mod interrupt;
#[cfg_attr(target_arch = "wasm32", path = "in_a_page/keys.rs")]
pub mod keys;
mod mistaken_input;
#[cfg_attr(target_arch = "wasm32", path = "in_a_page/outlet.rs")]
mod outlet;
pub mod panic;
pub mod prompt;
pub mod replay;
pub mod screen;
pub mod session_options;
#[allow(clippy::module_inception)]
pub mod shell;
#[cfg_attr(target_arch = "wasm32", path = "in_a_page/step_view.rs")]
mod step_view;
pub mod view;

// Its main types, named without their place.
pub use crate::fault::Problem;
pub use crate::shell::{Ended, Shell};
