//! Questions and their answers: blanks, what is right, and the mistake behind what is not.

pub mod answer;
#[cfg(test)]
pub(crate) mod answer_tests;
pub(crate) mod arithmetic;
pub mod diagnosis;
pub mod equation;
pub mod fill;
pub(crate) mod filled;
pub mod formula;
pub(crate) mod mistakes;
pub mod numbers;
pub mod points;
pub(crate) mod question;
pub mod reader;
pub(crate) mod remarks;
pub mod slopes;
pub mod table;
pub mod turns;
pub(crate) mod verdict;
pub mod waiting;
