//! Session files: their contents, and how they are replayed, compared, rewritten and saved.
//! Knows inputs and outputs as text; who evaluates them is a [`replay::Player`].

mod arithmetic;
pub mod blanks;
#[cfg(test)]
mod blanks_tests;
mod case;
pub mod check;
pub mod diagnosis;
pub mod fill;
mod fit;
mod marks;
mod mistakes;
mod mixups;
pub mod presenter;
pub mod program;
pub mod reading;
pub mod replay;
pub mod save;
mod scene;
pub mod step;
pub mod transcript;
pub mod written;
