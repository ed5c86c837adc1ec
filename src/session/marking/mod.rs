//! Questions and their answers: blanks, what is right, and the mistake behind what is not.

pub(crate) mod arithmetic;
pub mod blanks;
#[cfg(test)]
pub(crate) mod blanks_tests;
pub mod diagnosis;
pub mod fill;
pub(crate) mod mistakes;
pub mod numbers;
pub(crate) mod question;
pub(crate) mod verdict;
