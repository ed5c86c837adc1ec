//! The rows of the table as programs call them.

mod calls;
mod entries;
mod glu;

pub use entries::{ENTRIES, SPECIAL_ENTRIES};
