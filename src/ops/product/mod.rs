//! Products of vectors, matrices and batches of them.

pub mod addmm;
pub mod composed;
pub mod einsum;
pub mod matmul;
