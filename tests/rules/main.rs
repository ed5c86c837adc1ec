//! The table of operations against itself by other roads, against differences and against PyTorch's
//! numbers, at cases made from its entries: an operation added to it is tested without a word here.
#![allow(clippy::unwrap_used, clippy::panic)]

mod added;
mod call;
mod cases;
mod exceptions;
mod help;
#[path = "../support/random.rs"]
mod random;
mod routes;
mod rows;
mod run;
mod stored;
mod symbolic;
mod values;
