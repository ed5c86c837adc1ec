//! The operations on arrays that sweeps under `create_graph` are themselves recorded in: what a linear
//! map does, as operations with derivatives. The elementwise ones are rows of the table.

pub mod drawn;
pub mod fixed;
pub mod matmul;
pub mod moves;
pub mod put;
pub mod select;
pub mod sum;
