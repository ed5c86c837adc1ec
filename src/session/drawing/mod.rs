//! Sheets with numbers of their own: a pattern has ranges in its inputs, `x = {1..5}`, and each student gets
//! other numbers from them.

pub mod dice;
pub mod difficulty;
pub mod ranges;
pub mod search;
