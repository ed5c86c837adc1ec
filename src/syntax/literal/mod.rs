//! Numbers and strings as written.

mod fstring;
pub mod number;
pub mod string;
