//! Formulas as answers: right for any equal expression.

pub mod equation;
pub mod formula;
pub mod reader;
pub mod slopes;
mod spelling;
