//! Backwards and derivatives of functions as JAX writes them.

pub(crate) mod backward;
pub(crate) mod calls;
pub(crate) mod functions;
pub(crate) mod hooks;
pub(crate) mod pure;
pub(crate) mod slice;
