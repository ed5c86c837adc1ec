//! Loops over many numbers, written for the processor: products of matrices.

pub mod product;
