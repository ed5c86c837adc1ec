//! Questions and their answers: blanks, what is right, and the mistake behind what is not.

pub mod answer;
#[cfg(test)]
pub(crate) mod answer_tests;
pub(crate) mod arithmetic;
pub mod diagnosis;
pub mod fill;
pub(crate) mod filled;
pub mod formulas;
pub(crate) mod matrix;
pub(crate) mod mistakes;
pub mod numbers;
pub mod parts;
pub mod points;
pub(crate) mod question;
pub(crate) mod remarks;
pub mod table;
pub mod turns;
pub(crate) mod verdict;
pub mod waiting;
pub mod why;
