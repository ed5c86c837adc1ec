//! Names: those that a program binds, and those that it may not have in JAX.

pub(super) mod bindings;
pub(super) mod methods;
pub(super) mod renamed;
