//! Session files: their contents, and how they are replayed, compared, rewritten and saved.
//! Knows inputs and outputs as text; who evaluates them is a [`replay::Player`].

pub mod compare;
#[cfg(test)]
mod compare_tests;
pub mod drawing;
pub mod marking;
pub mod notebook;
pub mod presenting;
pub mod program;
#[cfg_attr(target_arch = "wasm32", path = "in_a_page/reading.rs")]
pub mod reading;
pub mod replay;
#[cfg_attr(target_arch = "wasm32", path = "in_a_page/save.rs")]
pub mod save;
pub mod transcript;

// Its main types, named without their place.
pub use crate::replay::Player;
pub use crate::transcript::{Step, Transcript};
