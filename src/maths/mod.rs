//! Tensors, symbols, the table of derivatives, graphs, sweeps and Jacobians.
//! Knows nothing of programs, Python or the screen. Depends on `text` only.

pub mod algebra;
pub mod budget;
pub mod complaint;
pub mod jacobian;
pub mod linear;
pub mod rule;
pub mod symbol;
pub mod tensor;
