//! Arguments of a call, from the text of a signature to typed values.

pub mod bind;
pub mod operation_arguments;
pub mod out;
pub mod overloads;
pub mod quick_calls;
pub mod readers;
pub mod results;
pub mod signature;
