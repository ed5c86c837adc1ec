//! Arguments of a call, from the text of a signature to typed values, and the operations of `ops` as functions,
//! methods and NumPy's functions.
//! Depends on `text`, `tensor`, `maths`, `ops`, `eval`, `python`.
//!
//! Begin with [`catalogue`]; [`signature`] reads what a function takes, [`bind`] gives it what was written.

pub mod bind;
pub mod catalogue;
pub mod device;
pub mod numpy_arguments;
pub mod numpy_call;
pub mod operation_arguments;
pub mod out;
pub mod overloads;
pub mod quick_calls;
pub mod readers;
pub mod results;
pub mod signature;

// Its main types, named without their place.
pub use crate::bind::Given;
pub use crate::signature::signature;
