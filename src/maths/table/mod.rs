//! The table of pointwise functions: one row each, from which everything else follows: value and
//! derivative over numbers, symbols and recorded variables, the name PyTorch prints, kinks,
//! parameters, help and the finite-difference test.

#[macro_use]
mod row_macro;
mod activation;
mod arithmetic;
mod bessel;
mod bounds;
pub mod called;
mod choice;
mod elementary;
mod elementwise;
pub mod fast_scalars;
mod gamma;
pub(crate) mod kernel;
mod operators;
mod row;
mod shrink;
pub(crate) mod small_arrays;
mod special;
mod vector;

pub use activation::*;
pub use arithmetic::*;
pub use bessel::*;
pub use bounds::*;
pub use choice::*;
pub use elementary::*;
pub use elementwise::widened;
pub use kernel::symbols;
pub use operators::*;
pub use row::{Kinks, Pointwise, Reads, Repeated, Result, Row};
pub use shrink::*;
pub use special::*;
pub(crate) use vector::pull_tile;

/// All rows.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    [
        arithmetic::ROWS,
        elementary::ROWS,
        activation::ROWS,
        choice::ROWS,
        bounds::ROWS,
        shrink::ROWS,
        special::ROWS,
        bessel::ROWS,
    ]
    .into_iter()
    .flatten()
    .copied()
}
