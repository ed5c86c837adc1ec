//! The table of operations against itself by other roads, against differences and against PyTorch's
//! numbers, at cases made from its entries: an operation added to it is tested without a word here.

mod added;
mod call;
mod cases;
mod exceptions;
mod help;
use crate::support::random;
mod routes;
mod rows;
mod run;
mod stored;
mod symbolic;
mod values;
