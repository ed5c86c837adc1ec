//! Shapes under the expressions of an error.

pub(crate) mod operands;
pub(crate) mod shapes;
