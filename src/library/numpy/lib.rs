//! NumPy's arrays, types and functions; what an operation of `ops` does for arrays is in `binder`.
//! Depends on `text`, `tensor`, `maths`, `ops`, `eval`, `python`, `binder`, `torch`.
//!
//! Begin with [`modules`].

pub mod arrays;
pub mod create;
pub mod determinant;
pub mod dtype;
pub mod functions;
pub mod modules;
pub mod random;
pub mod removed;
pub mod sort;
pub mod ufuncs;
pub mod words;
